/* SPDX-License-Identifier: MIT */
#ifndef PC_CLI_ONES_H
#define PC_CLI_ONES_H

#include <stddef.h>
#include <stdint.h>

/* The ones of a word of a plane, without an instruction that not every CPU has. */
static inline unsigned cli_ones(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);

    word -= word >> 1 & 0x55 * ones;
    word = (word & 0x33 * ones) + (word >> 2 & 0x33 * ones);
    return (unsigned)(((word + (word >> 4)) & 0x0f * ones) * ones >> 56);
}

/* The same of many words: sums by bytes first, for as long as these have room. */
static inline uint64_t cli_ones_of(const uint64_t *word, size_t words)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), even = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t all = 0;

    while (words > 0) {
        const size_t part = words < 31 ? words : 31; /* of up to 8 each */
        uint64_t sums = 0;
        for (size_t i = 0; i < part; i++) {
            uint64_t w = word[i];
            w -= w >> 1 & 0x55 * ones;
            w = (w & 0x33 * ones) + (w >> 2 & 0x33 * ones);
            sums += (w + (w >> 4)) & 0x0f * ones;
        }
        sums = (sums & even) + (sums >> 8 & even);
        all += sums * UINT64_C(0x0001000100010001) >> 48;
        word += part;
        words -= part;
    }
    return all;
}

#endif
