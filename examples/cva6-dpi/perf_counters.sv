// SPDX-License-Identifier: MIT
// Six event counters with their selectors, as CVA6's user manual describes them: the ports
// and registers have the names that they have in CVA6, so that the checker which
// `pcounter emit dpi-bind --core cv64a6_imafdc_sv39` writes binds to this module too.
// XLEN 64, two commit ports, a write-through D-cache of 8 ways.
//
// With PCOUNTER_BUG defined the counters do not stop in debug mode.
module perf_counters
    import ariane_pkg::*;
(
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    debug_mode_i,
    input  logic [11:0]             addr_i,
    input  logic                    we_i,
    input  logic [63:0]             data_i,
    output logic [63:0]             data_o,
    input  scoreboard_entry_t [1:0] commit_instr_i,
    input  logic [1:0]              commit_ack_i,
    input  logic                    l1_icache_miss_i,
    input  logic                    l1_dcache_miss_i,
    input  logic                    itlb_miss_i,
    input  logic                    dtlb_miss_i,
    input  logic                    sb_full_i,
    input  logic                    if_empty_i,
    input  exception_t              ex_i,
    input  logic                    eret_i,
    input  bp_resolve_t             resolved_branch_i,
    input  exception_t              branch_exceptions_i,
    input  icache_dreq_t            l1_icache_access_i,
    input  dcache_req_i_t [2:0]     l1_dcache_access_i,
    input  logic [2:0][7:0]         miss_vld_bits_i,
    input  logic                    i_tlb_flush_i,
    input  logic                    stall_issue_i,
    input  logic [31:0]             mcountinhibit_i
);
    logic [63:0] generic_counter_q[6:1];
    logic [4:0]  mhpmevent_q[6:1];

    // line[e]: event e happens in this clock; 0 and 23 to 31 never do.
    logic [31:0] line;
    logic        full;

    assign full = &miss_vld_bits_i[0] | &miss_vld_bits_i[1] | &miss_vld_bits_i[2];

    always_comb begin
        line     = '0;
        line[1]  = l1_icache_miss_i;
        line[2]  = l1_dcache_miss_i;
        line[3]  = itlb_miss_i;
        line[4]  = dtlb_miss_i;
        line[7]  = ex_i.valid;
        line[8]  = eret_i;
        line[10] = resolved_branch_i.valid & resolved_branch_i.is_mispredict;
        line[11] = branch_exceptions_i.valid;
        line[14] = sb_full_i;
        line[15] = if_empty_i;
        line[16] = l1_icache_access_i.req;
        line[17] = |l1_dcache_access_i;
        line[18] = l1_dcache_miss_i & full;
        line[19] = i_tlb_flush_i;
        line[22] = stall_issue_i;
        for (int p = 0; p < 2; p++) begin
            if (commit_ack_i[p]) begin
                unique case (commit_instr_i[p].fu)
                    LOAD:         line[5]  = 1'b1;
                    STORE:        line[6]  = 1'b1;
                    ALU, MULT:    line[20] = 1'b1;
                    FPU, FPU_VEC: line[21] = 1'b1;
                    CTRL_FLOW: begin
                        line[9] = 1'b1;
                        if (commit_instr_i[p].op != OTHER_OP &&
                            (commit_instr_i[p].rd == 1 || commit_instr_i[p].rd == 5))
                            line[12] = 1'b1;
                    end
                    default: ;
                endcase
                if (commit_instr_i[p].op == JALR && commit_instr_i[p].rd == 0) line[13] = 1'b1;
            end
        end
    end

    // Which of the six an address means, and as what.
    logic [2:0] number;
    logic       is_counter, is_shadow, is_selector, exists;

    assign number      = 3'(addr_i[4:0] - 5'd2);
    assign exists      = addr_i[4:0] >= 3 && addr_i[4:0] <= 8;
    assign is_counter  = exists && addr_i[11:5] == 7'(12'hb00 >> 5);
    assign is_shadow   = exists && addr_i[11:5] == 7'(12'hc00 >> 5);
    assign is_selector = exists && addr_i[11:5] == 7'(12'h320 >> 5);

    always_comb begin
        data_o = '0;
        if (is_counter || is_shadow) data_o = generic_counter_q[number];
        else if (is_selector) data_o = 64'(mhpmevent_q[number]);
    end

    for (genvar i = 1; i <= 6; i++) begin : gen_counter
        logic stopped;
`ifdef PCOUNTER_BUG
        assign stopped = we_i | mcountinhibit_i[i+2];
`else
        assign stopped = we_i | mcountinhibit_i[i+2] | debug_mode_i;
`endif
        always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) begin
                generic_counter_q[i] <= '0;
                mhpmevent_q[i]       <= '0;
            end else begin
                if (we_i && is_counter && number == i) generic_counter_q[i] <= data_i;
                else if (line[mhpmevent_q[i]] && !stopped)
                    generic_counter_q[i] <= generic_counter_q[i] + 1;
                if (we_i && is_selector && number == i) mhpmevent_q[i] <= data_i[4:0];
            end
        end
    end
endmodule
