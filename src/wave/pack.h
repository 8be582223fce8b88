/* SPDX-License-Identifier: MIT */
/* Values as characters to values as words. */
#ifndef PC_WAVE_PACK_H
#define PC_WAVE_PACK_H

#include "pcounter/pcounter.h"

/* Characters of a value, as in wv_group, to words as in pc_wave_changes; is one of them unknown? */
bool wv_pack(const char *bits, uint32_t width, uint64_t *value, uint64_t *unknown);

#endif
