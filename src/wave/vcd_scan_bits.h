/* SPDX-License-Identifier: MIT */
/* Places of bits; only for files that are compiled for a CPU that has them as instructions. */
#ifndef PC_WAVE_VCD_SCAN_BITS_H
#define PC_WAVE_VCD_SCAN_BITS_H

#include "wave/vcd_scan.h"

static inline unsigned lowest(uint64_t x)
{
    return (unsigned)__builtin_ctzll(x);
}

static inline unsigned highest(uint64_t x)
{
    return 63 - (unsigned)__builtin_clzll(x);
}

static inline uint64_t below(size_t bit)
{
    return ((uint64_t)1 << bit) - 1;
}

#endif
