// SPDX-License-Identifier: MIT
// Asks for a burst of successive lines of memory. A request waits with req_valid
// until req_ready takes it.
module requester (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        start,
    input  wire        start_write,
    input  wire [3:0]  start_words,
    input  wire [4:0]  start_length,
    input  wire [15:0] start_line,
    output wire        req_valid,
    input  wire        req_ready,
    output reg         req_write,
    output reg  [3:0]  req_words,  // how many words of the line it wants, 1..15
    output reg  [15:0] req_line
);
    reg [4:0] left;                // requests of this burst still to come
    assign req_valid = left != 5'd0;

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            left      <= 5'd0;
            req_write <= 1'b0;
            req_words <= 4'd0;
            req_line  <= 16'd0;
        end else if (start) begin
            left      <= start_length;
            req_write <= start_write;
            req_words <= start_words;
            req_line  <= start_line;
        end else if (req_valid && req_ready) begin
            left      <= left - 5'd1;
            req_line  <= req_line + 16'd1;
        end
endmodule
