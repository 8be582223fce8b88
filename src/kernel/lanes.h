/* SPDX-License-Identifier: MIT */
/*
 * The kernels over vectors of LANES words, for the file that includes this and defines
 *
 *   vec                          LANES words
 *   v_load v_store v_set         unaligned; the same word in every lane
 *   v_and v_or v_xor v_andnot    v_andnot(a, b) is a & ~b
 *   v_add v_sub                  of each lane by itself
 *   v_prefix                     bit i = XOR of bits 0 to i, of each lane by itself
 *   v_right v_left               shift each lane
 *   v_total                      the sum of all lanes
 *   v_row v_row_load             four words
 *   v_rows(last, a, b, c, row)   row k = row k - 1, `last` at first, + lanes k of a, b, c and 0,
 *                                each by itself, for all lanes; the last of them
 *   v_behind(last, x)            the last lane of `last`, then all of x but its last
 *   v_ones                       the number of ones of each lane
 *   v_sum                        a number of ones: v_sum_none, v_sum_add of four vectors, and
 *                                v_sum_total; v_sum_flush after 31 times at most
 *   v_top v_full                 bit k: bit 63 of lane k is 1; lane k is all ones
 *   v_spread                     lane k all ones where bit k is 1
 *   AHEAD                        how many words ahead memory is asked, in loops over few planes
 *   COPIED                       begins the definition of what must be copied into its caller
 *   FINISH                       the kernel for the words after the last whole vector
 *
 * Carries between lanes are resolved in a register, as the sum of two small numbers: where a
 * lane makes a carry (generate) and where it hands one on (all ones).
 */
#ifndef PC_KERNEL_LANES_H
#define PC_KERNEL_LANES_H

/*
 * Words of a plane that one operation of a quad takes before the next one's turn: the fewer, the
 * better for 16 planes from memory; from the second-level cache, what it costs to begin with the
 * next operation shows with fewer.
 */
enum { TILE = 32, LINE_WORDS = 8 };
/* Words that operations take at once. */
enum { GROUP = 4 * LANES };
#define LANE_BITS ((1u << LANES) - 1)

/* Hints, so the address may lie after the plane: into the first-level cache, or the second. */
static inline void v_prefetch(const uint64_t *at, size_t words_ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)at + words_ahead * sizeof *at), 0, 3);
}

static inline void v_prefetch_far(const uint64_t *at, size_t words_ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)at + words_ahead * sizeof *at), 0, 2);
}

/* Returns x one cycle late, which comes after the vector *last and takes its place. */
static inline vec v_late(vec *last, vec x)
{
    const vec late = v_or(v_add(x, x), v_right(v_behind(*last, x), 63));

    *last = x;
    return late;
}

#include "kernel/counts.h"

static void marks(uint64_t *marks, const uint64_t *plane, size_t words)
{
    const size_t whole = words - words % 64;
    const vec ones = v_set(UINT64_MAX);

    for (size_t w = 0; w < whole; w += 64) {
        uint64_t zero = 0;
        for (unsigned i = 0; i < 64; i += LANES)
            zero |= (uint64_t)v_full(v_xor(v_load(plane + w + i), ones)) << i;
        marks[w / 64] = ~zero;
    }
    FINISH.marks(marks + whole / 64, plane + whole, words - whole);
}

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

/* Returns the last bit of a vector. */
static inline bool last_bit(vec x)
{
    return v_top(x) >> (LANES - 1) & 1;
}

/* The signal rises where the register did a cycle before, which is then 1 and not yet shown. */
static void flag(uint64_t *out, const uint64_t *set, const uint64_t *clear, struct pc_flag *flag,
                 size_t words)
{
    const size_t whole = words - words % LANES;
    const vec ones = v_set(UINT64_MAX);
    vec state = v_set(flag->cur ? UINT64_MAX : 0), odd = v_set(0);
    bool carry = flag->next;

    for (size_t i = 0; i < whole; i += LANES) {
        v_prefetch_far(set + i, PC_AHEAD_FAR);
        v_prefetch_far(clear + i, PC_AHEAD_FAR);
        const vec keep = v_andnot(ones, v_load(clear + i));
        const vec now = latch(v_and(v_load(set + i), keep), keep, &carry);
        const vec shown = v_late(&state, now);
        odd = v_xor(odd, v_andnot(now, shown));
        v_store(out + i, shown);
    }
    if (whole > 0) {
        const bool shows = out[whole - 1] >> 63, rose = flag->cur && !flag->shown.level;
        flag->next = carry;
        flag->cur = last_bit(state);
        flag->shown.odd ^= is_odd(odd) ^ rose ^ (flag->cur && !shows);
        flag->shown.level = shows;
    }
    FINISH.flag(out + whole, set + whole, clear + whole, flag, words - whole);
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
