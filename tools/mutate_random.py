#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Breaks single tokens of the sources at random and sees whether a test notices (tools/mutants.sh -r).

    mutate_random.py MAP WORK [-n N] [-s SEED] [-a AREA]... [-b SECONDS] [--sanitize] [--again]
                     [--only FILE:LINE]...

MAP is what `tools/coverage.sh -m` leaves: it says which tests run a line. WORK gets a copy of the
sources and its build, so that a mutant costs one object and the links of the tests that are run. Each
mutant is built, and the tests that run its line follow, quick ones first, until one fails or takes
ten times as long as it should. Those that do not compile without warnings, or compile to the same code,
are not counted. --again tries those once more that survived the last run of the seed. A line that no compiler sees (a declaration, a table of constants, a macro) has none.
"""
import argparse
import hashlib
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import mutant_copies
import mutant_tokens
import mutate

AREAS = {"rules": ("src/model/rules/",), "model": ("src/model/",), "expr": ("src/lang/expr/",),
         "bus": ("src/lang/bus/",), "measure": ("src/lang/measure/",), "core": ("src/lang/core/",),
         "wave": ("src/wave/",)}
ROOT = os.path.abspath(f"{os.path.dirname(sys.argv[0])}/..")
EQUIVALENT = "tests/mutants-equivalent.txt"


def area_of(file):
    return next((a for a, prefixes in AREAS.items() if file.startswith(prefixes)), None)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def copy_tree(to, instead):
    """Copies the sources; what is the same already keeps its time, so that little is built again.
    `instead`: the texts of headers that have mutants."""
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [d for d in folders if d not in (".git", "build", "build-bench", "__pycache__")]
        there = os.path.join(to, os.path.relpath(folder, ROOT))
        os.makedirs(there, exist_ok=True)
        for name in files:
            source, target = os.path.join(folder, name), os.path.join(there, name)
            if name == ".git":
                continue
            with open(source, "rb") as a:
                text = a.read()
            if name == "CMakeLists.txt" or name.endswith(".cmake"): # no look at each folder in each build
                text = text.replace(b" CONFIGURE_DEPENDS", b"")
            text = instead.get(os.path.relpath(source, ROOT), text)
            if os.path.exists(target):
                with open(target, "rb") as b:
                    if b.read() == text:
                        continue
            with open(target, "wb") as b:
                b.write(text)
            shutil.copymode(source, target)
    if not os.path.exists(f"{to}/src/mutant.h"):
        write(f"{to}/src/mutant.h", mutate.HEADER)


class Build:
    """The copy and its build: the preset `dev`, or `asan`. Test programs are linked when they are wanted."""

    def __init__(self, work, sanitize, data, headers):
        preset = "asan" if sanitize else "dev"
        self.tree, self.sanitize = f"{work}/{preset}", sanitize
        self.build = f"{self.tree}/build/{preset}"
        copy_tree(self.tree, {f: t.encode() for f, t in headers.items()})
        subprocess.run(["cmake", "--preset", preset, f"-DPC_SHARED_DIR={ROOT}/../shared"], cwd=self.tree,
                       check=True, stdout=subprocess.DEVNULL)
        self.tests = {t["name"]: self.here(data, t) for t in data["tests"]}
        text = subprocess.run(["ninja", "-t", "targets", "all"], cwd=self.build, check=True,
                              stdout=subprocess.PIPE).stdout.decode()
        self.targets = {line.split(":")[0] for line in text.split("\n")}
        self.trusted = set()
        self.number = 0 # of the mutant of a header
        self.wrong = {f: (read(f"{ROOT}/{f}"), t, os.stat(f"{self.tree}/{f}").st_mtime_ns)
                      for f, t in headers.items()} # right text, wrong text, time of what is not as it should be
        if not self.make(["pcounter_cli"]):
            sys.exit(f"the copy does not build: {self.build}/build.log")

    def here(self, data, test):
        """A test of the map, in this build."""
        def moved(text):
            there = {data["build"]: self.build, data["root"]: self.tree}
            return re.sub(f"({re.escape(data['build'])}|{re.escape(data['root'])})(?=/|$)", lambda m: there[m[1]], text)
        return {"command": [moved(a) for a in test["command"]], "folder": moved(test["folder"]),
                "environment": [moved(e) for e in test["environment"]]}

    def make(self, targets):
        with open(f"{self.build}/build.log", "w", encoding="utf-8") as log:
            return subprocess.run(["ninja", "-C", self.build, "-j", os.environ.get("JOBS", "2"), *targets],
                                  stdout=log, stderr=log, check=False).returncode == 0

    def objects(self, file):
        """The objects of a source of the library, and a sum of the code in them."""
        names = [t for t in self.targets if t.endswith(f"/{file}.o") and t.startswith("CMakeFiles/pc_")]
        code = b""
        for name in names:
            if os.path.exists(f"{self.build}/{name}"):
                subprocess.run(["objcopy", "-g", f"{self.build}/{name}", f"{self.build}/stripped.o"], check=True)
                with open(f"{self.build}/stripped.o", "rb") as f:
                    code += f.read()
        return names, hashlib.sha256(code).hexdigest()

    def put(self, wrong):
        """Lets sources be as they are built, or as tests shall read them, at the same time."""
        for file, (right_text, wrong_text, time_ns) in self.wrong.items():
            write(f"{self.tree}/{file}", wrong_text if wrong else right_text)
            os.utime(f"{self.tree}/{file}", ns=(time_ns, time_ns))

    def programs(self, name):
        """What has to be built for a test."""
        paths = (a[len(self.build) + 1:] for a in self.tests[name]["command"] if a.startswith(f"{self.build}/"))
        return sorted(p for p in paths if p in self.targets)

    def limits(self):
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))
        if not self.sanitize:
            resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))

    def passes(self, name, seconds):
        """Runs a test: "passes", "fails", "does not end", or "is not built"."""
        test = self.tests[name]
        self.put(True)
        built = self.make(self.programs(name))
        self.put(False)
        if not built:
            return "is not built"
        environment = dict(os.environ, PC_MUTANT=str(self.number), **dict(e.split("=", 1) for e in test["environment"]))
        with subprocess.Popen(test["command"], cwd=test["folder"], env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, preexec_fn=self.limits) as process:
            try:
                code = process.wait(10 * seconds + 10)
            except subprocess.TimeoutExpired:
                code = None
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return "does not end" if code is None else "passes" if code in (0, 77) else "fails"


def candidates(lines, areas):
    """(file, mutant, tests) of each place on a line that a compiler sees, by area."""
    found = {a: [] for a in areas}
    for file, numbers in sorted(lines.items()):
        area = area_of(file)
        if area not in found or not file.endswith((".c", ".h")):
            continue
        for mutant in mutant_tokens.mutants(read(f"{ROOT}/{file}")):
            seen = [n for n in range(mutant.line, mutant.first - 1, -1) if str(n) in numbers]
            if seen:
                found[area].append((file, mutant, numbers[str(seen[0])]))
    return found


def drawn(found, seed, only):
    """Places in an order that the seed decides, the areas in turn."""
    pools = {}
    for area, places in found.items():
        places = [p for p in places if not only or f"{p[0]}:{p[1].line}" in only]
        random.Random(f"{seed} {area}").shuffle(places)
        pools[area] = places[::-1]
    while any(pools.values()):
        for area, places in pools.items():
            if places:
                yield (area, *places.pop())


def first_line(file, mutant):
    """The first changed line, before and after."""
    source = read(f"{ROOT}/{file}")
    changed = mutant_tokens.apply(source, mutant)
    return (source.split("\n")[mutant.line - 1].strip(), changed.split("\n")[mutant.line - 1].strip())


def equivalents():
    """(file, right, wrong) of each entry of the list of mutants that change nothing."""
    known = set()
    text = "\n".join(l for l in read(f"{ROOT}/{EQUIVALENT}").split("\n") if not l.startswith("#"))
    for entry in filter(None, (e.strip() for e in text.split("\n\n"))):
        file, right, wrong, _ = entry.split("\n", 3)
        known.add((file, right[2:], wrong[2:].strip()))
    return known


def cost(build, name, seconds):
    """Seconds of a test, with those of linking its program, and of compiling it at first."""
    programs = build.programs(name)
    there = all(os.path.exists(f"{build.build}/{p}") for p in programs)
    return seconds[name] + (0.0 if programs == ["cli/pcounter"] else 0.3 if there else 1.5)


def judge(build, names, seconds, budget):
    """Runs tests until one fails that passes without the mutant; the outcome, and what was run."""
    spent = 0.0
    for name in names:
        if spent > budget:
            return "survives", f"{budget:.0f} s of tests, not all"
        start = time.monotonic()
        outcome = build.passes(name, seconds[name])
        spent += time.monotonic() - start
        if outcome != "passes":
            return ("killed", f"{name} {outcome}")
    return "survives", f"{len(names)} tests" if names else "no test runs it"


def headers_of(places, data):
    """The text of each header with its mutants that compile, and the number of each of these."""
    by_file, numbers = {}, {}
    for number, (_, file, mutant, _) in enumerate(places, 1):
        if file.endswith(".h"):
            by_file.setdefault(file, []).append((number, mutant))
    texts = {}
    for file, numbered in by_file.items():
        source = read(f"{ROOT}/{file}")
        good = [n for n in numbered if compiles(file, mutant_copies.with_copies(source, [n]), data)]
        if good:
            texts[file], taken = mutant_copies.with_copies(source, good)
            numbers.update({(file, m): n for n, m in taken})
    return texts, numbers


def compiles(file, copies, data):
    """Does a header with one mutant compile without warnings?"""
    text, taken = copies
    if not taken:
        return False
    text = text.replace('#include "mutant.h"\n', "int pc_mutant(void);\n")
    flags = ["-std=c17", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wno-unused-function", "-Wconversion", "-Werror"]
    return subprocess.run(["cc", "-fsyntax-only", *flags, f"-I{ROOT}/src", f"-I{ROOT}/include",
                           f"-I{data['build']}/tables", f"-I{ROOT}/{os.path.dirname(file)}", "-x", "c", "-"],
                          input=text.encode(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def change(build, file, mutant, numbers):
    """Builds what a mutant is: "invalid", "same" or None if it is to be tested."""
    if file.endswith(".h"):
        build.number = numbers.get((file, mutant), 0)
        return None if build.number else ("invalid", "does not compile")
    source = read(f"{ROOT}/{file}")
    objects = build.objects(file)[0]
    build.put(True)
    if not build.make(objects):
        sys.exit(f"{file} does not build: {build.build}/build.log")
    before = build.objects(file)[1]
    build.wrong[file] = (source, mutant_tokens.apply(source, mutant), time.time_ns())
    build.put(True)
    if not build.make(objects):
        return "invalid", "does not compile"
    if build.objects(file)[1] == before:
        return "same", "the same code"
    return None


def attempt(build, place, state):
    """Builds a mutant and runs its tests; the outcome and why."""
    _, file, mutant, tests = place
    names = sorted((state["names"][t] for t in tests), key=lambda n: cost(build, n, state["seconds"]))
    names = [n for n in names if n not in state["banned"]]
    outcome, why = (change(build, file, mutant, state["numbers"]) or
                    judge(build, names, state["seconds"], state["budget"]))
    build.number = 0
    if file.endswith(".c"):
        build.wrong.pop(file, None)
        write(f"{build.tree}/{file}", read(f"{ROOT}/{file}"))
    killer = why.split(" ")[0]
    if outcome == "killed" and killer not in build.trusted:
        if build.passes(killer, state["seconds"][killer]) != "passes":
            print(f"{killer} fails without a mutant: left out", flush=True)
            state["banned"].add(killer)
            return attempt(build, place, state)
        build.trusted.add(killer)
    return outcome, why


def report(results):
    """Prints the score of each area and the survivors."""
    print(f"\n{'area':<10}{'mutants':>8}{'killed':>8}{'equivalent':>12}{'survive':>9}{'score':>9}")
    for area in [*AREAS, "all"]:
        rows = [r for r in results if area in (r["area"], "all")]
        n = {o: sum(r["outcome"] == o for r in rows) for o in ("killed", "survives", "equivalent")}
        counted = n["killed"] + n["survives"]
        if counted:
            print(f"{area:<10}{counted:>8}{n['killed']:>8}{n['equivalent']:>12}{n['survives']:>9}"
                  f"{100 * n['killed'] / counted:>7.1f} %")
    print()
    for r in results:
        if r["outcome"] == "survives":
            print(f"{r['file']}:{r['line']} ({r['why']})\n- {r['right']}\n+ {r['wrong']}")


def before_now(args):
    """The results of the last run of the seed, by place."""
    rows = json.loads(read(f"{args.work}/random-{args.seed}.json"))
    return {(r["file"], r["line"], r["right"], r["wrong"]): r for r in rows}


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("map")
    parser.add_argument("work")
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("-s", "--seed", type=int, default=1)
    parser.add_argument("-a", "--area", action="append", choices=AREAS)
    parser.add_argument("-b", "--budget", type=float, default=60)
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    return parser.parse_args()


def main():
    args = parse()
    with open(args.map, encoding="utf-8") as f:
        data = json.load(f)
    state = {"names": [t["name"] for t in data["tests"]], "budget": args.budget,
             "seconds": {t["name"]: t["seconds"] for t in data["tests"]},
             "banned": {t["name"] for t in data["tests"] if not t["passed"]}}
    places = list(itertools.islice(drawn(candidates(data["lines"], args.area or list(AREAS)), args.seed, args.only),
                                   2 * args.n + 20))
    headers, state["numbers"] = headers_of(places, data)
    build = Build(os.path.abspath(args.work), args.sanitize, data, headers)
    known, results, done = equivalents(), [], 0
    before = before_now(args) if args.again else {}
    print(f"seed {args.seed}", flush=True)
    for place in places:
        if done >= args.n:
            break
        area, file, mutant, _ = place
        right, wrong = first_line(file, mutant)
        old = before.get((file, mutant.line, right, wrong))
        if old and old["outcome"] != "survives":
            done += old["outcome"] in ("killed", "equivalent")
            results.append(old)
            continue
        start = time.monotonic()
        outcome, why = (("equivalent", EQUIVALENT) if (file, right, wrong) in known
                        else attempt(build, place, state))
        done += outcome in ("killed", "survives", "equivalent")
        results.append({"area": area, "file": file, "line": mutant.line, "right": right, "wrong": wrong,
                        "outcome": outcome, "why": why})
        print(f"{done} {outcome} ({why}, {time.monotonic() - start:.1f} s) {file}:{mutant.line}\n- {right}\n+ {wrong}",
              flush=True)
        now = {(r["file"], r["line"], r["right"], r["wrong"]) for r in results}
        with open(f"{args.work}/random-{args.seed}.json", "w", encoding="utf-8") as f:
            json.dump(results + [r for k, r in before.items() if k not in now], f, indent=1)
    report(results)
    return any(r["outcome"] == "survives" for r in results)


if __name__ == "__main__":
    sys.exit(main())
