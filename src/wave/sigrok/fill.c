/* SPDX-License-Identifier: MIT */
/*
 * From samples to bit planes, 64 samples at a time (reader.h, `fill`): wanted probes are turned
 * into a word each.  A clock's word gives its edges; of the other words the bits at the edges
 * are pushed together and appended to the planes.  The rules are those of play.c: an edge sees
 * what was before it, with post_edge the sample itself, and so does the condition; without a clock
 * every sample is a cycle.  No probe is ever unknown: the first edge there can be is that of
 * the second sample.
 */
#include <string.h>

#include "base/bytes.h"
#include "kernel/kernel.h"
#include "wave/append.h"
#include "wave/sigrok/sigrok.h"
#include "wave/wave.h"

/* Eight bytes of a sample; their columns are 64 words: bit i is sample i. */
struct sr_part {
    size_t byte;
    uint64_t wanted; /* columns */
};

/* A bound stream.  Columns are numbers of words: 64 * part + bit. */
struct sr_bound_stream {
    struct wv_stream *stream;
    size_t clock, iff;
    size_t *column; /* of each signal */
    uint64_t edges; /* of the 64 samples that are turned, not yet taken */
    bool full;
};

struct sr_fill {
    const struct pc_kernel *kernel;
    struct sr_bound_stream *bound;
    unsigned bounds;
    size_t *column; /* of all bound streams */
    size_t columns;
    struct sr_part *part;
    size_t parts;
    uint64_t *now, *before; /* the words of all parts, and of the 64 samples before */
    uint64_t first;         /* the sample of bit 0 */
    bool ended;
    uint8_t byte[64]; /* of samples of one byte, where there are fewer */
    uint64_t row[64]; /* of a part */
};

/* ---- from taps to bound streams ---- */

void sr_fill_free(struct sigrok *s)
{
    const struct pc_alloc *a = &s->alloc;
    struct sr_fill *f = s->fill;

    if (!f)
        return;
    pc_free(a, f->bound, f->bounds * sizeof *f->bound);
    pc_free(a, f->column, f->columns * sizeof *f->column);
    pc_free(a, f->part, f->parts * sizeof *f->part);
    pc_free(a, f->now, 64 * f->parts * sizeof *f->now);
    pc_free(a, f->before, 64 * f->parts * sizeof *f->before);
    pc_free(a, f, sizeof *f);
    s->fill = NULL;
}

static bool is_wanted(const struct sigrok *s, size_t part)
{
    for (size_t i = 64 * part; i < 64 * part + 64 && i < s->channels; i++)
        if (s->wanted[i])
            return true;
    return false;
}

/* Binds the parts with a wanted channel; without any room for them, how many there are. */
static size_t bind_parts(const struct sigrok *s, struct sr_part *part)
{
    size_t parts = 0;

    for (size_t p = 0; 64 * p < s->channels; p++) {
        if (!is_wanted(s, p))
            continue;
        if (part)
            part[parts].byte = 8 * p;
        parts++;
    }
    for (size_t i = 0; part && i < parts; i++)
        for (size_t k = 0; k < 64 && 8 * part[i].byte + k < s->channels; k++)
            part[i].wanted |= (uint64_t)(s->wanted[8 * part[i].byte + k] != 0) << k;
    return parts;
}

static size_t column_of(const struct sr_fill *f, uint32_t channel)
{
    size_t p = 0;

    while (f->part[p].byte != channel / 64 * 8)
        p++;
    return 64 * p + channel % 64;
}

static void bind_taps(struct sr_fill *f, const struct pc_wave *wave)
{
    for (size_t i = 0; i < wave->taps; i++) {
        const struct wv_tap *t = &wave->tap[i];
        struct sr_bound_stream *l = &f->bound[t->stream];
        const size_t column = column_of(f, t->code);
        if (t->signal == WV_CLOCK)
            l->clock = column;
        else if (t->signal == WV_IFF)
            l->iff = column;
        else
            l->column[t->signal] = column;
    }
}

static enum pc_status bind(struct sigrok *s, struct pc_wave *wave, struct pc_error *err)
{
    const struct pc_alloc *a = &s->alloc;
    struct sr_fill *f = s->fill = pc_calloc(a, 1, sizeof *f);

    if (!f)
        return pc_fail(err, 100, "not enough memory for the planes of a session");
    f->kernel = pc_kernel_best();
    f->bounds = wave->streams;
    f->parts = bind_parts(s, NULL);
    for (unsigned i = 0; i < wave->streams; i++)
        f->columns += wave->stream[i].signals; /* whose planes are in memory: no overflow */
    f->bound = pc_calloc(a, f->bounds, sizeof *f->bound);
    f->column = pc_calloc(a, f->columns, sizeof *f->column);
    f->part = pc_calloc(a, f->parts, sizeof *f->part);
    f->now = pc_calloc(a, 64 * f->parts, sizeof *f->now);
    f->before = pc_calloc(a, 64 * f->parts, sizeof *f->before);
    if (!f->bound || (f->columns && !f->column) ||
        (f->parts && (!f->part || !f->now || !f->before))) {
        sr_fill_free(s);
        return pc_fail(err, 100, "not enough memory for the planes of a session");
    }
    size_t *column = f->column;
    for (unsigned i = 0; i < f->bounds; i++) {
        f->bound[i].stream = &wave->stream[i];
        f->bound[i].column = column;
        column += f->columns ? wave->stream[i].signals : 0;
    }
    if (f->parts)
        (void)bind_parts(s, f->part);
    bind_taps(f, wave);
    return PC_OK;
}

/* ---- 64 samples ---- */

/* Turns the samples at `from`, of which there are `count`; what lies after them may be anything. */
static void turn(const struct sigrok *s, const uint8_t *from, unsigned count)
{
    struct sr_fill *f = s->fill;

    for (size_t p = 0; p < f->parts; p++) {
        const uint8_t *at = from + f->part[p].byte;
        if (s->unit == 1) {
            if (count < 64)
                at = memcpy(f->byte, at, count);
            f->kernel->turn_bytes(f->now, at);
            continue;
        }
        for (unsigned i = 0; i < count; i++)
            f->row[i] = pc_load_low_first(at + i * s->unit);
        f->kernel->turn(f->now + 64 * p, f->row, f->part[p].wanted);
    }
}

/* Returns a column one sample late. */
static uint64_t late(const struct sr_fill *f, size_t column)
{
    return f->now[column] << 1 | f->before[column] >> 63;
}

/* Returns the samples of a bound stream that are cycles. */
static uint64_t edges_of(const struct sr_fill *f, const struct sr_bound_stream *l)
{
    const struct wv_stream *st = l->stream;
    const struct pc_wave_clock *c = &st->clock;
    uint64_t edges = UINT64_MAX;

    if (c->edge != PC_EDGE_EVERY) {
        const uint64_t now = f->now[l->clock], before = late(f, l->clock);
        edges = c->edge == PC_EDGE_POS ? now & ~before : before & ~now;
        edges &= f->first == 0 ? ~UINT64_C(1) : UINT64_MAX;
    }
    if (c->has_iff) {
        const uint64_t iff = st->own_values ? f->now[l->iff] : late(f, l->iff);
        edges &= c->iff_low ? ~iff : iff;
    }
    return edges;
}

/* Reads the next samples, 64 of them if there are as many; PC_END if there are none. */
static enum pc_status next_samples(struct sigrok *s, struct pc_error *err)
{
    struct sr_fill *f = s->fill;
    enum pc_status status = s->end - s->at < 64 * s->unit ? sr_buffer(s, 64 * s->unit, err) : PC_OK;
    const size_t left = (s->end - s->at) / s->unit;
    const unsigned count = left < 64 ? (unsigned)left : 64;

    if ((status && status != PC_END) || count == 0)
        return status;
    uint64_t *before = f->before;
    f->before = f->now;
    f->now = before;
    turn(s, s->buffer + s->at, count);
    f->first = s->time;
    s->at += count * s->unit;
    s->time += count;
    for (unsigned i = 0; i < f->bounds; i++)
        f->bound[i].edges = edges_of(f, &f->bound[i]) & UINT64_MAX >> (64 - count);
    return PC_OK;
}

/* ---- into planes ---- */

static void append_all(const struct sr_fill *f, const struct sr_bound_stream *l, uint64_t edges,
                       unsigned count)
{
    struct wv_stream *st = l->stream;
    struct wv_push p = { .mask = UINT64_MAX };

    if (edges != UINT64_MAX)
        wv_plan_push(&p, edges);
    for (size_t i = 0; i < st->signals; i++) {
        const size_t column = l->column[i];
        const uint64_t word = st->own_values ? f->now[column] : late(f, column);
        wv_append(st->planes + 2 * i * WV_PLANE_WORDS, st->cycles, wv_push(&p, word), count);
    }
}

static void take_times(const struct sr_fill *f, const struct wv_stream *st, uint64_t edges)
{
    for (uint64_t *to = st->time + st->cycles; edges; edges &= edges - 1)
        *to++ = f->first + wv_lowest(edges);
}

/* Takes the edges of the samples, as far as the bound stream's block has room for them. */
static void take(const struct sr_fill *f, struct sr_bound_stream *l)
{
    struct wv_stream *st = l->stream;
    const unsigned room = WV_BLOCK_CYCLES - st->cycles;
    uint64_t edges = l->edges;
    unsigned count = wv_ones(edges);

    if (count > room) {
        for (unsigned i = 0; i < room; i++)
            edges &= edges - 1;
        edges ^= l->edges;
        count = room;
    }
    l->edges ^= edges;
    if (st->cycles == 0)
        st->first_time = f->first + wv_lowest(edges);
    st->last_time = f->first + wv_highest(edges);
    if (st->time)
        take_times(f, st, edges);
    append_all(f, l, edges, count);
    st->cycles += count;
    l->full = st->cycles == WV_BLOCK_CYCLES;
}

/* ---- blocks ---- */

/* Blocks that were handed out make room. */
static void take_back(struct sr_fill *f)
{
    for (unsigned i = 0; i < f->bounds; i++) {
        struct wv_stream *st = f->bound[i].stream;
        if (!st->given)
            continue;
        st->given = false;
        st->first_cycle += st->cycles;
        st->cycles = 0;
    }
}

static enum pc_status give(struct sr_fill *f, unsigned at, unsigned *stream)
{
    f->bound[at].full = false;
    f->bound[at].stream->given = true;
    *stream = at;
    return PC_OK;
}

/* Takes the bound stream whose block was full first; the number of bound streams: none is. */
static unsigned take_bound(struct sr_fill *f)
{
    unsigned first = f->bounds;

    for (unsigned i = 0; i < f->bounds; i++) {
        struct sr_bound_stream *l = &f->bound[i];
        if (l->edges && !l->full)
            take(f, l);
        if (l->full &&
            (first == f->bounds || l->stream->last_time < f->bound[first].stream->last_time))
            first = i;
    }
    return first;
}

/* Gives what is left, in the order of the streams; nothing comes after the last cycle. */
static enum pc_status give_rest(struct sr_fill *f, unsigned *stream)
{
    for (unsigned i = 0; i < f->bounds; i++) {
        const struct wv_stream *st = f->bound[i].stream;
        const size_t used = (st->cycles + (size_t)63) / 64;
        if (st->cycles == 0)
            continue;
        for (size_t k = 0; k < st->signals; k++)
            memset(st->planes + 2 * k * WV_PLANE_WORDS + used, 0,
                   (PC_BLOCK_WORDS - used) * sizeof *st->planes);
        return give(f, i, stream);
    }
    return PC_END;
}

enum pc_status sr_fill(struct wv_reader *r, struct pc_wave *wave, unsigned *stream,
                       struct pc_error *err)
{
    struct sigrok *s = (struct sigrok *)r;
    enum pc_status status = s->fill ? PC_OK : bind(s, wave, err);
    struct sr_fill *f = s->fill;

    if (status)
        return status;
    take_back(f);
    while (!f->ended) {
        const unsigned first = take_bound(f);
        if (first < f->bounds)
            return give(f, first, stream);
        status = next_samples(s, err);
        f->ended = status == PC_END;
        if (status && !f->ended)
            return status;
    }
    return give_rest(f, stream);
}
