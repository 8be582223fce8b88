// SPDX-License-Identifier: MIT
// The queue between arbiter and cache: sixteen requests, one clock. It reports how full it
// is; its store keeps the entries.
module request_queue (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       fifo_push,
    input  wire       fifo_pop,
    output wire       fifo_full,
    output wire       fifo_empty,
    output reg  [4:0] fifo_level
);
    assign fifo_full  = fifo_level == 5'd16;
    assign fifo_empty = fifo_level == 5'd0;

    always @(posedge clk or negedge rst_n)
        if (!rst_n) fifo_level <= 5'd0;
        else        fifo_level <= fifo_level + {4'd0, fifo_push} - {4'd0, fifo_pop};
endmodule
