// SPDX-License-Identifier: MIT
`timescale 1ns/1ns
// What bind files of descriptions have to carry over: names with dots, of generated and packed things, indices that do not
// begin at 0, wide registers, registers that the design does not show, a gated clock and resets while it stands still.
// With +mutant the carry into the upper half of `wide` is lost, and counter 1 counts while it is held.
module counter #(parameter int Step = 1) (input logic clk, rst_n, on, output logic [7:0] q);
    always_ff @(posedge clk or negedge rst_n)
        if (!rst_n) q <= '0;
        else if (on) q <= q + 8'(Step);
endmodule

module block (input logic clk, rst_n, input logic [31:0] noise);
    typedef struct packed {
        logic       we;
        logic [2:0] at;
        logic [7:0] data;
    } command_t;
    command_t    command;
    logic [8:1]  ev;
    logic [2:0]  sel [2];
    logic        hold;
    logic [71:0] wide;
    logic [3:1][15:0] row;  // of elements in a waveform with --trace-structs, one vector without
    logic [2:17] up;
    logic        seen;
    logic [3:0]  late;
    bit          mutant = $test$plusargs("mutant") != 0;
    bit          slip = $test$plusargs("slip") != 0;
    assign command = noise[11:0];
    assign ev = noise[19:12];

    always_ff @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            sel[0] <= 1; sel[1] <= 2; hold <= 0;
        end else if (command.we) begin
            if (command.at == 0) sel[0] <= command.data[2:0];
            if (command.at == 1) sel[1] <= command.data[2:0];
            if (command.at == 2) hold <= command.data[0];
        end

    for (genvar i = 0; i < 2; i++) begin : g
        wire on = ev[{1'b0, sel[i]} + 4'd1];
        counter #(.Step(i + 1)) c (.clk, .rst_n, .on(on && (!hold || (mutant && i == 1))), .q());
    end

    always_ff @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            wide <= 72'h0_0000_0000_ffff_fff8; late <= 0; seen <= 0; row <= '0; up <= '0;
        end else begin
            row[2] <= row[2] + 1;
            if (ev[3]) row[3] <= row[3] + (slip ? 2 : 1);
            up <= up + 3;
            seen <= ev[8];
            if (ev[8] && !seen) late <= late + 1; // rising edges
            if (mutant) wide[31:0] <= wide[31:0] + 1;
            else wide <= wide + 1;
        end
endmodule

// The clock stands still for 20 of 100 cycles, and in the middle of that the reset is active between two edges.
module core_tb;
    logic        tick = 0, run = 1;
    logic [31:0] noise = 32'h1357_9bdf;
    int          time_now = 0, clocks = 0;
    wire         clk = run && time_now % 10 >= 5;
    wire         rst_n = clocks >= 4 && !(clocks % 100 == 70 && time_now % 10 == 3);
    block dut (.clk, .rst_n, .noise);
    initial begin
        $dumpfile("core.vcd");
        $dumpvars(0, core_tb);
    end
    always #1 tick = !tick;
    function automatic logic [31:0] stir(input logic [31:0] x);
        x ^= x << 13;
        x ^= x >> 17;
        return x ^ (x << 5);
    endfunction
    always @(tick) begin
        time_now <= time_now + 1;
        if (time_now % 10 == 9) begin
            noise <= stir(noise);
            clocks <= clocks + 1;
            run <= clocks % 100 < 60 || clocks % 100 >= 80;
        end
        if (clocks == 400) $finish;
    end
endmodule
