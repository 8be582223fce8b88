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

/* Brings a signal's level into its planes up to the last sampled cycle. */
static inline void wv_settle(struct wv_stream *st, size_t i)
{
    enum wv_level level = (enum wv_level)st->level[i];

    if (level != WV_0 && st->since[i] < st->cycles) {
        size_t plane = 2 * i + (level == WV_X);
        wv_set_range(st->planes + plane * PC_BLOCK_WORDS, st->since[i], st->cycles);
        st->dirty[i] |= (uint8_t)(1u << (level == WV_X));
    }
    st->since[i] = st->cycles;
}

#endif
