#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`pcounter activity --when --clock --pulse --debounce --timescale` on random waveforms against figures computed here,
bit by bit and time unit by time unit, from the text of the VCD.

usage: activity_power.py PCOUNTER [SEEDS [VCD2FST]]
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

pcounter = sys.argv[1]
seeds = int(sys.argv[2]) if len(sys.argv) > 2 else 40
vcd2fst = sys.argv[3] if len(sys.argv) > 3 else shutil.which("vcd2fst")
checks = failures = 0


def check(is_, want, what):
    global checks, failures
    checks += 1
    if is_ != want:
        failures += 1
        if failures < 20:
            print(f"{what}: {is_!r}, not {want!r}")


# --- waveforms ---

WIDTHS = {"clk": 1, "busy": 1, "en": 1, "count": 3, "bus": 70, "irq": 1, "pad": 1}
IDS = {"clk": "!", "busy": '"', "en": "#", "count": "$", "bus": "%", "irq": "&", "pad": "'", "ev": "("}
SCOPES = {"clk": "t", "busy": "t", "en": "t.u", "count": "t.u", "bus": "t.u.v", "irq": "t.u.v", "pad": "t"}


def waveform(rng):
    """Text of a VCD."""
    out = ["$timescale 1ns $end", "$scope module t $end"]
    var = lambda n: f"$var wire {WIDTHS[n]} {IDS[n]} {n}{'' if WIDTHS[n] == 1 else f' [{WIDTHS[n] - 1}:0]'} $end"
    out += [var("clk"), var("busy"), var("pad"), "$var event 1 ( ev $end", "$scope module u $end", var("en"), var("count")]
    out += [f"$var wire 1 {IDS['irq']} irq_alias $end", "$scope module v $end", var("bus"), var("irq")]
    out += ["$upscope $end", "$upscope $end", "$upscope $end", "$enddefinitions $end"]
    time = rng.choice([0, 0, 7])
    if rng.random() < 0.3:  # values before the first time
        out += ["0!", "1&"]
    digits = "01" if rng.random() < 0.3 else "0101010101xz"
    clock = "0"
    for _ in range(rng.randrange(5, 120)):
        out.append(f"#{time}")
        for _ in range(rng.randrange(0, 6)):
            name = rng.choice(list(WIDTHS) + ["clk", "ev"])
            if name == "ev":
                out.append("1(")
            elif name == "clk":
                clock = rng.choice("01x") if rng.random() < 0.1 else ("1" if clock == "0" else "0")
                out.append(f"{clock}!")
            elif WIDTHS[name] == 1:
                out.append(rng.choice(digits) + IDS[name])
            else:
                value = "".join(rng.choice(digits) for _ in range(rng.randrange(1, WIDTHS[name] + 1)))
                out.append(f"b{value} {IDS[name]}")
        time += rng.choice([1, 1, 1, 2, 3, 10])
    out.append(f"#{time}")
    return "\n".join(out) + "\n"


def clock_levels(text):
    """What the clock is set to at each time stamp, in order: each edge counts, also of several at one time."""
    levels, time = {}, None
    for word in re.findall(r"#\d+|b[01xz]+ \S|[01xz]\S", text.split("$enddefinitions $end\n")[1]):
        if word[0] == "#":
            time = int(word[1:])
        elif word[-1] == IDS["clk"]:
            levels.setdefault(time, []).append(word[0])
    return levels


def parse(text):
    """Stamps: time, values of all bits after it; and triggers by time."""
    value = {name: "x" * width for name, width in WIDTHS.items()}
    of_id = {id_: name for name, id_ in IDS.items()}
    stamps, triggers, time = [], [], None
    body = text.split("$enddefinitions $end\n")[1]
    for word in re.findall(r"#\d+|b[01xz]+ \S|[01xz]\S", body):
        if word[0] == "#":
            if time is not None:
                stamps.append((time, dict(value)))
            else:
                before = dict(value)
            time = int(word[1:])
            continue
        name = of_id[word[-1]]
        if name == "ev":
            triggers.append(time)
            continue
        digits = word[1:-1].strip() if word[0] == "b" else word[0]
        fill = "0" if digits[0] in "01" else digits[0]
        value[name] = fill * (WIDTHS[name] - len(digits)) + digits
    stamps.append((time, dict(value)))
    return before, stamps, triggers


# --- figures ---


def bits_of(value):
    """All bits, by net and number from the right."""
    return {(n, i): v[len(v) - 1 - i] for n, v in value.items() for i in range(len(v))}


def when_holds(form, value):
    busy, en, count = value["busy"], value["en"], value["count"]
    if form == "busy":
        return {"0": False, "1": True}.get(busy)
    if form == "busy & en":
        if "0" in (busy, en):
            return False
        return True if busy == en == "1" else None
    if form == "count > 2":  # known where it does not depend on what is not
        least, most = (int(re.sub("[xz]", digit, count), 2) for digit in "01")
        return least > 2 if (least > 2) == (most > 2) else None
    return True


def measure(text, form, falling, iff, start, stop):
    before, stamps, triggers = parse(text)
    levels = clock_levels(text)
    first = stamps[0][0]
    end = stamps[-1][0]
    if stop is not None and stop <= end:
        end = stop  # an edge at it ends a cycle
    origin = max(first, start or 0)
    if origin >= end and (start or stop):
        return None
    rows = {b: dict.fromkeys(("T0", "T1", "TX", "TZ", "rises", "falls", "settled", "inside"), 0) for b in bits_of(before)}
    now, cycles, whole_cycle, at_edge, toggles, unknown, held_time = dict(before), 0, False, None, {}, 0, 0
    at_stamp = dict(stamps)
    holds = when_holds(form, now)
    counted, spent = 0, dict.fromkeys(rows, None)  # spent: (last rise, last edge) of the present stretch
    ends, begins = {b: [] for b in rows}, []  # times of edges at which bits have settled, and at which cycles begin
    widths = {b: {"high": [], "low": [], "period": []} for b in rows}
    for time in range(first, end + 1):
        new = at_stamp.get(time, now)
        edge = 0
        if time in at_stamp and time < end + 1 and time >= origin and not (iff and now["en"] != "1"):
            path = [now["clk"], *levels.get(time, ())]
            edge = list(zip(path, path[1:])).count(("1", "0") if falling else ("0", "1"))
        if edge and at_edge is not None and whole_cycle:
            left, right = bits_of(at_edge), bits_of(now)
            for b, row in rows.items():
                if {left[b], right[b]} == {"0", "1"}:
                    row["settled"] += 1
                    ends[b].append(time)
                row["inside"] += toggles.get(b, 0)
        holds = when_holds(form, new)
        counts = holds is True and time >= origin and (stop is None or time < stop)
        if edge:
            cycles += counts * edge
            begins += [time] * edge if counts else []
            whole_cycle, at_edge, toggles = True, now, {}
        if time in at_stamp or time == origin:
            whole_cycle = whole_cycle and counts
        if not counts:
            spent = dict.fromkeys(rows, None)
        if counts and time in at_stamp:
            left, right = bits_of(now), bits_of(new)
            for b, row in rows.items():
                rose, edged = spent[b] or (None, None)
                if (left[b], right[b]) in (("0", "1"), ("1", "0")):
                    up = right[b] == "1"
                    if edged is not None:
                        widths[b]["low" if up else "high"].append(time - edged)
                    if up and rose is not None:
                        widths[b]["period"].append(time - rose)
                    spent[b] = (time if up else rose, time)
                elif left[b] != right[b]:
                    spent[b] = None
                if (left[b], right[b]) == ("0", "1"):
                    row["rises"] += 1
                    toggles[b] = toggles.get(b, 0) + 1
                elif (left[b], right[b]) == ("1", "0"):
                    row["falls"] += 1
                    toggles[b] = toggles.get(b, 0) + 1
        if counts:
            counted += triggers.count(time)
        if time < end:
            if counts:
                held_time += 1
                for b, v in bits_of(new).items():
                    rows[b]["T" + v.upper()] += 1
            elif holds is None and time >= origin:
                unknown += 1
        now = new
    return {"widths": widths, "ends": ends, "begins": begins, "rows": rows, "cycles": cycles, "time": held_time, "unknown": unknown, "triggers": counted}


def pulses_of(text, least, debounce):
    """Valid, other and too short ones of each bit: high >= least."""
    before, stamps, _ = parse(text)
    first, end = stamps[0][0], stamps[-1][0]
    out = {}
    for bit in bits_of(before):
        levels = [(first, bits_of(before)[bit])]
        for time, value in stamps:
            level = bits_of(value)[bit]
            if level != levels[-1][1]:
                levels.append((time, level))
        last = [t for t, _ in levels[1:]] + [None]
        held, bounces = [], 0
        for (begin, level), till in zip(levels, last):
            length = (end if till is None else till) - begin
            if length >= debounce:
                if not held or held[-1][1] != level:
                    held.append((begin, level))
            elif till is not None and level in "01":
                bounces += 1
        widths = [held[i + 1][0] - held[i][0] for i in range(1, len(held) - 1)
                  if [h[1] for h in held[i - 1:i + 2]] == ["0", "1", "0"]]
        out[bit] = (sum(w >= least for w in widths), sum(w < least for w in widths), bounces)
    return out


# --- against the program ---


def run(*words, stdin=None):
    done = subprocess.run([pcounter, "activity", "-q", *words], capture_output=True, text=True, input=stdin)
    return done.returncode, done.stdout, done.stderr


def key(net):
    """Of a row of --bits."""
    name = net["name"].split(".")[-1].replace("irq_alias", "irq")
    found = re.fullmatch(r"(\w+)\[(\d+)\]", name)
    return (found[1], int(found[2])) if found else (name, 0)


def compare(report, want, clock, what):
    check(report.get("when_time", want["time"]), want["time"], f"{what}: time")
    check(report.get("when_unknown", want["unknown"]), want["unknown"], f"{what}: unknown")
    check(report["events"][0]["triggers"], want["triggers"], f"{what}: triggers")
    if clock:
        check(report["cycles"], want["cycles"], f"{what}: cycles")
    check(len(report["nets"]), len(want["rows"]), f"{what}: rows")
    for net in report["nets"]:
        row = want["rows"][key(net)]
        name = f"{what}: {net['name']}"
        for figure in ("T0", "T1", "TX", "TZ", "rises", "falls"):
            check(net[figure], row[figure], f"{name} {figure}")
        for figure, widths in want["widths"][key(net)].items():
            check((net[figure]["count"], net[figure]["sum"]), (len(widths), sum(widths)), f"{name} {figure}")
        toggles = row["rises"] + row["falls"]
        if clock:
            check(net["settled"], row["settled"], f"{name} settled")
            check(net["surplus"], toggles - row["settled"], f"{name} surplus")
            check(net["outside"], toggles - row["inside"], f"{name} outside")
            check(net["per_cycle"], toggles / want["cycles"], f"{name} per_cycle")


def compare_sums(report, rows, what):
    """Rows of nets, and scopes, as sums of bits."""
    for net in report["nets"]:
        bits = [r for (n, _), r in rows.items() if n == key(net)[0]]
        for figure in ("T0", "T1", "TX", "TZ", "rises", "falls", "settled"):
            if figure in net:
                check(net[figure], sum(b[figure] for b in bits), f"{what}: {net['name']} {figure}")
        if "outside" in net:
            check(net["outside"], sum(b["rises"] + b["falls"] - b["inside"] for b in bits), f"{what}: {net['name']} outside")
    for scope in report.get("scopes", []):
        inside = [r for (n, _), r in rows.items() if ((SCOPES[n] if n != "irq" else "t.u") + ".").startswith(scope["name"] + ".")]
        for figure, values in (("TC", [r["rises"] + r["falls"] for r in inside]), ("settled", [r["settled"] for r in inside])):
            check(scope[figure], sum(values), f"{what}: {scope['name']} {figure}")


def saif_of(text):
    """Times and toggles of bits by name, and the duration."""
    nets = {}
    for name, *values in re.findall(r"\((\S+) \(T0 (\d+)\) \(T1 (\d+)\) \(TX (\d+)\) \(TZ (\d+)\) \(TC (\d+)\)", text):
        nets[name.replace("\\", "")] = [int(v) for v in values]
    return int(re.search(r"\(DURATION (\d+)\)", text)[1]), nets


def check_saif(path, want, factor, what):
    code, out, err = run(path, *want["call"], "--format", "saif")
    check(code, 0, f"{what}: {err}")
    duration, nets = saif_of(out)
    check(duration, want["time"] * factor, f"{what}: DURATION")
    for (net, i), row in want["rows"].items():
        name = net if WIDTHS[net] == 1 else f"{net}[{i}]"
        figures = [row[f] * factor for f in ("T0", "T1", "TX", "TZ")] + [row["rises"] + row["falls"]]
        check(nets.get(name), figures, f"{what}: {name}")


def try_one(seed, work):
    rng = random.Random(seed)
    text = waveform(rng)
    path = os.path.join(work, "x.vcd")
    with open(path, "w") as file:
        file.write(text)
    form = rng.choice([None, "busy", "busy & en", "count > 2"])
    falling, iff, clock = rng.random() < 0.3, rng.random() < 0.3, rng.random() < 0.8
    end = parse(text)[1][-1][0]
    start, stop = (rng.randrange(0, end), None) if rng.random() < 0.3 else (None, None)
    if rng.random() < 0.5:
        stop = rng.choice([t for t, _ in parse(text)[1] if t > (start or 0)] + [(start or 0) + rng.randrange(1, end + 5)])
    call = (["--when", form] if form else []) + (["--from", str(start)] if start is not None else []) + (["--to", str(stop)] if stop else [])
    of_clock = ["--clock", ("negedge " if falling else "") + "t.clk" + (" iff en" if iff else "")] if clock else []
    want = measure(text, form, falling, iff, start, stop)
    what = f"seed {seed} {call + of_clock}"
    code, out, err = run(path, *call, *of_clock, "--bits", "--format", "json")
    if want is None or (form and want["time"] == 0) or (clock and want["cycles"] == 0):
        check(code, 2, f"{what}: exit code")
        return
    check(code, 0, f"{what}: {err}")
    if code:
        return
    compare(json.loads(out), want, clock, what)
    streams = [(["-"], text)]
    if vcd2fst:
        fst = os.path.join(work, "x.fst")
        subprocess.run([vcd2fst, path, fst], check=True, capture_output=True)
        if parse(text)[0] == {n: "x" * w for n, w in WIDTHS.items()}:  # vcd2fst gives values before the first time its time
            streams += [([fst, "-j", "1"], None), ([fst, "-j", "3"], None)]
    for words, stdin in streams:
        code, out, err = run(*words, *call, *of_clock, "--bits", "--format", "json", stdin=stdin)
        check(code, 0, f"{what} {words}: {err}")
        if code == 0:
            compare(json.loads(out), want, clock, f"{what} {words}")
    code, out, err = run(path, *call, *of_clock, "--format", "json")
    check(code, 0, f"{what}: {err}")
    compare_sums(json.loads(out), want["rows"], what)
    want["call"] = call
    check_saif(path, want, 1, what)
    want["call"] = call + ["--timescale", "10ps"]
    check_saif(path, want, 100, what)
    if clock:  # intervals add up
        code, out, err = run(path, *call, *of_clock, "--bits", "-I", str(rng.choice([3, 13])), "--format", "json")
        check(code, 0, f"{what} -I: {err}")
        sums = {}
        for net in json.loads(out)["nets"] if code == 0 else []:
            row = sums.setdefault(key(net), dict.fromkeys(("T0", "T1", "TX", "TZ", "rises", "falls", "settled"), 0))
            for figure in row:
                row[figure] += net[figure]
            begin, over = net["start"], net["end"]
            check(net["settled"], sum(begin < t <= over for t in want["ends"][key(net)]), f"{what} -I: {net['name']} from {begin}")
            check(net["cycles"], sum(begin <= t < over for t in want["begins"]), f"{what} -I: cycles from {begin}")
        for bit, row in sums.items():
            check(row, {f: want["rows"][bit][f] for f in row}, f"{what} -I: {bit}")


def try_pulses(seed, work):
    rng = random.Random(seed)
    text = waveform(rng)
    path = os.path.join(work, "x.vcd")
    with open(path, "w") as file:
        file.write(text)
    least, debounce = rng.randrange(0, 12), rng.choice([0, 1, 2, 3, 5])
    call = ["--pulse", f"high >= {least}ns"] + (["--debounce", f"{debounce}ns"] if debounce else [])
    want = pulses_of(text, least, debounce)
    for more in [], ["--clock", "t.clk"]:
        code, out, err = run(path, *call, *more, "--bits", "--format", "json")
        if more and code == 2 and "no edge" in err:
            continue
        check(code, 0, f"pulses {seed}: {err}")
        for net in json.loads(out)["nets"] if code == 0 else []:
            check((net["valid"], net["other"], net["bounces"]), want[key(net)], f"pulses {seed} {call} {more}: {net['name']}")


with tempfile.TemporaryDirectory() as work:
    for seed in range(seeds):
        try_one(seed, work)
        try_pulses(seed, work)
print(f"{seeds} waveforms: {checks - failures} passed, {failures} failed")
sys.exit(1 if failures else 0)
