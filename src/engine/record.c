/* SPDX-License-Identifier: MIT */
/*
 * Record mode over a block (clauses PC.REC.*), and stream-out.  Counters are brought up to
 * date only where a packet goes out or the block ends: until then it is enough to know the
 * next cycle with a STOP, and that no counter can have come to 0xf000 yet, as none grows by
 * more than 1 a cycle.  Packets are sent by the model's own functions, one after the other.
 *
 * Where several domains send, their packets go out in the order of time: these are stepped.
 */
#include "engine/engine.h"

#include <string.h>

enum { EVENTS = 12 };

struct recorder {
    struct eg_block *b;
    struct pc_record *r;
    const uint64_t *plane[EVENTS];
    const uint64_t *before[3]; /* what pc_kernel.tally() found */
    uint64_t mark[3];          /* counts before cycle `done` */
    uint64_t done;             /* cycles of the block that are in the counters */
    bool fresh;                /* the counters were all 0 then */
};

bool eg_record_wide(const struct pc_unit *u, const char **why)
{
    unsigned senders = 0;

    for (unsigned x = 0; x < u->chip->domains; x++)
        senders += u->state.domain[x].control.mode == PC_MODE_RECORD ||
                   u->state.domain[x].control.mode == PC_MODE_STREAM;
    if (senders > 1 && u->mem_write) {
        *why = "packets of several domains go out in the order of time";
        return false;
    }
    if (u->options.record_fault == PC_FAULT_HANG) {
        *why = "a packet that meets a fault would stop the domain";
        return false;
    }
    return true;
}

/* --- counters --- */

/* What the counters get in cycles done to to - 1; returns the counts before cycle `to`. */
struct counts {
    uint64_t mark[3];
    uint16_t sum[EVENTS];
};
static void sum_up(const struct recorder *rec, uint64_t to, struct counts *c)
{
    rec->b->k->mark(rec->plane, rec->before, to, c->mark);
    for (unsigned g = 0; g < 3; g++) {
        uint64_t four = c->mark[g] - rec->mark[g];
        for (unsigned i = 0; i < 4; i++)
            c->sum[4 * g + i] = (uint16_t)(four >> 16 * i);
    }
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
static void add(struct recorder *rec, uint64_t to, const struct counts *c, uint64_t stops)
{
    struct pc_record *r = rec->r;

    for (unsigned i = 0; i < EVENTS; i++)
        if (rec->fresh)
            r->event[i] = c->sum[i];
        else
            bump(rec->b->d, &r->event[i], c->sum[i], PC_RECORD_EVENT_MAX);
    bump(rec->b->d, &r->stop, stops, PC_RECORD_STOP_MAX);
    r->cycles = (r->cycles + (to - rec->done)) & PC_RECORD_CYCLES_MASK;
    memcpy(rec->mark, c->mark, sizeof rec->mark);
    rec->done = to;
    rec->fresh = false;
}

static void add_all(struct recorder *rec, uint64_t to)
{
    struct counts c;

    sum_up(rec, to, &c);
    add(rec, to, &c, eg_ones(rec->b, rec->b->input[PC_IN_STOP], rec->done, to));
}

/* --- the next packet --- */

/* The cycle, from `done` on, in which the n-th 1 of a plane comes; there are that many.  n > 0. */
static uint64_t nth(const struct recorder *rec, const uint64_t *plane, uint64_t n)
{
    uint64_t t = rec->done;

    for (;;) {
        struct eg_signal s = { plane, false };
        uint64_t word = (t / 64 + 1) * 64, ones = eg_ones(rec->b, s, t, word);
        if (ones < n) {
            n -= ones;
            t = word;
            continue;
        }
        t = eg_find(s, t, word);
        if (--n == 0)
            return t;
        t++;
    }
}

/* The first cycle after whose count some counter is at 0xf000, if that is before `to`; or `to`. */
static uint64_t crossing(const struct recorder *rec, uint64_t to, const struct counts *c)
{
    uint64_t first = to;

    for (unsigned i = 0; i < EVENTS; i++) {
        uint64_t have = rec->r->event[i], at = to;
        if (have >= PC_RECORD_EVENT_FLUSH)
            at = rec->done;
        else if (have + c->sum[i] >= PC_RECORD_EVENT_FLUSH)
            at = nth(rec, rec->plane[i], PC_RECORD_EVENT_FLUSH - have);
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

/*
 * The slot is free in cycle t.  Adds everything up to the first cycle from t on that has a
 * packet, inclusive, and is true; or adds the whole block.
 */
static bool to_trigger(struct recorder *rec, uint64_t t, uint64_t end)
{
    struct eg_signal stop = rec->b->input[PC_IN_STOP];
    uint64_t earlier = rec->r->stop + eg_ones(rec->b, stop, rec->done, t);
    uint64_t at = earlier != 0 ? t : eg_find(stop, t, end);
    uint64_t to = at < end ? at + 1 : end;
    struct counts c;

    sum_up(rec, to, &c);
    if (!rec->fresh && largest(rec->r) + (to - rec->done) >= PC_RECORD_EVENT_FLUSH) {
        uint64_t flush = crossing(rec, to, &c);
        flush = flush < t ? t : flush;
        if (flush < to) {
            to = flush + 1;
            at = flush;
            sum_up(rec, to, &c);
        }
    }
    /* All STOPs that the counter gets: those before t, and the one that triggers, if any. */
    add(rec, to, &c, earlier - rec->r->stop + (at < end ? eg_ones(rec->b, stop, t, to) : 0));
    return at < end;
}

static void prepare(struct recorder *rec, struct eg_block *b)
{
    struct eg_scratch *own = &b->e->solo;
    uint64_t *const before[3] = { own->tally[0], own->tally[1], own->tally[2] };
    static const struct pc_lut_op nothing = { 0, { NULL, NULL, NULL, NULL } };

    *rec = (struct recorder){ .b = b, .r = &b->d->record };
    for (unsigned i = 0; i < EVENTS; i++)
        rec->plane[i] = eg_plane(b, b->source[i]);
    if (!b->tallied)
        b->k->tally(rec->plane, b->words, before, own->reg, &nothing);
    for (unsigned g = 0; g < 3; g++)
        rec->before[g] = before[g];
}

/* PC.REC.7 PC.REC.8 PC.REC.22 */
void eg_record(struct eg_block *b)
{
    struct pc_record *r = &b->d->record;
    uint64_t end = (uint64_t)b->words * 64, t = 0;
    struct recorder rec;

    prepare(&rec, b);
    if (PC_GET(b->u->state.gctrl, GCTRL, RECORD_RESET)) { /* D-72: a level, seen in the head */
        r->busy = r->busy > end ? (uint32_t)(r->busy - end) : 0;
        return;
    }
    while (t < end) {
        if (r->busy > 0) {
            uint64_t wait = r->busy < end - t ? r->busy : end - t;
            r->busy -= (uint32_t)wait;
            t += wait;
            continue;
        }
        if (r->wedged || r->pending || (!r->valid && b->u->options.record_invalid_holds))
            break;
        if (!to_trigger(&rec, t, end))
            return;
        t = rec.done;
        pc_record_send(b->u, b->domain, b->d);
        memset(r->event, 0, sizeof r->event);
        r->stop = 0;
        rec.fresh = true; /* and a block has fewer than 0xf000 cycles */
    }
    add_all(&rec, end);
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
            pc_stream_send(b->u, b->domain, b->d);
        }
        from = to;
    }
}
