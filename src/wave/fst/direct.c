/* SPDX-License-Identifier: MIT */
/*
 * Blocks of samples, in their order.  All bound streams go through one block of the file before the
 * next one is loaded, so that memory holds the wanted chains of one; among the blocks of
 * samples that are ready the one that ended first is handed out.
 */
#include "wave/fst/direct.h"

/* Returns true if it is the first that has every stamp. That one tells how far they are apart. */
static bool tells_stamps(const struct fst_direct *d, const struct fst_bound_stream *l)
{
    const struct fst_bound_stream *first = d->bound;

    while (!first->every && first != l)
        first++;
    return first == l && l->every;
}

static void add_stamps(struct pc_wave_totals *t, const struct pc_wave_totals *more)
{
    if (!more->has_time)
        return;
    if (t->has_time)
        wv_take_distance(t, more->time_first - t->time_last);
    else
        t->time_first = more->time_first;
    wv_add_distances(t, more);
    t->has_time = true;
    t->time_last = more->time_last;
    t->time_stamps += more->time_stamps;
}

/* Piece l->ended is whole: the bound stream's stream then has its cycles. */
static enum pc_status end_piece(struct fst *f, struct fst_bound_stream *l, struct pc_error *err)
{
    const struct fst_piece *p = &l->piece[l->ended % l->pieces];
    const enum pc_status status = p->status              ? p->status
                                  : p->failed < SIZE_MAX ? p->walk_status
                                                         : PC_OK;
    struct wv_stream *st = l->stream;

    l->over = p->end == f->loaded.now.times;
    if (status) {
        if (err)
            *err = p->status ? p->error : p->walk_error;
        return status;
    }
    if (tells_stamps(f->direct, l))
        add_stamps(&f->direct->wave->stamps, &p->stamps);
    if (p->from == 0 && p->to > 0)
        st->first_time = p->first_time;
    if (p->to > p->from)
        st->last_time = p->last_time;
    if (p->time)
        memcpy(st->time + p->from, p->time + p->from, (p->to - p->from) * sizeof *p->time);
    st->cycles = p->to;
    l->full = p->to == WV_BLOCK_CYCLES;
    if (l == f->direct->bound && !l->last)
        f->loaded.now.index = p->end; /* for those who look at the progress */
    wv_team_enter(f->team);
    l->ended++;
    wv_team_leave(f->team);
    return PC_OK;
}

static enum pc_status run_bound(struct fst *f, struct fst_bound_stream *l, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    while (!l->full && !l->over && status == PC_OK) {
        fst_flow_piece(l);
        status = end_piece(f, l, err);
    }
    if (status || l->over || l->sets == 1)
        fst_flow_end(l);
    return status;
}

/* Takes the edges that are left after the last block of the file. */
static enum pc_status run_rest(struct fst *f, struct fst_bound_stream *l, struct pc_error *err)
{
    l->last = true;
    fst_make_last_piece(l, &l->piece[l->made % l->pieces]);
    fst_flow_add(l);
    fst_flow_piece(l);
    fst_flow_end(l);
    return end_piece(f, l, err);
}

/* Gives the block that is ready, with the planes of signals that are bound twice. */
static void give(struct fst_bound_stream *l)
{
    const size_t words = WV_PLANE_WORDS;
    const unsigned set = (unsigned)(l->given % l->sets);
    const struct fst_planes *now = &l->planes[set];
    struct wv_stream *st = l->stream;

    for (size_t i = 0; i < l->signals; i++)
        l->still[i] = now->has[2 * i] == FST_PLANE_ZERO   ? PC_STILL_0
                      : now->has[2 * i] == FST_PLANE_ONES ? PC_STILL_1
                                                          : PC_STILL_UNKNOWN;
    for (size_t i = 0; i < l->twins; i++) {
        memcpy(now->word + 2 * words * l->twin[i].to, now->word + 2 * words * l->twin[i].from,
               2 * words * sizeof *now->word);
        l->still[l->twin[i].to] = l->still[l->twin[i].from];
    }
    st->told_value = now->value;
    st->told_unknown = now->unknown;
    st->any_unknown = false;
    for (size_t i = 0; i < l->tracks; i++)
        st->any_unknown |= l->track[i].any_unknown[set];
    st->given = true;
    l->given++;
    l->full = false;
}

/* Blocks that were handed out make room. */
static void take_back(struct fst *f)
{
    struct fst_direct *d = f->direct;

    for (unsigned i = 0; i < d->bounds; i++) {
        struct wv_stream *st = d->bound[i].stream;
        if (!st->given)
            continue;
        st->given = false;
        st->first_cycle += st->cycles;
        st->cycles = 0;
        wv_team_enter(f->team);
        d->bound[i].back++;
        wv_team_leave(f->team);
    }
}

static enum pc_status load_block(struct fst *f, struct pc_error *err)
{
    uint64_t time;
    enum pc_status status = fst_load_block(f, f->loaded.now.block + 1, err);

    if (status == PC_OK && f->loaded.now.times > 0)
        status = fst_stamp_time(f, &time, err);
    if (status == PC_OK && f->loaded.now.block == 0) {
        status = fst_load_frame(f, err);
        if (status == PC_OK)
            fst_bind_frame(f);
    }
    if (status == PC_OK)
        fst_bind_block(f);
    return status;
}

/* Runs every bound stream as far as it gets in the block of the file; the stream that is to be
 * given. */
static enum pc_status run_all_bound(struct fst *f, unsigned *first, struct pc_error *err)
{
    struct fst_direct *d = f->direct;
    enum pc_status status = PC_OK;

    *first = d->bounds;
    for (unsigned i = 0; i < d->bounds && status == PC_OK; i++) {
        struct fst_bound_stream *l = &d->bound[i];
        status = d->ended && !l->full && l->edges > 0 ? run_rest(f, l, err) : run_bound(f, l, err);
        if (l->full &&
            (*first == d->bounds || l->stream->last_time < d->bound[*first].stream->last_time))
            *first = i;
    }
    return status;
}

/* The last blocks are shorter, and come in the order of the streams. */
static enum pc_status give_rest(struct fst_direct *d, unsigned *stream)
{
    for (unsigned i = 0; i < d->bounds; i++) {
        struct fst_bound_stream *l = &d->bound[i];
        if (l->stream->cycles == 0)
            continue;
        for (size_t k = 0; k < l->tracks; k++)
            fst_track_finish(l, &l->track[k], (unsigned)(l->block % l->sets), l->stream->cycles);
        give(l);
        *stream = i;
        return PC_OK;
    }
    return PC_END;
}

enum pc_status fst_fill(struct wv_reader *r, struct pc_wave *wave, unsigned *stream,
                        struct pc_error *err)
{
    struct fst *f = (struct fst *)r;
    enum pc_status status = f->direct ? PC_OK : fst_bind(f, wave, err);
    unsigned first;

    if (status)
        return status;
    take_back(f);
    for (;;) {
        status = run_all_bound(f, &first, err);
        if (status)
            return status;
        if (first < f->direct->bounds) {
            give(&f->direct->bound[first]);
            *stream = first;
            return PC_OK;
        }
        if (f->direct->ended)
            return give_rest(f->direct, stream);
        status = f->loaded.now.block != SIZE_MAX ? fst_table_end(f, err) : PC_OK;
        if (status)
            return status;
        if (f->loaded.now.block != SIZE_MAX && f->loaded.now.times > 0) {
            f->any_time = true;
            f->last_time = f->direct->bound[0].stamp;
        }
        f->direct->ended = f->loaded.now.block + 1 >= f->blocks; /* SIZE_MAX + 1 before the first */
        status = f->direct->ended ? PC_OK : load_block(f, err);
        if (status)
            return status;
    }
}

void fst_stop_direct(struct fst *f)
{
    for (unsigned i = 0; f->direct && i < f->direct->bounds; i++)
        fst_flow_end(&f->direct->bound[i]);
}
