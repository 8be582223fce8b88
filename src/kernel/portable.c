/* SPDX-License-Identifier: MIT */
/*
 * The kernels in plain C, a word at a time: for every CPU, and for what the others leave over.
 */
#include "kernel/kernel.h"

#include "base/cpu.h"
#include "kernel/products.h"

static uint64_t ones_of(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return x * UINT64_C(0x0101010101010101) >> 56;
}

#include "kernel/before.h"

static uint64_t spread(unsigned bit)
{
    return (uint64_t)0 - (uint64_t)bit;
}

static uint64_t evaluate(const struct pc_products *sum, size_t i)
{
    uint64_t v[8], a[4] = { 0 };

    for (unsigned k = 0; k < sum->n; k++)
        a[k] = sum->arg[k][i];
    for (unsigned j = 0; j < 8; j++)
        v[j] = spread(sum->set >> 2 * j & 1) ^ (a[0] & spread(sum->set >> (2 * j + 1) & 1));
    for (unsigned k = 1; k < 4; k++)
        for (unsigned j = 0; j < 8u >> k; j++)
            v[j] = v[2 * j] ^ (a[k] & v[2 * j + 1]);
    return v[0];
}

static void lut(uint64_t *out, const struct pc_lut_op *op, size_t words, size_t ahead)
{
    const struct pc_products sum = pc_products_of(op);

    (void)ahead; /* memory is left to itself here */
    for (size_t i = 0; i < words; i++)
        out[i] = evaluate(&sum, i);
}

static uint64_t count_lut(const struct pc_lut_op *op, size_t words)
{
    const struct pc_products sum = pc_products_of(op);
    uint64_t n = 0;

    for (size_t i = 0; i < words; i++)
        n += ones_of(evaluate(&sum, i));
    return n;
}

static uint64_t edges(const struct pc_lut_op *op, size_t words, struct pc_rise *edge)
{
    const struct pc_products event = pc_products_of(op);
    uint64_t n = 0;

    for (size_t i = 0; i < words; i++) {
        const uint64_t x = evaluate(&event, i);
        n += ones_of(x);
        edge->odd ^= ones_of(x & ~(x << 1 | edge->level)) & 1;
        edge->level = x >> 63;
    }
    return n;
}

static void quad(const struct pc_lut_op op[4], size_t words, uint64_t counts[4],
                 struct pc_rise *edge)
{
    for (unsigned k = 0; k < 4; k++)
        counts[k] += k == 2 ? edges(&op[k], words, edge) : count_lut(&op[k], words);
}

static uint64_t count(const uint64_t *plane, size_t words)
{
    uint64_t n = 0;

    for (size_t i = 0; i < words; i++)
        n += ones_of(plane[i]);
    return n;
}

static uint64_t count_and(const uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t n = 0;

    for (size_t i = 0; i < words; i++)
        n += ones_of(a[i] & b[i]);
    return n;
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
        uint64_t total = ones_of(p[first] & head & (first == last ? tail : UINT64_MAX));
        for (size_t i = first + 1; i < last; i++)
            total += ones_of(p[i]);
        if (first != last)
            total += ones_of(p[last] & tail);
        sum[k] = (uint32_t)total;
    }
}

static void rows(const uint64_t *const plane[12], size_t words, uint64_t (*row)[4])
{
    rows_by_word(plane, 0, words, row);
}

static bool odd_rises(const uint64_t *plane, bool level, size_t words)
{
    uint64_t rises = 0;

    for (size_t i = 0; i < words; i++) {
        rises ^= plane[i] & ~(plane[i] << 1 | level);
        level = plane[i] >> 63;
    }
    return ones_of(rises) & 1;
}

static void marks(uint64_t *marks, const uint64_t *plane, size_t words)
{
    for (size_t w = 0; w < words; w++)
        marks[w / 64] = (w % 64 ? marks[w / 64] : 0) | (uint64_t)(plane[w] != 0) << w % 64;
}

static bool uniform(const uint64_t *plane, uint64_t value, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (plane[i] != value)
            return false;
    return true;
}

static bool late(uint64_t *out, const uint64_t *in, bool carry, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        const uint64_t x = in[i];
        out[i] = x << 1 | carry;
        carry = x >> 63;
    }
    return carry;
}

/* Returns the prefix XOR: bit i = XOR of bits 0 to i. */
static uint64_t prefix(uint64_t x)
{
    for (unsigned shift = 1; shift < 64; shift *= 2)
        x ^= x << shift;
    return x;
}

static bool toggle(uint64_t *out, const uint64_t *in, bool carry, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        out[i] = prefix(in[i]) ^ spread(carry);
        carry = out[i] >> 63;
    }
    return carry;
}

/*
 * A latch is a carry chain: set makes a carry, clear kills it, neither hands it on.  Returns
 * the state before each cycle.  `keep` has the cycles without clear, `set` is part of it.
 */
static uint64_t latch(uint64_t set, uint64_t keep, bool *carry)
{
    const uint64_t sum = keep + set + *carry;

    *carry = (set | (keep & ~sum)) >> 63;
    return sum ^ keep ^ set;
}

static void flag(uint64_t *out, const uint64_t *set, const uint64_t *clear, struct pc_flag *flag,
                 size_t words)
{
    struct pc_rise *shown = &flag->shown;

    for (size_t i = 0; i < words; i++) {
        const uint64_t keep = ~clear[i], state = latch(set[i] & keep, keep, &flag->next);
        const uint64_t x = state << 1 | flag->cur;
        flag->cur = state >> 63;
        shown->odd ^= ones_of(x & ~(x << 1 | shown->level)) & 1;
        shown->level = x >> 63;
        out[i] = x;
    }
}

/*
 * With `turned` = how often both came before, modulo 2, state XOR turned is a latch: where
 * turned is 1, start clears and stop sets.
 */
static bool affine(uint64_t *out, const uint64_t *start, const uint64_t *stop, bool carry,
                   size_t words)
{
    for (size_t i = 0; i < words; i++) {
        const uint64_t both = start[i] & stop[i], one = start[i] ^ stop[i];
        const uint64_t after = prefix(both), turned = after ^ both;
        const uint64_t set = one & (start[i] ^ turned);
        out[i] = latch(set, ~one | set, &carry) ^ turned;
        carry ^= after >> 63;
    }
    return carry;
}

/* ---- rows and columns ---- */

/* Each word of x has 8 x 8 bits, of rows r, r + 8, ...; they change places with the words. */
static void turn_words(uint64_t x[8])
{
    static const uint64_t mask[5] = { 0, UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                      0, UINT64_C(0x0f0f0f0f0f0f0f0f) };

    for (unsigned half = 4; half > 0; half /= 2)
        for (unsigned r = 0; r < 8; r = ((r | half) + 1) & ~half) {
            const uint64_t swap = (x[r] >> half ^ x[r | half]) & mask[half];
            x[r] ^= swap << half;
            x[r | half] ^= swap;
        }
}

static void turn_bytes(uint64_t out[8], const uint8_t row[64])
{
    for (unsigned r = 0; r < 8; r++) {
        out[r] = 0;
        for (unsigned k = 0; k < 8; k++)
            out[r] |= (uint64_t)row[r + 8 * k] << 8 * k;
    }
    turn_words(out);
}

/* Bit r of out[j] is bit 8 * byte + j of row[r]. */
static void turn_byte(const uint64_t row[64], unsigned byte, uint64_t out[8])
{
    for (unsigned r = 0; r < 8; r++) {
        out[r] = 0;
        for (unsigned k = 0; k < 8; k++)
            out[r] |= (row[r + 8 * k] >> 8 * byte & 0xff) << 8 * k;
    }
    turn_words(out);
}

static inline void turn_step(uint64_t out[32], unsigned half, uint64_t mask)
{
    for (unsigned base = 0; base < 32; base += 2 * half)
        for (unsigned r = base; r < base + half; r++) {
            const uint64_t swap = (out[r] >> half ^ out[r + half]) & mask;
            out[r] ^= swap << half;
            out[r + half] ^= swap;
        }
}

/* Bit r of out[j] is bit 32 * half + j of row[r]: two squares of 32 x 32 bits side by side. */
static void turn_half(const uint64_t row[64], unsigned half, uint64_t out[32])
{
    for (unsigned r = 0; r < 32; r++)
        out[r] = half ? row[r] >> 32 | (row[r + 32] & ~(uint64_t)UINT32_MAX)
                      : (row[r] & UINT32_MAX) | row[r + 32] << 32;
    turn_step(out, 16, UINT64_C(0x0000ffff0000ffff));
    turn_step(out, 8, UINT64_C(0x00ff00ff00ff00ff));
    turn_step(out, 4, UINT64_C(0x0f0f0f0f0f0f0f0f));
    turn_step(out, 2, UINT64_C(0x3333333333333333));
    turn_step(out, 1, UINT64_C(0x5555555555555555));
}

/* Half a row at a time, or, where only one of its bytes is asked for, that. */
static void turn(uint64_t out[64], const uint64_t row[64], uint64_t bits)
{
    for (unsigned half = 0; half < 2; half++) {
        const uint64_t here = bits >> 32 * half & UINT32_MAX;
        unsigned byte = 4 * half;
        if (here == 0)
            continue;
        while (!(bits >> 8 * byte & 0xff))
            byte++;
        if (here >> 8 * (byte - 4 * half) <= 0xff)
            turn_byte(row, byte, out + 8 * byte);
        else
            turn_half(row, half, out + 32 * half);
    }
}

const struct pc_kernel pc_kernel_portable = {
    .name = "portable",
    .usable = pc_cpu_is_any,
    .lut = lut,
    .count_lut = count_lut,
    .quad = quad,
    .count = count,
    .weigh = weigh,
    .sums = sums,
    .rows = rows,
    .before = before,
    .odd_rises = odd_rises,
    .marks = marks,
    .uniform = uniform,
    .late = late,
    .toggle = toggle,
    .affine = affine,
    .flag = flag,
    .turn = turn,
    .turn_bytes = turn_bytes,
};
