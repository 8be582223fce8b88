// SPDX-License-Identifier: MIT
// Decides when a requester begins a burst, where, and how long it is: random by a
// shift register of its own, and so the same in every simulation.
module workload #(
    parameter [31:0] SEED = 32'd1,
    parameter [15:0] BASE = 16'd0
) (
    input  wire        clk,
    input  wire        rst_n,
    input  wire [7:0]  rate,
    input  wire [3:0]  burst,
    input  wire [9:0]  span,
    input  wire        busy,       // the requester still works on the last one
    output reg         start,
    output reg         start_write,
    output reg  [3:0]  start_words,
    output reg  [4:0]  start_length,
    output reg  [15:0] start_line
);
    reg [31:0] lfsr;
    always @(posedge clk or negedge rst_n)
        if (!rst_n) lfsr <= SEED;
        else        lfsr <= {1'b0, lfsr[31:1]} ^ (lfsr[0] ? 32'h80200003 : 32'd0);

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            start        <= 1'b0;
            start_write  <= 1'b0;
            start_words  <= 4'd0;
            start_length <= 5'd0;
            start_line   <= BASE;
        end else begin
            start <= 1'b0;
            if (!busy && !start && lfsr[7:0] < rate) begin
                start        <= 1'b1;
                start_write  <= lfsr[31:30] == 2'd0;
                start_words  <= lfsr[11:8] | 4'd1;
                start_length <= {1'b0, lfsr[29:26] & burst} + 5'd1;
                start_line   <= BASE + {6'd0, lfsr[25:16] & span};
            end
        end
endmodule
