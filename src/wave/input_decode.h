/* SPDX-License-Identifier: MIT */
/*
 * Above a file: its bytes, decompressed if they are gzip or zstd.
 */
#ifndef PC_WAVE_INPUT_DECODE_H
#define PC_WAVE_INPUT_DECODE_H

#define ZSTD_STATIC_LINKING_ONLY /* ZSTD_createDCtx_advanced: the caller's allocator */
#include "base/alloc.h"
#include "wave/input_file.h"

#include <zlib.h>
#include <zstd.h>

enum wv_encoding { WV_PLAIN, WV_GZIP, WV_ZSTD };

struct wv_decoder {
    struct wv_file *file;
    struct pc_alloc alloc; /* asked by zlib and libzstd, too, whenever they run */
    uint32_t max_ratio;
    enum wv_encoding encoding;
    uint8_t *raw; /* of the file, not yet decoded: raw[raw_at .. raw_end) */
    size_t raw_at, raw_end;
    bool raw_eof, ended;
    z_stream gzip;
    bool gzip_live;
    ZSTD_DCtx *zstd;
    bool zstd_inside; /* a frame has begun and not ended */
    uint64_t bytes_in, bytes_out;
};

/* Tells the encoding.  `max_ratio`: output that grows beyond it is refused. */
enum pc_status wv_decoder_open(struct wv_decoder *d, struct wv_file *file,
                               const struct pc_alloc *alloc, uint32_t max_ratio,
                               struct pc_error *err);
void wv_decoder_close(struct wv_decoder *d);
/* Up to `size` decoded bytes; *got is 0 at the end only. */
enum pc_status wv_decoder_read(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                               struct pc_error *err);
/* How much of the file that took. */
uint64_t wv_decoder_consumed(const struct wv_decoder *d);
/* Of a plain file that has places: where the next bytes are read. */
void wv_decoder_seek(struct wv_decoder *d, uint64_t at);

#endif
