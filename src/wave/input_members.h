/* SPDX-License-Identifier: MIT */
/*
 * Beside a decoder: a compressed file of many members that tell where they end (frames of zstd as
 * pzstd writes them, blocks of bgzip), unpacked by several threads at once, and read at any place.
 * All that does not unpack cleanly, from the first such member on, is left to the decoder, which
 * has the words for it.
 */
#ifndef PC_WAVE_INPUT_MEMBERS_H
#define PC_WAVE_INPUT_MEMBERS_H

#include "wave/input_decode.h"

struct wv_members;

/* `threads` may read at a time, and the decoder may be another thread's.  NULL: it is no such file,
 * or too small, or there is no memory. */
struct wv_members *wv_members_open(const struct wv_decoder *d, const struct pc_alloc *alloc,
                                   unsigned threads);
void wv_members_close(struct wv_members *m); /* NULL is fine */
/* For any thread.  Up to `size` unpacked bytes from a place; 0: there the decoder goes on. */
size_t wv_members_read(struct wv_members *m, uint64_t at, uint8_t *to, size_t size);
/* Before a place: the byte of the file where a member begins, and its place. */
void wv_members_before(struct wv_members *m, uint64_t at, uint64_t *byte, uint64_t *place);

#endif
