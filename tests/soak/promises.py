# SPDX-License-Identifier: MIT
"""What must hold between several calls.  Each function takes a Case and raises Broken."""
import json
import os
import re
import signal
import time

from calls import CHIPS, WAVE
from program import Broken

NAMES = {"trace", "traces", "waveform", "waveforms", "file", "encoding", "parts"}
DERIVED = {("idle", "percent")} # columns that JSON leaves to its reader
SUFFIXES = {"text": "txt", "csv": "csv", "json": "json", "md": "md", "html": "html", "jsonl": "jsonl"}
FORMATS = {
    "stat": ["text", "csv", "json", "jsonl", "md", "html"],
    "record": ["text", "csv", "json", "jsonl", "md", "html"],
    "idle": ["text", "csv", "json", "jsonl", "md", "html"],
    "activity": ["text", "csv", "json", "jsonl", "md", "html"],
    "bus": ["text", "csv", "json", "md", "html"],
    "info": ["text", "csv", "json", "md"],
    "check": ["text", "csv", "json", "jsonl", "md"],
}


def same(what, a, b):
    if a != b:
        x, y = str(a), str(b)
        at = max(0, next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), 0) - 60)
        raise Broken(f"{what}: {x[at:at + 300]!r} and {y[at:at + 300]!r}")


class Case:
    """A waveform in a folder of its own, and calls made for it."""

    def __init__(self, program, calls, rng, wave, local):
        self.program, self.calls, self.rng, self.wave, self.local = program, calls, rng, wave, local
        self.log = []

    def run(self, words, name=None, data=None, **more):
        args = [name or self.local if w == WAVE else w for w in words]
        self.log.append(args)
        return self.program.run(args, data, **more)

    def path(self, name):
        return os.path.join(self.program.folder, name)

    def any_call(self):
        verbs = [self.calls.stat] * 4 + [self.calls.bus, self.calls.activity, self.calls.activity, self.calls.record,
                                         self.calls.idle, self.calls.info, self.calls.check]
        return self.rng.choice(verbs)()

    def formatted(self, words):
        return words + ["--format", self.rng.choice(FORMATS[words[0]])] if "--list" not in words else words


def nameless(value, name):
    """The report without the names of files, and what depends on them."""
    if isinstance(value, dict):
        return {k: nameless(v, name) for k, v in value.items() if k not in NAMES}
    if isinstance(value, list):
        return [nameless(v, name) for v in value]
    return value.replace(name, "-").replace("standard input", "-") if isinstance(value, str) else value


def numbers(value, out):
    if isinstance(value, dict):
        for k, v in value.items():
            numbers(v, out)
            numbers(k, out)
    elif isinstance(value, list):
        for v in value:
            numbers(v, out)
    elif isinstance(value, bool):
        out.add(float(value))
    elif value is not None:
        number = as_number(value)
        if number is not None:
            out.add(number)
    return out


def as_number(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


# --- one call ---

def plain(c):
    """Any call keeps what program.py checks, and is the same when it is made again."""
    words = c.formatted(c.any_call())
    first = c.run(words)
    if c.rng.random() < 0.2:
        again = c.run(words)
        same("the second time", (first.code, first.out, first.err), (again.code, again.out, again.err))


def spoilt(c):
    words = c.calls.spoil(c.any_call() if c.rng.random() < 0.8 else c.calls.registers())
    c.run(words)


def registers(c):
    words = c.calls.registers()
    if c.rng.random() < 0.5 and words[0] not in ("explain", "schema", "help", "version"):
        words += ["--format", c.rng.choice(["text", "csv", "json", "md"])]
    c.run(words)


def scripts(c):
    """A script, or parts of it, runs the same twice, and its log replays without a difference."""
    with open(c.rng.choice(c.program.scripts), encoding="utf-8") as f:
        lines = f.read().splitlines()
    if c.rng.random() < 0.7: # without some lines
        lines = [line for line in lines if line.startswith("chip") or c.rng.random() < 0.9]
    if c.rng.random() < 0.2:
        other = ["run 100", "w 00a7c4 ffffffff", "r 00a7c0", "set s10 1", "?", "r 1 2 3"]
        lines[c.rng.randrange(len(lines))] = c.rng.choice(other)
    with open(c.path("script.pcs"), "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")
    first = c.run(["run", "script.pcs", "--log", "mmiotrace=log.mmt"])
    form = c.rng.choice(["text", "csv", "json", "jsonl", "md"])
    a, b = c.run(["run", "script.pcs", "--format", form]), c.run(["run", "script.pcs", "--format", form])
    same("a script that runs twice", (a.code, a.out, a.err), (b.code, b.out, b.err))
    same("exit codes with and without a log", first.code, a.code)
    c.run(["decode", "-i", "script.pcs", "--format", c.rng.choice(["text", "csv", "json", "md"])])
    if first.code > 1:
        same("a log of a run that failed", os.path.exists(c.path("log.mmt")), False)
        return
    again = c.run(["replay", "--expect-reads", "--strict", "log.mmt"])
    if again.code == 1:
        raise Broken(f"the log of a run replays with differences: {again.text[:300]}")


# --- the same in other ways ---

def jobs(c):
    words = c.formatted(c.any_call())
    if words[0] in ("record", "idle"):
        words = c.formatted(c.calls.stat())
    one = c.run([words[0], "-j", "1", *words[1:]])
    for j in ("2", "8"):
        other = c.run([words[0], "-j", j, *words[1:]])
        same(f"-j {j}", (one.code, one.out, one.err), (other.code, other.out, other.err))


def another_name(c, words, name, data=None):
    words = words + ["--format", "json"] if "--list" not in words else words
    a, b = c.run(words), c.run(words, name, data)
    same(f"exit codes of {c.local} and {name}", a.code, b.code)
    if a.code <= 1 and a.out and "--list" not in words:
        x, y = nameless(a.json(), c.local), nameless(b.json(), name)
        if name == "-" and words[0] == "info": # which clock explains the changes takes another read
            x.pop("evidence", None)
            y.pop("evidence", None)
        same(f"reports of {c.local} and {name}", x, y)


def pipe(c):
    another_name(c, c.any_call(), "-", c.wave.bytes())


def packing(c):
    path = c.wave.other_packing(c.program.folder)
    if not path:
        return
    another_name(c, c.any_call(), os.path.basename(path))
    os.remove(path)


def engine(c):
    words = ["stat", "-c", c.calls.clock(), "-a", c.rng.choice(CHIPS), "--format", "json", WAVE]
    for i in range(c.rng.randrange(1, 4)):
        words += ["-e", f"e{i} = {c.calls.expression(1)}"]
    a, b = c.run(words), c.run(words + ["--engine", "step"])
    same("--engine step", (a.code, a.out), (b.code, b.out))


def cut(c):
    """A VCD made of any waveform has the same activity and the same counts."""
    if not c.wave.nets or not c.wave.unit or c.local.endswith((".sr", ".csv")) or c.run(["record", "--cut", "-q", "-o", "cut.vcd", WAVE]).code:
        return
    stat = ["stat", "-q", "-c", c.calls.clock()]
    for i in range(c.rng.randrange(1, 3)):
        stat += ["-e", f"e{i} = {c.calls.expression(1)}"]
    for words in (["activity", "-q", "--format", "json", WAVE], stat + ["--format", "json", WAVE]):
        a, b = c.run(words), c.run(words, "cut.vcd")
        same("exit codes after --cut", a.code, b.code)
        if a.code <= 1:
            x, y = nameless(a.json(), c.local), nameless(b.json(), "cut.vcd")
            for report in (x, y):
                report.pop("warnings", None)
                report.pop("timescale", None)
            same(f"{words[0]} after --cut", x, y)


# --- formats ---

def formats(c):
    words = c.any_call()
    if {"--list", "--spark"} & set(words): # of a format of its own
        return
    told = {f: c.run(words + ["--format", f]) for f in FORMATS[words[0]]}
    told["csv-safe"] = c.run(words + ["--format", "csv", "--csv-safe"])
    first = told["json"]
    for form, r in told.items():
        same(f"exit codes of json and {form}", first.code, r.code)
    if first.code > 1:
        return
    known = numbers(first.json(), {0.0, 1.0})
    rows = told["csv"].rows()
    for row in rows:
        for column, cell in row.items():
            number = as_number(cell)
            derived = (words[0], column) in DERIVED or row.get("name", "").endswith((".transitions", ".distinct"))
            if number is not None and "_" not in cell and number not in known and not derived:
                raise Broken(f"{column} {cell} of CSV is not in the JSON: {row}")
    safe = told["csv-safe"].rows()
    same("rows of CSV and of --csv-safe", [numbers(r, set()) for r in rows], [numbers(r, set()) for r in safe])
    same_numbers(told["text"].text, told["md"].text)


def same_numbers(text, markdown):
    """Markdown has each number of the text, and tables whose rows have the cells of their head."""
    head = None
    for line in markdown.splitlines():
        cells = len(re.sub(r"\\.", "", line).split("|")) if line.startswith("|") else None
        if cells and head:
            same(f"cells of a row of Markdown: {line}", head, cells)
        head = cells
    number = re.compile(r"\d[\d,]*(?:\.\d+)?")
    known = set(number.findall(re.sub(r"\\(.)", r"\1", markdown)))
    for line in text.splitlines():
        lost = [n for n in number.findall(line) if n not in known]
        if lost and not line.startswith("not shown (too wide)"):
            raise Broken(f"{', '.join(lost)} of the text are not in the Markdown: {line}")


def output(c):
    """-o writes what standard output gets, or nothing; a file that was there stays as it was."""
    words = c.any_call()
    if "--list" in words or "--vars" in words:
        return
    form = c.rng.choice([f for f in FORMATS[words[0]] if f in SUFFIXES])
    name = "out." + SUFFIXES[form]
    printed = c.run(words + ["--format", form])
    there = c.rng.random() < 0.5
    if there:
        with open(c.path(name), "w", encoding="ascii") as f:
            f.write("old")
    before = set(os.listdir(c.program.folder)) | {name}
    wrote = c.run(words + ["-o", name])
    same("exit codes with and without -o", printed.code, wrote.code)
    same("files", set(os.listdir(c.program.folder)) | {name}, before)
    if wrote.out and wrote.code <= 1:
        raise Broken("something on standard output beside -o")
    got = read(c.path(name))
    if printed.code > 1 and "-I" not in words:
        same("the file after an error", got, b"old" if there else None)
    elif printed.code <= 1 and form != "text": # a text has warnings that go to standard error otherwise
        same(f"{form} by -o and on standard output", got, printed.out)
    if got is not None:
        os.remove(c.path(name))


def read(path):
    try:
        with open(path, "rb") as f:
            return f.read()
    except FileNotFoundError:
        return None


def full(c):
    """An output that cannot grow ends with an error and leaves nothing."""
    words = c.any_call()
    if "--list" in words:
        return
    before = set(os.listdir(c.program.folder))
    r = c.run(words + ["-o", "full.json"], bytes_written=c.rng.choice([0, 10, 100, 1000, 5000]))
    left = set(os.listdir(c.program.folder)) - before
    same("files that are left", left, {"full.json"} if r.code <= 1 else set())
    if r.code <= 1:
        json.loads(read(c.path("full.json")))
        os.remove(c.path("full.json"))


def interrupted(c):
    """Ctrl-C gives counts so far, marked; a kill leaves a whole file or none."""
    words = [c.local if w == WAVE else w for w in c.calls.stat() + ["-o", "part.json"]]
    c.log.append(words)
    process = c.program.start(words)
    time.sleep(c.rng.uniform(0, 0.05))
    what = c.rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    process.send_signal(what)
    try:
        _, err = process.communicate(timeout=60)
    except Exception as e:
        process.kill()
        raise Broken(f"goes on after signal {what}") from e
    allowed = {0, 1, 2, 3, 4, 130, -what} if what != signal.SIGKILL else {0, 1, 2, 3, 4, -what}
    if process.returncode not in allowed:
        raise Broken(f"exit code {process.returncode} after signal {what}: {err!r}")
    got = read(c.path("part.json"))
    if got is not None:
        try:
            json.loads(got)
        except ValueError:
            raise Broken(f"half a report after signal {what}") from None
        os.remove(c.path("part.json"))
    for name in os.listdir(c.program.folder):
        if name.startswith(("part.json", ".part.json")):
            if what != signal.SIGKILL:
                raise Broken(f"{name} is left after signal {what}")
            os.remove(c.path(name))


# --- reports ---

def itself(c):
    words = c.rng.choice([c.calls.stat, c.calls.bus, c.calls.activity])()
    if {"-I", "--list", "--multiplex", "--histogram"} & set(words):
        return
    r = c.run(words + ["-q", "-o", "one.json"])
    if r.code > 1 or json.loads(read(c.path("one.json"))).get("buses") == []: # nothing to compare
        return
    d = c.run(["diff", "one.json", "one.json"])
    same("diff of a report and itself", d.code, 0)
    m = c.run(["merge", "-q", "--inexact", "--format", "json", "one.json"])
    if m.code <= 1:
        same("merge of one report", nameless(m.json(), "one.json"), nameless(json.loads(read(c.path("one.json"))), "one.json"))
    else:
        raise Broken(f"merge refuses a report: {m.err.decode()}")
    os.remove(c.path("one.json"))


def figures(report, verb):
    """What of a report adds up."""
    out = {}
    if verb == "stat":
        out["cycles"] = report["cycles"]
        for e in report.get("events", []):
            out[e["name"]] = e["value"]
        for v in report.get("values", []):
            for f in ("count", "sum", "unknown"):
                out[v["name"], f] = v[f]
    elif verb == "activity":
        for n in report["nets"]:
            for f in ("T0", "T1", "TX", "TZ", "TC", "rises", "falls", "x_to_1", "x_to_0", "known_to_x"):
                if f in n:
                    out[n["name"], n["range"], f] = n[f]
    else:
        for b in report["buses"]:
            if "edges" in b:
                for f in ("edges", "reset_edges", "cycles"):
                    out[b["name"], f] = b[f]
    return out


def added(a, b):
    return {k: None if a.get(k) is None and b.get(k) is None else (a.get(k) or 0) + (b.get(k) or 0) for k in {**a, **b}}


def parts(c):
    """The parts of a waveform add up to the whole, also by merge."""
    verb = c.rng.choice(["stat", "stat", "activity", "bus"])
    words = [verb, "-q", WAVE]
    if verb == "stat":
        words += ["-c", c.calls.clock()]
        words += ["-e", f"e = {c.calls.expression()}"] if c.rng.random() < 0.9 else []
        words += ["--value", f"v = {c.calls.vector()}"] if c.rng.random() < 0.5 else []
    elif verb == "activity" and c.rng.random() < 0.4:
        words += ["--bits"]
    at = str(c.rng.randrange(1, 3000)) if verb == "stat" and c.rng.random() < 0.5 else c.calls.moment()
    whole = c.run(words + ["--format", "json"])
    halves = []
    for i, way in enumerate(("--to", "--from")):
        r = c.run(words + [way, at, "-o", f"{i}.json"])
        if r.code > 1 or whole.code > 1:
            return
        halves.append(json.loads(read(c.path(f"{i}.json"))))
    want = figures(whole.json(), verb)
    got = added(figures(halves[0], verb), figures(halves[1], verb))
    for k in want:
        same(f"{k}: whole and sum of parts at {at}", want[k], got.get(k))
    m = c.run(["merge", "-q", "--inexact", "--format", "json", "0.json", "1.json"])
    if m.code == 4 or "PC-E0100" in m.err.decode(): # not enough memory for large reports
        return
    if verb == "bus" and "PC-E1703" in m.err.decode(): # the data of the parts may decide on other rules
        return
    if m.code > 1:
        raise Broken(f"merge refuses parts at {at}: {m.err.decode()}")
    got = figures(m.json(), verb)
    for k in want:
        same(f"{k}: whole and merge of parts at {at}", want[k], got.get(k))


def intervals(c):
    verb = c.rng.choice(["stat", "activity"])
    words = [verb, "-q", "--format", "json", WAVE]
    span = max(1, (c.wave.last - c.wave.first) // c.rng.randrange(1, 60))
    if verb == "stat":
        words += ["-c", c.calls.clock(), "-e", f"e = {c.calls.expression()}", "--value", f"v = {c.calls.vector()}"]
        words += ["-I", str(c.rng.randrange(1, 2000)) if c.rng.random() < 0.5 else c.calls.time(span)]
    else:
        words += ["-I", c.calls.time(span)]
    r = c.run(words + c.calls.window(verb == "stat"))
    if r.code > 1:
        return
    report = r.json()
    got = {}
    if verb == "activity": # the rows of intervals, and one for all of them
        rows = report["nets"]
        ends = {(n["start"], n["end"]) for n in rows}
        if len(ends) < 3:
            return
        whole = (min(a for a, _ in ends), max(b for _, b in ends))
        want = figures({"nets": [n for n in rows if (n["start"], n["end"]) == whole]}, verb)
        report = {"intervals": [{"nets": [n]} for n in rows if (n["start"], n["end"]) != whole]}
    else:
        want = figures(report, verb)
    for part in report["intervals"]:
        got = added(got, figures(part, verb))
    for k in want:
        if want[k] is not None and k in got:
            same(f"{k}: whole and sum of intervals", want[k], got[k])


ALL = [(plain, 8), (spoilt, 8), (registers, 3), (scripts, 3), (jobs, 4), (pipe, 3), (packing, 3), (engine, 2), (cut, 3),
       (formats, 5), (output, 4),
       (full, 1), (interrupted, 2), (itself, 3), (parts, 5), (intervals, 4)]
