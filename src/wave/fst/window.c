/* SPDX-License-Identifier: MIT */
/*
 * Chains are one stream over all times; a reader hands out one time over all streams.  The
 * block is turned around in windows of time indices: every chain is decoded as far as the
 * window reaches and the changes are sorted by index, counting first.  The window's width
 * follows the density of changes, so that memory does not depend on the length of the
 * block: if a window overflows, the chains go back to where they were and it is halved.
 */
#include "wave/fst/fst.h"

#define SPAN_FIRST ((uint32_t)1 << 12)
#define SPAN_MAX   ((uint32_t)1 << 18)

/* Decodes what lies in the window; *full if it was too wide, and nothing has moved. */
static enum pc_status stage_all(struct fst *f, bool *full, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    size_t i;

    f->window.changes = f->window.changes_room = 0;
    f->window.bits_used = sizeof FST_STATES - 1;
    *full = false;
    for (i = 0; i < f->loaded.walks && status == PC_OK && !*full; i++) {
        struct fst_walk *w = &f->loaded.walk[i];
        w->was = w->now;
        if (w->now.next < f->window.end)
            status = fst_walk_until(f, w, full, err);
    }
    while (*full && i-- > 0)
        f->loaded.walk[i].now = f->loaded.walk[i].was;
    return status;
}

/* Stable: changes of one index stay in the order of their streams. */
static enum pc_status sort(struct fst *f, struct pc_error *err)
{
    struct fst_window *w = &f->window;
    size_t slots = (size_t)(w->end - w->begin);

    if (!pc_grow(&f->alloc, (void **)&w->first, &w->first_capacity, slots + 2, sizeof *w->first) ||
        !pc_grow(&f->alloc, (void **)&w->change, &w->change_capacity, w->changes + 1,
                 sizeof *w->change))
        return fst_no_memory(err, "a span of time");
    memset(w->first, 0, (slots + 2) * sizeof *w->first);
    for (size_t i = 0; i < w->changes; i++)
        w->first[w->slot[i] + 2]++;
    for (size_t i = 2; i < slots + 2; i++)
        w->first[i] += w->first[i - 1];
    for (size_t i = 0; i < w->changes; i++) /* first[s + 1] grows from s's begin to its end */
        w->change[w->first[w->slot[i] + 1]++] = w->staged[i];
    return PC_OK;
}

enum pc_status fst_load_window(struct fst *f, struct pc_error *err)
{
    struct fst_window *w = &f->window;
    bool full;

    if (w->span == 0)
        w->span = SPAN_FIRST;
    if (!pc_grow(&f->alloc, (void **)&w->bits, &w->bits_capacity, sizeof FST_STATES, 1))
        return fst_no_memory(err, "a span of time");
    memcpy(w->bits, FST_STATES, sizeof FST_STATES);
    w->begin = f->loaded.now.index;
    for (;;) {
        uint64_t left = f->loaded.now.times - w->begin;
        w->end = w->begin + (left < w->span ? left : w->span);
        enum pc_status status = stage_all(f, &full, err);
        if (status)
            return status;
        if (!full)
            break;
        w->span = (uint32_t)(w->end - w->begin) / 2;
    }
    if (w->changes < FST_CHANGES_AIM / 4 && w->bits_used < FST_BITS_AIM / 4 && w->span < SPAN_MAX)
        w->span *= 2;
    return sort(f, err);
}
