/* SPDX-License-Identifier: MIT */
/*
 * A SystemVerilog checker bound to CVA6's module perf_counters: each clock it hands the
 * module's registers and inputs to the entry points of pcounter_dpi.h, which compare and
 * step the model.  Names of ports and registers are those of openhwgroup/cva6.
 */
#include "emit.h"

/* Inputs of one clock as bits of pcounter_dpi_clock()'s `lines`, lowest first. */
static const char *const wires[PC_HPM_LINES] = {
    [PC_HPM_ICACHE_MISS] = "l1_icache_miss_i",
    [PC_HPM_DCACHE_MISS] = "l1_dcache_miss_i",
    [PC_HPM_ITLB_MISS] = "itlb_miss_i",
    [PC_HPM_DTLB_MISS] = "dtlb_miss_i",
    [PC_HPM_EXCEPTION] = "ex_i.valid",
    [PC_HPM_ERET] = "eret_i",
    [PC_HPM_RESOLVED] = "resolved_branch_i.valid",
    [PC_HPM_MISPREDICT] = "resolved_branch_i.is_mispredict",
    [PC_HPM_BRANCH_EXCEPTION] = "branch_exceptions_i.valid",
    [PC_HPM_SCOREBOARD_FULL] = "sb_full_i",
    [PC_HPM_FETCH_EMPTY] = "if_empty_i",
    [PC_HPM_ICACHE_REQUEST] = "l1_icache_access_i.req",
    [PC_HPM_DCACHE_REQUEST_0] = "l1_dcache_access_i[0].data_req",
    [PC_HPM_DCACHE_REQUEST_1] = "l1_dcache_access_i[1].data_req",
    [PC_HPM_DCACHE_REQUEST_2] = "l1_dcache_access_i[2].data_req",
    [PC_HPM_TLB_FLUSH] = "i_tlb_flush_i",
    [PC_HPM_ISSUE_STALL] = "stall_issue_i",
};

/* Event 13 looks at rs1: a port has it above the rest, and a 1 that says so. */
static bool has_rs1(const struct emit_request *r)
{
    return !(r->profile->quirks & PC_HPM_Q_RET_ANY_RS1);
}

static void write_head(const struct emit_request *r, FILE *file)
{
    fprintf(file,
            "// Lock-step check of CVA6's perf_counters, configuration %s, profile %s.\n"
            "// Compile it with the core and link libpcounter_dpi and libpcounter.\n"
            "// +define+PCOUNTER_KEEP_GOING reports differences without ending the simulation,\n"
            "// +define+PCOUNTER_CSR binds a second check to csr_regfile.\n\n"
            "module pcounter_cva6_check (\n"
            "    input logic clk, rst_n, debug, write,\n"
            "    input logic [11:0] address,\n"
            "    input logic [63:0] wdata, rdata,\n"
            "    input logic [31:0] inhibit,\n"
            "    input logic [%d:0] lines,\n"
            "    input logic [%d:0][%d:0] port, // %srd, JALR, ADD, fu, ack\n"
            "    input logic [2:0][31:0] ways,\n"
            "    input logic [8:3][63:0] counter,\n"
            "    input logic [8:3][4:0] selector\n"
            ");\n",
            r->config->name, r->profile->name, PC_HPM_LINES - 1, r->config->commit_ports - 1,
            has_rs1(r) ? 17 : 11, has_rs1(r) ? "rs1, 1, " : "");
    fputs("    import \"DPI-C\" function chandle pcounter_dpi_open(input string core,\n"
          "        input string profile);\n"
          "    import \"DPI-C\" function void pcounter_dpi_close(input chandle check);\n"
          "    import \"DPI-C\" function void pcounter_dpi_reset(input chandle check);\n"
          "    import \"DPI-C\" function void pcounter_dpi_port(input chandle check,\n"
          "        input int unsigned number, input int unsigned bits);\n"
          "    import \"DPI-C\" function void pcounter_dpi_ways(input chandle check,\n"
          "        input int unsigned number, input int unsigned valid);\n"
          "    import \"DPI-C\" function void pcounter_dpi_register(input chandle check,\n"
          "        input int unsigned number, input longint unsigned value,\n"
          "        input int unsigned event_id);\n"
          "    import \"DPI-C\" function int unsigned pcounter_dpi_clock(input chandle check,\n"
          "        input int unsigned wires, input int unsigned in_debug,\n"
          "        input int unsigned stopped, input int unsigned strobe,\n"
          "        input int unsigned at, input longint unsigned value,\n"
          "        input longint unsigned answer);\n"
          "    import \"DPI-C\" function string pcounter_dpi_text(input chandle check);\n\n",
          file);
}

static void write_body(const struct emit_request *r, FILE *file)
{
    fprintf(file,
            "    chandle check;\n"
            "    initial begin\n"
            "        check = pcounter_dpi_open(\"%s\", \"%s\");\n"
            "        if (check == null) $fatal(1, \"pcounter: no model of this core\");\n"
            "    end\n"
            "    final pcounter_dpi_close(check);\n\n"
            "    // Sampled before the edge, as the registers of the core see it.\n"
            "    always @(posedge clk or negedge rst_n) begin\n"
            "        if (rst_n !== 1'b1) begin\n"
            "            pcounter_dpi_reset(check);\n"
            "        end else begin\n",
            r->config->name, r->profile->name);
    fprintf(file,
            "            for (int i = 0; i < %d; i++)\n"
            "                pcounter_dpi_port(check, i, 32'(port[i]));\n"
            "            for (int i = 0; i < 3; i++) pcounter_dpi_ways(check, i, ways[i]);\n"
            "            for (int i = 3; i <= 8; i++)\n"
            "                pcounter_dpi_register(check, i, counter[i], 32'(selector[i]));\n"
            "            if (pcounter_dpi_clock(check, 32'(lines), 32'(debug), inhibit,\n"
            "                    32'(write), 32'(address), wdata, rdata) != 0) begin\n"
            "                $display(\"%%s\\n    in %%m\", pcounter_dpi_text(check));\n"
            "`ifndef PCOUNTER_KEEP_GOING\n"
            "                $fatal(1, \"pcounter: the counters differ from the model\");\n"
            "`endif\n"
            "            end\n"
            "        end\n"
            "    end\n"
            "endmodule\n\n",
            r->config->commit_ports);
}

/* Where rd and rs1 have six bits, what is above 31 becomes 31: it is neither x1 nor x5. */
static void write_ports(const struct emit_request *r, FILE *file)
{
    fputs("    .port({", file);
    for (int i = r->config->commit_ports - 1; i >= 0; i--) {
        fputs("\n        {", file);
        if (has_rs1(r))
            fprintf(file,
                    "commit_instr_i[%d].rs1[4:0] | {5{|(commit_instr_i[%d].rs1 >> 5)}}, 1'b1,\n"
                    "         ",
                    i, i);
        fprintf(file,
                "commit_instr_i[%d].rd[4:0] | {5{|(commit_instr_i[%d].rd >> 5)}},\n"
                "         commit_instr_i[%d].op == ariane_pkg::JALR,\n"
                "         commit_instr_i[%d].op == ariane_pkg::ADD, 4'(commit_instr_i[%d].fu),\n"
                "         commit_ack_i[%d]}%s",
                i, i, i, i, i, i, i ? "," : "");
    }
    fputs("}),\n", file);
}

void emit_dpi_bind(const struct emit_request *r, FILE *file)
{
    write_head(r, file);
    write_body(r, file);
    fputs("bind perf_counters pcounter_cva6_check pcounter_check (\n"
          "    .clk(clk_i), .rst_n(rst_ni), .debug(debug_mode_i), .write(we_i), .address(addr_i),\n"
          "    .wdata(64'(data_i)), .rdata(64'(data_o)), .inhibit(mcountinhibit_i),\n"
          "    .lines({",
          file);
    for (size_t i = PC_HPM_LINES; i-- > 0;)
        fprintf(file, "\n        %s%s", wires[i], i ? "," : "");
    fputs("}),\n", file);
    write_ports(r, file);
    fputs("    .ways({32'(miss_vld_bits_i[2]), 32'(miss_vld_bits_i[1]),\n"
          "        32'(miss_vld_bits_i[0])}),\n",
          file);
    fputs("    .counter({generic_counter_q[6], generic_counter_q[5], generic_counter_q[4],\n"
          "        generic_counter_q[3], generic_counter_q[2], generic_counter_q[1]}),\n"
          "    .selector({mhpmevent_q[6], mhpmevent_q[5], mhpmevent_q[4], mhpmevent_q[3],\n"
          "        mhpmevent_q[2], mhpmevent_q[1]})\n"
          ");\n",
          file);
    emit_dpi_csr(r, file);
}
