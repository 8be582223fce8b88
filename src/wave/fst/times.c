/* SPDX-License-Identifier: MIT */
/*
 * Times of a bound stream, a stretch of the table at once.  Nearly always each entry is a byte, and
 * all that is asked for is whether they are right and when a few of them are: then they are only
 * added up.
 */
#include "wave/fst/direct.h"
#include "wave/fst/next_time.h"

/* Sums of eights, as far as entries are a byte; how many these are. */
static uint32_t add_up(struct fst_times *t, uint32_t most, uint32_t *sum, bool *again)
{
    const uint64_t tops = UINT64_C(0x8080808080808080), ones = UINT64_C(0x0101010101010101);
    const uint8_t *at = t->c.at;
    uint64_t zeros = 0;
    uint32_t n = 0;

    for (; n + 8 <= most; n += 8) {
        const uint64_t deltas = pc_load_low_first(at + n);
        if (deltas & tops)
            break;
        zeros |= (deltas - ones) & tops; /* the lowest byte of 0 wraps */
        t->sum[n / 8] = *sum;
        *sum += fst_sum_8(deltas);
    }
    *again |= zeros != 0;
    return n;
}

/*
 * Entries of one byte each, up to `most` in steps of eight, as far as all of them are right;
 * returns how many, and their sums.  *again: two of them are the same time.
 */
static uint32_t short_times(const struct fst *f, struct fst_times *t, uint32_t most, bool *again)
{
    const uint8_t *at = t->c.at;
    const size_t left = fst_left(&t->c);
    uint32_t sum = 0, n = 0;
    bool zeros = false;

    if (most > left)
        most = (uint32_t)left;
    t->step =
        most >= 8 && at[0] > 0 && at[0] < 0x80 && memcmp(at, at + 1, most - 1) == 0 ? at[0] : 0;
    if (t->step) {
        n = most / 8 * 8;
        sum = n * t->step;
    } else {
        n = add_up(t, most, &sum, &zeros);
    }
    if (t->clock + sum < t->clock || t->clock + sum > f->block[f->loaded.now.block].end)
        return 0; /* one by one, to see which */
    *again |= zeros;
    t->base = t->clock;
    t->delta = at;
    t->c.at += n;
    t->clock += sum;
    return n;
}

/* Lists the times. */
static void list_times(struct fst_times *t, uint32_t n, uint64_t *to)
{
    uint64_t clock = t->base;

    for (uint32_t i = 0; i < n; i++)
        to[i] = clock += t->delta[i];
}

/* Returns true if somebody asks for each time. */
static bool asks_for_each(const struct fst *f, const struct fst_bound_stream *l)
{
    return l->stream->clock.has_iff || (!l->every && f->stream[l->clock.code].form != FST_BIT);
}

/*
 * Where times run backwards and that is tolerated, they stand still until they are past the
 * last one.
 */
static void hold_back(const struct fst_bound_stream *l, struct fst_times *t, uint32_t count)
{
    t->distinct &= count == 0 || !l->open || t->time[0] > l->stamp;
    for (uint32_t i = 0; l->open && i < count && t->time[i] < l->stamp; i++)
        t->time[i] = l->stamp;
}

/* Lists all that are left of `count`, from the n-th on. */
static enum pc_status list_stretch(const struct fst *f, struct fst_bound_stream *l, uint32_t n,
                                   uint32_t count, bool again, struct pc_error *err)
{
    struct fst_times *t = &l->times;

    while (n < count) {
        const enum fst_more more = fst_table_more(f, t);
        if (more == FST_BROKEN) {
            *err = f->loaded.table.error;
            return f->loaded.table.status;
        }
        if (more == FST_LATER)
            break;
        const uint32_t few = short_times(f, t, count - n, &again);
        list_times(t, few, t->time + n);
        n += few;
        if (n == count)
            break;
        if (fst_table_more(f, t) != FST_HERE)
            continue;
        const uint64_t before = t->clock;
        enum pc_status status = fst_read_time(f, &t->c, &t->clock, err);
        if (status)
            return status;
        again |= t->clock == before;
        t->time[n++] = t->clock;
    }
    t->delta = NULL;
    t->end = t->begin + n;
    t->distinct = !again;
    hold_back(l, t, n);
    return PC_OK;
}

enum pc_status fst_times_read(const struct fst *f, struct fst_bound_stream *l, struct pc_error *err)
{
    struct fst_times *t = &l->times;
    const uint32_t count = (uint32_t)fst_least(f->loaded.now.times - t->end, FST_STRETCH);
    bool again = false;
    uint32_t n = 0;

    t->begin = t->end;
    if (t->begin == 0) {
        t->time[0] = t->clock; /* was read when the block was loaded */
        return list_stretch(f, l, 1, 1, false, err);
    }
    if (fst_table_more(f, t) == FST_HERE)
        n = short_times(f, t, count, &again);
    if (n > 0 && !again && !asks_for_each(f, l) &&
        (!l->open || fst_time_at(t, t->begin) > l->stamp)) {
        t->end = t->begin + n;
        t->distinct = true;
        return PC_OK;
    }
    list_times(t, n, t->time);
    return list_stretch(f, l, n, count, again, err);
}
