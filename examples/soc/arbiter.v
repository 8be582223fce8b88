// SPDX-License-Identifier: MIT
// Round robin: the requester after the one served last comes first. One grant a
// cycle at most, none while the queue behind it is full.
module arbiter (
    input  wire       clk,
    input  wire       rst_n,
    input  wire [3:0] request,     // a bit a requester
    input  wire       blocked,
    output reg  [3:0] grant,       // one bit or none
    output wire       granted,
    output wire       contention   // more than one requester wants the cycle
);
    reg [1:0] last;                // served

    always @* begin : choose
        integer   turn;
        reg [1:0] who;
        grant = 4'd0;
        who   = last;
        for (turn = 0; turn < 4; turn = turn + 1) begin
            who = who + 2'd1;
            if (!blocked && request[who] && grant == 4'd0) grant[who] = 1'b1;
        end
    end

    assign granted    = grant != 4'd0;
    assign contention = (request & (request - 4'd1)) != 4'd0;

    always @(posedge clk or negedge rst_n)
        if (!rst_n)       last <= 2'd3;
        else if (granted) last <= {grant[3] | grant[2], grant[3] | grant[1]};
endmodule
