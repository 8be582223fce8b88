// SPDX-License-Identifier: MIT
// Says every 512 cycles that a refresh is due, until it has begun.
module refresh_timer (
    input  wire mem_clk,
    input  wire mem_rst_n,
    input  wire begun,
    output reg  due
);
    reg [8:0] age;
    always @(posedge mem_clk or negedge mem_rst_n)
        if (!mem_rst_n) begin
            age <= 9'd0;
            due <= 1'b0;
        end else begin
            age <= age + 9'd1;
            if (age == 9'd511) due <= 1'b1;
            else if (begun)    due <= 1'b0;
        end
endmodule
