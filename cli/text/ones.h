/* SPDX-License-Identifier: MIT */
#ifndef PC_CLI_ONES_H
#define PC_CLI_ONES_H

#include <stdint.h>

/* Returns the ones of a word of a plane, without an instruction that not every CPU has. */
static inline unsigned cli_ones(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);

    word -= word >> 1 & 0x55 * ones;
    word = (word & 0x33 * ones) + (word >> 2 & 0x33 * ones);
    return (unsigned)(((word + (word >> 4)) & 0x0f * ones) * ones >> 56);
}

#endif
