// SPDX-License-Identifier: MIT
// A small system on a chip without a processor:
//
//   video dma net crypto ─► arbiter ─► queue ─► cache ─► to_memory   ─► memory
//                                                  ▲                       │
//            clk                                   └──── from_memory ◄─────┘  mem_clk
//
// Four requesters, one line of memory a request; only addresses and timing, no data.
module soc (
    input wire clk,
    input wire rst_n,
    input wire mem_clk,
    input wire mem_rst_n
);
    wire [31:0] rate;
    wire [3:0]  burst;
    wire [9:0]  span;
    schedule schedule (.clk(clk), .rst_n(rst_n), .rate(rate), .burst(burst), .span(span));

    // a bit, four bits, five bits, sixteen bits a requester; number 0 stands lowest
    wire [3:0]  start, start_write, request, grant, write;
    wire [15:0] start_words, words;
    wire [19:0] start_length;
    wire [63:0] start_line, line;

    workload #(.SEED(32'h00c0ffee), .BASE(16'h0000)) video_work (
        .clk(clk), .rst_n(rst_n), .rate(rate[7:0]), .burst(burst), .span(span),
        .busy(request[0]), .start(start[0]), .start_write(start_write[0]),
        .start_words(start_words[3:0]), .start_length(start_length[4:0]),
        .start_line(start_line[15:0]));
    requester video (
        .clk(clk), .rst_n(rst_n), .start(start[0]), .start_write(start_write[0]),
        .start_words(start_words[3:0]), .start_length(start_length[4:0]),
        .start_line(start_line[15:0]),
        .req_valid(request[0]), .req_ready(grant[0]), .req_write(write[0]),
        .req_words(words[3:0]), .req_line(line[15:0]));

    workload #(.SEED(32'h0badcafe), .BASE(16'h0410)) dma_work (
        .clk(clk), .rst_n(rst_n), .rate(rate[15:8]), .burst(burst), .span(span),
        .busy(request[1]), .start(start[1]), .start_write(start_write[1]),
        .start_words(start_words[7:4]), .start_length(start_length[9:5]),
        .start_line(start_line[31:16]));
    requester dma (
        .clk(clk), .rst_n(rst_n), .start(start[1]), .start_write(start_write[1]),
        .start_words(start_words[7:4]), .start_length(start_length[9:5]),
        .start_line(start_line[31:16]),
        .req_valid(request[1]), .req_ready(grant[1]), .req_write(write[1]),
        .req_words(words[7:4]), .req_line(line[31:16]));

    workload #(.SEED(32'h5eed0003), .BASE(16'h1020)) net_work (
        .clk(clk), .rst_n(rst_n), .rate(rate[23:16]), .burst(burst), .span(span),
        .busy(request[2]), .start(start[2]), .start_write(start_write[2]),
        .start_words(start_words[11:8]), .start_length(start_length[14:10]),
        .start_line(start_line[47:32]));
    requester net (
        .clk(clk), .rst_n(rst_n), .start(start[2]), .start_write(start_write[2]),
        .start_words(start_words[11:8]), .start_length(start_length[14:10]),
        .start_line(start_line[47:32]),
        .req_valid(request[2]), .req_ready(grant[2]), .req_write(write[2]),
        .req_words(words[11:8]), .req_line(line[47:32]));

    workload #(.SEED(32'h12345678), .BASE(16'h2830)) crypto_work (
        .clk(clk), .rst_n(rst_n), .rate(rate[31:24]), .burst(burst), .span(span),
        .busy(request[3]), .start(start[3]), .start_write(start_write[3]),
        .start_words(start_words[15:12]), .start_length(start_length[19:15]),
        .start_line(start_line[63:48]));
    requester crypto (
        .clk(clk), .rst_n(rst_n), .start(start[3]), .start_write(start_write[3]),
        .start_words(start_words[15:12]), .start_length(start_length[19:15]),
        .start_line(start_line[63:48]),
        .req_valid(request[3]), .req_ready(grant[3]), .req_write(write[3]),
        .req_words(words[15:12]), .req_line(line[63:48]));

    wire fifo_full, fifo_empty, fifo_push, fifo_pop, contention;
    wire [4:0] fifo_level;
    arbiter arbiter (
        .clk(clk), .rst_n(rst_n), .request(request), .blocked(fifo_full),
        .grant(grant), .granted(fifo_push), .contention(contention));

    wire granted_write;
    wire [3:0]  granted_words;
    wire [15:0] granted_line;
    grant_mux mux (
        .grant(grant), .all_write(write), .all_words(words), .all_line(line),
        .write(granted_write), .words(granted_words), .line(granted_line));

    wire head_write;
    wire [15:0] head_line;
    request_queue queue (
        .clk(clk), .rst_n(rst_n), .fifo_push(fifo_push), .fifo_pop(fifo_pop),
        .fifo_full(fifo_full), .fifo_empty(fifo_empty), .fifo_level(fifo_level));
    request_store store (
        .clk(clk), .rst_n(rst_n), .push(fifo_push), .tail({granted_write, granted_line}),
        .pop(fifo_pop), .head({head_write, head_line}));

    wire found, victim_dirty, fill, cmd_valid, cmd_write, cmd_full, reply_valid, reply_take;
    wire hit, miss, evict, stall, refill_busy, resp_valid;
    wire [7:0]  cmd_place;
    cache_tags tags (
        .clk(clk), .rst_n(rst_n), .take(fifo_pop), .want_write(head_write),
        .want_line(head_line), .hit(hit), .fill(fill), .found(found),
        .victim_dirty(victim_dirty), .cmd_write(cmd_write), .cmd_place(cmd_place));
    cache cache (
        .clk(clk), .rst_n(rst_n), .waiting(!fifo_empty), .take(fifo_pop),
        .found(found), .victim_dirty(victim_dirty), .fill(fill),
        .cmd_valid(cmd_valid), .cmd_write(cmd_write), .cmd_full(cmd_full),
        .reply_valid(reply_valid), .reply_take(reply_take),
        .hit(hit), .miss(miss), .evict(evict), .stall(stall),
        .refill_busy(refill_busy), .resp_valid(resp_valid));

    // A command tells bank and row; a reply says no more than that it is there.
    // One read at most is under way, as the cache waits for it: the way back has room.
    wire mem_cmd_valid, mem_cmd_write, mem_cmd_take, mem_reply;
    wire mem_read, mem_write, row_hit, row_miss, mem_busy, refresh;
    wire [1:0]  bank;
    wire [5:0]  row;
    wire unused_full, unused_data;
    crossing_fifo #(.WIDTH(9)) to_memory (
        .put_clk(clk), .put_rst_n(rst_n), .put(cmd_valid),
        .put_data({cmd_write, cmd_place}), .full(cmd_full),
        .get_clk(mem_clk), .get_rst_n(mem_rst_n), .get(mem_cmd_take),
        .get_data({mem_cmd_write, row, bank}), .valid(mem_cmd_valid));
    memory memory (
        .mem_clk(mem_clk), .mem_rst_n(mem_rst_n),
        .cmd_valid(mem_cmd_valid), .cmd_write(mem_cmd_write), .bank(bank), .row(row),
        .cmd_take(mem_cmd_take), .reply(mem_reply),
        .mem_busy(mem_busy), .mem_read(mem_read), .mem_write(mem_write),
        .row_hit(row_hit), .row_miss(row_miss), .refresh(refresh));
    crossing_fifo #(.WIDTH(1)) from_memory (
        .put_clk(mem_clk), .put_rst_n(mem_rst_n), .put(mem_reply), .put_data(1'b1),
        .full(unused_full),
        .get_clk(clk), .get_rst_n(rst_n), .get(reply_take), .get_data(unused_data),
        .valid(reply_valid));

    counters counters (
        .clk(clk), .rst_n(rst_n), .fifo_push(fifo_push), .words(granted_words),
        .dma_valid(request[1]), .dma_ready(grant[1]), .contention(contention),
        .fifo_full(fifo_full), .fifo_empty(fifo_empty), .fifo_level(fifo_level),
        .hit(hit), .miss(miss), .evict(evict), .stall(stall),
        .refill_busy(refill_busy), .resp_valid(resp_valid),
        .mem_clk(mem_clk), .mem_rst_n(mem_rst_n), .mem_read(mem_read), .mem_write(mem_write),
        .row_hit(row_hit), .row_miss(row_miss), .mem_busy(mem_busy), .refresh(refresh));
endmodule
