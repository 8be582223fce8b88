#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""settle on a card of `pcounter card --option NAME=VALUE` finds that value, for each option and value.

    settle.py PROGRAM

Of a range the values that its experiment tells apart; of 1..63 some. What an experiment cannot tell apart it
says: `equal` in the file of answers.
"""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile

program = os.path.realpath(sys.argv[1])
work = tempfile.mkdtemp()
atexit.register(shutil.rmtree, work)
passed, bad = 0, 0
# Answers that one chip cannot tell apart, and why no experiment could.
SAME = {"host-bus": {"auto", "always"}, "gf100-ctr-modes": {"traced", "on"}}
FEW = {"pm-trigger-latency": ["1", "4", "17", "63"]}
# Chips to ask: one of each generation that an experiment names.
CHIPS = ["NV10", "NV34", "NV40", "C51", "MCP73", "G80", "G92", "GT215", "GF100", "GK104"]
# More of a card's time, where minutes of it have to pass; engines that are idle, as on a card that draws nothing.
MORE = {"idle-overflow": ["--access-time", "10ms"], "idle-not-all": ["--with", work + "/idle.pcs"]}


def fail(text):
    global bad
    bad += 1
    print("FAILED:", text, file=sys.stderr)


def run(*args):
    return subprocess.run([program, *args], capture_output=True, text=True, check=False)


def table(chip):
    got = run("settle", "-a", chip, "--format", "json")
    return json.loads(got.stdout)["experiments"] if got.returncode == 0 else []


def ask(chip, experiment, option, value):
    """The answers of a card of that chip and setting."""
    path = work + "/answers.json"
    setting = ["--option", f"{option}={value}"] if option else []
    got = run("card", "-a", chip, *setting, *MORE.get(experiment, []), "-o", work + "/report", "--",
              program, "settle", "-q", "--card", "01:00.0", "--clock", "500M", "--record", "80000000:1000",
              "--may-hang", "-o", path, experiment)
    if got.returncode != 0:
        fail(f"{chip} {experiment} {option}={value}: {got.returncode}: {got.stderr}")
        return {}
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def check(chip, experiment, option, value, rows):
    global passed
    told = ask(chip, experiment, option, value)
    answer = told.get("answers", {}).get(option)
    equal = set(told.get("equal", {}).get(experiment, [answer]))
    reads = {row["answer"]: row["reads"] for row in rows}
    if answer is None:
        fail(f"{chip} {experiment}: {option}={value} is undecided: {told.get('undecided')} {told.get('readings')}")
    elif value not in equal:
        fail(f"{chip} {experiment}: {option}={value} is found to be {answer}: {told.get('readings')}")
    elif any(reads[other] != reads[value] for other in equal):
        fail(f"{chip} {experiment}: {equal} do not read the same")
    elif len(equal) > 1 and not equal <= SAME.get(experiment, set()) and chip_tells(option, equal):
        fail(f"{chip} {experiment}: {equal} are not told apart")
    else:
        passed += 1


def chip_tells(option, equal):
    return not (option == "gf100-ctr-modes" and equal in ({"traced", "on"}, {"traced", "off"}))


with open(work + "/idle.pcs", "w", encoding="utf-8") as stimulus:
    stimulus.write("idle 00000001\n")
got = run("card", "-a", "G92", "--", "true")
if got.returncode != 0 and "a file system of its own" in got.stderr:
    print("*** SKIP:", got.stderr, "***", file=sys.stderr)
    sys.exit(77)
options = {row["option"]: row["values"] for row in
           json.loads(run("list", "options", "--format", "json").stdout)["data"]}
asked = {}
for chip in CHIPS:
    for row in table(chip):
        question = row["question"]
        if question not in options:
            continue
        values = [answer["answer"] for answer in row["answers"]]
        # One chip of each experiment has all values, the others have one.
        first = row["experiment"] not in asked
        asked.setdefault(row["experiment"], set())
        for value in FEW.get(row["experiment"], values) if first else values[-1:]:
            check(chip, row["experiment"], question, value, row["answers"])
            asked[row["experiment"]].add(value)
found = {name for name in options if any(name == e or e.startswith(name + "-") for e in asked)}
for name in sorted(set(options) - found):
    fail(f"{name} was never asked for")
print(f"{passed} passed, {bad} failed")
sys.exit(bad > 0)
