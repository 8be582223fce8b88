// SPDX-License-Identifier: MIT
//
// "Input selection" of a domain without its flops, restated from the documents for a proof:
// the signals now and one cycle ago, the SRC and OP registers, and what the inputs are.
`default_nettype none

// One input: four selected signals, the same one cycle ago, SETFLAG, the register.
module pc_input #(
    parameter integer NV30 = 0,  // bit 18 of EVENT and STOP is SETFLAG
    parameter integer G92 = 0,   // ARG2 and ARG3 can be late
    parameter integer GF100 = 0, // with the same bits for all inputs
    parameter integer CHAIN = 0  // EVENT or STOP
) (
    input wire [255:0] now,
    input wire [255:0] before,
    input wire [31:0] src,
    input wire [31:0] op,
    input wire setflag,
    output wire out
);
localparam integer LATE2 = CHAIN || GF100 ? 19 : 18;
wire [3:0] s = {now[src[31:24]], now[src[23:16]], now[src[15:8]], now[src[7:0]]};
wire [1:0] late = {before[src[15:8]], before[src[7:0]]};
wire [3:0] arg;
assign arg[0] = op[16] ? late[0] : s[0];
assign arg[1] = op[17] ? late[1] : s[1];
assign arg[2] = G92 && op[LATE2] ? late[0] : s[2];
assign arg[3] = NV30 && CHAIN && op[18] ? setflag : G92 && op[LATE2 + 1] ? late[1] : s[3];
wire [15:0] table_now = op[15:0] >> arg;
assign out = table_now[0];
endmodule

module pc_inputs #(
    parameter integer NV30 = 0, G92 = 0, GF100 = 0
) (
    input wire [255:0] now,
    input wire [255:0] before,
    input wire [191:0] src, // CLRFLAG, SETFLAG, STOP, EVENT, START, PRE
    input wire [191:0] op,
    output wire [5:0] out
);
wire [31:0] pre = src[31:0], start = src[63:32];
// From NV30 on the last two inputs borrow their sources.
wire [31:0] set_src = NV30 ? {pre[15:8], pre[7:0], start[31:24], start[23:16]} : src[159:128];
wire [31:0] clr_src = NV30 ? {start[15:8], start[7:0], pre[31:24], pre[23:16]} : src[191:160];

pc_input #(NV30, G92, GF100, 0) i_pre(now, before, pre, op[31:0], 1'b0, out[0]);
pc_input #(NV30, G92, GF100, 0) i_start(now, before, start, op[63:32], 1'b0, out[1]);
pc_input #(NV30, G92, GF100, 1) i_event(now, before, src[95:64], op[95:64], out[4], out[2]);
pc_input #(NV30, G92, GF100, 1) i_stop(now, before, src[127:96], op[127:96], out[4], out[3]);
pc_input #(NV30, G92, GF100, 0) i_set(now, before, set_src, op[159:128], 1'b0, out[4]);
pc_input #(NV30, G92, GF100, 0) i_clr(now, before, clr_src, op[191:160], 1'b0, out[5]);
endmodule
`default_nettype wire
