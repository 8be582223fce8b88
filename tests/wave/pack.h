/* SPDX-License-Identifier: MIT */
/* Members of the compressions that are read, made by their libraries. */
#ifndef PC_TESTS_WAVE_PACK_H
#define PC_TESTS_WAVE_PACK_H

#include <stddef.h>
#include <stdint.h>

/* Appends a member to out; returns the bytes used in all. */
typedef size_t pack_fn(uint8_t *out, size_t used, size_t capacity, const void *from, size_t size);
pack_fn pack_gzip, pack_zstd, pack_xz, pack_bzip2;
pack_fn pack_bgzip; /* gzip, many members that tell their lengths */

enum { PACK_WAYS = 4 };
extern const struct pack_way {
    const char *name; /* as info calls it */
    pack_fn *pack;
    size_t least; /* bytes by which it is known */
} pack_ways[PACK_WAYS];

#endif
