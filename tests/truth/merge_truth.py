#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pcounter merge against sums that are made here, out of runs that are made here; order and grouping do not matter.

    merge_truth.py PROGRAM"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile

program = sys.argv[1]
random.seed(7)
failed = tried = 0


def check(what, got, want):
    global failed, tried
    tried += 1
    if got != want:
        failed += 1
        print(f"FAILED: {what} is {str(got)[:400]}, not {str(want)[:400]}")


def vcd(path, cycles, wide, busy):
    """a clock of 10 ns, a handshake, a request and its response, a value"""
    with open(path, "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n$scope module t $end\n$var wire 1 ! clk $end\n$var wire 1 v q_valid $end\n"
                "$var wire 1 r q_ready $end\n$var wire 64 d depth $end\n$var wire 2 i id $end\n"
                "$upscope $end\n$enddefinitions $end\n")
        for k in range(cycles):
            f.write(f"#{10 * k}\n0!\n{int(random.random() < busy)}v\n{int(random.random() < 0.6)}r\n"
                    f"b{random.getrandbits(64) if wide else random.choice((3, 4, 4, 90)):b} d\n"
                    f"b{random.randrange(4):b} i\n#{10 * k + 5}\n1!\n")
        f.write(f"#{10 * cycles}\n0!\n")


def call(*arguments, code=0):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != code:
        check(f"the exit code of {arguments}: {done.stderr}", done.returncode, code)
    return done


def report(name, *arguments):
    path = f"{folder}/{name}.json"
    with open(path, "w", encoding="utf-8") as f:
        f.write(call(*arguments, "-q", "--format", "json", code=0).stdout)
    return path


def merged(*paths, more=(), code=0):
    return call("merge", "-q", *more, "--format", "json", *paths, code=code).stdout


def load(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def rank(hist, percent):
    values = sorted((int(k), n) for k, n in hist.items())
    need, seen = math.ceil(percent * sum(n for _, n in values) / 100), 0
    for value, n in values:
        seen += n
        if seen >= need:
            return value
    return None


def check_dist(what, got, parts):
    parts = [p for p in parts if p.get("count", 1)]
    check(what + ".sum", got["sum"], sum(p["sum"] for p in parts))
    if "count" in got:
        check(what + ".count", got["count"], sum(p["count"] for p in parts))
        if got["count"]:
            check(what + ".mean", abs(got["mean"] - got["sum"] / got["count"]) <= 1e-9 * abs(got["mean"]), True)
    for key, of in (("min", min), ("max", max)):
        if any(key in p for p in parts):
            check(f"{what}.{key}", got[key], of(p[key] for p in parts))
    if parts and all("hist" in p for p in parts):
        hist = {}
        for p in parts:
            for k, n in p["hist"].items():
                hist[k] = hist.get(k, 0) + n
        check(what + ".hist", got["hist"], hist)
        for p in (50, 90, 99):
            if f"p{p}" in got:
                check(f"{what}.p{p}", got[f"p{p}"], rank(hist, p))
    elif len(parts) > 1 and "p50" in got and got["min"] != got["max"]:
        check(what + ".p50", got["p50"], None)


LEAST, SAME = {"first_cycle", "start", "first_time"}, {"width", "credit_init", "reset_active"}
GREATEST = {"end", "last_time"}
LATER = {"mean", "throughput", "duty", "frequency", "mean_period", "bytes_per_cycle", "value", "cycle_seconds", "first",
         "last", "delta", "hist", "p50", "p90", "p99", "distinct", "min", "max", "left", "right"}


def check_tree(what, got, parts):
    """every count of the tree is the sum of those of the parts"""
    if isinstance(got, dict) and {"sum", "max", "mean"} <= set(got):
        check_dist(what, got, parts)
    if isinstance(got, dict):
        for key, value in got.items():
            if key in ("warnings", "trace", "waveform", "tool", "hist") or isinstance(value, (str, bool)) or value is None:
                continue
            if isinstance(value, (dict, list)):
                check_tree(f"{what}.{key}", value, [p[key] for p in parts])
            elif key in LEAST | GREATEST | SAME:
                check(f"{what}.{key}", value, (max if key in GREATEST else min)(p[key] for p in parts))
            elif key not in LATER or (key == "value" and isinstance(value, int) and "expression" in got):
                check(f"{what}.{key}", value, sum(p[key] for p in parts))
    elif isinstance(got, list):
        for item in got:
            if isinstance(item, dict):
                name = item.get("name", item.get("expectation"))
                check_tree(f"{what}[{name}]", item,
                           [next(i for i in p if i.get("name", i.get("expectation")) == name) for p in parts])


STAT = ("-c", "clk", "-e", "v=q_valid, both=q_valid & q_ready, rise(q_valid)", "-M", "share = both / v %",
        "-M", "rate = both / seconds /s", "-M", "p = l.p90 cycles", "--value", "depth", "--latency",
        "l = q_valid -> q_ready", "--latency", "by = q_valid -> q_ready by id, id", "--expect", "both < 100000",
        "--expect", "l.p99 < 1000")


def runs(verb, arguments, sizes):
    paths = []
    for n, (cycles, wide, busy) in enumerate(sizes):
        wave = f"{folder}/{verb}{n}.vcd"
        vcd(wave, cycles, wide, busy)
        paths.append(report(f"{verb}{n}", verb, *arguments, wave))
    whole = merged(*paths)
    check_tree(verb, json.loads(whole), [load(p) for p in paths])
    check(f"{verb}: one is itself", merged(paths[0]), open(paths[0], encoding="utf-8").read())
    ab, bc = f"{folder}/ab.json", f"{folder}/bc.json"
    for path, of in (ab, paths[:2]), (bc, paths[1:]):
        with open(path, "w", encoding="utf-8") as f:
            f.write(merged(*of))
    check(f"{verb}: (a + b) + c", merged(ab, *paths[2:]), whole)
    check(f"{verb}: a + (b + c)", merged(paths[0], bc), whole)
    array = f"{folder}/array.json"
    with open(array, "w", encoding="utf-8") as f:
        json.dump([load(p) for p in paths], f)
    check(f"{verb}: an array", merged(array), whole)
    counts = lambda text: {k: v for k, v in json.loads(text).items() if k not in ("trace", "waveform", "warnings")}
    for order in itertools.permutations(paths):
        other = counts(merged(*order))
        if verb == "stat":  # the first and the last are those of the order
            for value in other["values"] + (same := counts(whole))["values"]:
                for key in ("first", "last", "delta"):
                    value[key] = 0
            for a, b in zip(same.get("latencies", []), other.get("latencies", [])):
                check("by_id", a.pop("by_id", None), b.pop("by_id", None))
            check(f"{verb}: another order", other, same)
    for form in ("text", "csv", "md", "html"):
        text = call("merge", "-q", "--format", form, *paths).stdout
        check(f"{verb} as {form}", len(text) > 100, True)
    with open(f"{folder}/whole.json", "w", encoding="utf-8") as f:
        f.write(whole)
    if verb != "activity":
        call("diff", "-q", f"{folder}/whole.json", f"{folder}/whole.json")
    return paths, json.loads(whole)


def refused(what, *paths, more=()):
    done = call("merge", *more, *paths, code=2)
    check(f"refused: {what}: {done.stderr}", what in done.stderr and "PC-E1703" in done.stderr, True)


with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
    stat, whole = runs("stat", STAT, ((900, False, 0.4), (50, False, 0.9), (1700, False, 0.2)))
    events = {e["name"]: e["value"] for e in whole["events"]}
    metrics = {m["name"]: m["value"] for m in whole["metrics"]}
    check("share", abs(metrics["share"] - 100 * events["both"] / events["v"]) < 1e-9, True)
    check("rate", abs(metrics["rate"] * 1e-8 * whole["cycles"] / events["both"] - 1) < 1e-9, True)
    check("p", metrics["p"], next(x for x in whole["latencies"] if x["name"] == "l")["latency"]["p90"])
    check("CSV", [r.split(",")[3] for r in call("merge", "--format", "csv", *stat).stdout.splitlines()
                  if r.split(",")[1:3] == ["event", "both"]], [str(events["both"])])
    wide, lossy = runs("stat", STAT[:2] + ("--value", "depth"), ((700, True, 0.4), (500, True, 0.9), (30, True, 0.2)))
    check("percentiles of what is not listed", lossy["values"][0]["p50"], None)
    check("the warning", "PC-W0515" in call("merge", *wide).stderr, True)
    runs("bus", (), ((800, False, 0.4), (90, False, 0.9), (1200, False, 0.3)))
    runs("activity", (), ((300, False, 0.4), (40, False, 0.9), (600, False, 0.3)))
    # parts of one waveform
    wave = f"{folder}/parts.vcd"
    vcd(wave, 900, False, 0.4)
    plain = ("-c", "clk", "-e", "rise(q_valid), q_valid & q_ready", "--value", "depth", "-M", "m = depth.max count")
    cuts = ("0", "100", "3us", "612", None)
    parts = [report(f"part{n}", "stat", *plain, *(("--from", a) if a != "0" else ()), *(("--to", b) if b else ()), wave)
             for n, (a, b) in enumerate(zip(cuts, cuts[1:]))]
    check("parts", merged(*parts), open(report("all", "stat", *plain, wave), encoding="utf-8").read())
    # what cannot be added
    other = lambda name, *arguments: report(name, "stat", "-c", "clk", *arguments, wave)
    base = other("base", "-e", "a=q_valid")
    for what, arguments in (("expression is \"q_ready\", not \"q_valid\"", ("-e", "a=q_ready")),
                            ("event b", ("-e", "a=q_valid, b=q_ready")), ("event c", ("-e", "c=q_valid")),
                            ("x is \"zero\"", ("-e", "a=q_valid", "--x", "zero")),
                            ("-I", ("-e", "a=q_valid", "-I", "100"))):
        refused(what, base, other("bad", *arguments))
    refused("event b", other("two", "-e", "a=q_valid, b=q_ready"), base)
    refused("clock is \"negedge clk\"", base, report("bad", "stat", "-c", "negedge clk", "-e", "a=q_valid", wave))
    refused("it is a report of bus", base, report("bad", "bus", wave))
    refused("chip", base, report("bad", "stat", "-a", "G92", "-c", "clk", "-e", "a=q_valid", wave))
    refused("-I", report("bad", "activity", "-I", "1us", wave))
    with open(f"{folder}/ps.vcd", "w", encoding="ascii") as f:
        f.write(open(wave, encoding="ascii").read().replace("1ns", "1ps"))
    refused("timescale", report("bus", "bus", wave), report("bad", "bus", f"{folder}/ps.vcd"))
    tainted = f"{folder}/x.vcd"
    with open(tainted, "w", encoding="ascii") as f:
        f.write(open(wave, encoding="ascii").read().replace("\n1v\n", "\nxv\n", 1))
    bad = report("bad", "stat", "-c", "clk", "-e", "a=q_valid", tainted)
    refused("a is tainted", base, bad)
    check("inexact", json.loads(merged(base, bad, more=["--inexact"]))["events"][0]["state"], "tainted")
    part = load(base)
    for name, change in (("partial", {"partial": True}), ("cut", {"events": None}), ("empty", {"$schema": "pcounter-idle-1"})):
        with open(f"{folder}/bad.json", "w", encoding="utf-8") as f:
            json.dump({**part, **change}, f)
        done = call("merge", base, f"{folder}/bad.json", code=2)
        check(f"refused: {name}: {done.stderr}", "bad.json" in done.stderr, True)
    big = {**part, "cycles": 2**63 + 5}
    with open(f"{folder}/big.json", "w", encoding="utf-8") as f:
        json.dump(big, f)
    refused("64 bits", f"{folder}/big.json", f"{folder}/big.json")
print(f"{tried} checks, {failed} wrong")
sys.exit(failed > 0)
