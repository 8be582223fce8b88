/* SPDX-License-Identifier: MIT */
/* What hands over changes (listen.c). */
#ifndef PC_WAVE_LISTEN_H
#define PC_WAVE_LISTEN_H

#include "wave/wave.h"

/* Characters of a value, as in wv_group, to words as in pc_wave_changes; is one of them unknown? */
bool wv_pack(const char *bits, uint32_t width, uint64_t *value, uint64_t *unknown);

#endif
