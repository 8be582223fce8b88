/* SPDX-License-Identifier: MIT */
/*
 * Time stamps, one after the other.  Every entry of the time tables is handed out, whether
 * something wanted changes there or not.  Entries of the same time are one stamp: writers
 * repeat the last time of a block at the begin of the next, and some write a time twice.
 * Such a stamp can reach over a window or a block, and is then carried over.
 */
#include "wave/fst.h"

/* Entries `index` to `end` of the time table: one stamp. */
struct stamp {
    uint64_t time, clock, end;
    struct fst_cursor behind; /* the time table after it */
};

/* Time of the entry at the cursor, which is moved behind it; `clock` as in struct fst_now. */
static enum pc_status read_time(struct fst *f, struct fst_cursor *c, uint64_t *clock,
                                struct pc_error *err)
{
    const struct fst_block *b = &f->block[f->now.block];
    struct fst_cursor start = *c;
    uint64_t delta = fst_number(c);

    enum pc_status status = fst_check(c, err, "time table");
    if (status)
        return status;
    if (delta > UINT64_MAX - *clock || *clock + delta > b->end || *clock + delta < b->begin)
        return fst_fail(&start, err, 713, "time %llu + %llu in a block from %llu to %llu",
                        (unsigned long long)*clock, (unsigned long long)delta,
                        (unsigned long long)b->begin, (unsigned long long)b->end);
    *clock += delta;
    return PC_OK;
}

static enum pc_status backwards(struct fst *f, uint64_t time, struct pc_error *err)
{
    enum pc_status status = fst_fail(&f->now.time, err, 716, "time goes back from %llu to %llu",
                                     (unsigned long long)f->last_time, (unsigned long long)time);

    pc_hint(err, "--tolerate-time-backwards takes such stamps as the time before them");
    return status;
}

/* The stamp at the window's next index, as far as it reaches in the window. */
static enum pc_status peek_stamp(struct fst *f, struct stamp *s, struct pc_error *err)
{
    uint64_t clock = f->now.clock;
    struct fst_cursor c = f->now.time;
    enum pc_status status = read_time(f, &c, &clock, err);

    if (status)
        return status;
    *s = (struct stamp){ .time = clock, .clock = clock, .end = f->now.index + 1, .behind = c };
    if (f->any_time && s->time < f->last_time) {
        if (!f->reader.tolerate_time_backwards)
            return backwards(f, clock, err);
        s->time = f->last_time;
    }
    while (s->end < f->window.end) {
        status = read_time(f, &c, &clock, err);
        if (status)
            return status;
        if (clock > s->time)
            break;
        s->clock = clock;
        s->behind = c;
        s->end++;
    }
    return PC_OK;
}

/* Whether more of the same time may come in what is loaded next. */
static bool may_go_on(const struct fst *f, const struct stamp *s)
{
    struct fst_cursor c = s->behind;

    if (s->end < f->window.end)
        return false;
    if (s->end < f->now.times)
        return fst_number(&c) <= s->time - s->clock;
    return f->now.block + 1 < f->blocks && f->block[f->now.block + 1].begin <= s->time;
}

static void take_stamp(struct fst *f, const struct stamp *s, struct wv_group *out)
{
    const struct fst_window *w = &f->window;
    uint32_t from = w->first[f->now.index - w->begin], to = w->first[s->end - w->begin];

    *out = (struct wv_group){ .time = s->time,
                              .change = w->change + from,
                              .changes = to - from,
                              .bits = w->bits,
                              .records = to - from };
    f->now.index = s->end;
    f->now.clock = s->clock;
    f->now.time = s->behind;
    f->any_time = true;
    f->last_time = s->time;
}

static void take_carry(struct fst *f, struct wv_group *out)
{
    *out = (struct wv_group){ .time = f->carry_time,
                              .change = f->carry,
                              .changes = f->carried,
                              .bits = f->carry_bits,
                              .records = f->carried };
    f->carrying = false;
}

/* Makes f->now.index one of the window; PC_END behind the last block. */
static enum pc_status load_more(struct fst *f, struct pc_error *err)
{
    enum pc_status status;

    while (f->now.index == f->now.times) {
        if (f->now.block + 1 >= f->blocks) /* SIZE_MAX + 1 before the first */
            return PC_END;
        status = fst_load_block(f, f->now.block + 1, err);
        if (status == PC_OK && f->now.block == 0)
            status = fst_load_frame(f, err);
        if (status)
            return status;
    }
    return f->now.index == f->window.end ? fst_load_window(f, err) : PC_OK;
}

static enum pc_status begin_carry(struct fst *f, const struct wv_group *g, struct pc_error *err)
{
    if (!f->carrying) {
        f->carried = f->carry_bits_used = 0;
        f->carrying = true;
    }
    f->carry_time = g->time;
    f->carry_is_frame = false;
    return fst_carry(f, g->change, g->changes, g->bits, err);
}

enum pc_status fst_next(struct fst *f, struct wv_group *out, struct pc_error *err)
{
    struct wv_group group;
    struct stamp s;

    for (;;) {
        enum pc_status status = load_more(f, err);
        if (status == PC_END && f->carrying && !f->carry_is_frame) {
            take_carry(f, out);
            return PC_OK;
        }
        if (status == PC_OK)
            status = peek_stamp(f, &s, err);
        if (status)
            return status;
        if (f->carrying && !f->carry_is_frame && s.time != f->carry_time) {
            take_carry(f, out);
            return PC_OK;
        }
        bool more = may_go_on(f, &s);
        take_stamp(f, &s, &group);
        if (!f->carrying && !more) {
            *out = group;
            return PC_OK;
        }
        status = begin_carry(f, &group, err);
        if (status)
            return status;
        if (!more) {
            take_carry(f, out);
            return PC_OK;
        }
    }
}
