#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts of a GHW against those that the bench itself printed: ghw_truth.py PROGRAM SHARED"""
import gzip
import json
import pathlib
import subprocess
import sys


def stat(program, path, *options, given=None):
    call = [program, "stat", "-q", "--format", "json", *options, path]
    return json.loads(subprocess.run(call, input=given, capture_output=True, check=True).stdout)


def main():
    program, shared = sys.argv[1], pathlib.Path(sys.argv[2])
    truths = sorted((shared / "waves" / "ghw").glob("*.truth.json"))
    if not truths:
        print("SKIP: no waves/ghw")
        return 77
    wrong = 0
    for path in truths:
        truth = json.loads(path.read_text())
        wave = path.with_name(path.name.replace(".truth.json", ".ghw"))
        options = ["-c", "a=" + truth["clock"], "-c", "b=" + truth["second_clock"]["clock"]]
        for event in truth["events"]:
            options += ["-e", f"{event['name']}={event['expression']}"]
        plain = stat(program, str(wave), *options)
        packed = stat(program, "-", *options, given=gzip.compress(wave.read_bytes()))
        for report in (plain, packed):
            got = {e["name"]: e["value"] for e in report["events"]}
            got.update({c["name"]: c["cycles"] for c in report["clocks"]})
            want = {e["name"]: e["count"] for e in truth["events"]}
            want.update(a=truth["cycles"], b=truth["second_clock"]["cycles"])
            for name, count in want.items():
                if got[name] != count:
                    print(f"{wave.name}: {name} is {got[name]}, the truth says {count}")
                    wrong += 1
    return 1 if wrong else 0


sys.exit(main())
