/* SPDX-License-Identifier: MIT */
/* How levels of signals become bit planes: a range of words whenever a level ends. */
#ifndef PC_WAVE_PLANE_H
#define PC_WAVE_PLANE_H

#include "wave/wave.h"

#define WV_BLOCK_CYCLES (PC_BLOCK_WORDS * 64)

/* Sets the bits [from, to) of a plane. */
static inline void wv_set_range(uint64_t *word, uint32_t from, uint32_t to)
{
    if (from >= to)
        return;
    size_t first = from / 64, last = (to - 1) / 64;
    uint64_t head = UINT64_MAX << from % 64, tail = UINT64_MAX >> (63 - (to - 1) % 64);

    if (first == last) {
        word[first] |= head & tail;
        return;
    }
    word[first] |= head;
    for (size_t i = first + 1; i < last; i++)
        word[i] = UINT64_MAX;
    word[last] |= tail;
}

/*
 * Brings a signal's level into its planes from where it began up to cycle `to`.  Most levels
 * last for a few cycles in one word, and 0 and 1 are equally likely: no branch asks which.
 */
static inline void wv_settle_at(struct wv_stream *st, size_t i, uint32_t to)
{
    const uint32_t from = st->since[i];
    const unsigned level = st->level[i], plane = level >> 1, any = level != WV_0;
    uint64_t *word = st->planes + (2 * i + plane) * WV_PLANE_WORDS;

    st->since[i] = to;
    st->dirty[i] |= (uint8_t)(any << plane);
    if (from / 64 == (to - 1) / 64) /* not if `to` is 0 */
        word[from / 64] |=
            ((uint64_t)0 - any) & UINT64_MAX << from % 64 & UINT64_MAX >> (63 - (to - 1) % 64);
    else if (any)
        wv_set_range(word, from, to);
}

/* The same up to the last sampled cycle. */
static inline void wv_settle(struct wv_stream *st, size_t i)
{
    wv_settle_at(st, i, st->cycles);
}

#endif
