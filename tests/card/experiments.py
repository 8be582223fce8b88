#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Experiments tell their answers apart on the chips that they name, and every switch and every unknown has one, or a
reason why none can exist.

    experiments.py PROGRAM ROOT
"""
import itertools
import json
import os
import re
import subprocess
import sys

program, root = os.path.realpath(sys.argv[1]), sys.argv[2]
passed, bad = 0, 0


def check(fine, text):
    global passed, bad
    passed += bool(fine)
    bad += not fine
    if not fine:
        print("FAILED:", text, file=sys.stderr)


def run(*args):
    return subprocess.run([program, *args], capture_output=True, text=True, check=False)


def rows(*args):
    return json.loads(run(*args, "--format", "json").stdout)


# Check the heads of the files
files = {}
folder = root + "/data/experiments"
for name in sorted(os.listdir(folder)):
    check(name.endswith(".pcs"), f"{name} in data/experiments")
    with open(f"{folder}/{name}", encoding="ascii") as f:
        text = f.read()
    said = {}
    for line in text.splitlines():
        if line.startswith("#: "):
            word, _, rest = line[3:].partition(" ")
            said.setdefault(word, rest)
    files[name[:-4]] = said
    check({"question", "ask", "chips"} <= set(said), f"{name}: question, ask, chips")
    check(said.get("ask", "").endswith("?"), f"{name}: the question is none")
    check(re.search(r"^# [A-Za-z]", text, re.M), f"{name}: it says nothing in words")
    known = {"question", "ask", "chips", "values", "same", "answer", "idle", "together", "first", "once", "hangs", "memory"}
    check(set(said) <= known, f"{name}: {set(said) - known}")

# Check what the model reads, on every chip
order = [c["chip"] for c in rows("list", "chips")["data"]]
reads = {}  # (experiment, chip): {answer: reads}
for chip in order:
    got = run("settle", "-a", chip, "--format", "json")
    check(got.returncode == 0, f"settle -a {chip}: {got.stderr}")
    for row in json.loads(got.stdout)["experiments"] if got.returncode == 0 else []:
        reads[row["experiment"], chip] = {a["answer"]: a["reads"] for a in row["answers"]}
        check(row["question"] == files[row["experiment"]]["question"], f"{row['experiment']}: its question")
        check(all(a["reads"] for a in row["answers"]), f"{row['experiment']} on {chip} compares nothing")
for name, said in files.items():
    chips = {c: r for (e, c), r in reads.items() if e == name}
    check(chips, f"{name}: no chip has it")
    same = set(said.get("same", "").split())
    for chip, answers in chips.items():
        for a, b in itertools.combinations(answers, 2):
            # traced is one of the other two on each chip, which one depends on the generation
            if name == "gf100-ctr-modes" and "traced" in (a, b):
                continue
            check(answers[a] != answers[b] or {a, b} <= same, f"{name} on {chip}: {a} and {b} read {answers[a]}")
    if name == "gf100-ctr-modes":
        for other in "on", "off":
            check(any(r["traced"] != r[other] for r in chips.values()), f"{name}: traced is {other} everywhere")
        check(all(r["on"] != r["off"] for r in chips.values()), f"{name}: on is off")
    elif same:
        check(all(len({r[v] for v in same}) == 1 for r in chips.values()), f"{name}: {same} can be told apart")

# Each chip that a file names by itself is one of its chips.
for name, said in files.items():
    for word in said["chips"].split():
        if re.fullmatch(r"[A-Z0-9]+", word):
            check((name, word) in reads, f"{name}: {word} has no such experiment")
        else:
            check(re.split(r"[:-]", word)[0] in order, f"{name}: {word}")

# Every switch and every unknown
about = {}
for name, said in files.items():
    about.setdefault(said["question"], set()).add(name)
options = {row["option"]: row["decision"] for row in rows("list", "options")["data"]}
with open(root + "/docs/hardware/decisions.md", encoding="utf-8") as f:
    paragraphs = f.read().split("\n\n")
for option, decision in options.items():
    entry = " ".join(p for p in paragraphs if p.startswith(f"**{decision} ")).replace("\n", " ")
    told = set(re.findall(r"`([a-z0-9-]+)`", entry.partition("*Experiment:*")[2]))
    none = re.search(r"\*Experiment:\* none: \w+", entry)
    check(about.get(option) or none, f"{option} has neither an experiment nor a reason")
    check(about.get(option, set()) <= told, f"decisions.md, {decision}: {about.get(option)} of {option}, and says {told}")
    check(told <= set(files), f"decisions.md, {decision}: {told - set(files)}")
with open(root + "/docs/hardware/unknowns.md", encoding="utf-8") as f:
    unknowns = re.findall(r"^\| (U-\d+) \|.*\| ([^|]*) \| [^|]* \|$", f.read(), re.M)
check(len(unknowns) > 25, "too few unknowns were found")
for unknown, cell in unknowns:
    told = set(re.findall(r"`([a-z0-9-]+)`", cell)) if not cell.startswith("none: ") else set()
    check(told or len(cell) > 30, f"unknowns.md, {unknown}: neither an experiment nor a reason")
    check(told <= set(files), f"unknowns.md, {unknown}: {told - set(files)}")
    check(about.get(unknown, set()) <= told, f"unknowns.md, {unknown}: {about.get(unknown)}, and says {told}")
for question in about:
    check(question in options or question in dict(unknowns), f"{question} is neither a switch nor an unknown")
print(f"{passed} passed, {bad} failed")
sys.exit(bad > 0)
