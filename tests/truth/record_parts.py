#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pcounter merge of reports of record: parts of a waveform are the whole, row by row, and rows are those that this script counts.

    record_parts.py PROGRAM"""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import tally
from tally import check

program = sys.argv[1]
random.seed(11)
CYCLES = 700


def vcd(path, unknown=0.0):
    """a clock of 10 ns, STOP, two events; what they are at each rising edge"""
    rows = []
    with open(path, "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n$scope module t $end\n$var wire 1 ! clk $end\n$var wire 1 s s $end\n"
                "$var wire 1 v v $end\n$var wire 1 w w $end\n$upscope $end\n$enddefinitions $end\n")
        for k in range(CYCLES):
            row = [int(random.random() < p) for p in (0.04, 0.4, 0.7)]
            if random.random() < unknown:
                row[1] = "x"
            rows.append(row)
            f.write(f"#{10 * k}\n0!\n" + "".join(f"{b}{c}\n" for b, c in zip(row, "svw")) + f"#{10 * k + 5}\n1!\n")
        f.write(f"#{10 * CYCLES}\n0!\n")
    return rows


def call(*arguments, code=0):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    check(f"the exit code of {arguments}: {done.stderr}", done.returncode, code)
    return done


def report(name, *arguments):
    path = f"{folder}/{name}.json"
    call("record", "-q", *arguments, "-o", path)
    return path


def merged(*paths, form="json"):
    return call("merge", "-q", "--format", form, *paths).stdout


def expected(rows):
    """periods up to each STOP, and the rest"""
    out, first, counts = [], 0, [0, 0]
    for k, (stop, *events) in enumerate(rows):
        counts = [n + (e == 1) for n, e in zip(counts, events)]
        if stop or k + 1 == len(rows):
            out.append(("period" if stop else "rest", first, k + 1 - first, *counts))
            first, counts = k + 1, [0, 0]
    return out


def refused(what, *paths, code="PC-E1703"):
    done = call("merge", *paths, code=2)
    check(f"refused: {what}: {done.stderr}", what in done.stderr and code in done.stderr, True)


def parts(name, cuts, *arguments):
    return [report(f"{name}{n}", *arguments, *(("--from", str(a)) if a else ()), *(("--to", str(b)) if b else ()))
            for n, (a, b) in enumerate(zip(cuts, cuts[1:]))]


with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
    wave = f"{folder}/a.vcd"
    truth = expected(vcd(wave))
    plain = ("-c", "clk", "--stop", "s", "-e", "v, w", wave)
    for more in (), ("--packets",):
        whole = report("whole", *plain, *more)
        with open(whole, encoding="utf-8") as f:
            text = f.read()
        got = [(r["kind"].replace("packet", "period"), r["first_cycle"], r["cycles"], *(e["value"] for e in r["events"]))
               for r in json.loads(text)["rows"]]
        check(f"rows of the whole {more}", got, truth)
        cut = parts("cut", (0, 101, 103, 350, 0), *plain, *more)
        for order in itertools.permutations(cut):
            check(f"parts in another order {more}", merged(*order), text)
        some = f"{folder}/some.json"
        for few, rest in ((0, 2), (1, 3)), ((1, 2), (0, 3)):
            with open(some, "w", encoding="utf-8") as f:
                f.write(merged(cut[few[0]], cut[few[1]]))
            check(f"a sum of parts, merged again {more}", merged(cut[rest[0]], some, cut[rest[1]]), text)
        for form in ("csv", "jsonl", "html", "vcd", "perfetto", "md"):
            check(f"{form} of parts {more}", merged(*cut, form=form).replace("4 reports, ", ""), call("record", "-q", *plain, *more, "--format", form).stdout)
        # what is between is not there: the row that a cut leaves over stays one
        gap = json.loads(merged(cut[0], cut[3]))
        check("parts that are listed", [(p["first"], p["cycles"]) for p in gap["parts"]], [(0, 101), (350, CYCLES - 350)])
        check("rows of two parts", len(gap["rows"]), sum(len(json.load(open(cut[i], encoding="utf-8"))["rows"]) for i in (0, 3)))
        refused("cycles 101 to 102 of ", cut[1], cut[1])
        refused("cycles 103 to 349 of ", whole, cut[2])
    # two domains, whose packets come in turns
    events = ("-c", "clk", "--stop", "s", "-e", ", ".join(f"e{n}={'vw'[n % 2]}" for n in range(14)), wave)
    for more in (), ("--packets",):
        with open(report("domains", *events, *more), encoding="utf-8") as f:
            check(f"parts of two domains {more}", merged(*reversed(parts("domain", (0, 70, 71, 400, 0), *events, *more))), f.read())
    # unknown values
    doubt = f"{folder}/x.vcd"
    vcd(doubt, 0.05)
    unsure = ("-c", "clk", "--stop", "s", "-e", "v, w", doubt)
    whole = report("doubt", *unsure)
    with open(whole, encoding="utf-8") as f:
        text = f.read()
    cut = parts("doubt", (0, 77, 333, 0), *unsure)
    refused("v is tainted; --inexact adds it", *cut)
    check("tainted parts", json.loads(call("merge", "-q", "--inexact", "--format", "json", *reversed(cut)).stdout), json.loads(text))
    # what is refused
    base = report("base", *plain)
    refused("event w", base, report("other", "-c", "clk", "--stop", "s", "-e", "v", wave))
    refused("stop is \"v\", not \"s\"", base, report("other", "-c", "clk", "--stop", "v", "-e", "v, w", wave))
    vcd(f"{folder}/b.vcd")
    refused("trace is", base, report("other", *plain[:-1], f"{folder}/b.vcd"))
    refused("some rows are packets, others are periods", report("first", *plain, "-a", "G92", "--to", "300"),
            report("last", *plain, "-a", "G92", "--from", "300", "--packets"))
    with open(base, encoding="utf-8") as f:
        good = json.load(f)

    def broken(**members):
        with open(f"{folder}/broken.json", "w", encoding="utf-8") as f:
            json.dump({**good, **members}, f)
        return f"{folder}/broken.json"
    refused("interrupted", broken(partial=True))
    late = [{**r, "first_cycle": r["first_cycle"] + 5} if n == 3 else r for n, r in enumerate(good["rows"])]
    for what, change in (("do not add up to the sum of v", {"rows": good["rows"][1:]}),
                         ("is not after the one before it", {"rows": late}),
                         ("are not those of the report", {"events": good["events"][1:], "sums": good["sums"][1:]}),
                         ("that no row has", {"rows": [{**good["rows"][0], "kind": "word"}]}),
                         ("that no row has", {"rows": [{**good["rows"][0], "cycles": 2**63}]}),
                         ("a domain that no chip has", {"events": [{**good["events"][0], "domain": 8}, good["events"][1]]}),
                         ("is not the name of a chip", {"chip": "NV99"}), ("without edge, x and stop", {"edge": "none"})):
        refused(what, broken(**change), code="PC-E1701")
    long = [{**r, "time": 2e7} for r in good["rows"]]
    refused("a time below 0 or of more than 15 digits", broken(rows=long))
    # a packet that no counter sends
    with open(f"{folder}/long.vcd", "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n$var wire 1 ! clk $end\n$var wire 1 s s $end\n$enddefinitions $end\n#0\n0!\n0s\n")
        f.writelines(f"#{10 * k + 5}\n1!\n#{10 * k + 10}\n0!\n" for k in range(70000))
    ones = ("-c", "clk", "--stop", "s", "-e", "one=!s", f"{folder}/long.vcd")
    refused("and a counter sends it at 61440", *parts("ones", (0, 40000, 0), *ones, "--packets"))
    halves = json.loads(merged(*parts("ones", (0, 40000, 0), *ones)))
    check("a period of any length", [(r["cycles"], r["events"][0]["value"]) for r in halves["rows"]], [(70000, 70000)])
tally.end()
