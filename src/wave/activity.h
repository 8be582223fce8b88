/* SPDX-License-Identifier: MIT */
/* The state of each value stream in a scan (scan.c, fst/activity.c). */
#ifndef PC_WAVE_ACTIVITY_H
#define PC_WAVE_ACTIVITY_H

#include "wave/reader.h"

#include <string.h>

/*
 * The last level of a stream of one bit: bits, as which of them changes is anybody's guess.  And
 * has it risen since it was last unknown, and had a period at all?
 */
enum { WV_WAS_0 = 1, WV_WAS_1 = 2, WV_ROSE = 4, WV_PERIOD = 8 };

static inline uint64_t wv_choose(bool what, uint64_t yes, uint64_t no)
{
    return no ^ ((yes ^ no) & -(uint64_t)what);
}

/* Without a branch: all is written, most of it with what it was. */
static inline void wv_take_bit(struct pc_var_activity *a, char bit, uint64_t time, uint8_t *was)
{
    unsigned zero = bit == '0', one = bit == '1';
    unsigned rise = *was & one, fall = *was >> 1 & zero; /* WV_WAS_0, WV_WAS_1 */
    unsigned rose = *was >> 2 & 1, had = *was >> 3 & 1,
             again = rise & rose; /* WV_ROSE, WV_PERIOD */
    bool first = a->rises == 0;
    uint64_t period = time - a->last_rise;

    *was = (uint8_t)(zero * WV_WAS_0 | one * WV_WAS_1 | (zero | one) * (rise | rose) * WV_ROSE |
                     (had | again) * WV_PERIOD);
    a->ever_unknown |= !(zero | one);
    a->rises += rise;
    a->falls += fall;
    a->first_rise = wv_choose(rise & first, time, a->first_rise);
    a->last_rise = wv_choose(rise, time, a->last_rise);
    a->min_period = wv_choose(again & (!had | (period < a->min_period)), period, a->min_period);
    a->max_period = wv_choose(again & (period > a->max_period), period, a->max_period);
}

static inline bool wv_has_unknown(const char *bits, uint32_t width)
{
    uint64_t other = 0; /* bits in which a character is neither */
    uint32_t i = 0;

    for (; i + 8 <= width; i += 8) {
        uint64_t eight;
        memcpy(&eight, bits + i, sizeof eight);
        other |= eight ^ UINT64_C(0x3030303030303030);
    }
    for (; i < width; i++)
        other |= (uint8_t)bits[i] ^ UINT64_C(0x30);
    return (other & UINT64_C(0xfefefefefefefefe)) != 0;
}

/* Takes a value of a stream, a character a bit; a dump of values does not trigger an event. */
static inline void wv_take_change(const struct wv_code *code, const char *bits, uint64_t time,
                                  bool dump, uint8_t *was, struct pc_var_activity *a)
{
    a->changes++;
    a->rises += code->kind == PC_VAR_EVENT && !dump;
    if (code->kind != PC_VAR_BITS)
        return;
    if (code->width == 1)
        wv_take_bit(a, bits[0], time, was);
    else if (wv_has_unknown(bits, code->width))
        a->ever_unknown = true;
}

#endif
