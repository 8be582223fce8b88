# SPDX-License-Identifier: MIT
"""The package against the program, the C interface and itself."""
import copy
import errno
import gc
import json
import os
import pickle
import subprocess
import sys
import threading
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


def test_measures_are_the_programs():
    """Rows of values, latencies, states and levels; a distribution against numpy."""
    measures = {"values": {"left": "dma.left"}, "latencies": {"grant": "rise(dma.req_valid) -> dma.req_valid & dma.req_ready"},
                "states": ["arbiter.last"], "levels": {"q": "0 +hit -0"}}
    told = program("stat", "--clock", CLOCK, "--value", "left=dma.left", "--latency", f"grant={measures['latencies']['grant']}",
                   "--states", "arbiter.last", "--level", "q=0 +hit -0", str(SOC / "soc.fst"))
    rows = pcounter.stat(SOC / "soc.fst", CLOCK, {"hits": "hit"}, **measures, program=os.environ["PC_PROGRAM"])
    assert rows[:2] == pcounter.stat(SOC / "soc.fst", CLOCK, {"hits": "hit"})
    assert [(row["name"], row["kind"]) for row in rows[2:]] == [("left", "value"), ("grant", "latency"),
                                                                ("arbiter.last", "states"), ("q", "level")]
    for row, name in zip(rows[2:], ("values", "latencies", "states", "levels")):
        assert {key: value for key, value in row.items() if key != "kind"} == told[name][0]
    left = pcounter.Wave(SOC / "soc.fst").read(CLOCK, "dma.left").astype(int)
    assert (rows[2]["count"], rows[2]["sum"], rows[2]["max"]) == (len(left), left.sum(), left.max())
    assert rows[2]["p90"] == np.sort(left)[-(-len(left) * 9 // 10) - 1]
    assert rows[5]["max"] == rows[1]["value"]


def test_measures_are_of_a_file():
    with pytest.raises(TypeError, match="of a file"):
        pcounter.stat(clock="clk", values=["a"], command=["true"])
    with pytest.raises(RuntimeError, match="signal not found"):
        pcounter.stat(SOC / "soc.fst", CLOCK, values=["nosuch"], program=os.environ["PC_PROGRAM"])


def test_measures_after_the_edge():
    def first(post_edge):
        return pcounter.stat(SOC / "soc.fst", CLOCK, values=["arbiter.last"], post_edge=post_edge, program=os.environ["PC_PROGRAM"])[1]
    values = pcounter.Wave(SOC / "soc.fst").read(CLOCK, "arbiter.last", post_edge=True)
    assert first(True)["sum"] == values.astype(int).sum() != first(False)["sum"]


def test_blocks_are_planes_and_values_are_right():
    wave = pcounter.Wave(SOC / "soc.fst")
    full = cycles = 0
    for block in wave.blocks(CLOCK, "fifo_level", "hit"):
        assert len(block.value["fifo_level"]) == 5 and len(block.value["hit"][0]) == len(block) == block.cycles
        full += int((block.levels("fifo_level") == 16).sum())
        cycles += block.cycles
    assert (full, cycles) == (17744, 100000)
    values = wave.read(CLOCK, "fifo_level")  # a second reading
    assert values.shape == (100000,) and (values == 16).sum() == 17744


def test_blocks_stay_as_they_are():
    """In a list, after their reader, and with two readings at once."""
    wave = pcounter.Wave(SOC / "soc.fst")
    blocks = list(wave.blocks(CLOCK, "hit"))
    first, second = wave.blocks(CLOCK, "hit"), wave.blocks(CLOCK, "fifo_level")
    pairs = list(zip(first, second))
    del wave, first, second
    gc.collect()
    assert len(blocks) == len(pairs) == 7
    assert sum(block.value["hit"][0].ones() for block in blocks) == 4824
    assert all(a == b.value["hit"][0] for (a, b) in zip((pair[0].value["hit"][0] for pair in pairs), blocks))
    assert sum(int((pair[1].levels("fifo_level") == 16).sum()) for pair in pairs) == 17744
    with pytest.raises(ValueError, match="read-only"):
        blocks[0].value["hit"][0].words[0] = 1


def test_plane():
    levels = np.arange(130) % 3 == 0
    plane = pcounter.Plane(levels)
    assert len(plane) == 130 and plane.ones() == 44 and list(plane) == levels.tolist() == [bool(x) for x in plane]
    assert plane[0] is True and plane[-1] is True and plane[1] is False and (plane[60:70] == levels[60:70]).all()
    assert (np.asarray(plane) == levels).all() and plane == pcounter.Plane(plane) != pcounter.Plane(levels[:129])
    assert pcounter.Plane.from_words(plane.words, 130) == plane and pcounter.Plane([]).ones() == 0
    dirty = pcounter.Plane.from_words(np.array([2 ** 64 - 1, 2 ** 64 - 1], np.uint64), 66)  # what is beyond counts for nothing
    assert dirty.ones() == 66 and dirty == pcounter.Plane([1] * 66)
    for t in (130, -131):
        with pytest.raises(IndexError, match=f"cycle {t} of 130"):
            plane[t]
    for words, cycles in (([1], 1), (np.zeros(1), 1), (np.zeros((1, 1), np.uint64), 1)):
        with pytest.raises(TypeError, match="array of uint64"):
            pcounter.Plane.from_words(words, cycles)
    for cycles in (-1, 64, 128, 193):
        with pytest.raises(ValueError, match="words, not 3"):
            pcounter.Plane.from_words(plane.words, cycles)


NO_LEVELS = [("0000", TypeError, "not a text"), (b"\1\0", TypeError, "not a text"), ((x for x in [True]), TypeError, "generator"),
             (1, TypeError, "not a int"), (None, TypeError, "NoneType"), ([0.0, 1.0], TypeError, "float64"),
             (["0", "1"], TypeError, "levels are"), ([None], TypeError, "levels are"), ([[0, 1], [1, 0]], ValueError, "one dimension, not 2"),
             ([0, 2], ValueError, "cycle 1 is 2"), ([0, -1], ValueError, "cycle 1 is -1"), ({0: 1}, ValueError, "one dimension"),
             (np.array([5], np.uint64), ValueError, "Plane.from_words")]


@pytest.mark.parametrize("levels,kind,text", NO_LEVELS)
def test_what_is_not_levels_is_refused(gpu, levels, kind, text):
    device = gpu("G92")
    before = device.save()
    for call in (lambda: device.play(0x10, levels), lambda: device.edges(1, {0: {0x10: levels}}), lambda: pcounter.Plane(levels),
                 lambda: pcounter.Unit("G92").run(1, {0: {0x10: levels}})):
        if hasattr(levels, "send"):
            levels = (x for x in [True])
        with pytest.raises(kind, match=text):
            call()
    assert device.save() == before


def test_levels_of_all_kinds_are_the_same(gpu):
    signal = np.arange(100) % 7 == 0
    states = set()
    for levels in (signal, signal.tolist(), signal.astype(int), signal.astype(np.uint64), tuple(signal), bytearray(signal),
                   pcounter.Plane(signal)):
        device = gpu("G92")
        device.play(0x10, levels)
        device.run(50)
        states.add(device.save())
    assert len(states) == 1


def test_accesses_that_do_not_fit_are_refused(gpu):
    device, unit = gpu("G92"), pcounter.Unit("G92")
    before = device.save()
    for size in (0, 3, 5, 9, -1):
        with pytest.raises(ValueError, match=f"not {size}"):
            device.read(0xa7c4, size)
        with pytest.raises(ValueError, match=f"not {size}"):
            device.write(0xa7c4, 0, size)
    for value, size in ((1 << 40, 4), (256, 1), (-1, 4), (1 << 64, 8)):
        with pytest.raises(OverflowError, match=f"fit into {size} bytes"):
            device.write(0xa7c4, value, size)
    for access in (lambda: device.write32(0xa7c4, 1 << 32), lambda: device.read(1 << 32), lambda: device.read32(-1),
                   lambda: unit.write(0xa7c4, 1 << 32), lambda: device.run(-1), lambda: device.elapse(1 << 64),
                   lambda: setattr(device.regs.CTRL[1], "value", 1 << 32),
                   lambda: pcounter.decode("G92", {"PRE_SRC[1]": 1 << 40})):
        with pytest.raises(OverflowError):
            access()
    for access in (lambda: device.write(0xa7c4, "1"), lambda: device.write32(0xa7c4, 1.0), lambda: device.read("a7c4"),
                   lambda: setattr(device.regs.CTRL[1], "value", 1.0), lambda: setattr(device.regs.CTRL[1], "value", "1"),
                   lambda: setattr(device.regs.CTRL[1], "MODE", 1.0), lambda: device.set(0x10, "0"), lambda: device.run(1.5)):
        with pytest.raises(TypeError):
            access()
    for access in (lambda: unit.cycle(8), lambda: unit.diagnostics(-1), lambda: unit.step({8: 1}), lambda: unit.step({-1: 1}),
                   lambda: unit.step(edges=256), lambda: unit.step({0: 1 << 96}), lambda: unit.step({0: -1}), lambda: unit.run(1, {0: {96: [1]}}),
                   lambda: device.edges(1, {0: {96: [1]}}), lambda: gpu("GF100").edges(1, {6: {128: [1]}}),
                   lambda: device.chip.signals(8), lambda: pcounter.compile("G92", domain=8), lambda: unit.run(1, {8: {0: [1]}}), lambda: unit.run(1, {0: {-1: [1]}})):
        with pytest.raises(IndexError):
            access()
    for access in (lambda: device.pulse("never"), lambda: pcounter.Unit("G92", of="none"), lambda: pcounter.compile("G92", mode="x"),
                   lambda: device.set(0x10, 2), lambda: unit.run(-1, {})):
        with pytest.raises(ValueError):
            access()
    assert device.save() == before


def test_unknown_values_taint(tmp_path):
    vcd = tmp_path / "x.vcd"
    vcd.write_text("$timescale 1ns $end $var wire 1 ! clk $end $var wire 1 % a $end $enddefinitions $end\n"
                   + "".join(f"#{2 * i}\n0!\n#{2 * i + 1}\n1!\n{'x' if i == 2 else i % 2}%\n" for i in range(6)))
    report = program("stat", "--clock", "clk", "-e", "a", str(vcd))
    rows = pcounter.stat(vcd, "clk", ["a"])
    assert rows[1:] == report["events"] and rows[1]["state"] == "tainted"
    with pytest.warns(UserWarning, match="a has unknown bits, which are 0 here, in [12] of 6 cycles"):
        pcounter.Wave(vcd).read("clk", "a")


def test_a_plane_played_is_a_plane_run():
    rng = np.random.default_rng(1)
    signal = rng.random(5000) < 0.3
    counted = []
    for words in (signal, pcounter.Plane(signal), signal.astype(int).tolist()):
        unit = pcounter.Unit("G92")
        pcounter.compile("G92", {"n": "s10"}, domain=1).apply(_Writes(unit))
        unit.run(5000, {1: {0x10: words}})
        unit.regs.PRE_OP[1] = 0xaaaa  # swaps
        unit.run(64, {})
        counted.append(unit.regs.CTR_PRE[1].value)
    assert counted[0] == counted[1] == counted[2] and abs(counted[0] - int(signal.sum())) <= 1
    for cycles in (4999, 6000):
        with pytest.raises(ValueError, match=f"5000 levels for {cycles} cycles"):
            pcounter.Unit("G92").run(cycles, {1: {0x10: signal}})


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
    with pytest.raises(AttributeError, match="did you mean CTRL"):
        g.regs.CTRX = 1
    with pytest.raises(AttributeError, match="has no field MOD"):
        g.regs.CTRL[0].MOD
    with pytest.raises(AttributeError, match="several registers"):
        g.regs.CTRL.value = 1
    names = [r.name for r in g.chip.registers()]
    assert "CTRL[7]" in names and len(names) == len(set(names))


def test_registers_can_be_explored(gpu):
    g = gpu("G92")
    assert len(g.regs.CTRL) == 8 and [r.info.name for r in g.regs.CTRL] == [f"CTRL[{i}]" for i in range(8)]
    assert len(g.regs.SIG_STATUS) == 8 and len(g.regs.SIG_STATUS[0]) == 8 and "CTRL" in dir(g.regs) and "MODE" in dir(g.regs.CTRL[1])
    for i in (8, -1):
        with pytest.raises(IndexError, match=r"no CTRL\[.*\]; there are 0 to 7$"):
            g.regs.CTRL[i]
    with pytest.raises(TypeError):
        g.regs.CTRL["1"]
    assert list(g.regs) == [r.name for r in g.chip.registers()] and len(g.regs) == 267
    assert "CTRL[7]" in g.regs and "CTRL[8]" not in g.regs and 5 not in g.regs
    other = gpu("GF100")
    with pytest.raises(IndexError, match="2 to 69 with gaps"):
        other.regs.MAIN_UNK[3]
    assert len(other.regs.MAIN_UNK) == 27 == len(list(other.regs.MAIN_UNK))
    assert all(getattr(other.regs, name) is not None for name in dir(other.regs))
    for thing in (g, g.regs, g.regs.CTRL, g.regs.CTRL[1], g.chip, pcounter.Unit("G92"), pcounter.Wave(SOC / "soc.fst"),
                  pcounter.Plane([1]), pcounter.compile("G92", event="s10"), next(pcounter.Wave(SOC / "soc.fst").blocks(CLOCK, "hit"))):
        assert " at 0x7" not in repr(thing) and len(repr(thing)) < 200
    for name in dir(g.regs.CTRL[1]):
        getattr(g.regs.CTRL[1], name)


def test_public_names_have_docstrings():
    for name in pcounter.__all__:
        thing = getattr(pcounter, name)
        assert thing.__doc__, name
        for member in (m for m in vars(thing) if not m.startswith("_")) if isinstance(thing, type) else ():
            value = getattr(thing, member)
            if callable(value) or isinstance(value, property):
                assert value.__doc__, f"{name}.{member}"


@pytest.mark.parametrize("make", [lambda: pcounter.Gpu("G92", ptimer=True, stepping=0xa2),
                                  lambda: pcounter.Unit("G92")])
def test_a_deep_copy_is_a_device_of_its_own(make):
    thing = make()
    thing.regs.CTRL[1].MODE = "QUAD"
    (thing.run(100) if isinstance(thing, pcounter.Gpu) else thing.run(100, {}))
    twin = copy.deepcopy({"it": thing, "again": thing})
    assert twin["it"] is twin["again"] is not thing
    twin = twin["it"]
    assert twin.save() == thing.save() and twin.regs.CTRL[1].MODE == "QUAD"
    twin.regs.CTRL[1].MODE = "SINGLE"
    assert thing.regs.CTRL[1].MODE == "QUAD" and thing.chip == twin.chip


def test_a_deep_copy_keeps_what_a_snapshot_lacks(gpu):
    seen = []
    device = gpu("G92", stepping=0xa2, other=lambda address, is_write, value: seen.append(address) or 5)
    device.latency(0, 7)
    twin = copy.deepcopy(device)
    for d in (device, twin):
        d.read(0x610000)
    assert seen == [0x610000] * 2 and twin.save() == device.save() and twin.read(0) == device.read(0)
    assert copy.deepcopy(pcounter.Chip("G92")) == pickle.loads(pickle.dumps(pcounter.Chip("G92"))) == device.chip


def test_two_threads_use_one_device(gpu):
    """Nothing that one of them does is lost."""
    device, unit = gpu("G92"), pcounter.Unit("G92")
    signal = np.random.default_rng(1).random(20000) < 0.5
    pcounter.compile("G92", {"n": "rise(s10)"}, domain=1).apply(device)
    wave = pcounter.Wave(SOC / "soc.fst")
    counts = []

    def work():
        for _ in range(20):
            device.play(0x10, signal, domain=1)
            device.run(10000, domain=1)
            device.regs.CTRL[2].value
            device.save()
            unit.run(20000, {1: {0x10: signal}})
        counts.append(sum(block.value["hit"][0].ones() for block in wave.blocks(CLOCK, "hit")))
        assert len(wave.signals) == 113
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [4824] * 4 and unit.cycle(1) == 80 * 20000
    twin = gpu("G92")
    twin.load(device.save())
    assert 80 * 10000 * 2 <= device.now_ns == twin.now_ns


def test_a_callback_may_ask_its_device():
    device = pcounter.Gpu("G92", other=lambda address, is_write, value: device.now_ns)
    device.elapse(1000)
    assert device.read32(0x610000) > 900


def test_without_numpy_the_import_says_what_to_install(tmp_path):
    (tmp_path / "pcounter").symlink_to(Path(pcounter.__file__).parent)
    code = "import sys; sys.path[:0] = [sys.argv[1]]; sys.modules['numpy'] = None; import pcounter"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "ImportError: pcounter needs numpy: apt install python3-numpy" in done.stderr


def test_types():
    """The package, and a program of a user's, are free of errors of types."""
    if subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("mypy is not installed")
    here = Path(__file__).parent
    done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", here / "mypy.ini", "--cache-dir", os.devnull,
                           Path(pcounter.__file__).parent, here / "user_types.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


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
    with pytest.raises(FileNotFoundError) as error:
        pcounter.Wave(SOC / "nothing.fst")
    assert isinstance(error.value, pcounter.Error) and error.value.status == "PC_ENOENT"
    assert (error.value.errno, error.value.filename) == (errno.ENOENT, SOC / "nothing.fst")
    assert str(error.value).startswith("PC-E0500: file not found: ")
    with pytest.raises(OSError, match="PC-E0501: cannot read: Is a directory"):
        pcounter.Wave(SOC)
    with pytest.raises(pcounter.Error, match="neither VCD") as error:
        pcounter.Wave(SOC / "README.md")
    assert not isinstance(error.value, OSError)
    with pytest.raises(FileNotFoundError, match="install pcounter, or give its path"):
        pcounter.report("info", SOC / "soc.fst", program="/nothing/pcounter")
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


def tapped(tmp_path, *more):
    """The words of a command that simulates the SoC with pcounter.vpi."""
    subprocess.run(["iverilog", "-g2005", "-s", "soc_tb", "-o", tmp_path / "soc.vvp", *sorted(SOC.glob("*.v"))], check=True)
    folder = subprocess.run([os.environ["PC_PROGRAM"], "version", "--vpi"], check=True, capture_output=True, text=True).stdout.strip()
    return ["vvp", "-n", f"-M{folder}", "-mpcounter", tmp_path / "soc.vvp", "+nodump", *more]


def test_a_running_simulation_counts_as_its_waveform(tmp_path):
    events = {"hits": "soc_tb.dut.cache.hit", "misses": "soc_tb.dut.cache.miss"}
    command = tapped(tmp_path)
    rows = pcounter.stat(clock=CLOCK, events=events, command=command)
    assert rows == pcounter.stat(SOC / "soc.fst", CLOCK, events)
    with pcounter.Wave(command=command) as wave:
        assert any(signal.name == "soc_tb.clk" for signal in wave.signals)
        assert len(wave.read("soc_tb.mem_clk", "soc_tb.dut.memory.row_hit")) > 1000
        with pytest.raises(ValueError):
            wave.read("soc_tb.clk", "soc_tb.rst_n")


def test_commands_that_simulate_nothing(tmp_path):
    with pytest.raises(pcounter.Error, match="ended with 3, and no simulation"):
        pcounter.stat(clock="clk", events=["a"], command=["sh", "-c", "exit 3"])
    with pytest.raises(FileNotFoundError):
        pcounter.stat(clock="clk", events=["a"], command=["no-such-simulator"])
    with pytest.raises(RuntimeError, match="ended with 4"):
        words = [str(word) for word in tapped(tmp_path)]
        pcounter.stat(clock="soc_tb.clk", events=[], command=["sh", "-c", '"$@"; exit 4', "sh", *words])
    for wrong in ({}, {"path": "x", "command": ["y"]}):
        with pytest.raises(TypeError):
            pcounter.Wave(**wrong)
