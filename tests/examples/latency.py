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
    return dict(line.split() for line in out.splitlines())


def compare(what, got, want):
    global tried, failed
    for key, value in want.items():
        tried += 1
        if got.get(key) != str(value):
            failed += 1
            print(f"FAILED: {what}: {key} is {got.get(key)}, not {value}")


def dist(name, d):
    return {f"{name}.{k}": d[k] for k in ("count", "sum", "min", "p50", "p90", "p99", "max") if k in d}


for path in sorted(glob.glob(os.path.join(folder, "*.truth.json"))):
    truth = json.load(open(path))
    wave = os.path.join(folder, truth["wave"])
    for row in truth["stat"]["latency"]:
        by = row.get("by") or []
        result = row["result"]
        want = {k: result[k] for k in ("started", "completed", "unfinished", "orphans", "unknown_id")}
        want["outstanding.max"] = result["outstanding"]["max"]
        compare(f"{path} {row['name']}", figures(wave, row["clock"], row["start"], row["end"], *by),
                want | dist("latency", result["latency"]))
    for row in truth["stat"]["value"]:
        if not row.get("when"):
            compare(f"{path} {row['name']}", figures(wave, row["clock"], row["vector"]),
                    {"unknown": row["unknown"]} | dist("value", row["result"]))
if tried < 100:
    failed += 1
    print(f"FAILED: only {tried} figures were found")
print(f"{tried - failed} passed, {failed} failed")
sys.exit(failed > 0)
