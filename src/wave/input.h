/* SPDX-License-Identifier: MIT */
/*
 * Inside the input: input.c (files, pipes, what readers ask for), input_decode.c (gzip and
 * zstd), input_ring.c (decompression on a thread of its own) and input_map.c (mapped files).
 */
#ifndef PC_WAVE_INPUT_H
#define PC_WAVE_INPUT_H

#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_createDCtx_advanced: the caller's allocator */
#include "wave/reader.h"

#include <zlib.h>
#include <zstd.h>

#define RAW_SIZE   ((size_t)1 << 17)
#define AHEAD_SIZE ((size_t)1 << 12)

enum encoding { PLAIN, GZIP, ZSTD };

struct wv_ring;
struct wv_map;

/* Once `ring` runs, its thread has all from `consumed` to `decoder_out`. */
struct wv_input {
    struct pc_alloc alloc;
    uint32_t max_ratio;
    int fd;
    bool is_stdin, regular;
    bool alone;           /* the caller wants no other thread */
    uint64_t file_size;   /* 0: unknown */
    struct wv_ring *ring; /* NULL: not (yet) needed */

    uint64_t consumed; /* bytes read from fd */
    enum encoding encoding;
    uint8_t *raw; /* read from fd, not yet decoded: raw[raw_at .. raw_end) */
    size_t raw_at, raw_end;
    bool raw_eof, ended;
    z_stream gzip;
    bool gzip_live;
    ZSTD_DCtx *zstd;
    bool zstd_inside; /* a frame has begun and not ended */
    uint64_t decoder_in, decoder_out;

    uint8_t *ahead; /* decoded by peek, not yet read: ahead[ahead_at .. ahead_end) */
    size_t ahead_at, ahead_end;
    uint8_t *held;
    size_t held_capacity;

    struct pc_wave_maps *maps; /* NULL: the caller wants none */
    struct wv_map *map;        /* the place of `mapped` in it; NULL: not mapped */
    uint8_t *mapped;           /* file_size bytes */
    uint64_t past;             /* of which those in front have been let go */
    bool asks;                 /* the disk for what comes next */
};

/* input.c: up to `size` bytes from the descriptor; *got is 0 at the end only. */
enum pc_status wv_input_fetch(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                              struct pc_error *err);

/* input_decode.c: tells the encoding and makes the decoder. */
enum pc_status wv_decode_start(struct wv_input *in, struct pc_error *err);
void wv_decode_end(struct wv_input *in);
/* Up to `size` bytes of the decoded input; *got is 0 at the end only. */
enum pc_status wv_decode(struct wv_input *in, uint8_t *to, size_t size, size_t *got,
                         struct pc_error *err);

/* input_ring.c: in->ring, unless there is no thread or no memory: then all stays as it is. */
void wv_ring_start(struct wv_input *in);
void wv_ring_stop(struct wv_input *in);
/* As wv_decode(). */
enum pc_status wv_ring_read(struct wv_ring *ring, uint8_t *to, size_t size, size_t *got,
                            struct pc_error *err);
uint64_t wv_ring_consumed(struct wv_ring *ring);
/* The caller's allocator for the decoders, on whichever thread they run. */
void *wv_ring_resize(struct wv_input *in, void *p, size_t old_size, size_t new_size);
/* On the thread: waits until there is something to read; false if nobody wants it any more. */
bool wv_ring_wait_input(struct wv_ring *ring, int fd);

/* input_map.c */
void wv_map_end(struct wv_input *in);
/* Of a pipe, where the system lets it: writer and reader wait for each other less often. */
void wv_input_widen(const struct wv_input *in);

#endif
