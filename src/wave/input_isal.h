/* SPDX-License-Identifier: MIT */
/* gzip by ISA-L, which is faster than zlib; loaded with the first file, where there is one. */
#ifndef PC_WAVE_INPUT_ISAL_H
#define PC_WAVE_INPUT_ISAL_H

#include "wave/input_codec.h"

struct wv_isal;

/* *out is NULL where it is not installed, or was not when this was built; false: no memory. */
bool wv_isal_open(struct wv_decoder *d, struct wv_isal **out);
void wv_isal_close(struct wv_decoder *d, struct wv_isal *isal);
/* As those of a codec. */
void wv_isal_begin(struct wv_isal *isal);
enum pc_status wv_isal_step(struct wv_decoder *d, struct wv_isal *isal, uint8_t *to, size_t size,
                            size_t *got, bool *over, struct pc_error *err);

#endif
