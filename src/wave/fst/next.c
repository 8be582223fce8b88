/* SPDX-License-Identifier: MIT */
/*
 * Timestamps, one after the other.  Every entry of the time tables is handed out, whether
 * something wanted changes there or not.  Entries of the same time are one stamp: writers
 * repeat the last time of a block at the begin of the next, and some write a time twice.
 * Such a stamp can reach over a window or a block, and is then carried over.
 */
#include "wave/fst/next_time.h"

enum pc_status fst_stamp_time(const struct fst *f, uint64_t *time, struct pc_error *err)
{
    *time = f->loaded.now.clock;
    if (!f->any_time || *time >= f->last_time)
        return PC_OK;
    if (f->reader.tolerate_time_backwards) {
        *time = f->last_time;
        return PC_OK;
    }
    return fst_fail(&f->loaded.now.time, err, 716, "time goes back from %llu to %llu",
                    (unsigned long long)f->last_time, (unsigned long long)*time);
}

/*
 * Takes the entries of one stamp, as far as they are in the window; *more: it may go on
 * in what is loaded next.
 */
static enum pc_status take_stamp(struct fst *f, uint64_t time, struct wv_group *out, bool *more,
                                 struct pc_error *err)
{
    const struct fst_window *w = &f->window;
    struct fst_now *n = &f->loaded.now;
    uint32_t from = w->first[n->index - w->begin];

    do {
        n->index++;
        if (n->index < n->times) {
            enum pc_status status = fst_read_time(f, &n->time, &n->clock, err);
            if (status)
                return status;
        }
    } while (n->index < w->end && n->clock <= time);
    uint32_t to = w->first[n->index - w->begin];
    out->time = time; /* one by one: this is the innermost loop of a reader of clocks */
    out->change = w->change + from;
    out->changes = to - from;
    out->records = to - from;
    out->bits = w->bits;
    f->any_time = true;
    f->last_time = time;
    if (n->index < n->times)
        *more = n->index == w->end && n->clock <= time;
    else
        *more = n->block + 1 < f->blocks && f->block[n->block + 1].begin <= time;
    return PC_OK;
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

/* Takes the values before the first stamp, which is loaded. */
static void take_initial(struct fst *f, struct wv_group *out)
{
    f->carry_time = f->loaded.now.clock;
    take_carry(f, out);
    out->initial = true;
    f->initial = false;
}

/* Makes f->loaded.now.index one of the window; PC_END after the last block. */
static enum pc_status load_more(struct fst *f, struct pc_error *err)
{
    enum pc_status status;

    while (f->loaded.now.index == f->loaded.now.times) {
        if (f->loaded.now.block + 1 >= f->blocks) /* SIZE_MAX + 1 before the first */
            return PC_END;
        status = fst_load_block(f, f->loaded.now.block + 1, err);
        if (status == PC_OK && f->loaded.now.block == 0)
            status = fst_load_frame(f, err);
        if (status)
            return status;
    }
    return f->loaded.now.index == f->window.end ? fst_load_window(f, err) : PC_OK;
}

static enum pc_status begin_carry(struct fst *f, const struct wv_group *g, struct pc_error *err)
{
    if (!f->carrying) {
        f->carried = f->carry_bits_used = 0;
        f->carrying = true;
    }
    f->carry_time = g->time;
    return fst_carry(f, g->change, g->changes, g->bits, err);
}

enum pc_status fst_next(struct fst *f, struct wv_group *out, struct pc_error *err)
{
    uint64_t time;
    bool more;

    for (;;) {
        enum pc_status status = load_more(f, err);
        if (status == PC_END && f->carrying) {
            take_carry(f, out);
            return PC_OK;
        }
        if (status == PC_OK && f->initial) {
            take_initial(f, out);
            return PC_OK;
        }
        if (status == PC_OK)
            status = fst_stamp_time(f, &time, err);
        if (status)
            return status;
        if (f->carrying && time != f->carry_time) {
            take_carry(f, out);
            return PC_OK;
        }
        status = take_stamp(f, time, out, &more, err);
        if (status)
            return status;
        if (!f->carrying && !more)
            return PC_OK;
        status = begin_carry(f, out, err);
        if (status)
            return status;
        if (!more) {
            take_carry(f, out);
            return PC_OK;
        }
    }
}
