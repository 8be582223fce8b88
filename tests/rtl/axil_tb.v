// SPDX-License-Identifier: MIT
//
// Test bench of rtl/pcounter_axil.v: a manager whose five channels wait at random, independently
// of each other, for as long as it likes. It writes and reads registers that keep what is written,
// and addresses that are not words, outside, or no registers, with all byte enables, some and none.
//
// What must hold: a channel's payload stands still until it is taken; each write has one response
// and each read one, in order, with the right code; a read sees what was written, before or after a
// write that is in flight; the unit has exactly the accesses that are OKAY and not empty. Ends with
// "axil: ... OK" or "axil: ... WRONG".
`default_nettype none

module axil_tb;
parameter integer SEED = 1;
parameter integer COUNT = 3000; // writes, and as many reads

reg aclk = 0, aresetn = 0;
always #5 aclk = !aclk;

reg [31:0] awaddr = 0, wdata = 0, araddr = 0;
reg [3:0] wstrb = 0;
reg awvalid = 0, wvalid = 0, bready = 0, arvalid = 0, rready = 0;
wire awready, wready, bvalid, arready, rvalid;
wire [1:0] bresp, rresp;
wire [31:0] rdata;

pcounter_axil #(.LAYOUT("G84"), .DOMAINS(2), .SIGNALS(64)) dut (
    .aclk(aclk), .aresetn(aresetn),
    .s_axil_awaddr(awaddr), .s_axil_awprot(3'b0), .s_axil_awvalid(awvalid),
    .s_axil_awready(awready),
    .s_axil_wdata(wdata), .s_axil_wstrb(wstrb), .s_axil_wvalid(wvalid), .s_axil_wready(wready),
    .s_axil_bresp(bresp), .s_axil_bvalid(bvalid), .s_axil_bready(bready),
    .s_axil_araddr(araddr), .s_axil_arprot(3'b0), .s_axil_arvalid(arvalid),
    .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp(rresp), .s_axil_rvalid(rvalid), .s_axil_rready(rready),
    .tick(2'b11), .signals(128'b0), .pm_trigger(2'b0), .wrcache_flush(2'b0)
);

integer wrong = 0, seed = SEED;
task complain(input [8*40-1:0] what, input [31:0] got, input [31:0] wanted);
    begin
        wrong = wrong + 1;
        $display("axil: %0t: %0s: %h, not %h", $time, what, got, wanted);
    end
endtask

// An address for number n of 16: eight registers of two domains, then what is none
function [31:0] address(input [3:0] n);
    case (n)
    0: address = 32'h400;       // PRE_SRC[0] and [1], START_SRC, EVENT_SRC
    1: address = 32'h404;
    2: address = 32'h440;
    3: address = 32'h444;
    4: address = 32'h480;
    5: address = 32'h484;
    6: address = 32'h780;       // THRESHOLD
    7: address = 32'h784;
    8: address = 32'h401;       // not of a word
    9: address = 32'h782;
    10: address = 32'h1400;     // outside
    11: address = 32'h80000400;
    12: address = 32'hffc;      // no register
    13: address = 32'h40c;      // of a domain that is not there
    default: address = 32'h400 + 4 * n[0];
    endcase
endfunction
function [1:0] code(input [31:0] a, input [3:0] strobe);
    code = a[31:12] != 0 ? 2'b11 : strobe == 0 ? 2'b00 :
           a[1:0] != 0 || strobe != 4'hf ? 2'b10 : 2'b00;
endfunction
function keeps(input [31:0] a);
    keeps = a == 32'h400 || a == 32'h404 || a == 32'h440 || a == 32'h444 || a == 32'h480 ||
            a == 32'h484 || a == 32'h780 || a == 32'h784;
endfunction

// What is in flight: queues, written at the tail and read at the head
reg [31:0] q_aw [0:15], q_w [0:15], q_ar [0:15];
reg [3:0] q_strobe [0:15];
reg [31:0] q_expect_low [0:15]; // of reads: how many writes had been answered when they began
integer aw_tail = 0, w_tail = 0, b_head = 0, ar_tail = 0, r_head = 0;

// All writes in order, and where each stores its value; ffffffff: nowhere
reg [31:0] history [0:COUNT-1];
reg [31:0] history_at [0:COUNT-1];
integer good_writes = 0, good_reads = 0, unit_writes = 0, unit_reads = 0;

// A value that register `a` may have for a read that began after `low` writes were answered: that
// of its last write before, or of any that was begun since.
function allowed(input [31:0] a, input [31:0] value, input integer low, input integer high);
    integer k;
    reg found;
    begin
        allowed = 0;
        found = 0;
        for (k = high - 1; k >= 0 && !found; k = k - 1)
            if (history_at[k] == a) begin
                if (history[k] == value)
                    allowed = 1;
                if (k < low)
                    found = 1;
            end
        if (!found && value == 0)
            allowed = 1;
    end
endfunction

// ---- what the unit sees ----
always @(posedge aclk)
    if (aresetn) begin
        if (dut.unit.do_write)
            unit_writes = unit_writes + 1;
        if (dut.unit.do_read)
            unit_reads = unit_reads + 1;
        if (dut.unit.write && dut.unit.read)
            complain("a read and a write at once", 1, 0);
    end

// ---- a response stands until it is taken ----
reg b_waits = 0, r_waits = 0;
reg [1:0] b_was, r_was;
reg [31:0] rdata_was;
always @(posedge aclk) begin
    if (aresetn && b_waits && (!bvalid || bresp != b_was))
        complain("BVALID or BRESP moved", {bvalid, bresp}, {1'b1, b_was});
    if (aresetn && r_waits && (!rvalid || rresp != r_was || rdata != rdata_was))
        complain("RVALID, RRESP or RDATA moved", rdata, rdata_was);
    b_waits <= aresetn && bvalid && !bready;
    r_waits <= aresetn && rvalid && !rready;
    b_was <= bresp;
    r_was <= rresp;
    rdata_was <= rdata;
end

function dice(input integer n);
    dice = $unsigned($random(seed)) % n == 0;
endfunction

// How eager each channel is, which changes now and then: from each clock to one in 32
integer eager_aw = 1, eager_w = 1, eager_b = 1, eager_ar = 1, eager_r = 1;
integer issued_w = 0, issued_d = 0, issued_r = 0;
integer reads_beside = 0, writes_beside = 0;

reg [31:0] next_address, next_data;
reg [3:0] next_strobe;
always @(posedge aclk)
    if (aresetn) begin
        if (dice(200)) begin
            eager_aw = 1 << ($unsigned($random(seed)) % 5);
            eager_w = 1 << ($unsigned($random(seed)) % 5);
            eager_b = 1 << ($unsigned($random(seed)) % 6);
            eager_ar = 1 << ($unsigned($random(seed)) % 5);
            eager_r = 1 << ($unsigned($random(seed)) % 6);
        end
        // write addresses: at most eight ahead of responses
        if (awvalid && awready)
            awvalid <= 0;
        if ((!awvalid || awready) && issued_w < COUNT && issued_w - b_head < 8 &&
            dice(eager_aw)) begin
            next_address = address($random(seed));
            q_aw[issued_w % 16] = next_address;
            awaddr <= next_address;
            awvalid <= 1;
            issued_w = issued_w + 1;
        end
        if (wvalid && wready)
            wvalid <= 0;
        if ((!wvalid || wready) && issued_d < COUNT && issued_d - b_head < 8 && dice(eager_w)) begin
            next_data = $random(seed);
            next_strobe = dice(8) ? $random(seed) : dice(12) ? 4'h0 : 4'hf;
            q_w[issued_d % 16] = next_data;
            q_strobe[issued_d % 16] = next_strobe;
            wdata <= next_data;
            wstrb <= next_strobe;
            wvalid <= 1;
            issued_d = issued_d + 1;
        end
        if (arvalid && arready)
            arvalid <= 0;
        if ((!arvalid || arready) && issued_r < COUNT && issued_r - r_head < 8 &&
            dice(eager_ar)) begin
            next_address = address($random(seed));
            q_ar[issued_r % 16] = next_address;
            q_expect_low[issued_r % 16] = b_head;
            araddr <= next_address;
            arvalid <= 1;
            issued_r = issued_r + 1;
        end
        // writes of which both halves are known go into the history
        while (aw_tail < issued_w && aw_tail < issued_d) begin
            history[aw_tail] = q_w[aw_tail % 16];
            history_at[aw_tail] = keeps(q_aw[aw_tail % 16]) && q_strobe[aw_tail % 16] == 4'hf ?
                                  q_aw[aw_tail % 16] : 32'hffffffff;
            aw_tail = aw_tail + 1;
        end
        if (bvalid && bready) begin
            if (b_head >= aw_tail)
                complain("a response without a write", b_head, aw_tail);
            if (bresp != code(q_aw[b_head % 16], q_strobe[b_head % 16]))
                complain("BRESP", bresp, code(q_aw[b_head % 16], q_strobe[b_head % 16]));
            if (bresp == 0 && q_strobe[b_head % 16] != 0)
                good_writes = good_writes + 1;
            b_head = b_head + 1;
        end
        if (rvalid && rready) begin
            if (r_head >= issued_r)
                complain("data without a read", r_head, issued_r);
            if (rresp != code(q_ar[r_head % 16], 4'hf))
                complain("RRESP", rresp, code(q_ar[r_head % 16], 4'hf));
            if (rresp == 0)
                good_reads = good_reads + 1;
            if (!keeps(q_ar[r_head % 16])) begin
                if (rdata != 0)
                    complain("no register reads", rdata, 0);
            end else if (!allowed(q_ar[r_head % 16], rdata, q_expect_low[r_head % 16], aw_tail))
                complain("a register reads", rdata, q_ar[r_head % 16]);
            r_head = r_head + 1;
        end
        bready <= dice(eager_b);
        rready <= dice(eager_r);
        // Reads must go on while a write's response is not taken, and the other way round.
        if (b_waits && dut.unit.do_read)
            reads_beside = reads_beside + 1;
        if (r_waits && dut.unit.do_write)
            writes_beside = writes_beside + 1;
    end

initial begin
    repeat (4) @(posedge aclk);
    if (bvalid || rvalid)
        complain("a response in reset", {bvalid, rvalid}, 0);
    aresetn <= 1;
    wait (b_head == COUNT && r_head == COUNT);
    repeat (4) @(posedge aclk);
    if (bvalid || rvalid)
        complain("a response too many", {bvalid, rvalid}, 0);
    if (unit_writes != good_writes)
        complain("writes of the unit", unit_writes, good_writes);
    if (unit_reads != good_reads)
        complain("reads of the unit", unit_reads, good_reads);
    if (reads_beside == 0 || writes_beside == 0)
        complain("reads, writes beside a response that waits", reads_beside, writes_beside);
    $display("axil: %0d writes, %0d reads, %0d and %0d OKAY, %0d beside a response that waits: %0s",
             COUNT, COUNT, good_writes, good_reads, reads_beside + writes_beside,
             wrong == 0 ? "OK" : "WRONG");
    $finish;
end

integer still = 0, done_before = 0;
always @(posedge aclk) begin
    still = b_head + r_head == done_before ? still + 1 : 0;
    done_before = b_head + r_head;
    if (still > 3000) begin
        $display("axil: it hangs: %0d of %0d writes, %0d of %0d reads: WRONG",
                 b_head, issued_w, r_head, issued_r);
        $finish;
    end
end

endmodule
`default_nettype wire
