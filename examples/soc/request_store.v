// SPDX-License-Identifier: MIT
// The sixteen entries of the queue; its level keeps the two ends apart.
module request_store (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        push,
    input  wire [16:0] tail,
    input  wire        pop,
    output wire [16:0] head
);
    reg [16:0] entry [0:15];
    reg [3:0]  put, get;

    assign head = entry[get];

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            put <= 4'd0;
            get <= 4'd0;
        end else begin
            if (push) put <= put + 4'd1;
            if (pop)  get <= get + 4'd1;
        end

    always @(posedge clk)
        if (push) entry[put] <= tail;
endmodule
