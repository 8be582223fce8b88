// SPDX-License-Identifier: MIT
// The performance counters of the design itself: one register an event. They are the
// independent truth that a count made from the waveform has to meet.
module counters (
    input wire       clk,
    input wire       rst_n,
    input wire       fifo_push,
    input wire [3:0] words,
    input wire       dma_valid,
    input wire       dma_ready,
    input wire       contention,
    input wire       fifo_full,
    input wire       fifo_empty,
    input wire [4:0] fifo_level,
    input wire       hit,
    input wire       miss,
    input wire       evict,
    input wire       stall,
    input wire       refill_busy,
    input wire       resp_valid,
    input wire       mem_clk,
    input wire       mem_rst_n,
    input wire       mem_read,
    input wire       mem_write,
    input wire       row_hit,
    input wire       row_miss,
    input wire       mem_busy,
    input wire       refresh
);
    reg dma_valid_before, refill_before, hit_before, refresh_before;
    always @(posedge clk or negedge rst_n)
        if (!rst_n) {dma_valid_before, refill_before, hit_before} <= 3'd0;
        else        {dma_valid_before, refill_before, hit_before} <= {dma_valid, refill_busy, hit};
    always @(posedge mem_clk or negedge mem_rst_n)
        if (!mem_rst_n) refresh_before <= 1'b0;
        else            refresh_before <= refresh;

    wire dma_burst = dma_valid && !dma_valid_before;
    wire dma_wait  = dma_valid && !dma_ready;
    wire blocked   = stall && !fifo_empty;
    wire fifo_high = fifo_level >= 5'd12 && fifo_level < 5'd16;
    wire hit_again = hit && hit_before;
    wire refill    = refill_busy && !refill_before;
    wire refreshed = refresh && !refresh_before;

    event_counter cycles           (clk, rst_n, 4'd1);
    event_counter requests         (clk, rst_n, {3'd0, fifo_push});
    event_counter words_asked      (clk, rst_n, words);
    event_counter dma_bursts       (clk, rst_n, {3'd0, dma_burst});
    event_counter dma_waits        (clk, rst_n, {3'd0, dma_wait});
    event_counter contention_cycles(clk, rst_n, {3'd0, contention});
    event_counter fifo_full_cycles (clk, rst_n, {3'd0, fifo_full});
    event_counter fifo_high_cycles (clk, rst_n, {3'd0, fifo_high});
    event_counter hits             (clk, rst_n, {3'd0, hit});
    event_counter repeated_hits    (clk, rst_n, {3'd0, hit_again});
    event_counter misses           (clk, rst_n, {3'd0, miss});
    event_counter evictions        (clk, rst_n, {3'd0, evict});
    event_counter refills          (clk, rst_n, {3'd0, refill});
    event_counter stall_cycles     (clk, rst_n, {3'd0, stall});
    event_counter blocked_cycles   (clk, rst_n, {3'd0, blocked});
    event_counter responses        (clk, rst_n, {3'd0, resp_valid});

    event_counter mem_cycles       (mem_clk, mem_rst_n, 4'd1);
    event_counter mem_reads        (mem_clk, mem_rst_n, {3'd0, mem_read});
    event_counter mem_writes       (mem_clk, mem_rst_n, {3'd0, mem_write});
    event_counter row_hits         (mem_clk, mem_rst_n, {3'd0, row_hit});
    event_counter row_misses       (mem_clk, mem_rst_n, {3'd0, row_miss});
    event_counter mem_busy_cycles  (mem_clk, mem_rst_n, {3'd0, mem_busy});
    event_counter refreshes        (mem_clk, mem_rst_n, {3'd0, refreshed});
endmodule
