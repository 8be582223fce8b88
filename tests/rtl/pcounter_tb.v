// SPDX-License-Identifier: MIT
//
// Test bench: plays a stimulus file (+stimulus=NAME) on the unit and writes what it sees
// (+log=NAME).  One command a line, addresses and values in hexadecimal, counts in decimal:
//
//   m N            marks the log: "m N"
//   x              power-up
//   w ADDR VALUE   MMIO write; GF100-: 0000 to 0fff are the domains' blocks, 8000 is the set's
//   s DOM HEX      raw signals of a domain from now on, 256 bits
//   e MASK N       N instants with an edge in the domains of the mask
//   p K DELAY      pulse: K = 0 PM_TRIGGER, 1 WRCACHE_FLUSH
//   d MASK         log "d DIGEST" of these domains: over all their cycles since power-up
//   a MASK         log "a DIGEST" of these domains: over the registers that keep what is written
//   c ADDR VALUE   log "c ADDR GOT"; the player of the test compares
//   r              log "r ADDR VALUE" of every register that does not read 0
`default_nettype none

module pcounter_tb;
parameter integer GEN = 0;
parameter integer DOMAINS = 1;
parameter [127:0] SIZES = 0;
parameter [127:0] BASES = 0;
parameter [127:0] USERS_0 = 0;
parameter [127:0] USERS_1 = 0;
parameter [15:0] PM_RAW = 16'hffff;

reg clk = 0, sample = 0, reset = 0, write = 0, read = 0, pulse_pm = 0, pulse_wf = 0;
reg [7:0] edges = 0;
reg [13:0] address = 0;
reg [31:0] wdata = 0;
wire [31:0] rdata;
reg [3:0] pulse_delay = 0;
reg [7:0] drive = 0;
reg [255:0] signals = 0;

pcounter #(
    .GEN(GEN), .DOMAINS(DOMAINS), .SIZES(SIZES), .BASES(BASES),
    .USERS_0(USERS_0), .USERS_1(USERS_1), .PM_RAW(PM_RAW)
) unit (
    .clk(clk), .sample(sample), .reset(reset), .edges(edges),
    .write(write), .read(read), .address(address), .wdata(wdata), .rdata(rdata),
    .pulse_pm(pulse_pm), .pulse_wf(pulse_wf), .pulse_delay(pulse_delay), .drive(drive), .signals(signals)
);

integer stimulus, log, got;
reg [8*256-1:0] name;
reg [7:0] command;

task tick;
    begin
        #1 clk = 1;
        #1 clk = 0;
    end
endtask

task power_up;
    begin
        reset = 1;
        #1 sample = 1;
        tick;
        sample = 0;
        reset = 0;
    end
endtask

`include "pcounter.vh"

// Where the unit has what the stimulus calls `a`.
function [13:0] place(input [31:0] a);
    place = {GEN >= GF100 && a[15], 1'b0, a[11:0]};
endfunction

task mmio_write(input [31:0] a, input [31:0] v);
    begin
        address = place(a);
        wdata = v;
        write = 1;
        tick;
        write = 0;
    end
endtask

task mmio_read(input [13:0] a);
    begin
        address = a;
        read = 1;
        tick;
        read = 0;
    end
endtask

task instants(input [7:0] mask, input integer count);
    begin
        edges = mask;
        repeat (count) begin
            #1 sample = 1;
            tick;
            sample = 0;
        end
        edges = 0;
    end
endtask

task log_digest(input [7:0] letter, input [7:0] mask, input [13:0] where);
    reg [31:0] all;
    integer d;
    begin
        all = 0;
        for (d = 0; d < DOMAINS; d = d + 1)
            if (mask[d]) begin
                mmio_read(where + 8 * d);
                all = {all[28:0], all[31:29]} + rdata;
            end
        $fwrite(log, "%c %h\n", letter, all);
    end
endtask

task log_range(input [15:0] first, input [15:0] past, input [15:0] name);
    reg [15:0] a;
    for (a = first; a < past; a = a + 4) begin
        mmio_read(place({16'b0, a}));
        if (rdata != 0)
            $fwrite(log, "r %h %h\n", name | a, rdata);
    end
endtask

task log_all;
    integer d;
    if (GEN >= GF100) begin
        for (d = 0; d < DOMAINS; d = d + 1)
            log_range(16'h200 * d, 16'h200 * d + 16'h110, 0);
        log_range(16'h8000, 16'h8020, 0);
    end else
        log_range(16'h400, 16'h900, 16'ha000);
endtask

reg [31:0] a, v;
integer n;
initial begin
    if (!$value$plusargs("stimulus=%s", name))
        $finish;
    stimulus = $fopen(name, "r");
    if (!$value$plusargs("log=%s", name))
        $finish;
    log = $fopen(name, "w");
    power_up;
    while ($fscanf(stimulus, " %c", command) == 1)
        case (command)
        "m": begin
            got = $fscanf(stimulus, "%d", n);
            $fwrite(log, "m %0d\n", n);
        end
        "x": power_up;
        "w": begin
            got = $fscanf(stimulus, "%h %h", a, v);
            mmio_write(a, v);
        end
        "s": begin
            got = $fscanf(stimulus, "%d %h", n, signals);
            drive = 8'd1 << n;
            tick;
            drive = 0;
        end
        "e": begin
            got = $fscanf(stimulus, "%h %d", a, n);
            instants(a[7:0], n);
        end
        "p": begin
            got = $fscanf(stimulus, "%d %d", a, n);
            pulse_delay = n;
            pulse_pm = a == 0;
            pulse_wf = a == 1;
            tick;
            {pulse_pm, pulse_wf} = 0;
        end
        "d", "a": begin
            got = $fscanf(stimulus, "%h", a);
            log_digest(command, a[7:0], command == "d" ? 14'h1000 : 14'h1040);
        end
        "c": begin
            got = $fscanf(stimulus, "%h %h", a, v);
            mmio_read(place(a));
            $fwrite(log, "c %h %h\n", a[15:0], rdata);
        end
        "r": log_all;
        default: begin
            $fwrite(log, "unknown command %h\n", command);
            $finish;
        end
        endcase
    $fclose(log);
    $finish;
end
endmodule
`default_nettype wire
