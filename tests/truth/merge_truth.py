#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pcounter merge against sums that are made here, out of runs that are made here; order and grouping do not matter.

    merge_truth.py PROGRAM FOLDER_OF_TESTS_DATA FOLDER_OF_BUSES"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

import tally
from tally import check

program, data, buses = sys.argv[1:]
random.seed(7)


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


def wires(path, scope, rows):
    """wires of these names at a clock of 10 ns, a row a cycle"""
    with open(path, "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n$scope module t $end\n$var wire 1 ! clk $end\n")
        f.writelines(f"$var wire 1 {chr(97 + i)} {scope}_{name} $end\n" for i, name in enumerate(rows[0]))
        f.write("$upscope $end\n$enddefinitions $end\n")
        for k, row in enumerate(rows):
            f.write(f"#{10 * k}\n0!\n" + "".join(f"{int(b)}{chr(97 + i)}\n" for i, b in enumerate(row.values()))
                    + f"#{10 * k + 5}\n1!\n")
        f.write(f"#{10 * len(rows)}\n0!\n")


def quiet_parts():
    """the data decide the rules of a bus; a part without a transfer agrees with the part that has them"""
    asked, reads = False, []
    for k in range(200):
        row = {"cmd_valid": k < 198 and random.random() < 0.3, "cmd_ready": 1, "cmd_payload_wr": random.random() < 0.5, "rsp_valid": asked}
        asked = row["cmd_valid"] and not row["cmd_payload_wr"]
        reads.append(row)
    strobes = [{"cyc": 1, "stb": k % 5 == 0, "ack": k % 5 == 2} for k in range(200)]
    for scope, busy, rule in (("bus", reads, "reads alone (writes have no response)"), ("wb", strobes, "wishbone-single")):
        quiet = [{name: name == "cmd_ready" for name in busy[0]}] * 200
        for rows in (busy + quiet, quiet + busy):
            wave = f"{folder}/{scope}.vcd"
            wires(wave, scope, rows)
            whole = load(report("whole", "bus", wave))
            check(f"{scope}: the rule", rule in whole["buses"][0].values(), True)
            parts = [report(f"part{way}", "bus", way, "200", wave) for way in ("--to", "--from")]
            for order in parts, parts[::-1]:
                check(f"{scope}: the merge of its parts", json.loads(merged(*order))["buses"], whole["buses"])
    # a part whose data decide another rule does contradict
    both = []
    for name, answered in (("alone", reads), ("each", [{**row, "rsp_valid": k and reads[k - 1]["cmd_valid"]} for k, row in enumerate(reads)])):
        wires(f"{folder}/{name}.vcd", "bus", answered)
        both.append(report(name, "bus", f"{folder}/{name}.vcd"))
    refused("pairs", *both)


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
        for p in (50, 90, 95, 99):
            if f"p{p}" in got:
                check(f"{what}.p{p}", got[f"p{p}"], rank(hist, p))
    elif len(parts) > 1 and "p50" in got and got["min"] != got["max"]:
        check(what + ".p50", got["p50"], None)


LEAST, SAME = {"first_cycle", "start", "first_time"}, {"width", "credit_init", "reset_active", "clock_number"}
GREATEST = {"end", "last_time", "open_wait", "waits", "stuck"}
LATER = {"mean", "throughput", "duty", "frequency", "mean_period", "bytes_per_cycle", "value", "cycle_seconds", "first",
         "last", "delta", "hist", "log2", "p50", "p90", "p95", "p99", "distinct", "min", "max", "left", "right"}


def check_tree(what, got, parts):
    """every count of the tree is the sum of those of the parts"""
    if isinstance(got, dict) and {"sum", "max", "mean"} <= set(got):
        check_dist(what, got, parts)
    if isinstance(got, dict):
        for key, value in got.items():
            if key in ("warnings", "trace", "waveform", "tool", "hist", "parts") or isinstance(value, (str, bool)) or value is None:
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


def same_rows(*arguments):
    """of one report the CSV is that of the verb, row by row"""
    path = report("rows", *arguments)
    rows = [sorted(call(*of, "-q", "--format", "csv").stdout.splitlines())
            for of in (("merge", "--inexact", path), arguments)]
    check(f"{arguments}: rows", [r for r in rows[0] if r not in rows[1]], [])
    check(f"{arguments}: missing rows", [r for r in rows[1] if r not in rows[0]], [])


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
    some = ("-c", "clk", "--value", "depth", "--latency", "l = q_valid -> q_ready", "--percentile", "99.9", "--percentile", "33.3333")
    more = [report(f"more{n}", "stat", *some, f"{folder}/stat{n}.vcd") for n in range(3)]
    latency, value = json.loads(merged(*more))["latencies"][0]["latency"], json.loads(merged(*more))["values"][0]
    for p, got in latency["percentiles"].items():
        check(f"percentile {p} of a sum", got, rank(latency["hist"], Fraction(p)))
    check("percentiles of what is not listed", value["percentiles"], {"99.9": None, "33.3333": None})
    check("other percentiles", "percentiles" in json.loads(merged(more[0], report("none", "stat", *some[:6], f"{folder}/stat1.vcd")))["values"][0], False)
    # parts: of an even clock all of the report is that of the whole; no cycle is added twice
    wave, cuts = f"{folder}/stat0.vcd", (0, 100, 103, 350, 900)
    arguments = ("-c", "clk", "-e", "q_valid", "-M", "rate = q_valid / seconds /s", wave)
    whole = load(report("whole0", "stat", *arguments))
    cut = [report(f"cut{i}", "stat", *arguments, "--from", str(a), "--to", str(b))
           for i, (a, b) in enumerate(zip(cuts, cuts[1:]))]
    for order in itertools.permutations(cut):
        sums = json.loads(merged(*order))
        check("seconds of parts", abs(sums.pop("seconds") - whole["seconds"]) < 1e-15, True)
        check("the whole", {k: v for k, v in sums.items() if k != "metrics"},
              {k: v for k, v in whole.items() if k not in ("metrics", "seconds")})
    some = f"{folder}/some.json"
    with open(some, "w", encoding="utf-8") as f:
        f.write(merged(cut[0], cut[2]))
    check("parts", [(p["first"], p["cycles"]) for p in load(some)["parts"]], [(0, 100), (103, 247)])
    refused("cycles 0 to 99", cut[0], some)
    refused("cycles 103 to 349", some, cut[1], cut[3], cut[2])
    refused("cycles 50 to 99", some, report("over", "stat", *arguments, "--from", "50"))
    check("none twice", json.loads(merged(some, cut[1], cut[3]))["cycles"], whole["cycles"])
    check("again", json.loads(merged(some, some, more=["--again"]))["cycles"], 694)
    for verb, unit, of, more in ("bus", "edges 200 to 299", (), ("--from", "200", "--to", "300")), \
            ("activity", "times 2000 to 2999", (), ("--from", "2000ns", "--to", "3000ns")):
        part = report(verb + "part", verb, *more, wave, *of)
        refused(unit, report(verb + "all", verb, wave, *of), part)
        refused(unit, part, part)
        rest = report(verb + "rest", verb, more[0], more[3], wave, *of)
        check(f"{verb}: parts", len(json.loads(merged(part, rest)).get("parts", [0])), 1)
    # one report: its rows, its exit code
    wave, clocks = f"{folder}/stat1.vcd", f"{data}/two-clocks.vcd"
    two = ("-c", "f=clk", "-c", "s=clk_b", "-e", "a, @s b", "-M", "m = a - b", "-M", "share = b / s.cycles %",
           "--value", "@s v=b", "--latency", "l=rise(a) -> fall(a)", "--expect", "f.cycles > s.cycles")
    same_rows("stat", *STAT, wave)
    same_rows("stat", "-c", "clk", "--value", "depth", f"{folder}/stat0.vcd")
    same_rows("stat", "-c", "n=clk", "-e", "q_valid", "--expect", "n.cycles >= 0", wave)
    same_rows("stat", "-a", "G92", "-c", "clk", "-e", "q_valid, q_ready", "-M", "share = q_ready / cycles %", wave)
    same_rows("stat", *two, clocks)
    same_rows("bus", f"{data}/bus.vcd")
    same_rows("activity", f"{data}/tiny.vcd")
    for name in ("axi4_ram.fst", "ahb_lite.fst", "apb.vcd.gz", "avalon.fst", "axi4_cdma.fst"):
        if os.path.exists(f"{buses}/{name}"):
            same_rows("bus", f"{buses}/{name}")
            same_rows("activity", f"{buses}/{name}")
    for expected, code in (("q_valid < 1", 1), ("q_valid > 1", 0)):
        with open(f"{folder}/unmet.json", "w", encoding="utf-8") as f:
            f.write(call("stat", "-c", "clk", "-e", "q_valid", "--expect", expected, "--format", "json", "-q", wave,
                         code=code).stdout)
        for paths in ([f"{folder}/unmet.json"], [f"{folder}/unmet.json"] * 2):
            call("merge", "-q", "--again", *paths, code=code)
    both = report("clocks", "stat", *two, clocks)
    rows = call("merge", "-q", "--again", "--format", "csv", both, both).stdout.splitlines()
    for row in ("cycles,f,cycles,200,", "cycles,s,cycles,142,", "event,s,b,72,exact,142,", "event,f,a,102,exact,200,"):
        check(f"two clocks: {row}", any(f",{row}" in r for r in rows), True)
    check("two clocks as text", [line.split()[:4] for line in call("merge", "-q", "--again", both, both).stdout.splitlines()
                                 if " cycles of " in line], [["200", "cycles", "of", "f"], ["142", "cycles", "of", "s"]])
    # more metrics than -M takes
    with open(f"{folder}/many", "w", encoding="ascii") as f:
        f.writelines(f"m{i} = v / cycles %\n" for i in range(150))
    many = report("many", "stat", "-c", "clk", "-e", "v=q_valid", "--metrics", f"{folder}/many", wave)
    check("150 metrics", len({m["value"] for m in json.loads(merged(many, many, more=["--again"]))["metrics"]}), 1)
    # of two that took as long, the one that started first
    one = report("longest", "bus", f"{data}/bus.vcd", "wb")
    at = load(one)["buses"][0]["transactions"]["longest"]
    early = load(one)
    early["buses"][0]["transactions"]["longest"] = {**at, "start_time": at["start_time"] - 1, "start": at["start"] - 1}
    with open(f"{folder}/early.json", "w", encoding="utf-8") as f:
        json.dump(early, f)
    for paths in ([one, f"{folder}/early.json"], [f"{folder}/early.json", one]):
        check("longest", json.loads(merged(*paths, more=["--again"]))["buses"][0]["transactions"]["longest"]["start_time"],
              at["start_time"] - 1)
    # integers of any size
    signed = f"{folder}/signed.vcd"
    with open(signed, "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 64 d d $end\n$enddefinitions $end\n")
        f.writelines(f"#{10 * k}\n0!\nb1{0:063b} d\n#{10 * k + 5}\n1!\n" for k in range(5))
    low = report("low", "stat", "-c", "clk", "--value", "v=$signed(d)", signed)
    check("a sum below 64 bits", json.loads(merged(low, low, more=["--again"]))["values"][0]["sum"], -10 * 2**63)
    call("diff", "-q", low, low)

    refused("cycles 0 to 4", low, low)

    def broken(change):
        with open(f"{folder}/broken.json", "w", encoding="utf-8") as f:
            json.dump(change(load(low)), f)
        return f"{folder}/broken.json"

    def with_value(**members):
        return lambda r: {**r, "values": [{**r["values"][0], **members}]}
    for what, change in (("count of 64 bits", lambda r: {**r, "cycles": 2**64}),
                         ("count of 64 bits", with_value(unknown=2**200)), ("integer", with_value(sum=2**127)),
                         ("count of 64 bits", with_value(hist={"1": 2**64})),
                         ("not a value that was counted", with_value(hist={"9" * 40: 1})),
                         ("not a value that was counted", with_value(hist={"3a": 1}))):
        for paths in ([broken(change)], [low, broken(change)]):
            done = call("merge", *paths, code=2)
            check(f"refused: {what}: {done.stderr}", what in done.stderr and "PC-E1701" in done.stderr, True)
    refused("127 bits", broken(with_value(sum=2**127 - 1)), broken(with_value(sum=2**127 - 1)))
    refused("64 bits", broken(with_value(hist={"1": 2**64 - 1})), broken(with_value(hist={"1": 2**64 - 1})))
    check("2^64 - 1", json.loads(merged(broken(with_value(unknown=2**64 - 1))))["values"][0]["unknown"], 2**64 - 1)
    # parts of one waveform
    wave = f"{folder}/parts.vcd"
    vcd(wave, 900, False, 0.4)
    plain = ("-c", "clk", "-e", "rise(q_valid), q_valid & q_ready", "--value", "depth", "-M", "m = depth.max count")
    cuts = ("0", "100", "3us", "612", None)
    parts = [report(f"part{n}", "stat", *plain, *(("--from", a) if a != "0" else ()), *(("--to", b) if b else ()), wave)
             for n, (a, b) in enumerate(zip(cuts, cuts[1:]))]
    check("parts", merged(*parts), open(report("all", "stat", *plain, wave), encoding="utf-8").read())
    quiet_parts()
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
    slow = report("slow", "stat", "-c", "clk", "--latency", "l = q_valid -> q_ready", tainted)
    with open(f"{folder}/slow2.json", "w", encoding="utf-8") as f:
        changed = load(slow)
        changed["latencies"][0]["tainted"] = {"start": 4, "end": 7}
        json.dump(changed, f)
    check("tainted cycles of two", json.loads(merged(slow, f"{folder}/slow2.json", more=["--inexact", "--again"]))
          ["latencies"][0]["tainted"], {k: n + {"start": 4, "end": 7}[k] for k, n in load(slow)["latencies"][0]["tainted"].items()})
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
tally.end()
