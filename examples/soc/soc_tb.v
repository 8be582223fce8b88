// SPDX-License-Identifier: MIT
// Runs the system for 100,000 cycles out of reset, writes the waveform and prints
// what the system counted, one `name value` a line.
//   vvp soc.vvp +vcd=FILE
//   vvp soc.vvp +nodump      no waveform
`timescale 1ns / 1ns
module soc_tb;
    // 50 MHz and 33.3 MHz: three cycles of clk in two of mem_clk, every second rising
    // edge of mem_clk coincident with one of clk.
    reg clk = 1'b0;
    reg mem_clk = 1'b0;
    always #10 clk = !clk;
    initial #40 forever begin
        mem_clk = 1'b1;
        #10 mem_clk = 1'b0;
        #20 ;
    end

    wire rst_n, mem_rst_n;
    reset_release main_reset (.clk(clk),     .go(1'b1),  .rst_n(rst_n));
    reset_release mem_reset  (.clk(mem_clk), .go(rst_n), .rst_n(mem_rst_n));

    soc dut (.clk(clk), .rst_n(rst_n), .mem_clk(mem_clk), .mem_rst_n(mem_rst_n));

    initial if (!$test$plusargs("nodump")) begin : dump
        reg [8*256-1:0] path;
        if (!$value$plusargs("vcd=%s", path)) path = "soc.vcd";
        $dumpfile(path);
        $dumpvars(1, soc_tb);
        $dumpvars(1, dut.video, dut.dma, dut.net, dut.crypto);
        $dumpvars(1, dut.arbiter, dut.mux.words, dut.queue, dut.cache, dut.memory);
    end

    initial begin
        wait (dut.counters.cycles.value == 32'd100000);
        #5;                        // no edge of any clock is here
        $display("cycles %0d",            dut.counters.cycles.value);
        $display("requests %0d",          dut.counters.requests.value);
        $display("words %0d",             dut.counters.words_asked.value);
        $display("dma_bursts %0d",        dut.counters.dma_bursts.value);
        $display("dma_waits %0d",         dut.counters.dma_waits.value);
        $display("contention_cycles %0d", dut.counters.contention_cycles.value);
        $display("fifo_full_cycles %0d",  dut.counters.fifo_full_cycles.value);
        $display("fifo_high_cycles %0d",  dut.counters.fifo_high_cycles.value);
        $display("hits %0d",              dut.counters.hits.value);
        $display("repeated_hits %0d",     dut.counters.repeated_hits.value);
        $display("misses %0d",            dut.counters.misses.value);
        $display("evictions %0d",         dut.counters.evictions.value);
        $display("refills %0d",           dut.counters.refills.value);
        $display("stall_cycles %0d",      dut.counters.stall_cycles.value);
        $display("blocked_cycles %0d",    dut.counters.blocked_cycles.value);
        $display("responses %0d",         dut.counters.responses.value);
        $display("mem_cycles %0d",        dut.counters.mem_cycles.value);
        $display("mem_reads %0d",         dut.counters.mem_reads.value);
        $display("mem_writes %0d",        dut.counters.mem_writes.value);
        $display("row_hits %0d",          dut.counters.row_hits.value);
        $display("row_misses %0d",        dut.counters.row_misses.value);
        $display("mem_busy_cycles %0d",   dut.counters.mem_busy_cycles.value);
        $display("refreshes %0d",         dut.counters.refreshes.value);
        $finish;
    end
endmodule
