// SPDX-License-Identifier: MIT
`timescale 1ns/1ns
// A block with two counters, as many cores have them: a selector each, inhibit bits, clear on read.
// Compiled with -DBUG it forgets the inhibit bit of counter 1.
module hits(input clk, rst_n, input [3:0] ev, input we, re, input [3:0] addr, input [7:0] wdata,
            output [7:0] rdata);
    reg [7:0] cnt0, cnt1;
    reg [1:0] sel0, sel1, inhibit;
    assign rdata = addr == 0 ? cnt0 : addr == 1 ? cnt1 : 8'd0;
`ifdef BUG
    wire on1 = 1;
`else
    wire on1 = !inhibit[1];
`endif
    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            cnt0 <= 0; cnt1 <= 0; sel0 <= 0; sel1 <= 1; inhibit <= 0;
        end else begin
            if (we && addr == 0) cnt0 <= wdata;
            else if (re && addr == 0) cnt0 <= ev[sel0] & !inhibit[0]; // the event of this clock is kept
            else if (ev[sel0] & !inhibit[0] & cnt0 != 8'hff) cnt0 <= cnt0 + 1;
            if (we && addr == 1) cnt1 <= wdata;
            else if (re && addr == 1) cnt1 <= ev[sel1] & on1;
            else if (ev[sel1] & on1 & cnt1 != 8'hff) cnt1 <= cnt1 + 1;
            if (we && addr == 4) sel0 <= wdata;
            if (we && addr == 5) sel1 <= wdata;
            if (we && addr == 8) inhibit <= wdata;
        end
endmodule

module tb;
    reg clk = 0, rst_n = 0, we = 0, re = 0;
    reg [3:0] ev = 0, addr = 0;
    reg [7:0] wdata = 0;
    wire [7:0] rdata;
    integer seed = 7, r;
    hits dut(clk, rst_n, ev, we, re, addr, wdata, rdata);
    always #5 clk = !clk;
    always @(posedge clk) begin
        r = $random(seed);
        ev <= r;
        we <= rst_n & r[8:6] == 0;
        re <= rst_n & r[8:6] == 1;
        addr <= r[11] ? {3'd0, r[10]} : r[12] ? {3'd2, r[10]} : 4'd8;
        wdata <= r[20] ? 8'hfd : r[27:20];
    end
    initial begin
        $dumpfile("hits.vcd");
        $dumpvars(0, dut);
        #32 rst_n = 1;
        #2000 $finish;
    end
endmodule
