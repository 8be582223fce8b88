# SPDX-License-Identifier: MIT
"""Makes one header of many mutants: each function that is wrong in some of them becomes copies.

A mutant of a header changes all objects that include it. So all of them are built at once: the
function has a copy for each mutant, and the environment variable PC_MUTANT says which one is called.
"""
import re

from mutant_tokens import closing, tokens


def functions(source):
    """(begin, name at, name, parameters, body, end, is void) of each inline function of a header."""
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
    opening = brace - 1
    while closing(t, opening) != brace - 1 or t[opening].text != "(":
        opening -= 1
    name = t[opening - 1]
    parameters = [re.findall(r"\w+", p)[-1] for p in source[t[opening].at + 1:t[brace - 1].at].split(",")]
    head = source[t[begin].at:name.at]
    return {"begin": t[begin].at, "name_at": name.at, "name": name.text, "body": t[brace].at,
            "end": t[end].at + 1, "parameters": [] if parameters == ["void"] else parameters,
            "void": re.search(r"\bvoid\s*$", head) is not None, "inline": "inline" in head}


def with_copies(source, numbered):
    """The header with all mutants, and those of (number, mutant) that stand in a function."""
    out, at, taken = [], 0, []
    for f in functions(source):
        mine = [(n, m) for n, m in numbered if f["body"] <= m.at and m.end <= f["end"]]
        if not mine or not f["inline"]:
            continue
        out.append(source[at:f["begin"]])
        head, rest = source[f["begin"]:f["name_at"]], source[f["name_at"] + len(f["name"]):f["end"]]
        out.append(f"{head}{f['name']}_mutant_0{rest}\n")
        cases = []
        call = f"({', '.join(f['parameters'])})"
        for number, mutant in mine:
            wrong = source[f["name_at"] + len(f["name"]):mutant.at] + mutant.new + source[mutant.end:f["end"]]
            out.append(f"{head}{f['name']}_mutant_{number}{wrong}\n")
            cases.append(f"case {number}: " + (f"{f['name']}_mutant_{number}{call}; return;" if f["void"] else
                                               f"return {f['name']}_mutant_{number}{call};"))
        result = f"{f['name']}_mutant_0{call};" if f["void"] else f"return {f['name']}_mutant_0{call};"
        out.append(f"{head}{source[f['name_at']:f['body']]}{{ switch (pc_mutant()) {{ {' '.join(cases)} "
                   f"default: {result}{' break;' if f['void'] else ''} }} }}")
        at = f["end"]
        taken += mine
    return '#include "mutant.h"\n' + "".join(out) + source[at:], taken
