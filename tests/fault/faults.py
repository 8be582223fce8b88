#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""faults.py PROGRAM INJECT LIBRARY: one call of each verb, in which every system call and request for memory fails in turn.

INJECT is inject.c, LIBRARY is tests/cli/refuse.c. Each read, write, open, rename, close, fsync, mmap, clone, connect and allocation fails
once, and from it on. Whatever fails, the call ends by itself, with one of two results: its exit code and output are as without
the fault; or the exit code is 2 or 4 with an error of the catalogue on standard error, a new output is not there, an old one is as it was, and
nothing is left behind. No more blocks of memory are live at the end than without the fault. Without PC_TEST_LONG a share of the faults is tried.
"""
import io
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

program, inject, library = (os.path.abspath(word) for word in sys.argv[1:4])
root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
long_form = bool(os.environ.get("PC_TEST_LONG"))
SHARE = 1 if long_form else 40  # one of so many faults
KINDS = ("read", "write", "open", "rename", "close", "fsync", "mmap", "clone", "connect", "memory")
data = os.path.join(root, "tests/cli/data")
tiny = os.path.join(data, "tiny.vcd")
# A program that ends at once, for exec: li a7, 93; li a0, 0; ecall
ELF = bytes.fromhex("7f454c46020101000000000000000000" "0200f300010000000000008000000000" "40000000000000000000000000000000"
                    "00000000400038000100000000000000" "01000000050000007800000000000000" "00000080000000000000008000000000"
                    "0c000000000000000c00000000000000" "0800000000000000" "9308d0051305000073000000")
CALLS = {
    "activity": f"activity -q {data}/activity.vcd -o OUT.json",
    "bus": f"bus -q {data}/bus.vcd wb -o OUT.json",
    "check": f"check -q {root}/tests/hpm/check/good.txt -o OUT.json",
    "compile": "compile -a G92 -d 1 event=s10&!s11 -o OUT.txt",
    "decode": "decode -a G92 CTRL[1] 1 -o OUT.txt",
    "diff": f"diff -q {root}/tests/cli/diff/half.json {root}/tests/cli/diff/quarter.json -o OUT.json",
    "emit": "emit c-header -a G92 -o OUT.h",
    "encode": "encode -a G92 CTRL[1] MODE=QUAD -o OUT.txt",
    "exec": "exec -q --core cv64a6_imafdc_sv39 ends.elf -o OUT.txt",
    "explain": "explain PC-E0100 -o OUT.txt",
    "idle": f"idle -q --clock clk --map GR=valid --window 4c {tiny} -o OUT.csv",
    "info": f"info {root}/examples/soc/soc.vcd.gz -o OUT.txt",
    "list": "list chips -o OUT.txt",
    "merge": "merge -q --again counts.json counts.json -o OUT.json",
    "plan": "plan -a G92 -d 1 -e s10,s11 -o OUT.txt",
    "record": f"record -q --clock clk --stop valid -e ready {tiny} -o OUT.csv",
    "replay": f"replay {root}/tests/cli/replay/g92.mmt -o OUT.txt",
    "run": f"run -q --dump 0:16=OUT.dump --log mmiotrace=OUT.log {root}/examples/scripts/nv34-quad-pm-trigger.pcs -o OUT.txt",
    "schema": "schema pcounter-stat-2 -o OUT.json",
    "settle": "settle -a G92 -o OUT.txt",
    "stat": f"stat -q --clock clk -e valid {tiny} -o OUT.json -o OUT.csv",
    "stat to standard output": f"stat -q -j 2 --clock clk -e valid --format csv {tiny} {tiny}",
    "stat of an FST": f"stat -q -j 2 -c soc_tb.clk -e hit {root}/examples/soc/soc.fst -o OUT.html",
    "stat of an xz": f"stat -q --clock clk -e valid {data}/archives/tiny.vcd.xz -o OUT.json",
    "stat of a zip": "stat -q --clock D0 -e D1 one.sr -o OUT.json",
    "version": "version",
    # they start a command; it is not the one that has no card, or is no simulation
    "card": "card -a G92 -- /bin/true",
    "stat of a command": "stat -q -c clk -e valid -o OUT.json -- /bin/true",
}
# They load a library when they need it: of one that cannot be loaded the loader keeps the text of its error and what it had read. Unicorn keeps what
# it had begun when it has no memory.
LOADING = ("diff", "exec", "info", "merge", "stat of a zip", "stat of an xz")
# They start processes, each with a number of blocks of its own.
STARTS = ("card", "stat of a command")
work = tempfile.mkdtemp()
bad = runs = 0


def fail(text):
    global bad
    bad += 1
    print(f"FAILED: {text}", file=sys.stderr)


class Result:
    """What a call did: its exit code, texts, output files, and how many blocks of memory it kept."""

    def __init__(self, words, kind, n, once, old):
        folder = os.path.join(work, "at")
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        for name, text in inputs.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        for name in old:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(b"what was there\n")
        counts, live = os.path.join(work, "counts"), os.path.join(work, "live")
        env = {**os.environ, "PC_LIVE": "200", "PC_INJECT_PRELOAD": library}
        if kind == "memory":
            env |= {"LD_PRELOAD": library, "PC_REQUESTS": counts, "PC_REFUSE": f"{n}{'' if once else '+'}"}
            command = [program, *words]
        else:
            command = [inject, kind, str(n), "1" if once else "0", counts, program, *words]
        with open(live, "wb") as file:
            os.dup2(file.fileno(), 200, inheritable=True)
        try:
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=60, stdin=subprocess.DEVNULL, pass_fds=[200],
                                  check=False)
            self.code, self.out, self.err = done.returncode, done.stdout, done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.code, self.out, self.err = "did not end", b"", ""
        self.files = {}
        for name in os.listdir(folder):
            if name not in inputs:
                with open(os.path.join(folder, name), "rb") as file:
                    self.files[name] = file.read()
        with open(counts, encoding="ascii") as file:
            self.seen = int(file.read() or 0)
        with open(live, encoding="ascii") as file:
            self.live = int((file.read().split() or [0])[0])


def judge(title, got, want, old):
    """What a call did with a fault, against what it does without."""
    before = {name: b"what was there\n" for name in old}
    # A file that has no memory for the text of a warning says that there is one more.
    differ = [name for name in {*got.files, *want.files} if got.files.get(name) != want.files.get(name)]
    # So does one whose beginning could not be read again, to look for clocks.
    if got.code == want.code and got.out == want.out and ("PC-W0517" in got.err or all(b"more warning" in got.files.get(name, b"") for name in differ)):
        pass
    elif got.code == 137 and title.startswith("card: ") and not got.files:
        pass  # what the process says that started the command is not to be had: as if it was killed, which card.help has
    elif got.code in (2, 4):
        if not re.search(r"error\[PC-E\d{4}\]", got.err):
            fail(f"{title}: exit code {got.code} without an error of the catalogue: {got.err!r}")
        # Of several outputs one may not get its name when others have theirs: each is whole, or as it was.
        published = {name for name in want.files if " rename " in title and len(want.files) > 1 and got.files.get(name) == want.files[name]}
        if {name: text for name, text in got.files.items() if name not in published} != \
                {name: text for name, text in before.items() if name not in published}:
            fail(f"{title}: exit code {got.code}, and the files are {sorted(got.files)}")
    else:
        fail(f"{title}: exit code {got.code}, not {want.code} with the same output: {got.err[-300:]!r}"
             f" {differ}")
    verb = title.split(":")[0]
    if got.live > want.live + (4 if verb in LOADING else 0) and not (verb == "exec" and ": memory " in title) and verb not in STARTS:
        fail(f"{title}: exit code {got.code}: {got.live - want.live} blocks of memory more were kept: {got.err[-200:]!r}")


def session():
    """A session of sigrok: a zip, which is read by a library that is loaded."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("version", "2")
        file.writestr("metadata", "[global]\n[device 1]\ncapturefile=logic-1\ntotal probes=2\nsamplerate=1 MHz\nprobe1=D0\nprobe2=D1\nunitsize=1\n")
        file.writestr("logic-1-1", bytes(i & 3 for i in range(1000)))
    return out.getvalue()


inputs = {"ends.elf": ELF, "one.sr": session()}
subprocess.run([program, "stat", "-q", "--clock", "clk", "-e", "valid", tiny, "-o", os.path.join(work, "counts.json")], check=True)
with open(os.path.join(work, "counts.json"), "rb") as kept:
    inputs["counts.json"] = kept.read()
chance = random.Random(int(os.environ.get("PC_SEED", "1")))
only = os.environ.get("PC_VERB")
for verb, call in CALLS.items():
    if only and only != verb:
        continue
    names = call.split()
    outputs = sorted({match for word in names for match in re.findall(r"OUT\.\w+", word)})
    for kind in KINDS:
        plain = Result(names, kind, 0, True, [])
        if "Unicorn" in plain.err and verb == "exec":
            print(f"SKIP {verb}: this build has no Unicorn", file=sys.stderr)
            break
        if plain.code != {"diff": 1, "stat of a command": 2}.get(verb, 0):
            fail(f"{call}: exit code {plain.code} without a fault: {plain.err}")
            break
        faults = list(itertools.product(range(1, plain.seen + 1), (True, False)))
        # memory.sh refuses each request once; several processes would count into one file
        faults = [fault for fault in faults if kind != "memory" or not (fault[1] or verb in STARTS)]
        # without any read /proc does not say who is left: the keeper gives up after 100 rounds, which takes too long here
        faults = [fault for fault in faults if verb != "card" or kind != "read" or fault[1]]
        for n, once in faults:
            if chance.randrange(SHARE):
                continue
            old = outputs if chance.randrange(2) else []
            runs += 1
            judge(f"{verb}: {kind} {n}{'' if once else ' and all after it'}", Result(names, kind, n, once, old), plain, old)
shutil.rmtree(work)
print(f"{runs} faults, {bad} failed")
sys.exit(bool(bad or runs < (1 if only else 20)))
