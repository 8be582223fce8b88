/* SPDX-License-Identifier: MIT */
/*
 * Above a file: its bytes, decompressed if they are gzip, zstd, xz or bzip2.
 */
#ifndef PC_WAVE_INPUT_DECODE_H
#define PC_WAVE_INPUT_DECODE_H

#include "base/alloc.h"
#include "wave/input_file.h"

struct wv_codec;

struct wv_decoder {
    struct wv_file *file;
    struct pc_alloc alloc; /* also used by the library that decompresses, whenever it runs */
    uint32_t max_ratio;
    const struct wv_codec *codec; /* NULL: plain */
    void *state;                  /* the codec's */
    uint8_t *raw;                 /* of the file, not yet decoded: raw[raw_at .. raw_end) */
    size_t raw_at, raw_end;
    bool raw_eof;
    bool inside; /* a member has begun and not ended */
    bool ended;
    bool cut;     /* it ended within a member, or is `endless` */
    bool blocks;  /* the last member is one of bgzip's, and not the empty one that it writes last */
    bool endless; /* it ended after such a member */
    bool foreign; /* it ended before bytes that begin no member */
    uint64_t bytes_in, bytes_out;
};

/* Tells the encoding.  `max_ratio`: output that grows beyond it is refused. */
enum pc_status wv_decoder_open(struct wv_decoder *d, struct wv_file *file,
                               const struct pc_alloc *alloc, uint32_t max_ratio,
                               struct pc_error *err);
void wv_decoder_close(struct wv_decoder *d);
/* Reads up to `size` decoded bytes; *got is 0 at the end only. */
enum pc_status wv_decoder_read(struct wv_decoder *d, uint8_t *to, size_t size, size_t *got,
                               struct pc_error *err);
/* Returns how much of the file that took. */
uint64_t wv_decoder_consumed(const struct wv_decoder *d);
/* Returns "plain", "gzip", "zstd", "xz" or "bzip2". */
const char *wv_decoder_encoding(const struct wv_decoder *d);
/*
 * Sets where the next bytes of a file with places are read; there a member begins, if it is
 * compressed, and `unpacked` bytes came before it.
 */
void wv_decoder_seek(struct wv_decoder *d, uint64_t at, uint64_t unpacked);

#endif
