# SPDX-License-Identifier: MIT
"""Jobs of jobs.py: answers beyond counts. What they may take is told beside a count of one event, or
in cycles a second."""
import os
import shutil

from measure import Tool, job, median, row, skip, take_turns

BUS_VCD, BUS_FST = 1.6, 6  # times the time of one event


def stat(program, path, clock, *what):
    return [program, "stat", "-q", "-j1", "-c", clock, *what, path]


def buses(program, title, path, clock, event):
    """All buses of a file, beside one event of it."""
    limit = BUS_FST if path.endswith(".fst") else BUS_VCD
    one = "pcounter stat, one event"
    job(title, [
        Tool(one, stat(program, path, clock, "-e", event)),
        Tool("pcounter bus, all buses", [program, "bus", "-q", "-j1", path], limit=limit),
        Tool("pcounter bus --payload, the same", [program, "bus", "-q", "-j1", "--payload", path]),
    ], one, os.path.getsize(path), turns=3)


def activity(program, title, path):
    job(title, [
        Tool("pcounter info", [program, "info", "-j1", path]),
        Tool("pcounter activity", [program, "activity", "-q", "-j1", path], limit=3),
    ], "pcounter info", os.path.getsize(path), turns=3)


def rates(program, path, cycles):
    """Cycles a second of values and latencies."""
    print("\nValues and latencies, FST: million cycles a second, at least")
    for title, what, least in (("--value, another one in each cycle", ("--value", "depth"), 40),
                               ("--value, in every 16th", ("--value", "slow"), 100),
                               ("--latency, a request in every 11th", ("--latency", "req -> ack"), 100)):
        tool, = take_turns(title, [Tool("pcounter", stat(program, path, "clk", *what))], 3)
        row(f"{title}: ns a cycle ({least} M/s: {1e3 / least:g})", 1e9 * median(tool.cpu) / cycles, "ns", 1e3 / least)


def ask(program, bench, trace, shell, shared):
    def made(kind, cycles):
        return trace(f"{kind}_{cycles}.vcd", lambda to: shell(f"{bench}/make_bus {kind} {cycles} > {to}"))[0]

    def packed(text):
        return trace(os.path.basename(text)[:-4] + ".fst", lambda to: shell(f"vcd2fst {text} {to}"))[0]

    soc = made("soc", 2_000_000)
    buses(program, "VCD, four AXI4 buses with traffic in nearly all cycles, in 200 signals", soc, "clk", "dma_axi_arvalid")
    activity(program, "activity of the same", soc)
    cva6, fstapi = f"{shared}/waves/cva6/cva6_dhrystone.fst", os.path.join(bench, "peer_fstapi")
    if not os.path.exists(cva6) or not shutil.which(fstapi) or not shutil.which("fst2vcd"):
        skip("buses of CVA6", "no cva6_dhrystone.fst, fst2vcd or fstapi.c of Verilator's package")
    else:
        long, _ = trace("cva6_5.fst", lambda to: shell(f"{fstapi} repeat {cva6} {to} 5 2538660"))
        text, _ = trace("cva6_5.vcd", lambda to: shell(f"fst2vcd -f {long} -o {to}"))
        for path, what in ((text, "VCD"), (long, "FST")):
            buses(program, f"CVA6, five Dhrystones, {what}: six buses in 402 nets", path, "TOP.clk_i",
                  "TOP.cva6_wave_top.axi_ar_valid")
            activity(program, f"activity of the same, {what}", path)
    if not shutil.which("vcd2fst"):
        return skip("values, latencies", "no vcd2fst of gtkwave, which makes the FST")
    buses(program, "FST, four AXI4 buses with traffic in nearly all cycles", packed(soc), "clk", "dma_axi_arvalid")
    return rates(program, packed(made("fifo", 10_000_000)), 10_000_000)
