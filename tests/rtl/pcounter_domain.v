// SPDX-License-Identifier: MIT
//
// One PCOUNTER domain, restated from the documents: input selection, FLAG,
// import of other domains' signals, single event mode, quad event mode, and its registers.
// Every section names the clause or decision (D-xx) it restates.
//
// There is one simulation clock and each domain has an enable, `tick`, that says whether the
// domain's own clock rises at this instant.  An instant has two steps:
//   sample  the inputs are taken just before the edge and everything that follows from them
//           without a flop in between is worked out: SRC, PRE, START, EVENT, STOP, flags, SWAP
//   clk     the edge: flops, counters and machines move on
// MMIO accesses use clk too, at instants of their own.
//
// Not restated: record mode, whose registers are stored and read back while MODE 2 counts
// nothing, and the stream-out of GF100-, MODE 5.
`default_nettype none

module pcounter_domain #(
    parameter integer GEN = 0,    // generation, see pcounter.vh
    parameter integer ME = 0,     // number of this domain
    parameter integer SIZE = 256, // signals
    parameter integer BASE = 224, // trailer base
    parameter integer USER_0 = -1,
    parameter integer USER_1 = -1,
    parameter integer PM_RAW = -1 // NV10:NV20: PM_TRIGGER among the ordinary signals
) (
    input wire clk,
    input wire sample,
    input wire reset,
    input wire tick,

    input wire write,
    input wire read,
    input wire [6:0] regno,
    input wire [31:0] wdata,
    output reg [31:0] rdata,
    output wire [31:0] ctrl_read, // CTRL in the layout of NV40, GF100-: in its own
    output wire [3:0] status,     // GF100-: VSTATUS
    input wire periodic_reset,    // GCTRL bit 4

    input wire pulse_pm,          // PM_TRIGGER / WRCACHE_FLUSH: one cycle, `pulse_delay`
    input wire pulse_wf,          // cycles after the domain's next one
    input wire [3:0] pulse_delay,
    input wire drive,             // the card drives `signals` from now on
    input wire [255:0] signals,

    // EVENT and FLAG of all domains, in the order of the trailer: EVENT of domains 7 to 0, FLAG
    // of domains 7 to 0.  EVENT is as of a domain's newest sampled cycle.
    input wire [15:0] slots,
    input wire [15:0] slot_toggles,
    output reg in_event,
    output reg flag,
    output reg event_toggle,
    output reg flag_toggle
);

`include "pcounter.vh"

localparam [255:0] PRESENT = ~256'b0 >> (256 - SIZE);
localparam integer EVENT_SLOT = 7 - ME, FLAG_SLOT = 15 - ME; // own ones, in `slots`
localparam integer SLOTS = BASE + (GEN >= GF100 ? 'h30 : 'h10);
localparam [7:0] OWN_EVENT = SLOTS + EVENT_SLOT;
// Places of signals that some generations lack; 0 stands in where the guard is never true.
localparam integer AT_USER_0 = USER_0 < 0 ? 0 : USER_0;
localparam integer AT_USER_1 = USER_1 < 0 ? 0 : USER_1;
localparam integer AT_PM_RAW = PM_RAW < 0 ? 0 : PM_RAW;

// RW masks: sections 2 and 3 of the register reference.
localparam [20:0] M_OP = GEN >= GF100 ? 21'h1fffff : GEN >= G92 ? 21'h0fffff : 21'h03ffff;
localparam [20:0] M_OP_CHAIN = GEN >= G92 ? 21'h1fffff : GEN >= NV30 ? 21'h07ffff : 21'h03ffff;
localparam [31:0] M_CTRL =
    GEN >= GF100 ? 32'h80fdffff :
    GEN >= G92  ? 32'h40f12973 :
    GEN >= G84  ? 32'h00f12973 :
    GEN >= NV40 ? 32'h00012973 :
    GEN >= NV30 ? 32'h00000111 : // NV10:NV40 as pcounter.v hands it on
    GEN >= NV15 ? 32'h00000110 : 32'h00000010;

// ---------------------------------------------------------------------------
// Stored registers
// ---------------------------------------------------------------------------
reg [31:0] pre_src, start_src, event_src, stop_src, setflag_src, clrflag_src;
reg [20:0] pre_op, start_op, event_op, stop_op, setflag_op, clrflag_op;
reg [15:0] spec_src;
reg [31:0] init_pre, init_stop, ctrl;
reg [39:0] threshold;
reg [7:0] record_high;
reg [31:0] record_limit, record_start;

// GF100-: its MODE 0 is HALTED, 1 SINGLE, 2 QUAD.
wire [1:0] mode = GEN < GF100 ? ctrl[1:0] : ctrl[2:0] == 1 ? SINGLE : ctrl[2:0] == 2 ? QUAD : NOTHING;
wire [2:0] ctr_mode = GEN < GF100 ? ctrl[6:4] : ctrl[5:3];
wire period_all = GEN < GF100 ? ctrl[8] : ctrl[6];
wire [15:0] pulse_import = GEN < GF100 ? {{8{ctrl[13]}}, {8{ctrl[11]}}} // FLAG_, EVENT_IMPORT_MODE
                                       : {{8{ctrl[8]}}, {8{ctrl[7]}}};
wire [2:0] periodic_period = ctrl[23:21];

// What the writes of this gap between two cycles will do in the next one (D-17a).
reg gap;                // there was a write that does something
reg [1:0] gap_single;   // SINGLE_STATE after the writes
reg [1:0] gap_quad;     // QUAD_STATE after the writes
reg gap_start;          // a counting process was started, perhaps aborted again
reg gap_undone;         // one that was aborted again
reg gap_swap;           // PRE_OP was written in quad mode
reg gap_record;         // RECORD_START was written

// ---------------------------------------------------------------------------
// State
// ---------------------------------------------------------------------------
reg [1:0] single_state, quad_state;
reg [39:0] cycles, events, starts;       // visible counters
reg [31:0] pres, stops;
reg [39:0] q_cycles, q_events, q_starts; // shadow counters of quad mode
reg [31:0] q_pres, q_stops;
reg flag_reg;                            // first of FLAG's two flops; `flag` is the second
reg [23:0] late;                         // SRC[1:0] of a cycle ago, as ARG[3:2] and ARG[1:0]
reg [15:0] level_1, level_2;             // CONTINUOUS synchronisers
reg [15:0] toggle_1, toggle_2, toggle_3; // PULSE synchronisers
reg event_before, flag_before;           // a cycle ago, for the toggles
reg [3:0] user, user_pulse;
reg [15:0] periodic_count, pm_due, wf_due;
reg [31:0] record_position;
reg [255:0] raw;                         // what the card drives

// What `sample` works out.  A nibble each: CLRFLAG, SETFLAG, STOP, EVENT, START, PRE.
reg [255:0] vec;
reg [23:0] src;
reg [23:0] arg;
reg in_pre, in_start, in_stop, in_setflag, in_clrflag, in_swap;

// ---------------------------------------------------------------------------
// Step one: inputs
// ---------------------------------------------------------------------------

// "Input selection", steps 3 to 6: the arguments that are SRC[0] or SRC[1] of a cycle ago.
// Bits that a generation lacks are 0 by the RW masks.
// GF100-: the same bits for all inputs (D-12).
wire [23:0] use_late =
    GEN >= GF100 ? {clrflag_op[20:19], clrflag_op[17:16], setflag_op[20:19], setflag_op[17:16],
                    stop_op[20:19], stop_op[17:16], event_op[20:19], event_op[17:16],
                    start_op[20:19], start_op[17:16], pre_op[20:19], pre_op[17:16]}
                 : {clrflag_op[19:16], setflag_op[19:16],
                    stop_op[20:19], stop_op[17:16], event_op[20:19], event_op[17:16],
                    start_op[19:16], pre_op[19:16]};

// The sources that select the domain's own EVENT, among the sixteen and as SETFLAG and
// CLRFLAG share them.
function [3:0] selects_event(input [31:0] s);
    selects_event = {s[31:24] == OWN_EVENT, s[23:16] == OWN_EVENT,
                     s[15:8] == OWN_EVENT, s[7:0] == OWN_EVENT};
endfunction
wire [15:0] own_16 = GEN < NV40 ? 16'b0 : {selects_event(stop_src), selects_event(event_src),
                                           selects_event(start_src), selects_event(pre_src)};
wire [23:0] own = {own_16[5:4], own_16[3:2], own_16[1:0], own_16[7:6], own_16};

reg [15:0] seen; // EVENT and FLAG slots
reg [3:0] index;

always @(posedge sample)
    if (tick) begin
        // "The EVENT and FLAG signals", D-26 to D-28.  Own ones are direct; the own EVENT is
        // last cycle's until the new one is known.
        seen = level_2;
        if (GEN >= NV40 && pulse_import != 0)
            seen = (level_2 & ~pulse_import) | ((toggle_2 ^ toggle_3) & pulse_import);
        seen[FLAG_SLOT] = flag;
        seen[EVENT_SLOT] = in_event;

        // "Trailer signals", "The USER signals"
        vec = raw;
        if (GEN >= GF100) begin // D-13
            vec[SLOTS +: 16] = seen;
            vec[BASE + 'h27 +: 4] = user;
            vec[BASE + 'h2c +: 4] = {2'b0, pm_due[0], 1'b0};
            if (periodic_period != 0 && !periodic_reset)
                vec[BASE + 'h2e] = (~periodic_count & ((17'd512 << periodic_period) - 1)) == 0;
        end else if (GEN >= NV40) begin
            vec[SLOTS +: 16] = seen;
            vec[BASE + 'h0e +: 2] = {pm_due[0], wf_due[0]};
        end else if (GEN >= NV20)
            vec[BASE + 'h1d +: 3] = {seen[15:14], pm_due[0]};
        else begin
            vec[BASE + 'h1f] = flag;
            vec[AT_PM_RAW] = pm_due[0];
        end
        if (GEN >= G84 && GEN < GF100) begin
            vec[BASE + 'h0c +: 2] = 0;
            if (periodic_period != 0 && !periodic_reset) // D-31
                vec[BASE + 'h0d] = (~periodic_count & ((17'd512 << periodic_period) - 1)) == 0;
        end
        if (GEN >= GT215 && GEN < GF100) begin
            vec[AT_USER_0] = user[0];
            vec[AT_USER_1] = user[1];
        end

        // "Input selection", step 1
        src[15:0] = {
            vec[stop_src[31:24]], vec[stop_src[23:16]], vec[stop_src[15:8]], vec[stop_src[7:0]],
            vec[event_src[31:24]], vec[event_src[23:16]], vec[event_src[15:8]], vec[event_src[7:0]],
            vec[start_src[31:24]], vec[start_src[23:16]], vec[start_src[15:8]], vec[start_src[7:0]],
            vec[pre_src[31:24]], vec[pre_src[23:16]], vec[pre_src[15:8]], vec[pre_src[7:0]]};
        if (GEN >= NV30)
            src[23:16] = {src[5:4], src[3:2], src[1:0], src[7:6]};
        else
            src[23:16] = {
                vec[clrflag_src[31:24]], vec[clrflag_src[23:16]],
                vec[clrflag_src[15:8]], vec[clrflag_src[7:0]],
                vec[setflag_src[31:24]], vec[setflag_src[23:16]],
                vec[setflag_src[15:8]], vec[setflag_src[7:0]]};

        // Steps 2 to 8 for EVENT.  Where it selects its own output, itself or through
        // SETFLAG, it sees last cycle's (D-21).
        arg = (src & ~use_late) | (late & use_late);
        index = arg[11:8];
        in_setflag = setflag_op[arg[19:16]];
        if (GEN >= NV30 && event_op[18])
            index[3] = in_setflag;
        in_event = event_op[index];

        // All others see the EVENT of this cycle.
        if (own != 0) begin
            src = (src & ~own) | ({24{in_event}} & own);
            arg = (src & ~use_late) | (late & use_late);
        end
        if (GEN >= NV40)
            vec[OWN_EVENT] = in_event;
        if (GEN < NV30 || !event_op[18]) // D-21a: else EVENT has its value, which is that of all
            in_setflag = setflag_op[arg[19:16]];
        in_clrflag = clrflag_op[arg[23:20]];
        in_pre = pre_op[arg[3:0]];
        in_start = start_op[arg[7:4]];
        index = arg[15:12];
        if (GEN >= NV30 && stop_op[18])
            index[3] = in_setflag;
        in_stop = stop_op[index];
        in_swap = GEN >= G84 ? vec[spec_src[7:0]] : pm_due[0];
    end else if (reset) begin
        vec = 0;
        src = 0;
        {in_pre, in_start, in_event, in_stop, in_setflag, in_clrflag, in_swap} = 0;
    end

// ---------------------------------------------------------------------------
// Step two: counters
// ---------------------------------------------------------------------------

// "Counters": 40 bits with a sticky top bit (D-36), or 32 bits that saturate (D-37).
function [39:0] plus(input [39:0] old, input [5:0] n);
    reg [39:0] low;
    begin
        if (GEN < NV30) begin
            low = {1'b0, old[38:0]} + n;
            plus = {old[39] | low[39], low[38:0]};
        end else begin
            low = old + n;
            plus = low[32] ? 40'hffffffff : low;
        end
    end
endfunction
function [31:0] plus32(input [31:0] old, input [5:0] n);
    reg [32:0] sum;
    begin
        sum = {1'b0, old} + n;
        plus32 = sum[32] ? 32'hffffffff : sum[31:0];
    end
endfunction

// "Special counter modes": what CTR_EVENT gains in a cycle that counts, and the sum of the
// EXTRA modes.  5 to 7 count as SIMPLE (D-40), but on GK104- as traced (D-64).
reg [5:0] add_event, add_extra, add_pre;
task weigh;
    if (GEN >= GK104 && ctr_mode >= 5) begin
        add_event = {5'b0, in_event};
        add_pre = {5'b0, in_pre};
        case (ctr_mode)
        5: begin
            add_pre = in_pre ? {src[3:1], src[15:13]} : 6'd0;
            add_event = in_event ? {src[5:4], src[11:8]} : 6'd0;
        end
        6: add_pre = in_pre ? {src[5:4], src[3:0]} : 6'd0;
        default: add_event = in_start ? {2'b0, src[11:8]} : 6'd0;
        endcase
    end else
    case (ctr_mode)
    1: add_event = in_event ? {2'b0, src[7:4]} : 6'd0;
    2: add_event = in_event ? {src[11:10], src[7:4]} : 6'd0;
    3: begin
        add_event = {5'b0, in_event};
        add_extra = {2'b0, src[7:4]};
    end
    4: begin
        add_event = GEN < GF100 || in_event ? {4'b0, src[9:8]} : 6'd0; // D-63
        add_extra = {src[11:10], src[7:4]};
    end
    default: add_event = {5'b0, in_event};
    endcase
endtask
wire extra = ctr_mode == 3 || ctr_mode == 4;
wire traced = GEN >= GK104 && ctr_mode >= 5;

// "Single event mode", the case statement of the document.  The cycle of a start does
// nothing else (D-17a).
task single_cycle;
    case (single_state)
    WAIT_PRE:
        if (!gap_start && in_pre) begin
            if (pres != 0)
                pres = pres - 1;
            else
                single_state = WAIT_START;
        end
    WAIT_START:
        if (in_start) begin
            cycles = 0;
            if (GEN < NV15 || !period_all)
                events = 0;
            single_state = COUNTING;
        end
    COUNTING: begin
        weigh;
        cycles = plus(cycles, 1); // D-11
        events = plus(events, add_event);
        if (extra && (GEN < GF100 || in_start)) // D-39, D-63
            pres = plus32(pres, add_extra);
        if (in_stop) begin
            if (events >= threshold) // D-47
                starts = plus(starts, 1);
            if (stops != 0) begin
                stops = stops - 1;
                single_state = WAIT_START;
            end else
                single_state = INACTIVE; // D-48
        end
    end
    default: ;
    endcase
endtask

// "Quad event mode": swap first, then count.
task quad_cycle;
    begin
        if (in_swap || gap_swap) begin // D-53, D-54
            {cycles, events, starts, pres, stops} = {q_cycles, q_events, q_starts, q_pres, q_stops};
            {q_cycles, q_events, q_starts, q_pres, q_stops} = 0;
            quad_state = quad_state == EMPTY ? VALID : OVERFLOW;
        end
        weigh;
        q_cycles = plus(q_cycles, 1);
        if (add_event != 0)
            q_events = plus(q_events, add_event);
        if (extra && (GEN < GF100 || in_start)) // D-39, D-63
            q_starts = plus(q_starts, add_extra);
        else if (in_start && !traced)
            q_starts = plus(q_starts, 1);
        if (in_pre)
            q_pres = plus32(q_pres, traced ? add_pre : 6'd1);
        if (in_stop && !(traced && ctr_mode == 5))
            q_stops = plus32(q_stops, 1);
    end
endtask

task domain_cycle;
    begin
        if (gap) begin
            // GF100-: CTRL left SINGLE after the start, so nobody obeys it (U-019).
            if (GEN >= GF100 && gap_start && gap_single == WAIT_PRE && mode != SINGLE) begin
                gap_single = INACTIVE;
                gap_start = gap_undone;
            end
            single_state = gap_single;
            quad_state = gap_quad;
            if (gap_start) begin
                {cycles, events, starts} = 0;
                pres = init_pre;
                stops = init_stop;
            end
            if (gap_record)
                record_position = record_start;
        end

        // Toggles for the domains that import in PULSE mode (D-27).
        if (GEN >= NV40) begin
            if (in_event && !event_before)
                event_toggle <= ~event_toggle;
            event_before = in_event;
            if (flag && !flag_before)
                flag_toggle <= ~flag_toggle;
            flag_before = flag;
        end

        // "The flag": frozen in single mode while INACTIVE and in the cycle of a start, which
        // clears it (D-23 to D-25).
        flag <= flag_reg;
        if (gap_start)
            flag_reg = 0;
        if (GEN >= GF100 && mode == NOTHING) ; // D-25
        else if (mode != SINGLE || (single_state != INACTIVE && !gap_start)) begin
            if (in_clrflag)
                flag_reg = 0;
            else if (in_setflag)
                flag_reg = 1;
        end

        if (mode == SINGLE)
            single_cycle;
        else if (mode == QUAD)
            quad_cycle;

        // Flops that run always: imports (D-26), SRC of a cycle ago (D-19, D-20).
        if (GEN >= NV20) begin
            level_2 = level_1;
            level_1 = slots;
        end
        if (GEN >= NV40) begin
            toggle_3 = toggle_2;
            toggle_2 = toggle_1;
            toggle_1 = slot_toggles;
        end
        late = src & 24'h333333;
        late = late | late << 2;

        if (GEN >= GT215 && user_pulse != 0) begin // D-32
            user = user & ~user_pulse;
            if (GEN < GF100)
                user_pulse = 0;
        end
        if (GEN >= G84)
            periodic_count = periodic_reset ? 16'd0 : periodic_count + 16'd1;
        pm_due = pm_due >> 1;
        wf_due = wf_due >> 1;
        if (gap)
            {gap, gap_start, gap_undone, gap_swap, gap_record} = 0;
    end
endtask

`include "pcounter_domain_regs.vh"
`include "pcounter_gf100_regs.vh"

// Asked once a clock, because most domains have nothing to do at most instants.
wire busy = tick || write || read || drive || pulse_pm || pulse_wf || reset;

always @(posedge clk)
    if (busy) begin
        if (reset)
            power_up;
        if (write)
            register_write;
        if (read)
            register_read;
        if (drive)
            raw = signals & PRESENT; // D-30
        if (pulse_pm)
            pm_due = pm_due | (16'd1 << pulse_delay);
        if (pulse_wf && GEN >= G84)
            wf_due = wf_due | (16'd1 << pulse_delay);
        if (tick) begin
            domain_cycle;
            if (GEN >= GF100)
                gf100_see;
            digest = {digest[504:0], digest[511:505]} + (GEN >= GF100 ? seen_gf100 :
                     {vec, stops, pres, 24'b0, cycles, 24'b0, events,
                      4'b0, single_state, quad_state, GEN >= NV40 ? src[15:0] : 16'b0, starts});
        end
    end

endmodule
`default_nettype wire
