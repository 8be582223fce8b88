/* SPDX-License-Identifier: MIT */
/*
 * What a scan tells of an FST file, chain by chain (docs/adr/012): what a stream does can be told
 * from its own chain and the times of the indices, so nothing is sorted by time, and each thread
 * has chains of its own.  The times are unpacked a span of indices at once, and every chain is
 * walked along it.
 *
 * What is wrong with a file is found in another order here, and left to those who go by time.
 */
#include "wave/activity.h"
#include "wave/fst/chain.h"
#include "wave/fst/next_time.h"

enum {
    SPAN = 1 << 16, /* time indices */
    SHARES = 8      /* tasks for each thread: some have more to do than others */
};

struct span {
    struct fst *f;
    const struct wv_scan *scan;
    uint64_t begin, end;                   /* time indices of the block */
    uint64_t *time;                        /* of each */
    uint64_t bytes;                        /* of the chains in the block */
    size_t task[SHARES * WV_TEAM_MAX + 2]; /* the first walk of each, and after the last */
    size_t tasks;
};

/* ---- chains ---- */

/* Is a character of the value neither 0 nor 1? */
static bool any_unknown(const struct fst_stream *s, const uint8_t *from, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        const char state = fst_state_of(s, from[i]);
        if (state != '0' && state != '1')
            return true;
    }
    return false;
}

/* A record of several characters, or of a text, after its number; false: the chain ends in it. */
static bool count_value(const struct fst_stream *s, const struct wv_code *code, uint64_t head,
                        struct fst_cursor *c, uint64_t time, uint8_t *was,
                        struct pc_var_activity *a)
{
    const bool characters = head & 1;
    const uint64_t length = s->form == FST_TEXT ? fst_number(c)
                            : characters        ? s->length
                                                : (s->length + (uint64_t)7) / 8;
    const uint8_t *from = fst_take(c, length);

    if (!from)
        return false;
    a->changes++;
    if (code->kind != PC_VAR_BITS)
        return true;
    if (code->width == 1)
        wv_take_bit(a, characters ? fst_state_of(s, *from) : (char)('0' + (*from >> 7)), time, was);
    else if (characters)
        a->ever_unknown |= any_unknown(s, from, code->width);
    return true;
}

/*
 * To the next record, if its number is one byte and says nothing of unknown values, as nearly all
 * do; false: it is to be read with more care.
 */
static inline bool step(struct fst_cursor *c, unsigned shift, uint64_t times, struct fst_place *now)
{
    if (c->at == c->end || *c->at & 0x81 || (uint64_t)*c->at >> shift >= times - now->next)
        return false;
    now->head = *c->at++;
    now->next += now->head >> shift;
    return true;
}

/*
 * Records of 0 and 1 after one such, from the present one on; *now is then the last of them.
 * Nearly always they take turns, which a CPU foresees.
 */
static void count_known(const struct span *s, struct fst_cursor *cursor, struct fst_place *place,
                        uint8_t *was, struct pc_var_activity *a)
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
        if (!step(&c, 2, times, &now))
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
static bool count_bits(const struct span *s, const struct fst_walk *w, struct fst_cursor *c,
                       struct fst_place *now, uint8_t *was, struct pc_var_activity *a)
{
    const bool event = s->f->reader.hier.code[w->code].kind != PC_VAR_BITS;
    const uint64_t times = s->f->loaded.now.times;

    while (now->next < s->end) {
        if (event) {
            a->changes++;
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

/* Records of known bits, which nobody looks at; *now is then the last of them. */
static bool skip_known(const struct span *s, size_t bytes, struct fst_cursor *c,
                       struct fst_place *now, struct pc_var_activity *a)
{
    const uint64_t times = s->f->loaded.now.times;

    for (;;) {
        if (!fst_take(c, bytes))
            return false;
        a->changes++;
        const struct fst_place last = *now;
        if (!step(c, 1, times, now))
            return true;
        if (now->next >= s->end) {
            c->at--;
            *now = last;
            return true;
        }
    }
}

static bool count_values(const struct span *s, const struct fst_walk *w, struct fst_cursor *c,
                         struct fst_place *now, uint8_t *was, struct pc_var_activity *a)
{
    const struct wv_code *code = &s->f->reader.hier.code[w->code];
    const struct fst_stream *stream = &s->f->stream[w->code];
    const bool skips = code->width != 1 && stream->form != FST_TEXT;
    const uint64_t times = s->f->loaded.now.times;

    while (now->next < s->end) {
        const bool right =
            skips && !(now->head & 1)
                ? skip_known(s, (stream->length + (size_t)7) / 8, c, now, a)
                : count_value(stream, code, now->head, c, s->time[now->next - s->begin], was, a);
        if (!right || c->fault || !fst_read_head(c, false, times, now->next, now))
            return false;
    }
    return true;
}

/* Along the span.  Its row is written once, as rows of other threads are in the same lines. */
static bool walk(const struct span *s, struct fst_walk *w)
{
    if (w->now.next >= s->end) /* many signals hardly ever change */
        return true;

    struct pc_var_activity a = s->scan->activity[w->code];
    struct fst_cursor c = fst_walk_cursor(s->f, w);
    struct fst_place now = w->now;
    uint8_t was = s->scan->was[w->code];
    const bool right = s->f->stream[w->code].form == FST_BIT
                           ? count_bits(s, w, &c, &now, &was, &a)
                           : count_values(s, w, &c, &now, &was, &a);

    w->now = now;
    s->scan->activity[w->code] = a;
    s->scan->was[w->code] = was;
    return right;
}

static enum pc_status run_task(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    const struct span *s = ctx;

    (void)worker;
    (void)err; /* nobody reads it: what is wrong is found once more, by time */
    for (size_t i = s->task[task]; i < s->task[task + 1]; i++)
        if (!walk(s, &s->f->loaded.walk[i]))
            return PC_EINPUT;
    return PC_OK;
}

/* Walks with about as many bytes to each task. */
static void share_out(struct span *s)
{
    const struct fst_loaded *b = &s->f->loaded;
    const unsigned threads = wv_team_size(s->f->team);
    uint64_t here = 0;

    s->bytes = 0;
    for (size_t i = 0; i < b->walks; i++)
        s->bytes += b->chain[b->walk[i].chain].size;
    const uint64_t least = threads > 1 ? s->bytes / (SHARES * threads) + 1 : UINT64_MAX;
    s->tasks = 0;
    s->task[0] = 0;
    for (size_t i = 0; i < b->walks; i++) {
        here += b->chain[b->walk[i].chain].size;
        if (here < least && i + 1 < b->walks)
            continue;
        s->task[++s->tasks] = i + 1;
        here = 0;
    }
}

/* ---- times ---- */

/* Those of the span; false: one is wrong, or before the one that the block before ended with. */
static bool read_times(struct span *s)
{
    struct fst_now *n = &s->f->loaded.now;
    struct pc_wave_totals *t = s->scan->totals;
    struct pc_error err;

    if (s->begin == 0 && t->has_time && n->clock < t->time_last)
        return false;
    for (uint64_t i = s->begin; i < s->end; i++) {
        if (i > 0 && fst_read_time(s->f, &n->time, &n->clock, &err) != PC_OK)
            return false;
        s->time[i - s->begin] = n->clock;
        if (!t->has_time)
            t->time_first = n->clock;
        else
            wv_take_distance(t, n->clock - t->time_last);
        t->time_stamps += !t->has_time || n->clock != t->time_last;
        t->time_last = n->clock;
        t->has_time = true;
    }
    n->index = s->end; /* for those who look at the progress */
    return true;
}

/* ---- blocks ---- */

/* The values before the first stamp. */
static bool take_frame(const struct span *s)
{
    struct fst *f = s->f;
    struct pc_error err;

    if (fst_load_frame(f, &err) != PC_OK)
        return false;
    for (size_t i = 0; i < f->carried; i++) {
        const uint32_t code = f->carry[i].code;
        wv_take_change(&f->reader.hier.code[code], f->carry_bits + f->carry[i].at,
                       f->loaded.now.clock, &s->scan->was[code], &s->scan->activity[code]);
    }
    return true;
}

static bool scan_block(struct span *s, size_t block)
{
    struct fst *f = s->f;
    struct pc_error err;

    if (fst_load_block(f, block, &err) != PC_OK || (block == 0 && !take_frame(s)))
        return false;
    share_out(s);
    for (s->begin = 0; s->begin < f->loaded.now.times; s->begin = s->end) {
        const uint64_t times = f->loaded.now.times;
        s->end = fst_least(s->begin + SPAN, times);
        if (!read_times(s) || wv_team_run(f->team, run_task, s, s->tasks, NULL) != PC_OK)
            return false;
        s->scan->tell(s->scan,
                      (uint64_t)((double)s->bytes * (double)(s->end - s->begin) / (double)times));
    }
    return true;
}

/* Before the first block, as if nothing had been read. */
static void take_back(const struct span *s)
{
    const struct wv_scan *scan = s->scan;
    struct fst *f = s->f;

    f->loaded.now = (struct fst_now){ .block = SIZE_MAX };
    f->window.begin = f->window.end = 0;
    f->carried = f->carry_bits_used = 0;
    f->initial = false;
    *scan->totals = (struct pc_wave_totals){ 0 };
    memset(scan->activity, 0, f->streams * sizeof *scan->activity);
    memset(scan->was, 0, f->streams);
}

static void count_changes(const struct span *s)
{
    for (size_t i = 0; i < s->f->streams; i++)
        s->scan->totals->changes += s->scan->activity[i].changes;
    s->f->initial = false; /* they were taken */
}

/* All of the file, or nothing. */
void fst_activity(struct wv_reader *r, const struct wv_scan *scan)
{
    struct fst *f = (struct fst *)r;
    const size_t size = SPAN * sizeof(uint64_t);
    bool right = true;

    if (f->loaded.now.block != SIZE_MAX) /* it was tried */
        return;
    struct span *s = pc_calloc(&f->alloc, 1, sizeof *s);
    uint64_t *time = f->alloc.resize(f->alloc.ctx, NULL, 0, size);
    if (s && time) {
        *s = (struct span){ .f = f, .scan = scan, .time = time };
        for (size_t block = 0; block < f->blocks && right; block++)
            right = scan_block(s, block);
        if (right)
            count_changes(s);
        else
            take_back(s);
    }
    pc_free(&f->alloc, time, size);
    pc_free(&f->alloc, s, sizeof *s);
}
