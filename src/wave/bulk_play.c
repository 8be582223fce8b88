/* SPDX-License-Identifier: MIT */
/*
 * Playing stretches: many timestamps at once, for the common case of one stream with one
 * clock.  The reader has already put changes and edges into order (struct wv_event); the
 * condition of the clock is looked at here.  What comes out is what play.c makes of the same
 * timestamps one by one.
 */
#include "wave/plane.h"

static uint64_t edge_time(const struct pc_wave *wave, uint32_t edge)
{
    uint64_t time;

    wave->reader->ops->edge_times(wave->reader, edge, 1, &time);
    return time;
}

void wv_bulk_plan(struct pc_wave *wave)
{
    const struct wv_reader_ops *ops = wave->reader->ops;
    struct wv_stream *st = &wave->stream[0];
    struct wv_bulk bulk = {
        .every = st->clock.edge == PC_EDGE_EVERY,
        .falling = st->clock.edge == PC_EDGE_NEG,
        .own_values = st->own_values,
        .tap = wave->tap,
        .taps = wave->taps,
    };
    struct wv_vectors *vectors = &wave->bulk.vectors;

    if (!ops->plan || wave->coded || wave->streams != 1 || st->clock.edge == PC_EDGE_PERIOD ||
        st->signals >= WV_EVENT_IFF)
        return;
    if (!bulk.every) {
        bulk.clock = wv_hier_of(wave)->var[st->clock.clock.var].code;
        if (wv_hier_of(wave)->code[bulk.clock].width != 1)
            return;
    }
    if (wave->compares == 0 && !wv_vectors_make(wave)) /* else they are there */
        return;
    bulk.vector = vectors->code;
    bulk.vectors = vectors->count;
    wave->bulk.on = ops->plan(wave->reader, &bulk);
    if (bulk.every)
        st->clock_level = WV_0; /* of none */
}

static bool is_open(const struct wv_stream *st)
{
    return !st->clock.has_iff || st->iff_level == (st->clock.iff_low ? WV_0 : WV_1);
}

/* Samples edges up to number `to`; true if the block is full then or before. */
static bool advance(struct pc_wave *wave, uint32_t to)
{
    struct wv_bulk_state *bulk = &wave->bulk;
    struct wv_stream *st = &wave->stream[0];
    const bool open = is_open(st);
    uint32_t n = to - bulk->done, room = WV_BLOCK_CYCLES - st->cycles;

    if (open && n > room)
        n = room;
    if (wave->kinds & WV_EVERY)
        wave->reader->ops->edge_distances(wave->reader, bulk->done, n, &wave->stamps);
    if (!open) {
        bulk->done = to;
        return false;
    }
    if (n == 0)
        return false;
    if (st->cycles == 0)
        st->first_time = edge_time(wave, bulk->done);
    if (st->time)
        wave->reader->ops->edge_times(wave->reader, bulk->done, n, st->time + st->cycles);
    st->cycles += n;
    bulk->done += n;
    bulk->last = bulk->done;
    return st->cycles == WV_BLOCK_CYCLES;
}

/*
 * Takes changes up to the next one of the condition, or of a cycle that is not in this block; the
 * edges between them are sampled by what follows.
 */
static void take_changes(struct pc_wave *wave, struct wv_bulk_state *bulk, struct wv_stream *st)
{
    const struct wv_event *event = bulk->stretch.event;
    const size_t events = bulk->stretch.events;
    const uint32_t offset = st->cycles - bulk->done;
    const uint32_t grow = is_open(st) ? UINT32_MAX : 0;
    size_t at = bulk->at;

    for (; at < events; at++) {
        const uint32_t signal = event[at].what >> 2;
        const uint8_t level = event[at].what & 3;
        const uint32_t cycle = ((event[at].cycle + offset) & grow) | (st->cycles & ~grow);
        if (cycle >= WV_BLOCK_CYCLES || signal == WV_EVENT_IFF)
            break;
        if (level == WV_EVENT_WORDS)
            wv_take_words(wave, signal, bulk->stretch.word + event[++at].cycle, cycle);
        else
            wv_change_at(st, signal, cycle, level);
    }
    bulk->at = at;
}

/* Plays the rest of the stretch; true if the block is full. */
static bool play(struct pc_wave *wave)
{
    struct wv_bulk_state *bulk = &wave->bulk;
    struct wv_stream *st = &wave->stream[0];
    const struct wv_event *event = bulk->stretch.event;

    for (;;) {
        take_changes(wave, bulk, st);
        const bool more = bulk->at < bulk->stretch.events;
        if (advance(wave, more ? event[bulk->at].cycle : bulk->stretch.edges))
            return true;
        if (!more)
            return false;
        if (event[bulk->at].what >> 2 == WV_EVENT_IFF)
            st->iff_level = (enum wv_level)(event[bulk->at++].what & 3);
    }
}

enum pc_status wv_bulk_play(struct pc_wave *wave, bool *full, struct pc_error *err)
{
    struct wv_bulk_state *bulk = &wave->bulk;
    struct wv_stream *st = &wave->stream[0];

    for (;;) {
        if (bulk->busy) {
            *full = play(wave);
            if (bulk->last > 0)
                st->last_time = edge_time(wave, bulk->last - 1);
            bulk->last = 0;
            if (*full)
                return PC_OK;
            st->clock_level = bulk->stretch.clock;
            bulk->busy = false;
        }
        *full = wv_waits(wave);
        if (*full)
            return PC_OK;
        enum pc_status status =
            wave->reader->ops->stretch(wave->reader, st->clock_level, &bulk->stretch, &wave->error);
        if (status == PC_END)
            return PC_OK;
        if (status) {
            wave->failure = status;
            if (err)
                *err = wave->error;
            return status;
        }
        bulk->busy = true;
        bulk->at = 0;
        bulk->done = 0;
    }
}
