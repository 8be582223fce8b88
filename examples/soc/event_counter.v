// SPDX-License-Identifier: MIT
// A register that counts an event of the design, as every design has somewhere.
module event_counter (
    input wire       clk,
    input wire       rst_n,
    input wire [3:0] amount
);
    reg [31:0] value;
    always @(posedge clk or negedge rst_n)
        if (!rst_n) value <= 32'd0;
        else        value <= value + {28'd0, amount};
endmodule
