/* SPDX-License-Identifier: MIT */
/*
 * Products of neighbouring cycles, modulo 2 (kernel.h): the part of lanes.h that the rises
 * of many tables over the same planes live from.  All conjunctions of a few words are put down
 * first; then each one's products go through registers, an AND and a XOR a vector.
 */
#ifndef PC_KERNEL_PAIRS_H
#define PC_KERNEL_PAIRS_H

#include <string.h>

/* What is put down fits into the first-level cache; AT_ONCE: sums in registers. */
enum { PAIR_WORDS = 64, PAIR_VECTORS = PAIR_WORDS / LANES, AT_ONCE = 8 };

/* By sets of planes, around the cycle before each: itself; that of both of its sides. */
struct pair_planes {
    vec here[16][PAIR_VECTORS], sides[16][PAIR_VECTORS];
};

struct pair_sums {
    vec odd[16][16], last[4];
};

/* m[S] of single planes is known. */
COPIED void conjunctions(vec m[16])
{
    for (unsigned s = 3; s < 16; s++)
        if (s & (s - 1))
            m[s] = v_and(m[s & (s - 1)], m[s & (0 - s)]);
}

static void put_down(struct pair_planes *out, struct pair_sums *sums,
                     const struct pc_lut_pairs *pairs, size_t at, size_t vectors)
{
    vec behind[16], here[16], before[16];

    for (size_t v = 0; v < vectors; v++) {
        for (unsigned k = 0; k < 4; k++) {
            const vec x = v_load(pairs->plane[k] + at + v * LANES);
            const vec last = v_behind(sums->last[k], x);
            behind[1u << k] = x;
            here[1u << k] = v_or(v_add(x, x), v_right(last, 63));
            before[1u << k] = v_or(v_left(x, 2), v_right(last, 62));
            sums->last[k] = x;
        }
        conjunctions(behind);
        conjunctions(here);
        conjunctions(before);
        for (unsigned s = 1; s < 16; s++) {
            out->here[s][v] = here[s];
            out->sides[s][v] = v_xor(behind[s], before[s]);
            sums->odd[s][s] = v_xor(sums->odd[s][s], v_and(here[s], behind[s]));
        }
    }
}

/* Of at least one vector.  n: a constant where this is called. */
COPIED void products(vec *odd, const vec *here, const vec (*sides)[PAIR_VECTORS], unsigned n,
                     size_t vectors)
{
    vec sum[AT_ONCE];

    for (unsigned t = 0; t < n; t++)
        sum[t] = v_and(here[0], sides[t][0]);
    for (size_t v = 1; v < vectors; v++)
        for (unsigned t = 0; t < n; t++)
            sum[t] = v_xor(sum[t], v_and(here[v], sides[t][v]));
    for (unsigned t = 0; t < n; t++)
        odd[t] = v_xor(odd[t], sum[t]);
}

typedef void products_fn(vec *odd, const vec *here, const vec (*sides)[PAIR_VECTORS],
                         size_t vectors);

#define PRODUCTS(n)                                                                                \
    static void products_##n(vec *odd, const vec *here, const vec(*sides)[PAIR_VECTORS],           \
                             size_t vectors)                                                       \
    {                                                                                              \
        products(odd, here, sides, n, vectors);                                                    \
    }

PRODUCTS(1)
PRODUCTS(2)
PRODUCTS(3)
PRODUCTS(4)
PRODUCTS(5)
PRODUCTS(6)
PRODUCTS(7)
PRODUCTS(8)

static void all_products(struct pair_sums *sums, const struct pair_planes *planes, size_t vectors)
{
    static products_fn *const SOME[AT_ONCE + 1] = { NULL,       products_1, products_2,
                                                    products_3, products_4, products_5,
                                                    products_6, products_7, products_8 };

    for (unsigned s = 1; s < 15; s++)
        for (unsigned t = s + 1; t < 16; t += AT_ONCE)
            SOME[16 - t < AT_ONCE ? 16 - t : AT_ONCE](sums->odd[s] + t, planes->here[s],
                                                      planes->sides + t, vectors);
}

static uint64_t folded(vec x)
{
    uint64_t lane[LANES];

    v_store(lane, x);
    for (unsigned k = 1; k < LANES; k++)
        lane[0] ^= lane[k];
    return lane[0];
}

static void pairs(struct pc_lut_pairs *pairs, size_t first, size_t words)
{
    const size_t end = first + words - words % LANES;
    struct pair_planes planes;
    struct pair_sums sums;

    for (unsigned k = 0; k < 4; k++)
        sums.last[k] = v_set(pairs->last[k]);
    memset(sums.odd, 0, sizeof sums.odd);
    for (size_t at = first; at < end; at += PAIR_WORDS) {
        const size_t vectors = (end - at < PAIR_WORDS ? end - at : PAIR_WORDS) / LANES;
        put_down(&planes, &sums, pairs, at, vectors);
        all_products(&sums, &planes, vectors);
    }
    for (unsigned s = 1; s < 16; s++)
        for (unsigned t = s; t < 16; t++)
            pairs->odd[s][t] ^= folded(sums.odd[s][t]);
    for (unsigned k = 0; k < 4 && end > first; k++)
        pairs->last[k] = pairs->plane[k][end - 1];
    FINISH.pairs(pairs, end, words % LANES);
}

#endif
