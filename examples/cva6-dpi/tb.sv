// SPDX-License-Identifier: MIT
// Random wires and writes for 20,000 clocks, with two resets; clock 777 is the first one in
// debug mode, and has an event that counter 3 selects.
module tb
    import ariane_pkg::*;
(
    input logic clk
);
    localparam int FirstDebug = 777;
    localparam int Clocks = 20000;

    int unsigned  clock_number = 0;  // rising edges since reset, as the checker counts them
    int unsigned  edges = 0;
    logic         rst_n = 0;
    logic [127:0] noise = 128'h0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978;

    // Three steps of xorshift on each half: plenty for wires.
    function automatic logic [63:0] stir(input logic [63:0] x);
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        return x;
    endfunction

    logic [63:0]             a, b;
    logic                    debug, write, random_write;
    logic [11:0]             address;
    logic [63:0]             wdata, rdata;
    scoreboard_entry_t [1:0] instruction;
    logic [1:0]              ack;
    logic [31:0]             inhibit;

    assign {a, b} = noise;

    function automatic scoreboard_entry_t draw(input logic [15:0] r);
        scoreboard_entry_t e;
        e.fu = fu_t'(r[3:0] < 12 ? r[3:0] : r[3:0] - 4'd8);
        e.op = fu_op'(r[5:4] < 3 ? r[5:4] : 2'd0);
        e.rd = r[6] ? {3'b0, r[9:7]} : r[14:9];
        return e;
    endfunction

    assign instruction[0] = draw(a[15:0]);
    assign instruction[1] = draw(a[31:16]);
    assign ack = a[33:32];
    // Every clock a read of some address; one in eight clocks writes, but for clock 777.
    always_comb begin
        case (a[36:34])
            0, 1:    address = 12'hb00 + 12'(a[40:37]);
            2, 3, 4: address = 12'h320 + 12'(a[40:37]);
            5:       address = 12'hc00 + 12'(a[40:37]);
            6:       address = 12'hb80 + 12'(a[40:37]);
            default: address = a[52:41];
        endcase
    end
    assign random_write = a[55:53] == 0 && clock_number != FirstDebug;
    assign debug = clock_number == FirstDebug || (clock_number > FirstDebug && a[60:58] == 0);
    assign inhibit = clock_number < FirstDebug + 2 ? '0 : (b[63] ? b[62:31] : '0);

    // Clock 776 selects event 15, so that 777 has something to count.
    assign write = random_write || clock_number == FirstDebug - 1;

    perf_counters dut (
        .clk_i(clk), .rst_ni(rst_n), .debug_mode_i(debug),
        .addr_i(clock_number == FirstDebug - 1 ? 12'h323 : address), .we_i(write),
        .data_i(clock_number == FirstDebug - 1 ? 64'd15 : wdata), .data_o(rdata),
        .commit_instr_i(instruction), .commit_ack_i(ack),
        .l1_icache_miss_i(b[0]), .l1_dcache_miss_i(b[1]), .itlb_miss_i(b[2]),
        .dtlb_miss_i(b[3]), .sb_full_i(b[4]),
        .if_empty_i(b[5] || clock_number == FirstDebug), .ex_i(b[6]), .eret_i(b[7]),
        .resolved_branch_i(b[9:8]), .branch_exceptions_i(b[10]),
        .l1_icache_access_i(b[11]), .l1_dcache_access_i(b[14:12] & b[17:15]),
        .miss_vld_bits_i({b[18] ? 8'hff : b[26:19], 8'(b >> 27), 8'(b >> 35)}),
        .i_tlb_flush_i(b[43]), .stall_issue_i(b[44]), .mcountinhibit_i(inhibit)
    );
    // Values near the carry of both halves are worth a visit.
    assign wdata = b[45] ? {b[63:46], 14'h3fff, {32{b[46]}}} : {a[31:0], b[31:0]};

    always @(posedge clk) begin
        noise <= {stir(a), stir(b)};
        edges <= edges + 1;
        rst_n <= !(edges < 3 || edges == Clocks / 2);
        clock_number <= rst_n ? clock_number + 1 : 0;
        if (edges == Clocks) begin
            $display("%0d clocks, no difference", edges);
            $finish;
        end
    end
endmodule
