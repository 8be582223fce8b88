/* SPDX-License-Identifier: MIT */
/*
 * Periodic clocks: edge n is at first + n * period / per time units, first being the first time
 * stamp.  All sums are exact: 64 bits hold period * per (bind.c).
 */
#include "wave/wave.h"

static uint64_t per_of(const struct wv_stream *st)
{
    return st->clock.period_per ? st->clock.period_per : 1;
}

/* Returns how many edges there are in the first `length` time units; UINT64_MAX: more than that. */
static uint64_t edges_before(const struct wv_stream *st, uint64_t length)
{
    const uint64_t period = st->clock.period, per = per_of(st);
    const uint64_t whole = length / period, rest = length % period;
    const uint64_t more = (rest * per + period - 1) / period;

    return whole > (UINT64_MAX - more) / per ? UINT64_MAX : whole * per + more;
}

/* Returns the offset after the first timestamp, in whole units; *part: what is left, in units of 1
 * / per. */
static uint64_t offset_of(const struct wv_stream *st, uint64_t edge, uint64_t *part)
{
    const uint64_t per = per_of(st), rest = edge % per * st->clock.period;

    *part = rest % per;
    return edge / per * st->clock.period + rest / per;
}

uint64_t wv_period_time(const struct pc_wave *wave, const struct wv_stream *st, uint64_t edge)
{
    uint64_t part;

    return wave->stamps.time_first + offset_of(st, edge, &part);
}

bool wv_period_edges(struct pc_wave *wave, uint64_t end)
{
    const uint64_t length = end - wave->stamps.time_first;
    bool any = false;

    for (unsigned s = 0; s < wave->streams; s++) {
        struct wv_stream *st = &wave->stream[s];
        if (st->clock.edge != PC_EDGE_PERIOD)
            continue;
        st->first_edge = st->next_edge;
        st->next_edge = edges_before(st, length);
        st->edges = st->next_edge - st->first_edge;
        any |= st->edges > 0;
    }
    return any;
}

/* Compares whether the next edge of a is before that of b (-1), with it (0), or after it (1). */
static int compare(const struct wv_stream *a, const struct wv_stream *b)
{
    uint64_t part[2];
    const uint64_t x = offset_of(a, a->first_edge + a->sampled, &part[0]);
    const uint64_t y = offset_of(b, b->first_edge + b->sampled, &part[1]);

    if (x != y)
        return x < y ? -1 : 1;
    const uint64_t left = part[0] * per_of(b), right = part[1] * per_of(a); /* 32 bits each */
    return (left > right) - (left < right);
}

uint32_t wv_period_step(struct pc_wave *wave, uint64_t *time)
{
    const struct wv_stream *least = NULL;
    uint32_t streams = 0;

    for (unsigned s = 0; s < wave->streams; s++) {
        const struct wv_stream *st = &wave->stream[s];
        if (st->clock.edge != PC_EDGE_PERIOD || st->edges == 0)
            continue;
        const int order = least ? compare(st, least) : -1;
        if (order < 0)
            streams = 0;
        if (order <= 0) {
            streams |= (uint32_t)1 << s;
            least = st;
        }
    }
    if (streams)
        *time = wv_period_time(wave, least, least->first_edge + least->sampled);
    for (unsigned s = 0; s < wave->streams; s++) {
        if (streams >> s & 1) {
            wave->stream[s].edges--;
            wave->stream[s].sampled++;
        }
    }
    return streams;
}
