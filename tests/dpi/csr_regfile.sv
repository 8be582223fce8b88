// SPDX-License-Identifier: MIT
// The counter half of a csr_regfile for cv64a6_imafdc_sv39, written from the rules, and a bench of
// random accesses.  PCOUNTER_BUG: in U mode mcounteren alone decides.
package ariane_pkg;
    typedef enum logic [7:0] {ADD = 0, CSR_WRITE = 33, CSR_READ, CSR_SET, CSR_CLEAR} fu_op;
    typedef struct packed {logic [63:0] cause; logic valid;} exception_t;
endpackage

module csr_regfile
    import ariane_pkg::*;
(
    input logic clk_i, rst_ni,
    input fu_op csr_op_i,
    input logic [11:0] csr_addr_i,
    input logic [63:0] csr_wdata_i,
    input logic [1:0] privilege, commit_ack_i,
    input logic debug,
    output logic [63:0] csr_rdata_o,
    output exception_t csr_exception_o,
    input exception_t ex_i
);
    logic [63:0] cycle_q, instret_q, mcounteren_q, scounteren_q;
    logic [8:0]  mcountinhibit_q;
    logic [1:0]  priv_lvl_q;
    logic        debug_mode_q, access, write, shadow, exists, allowed, m, s;
    logic [63:0] next;

    assign priv_lvl_q = privilege;
    assign debug_mode_q = debug;
    assign access = csr_op_i >= CSR_WRITE && csr_op_i <= CSR_CLEAR;
    assign shadow = csr_addr_i == 12'hc00 || csr_addr_i == 12'hc02;
    assign exists = csr_addr_i inside {12'hb00, 12'hb02, 12'hc00, 12'hc02, 12'h320, 12'h306, 12'h106};
    assign m = mcounteren_q[csr_addr_i[4:0]];
    assign s = scounteren_q[csr_addr_i[4:0]];
    always_comb begin
        allowed = exists && (debug || privilege >= csr_addr_i[9:8]);
        if (shadow) begin
            allowed = csr_op_i == CSR_READ;
            if (!debug && privilege == 1) allowed = allowed && m;
`ifdef PCOUNTER_BUG
            if (!debug && privilege == 0) allowed = allowed && m;
`else
            if (!debug && privilege == 0) allowed = allowed && m && s;
`endif
        end
        case (csr_addr_i)
            12'hb00, 12'hc00: csr_rdata_o = cycle_q;
            12'hb02, 12'hc02: csr_rdata_o = instret_q;
            12'h320: csr_rdata_o = 64'(mcountinhibit_q);
            12'h306: csr_rdata_o = mcounteren_q;
            12'h106: csr_rdata_o = scounteren_q;
            default: csr_rdata_o = 0;
        endcase
        next = csr_op_i == CSR_SET ? csr_rdata_o | csr_wdata_i :
            csr_op_i == CSR_CLEAR ? csr_rdata_o & ~csr_wdata_i : csr_wdata_i;
    end
    assign write = access && allowed && csr_op_i != CSR_READ;
    assign csr_exception_o = '{cause: 2, valid: access && !allowed};

    always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
            {cycle_q, instret_q, mcounteren_q, scounteren_q, mcountinhibit_q} <= '0;
        end else begin
            if (!debug && !mcountinhibit_q[0]) cycle_q <= cycle_q + 1;
            if (!debug && !mcountinhibit_q[2] && !ex_i.valid)
                instret_q <= instret_q + 64'(commit_ack_i[0]) + 64'(commit_ack_i[1]);
            if (write) case (csr_addr_i)
                12'hb00: cycle_q <= next;
                12'hb02: instret_q <= next;
                12'h320: mcountinhibit_q <= next[8:0] & 9'h1fd;
                12'h306: mcounteren_q <= 64'(next[31:0]);
                12'h106: scounteren_q <= 64'(next[31:0]);
                default: ;
            endcase
        end
    end
endmodule

// perf_counters is bound as well, so it has to be there.
module tb
    import ariane_pkg::*;
(
    input logic clk
);
    int unsigned clock_number = 0;
    logic        rst_n = 0;
    logic [63:0] noise = 64'h0123_4567_89ab_cdef;
    logic [11:0] address;
    fu_op        op;
    exception_t  trap, taken;
    logic [63:0] rdata;
    logic [1:0]  privilege, ack;
    logic        access;

    always_comb begin
        case (noise[3:0])
            0, 1:    address = 12'hb00;
            2, 3:    address = 12'hb02;
            4, 5, 6: address = 12'hc00;
            7, 8:    address = 12'hc02;
            9, 10:   address = 12'h306;
            11, 12:  address = 12'h106;
            13:      address = 12'h320;
            default: address = 12'hc01;
        endcase
        access = noise[5:4] != 0;
        op = !access ? ADD : noise[9:8] == 0 ? CSR_WRITE : noise[9:8] == 1 ? CSR_SET :
            noise[9:8] == 2 ? CSR_CLEAR : CSR_READ;
        privilege = noise[11:10] == 0 ? 2'd0 : noise[11:10] == 1 ? 2'd1 : 2'd3;
        taken.cause = 0;
        taken.valid = trap.valid || (!access && noise[14:12] == 0);
        ack[0] = access ? !trap.valid : noise[15];
        ack[1] = !access && noise[16];
    end

    csr_regfile dut (
        .clk_i(clk), .rst_ni(rst_n), .csr_op_i(op), .csr_addr_i(address),
        .csr_wdata_i({noise[31:0], noise[63:32]}), .privilege, .commit_ack_i(ack),
        .debug(noise[20:17] == 0), .csr_rdata_o(rdata), .csr_exception_o(trap), .ex_i(taken)
    );

    always @(posedge clk) begin
        logic [63:0] x;
        x = noise;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        noise <= x;
        rst_n <= clock_number > 3;
        clock_number <= clock_number + 1;
        if (clock_number == 20000) begin
            $display("20000 clocks, no difference");
            $finish;
        end
    end
endmodule
