/* SPDX-License-Identifier: MIT */
/* Scans an FST file, chain by chain (spans.h). */
#include "wave/activity.h"
#include "wave/fst/chain.h"
#include "wave/fst/spans.h"

/* ---- chains ---- */

/* Returns true if a character of the value is neither 0 nor 1. */
static bool any_unknown(const struct fst_stream *s, const uint8_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        const char state = fst_state_of(s, from[i]);
        if (state != '0' && state != '1')
            return true;
    }
    return false;
}

/* Are events at this time values of a dump, and no triggers? */
static bool is_dump(const struct fst_spans *s, uint64_t time)
{
    return s->f->reader.dumps_events && time == s->totals->time_first;
}

/* A record of several characters, or of a text, after its number; false: the chain ends in it. */
static bool count_value(const struct fst_spans *spans, uint32_t number, uint64_t head,
                        struct fst_cursor *c, uint64_t time, uint8_t *was,
                        struct pc_var_activity *a)
{
    const struct fst_stream *s = &spans->f->stream[number];
    const struct wv_code *code = &spans->f->reader.hier.code[number];
    const bool characters = head & 1;
    const uint64_t length = s->form == FST_TEXT ? fst_number(c)
                            : characters        ? s->length
                                                : (s->length + (uint64_t)7) / 8;
    const uint8_t *from = fst_take(c, length);

    if (!from)
        return false;
    a->changes++;
    a->rises += code->kind == PC_VAR_EVENT && !is_dump(spans, time);
    if (code->kind != PC_VAR_BITS)
        return true;
    if (code->width == 1)
        wv_take_bit(a, characters ? fst_state_of(s, *from) : (char)('0' + (*from >> 7)), time, was);
    else if (characters)
        a->ever_unknown |= any_unknown(s, from, code->width);
    return true;
}

/*
 * Counts records of 0 and 1 after one such, from the present one on; *now is then the last of them.
 * Nearly always they take turns, which a CPU foresees.
 */
static void count_known(const struct fst_spans *s, struct fst_cursor *cursor,
                        struct fst_place *place, uint8_t *was, struct pc_var_activity *a)
{
    const uint64_t times = s->f->loaded.now.times;
    struct fst_cursor c = *cursor;
    struct fst_place now = *place;
    bool one = *was & WV_WAS_1, rose = *was & WV_ROSE, period = *was & WV_PERIOD;
    uint64_t least = period ? a->min_period : UINT64_MAX, most = a->max_period;

    for (;;) {
        const bool before = one;
        one = now.head >> 1 & 1;
        a->changes++;
        a->falls += before && !one;
        if (one && !before) {
            const uint64_t at = s->time[now.next - s->begin], since = at - a->last_rise;
            if (rose) {
                least = since < least ? since : least;
                most = since > most ? since : most;
                period = true;
            } else if (a->rises == 0) {
                a->first_rise = at;
            }
            rose = true;
            a->last_rise = at;
            a->rises++;
        }
        const struct fst_place last = now;
        if (!fst_step(&c, 2, times, &now))
            break;
        if (now.next >= s->end) {
            c.at--;
            now = last;
            break;
        }
    }
    if (period)
        a->min_period = least;
    a->max_period = most;
    *was = (uint8_t)((one ? WV_WAS_1 : WV_WAS_0) | rose * WV_ROSE | period * WV_PERIOD);
    *cursor = c;
    *place = now;
}

/* Records of one bit up to the span's end; false: something is wrong. */
static bool count_bits(const struct fst_spans *s, const struct fst_walk *w, struct fst_cursor *c,
                       struct fst_place *now, uint8_t *was, struct pc_var_activity *a)
{
    const enum pc_var_kind kind = s->f->reader.hier.code[w->code].kind;
    const uint64_t times = s->f->loaded.now.times;

    while (now->next < s->end) {
        if (kind != PC_VAR_BITS) {
            a->changes++;
            a->rises += kind == PC_VAR_EVENT && !is_dump(s, s->time[now->next - s->begin]);
        } else if (!(now->head & 1) && *was & (WV_WAS_0 | WV_WAS_1)) {
            count_known(s, c, now, was, a);
        } else {
            a->changes++;
            wv_take_bit(a, FST_STATES[fst_state_of_head(now->head)], s->time[now->next - s->begin],
                        was);
        }
        if (!fst_read_head(c, true, times, now->next, now))
            return false;
    }
    return true;
}

/* Skips records of known bits; *now is then the last of them. */
static bool skip_known(const struct fst_spans *s, size_t bytes, struct fst_cursor *c,
                       struct fst_place *now, struct pc_var_activity *a)
{
    const uint64_t times = s->f->loaded.now.times;

    for (;;) {
        if (!fst_take(c, bytes))
            return false;
        a->changes++;
        const struct fst_place last = *now;
        if (!fst_step(c, 1, times, now))
            return true;
        if (now->next >= s->end) {
            c->at--;
            *now = last;
            return true;
        }
    }
}

static bool count_values(const struct fst_spans *s, const struct fst_walk *w, struct fst_cursor *c,
                         struct fst_place *now, uint8_t *was, struct pc_var_activity *a)
{
    const struct wv_code *code = &s->f->reader.hier.code[w->code];
    const struct fst_stream *stream = &s->f->stream[w->code];
    const bool skips = code->width != 1 && code->kind != PC_VAR_EVENT && stream->form != FST_TEXT;
    const uint64_t times = s->f->loaded.now.times;

    while (now->next < s->end) {
        const bool right =
            skips && !(now->head & 1)
                ? skip_known(s, (stream->length + (size_t)7) / 8, c, now, a)
                : count_value(s, w->code, now->head, c, s->time[now->next - s->begin], was, a);
        if (!right || c->fault || !fst_read_head(c, false, times, now->next, now))
            return false;
    }
    return true;
}

/* Walks along the span. Its row is written once, as rows of other threads are in the same lines. */
static bool walk(const struct fst_spans *s, unsigned worker, struct fst_walk *w)
{
    const struct wv_scan *scan = s->ctx;
    struct pc_var_activity a = scan->activity[w->code];
    struct fst_cursor c = fst_walk_cursor(s->f, w);
    struct fst_place now = w->now;
    uint8_t was = scan->was[w->code];

    (void)worker;
    const bool right = s->f->stream[w->code].form == FST_BIT
                           ? count_bits(s, w, &c, &now, &was, &a)
                           : count_values(s, w, &c, &now, &was, &a);
    w->now = now;
    scan->activity[w->code] = a;
    scan->was[w->code] = was;
    return right;
}

static void start(const struct fst_spans *s)
{
    const struct fst *f = s->f;
    const struct wv_scan *scan = s->ctx;

    for (size_t i = 0; i < f->carried; i++) {
        const uint32_t code = f->carry[i].code;
        wv_take_change(&f->reader.hier.code[code], f->carry_bits + f->carry[i].at,
                       s->totals->time_first, true, &scan->was[code], &scan->activity[code]);
    }
}

static void tell(const struct fst_spans *s, uint64_t changes)
{
    const struct wv_scan *scan = s->ctx;

    scan->tell(scan, changes);
}

/* Counts all of the file, or nothing. */
void fst_activity(struct wv_reader *r, const struct wv_scan *scan)
{
    struct fst *f = (struct fst *)r;
    struct wv_scan own = *scan;
    struct fst_spans s = {
        .f = f, .totals = scan->totals, .ctx = &own, .start = start, .walk = walk, .tell = tell
    };

    if (f->loaded.now.block != SIZE_MAX) /* it was tried */
        return;
    if (fst_walk_spans(&s)) {
        for (size_t i = 0; i < f->streams; i++)
            scan->totals->changes += scan->activity[i].changes;
        return;
    }
    memset(scan->activity, 0, f->streams * sizeof *scan->activity);
    memset(scan->was, 0, f->streams);
}
