/* SPDX-License-Identifier: MIT */
/*
 * Above a decoder: it runs on a thread of its own, ahead of who reads.
 */
#ifndef PC_WAVE_INPUT_RING_H
#define PC_WAVE_INPUT_RING_H

#include "wave/input_decode.h"

struct wv_ring;

/* From here to wv_ring_stop() the decoder is the thread's.  NULL: no thread or no memory for one.
 */
struct wv_ring *wv_ring_start(struct wv_decoder *d);
void wv_ring_stop(struct wv_ring *ring);
/* Does what wv_decoder_read() and wv_decoder_consumed() do. */
enum pc_status wv_ring_read(struct wv_ring *ring, uint8_t *to, size_t size, size_t *got,
                            struct pc_error *err);
uint64_t wv_ring_consumed(struct wv_ring *ring);

#endif
