// SPDX-License-Identifier: MIT
//
// The registers that a domain has only on GF100-, part of pcounter_domain.v: the triggers of
// single mode (D-62), the running counters, STATE, VSTATUS (U-014), and what is only stored
// (D-52).

reg [31:0] unk74, unkcc, unkd0, unkd4, unkd8, unkdc, filter;
reg report;             // VSTATUS bit 8
reg [7:0] next_high;    // CTR_CYCLES_NEXT_HIGH and CTR_RECORD_STOP_NEXT: for stream-out only
reg [11:0] next_record;

task gf100_write;
    case (regno)
    R_BEGIN:
        if (mode == SINGLE && gap_single == INACTIVE) begin
            gap_start = 1;
            gap_single = WAIT_PRE;
        end
    R_NEXT_CYCLES: q_cycles = {8'b0, wdata};
    R_NEXT_EVENT: q_events = {8'b0, wdata};
    R_NEXT_START: q_starts = {8'b0, wdata};
    R_NEXT_PRE: q_pres = wdata;
    R_NEXT_STOP: q_stops = wdata;
    R_NEXT_HIGH: next_high = wdata[7:0];
    R_NEXT_RECORD: next_record = wdata[11:0];
    R_VSTATUS: report = wdata[8];
    R_UNK74: unk74 = wdata & 32'hffff0000;
    R_UNKCC: unkcc = wdata & 32'h77777777;
    R_UNKD0: unkd0 = wdata & 32'h77777777;
    R_UNKD4: unkd4 = wdata & 32'h80000007;
    R_UNKD8: unkd8 = wdata;
    R_UNKDC: unkdc = wdata;
    R_FILTER: filter = wdata;
    default: ;
    endcase
endtask

// 0 idle, 1 busy, 3 waiting, 7 halted
assign status = GEN < GF100       ? 4'd0 :
                mode == NOTHING   ? 4'd7 :
                mode == QUAD      ? 4'd1 :
                single_state == INACTIVE ? 4'd0 : single_state == COUNTING ? 4'd1 : 4'd3;

task gf100_read;
    case (regno)
    R_STATE:
        rdata = {4'b0, in_stop, in_start, in_pre, in_event, src[7:6], src[3:2], src[15:12],
                 3'b0, in_swap, src[11:8], event_toggle, 1'b0, flag, flag_reg,
                 quad_state, single_state};
    R_NEXT_CYCLES, R_NEXT_RO: rdata = q_cycles[31:0];
    R_NEXT_EVENT: rdata = q_events[31:0];
    R_NEXT_START: rdata = q_starts[31:0];
    R_NEXT_PRE: rdata = q_pres;
    R_NEXT_STOP: rdata = q_stops;
    R_NEXT_HIGH: rdata = {24'b0, next_high};
    R_NEXT_RECORD: rdata = {20'b0, next_record};
    R_USER_TRIGGER: rdata = {24'b0, user_pulse, user}; // D-32
    R_VSTATUS: rdata = {23'b0, report, 4'b0, status};
    R_UNK74: rdata = unk74;
    R_UNKCC: rdata = unkcc;
    R_UNKD0: rdata = unkd0;
    R_UNKD4: rdata = unkd4;
    R_UNKD8: rdata = unkd8;
    R_UNKDC: rdata = unkdc;
    R_FILTER: rdata = filter;
    default: ;
    endcase
endtask

task gf100_power_up;
    {unk74, unkcc, unkd0, unkd4, unkd8, unkdc, filter, report, next_high, next_record} = 0;
endtask

// What the running sum takes in: the visible counters and the running ones.
reg [511:0] seen_gf100;
task gf100_see;
    seen_gf100 = {
        vec, stops ^ {q_stops[15:0], q_stops[31:16]}, pres ^ {q_pres[15:0], q_pres[31:16]},
        q_cycles[31:0], cycles[31:0], q_events[31:0], events[31:0],
        4'b0, single_state, quad_state, src[15:0], {8'b0, starts[31:0]} ^ {q_starts[31:0], 8'b0}};
endtask
