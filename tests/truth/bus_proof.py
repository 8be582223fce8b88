#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What bus says of clocks and resets: proved by the data, on waveforms that are made here, and on those of others.

    bus_proof.py PROGRAM SHARED

Without SHARED (cases3/bus) the made ones alone are tried, and SKIP is said.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

import tally
from tally import check

program, shared = sys.argv[1], sys.argv[2]


def buses(path):
    out = subprocess.run([program, "bus", "-q", "--format", "json", path], capture_output=True, text=True).stdout
    return {b["name"]: b for b in json.loads(out)["buses"]} if out else {}


# ---- made here ----

def vcd(path, nets, steps):
    """nets: path to key; steps: (time, {key: value})"""
    ident = {k: chr(33 + i) for i, k in enumerate(dict.fromkeys(nets.values()))}
    width = {k: 1 for k in ident}
    with open(path, "w", encoding="ascii") as f:
        f.write("$timescale 1ns $end\n")
        for name, key in nets.items():
            scopes, _, leaf = name.rpartition(".")
            leaf, _, bits = leaf.partition(":")
            kind, n = ("integer", 32) if bits == "integer" else ("wire", int(bits or 1))
            width[key] = n
            f.write("".join(f"$scope module {s} $end\n" for s in scopes.split(".")))
            f.write(f"$var {kind} {n} {ident[key]} {leaf}{f' [{n - 1}:0]' if n > 1 and kind == 'wire' else ''} $end\n")
            f.write("$upscope $end\n" * len(scopes.split(".")))
        f.write("$enddefinitions $end\n")
        last = {}
        for at, values in steps:
            f.write(f"#{at}\n")
            for key, value in values.items():
                if key in ident and last.get(key) != value:
                    f.write(f"{value}{ident[key]}\n" if width[key] == 1 else f"b{value:b} {ident[key]}\n")
                    last[key] = value


def run_of(periods, of, cycles=600, reset=8, low=False, delay=0):
    """A bus that moves at random with the clock `of`; each clock by its half period; steps and beats."""
    random.seed(7)
    events = {}
    for key, half in periods.items():
        for k in range(1, 2 * cycles * periods[of] // half):
            events.setdefault(k * half, {})[key] = k % 2
    count = v = r = n = 0
    for at in sorted(events):
        if events[at].get(of) == 1:
            if n >= reset:
                count += v & r
            n += 1
            v, r = (random.getrandbits(1), random.getrandbits(1)) if n > reset else (0, 0)
            events.setdefault(at + delay, {}).update({"v": v, "r": r, "rst": int((n < reset) != low)})
    first = {0: {**{k: 0 for k in periods}, "v": 0, "r": 0, "rst": int(not low)}}
    return list(first.items()) + sorted(events.items()), count


def one(folder, what, nets, steps, want):
    path = f"{folder}/w.vcd"
    vcd(path, nets, steps)
    got = [[b["name"], b.get("clock"), b.get("reset"), b.get("reset_active"),
            b.get("channels", {}).get("", {}).get("beat"), bool(b.get("unsure"))] for b in buses(path).values()]
    check(what, got, want)


def made(folder):
    bus = {"t.valid": "v", "t.ready": "r"}
    for name, low in (("rst", 0), ("nReset", 1), ("ARESETn", 1), ("rst_ni", 1), ("reset", 1), ("xrst", 0), ("sys_rst", 0)):
        steps, beats = run_of({"c": 5}, "c", low=low)
        one(folder, f"reset {name}, low {low}", {"t.clk": "c", "t." + name: "rst", **bus}, steps,
            [["t", "t.clk", "t." + name, 1 - low, beats, False]])
    for name in ("burst", "first", "worst", "preset", "rst_done", "reset_count"):
        steps, beats = run_of({"c": 5}, "c", reset=0)
        steps = [(at, {**v, "rst": at // 10 % 3 % 2}) for at, v in steps]
        one(folder, f"{name} is no reset", {"t.clk": "c", "t." + name: "rst", **bus}, steps,
            [["t", "t.clk", None, None, beats, False]])
    for what, periods, of, delay in (("a slower clock", {"c": 5, "d": 10}, "d", 0), ("a faster clock", {"c": 5, "d": 10}, "c", 0),
                                     ("another clock", {"c": 5, "d": 7}, "d", 0), ("delays", {"c": 5, "d": 7}, "d", 1),
                                     ("a clock that is still", {"c": 10**6, "d": 7}, "d", 0)):
        steps, beats = run_of(periods, of, reset=0, delay=delay)
        one(folder, what, {"t.rx_clk": "c", "t.tx_clk": "d", "t.rx_valid": "v", "t.rx_ready": "r"}, steps,
            [["t.rx", "t.rx_clk" if of == "c" else "t.tx_clk", None, None, beats, False]])
    steps, _ = run_of({"c": 5, "d": 7}, "c", reset=0)
    still = [(at, {k: x for k, x in v.items() if k not in "vr"} | ({"v": 0, "r": 0} if at == 0 else {})) for at, v in steps]
    one(folder, "nothing moves", {"t.a_clk": "c", "t.b_clk": "d", **bus}, still, [["t", None, None, None, None, True]])
    steps, beats = run_of({"c": 5}, "c", reset=0)
    names = {"t.clk": "c", **bus, "t.u.in_valid": "v2", "t.u.in_ready": "r2"}
    one(folder, "one row a net", names, [(at, {**v, **({"v2": v["v"], "r2": v["r"]} if "v" in v else {})}) for at, v in steps],
        [["t", "t.clk", None, None, beats, False]])
    check("its other name", buses(f"{folder}/w.vcd")["t"]["aliases"], ["t.u.in"])
    vcd(f"{folder}/w.vcd", {"t.clk": "c", "t.ram[0].u.x_valid": "v", "t.ram[0].u.x_ready": "r"}, steps)
    for name in ("t.ram[0].u.x", "ram[0].u.x", "x"):
        run = subprocess.run([program, "bus", "-q", f"{folder}/w.vcd", "--expect", f"{name}.beat == {beats}"], capture_output=True)
        check(f"{name} in an expectation", run.returncode, 0)
    vcd(f"{folder}/w.vcd", names, [(at, {**v, **({"v2": v["v"], "r2": v["r"]} if "v" in v else {})}) for at, v in steps])
    run = subprocess.run([program, "bus", "-q", f"{folder}/w.vcd", "--expect", f"t.u.in.beat == {beats}"], capture_output=True)
    check("another name in an expectation", run.returncode, 0)
    for bits in ("4", "integer"):
        counts = [(at, {"c": v["c"], **({"v": at // 10 % 16, "r": at // 10 * 3 % 16} if v["c"] else {})}) for at, v in steps]
        path = f"{folder}/w.vcd"
        vcd(path, {"t.clk": "c", f"t.x_valid:{bits}": "v", f"t.x_ready:{bits}": "r"}, counts)
        check(f"what counts is no bus, {bits}", buses(path), {})


def halves(folder):
    steps, beats = run_of({"c": 5}, "c", reset=0)
    nets = {"t.clk": "c", "t.ll_src_rdy_n": "v", "t.ll_dst_rdy_n": "r"}
    one(folder, "LocalLink", nets, [(at, {k: 1 - x if k in "vr" else x for k, x in v.items() if k != "rst"}) for at, v in steps],
        [["t.ll", "t.clk", None, None, beats, False]])
    for a, b in (("axi_m2s", "axi_s2m"), ("axi_mosi", "axi_miso"), ("axiReadMaster", "axiReadSlave"), ("aximo", "aximi")):
        steps, _ = run_of({"c": 5}, "c", reset=0)
        nets = {"t.clk": "c", f"t.{a}.ar.valid": "v", f"t.{b}.ar.ready": "r", f"t.{b}.r.valid": "r2", f"t.{a}.r.ready": "v2",
                f"t.{b}.r.resp": "x", f"t.{a}.ar.addr": "y"}
        vcd(f"{folder}/w.vcd", nets, [(at, {**v, "v2": v.get("r", 0), "r2": v.get("v", 0), "x": 0, "y": 0}) for at, v in steps])
        got = buses(f"{folder}/w.vcd")
        check(f"{a} and {b}", [b["protocol"] for b in got.values()], ["axi4-lite"])


# ---- of others ----

CASES = {  # beats by bus, clock, reset
    "burst": {"t.mem": (100, "t.clk", "t.sys_rst", 1), "t.sink": (100, "t.clk", "t.sys_rst", 1)},
    "rst": {"t": (100, "t.clk", "t.rst", 1)},
    "nreset": {"t": (100, "t.clk", "t.nReset", 0)},
    "clk": {"t": (100, "t.clk_gen", None, None)},
    "litex": {"TOP.t.tx_fifo_sink": (100, "TOP.t.sys_clk", "TOP.t.sys_rst", 1)},
    "cdc": {"t.read": (50, "t.clk_read", None, None), "t.write": (100, "t.clk_write", None, None)},
    "cnt": {"t": (33, "t.clk", None, None)},
}


def others():
    for name, want in CASES.items():
        got = buses(f"{shared}/cases3/bus/{name}.vcd")
        check(name, {n: (b["channels"][""]["beat"], b["clock"], b["reset"], b["reset_active"]) for n, b in got.items()}, want)


with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as made_folder:
    made(made_folder)
    halves(made_folder)
if os.path.isdir(shared + "/cases3"):
    others()
else:
    print("SKIP: " + shared + "/cases3 is not there: the waveforms of others are not tried")
tally.end(20)
