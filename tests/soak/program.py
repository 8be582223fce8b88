# SPDX-License-Identifier: MIT
"""Runs the program once and checks what every call keeps, whatever its options are."""
import csv
import io
import json
import os
import re
import resource
import signal
import subprocess
import time

CODES = {0, 1, 2, 3, 4}
TIMEOUT = 60
MEMORY = 3 << 30  # bytes of address space, where no sanitizer needs more
SANITIZED = {"ASAN_OPTIONS": "exitcode=99:detect_leaks=1", "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99"}
HEAD = re.compile(r"pcounter: (error|warning|note)\[PC-([EWN])\d{4}\]: .")
ALSO = re.compile(r"pcounter: .*: not (as expected|known): ") # the results of --expect


class Broken(Exception):
    """A promise does not hold."""


class Result:
    def __init__(self, code, out, err, seconds, memory):
        self.code, self.out, self.err, self.seconds, self.memory = code, out, err, seconds, memory

    @property
    def text(self):
        return self.out.decode()

    def json(self):
        return json.loads(self.out, parse_constant=refuse)

    def rows(self):
        return list(csv.DictReader(io.StringIO(self.text, newline="")))


def refuse(word):
    raise Broken(f"{word} in JSON")


class Program:
    def __init__(self, path, folder):
        self.path, self.folder, self.calls = path, folder, 0
        with open(path, "rb") as f:
            self.sanitized = b"__asan_init" in f.read()

    def limits(self, bytes_written):
        def set_them():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if not self.sanitized:
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if bytes_written is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_written, bytes_written))
        return set_them

    def start(self, args, stdin=subprocess.DEVNULL, bytes_written=None):
        self.calls += 1
        return subprocess.Popen([self.path, *args], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                cwd=self.folder, env={**os.environ, **SANITIZED, "COLUMNS": "132"},
                                preexec_fn=self.limits(bytes_written))

    def run(self, args, data=None, bytes_written=None):
        """Returns the result of a call that has kept the promises of every call."""
        began = time.monotonic()
        stdin = subprocess.DEVNULL if data is None else subprocess.PIPE
        process = self.start(args, stdin, bytes_written)
        try:
            out, err = process.communicate(data, timeout=TIMEOUT * (5 if self.sanitized else 1))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise Broken(f"more than {TIMEOUT} s") from None
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        result = Result(process.returncode, out, err, time.monotonic() - began, memory)
        check(args, result)
        return result


def visible(what, data):
    try:
        text = data.decode()
    except UnicodeDecodeError as e:
        raise Broken(f"{what} is not UTF-8: {e}") from None
    for c in text:
        if (c < " " and c not in "\n\t\r") or "\x7f" <= c <= "\x9f":
            raise Broken(f"a control character {c!r} on {what}")
    return text


def format_of(args):
    for i, word in enumerate(args):
        if word == "--format" and i + 1 < len(args):
            return args[i + 1]
        if word.startswith("--format="):
            return word[9:]
    return "text"


def check(args, r):
    """Checks exit code, messages and the form of the output."""
    if r.code not in CODES:
        raise Broken(f"exit code {r.code}")
    out, err = visible("stdout", r.out), visible("stderr", r.err)
    heads = [line for line in err.splitlines() if line.startswith("pcounter:")]
    for line in heads:
        if not HEAD.match(line) and not ALSO.match(line):
            raise Broken(f"a message without a code: {line}")
    errors = [line for line in heads if line.startswith("pcounter: error")]
    going_on = args[:1] == ["check"] or any(w in ("-k", "--keep-going") for w in args) # an error for each file
    if r.code <= 1 and errors and args[0] not in ("run", "replay"): # each read that is not as expected is one
        raise Broken(f"exit code {r.code} with an error: {errors[0]}")
    if r.code >= 2 and (not errors or (len(errors) > 1 and not going_on)):
        raise Broken(f"exit code {r.code} with {len(errors)} errors")
    if r.code <= 1 and out:
        well_formed(format_of(args), out)


def well_formed(form, out):
    if form == "json":
        json.loads(out, parse_constant=refuse)
    elif form == "jsonl":
        for line in out.splitlines():
            json.loads(line, parse_constant=refuse)
    elif form == "csv":
        rows = list(csv.reader(io.StringIO(out, newline=""), strict=True))
        widths = {len(row) for row in rows}
        if len(widths) > 1:
            raise Broken(f"rows of CSV with {sorted(widths)} cells")
