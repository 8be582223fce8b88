# SPDX-License-Identifier: MIT
"""Makes one source of many mutants: each function that is wrong in some of them becomes copies.

So all mutants are built at once. The environment variable PC_MUTANT says which copy is called; the
right one notes each place of a mutant that it reaches in the file that PC_MUTANT_SEEN names.
"""
import re

from mutant_tokens import closing, tokens

# Names of its own for what it calls: the source includes what it wants after this.
HEADER = """#ifndef PC_MUTANT_H
#define PC_MUTANT_H
extern const char *pc_mutant_getenv(const char *) __asm__("getenv");
extern int pc_mutant_atoi(const char *) __asm__("atoi");
extern int pc_mutant_open(const char *, int, ...) __asm__("open");
extern int pc_mutant_close(int) __asm__("close");
extern void *pc_mutant_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
__attribute__((weak)) int pc_mutant_number;
__attribute__((weak)) unsigned char pc_mutant_nowhere[4096];
__attribute__((weak)) unsigned char *pc_mutant_seen = pc_mutant_nowhere;
__attribute__((constructor, unused)) static void pc_mutant_begin(void)
{
    const char *const number = pc_mutant_getenv("PC_MUTANT"), *const seen = pc_mutant_getenv("PC_MUTANT_SEEN");
    const int file = seen && pc_mutant_seen == pc_mutant_nowhere ? pc_mutant_open(seen, 2) : -1;
    void *const map = file >= 0 ? pc_mutant_mmap((void *)0, 4096, 3, 1, file, 0) : (void *)-1;

    pc_mutant_number = number ? pc_mutant_atoi(number) : 0;
    if (map != (void *)-1)
        pc_mutant_seen = map;
    if (file >= 0)
        pc_mutant_close(file);
}
__attribute__((unused)) static inline int pc_mutant(void) { return pc_mutant_number; }
__attribute__((unused)) static inline void pc_mutant_reached(int number) { pc_mutant_seen[number] = 1; }
#endif
"""
MOST = 4095 # mutants of one build


def functions(source):
    """What function_at says of each function of a source."""
    t = list(tokens(source))
    i, begin = 0, 0
    while i < len(t):
        if t[i].text == "{":
            end = closing(t, i)
            if i and t[i - 1].text == ")":
                yield function_at(source, t, begin, i, end)
            i = end
        if t[i].text in (";", "}"):
            begin = i + 1
        i += 1


def function_at(source, t, begin, brace, end):
    """Where a function's name, body and end are in the source, its parameters, and what it is."""
    opening = brace - 1
    while closing(t, opening) != brace - 1 or t[opening].text != "(":
        opening -= 1
    name = t[opening - 1]
    parameters = [parameter(p) for p in apart(t[opening + 1:brace - 1])]
    head = source[t[begin].at:name.at]
    return {"begin": t[begin].at, "name_at": name.at, "name": name.text, "body": t[brace].at,
            "end": t[end].at + 1, "parameters": [] if parameters == ["void"] else parameters,
            "void": re.search(r"\bvoid\s*$", head) is not None, "static": "static" in head, "tokens": t[brace:end + 1]}


def apart(t):
    """The tokens between commas that stand in no brackets."""
    parts, depth = [[]], 0
    for token in t:
        depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
        if token.text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def parameter(t):
    """The name that a parameter declares: what stands last, before the brackets of an array, or after (*."""
    texts = [token.text for token in t]
    for i in range(len(texts) - 2):
        if texts[i:i + 2] == ["(", "*"]:
            return next(x.text for x in t[i + 2:] if x.kind == "name" and x.text != "const")
    before = texts.index("[") if "[" in texts else len(texts)
    return texts[before - 1]


def is_block(t, i):
    """Does the brace at i begin statements, and not an initializer?"""
    if i == 0 or t[i - 1].text in ("}", ";", "else", "do", ":"):
        return True
    if t[i - 1].text == "{":
        return is_block(t, i - 1)
    if t[i - 1].text != ")":
        return False
    opening = next(k for k in range(i - 1, -1, -1) if t[k].text == "(" and closing(t, k) == i - 1)
    return t[opening - 1].text in ("if", "for", "while", "switch")


def after_labels(t, i):
    """The token after the labels of a statement that begins at i."""
    while t[i].text in ("case", "default") or (t[i].kind == "name" and t[i + 1].text == ":"):
        while t[i].text != ":":
            i += 1
        i += 1
    return i


def place_before(t, at):
    """Where a statement of the function may be put in so that it runs before what stands at `at`: the last such place."""
    depth, depths = 0, []
    for token in t:
        depth -= token.text == ")"
        depths.append(depth)
        depth += token.text == "("
    i = max(k for k in range(len(t)) if t[k].at <= at)
    while i > 0:
        before = t[i - 1].text
        if depths[i] == 0 and (before in (";", "}") or (before == "{" and is_block(t, i - 1))):
            ends_do = before == "}" and t[i].text == "while"
            place = after_labels(t, i)
            if t[i].text not in ("else", ",", ";", "}") and not ends_do and t[place].at <= at:
                return t[place].at
            if place > i: # in a label: whatever comes to the switch may come here
                break
        i = next(k for k in range(i - 1, -1, -1) if closing(t, k) == i - 1) if before in ("}", ")") else i - 1
    return t[0].at + 1


def right_copy(source, f, mine):
    """The text of the function from its name's end on, noting each place that it reaches."""
    out, at = [], f["name_at"] + len(f["name"])
    places = sorted((place_before(f["tokens"], m.at), n) for n, m in mine)
    for place, number in places:
        out += [source[at:place], f" pc_mutant_reached({number}); "]
        at = place
    return "".join([*out, source[at:f["end"]]])


def with_copies(source, numbered):
    """The source with all mutants, and those of (number, mutant) that stand in a function."""
    out, at, taken = [], 0, []
    for f in functions(source):
        mine = [(n, m) for n, m in numbered if f["body"] <= m.at and m.end <= f["end"]]
        if not mine:
            continue
        out.append(source[at:f["begin"]])
        declared = source[f["begin"]:f["name_at"]]
        head = declared if f["static"] else f"static {declared}"
        out.append(f"{head}{f['name']}_mutant_0{right_copy(source, f, mine)}\n")
        cases = []
        call = f"({', '.join(f['parameters'])})"
        for number, mutant in mine:
            wrong = source[f["name_at"] + len(f["name"]):mutant.at] + mutant.new + source[mutant.end:f["end"]]
            out.append(f"{head}{f['name']}_mutant_{number}{wrong}\n")
            cases.append(f"case {number}: " + (f"{f['name']}_mutant_{number}{call}; return;" if f["void"] else
                                               f"return {f['name']}_mutant_{number}{call};"))
        result = f"{f['name']}_mutant_0{call};" if f["void"] else f"return {f['name']}_mutant_0{call};"
        out.append(f"{declared}{source[f['name_at']:f['body']]}{{ switch (pc_mutant()) {{ {' '.join(cases)} "
                   f"default: {result}{' break;' if f['void'] else ''} }} }}")
        at = f["end"]
        taken += mine
    return '#include "mutant.h"\n' + "".join(out) + source[at:], taken
