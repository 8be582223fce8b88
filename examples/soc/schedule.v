// SPDX-License-Identifier: MIT
// The day of the system in eight phases: how eager the four requesters are, how long
// their bursts, how wide their addresses spread. The last phase asks for nothing, so
// that every request has been answered when the simulation ends.
module schedule #(
    parameter [13:0] PHASE_CYCLES = 14'd14000
) (
    input  wire        clk,
    input  wire        rst_n,
    output reg  [31:0] rate,       // a byte a requester: chance in 256 that a cycle starts a burst
    output reg  [3:0]  burst,      // a burst is 1 + (random & burst) requests
    output reg  [9:0]  span        // and begins within base + (random & span)
);
    reg [2:0]  phase;
    reg [13:0] age;

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            phase <= 3'd0;
            age   <= 14'd0;
        end else if (age == PHASE_CYCLES - 14'd1) begin
            phase <= phase == 3'd7 ? 3'd7 : phase + 3'd1;
            age   <= 14'd0;
        end else
            age <= age + 14'd1;

    always @*
        case (phase)                       // crypto  net     dma     video   burst  span
        3'd0:    {rate, burst, span} = {8'd0,   8'd2,   8'd1,   8'd2,   4'd3,  10'h03f}; // boot
        3'd1:    {rate, burst, span} = {8'd0,   8'd1,   8'd0,   8'd12,  4'd7,  10'h00f}; // video
        3'd2:    {rate, burst, span} = {8'd0,   8'd0,   8'd0,   8'd1,   4'd0,  10'h00f}; // asleep
        3'd3:    {rate, burst, span} = {8'd0,   8'd1,   8'd20,  8'd1,   4'd15, 10'h1ff}; // copying
        3'd4:    {rate, burst, span} = {8'd1,   8'd2,   8'd1,   8'd3,   4'd7,  10'h01f}; // mixed
        3'd5:    {rate, burst, span} = {8'd3,   8'd3,   8'd2,   8'd0,   4'd1,  10'h3ff}; // thrash
        3'd6:    {rate, burst, span} = {8'd12,  8'd2,   8'd0,   8'd8,   4'd7,  10'h003}; // hot loop
        default: {rate, burst, span} = {8'd0,   8'd0,   8'd0,   8'd0,   4'd0,  10'h000}; // drained
        endcase
endmodule
