// SPDX-License-Identifier: MIT
//
// The registers of a domain, part of pcounter_domain.v: what a write stores and does (D-17a,
// D-44 to D-46), what a read returns (D-18, D-51), power-up (D-50), and two digests for the test
// bench.

// D-45: which writes abort single mode.  Registers the generation lacks drop the write.
function aborts(input [6:0] r);
    if (GEN >= GF100)
        aborts = r == R_ABORT; // D-62
    else
    case (r)
    R_PRE_SRC, R_START_SRC, R_EVENT_SRC, R_STOP_SRC, R_START_OP, R_EVENT_OP, R_STOP_OP,
    R_SETFLAG_OP, R_CLRFLAG_OP, R_PRE, R_STOP, R_THRESHOLD, R_CTRL,
    R_CYCLES, R_CYCLES_ALT, R_EVENT, R_START: aborts = 1; // D-45a: any CTR register
    R_SETFLAG_SRC, R_CLRFLAG_SRC, R_THRESHOLD_HI,
    R_CYCLES_HI, R_EVENT_HI, R_START_HI: aborts = GEN < NV30;
    R_SPEC_SRC: aborts = GEN >= G84;
    default: aborts = 0;
    endcase
endfunction

task register_write;
    begin
        if (!gap) begin
            gap = 1;
            gap_single = single_state;
            gap_quad = quad_state;
        end
        if (aborts(regno)) begin
            if (gap_start && gap_single == WAIT_PRE)
                gap_undone = 1;
            gap_single = INACTIVE;
        end
        case (regno)
        R_PRE_SRC: pre_src = wdata;
        R_START_SRC: start_src = wdata;
        R_EVENT_SRC: event_src = wdata;
        R_STOP_SRC: stop_src = wdata;
        R_SETFLAG_SRC: setflag_src = GEN < NV30 ? wdata : 0;
        R_CLRFLAG_SRC: clrflag_src = GEN < NV30 ? wdata : 0;
        R_SPEC_SRC: spec_src = GEN >= GF100 ? {8'b0, wdata[7:0]} : GEN >= G84 ? wdata[15:0] : 0;
        R_START_OP: start_op = wdata & M_OP;
        R_EVENT_OP: event_op = wdata & M_OP_CHAIN;
        R_STOP_OP: stop_op = wdata & M_OP_CHAIN;
        R_SETFLAG_OP: setflag_op = wdata & M_OP;
        R_CLRFLAG_OP: clrflag_op = wdata & M_OP;
        R_PRE: init_pre = wdata; // D-46
        R_STOP: init_stop = wdata;
        R_THRESHOLD: threshold[31:0] = wdata;
        R_THRESHOLD_HI: threshold[39:32] = GEN < NV30 ? wdata[7:0] : 0;
        R_CTRL: ctrl = wdata & M_CTRL;
        R_PRE_OP: begin
            pre_op = wdata & M_OP;
            if (GEN < GF100 && mode == SINGLE && gap_single == INACTIVE) begin // D-44
                gap_start = 1;
                gap_single = WAIT_PRE;
            end
            if (mode == QUAD && GEN >= G84 && GEN < GF100)
                gap_swap = 1;
        end
        R_QUAD_ACK:
            if (GEN >= NV30 && wdata[0])
                gap_quad = gap_quad == OVERFLOW ? VALID : EMPTY;
        R_USER_TRIGGER:
            if (GEN >= GF100)
                {user_pulse, user} = wdata[7:0];
            else if (GEN >= GT215)
                {user_pulse, user} = {2'b0, wdata[3:2], 2'b0, wdata[1:0]};
        R_RECORD_HIGH: record_high = GEN >= G92 ? wdata[7:0] : 0;
        R_RECORD_LIMIT: record_limit = GEN >= G84 ? {wdata[31:4], 4'b0} : 0;
        R_RECORD_START:
            if (GEN >= G84) begin
                record_start = {wdata[31:4], 4'b0};
                gap_record = 1;
            end
        default:
            if (GEN >= GF100)
                gf100_write;
        endcase
    end
endtask

assign ctrl_read = ctrl | {2'b0, single_state, 2'b0, quad_state, 24'b0};

task register_read;
    if (regno[6:3] == R_SIG_STATUS[6:3])
        rdata = vec[{regno[2:0], 5'd0} +: 32]; // D-61
    else
        case (regno)
        R_PRE_SRC: rdata = pre_src;
        R_START_SRC: rdata = start_src;
        R_EVENT_SRC: rdata = event_src;
        R_STOP_SRC: rdata = stop_src;
        R_SETFLAG_SRC: rdata = setflag_src;
        R_CLRFLAG_SRC: rdata = clrflag_src;
        R_SPEC_SRC: rdata = spec_src;
        R_PRE_OP: rdata = pre_op;
        R_START_OP: rdata = start_op;
        R_EVENT_OP: rdata = event_op;
        R_STOP_OP: rdata = stop_op;
        R_SETFLAG_OP: rdata = setflag_op;
        R_CLRFLAG_OP: rdata = clrflag_op;
        R_SRC_STATUS: rdata = {8'b0, GEN >= GF100 ? src[23:16] : 8'b0, src[15:0]}; // D-61
        R_CYCLES, R_CYCLES_ALT: rdata = cycles[31:0]; // D-42
        R_CYCLES_HI: rdata = cycles[39:32];
        R_EVENT: rdata = events[31:0];
        R_EVENT_HI: rdata = events[39:32];
        R_START: rdata = starts[31:0];
        R_START_HI: rdata = starts[39:32];
        R_PRE: rdata = pres;
        R_STOP: rdata = stops;
        R_THRESHOLD: rdata = threshold[31:0];
        R_THRESHOLD_HI: rdata = threshold[39:32];
        R_CTRL: rdata = ctrl_read;
        R_RECORD_HIGH: rdata = record_high;
        R_RECORD_LIMIT: rdata = record_limit;
        R_RECORD_START: rdata = record_start;
        R_RECORD_STATE: rdata = record_position;
        R_DIGEST: fold;
        R_STORED: mix_stored;
        default: begin
            rdata = 0; // D-51
            if (GEN >= GF100)
                gf100_read;
        end
        endcase
endtask

// D-50, D-33
task power_up;
    begin
        {pre_src, start_src, event_src, stop_src, setflag_src, clrflag_src} = 0;
        {pre_op, start_op, event_op, stop_op, setflag_op, clrflag_op} = 0;
        spec_src = GEN >= G84 && GEN < GF100 ? BASE + 'h0f : 0;
        {init_pre, init_stop, threshold, ctrl} = 0;
        {record_high, record_limit, record_start, record_position} = 0;
        {gap, gap_single, gap_quad, gap_start, gap_undone, gap_swap, gap_record} = 0;
        {single_state, quad_state} = 0;
        {cycles, events, starts, pres, stops} = 0;
        {q_cycles, q_events, q_starts, q_pres, q_stops} = 0;
        {flag_reg, flag_before, event_before, late} = 0;
        {level_1, level_2, toggle_1, toggle_2, toggle_3} = 0;
        {user, user_pulse, periodic_count, pm_due, wf_due} = 0;
        {raw, rdata, digest} = 0;
        gf100_power_up;
        flag <= 0;
        event_toggle <= 0;
        flag_toggle <= 0;
    end
endtask

// ---------------------------------------------------------------------------
// For the test bench
// ---------------------------------------------------------------------------

// A running sum over what software can see after each cycle, so that a cycle that went wrong
// cannot hide between two looks; and one over the registers that only writes change.
reg [511:0] digest;
reg [255:0] half;
task fold;
    begin
        half = digest[511:256] ^ digest[255:0];
        half = half ^ half >> 128;
        half = half ^ half >> 64;
        rdata = half ^ half >> 32;
    end
endtask
reg [639:0] stored;
integer i;
task mix_stored;
    begin
        stored = {GEN >= GF100 ? {unkd8, filter, unk74, 24'b0, next_high}
                               : {record_position, record_start, record_limit, 24'b0, record_high},
                  ctrl, 24'b0, threshold, 16'b0, spec_src,
                  11'b0, clrflag_op, 11'b0, setflag_op, 11'b0, stop_op,
                  11'b0, event_op, 11'b0, start_op, 11'b0, pre_op,
                  clrflag_src, setflag_src, stop_src, event_src, start_src, pre_src};
        rdata = 0;
        for (i = 0; i < 20; i = i + 1)
            rdata = {rdata[26:0], rdata[31:27]} + stored[32 * i +: 32];
    end
endtask
