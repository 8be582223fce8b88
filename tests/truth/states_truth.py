#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stat --states and --level against a second computation, out of the changes of random waveforms: values with x and z,
glitches between edges, resets, pauses, changes at the time of an edge.

    states_truth.py PROGRAM"""
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

import tally
from tally import check, fail

program = sys.argv[1]
random.seed(55)
NAMES = {0: "IDLE", 1: "LOAD", 2: "RUN", 3: "WAIT", 5: "DONE", 6: "HALT"}
SIGNALS = {"clk": 1, "rst_n": 1, "state": 3, "wide": 20, "small": 4, "push": 1, "pop": 1, "flush": 1, "n": 2}


# --- waveforms ---

def bits(value, width):
    """value: a number, or a text of 0, 1, x, z"""
    return value if isinstance(value, str) else format(value & (1 << width) - 1, f"0{width}b")


def some_x(width):
    return "".join(random.choice("01xz") for _ in range(width - 1)) + random.choice("xz")


def make(path, cycles, calm, below):
    """One value of each signal for each edge, and what nobody samples before it."""
    now = {"rst_n": "x", "state": "xxx", "wide": 0, "small": 0, "push": "x", "pop": 0, "flush": 0, "n": 0}
    level = 3
    with open(path, "w", encoding="ascii") as f:
        f.write("$timescale 100ps $end\n$scope module t $end\n")
        for i, (name, width) in enumerate(SIGNALS.items()):
            kind = "integer" if name == "small" else "wire"
            f.write(f"$var {kind} {width} {chr(65 + i)} {name}{f' [{width - 1}:0]' if width > 1 else ''} $end\n")
        f.write("$upscope $end\n$enddefinitions $end\n#0\n0A\n")
        code = {name: chr(65 + i) for i, name in enumerate(SIGNALS)}
        put = lambda name, v: f.write((f"b{v} " if SIGNALS[name] > 1 else v) + code[name] + "\n")
        time, shown = 0, {}
        for k in range(cycles):
            change = lambda p: random.random() < p / calm
            if change(0.5):
                now["state"] = random.choice([0, 1, 2, 3, 5, 7, now["state"]])
            if random.random() < 0.01:
                now["state"] = some_x(3)
            now["wide"] = random.randrange(1000) * 1000 % 4001 if change(0.3) else now["wide"]
            now["small"] = random.randrange(-8, 8) if change(0.3) else now["small"]
            now["rst_n"] = "x" if k < 3 else 0 if k < 6 or k % 977 < 2 else 1
            now["push"] = "x" if random.random() < 0.002 or k < 3 else int(random.random() < 0.4)
            now["n"] = random.randrange(4) if random.random() < 0.1 else 0
            now["flush"] = int(random.random() < 0.003)
            come = (now["push"] == 1) + now["n"]
            level = 3 if now["flush"] or now["rst_n"] != 1 else level
            now["pop"] = int(random.random() < 0.7 and (below or level + come > 0))
            level = 3 if now["rst_n"] != 1 else level + come - now["pop"]
            for _ in range(random.randrange(3)):  # glitches
                time += random.randrange(1, 4)
                f.write(f"#{time}\n")
                for name in random.sample(["state", "wide", "small", "push", "pop", "flush", "n"], 2):
                    v = some_x(SIGNALS[name]) if random.random() < 0.2 else bits(random.getrandbits(20), SIGNALS[name])
                    put(name, v)
                    shown[name] = v
            time += 5
            f.write(f"#{time}\n")
            for name, v in now.items():
                if shown.get(name) != bits(v, SIGNALS[name]):
                    shown[name] = bits(v, SIGNALS[name])
                    put(name, shown[name])
            time += 5 if random.random() < 0.99 else 500
            f.write(f"#{time}\n1A\n")
            if random.random() < 0.3:  # at the time of the edge: after it
                shown["state"] = bits(random.getrandbits(3), 3)
                put("state", shown["state"])
            time += 5
            f.write(f"#{time}\n0A\n")


# --- the second computation ---

def edges(path):
    """What is sampled at each rising edge: the values before its time, and the time."""
    now, before, name_of, out, time = {}, {}, {}, [], None
    clock = None
    for line in open(path, encoding="ascii"):
        word = line.split()
        if word[0] == "$var":
            name_of[word[3]] = word[4]
            now[word[4]] = "x" * int(word[2])
        elif line[0] == "#":
            time, before = int(line[1:]), dict(now)
        elif line[0] != "$":
            value, code = (word[0][1:], word[1]) if line[0] == "b" else (word[0][0], word[0][1:])
            name = name_of[code]
            now[name] = value.rjust(SIGNALS[name], value[0] if value[0] in "xz" else "0")
            if name == "clk":
                if clock == "0" and value == "1":
                    out.append((time, before))
                clock = value
    return out


def number(text, signed=False):
    """None: unknown"""
    if set(text) - set("01"):
        return None
    value = int(text, 2)
    return value - (1 << len(text)) if signed and text[0] == "1" else value


def states_of(values, names):
    """values: one of each edge, None: unknown"""
    called = lambda v: names.get(v, str(v))
    found, pairs, stays, unknown = {}, {}, [], 0
    for i, v in enumerate(values):
        before = values[i - 1] if i > 0 else None
        unknown += v is None
        if v is None:
            continue
        if v == before:
            stays[-1][1] += 1
        else:
            stays.append([v, 1])
        if before is not None and v != before:
            pairs[before, v] = pairs.get((before, v), 0) + 1
    for v, n in stays:
        found.setdefault(v, []).append(n)
    states = [{"state": called(v), "visits": len(s), "cycles": sum(s), "share": sum(s) / len(values),
               "stay": {"min": min(s), "mean": sum(s) / len(s), "max": max(s)}} for v, s in sorted(found.items())]
    transitions = [{"from": called(a), "to": called(b), "count": n} for (a, b), n in sorted(pairs.items())]
    stuck = [called(values[-1])] if values[-1] is not None and len(found[values[-1]]) == 1 else []
    return {"samples": len(values), "unknown": unknown, "states": states, "transitions": transitions,
            "never_left": stuck}


def rank(values, p):
    return values[math.ceil(p * len(values) / 100) - 1]


def level_of(rows, start, capacity, drops, x):
    """3 +push +n -pop; None and the edge: it falls below 0"""
    level, all_of_it, tainted = start, [], 0
    value = lambda text: int("".join(c if c in "01" else str(int(x == "one")) for c in text), 2)
    is_x = lambda *texts: x == "taint" and any(set(t) - set("01") for t in texts)
    for i, (_, row) in enumerate(rows):
        reset = drops and (value(row["rst_n"]) == 0 or is_x(row["rst_n"]))
        if drops and (reset or value(row["flush"])):
            level = start
        if not reset:
            level += value(row["push"]) + value(row["n"]) - value(row["pop"])
            tainted += is_x(row["push"], row["n"], row["pop"]) or (drops and is_x(row["flush"]))
        if level < 0:
            return None, i
        all_of_it.append(level)
    s = sorted(all_of_it)
    full = sum(v >= capacity for v in s)
    return {"count": len(s), "sum": sum(s), "min": s[0], "max": s[-1], "mean": sum(s) / len(s), "p50": rank(s, 50),
            "p90": rank(s, 90), "p99": rank(s, 99), "full": full / len(s), "full_cycles": full, "tainted": tainted}, s


# --- against the program ---

def run(*arguments, stdin=None):
    return subprocess.run([program, "stat", "-q", *arguments], capture_output=True, text=True, stdin=stdin)


def report(*arguments, stdin=None):
    done = run(*arguments, "--format", "json", stdin=stdin)
    if done.returncode > 1:
        fail(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)


def same(what, got, want):
    """All of `want` is in `got`; numbers with a fraction to 14 digits."""
    if isinstance(want, dict):
        for key in want:
            same(f"{what}.{key}", got.get(key), want[key])
    elif isinstance(want, list) and len(want) == len(got):
        for i, item in enumerate(want):
            same(f"{what}[{i}]", got[i], item)
    elif isinstance(want, float):
        check(what, isinstance(got, (int, float)) and abs(got - want) <= 1e-14 * abs(want), True)
    else:
        check(what, got, want)


STATES = ["--states", "fsm=state", "--states", "wide", "--states", "s=$signed(small)"]
LEVEL = ["--level", "q = 3 +push +n -pop /9 until flush", "--reset", "!rst_n"]


def compare(what, path, rows, options, x="taint", stdin=None):
    got = report("-c", "clk", *STATES, *options, path, stdin=stdin)
    column = lambda name, signed=False: [number(row[name].translate(
        str.maketrans("xz", {"zero": "00", "one": "11"}[x])) if x in ("zero", "one") else row[name], signed)
        for _, row in rows]
    names = NAMES if "--names" in options else {}
    for i, (name, values, called) in enumerate((("fsm", column("state"), names), ("wide", column("wide"), {}),
                                                ("s", column("small", True), {}))):
        same(f"{what}: {name}", got["states"][i], {"name": name} | states_of(values, called))
    if names:
        seen = set(column("state"))
        check(f"{what}: never entered", got["states"][0]["never_entered"],
              [n for v, n in sorted(NAMES.items()) if v not in seen])
    for level in got.get("levels", []):
        want, _ = level_of(rows, 3, 9, True, x)
        same(f"{what}: level", level, {"name": "q", "capacity": 9} | want)
    return got


def expectations(path, rows, names_file):
    """Figures by their names, in CSV and as words; what is unknown leaves only bounds."""
    fsm = states_of([number(row["state"]) for _, row in rows], NAMES)
    call = ["-c", "clk", "--states", "fsm=state", "--names", f"fsm={names_file}", *LEVEL]
    table = {r["name"]: r for r in csv.DictReader(io.StringIO(run(*call, "--format", "csv", path).stdout))}
    figures = {"fsm.unknown": fsm["unknown"], "fsm.samples": len(rows), "fsm.states": len(fsm["states"]),
               "fsm.transitions": sum(t["count"] for t in fsm["transitions"])}
    for s in fsm["states"]:
        for key in ("visits", "cycles"):
            figures[f"fsm.{s['state']}.{key}"] = s[key]
        for key in ("min", "max"):
            figures[f"fsm.{s['state']}.stay.{key}"] = s["stay"][key]
        figures[f"fsm.{s['state']}.transitions"] = sum(t["count"] for t in fsm["transitions"] if t["from"] == s["state"])
    for t in fsm["transitions"]:
        figures[f"fsm.{t['from']}.{t['to']}.transitions"] = t["count"]
    for name, value in figures.items():
        check(f"CSV: {name}", table.get(name, {"value": None})["value"], str(value))
    level, _ = level_of(rows, 3, 9, True, "taint")
    for s in fsm["states"]:
        low, high = s["cycles"] / len(rows), (s["cycles"] + fsm["unknown"]) / len(rows)
        for text, met in ((f"fsm.{s['state']}.share > {90 * low} %", "met"),
                          (f"fsm.{s['state']}.share > {110 * high} %", "not met"),
                          (f"fsm.{s['state']}.share >= {(low + high) / 2}", "unknown" if low < high else "met"),
                          (f"fsm.{s['state']}.visits <= {s['visits'] + fsm['unknown']}", "met"),
                          (f"fsm.{s['state']}.visits > {s['visits'] + fsm['unknown']}", "not met")):
            got = report(*call, "--expect", text, path)["expectations"][0]
            check(text, got["verdict"], met)
    for text, verdict in (("q.max < 9", "unknown"), ("fsm.IDLE.share > fsm.LOAD.share + 100 %", "not met")):
        check(text, report(*call, "--expect", text, path)["expectations"][0]["verdict"], verdict)
    for sign, verdict in ((0, "met"), (1, "not met")):
        got = report("--x", "zero", *call, "--expect", f"q.full_cycles == {level_of(rows, 3, 9, True, 'zero')[0]['full_cycles'] + sign}",
                     "--expect", f"q.p99 == {level_of(rows, 3, 9, True, 'zero')[0]['p99'] + sign}", path)
        check("level: verdicts", [e["verdict"] for e in got["expectations"]], [verdict] * 2)
    check("level: tainted", level["tainted"] > 0, True)


def intervals(path, rows, step):
    """Counts of intervals: those of the cycles in them; they add up to those of all."""
    got = report("-c", "clk", *STATES, *LEVEL, "-I", str(step), path)
    whole = report("-c", "clk", *STATES, *LEVEL, path)
    check("-I: all", (got["states"], got["levels"]), (whole["states"], whole["levels"]))
    _, levels = level_of(rows, 3, 9, True, "taint")
    values = [number(row["state"]) for _, row in rows]
    steps = []
    now = 3
    for part in got["intervals"]:
        first, n = part["first_cycle"], part["cycles"]
        mine = [v for v in values[first:first + n]]
        for s in part["states"][0]["states"]:
            v = int(s["state"])
            check("-I: cycles", s["cycles"], mine.count(v))
            check("-I: visits", s["visits"], sum(values[i] == v and (i == 0 or values[i - 1] != v)
                                                 for i in range(first, first + n)))
        check("-I: unknown", part["states"][0]["unknown"], mine.count(None))
        check("-I: transitions", sum(t["count"] for t in part["states"][0]["transitions"]),
              sum(i > 0 and None not in values[i - 1:i + 1] and values[i - 1] != values[i]
                  for i in range(first, first + n)))
        steps.append(part["levels"][0])
        now = part["levels"][0]["count"]
    check("-I: levels", sum(s["count"] for s in steps), len(levels))
    check("-I: sums", sum(s["sum"] for s in steps), sum(levels))
    check("-I: full", sum(s["full_cycles"] for s in steps), sum(v >= 9 for v in levels))
    check("-I: last", now > 0, True)


def merged(path, rows, folder):
    """The sum of two windows: counts and distributions add up, and a stay that is cut is one in each."""
    cut = random.randrange(1, len(rows))
    parts = []
    for k, window in enumerate((["--to", str(cut)], ["--from", str(cut)])):
        parts.append(os.path.join(folder, f"part{k}.json"))
        done = run("-c", "clk", "--states", "fsm=state", "--level", "q = +push +n", "--x", "zero", *window,
                   "-o", parts[-1], path)
        check(f"part: {done.stderr}", done.returncode, 0)
    done = subprocess.run([program, "merge", "-q", "--format", "json", *parts], capture_output=True, text=True)
    got = json.loads(done.stdout)
    zero = [number(row["state"].translate(str.maketrans("xz", "00"))) for _, row in rows]
    halves = [states_of(values, {}) for values in (zero[:cut], zero[cut:])]
    want = {"samples": len(rows), "unknown": 0}
    mine = {s["state"]: s for s in got["states"][0]["states"]}
    for name in {s["state"] for h in halves for s in h["states"]}:
        both = [s for h in halves for s in h["states"] if s["state"] == name]
        visits, cycles = sum(s["visits"] for s in both), sum(s["cycles"] for s in both)
        same(f"merge: {name}", mine.get(name, {}),
             {"visits": visits, "cycles": cycles, "share": cycles / len(rows),
              "stay": {"min": min(s["stay"]["min"] for s in both), "max": max(s["stay"]["max"] for s in both),
                       "mean": cycles / visits}})
    same("merge", got["states"][0], want)
    moves = {}
    for t in (t for h in halves for t in h["transitions"]):
        moves[t["from"], t["to"]] = moves.get((t["from"], t["to"]), 0) + t["count"]
    check("merge: transitions", {(t["from"], t["to"]): t["count"] for t in got["states"][0]["transitions"]}, moves)
    values, both = lambda row: sum(int(row[n].translate(str.maketrans("xz", "00")), 2) for n in ("push", "n")), []
    for half in (rows[:cut], rows[cut:]):
        level = 0
        for _, row in half:
            level += values(row)
            both.append(level)
    both.sort()
    same("merge: level", got["levels"][0], {"count": len(both), "sum": sum(both), "min": both[0], "max": both[-1],
                                            "mean": sum(both) / len(both)})


def below_zero(path, rows):
    """The edge and the time at which it falls below 0."""
    level, at = level_of(rows, 3, 9, True, "taint")
    done = run("-c", "clk", *LEVEL, path)
    check("below 0: exit", done.returncode, 2)
    check("below 0: it does", level, None)
    check(f"below 0: {done.stderr}", f"at edge {at} (counted from 0), {rows[at][0] * 100:,} ps:" in done.stderr, True)


with tempfile.TemporaryDirectory() as folder:
    names_file = os.path.join(folder, "names.txt")
    with open(names_file, "w", encoding="ascii") as f:
        f.write("".join(f"{v} {n}\n" for v, n in NAMES.items()))
    for k, (cycles, calm) in enumerate(((1, 1), (64, 1), (700, 1), (5000, 20), (40000, 3))):
        path = os.path.join(folder, f"{k}.vcd")
        make(path, cycles, calm, False)
        rows = edges(path)
        check("edges", len(rows), cycles)
        whole = compare(f"{k}", path, rows, [*LEVEL, "--names", f"fsm={names_file}"])
        compare(f"{k} without names", path, rows, LEVEL)
        for x in ("zero", "one"):
            if level_of(rows, 3, 9, True, x)[0]:
                compare(f"{k} {x}", path, rows, [*LEVEL, "--x", x], x)
        check(f"{k}: -j 3", report("-c", "clk", *STATES, *LEVEL, "--names", f"fsm={names_file}", "-j", "3", path)["states"],
              whole["states"])
        with open(path, encoding="ascii") as pipe:
            got = compare(f"{k} as standard input", "-", rows, LEVEL, stdin=pipe)
        if cycles < 100:
            continue
        first, end = sorted(random.sample(range(cycles), 2))
        compare(f"{k} window", path, rows[first:end], ["--from", str(first), "--to", str(end)])
        held = [r for r in rows if number(r[1]["rst_n"]) == 1]
        got = report("-c", "clk iff rst_n & !flush", "--states", "fsm=state", path)
        same(f"{k} iff", got["states"][0], states_of([number(r[1]["state"]) for r in held if number(r[1]["flush"]) == 0], {}))
        intervals(path, rows, random.randrange(20, 600))
        merged(path, rows, folder)
        if k == 3:
            expectations(path, rows, names_file)
    path = os.path.join(folder, "below.vcd")
    make(path, 3000, 1, True)
    below_zero(path, edges(path))
tally.end(least=5000)
