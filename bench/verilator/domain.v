// SPDX-License-Identifier: MIT
//
// One PCOUNTER domain in quad event mode, as small and fast as it can be written: the peer of
// the benchmark, not a witness (that is tests/rtl).  `full` selects 16 of 256 signals.
`default_nettype none

module core (
    input wire clk,
    input wire write,
    input wire [4:0] address, // 16..19: truth table and delays of PRE, START, EVENT, STOP; 31: clear
    input wire [31:0] wdata,
    input wire [15:0] src,
    output wire [127:0] counters
);
reg [15:0] table_of [0:3];
reg [1:0] delay [0:3];
reg [31:0] counter [0:3];
reg [7:0] late;
reg [3:0] on;
integer i;

assign counters = {counter[3], counter[2], counter[1], counter[0]};

always @* begin
    for (i = 0; i < 4; i = i + 1)
        on[i] = table_of[i][{src[4 * i + 3], src[4 * i + 2],
                             delay[i][1] ? late[2 * i + 1] : src[4 * i + 1],
                             delay[i][0] ? late[2 * i] : src[4 * i]}];
end

always @(posedge clk) begin
    for (i = 0; i < 4; i = i + 1) begin
        late[2 * i] <= src[4 * i];
        late[2 * i + 1] <= src[4 * i + 1];
        if (on[i] && counter[i] != 32'hffffffff)
            counter[i] <= counter[i] + 1;
    end
    if (write && address[4:2] == 3'b100) begin
        table_of[address[1:0]] <= wdata[15:0];
        delay[address[1:0]] <= wdata[17:16];
    end
    if (write && address == 31)
        for (i = 0; i < 4; i = i + 1)
            counter[i] <= 0;
end
endmodule

module full (
    input wire clk,
    input wire write,
    input wire [4:0] address, // 0..15: selector
    input wire [31:0] wdata,
    input wire [255:0] signals,
    output wire [127:0] counters
);
reg [7:0] select [0:15];
reg [15:0] src;
integer i;

always @* begin
    for (i = 0; i < 16; i = i + 1)
        src[i] = signals[select[i]];
end

always @(posedge clk)
    if (write && !address[4])
        select[address[3:0]] <= wdata[7:0];

core core (.clk(clk), .write(write), .address(address), .wdata(wdata), .src(src),
           .counters(counters));
endmodule

`default_nettype wire
