/* SPDX-License-Identifier: MIT */
/*
 * Lines as all simulators write nearly all of them:
 *
 *     #1200         a later timestamp than the one before
 *     1!            0, 1, x or z of one bit, or of an event
 *     b01xz !       as many digits as the variable has, or fewer
 *     r1.5 !        a real
 *
 * Any other line is left to values.c, with the whole piece that it is in.
 */
#include "wave/vcd/line_counts.h"

#include "base/bytes.h"
#include "wave/activity.h"
#include "wave/vcd/lookup.h"

static const uint64_t ones = UINT64_C(0x0101010101010101);

/* ---- identifiers ---- */

/* Takes the stream whose identifier is the rest of the line; *next is the line after it. */
static inline uint32_t take_id(const struct vcd *v, const uint8_t *at, const uint8_t **next)
{
    const uint8_t *end;
    const uint32_t code = vcd_lookup(&v->ids, at, &end);
    *next = end + 1;
    return *end == '\n' && end > at ? code : VCD_NO_CODE;
}

/* ---- values ---- */

/* Takes the first value, one that is unknown, or the first after such a one. */
static void take_other(struct vcd_id_counts *t, enum vcd_level level, uint64_t time)
{
    t->unknown |= level == VCD_X;
    if (t->first == VCD_NONE) {
        t->first = (uint8_t)level;
        t->first_time = time;
    } else if (level == VCD_X) {
        t->broken |= t->rises == 0;
        t->rose = false;
    }
    t->was = (uint8_t)level;
}

/* Without a branch that depends on the value: which of all signals changes is anybody's guess. */
static inline void take_bit(struct vcd_id_counts *t, enum vcd_level level, uint64_t time)
{
    t->changes++;
    if (level < VCD_0 || t->was < VCD_0) {
        take_other(t, level, time);
        return;
    }
    const uint32_t rise = level > t->was, fall = level < t->was;
    const uint64_t counts = 0 - (uint64_t)(rise & t->rose), period = time - t->last_rise;
    const uint64_t least = period | ~counts, most = period & counts;
    t->was = (uint8_t)level;
    t->least = least < t->least ? least : t->least;
    t->most = most > t->most ? most : t->most;
    t->last_rise = rise ? time : t->last_rise;
    if (rise > t->rose) { /* seldom */
        t->first_rise = t->rises == 0 ? time : t->first_rise;
        t->rose = true;
    }
    t->rises += rise;
    t->falls += fall;
}

static inline enum vcd_level level_of(uint8_t digit)
{
    static const uint8_t levels[256] = {
        ['0'] = VCD_0, ['1'] = VCD_1, ['x'] = VCD_X, ['X'] = VCD_X, ['z'] = VCD_X, ['Z'] = VCD_X
    };

    return levels[digit];
}

/* Takes digits up to a blank, and whether one of them is neither 0 nor 1; NULL: or none of
 * these. */
static const uint8_t *take_digits(const uint8_t *at, bool *unknown)
{
    *unknown = false;
    for (uint64_t word = pc_load_low_first(at); ((word ^ ones * '0') & ~ones) == 0;
         word = pc_load_low_first(at))
        at += sizeof word;
    for (; *at != ' '; at++) {
        const enum vcd_level level = level_of(*at);
        if (level == VCD_NONE)
            return NULL;
        *unknown |= level == VCD_X;
    }
    return at;
}

/* Takes b and its digits, at the line's begin; false: leave it. */
static bool take_vector(struct vcd_line_counts *t, const uint8_t *at, const uint8_t **next)
{
    bool unknown;
    const uint8_t *const digits = at + 1, *const blank = take_digits(digits, &unknown);

    if (!blank || blank == digits)
        return false;
    const uint32_t code = take_id(t->v, blank + 1, next);
    if (code == VCD_NO_CODE)
        return false;
    const struct wv_code *c = &t->v->base.hier.code[code];
    struct vcd_id_counts *of = &t->of[code];
    if (c->kind != PC_VAR_BITS || (uint64_t)(blank - digits) > c->width)
        return false;
    if (c->width == 1) {
        take_bit(of, level_of(*digits), t->last_time);
        return true;
    }
    of->changes++;
    of->unknown |= unknown;
    t->bits += c->width;
    return true;
}

static bool take_real(struct vcd_line_counts *t, const uint8_t *at, const uint8_t **next)
{
    const uint8_t *const value = ++at;

    while (*at > ' ')
        at++;
    const uint32_t code = *at == ' ' && at > value ? take_id(t->v, at + 1, next) : VCD_NO_CODE;
    if (code == VCD_NO_CODE || t->v->base.hier.code[code].kind == PC_VAR_BITS)
        return false;
    t->of[code].changes++;
    return true;
}

static inline bool take_scalar(struct vcd_line_counts *t, enum vcd_level level, const uint8_t *at,
                               const uint8_t **next)
{
    const uint32_t code = take_id(t->v, at + 1, next);

    if (code == VCD_NO_CODE)
        return false;
    const struct wv_code *c = &t->v->base.hier.code[code];
    if (c->kind != PC_VAR_BITS)
        t->of[code].changes++;
    else if (c->width == 1)
        take_bit(&t->of[code], level, t->last_time);
    else
        return false;
    return true;
}

/* ---- lines ---- */

enum { MOST_DIGITS = 19 }; /* of a time that has 64 bits, whatever they are */

/* Takes a stamp, later than the one before it; false: leave it. */
static bool take_stamp(const struct vcd_line_counts *t, const uint8_t *at, const uint8_t **next,
                       uint64_t *time)
{
    const uint8_t *const digits = ++at;
    uint64_t n = 0;

    for (; *at >= '0' && *at <= '9' && at - digits < MOST_DIGITS; at++)
        n = 10 * n + (uint64_t)(*at - '0');
    *next = at + 1;
    *time = n;
    return *at == '\n' && at > digits && (!t->any || n > t->last_time);
}

/* So much under one stamp that values.c has to say whether it is too much. */
static bool is_large(const struct vcd_line_counts *t)
{
    return t->lines - t->lines_before > VCD_GROUP_CHANGES || t->bits > VCD_GROUP_BITS / 2;
}

const uint8_t *vcd_count_lines(struct vcd_line_counts *t, const uint8_t *at, const uint8_t *end,
                               uint64_t place, uint64_t last, bool *over)
{
    const uint8_t *const begin = at, *next;

    for (*over = false; at < end; at = next) {
        const enum vcd_level level = level_of(*at);
        bool right;
        if (level != VCD_NONE) {
            right = take_scalar(t, level, at, &next);
        } else if (*at == '#') {
            uint64_t time;
            right = take_stamp(t, at, &next, &time);
            right = right && !is_large(t);
            if (right && place + (uint64_t)(at - begin) >= last) {
                t->next_time = time;
                t->end = place + (uint64_t)(at - begin);
                *over = true;
                return at;
            }
            if (!t->any)
                t->first_time = time;
            else
                wv_take_distance(&t->distances, time - t->last_time);
            t->any = true;
            t->last_time = time;
            t->stamps++;
            t->lines_before = t->lines;
            t->bits = 0;
        } else if (*at == 'b' || *at == 'B') {
            right = take_vector(t, at, &next);
        } else {
            right = (*at == 'r' || *at == 'R') && take_real(t, at, &next);
        }
        if (!right || next > end)
            return NULL;
        t->lines++;
    }
    return is_large(t) ? NULL : at;
}

/* ---- together ---- */

void vcd_counts_clear(struct vcd_id_counts *of, size_t codes)
{
    memset(of, 0, codes * sizeof *of);
    for (size_t i = 0; i < codes; i++)
        of[i].least = UINT64_MAX;
}

static void add_period(uint64_t least, uint64_t most, struct pc_var_activity *a, uint8_t *was)
{
    const bool had = *was & WV_PERIOD;

    a->min_period = had && a->min_period < least ? a->min_period : least;
    a->max_period = had && a->max_period > most ? a->max_period : most;
    *was |= WV_PERIOD;
}

void vcd_counts_add(const struct vcd_id_counts *t, struct pc_var_activity *a, uint8_t *was)
{
    static const char bit[] = { [VCD_X] = 'x', [VCD_0] = '0', [VCD_1] = '1' };
    static const uint8_t last[] = { [VCD_X] = 0, [VCD_0] = WV_WAS_0, [VCD_1] = WV_WAS_1 };

    a->changes += t->changes;
    a->ever_unknown |= t->unknown;
    if (t->first == VCD_NONE)
        return;
    wv_take_bit(a, bit[t->first], t->first_time, was);
    bool rose = *was & WV_ROSE && !t->broken;
    if (rose && t->rises > 0)
        add_period(t->first_rise - a->last_rise, t->first_rise - a->last_rise, a, was);
    if (t->least <= t->most)
        add_period(t->least, t->most, a, was);
    if (t->rises > 0) {
        a->first_rise = a->rises == 0 ? t->first_rise : a->first_rise;
        a->last_rise = t->last_rise;
        rose = t->rose;
    }
    a->rises += t->rises;
    a->falls += t->falls;
    *was = (uint8_t)(last[t->was] | rose * WV_ROSE | (*was & WV_PERIOD));
}
