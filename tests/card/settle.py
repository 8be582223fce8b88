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


def expect(what, have, want):
    global passed
    if have == want:
        passed += 1
    else:
        fail(f"{what}: {have!r}, expected {want!r}")


def on_card(chip, commands, *options):
    """What commands print that have the card, and their messages."""
    got = run("card", "-a", chip, *options, "-o", work + "/report", "--", "sh", "-c", commands)
    with open(work + "/report", encoding="utf-8") as f:
        return got.stdout, got.stderr, f.read()


settle = f"'{program}' settle -q --card 01:00.0"
# Two writes in one cycle: with a slow clock and a fast bus the model's reading is found, too.
for chip, name in ("G92", "u-008-swap-and-leave"), ("GK104", "u-019-begin-and-leave"):
    out = on_card(chip, f"{settle} --clock 27M {name}", "--clock", "27M", "--access-time", "1ns")[0]
    expect(name, out.split()[-1], "modelled")
    expect(name + ", apart", on_card(chip, f"{settle} {name}")[0].split()[-1].endswith("-or-apart"), True)
# All questions of a fresh card in one call; nothing is left in its registers.
state = f"printf 'chip G92\\nr a7c0\\nr a480\\nr a4a0\\nr a500\\nr a560\\n' | '{program}' run -q --card 01:00.0 - | sed 's/c0 0[13]/c0 00/'"
clean = "00a7c0 00000000 00a480 00000000 00a4a0 00000000 00a500 00000000 00a560 0000004f"
out, err, _ = on_card("G92", f"{settle} >'{work}/all'; {state}")
expect("registers afterwards", " ".join(out.split()), clean)
with open(work + "/all", encoding="utf-8") as f:
    lines = f.read().splitlines()
expect("the head", lines[0], "0000:01:00.0, a G92 (boot id 092000a1), no driver")
expect("questions of power-up come first", lines[1].split(), ["u-013-reset", "modelled"])
expect("questions that hang come last", [line.split()[0] for line in lines[-2:]], ["record-fault", "u-006-fault-position"])
expect("not asked", sum("not asked" in line for line in lines), 5)
# Interrupted: what was written is back, and there is no file.
out, err, _ = on_card("G92", f"{settle} -o '{work}/cut' --repeat 100 periodic-restart >'{work}/all' & pid=$!; sleep 0.7; "
                      f"kill -INT $pid; wait $pid; echo $?; {state}")
expect("interrupted", " ".join(out.split()), "130 " + clean)
expect("a file of an interrupted call", os.path.exists(work + "/cut"), False)
# Refused before the card is accessed, or written to
for commands, text in ((f"{settle} -o /nosuch/x", "cannot write /nosuch/x"), (f"{settle} nosuch", "no experiment of that name"),
                       (f"{settle} -a G80", "is a G92 by its boot id"), (f"{settle} --record 1:2", "CHANNEL:BUFFER is expected"),
                       (f"{settle} --repeat 0", "1 to 1000 times")):
    out, err, report = on_card("G92", f"{commands}; echo $?")
    expect(commands, (out.strip(), text in err, "0 writes" in report or report == ""), ("2", True, True))
# JSON alone on standard output
json.loads(on_card("G92", f"{settle} -o - quad-exit")[0])
# A card that reads otherwise than each answer says: undecided, with its words.
told = ask("G92", "u-013-reset", None, None)
expect("fresh", told["answers"].get("U-013"), "modelled")
out = on_card("G92", f"printf 'chip G92\\nw a400 5\\nkeep\\n' | '{program}' run -q --card 01:00.0 -; {settle} -o '{work}/undecided' u-013-reset")[0]
expect("another", "undecided: the reads are those of no answer; words: 00000005" in out, True)
with open(work + "/undecided", encoding="utf-8") as f:
    told = json.load(f)
expect("its words", (told["answers"], told["readings"]["u-013-reset"][0]), ({}, "0x00000005"))
# The model with the answers of a card reads as that card does.
ask("G92", "quad-exit", "quad-exit", "empty")
with open(work + "/exit.pcs", "w", encoding="utf-8") as f:
    f.write("chip G92\nw a7c0 1\nw a420 0\nrun 1\nw a7c0 0\nr a7c0\n")
expect("the model", run("run", "-q", work + "/exit.pcs").stdout, "00a7c0 01000000\n")
expect("its answers", run("run", "-q", "--answers", work + "/answers.json", work + "/exit.pcs").stdout, "00a7c0 00000000\n")
for text in '{"answers": {"quad-exit": "none"}}', '{"answers": {"nosuch": "x"}}', '{"answers": {"quad-exit": 3}}', "[1", "[]":
    with open(work + "/bad.json", "w", encoding="utf-8") as f:
        f.write(text)
    got = run("run", "-q", "--answers", work + "/bad.json", work + "/exit.pcs")
    expect(text, (got.returncode, got.stdout, "bad.json" in got.stderr), (2, "", True))
print(f"{passed} passed, {bad} failed")
sys.exit(bad > 0)
