#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts of a GHW against those that the bench itself printed: ghw_truth.py PROGRAM SHARED"""
import gzip
import bz2
import json
import lzma
import pathlib
import shutil
import subprocess
import sys
import tempfile

# as files and from a pipe
PACKED = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}
if shutil.which("zstd"):
    PACKED["zst"] = lambda data: subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout
# one bit, in every spelling of its indices
SPELLINGS = ("lanes(2)(3)", "lanes[2][3]", "lanes[2](3)", "lanes(2)[3]", "tb.lanes[2](3)")


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
        reports = [plain]
        for suffix, pack in PACKED.items():
            data = pack(wave.read_bytes())
            reports.append(stat(program, "-", *options, given=data))
            with tempfile.NamedTemporaryFile(suffix=".ghw." + suffix) as file:
                file.write(data)
                file.flush()
                reports.append(stat(program, file.name, *options))
        for report in reports:
            got = {e["name"]: e["value"] for e in report["events"]}
            got.update({c["name"]: c["cycles"] for c in report["clocks"]})
            want = {e["name"]: e["count"] for e in truth["events"]}
            want.update(a=truth["cycles"], b=truth["second_clock"]["cycles"])
            for name, count in want.items():
                if got[name] != count:
                    print(f"{wave.name}: {name} is {got[name]}, the truth says {count}")
                    wrong += 1
        if "vhdl_mix" in wave.name:
            bits = stat(program, str(wave), "-c", "clk", *(x for n, s in enumerate(SPELLINGS) for x in ("-e", f"n{n}={s}")))
            counts = {e["value"] for e in bits["events"]}
            if len(counts) != 1 or counts == {0}:
                print(f"{wave.name}: one bit in several spellings: {counts}")
                wrong += 1
    return 1 if wrong else 0


sys.exit(main())
