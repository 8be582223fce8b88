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

/* A word of four numbers of 16 bits each, for each lane. */
static inline vec four_of(const uint64_t *const plane[4], size_t i)
{
    const vec low = v_or(v_ones(v_load(plane[0] + i)), v_left(v_ones(v_load(plane[1] + i)), 16));
    const vec high = v_or(v_ones(v_load(plane[2] + i)), v_left(v_ones(v_load(plane[3] + i)), 16));

    return v_or(low, v_left(high, 32));
}

/* One line of the twelve planes: four of them at a time. */
static inline void tally_line(const uint64_t *const plane[12], size_t i, uint64_t *const before[3],
                              uint64_t sum[3])
{
    for (unsigned g = 0; g < 3; g++) {
        uint64_t four[LINE_WORDS], s = sum[g];
        for (unsigned k = 0; k < 4; k++)
            v_prefetch(plane[4 * g + k] + i, AHEAD);
        for (size_t j = 0; j < LINE_WORDS; j += LANES)
            v_store(four + j, four_of(plane + 4 * g, i + j));
        for (size_t j = 0; j < LINE_WORDS; j++) {
            before[g][i + j] = s;
            s += four[j];
        }
        sum[g] = s;
    }
}

static void tally(const uint64_t *const plane[12], size_t words, uint64_t *const before[3],
                  uint64_t *out, const struct pc_lut_op *op)
{
    const size_t whole = words - words % LINE_WORDS;
    const struct pc_lut_sum lut_sum = pc_lut_reduce(op);
    const struct pc_lut_op rest = pc_lut_at(op, whole);
    uint64_t sum[3] = { 0, 0, 0 };

    for (size_t first = 0; first < whole; first += TILE) {
        const size_t end = whole - first < TILE ? whole : first + TILE;
        lut_tile(out + first, &lut_sum, first, end - first);
        for (size_t i = first; i < end; i += LINE_WORDS)
            tally_line(plane, i, before, sum);
    }
    for (size_t i = whole; i < words; i++)
        for (unsigned g = 0; g < 3; g++) {
            const uint64_t *const *p = plane + 4 * g;
            before[g][i] = sum[g];
            sum[g] += ones_of(p[0][i]) | (uint64_t)ones_of(p[1][i]) << 16 |
                      (uint64_t)ones_of(p[2][i]) << 32 | (uint64_t)ones_of(p[3][i]) << 48;
        }
    for (unsigned g = 0; g < 3; g++)
        before[g][words] = sum[g];
    if (whole < words)
        FINISH.lut(out + whole, &rest, words - whole);
}

static inline uint64_t masked(const uint64_t *plane, size_t w, uint64_t mask, unsigned place)
{
    return (uint64_t)ones_of(plane[w] & mask) << place;
}

static void mark(const uint64_t *const plane[12], const uint64_t *const before[3], uint64_t t,
                 uint64_t out[3])
{
    const size_t w = (size_t)(t / 64);
    const uint64_t mask = (UINT64_C(1) << t % 64) - 1;

    for (unsigned g = 0; g < 3; g++)
        out[g] = before[g][w];
    for (unsigned g = 0; g < 3 && mask != 0; g++) {
        const uint64_t *const *p = plane + 4 * g;
        out[g] += masked(p[0], w, mask, 0) + masked(p[1], w, mask, 16) + masked(p[2], w, mask, 32) +
                  masked(p[3], w, mask, 48);
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
