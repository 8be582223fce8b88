/* SPDX-License-Identifier: MIT */
/*
 * How levels of signals become bit planes.  While a block is filled, a plane has a 1 where the
 * signal's bit changes; when the block is handed out, changes become levels (play.c).
 */
#ifndef PC_WAVE_PLANE_H
#define PC_WAVE_PLANE_H

#include "wave/wave.h"

/* Sets another level of the signal from cycle `cycle` of the block on, unless it changes again
 * there.
 */
static inline void wv_change_at(struct wv_stream *st, size_t i, uint32_t cycle, uint8_t level)
{
    const uint8_t changed = st->level[i] ^ level;
    uint64_t *value = st->planes + 2 * i * WV_PLANE_WORDS + cycle / 64;

    value[0] ^= (uint64_t)(changed & 1u) << cycle % 64;
    st->dirty[i] |= changed;
    st->level[i] = level;
    if (changed & 2) /* to or from unknown: seldom */
        value[WV_PLANE_WORDS] ^= (uint64_t)1 << cycle % 64;
}

/* Sets a level; where steps read it is a bit of the present instant. */
static inline void wv_set_level(const struct pc_wave *wave, struct wv_stream *st, uint32_t signal,
                                uint32_t cycle, uint8_t level)
{
    const uint64_t bit = (uint64_t)1 << signal % 64;
    uint64_t *value = st->now + signal / 64, *unknown = value + (st->signals + 63) / 64;

    if (wave->mode != WV_STEP) {
        wv_change_at(st, signal, cycle, level);
        return;
    }
    *value = level & 1 ? *value | bit : *value & ~bit;
    *unknown = level & 2 ? *unknown | bit : *unknown & ~bit;
    st->level[signal] = level;
}

/* Returns the bit of an event that was triggered so often since the last edge. */
static inline uint8_t wv_trigger_level(const struct wv_triggers *t)
{
    if (t->bit & PC_WAVE_TRIGGERS)
        return (uint8_t)(t->count >> (t->bit & ~PC_WAVE_TRIGGERS) & 1);
    return t->count > 0;
}

/* Sets another level of the signal, which is an event, in cycle `cycle` of the block alone. */
static inline void wv_flip_at(struct wv_stream *st, size_t i, uint32_t cycle)
{
    wv_change_at(st, i, cycle, WV_1);
    wv_change_at(st, i, cycle + 1, WV_0);
}

/* Notes that the signal, which is an event, was triggered. */
static inline void wv_trigger(const struct pc_wave *wave, struct wv_stream *st, uint32_t signal)
{
    struct wv_triggers *t = &st->triggers[signal];
    const uint64_t cycle = st->first_cycle + st->cycles;

    if (wave->mode != WV_STEP && t->cycle != cycle)
        t->count = 0;
    t->cycle = cycle;
    const uint8_t was = wv_trigger_level(t);
    t->count += t->count < UINT32_MAX;
    if (wave->mode == WV_STEP) {
        wv_set_level(wave, st, signal, 0, wv_trigger_level(t));
        st->triggered = true;
    } else if (wv_trigger_level(t) != was) {
        wv_flip_at(st, signal, st->cycles);
    }
}

#endif
