// SPDX-License-Identifier: MIT
// Four entries between two clocks. The pointers cross in Gray code through two
// flip-flops, so each side may see the other late but never wrong.
module crossing_fifo #(
    parameter WIDTH = 1
) (
    input  wire             put_clk,
    input  wire             put_rst_n,
    input  wire             put,
    input  wire [WIDTH-1:0] put_data,
    output wire             full,
    input  wire             get_clk,
    input  wire             get_rst_n,
    input  wire             get,
    output wire [WIDTH-1:0] get_data,
    output wire             valid
);
    reg [WIDTH-1:0] entry [0:3];
    reg [2:0] head, head_gray, head_meta, head_seen;   // where get stands; seen by put
    reg [2:0] tail, tail_gray, tail_meta, tail_seen;   // where put stands; seen by get

    wire [2:0] tail_next = tail + {2'd0, put && !full};
    wire [2:0] head_next = head + {2'd0, get && valid};

    assign full     = tail_gray == {~head_seen[2:1], head_seen[0]};
    assign valid    = head_gray != tail_seen;
    assign get_data = entry[head[1:0]];

    always @(posedge put_clk or negedge put_rst_n)
        if (!put_rst_n) begin
            tail      <= 3'd0;
            tail_gray <= 3'd0;
            head_meta <= 3'd0;
            head_seen <= 3'd0;
        end else begin
            tail      <= tail_next;
            tail_gray <= tail_next ^ {1'b0, tail_next[2:1]};
            head_meta <= head_gray;
            head_seen <= head_meta;
        end

    always @(posedge put_clk)
        if (put && !full) entry[tail[1:0]] <= put_data;

    always @(posedge get_clk or negedge get_rst_n)
        if (!get_rst_n) begin
            head      <= 3'd0;
            head_gray <= 3'd0;
            tail_meta <= 3'd0;
            tail_seen <= 3'd0;
        end else begin
            head      <= head_next;
            head_gray <= head_next ^ {1'b0, head_next[2:1]};
            tail_meta <= tail_gray;
            tail_seen <= tail_meta;
        end
endmodule
