/* SPDX-License-Identifier: MIT */
/*
 * Record mode over a block (clauses PC.REC.*), and stream-out.  Counters are brought up to
 * date only where a packet goes out or the block ends: until then it is enough to know the
 * next cycle with a STOP, and that no counter can have come to 0xf000 yet, as none grows by
 * more than 1 a cycle.  Packets are sent by the model's own functions, one after the other.
 *
 * Twelve signals are gone through a piece at a time, no further than the next packet needs; their
 * rows of counts (kernel/kernel.h) then serve the packets of that piece, which go out meanwhile.
 */
#include "model/engine/engine.h"

#include <string.h>

enum { EVENTS = 12 };

/* The STOPs of a part of the block, one after the other */
struct stops {
    const uint64_t *plane;                       /* NULL: all or none */
    uint64_t marks[(EG_RECORD_WORDS + 63) / 64]; /* words that have one */
    size_t begin, words;                         /* the part's, in words of the block */
    size_t group, at; /* marks that were looked at last, and the word, of the block; */
    uint64_t marked;  /* later words of the one that have a STOP, */
    uint64_t later;   /* and later STOPs of the other */
};

struct recorder {
    struct eg_block *b;
    struct pc_record *r;
    const uint64_t *plane[EVENTS];
    struct stops stops;
    uint64_t end;                  /* cycle where the part of the block ends */
    uint64_t origin;               /* cycle where the piece begins whose rows are known; */
    size_t words;                  /* of the piece */
    const uint64_t *piece[EVENTS]; /* planes from there on */
    uint64_t before[3];            /* ones of the part in cycles before `done`, four a word */
    uint64_t after[3];             /* and before where the next addition may end */
    uint64_t done;                 /* cycles of the block that are in the counters */
    bool fresh;                    /* the counters were all 0 then */
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

static uint64_t piece_end(const struct recorder *rec)
{
    return rec->origin + 64 * (uint64_t)rec->words;
}

/* Goes on to the next piece: no more than is needed, so that memory is asked while packets are
 * made. */
static void go_on(struct recorder *rec)
{
    uint64_t(*row)[4] = rec->b->e->lone.row;
    const size_t first = (size_t)(piece_end(rec) / 64), rest = (size_t)(rec->end / 64) - first;

    memcpy(row[0], row[rec->words], sizeof row[0]);
    rec->origin = (uint64_t)first * 64;
    rec->words = rest < EG_RECORD_PIECE ? rest : EG_RECORD_PIECE;
    for (unsigned i = 0; i < EVENTS; i++)
        rec->piece[i] = rec->plane[i] + first;
    rec->b->k->rows(rec->piece, rec->words, row);
}

/* Counts again where `to` is before the piece, as a counter has come to 0xf000 there. */
static void sum_up_again(struct recorder *rec, uint64_t to)
{
    uint32_t ones[EVENTS];

    rec->b->k->sums(rec->plane, EVENTS, rec->done, to, ones);
    memcpy(rec->after, rec->before, sizeof rec->after);
    for (unsigned i = 0; i < EVENTS; i++)
        rec->after[i / 4] += (uint64_t)ones[i] << 16 * (i % 4);
}

/* Finds out what the counters get in cycles done to to - 1. */
static void sum_up(struct recorder *rec, uint64_t to)
{
    while (to > piece_end(rec))
        go_on(rec);
    if (to >= rec->origin)
        rec->b->k->before(rec->piece, rec->b->e->lone.row, to - rec->origin, rec->after);
    else
        sum_up_again(rec, to);
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

static void bump_by(struct pc_domain *d, uint16_t *counter, uint64_t n, uint16_t end)
{
    if (n > (uint64_t)(end - *counter)) {
        d->diagnostics |= PC_DIAG_SATURATED;
        *counter = end;
    } else {
        *counter = (uint16_t)(*counter + n);
    }
}

/* Adds cycles (PC.REC.3) and events (PC.REC.4) up to a STOP, its own cycle included (PC.REC.5), or
 * up to where a counter is full (PC.REC.6). */
static void add_up_to(struct recorder *rec, uint64_t to, uint64_t stops)
{
    struct pc_record *r = rec->r;

    for (unsigned g = 0; g < 3 && rec->fresh; g++)
        unpack(r->event + 4 * g, packed_counts(rec, g));
    for (unsigned i = 0; i < EVENTS && !rec->fresh; i++)
        bump_by(rec->b->d, &r->event[i], of_counter(rec, i), PC_RECORD_EVENT_MAX);
    bump_by(rec->b->d, &r->stop, stops, PC_RECORD_STOP_MAX);
    r->cycles = (r->cycles + (to - rec->done)) & PC_RECORD_CYCLES_MASK;
    memcpy(rec->before, rec->after, sizeof rec->before);
    rec->done = to;
    rec->fresh = false;
}

static void add_all(struct recorder *rec, uint64_t to)
{
    sum_up(rec, to);
    add_up_to(rec, to, eg_ones(rec->b, rec->b->input[PC_IN_STOP], rec->done, to));
}

/* --- the next packet --- */

/* Returns the cycle, from `done` on and before `to`, in which the n-th 1 of a counter's plane
 * comes; there are that many. */
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

/* Returns the first cycle after whose count some counter is at 0xf000, if that is before `to`; or
 * `to`. */
static uint64_t crossing(const struct recorder *rec, uint64_t to)
{
    uint64_t first = to;

    for (unsigned i = 0; i < EVENTS; i++) {
        const struct eg_signal s = { rec->plane[i], false };
        const uint64_t have = rec->r->event[i];
        if (have >= PC_RECORD_EVENT_FLUSH)
            return rec->done;
        if (have + of_counter(rec, i) < PC_RECORD_EVENT_FLUSH ||
            have + eg_ones(rec->b, s, rec->done, first) < PC_RECORD_EVENT_FLUSH)
            continue;
        first = nth(rec, i, PC_RECORD_EVENT_FLUSH - have, first);
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

static void begin_stops(struct recorder *rec, uint64_t t, uint64_t end)
{
    struct stops *s = &rec->stops;

    s->plane = rec->b->input[PC_IN_STOP].plane;
    s->begin = (size_t)(t / 64);
    s->words = (size_t)((end - t) / 64);
    if (s->plane)
        rec->b->k->marks(s->marks, s->plane + s->begin, s->words);
}

/* next_stop() finds those from cycle t of the part on. */
static void look_from(struct stops *s, uint64_t t)
{
    s->at = (size_t)(t / 64);
    const size_t w = s->at - s->begin;

    s->group = w / 64;
    s->marked = w < s->words ? s->marks[w / 64] & (UINT64_MAX - 1) << w % 64 : 0;
    s->later = w < s->words ? s->plane[s->at] >> t % 64 << t % 64 : 0;
}

/* Returns the next STOP of the part, or its end. What is marked is found without a branch that
 * depends on chance. */
static uint64_t next_stop(struct stops *s)
{
    while (s->later == 0) {
        while (s->marked == 0) {
            if (++s->group * 64 >= s->words)
                return 64 * (uint64_t)(s->begin + s->words);
            s->marked = s->marks[s->group];
        }
        s->at = s->begin + s->group * 64 + (unsigned)__builtin_ctzll(s->marked);
        s->marked &= s->marked - 1;
        s->later = s->plane[s->at];
    }
    const uint64_t found = 64 * (uint64_t)s->at + (unsigned)__builtin_ctzll(s->later);
    s->later &= s->later - 1;
    return found;
}

/* Returns the first STOP from cycle t on, or the end of the part. */
static uint64_t stop_from(struct recorder *rec, uint64_t t)
{
    if (!rec->stops.plane)
        return eg_find(rec->b->input[PC_IN_STOP], t, rec->end);
    look_from(&rec->stops, t);
    return next_stop(&rec->stops);
}

/* Returns true if a packet can be sent. */
static bool is_free(const struct recorder *rec)
{
    const struct pc_record *r = rec->r;

    return r->busy == 0 && !r->wedged && !r->pending &&
           (r->valid || !rec->b->u->options.record_invalid_holds);
}

/*
 * The slot is free in cycle t.  Adds everything up to the first cycle from t on that has a
 * packet, inclusive, and is true; or adds the whole part.
 */
static bool to_trigger(struct recorder *rec, uint64_t t)
{
    struct eg_signal stop = rec->b->input[PC_IN_STOP];
    uint64_t earlier = rec->r->stop + eg_ones(rec->b, stop, rec->done, t);
    uint64_t at = earlier != 0 ? t : stop_from(rec, t);
    uint64_t to = at < rec->end ? at + 1 : rec->end;

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
    add_up_to(rec, to, earlier - rec->r->stop + (at < rec->end && is_one(stop, at)));
    return at < rec->end;
}

static void send_packet(struct recorder *rec)
{
    struct eg_block *b = rec->b;

    b->e->packet_cycle[b->domain] = b->first * 64 + rec->done - 1;
    pc_record_send(b->u, b->domain, b->d);
    rec->r->stop = 0;
    rec->fresh = true; /* the events are 0 */
}

/* After a packet: while the slot is free each STOP sends one, of itself and what came since. */
static void each_stop(struct recorder *rec)
{
    uint64_t at;

    if (!is_free(rec) || !rec->stops.plane)
        return;
    look_from(&rec->stops, rec->done);
    while (is_free(rec) && (at = next_stop(&rec->stops)) < rec->end) {
        sum_up(rec, at + 1);
        add_up_to(rec, at + 1, 1);
        send_packet(rec);
    }
}

static void prepare(struct recorder *rec, struct eg_block *b)
{
    *rec = (struct recorder){ .b = b, .r = &b->d->record };
    for (unsigned i = 0; i < EVENTS; i++)
        rec->plane[i] = eg_plane(b, b->source[i]);
}

static void begin_part(struct recorder *rec, uint64_t t, uint64_t end)
{
    rec->end = end;
    rec->origin = t;
    rec->words = 0;
    memset(rec->b->e->lone.row[0], 0, sizeof rec->b->e->lone.row[0]);
    memset(rec->before, 0, sizeof rec->before);
    begin_stops(rec, t, end);
}

/* Sends packets in cycles [t, end), fewer than a counter needs to come from 0 to 0xf000. */
static void packets(struct recorder *rec, uint64_t t, uint64_t end)
{
    struct pc_record *r = rec->r;

    begin_part(rec, t, end);
    while (t < end) {
        if (r->busy > 0) {
            uint64_t wait = r->busy < end - t ? r->busy : end - t;
            pc_slot_pass(rec->b->d, wait);
            t += wait;
            continue;
        }
        if (!is_free(rec))
            break;
        if (!to_trigger(rec, t))
            return;
        send_packet(rec);
        each_stop(rec);
        t = rec->done;
    }
    add_all(rec, end);
}

/* Counting goes on while a packet is outgoing (PC.REC.7), to the counters' ends (PC.REC.8), and is
 * none during RECORD_RESET (PC.REC.22). */
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
            b->e->packet_cycle[b->domain] = b->first * 64 + at;
            pc_stream_send(b->u, b->domain, b->d);
        }
        from = to;
    }
}
