#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--value and --latency of pcounter stat against the truth files of ../shared/waves/bus.

    measure_truth.py PROGRAM FOLDER

JSON has the members of the truth, CSV and expectations the same figures."""
import csv
import glob
import io
import json
import os
import re
import subprocess
import sys

import tally
from tally import check, fail

program, folder = sys.argv[1:]
left_out = 0
DIST = ("count", "sum", "min", "p50", "p90", "p99", "max")


def run(*arguments):
    done = subprocess.run([program, "stat", "-q", *arguments], capture_output=True, text=True)
    if done.returncode > 1:
        fail(f"{arguments}: {done.stderr}")
    return done


def check_dist(what, got, want):
    for key in DIST:
        if key in want:
            check(f"{what}.{key}", got[key], want[key])
    if "mean" in want:
        check(f"{what}.mean", abs(got["mean"] - want["mean"]) <= 1e-12 * abs(want["mean"]), True)
    for key in ("hist", "distinct"):
        check(f"{what}.{key}", got.get(key), want.get(key))


def check_rows(what, wave, call, name, figures):
    """the same in CSV, and as words of expectations"""
    rows = csv.DictReader(io.StringIO(run(*call, "--format", "csv", wave).stdout))
    rows = {row["name"]: row for row in rows}
    for key, value in figures.items():
        row = rows.get(f"{name}.{key}", {"value": None})
        check(f"{what}: CSV: {key}", row["value"], str(value))
    exact = rows[f"{name}.count"]["state"] == "exact"
    small = {k: v for k, v in figures.items() if abs(v) < 2**53}
    for sign, verdict in ((0, "met"), (1, "not met")):
        wanted = [x for k, v in list(small.items())[:30] for x in ("--expect", f"{name}.{k} == {v + sign}")]
        if not wanted:
            return
        report = json.loads(run(*call, "--format", "json", *wanted, wave).stdout)
        for row in report["expectations"]:
            check(f"{what}: {row['expectation']}", row["verdict"], verdict if exact else "unknown")


def check_latency(path, wave, row):
    name, result = row["name"], row["result"]
    text = f"{name} = {row['start']} -> {row['end']}" + (" by " + ", ".join(row["by"]) if row.get("by") else "")
    call = ["-c", row["clock"], "--latency", text]
    what = f"{path} {name}"
    report = json.loads(run(*call, "--format", "json", wave).stdout)
    got = report["latencies"][0]
    check(f"{what}: cycles", report["cycles"], row["edges"])
    for key in ("started", "completed", "aborted", "unfinished", "orphans", "unknown_id"):
        check(f"{what}: {key}", got[key], result[key])
    check(f"{what}: tainted", got["tainted"], row["tainted"])
    check(f"{what}: throughput", abs(got["throughput"] - result["throughput"]) < 1e-15, True)
    check_dist(f"{what}: latency", got["latency"], result["latency"])
    check_dist(f"{what}: outstanding", got["outstanding"], result["outstanding"])
    by_id = result.get("by_id", {})
    check(f"{what}: ids", set(by_id) <= set(got.get("by_id", {})), True)
    check(f"{what}: all ids", sum(d["count"] for d in got.get("by_id", {}).values()) in (0, got["completed"]), True)
    for i, dist in by_id.items():
        check_dist(f"{what}: id {i}", got["by_id"][i], dist)
    figures = {k: result["latency"][k] for k in DIST} | {"started": result["started"], "orphans": result["orphans"]}
    figures["outstanding.max"] = result["outstanding"]["max"]
    check_rows(what, wave, call, name, figures)


def check_value(path, wave, row):
    global left_out
    when, name = row.get("when"), row["name"]
    if when and not re.fullmatch(r"!?[\w.]+", when):
        left_out += 1  # iff takes a signal
        return
    call = ["-c", row["clock"] + (f" iff {when}" if when else ""), "--value", f"{name}={row['vector']}"]
    what = f"{path} {name}"
    report = json.loads(run(*call, "--format", "json", wave).stdout)
    got = report["values"][0]
    if when and report["cycles"] != row["result"]["count"] + row["unknown"]:
        left_out += 1  # at an edge at which it is unknown iff does not hold
        return
    check(f"{what}: unknown", got["unknown"], row["unknown"])
    check_dist(what, got, row["result"])
    check(f"{what}: delta", got["delta"], got["last"] - got["first"])
    check_rows(what, wave, call, name, {k: row["result"][k] for k in DIST} | {"unknown": row["unknown"]})


if not os.path.isdir(folder):
    print(f"*** SKIP measure_truth: there is no {folder}, no figure was compared ***")
    sys.exit(77)
for path in sorted(glob.glob(os.path.join(folder, "*.truth.json"))):
    truth = json.load(open(path))
    wave = os.path.join(folder, truth["wave"])
    for row in truth["stat"]["latency"]:
        check_latency(os.path.basename(path), wave, row)
    for row in truth["stat"]["value"]:
        check_value(os.path.basename(path), wave, row)
if left_out != 5:
    fail(f"{left_out} values are left out, not 5")
tally.end(least=1500, more=f"; {left_out} values are left out, whose condition iff cannot have")
