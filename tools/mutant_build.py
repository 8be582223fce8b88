# SPDX-License-Identifier: MIT
"""A copy of the sources in which many mutants are built at once, and the tests of it (tools/mutants.py)."""
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

import mutant_copies

ROOT = os.path.abspath(f"{os.path.dirname(__file__)}/..")
JOBS = int(os.environ.get("JOBS") or os.cpu_count() or 2)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def source(file):
    return read(f"{ROOT}/{file}")


class Tests:
    """The copy of the sources, its build (the preset `dev` or `asan`), and the tests of it."""

    def __init__(self, work, sanitize):
        self.preset = "asan" if sanitize else "dev"
        self.sanitize, self.tree = sanitize, f"{work}/{self.preset}"
        self.build = f"{self.tree}/build/{self.preset}"
        self.copy({})
        if not os.path.lexists(f"{work}/shared"): # where the tests of the copy look for it
            os.symlink(os.path.realpath(f"{ROOT}/../shared"), f"{work}/shared")
        subprocess.run(["cmake", "--preset", self.preset, "-DPC_WERROR=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"],
                       cwd=self.tree, check=True, stdout=subprocess.DEVNULL)
        self.seconds, self.locks, self.failing, self.trusted = {}, {}, set(), set()

    def copy(self, texts):
        """Copies the sources, with `texts` in place of some; what is the same already keeps its time."""
        for folder, folders, names in os.walk(ROOT):
            folders[:] = [d for d in folders if d not in (".git", "build", "build-bench", "__pycache__")]
            there = os.path.join(self.tree, os.path.relpath(folder, ROOT))
            os.makedirs(there, exist_ok=True)
            for name in names:
                path, target = os.path.join(folder, name), os.path.join(there, name)
                if name == ".git":
                    continue
                with open(path, "rb") as f:
                    text = texts.get(os.path.relpath(path, ROOT), "").encode() or f.read()
                if os.path.exists(target):
                    with open(target, "rb") as f:
                        if f.read() == text:
                            continue
                with open(target, "wb") as f:
                    f.write(text)
                shutil.copymode(path, target)

    def make(self, *targets):
        """Builds targets of the copy, or all."""
        write(f"{self.tree}/src/mutant.h", mutant_copies.HEADER)
        with open(f"{self.tree}/build.log", "w", encoding="utf-8") as log:
            if subprocess.run(["ninja", "-C", self.build, "-j", str(JOBS), *targets], stdout=log, stderr=log,
                              check=False).returncode:
                sys.exit(f"the copy does not build: {self.tree}/build.log")

    def make_wrong(self, texts, wanted):
        """Builds all with `texts`, to run tests of wanted names; they read the sources as they should be."""
        self.copy(texts)
        self.make()
        self.copy({})
        listed = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], check=True,
                                stdout=subprocess.PIPE).stdout
        presets = json.loads(source("CMakePresets.json"))["testPresets"]
        left_out = next(p for p in presets if p["name"] == "coverage")["filter"]["exclude"]["name"]
        self.tests = {t["name"]: t for t in json.loads(listed)["tests"]
                      if re.search(wanted, t["name"]) and not re.search(left_out, t["name"])}
        self.locks = {name: threading.Lock() for name in self.tests}

    def limits(self):
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (4 << 30, 4 << 30))
        if not self.sanitize:
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))

    def run(self, name, seconds, **environment):
        """Runs a test: "passes", "fails" or "does not end"."""
        properties = {p["name"]: p["value"] for p in self.tests[name].get("properties", [])}
        environment = {**os.environ, **dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", [])), **environment}
        with self.locks[name], subprocess.Popen(
                self.tests[name]["command"], cwd=properties.get("WORKING_DIRECTORY", self.build), env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                preexec_fn=self.limits) as process:
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                code = None
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        return "does not end" if code is None else "passes" if code in (0, 77) else "fails"

    def reached(self, name):
        """Runs a test without a mutant; the numbers of those that it reaches."""
        seen = f"{self.build}/seen-{name}"
        with open(seen, "wb") as f:
            f.write(bytes(mutant_copies.MOST + 1))
        start = time.monotonic()
        outcome = self.run(name, 1800, PC_MUTANT="0", PC_MUTANT_SEEN=seen)
        self.seconds[name] = time.monotonic() - start
        if outcome != "passes":
            print(f"{name} {outcome} without a mutant: left out", flush=True)
            self.failing.add(name)
            return []
        with open(seen, "rb") as f:
            return [n for n, byte in enumerate(f.read()) if byte]

    def judge(self, number, names, budget):
        """Runs tests until one fails that passes without the mutant; the outcome and why."""
        start = time.monotonic()
        for i, name in enumerate(names):
            if time.monotonic() - start > budget:
                return "undecided", f"{i} of {len(names)} tests"
            outcome = self.run(name, 10 * self.seconds[name] + 10, PC_MUTANT=str(number))
            if outcome != "passes" and name not in self.failing:
                if name in self.trusted or self.run(name, 1800, PC_MUTANT="0") == "passes":
                    self.trusted.add(name)
                    return "noticed", f"{name} {outcome}"
                print(f"{name} fails without a mutant: left out", flush=True)
                self.failing.add(name)
        n = len(names)
        return "survives", f"{n} test{'s' * (n > 1)}" if n else "no test reaches it"
