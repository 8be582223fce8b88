#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random reports, compared by `pcounter diff` and by Python's fractions, and damaged ones.

   diff_truth.py PROGRAM [SEED]     a seed that fails is printed

Of a bus each figure that CSV has is compared, under the name that expectations have for it; so is each of activity.
"""

import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

LARGEST = 2**64 - 1
STATES = ["exact"] * 8 + ["tainted", "saturated", "lost", "unmeasured"]


def number(rnd):
    if rnd.random() < 0.2:
        return rnd.choice([0, 1, LARGEST, 2**53, 2**53 + 1])
    return rnd.randrange(rnd.choice([5, 1000, 2**40, 2**64]))


def count(rnd, old):
    """as reports of older versions have it, in a string, or as a number"""
    return str(number(rnd)) if old else number(rnd)


def report(rnd):
    old = rnd.random() < 0.5
    events = [
        {"name": name, "value": count(rnd, old), "state": rnd.choice(STATES)}
        for name in rnd.sample("abcdefghij", rnd.randrange(8))
    ]
    metrics = [
        {
            "name": f"m{i}",
            "unit": rnd.choice(["", "%", "%"]),
            "value": rnd.choice([None, round(rnd.uniform(-5, 5), 3), 0]),
            "state": rnd.choice(STATES),
        }
        for i in range(rnd.randrange(3))
    ]
    return {
        "$schema": "pcounter-stat-1" if old else "pcounter-stat-2",
        "trace": "t",
        "partial": rnd.random() < 0.1,
        "cycles": count(rnd, old),
        "events": events,
        "metrics": metrics,
    }


def larger(value, more):
    return type(value)(min(LARGEST, more(int(value))))


def changed(rnd, before):
    after = json.loads(json.dumps(before))
    if rnd.random() < 0.1:
        after["partial"] = not after["partial"]
    if rnd.random() < 0.5:
        after["cycles"] = larger(after["cycles"], lambda n: n * 2)
    for event in after["events"]:
        what = rnd.random()
        if what < 0.2:
            event["value"] = type(event["value"])(number(rnd))
        elif what < 0.4:
            event["value"] = larger(event["value"], lambda n: n * 2)
        elif what < 0.5:
            event["state"] = rnd.choice(STATES)
        elif what < 0.6:
            event["value"] = larger(event["value"], lambda n: n + 1)
    if after["events"] and rnd.random() < 0.3:
        after["events"].pop(rnd.randrange(len(after["events"])))
    rnd.shuffle(after["events"])
    for metric in after["metrics"]:
        if rnd.random() < 0.4:
            metric["value"] = rnd.choice([None, 0, 1.5, metric["value"]])
    return after


def items(of):
    found = {("count", "cycles"): (int(of["cycles"]), "exact", "")}
    for event in of["events"]:
        found["count", event["name"]] = (int(event["value"]), event["state"], "")
    for metric in of["metrics"]:
        found["metric", metric["name"]] = (metric["value"], metric["state"], metric["unit"])
    return found


def verdict(key, before, after, tolerance, per_cycle):
    """what the documents of the verb say of a count"""
    x, y = items(before).get(key), items(after).get(key)
    if x is None or y is None:
        return "only after" if x is None else "only before"
    if any(i[0] is None or of["partial"] or i[1] != "exact" for i, of in ((x, before), (y, after))):
        return "same" if x == y and before["partial"] == after["partial"] else "unknown"
    if x[2] != y[2]:
        return "other unit"
    u, v = Fraction(x[0]), Fraction(y[0])
    if per_cycle and key[0] == "count" and key[1] != "cycles":
        if int(before["cycles"]) == 0 or int(after["cycles"]) == 0:
            return "unknown"
        u, v = u / int(before["cycles"]), v / int(after["cycles"])
    if u == v:
        return "same"
    if per_cycle and key == ("count", "cycles"):
        return "not compared"
    return "within tolerance" if tolerance and u and abs(v - u) * 100 <= tolerance * abs(u) else "differs"


def call(program, *args):
    return subprocess.run([program, "diff", *args], capture_output=True, timeout=60, check=False)


def compare(program, folder, rnd):
    before = report(rnd)
    after = changed(rnd, before) if rnd.random() < 0.8 else report(rnd)
    paths = [f"{folder}/before.json", f"{folder}/after.json"]
    for path, of in zip(paths, (before, after)):
        with open(path, "w", encoding="utf-8") as out:
            json.dump(of, out)
    per_cycle = rnd.random() < 0.5
    tolerance = rnd.choice([0, 0, 7, 120])
    done = call(program, "--format", "json", "--tolerance", str(tolerance), *paths, *["--per-cycle"] * per_cycle)
    got = {(r["kind"], r["name"]): r["verdict"] for r in json.loads(done.stdout)["reports"][0]["counts"]}
    keys = items(before) | items(after)
    want = {key: verdict(key, before, after, tolerance, per_cycle) for key in keys}
    differs = any(v in ("differs", "other unit", "unknown", "only before", "only after") for v in want.values())
    assert got == want, {key: (got.get(key), want[key]) for key in want if got.get(key) != want[key]}
    assert done.returncode == differs, done.returncode
    return want.values()


def damage(program, folder, rnd):
    """bytes changed, lost or doubled: an answer or an error, and nothing else"""
    text = bytearray(json.dumps(report(rnd)).encode())
    for _ in range(rnd.randrange(1, 4)):
        at = rnd.randrange(len(text))
        what = rnd.randrange(3)
        if what == 0:
            text[at] = rnd.choice(b'{}[]",:0x-\\\x00\xff9e')
        elif what == 1:
            del text[at : at + rnd.randrange(40)]
            text += b" "
        else:
            text[at:at] = text[at : at + rnd.randrange(40)]
    with open(f"{folder}/damaged.json", "wb") as out:
        out.write(text)
    done = call(program, f"{folder}/damaged.json", f"{folder}/damaged.json")
    assert done.returncode in (0, 1, 2), (done.returncode, bytes(text))
    assert done.returncode < 2 or (b"PC-E1701" in done.stderr and not done.stdout), (done, bytes(text))


def run(program, verb, *args):
    done = subprocess.run([program, verb, *args], capture_output=True, timeout=60, check=True, encoding="utf-8")
    return done.stdout


def name_of(row):
    return ".".join(word for word in (row["bus"], row["part"], row["figure"]) if word)


def figures_of_buses(program, wave):
    """where the longest transaction is, is a place and no figure"""
    rows = csv.DictReader(io.StringIO(run(program, "bus", wave, "--format", "csv", "-q")))
    found = {name_of(r): r["value"] for r in rows if r["figure"] != "mean_period" and r["value"]}
    return {name: value for name, value in found.items() if ".longest." not in name}


def figures_of_nets(program, wave):
    """period_min of CSV is period.min"""
    found = {}
    for row in csv.DictReader(io.StringIO(run(program, "activity", wave, "--format", "csv"))):
        for column in list(row)[5:]:
            first, _, rest = column.partition("_")
            if row[column]:
                found[row["name"] + "." + (f"{first}.{rest}" if first in ("period", "high", "low") else column)] = row[column]
    return found


def trees(program, folder):
    """reports of bus and activity, of a waveform and of the beginning of it"""
    wave = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli", "data", "bus.vcd")
    short = f"{folder}/short.vcd"
    with open(wave, encoding="utf-8") as whole, open(short, "w", encoding="utf-8") as out:
        out.write(whole.read().split("#150\n")[0])
    compared = 0
    for verb, figures in (("bus", figures_of_buses), ("activity", figures_of_nets)):
        paths = [f"{folder}/{verb}-{i}.json" for i in range(2)]
        for file, path in zip((wave, short), paths):
            run(program, verb, file, "-q", "-o", path)
        done = call(program, "--format", "json", *paths)
        rows = {r["name"]: r for r in json.loads(done.stdout)["reports"][0]["counts"]}
        for side, file in (("before", wave), ("after", short)):
            for name, value in figures(program, file).items():
                away = abs(float(value) - rows[name][side])
                assert away <= 1e-15 * abs(float(value)), (name, side, value, rows[name])
                compared += 1
        for name, row in rows.items():
            same = row["before"] == row["after"] and row["before_state"] == row["after_state"]
            assert (row["verdict"] == "same") == same, (name, row)
        assert done.returncode == 1
        assert call(program, paths[0], paths[0]).returncode == 0
    assert compared > 500, compared
    return compared


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    seen = set()
    with tempfile.TemporaryDirectory() as folder:
        for number_of in range(seed, seed + 300):
            rnd = random.Random(number_of)
            try:
                seen |= set(compare(program, folder, rnd))
                damage(program, folder, rnd)
            except AssertionError as wrong:
                print(f"FAILED: seed {number_of}: {wrong}", file=sys.stderr)
                return 1
        compared = trees(program, folder)
    assert len(seen) == 8, seen
    print(f"300 comparisons, each verdict among them, 300 damaged reports, {compared} figures of buses and nets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
