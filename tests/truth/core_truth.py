#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pcounter check --core FILE against the truth files of ../shared/waves/cores.

    core_truth.py PROGRAM FOLDER

Clean designs, and mutants with each difference that an independent model found; in text, JSON and CSV."""
import csv
import glob
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import tally
from tally import check, fail

program, folder = sys.argv[1:]


def name_of(register):
    """mhpmcounter_q[3] and mhpmcounter[3] are mhpmcounter3 there, 0 and 2 have names."""
    name = re.sub(r"\[(\d+)\]$", r"\1", register).replace("_q", "")
    return {"mhpmcounter0": "mcycle", "mhpmcounter2": "minstret"}.get(name, name)


def run(core, wave, *arguments):
    return subprocess.run([program, "check", "-q", "--core", core, *arguments, wave], capture_output=True, text=True)


CAUSES = {"e40p.m1.fst": "the rule of line 17 had added 2", "ibex.m5.fst": "the carry from bit 31 to 32 were lost where the rule of line 21 adds",
          "ibex.m3.fst": "the rule of line 21 had acted; its condition fails at: !mcountinhibit[8]",
          "cva6csr32.m5.fst": "the rule of line 53 had not acted"}

ALL_OF_A_REGISTER = {
    "e40p.m6.fst": ("mhpmcounter_q[7]", "mhpmevent_q[7] had only bit 6 (mhpmevent_store_i)"),
    "ibex.m3.fst": ("mhpmcounter[8]", "bit 8 of mcountinhibit were inverted"),
}


def check_truth(path):
    with open(path, encoding="utf-8") as file:
        truth = json.load(file)
    core = os.path.join(folder, truth["core"] + ".yaml")
    wave = os.path.join(folder, truth["wave"])
    done = run(core, wave, "-k", "--format", "json")
    what = truth["wave"]
    try:
        report = json.loads(done.stdout)
    except ValueError:
        fail(f"{what}: {done.stderr}")
        return
    failures = sum(c["failed"] for c in report["checks"])
    check(what + ": exit code", done.returncode, 1 if truth["differences"] + failures else 0)
    for member in ("edges", "in_reset", "compared", "resets_between"):
        check(f"{what}: {member}", report[member], truth[member])
    differences = [d for d in report["differences"] if d["kind"] == "register"]
    check(what + ": differences", len(differences), truth["differences"])
    first = {}
    for d in differences:
        first.setdefault(name_of(d["register"]), d["edge"])
    check(what + ": first edges", first, truth["first_edge_by_register"])
    for got, want in zip(differences, truth["first"]):
        for member in ("edge", "time", "design", "model"):
            check(f"{what}: {member} at {want['edge']}", got[member], want[member])
        check(f"{what}: register at {want['edge']}", name_of(got["register"]), want["register"])
    if what in CAUSES:
        check(f"{what}: cause", differences[0]["as_if"], CAUSES[what])
    if what in ALL_OF_A_REGISTER:
        name, want = ALL_OF_A_REGISTER[what]
        check(f"{what}: cause of all", [r["as_if"] for r in report["registers"] if r["name"] == name], [want])
    for c in report["checks"]:
        want = truth.get("description_checks", {}).get(c["name"])
        if want:
            check(f"{what}: {c['name']}", (c["looked"], c["failed"]), (want["looked"], want["failed"]))
    rows = list(csv.DictReader(io.StringIO(run(core, wave, "-k", "--format", "csv").stdout)))
    for row in rows:
        if row["register"] != "WARNING" and name_of(row["register"]) in first:
            check(f"{what}: CSV", int(row["first_edge"]), first[name_of(row["register"])])
    # without -k: the first of them alone, where the run ends
    report = json.loads(run(core, wave, "--format", "json").stdout)
    if differences:
        check(what + ": ends", (report["edges"], report["complete"]), (differences[0]["edge"] + 1, False))


def check_clean(core, wave, compared):
    done = run(os.path.join(folder, core), os.path.join(folder, wave), "--format", "json")
    if done.returncode != 0:
        fail(f"{core}: {done.stderr}")
        return
    check(core + ": compared", json.loads(done.stdout)["compared"], compared)


if not os.path.isdir(folder):
    print(f"*** SKIP: there is no {folder} ***")
    sys.exit(77)
for each in sorted(glob.glob(os.path.join(folder, "*.truth.json"))):
    check_truth(each)
def first_edges(differences):
    first = {}
    for d in differences:
        first.setdefault(d["register"], d["edge"])
    return first


def check_same_verdict(core, wave, profile):
    """the model of CVA6, and the description that `emit core` makes of it"""
    wave = os.path.join(folder, wave)
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "core.yaml")
        subprocess.run([program, "emit", "core", "--core", core, "--profile", profile, "--wave", wave, "-o", path],
                       check=True)
        model = json.loads(run(core, wave, "--profile", profile, "-k", "--format", "json").stdout)
        described = json.loads(run(path, wave, "-k", "--format", "json").stdout)
    of = {r["name"]: (r["compared"], r["differences"]) for r in described["registers"]}
    what = f"{core} {profile} {os.path.basename(wave)}"
    for r in model["registers"]:
        if r["name"].startswith("mhpm"):
            check(f"{what}: {r['name']}", of[r["name"]], (r["compared"], r["differences"]))
        elif r["name"] in of:  # the model takes written values over, which a description compares
            check(f"{what}: {r['name']}", of[r["name"]][0] >= r["compared"] and of[r["name"]][1] >= r["differences"], True)
    first = first_edges(described["differences"])
    for register, edge in first_edges(model["shown"]).items():
        if register not in ("data_o", "csr_rdata_o", "csr_exception"):
            check(f"{what}: first of {register}", first.get(register), edge)


def check_csr(path):
    """the model of CVA6 with csr_regfile: registers as in the truth, and accesses"""
    with open(path, encoding="utf-8") as file:
        truth = json.load(file)
    wave = os.path.join(folder, truth["wave"])
    done = run("cv32a6_imac_sv32", wave, "--profile", "rtl", "-k", "--require", "csr", "--format", "json")
    what = "model, " + truth["wave"]
    report = json.loads(done.stdout)
    accesses = truth.get("access_differences", 0)
    check(what + ": exit code", done.returncode, 1 if truth["differences"] + accesses else 0)
    first = first_edges(report["shown"])
    refused = [d for d in report["shown"] if d["register"] == "csr_exception"]
    check(what + ": traps", [d["edge"] for d in refused[:3]], [d[0] for d in truth.get("first_access_differences", [])[:3]])
    check(what + ": first edges", {n: e for n, e in first.items() if not n.startswith("csr_")}, truth["first_edge_by_register"])


def corrupt(vcd, signal, edge, mask):
    """`signal` with other bits from the edge on, until it changes; the edge after which that is seen"""
    lines = vcd.split("\n")
    own = vcd[vcd.index(" csr_regfile_i $end"):]
    code, clock = (re.search(r"\$var " + kind + r" \d+ (\S+) " + name + r"\b", own).group(1)
                   for kind, name in (("logic", signal), ("wire", "clk_i")))
    edges, value, out = 0, 0, []
    for line in lines:
        if line.startswith("#") and edges == edge:
            out.append(f"b{value ^ mask:b} {code}")
            edges += 1
        out.append(line)
        if line.startswith("b") and line.endswith(" " + code):
            value = int(line[1:].split()[0], 2)
        if line == "1" + clock:
            edges += edges != edge
    return "\n".join(out)


def check_corrupted(core, wave, profile, few=6):
    """a bit of each register of csr_regfile flips by itself: seen at the next edge"""
    vcd = subprocess.run(["fst2vcd", os.path.join(folder, wave)], capture_output=True, text=True, check=True).stdout
    for signal, mask in (("mcountinhibit_q", 2), ("mcountinhibit_q", 0x10), ("mcounteren_q", 1 << 31),
                         ("scounteren_q", 8), ("cycle_q", 1 << 40), ("instret_q", 1))[:few]:
        with tempfile.NamedTemporaryFile("w", suffix=".vcd") as file:
            file.write(corrupt(vcd, signal, 3000, mask))
            file.flush()
            done = run(core, file.name, "--profile", profile, "--format", "json")
        name = {"cycle_q": "mcycle", "instret_q": "minstret"}.get(signal, signal[:-2])
        what = f"{wave}: {name} with {mask:#x}"
        first = json.loads(done.stdout)["shown"][:1]
        check(what, [(d["register"], d["edge"]) for d in first], [(name, 3000)])
        check(what + ": exit code", done.returncode, 1)


def check_stat(core, wave):
    """stat --core NAME by the model's counters, and with other options beside, by the description"""
    def stat(*arguments):
        done = subprocess.run([program, "stat", "-q", "--core", core, "--profile", "rtl", "-e", "all", "--format", "json",
                               *arguments, os.path.join(folder, wave)], capture_output=True, text=True)
        return json.loads(done.stdout)
    own, described = stat(), stat("-M", "share = MSB_FULL / cycles %")
    check(f"stat {wave}: cycles", described["cycles"], own["all"]["cycles"])
    check(f"stat {wave}", {e["name"]: e["value"] for e in described["events"]},
          {e["name"]: e["value"] for e in own["all"]["events"]})
    short = stat("-M", "share = SB_FULL / cycles %")["events"]
    check(f"stat {wave}: short name", [e["value"] for e in short if e["name"] == "SB_FULL"],
          [e["value"] for e in described["events"] if e["name"] == "MSB_FULL"])


check_stat("cv64a6_imafdc_sv39", "../cva6/cva6_towers_fullcore.fst")
for each in sorted(glob.glob(os.path.join(folder, "cva6csr32*.truth.json"))):
    check_csr(each)
if shutil.which("fst2vcd"):
    check_corrupted("cv32a6_imac_sv32", "cva6csr32.fst", "rtl")
    check_corrupted("cv64a6_imafdc_sv39", "../cva6/cva6_towers_fullcore.fst", "rtl", 1)
for name in ("towers", "median", "multiply", "dhrystone", "towers_fullcore"):
    check_same_verdict("cv64a6_imafdc_sv39", f"../cva6/cva6_{name}.fst", "rtl")
    check_same_verdict("cv64a6_imafdc_sv39", f"../cva6/cva6_{name}.fst", "spec")
for name in ("cva6csr32", "cva6csr32.m5", "cva6csr32.m6"):
    check_same_verdict("cv32a6_imac_sv32", f"{name}.fst", "rtl")
    check_same_verdict("cv32a6_imac_sv32", f"{name}.fst", "spec")
check_clean("e40p_flat.yaml", "e40p_flat.fst", 151392)
check_clean("ibex_coremark.yaml", "../ibex/ibex_coremark_csregs.fst", 6274824)
check_clean("picorv32.yaml", "../picorv32/picorv32_dhry_icarus.fst", 540970)
tally.end(least=200)
