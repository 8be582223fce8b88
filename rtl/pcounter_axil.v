// SPDX-License-Identifier: MIT
//
// PCOUNTER on AXI4-Lite: the unit of pcounter.v behind a 32-bit subordinate. Its parameters and the
// ports of its domains are those of pcounter.v; `aclk` is the unit's clock.
//
// Reads and writes are accepted independently and take turns at the unit; address and data of a
// write may come in any order. A response waits as long as its receiver does and does not hold up
// the other kind. Answers: OKAY; SLVERR if the address is not that of a word, or if a write has
// some byte enables but not all; DECERR outside of the unit. An access that is not OKAY does nothing
// and reads 0. A write without byte enables does nothing and is OKAY.
`default_nettype none

module pcounter_axil #(
    parameter [63:0] LAYOUT = "G80",
    parameter integer DOMAINS = 1,
    parameter integer SIGNALS = 256,
    parameter [127:0] SIZES = {8{SIGNALS[15:0]}},
    parameter [127:0] BASES =
        {8{SIGNALS[15:0] - (LAYOUT == "GF100" || LAYOUT == "GK104" ? 16'd64 : 16'd32)}},
    parameter [127:0] USERS_0 = {128{1'b1}},
    parameter [127:0] USERS_1 = {128{1'b1}},
    parameter [15:0] PM_RAW = 16'h0070,
    parameter integer ADDR_WIDTH = 32 // 12 to 32
) (
    input wire aclk,
    input wire aresetn,

    input wire [ADDR_WIDTH-1:0] s_axil_awaddr,
    input wire [2:0] s_axil_awprot,
    input wire s_axil_awvalid,
    output wire s_axil_awready,
    input wire [31:0] s_axil_wdata,
    input wire [3:0] s_axil_wstrb,
    input wire s_axil_wvalid,
    output wire s_axil_wready,
    output reg [1:0] s_axil_bresp,
    output reg s_axil_bvalid,
    input wire s_axil_bready,
    input wire [ADDR_WIDTH-1:0] s_axil_araddr,
    input wire [2:0] s_axil_arprot,
    input wire s_axil_arvalid,
    output wire s_axil_arready,
    output reg [31:0] s_axil_rdata,
    output reg [1:0] s_axil_rresp,
    output reg s_axil_rvalid,
    input wire s_axil_rready,

    input wire [DOMAINS-1:0] tick,
    input wire [DOMAINS*SIGNALS-1:0] signals,
    input wire [DOMAINS-1:0] pm_trigger,
    input wire [DOMAINS-1:0] wrcache_flush
);

localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10, DECERR = 2'b11;
// Bits of an address inside of the unit: 64 KiB or 4 KiB
localparam integer INSIDE = LAYOUT == "GF100" || LAYOUT == "GK104" ? 16 : 12;

// What was accepted and waits for its turn
reg have_aw, have_w, have_ar;
reg [ADDR_WIDTH-1:0] awaddr, araddr;
reg [31:0] wdata;
reg [3:0] wstrb;
assign s_axil_awready = !have_aw;
assign s_axil_wready = !have_w;
assign s_axil_arready = !have_ar;

// Turns: an access in this clock, its answer from the unit in the next, `wrote` or `had_read`, and
// the response from then on.
reg wrote, had_read, wrote_last;
reg answer_outside, answer_empty;
wire can_write = have_aw && have_w && !wrote && !s_axil_bvalid;
wire can_read = have_ar && !had_read && !s_axil_rvalid;
wire take_write = can_write && !(can_read && wrote_last);
wire take_read = can_read && !take_write;

wire [ADDR_WIDTH-1:0] addr = take_write ? awaddr : araddr;
wire [63:0] place = {{(64 - ADDR_WIDTH){1'b0}}, addr};
wire outside = place >> INSIDE != 0;
wire empty = take_write && wstrb == 0;
wire [31:0] rdata;
wire error;
pcounter #(
    .LAYOUT(LAYOUT), .DOMAINS(DOMAINS), .SIGNALS(SIGNALS), .SIZES(SIZES), .BASES(BASES),
    .USERS_0(USERS_0), .USERS_1(USERS_1), .PM_RAW(PM_RAW)
) unit (
    .clk(aclk), .reset(!aresetn), .addr(place[15:0]),
    .write(take_write && !outside && !empty), .read(take_read && !outside),
    .strobe(wstrb), .wdata(wdata), .rdata(rdata), .error(error),
    .tick(tick), .signals(signals), .pm_trigger(pm_trigger), .wrcache_flush(wrcache_flush)
);
wire [1:0] answer = answer_outside ? DECERR : answer_empty ? OKAY : error ? SLVERR : OKAY;

always @(posedge aclk)
    if (!aresetn) begin
        {have_aw, have_w, have_ar, wrote, had_read, wrote_last} <= 0;
        {s_axil_bvalid, s_axil_rvalid, answer_outside, answer_empty} <= 0;
        {s_axil_bresp, s_axil_rresp, s_axil_rdata, awaddr, araddr, wdata, wstrb} <= 0;
    end else begin
        if (s_axil_awvalid && s_axil_awready) begin
            have_aw <= 1;
            awaddr <= s_axil_awaddr;
        end
        if (s_axil_wvalid && s_axil_wready) begin
            have_w <= 1;
            wdata <= s_axil_wdata;
            wstrb <= s_axil_wstrb;
        end
        if (s_axil_arvalid && s_axil_arready) begin
            have_ar <= 1;
            araddr <= s_axil_araddr;
        end

        if (take_write)
            {have_aw, have_w} <= 0;
        if (take_read)
            have_ar <= 0;
        if (take_write || take_read) begin
            wrote_last <= take_write;
            answer_outside <= outside;
            answer_empty <= empty;
        end
        wrote <= take_write;
        had_read <= take_read;

        if (s_axil_bvalid && s_axil_bready)
            s_axil_bvalid <= 0;
        if (wrote) begin
            s_axil_bvalid <= 1;
            s_axil_bresp <= answer;
        end
        if (s_axil_rvalid && s_axil_rready)
            s_axil_rvalid <= 0;
        if (had_read) begin
            s_axil_rvalid <= 1;
            s_axil_rresp <= answer;
            s_axil_rdata <= answer_outside ? 32'b0 : rdata;
        end
    end

wire unused = &{1'b0, s_axil_awprot, s_axil_arprot};

endmodule
`default_nettype wire
