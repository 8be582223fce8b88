/* SPDX-License-Identifier: MIT */
/*
 * Runs of cycles in which a vector stays: a word of the planes in which no bit changes is one step
 * for 64 cycles.
 */
#ifndef PC_MEASURE_RUNS_H
#define PC_MEASURE_RUNS_H

#include "pcounter/measure.h"

/* The planes of a block */
struct pc_runs {
    unsigned width;
    bool is_signed;
    const uint64_t *const *value, *const *unknown;
};

/* Returns the cycles of word w in which some bit is not what it was a cycle before, and the block's
 * first. */
static inline uint64_t pc_runs_changes(const struct pc_runs *r, size_t w)
{
    uint64_t changed = w == 0;

    for (unsigned k = 0; k < r->width; k++) {
        const uint64_t value = r->value[k][w], unknown = r->unknown[k][w];
        const uint64_t value_before = w > 0 ? r->value[k][w - 1] >> 63 : 0;
        const uint64_t unknown_before = w > 0 ? r->unknown[k][w - 1] >> 63 : 0;
        changed |=
            (value ^ (value << 1 | value_before)) | (unknown ^ (unknown << 1 | unknown_before));
    }
    return changed;
}

/* Returns the value in a cycle; *unknown: a bit of it is. */
static inline uint64_t pc_runs_value(const struct pc_runs *r, size_t w, unsigned bit, bool *unknown)
{
    uint64_t value = 0, none = 0;

    for (unsigned k = 0; k < r->width; k++) {
        value |= (r->value[k][w] >> bit & 1) << k;
        none |= r->unknown[k][w] >> bit & 1;
    }
    if (r->is_signed && value >> (r->width - 1) & 1 && r->width < 64)
        value |= UINT64_MAX << r->width;
    *unknown = none != 0;
    return value;
}

/* Returns bits from `from` up to, not including, `to`; to > from. */
static inline uint64_t pc_bits_between(unsigned from, unsigned to)
{
    return (to < 64 ? (UINT64_C(1) << to) - 1 : UINT64_MAX) & UINT64_MAX << from;
}

#endif
