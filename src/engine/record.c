/* SPDX-License-Identifier: MIT */
/*
 * Record mode over a block (clauses PC.REC.*), and stream-out.  Counters are brought up to
 * date only where a packet goes out or the block ends: until then it is enough to know the
 * next cycle with a STOP, and that no counter can have come to 0xf000 yet, as none grows by
 * more than 1 a cycle.  Packets are sent by the model's own functions, one after the other.
 *
 * Where several domains send, ahead.c keeps their packets until it knows the order of time.
 */
#include "engine/engine.h"

#include <string.h>

enum { EVENTS = 12, AT_ONCE = 16 /* words */ };

struct recorder {
    struct eg_block *b;
    struct pc_record *r;
    const uint64_t *plane[EVENTS];
    const uint64_t *part[EVENTS]; /* the same from the part of the block on */
    uint64_t base;                /* cycle where the part of the block begins, */
    size_t words, rows;           /* so many words, of which rows are known (kernel/kernel.h) */
    uint64_t before[3]; /* ones of the part in cycles before `done`, four counters a word */
    uint64_t after[3];  /* and before where the next addition may end */
    uint64_t done;      /* cycles of the block that are in the counters */
    bool fresh;         /* the counters were all 0 then */
    uint64_t stops[EG_RECORD_WORDS / 64 + 1]; /* words of the part that have a STOP; a 0 behind */
};

/* --- counters --- */

static void unpack(uint16_t out[4], uint64_t four)
{
    static const union {
        uint16_t number;
        uint8_t first;
    } order = { 1 };

    if (order.first) { /* the order of the bytes is that of the machine's words */
        memcpy(out, &four, sizeof four);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        out[i] = (uint16_t)(four >> 16 * i);
}

/* Rows up to word `end`: no further than is needed, so that memory is asked all the time. */
static void go_on(struct recorder *rec, size_t end)
{
    const uint64_t *plane[EVENTS];

    for (unsigned i = 0; i < EVENTS; i++)
        plane[i] = rec->part[i] + rec->rows;
    rec->b->k->rows(plane, end - rec->rows, rec->b->e->solo.row + rec->rows);
    rec->rows = end;
}

/* Finds out what the counters get in cycles done to to - 1. */
static void sum_up(struct recorder *rec, uint64_t to)
{
    const size_t want = (size_t)((to - rec->base) / 64);

    if (want > rec->rows) { /* planes are gone through once, and packets cost differences */
        size_t end = want + AT_ONCE - want % AT_ONCE;
        go_on(rec, end < rec->words ? end : rec->words);
    }
    rec->b->k->before(rec->part, rec->b->e->solo.row, to - rec->base, rec->after);
}

/* Four of them */
static uint64_t packed_counts(const struct recorder *rec, unsigned g)
{
    return rec->after[g] - rec->before[g];
}

static unsigned of_counter(const struct recorder *rec, unsigned i)
{
    return packed_counts(rec, i / 4) >> 16 * (i % 4) & 0xffff;
}

static void bump(struct pc_domain *d, uint16_t *counter, uint64_t n, uint16_t end)
{
    if (n > (uint64_t)(end - *counter)) {
        d->diagnostics |= PC_DIAG_SATURATED;
        *counter = end;
    } else {
        *counter = (uint16_t)(*counter + n);
    }
}

/* PC.REC.3 PC.REC.4 PC.REC.5 PC.REC.6 */
static void add(struct recorder *rec, uint64_t to, uint64_t stops)
{
    struct pc_record *r = rec->r;

    for (unsigned g = 0; g < 3 && rec->fresh; g++)
        unpack(r->event + 4 * g, packed_counts(rec, g));
    for (unsigned i = 0; i < EVENTS && !rec->fresh; i++)
        bump(rec->b->d, &r->event[i], of_counter(rec, i), PC_RECORD_EVENT_MAX);
    bump(rec->b->d, &r->stop, stops, PC_RECORD_STOP_MAX);
    r->cycles = (r->cycles + (to - rec->done)) & PC_RECORD_CYCLES_MASK;
    memcpy(rec->before, rec->after, sizeof rec->before);
    rec->done = to;
    rec->fresh = false;
}

static void add_all(struct recorder *rec, uint64_t to)
{
    sum_up(rec, to);
    add(rec, to, eg_ones(rec->b, rec->b->input[PC_IN_STOP], rec->done, to));
}

/* --- the next packet --- */

/* The cycle, from `done` on and before `to`, in which the n-th 1 of a counter's plane comes; there
 * are that many. */
static uint64_t nth(const struct recorder *rec, unsigned counter, uint64_t n, uint64_t to)
{
    const struct eg_signal s = { rec->plane[counter], false };
    uint64_t from = rec->done;

    while (to - from > 1) { /* it is in one of both halves */
        uint64_t middle = from + (to - from) / 2, ones = eg_ones(rec->b, s, from, middle);
        if (ones < n) {
            from = middle;
            n -= ones;
        } else {
            to = middle;
        }
    }
    return from;
}

/* The first cycle after whose count some counter is at 0xf000, if that is before `to`; or `to`. */
static uint64_t crossing(const struct recorder *rec, uint64_t to)
{
    uint64_t first = to;

    for (unsigned i = 0; i < EVENTS; i++) {
        uint64_t have = rec->r->event[i], at = to;
        if (have >= PC_RECORD_EVENT_FLUSH)
            at = rec->done;
        else if (have + of_counter(rec, i) >= PC_RECORD_EVENT_FLUSH)
            at = nth(rec, i, PC_RECORD_EVENT_FLUSH - have, to);
        first = at < first ? at : first;
    }
    return first;
}

static unsigned largest(const struct pc_record *r)
{
    unsigned most = 0;

    for (unsigned i = 0; i < EVENTS; i++)
        most = r->event[i] > most ? r->event[i] : most;
    return most;
}

static bool is_one(struct eg_signal s, uint64_t t)
{
    return s.plane ? s.plane[t / 64] >> (t % 64) & 1 : s.level;
}

/* The first STOP from cycle t on, or the end of the part. */
static uint64_t next_stop(const struct recorder *rec, uint64_t t, uint64_t end)
{
    const struct eg_signal stop = rec->b->input[PC_IN_STOP];

    if (!stop.plane || t == end)
        return eg_find(stop, t, end);
    uint64_t word = stop.plane[t / 64] >> t % 64 << t % 64;
    if (word)
        return t / 64 * 64 + (unsigned)__builtin_ctzll(word);
    const size_t w = (size_t)((t - rec->base) / 64) + 1;
    size_t i = w / 64;
    uint64_t some = rec->stops[i] >> w % 64 << w % 64;
    while (some == 0 && ++i * 64 < rec->words)
        some = rec->stops[i];
    if (some == 0)
        return end;
    const uint64_t at = rec->base / 64 + i * 64 + (unsigned)__builtin_ctzll(some);
    return at * 64 + (unsigned)__builtin_ctzll(stop.plane[at]);
}

/*
 * The slot is free in cycle t.  Adds everything up to the first cycle from t on that has a
 * packet, inclusive, and is true; or adds the whole block.
 */
static bool to_trigger(struct recorder *rec, uint64_t t, uint64_t end)
{
    struct eg_signal stop = rec->b->input[PC_IN_STOP];
    uint64_t earlier = rec->r->stop + eg_ones(rec->b, stop, rec->done, t);
    uint64_t at = earlier != 0 ? t : next_stop(rec, t, end);
    uint64_t to = at < end ? at + 1 : end;

    sum_up(rec, to);
    if (!rec->fresh && largest(rec->r) + (to - rec->done) >= PC_RECORD_EVENT_FLUSH) {
        uint64_t flush = crossing(rec, to);
        flush = flush < t ? t : flush;
        if (flush < to) {
            to = flush + 1;
            at = flush;
            sum_up(rec, to);
        }
    }
    /* All STOPs that the counter gets: those before t, and the one that triggers, if any. */
    add(rec, to, earlier - rec->r->stop + (at < end && is_one(stop, at)));
    return at < end;
}

static void prepare(struct recorder *rec, struct eg_block *b)
{
    *rec = (struct recorder){ .b = b, .r = &b->d->record };
    for (unsigned i = 0; i < EVENTS; i++)
        rec->plane[i] = eg_plane(b, b->source[i]);
}

static void begin_part(struct recorder *rec, uint64_t t, uint64_t end)
{
    rec->base = t;
    rec->words = (size_t)((end - t) / 64);
    rec->rows = 0;
    for (unsigned i = 0; i < EVENTS; i++)
        rec->part[i] = rec->plane[i] + t / 64;
    memset(rec->b->e->solo.row[0], 0, sizeof rec->b->e->solo.row[0]);
    memset(rec->before, 0, sizeof rec->before);
    const struct eg_signal stop = rec->b->input[PC_IN_STOP];
    if (stop.plane)
        rec->b->k->marks(rec->stops, stop.plane + t / 64, rec->words);
    rec->stops[(rec->words + 63) / 64] = 0;
}

/* Cycles [t, end), fewer than a counter needs to come from 0 to 0xf000. */
static void packets(struct recorder *rec, uint64_t t, uint64_t end)
{
    struct eg_block *b = rec->b;
    struct pc_record *r = rec->r;

    begin_part(rec, t, end);
    while (t < end) {
        if (r->busy > 0) {
            uint64_t wait = r->busy < end - t ? r->busy : end - t;
            pc_slot_pass(b->d, wait);
            t += wait;
            continue;
        }
        if (r->wedged || r->pending || (!r->valid && b->u->options.record_invalid_holds))
            break;
        if (!to_trigger(rec, t, end))
            return;
        t = rec->done;
        b->e->packet_cycle[b->domain] = (uint64_t)b->first * 64 + t - 1;
        pc_record_send(b->u, b->domain, b->d);
        r->stop = 0;
        rec->fresh = true; /* the events are 0 */
    }
    add_all(rec, end);
}

/* PC.REC.7 PC.REC.8 PC.REC.22 */
void eg_record(struct eg_block *b)
{
    const uint64_t end = (uint64_t)b->words * 64, part = (uint64_t)b->e->part * 64;
    struct recorder rec;

    prepare(&rec, b);
    if (PC_GET(b->u->state.gctrl, GCTRL, RECORD_RESET)) { /* D-72: a level, seen in the head */
        pc_slot_pass(b->d, end);
        return;
    }
    for (uint64_t t = 0; t < end; t += part)
        packets(&rec, t, end - t < part ? end : t + part);
}

/* --- stream-out --- */

static void stream_add(struct eg_block *b, uint64_t from, uint64_t to)
{
    struct pc_counters *c = &b->d->shadow;
    struct eg_increment inc = eg_increments(b, from, to);

    pc_stream_tick(b->d, to - from);
    eg_add(b->u, b->d, &c->event, inc.event, true);
    eg_add(b->u, b->d, &c->start, inc.start, true);
    eg_add(b->u, b->d, &c->pre, inc.pre, false);
    eg_add(b->u, b->d, &c->stop, inc.stop, false);
}

/* A packet at each STOP: the head of the run has left none uncounted.  PC.GF.16 PC.GF.40 */
void eg_stream(struct eg_block *b)
{
    uint64_t end = (uint64_t)b->words * 64, from = 0;

    if (PC_GET(b->u->state.gctrl, GCTRL, RECORD_RESET))
        return;
    while (from < end) {
        uint64_t at = eg_find(b->input[PC_IN_STOP], from, end);
        uint64_t to = at < end ? at + 1 : end;
        stream_add(b, from, to);
        if (at < end) {
            b->d->record.stop = 1;
            b->e->packet_cycle[b->domain] = (uint64_t)b->first * 64 + at;
            pc_stream_send(b->u, b->domain, b->d);
        }
        from = to;
    }
}
