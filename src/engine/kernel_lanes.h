/* SPDX-License-Identifier: MIT */
/*
 * The kernels over vectors of LANES words, for the file that includes this and defines
 *
 *   vec                          LANES words
 *   v_load v_store v_set         unaligned; the same word in every lane
 *   v_and v_or v_xor v_andnot    v_andnot(a, b) is a & ~b
 *   v_add v_sub                  of each lane by itself
 *   v_prefix                     bit i = XOR of bits 0 to i, of each lane by itself
 *   v_popcount v_sum             ones of each lane; sum of the lanes
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

/* Words of a plane that one operation of a quad takes before the next one's turn. */
enum { TILE = 128 };
#define LANE_BITS ((1u << LANES) - 1)

/* A hint, so the address may lie behind the plane. */
static inline void v_prefetch(const uint64_t *at, size_t words_ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)at + words_ahead * sizeof *at), 0, 3);
}

struct coefficients {
    vec c[16];
};

static inline struct coefficients spread_coefficients(const struct pc_lut_sum *sum)
{
    struct coefficients s;

    for (unsigned i = 0; i < 16; i++)
        s.c[i] = v_set(sum->coefficients >> i & 1 ? UINT64_MAX : 0);
    return s;
}

/* n is a constant where this is called: the loops become straight code. */
static inline __attribute__((always_inline)) vec evaluate(const struct coefficients *s,
                                                          const vec *arg, unsigned n)
{
    vec v[16];

    for (unsigned i = 0; i < 1u << n; i++)
        v[i] = s->c[i];
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < 1u << (n - 1 - k); i++)
            v[i] = v_xor(v[2 * i], v_and(arg[k], v[2 * i + 1]));
    return v[0];
}

static inline __attribute__((always_inline)) void lut_n(uint64_t *out, const struct pc_lut_sum *sum,
                                                        size_t words, unsigned n)
{
    const struct coefficients s = spread_coefficients(sum);

    for (size_t i = 0; i < words; i += LANES) {
        vec arg[4];
        for (unsigned k = 0; k < n; k++)
            arg[k] = v_load(sum->arg[k] + i);
        v_store(out + i, evaluate(&s, arg, n));
    }
}

static void lut(uint64_t *out, const struct pc_lut_op *op, size_t words)
{
    const struct pc_lut_sum sum = pc_lut_reduce(op);
    const size_t whole = words - words % LANES;
    const struct pc_lut_op rest = pc_lut_at(op, whole);

    switch (sum.n) {
    case 0:
        lut_n(out, &sum, whole, 0);
        break;
    case 1:
        lut_n(out, &sum, whole, 1);
        break;
    case 2:
        lut_n(out, &sum, whole, 2);
        break;
    case 3:
        lut_n(out, &sum, whole, 3);
        break;
    default:
        lut_n(out, &sum, whole, 4);
        break;
    }
    FINISH.lut(out + whole, &rest, words - whole);
}

/* Words first to end; asks the memory for the ones TILE further on, one line after the other. */
static inline __attribute__((always_inline)) vec count_n(const struct pc_lut_sum *sum, size_t first,
                                                         size_t end, unsigned n)
{
    const struct coefficients s = spread_coefficients(sum);
    vec ones = v_set(0);

    for (size_t i = first; i < end; i += LANES) {
        vec arg[4];
        for (unsigned k = 0; k < n; k++) {
            arg[k] = v_load(sum->arg[k] + i);
            if (i % 8 == 0)
                v_prefetch(sum->arg[k] + i, TILE);
        }
        ones = v_add(ones, v_popcount(evaluate(&s, arg, n)));
    }
    return ones;
}

static uint64_t count_range(const struct pc_lut_sum *sum, size_t first, size_t end)
{
    switch (sum->n) {
    case 0:
        return sum->coefficients & 1 ? (end - first) * 64 : 0;
    case 1:
        return v_sum(count_n(sum, first, end, 1));
    case 2:
        return v_sum(count_n(sum, first, end, 2));
    case 3:
        return v_sum(count_n(sum, first, end, 3));
    default:
        return v_sum(count_n(sum, first, end, 4));
    }
}

static uint64_t count_lut(const struct pc_lut_op *op, size_t words)
{
    const struct pc_lut_sum sum = pc_lut_reduce(op);
    const size_t whole = words - words % LANES;
    const struct pc_lut_op rest = pc_lut_at(op, whole);

    return count_range(&sum, 0, whole) + FINISH.count_lut(&rest, words - whole);
}

static void quad(const struct pc_lut_op op[4], size_t words, uint64_t counts[4])
{
    const size_t whole = words - words % LANES;
    struct pc_lut_op rest[4];
    struct pc_lut_sum sum[4];

    for (unsigned k = 0; k < 4; k++) {
        sum[k] = pc_lut_reduce(&op[k]);
        rest[k] = pc_lut_at(&op[k], whole);
    }
    for (size_t first = 0; first < whole; first += TILE) {
        const size_t end = whole - first < TILE ? whole : first + TILE;
        for (unsigned k = 0; k < 4; k++)
            counts[k] += count_range(&sum[k], first, end);
    }
    FINISH.quad(rest, words - whole, counts);
}

static uint64_t count(const uint64_t *plane, size_t words)
{
    const size_t whole = words - words % LANES;
    vec ones = v_set(0);

    for (size_t i = 0; i < whole; i += LANES)
        ones = v_add(ones, v_popcount(v_load(plane + i)));
    return v_sum(ones) + FINISH.count(plane + whole, words - whole);
}

static uint64_t count_and(const uint64_t *a, const uint64_t *b, size_t words)
{
    const size_t whole = words - words % LANES;
    vec ones = v_set(0);

    for (size_t i = 0; i < whole; i += LANES)
        ones = v_add(ones, v_popcount(v_and(v_load(a + i), v_load(b + i))));
    return v_sum(ones) + FINISH.count_and(a + whole, b + whole, words - whole);
}

static uint64_t weigh(const uint64_t *mask, const uint64_t *const *plane, unsigned n, size_t words)
{
    uint64_t sum = 0;

    for (unsigned k = 0; k < n; k++)
        sum += (mask ? count_and(mask, plane[k], words) : count(plane[k], words)) << k;
    return sum;
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

static bool flag(uint64_t *out, const uint64_t *set, const uint64_t *clear, bool carry,
                 size_t words)
{
    const size_t whole = words - words % LANES;
    const vec ones = v_set(UINT64_MAX);

    for (size_t i = 0; i < whole; i += LANES) {
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
