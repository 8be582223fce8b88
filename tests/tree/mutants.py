#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tools/mutants.py -r can break in a few lines of C, and that a source with all of it compiles, does
what PC_MUTANT says, and notes what it reaches: mutants.py TOOLS CC"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[1])
import mutant_copies # noqa: E402
import mutant_tokens # noqa: E402

SOURCE = """/* a + b */
#define TWO (1 + 1)
static const int row[2] = { 5, 6 };
static inline int sum(int a, unsigned *n, bool up)
{
    int s = up ? a + 0x0f : -a;

    if (!up && a >= 2)
        s <<= 1;
    while (n[0] != 0)
        (*n)--;
    return s;
}
int of_kind(const int table[2], int (*next)(int), int kind)
{
    static const int rows[2][2] = { { 1, 2 }, { 3, 4 } };

    switch (kind) {
    case 0:
        return table[0] + 7;
    case 40:
    case 60:
        kind = next(kind) * 9;
        break;
    default:
        do {
            kind -= 11;
        } while (kind > 13);
    }
    if (kind == 9) {
        kind += 19;
    } else if (kind == 23)
        kind += 29;
    else
        kind += 31;
    return kind + rows[1][0];
}
"""
# Line, what stands there, what is wrong.
WANT = [
    (6, "+", "-"), (6, "0x0f", "0x10"),
    (8, "(!up && a >= 2)", "(!(!up && a >= 2))"), (8, "!", ""), (8, "&&", "||"), (8, ">=", ">"), (8, ">=", "<="),
    (8, "2", "3"),
    (9, "s <<= 1;", ";"), (9, "<<=", ">>="), (9, "1", "2"), (9, "1", "0"),
    (10, "(n[0] != 0)", "(!(n[0] != 0))"), (10, "0", "1"), (10, "!=", "=="), (10, "0", "1"),
    (11, "(*n)--;", ";"), (11, "--", "++"),
]
PROGRAM = """
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "mutant.h"
%s
static int same(int kind) { return kind; }
int main(int argc, char **argv)
{
    unsigned n = 0;
    if (argc > 1)
        return printf("%%d\\n", of_kind(row, same, atoi(argv[1]))) < 0;
    printf("%%d %%d %%d\\n", sum(1, &n, true), sum(3, &n, false), row[0]);
    return 0;
}
"""
# Of each argument of of_kind: what it returns, and the lines whose places it does not reach.
KINDS = {0: (12, {23, 31, 33, 35}), 40: (394, {20, 31}), 20: (31, {20, 23}), 21: (44, {20, 23, 31})}


def run(folder, number, *arguments):
    """What the program prints with one mutant, and the numbers of those that it reaches."""
    with open(f"{folder}/seen", "wb") as f:
        f.write(bytes(mutant_copies.MOST + 1))
    out = subprocess.run([f"{folder}/program", *arguments], check=True, stdout=subprocess.PIPE,
                         env=dict(os.environ, PC_MUTANT=str(number), PC_MUTANT_SEEN=f"{folder}/seen")).stdout
    with open(f"{folder}/seen", "rb") as f:
        return out.decode().strip(), {n for n, byte in enumerate(f.read()) if byte}


def check(folder, taken):
    """What is wrong with the program; None if nothing."""
    wants = {"+": "-14 -6 5", "0x0f": "17 -6 5", "2": "16 -6 5", "<<=": "16 -2 5"}
    for number, mutant in [(0, None)] + [(n, m) for n, m in taken if m.line in (6, 8, 9)]:
        want = wants.get(mutant.old) if mutant else "16 -6 5"
        out, _ = run(folder, number)
        if want and out != want:
            return f"mutant {number}: \"{out}\" instead of \"{want}\""
    for kind, (value, untouched) in KINDS.items():
        out, seen = run(folder, 0, str(kind))
        lines = {m.line for n, m in taken if n in seen}
        different = {n for n, m in taken if m.line > 14 and run(folder, n, str(kind))[0] != out}
        if out != str(value) or not different <= seen or lines & untouched:
            return f"of_kind({kind}): {out}, reached lines {sorted(lines)}, not seen {sorted(different - seen)}"
    return None


def main():
    found = mutant_tokens.mutants(SOURCE)
    got = [(m.line, m.old, m.new) for m in found if 5 < m.line < 14]
    missing, more = [w for w in WANT if w not in got], [g for g in got if g not in WANT]
    if missing or more or len(got) != len(WANT):
        print(f"not found: {missing}; found, too: {more}")
        return 1
    # A loop without an end is none of what is run.
    named = [(n, m) for n, m in enumerate(found, 1) if m.line not in (10, 11, 27, 28)]
    text, taken = mutant_copies.with_copies(SOURCE, named)
    with tempfile.TemporaryDirectory() as folder:
        for name, what in (("mutant.h", mutant_copies.HEADER), ("program.c", PROGRAM % text)):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as f:
                f.write(what)
        subprocess.run([sys.argv[2], "-D_GNU_SOURCE", "-o", f"{folder}/program", f"{folder}/program.c"], check=True)
        bad = check(folder, taken)
    print(bad or f"{len(got)} places, {len(taken)} built")
    return bad is not None


sys.exit(main())
