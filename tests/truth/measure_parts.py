#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Intervals and windows of stat's --value and --latency, counted once more out of the VCD that is made here.

    measure_parts.py PROGRAM"""
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
from tally import check

program = sys.argv[1]
CYCLES, PERIOD, FIRST = 40000, 10, 5
random.seed(20)


# what each edge samples; values change half a period before it
s, e, ids, ide, v = [], [], [], [], []
for k in range(CYCLES):
    busy = k % 9000 < 6000  # long pauses, with open starts in some
    s.append(int(busy and random.random() < 0.3))
    e.append(int((busy or k % 9000 > 8500) and random.random() < 0.31))
    ids.append(random.randrange(4))
    ide.append(random.randrange(4))
    v.append(None if random.random() < 0.01 else random.randrange(-300, 300) if busy else v[-1])


def vcd(path):
    with open(path, "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n$scope module t $end\n$var wire 1 ! clk $end\n$var wire 1 s s $end\n"
                "$var wire 1 e e $end\n$var wire 2 a ids [1:0] $end\n$var wire 2 b ide [1:0] $end\n"
                "$var integer 16 v v [15:0] $end\n$upscope $end\n$enddefinitions $end\n")
        for k in range(CYCLES):
            bits = "x" * 16 if v[k] is None else format(v[k] & 0xffff, "b")
            f.write(f"#{k * PERIOD}\n0!\n{s[k]}s\n{e[k]}e\nb{ids[k]:b} a\nb{ide[k]:b} b\nb{bits} v\n"
                    f"#{k * PERIOD + FIRST}\n1!\n")
        f.write(f"#{CYCLES * PERIOD}\n0!\n")


def dist(values):
    values = sorted(values)
    rank = lambda p: values[math.ceil(p * len(values) / 100) - 1] if values else None
    out = {"count": len(values), "sum": sum(values), "min": rank(0.001), "p50": rank(50), "p90": rank(90),
           "p95": rank(95), "p99": rank(99), "max": values[-1] if values else None}
    hist = {}
    for x in values:
        hist[str(x)] = hist.get(str(x), 0) + 1
    if len(hist) > 400:
        out["distinct"] = len(hist)
    else:
        out["hist"] = hist
    return out


def same_dist(what, got, want):
    check(what, {k: x for k, x in got.items() if k in want}, want)
    mean = want["sum"] / want["count"] if want["count"] else None
    check(what + " mean", got["mean"] == mean if mean is None else abs(got["mean"] - mean) <= 1e-12 * abs(mean), True)
    check(what + " hist", "hist" in got, "hist" in want)


def latencies(start, end, first, last, by):
    """(cycle of the end, cycles) of each, what else happens by cycle, and how many are open before and after each"""
    queue, done, before, after, orphans = {}, [], [], [], []
    n = 0
    for k in range(first, last):
        before.append(n)
        if start[k]:
            queue.setdefault(ids[k] if by else 0, []).append(k)
            n += 1
        if end[k]:
            mine = queue.get(ide[k] if by else 0)
            if mine:
                done.append((k, k - mine.pop(0)))
                n -= 1
            else:
                orphans.append(k)
        after.append(n)
    return done, orphans, before, after


def one(folder, options, cuts, name):
    """cuts: where intervals begin, and the end"""
    first, last = cuts[0], cuts[-1]
    rise = [int(s[k] and k > 0 and not s[k - 1]) for k in range(CYCLES)]
    got = json.loads(subprocess.run([program, "stat", "-q", "-c", "clk", "--value", "v", "--value", "o = s & e",
                                     "--latency", "l = rise(s) -> e", "--latency", "i = s -> e by ids, ide",
                                     "-M", "p = l.p99 cycles", *options, "--format", "json", folder + "/w.vcd"],
                                    capture_output=True, text=True, check=True).stdout)
    check(f"{name}: intervals", [(i["first_cycle"], i["cycles"]) for i in got["intervals"]],
          [(a, b - a) for a, b in zip(cuts, cuts[1:])])
    runs = {"l": (latencies(rise, e, first, last, False), rise), "i": (latencies(s, e, first, last, True), s)}
    parts = [(f"{name} interval {n}", i, a, b) for n, (i, a, b) in enumerate(zip(got["intervals"], cuts, cuts[1:]))]
    for what, part, a, b in parts + [(f"{name} all", got, first, last)]:
        known = [x for x in v[a:b] if x is not None]
        value, both = part["values"]
        same_dist(what + " v", value, dist(known))
        same_dist(what + " o", both, dist([x & y for x, y in zip(s[a:b], e[a:b])]))
        check(what + " ends", (value["unknown"], value["first"], value["last"], value["delta"]),
              (b - a - len(known), *((known[0], known[-1], known[-1] - known[0]) if known else (None,) * 3)))
        for latency in part["latencies"]:
            (done, orphans, before, after), start = runs[latency["name"]]
            inside = lambda ks: sum(a <= k < b for k in ks)
            same_dist(f"{what} {latency['name']}", latency["latency"], dist([n for k, n in done if a <= k < b]))
            open_ = dist(before[a - first:b - first])
            open_["max"] = max(after[a - first:b - first], default=0 if b == a else None)
            if b > a:
                same_dist(f"{what} {latency['name']} outstanding", latency["outstanding"], open_)
            check(f"{what} {latency['name']}",
                  [latency[k] for k in ("started", "completed", "orphans", "unfinished")],
                  [sum(start[a:b]), inside(k for k, n in done), inside(orphans),
                   after[b - first - 1] if b > first else 0])
            if latency["name"] == "l" and part is not got:
                check(what + " metric", part["metrics"][0]["value"], latency["latency"]["p99"])
    text = subprocess.run([program, "stat", "-q", "-c", "clk", "--latency", "l = rise(s) -> e", *options, "--format", "csv",
                           folder + "/w.vcd"], capture_output=True, text=True, check=True).stdout
    rows = [r for r in csv.DictReader(io.StringIO(text)) if r["name"] == "l.p99"]
    check(f"{name}: CSV", [r["value"] for r in rows],
          ["" if i["latencies"][0]["latency"]["p99"] is None else str(i["latencies"][0]["latency"]["p99"])
           for i in got["intervals"]])


def cut(first, last, step):
    return list(range(first, last, step)) + [last]


with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
    vcd(folder + "/w.vcd")
    one(folder, ["-I", "1000"], cut(0, CYCLES, 1000), "cycles")
    one(folder, ["-I", "4321", "-j", "3"], cut(0, CYCLES, 4321), "threads")
    one(folder, ["-I", "33us"], cut(0, CYCLES, 3300), "times")
    one(folder, ["-I", "50000"], cut(0, CYCLES, 50000), "one")
    one(folder, ["-I", "64", "--from", "16384", "--to", "18000"], cut(16384, 18000, 64), "window at a block")
    one(folder, ["-I", "7us", "--from", "71.003us", "--to", "200us", "-j", "2"], cut(7100, 20000, 700), "window in time")
    # windows alone look back, too
    for first in (16384, 16385, 32768, 7):
        done, orphans, before, after = latencies([int(s[k] and not s[k - 1]) for k in range(CYCLES)], e, first, CYCLES, False)
        got = json.loads(subprocess.run([program, "stat", "-q", "-c", "clk", "--latency", "rise(s) -> e", "--from", str(first),
                                         "--format", "json", folder + "/w.vcd"], capture_output=True, text=True, check=True).stdout)
        same_dist(f"from {first}", got["latencies"][0]["latency"], dist([n for k, n in done]))
    # iff an expression: its edges are the cycles, in whatever way they are counted
    def counted(clock, *options, stdin=None):
        call = [program, "stat", "-q", "-c", clock, "-e", "rise(e), s", "--value", "v", "--format", "json", *options]
        return json.loads(subprocess.run([*call, "-" if stdin else folder + "/w.vcd"], stdin=stdin, capture_output=True,
                                         text=True, check=True).stdout)
    conditions = {"s & e": lambda k: s[k] & e[k], "(!s | e)": lambda k: 1 - s[k] | e[k], "!(s^e)": lambda k: int(s[k] == e[k]),
                  "v > 0": lambda k: int(v[k] is not None and v[k] > 0), "rise(s) && ids != 2": lambda k: int(
                      s[k] and (k == 0 or not s[k - 1]) and ids[k] != 2), "ids inside {1, 3}": lambda k: ids[k] & 1}
    for text, holds in conditions.items():
        kept = [k for k in range(CYCLES) if holds(k)]
        for options, part in ((), kept), (("--from", "100us", "--to", "333us"), [k for k in kept if 10000 <= k < 33300]), (
                ("--from", "77", "-j", "3"), kept[77:]):
            before = kept[kept.index(part[0]) - 1] if part[0] != kept[0] else None
            edges = [before] + part
            rises = sum(e[b] and not (a is not None and e[a]) for a, b in zip(edges, edges[1:]))
            got = counted("clk iff " + text, *options)
            check(f"iff {text} {options}", (got["cycles"], [x["value"] for x in got["events"]]),
                  (len(part), [rises, sum(s[k] for k in part)]))
            same_dist(f"iff {text} {options}", got["values"][0], dist([v[k] for k in part if v[k] is not None]))
            with open(folder + "/w.vcd", encoding="ascii") as f:
                check(f"a pipe, {text}", {**counted("clk iff " + text, *options, stdin=f), "trace": 0}, {**got, "trace": 0})
        got = counted("clk iff " + text, "-I", "90us")
        check(f"iff {text} -I", [(i["cycles"], i["events"][1]["value"]) for i in got["intervals"]],
              [(len(p), sum(s[k] for k in p)) for n in range(5)
               if (p := [k for k in kept if kept[0] + 9000 * n <= k < kept[0] + 9000 * (n + 1)]) or n == 0])
tally.end()
