#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tools/mutants.sh -r can break in a few lines of C, and that a header with all of it compiles and
does what PC_MUTANT says: mutants.py TOOLS CC"""
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
#include "mutant.h"
%s
int main(void)
{
    unsigned n = 0;
    printf("%%d %%d %%d\\n", sum(1, &n, true), sum(3, &n, false), row[0]);
    return 0;
}
"""


def main():
    found = mutant_tokens.mutants(SOURCE)
    got = [(m.line, m.old, m.new) for m in found if m.line > 5]
    missing, more = [w for w in WANT if w not in got], [g for g in got if g not in WANT]
    if missing or more or len(got) != len(WANT):
        print(f"not found: {missing}; found, too: {more}")
        return 1
    named = [(n, m) for n, m in enumerate(found, 1) if m.line in (6, 8, 9)]
    text, taken = mutant_copies.with_copies(SOURCE, named)
    import mutate # what a copy of the sources gets
    with tempfile.TemporaryDirectory() as folder:
        for name, what in (("mutant.h", mutate.HEADER), ("program.c", PROGRAM % text)):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as f:
                f.write(what)
        subprocess.run([sys.argv[2], "-D_GNU_SOURCE", "-o", f"{folder}/program", f"{folder}/program.c"], check=True)
        for number, want in [(0, "16 -6 5")] + [(n, None) for n, _ in taken]:
            out = subprocess.run([f"{folder}/program"], env=dict(os.environ, PC_MUTANT=str(number)), check=True,
                                 stdout=subprocess.PIPE).stdout.decode().strip()
            if want is None:
                mutant = dict(taken)[number]
                want = {"+": "-14 -6 5", "0x0f": "17 -6 5", "2": "16 -6 5", "<<=": "16 -2 5"}.get(mutant.old)
            if want and out != want:
                print(f"mutant {number}: \"{out}\" instead of \"{want}\"")
                return 1
    print(f"{len(got)} places, {len(taken)} built")
    return 0


sys.exit(main())
