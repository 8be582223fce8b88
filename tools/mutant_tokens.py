# SPDX-License-Identifier: MIT
"""Finds the places of a C source at which one token can be wrong: what tools/mutants.py draws from.

A place is a Mutant: another operator, a constant next to it, true for false, a condition negated, or
a statement left out. Preprocessor lines, comments and texts have none, and neither have declarations,
for a statement must be one to be left out.
"""
import re
from typing import NamedTuple

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#(?:[^\n\\]|\\.)*)
  | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[0-9a-zA-Z_.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
    """, re.X | re.S | re.M)

BINARY = {"<": ["<=", ">"], "<=": ["<", ">="], ">": [">=", "<"], ">=": [">", "<="], "==": ["!="], "!=": ["=="],
          "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["*"],
          "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"]}
ASSIGN = {"+=": ["-=", "="], "-=": ["+=", "="], "|=": ["&=", "="], "&=": ["|=", "="], "^=": ["|="],
          "<<=": [">>="], ">>=": ["<<="], "*=": ["+="], "/=": ["*="], "++": ["--"], "--": ["++"]}
TYPES = {"void", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "bool", "const",
         "volatile", "struct", "union", "enum", "static", "extern", "register", "FILE"}
KEEPS = {"return", "if", "else", "for", "while", "do", "switch", "case", "default", "goto", "typedef", "sizeof",
         "_Static_assert", "_Generic"}


class Token(NamedTuple):
    kind: str
    text: str
    at: int
    line: int


class Mutant(NamedTuple):
    """Between `at` and `end` of the source stands `old`; `new` is wrong. `first`: line of the statement."""
    at: int
    end: int
    line: int
    first: int
    old: str
    new: str


def tokens(source):
    line = 1
    for match in TOKEN.finditer(source):
        if match.lastgroup != "skip":
            yield Token(match.lastgroup, match.group(), match.start(), line)
        line += match.group().count("\n")


def is_type(token):
    return token.text in TYPES or token.text.endswith("_t")


def next_number(text):
    """Numbers beside a constant: one more, and 0 for 1."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", text)
    if not match:
        return []
    hexadecimal = match[1][:2] in ("0x", "0X")
    value = int(match[1], 16) if hexadecimal else int(match[1], 8 if len(match[1]) > 1 and match[1][0] == "0" else 10)
    other = [value + 1] + ([value - 1] if value == 1 else [])
    return [(hex(n) if hexadecimal else str(n)) + match[2] for n in other]


def closing(tokens_, i):
    """The index of the bracket that closes the one at i."""
    depth = 0
    for j in range(i, len(tokens_)):
        depth += (tokens_[j].text in ("(", "[", "{")) - (tokens_[j].text in (")", "]", "}"))
        if depth == 0:
            return j
    return i


def replaced(token, new, first):
    return Mutant(token.at, token.at + len(token.text), token.line, first, token.text, new)


def of_token(t, i, first, start):
    """What token i can be instead of what it is. `start`: a statement begins with it."""
    token, before = t[i], t[i - 1] if i else t[i]
    operand = not start and (before.kind in ("number", "name", "text") or before.text in (")", "]"))
    if token.kind == "number":
        return [replaced(token, n, first) for n in next_number(token.text)]
    if token.text in ("true", "false"):
        return [replaced(token, "false" if token.text == "true" else "true", first)]
    if token.text == "!":
        return [replaced(token, "", first)]
    if token.text in ASSIGN:
        return [replaced(token, n, first) for n in ASSIGN[token.text]
                if n != "=" or t[i + 1].text != "="]
    if token.text in BINARY and operand and before.text not in KEEPS and not is_type(before):
        if token.text in "*&" and before.text == ")" and t[i + 1].kind == "name" and is_type(t[i - 2]):
            return [] # a cast
        return [replaced(token, n, first) for n in BINARY[token.text]]
    return []


def of_condition(source, t, i, first):
    """The condition of an `if` or `while` at i, negated."""
    if t[i].text not in ("if", "while") or i + 1 >= len(t) or t[i + 1].text != "(":
        return []
    end = closing(t, i + 1)
    old = source[t[i + 1].at:t[end].at + 1]
    return [Mutant(t[i + 1].at, t[end].at + 1, t[i].line, first, old, f"(!{old})")]


def of_statement(source, t, i):
    """The statement that begins at i, left out: an assignment, a call, break or continue."""
    head = t[i]
    if head.kind == "name" and (head.text in KEEPS or is_type(head)):
        return []
    if head.kind not in ("name", "operator") or head.text in ("{", "}", ";", ")", ":", "."):
        return []
    end = i
    while end < len(t) and t[end].text != ";":
        if t[end].text in ("{", "}"):
            return []
        end = closing(t, end) + 1 if t[end].text in ("(", "[") else end + 1
    if end >= len(t):
        return []
    inside = [x.text for x in t[i:end]]
    declares = (end > i + 1 and head.kind == "name" and
                (t[i + 1].kind == "name" or (inside[1] == "*" and t[i + 2].kind in ("name", "operator"))))
    if declares or ":" in inside[:2] or (end == i + 1 and head.text not in ("break", "continue")):
        return []
    old = source[head.at:t[end].at + 1]
    return [Mutant(head.at, t[end].at + 1, head.line, head.line, old, ";" + "\n" * old.count("\n"))]


def mutants(source):
    """All places of a source, in their order."""
    t = list(tokens(source))
    found, first, depth, start = [], 0, 0, True
    for i, token in enumerate(t):
        if start:
            first = token.line
            if depth:
                found += of_statement(source, t, i)
        found += of_token(t, i, first, start) if depth else []
        found += of_condition(source, t, i, first) if depth else []
        depth += (token.text == "{") - (token.text == "}")
        start = token.text in ("{", "}", ";", "else") or (token.text == ")" and ends_head(t, i))
    return found


def ends_head(t, i):
    """Does the bracket at i close the head of an `if`, `for` or `while`?"""
    depth = 0
    for j in range(i, -1, -1):
        depth += (t[j].text == ")") - (t[j].text == "(")
        if depth == 0:
            return j > 0 and t[j - 1].text in ("if", "for", "while", "switch")
    return False


def apply(source, mutant):
    return source[:mutant.at] + mutant.new + source[mutant.end:]
