# SPDX-License-Identifier: MIT
"""pcounter bus against the truth files: every figure of its JSON, with a map of the file's own
signals; and without a map, which of the buses are found.

  bus_truth.py PROGRAM FOLDER      (the folder of the truth files)

Each JSON is valid against the schema.

What the files say of busperf's way of counting is not a figure of ours.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

program, folder = sys.argv[1:3]
files = sorted(glob.glob(os.path.join(folder, "*.truth.json")))
if not files:
    print("SKIP bus_truth: no truth files in", folder)
    sys.exit(77)
compared = wrong = 0
schema = json.loads(subprocess.run([program, "schema", "pcounter-bus-1"], stdout=subprocess.PIPE, check=True).stdout)
try:
    from jsonschema import Draft202012Validator
    validator = Draft202012Validator(schema)
except ImportError:
    print("*** SKIP bus_truth: python3-jsonschema is not installed, no output was validated ***")
    validator = None


def fail(*what):
    global wrong
    wrong += 1
    if wrong < 20:
        print("FAILED:", *what)


def same(truth, ours, where):
    """Every member of the truth is in ours, with the same value."""
    global compared
    if isinstance(truth, dict):
        for key, value in truth.items():
            if key == "busperf":
                continue
            if key == "hist" and "distinct" in ours:
                if ours["distinct"] != len(value):
                    fail(where, "distinct", ours["distinct"], "not", len(value))
                compared += 1
            elif not isinstance(ours, dict) or key not in ours:
                fail(where, key, "is missing")
            else:
                same(value, ours[key], where + "." + key)
        return
    compared += 1
    if isinstance(truth, float) and isinstance(ours, (int, float)):
        if abs(truth - ours) > 1e-12 * abs(truth):
            fail(where, ours, "not", truth)
    elif truth != ours:
        fail(where, ours, "not", truth)


def check_intervals(report, where):
    """What the intervals have adds up to the whole."""
    for bus in report["buses"]:
        parts = {**bus.get("channels", {}), **{k: bus[k] for k in ("read", "write", "transactions") if k in bus}}
        for part, whole in parts.items():
            mine = [i for i in report["intervals"] if (i["bus"], i["part"]) == (bus["name"], part)]
            for key in ("beat", "stall", "starve", "setup", "blocked", "idle", "unknown", "started", "completed", "aborted"):
                if key in whole and sum(i[key] for i in mine) != whole[key]:
                    fail(where, part, key, [i[key] for i in mine], "not", whole[key])
            if sum(i["edges"] for i in mine) != bus["edges"] or sum(i["cycles"] for i in mine) != bus["cycles"]:
                fail(where, part, "edges or cycles of intervals")
            if "unfinished" in whole and mine[-1]["open"] != whole["unfinished"]:
                fail(where, part, "open", mine[-1]["open"], "not", whole["unfinished"])


def check_bytes(truth, ours, where):
    """Bytes of transactions: of as many as have beats; all of the bus, less those of what did not end; without a
    strobe each beat has the same."""
    global compared, bytes_checked
    for part in ("read", "write"):
        want, is_ = truth.get(part), ours.get(part, {}).get("bytes_each")
        if not want or not is_ or "bandwidth" not in want or "beats" not in want:
            continue
        total, beats = want["bandwidth"]["bytes"], want["beats"]
        bytes_checked += 1
        compared += 2
        if is_["count"] != beats["count"] or is_["sum"] > total:
            fail(where, part, "bytes_each", is_, "not", beats["count"], total)
        if not any(want.get(key) for key in ("unfinished", "aborted", "orphans", "unknown_id", "without_data")) \
                and is_["sum"] != total:
            fail(where, part, "bytes_each.sum", is_["sum"], "not", total)
        if "bus_bytes" not in want["bandwidth"]:
            width = max(w for w in (1, 2, 4, 8, 16, 32, 64) if w * beats["sum"] <= total)
            if want.get("orphans"):
                width = is_["max"] // max(int(k) for k in beats["hist"])
            hist = {str(int(k) * width): n for k, n in beats["hist"].items()}
            compared += len(hist)
            if is_["hist"] != hist:
                fail(where, part, "bytes_each", is_["hist"], "not", hist)


def run(wave, *options):
    call = [program, "bus", wave, "--format", "json", *options]
    done = subprocess.run(call, stdout=subprocess.PIPE, check=False)
    if done.returncode == 2 and "--map" not in options:
        return []  # no bus by its names
    if done.returncode != 0:
        fail(" ".join(call), "exit", done.returncode)
        return []
    report = json.loads(done.stdout)
    if validator:
        error = next(validator.iter_errors(report), None)
        if error:
            fail(" ".join(call), error.json_path, error.message)
    if "-I" in options:
        check_intervals(report, wave)
    return report["buses"]


def map_of(truth):
    """A map in JSON, which is YAML."""
    buses = {}
    for bus in truth["buses"]:
        entry = {key: bus[key] for key in ("protocol", "clock", "signals")}
        if bus["reset"] is not None:
            entry.update(reset=bus["reset"], reset_active=bus["reset_active"])
        if "credit_init" in bus:
            entry["credit_init"] = bus["credit_init"]
        buses[bus["name"]] = entry
    return {"buses": buses}


def handshakes(bus):
    """What tells which bus it is: its valid signals, and what they are called elsewhere."""
    words = ("valid", "htrans", "psel", "stb", "read")
    return {v.lstrip("!") for k, v in bus["signals"].items() if k.endswith(words)}


found = sought = bytes_checked = 0
missing = []
with tempfile.TemporaryDirectory() as work:
    for path in files:
        with open(path) as file:
            truth = json.load(file)
        if not truth["buses"]:
            continue
        wave = os.path.join(folder, truth["wave"])
        name = os.path.join(work, "map.yaml")
        with open(name, "w") as file:
            json.dump(map_of(truth), file)
        ours = {bus["name"]: bus for bus in run(wave, "--payload", "--map", name)}
        named = run(wave)
        for length in ("77", "64", "1000"):
            if run(wave, "-I", length) != named:
                fail(wave, "has other figures with -I", length)
        for bus in truth["buses"]:
            same(bus, ours.get(bus["name"], {}), os.path.basename(path) + ":" + bus["name"])
            check_bytes(bus, ours.get(bus["name"], {}), os.path.basename(path) + ":" + bus["name"])
            sought += 1
            if any(handshakes(bus) <= handshakes(other) for other in named):
                found += 1
            else:
                missing.append(os.path.basename(path) + ":" + bus["name"])
print(f"{compared} figures of {len(files)} files compared, {wrong} differ; "
      f"{found} of {sought} buses found without a map, not {', '.join(missing)}")
print(f"{bytes_checked} kinds of transactions with their bytes")
if wrong or found < 0.95 * sought or bytes_checked < 10:
    sys.exit(1)
