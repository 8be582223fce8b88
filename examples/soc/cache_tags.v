// SPDX-License-Identifier: MIT
// Keeps the state of the cache's 64 lines: which are present, which are dirty, and
// the upper bits of their addresses; and the request that is being looked up.
module cache_tags (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        take,
    input  wire        want_write,
    input  wire [15:0] want_line,
    input  wire        hit,
    input  wire        fill,
    output wire        found,
    output wire        victim_dirty,
    input  wire        cmd_write,
    output wire [7:0]  cmd_place   // row and bank of the old line to write or the new one to read
);
    reg [9:0]  upper [0:63];
    reg [63:0] present, dirty;
    reg        is_write;
    reg [5:0]  set;
    reg [9:0]  tag;

    assign cmd_place    = cmd_write ? upper[set][9:2] : tag[9:2];
    assign victim_dirty = present[set] && dirty[set];
    assign found        = present[set] && upper[set] == tag;

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            is_write   <= 1'b0;
            {tag, set} <= 16'd0;
        end else if (take) begin
            is_write   <= want_write;
            {tag, set} <= want_line;
        end

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            present <= 64'd0;
            dirty   <= 64'd0;
        end else if (fill) begin
            present[set] <= 1'b1;
            dirty[set]   <= is_write;
        end else if (hit && is_write)
            dirty[set] <= 1'b1;

    always @(posedge clk)
        if (fill) upper[set] <= tag;
endmodule
