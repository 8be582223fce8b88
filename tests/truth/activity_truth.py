#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures of `pcounter activity` against those of the truth files, each of them, and SAIF read by a parser of its own.

usage: activity_truth.py PCOUNTER SHARED/waves/bus
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

pcounter, folder = sys.argv[1:3]
checks = failures = 0


def check(is_, want, what):
    global checks, failures
    checks += 1
    if is_ != want:
        failures += 1
        if failures < 20:
            print(f"{what}: {is_!r}, not {want!r}")


def parse(text):
    """SAIF as nested lists of words."""
    stack = [[]]
    for word in re.findall(r'"[^"]*"|\(|\)|(?:\\.|[^\s()"])+', text):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    assert len(stack) == 1 and len(stack[0]) == 1, "brackets are not balanced"
    return stack[0][0]


def plain(word):
    return re.sub(r"\\(.)", r"\1", word)


def nets_of(node, path, out):
    for item in node:
        if isinstance(item, list) and item and item[0] == "INSTANCE":
            nets_of(item[2:], path + [plain(item[1])], out)
        elif isinstance(item, list) and item and item[0] == "NET":
            for net in item[1:]:
                out[".".join(path + [plain(net[0])])] = {k: int(v) for k, v in net[1:]}


def member(tree, name):
    return next(item[1:] for item in tree if isinstance(item, list) and item[0] == name)


def check_saif(path, truth, bits):
    with open(path) as file:
        tree = parse(file.read())
    check(tree[0], "SAIFILE", path)
    check(member(tree, "SAIFVERSION"), ['"2.0"'], path)
    check("".join(member(tree, "TIMESCALE")), truth["timescale"], path)
    duration = int(member(tree, "DURATION")[0])
    check(duration, truth["activity"]["duration"], path)
    nets = {}
    nets_of(tree, [], nets)
    for name, net in nets.items():
        check(net["T0"] + net["T1"] + net["TX"] + net["TZ"], duration, f"{path}: {name}")
        check(net["IG"], 0, f"{path}: {name}")
    for name, want in bits.items():
        for key in ("T0", "T1", "TX", "TZ", "TC"):
            check(nets.get(name, {}).get(key), want[key], f"{path}: {name} {key}")


def run(*words):
    return subprocess.run([pcounter, "activity", *words], check=True, capture_output=True, text=True).stdout


files = 0
with tempfile.TemporaryDirectory() as work:
    for truth_path in sorted(glob.glob(f"{folder}/*.truth.json")):
        with open(truth_path) as file:
            truth = json.load(file)
        if "activity" not in truth:
            continue
        files += 1
        wave = os.path.join(folder, truth["wave"])
        saif = os.path.join(work, "x.saif")
        bits = truth["activity"]["bits"]
        report = json.loads(run("--bits", "--format", "json", wave))
        check(report["timescale"], truth["timescale"], wave)
        check(report["duration"], truth["activity"]["duration"], wave)
        nets = {net["name"]: net for net in report["nets"]}
        for name, want in bits.items():
            for key, value in want.items():
                is_ = nets.get(name, {}).get(key)
                if isinstance(value, dict):
                    check({k: is_.get(k) for k in value}, value, f"{wave}: {name} {key}")
                    if value["count"]:  # which the truth does not have
                        check(is_["p90"] <= is_["p95"] <= is_["p99"], True, f"{wave}: {name} {key}.p95")
                    checks += len(value) - 1
                else:
                    check(is_, value, f"{wave}: {name} {key}")
        toggles = [net["TC"] for net in report["nets"]]
        check(toggles, sorted(toggles, reverse=True), f"{wave}: order")
        # a net's row is the sum of its bits
        for net in json.loads(run("--format", "json", wave))["nets"]:
            of_it = [b for b in report["nets"] if re.sub(r"\[-?\d+\]$", "", b["name"]) == net["name"]] \
                if net["width"] > 1 else [nets.get(net["name"]) or nets[net["name"] + net["range"]]]
            for key in ("T0", "T1", "TX", "TZ", "TC", "rises", "falls", "x_to_1", "x_to_0", "known_to_x"):
                check(net[key], sum(b[key] for b in of_it), f"{wave}: {net['name']} {key}")
        # intervals add up
        part = {}
        step = str(truth["activity"]["duration"] // 7)
        for net in json.loads(run("--bits", "-I", step, "--format", "json", wave))["nets"]:
            sum_ = part.setdefault(net["name"], dict.fromkeys(("T0", "T1", "TX", "TZ", "TC", "known_to_x", "period", "high", "low"), 0))
            for key in sum_:
                sum_[key] += net[key]["sum"] if isinstance(net[key], dict) else net[key]
        for name, sum_ in part.items():
            for key, value in sum_.items():
                want = nets[name][key]
                check(value, want["sum"] if isinstance(want, dict) else want, f"{wave} -I: {name} {key}")
        run(wave, "-o", saif)
        check_saif(saif, truth, bits)
if files == 0:
    print("no truth")
    sys.exit(77)
print(f"{files} files: {checks - failures} passed, {failures} failed")
sys.exit(1 if failures else 0)
