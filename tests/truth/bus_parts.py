#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Windows and intervals of pcounter bus, in edges and in times, counted once more out of the VCD that is made here.

    bus_parts.py PROGRAM"""
import json
import os
import random
import subprocess
import sys
import tempfile

import tally
from tally import check

program = sys.argv[1]
random.seed(40)
STATES = {(1, 1): "beat", (1, 0): "stall", (0, 1): "starve", (0, 0): "idle"}


# two clocks: edges of a come every 10, those of b at random
clocks = {"a": [5 + 10 * k for k in range(20000)], "b": []}
t = 700
while t < 190000:
    clocks["b"].append(t)
    t += random.choice((2, 4, 7, 7, 40, 6000 if random.random() < 0.005 else 9))
sampled = {c: [(random.getrandbits(1), random.getrandbits(1)) for _ in times] for c, times in clocks.items()}


def vcd(path):
    """valid and ready change a time unit before the edge, the clock falls a time unit after it"""
    change = {}
    for c, times in clocks.items():
        for k, at in enumerate(times):
            v, r = sampled[c][k]
            change.setdefault(at - 1, []).append(f"{v}v{c}\n{r}r{c}\n0k{c}\n")
            change.setdefault(at, []).append(f"1k{c}\n")
    with open(path, "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n$scope module t $end\n")
        for c in clocks:
            f.write(f"$scope module {c} $end\n$var wire 1 k{c} clk $end\n$var wire 1 v{c} x_valid $end\n"
                    f"$var wire 1 r{c} x_ready $end\n$upscope $end\n")
        f.write("$upscope $end\n$enddefinitions $end\n")
        for at in sorted(change):
            f.write(f"#{at}\n" + "".join(change[at]))


def run(*options, stdin=None):
    file = "-" if stdin else folder + "/w.vcd"
    return json.loads(subprocess.run([program, "bus", "-q", "--format", "json", *options, file], stdin=stdin,
                                     capture_output=True, text=True, check=True).stdout)


def counts(c, edges):
    out = {s: 0 for s in STATES.values()}
    for k in edges:
        out[STATES[sampled[c][k]]] += 1
    return out


def one(options, edges_of, intervals_of=None):
    got = run(*options)
    for bus in got["buses"]:
        c = bus["name"].split(".")[1]
        edges = edges_of(c)
        channel = next(iter(bus["channels"].values()))
        check(f"{options} {c}", ({s: channel[s] for s in STATES.values()}, bus["cycles"]), (counts(c, edges), len(edges)))
        if intervals_of:
            rows = [i for i in got["intervals"] if i["bus"] == bus["name"]]
            want = intervals_of(c, edges)
            check(f"{options} {c} starts", [(i["start"], i["edges"]) for i in rows],
                  [(w[0], len(w[1])) for w in want])
            check(f"{options} {c} intervals", [{s: i[s] for s in STATES.values()} for i in rows],
                  [counts(c, w[1]) for w in want])
            if "interval_time" in got:
                check(f"{options} {c} times", [i["time"] for i in rows], [w[2] for w in want])
    with open(folder + "/w.vcd", encoding="ascii") as f:
        check(f"a pipe: {options}", {**run(*options, stdin=f), "waveform": 0, "warnings": 0},
              {**got, "waveform": 0, "warnings": 0})


def by_time(step, origin):
    def cut(c, edges):
        out, n = [], 0
        while n < len(edges):
            end = origin + step * (len(out) + 1)
            part = [k for k in edges[n:] if clocks[c][k] < end]
            out.append((edges[n] if n < len(edges) else n, part, end - step))
            n += len(part)
        return out
    return cut


def by_edges(length):
    return lambda c, edges: [(edges[n], edges[n:n + length]) for n in range(0, len(edges), length)]


with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
    vcd(folder + "/w.vcd")
    every = lambda c: range(len(clocks[c]))
    within = lambda first, end: lambda c: [k for k in every(c) if first <= clocks[c][k] < end]
    one([], every)
    one(["-I", "777"], lambda c: list(every(c)), by_edges(777))
    one(["-I", "3us"], lambda c: list(every(c)), by_time(3000, 0))
    one(["--from", "17us", "--to", "150.005us"], within(17000, 150005))
    one(["--from", "17us", "-I", "11us"], within(17000, 10**9), by_time(11000, 17000))
    one(["--from", "16384", "--to", "16500", "-I", "50"], lambda c: list(every(c))[16384:16500], by_edges(50))
    one(["--to", "2us", "-I", "100ns"], within(0, 2000), by_time(100, 0))
    # the first of the transfers that took longest: a strobe up to its ack
    strobe, ack, open_, longest = [], [], None, None
    for k in range(3000):
        up = open_ is not None or random.random() < 0.2
        strobe.append(int(up))
        ack.append(int(up and random.random() < 0.15))
        open_ = k if up and open_ is None else open_
        if ack[k]:
            longest = max(longest or (-1,), (k - open_, -open_))
            open_ = None
    with open(folder + "/w.vcd", "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n$scope module t $end\n$var wire 1 k clk $end\n$var wire 1 s wb_stb $end\n$var wire 1 s wb_cyc $end\n"
                "$var wire 1 a wb_ack $end\n$upscope $end\n$enddefinitions $end\n")
        for k in range(3000):
            f.write(f"#{10 * k + k % 7}\n{strobe[k]}s\n{ack[k]}a\n0k\n#{10 * k + 8}\n1k\n")
    latency, start = longest[0], -longest[1]
    want = {"latency": latency, "start": start, "end": start + latency, "start_time": 10 * start + 8,
            "end_time": 10 * (start + latency) + 8}
    check("longest", run()["buses"][0]["transactions"]["longest"], want)
    check("longest, -I", run("-I", "77")["buses"][0]["transactions"]["longest"], want)
    text = subprocess.run([program, "bus", "-q", folder + "/w.vcd"], capture_output=True, text=True, check=True).stdout
    check("its line", f"{want['start_time']}\tt.wb_" in text, True)
tally.end()
