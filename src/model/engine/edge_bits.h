/* SPDX-License-Identifier: MIT */
/*
 * Between a word of instants and a word of a domain's cycles: bit k of the latter belongs to
 * the k-th edge in the former.  Both ways are an instruction of x86-64-v3; elsewhere a few
 * shifts by powers of two, of those bits whose distance has that power in it.
 */
#ifndef PC_ENGINE_EDGE_BITS_H
#define PC_ENGINE_EDGE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__BMI2__) && defined(__PCLMUL__)
#include <immintrin.h>
#define EG_BITS_MOVE 1
#endif

struct eg_edge_bits {
    uint64_t edges;
    unsigned cycles;
    uint64_t move[6]; /* bits that move by 1, 2, 4 ...; not needed where an instruction does it */
};

/* All bits before and including each, modulo 2 */
static inline uint64_t eg_parity(uint64_t x)
{
#ifdef EG_BITS_MOVE /* a product without carries by -1 */
    __m128i a = _mm_set_epi64x(0, (long long)x), ones = _mm_set_epi64x(0, -1);
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(a, ones, 0));
#else
    for (unsigned shift = 1; shift < 64; shift *= 2)
        x ^= x << shift;
    return x;
#endif
}

#ifdef EG_BITS_MOVE

static inline struct eg_edge_bits eg_edge_bits_make(uint64_t edges)
{
    return (struct eg_edge_bits){ .edges = edges, .cycles = (unsigned)__builtin_popcountll(edges) };
}

/* The bits at edges, side by side */
static inline uint64_t eg_edge_bits_of(const struct eg_edge_bits *s, uint64_t x)
{
    return _pext_u64(x, s->edges);
}

/* And back; bits after the last cycle do not matter. */
static inline uint64_t eg_spread(const struct eg_edge_bits *s, uint64_t x)
{
    return _pdep_u64(x, s->edges);
}

#else

static inline struct eg_edge_bits eg_edge_bits_make(uint64_t edges)
{
    struct eg_edge_bits s = { .edges = edges, .cycles = (unsigned)__builtin_popcountll(edges) };
    uint64_t gaps = ~edges << 1; /* below each bit there are so many instants without an edge */

    if (s.cycles == 64)
        return s;
    for (unsigned i = 0; i < 6; i++) {
        uint64_t odd = eg_parity(gaps);
        s.move[i] = odd & edges;
        edges = (edges ^ s.move[i]) | s.move[i] >> (1u << i);
        gaps &= ~odd;
    }
    return s;
}

/* The bits at edges, side by side */
static inline uint64_t eg_edge_bits_of(const struct eg_edge_bits *s, uint64_t x)
{
    x &= s->edges;
    if (s->cycles == 64)
        return x;
    for (unsigned i = 0; i < 6; i++) {
        uint64_t moved = x & s->move[i];
        x = (x ^ moved) | moved >> (1u << i);
    }
    return x;
}

/* And back; bits after the last cycle do not matter. */
static inline uint64_t eg_spread(const struct eg_edge_bits *s, uint64_t x)
{
    if (s->cycles == 64)
        return x;
    for (unsigned i = 6; i-- > 0;)
        x = (x & ~s->move[i]) | (x << (1u << i) & s->move[i]);
    return x & s->edges;
}

#endif

/*
 * What a signal of a domain is at each instant, from its cycles: at an edge what it has in that
 * cycle, in between what it had last.
 */
static inline uint64_t eg_held(const struct eg_edge_bits *s, uint64_t cycles, bool before)
{
    uint64_t changes = cycles ^ (cycles << 1 | before);

    return eg_parity(eg_spread(s, changes)) ^ (before ? UINT64_MAX : 0);
}

/* The same for an instant before its edges have happened */
static inline uint64_t eg_just_before(uint64_t held, bool before)
{
    return held << 1 | before;
}

/* --- cycles anywhere in a plane --- */

/* `n` cycles from `at` on, of which no word is read that has none of them. */
static inline uint64_t eg_cut(const uint64_t *plane, uint64_t at, unsigned n)
{
    const uint64_t *word = plane + at / 64;
    unsigned shift = (unsigned)(at % 64);

    if (n == 0)
        return 0;
    return shift + n > 64 ? word[0] >> shift | word[1] << (64 - shift) : word[0] >> shift;
}

static inline void eg_paste(uint64_t *plane, uint64_t at, unsigned n, uint64_t bits)
{
    uint64_t *word = plane + at / 64, mask = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
    unsigned shift = (unsigned)(at % 64);

    if (n == 0)
        return;
    bits &= mask;
    word[0] = (word[0] & ~(mask << shift)) | bits << shift;
    if (shift + n > 64)
        word[1] = (word[1] & ~(mask >> (64 - shift))) | bits >> (64 - shift);
}

#endif
