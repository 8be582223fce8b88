#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds what the tests run to what it has to be.

    coverage_check.py ROOT                  only looks whether each exception stands in its source
    coverage_check.py ROOT COVERAGE_JSON    compares the figures, too

tests/coverage-floors.txt has a folder a line with the least percent of its lines and of its branches.
Where that is 100, each place that the tests do not reach is an exception with its reason in
tests/coverage-exceptions.txt; one that the tests reach after all, and one that is gone, is an error.
"""
import collections
import json
import os
import sys


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def complain(text):
    print(text, file=sys.stderr)


def floors(root):
    """Folder: least percent of lines and of branches."""
    rows = (line.split() for line in read(f"{root}/tests/coverage-floors.txt").split("\n"))
    return {r[0]: (float(r[1]), float(r[2])) for r in rows if r and not r[0].startswith("#")}


def exceptions(root):
    """How often a line of a file may be one that the tests do not run, or not to both sides."""
    text = "\n".join(l for l in read(f"{root}/tests/coverage-exceptions.txt").split("\n") if not l.startswith("#"))
    known = collections.Counter()
    for entry in filter(None, (e.strip() for e in text.split("\n\n"))):
        lines = entry.split("\n")
        reason = [l for l in lines[1:] if l.startswith("= ")]
        if len(lines) < 3 or len(reason) != 1 or lines[-1] != reason[0]:
            sys.exit(f"tests/coverage-exceptions.txt: no file, lines and reason: {entry}")
        for line in lines[1:-1]:
            known[(lines[0], line[2:].strip())] += 1
    return known


def check_list(root, known):
    """Each exception stands in its source."""
    bad = 0
    for (file, line), count in known.items():
        there = [l.strip() for l in read(f"{root}/{file}").split("\n")].count(line) if os.path.exists(
            f"{root}/{file}") else 0
        if there < count:
            complain(f"tests/coverage-exceptions.txt: {file} has {there} of: {line}")
            bad += 1
    return bad


def check_strict(root, file, known):
    """The places of a file that the tests do not reach, beside the exceptions."""
    lines = read(f"{root}/{file['file']}").split("\n")
    missed = collections.Counter(lines[n - 1].strip() if n <= len(lines) else "?" for n in file["lines_missed"] + file["branches_missed_at"])
    bad = 0
    for line, count in missed.items():
        if count > known[(file["file"], line)]:
            complain(f"{file['file']}: the tests do not reach all of: {line}")
            bad += 1
    for (name, line), count in known.items():
        if name == file["file"] and count > missed[line]:
            complain(f"tests/coverage-exceptions.txt: the tests reach {file['file']}: {line}")
            bad += 1
    return bad


def check_figures(root, files, known):
    bad = 0
    for folder, (lines, branches) in floors(root).items():
        here = [f for f in files if os.path.dirname(f["file"]) == folder]
        if not here:
            complain(f"tests/coverage-floors.txt: {folder} has no figures")
            bad += 1
        if lines == 100 and branches == 100:
            bad += sum(check_strict(root, f, known) for f in here)
            continue
        for what, part, all_, least in (("lines", "lines_run", "lines", lines),
                                        ("branches", "branches_taken", "branches", branches)):
            count = sum(f[all_] for f in here)
            percent = 100 * sum(f[part] for f in here) / count if count else 100
            if percent < least:
                complain(f"{folder}: {percent:.2f} % of the {what} are run, less than {least} %")
                bad += 1
    return bad


def main():
    root = sys.argv[1]
    known = exceptions(root)
    bad = check_list(root, known)
    if len(sys.argv) > 2:
        bad += check_figures(root, json.loads(read(sys.argv[2]))["files"], known)
    print(f"coverage: {len(known)} exceptions, {bad} failed")
    return bad > 0


sys.exit(main())
