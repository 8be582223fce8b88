/* SPDX-License-Identifier: MIT */
/*
 * The kernels over vectors of LANES words, for the file that includes this and defines
 *
 *   vec                          LANES words
 *   v_load v_store v_set         unaligned; the same word in every lane
 *   v_and v_or v_xor v_andnot    v_andnot(a, b) is a & ~b
 *   v_add v_sub                  of each lane by itself
 *   v_prefix                     bit i = XOR of bits 0 to i, of each lane by itself
 *   v_left v_right               shifts of each lane
 *   v_ones                       the number of ones of each lane
 *   v_tally v_tally_sum          adds the ones of a vector to a tally, which holds TILE words
 *   v_top v_full                 bit k: bit 63 of lane k is 1; lane k is all ones
 *   v_spread                     lane k all ones where bit k is 1
 *   FINISH                       the kernel for the words after the last whole vector
 *
 * Carries between lanes are resolved in a register, as the sum of two small numbers: where a
 * lane makes a carry (generate) and where it hands one on (all ones).
 */
#ifndef PC_ENGINE_KERNEL_LANES_H
#define PC_ENGINE_KERNEL_LANES_H

#include "engine/kernel_lut.h"

/*
 * Words of a plane that one operation of a quad takes before the next one's turn, and how far
 * ahead of them memory is asked: with 16 planes both just fit the first-level cache.  FAR: the
 * same where one operation goes through a long block before the next one.
 */
enum { TILE = 64, AHEAD = TILE, FAR = 256, LINE_WORDS = 8 };
#define LANE_BITS ((1u << LANES) - 1)

/* Hints, so the address may lie behind the plane: into the first-level cache, or the second. */
static inline void v_prefetch(const uint64_t *at, size_t words_ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)at + words_ahead * sizeof *at), 0, 3);
}

static inline void v_prefetch_far(const uint64_t *at, size_t words_ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)at + words_ahead * sizeof *at), 0, 2);
}

/* Words first to first + words of the sum into out. */
typedef void three_fn(uint64_t *out, const uint64_t *const *arg, size_t first, size_t words);

/* Coefficients 1 to 3 of a sum (kernel_lut.h) without a constant: one operation, or none. */
static inline __attribute__((always_inline)) vec two(unsigned c, vec a, vec b)
{
    switch (c >> 1 & 7) {
    case 0:
        return v_set(0);
    case 1:
        return a;
    case 2:
        return b;
    case 3:
        return v_xor(a, b);
    case 4:
        return v_and(a, b);
    case 5:
        return v_andnot(a, b);
    case 6:
        return v_andnot(b, a);
    default:
        return v_or(a, b);
    }
}

/* Coefficients 1 to 7.  c is a constant where this is called: four operations at most. */
static inline __attribute__((always_inline)) vec three(unsigned c, vec a, vec b, vec d)
{
    const vec inner = two(c >> 4, a, b);

    return v_xor(two(c, a, b), c & 16 ? v_andnot(d, inner) : v_and(d, inner));
}

/* Is argument k in one of the products? */
#define SPEAKS(c, k) ((c) & ((k) == 0 ? 0xaau : (k) == 1 ? 0xccu : 0xf0u))

static inline __attribute__((always_inline)) void
three_words(unsigned c, uint64_t *out, const uint64_t *const *arg, size_t first, size_t words)
{
    const uint64_t *a = SPEAKS(c, 0) ? arg[0] + first : NULL;
    const uint64_t *b = SPEAKS(c, 1) ? arg[1] + first : NULL;
    const uint64_t *d = SPEAKS(c, 2) ? arg[2] + first : NULL;
    const vec none = v_set(0);

    for (size_t i = 0; i < words; i += LINE_WORDS) {
        for (size_t j = i; j < i + LINE_WORDS; j += LANES)
            v_store(out + j, three(c, SPEAKS(c, 0) ? v_load(a + j) : none,
                                   SPEAKS(c, 1) ? v_load(b + j) : none,
                                   SPEAKS(c, 2) ? v_load(d + j) : none));
    }
}

/*
 * A function for each of the 128 sums: the compiler makes the operations of each one, for
 * a whole tile without a branch.
 */
#define THREE(c)                                                                                   \
    static void three_##c(uint64_t *out, const uint64_t *const *arg, size_t first, size_t words)   \
    {                                                                                              \
        if (words == TILE)                                                                         \
            three_words(0x##c, out, arg, first, TILE);                                             \
        else                                                                                       \
            three_words(0x##c, out, arg, first, words);                                            \
    }
/* clang-format off */
#define EIGHT(m, h) m(h##0) m(h##2) m(h##4) m(h##6) m(h##8) m(h##a) m(h##c) m(h##e)
#define ALL_THREE(m) \
    EIGHT(m, 0) EIGHT(m, 1) EIGHT(m, 2) EIGHT(m, 3) EIGHT(m, 4) EIGHT(m, 5) EIGHT(m, 6) EIGHT(m, 7) \
    EIGHT(m, 8) EIGHT(m, 9) EIGHT(m, a) EIGHT(m, b) EIGHT(m, c) EIGHT(m, d) EIGHT(m, e) EIGHT(m, f)
/* clang-format on */
#define ENTRY(c) three_##c,
ALL_THREE(THREE)
static three_fn *const THREES[128] = { ALL_THREE(ENTRY) };

/* XOR with this inverts where coefficient i is set. */
static inline vec inversion(const struct pc_lut_sum *sum, unsigned i)
{
    return v_set(sum->coefficients >> i & 1 ? UINT64_MAX : 0);
}

/*
 * A tile of a sum of four arguments is a sum of three, plus the fourth times another sum of
 * three; all but what the fourth argument adds to is done when this returns.
 */
struct halves {
    uint64_t plain[TILE], times[TILE];
};

static inline void halve(struct halves *h, const struct pc_lut_sum *sum, size_t first, size_t words)
{
    THREES[sum->coefficients >> 1 & 127](h->plain, sum->arg, first, words);
    if (sum->n > 3)
        THREES[sum->coefficients >> 9 & 127](h->times, sum->arg, first, words);
}

/* Asks for one line of each of n planes: spread through the loop, or the buffers overflow. */
static inline __attribute__((always_inline)) void ahead(const struct pc_lut_sum *sum, size_t at,
                                                        unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        v_prefetch(sum->arg[k] + at, AHEAD);
}

/* far: how far ahead memory is asked for the arguments. */
static inline __attribute__((always_inline)) void
lut_words(uint64_t *out, const struct pc_lut_sum *sum, size_t first, size_t words, size_t far)
{
    const vec inverse = inversion(sum, 0), inner = inversion(sum, 8);
    struct halves h;

    halve(&h, sum, first, words);
    for (size_t i = 0; i < words; i += LINE_WORDS) {
        for (unsigned k = 0; k < sum->n; k++)
            far == FAR ? v_prefetch_far(sum->arg[k] + first + i, far)
                       : v_prefetch(sum->arg[k] + first + i, far);
        for (size_t j = i; j < i + LINE_WORDS; j += LANES) {
            vec x = v_xor(v_load(h.plain + j), inverse);
            if (sum->n > 3)
                x = v_xor(
                    x, v_and(v_load(sum->arg[3] + first + j), v_xor(inner, v_load(h.times + j))));
            v_store(out + j, x);
        }
    }
}

static void lut_tile(uint64_t *out, const struct pc_lut_sum *sum, size_t first, size_t words)
{
    if (words == TILE)
        lut_words(out, sum, first, TILE, AHEAD);
    else
        lut_words(out, sum, first, words, AHEAD);
}

static void lut(uint64_t *out, const struct pc_lut_op *op, size_t words)
{
    const struct pc_lut_sum sum = pc_lut_reduce(op);
    const size_t whole = words - words % LINE_WORDS;
    const struct pc_lut_op rest = pc_lut_at(op, whole);

    for (size_t first = 0; first < whole; first += TILE) {
        if (whole - first < TILE)
            lut_words(out + first, &sum, first, whole - first, FAR);
        else
            lut_words(out + first, &sum, first, TILE, FAR);
    }
    if (whole < words)
        FINISH.lut(out + whole, &rest, words - whole);
}

/* Ones of a plane, while the memory is asked for the words of sum AHEAD of `first`. */
static inline __attribute__((always_inline)) uint64_t count_three(const uint64_t *plane,
                                                                  const struct pc_lut_sum *sum,
                                                                  size_t first, size_t words,
                                                                  unsigned n)
{
    vec ones = v_set(0);

    for (size_t i = 0; i < words; i += LINE_WORDS) {
        ahead(sum, first + i, n);
        for (size_t j = i; j < i + LINE_WORDS; j += LANES)
            ones = v_tally(ones, v_load(plane + j));
    }
    return v_tally_sum(ones);
}

/* inverted: `times` is to be read inverted; a constant here. */
static inline __attribute__((always_inline)) uint64_t count_four(const struct halves *h,
                                                                 const struct pc_lut_sum *sum,
                                                                 size_t first, size_t words,
                                                                 bool inverted)
{
    const uint64_t *arg = sum->arg[3] + first;
    vec ones = v_set(0);

    for (size_t i = 0; i < words; i += LINE_WORDS) {
        ahead(sum, first + i, 4);
        for (size_t j = i; j < i + LINE_WORDS; j += LANES) {
            const vec a = v_load(arg + j), t = v_load(h->times + j);
            const vec x = v_xor(v_load(h->plain + j), inverted ? v_andnot(a, t) : v_and(a, t));
            ones = v_tally(ones, x);
        }
    }
    return v_tally_sum(ones);
}

static inline __attribute__((always_inline)) uint64_t count_words(const struct pc_lut_sum *sum,
                                                                  size_t first, size_t words)
{
    uint64_t ones = 0;
    struct halves h;

    if (sum->n > 1)
        halve(&h, sum, first, words);
    if (sum->n == 1)
        ones = count_three(sum->arg[0] + first, sum, first, words, 1);
    else if (sum->n == 2)
        ones = count_three(h.plain, sum, first, words, 2);
    else if (sum->n == 3)
        ones = count_three(h.plain, sum, first, words, 3);
    else if (sum->n == 4 && sum->coefficients >> 8 & 1)
        ones = count_four(&h, sum, first, words, true);
    else if (sum->n == 4)
        ones = count_four(&h, sum, first, words, false);
    return sum->coefficients & 1 ? words * 64 - ones : ones;
}

/* A whole tile has loops of constant length: no branch is guessed wrong at their ends. */
static uint64_t count_tile(const struct pc_lut_sum *sum, size_t first, size_t words)
{
    return words == TILE ? count_words(sum, first, TILE) : count_words(sum, first, words);
}

static uint64_t count_lut(const struct pc_lut_op *op, size_t words)
{
    const struct pc_lut_sum sum = pc_lut_reduce(op);
    const size_t whole = words - words % LINE_WORDS;
    const struct pc_lut_op rest = pc_lut_at(op, whole);
    uint64_t ones = FINISH.count_lut(&rest, words - whole);

    for (size_t first = 0; first < whole; first += TILE)
        ones += count_tile(&sum, first, whole - first < TILE ? whole - first : TILE);
    return ones;
}

/* A tile of the operation whose rises count too: its plane, behind the last word before it. */
static uint64_t edge_tile(const struct pc_lut_sum *sum, size_t first, size_t words,
                          struct pc_rise *edge)
{
    uint64_t tile[1 + TILE] = { edge->level ? UINT64_MAX : 0 }, lane[LANES];
    vec ones = v_set(0), rises = v_set(0);

    lut_tile(tile + 1, sum, first, words);
    for (size_t i = 1; i <= words; i += LANES) {
        const vec x = v_load(tile + i);
        const vec before = v_or(v_add(x, x), v_right(v_load(tile + i - 1), 63));
        ones = v_tally(ones, x);
        rises = v_xor(rises, v_andnot(x, before));
    }
    v_store(lane, rises);
    for (unsigned k = 0; k < LANES; k++)
        edge->odd ^= __builtin_popcountll(lane[k]) & 1;
    edge->level = tile[words] >> 63;
    return v_tally_sum(ones);
}

static void quad(const struct pc_lut_op op[4], size_t words, uint64_t counts[4],
                 struct pc_rise *edge)
{
    const size_t whole = words - words % LINE_WORDS;
    struct pc_lut_op rest[4];
    struct pc_lut_sum sum[4];

    for (unsigned k = 0; k < 4; k++) {
        sum[k] = pc_lut_reduce(&op[k]);
        rest[k] = pc_lut_at(&op[k], whole);
    }
    for (size_t first = 0; first < whole; first += TILE) {
        const size_t tile = whole - first < TILE ? whole - first : TILE;
        counts[0] += count_tile(&sum[0], first, tile);
        counts[1] += count_tile(&sum[1], first, tile);
        counts[2] += edge_tile(&sum[2], first, tile, edge);
        counts[3] += count_tile(&sum[3], first, tile);
    }
    if (whole < words)
        FINISH.quad(rest, words - whole, counts, edge);
}

static uint64_t count(const uint64_t *plane, size_t words)
{
    const size_t whole = words - words % LANES;
    uint64_t n = whole < words ? FINISH.count(plane + whole, words - whole) : 0;

    for (size_t first = 0; first < whole; first += TILE) {
        const size_t end = whole - first < TILE ? whole : first + TILE;
        vec ones = v_set(0);
        for (size_t i = first; i < end; i += LANES)
            ones = v_tally(ones, v_load(plane + i));
        n += v_tally_sum(ones);
    }
    return n;
}

static uint64_t count_and(const uint64_t *a, const uint64_t *b, size_t words)
{
    const size_t whole = words - words % LANES;
    uint64_t n = FINISH.count_and(a + whole, b + whole, words - whole);

    for (size_t first = 0; first < whole; first += TILE) {
        const size_t end = whole - first < TILE ? whole : first + TILE;
        vec ones = v_set(0);
        for (size_t i = first; i < end; i += LANES)
            ones = v_tally(ones, v_and(v_load(a + i), v_load(b + i)));
        n += v_tally_sum(ones);
    }
    return n;
}

static uint64_t weigh(const uint64_t *mask, const uint64_t *const *plane, unsigned n, size_t words)
{
    uint64_t sum = 0;

    for (unsigned k = 0; k < n; k++)
        sum += (mask ? count_and(mask, plane[k], words) : count(plane[k], words)) << k;
    return sum;
}

#include "engine/kernel_counts.h"

static bool uniform(const uint64_t *plane, uint64_t value, size_t words)
{
    const size_t whole = words - words % LANES;
    const vec inverse = v_set(~value);

    for (size_t i = 0; i < whole; i += LANES)
        if (v_full(v_xor(v_load(plane + i), inverse)) != LANE_BITS)
            return false;
    return FINISH.uniform(plane + whole, value, words - whole);
}

static bool late(uint64_t *out, const uint64_t *in, bool carry, size_t words)
{
    const size_t whole = words - words % LANES;

    for (size_t i = 0; i < whole; i += LANES) {
        const vec x = v_load(in + i);
        const unsigned tops = v_top(x) << 1 | carry;
        v_store(out + i, v_sub(v_add(x, x), v_spread(tops & LANE_BITS)));
        carry = tops >> LANES & 1;
    }
    return FINISH.late(out + whole, in + whole, carry, words - whole);
}

/* Bit k + 1 of the result = XOR of bits 0 to k of lanes and carry; bit 0 = carry. */
static inline unsigned prefix_lanes(unsigned lanes, bool carry)
{
    unsigned x = lanes << 1 | carry;

    x ^= x << 1;
    x ^= x << 2;
    x ^= x << 4;
    return x ^ x << 8;
}

static bool toggle(uint64_t *out, const uint64_t *in, bool carry, size_t words)
{
    const size_t whole = words - words % LANES;

    for (size_t i = 0; i < whole; i += LANES) {
        const vec x = v_prefix(v_load(in + i));
        const unsigned level = prefix_lanes(v_top(x), carry);
        v_store(out + i, v_xor(x, v_spread(level & LANE_BITS)));
        carry = level >> LANES & 1;
    }
    return FINISH.toggle(out + whole, in + whole, carry, words - whole);
}

/*
 * A latch is a carry chain: set makes a carry, clear kills it, neither hands it on.  `set` and
 * `clear` are disjoint.  Returns the state before each cycle.
 */
static inline vec latch(vec set, vec keep_or_set, bool *carry)
{
    const vec sum = v_add(keep_or_set, set);
    const vec made = v_or(set, v_andnot(keep_or_set, sum));
    const unsigned full = v_full(sum);
    const unsigned lanes = ((v_top(made) << 1 | *carry) + full) ^ full;

    *carry = lanes >> LANES & 1;
    return v_xor(v_xor(v_sub(sum, v_spread(lanes & LANE_BITS)), keep_or_set), set);
}

static bool flag(uint64_t *out, const uint64_t *set, const uint64_t *clear, bool carry,
                 size_t words)
{
    const size_t whole = words - words % LANES;
    const vec ones = v_set(UINT64_MAX);

    for (size_t i = 0; i < whole; i += LANES) {
        v_prefetch_far(set + i, FAR);
        v_prefetch_far(clear + i, FAR);
        const vec keep = v_andnot(ones, v_load(clear + i));
        v_store(out + i, latch(v_and(v_load(set + i), keep), keep, &carry));
    }
    return FINISH.flag(out + whole, set + whole, clear + whole, carry, words - whole);
}

/*
 * With `turned` = how often both came before, modulo 2, state XOR turned is a latch: where
 * turned is 1, start clears and stop sets.
 */
static bool affine(uint64_t *out, const uint64_t *start, const uint64_t *stop, bool carry,
                   size_t words)
{
    const size_t whole = words - words % LANES;

    for (size_t i = 0; i < whole; i += LANES) {
        const vec s = v_load(start + i), t = v_load(stop + i);
        const vec both = v_and(s, t), one = v_xor(s, t);
        const vec after = v_prefix(both);
        const unsigned level = prefix_lanes(v_top(after), false);
        const vec turned = v_xor(v_xor(after, both), v_spread(level & LANE_BITS));
        const vec set = v_and(one, v_xor(s, turned));
        const vec keep = v_or(v_andnot(v_set(UINT64_MAX), one), set);
        v_store(out + i, v_xor(latch(set, keep, &carry), turned));
        carry ^= level >> LANES & 1;
    }
    return FINISH.affine(out + whole, start + whole, stop + whole, carry, words - whole);
}

#endif
