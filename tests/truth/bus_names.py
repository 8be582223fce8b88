#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Buses are found by the names that public RTL gives their signals: one scope for each, without a map.

  bus_names.py PROGRAM

A row: where the names are from, then valid and ready ("!": it is active at 0), and what else is of the bus.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

ROWS = [
    ("LiteX", "uart_phy_sink_valid", "uart_phy_sink_ready", {"last": "uart_phy_sink_last"}),
    ("LiteX source", "uart_phy_source_valid", "uart_phy_source_ready", {}),
    ("NVDLA", "dma2cvif_wr_req_valid", "dma2cvif_wr_req_ready", {"data": "dma2cvif_wr_req_pd"}),
    ("NVDLA pvld", "dmaif_wr_req_pvld", "dmaif_wr_req_prdy", {"data": "dmaif_wr_req_pd"}),
    ("NVDLA vld", "dma_wr_req_vld", "dma_wr_req_rdy", {"data": "dma_wr_req_pd"}),
    ("BaseJump", "v_i", "ready_o", {"data": "data_i"}),
    ("BaseJump and", "v_i", "ready_and_o", {"data": "data_i"}),
    ("BaseJump yumi", "v_o", "yumi_i", {"data": "data_o"}),
    ("BlackParrot", "mem_cmd_v_o", "mem_cmd_ready_and_i", {"data": "mem_cmd_o"}),
    ("BlackParrot yumi", "mem_resp_v_i", "mem_resp_yumi_o", {"data": "mem_resp_i"}),
    ("Bluespec", "EN_request_put", "RDY_request_put", {"data": "request_put"}),
    ("Avalon-ST", "in_valid", "in_ready", {"data": "in_data", "last": "in_endofpacket"}),
    ("OpenCL", "in_valid_in_0", "!in_stall_in_0", {"data": "in_data_in_0"}),
    ("ARC", "ifu_ibus_cmd_valid", "ifu_ibus_cmd_accept", {}),
    ("Chisel", "io_deq_valid", "io_deq_ready", {"id": "io_deq_bits_source"}),
    ("Chisel bits", "io_enq_valid", "io_enq_ready", {"data": "io_enq_bits"}),
    ("XiangShan", "auto_out_a_valid", "auto_out_a_ready", {"id": "auto_out_a_bits_source"}),
    ("SpinalHDL i", "iBus_cmd_valid", "iBus_cmd_ready", {}),
    ("SpinalHDL d", "dBus_cmd_valid", "dBus_cmd_ready", {}),
    ("SpinalHDL stream", "io_push_valid", "io_push_ready", {}),
    ("OpenTitan FIFO", "wvalid_i", "wready_o", {}),
    ("OpenTitan FIFO read", "rvalid_o", "rready_i", {}),
    ("strobe", "cmd_stb", "cmd_ack", {"data": "cmd_dat"}),
    ("request", "mem_req_o", "mem_gnt_i", {}),
    ("grant", "arb_req", "arb_grant", {"data": "arb_data"}),
    ("busy", "start_valid", "!start_busy", {"data": "start_data"}),
    ("stall", "out_valid", "!out_stall", {"data": "out_data"}),
    ("wait", "cmd_req", "!cmd_wait", {"data": "cmd_data"}),
    ("full", "wr_en", "!wr_full", {"data": "wr_data"}),
    ("almost full", "tx_valid", "!tx_afull", {"data": "tx_data"}),
    ("camel", "outReqValid", "outReqReady", {"data": "outReqData"}),
    ("capitals", "TX_VLD", "TX_RDY", {"data": "TX_DAT"}),
    ("registers", "valid_q", "ready_q", {"data": "data_q"}),
    ("local", "valid_lo", "ready_li", {"data": "data_lo"}),
    ("number", "out_valid_0", "out_ready_0", {"data": "out_bits_0"}),
    ("number, glued", "valid1", "ready1", {"data": "data1"}),
    ("AXI-Stream", "m_axis_rx_tvalid", "m_axis_rx_tready", {"data": "m_axis_rx_tdata", "last": "m_axis_rx_tlast"}),
    ("AXI-Stream, alone", "tvalid", "tready", {"data": "tdata"}),
    ("verilog-axis", "s_axis_desc_valid", "s_axis_desc_ready", {}),
    # of netlists: an index within, or at the end of, an escaped name
    ("Vivado", "\\s_axi[0]_tvalid", "\\s_axi[0]_tready", {"data": "\\s_axi[0]_tdata"}),
    ("Vivado, each escaped", "m_axis\\[1\\]_tvalid", "m_axis\\[1\\]_tready", {"last": "m_axis\\[1\\]_tlast"}),
    ("bit of a port", "\\q_valid[3]", "\\q_ready[3]", {}),
    ("bit, each escaped", "d_valid\\[12\\]", "d_ready\\[12\\]", {}),
    # no handshake: nobody offers, or nothing is of one bus
    ("enable of a pipeline", "ex_en", "ex_stall", None),
    ("take from a FIFO", "rd_en", "rd_rdy", None),
    ("next value", "irq_req", "irq_ready_n", None),
    ("other numbers", "valid1", "ready2", None),
    ("same direction", "valid_i", "ready_i", None),
]

# what the buses of some rows are called
CALLED = {"Vivado": "s_axi[0]", "Vivado, each escaped": "m_axis[1]", "bit of a port": "q[3]", "bit, each escaped": "d[12]",
          "LiteX": "uart_phy_sink", "BaseJump": None}

AXI_READ = "ar_valid ar_ready ar_{0}addr:8 ar_{0}id:8 ar_{0}len:8 r_valid r_ready r_{0}id:8 r_{0}last r_{0}resp:2"
# Names of the other protocols: all belong to one bus, except those after "+", which belong to none; a width follows ":".
PROTOCOLS = [
    ("SpinalHDL", "axi4", " ".join("io_axi_" + n for n in AXI_READ.format("payload_").split())),
    ("Rocket", "axi4", " ".join("auto_out_" + n for n in AXI_READ.format("bits_").split())),
    ("Chisel, flat", "axi4", " ".join("auto_out_" + n.replace("_", "") for n in AXI_READ.format("").split())),
    ("verilog-axi", "axi4-lite", "s_axil_awvalid s_axil_awready s_axil_awaddr:8 s_axil_wvalid s_axil_wready s_axil_wdata:8 "
                                 "s_axil_bvalid s_axil_bready s_axil_bresp:2"),
    ("Rocket", "tilelink", "auto_in_a_valid auto_in_a_ready auto_in_a_bits_source:8 auto_in_a_bits_address:8 auto_in_d_valid "
                           "auto_in_d_ready auto_in_d_bits_source:8 auto_in_d_bits_denied + auto_in_a_bits_opcode:8"),
    ("Ibex", "obi", "data_req_o data_gnt_i data_rvalid_i data_we_o data_err_i data_addr_o:8 data_rdata_i:8"),
    ("Ibex, instructions", "obi", "instr_req_o instr_gnt_i instr_rvalid_i instr_addr_o:8 instr_rdata_i:8 instr_err_i"),
    ("servant", "wishbone", "wb_mem_stb wb_mem_ack wb_mem_we wb_mem_adr:8"),
    ("SERV", "wishbone", "i_wb_cpu_cyc i_wb_cpu_stb i_wb_cpu_we o_wb_cpu_ack"),
    ("LiteX", "wishbone", "interface0_cyc interface0_stb interface0_ack interface0_we interface0_adr:8 interface0_err"),
    ("VexRiscv", "wishbone", "dBusWishbone_CYC dBusWishbone_STB dBusWishbone_ACK dBusWishbone_WE dBusWishbone_ADR:8"),
    ("ZipCPU", "wishbone-pipelined", "o_wb_cyc o_wb_stb i_wb_stall i_wb_ack i_wb_err o_wb_we o_wb_addr:8"),
    ("wb2axip", "wishbone-pipelined", "i_mcyc i_mstb o_mstall o_mack o_merr i_mwe i_maddr:8"),
    ("AHB", "ahb", "haddr:8 htrans:2 hready hresp hwrite hsize:3 hburst:3"),
    ("VeeR", "ahb", "lsu_haddr:8 lsu_htrans:2 lsu_hready lsu_hresp lsu_hwrite"),
    ("Arm", "ahb", "HADDRS1:8 HTRANSS1:2 HREADYS1 HRESPS1 HSELS1 HWRITES1 + HREADYOUTS1"),
    ("Arm, numbered", "ahb", "HTRANS_1:2 HREADY_1 HRESP_1 HSEL_1 HWRITE_1 + HREADYOUT_1"),
    ("APB", "apb", "s_apb_psel_i s_apb_penable_i s_apb_pready_o s_apb_pslverr_o s_apb_pwrite_i"),
    ("Avalon", "avalon", "avm_read avm_write avm_waitrequest avm_readdatavalid avm_burstcount:8 avm_address:8"),
    ("BlackParrot", "request-response", "mem_cmd_v_o mem_cmd_ready_i mem_cmd_o:8 mem_resp_v_i mem_resp_yumi_o mem_resp_i:8"),
    ("VexRiscv", "request-response", "iBus_cmd_valid iBus_cmd_ready iBus_rsp_valid + iBus_cmd_payload_pc:8"),
]


def dump(path):
    """Random values of all signals, in 200 cycles."""
    rng = random.Random(1)
    head, codes = ["$timescale 1ns $end", "$scope module tb $end", "$var wire 1 ! clk $end", "$var wire 1 \" rst $end"], []
    for n, (_, valid, ready, more) in enumerate(ROWS):
        head.append(f"$scope module row{n} $end")
        for name in (valid, ready.lstrip("!"), *(more or {}).values()):
            wide = name in (more or {}).values() and "last" not in name and "endofpacket" not in name
            code = f"s{len(codes)}"
            codes.append((code, 8 if wide else 1))
            head.append(f"$var wire {8 if wide else 1} {code} {name} {'[7:0] ' if wide else ''}$end")
        head.append("$upscope $end")
    for n, (_, _, names) in enumerate(PROTOCOLS):
        head.append(f"$scope module bus{n} $end")
        for name in names.replace("+ ", "").split():
            name, _, width = name.partition(":")
            codes.append((f"s{len(codes)}", int(width or 1)))
            head.append(f"$var wire {width or 1} {codes[-1][0]} {name} $end")
        head.append("$upscope $end")
    lines = head + ["$upscope $end", "$enddefinitions $end", "#0", "0!", "1\""]
    for cycle in range(200):
        lines += [f"#{10 * cycle + 5}", "1!"] + (["0\""] if cycle == 5 else [])
        for code, width in codes:
            value = rng.getrandbits(width)
            lines.append(f"b{value:b} {code}" if width > 1 else f"{value}{code}")
        lines += [f"#{10 * cycle + 10}", "0!"]
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


with tempfile.TemporaryDirectory() as folder:
    wave = os.path.join(folder, "names.vcd")
    dump(wave)
    done = subprocess.run([sys.argv[1], "bus", "-q", "--list", "--format", "json", wave], capture_output=True,
                          encoding="utf-8", check=True)
found, called = {}, {}
for bus in json.loads(done.stdout)["buses"]:
    names = {role: "!" * path.startswith("!") + path.rpartition(".")[2] for role, path in bus["signals"].items()}
    called[next(iter(bus["signals"].values())).split(".")[1]] = bus["name"]
    found.setdefault(next(iter(bus["signals"].values())).split(".")[1], []).append((bus["protocol"], names))
bad = []
for n, (what, valid, ready, more) in enumerate(ROWS):
    have = [names for _, names in found.get(f"row{n}", [])]
    if have != ([] if more is None else [{"valid": valid, "ready": ready, **more}]):
        bad.append(f"{what}: {valid} and {ready}: {have}")
    if what in CALLED and called.get(f"row{n}") != f"tb.row{n}" + (f".{CALLED[what]}" if CALLED[what] else ""):
        bad.append(f"{what}: it is called {called.get(f'row{n}')}")
for n, (what, protocol, names) in enumerate(PROTOCOLS):
    have = [(p, set(names.values())) for p, names in found.get(f"bus{n}", [])]
    if have != [(protocol, {name.partition(":")[0] for name in names.partition(" +")[0].split()})]:
        bad.append(f"{what}: {names}: {have}, expected {protocol}")
for text in bad:
    print("FAILED:", text)
print(f"{len(ROWS) + len(PROTOCOLS) - len(bad)} of {len(ROWS) + len(PROTOCOLS)} rows of names are understood")
sys.exit(bool(bad))
