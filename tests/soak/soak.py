#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs all verbs over many waveforms with random options, valid and not, and checks what must hold between their answers.

Each round has a number, from which all of it follows with the seed: a round that fails is made again alone by --round.
docs/FUZZING.md says what is checked.
"""
import argparse
import os
import random
import shlex
import shutil
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True

import promises
import waves
from calls import Calls
from program import Broken, Program

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUNDLED = ["examples", "tests/cli/data", "tests/fuzz/corpus/vcd"]
SCRIPTS = ["examples/scripts", "examples/sequences"]
SHARED = ["waves", "cases", "cases3"]


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program", nargs="+", help="pcounter; several of them take turns")
    p.add_argument("--waves", action="append", help="folder of waveforms (bundled ones, and those of ../shared)")
    p.add_argument("--seconds", type=float, default=60, help="how long (60)")
    p.add_argument("--rounds", type=int, help="how many, in place of --seconds")
    p.add_argument("--seed", type=int, help="of all rounds (random, and printed)")
    p.add_argument("--round", type=int, help="only this one")
    p.add_argument("--most", type=int, default=1 << 20, help="bytes of a waveform, at most (1 Mi)")
    p.add_argument("--promise", help="only this one, like parts")
    p.add_argument("--keep-going", action="store_true", help="report what fails, and go on")
    return p.parse_args()


class Soak:
    def __init__(self, args):
        self.args = args
        self.folder = tempfile.mkdtemp(prefix="soak-")
        self.programs = [Program(os.path.realpath(p), self.folder) for p in args.program]
        folders = args.waves or [os.path.join(ROOT, f) for f in BUNDLED] + [os.path.join(ROOT, "..", "shared", f) for f in SHARED]
        self.waves = waves.find(folders, args.most)
        scripts = [os.path.join(at, n) for f in SCRIPTS for at, _, names in os.walk(os.path.join(ROOT, f))
                   for n in sorted(names) if n.endswith(".pcs")]
        for program in self.programs:
            program.scripts = scripts
        self.known = {}
        self.kinds = {}

    def wave(self, path):
        if path not in self.known:
            self.known[path] = waves.Wave(self.programs[0], path)
        return self.known[path]

    def round(self, number):
        rng = random.Random(f"{self.args.seed}/{number}")
        program = self.programs[number % len(self.programs)]
        path = rng.choice(self.waves)
        pairs = [(f, w) for f, w in promises.ALL if self.args.promise in (None, f.__name__)]
        promise = rng.choices([f for f, _ in pairs], [w for _, w in pairs])[0]
        for name in os.listdir(self.folder):
            shutil.rmtree(os.path.join(self.folder, name)) if os.path.isdir(os.path.join(self.folder, name)) else \
                os.remove(os.path.join(self.folder, name))
        local = os.path.basename(path)
        shutil.copyfile(path, os.path.join(self.folder, local))
        case = None
        try:
            wave = self.wave(path)
            if wave.code and promise.__name__ not in ("plain", "spoilt", "registers", "scripts", "full"):
                promise = promises.jobs
            wave = wave if not wave.code else Unread(wave)
            case = promises.Case(program, Calls(rng, wave), rng, wave, local)
            promise(case)
            self.kinds[promise.__name__] = self.kinds.get(promise.__name__, 0) + 1
            return True
        except Broken as e:
            self.tell(number, promise, program, path, case, str(e))
        except Exception: # of this script, or an answer of a form that it does not know
            self.tell(number, promise, program, path, case, traceback.format_exc())
        return False

    def tell(self, number, promise, program, path, case, what):
        print(f"FAILED: round {number}, {promise.__name__}: {what}\n  {path}", flush=True)
        for words in case.log if case else []:
            print(f"  {program.path} {shlex.join(words)}", flush=True)

    def run(self):
        args = self.args
        began, failed, number = time.monotonic(), 0, args.round or 0
        while True:
            failed += not self.round(number)
            number += 1
            if args.round is not None or (failed and not args.keep_going):
                break
            if number == args.rounds or (args.rounds is None and time.monotonic() - began > args.seconds):
                break
        used = os.times()
        print(f"seed {args.seed}: {number - (args.round or 0)} rounds, {sum(p.calls for p in self.programs)} calls, "
              f"{len(self.known)} of {len(self.waves)} waveforms, "
              f"{used.children_user + used.children_system:.0f} s of CPU, {failed} failed")
        print(" ".join(f"{k}={v}" for k, v in sorted(self.kinds.items())))
        shutil.rmtree(self.folder)
        return failed


class Unread:
    """A waveform that `info` refuses: calls for it have names that are not there."""

    def __init__(self, wave):
        self.path, self.code, self.nets, self.clocks, self.first, self.last = wave.path, wave.code, [], ["clk"], 0, 1000
        self.unit = {"factor": 1, "exponent": -9}
        self.bytes = wave.bytes

    def bits(self):
        return ["a", "b"]

    def vectors(self):
        return ["v"]


def main():
    args = options()
    if args.seed is None:
        args.seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed {args.seed}", flush=True)
    soak = Soak(args)
    if not soak.waves:
        print("no waveforms", file=sys.stderr)
        return 2
    return 1 if soak.run() else 0


if __name__ == "__main__":
    sys.exit(main())
