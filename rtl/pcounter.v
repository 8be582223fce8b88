// SPDX-License-Identifier: MIT
//
// PCOUNTER as hardware: a set of up to eight domains with the registers of a chip's layout, and a
// 32-bit register port. README.md says how to use it.
//
// There is one clock. `tick[d]` says at which of its edges domain d has a cycle: it is always 1 if
// the domain's signals have the clock `clk`, else it is a clock enable. `reset` is synchronous.
//
// Register port: `write` or `read` is 1 for one clock; `addr` is the offset from the start of the
// unit's registers (PCOUNTER at 00a000: 00a404 is 0404; GF100-: of domain 0 of the set, 1b0000 of
// the hub). A write takes place at the edge; `rdata` and `error` are the answer from the edge on,
// until the next access. `error`: the address is not that of a word, or outside, or not all of
// `strobe`, the byte enables of a write, are 1; the access then does nothing and reads 0.
`default_nettype none

module pcounter #(
    // Which variant: "NV10" "NV15" "NV20" "NV30" "NV40" "G84" "G92" "GT215" "GF100" or "GK104",
    // each the first chip that has it; "G80" is another name of "NV40".
    parameter [63:0] LAYOUT = "G80",
    parameter integer DOMAINS = 1,
    // Signals of a domain, a multiple of 32, 64 to 256. The last 32 (GF100-: 64) are the special
    // ones, most of which the unit drives itself.
    parameter integer SIGNALS = 256,
    // For the domains of a given chip, 16 bits a domain, domain 0 lowest: number of signals, where
    // the special ones begin, and where the USER signals of GT215:GF100 are (ffff: nowhere).
    parameter [127:0] SIZES = {8{SIGNALS[15:0]}},
    parameter [127:0] BASES =
        {8{SIGNALS[15:0] - (LAYOUT == "GF100" || LAYOUT == "GK104" ? 16'd64 : 16'd32)}},
    parameter [127:0] USERS_0 = {128{1'b1}},
    parameter [127:0] USERS_1 = {128{1'b1}},
    // NV10:NV20: PM_TRIGGER, an ordinary signal there (ffff: none)
    parameter [15:0] PM_RAW = 16'h0070
) (
    input wire clk,
    input wire reset,

    input wire [15:0] addr,
    input wire write,
    input wire read,
    input wire [3:0] strobe,
    input wire [31:0] wdata,
    output reg [31:0] rdata,
    output reg error,

    input wire [DOMAINS-1:0] tick,
    input wire [DOMAINS*SIGNALS-1:0] signals, // domain 0 lowest
    // PM_TRIGGER and WRCACHE_FLUSH of each domain: a pulse of one clock is seen in its next cycle
    input wire [DOMAINS-1:0] pm_trigger,
    input wire [DOMAINS-1:0] wrcache_flush
);

`include "pcounter.vh"

localparam integer GEN =
    LAYOUT == "NV10" ? NV10 : LAYOUT == "NV15" ? NV15 : LAYOUT == "NV20" ? NV20 :
    LAYOUT == "NV30" ? NV30 : LAYOUT == "NV40" ? NV40 : LAYOUT == "G80" ? NV40 :
    LAYOUT == "G84" ? G84 : LAYOUT == "G92" ? G92 : LAYOUT == "GT215" ? GT215 :
    LAYOUT == "GF100" ? GF100 : LAYOUT == "GK104" ? GK104 : -1;

generate
    if (GEN < 0 || DOMAINS < 1 || DOMAINS > 8 || (GEN < NV20 && DOMAINS > 1) ||
        (GEN < NV40 && DOMAINS > 2) || SIGNALS < 64 || SIGNALS > 256 || SIGNALS % 32 != 0)
    begin : unknown
        reg [63:0] name;
        initial begin
            name = LAYOUT;
            $display("pcounter: no such unit: LAYOUT %0s, DOMAINS %0d, SIGNALS %0d",
                     name, DOMAINS, SIGNALS);
            $finish;
        end
    end
endgenerate

localparam [11:0] A_CHAN = 12'h7a0, A_DMA = 12'h7a4, A_GCTRL = 12'h7a8;
localparam [11:0] A_NV10_CTRL = 12'h73c;
localparam [8:0] A_DSET_CTRL = 9'h000, A_DSET_VSTATUS_0 = 9'h010, A_DSET_VSTATUS_1 = 9'h014,
                 A_DSET_SLCG = 9'h018;

wire refused = addr[1:0] != 0 || (GEN < GF100 && addr[15:12] != 0) || (write && strobe != 4'hf);
wire do_write = write && !refused;
wire do_read = read && !refused;
wire at_set = GEN >= GF100 && addr[15:9] == 7'h70; // the block of the set: e000 from domain 0

// ---------------------------------------------------------------------------
// Domains
// ---------------------------------------------------------------------------
wire [7:0] sel;
wire [6:0] regno;
wire [31:0] wdata_0, wdata_1; // domain 1 gets its own where NV10's registers are shared
pcounter_decode #(.GEN(GEN)) decode (
    .addr(addr), .write(write), .wdata(wdata),
    .sel(sel), .regno(regno), .wdata_0(wdata_0), .wdata_1(wdata_1)
);

wire [15:0] slots, slot_toggles; // EVENT of domains 7 to 0 lowest, then FLAG of domains 7 to 0
wire [255:0] dom_rdata, dom_ctrl;
wire [31:0] dom_status; // GF100-: VSTATUS of domain d in bits 4d+2 to 4d
reg [1:0] gctrl; // PERIODIC_RESET, RECORD_RESET

genvar d;
generate
    for (d = 0; d < 8; d = d + 1) begin : dom
        if (d < DOMAINS) begin : present
            localparam integer SIZE = {16'b0, SIZES[16*d +: 16]};
            pcounter_domain #(
                .GEN(GEN), .ME(d), .SIZE(SIZE), .BASE({16'b0, BASES[16*d +: 16]}),
                .USER_0(USERS_0[16*d +: 16] == 16'hffff ? -1 : USERS_0[16*d +: 16]),
                .USER_1(USERS_1[16*d +: 16] == 16'hffff ? -1 : USERS_1[16*d +: 16]),
                .PM_RAW(GEN >= NV20 || PM_RAW == 16'hffff ? -1 : PM_RAW)
            ) u (
                .clk(clk), .reset(reset), .tick(tick[d]),
                .write(do_write && sel[d]), .read(do_read && sel[d]), .regno(regno),
                .wdata(d == 1 ? wdata_1 : wdata_0), .rdata(dom_rdata[32*d +: 32]),
                .ctrl_read(dom_ctrl[32*d +: 32]), .status(dom_status[4*d +: 4]),
                .periodic_reset(gctrl[1]),
                .pm_trigger(pm_trigger[d]), .wrcache_flush(wrcache_flush[d]),
                .signals(signals[SIGNALS*d +: SIZE]),
                .slots(slots), .slot_toggles(slot_toggles),
                .event_now(slots[7 - d]), .flag(slots[15 - d]),
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

wire [31:0] ctrl_0 = dom_ctrl[31:0], ctrl_1 = dom_ctrl[63:32];
wire [31:0] nv10_ctrl = {4'b0, ctrl_1[25:24], ctrl_0[25:24], 5'b0, ctrl_1[0], 1'b0, ctrl_0[0],
                         6'b0, ctrl_1[8], ctrl_0[8], 1'b0, ctrl_1[29:28], ctrl_0[29:28],
                         ctrl_0[4], tvout};

always @(posedge clk)
    if (reset)
        {tvout, record_chan, record_dma, gctrl, dset_ctrl, dset_slcg, dset_report} <= 0;
    else if (GEN >= GF100) begin
        if (do_write && at_set)
            case (addr[8:0])
            A_DSET_CTRL: begin
                dset_ctrl <= wdata & 32'ha0000031;
                gctrl <= {wdata[4], wdata[0]};
            end
            A_DSET_VSTATUS_0: dset_report <= wdata[8];
            A_DSET_SLCG: dset_slcg <= GEN >= GK104 ? wdata : 0;
            default: ;
            endcase
    end else if (do_write) begin
        if (GEN < NV40 && addr[11:0] == A_NV10_CTRL)
            tvout <= wdata[1:0];
        if (GEN >= G84 && addr[11:0] == A_CHAN)
            record_chan <= wdata & 32'hbfffffff;
        if (GEN >= G84 && addr[11:0] == A_DMA)
            record_dma <= wdata[15:0];
        if (GEN >= G84 && addr[11:0] == A_GCTRL)
            gctrl <= {wdata[4], wdata[0]};
    end

// VSTATUS of the set (U-014): busy if any domain is busy (1) or waits (3).
reg set_busy;
integer i;
always @* begin
    set_busy = 0;
    for (i = 0; i < 8; i = i + 1)
        set_busy = set_busy | (dom_status[4*i +: 4] == 1) | (dom_status[4*i +: 4] == 3);
end

// The answer: what a domain latched, or `shared`
reg [7:0] answered;
reg [31:0] shared;
always @(posedge clk)
    if (reset) begin
        answered <= 0;
        shared <= 0;
        error <= 0;
    end else if (read || write) begin
        error <= refused;
        answered <= do_read ? sel : 8'd0;
        shared <= 0;
        if (do_read && GEN >= GF100 && at_set)
            case (addr[8:0])
            A_DSET_CTRL: shared <= dset_ctrl;
            A_DSET_VSTATUS_0: shared <= {23'b0, dset_report, 7'b0, set_busy};
            A_DSET_VSTATUS_1: shared <= dom_status;
            A_DSET_SLCG: shared <= dset_slcg;
            default: ;
            endcase
        else if (do_read && GEN >= NV40 && GEN < GF100)
            case (addr[11:0])
            A_CHAN: shared <= record_chan;
            A_DMA: shared <= {16'b0, record_dma};
            A_GCTRL: shared <= {27'b0, gctrl[1], 3'b0, gctrl[0]};
            default: ;
            endcase
        else if (do_read && GEN < NV40 && addr[11:0] == A_NV10_CTRL)
            shared <= nv10_ctrl;
    end

always @* begin
    rdata = shared;
    for (i = 0; i < 8; i = i + 1)
        if (answered[i])
            rdata = dom_rdata[32*i +: 32];
end

endmodule
`default_nettype wire
