// SPDX-License-Identifier: MIT
// The system of examples/soc with PCOUNTER beside it: ../../rtl/pcounter_apb.v counts in three
// domains while the system runs, as a program says that comes from `pcounter compile`.
//   vvp beside.vvp +program=FILE +vcd=FILE [+cycles=N]
// Prints what the unit's registers read, and what the system itself has counted until then:
//   window PICOSECONDS
//   unit DOMAIN CYCLES PRE START EVENT STOP
//   soc NAME VALUE
`timescale 1ns / 1ps
module beside_tb;
    parameter [63:0] LAYOUT = "G80";   // or "GK104", with the domains of a GPC
    localparam KEPLER = LAYOUT == "GK104";

    // The unit's clock, 100 MHz; every second edge is one of clk, every third one of mem_clk.
    reg fast = 1'b0;
    always #5 fast = !fast;
    integer n = 0;
    reg clk = 1'b0, mem_clk = 1'b0, tick_clk = 1'b0, tick_mem = 1'b0;
    always @(posedge fast) begin
        clk = n % 2 == 0;
        mem_clk = n % 3 == 0;
        n = n + 1;
        tick_clk <= n % 2 == 0;        // the next edge of fast is one of clk
        tick_mem <= n % 3 == 0;
    end

    reg go = 1'b0;
    wire rst_n, mem_rst_n;
    reset_release main_reset (.clk(clk),     .go(go),    .rst_n(rst_n));
    reset_release mem_reset  (.clk(mem_clk), .go(rst_n), .rst_n(mem_rst_n));
    soc dut (.clk(clk), .rst_n(rst_n), .mem_clk(mem_clk), .mem_rst_n(mem_rst_n));

    // signals.csv says the same to `pcounter compile`
    wire [255:0] signals_0 = {251'b0, dut.refill_busy, dut.fifo_empty, dut.stall, dut.miss,
                              dut.hit};
    wire [255:0] signals_1 = {251'b0, dut.grant[1], dut.request[1], dut.evict, dut.fifo_full,
                              dut.fifo_push};
    wire [255:0] signals_2 = {252'b0, dut.refresh, dut.row_hit, dut.mem_write, dut.mem_read};

    reg presetn = 1'b0, psel = 1'b0, penable = 1'b0, pwrite = 1'b0, pm_trigger = 1'b0;
    reg [15:0] paddr = 16'd0;
    reg [31:0] pwdata = 32'd0;
    wire pready, pslverr;
    wire [31:0] prdata;
    pcounter_apb #(
        .LAYOUT(LAYOUT), .DOMAINS(3), .SIGNALS(256), .ADDR_WIDTH(16),
        .SIZES(KEPLER ? 128'h0080_0100_00e0 : 128'h0100_0100_0100),
        .BASES(KEPLER ? 128'h0040_00c0_00a0 : 128'h00e0_00e0_00e0)
    ) unit (
        .pclk(fast), .presetn(presetn),
        .paddr(paddr), .pprot(3'd0), .psel(psel), .penable(penable), .pwrite(pwrite),
        .pwdata(pwdata), .pstrb(4'hf), .pready(pready), .prdata(prdata), .pslverr(pslverr),
        .tick({tick_mem && mem_rst_n, tick_clk && rst_n, tick_clk && rst_n}),
        .signals({signals_2, signals_1, signals_0}),
        .pm_trigger({3{pm_trigger}}), .wrcache_flush(3'd0));

    // What a processor would do
    task transfer(input [15:0] address, input write, input [31:0] data);
        begin
            {psel, penable, pwrite, paddr, pwdata} <= {1'b1, 1'b0, write, address, data};
            @(posedge fast) penable <= 1'b1;
            @(posedge fast);
            while (!pready) @(posedge fast);
            {psel, penable} <= 2'd0;
            if (pslverr) begin
                $display("the unit refuses %h", address);
                $finish;
            end
        end
    endtask
    // CYCLES, PRE, START, EVENT, STOP of domain d
    function [15:0] counter(input integer d, input integer which);
        case (which)
            0:       counter = KEPLER ? 16'h070 + 16'h200 * d : 16'h600 + 4 * d;
            1:       counter = KEPLER ? 16'h08c + 16'h200 * d : 16'h700 + 4 * d;
            2:       counter = KEPLER ? 16'h088 + 16'h200 * d : 16'h6c0 + 4 * d;
            3:       counter = KEPLER ? 16'h080 + 16'h200 * d : 16'h680 + 4 * d;
            default: counter = KEPLER ? 16'h090 + 16'h200 * d : 16'h740 + 4 * d;
        endcase
    endfunction
    task report(input integer d);
        integer which;
        begin
            $write("unit %0d", d);
            for (which = 0; which < 5; which = which + 1) begin
                transfer(counter(d, which), 1'b0, 32'd0);
                $write(" %0d", prdata);
            end
            $write("\n");
        end
    endtask

    reg [8*256-1:0] path;
    reg [31:0] address, data;
    integer file, cycles;
    initial begin
        if ($value$plusargs("vcd=%s", path)) begin
            $dumpfile(path);
            $dumpvars(1, beside_tb.clk, beside_tb.rst_n, beside_tb.mem_clk, beside_tb.mem_rst_n);
            $dumpvars(1, dut.dma, dut.arbiter, dut.queue, dut.cache, dut.memory);
        end
        if (!$value$plusargs("cycles=%d", cycles)) cycles = 100000;
        repeat (4) @(posedge fast);
        presetn <= 1'b1;
        if (!$value$plusargs("program=%s", path)) $finish;
        file = $fopen(path, "r");
        while ($fscanf(file, "%h %h", address, data) == 2) transfer(address[15:0], 1'b1, data);
        go <= 1'b1;                    // the system starts with the counters set up

        while (dut.counters.cycles.value < cycles || n % 6 != 0) @(negedge fast);
        // The next edge is one of both clocks: all domains swap there, and what happens at it
        // belongs to the next period.
        pm_trigger <= 1'b1;
        $display("window %0d", $rtoi(($realtime + 5.0) * 1000.0));
        $display("soc hits %0d",             dut.counters.hits.value);
        $display("soc misses %0d",           dut.counters.misses.value);
        $display("soc blocked_cycles %0d",   dut.counters.blocked_cycles.value);
        $display("soc refills %0d",          dut.counters.refills.value);
        $display("soc requests %0d",         dut.counters.requests.value);
        $display("soc fifo_full_cycles %0d", dut.counters.fifo_full_cycles.value);
        $display("soc dma_waits %0d",        dut.counters.dma_waits.value);
        $display("soc evictions %0d",        dut.counters.evictions.value);
        $display("soc mem_reads %0d",        dut.counters.mem_reads.value);
        $display("soc mem_writes %0d",       dut.counters.mem_writes.value);
        $display("soc row_hits %0d",         dut.counters.row_hits.value);
        $display("soc refreshes %0d",        dut.counters.refreshes.value);
        @(negedge fast) pm_trigger <= 1'b0;
        repeat (20) @(posedge fast);   // the system runs on; what was swapped stands
        report(0);
        report(1);
        report(2);
        $finish;
    end
endmodule
