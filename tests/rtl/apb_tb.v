// SPDX-License-Identifier: MIT
//
// Test bench of rtl/pcounter_apb.v: a requester that idles between transfers or not, turns its
// signals over while it selects none, and now and then gives up after the setup phase, as no
// requester should.
//
// What must hold: a transfer has one wait state and acts exactly once; PSLVERR where the address is
// not that of a word, outside, or a write has some byte enables but not all; a read is what was
// written last. Ends with "apb: ... OK" or "apb: ... WRONG".
`default_nettype none

module apb_tb;
parameter integer SEED = 1;
parameter integer COUNT = 5000;

reg pclk = 0, presetn = 0;
always #5 pclk = !pclk;

reg [31:0] paddr = 0, pwdata = 0;
reg [3:0] pstrb = 0;
reg psel = 0, penable = 0, pwrite = 0;
wire pready, pslverr;
wire [31:0] prdata;

pcounter_apb #(.LAYOUT("GF100"), .DOMAINS(2), .SIGNALS(96)) dut (
    .pclk(pclk), .presetn(presetn), .paddr(paddr), .pprot(3'b0), .psel(psel), .penable(penable),
    .pwrite(pwrite), .pwdata(pwdata), .pstrb(pstrb), .pready(pready), .prdata(prdata),
    .pslverr(pslverr), .tick(2'b11), .signals(192'b0), .pm_trigger(2'b0), .wrcache_flush(2'b0)
);

integer wrong = 0, seed = SEED, transfers = 0, refused = 0, given_up = 0;
integer unit_writes = 0, unit_reads = 0, good_writes = 0, good_reads = 0;
task complain(input [8*40-1:0] what, input [31:0] got, input [31:0] wanted);
    begin
        wrong = wrong + 1;
        $display("apb: %0t: %0s: %h, not %h", $time, what, got, wanted);
    end
endtask

always @(posedge pclk)
    if (presetn) begin
        if (dut.unit.do_write)
            unit_writes = unit_writes + 1;
        if (dut.unit.do_read)
            unit_reads = unit_reads + 1;
        if ((dut.unit.do_write || dut.unit.do_read) && !(psel && penable))
            complain("an access outside of an access phase", 1, 0);
    end

function dice(input integer n);
    dice = $unsigned($random(seed)) % n == 0;
endfunction

// Registers that keep all bits: FILTER and the four sources, of two domains
reg [31:0] stored [0:9];
function [31:0] address(input integer n);
    address = (n % 5 == 4 ? 32'h100 : 32'h40 + 8 * (n % 5)) + (n >= 5 ? 32'h200 : 0);
endfunction

task transfer(input [31:0] a, input write, input [31:0] data, input [3:0] strobe, input integer n);
    reg bad;
    integer waits;
    begin
        psel <= 1;
        penable <= 0;
        paddr <= a;
        pwrite <= write;
        pwdata <= data;
        pstrb <= strobe;
        @(posedge pclk);
        penable <= 1;
        waits = 0;
        @(posedge pclk);
        while (!pready) begin
            waits = waits + 1;
            if (waits > 10) begin
                $display("apb: it hangs: WRONG");
                $finish;
            end
            @(posedge pclk);
        end
        if (waits != 1)
            complain("wait states", waits, 1);
        bad = a[31:16] != 0 || (!(write && strobe == 0) && a[1:0] != 0) ||
              (write && strobe != 0 && strobe != 4'hf);
        if (pslverr != bad)
            complain("PSLVERR", pslverr, bad);
        transfers = transfers + 1;
        refused = refused + bad;
        if (write && !bad && strobe != 0) begin
            good_writes = good_writes + 1;
            if (n >= 0)
                stored[n] = data;
        end
        if (!write) begin
            good_reads = good_reads + !bad;
            if (prdata != (n >= 0 && !bad ? stored[n] : 0))
                complain("PRDATA", prdata, n >= 0 && !bad ? stored[n] : 0);
        end
        psel <= 0;
        penable <= 0;
        // what is on the wires in between has no meaning
        paddr <= $random(seed);
        pwrite <= $random(seed);
        pwdata <= $random(seed);
        pstrb <= $random(seed);
    end
endtask

integer i, n;
reg [31:0] a;
initial begin
    for (i = 0; i < 10; i = i + 1)
        stored[i] = 0;
    repeat (4) @(posedge pclk);
    presetn <= 1;
    for (i = 0; i < COUNT; i = i + 1) begin
        n = $unsigned($random(seed)) % 14;
        case (n)
        10: a = 32'h10040;                   // outside
        11: a = 32'h80000040;
        12: a = 32'h40 + 1 + $unsigned($random(seed)) % 3; // not of a word
        13: a = 32'h4000;                    // no register
        default: a = address(n);
        endcase
        if (dice(20)) begin                  // gives up
            psel <= 1;
            paddr <= a;
            pwrite <= 1;
            pwdata <= $random(seed);
            pstrb <= 4'hf;
            @(posedge pclk);
            psel <= 0;
            given_up = given_up + 1;
            @(posedge pclk);
        end
        transfer(a, dice(2), $random(seed),
                 dice(8) ? $random(seed) : dice(12) ? 4'h0 : 4'hf, n < 10 ? n : -1);
        if (dice(3))
            repeat (1 + $unsigned($random(seed)) % 5) @(posedge pclk);
    end
    repeat (4) @(posedge pclk);
    if (unit_writes != good_writes)
        complain("writes of the unit", unit_writes, good_writes);
    if (unit_reads != good_reads)
        complain("reads of the unit", unit_reads, good_reads);
    $display("apb: %0d transfers, %0d refused, %0d given up: %0s", transfers, refused, given_up,
             wrong == 0 ? "OK" : "WRONG");
    $finish;
end

endmodule
`default_nettype wire
