#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""jobs.py BUILD SHARED [JOB...]: whole processes, pcounter beside what one would take or write instead.

Each job is a file and a question. Its tools answer by turns, and answers are compared. CPU time is
user and system, of all processes of a tool, the median of the rounds; x is its time of the base's
within a round, the median. Traces are made in BUILD/bench/traces, and deleted at the end
(PC_BENCH_KEEP=1: they stay).
"""
import csv
import os
import shutil
import subprocess
import sys
import zipfile

import answers
import measure
from measure import Tool, job, ratio, row, run, skip, take_turns

build, shared = (os.path.abspath(path) for path in sys.argv[1:3])
here = os.path.dirname(os.path.abspath(__file__))
bench = os.path.join(build, "bench")
traces = os.path.join(bench, "traces")
program = os.path.join(build, "cli", "pcounter")
fstapi = os.path.join(bench, "peer_fstapi")
measure.ONCE = os.path.join(bench, "once")
C = "getline in C"
FOUR = ["flag0", "flag7", "flag23", "flag58"]


# ---- traces ----

def trace(name, make):
    """The file of that name, in the page cache, and its size; make(PATH) if it is not there."""
    path = os.path.join(traces, name)
    if not os.path.exists(path):
        make(path + ".part")
        os.rename(path + ".part", path)
    with open(path, "rb") as file:
        while file.read(1 << 20):
            pass
    return path, os.path.getsize(path)


def shell(command):
    subprocess.run(["sh", "-c", command], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def vcd(kind, cycles):
    return trace(f"{kind}_{cycles}.vcd", lambda to: shell(f"{bench}/make_trace {kind} {cycles} > {to}"))


def session(samples):
    """Of sigrok: a byte a sample, in parts."""
    def make(to):
        raw = subprocess.run([f"{bench}/make_trace", "probes", str(samples)], capture_output=True, check=True).stdout
        probes = "".join(f"probe{i + 1}=D{i}\n" for i in range(8))
        with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr("version", "2\n")
            out.writestr("metadata", "[global]\nsigrok version=0.5.2\n\n[device 1]\ncapturefile=logic-1\n"
                         f"total probes=8\nsamplerate=24 MHz\ntotal analog=0\n{probes}unitsize=1\n")
            for i in range(0, samples, 4 << 20):
                out.writestr(f"logic-1-{i // (4 << 20) + 1}", raw[i:i + (4 << 20)])
    return trace(f"probes_{samples}.sr", make)


# ---- tools ----

def stat(path, events, *more, threads="1", tool=program, clock="clk"):
    return [tool, "stat", "-q", "-j", threads, "--format", "csv", "-c", clock, "-e", events, *more, path]


def peer(mode, path, *names):
    return [os.path.join(bench, "peer_getline"), mode, path, "clk", *names]


def as_on(isa):
    return os.path.join(bench, "pcounter_" + isa)


def counts(out):
    """Of `pcounter stat --format csv`: cycles, and each event's; of intervals their sums."""
    sums = {}
    for line in csv.DictReader(out.splitlines()):
        if line["kind"] in ("cycles", "event"):
            sums[line["name"]] = sums.get(line["name"], 0) + int(line["value"])
    return list(sums.values())


def plain(out):
    """The same of a peer."""
    return [int(word) for word in out.split()]


def binary_is(path, ones):
    """Are bits 1 and 2 of sigrok's samples as often 1 in front of rising edges of bit 0?"""
    with open(path, "rb") as file:
        samples = file.read().partition(b"\n")[2]
    found, before = [0, 0, 0], samples[0]
    for sample in samples:
        if sample & ~before & 1:
            found = [found[0] + 1, found[1] + (before >> 1 & 1), found[2] + (before >> 2 & 1)]
        before = sample
    return found == ones


# ---- jobs ----

def cpu():
    path, size = vcd("cpu", 2_400_000)
    events = ",".join(FOUR)
    job("VCD of a processor, 4 of 111 signals", [
        Tool("pcounter", stat(path, events), counts),
        Tool("pcounter-avx2: as on a CPU with no more than that", stat(path, events, tool=as_on("avx2")), limit=0.4, of=C),
        Tool("pcounter-sse2: the same", stat(path, events, tool=as_on("sse2")), limit=0.667, of=C),
        Tool(C, peer("ones", path, *FOUR), plain),
        Tool("wc -l, which counts lines", ["wc", "-l", path]),
    ], C, size)
    job("the same, two counters of 64 bits", [
        Tool("pcounter, one event of one bit", stat(path, "flag0")),
        Tool("pcounter, cycle == instret", stat(path, "cycle == instret"), counts, 1.5),
        Tool(C + ", cycle == instret", peer("equal", path, "cycle", "instret"), plain),
    ], "pcounter, one event of one bit", size)


def short():
    path, size = vcd("cpu", 100_000)
    fst = os.path.join(traces, "short.fst")
    answer = counts(run(stat(path, ",".join(FOUR)))[3])
    there = job("a short one, for the slow", [
        Tool("pcounter", stat(path, ",".join(FOUR)), counts),
        Tool("pcounter info, all values of all signals", [program, "info", "-j1", path]),
        Tool(C, peer("ones", path, *FOUR), plain),
        Tool("awk", ["awk", "-v", "names=clk " + " ".join(FOUR), "-f", os.path.join(here, "peers", "ones.awk"), path], plain),
        Tool("vcd2fst, which counts nothing", ["vcd2fst", path, fst]),
    ], C, size, turns=3)
    if there[-1].name.startswith("vcd2fst") and counts(run(stat(fst, ",".join(FOUR)))[3]) != answer:
        sys.exit("vcd2fst made something else")


def two():
    path, size = vcd("two", 20_000_000)
    job("VCD of two signals, 20 million cycles", [
        Tool("pcounter", stat(path, "flag0,flag1"), counts),
        Tool("pcounter -I 1000, as CSV", stat(path, "flag0,flag1", "-I", "1000"), limit=2.5, of="pcounter"),
        Tool(C, peer("ones", path, "flag0", "flag1"), plain),
    ], C, size)
    path, size = vcd("two", 1_000_000)
    made = os.path.join(traces, "short.bin")
    there = job("a short one, for the slow; a row for each rise", [
        Tool("pcounter", stat(path, "flag0,flag1"), counts),
        Tool("pcounter record -o x.csv", [program, "record", "-q", "-c", "clk", "--stop", "rise(flag1)", "-e", "flag0",
                                          "-o", os.path.join(traces, "x.csv"), path]),
        Tool(C, peer("ones", path, "flag0", "flag1"), plain),
        Tool("sigrok-cli, which counts nothing", ["sigrok-cli", "-i", path, "-I", "vcd:numchannels=3", "-O", "binary", "-o", made]),
    ], C, size, turns=3)
    if there[-1].name.startswith("sigrok") and not binary_is(made, counts(run(stat(path, "flag0,flag1"))[3])):
        sys.exit("sigrok-cli made something else")


def tiles():
    path, size = vcd("tiles", 60_000)
    names = ["flag0", "flag1", "flag2", "flag5"]
    job("VCD of 256 tiles, 4 of 2561 signals", [
        Tool("pcounter", stat(path, ",".join("tile0." + name for name in names)), counts),
        Tool(C, peer("ones", path, *names), plain),
    ], C, size)


def wide():
    for bits, cycles in ((512, 1_200_000), (4096, 160_000)):
        path, size = vcd(f"w{bits}", cycles)
        job(f"VCD of two vectors of {bits} bits", [
            Tool("a == b: pcounter", stat(path, "a == b"), counts, 1.0),
            Tool("a == b: pcounter-sse2", stat(path, "a == b", tool=as_on("sse2")), counts, 1.0),
            Tool("a == b: " + C, peer("equal", path, "a", "b"), plain),
            Tool("a[0]: pcounter", stat(path, "a[0]"), counts, 1.2),
            Tool("a[0]: " + C, peer("bit", path, "a", "0"), plain),
        ], C, size)


def packed():
    text, size = vcd("cpu", 400_000)
    path, _ = trace("cpu_400000.vcd.gz", lambda to: shell(f"gzip -c {text} > {to}"))
    job("the processor's VCD, .gz, 4 of 111 signals", [
        Tool("pcounter", stat(path, ",".join(FOUR)), counts),
        Tool("zcat | getline in C", f"zcat {path} | {' '.join(peer('ones', '-', *FOUR))}", plain),
    ], "zcat | getline in C", size)


def fst():
    text, _ = vcd("cpu", 2_400_000)
    if not shutil.which("vcd2fst"):
        return skip("FST", "no vcd2fst of gtkwave, which makes it")
    path, _ = trace("cpu_2400000.fst", lambda to: shell(f"vcd2fst {text} {to}"))
    return job("the processor's trace as FST, 4 of 111 signals", [
        Tool("pcounter", stat(path, ",".join(FOUR)), counts),
        Tool("the reference reader, with its process mask", [fstapi, "ones", path, "clk", *FOUR], plain),
        Tool("fst2vcd | getline in C", f"fst2vcd {path} | {' '.join(peer('ones', '-', *FOUR))}", plain),
    ], "the reference reader, with its process mask", 2_400_000, "Mcycle/s", 3)


def cores():
    cva6 = os.path.join(shared, "waves", "cva6")
    if not os.path.exists(cva6):
        return skip("CVA6 and Ibex", f"{cva6} is not there")
    job("a long run of CVA6, FST, 5 of 40 signals", [
        Tool("pcounter", stat(f"{cva6}/cva6_dhrystone_long_events.fst", "ev_branch_valid,ev_stall_issue,ev_icache_req,"
                              "ev_if_empty,ev_l1_icache_miss", clock="TOP.clk_i"), lambda out: counts(out)[:2] == [4485133, 872401]),
    ], size=4_485_133, unit="Medge/s")
    if not shutil.which(fstapi):
        return skip("check of CVA6", "no fstapi.c of Verilator's package, which makes the run longer")
    path, _ = trace("cva6_18.fst", lambda to: shell(f"{fstapi} repeat {cva6}/cva6_dhrystone.fst {to} 18 2538660"))
    core = ["--core", "cv64a6_imafdc_sv39"]
    described = os.path.join(traces, "cva6.yaml")
    run([program, "emit", "core", *core, "--wave", path, "-o", described])
    job("CVA6, 18 Dhrystones, FST", [
        Tool("pcounter check, 15 registers", [program, "check", "-q", "-j1", *core, path]),
        Tool("pcounter check, by the core's description", [program, "check", "-q", "-j1", "--core", described, path]),
        Tool("pcounter stat, all 22 events", [program, "stat", "-q", "-j1", *core, "-e", "all", path]),
    ], size=4_569_570, unit="Medge/s")
    ibex, = job("Ibex, CoreMark, FST", [
        Tool("pcounter check, 12 registers of a description",
             [program, "check", "-q", "-j1", "--core", f"{shared}/waves/cores/ibex_coremark.yaml", f"{shared}/waves/ibex/ibex_coremark_csregs.fst"]),
    ], size=522_902, unit="Medge/s")
    row("Ibex, a register and edge of the whole process", 1e9 * median_of(ibex.cpu) / 6_274_824, "ns", 50)
    return None


def sigrok():
    path, _ = session(32 << 20)
    job("a sigrok session of 8 probes", [
        Tool("pcounter, 8 events", stat(path, ",".join(f"D{i}" for i in range(8)), clock="sample")),
        Tool("sigrok-cli, which counts nothing", ["sigrok-cli", "-i", path, "-O", "binary", "-o", "/dev/null"]),
    ], "sigrok-cli, which counts nothing", 32 << 20, "Msample/s", 3)


def questions():
    answers.ask(program, bench, trace, shell, shared)


def threads():
    """Two threads beside one."""
    print("\nTwo threads beside one: elapsed time, CPU time")
    cases = [("VCD of a processor", vcd("cpu", 2_400_000)[0], ",".join(FOUR)),
             ("VCD of vectors, a == b of 4096 bits", vcd("w4096", 160_000)[0], "a == b")]
    if shutil.which("pzstd"):
        trace("cpu_2400000.vcd.zst", lambda to: shell(f"pzstd -q -p 2 {cases[0][1]} -o {to}"))
    for name, what in (("cpu_400000.vcd.gz", ".vcd.gz"), ("cpu_2400000.vcd.zst", ".vcd.zst of many frames"), ("cpu_2400000.fst", "FST")):
        if os.path.exists(os.path.join(traces, name)):
            cases.append((what + " of a processor", os.path.join(traces, name), ",".join(FOUR)))
    for title, path, events in cases:
        one, other = take_turns(title, [Tool("pcounter", stat(path, events), counts),
                                        Tool("pcounter, two", stat(path, events, threads="2"), counts)], measure.ROUNDS)
        row(title + ", elapsed", ratio(other.elapsed, one.elapsed), "x", 1.0)
        row(title + ", CPU", ratio(other.cpu, one.cpu), "x", 1.15)


def device():
    """Scripts of register accesses: what one more step costs, the start taken off."""
    print("\nThe modelled device (pcounter run, replay), without the start of the program")
    for chip, setup, register in (("G80", "w 00a7c0 1", "00a600"), ("G84", "w 00a7c4 1", "00a604"), ("G92", "w 00a7c4 1", "00a604"),
                                  ("GT215", "w 00a7c4 1", "00a604"), ("GF100", "w 1b009c 2", "1b0070")):
        scripts = []
        for n in (1, 1001):
            scripts.append(os.path.join(traces, f"{chip}_{n}.pcs"))
            with open(scripts[-1], "w") as out:
                out.write(f"chip {chip}\n{setup}\n" + f"run 1024\nr {register}\n" * n)
        none, many = take_turns(chip, [Tool("pcounter", [program, "run", "-q", script]) for script in scripts], measure.ROUNDS)
        row(f"run of 1,024 cycles and a read: {chip}", 1e3 * median_of(many.cpu, none.cpu), "us", 40 if chip == "GF100" else 15)
    script, log = os.path.join(traces, "million.pcs"), os.path.join(traces, "million.log")
    with open(script, "w") as out:
        out.write("chip G92\n" + "".join(f"w 00a444 {i & 255:x}\nr 00a604\n" for i in range(500_000)))
    run([program, "run", "-q", "--log", f"mmiotrace={log}", script])
    for what, argv in (("run", [program, "run", "-q", script]), ("replay", [program, "replay", "-q", log])):
        tool, = take_turns(what, [Tool("pcounter", argv)], measure.ROUNDS)
        row(f"{what} of a million accesses, whole process", median_of(tool.cpu), "s", 0.8)


def card():
    """Accesses of BAR0 by programs, elapsed: one process, one after another has used the card, one beside another."""
    client = os.path.join(bench, "card_access")
    if not os.path.exists(client):
        return skip("card", "this build has none")
    print("\nAn access of BAR0 (pcounter card)")
    for chip in ("G92", "GK104"):
        for what, how, limit in (("one process", [], None), ("a second process", ["after"], 8), ("two at once, one of them", ["beside"], 16)):
            ns = [float(subprocess.run([program, "card", "-q", "-a", chip, "--", client, *how], capture_output=True, check=True).stdout)
                  for _ in range(measure.ROUNDS)]
            row(f"{what}: {chip}", median_of(ns) / 1e3, "us", limit)


def median_of(a, b=None):
    return measure.median(x - y for x, y in zip(a, b)) if b else measure.median(a)


def start():
    path = os.path.join(here, os.pardir, "examples", "core", "hits.vcd")
    there = take_turns("start", [Tool("pcounter", [program, "stat", "-q", "--clock", "clk", "-e", "rst_n", path]),
                                 Tool("awk", ["awk", "END { print NR }", path])], 20)
    print("\nA start of the program")
    for tool in there:
        row(f"{tool.name}, a waveform of a few cycles", 1e3 * median_of(tool.cpu), "ms")


def machine():
    with open("/proc/cpuinfo") as file:
        name = next((line.partition(": ")[2].strip() for line in file if line.startswith("model name")), "unknown CPU")
    load = os.getloadavg()[0]
    print(f"{name}, {os.cpu_count()} CPUs; {load:.1f} of them busy when this began")
    print("Whole processes, one thread; files in the page cache; x: of the time of the line with 1.00\n"
          f"{'':52}{'CPU s':>9}{'M/s':>8}{'MiB':>6}{'x':>9}")


def main():
    os.makedirs(traces, exist_ok=True)
    machine()
    for part in (cpu, short, two, tiles, wide, packed, fst, cores, sigrok, questions, threads, device, card, start):
        if part.__name__ in sys.argv[3:] or not sys.argv[3:]:
            part()
    if not os.environ.get("PC_BENCH_KEEP"):
        shutil.rmtree(traces)


main()
