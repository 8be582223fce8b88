#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The mutants of tests/mutants.txt, and those of tests/mutants-equivalent.txt, which change nothing.

    mutant_list.py ROOT     only sees whether each stands in its source
"""
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def blocks(path):
    """The entries of a list, which empty lines divide, without its comments."""
    text = re.sub(r"^#.*\n", "", read(path), flags=re.M)
    return [entry.strip() for entry in text.split("\n\n") if entry.strip()]


def entries(root):
    """(number, file, what stands before, right, what stands after, wrong) of each place of a mutant."""
    for entry in blocks(f"{root}/tests/mutants.txt"):
        head, rest = entry.split("\n", 1)
        piece, wrong = rest.rsplit("\n= ", 1)
        number, file = head.split()
        begin, end = piece.index("@["), piece.index("]@")
        yield int(number), file, piece[:begin], piece[begin + 2 : end], piece[end + 2 :], wrong


def equivalents(root):
    """(file, right, wrong) of each that changes nothing."""
    entries_ = (entry.split("\n") for entry in blocks(f"{root}/tests/mutants-equivalent.txt"))
    return {(e[0], e[1][2:], e[2][2:].strip()) for e in entries_}


def with_choices(root, numbers):
    """The text of each source in which each place of these mutants is wrong if PC_MUTANT is numbers[its number]."""
    places, texts = {}, {}
    for number, file, before, right, after, wrong in entries(root):
        if number in numbers:
            at = read(f"{root}/{file}").index(before + right + after) + len(before)
            places.setdefault(file, {}).setdefault((at, right), []).append((numbers[number], wrong))
    for file, where in places.items():
        text = read(f"{root}/{file}")
        for (at, right), wrongs in sorted(where.items(), reverse=True):
            reached = "".join(f"pc_mutant_reached({n}), " for n, _ in wrongs)
            choice = "".join(f"pc_mutant() == {n} ? ({w}) : " for n, w in wrongs)
            text = f"{text[:at]}({reached}{choice}({right})){text[at + len(right):]}"
        texts[file] = '#include "mutant.h"\n' + text
    return texts


def main():
    root, places, bad = sys.argv[1], 0, 0
    for number, file, before, right, after, _ in entries(root):
        there = read(f"{root}/{file}").count(before + right + after)
        if there != 1:
            print(f"mutant {number}: {file} has {there} of: {before + right + after}")
            bad += 1
        places += 1
    for entry in blocks(f"{root}/tests/mutants-equivalent.txt"):
        lines = entry.split("\n")
        there = [line.strip() for line in read(f"{root}/{lines[0]}").split("\n")]
        if len(lines) != 4 or [line[:2] for line in lines[1:]] != ["- ", "+ ", "= "] or lines[1][2:] not in there:
            print(f"tests/mutants-equivalent.txt: not in its source, or without its reason: {entry}")
            bad += 1
    print(f"{places} passed, {bad} failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
