/* SPDX-License-Identifier: MIT */
/*
 * A quick way through zlib streams that are little else than long runs, as time tables are: what
 * it cannot do, and what is wrong, is left to zlib, which also says what is wrong.
 */
#ifndef PC_WAVE_FST_INFLATE_H
#define PC_WAVE_FST_INFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FST_INFLATE_PART ((size_t)1 << 15) /* bytes that are made at once, at most */
#define FST_INFLATE_BITS 15                /* of a code, at most */

struct fst_codes {
    unsigned bits;                           /* of the longest */
    uint16_t symbol[1u << FST_INFLATE_BITS]; /* << 4 | its bits; 0: there is none */
};

struct fst_inflate {
    const uint8_t *at, *end;
    uint64_t bits; /* that are taken from `at`, the first of them lowest */
    unsigned count;
    bool inside, last;         /* of a block; it is the last one */
    uint32_t stored;           /* bytes left of a block that is not packed; 0: it is */
    uint32_t length, distance; /* what is left of a copy */
    uint32_t sum;
    uint64_t total; /* bytes that were made */
    struct fst_codes codes, distances;
    uint8_t window[2 * FST_INFLATE_PART]; /* the bytes before, those that are being made */
};

/* false: not for this way. */
bool fst_inflate_begin(struct fst_inflate *z, const uint8_t *data, size_t size);
/* The next `size` bytes; `last`: the stream ends with them, and its sum is right. */
bool fst_inflate_next(struct fst_inflate *z, uint8_t *to, size_t size, bool last);

#endif
