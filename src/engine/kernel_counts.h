/* SPDX-License-Identifier: MIT */
/*
 * Counts of many planes at once, and of rises: the part of kernel_lanes.h that record mode and
 * single mode live from.
 */
#ifndef PC_ENGINE_KERNEL_COUNTS_H
#define PC_ENGINE_KERNEL_COUNTS_H

/*
 * The machine's own popcount: spans are short, from one end of a period to the next.  A line that
 * was passed asks for one further on.
 */
static inline __attribute__((always_inline)) unsigned ones_of(uint64_t x)
{
    return (unsigned)__builtin_popcountll(x);
}

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

static void sums(const uint64_t *const *plane, unsigned n, uint64_t from, uint64_t to,
                 uint32_t *sum)
{
    const size_t first = (size_t)(from / 64), last = (size_t)((to - 1) / 64);
    const uint64_t head = UINT64_MAX << from % 64, tail = UINT64_MAX >> (63 - (to - 1) % 64);

    for (unsigned k = 0; k < n; k++) {
        const uint64_t *p = plane[k];
        if (first == last) {
            sum[k] = ones_of(p[first] & head & tail);
            continue;
        }
        unsigned a = ones_of(p[first] & head), b = ones_of(p[last] & tail);
        size_t i = first + 1;
        for (; i + 4 <= last; i += 4) {
            a += ones_of(p[i]) + ones_of(p[i + 1]);
            b += ones_of(p[i + 2]) + ones_of(p[i + 3]);
        }
        for (; i < last; i++)
            a += ones_of(p[i]);
        for (i = first; i < last; i += LINE_WORDS)
            v_prefetch(p + i, AHEAD);
        sum[k] = a + b;
    }
}

static inline uint64_t part(const uint64_t *plane, size_t w, uint64_t mask, unsigned place)
{
    return (uint64_t)ones_of(plane[w] & mask) << place;
}

/* The word of the block's end is not there to be read. */
static inline uint64_t cut_of(const uint64_t *const plane[4], size_t w, uint64_t mask)
{
    if (mask == 0)
        return 0;
    return part(plane[0], w, mask, 0) | part(plane[1], w, mask, 16) | part(plane[2], w, mask, 32) |
           part(plane[3], w, mask, 48);
}

/* Adds the ones of words first to end - 1 of six planes; a line that is entered asks for another.
 */
static inline void six(const uint64_t *const plane[6], size_t first, size_t end, unsigned n[6])
{
    const uint64_t *a = plane[0], *b = plane[1], *c = plane[2];
    const uint64_t *d = plane[3], *e = plane[4], *f = plane[5];
    unsigned sum[6] = { 0 };

    for (size_t i = first; i < end; i++) {
        sum[0] += ones_of(a[i]);
        sum[1] += ones_of(b[i]);
        sum[2] += ones_of(c[i]);
        sum[3] += ones_of(d[i]);
        sum[4] += ones_of(e[i]);
        sum[5] += ones_of(f[i]);
    }
    for (unsigned k = 0; k < 6; k++)
        n[k] = sum[k];
    for (size_t i = first; i < end; i += LINE_WORDS)
        for (unsigned k = 0; k < 6; k++)
            v_prefetch(plane[k] + i, SPAN_AHEAD);
}

static inline uint64_t four_of(const unsigned n[4])
{
    return n[0] | (uint64_t)n[1] << 16 | (uint64_t)n[2] << 32 | (uint64_t)n[3] << 48;
}

static void span(const uint64_t *const plane[12], uint64_t from, uint64_t to, const uint64_t cut[3],
                 struct pc_span *out)
{
    const size_t first = (size_t)(from / 64), w = (size_t)(to / 64);
    const uint64_t mask = (UINT64_C(1) << to % 64) - 1;
    unsigned n[12] = { 0 };

    if (first < w) { /* not so where a packet follows upon another */
        six(plane, first, w, n);
        six(plane + 6, first, w, n + 6);
    }
    for (unsigned g = 0; g < 3; g++) {
        out->cut[g] = cut_of(plane + 4 * g, w, mask);
        out->sum[g] = four_of(n + 4 * g) + out->cut[g] - cut[g];
    }
}

/* The word before each lane's is read a second time: cheaper than to move it over. */
static bool odd_rises(const uint64_t *plane, bool level, size_t words)
{
    const size_t end = words > 0 ? 1 + (words - 1) - (words - 1) % LANES : 0;
    vec rises = v_set(0);
    uint64_t lane[LANES];
    bool odd = words > 0 && (ones_of(plane[0] & ~(plane[0] << 1 | level)) & 1);

    for (size_t i = 1; i < end; i += LANES) {
        const vec x = v_load(plane + i);
        const vec before = v_or(v_add(x, x), v_right(v_load(plane + i - 1), 63));
        rises = v_xor(rises, v_andnot(x, before));
    }
    v_store(lane, rises);
    for (unsigned k = 0; k < LANES; k++)
        odd ^= ones_of(lane[k]) & 1;
    if (end == words || end == 0)
        return odd;
    return odd ^ FINISH.odd_rises(plane + end, plane[end - 1] >> 63, words - end);
}

#endif
