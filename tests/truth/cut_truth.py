#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`pcounter record --cut` against a reader of VCD of its own: values at all times, and figures of the window.

usage: cut_truth.py PCOUNTER SHARED/waves
"""
import gzip
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

pcounter, shared = sys.argv[1:3]
checks = failures = 0


def leaves(tree, path=""):
    """(place, value) of all that is in a tree."""
    if isinstance(tree, (dict, list)):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from leaves(value, f"{path}.{key}")
    else:
        yield path, tree


def check(is_, want, what):
    if isinstance(is_, dict) and isinstance(want, dict) and is_ != want:
        a, b = dict(leaves(is_)), dict(leaves(want))
        is_, want = ({k: v for k, v in x.items() if k not in y or y[k] != v} for x, y in ((a, b), (b, a)))
    global checks, failures
    checks += 1
    if is_ != want:
        failures += 1
        if failures < 12:
            print(f"{what}:\n  is   {str(is_)[:400]}\n  want {str(want)[:400]}")


def run(*words, stdin=None, code=0):
    p = subprocess.run([pcounter, *map(str, words)], input=stdin, capture_output=True)
    check(p.returncode, code, f"exit code of {words}: {p.stderr.decode()[:300]}")
    return p.stdout


# --- a VCD, as IEEE 1364 has it ---


def unescape(text):
    return re.sub(r"\\x(..)", lambda m: chr(int(m[1], 16)), text)


def value_of(word, width, kind):
    if kind == "real":
        return float(word[1:])
    if kind == "string":
        return unescape(word[1:])
    if kind == "event":
        return "trigger"
    digits = (word[1:] if word[0] in "bB" else word).lower().translate(str.maketrans("hluw-", "10xxx"))  # GHDL's
    left = digits[0] if digits[0] in "xz" else "0"
    return digits.rjust(width, left)


class Vcd:
    """names: path -> (type, width, code); changes: (time or None, code, value) in the order of the file."""

    def __init__(self, text):
        self.names, self.changes, self.stamps, self.scale, self.off = {}, [], [], None, []
        head, body = text.split("$enddefinitions $end", 1)
        scope, kinds = [], {}
        for m in re.finditer(r"\$(\w+)(.*?)\$end", head, re.S):
            words = m[2].split()
            if m[1] == "scope":
                scope.append(words[1])
            elif m[1] == "upscope":
                scope.pop()
            elif m[1] == "timescale":
                self.scale = "".join(words)
            elif m[1] == "var":
                name = ".".join(scope + [words[3]]) + "".join(words[4:])
                self.names[name] = (words[0], int(words[1]), words[2])
                kinds[words[2]] = (words[0], int(words[1]))
        assert not scope, "scopes are not closed"
        time, words, at = None, body.split(), 0
        while at < len(words):
            w = words[at]
            at += 1
            if w == "$comment":
                at = words.index("$end", at) + 1
            elif w[0] == "$":
                if w in ("$dumpoff", "$dumpon"):
                    self.off.append((time, w))
            elif w[0] == "#":
                time = int(w[1:])
                self.stamps.append(time)
            else:
                if w[0] in "bBrRsS":
                    code = words[at]
                    at += 1
                else:
                    w, code = w[0], w[1:]
                kind, width = kinds[code]
                self.changes.append((time, code, value_of(w, width, kind)))


def same(a, b):
    return a == b or (isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b))


def window_of(vcd, chosen, first, end):
    """The values of each name before the window, and all its changes in it; and the window itself."""
    begin = max(first or 0, vcd.stamps[0])
    last = vcd.stamps[-1] if end is None else min(end, vcd.stamps[-1])
    before, changes = {}, []
    name_of = {}
    for name in chosen:
        name_of.setdefault(vcd.names[name][2], []).append(name)
    for time, code, value in vcd.changes:
        for name in name_of.get(code, []):
            if time is None or time < begin:
                if value != "trigger":
                    before[name] = value
            elif end is None or time < end:
                changes.append((time, name, value))
    return before, changes, begin, last


def compare(cut, original, chosen, first, end, what, strict=True):
    before, changes, begin, last = window_of(original, chosen, first, end)
    if begin > original.stamps[0]:  # a signal is x until its first value
        for name in chosen:
            kind, width, _ = original.names[name]
            if kind not in ("real", "string", "event"):
                before.setdefault(name, "x" * width)
    check(sorted(cut.names), sorted(chosen), f"{what}: names")
    if sorted(cut.names) != sorted(chosen):
        return
    is_before, is_changes, is_begin, is_last = window_of(cut, chosen, None, None)
    check((is_begin, is_last), (begin, last), f"{what}: window")
    order = lambda c: sorted(c, key=lambda x: (x[0], x[1]))  # changes of one name stay in their order
    check(is_before, before, f"{what}: values before")
    if strict:
        check(cut.scale, original.scale, f"{what}: timescale")
        for name in chosen:
            check(cut.names[name][:2], original.names[name][:2], f"{what}: type of {name}")
        check(len(is_changes), len(changes), f"{what}: number of changes")
    bad = [(a, b) for a, b in zip(order(is_changes), order(changes)) if a[:2] != b[:2] or not same(a[2], b[2])]
    check(bad[:2], [], f"{what}: changes")
    check(cut.stamps, sorted(set(cut.stamps)), f"{what}: timestamps grow")


# --- waveforms ---

TEXTS = ["idle", "", "a b", "back\\slash", "tab\there", "ü", "$end"]


def make(seed, texts=True):
    r = random.Random(seed)
    out = ["$comment made $end", "$timescale 10 ps $end", "$scope module tb $end"]
    out += ["$var reg 1 ! clk $end", "$var wire 1 ! clock_alias $end", "$scope module dut $end"]
    out += ["$var wire 8 \" data [7:0] $end", "$var reg 70 # wide [69:0] $end", "$var integer 32 % count $end"]
    out += ["$var parameter 4 & P [3:0] $end", "$var wire 4 ' up [0:3] $end", "$var wire 1 ( bit[3] $end"]
    out += ["$upscope $end", "$scope begin gen(0) $end", "$var wire 1 ) valid $end", "$upscope $end"]
    out += ["$var real 64 * volts $end", "$var event 1 + go $end"]
    out += ["$var string 1 , state $end"] if texts else []
    out += ["$upscope $end", "$enddefinitions $end"]

    def bits(width):
        digits = "01" if r.random() < 0.8 else "01xz"
        word = "".join(r.choice(digits) for _ in range(width))
        return "b" + (word.lstrip("0") or "0" if r.random() < 0.5 else word)

    def change(code):
        if code in "!()":
            return r.choice("01" if code == "!" else "0101xz") + code
        if code == "*":
            return f"r{r.choice([0.0, 1.5, -2.25e-9, 1e300, 0.1, r.gauss(0, 1e6), 123456789012.34567])!r} *"
        if code == "+":
            return "1+"
        if code == ",":
            return "s" + "".join(c if "!" <= c <= "[" or c > "]" else f"\\x{ord(c):02x}" for c in r.choice(TEXTS)) + " ,"
        return f"{bits({chr(34): 8, '#': 70, '%': 32, '&': 4, chr(39): 4}[code])} {code}"

    others = "\"#%'()*+" + ("," if texts else "")
    start = r.choice([0, 0, 37])
    out += ["$dumpvars"] if start else ["#0", "$dumpvars"]
    out += ["0!", "b1010 &", *(change(c) for c in others if c != "+" and r.random() < 0.8), "$end"]
    time, level = start, 0
    if start:
        out += [f"#{time}"]
    for _ in range(r.randrange(50, 200)):
        time += r.choice([5, 5, 5, 1, 9])
        out.append(f"#{time}")
        if r.random() < 0.7:
            level ^= 1
            out.append(f"{level}!")
        for c in others:
            for _ in range(r.choice([0, 0, 0, 1, 1, 2])):
                out.append(change(c))
        if r.random() < 0.02:
            off = time + 3
            out += [f"#{off}", "$dumpoff", *(f"x{c}" for c in "!()"), *(f"bx {c}" for c in "\"#%'"), "$end"]
            time = off + 20
            out += [f"#{time}", "$dumpon", f"{level}!", *(change(c) for c in "\"#%'()"), "$end"]
    return "\n".join(out) + "\n"


# --- figures ---


def figures(path, window, whole, reals=True):
    """What stat and activity say, without what names the file.  Nothing that looks back over the window's begin."""
    out = {}
    window = [word + "0ps" if word.isdigit() else word for word in window]  # a number is cycles for stat
    clock = ["-c", "tb.clk", "-e", "valid, bit[3], data == 8'h12, wide[69:60] != 0, count < 0, x=data[0]",
             "--value", "data", "--x", "zero"]
    if reals:
        clock += ["-e", "volts > 0.1"]
    if reals and not window and whole:
        clock += ["-e", "go, rise(bit[3])"]  # triggers since the edge before, and another one that looks back
    for verb, words in (("stat", clock), ("activity", ["--bits"])):
        text = subprocess.run([pcounter, verb, "-q", "--format", "json", *words, *window, path], capture_output=True)
        check(text.returncode, 0, f"{verb} of {path} {window}: {text.stderr.decode()[:300]}")
        if text.returncode:
            continue
        report = json.loads(text.stdout)
        report = report["reports"][0] if "reports" in report else report
        for name in ("trace", "file", "waveform", "window", "first_cycle", "tool", "from", "to", "warnings"):
            report.pop(name, None)
        out[verb] = {k: v for k, v in report.items()}
    return out


def no_places(tree):
    """Numbers of cycles count from the first of the file: they move by what was cut off."""
    if isinstance(tree, dict):
        return {k: no_places(v) for k, v in tree.items() if k not in ("cycle", "first", "last", "at", "first_edge")}
    return [no_places(v) for v in tree] if isinstance(tree, list) else tree


def windows_of(r, vcd):
    first, last = vcd.stamps[0], vcd.stamps[-1]
    middle = vcd.stamps[len(vcd.stamps) // 3]
    yield []
    yield ["--from", str(middle)]
    yield ["--from", str(middle + 1), "--to", str(vcd.stamps[2 * len(vcd.stamps) // 3])]
    yield ["--to", str(middle)]
    yield ["--from", f"{middle * 10}ps", "--to", f"{last + 100}"]
    a = r.randrange(first, last - 60)
    yield ["--from", str(a), "--to", str(r.randrange(a + 60, last + 2))]


def span(window):
    number = lambda text: -(-int(text[:-2]) // 10) if text.endswith("ps") else int(text)
    get = lambda name: number(window[window.index(name) + 1]) if name in window else None
    return get("--from"), get("--to")


def cut_vcd(work, seed):
    r = random.Random(seed)
    text = make(seed)
    original = Vcd(text)
    path, small = f"{work}/a.vcd", f"{work}/small.vcd"
    open(path, "w").write(text)
    zipped = f"{work}/a.vcd.gz"
    with gzip.open(zipped, "wt") as f:
        f.write(text)
    for window in windows_of(r, original):
        what = f"seed {seed} {window}"
        run("record", "--cut", "-q", *window, "-o", small, path)
        compare(Vcd(open(small).read()), original, list(original.names), *span(window), what)
        whole = open(small, "rb").read()
        check(run("record", "--cut", "-q", *window, zipped), whole, f"{what}: gz")
        check(run("record", "--cut", "-q", *window, "-", stdin=text.encode()), whole, f"{what}: pipe")
        again = re.sub(rb"\$comment made by pcounter [^ ]* \$end\n", b"", run("record", "--cut", "-q", small))
        check(again, whole, f"{what}: a cut of the cut is the cut")
        check(no_places(figures(small, [], not window)), no_places(figures(path, window, not window)), f"{what}: figures")
    some = ["data*", "tb.gen(0)", "clk", "state"]
    chosen = [n for n in original.names if re.search(r"\.data\[|gen\(0\)|\.clk$|state$|^tb\.clk", n)]
    run("record", "--cut", "-q", "-o", small, path, *some)
    compare(Vcd(open(small).read()), original, chosen, None, None, f"seed {seed} globs")


def cut_fst(work, seed):
    """From an FST, and into one."""
    text = make(seed, texts=False)
    original = Vcd(text)
    path, fst, small = f"{work}/a.vcd", f"{work}/a.fst", f"{work}/small.fst"
    open(path, "w").write(text)
    subprocess.run(["vcd2fst", path, fst], check=True, capture_output=True)
    middle = original.stamps[len(original.stamps) // 3]
    for window in ([], ["--from", str(middle)], ["--from", str(middle + 1), "--to", str(original.stamps[-5])]):
        what = f"fst {seed} {window}"
        want = no_places(figures(fst, window, not window, reals=False))
        run("record", "--cut", "-q", *window, "-o", f"{work}/small.vcd", fst)
        check(no_places(figures(f"{work}/small.vcd", [], not window, reals=False)), want, f"{what}: figures as VCD")
        run("record", "--cut", "-q", *window, "-o", small, fst)
        check(no_places(figures(small, [], not window, reals=False)), want, f"{what}: figures as FST")
        # values, by fst2vcd: at each time the last one of each signal
        by = Vcd(subprocess.run(["fst2vcd", fst], check=True, capture_output=True, text=True).stdout)
        for made, name in ((Vcd(open(f"{work}/small.vcd").read()), "VCD"),
                           (Vcd(subprocess.run(["fst2vcd", small], check=True, capture_output=True,
                                               text=True).stdout), "FST")):
            begin = max(span(window)[0] or 0, by.stamps[0])
            end = span(window)[1]
            settled_by, settled = settle(by, begin, end), settle(made, begin, end)
            check({k: v for k, v in settled.items() if settled_by.get(k) != v}, {}, f"{what}: values of the {name}")
            check(len(settled), len(settled_by), f"{what}: number of values of the {name}")


def settle(vcd, begin, end):
    """(name, time) -> value, of each stamp of the window at which a signal is another than before."""
    name_of = {}
    for name, (kind, _, code) in vcd.names.items():
        if kind != "event":
            name_of.setdefault(code, []).append(name)
    now, out = {}, {}
    for time, code, value in vcd.changes:
        time = begin if time is None or time < begin else time
        if end is not None and time >= end:
            break
        for name in name_of.get(code, []):  # fst2vcd has 16 digits
            now[(name, time)] = float(f"{value:.14g}") if isinstance(value, float) else value
    was = {}
    for (name, time), value in sorted(now.items(), key=lambda x: (x[0][1], x[0][0])):
        if was.get(name) != value:
            out[(name, time)] = was[name] = value
    return out


def cut_ghw(work):
    ghw, twin = f"{shared}/ghw/vhdl_mix.ghw", f"{shared}/ghw/vhdl_mix.vcd.gz"
    if not os.path.exists(ghw):
        print("SKIP the GHW: there is no", ghw)
        return
    small = f"{work}/small.vcd"
    run("record", "--cut", "-q", "-o", small, ghw)
    words = ["-c", "tb.clk", "-e", "rst, tb.bs[0].valid, tb.busy > 3, tb.data0 < 0", "--value", "tb.bs[0].addr"]
    reports = []
    for path in (ghw, small):
        report = json.loads(run("stat", "-q", "--format", "json", *words, path))
        report.pop("trace")
        reports.append(report)
        activity = json.loads(run("activity", "-q", "--format", "json", path))
        reports[-1]["activity"] = {n["name"]: {k: v for k, v in n.items() if k != "name"} for n in activity["nets"]}
    check(reports[1], reports[0], "GHW: figures")
    # GHDL's own VCD of the same run has the integers and bits of the test bench
    a, b = Vcd(open(small).read()), Vcd(gzip.open(twin, "rt").read())
    compared = 0
    settled, settled_by = settle(a, 0, None), settle(b, 0, None)
    for name in set(a.names) & set(b.names):
        if a.names[name][1] != b.names[name][1] or a.names[name][0] == "real":
            continue
        compared += 1
        check({t: v for (n, t), v in settled.items() if n == name},
              {t: v for (n, t), v in settled_by.items() if n == name}, f"GHW: values of {name}")
    check(compared >= 5, True, f"GHW: {compared} signals are in both")


def never_half(work):
    """What goes wrong leaves no file, and not half of one."""
    path, small = f"{work}/bad.vcd", f"{work}/none.vcd"
    text = make(1)
    open(path, "w").write(text + "\n#99999999\nq!\n")
    run("record", "--cut", "-q", "-o", small, path, code=2)
    check(os.path.exists(small), False, "a damaged file makes no cut")
    open(small, "w").write("before")
    run("record", "--cut", "-q", "-o", small, path, code=2)
    check(open(small).read(), "before", "nor does it replace one")
    run("record", "--cut", "-q", "-o", path, path, code=2)
    check(open(path).read().startswith("$comment made"), True, "an input is not replaced")
    run("record", "--cut", "-q", "-o", small, f"{work}/a.vcd", "no_such_net", code=1)
    check(open(small).read(), "before", "nothing chosen: no file")
    # without vcd2fst
    p = subprocess.run([pcounter, "record", "--cut", "-o", f"{work}/none.fst", f"{work}/a.vcd"], capture_output=True,
                       text=True, env={"PATH": work, "TMPDIR": work})
    check((p.returncode, "vcd2fst: it is not installed" in p.stderr, os.path.exists(f"{work}/none.fst")),
          (2, True, False), "without vcd2fst: " + p.stderr)
    check([n for n in os.listdir(work) if n.startswith("pcounter-")], [], "nothing is left in TMPDIR")


with tempfile.TemporaryDirectory() as work:
    for seed in range(1, 13):
        cut_vcd(work, seed)
    never_half(work)
    cut_ghw(work)
    if shutil.which("vcd2fst"):
        for seed in range(21, 27):
            cut_fst(work, seed)
    else:
        print("SKIP cuts of and as FST: vcd2fst (gtkwave) is not installed")
print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0)
