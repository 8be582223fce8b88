// SPDX-License-Identifier: MIT
//
// Computes the "Input selection" of one domain, without flops: SRC, PRE, START, EVENT, STOP, SETFLAG
// and CLRFLAG from signals. Six nibbles have the same order everywhere: CLRFLAG, SETFLAG, STOP,
// EVENT, START, PRE from the top.
`default_nettype none

module pcounter_inputs #(
    parameter integer GEN = 4,       // variant, see pcounter.vh
    parameter [7:0] OWN_EVENT = 0    // number of the signal that is the domain's own EVENT
) (
    input wire [255:0] seen,         // all signals, the own EVENT as of the cycle before
    input wire [191:0] sources,      // the six *_SRC registers
    input wire [125:0] operations,   // the six *_OP registers, 21 bits each
    input wire [23:0] src_before,    // `src` of the cycle before
    output wire [23:0] src,
    output wire in_pre,
    output wire in_start,
    output wire in_event,
    output wire in_stop,
    output wire in_setflag,
    output wire in_clrflag
);

`include "pcounter.vh"

wire [20:0] pre_op = operations[20:0], start_op = operations[41:21], event_op = operations[62:42];
wire [20:0] stop_op = operations[83:63], setflag_op = operations[104:84];
wire [20:0] clrflag_op = operations[125:105];
wire [15:0] pre_table = pre_op[15:0], start_table = start_op[15:0], event_table = event_op[15:0];
wire [15:0] stop_table = stop_op[15:0], setflag_table = setflag_op[15:0];
wire [15:0] clrflag_table = clrflag_op[15:0];

// Step 1. NV30-: SETFLAG and CLRFLAG share the sources of PRE and START.
wire [15:0] picked;
wire [7:0] picked_flag;
genvar i;
generate
    for (i = 0; i < 16; i = i + 1) begin : source
        assign picked[i] = seen[sources[8*i +: 8]];
    end
    for (i = 0; i < 8; i = i + 1) begin : flag_source
        if (GEN < NV30) begin : separate
            assign picked_flag[i] = seen[sources[128 + 8*i +: 8]];
        end else begin : shared
            assign picked_flag[i] = picked[(i + 6) % 8];
        end
    end
endgenerate
wire [23:0] src_0 = {picked_flag, picked};

// The sources that select the domain's own EVENT.
wire [15:0] own_16;
generate
    for (i = 0; i < 16; i = i + 1) begin : own_source
        assign own_16[i] = GEN >= NV40 && sources[8*i +: 8] == OWN_EVENT;
    end
endgenerate
wire [23:0] own = {own_16[5:0], own_16[7:6], own_16};

// Steps 3 to 6: the arguments that are SRC[0] or SRC[1] of the cycle before. Bits that a variant
// lacks are 0 by the RW masks. GF100-: the same bits for all inputs (D-12).
wire [23:0] use_late =
    GEN >= GF100 ? {clrflag_op[20:19], clrflag_op[17:16], setflag_op[20:19], setflag_op[17:16],
                    stop_op[20:19], stop_op[17:16], event_op[20:19], event_op[17:16],
                    start_op[20:19], start_op[17:16], pre_op[20:19], pre_op[17:16]}
                 : {clrflag_op[19:16], setflag_op[19:16],
                    stop_op[20:19], stop_op[17:16], event_op[20:19], event_op[17:16],
                    start_op[19:16], pre_op[19:16]};
wire [23:0] late_01 = src_before & 24'h333333;
wire [23:0] late = late_01 | {late_01[21:0], 2'b0}; // D-19, D-20
wire [23:0] arg_0 = (src_0 & ~use_late) | (late & use_late);

// Steps 2 to 8 for EVENT. Where it selects its own output, itself or through SETFLAG, it sees that
// of the cycle before (D-21).
wire setflag_0 = setflag_table[arg_0[19:16]];
wire chained = GEN >= NV30 && event_op[18];
wire [3:0] event_index = {chained ? setflag_0 : arg_0[11], arg_0[10:8]};
assign in_event = event_table[event_index];

// All others see the EVENT of this cycle.
assign src = (src_0 & ~own) | ({24{in_event}} & own);
wire [23:0] arg = (src & ~use_late) | (late & use_late);
assign in_setflag = chained ? setflag_0 : setflag_table[arg[19:16]]; // D-21a
assign in_clrflag = clrflag_table[arg[23:20]];
assign in_pre = pre_table[arg[3:0]];
assign in_start = start_table[arg[7:4]];
wire [3:0] stop_index = {GEN >= NV30 && stop_op[18] ? in_setflag : arg[15], arg[14:12]};
assign in_stop = stop_table[stop_index];

endmodule
`default_nettype wire
