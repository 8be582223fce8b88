// SPDX-License-Identifier: MIT
// Sixteen small cores, each with a register file, an adder and a multiplier: what bench/tap.py simulates.
module tap_core (input logic clk, input logic [7:0] seed, output logic o, output logic [15:0] w);
    logic [31:0] r [0:31];
    logic [31:0] pc = 0, acc = 1;
    initial for (int i = 0; i < 32; i++) r[i] = i * seed;
    always_ff @(posedge clk) begin
        pc <= pc + 4;
        acc <= acc * 1664525 + r[pc[6:2]] + {24'd0, seed};
        r[acc[4:0]] <= acc ^ r[pc[9:5]];
        o <= ^acc;
        w <= acc[31:16];
    end
endmodule
module tap_cores (input logic clk, output logic sum);
    logic [15:0] o;
    logic [15:0] w [0:15];
    for (genvar g = 0; g < 16; g++) begin : c
        tap_core u (clk, g * 7 + 3, o[g], w[g]);
    end
    assign sum = ^o;
endmodule
