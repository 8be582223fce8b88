// SPDX-License-Identifier: MIT
// Lets a reset go in step with a clock, after four of its cycles.
module reset_release (
    input  wire clk,
    input  wire go,
    output wire rst_n
);
    reg [3:0] passed = 4'd0;
    always @(posedge clk) passed <= {passed[2:0], go};
    assign rst_n = passed[3];
endmodule
