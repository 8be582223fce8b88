/* SPDX-License-Identifier: MIT */
/*
 * Counts of many planes at once, and of rises: the part of lanes.h that record mode and
 * single mode live from.
 */
#ifndef PC_KERNEL_COUNTS_H
#define PC_KERNEL_COUNTS_H

/*
 * Uses the machine's own popcount: spans are short, from one end of a period to the next. A line
 * that was passed asks for one further on.
 */
static inline __attribute__((always_inline)) unsigned ones_of(uint64_t x)
{
    return (unsigned)__builtin_popcountll(x);
}

#include "kernel/before.h"

/* Words that are added between two v_sum_flush. */
enum { FLUSH = 16 * GROUP };

static uint64_t count(const uint64_t *plane, size_t words)
{
    const size_t whole = words - words % GROUP;
    struct v_sum sum = v_sum_none();
    uint64_t n = 0;

    for (size_t i = 0; i < whole; i += GROUP) {
        const uint64_t *p = plane + i;
        v_sum_add(&sum, v_load(p), v_load(p + LANES), v_load(p + 2 * LANES), v_load(p + 3 * LANES));
        if ((i + GROUP) % FLUSH == 0)
            v_sum_flush(&sum);
    }
    v_sum_flush(&sum);
    for (size_t i = whole; i < words; i++)
        n += ones_of(plane[i]);
    return n + v_sum_total(&sum);
}

static inline vec both_at(const uint64_t *a, const uint64_t *b, size_t i)
{
    return v_and(v_load(a + i), v_load(b + i));
}

static uint64_t count_and(const uint64_t *a, const uint64_t *b, size_t words)
{
    const size_t whole = words - words % GROUP;
    struct v_sum sum = v_sum_none();
    uint64_t n = 0;

    for (size_t i = 0; i < whole; i += GROUP) {
        v_sum_add(&sum, both_at(a, b, i), both_at(a, b, i + LANES), both_at(a, b, i + 2 * LANES),
                  both_at(a, b, i + 3 * LANES));
        if ((i + GROUP) % FLUSH == 0)
            v_sum_flush(&sum);
    }
    v_sum_flush(&sum);
    for (size_t i = whole; i < words; i++)
        n += ones_of(a[i] & b[i]);
    return n + v_sum_total(&sum);
}

static uint64_t weigh(const uint64_t *mask, const uint64_t *const *plane, unsigned n, size_t words)
{
    uint64_t sum = 0;

    for (unsigned k = 0; k < n; k++)
        sum += (mask ? count_and(mask, plane[k], words) : count(plane[k], words)) << k;
    return sum;
}

/* Returns the ones of four planes' words from w on, 16 bits each. */
COPIED vec four_ones(const uint64_t *const plane[4], size_t w)
{
    const vec a = v_ones(v_load(plane[0] + w)), b = v_ones(v_load(plane[1] + w));
    const vec c = v_ones(v_load(plane[2] + w)), d = v_ones(v_load(plane[3] + w));

    return v_or(v_or(a, v_left(b, 16)), v_left(v_or(c, v_left(d, 16)), 32));
}

static void rows(const uint64_t *const plane[12], size_t words, uint64_t (*row)[4])
{
    const size_t whole = words - words % LINE_WORDS;
    v_row last = v_row_load(row[0]);

    for (size_t i = 0; i < whole; i += LINE_WORDS) {
        for (unsigned k = 0; k < 12; k++)
            v_prefetch_far(plane[k] + i, PC_AHEAD_FAR);
        for (size_t j = i; j < i + LINE_WORDS; j += LANES)
            last = v_rows(last, four_ones(plane, j), four_ones(plane + 4, j),
                          four_ones(plane + 8, j), row + j + 1);
    }
    rows_by_word(plane, whole, words, row);
}

/* Returns true if it has an odd number of ones. */
static inline bool is_odd(vec x)
{
    return v_total(v_ones(x)) & 1;
}

/* Two vectors beside each other: each waits for what the other one loads. */
static bool odd_rises(const uint64_t *plane, bool level, size_t words)
{
    const size_t whole = words - words % (2 * LANES);
    vec rises[2] = { v_set(0), v_set(0) };
    vec last = v_set(level ? UINT64_MAX : 0);

    for (size_t i = 0; i < whole; i += 2 * LANES) {
        const vec x = v_load(plane + i), y = v_load(plane + i + LANES);
        rises[0] = v_xor(rises[0], v_andnot(x, v_late(&last, x)));
        rises[1] = v_xor(rises[1], v_andnot(y, v_late(&last, y)));
    }
    const bool odd = is_odd(v_xor(rises[0], rises[1]));
    if (whole > 0)
        level = plane[whole - 1] >> 63;
    return odd ^ FINISH.odd_rises(plane + whole, level, words - whole);
}

#endif
