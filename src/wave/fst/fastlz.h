/* SPDX-License-Identifier: MIT */
/*
 * FastLZ, levels 1 and 2: the byte-oriented LZ77 that FST files of pack type 'F' use.
 * Written from the published description of the block format.
 */
#ifndef PC_WAVE_FST_FASTLZ_H
#define PC_WAVE_FST_FASTLZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns true if `from` unpacks to exactly `size` bytes; never reads or writes outside of
 * either. */
bool fst_fastlz_unpack(const uint8_t *from, size_t length, uint8_t *to, size_t size);

#endif
