# SPDX-License-Identifier: MIT
"""Each latency and each value of the truth files, by examples/latency.   latency.py PROGRAM FOLDER"""
import glob
import json
import os
import subprocess
import sys

program, folder = sys.argv[1:]
tried = failed = 0


def figures(*arguments):
    out = subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout
    return dict(line.split(" ", 1) for line in out.splitlines())


def compare(what, got, want):
    global tried, failed
    for key, value in want.items():
        tried += 1
        if got.get(key) != str(value):
            failed += 1
            print(f"FAILED: {what}: {key} is {got.get(key)}, not {value}")


def dist(name, d):
    want = {f"{name}.{k}": d[k] for k in ("count", "sum", "min", "p50", "p90", "p99", "max") if k in d}
    if d.get("hist"):
        pairs = sorted((int(value), times) for value, times in d["hist"].items())
        want[f"{name}.values"] = " ".join(f"{value}:{times}" for value, times in pairs)
    return want


for path in sorted(glob.glob(os.path.join(folder, "*.truth.json"))):
    truth = json.load(open(path))
    wave = os.path.join(folder, truth["wave"])
    for row in truth["stat"]["latency"]:
        by = row.get("by") or []
        result = row["result"]
        want = {k: result[k] for k in ("started", "completed", "unfinished", "orphans", "unknown_id")}
        want |= {"cycles": row["edges"], "most_outstanding": result["outstanding"]["max"]}
        want |= dist("latency", result["latency"])
        outstanding = dist("outstanding", result["outstanding"])
        del outstanding["outstanding.max"]  # the most within a cycle, which is above
        want |= outstanding
        for i, of_id in result.get("by_id", {}).items():
            want |= dist(f"id.{i}", of_id)
        compare(f"{path} {row['name']}", figures(wave, row["clock"], row["start"], row["end"], *by), want)
    for row in truth["stat"]["value"]:
        when = ["when", row["when"]] if row.get("when") else []
        compare(f"{path} {row['name']}", figures(wave, row["clock"], row["vector"], *when),
                {"unknown": row["unknown"]} | dist("value", row["result"]))
if tried < 100:
    failed += 1
    print(f"FAILED: only {tried} figures were found")
print(f"{tried - failed} passed, {failed} failed")
sys.exit(failed > 0)
