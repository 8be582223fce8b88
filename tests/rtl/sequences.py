#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Plays sequences of real clients on the Verilog of rtl/.

    sequences.py PCOUNTER TEST_RTL EXAMPLES SHARED

Scripts of examples/sequences and of SHARED/sequences become stimuli of pcounter_tb.v, by the rules
of pcounter-script(7) alone: a write takes a cycle of each domain, a read none. Each value that a
script expects of the counters must be what the Verilog answers; each other read must be what
`pcounter run` prints. What is not in the Verilog is not played, and named.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

PCOUNTER, TEST_RTL, EXAMPLES, SHARED = (os.path.abspath(p) for p in sys.argv[1:5])
ROOT = os.path.join(EXAMPLES, "..")
# Needs what the Verilog does not have: the idle counters, stream-out
LEFT_OUT = {
    "seq-08-gk20a-pdaemon-dvfs.txt": "PDAEMON's idle counters",
    "gk20a-nouveau-dvfs.pcs": "PDAEMON's idle counters",
    "gk20a-nvgpu-dvfs.pcs": "PDAEMON's idle counters",
    "gk20a-nvgpu-streamout.pcs": "stream-out",
}
# The trace of this one does not hold the traffic that the card counted: 51 times 15, then 13.
TRAFFIC = "set part0.0 12 1\nset part0.0 27 1\nset part0.0 10 1\n" + "".join(
    "play part0.0 %s %s\n" % (s, "1" * 51 + last)
    for s, last in (("0c", "10"), ("0d", "00"), ("0e", "10"), ("0f", "10"))
)
GF100_BLOCKS = (  # first address, past, set, step of units, whether it is the block of the set
    (0x180000, 0x1A0000, "gpc", 0x1000, False),
    (0x1A0000, 0x1B0000, "part", 0x1000, False),
    (0x1B0000, 0x1B2000, "hub", 0x2000, False),
    (0x1B8000, 0x1BC000, "gpc", 0x200, True),
    (0x1BC000, 0x1BE000, "part", 0x200, True),
    (0x1BE000, 0x1BE200, "hub", 0x200, True),
)


class NotPlayed(Exception):
    """The script needs what this player does not know."""


def table(name):
    with open(os.path.join(ROOT, "data", name), encoding="utf-8") as f:
        return list(csv.DictReader(line for line in f if not line.startswith("#")))


def layout_of(chip):
    for row in table("chips.csv"):
        if chip in (row["name"], *row["aliases"].split("; ")):
            return row["name"], row["layout"]
    raise NotPlayed("chip " + chip)


class Player:
    """Turns a script into one stimulus for each unit, and notes what its reads must give."""

    def __init__(self):
        self.chip = self.layout = None
        self.latency = [1, 0]
        self.on = True
        self.stimuli = {}  # (set, unit): lines
        self.signals = {}  # (set, unit, domain): number
        self.plays = {}  # (set, unit, domain, signal): levels to come
        self.reads = []  # (address, expected, mask, where) in the order of `pcounter run`
        self.bus = None
        self.pulse = {}  # signal of an access that is 1: cycles to come
        self.bus_sources = {}

    # ---- places ----
    def place(self, address):
        """Where the bench has an address: ((set, unit), address there); None if nowhere."""
        if not self.on:
            return None
        if self.layout != "gf100":
            return (("all", 0), address) if 0xA000 <= address < 0xB000 else None
        for first, past, name, step, of_set in GF100_BLOCKS:
            if first <= address < past:
                unit, offset = divmod(address - first, step)
                return (name, unit), offset + (0x8000 if of_set else 0)
        return None

    def domain(self, word):
        m = re.fullmatch(r"(?:hub|(gpc|part)(\d+)\.|)(\d+)", word)
        if not m:
            raise NotPlayed("domain " + word)
        if word.startswith("hub"):
            return ("hub", 0), int(m[3])
        return (m[1] or "all", int(m[2] or 0)), int(m[3])

    def add(self, unit, line):
        self.stimuli.setdefault(unit, ["m 0", "x"]).append(line)

    # ---- time ----
    def drive(self, unit, domain):
        self.add(unit, "s %d %x" % (domain, self.signals.get((unit, domain), 0)))

    def set(self, unit, domain, signal, level):
        old = self.signals.get((unit, domain), 0)
        self.signals[unit, domain] = old & ~(1 << signal) | level << signal
        self.drive(unit, domain)

    def cycles(self, count):
        while count > 0:
            step = 1 if self.plays or self.pulse else count
            for key in list(self.plays):
                self.set(*key, int(self.plays[key][0]))
                self.plays[key] = self.plays[key][1:]
                if not self.plays[key]:
                    del self.plays[key]
            for unit in self.stimuli:
                self.add(unit, "e ff %d" % step)
            for signal in list(self.pulse):
                self.pulse[signal] -= 1
                if self.pulse[signal] == 0:
                    del self.pulse[signal]
                    self.set(("all", 0), int(self.bus["domain"]), signal, 0)
            count -= step

    def bus_access(self, kind):
        """Where a counter selects such a signal, it is 1 for a cycle; one of reads for three."""
        if not self.bus:
            return
        watched = {s for value in self.bus_sources.values() for s in value.to_bytes(4, "little")}
        signals = {k: int(self.bus[k], 16) for k in self.bus if k[0] in "rwa" and self.bus[k]}
        if not watched & set(signals.values()):
            return
        while self.pulse:
            self.cycles(1)
        self.pulse = {signals[kind]: 1, signals["any"]: 1}
        if kind == "read" and signals.get("read_triple") in watched:
            self.pulse[signals["read_triple"]] = 3
        for signal in self.pulse:
            self.set(("all", 0), int(self.bus["domain"]), signal, 1)

    # ---- commands ----
    def write(self, address, value):
        self.bus_access("write")
        at = self.place(address)
        if address == 0x400084 and value & 0x20 and self.layout != "gf100":
            self.pm_trigger(4)  # option pm-trigger-latency
        elif at:
            self.add(at[0], "w %x %x" % (at[1], value))
            if self.bus and self.layout == "nv40" and 0xA400 <= address < 0xA500:
                if (address & 0x20) == 0 and (address & 0x1F) == 4 * int(self.bus["domain"]):
                    self.bus_sources[address] = value
        elif address == 0x200 and self.layout == "gf100":
            self.enable(bool(value & 1 << 28))
        self.cycles(self.latency[0])

    def enable(self, on):
        """PMC.ENABLE is not in the Verilog: off, nothing reaches it; on again, it is reset."""
        if on and not self.on:
            for unit in self.stimuli:
                self.add(unit, "x")
            for unit, domain in self.signals:
                self.drive(unit, domain)
        self.on = on

    def read(self, address, expected, mask, shown):
        self.bus_access("read")
        at = self.place(address)
        if at:
            self.add(at[0], "c %x 0" % at[1])
        if shown or at:
            self.reads.append((address, expected, mask, at and at[0], shown))
        self.cycles(self.latency[1])

    def pm_trigger(self, delay):
        for unit in self.stimuli:
            self.add(unit, "p 0 %d" % delay)

    def units(self, text):
        """All units that a script mentions have time from its beginning on."""
        for word in re.findall(r"^\s*(?:repeat\s+\d+\s+)?[wr]\s+(\w+)", text, re.M):
            at = self.place(int(word, 16))
            if at:
                self.stimuli.setdefault(at[0], ["m 0", "x"])

    def command(self, words):
        name, rest = words[0], words[1:]
        if name == "w" and len(rest) == 2:
            self.write(int(rest[0], 16), int(rest[1], 16))
        elif name == "r":
            numbers = [int(w, 16) for w in rest] + [None, None]
            self.read(numbers[0], numbers[1], numbers[2], True)
        elif name == "repeat" and rest[1] in "rw":
            for _ in range(int(rest[0])):
                if rest[1] == "w":
                    self.write(int(rest[2], 16), int(rest[3], 16))
                else:
                    numbers = [int(w, 16) for w in rest[2:]] + [None, None]
                    self.read(numbers[0], numbers[1], numbers[2], False)
        elif name == "run" and len(rest) == 1 and rest[0].isdigit():
            self.cycles(int(rest[0]))
        elif name == "option" and rest == ["gf100-ctr-modes=on"] and self.chip >= "GK":
            pass  # as the Verilog has it
        elif name == "latency":
            self.latency = [int(w) for w in rest + ["0"]][:2]
        elif name == "pulse" and rest == ["pm_trigger"]:
            self.pm_trigger(0)
        elif name == "set" and len(rest) == 3:
            self.plays.pop((*self.domain(rest[0]), int(rest[1], 16)), None)
            self.set(*self.domain(rest[0]), int(rest[1], 16), int(rest[2]))
        elif name == "play" and len(rest) == 3:
            self.plays[(*self.domain(rest[0]), int(rest[1], 16))] = rest[2]
        else:
            raise NotPlayed(" ".join(words[:2]))

    def script(self, text):
        lines = [line.split("#")[0].split() for line in text.splitlines()]
        for words in filter(None, lines):
            if words[0] == "chip":
                self.chip, self.layout = layout_of(words[1])
                bus = [row for row in table("host_bus.csv") if row["chip"] == self.chip]
                self.bus = bus[0] if bus else None
                self.units(text)
            else:
                self.command(words)


def answers(player, unit):
    """What the Verilog answers to the reads of a unit, in their order."""
    name = "%s_%s" % (player.chip, unit[0])
    if not os.path.exists(name + ".vvp"):
        subprocess.run([TEST_RTL, "model", player.chip, unit[0]], check=True)
    with open("stimulus", "w", encoding="ascii") as f:
        f.write("\n".join(player.stimuli[unit]) + "\n")
    subprocess.run(["vvp", "-n", name + ".vvp", "+stimulus=stimulus", "+log=log"], check=True)
    with open("log", encoding="ascii") as f:
        return [int(line.split()[2], 16) for line in f if line.startswith("c ")]


def play(path):
    """Returns how many reads agreed, and how many of these the script itself expects."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if path.endswith("seq-05-gk104-nvidia-l2-b4.txt"):
        text = text.replace("run 6355", TRAFFIC + "run 6355")
    stimulus = path[:-4] + ".stimulus"
    if path.endswith(".pcs") and os.path.exists(stimulus):
        with open(stimulus, encoding="utf-8") as f:
            text = re.sub(r"(?m)^chip .*$", lambda m: m[0] + "\n" + f.read(), text, count=1)
    player = Player()
    player.script(text)
    run = subprocess.run([PCOUNTER, "run", "-q", "-"], input=text, text=True, capture_output=True,
                         check=False)
    if run.returncode != 0:
        sys.exit("%s: pcounter run fails: %s" % (path, run.stderr))
    printed = [line.split()[:2] for line in run.stdout.splitlines()]
    got = {unit: iter(answers(player, unit)) for unit in player.stimuli}
    agreed = expected_ones = 0
    for address, expected, mask, unit, shown in player.reads:
        model = None
        if shown:
            where, value = printed.pop(0)
            if int(where, 16) != address:
                sys.exit("%s: %s is printed, not %06x" % (path, where, address))
            model = int(value, 16)
        if unit is None:
            continue
        value = next(got[unit])
        want = model if expected is None else expected
        if want is not None and (value ^ want) & (0xFFFFFFFF if mask is None else mask):
            sys.exit("%s: %06x reads %08x, not %08x" % (path, address, value, want))
        if model is not None and value != model:
            sys.exit("%s: %06x reads %08x, but %08x in the model" % (path, address, value, model))
        agreed += want is not None
        expected_ones += expected is not None
    return agreed, expected_ones


def folder(path, suffix):
    """Plays all scripts of a folder."""
    played = reads = known = 0
    for name in sorted(n for n in os.listdir(path) if n.endswith(suffix)):
        if name in LEFT_OUT:
            print("%s: not played: the Verilog has no %s" % (name, LEFT_OUT[name]))
            continue
        try:
            agreed, expected = play(os.path.join(path, name))
        except NotPlayed as why:
            sys.exit("%s: not played: %s is unknown here" % (name, why))
        if agreed == 0:
            sys.exit("%s: no read of a counter" % name)
        played, reads, known = played + 1, reads + agreed, known + expected
    print("%s: %d scripts, %d reads of counters agree, %d of them expected by the scripts"
          % (os.path.basename(path), played, reads, known))
    return played


def main():
    if subprocess.run("command -v iverilog vvp > /dev/null", shell=True, check=False).returncode:
        print("*** SKIP rtl_sequences: iverilog and vvp are not installed ***")
        return 77
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        if folder(os.path.join(EXAMPLES, "sequences"), ".pcs") < 20:
            sys.exit("fewer scripts than there were")
        shared = os.path.join(SHARED, "sequences")
        if not os.path.isdir(shared):
            print("*** SKIP rtl_sequences: %s is not there ***" % shared)
            return 0
        if folder(shared, ".txt") < 7:
            sys.exit("fewer sequences than there were")
    return 0


if __name__ == "__main__":
    sys.exit(main())
