/* SPDX-License-Identifier: MIT */
/*
 * The second checker of pcounter emit dpi-bind, bound to CVA6's csr_regfile where PCOUNTER_CSR is
 * defined: mcycle, minstret, mcountinhibit, the enables, which accesses trap and what they read.
 */
#include "emit.h"

static void write_module(const struct emit_request *r, FILE *file)
{
    fprintf(file,
            "\n`ifdef PCOUNTER_CSR\n"
            "module pcounter_cva6_csr_check (\n"
            "    input logic clk, rst_n, exception, trap,\n"
            "    input logic [%d:0] ack,\n"
            "    input logic [3:0] mode, // debug, V, privilege\n"
            "    input logic [2:0] op,\n"
            "    input logic [11:0] address,\n"
            "    input logic [63:0] operand, rdata, cause,\n"
            "    input logic [63:0] mcycle, minstret, mcountinhibit, mcounteren, scounteren, "
            "hcounteren\n"
            ");\n",
            r->config->commit_ports - 1);
    fputs("    import \"DPI-C\" function chandle pcounter_dpi_open(input string core,\n"
          "        input string profile);\n"
          "    import \"DPI-C\" function void pcounter_dpi_close(input chandle check);\n"
          "    import \"DPI-C\" function void pcounter_dpi_reset(input chandle check);\n"
          "    import \"DPI-C\" function void pcounter_dpi_port(input chandle check,\n"
          "        input int unsigned number, input int unsigned bits);\n"
          "    import \"DPI-C\" function void pcounter_dpi_csr_register(input chandle check,\n"
          "        input int unsigned at, input longint unsigned value);\n"
          "    import \"DPI-C\" function int unsigned pcounter_dpi_csr_clock(input chandle check,\n"
          "        input int unsigned taken, input int unsigned who, input int unsigned what,\n"
          "        input int unsigned at, input longint unsigned value,\n"
          "        input longint unsigned answer, input longint unsigned refusal);\n"
          "    import \"DPI-C\" function string pcounter_dpi_text(input chandle check);\n\n",
          file);
}

static void write_clock(const struct emit_request *r, FILE *file)
{
    fprintf(file,
            "    chandle check;\n"
            "    initial begin\n"
            "        check = pcounter_dpi_open(\"%s\", \"%s\");\n"
            "        if (check == null) $fatal(1, \"pcounter: no model of this core\");\n"
            "    end\n"
            "    final pcounter_dpi_close(check);\n\n"
            "    always @(posedge clk or negedge rst_n) begin\n"
            "        if (rst_n !== 1'b1) begin\n"
            "            pcounter_dpi_reset(check);\n"
            "        end else begin\n"
            "            for (int i = 0; i < %d; i++) pcounter_dpi_port(check, i, 32'(ack[i]));\n"
            "            pcounter_dpi_csr_register(check, 32'hb00, mcycle);\n"
            "            pcounter_dpi_csr_register(check, 32'hb02, minstret);\n"
            "            pcounter_dpi_csr_register(check, 32'h320, mcountinhibit);\n"
            "            pcounter_dpi_csr_register(check, 32'h306, mcounteren);\n"
            "            pcounter_dpi_csr_register(check, 32'h106, scounteren);\n"
            "            pcounter_dpi_csr_register(check, 32'h606, hcounteren);\n",
            r->config->name, r->profile->name, r->config->commit_ports);
    fputs("            if (pcounter_dpi_csr_clock(check, 32'(exception), 32'(mode), 32'(op),\n"
          "                    32'(address), operand, rdata, trap ? cause : 64'd0) != 0) begin\n"
          "                $display(\"%s\\n    in %m\", pcounter_dpi_text(check));\n"
          "`ifndef PCOUNTER_KEEP_GOING\n"
          "                $fatal(1, \"pcounter: csr_regfile differs from the model\");\n"
          "`endif\n"
          "            end\n"
          "        end\n"
          "    end\n"
          "endmodule\n\n",
          file);
}

void emit_dpi_csr(const struct emit_request *r, FILE *file)
{
    const struct pc_hpm_config *c = r->config;

    write_module(r, file);
    write_clock(r, file);
    fprintf(file,
            "bind csr_regfile pcounter_cva6_csr_check pcounter_csr_check (\n"
            "    .clk(clk_i), .rst_n(rst_ni), .exception(ex_i.valid),\n"
            "    .trap(csr_exception_o.valid), .cause(64'(csr_exception_o.cause)),\n"
            "    .ack(commit_ack_i), .mode({%s, %s, %s}),\n"
            "    .op(csr_op_i == ariane_pkg::CSR_WRITE ? 3'd1 : csr_op_i == ariane_pkg::CSR_SET ? "
            "3'd2 :\n"
            "        csr_op_i == ariane_pkg::CSR_CLEAR ? 3'd3 : csr_op_i == ariane_pkg::CSR_READ ? "
            "3'd4 : 3'd0),\n"
            "    .address(csr_addr_i), .operand(64'(csr_wdata_i)), .rdata(64'(csr_rdata_o)),\n"
            "    .mcycle(cycle_q), .minstret(instret_q), .mcountinhibit(%s),\n"
            "    .mcounteren(%s), .scounteren(%s), .hcounteren(%s)\n"
            ");\n"
            "`endif\n",
            c->debug ? "debug_mode_q" : "1'b0", c->rvh ? "v_q" : "1'b0",
            c->rvu ? "2'(priv_lvl_q)" : "2'd3",
            c->perf_counter_en ? "64'(mcountinhibit_q)" : "64'd0",
            c->rvu ? "64'(mcounteren_q)" : "64'd0", c->rvs ? "64'(scounteren_q)" : "64'd0",
            c->rvh ? "64'(hcounteren_q)" : "64'd0");
}
