#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tap.py PCOUNTER [CYCLES [ROUNDS]]: what counting in a running simulation costs, beside dumping.

CPU time is user and system of all processes, the median of the rounds; x is that of the run without
anything. `side` is that of the simulation alone, in microseconds an edge, over the run without anything.
"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
cycles = int(sys.argv[2]) if len(sys.argv) > 2 else 1000000
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
here = os.path.dirname(os.path.abspath(__file__))
soc = os.path.join(here, "..", "examples", "soc")


def output(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.strip()


def cpu(words, **more):
    pid = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    _, status, usage = os.wait4(pid.pid, 0)
    if status:
        sys.exit(f"{words}: status {status}")
    return usage.ru_utime + usage.ru_stime


def table(title, ways, edges):
    print(f"\n{title}")
    seconds = {name: [] for name in ways}
    for _ in range(rounds):
        for name, (words, more) in ways.items():
            seconds[name].append(cpu(words, **more))
    base = statistics.median(seconds["nothing"])
    for name, taken in seconds.items():
        ratios = [a / b for a, b in zip(taken, seconds["nothing"])]
        median = statistics.median(taken)
        print(f"  {name:<34} {median:8.3f} s  x {statistics.median(ratios):7.2f}  {(median - base) / edges * 1e6:8.3f} us an edge")


def icarus(work):
    image = os.path.join(work, "soc.vvp")
    subprocess.run(["iverilog", "-g2005", "-s", "soc_tb", "-o", image,
                    *(os.path.join(soc, name) for name in sorted(os.listdir(soc)) if name.endswith(".v"))], check=True)
    measures = os.path.join(soc, "..", "tap", "soc.measures")
    tapped = ["vvp", "-n", f"-M{output('version', '--vpi')}", "-mpcounter", image, "+nodump"]
    table("Icarus, the SoC of examples/soc, 100,000 cycles", {
        "nothing": (["vvp", "-n", image, "+nodump"], {}),
        "pcounter stat -- (VPI)": ([program, "stat", "-q", "-f", measures, "--", *tapped], {}),
        "VCD to a pipe": (["sh", "-c", f"vvp -n {image} +vcd=/dev/stdout | cat >/dev/null"], {}),
    }, 100000)


def build(work, name, *more):
    subprocess.run(["verilator", "--cc", "--exe", "--build", "-O3", "-Wno-fatal", "--top", "tap_cores", "-Mdir",
                    os.path.join(work, name), "-o", "run", os.path.join(here, "tap_cores.sv"), *more,
                    os.path.join(here, "tap_main.cpp")], check=True, stdout=subprocess.DEVNULL)
    return os.path.join(work, name, "run")


def verilator(work):
    bits = [word for g in range(16) for word in ("-e", f"tap_cores.c[{g}].u.o")]
    words = [word for g in range(16) for word in ("-e", f"tap_cores.c[{g}].u.w == 1")]
    taps = {}
    for name, events in (("16 bits", bits), ("256 bits", words)):
        tap = os.path.join(work, f"tap{name[:3].strip()}.sv")
        output("emit", "tap", "-c", "clk", *events, "--scope", "tap_cores", "-o", tap)
        taps[name] = build(work, f"tap{name[:3].strip()}", "+define+PCOUNTER_TAP_ROW=256" if name[0] == "2" else "-O3", tap,
                           output("version", "--dpi-flags"))
    bare, vcd, fst = build(work, "bare"), build(work, "vcd", "--trace"), build(work, "fst", "--trace-fst")
    stat = [program, "stat", "-q", "-c", "tap_cores.clk"]
    n = str(cycles)
    table(f"Verilator, 16 small cores, {cycles:,} cycles", {
        "nothing": ([bare, n], {}),
        "tap of 16 bits, not counted": ([taps["16 bits"], n], {}),
        "pcounter stat --, 16 bits": ([*stat, *bits, "--", taps["16 bits"], n], {}),
        "pcounter stat --, 256 bits": ([*stat, *words, "--", taps["256 bits"], n], {}),
        "VCD to a pipe": (["sh", "-c", f"TRACE_FILE=/dev/stdout {vcd} {n} | cat >/dev/null"], {}),
        "FST": ([fst, n], {"env": {**os.environ, "TRACE_FILE": os.path.join(work, "t.fst")}}),
    }, cycles)


with tempfile.TemporaryDirectory() as folder:
    for tool, job in (("iverilog", icarus), ("verilator", verilator)):
        if shutil.which(tool):
            job(folder)
        else:
            print(f"SKIP {tool}: it is not installed")
