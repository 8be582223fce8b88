// SPDX-License-Identifier: MIT
// A memory with four banks that each keep one row open: fast in the open row, slow
// elsewhere, away for a while in every refresh. Only its timing is modelled: a read
// gives a reply without data. Everything here runs on the memory clock.
module memory (
    input  wire       mem_clk,
    input  wire       mem_rst_n,
    input  wire       cmd_valid,
    input  wire       cmd_write,
    input  wire [1:0] bank,
    input  wire [5:0] row,
    output wire       cmd_take,
    output wire       reply,
    output wire       mem_busy,
    output wire       mem_read,
    output wire       mem_write,
    output wire       row_hit,
    output wire       row_miss,
    output wire       refresh
);
    localparam [1:0] IDLE = 2'd0, ACCESS = 2'd1, REFRESH = 2'd2;

    reg [1:0] state;
    reg [3:0] left;                // cycles of this state still to come
    reg       reading;
    reg [3:0] is_open;
    reg [5:0] open_row [0:3];

    wire due;
    wire done = left == 4'd0;
    refresh_timer timer (
        .mem_clk(mem_clk), .mem_rst_n(mem_rst_n), .begun(state == IDLE), .due(due));

    assign cmd_take  = state == IDLE && !due && cmd_valid;
    assign mem_read  = cmd_take && !cmd_write;
    assign mem_write = cmd_take && cmd_write;
    assign row_hit   = cmd_take && is_open[bank] && open_row[bank] == row;
    assign row_miss  = cmd_take && !row_hit;
    assign mem_busy  = state != IDLE;
    assign refresh   = state == REFRESH;
    assign reply     = state == ACCESS && done && reading;

    always @(posedge mem_clk or negedge mem_rst_n)
        if (!mem_rst_n) begin
            state   <= IDLE;
            left    <= 4'd0;
            reading <= 1'b0;
            is_open <= 4'd0;
        end else if (state != IDLE) begin
            left <= left - 4'd1;
            if (done) state <= IDLE;
        end else if (due) begin
            state   <= REFRESH;
            left    <= 4'd15;
            is_open <= 4'd0;
        end else if (cmd_valid) begin
            state         <= ACCESS;
            left          <= row_hit ? 4'd2 : 4'd7;
            reading       <= !cmd_write;
            is_open[bank] <= 1'b1;
        end

    always @(posedge mem_clk)
        if (cmd_take) open_row[bank] <= row;
endmodule
