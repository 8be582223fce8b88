#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proof that the tests can fail: breaks rules, or single tokens, and sees whether a test notices.

    mutants.py [K]...       the rules of tests/mutants.txt, or the given ones
    mutants.py -r N         N tokens at random: -s SEED, -a AREA, --only FILE:LINE choose others

All mutants are built at once, in a copy of the sources (build/mutants); the environment variable PC_MUTANT
says which is wrong. All tests run once with none, which shows what each test reaches. Then each mutant
meets the tests that reach it, quick ones first, until one fails or takes ten times as long as it
should. -t REGEX: only tests of such a name. After -b seconds of tests that noticed nothing it is "undecided" if there are more. What
does not compile without warnings, or compiles to the same code, is not drawn. --sanitize builds with sanitizers;
--again tries those once more that the last run of the seed did not see noticed. JOBS: so many tests beside each other.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import itertools
import json
import os
import random
import shlex
import subprocess
import sys
import threading
import time

import mutant_copies
import mutant_list
import mutant_tokens
from mutant_build import JOBS, ROOT, Tests, read, source, write

AREAS = {"rules": "src/model/rules/", "model": "src/model/", "expr": "src/lang/expr/", "bus": "src/lang/bus/",
         "measure": "src/lang/measure/", "core": "src/lang/core/", "waves": "src/wave/"}
OUTCOMES = ("noticed", "undecided", "survives")
Place = collections.namedtuple("Place", "area file mutant right wrong")


def area_of(file):
    return next((a for a, prefix in AREAS.items() if file.startswith(prefix)), None)


def all_places(areas):
    """The places of each area's sources."""
    found = {a: [] for a in areas}
    for folder, _, names in os.walk(f"{ROOT}/src"):
        for name in names:
            file = os.path.relpath(f"{folder}/{name}", ROOT)
            area = area_of(file)
            if area in found and name.endswith((".c", ".h")):
                text = source(file)
                for mutant in mutant_tokens.mutants(text):
                    right, wrong = first_lines(text, mutant)
                    found[area].append(Place(area, file, mutant, right, wrong))
    return {a: sorted(p, key=lambda p: (p.file, p.mutant)) for a, p in found.items()}


def first_lines(text, mutant):
    """The first changed line, before and after."""
    changed = mutant_tokens.apply(text, mutant)
    return (text.split("\n")[mutant.line - 1].strip(), changed.split("\n")[mutant.line - 1].strip())


def drawn(places, seed, only):
    """Places in an order that the seed decides, the areas in turn."""
    pools = {}
    for area, pool in places.items():
        pool = [p for p in pool if not only or f"{p.file}:{p.mutant.line}" in only]
        random.Random(f"{seed} {area}").shuffle(pool)
        pools[area] = pool[::-1]
    while any(pools.values()):
        for pool in pools.values():
            if pool:
                yield pool.pop()


class Compiler:
    """Compiles single sources as the build does."""

    def __init__(self, tree, build):
        self.work, self.rights, self.lock = f"{build}/single", {}, threading.Lock()
        os.makedirs(self.work, exist_ok=True)
        write(f"{self.work}/mutant.h", mutant_copies.HEADER)
        self.flags = {}
        for c in json.loads(read(f"{build}/compile_commands.json")):
            words = shlex.split(c["command"])
            self.flags.setdefault(os.path.relpath(c["file"], tree), ["cc", *words[1:words.index("-o")]])
        self.header = next(f for s, f in self.flags.items() if s.startswith("src/lang/"))

    def run(self, file, text, *more):
        flags = self.flags.get(file, self.header)
        return subprocess.run([*flags, f"-I{self.work}", f"-I{ROOT}/{os.path.dirname(file)}", "-Wno-unused-function", "-Werror",
                               *more, "-x", "c", "-"], input=text.encode(), cwd=self.work,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0

    def code(self, file, text):
        """A sum of the code of a source, or None if it does not compile."""
        out = f"{self.work}/{threading.get_ident()}.o"
        if not self.run(file, text, "-g0", "-c", "-o", out):
            return None
        subprocess.run(["objcopy", "-g", "-R", ".comment", out], check=True)
        with open(out, "rb") as f:
            return hashlib.sha256(f.read()).hexdigest()

    def right(self, file):
        with self.lock:
            if file not in self.rights:
                self.rights[file] = self.code(file, source(file))
            return self.rights[file]

    def verdict(self, place):
        """None if the place can be tried, otherwise why not."""
        text, mutant = source(place.file), place.mutant
        copies, taken = mutant_copies.with_copies(text, [(1, mutant)])
        if not taken:
            return "not in a function"
        wrong = mutant_tokens.apply(text, mutant)
        if place.file.endswith(".h"):
            if not self.run(place.file, wrong, "-fsyntax-only"):
                return "does not compile"
        else:
            code = self.code(place.file, wrong)
            if code is None:
                return "does not compile"
            if code == self.right(place.file):
                return "the same code"
        return None if self.run(place.file, copies, "-fsyntax-only") else "its copy does not compile"


def draw(compiler, args):
    """So many places that can be tried, and how many cannot, by reason."""
    known, chosen, why_not = mutant_list.equivalents(ROOT), [], collections.Counter()
    waiting = drawn(all_places(args.area or list(AREAS)), args.seed, args.only)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        while len(chosen) < args.n:
            some = list(itertools.islice(waiting, min(16 * JOBS, args.n - len(chosen))))
            if not some:
                break
            for place, verdict in zip(some, pool.map(compiler.verdict, some)):
                if not verdict and (place.file, place.right, place.wrong) in known:
                    verdict = "changes nothing"
                if verdict:
                    why_not[verdict] += 1
                    if verdict.startswith("its copy"):
                        print(f"its copy does not compile: {place.file}:{place.mutant.line}", flush=True)
                else:
                    chosen.append(place)
    return chosen, why_not


def key(row):
    return (row["file"], row["line"], row["right"], row["wrong"])


def random_ones(tests, args):
    """Rows of what is wrong, and the sources in which those without an outcome are, in this order, from 1 on."""
    tests.make("pcounter") # for the tables that sources include
    places, why_not = draw(Compiler(tests.tree, tests.build), args)
    print("not drawn: " + (", ".join(f"{n} ({why})" for why, n in sorted(why_not.items())) or "none"))
    rows = [{"area": p.area, "file": p.file, "line": p.mutant.line, "right": p.right, "wrong": p.wrong} for p in places]
    old = json.loads(read(args.results)) if args.again else []
    noticed = {key(r): r for r in old if r["outcome"] == "noticed"}
    by_file = {}
    for number, place in enumerate((p for r, p in zip(rows, places) if key(r) not in noticed), 1):
        by_file.setdefault(place.file, []).append((number, place.mutant))
    rows = [noticed.get(key(r), r) for r in rows]
    return rows, {f: mutant_copies.with_copies(source(f), mutants)[0] for f, mutants in by_file.items()}


def listed_ones(args):
    """The same for rules of the list; each row has its number there."""
    rows = {}
    for number, file, before, right, after, wrong in mutant_list.entries(ROOT):
        if number in args.numbers or not args.numbers:
            line = source(file)[:source(file).index(before + right + after) + len(before)].count("\n") + 1
            rows.setdefault(number, {"area": area_of(file) or "others", "file": file, "line": line, "right": right,
                                     "wrong": wrong, "number": number})
    missing = set(args.numbers) - set(rows)
    if missing:
        sys.exit(f"tests/mutants.txt has no mutant {min(missing)}")
    order = {number: i for i, number in enumerate(rows, 1)}
    return list(rows.values()), mutant_list.with_choices(ROOT, order)


def try_all(tests, rows, args):
    """Runs the tests: each row without an "outcome" gets one, and "why"."""
    trying = [r for r in rows if "outcome" not in r]
    reaching = {n: [] for n in range(1, len(trying) + 1)}

    def attempt(number):
        start = time.monotonic()
        names = sorted(reaching[number], key=tests.seconds.get)
        return (*tests.judge(number, names, args.budget), time.monotonic() - start)

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for name, numbers in zip(tests.tests, pool.map(tests.reached, tests.tests)):
            for number in numbers:
                reaching[number].append(name)
        print(f"{len(tests.tests)} tests, {sum(tests.seconds.values()):.0f} s", flush=True)
        for row, (outcome, why, seconds) in zip(trying, pool.map(attempt, reaching)):
            row.update(outcome=outcome, why=why)
            print(f"{outcome} in {seconds:.1f} s: {described(row)}", flush=True)
            write(args.results, json.dumps([r for r in rows if "outcome" in r], indent=1))


def described(row):
    number = f"mutant {row['number']}, " if "number" in row else ""
    return f"{number}{row['file']}:{row['line']} ({row['why']})\n- {row['right']}\n+ {row['wrong']}"


def report(rows):
    """Prints the score of each area and what survives."""
    print(f"\n{'area':<10}" + "".join(f"{w:>11}" for w in ("mutants", *OUTCOMES, "score")))
    for area in [*AREAS, "others", "all"]:
        mine = [r for r in rows if area in (r["area"], "all")]
        n = collections.Counter(r["outcome"] for r in mine)
        if mine:
            print(f"{area:<10}{len(mine):>11}" + "".join(f"{n[o]:>11}" for o in OUTCOMES) +
                  f"{100 * n['noticed'] / len(mine):>9.1f} %")
    print()
    for row in rows:
        if row["outcome"] != "noticed":
            print(f"{row['outcome']}: {described(row)}")


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("numbers", nargs="*", type=int)
    parser.add_argument("-r", "--random", dest="n", type=int)
    parser.add_argument("-s", "--seed", type=int, default=1)
    parser.add_argument("-a", "--area", action="append", choices=AREAS)
    parser.add_argument("-b", "--budget", type=float, default=60)
    parser.add_argument("-t", "--tests", default="")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    args = parser.parse_args()
    if args.n is not None and (args.numbers or not 0 < args.n <= mutant_copies.MOST):
        parser.error(f"-r: 1 to {mutant_copies.MOST} mutants, and no numbers of the list")
    args.work = f"{ROOT}/build/mutants"
    args.results = f"{args.work}/{f'random-{args.seed}' if args.n else 'listed'}.json"
    if args.again and not (args.n and os.path.exists(args.results)):
        parser.error(f"--again: with -r, after a run of the seed; there is no {args.results}")
    return args


def main():
    args = parse()
    tests = Tests(args.work, args.sanitize)
    rows, texts = random_ones(tests, args) if args.n else listed_ones(args)
    print(f"{len(rows)} mutants; building", flush=True)
    tests.make_wrong(texts, args.tests)
    try_all(tests, rows, args)
    report(rows)
    return any(r["outcome"] != "noticed" for r in rows)


if __name__ == "__main__":
    sys.exit(main())
