# SPDX-License-Identifier: MIT
"""The package against the program, the C interface and itself."""
import gc
import json
import os
import subprocess
import time
from pathlib import Path

import numpy as np
import pcounter
import pytest
from pcounter._library import lib

SOC = Path(__file__).parents[2] / "examples/soc"
CLOCK = "posedge soc_tb.clk iff soc_tb.rst_n"


def program(*arguments):
    return json.loads(subprocess.run([os.environ["PC_PROGRAM"], *arguments, "--format", "json"],
                                     check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("file", ["soc.fst", "soc.vcd.gz"])
@pytest.mark.parametrize("clock", [CLOCK, "negedge soc_tb.clk", "soc_tb.mem_clk", "every 7ns", "sample"])
def test_stat_is_the_programs(file, clock):
    events = {"requests": "grant != 0", "waits": "dma.req_valid & !dma.req_ready", "again": "hit & prev(hit)",
              "levels": "fifo_level[4:2] == 3", "all": "fifo_level == 16"}
    rows = pcounter.stat(SOC / file, clock, events)
    arguments = [f"{name}={text}" for name, text in events.items()]
    report = program("stat", "--clock", clock, *(a for e in arguments for a in ("-e", e)), str(SOC / file))
    assert rows[0]["value"] == report["cycles"]
    assert rows[1:] == report["events"]


def test_counts_are_the_designs_own():
    truth = dict(line.split() for line in (SOC / "soc.truth.txt").read_text().splitlines() if line[:1].isalpha())
    rows = pcounter.stat(SOC / "soc.fst", CLOCK, {"hits": "hit", "misses": "miss", "responses": "resp_valid"})
    assert [row["value"] for row in rows] == [int(truth[name]) for name in ("cycles", "hits", "misses", "responses")]


def test_planes_are_views_and_values_are_right():
    wave = pcounter.Wave(SOC / "soc.fst")
    full = cycles = 0
    for block in wave.blocks(CLOCK, "fifo_level", "hit"):
        assert len(block.value["fifo_level"]) == 5 and not block.value["hit"][0].flags.owndata
        full += int((block.levels("fifo_level") == 16).sum())
        cycles += block.cycles
    assert (full, cycles) == (17744, 100000)
    values = wave.read(CLOCK, "fifo_level")  # a second reading
    assert values.shape == (100000,) and (values == 16).sum() == 17744


def test_views_outlive_the_reader():
    blocks = pcounter.Wave(SOC / "soc.fst").blocks(CLOCK, "hit")
    words = next(blocks).value["hit"][0]
    del blocks
    gc.collect()
    assert pcounter.levels(words, 64).dtype == bool and not words.flags.writeable


def test_unknown_values_taint(tmp_path):
    vcd = tmp_path / "x.vcd"
    vcd.write_text("$timescale 1ns $end $var wire 1 ! clk $end $var wire 1 % a $end $enddefinitions $end\n"
                   + "".join(f"#{2 * i}\n0!\n#{2 * i + 1}\n1!\n{'x' if i == 2 else i % 2}%\n" for i in range(6)))
    report = program("stat", "--clock", "clk", "-e", "a", str(vcd))
    rows = pcounter.stat(vcd, "clk", ["a"])
    assert rows[1:] == report["events"] and rows[1]["state"] == "tainted"


def test_a_plane_played_is_a_plane_run():
    rng = np.random.default_rng(1)
    signal = rng.random(5000) < 0.3
    counted = []
    for words in (signal, pcounter.plane(signal), signal.astype(int).tolist()):
        unit = pcounter.Unit("G92")
        pcounter.compile("G92", {"n": "s10"}, domain=1).apply(_Writes(unit))
        unit.run(5000, {1: {0x10: words}})
        unit.regs.PRE_OP[1] = 0xaaaa  # swaps
        unit.run(64, {})
        counted.append(unit.regs.CTR_PRE[1].value)
    assert counted[0] == counted[1] == counted[2] and abs(counted[0] - int(signal.sum())) <= 1
    assert (pcounter.levels(pcounter.plane(signal), 5000) == signal).all()
    with pytest.raises(ValueError, match="no plane of 6000 cycles"):
        pcounter.Unit("G92").run(6000, {1: {0x10: signal}})


class _Writes:
    """A unit where Program.apply() wants a device."""

    def __init__(self, unit):
        self.read32, self.write32 = unit.read, unit.write


def test_steps_are_a_run():
    a, b = pcounter.Unit("GT215"), pcounter.Unit("GT215")
    for unit in (a, b):
        pcounter.compile("GT215", {"n": "rise(s10)"}, domain=0).apply(_Writes(unit))
    pattern = [i % 3 == 0 for i in range(200)]
    for level in pattern:
        a.step({0: level << 0x10})
    b.run(200, {0: {0x10: pattern}})
    assert a.save() == b.save() and a.cycle() == 200


def test_registers_by_name(gpu):
    g = gpu("G92")
    g.regs.CTRL[1].MODE = "QUAD"
    assert g.read(0xa7c4) == g.regs.CTRL[1] == g.regs["CTRL[1]"].value == 1
    g.regs.PRE_SRC[0] = 0x04030201
    assert g.read(0xa400, 8) & 0xffffffff == 0x04030201 and g.read(0xa402, 1) == 3
    with pytest.raises(AttributeError, match="near names: CTRL"):
        g.regs.CTRX = 1
    with pytest.raises(AttributeError, match="has no field MOD"):
        g.regs.CTRL[0].MOD
    with pytest.raises(AttributeError, match="several registers"):
        g.regs.CTRL.value = 1
    names = [r.name for r in g.chip.registers()]
    assert "CTRL[7]" in names and len(names) == len(set(names))


def test_snapshot_and_reset(gpu):
    a, b = gpu("GF108"), gpu("GF108")
    a.regs["gpc0.0.CTRL"] = 1
    a.run(100)
    b.load(a.save())
    assert b.save() == a.save() and b.regs["gpc0.0.CTRL"].value == 1
    b.reset()
    assert b.regs["gpc0.0.CTRL"].value == 0
    with pytest.raises(pcounter.Error) as error:
        b.load(b"nothing")
    assert error.value.status == "PC_EINPUT" and error.value.code.startswith("PC-E") and error.value.help


def test_callbacks_live_as_long_as_the_device():
    seen = []
    device = pcounter.Gpu("G92", other=lambda address, is_write, value: seen.append((address, is_write, value)) or 7)
    read = device.read32
    del device
    gc.collect()
    assert read(0x610000) == 7 and seen == [(0x610000, False, 0)]


def test_time(gpu):
    g = gpu("G80", ptimer=True)
    g.latency(0, 0)
    g.clock(575_000_000)
    g.elapse(1000)
    assert 0 <= g.now_ns - g.read(0x9400) < 32 and 996 <= g.now_ns <= 1000
    assert not g.decodes(0x9404) and g.decodes(0xa400)


@pytest.mark.parametrize("chip", [chip.name for chip in pcounter.chips()])
def test_every_chip(chip):
    try:
        device = pcounter.Gpu(chip)
    except pcounter.Error as error:
        assert error.status in ("PC_ENOUNIT", "PC_EUNSUP")
        return
    for register in list(device.chip.registers())[:100]:
        device.read(register.address)
    assert len(device.chip.domains) == lib.pc_gpu_domain_count(device._gpu)


def test_identity():
    assert pcounter.Chip("G80").pci == (0x10de, 0x0190) and pcounter.Chip("GK20A").pci is None


def test_compile_and_decode():
    events = {"a": "rise(s10)", "b": "s11 & !s12"}
    program_ = pcounter.compile("G92", events, domain=1)
    words = {write.name: write.value for write in program_.writes}
    meant = pcounter.decode("G92", words)["1"]
    assert {name: meant[slot] for name, slot in program_.inputs.items()} == events
    report = program("compile", "-a", "G92", "-d", "1", "-e", "{a=rise(s10), b=s11 & !s12}")
    assert [int(w["address"], 16) for w in report["writes"]] == [w.address for w in program_.writes]
    with pytest.raises(pcounter.Error) as error:
        pcounter.compile("G92", event="s[19:10] == 5 & s20 & s30")
    assert error.value.status == "PC_EUNFIT"
    with pytest.raises(ValueError, match="larger number"):
        pcounter.compile("G92", event="s[10:19] == 5")


def test_mistakes():
    with pytest.raises(LookupError, match="G92"):
        pcounter.Chip("G93")
    with pytest.raises(pcounter.Error, match="did you mean: hit") as error:
        pcounter.stat(SOC / "soc.fst", CLOCK, ["miss & hitt"])
    assert error.value.column == 8
    with pytest.raises(pcounter.Error) as error:
        pcounter.Wave(SOC / "nothing.fst")
    assert error.value.status == "PC_ENOENT"
    with pytest.raises(RuntimeError, match="no variable|PC-E"):
        pcounter.report("stat", "-e", "hitt", SOC / "soc.fst", program=os.environ["PC_PROGRAM"])


def test_report_is_the_programs():
    report = pcounter.report("bus", SOC / "soc.fst", program=os.environ["PC_PROGRAM"])
    assert report == program("bus", str(SOC / "soc.fst"))


def test_reads_take_little_more_than_cffis():
    """At least 0.4 of a bare loop over the C function, in the same run."""
    device = pcounter.Gpu("G92")
    handle, function, register = device._gpu, lib.pc_gpu_read, device.regs.CTRL[1]

    def bare():
        for _ in range(20000):
            function(handle, 0xa7c4, 4)

    def read():
        for _ in range(20000):
            device.read(0xa7c4)

    def value():
        for _ in range(20000):
            register.value

    def seconds(loop):
        begin = time.process_time()
        loop()
        return time.process_time() - begin
    best = {loop.__name__: min(seconds(loop) for _ in range(7)) for loop in (bare, read, value)}
    ratios = {name: best["bare"] / best[name] for name in ("read", "value")}
    print(ratios)
    assert min(ratios.values()) >= 0.4
