#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`pcounter diff --align` of captures that were shifted and changed here: it finds the shift, and each change.

usage: align_truth.py PCOUNTER
"""
import csv
import gzip
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

pcounter = sys.argv[1]
checks = failures = 0


def check(is_, want, what):
    global checks, failures
    checks += 1
    if is_ != want:
        failures += 1
        if failures < 12:
            print(f"{what}:\n  is   {str(is_)[:600]}\n  want {str(want)[:600]}")


def diff(*words, stdin=None):
    p = subprocess.run([pcounter, "diff", *map(str, words)], capture_output=True, input=stdin)
    return p.returncode, p.stdout.decode(), p.stderr.decode()


# --- captures: signal -> list of (time, value), the first one at the begin ---

SIGNALS = {"clk": 1, "d": 1, "cs": 1, "bus": 12, "rare": 1}


def make(r):
    """Edges of random data; `end` is the last timestamp."""
    edges = {n: [(0, 0)] for n in SIGNALS}
    t, period = 50, r.choice([10, 20])
    for i in range(r.randrange(600, 2500)):
        t += period // 2
        edges["clk"].append((t, 1 - edges["clk"][-1][1]))
        if edges["clk"][-1][1] == 0:
            continue
        if r.random() < 0.3:
            edges["d"].append((t + 1, 1 - edges["d"][-1][1]))
        if r.random() < 0.2:
            value = r.randrange(1 << 12)
            if value != edges["bus"][-1][1]:
                edges["bus"].append((t + 2, value))
        if r.random() < 0.02:
            edges["cs"].append((t + 3, 1 - edges["cs"][-1][1]))
    edges["rare"].append((t // 3, 1))
    return edges, t + 60


def change(r, edges):
    """A copy with changes far from each other, and what they are: (kind, signal, time, length)."""
    out = {n: list(e) for n, e in edges.items()}
    done = []
    for name in ("d", "cs", "bus"):
        own = out[name]
        at = r.randrange(12, max(13, len(own) - 20))
        while at + 12 < len(own) - 4:
            (t0, v0), (t1, v1) = own[at], own[at + 1]
            kind = r.choice(["extra pulse", "missing pulse", "moved"])
            if kind == "extra pulse" and t1 - t0 > 8:
                other = v0 ^ 1
                if other == v1:  # an edge of this value is the other half of nothing here
                    other = v0 ^ 1 if SIGNALS[name] == 1 else v0 ^ 2
                own[at + 1:at + 1] = [(t0 + 3, other), (t0 + 6, v0)]
                done.append((kind, name, t0 + 3, 3))
            elif kind == "missing pulse" and own[at + 2][1] == v0:
                del own[at + 1:at + 3]
                done.append((kind, name, t1, edges_of(edges, name, t1)))
            elif kind == "moved" and own[at + 2][0] - t1 > 8:
                own[at + 1] = (t1 + 4, v1)
                done.append((kind, name, t1, 4))
            at += r.randrange(40, 90)
    return out, sorted(done, key=lambda d: (d[2], d[1]))


def edges_of(edges, name, time):
    """How long the pulse that begins there is."""
    times = [t for t, _ in edges[name]]
    return times[times.index(time) + 1] - time


def write(path, edges, end, shift, lead, unit=1, scale="1ns"):
    """As a VCD whose times are `shift` later; it begins `lead` before the edges."""
    codes = {n: chr(33 + i) for i, n in enumerate(SIGNALS)}
    out = [f"$timescale {scale} $end", "$scope module tb $end"]
    out += [f"$var wire {w} {codes[n]} {n}{f' [{w - 1}:0]' if w > 1 else ''} $end" for n, w in SIGNALS.items()]
    out += ["$upscope $end", "$enddefinitions $end"]
    word = lambda n, v: f"{v}{codes[n]}" if SIGNALS[n] == 1 else f"b{v:b} {codes[n]}"
    start = shift - lead
    out += [f"#{start * unit}", "$dumpvars", *(word(n, edges[n][0][1]) for n in SIGNALS), "$end"]
    all_edges = sorted((t + shift, n, v) for n, e in edges.items() for t, v in e[1:])
    last = None
    for t, n, v in all_edges:
        if t != last:
            out.append(f"#{t * unit}")
            last = t
        out.append(word(n, v))
    out.append(f"#{(end + shift) * unit}")
    with (gzip.open if path.endswith(".gz") else open)(path, "wt") as f:
        f.write("\n".join(out) + "\n")


def told(report):
    return sorted(((d["kind"], d["signal"].split(".")[1].split("[")[0], d["before"], d["length"])
                   for d in report["differences"]), key=lambda d: (d[2], d[1]))


def changed(work, seed):
    r = random.Random(seed)
    edges, end = make(r)
    other, want = change(r, edges)
    a, b = f"{work}/a.vcd", f"{work}/b.vcd.gz"
    shift = r.choice([0, 7, 1234, 99999])
    base = 5000
    write(a, edges, end, base, 40)
    unit, scale = r.choice([(1, "1ns"), (10, "100ps")])
    write(b, other, end, base + shift, r.choice([40, 45, 10]) if shift else 40, unit, scale)
    units = 10 if unit == 10 else 1  # a time unit of the report is the finer one of both
    hows = ["auto", "rise(rare)", f"{shift}ns"]
    for how in hows:
        code, text, err = diff("--align", how, "--format", "json", "-q", a, b)
        what = f"seed {seed} --align {how}"
        check(code, 1 if want else 0, f"{what}: exit code {err[:200]}")
        if code > 1:
            continue
        report = json.loads(text)
        check(report["shift"], shift * units, f"{what}: shift")
        scaled = [(k, n, (t + base) * units, length * units) for k, n, t, length in want]
        check(told(report), scaled, f"{what}: differences")
        check((report["count"], report["differs"]), (len(want), bool(want)), f"{what}: how many")
        for s in report["signals"]:
            name = s["name"].split(".")[1].split("[")[0]
            check(s["edges_before"], len(edges[name]) - 1, f"{what}: edges of {name}")
            check(s["edges_after"], len(other[name]) - 1, f"{what}: edges of {name} after")
            own = [d for d in want if d[1] == name]
            for kind, field in (("extra pulse", "extra_pulses"), ("missing pulse", "missing_pulses"), ("moved", "moved")):
                check(s[field], sum(d[0] == kind for d in own), f"{what}: {kind} of {name}")
            lost = sum(2 if d[0] == "missing pulse" else d[0] == "moved" for d in own)
            check(s["matched"], len(edges[name]) - 1 - lost, f"{what}: matched of {name}")
            if own:
                check(s["first"]["before"], (own[0][2] + base) * units, f"{what}: first of {name}")
        rows = list(csv.DictReader(io.StringIO(diff("--align", how, "--format", "csv", "-q", a, b)[1])))
        check([(x["kind"], int(x["before"])) for x in rows if x["kind"] not in ("signal", "warning")],
              [(k, t) for k, _, t, _ in scaled], f"{what}: CSV")
    # the other way round: what was extra is missing
    code, text, _ = diff("--align", "auto", "--format", "json", "-q", b, a)
    turned = {"extra pulse": "missing pulse", "missing pulse": "extra pulse", "moved": "moved"}
    report = json.loads(text)
    check(sorted(d["kind"] for d in report["differences"]), sorted(turned[d[0]] for d in want), f"seed {seed}: turned")
    check(report["shift"], -shift * units, f"seed {seed}: turned shift")
    # parts of it: AFTER begins later and ends earlier
    part = f"{work}/part.vcd"
    subprocess.run([pcounter, "record", "--cut", "-q", "--from", str((base + shift + end // 4) * unit), "--to",
                    str((base + shift + end // 2) * unit), "-o", part, b], check=True)
    code, text, err = diff("--align", "auto", "--format", "json", "-q", a, part)
    check(code < 2, True, f"seed {seed}: a part: {err[:200]}")
    if code < 2:
        report = json.loads(text)
        check(report["shift"], shift * units, f"seed {seed}: shift of a part")
        inside = [(k, n, (t + base) * units, length * units) for k, n, t, length in want
                  if end // 4 < t and t + length < end // 2]
        check(told(report), inside, f"seed {seed}: differences of a part")


def sampled(work, seed):
    """Samples of one signal at two rates: with the jitter of the samples nothing differs, and a long pulse does."""
    r = random.Random(seed)
    edges, t, level = [], 0.0, 0
    for _ in range(300):
        t += r.uniform(0.4e-6, 4e-6)
        level ^= 1
        edges.append((t, level))
    end = t + 2e-6

    def write_samples(path, rate, offset, extra):
        all_edges = sorted(edges + extra)
        n, at, now, rows = 0, 0, 0, []
        while n / rate + offset < end:
            while at < len(all_edges) and all_edges[at][0] <= n / rate + offset:
                now = all_edges[at][1]
                at += 1
            rows.append(str(now))
            n += 1
        with open(path, "w") as f:
            f.write(f"; Samplerate: {rate // 1000000} MHz\nD0\n" + "\n".join(rows) + "\n")

    quiet = next((a[0], a[1]) for a, b in zip(edges[100:], edges[101:]) if b[0] - a[0] > 3e-6)
    extra = [(quiet[0] + 1e-6, 1 - quiet[1]), (quiet[0] + 2e-6, quiet[1])]
    a, b = f"{work}/a.csv", f"{work}/b.csv"
    write_samples(a, 24000000, 0.0, [])
    write_samples(b, 16000000, 0.7e-6, [])
    code, text, err = diff("--align", "auto", "--format", "json", "-q", a, b)
    check(code, 0, f"samples {seed}: the same: {err[:300]} {text[:900]}")
    if code == 0:
        unit = 10.0 ** json.loads(text)["exponent"]
        check(abs(json.loads(text)["shift"] * unit + 0.7e-6) < 0.15e-6, True, f"samples {seed}: shift")
    write_samples(b, 16000000, 0.7e-6, extra)
    code, text, err = diff("--align", "auto", "--format", "json", "-q", a, b)
    report = json.loads(text)
    check([d["kind"] for d in report["differences"]], ["extra pulse"], f"samples {seed}: a pulse")
    unit = 10.0 ** report["exponent"]
    if report["differences"]:
        check(abs(report["differences"][0]["before"] * unit - quiet[0] - 1e-6) < 0.2e-6, True, f"samples {seed}: when")
        check(abs(report["differences"][0]["length"] * unit - 1e-6) < 0.13e-6, True, f"samples {seed}: how long")


def wrong(work):
    a, b = f"{work}/a.vcd", f"{work}/other.vcd"
    edges, end = make(random.Random(1))
    write(a, edges, end, 100, 40)
    noise, end = make(random.Random(77))
    for name in SIGNALS:  # nothing that repeats
        noise[name] = [(0, 0)] + [(100 + 37 * i * i + 13 * j, (i + j) & 1) for j in range(1) for i in range(1, 40)]
    write(b, noise, 70000, 100, 40)
    check(diff("--align", "auto", a, b)[0], 2, "no shift")
    check(diff("--align", "nothing", a, b)[0], 2, "no such signal")
    check(diff("--align", "rise(nothing)", a, b)[0], 2, "no such signal in an edge")
    check(diff("--align", "auto", "--only", "nothing", a, b)[0], 2, "no signal is asked for")
    check(diff("--align", "10", a, b)[0], 2, "a time without a unit")
    check(diff("--align", "1s", a, b)[0], 2, "no time in common")
    check(diff("--align", "auto", "-", b, stdin=open(a, "rb").read())[0], 2, "a pipe is not searched")
    code, text, _ = diff("--align", "0", "-q", "--format", "json", "-", a, stdin=open(a, "rb").read())
    check((code, json.loads(text)["count"]), (0, 0), "a pipe with a shift")
    code, text, err = diff("--align", "clk", a, a)
    check((code, "PC-W1705" in err, "ambiguous" in text), (0, True, True), "a clock alone is ambiguous")
    # level: one signal is the other way round at the begin, then the same
    inverse = {n: list(e) for n, e in edges.items()}
    inverse["rare"] = [(0, 1)]
    inverse["rare"].append((edges["rare"][1][0] - 500, 0))
    inverse["rare"] += edges["rare"][1:]
    write(b, inverse, end, 100, 40)
    report = json.loads(diff("--align", "auto", "-q", "--format", "json", a, b)[1])
    check([d[:3] for d in told(report)], [("other level", "rare", 60), ("extra edge", "rare", inverse["rare"][1][0] + 100)],
          "another level")


with tempfile.TemporaryDirectory() as work:
    for seed in range(1, 13):
        changed(work, seed)
    for seed in range(31, 37):
        sampled(work, seed)
    wrong(work)
print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0)
