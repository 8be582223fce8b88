#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks rules of a copy of the sources: mutate.py LIST ROOT [COPY]

LIST is tests/mutants.txt, ROOT the sources that it is about. In COPY, which is a copy of them, each
place becomes a choice: what is wrong where the environment variable PC_MUTANT has its number, what
is right elsewhere. Without COPY it is only seen whether each place is there, once.
"""
import re
import sys

HEADER = """#ifndef PC_MUTANT_H
#define PC_MUTANT_H
#include <stdlib.h>
__attribute__((unused)) static int pc_mutant(void)
{
    static int number = -1;
    const char *text;
    if (number < 0) {
        text = getenv("PC_MUTANT");
        number = text ? atoi(text) : 0;
    }
    return number;
}
#endif
"""


def entries(path):
    """(number, file, begin mark text, right, end text, wrong) of each entry of the list."""
    with open(path, encoding="utf-8") as f:
        text = re.sub(r"^#.*\n", "", f.read(), flags=re.M)
    for entry in text.strip().split("\n\n"):
        head, rest = entry.strip().split("\n", 1)
        piece, wrong = rest.rsplit("\n= ", 1)
        number, file = head.split()
        begin, end = piece.index("@["), piece.index("]@")
        yield int(number), file, piece[:begin], piece[begin + 2 : end], piece[end + 2 :], wrong


def without_effect(root):
    """How many entries of the list of mutants that change nothing are not in their source."""
    with open(f"{root}/tests/mutants-equivalent.txt", encoding="utf-8") as f:
        text = re.sub(r"^#.*\n", "", f.read(), flags=re.M)
    bad = 0
    for entry in filter(None, (e.strip() for e in text.split("\n\n"))):
        lines = entry.split("\n")
        with open(f"{root}/{lines[0]}", encoding="utf-8") as f:
            there = [line.strip() for line in f]
        if (len(lines) != 4 or [line[:2] for line in lines[1:]] != ["- ", "+ ", "= "] or
                lines[1][2:] not in there):
            print(f"tests/mutants-equivalent.txt: not in its source, or without its reason: {entry}")
            bad += 1
    return bad


def main():
    root = sys.argv[2]
    places = {}
    bad = without_effect(root) if len(sys.argv) < 4 else 0
    for number, file, before, right, after, wrong in entries(sys.argv[1]):
        with open(f"{root}/{file}", encoding="utf-8") as f:
            source = f.read()
        if source.count(before + right + after) != 1:
            print(f"mutant {number}: {file} has {source.count(before + right + after)} of: {before + right + after}")
            bad += 1
            continue
        at = source.index(before + right + after) + len(before)
        places.setdefault(file, {}).setdefault((at, right), []).append((number, wrong))
    if bad:
        return 1
    if len(sys.argv) < 4:
        print(f"{sum(len(w) for p in places.values() for w in p.values())} passed, 0 failed")
        return 0
    copy = sys.argv[3]
    with open(f"{copy}/src/mutant.h", "w", encoding="utf-8") as f:
        f.write(HEADER)
    for file, where in places.items():
        with open(f"{root}/{file}", encoding="utf-8") as f:
            source = f.read()
        for (at, right), wrongs in sorted(where.items(), reverse=True):
            choice = "".join(f"pc_mutant() == {n} ? ({w}) : " for n, w in wrongs)
            source = f"{source[:at]}({choice}({right})){source[at + len(right):]}"
        with open(f"{copy}/{file}", "w", encoding="utf-8") as f:
            f.write('#include "mutant.h"\n' + source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
