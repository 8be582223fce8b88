#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""No bus is invented: pcounter bus over all waveforms that were not made for it.

  bus_elsewhere.py PROGRAM FOLDER      (../shared/waves)

BUSES lists the waveforms that have some, with how many and what they are; HALF those that have words of
handshakes, and why these are no bus.  The others have no two names that could be one: of that a search of
their names for such words is the proof here, which knows nothing of how the program searches.  Of every
bus that is found both signals have one stem.
"""
import json
import os
import re
import subprocess
import sys

BUSES = {
    "cores/evmon.vcd.gz": (1, "bvalid and bready of its bench"),
    "cores/evmon.m1.vcd.gz": (1, "the same"),
    "cores/evmon.m5.vcd.gz": (1, "the same"),
    "corpus/wellen/ghdl/wellen_issue_12.ghw": (1, "request and ready of an interrupt"),
    "corpus/wellen/github_issues/issue28.vcd": (179, "links of a network on chip, valid and ready at each router"),
    "corpus/wellen/icarus/CPU.vcd": (1, "cpu_req and cpu_stall_o of a data cache"),
    "corpus/wellen/icarus/CPU.vcd.fst": (1, "the same"),
    "corpus/wellen/icarus/DCCrossbar.vcd": (7, "ports of a crossbar in Chisel"),
    "corpus/wellen/icarus/test1.vcd": (21, "AXI of the core FRISCV and its cache; en and ready of its parts"),
    "corpus/wellen/icarus/test1.vcd.fst": (21, "the same"),
    "corpus/wellen/nvc/overlay_tb_issue_21.fst": (3, "AXI-Stream of video"),
    "corpus/wellen/nvc/xwb_fofb_shaper_filt_tb.fst": (3, "pipelined Wishbone in VHDL: one of many names, and two of the adapter"),
    "corpus/wellen/nvc/xwb_fofb_shaper_filt_tb_arrays.fst": (3, "the same with arrays"),
    "corpus/wellen/nvc/xwb_fofb_shaper_filt_tb_arrays.fst.vcd": (3, "the same"),
    "corpus/wellen/pymtl3/CGRA.vcd": (32, "en and rdy of what is put into queues"),
    "corpus/wellen/questa-sim/wellen-issue-57-uart.vcd": (2, "AXI-Stream of a UART"),
    "corpus/wellen/surfer/picorv32.vcd": (5, "AXI-Lite, memory and coprocessors of PicoRV32"),
    "corpus/wellen/surfer/picorv32.vcd.fst": (5, "the same"),
    "corpus/wellen/vcs/Apb_slave_uvm_new.vcd": (1, "APB"),
    "corpus/wellen/vcs/Apb_slave_uvm_new.vcd.fst": (1, "the same"),
    "corpus/wellen/verilator/swerv1.vcd.fst": (10, "AXI and AHB of SweRV, halt and run of its debugger"),
    "corpus/wellen/verilator/verilator-incomplete.fst": (86, "CVA6"),
    "corpus/wellen/vivado/vivado_surfer_test.vcd": (8, "requests and responses of a network on chip"),
    "corpus/wellen/xilinx_isim/test2x2_regex22_string1.vcd.fst": (142, "FIFOs and AXI of an engine of regular expressions; ports at the edge of its grid are not connected"),
    "corpus/wellen/yosys_smtbmc/surfer_issue_315.vcd": (111, "flits of a router in Amaranth, and the FIFOs that they are written to"),
    "cva6/cva6_dhrystone.fst": (6, "AXI of CVA6, as a struct and as wires of its bench"),
    "cva6/cva6_median.fst": (6, "the same"),
    "cva6/cva6_multiply.fst": (6, "the same"),
    "cva6/cva6_towers.fst": (6, "the same"),
    "cva6/cva6_towers_gtkwave_fastlz.fst": (6, "the same"),
    "cva6/cva6_towers_gtkwave_gzwrapped.fst": (6, "the same"),
    "cva6/cva6_towers_gtkwave_zlib.fst": (6, "the same"),
    "cva6/cva6_towers_verilator.vcd.gz": (6, "the same"),
    "cva6/cva6_towers_flat.fst": (5, "the same, the struct is one vector"),
    "cva6/cva6_towers_fullcore.fst": (125, "the same, with all that is in the core"),
    "ghw/vhdl_mix.ghw": (2, "valid and ready in an array of records"),
    "ibex/ibex_coremark_csregs.fst": (2, "OBI of Ibex, data and instructions"),
    "picorv32/picorv32_dhry2_icarus.vcd.gz": (4, "memory and coprocessors of PicoRV32"),
    "picorv32/picorv32_dhry_icarus.fst": (4, "the same, but a coprocessor's port that is not connected"),
}
HALF = {
    "cores/cva6csr32": "valid alone in structs; the events of counters",
    "cores/e40p": "the events of counters",
    "corpus/wellen/ghdl/oscar/vhdltype": "enables of a pipeline, whose stall is a vector of stages",
    "corpus/wellen/model-sim/CPU_Design.msim": "rdreq and wrreq of a FIFO; b_full is of another thing",
    "corpus/wellen/ncsim/ffdiv_32bit_tb": "dec_valid, en and ready of a divider: no two have one stem",
    "corpus/wellen/systemc/waveform": "vectors of 32 bits, requests of ports and grants of an arbiter",
    "corpus/wellen/vcs/datapath_log": "enables of registers, and the stall of a pipeline",
    "corpus/wellen/verilator/surfer_issue_201": "d_ready without a valid",
    "cva6/cva6_dhrystone_long_events": "the events of counters",
}
# words that may begin and end a handshake, after up to three letters of a prefix
ASKS = re.compile(r"(?:^|[_.])[a-z]{0,3}(valid|vld|pvld|stb|req|psel|htrans|cyc|en)(?:_?[io])?(?:\[.*)?$", re.I)
ANSWERS = re.compile(
    r"(?:^|[_.])[a-z]{0,3}(ready|rdy|prdy|gnt|grant|ack|accept|yumi|hready|pready|stall|waitrequest|busy|full)"
    r"(?:_?[io])?(?:\[.*)?$", re.I)
WORDS = re.compile(r"en$|t?valid|vld|stb|t?ready|rdy|req|resp|rsp|ack|gnt|accept|stall", re.I)
SIDES = re.compile(r"(?<![a-z])(?:i|o|in|out|q|d)(?![a-z])|_", re.I)

program, folder = sys.argv[1:3]
if not os.path.isdir(folder):
    print("*** SKIP bus_elsewhere: no", folder, "***")
    sys.exit(77)
failed = []


def call(*args):
    return subprocess.run([program, *args], capture_output=True, encoding="utf-8", errors="replace", check=False)


def waveforms():
    for top, _, files in os.walk(folder):
        for name in files:
            path = os.path.relpath(os.path.join(top, name), folder)
            if name.endswith((".vcd", ".vcd.gz", ".fst", ".sr", ".ghw")) and not path.startswith("bus/"):
                yield path


def check_stems(path):
    """The signals of a handshake have the same names, but for the words, and for who drives them."""
    for bus in json.loads(call("bus", "-q", "--list", "--format", "json", os.path.join(folder, path)).stdout)["buses"]:
        s = bus["signals"]
        if bus["protocol"] not in ("valid-ready", "axi-stream"):
            continue
        one, other = (SIDES.sub("", SIDES.sub("", WORDS.sub("", s[role].lstrip("!").rpartition(".")[2])))
                      for role in ("valid", "ready"))
        if one != other:
            failed.append(f"{path}: {s['valid']} and {s['ready']}")


def without_words(path):
    names = re.findall(r"[A-Za-z_][\w.$\[\]:]*", call("info", "-q", "--vars", os.path.join(folder, path)).stdout)
    return not (any(ASKS.search(n) for n in names) and any(ANSWERS.search(n) for n in names))


seen = {"buses": 0, "half": 0, "none": 0, "unread": 0}
for wave in sorted(waveforms()):
    done = call("bus", "-q", "--list", os.path.join(folder, wave))
    found = done.stdout.count("\n    protocol:")
    if wave in BUSES:
        seen["buses"] += 1
        if found != BUSES[wave][0]:
            failed.append(f"{wave}: {found} buses, not {BUSES[wave][0]}: {BUSES[wave][1]}")
        check_stems(wave)
    elif found or done.returncode != 2:
        failed.append(f"{wave}: {found} buses, and it has none")
    elif "PC-E1834" not in done.stderr:
        seen["unread"] += 1  # no waveform that can be read, which other tests look at
    elif any(wave.startswith(name) for name in HALF):
        seen["half"] += 1
    elif without_words(wave):
        seen["none"] += 1
    else:
        failed.append(f"{wave}: it has words of a handshake, and no reason is given why they are none")
print(f"{seen['buses']} waveforms have the buses that they are known to have; none was found in {seen['none']} "
      f"without two words of a handshake, in {seen['half']} with words that are none; {seen['unread']} cannot be read")
for text in failed:
    print("FAILED:", text)
if failed or seen["buses"] != len(BUSES):
    sys.exit(1)
