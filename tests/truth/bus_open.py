#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bus_open.py PCOUNTER [SHARED]: which response belongs to which request, what is open at the end, what is stuck, and
handshakes of a map.  Each design here is played cycle by cycle, and what it did is counted beside it; the cases of
SHARED/cases3 have their right values in its README."""
import json, os, random, subprocess, sys, tempfile

program, shared = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
folder = tempfile.TemporaryDirectory()
checked = wrong = 0


def check(what, got, want):
    global checked, wrong
    checked += 1
    if got != want:
        wrong += 1
        print(f"FAILED: {what} is {got}, not {want}")


def call(*args, code=None):
    p = subprocess.run([program, *args], capture_output=True, text=True, timeout=60)
    if code is not None:
        check(f"exit code of {' '.join(args)}", p.returncode, code)
    return p


def bus(path, *args):
    return json.loads(call("bus", "-q", "--format", "json", path, *args).stdout)["buses"][0]


def wave(name, rows, widths=None):
    """rows: of each cycle the values of signals at its edge; the clock rises every 10 ns"""
    path = os.path.join(folder.name, name)
    names = list(rows[0])
    with open(path, "w") as out:
        out.write("$timescale 1ns $end\n$scope module t $end\n$var wire 1 ! clk $end\n")
        for i, n in enumerate(names):
            out.write(f"$var wire {(widths or {}).get(n, 1)} {chr(35 + i)} {n} $end\n")
        out.write("$upscope $end\n$enddefinitions $end\n")
        for k, row in enumerate(rows):
            out.write(f"#{10 * k}\n0!\n")
            for i, n in enumerate(names):
                out.write(f"b{row[n]:b} {chr(35 + i)}\n")
            out.write(f"#{10 * k + 5}\n1!\n")
        out.write(f"#{10 * len(rows)}\n0!\n")
    return path


def answers(commands, cycles, beats, seed, signals, answered=lambda c: True, depth=4, last=None, hang=None):
    """commands: share of cycles with one; beats(c): of its answer.  Returns rows and what happened."""
    rng, rows, queue, done = random.Random(seed), [], [], []
    for k in range(cycles):
        row = dict.fromkeys(signals, 0)
        row["x_cmd_ready"] = 1
        free = len(queue) < depth and (hang is None or len(done) < hang or not queue)
        if free and rng.random() < commands:
            row["x_cmd_valid"] = 1
            if "x_cmd_payload_wr" in row:
                row["x_cmd_payload_wr"] = rng.random() < 0.5
            if answered(row):
                queue.append([k, beats(row), None])
        if queue and queue[0][0] < k and rng.random() < 0.4 and (hang is None or len(done) < hang):
            row["x_rsp_valid"] = 1
            queue[0][1] -= 1
            if queue[0][2] is None:
                queue[0][2] = k - queue[0][0]
            if queue[0][1] == 0:
                done.append((k - queue[0][0], queue[0][2]))
                if last:
                    row[last] = 1
                queue.pop(0)
        rows.append({n: int(v) for n, v in row.items()})
    return rows, done, [cycles - 1 - q[0] for q in queue]


def check_pairs(what, path, done, open_, how, first=False):
    got = bus(path)
    t = got["transactions"]
    check(f"{what} pairs", got.get("pairs"), how)
    check(f"{what} completed", t["completed"], len(done))
    check(f"{what} latency", (t["latency"]["sum"], t["latency"]["max"]), (sum(d for d, _ in done), max(d for d, _ in done)))
    check(f"{what} open", t["open_ages"], open_)
    check(f"{what} orphans", t["orphans"], 0)
    if first:
        check(f"{what} first", t["first_data"]["sum"], sum(f for _, f in done))


S = ["x_cmd_valid", "x_cmd_ready", "x_rsp_valid"]
for seed in range(12):
    depth = 1 + seed % 5
    rows, done, open_ = answers(0.3, 900, lambda c: 1, seed, S, depth=depth)
    check_pairs(f"one each {seed}", wave("one.vcd", rows), done, open_, None)
    rows, done, open_ = answers(0.3, 900, lambda c: 1, seed, S + ["x_cmd_payload_wr"], depth=depth)
    check_pairs(f"writes answered {seed}", wave("both.vcd", rows), done, open_, None)
    rows, done, open_ = answers(0.3, 900, lambda c: 1, seed, S + ["x_cmd_payload_wr"], depth=depth,
                                answered=lambda c: not c["x_cmd_payload_wr"])
    check_pairs(f"posted {seed}", wave("posted.vcd", rows), done, open_, "reads alone (writes have no response)")
    for n in (2, 4, 8):
        rows, done, open_ = answers(0.2, 2000, lambda c: n, seed, S, depth=depth)
        check_pairs(f"{n} beats {seed}", wave("beats.vcd", rows), done, open_, f"{n} responses to each", True)
    lengths = random.Random(seed)
    rows, done, open_ = answers(0.2, 2000, lambda c: lengths.choice((1, 4, 8)), seed, S + ["x_rsp_last"],
                                depth=depth, last="x_rsp_last")
    check_pairs(f"last {seed}", wave("last.vcd", rows), done, open_, "up to the last response", True)
    # posted writes, and nothing says which they are: no latency, and why
    rows, _, _ = answers(0.3, 900, lambda c: 1, seed, S + ["x_cmd_payload_wr"], depth=depth,
                         answered=lambda c: not c["x_cmd_payload_wr"])
    path = wave("untold.vcd", [{n: r[n] for n in S} for r in rows])
    got = bus(path)
    check(f"untold {seed}", ("transactions" in got, "unpaired" in got), (False, True))
    check(f"untold {seed} says why", "no latency, as requests and responses do not fit" in call("bus", path).stdout, True)

# a hang: 40 answers, then none; four wait for theirs
rows, done, open_ = answers(0.5, 600, lambda c: 1, 5, S, hang=40)
path = wave("hang.vcd", rows)
check_pairs("hang", path, done, open_, None)
got = bus(path)
moved = max(k for k, r in enumerate(rows) if r["x_rsp_valid"] or (r["x_cmd_valid"] and r["x_cmd_ready"]))
check("hang stuck", (got["stuck"], got["stuck_since"]), (1, 10 * moved + 5))
for text, met in (("x_cmd.transactions.latency.max < 100", False), ("x_cmd.transactions.latency.min < 5", True), ("stuck == 0", False),
                  ("t.x_cmd.stuck == 0", False), ("x_cmd.transactions.latency.p99 < 100", False),
                  (f"x_cmd.transactions.latency.max > {max(open_) - 1}", True)):
    p = call("bus", "-q", "--format", "json", path, "--expect", text, code=0 if met else 1)
    check(f"hang, {text}", json.loads(p.stdout)["expectations"][0]["verdict"], "met" if met else "not met")
page = os.path.join(folder.name, "hang.html")
call("bus", path, "-I", "50", "-o", page)
with open(page) as f:
    text = f.read()
for what in ("stuck since", 'class="axis"', "no reset: all edges count", "unfinished at the end", "<th>clock</th>", "&gt;= "):
    check(f"hang in the page: {what}", what in text, True)
check("hang in the text", ">= " in call("bus", path).stdout, True)

# what is open may still break it: met, with a note
rows, done, open_ = answers(0.3, 900, lambda c: 1, 2, S, depth=3)
cut = max(k for k, r in enumerate(rows) if r["x_cmd_valid"]) + 2
path = wave("may.vcd", rows[:cut])
p = call("bus", "-q", "--format", "json", path, "--expect", "x_cmd.transactions.latency.max < 1000", code=0)
check("may still change", json.loads(p.stdout)["expectations"][0]["why"], "unfinished starts may still change it")

# Wishbone: the strobe of one cycle, an answer later
rows, waits, wait = [], [], None
rng = random.Random(3)
for k in range(400):
    row = dict(wb_cyc=0, wb_stb=0, wb_ack=0, wb_we=0)
    if wait is None and rng.random() < 0.3:
        row.update(wb_cyc=1, wb_stb=1)
        wait = k
    elif wait is not None:
        row["wb_cyc"] = 1
        if rng.random() < 0.4:
            row["wb_ack"] = 1
            waits.append(k - wait)
            wait = None
    rows.append(row)
got = bus(wave("single.vcd", rows))
check("single shot", (got["protocol"], got["transactions"]["completed"], got["transactions"]["latency"]["sum"]),
      ("wishbone-single", len(waits), sum(waits)))
got = bus(wave("single.vcd", rows), "-I", "50")
check("single shot, -I", got["protocol"], "wishbone-single")
# ... and classic: it stays until the answer
rows, waits, wait = [], [], None
for k in range(400):
    row = dict(wb_cyc=0, wb_stb=0, wb_ack=0, wb_we=0)
    if wait is None and rng.random() < 0.3:
        wait = k
    if wait is not None:
        row.update(wb_cyc=1, wb_stb=1)
        if rng.random() < 0.4:
            row["wb_ack"] = 1
            waits.append(k - wait)
            wait = None
    rows.append(row)
got = bus(wave("classic.vcd", rows))
check("classic", (got["protocol"], got["transactions"]["completed"], got["transactions"]["latency"]["sum"]),
      ("wishbone", len(waits), sum(waits)))

# TileLink: beats by size and opcode on both sides
rng, rows, queue, done, sending = random.Random(8), [], [], [], None
for k in range(3000):
    row = dict(x_a_valid=0, x_a_ready=1, x_a_opcode=0, x_a_size=0, x_a_source=0, x_d_valid=0, x_d_ready=1, x_d_opcode=0, x_d_source=0,
               x_d_data=0)
    if sending is None and len(queue) < 4 and rng.random() < 0.2:
        source = next(s for s in range(4) if s not in [q[1] for q in queue])
        sending = [k, source, rng.choice((0, 4)), rng.choice((2, 3, 5, 6))]
        sending.append(max(1, (1 << sending[3]) // 8) if sending[2] == 0 else 1)
    if sending:
        row.update(x_a_valid=1, x_a_opcode=sending[2], x_a_size=sending[3], x_a_source=sending[1])
        sending[4] -= 1
        if sending[4] == 0:
            beats = max(1, (1 << sending[3]) // 8) if sending[2] == 4 else 1
            queue.append([sending[0], sending[1], beats, sending[2], k])
            sending = None
    if queue and queue[0][4] < k and rng.random() < 0.5:
        row.update(x_d_valid=1, x_d_opcode=1 if queue[0][3] == 4 else 0, x_d_source=queue[0][1])
        queue[0][2] -= 1
        if queue[0][2] == 0:
            done.append(k - queue.pop(0)[0])
    rows.append(row)
got = bus(wave("tilelink.vcd", rows, dict(x_a_opcode=3, x_a_size=3, x_a_source=2, x_d_opcode=3, x_d_source=2, x_d_data=64)))
t = got["transactions"]
check("TileLink", (got["protocol"], t["completed"], t["latency"]["sum"], t["orphans"], t["unfinished"]),
      ("tilelink", len(done), sum(done), 0, len(queue) + (sending is not None)))

# a handshake of the map
rng, rows, n = random.Random(4), [], dict(beat=0, stall=0, start=0, end=0)
level = 0
for k in range(500):
    row = dict(go=int(rng.random() < 0.6), full=int(level == 4), pop=int(level > 0 and rng.random() < 0.4), tag=0)
    n["beat"] += row["go"] & (1 - row["full"])
    n["stall"] += row["go"] & row["full"]
    level += (row["go"] & (1 - row["full"])) - row["pop"]
    rows.append(row)
path = wave("own.vcd", rows, dict(tag=2))
own = os.path.join(folder.name, "own.yaml")


def own_map(text):
    with open(own, "w") as out:
        out.write(text)
    return own


got = bus(path, "--map", own_map("protocols:\n  mine: {beat: go & !full, stall: go & full, start: go & !full, end: pop, by: 'tag, tag'}\n"
                                 "buses:\n  q:\n    protocol: mine\n    clock: t.clk\n    signals: {go: t.go, full: t.full, pop: t.pop, tag: t.tag}\n"))
check("own", (got["protocol"], got["channels"][""]["beat"], got["channels"][""]["stall"], got["transactions"]["unfinished"]),
      ("mine", n["beat"], n["stall"], level))
same = bus(path, "--map", own_map("protocols:\n  mine: {beat: t.go & !t.full, stall: go & full}\nbuses:\n  q: {protocol: mine, clock: t.clk}\n"), "-I", "64")
check("own by paths", same["channels"], got["channels"])
for text, line, word in (
        ("protocols:\n  mine:\n    stall: a\nbuses: {}\n", 3, "has no beat"),
        ("protocols:\n  mine:\n    beat: a\n    start: b\nbuses: {}\n", 3, "start without end"),
        ("protocols:\n  mine:\n    beat: a\n    bet: b\nbuses: {}\n", 4, "bet"),
        ("protocols:\n  axi4:\n    beat: a\nbuses: {}\n", 2, "axi4 already"),
        ("protocols:\n  mine:\n    beat: go &\nbuses:\n  q: {protocol: mine, clock: t.clk}\n", 3, "beat"),
        ("protocols:\n  mine:\n    beat: go & nothing\nbuses:\n  q: {protocol: mine, clock: t.clk}\n", 3, "nothing"),
        ("protocols:\n  mine:\n    beat: go\nbuses:\n  q:\n    protocol: mine\n    clock: t.clk\n    signals: {goo: t.go}\n", 8, "goo"),
        ("protocols:\n  mine:\n    beat: go\n    by: tag\nbuses:\n  q: {protocol: mine, clock: t.clk}\n", 4, "two names")):
    p = call("bus", path, "--map", own_map(text), code=2)
    check(f"{word}: its line", f"own.yaml:{line}:" in p.stderr and word in p.stderr, True)

if shared and os.path.isdir(f"{shared}/cases3"):
    t = bus(f"{shared}/cases3/bus/spinal2.vcd")["transactions"]
    check("spinal2", (t["latency"]["min"], t["latency"]["p50"], t["latency"]["max"], t["unfinished"] <= 1), (3, 3, 3, True))
    t = bus(f"{shared}/cases3/bus/tl.vcd")["transactions"]
    check("tl", (t["first_data"]["min"], t["first_data"]["max"], t["latency"]["min"], t["latency"]["max"], t["beats"]["hist"], t["orphans"]),
          (3, 3, 10, 10, {"8": t["completed"]}, 0))
    hang = f"{shared}/cases3/bus/hang_min.vcd"
    p = call("bus", "-q", "--format", "json", hang, "--expect", "t.read.latency.p99 < 10", "--expect", "t.ar.wait.max < 10",
             "--expect", "stuck == 0", code=1)
    r = json.loads(p.stdout)
    check("hang_min", [e["verdict"] for e in r["expectations"]], ["not met"] * 3)
    check("hang_min is open", r["buses"][0]["read"]["open_ages"][0] > 1900 and r["buses"][0]["channels"]["ar"]["open_wait"] > 1900, True)
    for form in ("text", "json", "csv", "html", "md", "junit"):
        p = call("bus", "--format", form, hang) if form != "html" else call("bus", hang, "-o", os.path.join(folder.name, "h.html"))
        text = p.stdout if form != "html" else open(os.path.join(folder.name, "h.html")).read()
        check(f"hang_min is stuck in {form}", "stuck" in text, True)
    for drop in (["--latency", "l = req -> ack", "--reset", "rst"], ["--latency", "l = req -> ack until rst"]):
        p = call("stat", "-q", "--format", "json", "-c", "clk", *drop, f"{shared}/cases3/bus/midrst.vcd", code=0)
        t = json.loads(p.stdout)["latencies"][0]
        check(f"midrst {drop}", (t["latency"]["min"], t["latency"]["max"], t["latency"]["mean"], t["unfinished"]), (3, 3, 3, 0))
    p = call("stat", "-q", "-c", "clk", "--latency", "rd = arvalid & arready -> rvalid & rready", "--reset", "!rst_n", hang,
             "--expect", "rd.p99 < 10", code=1)
    check("hang_min, stat", "not met  rd.p99 < 10: 1978" in p.stdout and ">= 1,978" in p.stdout, True)
    text = call("bus", f"{shared}/cases3/waves/axi-write-without-answer.vcd").stdout
    check("a write without an answer", "write: 1 unfinished at the end" in text and ">= " in text, True)
else:
    print("SKIP: there is no shared folder with cases3")
print(f"{checked} checks, {wrong} wrong")
sys.exit(wrong > 0)
