// SPDX-License-Identifier: MIT
//
// PCOUNTER on APB: the unit of pcounter.v behind a 32-bit completer of APB4 (for APB3, PSTRB is
// 1111 and PPROT 000). Its parameters and the ports of its domains are those of pcounter.v; `pclk`
// is the unit's clock.
//
// Each transfer has one wait state, and acts once, in its access phase. PSLVERR: the address is not
// that of a word or outside, or a write has some byte enables but not all; such a transfer does
// nothing and reads 0. A write without byte enables does nothing, without an error.
`default_nettype none

module pcounter_apb #(
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
    input wire pclk,
    input wire presetn,

    input wire [ADDR_WIDTH-1:0] paddr,
    input wire [2:0] pprot,
    input wire psel,
    input wire penable,
    input wire pwrite,
    input wire [31:0] pwdata,
    input wire [3:0] pstrb,
    output wire pready,
    output wire [31:0] prdata,
    output wire pslverr,

    input wire [DOMAINS-1:0] tick,
    input wire [DOMAINS*SIGNALS-1:0] signals,
    input wire [DOMAINS-1:0] pm_trigger,
    input wire [DOMAINS-1:0] wrcache_flush
);

// Bits of an address inside of the unit: 64 KiB or 4 KiB
localparam integer INSIDE = LAYOUT == "GF100" || LAYOUT == "GK104" ? 16 : 12;

reg done; // the transfer has acted: this is its last clock
wire act = psel && penable && !done;
wire [63:0] place = {{(64 - ADDR_WIDTH){1'b0}}, paddr};
wire outside = place >> INSIDE != 0;
wire empty = pwrite && pstrb == 0;
wire [31:0] rdata;
wire error;
pcounter #(
    .LAYOUT(LAYOUT), .DOMAINS(DOMAINS), .SIGNALS(SIGNALS), .SIZES(SIZES), .BASES(BASES),
    .USERS_0(USERS_0), .USERS_1(USERS_1), .PM_RAW(PM_RAW)
) unit (
    .clk(pclk), .reset(!presetn), .addr(place[15:0]),
    .write(act && pwrite && !outside && !empty), .read(act && !pwrite && !outside),
    .strobe(pstrb), .wdata(pwdata), .rdata(rdata), .error(error),
    .tick(tick), .signals(signals), .pm_trigger(pm_trigger), .wrcache_flush(wrcache_flush)
);

assign pready = done;
assign pslverr = done && (outside || (!empty && error));
assign prdata = done && !pwrite && !outside ? rdata : 32'b0;

always @(posedge pclk)
    if (!presetn)
        done <= 0;
    else
        done <= act;

wire unused = &{1'b0, pprot};

endmodule
`default_nettype wire
