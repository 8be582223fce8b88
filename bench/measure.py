# SPDX-License-Identifier: MIT
"""What jobs.py measures with: tools by turns, their answers compared, a table and a file of figures."""
import json
import os
import shutil
import subprocess
import sys
from statistics import median

ROUNDS = int(os.environ.get("PC_BENCH_ROUNDS", "5"))
ONCE = ""  # the program of that name
figures = open(os.environ.get("PC_BENCH_JSON", os.devnull), "a")


class Tool:
    """answer: reads its output; None: there is nothing to compare. Names of one job may have a
    question in front, `QUESTION: TOOL`; answers to each question are compared. limit: the most that
    its time may be of that of the job's base, or of the tool `of`."""

    def __init__(self, name, argv, answer=None, limit=None, of=None):
        self.name, self.argv, self.answer, self.limit, self.of = name, argv, answer, limit, of
        self.question = name.partition(": ")[0] if ": " in name else ""
        self.cpu, self.elapsed, self.memory = [], [], 0


def store(what, value, unit, limit=None):
    row = {"program": "jobs", "what": what, "value": float(f"{value:.6g}"), "unit": unit}
    if limit is not None:
        row.update(goal=limit, at_most=True, met=value <= limit)
    figures.write(json.dumps(row) + "\n")
    figures.flush()


def verdict(value, limit):
    return "" if limit is None else f" <= {limit:<5g} {'met' if value <= limit else 'MISSED'}"


def skip(what, why):
    print(f"  SKIP {what}: {why}", flush=True)
    figures.write(json.dumps({"program": "jobs", "fact": "SKIP " + what, "value": why}) + "\n")


def run(argv):
    """Seconds of CPU of all its processes, elapsed seconds, MiB of the largest, output; a string is
    for the shell."""
    argv = ["sh", "-c", argv] if isinstance(argv, str) else argv
    read, write = os.pipe()
    child = subprocess.Popen([ONCE, str(write), *argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             pass_fds=(write,), stderr=subprocess.DEVNULL, text=True, errors="replace")
    os.close(write)
    out = child.stdout.read()
    code = child.wait()
    took = os.read(read, 100).decode().split()
    os.close(read)
    if code != 0:
        raise RuntimeError(f"exit code {code}")
    return float(took[0]), float(took[1]), int(took[2]) / 1024, out


def take_turns(title, tools, turns):
    """Those that are there. The first round warms up, and its answers are compared."""
    there, want = [], {}
    for tool in tools:
        try:
            if not isinstance(tool.argv, str) and not shutil.which(tool.argv[0]):
                raise RuntimeError("not installed")
            out = run(tool.argv)[3]
        except RuntimeError as err:
            if tool.name.startswith("pcounter") and "-" not in tool.name:
                sys.exit(f"{title}: {tool.name}: {err}")
            skip(f"{title}: {tool.name}", err.args[0])
            continue
        answer = tool.answer(out) if tool.answer else None
        if answer and want.setdefault(tool.question, answer) != answer:
            sys.exit(f"{title}: {tool.name} says {answer}, must be {want[tool.question]}")
        there.append(tool)
    for _ in range(turns):
        for tool in there:
            cpu, elapsed, memory, _ = run(tool.argv)
            tool.cpu.append(cpu)
            tool.elapsed.append(elapsed)
            tool.memory = max(tool.memory, memory)
    return there


def ratio(a, b):
    """Of two tools' times, within the rounds."""
    return median(x / y for x, y in zip(a, b))


def job(title, tools, base=None, size=0, unit="MB/s", turns=ROUNDS):
    """A table: CPU time of each tool, millions of `size` a second, memory, its time of the base's."""
    there = take_turns(title, tools, turns)
    named = {tool.name: tool for tool in there}
    millions = f"; {size / 1e6:.3g} million {unit[1:-2]}s" if unit[1:] != "B/s" else f"; {size / 1e6:.0f} MB"
    print(f"\n{title}{millions if size else ''}", flush=True)
    for tool in there:
        of = named.get(tool.of or (tool.question and f"{tool.question}: {base}") or base)
        cpu, what = median(tool.cpu), f"{title}: {tool.name}"
        store(what, cpu, "s")
        store(what, tool.memory, "MiB")
        text = f"  {tool.name:<50}{cpu:9.4f}"
        if size:
            store(what, size / 1e6 / cpu, unit)
        text += f"{size / 1e6 / cpu:8.0f}" if size else " " * 8
        text += f"{tool.memory:6.0f}"
        if of:
            value = ratio(tool.cpu, of.cpu)
            store(f"{what}, time of {of.name}", value, "x", tool.limit)
            text += f"{value:9.2f}{verdict(value, tool.limit)}"
        print(text.rstrip(), flush=True)
    return there


def row(what, value, unit, limit=None):
    store(what, value, unit, limit)
    print(f"  {what:<72}{value:9.3g} {unit:<6}{verdict(value, limit)}".rstrip(), flush=True)
