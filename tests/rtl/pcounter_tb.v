// SPDX-License-Identifier: MIT
//
// Test bench of rtl/: plays a stimulus file (+stimulus=NAME) on the unit and writes what it sees
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
//
// After an odd N of `m`, whatever can share an edge of the clock does: a cycle and the write after
// it, a read and the cycle after it, a pulse and the next cycle.  All must be as if they did not.
`default_nettype none

module pcounter_tb;
parameter [63:0] LAYOUT = "G80";
parameter integer DOMAINS = 1;
parameter [127:0] SIZES = 0;
parameter [127:0] BASES = 0;
parameter [127:0] USERS_0 = 0;
parameter [127:0] USERS_1 = 0;
parameter [15:0] PM_RAW = 16'hffff;
localparam FERMI = LAYOUT == "GF100" || LAYOUT == "GK104";
localparam CELSIUS = LAYOUT == "NV10" || LAYOUT == "NV15" || LAYOUT == "NV20" || LAYOUT == "NV30";

reg clk = 0, reset = 0, write = 0, read = 0;
reg [15:0] addr = 0;
reg [31:0] wdata = 0;
wire [31:0] rdata;
wire error;
reg [DOMAINS-1:0] edges = 0, pm_trigger = 0, wrcache_flush = 0;
reg [DOMAINS*256-1:0] signals = 0;

pcounter #(
    .LAYOUT(LAYOUT), .DOMAINS(DOMAINS), .SIGNALS(256), .SIZES(SIZES), .BASES(BASES),
    .USERS_0(USERS_0), .USERS_1(USERS_1), .PM_RAW(PM_RAW)
) unit (
    .clk(clk), .reset(reset), .addr(addr), .write(write), .read(read), .strobe(4'hf),
    .wdata(wdata), .rdata(rdata), .error(error), .tick(edges), .signals(signals),
    .pm_trigger(pm_trigger), .wrcache_flush(wrcache_flush)
);

// Pulses that are due in a cycle to come, bit 0 in the domain's next one
reg [15:0] pm_due [0:7];
reg [15:0] wf_due [0:7];
integer i;

// ---------------------------------------------------------------------------
// What software could see after each cycle, so that a cycle that went wrong cannot hide between
// two looks: a running sum; and one over the registers that only writes change.
// ---------------------------------------------------------------------------
event look, look_stored;
wire [31:0] folded [0:7];
reg [31:0] mixed [0:7];
genvar g;
generate
    for (g = 0; g < DOMAINS; g = g + 1) begin : watch
        reg [511:0] digest, visible;
        wire [255:0] half = digest[511:256] ^ digest[255:0];
        wire [127:0] quarter = half[255:128] ^ half[127:0];
        wire [63:0] eighth = quarter[127:64] ^ quarter[63:0];
        assign folded[g] = eighth[63:32] ^ eighth[31:0];

`define DOMAIN unit.dom[g].present.u
        wire [31:0] q_stops = `DOMAIN.q_stops, q_pres = `DOMAIN.q_pres;
        always @(look)
            if (reset)
                digest = 0;
            else if (edges[g]) begin
                if (FERMI)
                    visible = {
                        `DOMAIN.vec, `DOMAIN.stops ^ {q_stops[15:0], q_stops[31:16]},
                        `DOMAIN.pres ^ {q_pres[15:0], q_pres[31:16]},
                        `DOMAIN.q_cycles, `DOMAIN.cycles[31:0], `DOMAIN.q_events,
                        `DOMAIN.events[31:0], 4'b0, `DOMAIN.single_state, `DOMAIN.quad_state,
                        `DOMAIN.src[15:0],
                        {8'b0, `DOMAIN.starts[31:0]} ^ {`DOMAIN.q_starts, 8'b0}};
                else
                    visible = {
                        `DOMAIN.vec, `DOMAIN.stops, `DOMAIN.pres, 24'b0, `DOMAIN.cycles, 24'b0,
                        `DOMAIN.events, 4'b0, `DOMAIN.single_state, `DOMAIN.quad_state,
                        CELSIUS ? 16'b0 : `DOMAIN.src[15:0], `DOMAIN.starts};
                digest = {digest[504:0], digest[511:505]} + visible;
            end

        reg [639:0] stored;
        integer j;
        always @(look_stored) begin
            stored = {
                FERMI ? {`DOMAIN.unkd8, `DOMAIN.filter, `DOMAIN.unk74, 24'b0, `DOMAIN.next_high}
                      : {`DOMAIN.record_position, `DOMAIN.record_start, `DOMAIN.record_limit,
                         24'b0, `DOMAIN.record_high},
                `DOMAIN.ctrl, 24'b0, `DOMAIN.threshold, 16'b0, `DOMAIN.spec_src,
                11'b0, `DOMAIN.clrflag_op, 11'b0, `DOMAIN.setflag_op, 11'b0, `DOMAIN.stop_op,
                11'b0, `DOMAIN.event_op, 11'b0, `DOMAIN.start_op, 11'b0, `DOMAIN.pre_op,
                `DOMAIN.clrflag_src, `DOMAIN.setflag_src, `DOMAIN.stop_src, `DOMAIN.event_src,
                `DOMAIN.start_src, `DOMAIN.pre_src};
            mixed[g] = 0;
            for (j = 0; j < 20; j = j + 1)
                mixed[g] = {mixed[g][26:0], mixed[g][31:27]} + stored[32 * j +: 32];
        end
    end
endgenerate

// ---------------------------------------------------------------------------
// Edges of the clock
// ---------------------------------------------------------------------------
task tick;
    begin
        #1 clk = 1;
        #1 clk = 0;
        -> look;
        #1 ;
    end
endtask

task power_up;
    begin
        for (i = 0; i < 8; i = i + 1) begin
            pm_due[i] = 0;
            wf_due[i] = 0;
        end
        signals = 0;
        reset = 1;
        tick;
        reset = 0;
    end
endtask

// Where the unit has what the stimulus calls `a`.
function [15:0] place(input [31:0] a);
    place = !FERMI ? {4'b0, a[11:0]} : a[15] ? {4'he, a[11:0]} : a[15:0];
endfunction

task mmio_write(input [31:0] a, input [31:0] v);
    begin
        addr = place(a);
        wdata = v;
        write = 1;
        tick;
        write = 0;
    end
endtask

task mmio_read(input [15:0] a);
    begin
        addr = a;
        read = 1;
        tick;
        read = 0;
    end
endtask

// Sets the edges of an instant, and the pulses that come due with them.
task begin_instant(input [7:0] mask);
    begin
        edges = mask[DOMAINS-1:0];
        for (i = 0; i < DOMAINS; i = i + 1)
            if (mask[i]) begin
                pm_trigger[i] = pm_due[i][0];
                wrcache_flush[i] = wf_due[i][0];
                pm_due[i] = pm_due[i] >> 1;
                wf_due[i] = wf_due[i] >> 1;
            end
    end
endtask

task end_instant;
    begin
        edges = 0;
        pm_trigger = 0;
        wrcache_flush = 0;
    end
endtask

task instants(input [7:0] mask, input integer count);
    repeat (count) begin
        begin_instant(mask);
        tick;
        end_instant;
    end
endtask

// A pulse at an instant of its own, or for the next cycle, or for one after that
task pulse(input [31:0] kind, input integer delay, input share);
    if (delay == 0 && !share) begin
        pm_trigger = {DOMAINS{kind == 0}};
        wrcache_flush = {DOMAINS{kind == 1}};
        tick;
        end_instant;
    end else
        for (i = 0; i < 8; i = i + 1)
            if (kind == 0)
                pm_due[i] = pm_due[i] | (16'd1 << delay);
            else
                wf_due[i] = wf_due[i] | (16'd1 << delay);
endtask

// ---------------------------------------------------------------------------
// Commands
// ---------------------------------------------------------------------------
integer stimulus, log, got;
reg [8*256-1:0] name;
reg [7:0] command;
reg share;                 // see above
reg [7:0] held;            // domains whose edge waits for a write to share it with; 0: none

task log_digest(input [7:0] letter, input [7:0] mask);
    reg [31:0] all;
    integer d;
    begin
        all = 0;
        -> look_stored;
        #1 ;
        for (d = 0; d < DOMAINS; d = d + 1)
            if (mask[d])
                all = {all[28:0], all[31:29]} + (letter == "a" ? mixed[d] : folded[d]);
        $fwrite(log, "%c %h\n", letter, all);
    end
endtask

task log_range(input [15:0] first, input [15:0] past, input [15:0] base);
    reg [15:0] a;
    for (a = first; a < past; a = a + 4) begin
        mmio_read(place({16'b0, a}));
        if (rdata != 0)
            $fwrite(log, "r %h %h\n", base | a, rdata);
    end
endtask

task log_all;
    integer d;
    if (FERMI) begin
        for (d = 0; d < DOMAINS; d = d + 1)
            log_range(16'h200 * d[15:0], 16'h200 * d[15:0] + 16'h110, 0);
        log_range(16'h8000, 16'h8020, 0);
    end else
        log_range(16'h400, 16'h900, 16'ha000);
endtask

reg [31:0] a, v;
integer n;

task release_held;
    if (held != 0) begin
        instants(held, 1);
        held = 0;
    end
endtask

// A cycle: the last one waits for a write if it may share its edge.
task command_edges;
    begin
        got = $fscanf(stimulus, "%h %d", a, n);
        instants(a[7:0], share ? n - 1 : n);
        if (share)
            held = a[7:0];
    end
endtask

task command_write;
    begin
        got = $fscanf(stimulus, "%h %h", a, v);
        if (FERMI && a[8:0] >= 9'h0a4 && a[8:0] <= 9'h0bc)
            release_held; // a running counter changes at once: the digest would miss the cycle's
        if (held != 0)
            begin_instant(held);
        mmio_write(a, v);
        end_instant;
        held = 0;
    end
endtask

task command_check;
    begin
        got = $fscanf(stimulus, "%h %h", a, v);
        v = a;
        got = $fscanf(stimulus, " %c", command);
        if (got == 1 && share && command == "e") begin
            got = $fscanf(stimulus, "%h %d", a, n);
            begin_instant(a[7:0]);
            mmio_read(place(v));
            end_instant;
            instants(a[7:0], n - 1);
            got = $fscanf(stimulus, " %c", command);
        end else
            mmio_read(place(v));
        $fwrite(log, "c %h %h\n", v[15:0], rdata);
    end
endtask

task obey;
    begin
        if (command != "w")
            release_held;
        case (command)
        "m": begin
            got = $fscanf(stimulus, "%d", n);
            share = n[0];
            $fwrite(log, "m %0d\n", n);
        end
        "x": power_up;
        "w": command_write;
        "s": begin
            got = $fscanf(stimulus, "%d %h", n, name);
            signals[256 * n +: 256] = name[255:0];
        end
        "e": command_edges;
        "p": begin
            got = $fscanf(stimulus, "%d %d", a, n);
            pulse(a, n, share);
        end
        "d", "a": begin
            got = $fscanf(stimulus, "%h", a);
            log_digest(command, a[7:0]);
        end
        "c": ; // reads ahead
        "r": log_all;
        default: begin
            $fwrite(log, "unknown command %h\n", command);
            $finish;
        end
        endcase
        if (command == "c")
            command_check;
        else
            got = $fscanf(stimulus, " %c", command);
    end
endtask

initial begin
    if (!$value$plusargs("stimulus=%s", name))
        $finish;
    stimulus = $fopen(name, "r");
    if (!$value$plusargs("log=%s", name))
        $finish;
    log = $fopen(name, "w");
    share = 0;
    held = 0;
    power_up;
    got = $fscanf(stimulus, " %c", command);
    while (got == 1)
        obey;
    release_held;
    $fclose(log);
    $finish;
end
endmodule
`default_nettype wire
