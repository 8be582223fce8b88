/* SPDX-License-Identifier: MIT */
/*
 * Rows of counts (kernel.h) word by word, and the row of any cycle: the same in each kernel but
 * for ones_of(), which must be there before.
 */
#ifndef PC_KERNEL_BEFORE_H
#define PC_KERNEL_BEFORE_H

#include <stddef.h>
#include <stdint.h>

/* Returns the ones of word w of four planes, 16 bits each. */
static inline uint64_t four_cut(const uint64_t *const plane[4], size_t w, uint64_t mask)
{
    return ones_of(plane[0][w] & mask) | (uint64_t)ones_of(plane[1][w] & mask) << 16 |
           (uint64_t)ones_of(plane[2][w] & mask) << 32 |
           (uint64_t)ones_of(plane[3][w] & mask) << 48;
}

/* Writes the rows after words first to words - 1. */
static inline void rows_by_word(const uint64_t *const plane[12], size_t first, size_t words,
                                uint64_t (*row)[4])
{
    for (size_t w = first; w < words; w++) {
        for (unsigned g = 0; g < 3; g++)
            row[w + 1][g] = row[w][g] + four_cut(plane + 4 * g, w, UINT64_MAX);
        row[w + 1][3] = row[w][3];
    }
}

/* The word of the end is not there to be read. */
static void before(const uint64_t *const plane[12], uint64_t (*row)[4], uint64_t cycle,
                   uint64_t sum[3])
{
    const size_t w = (size_t)(cycle / 64);
    const uint64_t mask = (UINT64_C(1) << cycle % 64) - 1;

    for (unsigned g = 0; g < 3; g++)
        sum[g] = row[w][g] + (mask ? four_cut(plane + 4 * g, w, mask) : 0);
}

#endif
