#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of a build with counters one by one, and notes which of them runs which line.

    coverage_map.py BUILD MAP [REGEX]

BUILD is the folder of the preset `coverage`; MAP becomes a file of JSON: for each test its command,
folder, environment and seconds, and for each line of a source the tests that run it. Counts of
earlier runs stay: a test runs a line if it adds to the line's count. Quick tests come first, and the
map is written from time to time. tools/mutants.sh reads it. With REGEX the map is continued: by the
tests of such a name that it does not have yet.
"""
import glob
import json
import os
import re
import subprocess
import sys
import time

AREAS = ("src/model/", "src/kernel/", "src/lang/", "src/wave/")
COUNT = re.compile(rb" *(\d+)\*?: *(\d+):")


def tests_of(build):
    """Name, command, folder, environment and timeout of each test of the preset."""
    text = subprocess.run(["ctest", "--preset", "coverage", "--show-only=json-v1"], check=True,
                          stdout=subprocess.PIPE).stdout
    for test in json.loads(text)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        yield {"name": test["name"], "command": test["command"],
               "folder": properties.get("WORKING_DIRECTORY", build),
               "environment": properties.get("ENVIRONMENT", []),
               "timeout": properties.get("TIMEOUT", 3600)}


def costs(build):
    """Seconds of each test, as far as ctest has seen it run in this build."""
    try:
        with open(f"{build}/Testing/Temporary/CTestCostData.txt", encoding="utf-8") as f:
            rows = [line.split() for line in f]
    except FileNotFoundError:
        rows = []
    return {r[0]: float(r[2]) for r in rows if len(r) == 3}


def save(path, places, tests, lines):
    with open(f"{path}.new", "w", encoding="utf-8") as out:
        json.dump({**places, "tests": tests, "lines": {f: {str(n): sorted(t) for n, t in sorted(l.items())}
                                             for f, l in sorted(lines.items())}}, out)
    os.replace(f"{path}.new", path)


def run(test):
    """Runs a test; returns whether it passed."""
    environment = dict(os.environ, **dict(e.split("=", 1) for e in test["environment"]))
    try:
        return subprocess.run(test["command"], cwd=test["folder"], env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              timeout=test["timeout"]).returncode in (0, 77)
    except subprocess.TimeoutExpired:
        return False


def counts(gcov, objects, root):
    """((object, file, line), count) of each line that has been run, of these objects."""
    text = subprocess.run([gcov, "-t", *objects], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout
    file = graph = None
    for line in text.split(b"\n"):
        if line.startswith(b"        -:    0:"):
            kind, _, value = line[16:].partition(b":")
            if kind == b"Source":
                file = value.decode()
                file = os.path.relpath(file, root) if file.startswith(root + "/") else None
            elif kind == b"Graph":
                graph = value.decode()
        elif file and file.startswith(AREAS):
            match = COUNT.match(line)
            if match and int(match[2]):
                yield (graph, file, int(match[2])), int(match[1])


def all_lines(gcov, objects, root):
    """(file, line) of each line that has code."""
    text = subprocess.run([gcov, "-t", *objects], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False).stdout
    file = None
    for line in text.split(b"\n"):
        if line.startswith(b"        -:    0:Source:"):
            file = line[23:].decode()
            file = os.path.relpath(file, root) if file.startswith(root + "/") else None
        elif file and file.startswith(AREAS):
            match = re.match(rb" *(?:\d+\*?|#####|=====): *(\d+):", line)
            if match:
                yield file, int(match[1])


def main():
    build, path = os.path.abspath(sys.argv[1]), sys.argv[2]
    root = os.path.abspath(f"{os.path.dirname(sys.argv[0])}/..")
    gcov = os.environ.get("GCOV", "gcov")
    objects = [o for part in ("model", "lang", "wave")
               for o in glob.glob(f"{build}/CMakeFiles/pc_{part}.dir/src/**/*.gcno", recursive=True)]
    # Tests have inline functions of headers in objects of their own.
    tested = glob.glob(f"{build}/tests/**/*.gcno", recursive=True)
    data = [o[:-5] + ".gcda" for o in objects + tested]
    before, lines, tests = {}, {}, []
    places = {"root": root, "build": build}
    wanted = re.compile(sys.argv[3]) if len(sys.argv) > 3 else None
    if wanted:
        with open(path, encoding="utf-8") as f:
            old = json.load(f)
        tests = old["tests"]
        lines = {f: {int(n): set(t) for n, t in l.items()} for f, l in old["lines"].items()}
        before = dict(counts(gcov, [d for d in data if os.path.exists(d)], root))
    for file, line in all_lines(gcov, objects, root):
        lines.setdefault(file, {}).setdefault(line, set())
    cost, there = costs(build), {t["name"] for t in tests}
    for test in sorted(tests_of(build), key=lambda t: cost.get(t["name"]) or 1.0):
        if wanted and (test["name"] in there or not wanted.search(test["name"])):
            continue
        start = time.time_ns()
        passed = run(test)
        seconds = (time.time_ns() - start) / 1e9
        if not passed:
            print(f"{test['name']} fails with counters", flush=True)
        changed = [d for d in data if os.path.exists(d) and os.stat(d).st_mtime_ns >= start - 10**7]
        for (graph, file, line), count in counts(gcov, changed, root) if changed else ():
            if count > before.get((graph, file, line), 0):
                before[(graph, file, line)] = count
                lines.setdefault(file, {}).setdefault(line, set()).add(len(tests))
        tests.append({**test, "seconds": round(seconds, 3), "passed": passed})
        print(f"{test['name']}: {len(changed)} objects, {seconds:.2f} s, "
              f"{(time.time_ns() - start) / 1e9:.2f} s with its map", flush=True)
        if len(tests) % 10 == 0:
            save(path, places, tests, lines)
    save(path, places, tests, lines)
    print(f"{path}: {len(tests)} tests, {sum(len(l) for l in lines.values())} lines")
    return 0


sys.exit(main())
