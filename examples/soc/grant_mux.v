// SPDX-License-Identifier: MIT
// Selects the request of the requester with the grant; all 0 without a grant.
module grant_mux (
    input  wire [3:0]  grant,
    input  wire [3:0]  all_write,  // a bit, four bits, sixteen bits a requester
    input  wire [15:0] all_words,
    input  wire [63:0] all_line,
    output wire        write,
    output wire [3:0]  words,
    output wire [15:0] line
);
    assign write = (grant & all_write) != 4'd0;
    assign words = {4{grant[0]}} & all_words[3:0]   | {4{grant[1]}} & all_words[7:4]
                 | {4{grant[2]}} & all_words[11:8]  | {4{grant[3]}} & all_words[15:12];
    assign line  = {16{grant[0]}} & all_line[15:0]  | {16{grant[1]}} & all_line[31:16]
                 | {16{grant[2]}} & all_line[47:32] | {16{grant[3]}} & all_line[63:48];
endmodule
