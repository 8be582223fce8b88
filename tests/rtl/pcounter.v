// SPDX-License-Identifier: MIT
//
// One PCOUNTER domain set: up to eight domains, the decoding of the MMIO range in the layouts
// of NV10, NV40 and GF100, and the registers that the domains share.
//
// `address` is the low 12 bits of the MMIO address.  Bit 12 is for the test bench: it asks a
// domain for one of its digests.  Bit 13, GF100-: the block of the set, not one of a domain.
`default_nettype none

module pcounter #(
    parameter integer GEN = 0,
    parameter integer DOMAINS = 1,
    // 16 bits a domain, domain 0 lowest; ffff: none
    parameter [127:0] SIZES = 0,
    parameter [127:0] BASES = 0,
    parameter [127:0] USERS_0 = 0,
    parameter [127:0] USERS_1 = 0,
    parameter [15:0] PM_RAW = 16'hffff
) (
    input wire clk,
    input wire sample,
    input wire reset,
    input wire [7:0] edges, // domains whose clock rises at this instant
    input wire write,
    input wire read,
    input wire [13:0] address,
    input wire [31:0] wdata,
    output reg [31:0] rdata,
    input wire pulse_pm,
    input wire pulse_wf,
    input wire [3:0] pulse_delay,
    input wire [7:0] drive, // the card drives `signals` into these domains from now on
    input wire [255:0] signals
);

`include "pcounter.vh"

localparam [11:0] A_CHAN = 12'h7a0, A_DMA = 12'h7a4, A_GCTRL = 12'h7a8;
localparam [11:0] A_NV10_ACK = 12'h738, A_NV10_CTRL = 12'h73c;

// ---------------------------------------------------------------------------
// Address to domain and register
// ---------------------------------------------------------------------------
reg [7:0] sel;
reg [6:0] regno;
reg [31:0] wdata_0, wdata_1; // domain 1 gets its own where NV10's registers are shared

// "NV10": two blocks of 100h a domain.
task decode_nv10;
    begin
        sel = 8'd1 << address[8];
        wdata_0 = wdata;
        wdata_1 = wdata;
        case ({address[11:9], address[7:2], 2'b00})
        11'h200: regno = R_PRE_SRC;
        11'h204: regno = R_PRE_OP;
        11'h208: regno = R_START_SRC;
        11'h20c: regno = R_START_OP;
        11'h210: regno = R_EVENT_SRC;
        11'h214: regno = R_EVENT_OP;
        11'h218: regno = R_STOP_SRC;
        11'h21c: regno = R_STOP_OP;
        11'h220: regno = R_SETFLAG_SRC;
        11'h224: regno = R_SETFLAG_OP;
        11'h228: regno = R_CLRFLAG_SRC;
        11'h22c: regno = R_CLRFLAG_OP;
        11'h230, 11'h234, 11'h238, 11'h23c: regno = R_SIG_STATUS + address[3:2];
        11'h300: regno = R_CYCLES;
        11'h304: regno = R_CYCLES_HI;
        11'h308: regno = R_CYCLES_ALT;
        11'h30c: regno = R_CYCLES_HI;
        11'h310: regno = R_EVENT;
        11'h314: regno = R_EVENT_HI;
        11'h318: regno = R_START;
        11'h31c: regno = R_START_HI;
        11'h320: regno = R_PRE;
        11'h324: regno = R_STOP;
        11'h328: regno = R_THRESHOLD;
        11'h32c: regno = R_THRESHOLD_HI;
        11'h330, 11'h334, 11'h338, 11'h33c: regno = R_SIG_STATUS + 7'd4 + address[3:2];
        default: sel = 0;
        endcase
        if (address[11:0] == A_NV10_ACK) begin // D-02, D-04
            sel = write ? 8'h03 : 8'h00;
            regno = R_QUAD_ACK;
            wdata_0 = {31'b0, wdata[0]};
            wdata_1 = {31'b0, wdata[8]};
        end
        if (address[11:0] == A_NV10_CTRL) begin // D-58
            sel = write ? 8'h03 : 8'h00;
            regno = R_CTRL;
            wdata_0 = {23'b0, wdata[8], 3'b0, wdata[2], 3'b0, wdata[16]};
            wdata_1 = {23'b0, wdata[9], 3'b0, wdata[2], 3'b0, wdata[18]};
        end
    end
endtask

// "NV40": 20h a register, 4 a domain.  CTR_CYCLES_HI and the like do not exist here.
task decode_nv40;
    begin
        sel = 8'd1 << address[4:2];
        regno = address[11:5];
        wdata_0 = wdata;
        wdata_1 = wdata;
        case (regno)
        R_PRE_SRC, R_PRE_OP, R_START_SRC, R_START_OP, R_EVENT_SRC, R_EVENT_OP, R_STOP_SRC,
        R_STOP_OP, R_SETFLAG_OP, R_CLRFLAG_OP, R_SRC_STATUS, R_SPEC_SRC, R_USER_TRIGGER,
        R_CYCLES, R_CYCLES_ALT, R_EVENT, R_RECORD_HIGH, R_START, R_RECORD_STATE, R_PRE,
        R_RECORD_LIMIT, R_STOP, R_RECORD_START, R_THRESHOLD, R_CTRL, R_QUAD_ACK: ;
        default: sel = 0;
        endcase
        if (address[11:8] == 4'h8) begin
            sel = 8'd1 << address[7:5];
            regno = R_SIG_STATUS + address[4:2];
        end
    end
endtask

// "GF100": a block of 200h a domain.
task decode_gf100;
    begin
        sel = address[13] ? 8'd0 : 8'd1 << address[11:9];
        wdata_0 = wdata;
        wdata_1 = wdata;
        case ({address[8:2], 2'b00})
        9'h000, 9'h004, 9'h008, 9'h00c, 9'h010, 9'h014, 9'h018, 9'h01c:
            regno = R_SIG_STATUS + address[4:2];
        9'h040: regno = R_PRE_SRC;
        9'h044: regno = R_PRE_OP;
        9'h048: regno = R_START_SRC;
        9'h04c: regno = R_START_OP;
        9'h050: regno = R_EVENT_SRC;
        9'h054: regno = R_EVENT_OP;
        9'h058: regno = R_STOP_SRC;
        9'h05c: regno = R_STOP_OP;
        9'h060: regno = R_SETFLAG_OP;
        9'h064: regno = R_CLRFLAG_OP;
        9'h068: regno = R_SRC_STATUS;
        9'h06c: regno = R_SPEC_SRC; // SWAP_SRC
        9'h070: regno = R_CYCLES;
        9'h074: regno = R_UNK74;
        9'h078: regno = R_NEXT_RO;
        9'h080: regno = R_EVENT;
        9'h088: regno = R_START;
        9'h08c: regno = R_PRE;
        9'h090: regno = R_STOP;
        9'h094: regno = R_ABORT;
        9'h098: regno = R_THRESHOLD;
        9'h09c: regno = R_CTRL;
        9'h0a0: regno = R_QUAD_ACK;
        9'h0a4: regno = R_NEXT_EVENT;
        9'h0a8: regno = R_NEXT_PRE;
        9'h0ac: regno = R_NEXT_START;
        9'h0b0: regno = R_NEXT_STOP;
        9'h0bc: regno = R_NEXT_CYCLES;
        9'h0c0: regno = R_NEXT_HIGH;
        9'h0c4: regno = R_NEXT_RECORD;
        9'h0c8: regno = R_VSTATUS;
        9'h0cc: regno = R_UNKCC;
        9'h0d0: regno = R_UNKD0;
        9'h0d4: regno = R_UNKD4;
        9'h0d8: regno = R_UNKD8;
        9'h0dc: regno = R_UNKDC;
        9'h0e0: regno = R_BEGIN;
        9'h0e4: regno = R_STATE;
        9'h0ec: regno = R_USER_TRIGGER;
        9'h100: regno = R_FILTER;
        default: sel = 0;
        endcase
    end
endtask

always @(address or wdata or write) begin
    regno = 0;
    if (GEN >= GF100)
        decode_gf100;
    else if (GEN >= NV40)
        decode_nv40;
    else
        decode_nv10;
    if (address[12]) begin
        sel = 8'd1 << address[5:3];
        regno = address[6] ? R_STORED : R_DIGEST;
    end
end

// ---------------------------------------------------------------------------
// Domains
// ---------------------------------------------------------------------------
wire [15:0] slots, slot_toggles; // EVENT of domains 7 to 0, FLAG of domains 7 to 0
wire [255:0] dom_rdata, dom_ctrl;
wire [31:0] dom_status; // GF100-: VSTATUS of domain d in bits 4d+2 to 4d
reg [1:0] gctrl; // PERIODIC_RESET, RECORD_RESET

genvar d;
generate
    for (d = 0; d < 8; d = d + 1) begin : dom
        if (d < DOMAINS) begin : present
            pcounter_domain #(
                .GEN(GEN), .ME(d), .SIZE(SIZES[16*d +: 16]), .BASE(BASES[16*d +: 16]),
                .USER_0(USERS_0[16*d +: 16] == 16'hffff ? -1 : USERS_0[16*d +: 16]),
                .USER_1(USERS_1[16*d +: 16] == 16'hffff ? -1 : USERS_1[16*d +: 16]),
                .PM_RAW(PM_RAW == 16'hffff ? -1 : PM_RAW)
            ) u (
                .clk(clk), .sample(sample), .reset(reset), .tick(edges[d]),
                .write(write && sel[d]), .read(read && sel[d]), .regno(regno),
                .wdata(d == 1 ? wdata_1 : wdata_0), .rdata(dom_rdata[32*d +: 32]),
                .ctrl_read(dom_ctrl[32*d +: 32]), .status(dom_status[4*d +: 4]),
                .periodic_reset(gctrl[1]),
                .pulse_pm(pulse_pm), .pulse_wf(pulse_wf), .pulse_delay(pulse_delay),
                .drive(drive[d]), .signals(signals),
                .slots(slots), .slot_toggles(slot_toggles),
                .in_event(slots[7 - d]), .flag(slots[15 - d]),
                .event_toggle(slot_toggles[7 - d]), .flag_toggle(slot_toggles[15 - d])
            );
        end else begin : absent // D-60
            assign dom_rdata[32*d +: 32] = 0;
            assign dom_ctrl[32*d +: 32] = 0;
            assign dom_status[4*d +: 4] = 0;
            assign {slots[7 - d], slots[15 - d]} = 0;
            assign {slot_toggles[7 - d], slot_toggles[15 - d]} = 0;
        end
    end
endgenerate

// ---------------------------------------------------------------------------
// Shared registers
// ---------------------------------------------------------------------------
reg [1:0] tvout; // D-59
reg [31:0] record_chan;
reg [15:0] record_dma;
reg [31:0] dset_ctrl, dset_slcg; // GF100-
reg dset_report;
localparam [4:0] A_DSET_CTRL = 5'h00, A_DSET_VSTATUS_0 = 5'h10, A_DSET_VSTATUS_1 = 5'h14,
                 A_DSET_SLCG = 5'h18;

wire [31:0] ctrl_0 = dom_ctrl[31:0], ctrl_1 = dom_ctrl[63:32];
wire [31:0] nv10_ctrl = {4'b0, ctrl_1[25:24], ctrl_0[25:24], 5'b0, ctrl_1[0], 1'b0, ctrl_0[0],
                         6'b0, ctrl_1[8], ctrl_0[8], 1'b0, ctrl_1[29:28], ctrl_0[29:28],
                         ctrl_0[4], tvout};

always @(posedge clk)
    if (reset)
        {tvout, record_chan, record_dma, gctrl, dset_ctrl, dset_slcg, dset_report} = 0;
    else if (GEN >= GF100) begin
        if (write && address[13] && address[11:5] == 0)
            case (address[4:0])
            A_DSET_CTRL: begin
                dset_ctrl = wdata & 32'ha0000031;
                gctrl = {wdata[4], wdata[0]};
            end
            A_DSET_VSTATUS_0: dset_report = wdata[8];
            A_DSET_SLCG: dset_slcg = GEN >= GK104 ? wdata : 0;
            default: ;
            endcase
    end else if (write && !address[12]) begin
        if (GEN < NV40 && address[11:0] == A_NV10_CTRL)
            tvout = wdata[1:0];
        if (GEN >= G84 && address[11:0] == A_CHAN)
            record_chan = wdata & 32'hbfffffff;
        if (GEN >= G84 && address[11:0] == A_DMA)
            record_dma = wdata[15:0];
        if (GEN >= G84 && address[11:0] == A_GCTRL)
            gctrl = {wdata[4], wdata[0]};
    end

// The domain answers at `clk`; the answer stands until the next access.
reg [7:0] answered;
reg [11:0] asked;
reg asked_set;
always @(posedge clk)
    if (read) begin
        answered = sel;
        asked = address[11:0];
        asked_set = address[13];
    end

// VSTATUS of the set (U-014): busy if any domain is busy (1) or waits (3).
reg set_busy;
integer i;
always @* begin
    set_busy = 0;
    for (i = 0; i < DOMAINS; i = i + 1)
        set_busy = set_busy | dom_status[4*i +: 4] == 1 | dom_status[4*i +: 4] == 3;
end

always @* begin
    rdata = 0;
    for (i = 0; i < DOMAINS; i = i + 1)
        if (answered[i])
            rdata = dom_rdata[32*i +: 32];
    if (answered == 0 && GEN < NV40 && asked == A_NV10_CTRL)
        rdata = nv10_ctrl;
    if (answered == 0 && GEN >= GF100 && asked_set)
        case (asked)
        {7'b0, A_DSET_CTRL}: rdata = dset_ctrl;
        {7'b0, A_DSET_VSTATUS_0}: rdata = {23'b0, dset_report, 7'b0, set_busy};
        {7'b0, A_DSET_VSTATUS_1}: rdata = dom_status;
        {7'b0, A_DSET_SLCG}: rdata = dset_slcg;
        default: ;
        endcase
    if (answered == 0 && GEN >= NV40 && GEN < GF100)
        case (asked)
        A_CHAN: rdata = record_chan;
        A_DMA: rdata = record_dma;
        A_GCTRL: rdata = {27'b0, gctrl[1], 3'b0, gctrl[0]};
        default: ;
        endcase
end

endmodule
`default_nettype wire
