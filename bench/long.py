#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""long.py PCOUNTER vcd|fst|tap SIZE [FOLDER]: streams that are longer than any memory, with counts that are known beforehand.

  vcd SIZE         a VCD of SIZE GB through a pipe, as a simulator would write it; nothing is stored
  fst SIZE FOLDER  an FST of SIZE GB in the folder, which needs the room, and is removed; needs vcd2fst
  tap SIZE         a simulation by Verilator that has SIZE million rising edges, through the tap

With PC_MINUTES the VCD ends after so many minutes, at what was reached.

A stretch of random changes repeats, each time with later time stamps: Python counts one of them, the program all of them. Counts that differ
are an error. Printed are the size, the time, CPU time and the most memory of the program.
"""
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

import numpy

CYCLES = 10000  # of a stretch, which lasts 10^6 ns: the upper digits of its time stamps are its number
FIRST = 100000000  # the number of the first stretch, so that all have as many digits
NETS = [("clk", 1), ("valid", 1), ("ready", 1), ("state", 4), ("data", 32), ("count", 64)] + [(f"bus{i}", 32) for i in range(10)]
EVENTS = ["valid & ready", "state == 3", "data > 32'h80000000", "rise(valid)"]


def head():
    lines = ["$timescale 1ns $end", "$scope module top $end"]
    lines += [f"$var wire {width} {chr(97 + i)} {name} $end" for i, (name, width) in enumerate(NETS)]
    return "\n".join([*lines, "$upscope $end", "$enddefinitions $end", ""]).encode()


def stretch(seed):
    """A stretch, with zeros in place of its number, and how often it has each event. It begins and ends with valid = 0."""
    chance = random.Random(seed)
    lines, counts, last = [], [0] * len(EVENTS), {}
    for cycle in range(CYCLES):
        lines.append("#" + "0" * 9 + f"{cycle * 100:06d}")
        now = {name: chance.getrandbits(width) for name, width in NETS if chance.random() < 0.7 or cycle == 0}
        now.pop("clk", None)
        if cycle in (0, CYCLES - 1):
            now["valid"] = 0
        before = last.get("valid", 0)
        last.update(now)
        for i, (name, width) in enumerate(NETS):
            if name in now:
                lines.append(f"{now[name]}{chr(97 + i)}" if width == 1 else f"b{now[name]:0{width}b} {chr(97 + i)}")
        # the clock rises 50 ns after the others change
        lines += ["0a", "#" + "0" * 9 + f"{cycle * 100 + 50:06d}", "1a"]
        for i, happens in enumerate((last["valid"] & last["ready"], last["state"] == 3, last["data"] > 0x80000000,
                                     last["valid"] and not before)):
            counts[i] += bool(happens)
    return ("\n".join(lines) + "\n").encode(), counts


class Numbered:
    """The text of a stretch, with each number in turn."""

    def __init__(self, text):
        self.text = numpy.frombuffer(text, dtype=numpy.uint8).copy()
        at = numpy.flatnonzero(self.text == ord("#")) + 1
        self.places = at[:, None] + numpy.arange(9)

    def of(self, number):
        self.text[self.places] = numpy.frombuffer(f"{number:09d}".encode(), dtype=numpy.uint8)
        return self.text


def most_memory(pid, out):
    """Follows the most memory that a process has had, in MiB, until it ends. (That of wait4() counts this script before exec(), too.)"""
    try:
        while True:
            with open(f"/proc/{pid}/status", encoding="ascii") as file:
                out.extend(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))
            time.sleep(0.1)
    except OSError:
        pass


def run(words, feed=None):
    """Runs the program; returns its report, and what it took: seconds, seconds of CPU, MiB."""
    began = time.monotonic()
    memory = []
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(words, stdin=subprocess.PIPE if feed else subprocess.DEVNULL, stdout=out)
        threads = [threading.Thread(target=most_memory, args=(child.pid, memory))]
        if feed:
            threads.append(threading.Thread(target=feed, args=(child.stdin,)))
        for thread in threads:
            thread.start()
        _, status, usage = os.wait4(child.pid, 0)
        for thread in threads:
            thread.join()
        if status:
            sys.exit(f"{words}: status {status}")
        out.seek(0)
        return json.load(out), time.monotonic() - began, usage.ru_utime + usage.ru_stime, max(memory)


def compare(report, cycles, expected):
    """Compares the cycles, and the count of each event, whose state has to be exact."""
    got = [report["cycles"], *(row["value"] if row["state"] == "exact" else row for row in report["events"])]
    if got != [cycles, *expected]:
        sys.exit(f"counts differ: {got}, expected: {[cycles, *expected]}")


def say(kind, size, taken):
    _, seconds, cpu, memory = taken
    print(f"{kind}: {size}, {seconds:.0f} s, {cpu:.0f} s of CPU of pcounter and what it starts, at most {memory:.1f} MiB; all counts are right", flush=True)


def stat(program, clock, events):
    return [program, "stat", "-q", "--format", "json", "-c", clock, *(word for event in events for word in ("-e", event))]


def vcd(program, size):
    text, counts = stretch(1)
    stretches = max(1, round(size * 1e9 / len(text)))
    numbered = Numbered(text)

    limit = time.monotonic() + float(os.environ.get("PC_MINUTES", "1e9")) * 60
    written = 0

    def feed(pipe):
        nonlocal written
        with pipe:
            pipe.write(head())
            while written < stretches and time.monotonic() < limit:
                pipe.write(numbered.of(FIRST + written))
                written += 1

    taken = run([*stat(program, "clk", EVENTS), "-"], feed)
    stretches = written
    compare(taken[0], stretches * CYCLES, [n * stretches for n in counts])
    say("VCD", f"{stretches * len(text) / 1e9:.1f} GB, {stretches * CYCLES:,} cycles", taken)


def sections(data):
    """The blocks of an FST: where each begins, its type and its end."""
    at = 0
    while at < len(data):
        length = struct.unpack_from(">Q", data, at + 1)[0]
        yield at, data[at], at + 1 + length
        at += 1 + length


def varint(number, width):
    """A number in LEB128 of so many bytes, however small it is."""
    return bytes((number >> 7 * i & 127) | (128 if i < width - 1 else 0) for i in range(width))


def timeless(block):
    """A block of value changes, split before its time stamps, and the part of these after the first, which are differences."""
    plain, packed, count = struct.unpack(">QQQ", block[-24:])
    table = block[len(block) - 24 - packed:len(block) - 24]
    table = table if packed == plain else zlib.decompress(table)
    first = 0
    while table[first] & 128:
        first += 1
    return block[:len(block) - 24 - packed], table[first + 1:], count


def fst(program, size, folder):
    text, counts = stretch(2)
    numbered = Numbered(text)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        vcd_path, one, big = (os.path.join(work, name) for name in ("a.vcd", "a.fst", "big.fst"))
        with open(vcd_path, "wb") as file:
            file.write(head() + numbered.of(FIRST).tobytes())
        subprocess.run(["vcd2fst", "-4", vcd_path, one], check=True, stdout=subprocess.DEVNULL)
        with open(one, "rb") as file:
            data = file.read()
        blocks = [(kind, data[at:end]) for at, kind, end in sections(data)]
        changes = [block for kind, block in blocks if kind in (1, 5, 8)]
        if len(changes) != 1 or blocks[0][0] != 0:
            sys.exit("one block of changes, after a header, was expected of vcd2fst")
        before, after, count = timeless(changes[0])
        stretches = max(1, round(size * 1e9 / len(changes[0])))
        header = bytearray(blocks[0][1])
        start, last = FIRST * 10**6, (FIRST + stretches) * 10**6 - 50
        struct.pack_into(">QQ", header, 9, start, last)
        struct.pack_into(">Q", header, 9 + 7 * 8, stretches)
        with open(big, "wb") as file:
            file.write(header)
            for i in range(stretches):
                begin = (FIRST + i) * 10**6
                table = varint(begin, 9) + after
                block = bytearray(before + table + struct.pack(">QQQ", len(table), len(table), count))
                struct.pack_into(">QQQ", block, 1, len(block) - 1, begin, begin + 10**6 - 50)
                file.write(block)
            for kind, block in blocks[1:]:
                if kind not in (1, 5, 8):
                    file.write(block)
        taken = run([*stat(program, "clk", EVENTS), big])
        compare(taken[0], stretches * CYCLES, [n * stretches for n in counts])
        say("FST", f"{os.path.getsize(big) / 1e9:.1f} GB, {stretches * CYCLES:,} cycles", taken)


DESIGN = """module tap_long (input logic clk, output logic sum);
    logic [39:0] n = 0;
    always_ff @(posedge clk) n <= n + 1;
    assign sum = ^n;
endmodule
"""


def tap(program, millions):
    cycles = int(millions * 1e6)
    events = {"tap_long.n[0]": cycles // 2, "tap_long.n[7:0] == 255": cycles // 256, "tap_long.n[9:0] < 3": 0}
    events["tap_long.n[9:0] < 3"] = cycles // 1024 * 3 + min(cycles % 1024, 3)
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as work:
        source, tapped = os.path.join(work, "tap_long.sv"), os.path.join(work, "tap.sv")
        with open(source, "w", encoding="utf-8") as file:
            file.write(DESIGN)
        taps = ["tap_long.n"]
        subprocess.run([program, "emit", "tap", "-c", "clk", *(w for e in taps for w in ("-e", e)), "--scope", "tap_long", "-o", tapped], check=True)
        flags = subprocess.run([program, "version", "--dpi-flags"], check=True, capture_output=True, text=True).stdout.strip()
        subprocess.run(["verilator", "--cc", "--exe", "--build", "-O3", "-Wno-fatal", "--top", "tap_long", "--prefix", "Vtap_cores", "-Mdir",
                        os.path.join(work, "v"), "-o", "run", source, tapped, flags, os.path.join(here, "tap_main.cpp")],
                       check=True, stdout=subprocess.DEVNULL)
        taken = run([*stat(program, "tap_long.clk", events), "--", os.path.join(work, "v", "run"), str(cycles)])
        compare(taken[0], cycles, list(events.values()))
        say("tap", f"{cycles:,} rising edges", taken)


if len(sys.argv) < 4 or sys.argv[2] not in ("vcd", "fst", "tap") or (sys.argv[2] == "fst") != (len(sys.argv) == 5):
    sys.exit(__doc__)
PROGRAM = os.path.abspath(sys.argv[1])
if sys.argv[2] == "fst":
    fst(PROGRAM, float(sys.argv[3]), sys.argv[4])
else:
    {"vcd": vcd, "tap": tap}[sys.argv[2]](PROGRAM, float(sys.argv[3]))
