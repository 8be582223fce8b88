#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Descriptions of cores with thousands of vectors, lets, rules or checks: memory is at most 50 times the file and 16.5 MiB
(16 were the bound: bench/MEASURED.md),
and time grows as the file does.

    described_growth.py PROGRAM"""
import os
import subprocess
import sys
import tempfile

import tally
from tally import check

program = os.path.abspath(sys.argv[1])
HEAD = "pcounter-core: 1\nname: t\nscope: tb\nclock: clk\n"
REGISTERS = ("registers:\n  - name: r\n    width: 8\n    is: none\n    rules:\n{}"
             "  - {{name: z, width: 1, is: a, reset: none, rules: [{{set: b}}]}}\n")
PLAIN = REGISTERS.format("      - {when: a, add: 1}\n")


def described(kind, n):
    if kind == "rules":
        return HEAD + REGISTERS.format("".join(f"      - {{when: a & cnt == {i}, add: 1}}\n" for i in range(n)))
    if kind == "lets":
        return HEAD + "let:\n" + "".join(f'  l{i}: "a | b"\n' for i in range(n)) + PLAIN
    if kind == "elements":
        return HEAD + "vectors:\n  v: [" + ",".join(["a"] * n) + "]\n" + PLAIN
    if kind == "named elements":
        return HEAD + "vectors:\n  v: [" + ",".join(f"{{e{i}: a}}" for i in range(n)) + "]\n" + PLAIN
    if kind == "vectors":
        return HEAD + "vectors:\n" + "".join(f'  vector_{i}: ["a & b", "b | c"]\n' for i in range(n)) + PLAIN
    return HEAD + PLAIN + "checks:\n" + "".join(f'  - {{name: c{i}, when: a, that: "b == c"}}\n' for i in range(n))


def run(folder, kind, n):
    """bytes of the file and of memory, seconds"""
    path = f"{folder}/core.yaml"
    with open(path, "w", encoding="ascii") as f:
        f.write(described(kind, n))
    child = subprocess.Popen([program, "check", "-q", "--format", "csv", "--core", path, f"{folder}/tb.vcd"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    check(f"{n} {kind}: exit code", os.waitstatus_to_exitcode(status), 1)  # z is a's difference
    return os.path.getsize(path), used.ru_maxrss * 1024, used.ru_utime + used.ru_stime


with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as work:
    with open(f"{work}/tb.vcd", "w", encoding="ascii") as vcd:
        vcd.write("$timescale 1ns $end\n$scope module tb $end\n$var wire 1 ! clk $end\n$var wire 1 a a $end\n"
                  "$var wire 1 b b $end\n$var wire 1 c c $end\n$var wire 64 n cnt $end\n$upscope $end\n$enddefinitions $end\n")
        for k in range(40):
            vcd.write(f"#{10 * k}\n0!\n{k % 3 % 2}a\n{k // 2 % 2}b\n{k // 3 % 2}c\nb{k:b} n\n#{10 * k + 5}\n1!\n")
    for what in ("rules", "lets", "elements", "named elements", "vectors", "checks"):
        _, _, few = run(work, what, 2000)
        size, memory, many = run(work, what, 20000)
        check(f"20000 {what}: {memory} bytes of {size}", memory <= 50 * size + (33 << 19), True)
        check(f"20000 {what}: {many:.2f} s, of 2000 {few:.2f} s", many <= 30 * few + 1, True)
tally.end()
