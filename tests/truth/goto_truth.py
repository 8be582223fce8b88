#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where `pcounter stat --latency --goto` says that the longest latency is, against latencies computed here.

usage: goto_truth.py PCOUNTER
"""
import random
import re
import subprocess
import sys
import tempfile

pcounter = sys.argv[1]
checks = failures = 0
with tempfile.TemporaryDirectory() as work:
    for seed in range(1, 31):
        r = random.Random(seed)
        period, cycles = r.choice([2, 10, 14]), r.randrange(40, 40000 if seed % 10 == 0 else 300)
        rows = [(int(r.random() < 0.08), int(r.random() < 0.09)) for _ in range(cycles)]
        out = ["$timescale 1ns $end", "$var wire 1 c clk $end", "$var wire 1 a a $end", "$var wire 1 b b $end",
               "$enddefinitions $end"]
        for i, (a, b) in enumerate(rows):  # values before the edge at i * period + period / 2
            out.append(f"#{i * period}\n0c\n{a}a\n{b}b\n#{i * period + period // 2}\n1c")
        open(f"{work}/x.vcd", "w").write("\n".join(out) + "\n")
        first = r.choice([0, 0, 5])
        waiting, best = [], None
        for i, (a, b) in enumerate(rows):
            if i < first:
                continue
            if a:
                waiting.append(i)
            if b and waiting:
                start = waiting.pop(0)
                if best is None or i - start > best[0]:
                    best = (i - start, start, i)
        if waiting and (best is None or cycles - 1 - waiting[0] > best[0]):
            best = (cycles - 1 - waiting[0], waiting[0], None)
        p = subprocess.run([pcounter, "stat", "-c", "clk", "--latency", "l = a -> b", "--from", str(first), "--goto",
                            f"{work}/x.tcl", f"{work}/x.vcd"], capture_output=True, text=True)
        checks += 1
        if best is None:
            failures += p.returncode != 0 or "PC-N0541" not in p.stderr
            continue
        text = open(f"{work}/x.tcl").read()
        time = lambda i: i * period + period // 2
        marker = int(re.search(r"setMarker (\d+)", text)[1])
        begin, end = map(int, re.search(r"setZoomRangeTimes (\d+) (\d+)", text).groups())
        kind = "oldest open" if best[2] is None else "longest"
        good = (marker == time(best[1]) and begin <= marker and end >= time(best[2] if best[2] is not None else best[1])
                and f"the {kind} l, {best[0]:,} cycle" in text and "{clk} {a} {b}" in text)
        if not good:
            failures += 1
            print(seed, best, time(best[1]), text)
print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0)
