/* SPDX-License-Identifier: MIT */
/*
 * Bits of a word, chosen by a mask, after those of a plane: for readers that fill blocks themselves
 * (reader.h, `fill`), 64 samples at a time.
 */
#ifndef PC_WAVE_APPEND_H
#define PC_WAVE_APPEND_H

#include <stdint.h>

static inline unsigned wv_ones(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns the place of the lowest bit that is 1; 64: none is. */
static inline unsigned wv_lowest(uint64_t x)
{
    return wv_ones((x & (0 - x)) - 1);
}

static inline unsigned wv_highest(uint64_t x)
{
    unsigned n = 0;

    if (x >> 63)
        return 63; /* of nearly all words without a clock */
    for (unsigned step = 32; step > 0; step /= 2)
        if (x >> step) {
            x >>= step;
            n += step;
        }
    return n;
}

/*
 * How the bits of a mask are pushed together at the lower end: in six steps, of 1, 2, 4 ... 32
 * places (Warren, Hacker's Delight, "compress").
 */
struct wv_push {
    uint64_t mask;
    uint64_t move[6];
};

static inline void wv_plan_push(struct wv_push *p, uint64_t mask)
{
    uint64_t gap = ~mask << 1; /* a 0 below each bit counts */

    p->mask = mask;
    for (unsigned i = 0; i < 6; i++) {
        uint64_t odd = gap; /* ... an odd number of them */
        for (unsigned k = 1; k < 64; k *= 2)
            odd ^= odd << k;
        const uint64_t move = odd & mask;
        p->move[i] = move;
        mask = (mask ^ move) | move >> (1u << i);
        gap &= ~odd;
    }
}

static inline uint64_t wv_push(const struct wv_push *p, uint64_t word)
{
    if (p->mask == UINT64_MAX)
        return word;
    word &= p->mask;
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t move = word & p->move[i];
        word = (word ^ move) | move >> (1u << i);
    }
    return word;
}

/* Puts `count` cycles after those of the plane; bits of the word above them are 0. */
static inline void wv_append(uint64_t *plane, uint32_t cycles, uint64_t word, unsigned count)
{
    const unsigned used = cycles % 64;
    uint64_t *const to = plane + cycles / 64;

    if (used == 0) {
        *to = word;
        return;
    }
    *to |= word << used;
    if (used + count > 64)
        to[1] = word >> (64 - used);
}

#endif
