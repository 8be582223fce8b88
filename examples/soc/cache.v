// SPDX-License-Identifier: MIT
// Control of a direct-mapped write-back cache that waits for its misses: a request
// is looked up the cycle after it left the queue; a miss stops the pipe until the
// old line has been written back, if dirty, and the new one has been fetched.
module cache (
    input  wire clk,
    input  wire rst_n,
    input  wire waiting,           // a request is in the queue
    output wire take,
    input  wire found,             // the tags know the line that is looked up
    input  wire victim_dirty,
    output wire fill,
    output wire cmd_valid,
    output wire cmd_write,
    input  wire cmd_full,
    input  wire reply_valid,
    output wire reply_take,
    output wire hit,
    output wire miss,
    output wire evict,             // the miss throws out a dirty line
    output wire stall,             // the pipe takes nothing
    output wire refill_busy,
    output reg  resp_valid
);
    localparam [2:0] RUN = 3'd0, WRITE_BACK = 3'd1, FETCH = 3'd2, WAIT = 3'd3, FILL = 3'd4;

    reg [2:0] state;
    reg [1:0] beat;                // of a line that arrives, four cycles
    reg       lookup;              // a request is in the pipe

    assign hit         = lookup && found;
    assign miss        = lookup && !found;
    assign evict       = miss && victim_dirty;
    assign stall       = state != RUN || miss;
    assign take        = waiting && !stall;
    assign refill_busy = state == FETCH || state == WAIT || state == FILL;
    assign cmd_valid   = state == WRITE_BACK || state == FETCH;
    assign cmd_write   = state == WRITE_BACK;
    assign reply_take  = state == WAIT && reply_valid;
    assign fill        = state == FILL && beat == 2'd3;

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            lookup     <= 1'b0;
            resp_valid <= 1'b0;
        end else begin
            lookup     <= take;
            resp_valid <= hit || fill;
        end

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            state <= RUN;
            beat  <= 2'd0;
        end else
            case (state)
                RUN:        if (miss) state <= evict ? WRITE_BACK : FETCH;
                WRITE_BACK: if (!cmd_full) state <= FETCH;
                FETCH:      if (!cmd_full) state <= WAIT;
                WAIT:       if (reply_valid) state <= FILL;
                default: begin
                    beat <= beat + 2'd1;
                    if (fill) state <= RUN;
                end
            endcase
endmodule
