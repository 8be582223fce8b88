/* SPDX-License-Identifier: MIT */
/* Sums of 128 bits, which C has no type for. */
#ifndef PC_MEASURE_WIDE_H
#define PC_MEASURE_WIDE_H

#include "pcounter/measure.h"

/* A sample as a number: `is_signed` says whether its top bit is a sign. */
static inline struct pc_wide pc_wide_of(uint64_t value, bool is_signed)
{
    return (struct pc_wide){ value, is_signed && value >> 63 ? -1 : 0 };
}

static inline struct pc_wide pc_wide_sub(struct pc_wide a, struct pc_wide b)
{
    return (struct pc_wide){ a.low - b.low,
                             (int64_t)((uint64_t)a.high - (uint64_t)b.high - (a.low < b.low)) };
}

static inline struct pc_wide pc_wide_add(struct pc_wide a, struct pc_wide b)
{
    const uint64_t low = a.low + b.low;

    return (struct pc_wide){ low, (int64_t)((uint64_t)a.high + (uint64_t)b.high + (low < a.low)) };
}

/* Returns a * times, modulo 2^128. */
struct pc_wide pc_wide_times(struct pc_wide a, uint64_t times);

/* Returns where it is in the order of values: as unsigned numbers these compare like the values. */
static inline uint64_t pc_wide_rank(uint64_t value, bool is_signed)
{
    return is_signed ? value ^ UINT64_C(1) << 63 : value;
}

#endif
