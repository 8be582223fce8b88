#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`pcounter stat --percentile` and that of `bus` against nearest ranks of lists that are sorted here, and --log2 against buckets counted here.

usage: percentile_truth.py PCOUNTER
"""
import csv
import io
import json
import math
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

pcounter = sys.argv[1]
checks = failures = 0


def check(is_, want, what):
    global checks, failures
    checks += 1
    if is_ != want:
        failures += 1
        print(f"{what}: {is_!r}, not {want!r}")


def rank(values, percent):
    values = sorted(values)
    return values[max(math.ceil(Fraction(percent) * len(values) / 100), 1) - 1] if values else None


with tempfile.TemporaryDirectory() as work:
    for seed in range(1, 21):
        r = random.Random(seed)
        width, cycles = r.choice([3, 8, 40]), r.choice([1, 7, 300, 5000])
        rows = [(r.getrandbits(width), int(r.random() < 0.2), int(r.random() < 0.25)) for _ in range(cycles)]
        out = ["$timescale 1ns $end", "$var wire 1 c clk $end", f"$var wire {width} v v [{width - 1}:0] $end",
               "$var wire 1 a a $end", "$var wire 1 b b $end", "$enddefinitions $end"]
        for i, (v, a, b) in enumerate(rows):
            out.append(f"#{i * 10}\n0c\nb{v:b} v\n{a}a\n{b}b\n#{i * 10 + 5}\n1c")
        open(f"{work}/x.vcd", "w").write("\n".join(out) + "\n")
        latencies, waiting = [], []
        for i, (_, a, b) in enumerate(rows):
            waiting += [i] * a
            if b and waiting:
                latencies.append(i - waiting.pop(0))
        asked = r.sample(["0.0001", "1", "12.5", "50", "75.25", "90", "99", "99.9", "99.99", "99.9999", "100"], 5)
        words = ["-q", "-c", "clk", "--value", "v", "--latency", "l = a -> b"]
        for p in asked:
            words += ["--percentile", p]
        run = lambda form: subprocess.run([pcounter, "stat", *words, "--format", form, f"{work}/x.vcd"],
                                          capture_output=True, text=True, check=True).stdout
        report = json.loads(run("json"))
        values, dist = report["values"][0], report["latencies"][0]["latency"]
        rows_of = {x["name"]: x["value"] for x in csv.DictReader(io.StringIO(run("csv")))}
        for p in asked:
            for name, is_, list_ in (("v", values, [v for v, _, _ in rows]), ("l", dist, latencies)):
                want = rank(list_, p)
                check(is_["percentiles"][p], want, f"seed {seed}: p{p} of {name}")
                check(rows_of[f"{name}.p{p}"], "" if want is None else str(want), f"seed {seed}: CSV, p{p} of {name}")
        words += ["--histogram", "--log2"]
        buckets = {}
        for x in csv.DictReader(io.StringIO(run("csv"))):
            if x["kind"] == "bucket" and x["name"] == "v":
                buckets[x["expression"]] = int(x["value"])
        sizes = [v.bit_length() for v, _, _ in rows]
        name = lambda n: str(n) if n < 2 else f"{1 << (n - 1)}..{(1 << n) - 1}"
        check(buckets, {name(n): sizes.count(n) for n in range(min(sizes), max(sizes) + 1)}, f"seed {seed}: buckets")
        for p in ("50", "90", "99"):
            if p in asked:
                check(values["percentiles"][p], values[f"p{p}"], f"seed {seed}: p{p} twice")
with tempfile.TemporaryDirectory() as work:
    for seed in range(1, 11):
        r = random.Random(seed)
        out = ["$timescale 1ns $end", "$scope module t $end", "$var wire 1 c clk $end", "$var wire 1 v x_valid $end",
               "$var wire 1 r x_ready $end", "$var wire 8 d x_data [7:0] $end", "$upscope $end", "$enddefinitions $end"]
        stalls, waits, valid = 0, [], 0
        for i in range(r.choice([40, 3000])):
            valid, ready = valid or int(r.random() < 0.4), int(r.random() < 0.3)
            out.append(f"#{i * 10}\n0c\n{valid}v\n{ready}r\nb{len(waits) % 256:b} d\n#{i * 10 + 5}\n1c")
            if valid and ready:
                waits.append(stalls)
            stalls = stalls + 1 if valid and not ready else 0
            valid = int(valid and not ready)
        open(f"{work}/b.vcd", "w").write("\n".join(out) + "\n")
        asked = r.sample(["0.5", "33.3333", "50", "99.9", "100"], 3)
        run = lambda form: subprocess.run([pcounter, "bus", "-q", *(w for p in asked for w in ("--percentile", p)), "--format",
                                           form, f"{work}/b.vcd"], capture_output=True, text=True, check=True).stdout
        dist = json.loads(run("json"))["buses"][0]["channels"][""]["wait"]
        rows_of = {x["figure"]: x["value"] for x in csv.DictReader(io.StringIO(run("csv")))}
        check(dist["count"], len(waits), f"bus, seed {seed}: beats")
        for p in asked:
            check(dist["percentiles"][p], rank(waits, p), f"bus, seed {seed}: p{p}")
            check(rows_of[f"wait.p{p}"], str(rank(waits, p)), f"bus, seed {seed}: CSV, p{p}")

print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0)
