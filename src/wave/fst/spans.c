/* SPDX-License-Identifier: MIT */
#include "wave/fst/spans.h"
#include "wave/fst/next_time.h"

enum { SPAN = 1 << 16 /* time indices */ };

/* ---- chains ---- */

static enum pc_status run_task(void *ctx, unsigned worker, size_t task, struct pc_error *err)
{
    const struct fst_spans *s = ctx;

    (void)err; /* it is not read: what is wrong is found once more, by time */
    for (size_t i = s->task[task]; i < s->task[task + 1]; i++) {
        struct fst_walk *w = &s->f->loaded.walk[i];
        if (w->now.next < s->end && !s->walk(s, worker, w)) /* many hardly ever change */
            return PC_EINPUT;
    }
    return PC_OK;
}

/* Walks with about as many bytes to each task. */
static void share_out(struct fst_spans *s)
{
    const struct fst_loaded *b = &s->f->loaded;
    const unsigned threads = wv_team_size(s->f->team);
    uint64_t here = 0;

    s->bytes = 0;
    for (size_t i = 0; i < b->walks; i++)
        s->bytes += b->chain[b->walk[i].chain].size;
    const uint64_t least = threads > 1 ? s->bytes / (FST_SHARES * threads) + 1 : UINT64_MAX;
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

static void take_time(struct pc_wave_totals *t, uint64_t time)
{
    if (!t->has_time)
        t->time_first = time;
    else
        wv_take_distance(t, time - t->time_last);
    t->time_stamps += !t->has_time || time != t->time_last;
    t->time_last = time;
    t->has_time = true;
}

/* Reads the times of the span; false: one is wrong, or before the one that the block before ended
 * with. */
static bool read_times(struct fst_spans *s)
{
    struct fst_now *n = &s->f->loaded.now;
    struct pc_wave_totals *t = s->totals;
    struct pc_error err;

    if (s->begin == 0 && t->has_time && n->clock < t->time_last)
        return false;
    for (uint64_t i = s->begin; i < s->end && !s->over; i++) {
        if (i > 0 && fst_read_time(s->f, &n->time, &n->clock, &err) != PC_OK)
            return false;
        s->over = s->until > 0 && n->clock >= s->until;
        if (s->over)
            s->end = i;
        else
            s->time[i - s->begin] = n->clock;
        take_time(t, s->over ? s->until : n->clock);
    }
    n->index = s->end; /* for those who look at the progress */
    return true;
}

/* ---- blocks ---- */

/* Walks the chains that come before the others, which then are at the end of the span. */
static bool walk_first(const struct fst_spans *s)
{
    for (size_t i = 0; i < s->f->loaded.walks; i++) {
        struct fst_walk *w = &s->f->loaded.walk[i];
        if (s->first[w->code] && w->now.next < s->end && !s->walk(s, 0, w))
            return false;
    }
    s->section(s, false);
    return true;
}

static bool walk_span(struct fst_spans *s)
{
    const uint64_t times = s->f->loaded.now.times;
    const bool first = !s->totals->has_time;

    s->end = fst_least(s->begin + SPAN, times);
    if (!read_times(s))
        return false;
    if (first)
        s->start(s);
    if (s->first && !walk_first(s))
        return false;
    if (wv_team_run(s->f->team, run_task, s, s->tasks, NULL) != PC_OK)
        return false;
    if (s->first)
        s->section(s, true);
    s->tell(s, (uint64_t)((double)s->bytes * (double)(s->end - s->begin) / (double)times));
    return true;
}

static bool walk_block(struct fst_spans *s, size_t block)
{
    struct fst *f = s->f;
    struct pc_error err;

    if (fst_load_block(f, block, &err) != PC_OK || (block == 0 && fst_load_frame(f, &err) != PC_OK))
        return false;
    share_out(s);
    for (s->begin = 0; s->begin < f->loaded.now.times && !s->over; s->begin = s->end)
        if (!walk_span(s))
            return false;
    return true;
}

/* Restores the state before the first block, as if nothing had been read. */
static void take_back(const struct fst_spans *s)
{
    struct fst *f = s->f;

    f->loaded.now = (struct fst_now){ .block = SIZE_MAX };
    f->window.begin = f->window.end = 0;
    f->carried = f->carry_bits_used = 0;
    f->initial = false;
    *s->totals = (struct pc_wave_totals){ 0 };
}

bool fst_walk_spans(struct fst_spans *s)
{
    struct fst *f = s->f;
    const size_t size = SPAN * sizeof(uint64_t);
    bool right;

    s->time = f->alloc.resize(f->alloc.ctx, NULL, 0, size);
    right = s->time != NULL;
    for (size_t block = 0; right && block < f->blocks && !s->over; block++)
        right = walk_block(s, block);
    if (right)
        f->initial = false; /* they were taken */
    else
        take_back(s);
    pc_free(&f->alloc, s->time, size);
    return right;
}
