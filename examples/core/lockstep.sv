// SPDX-License-Identifier: MIT
`timescale 1ns/1ns
// The block of hits.v with random events and accesses for 1000 clocks, for a simulator that binds the checker to it.
module lockstep;
    reg clk = 0;
    reg [9:0] clocks = 0;
    reg [31:0] noise = 32'h2545_f491;
    wire rst_n = clocks > 3;
    wire [7:0] rdata;
    wire [3:0] addr = noise[11] ? {3'd0, noise[10]} : noise[12] ? {3'd2, noise[10]} : 4'd8;
    hits dut(clk, rst_n, noise[3:0], rst_n & noise[8:6] == 0, rst_n & noise[8:6] == 1, addr,
             noise[20] ? 8'hfd : noise[28:21], rdata);
    function automatic [31:0] stir(input [31:0] x);
        x = x ^ (x << 13);
        x = x ^ (x >> 17);
        stir = x ^ (x << 5);
    endfunction
    always #5 clk = !clk;
    always @(posedge clk) begin
        noise <= stir(noise);
        clocks <= clocks + 1;
        if (clocks == 1000) $finish;
    end
    initial begin
        $dumpfile("lockstep.vcd");
        $dumpvars(0, dut);
    end
endmodule
