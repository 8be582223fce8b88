/* SPDX-License-Identifier: MIT */
/* Ones of a word, without the call that the compiler makes where a CPU may lack the instruction. */
#ifndef PC_BASE_ONES_H
#define PC_BASE_ONES_H

#include <stdint.h>

/* Counts the ones in each byte. */
static inline uint64_t pc_ones_of_bytes(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/* Counts the ones of a word. */
static inline unsigned pc_ones(uint64_t x)
{
    return (unsigned)(pc_ones_of_bytes(x) * UINT64_C(0x0101010101010101) >> 56);
}

#endif
