/* SPDX-License-Identifier: MIT */
/*
 * A channel.  Its cycles are beats, stalls, or others; each stretch of one kind is one step,
 * however long it is.
 */
#include "lang/bus/bus.h"

#include "base/error.h"
#include "lang/measure/dist.h"

#include <string.h>

/* ---- open, close ---- */

static enum pc_status open_payload(struct pc_bus *b, struct bus_channel_state *c,
                                   struct pc_error *err)
{
    const unsigned char *role = c->rule->payload;
    size_t n = 0;

    c->looks_at_payload = true;
    for (size_t i = 0; i < BUS_PAYLOADS; i++) {
        const struct bus_wires *r = &b->role[role[i]];
        if (role[i] && r->width > 0 && !r->wire)
            c->looks_at_payload = false;
        else
            n += role[i] ? r->width : 0;
    }
    if (!c->looks_at_payload || n == 0)
        return PC_OK;
    c->payload = pc_calloc(&b->alloc, n, sizeof *c->payload);
    c->before = pc_calloc(&b->alloc, n, sizeof *c->before);
    c->payloads = n;
    if (!c->payload || !c->before)
        return pc_fail(err, 100, "no memory for the payload of a bus");
    n = 0;
    for (size_t i = 0; i < BUS_PAYLOADS; i++)
        for (uint32_t k = 0; role[i] && k < b->role[role[i]].width; k++)
            c->payload[n++] = b->role[role[i]].wire[k];
    return PC_OK;
}

static enum pc_status add_dist(struct pc_bus *b, struct bus_channel_state *c, enum pc_bus_dist d,
                               bool wanted, enum pc_status status, struct pc_error *err)
{
    return status || !wanted ? status : pc_dist_create(&b->alloc, false, &c->dist[d], err);
}

enum pc_status pc_bus_channel_open(struct pc_bus *b, unsigned n, struct pc_error *err)
{
    const struct bus_channel *rule = &b->protocol->channel[n];
    struct bus_channel_state *c = &b->channel[n];
    const bool packets = rule->last && b->role[rule->last].width > 0;
    enum pc_status status = PC_OK;

    if (rule->there && b->role[rule->there].width == 0)
        return PC_OK;
    c->rule = rule;
    c->credits = b->credit_init;
    status = add_dist(b, c, PC_BUS_RUNS, rule->flags & BUS_RUNS, status, err);
    status = add_dist(b, c, PC_BUS_GAPS, rule->flags & BUS_PAUSES, status, err);
    status = add_dist(b, c, PC_BUS_WAIT, rule->flags & BUS_PAUSES, status, err);
    status = add_dist(b, c, PC_BUS_BURSTS, rule->flags & BUS_BURSTS, status, err);
    status = add_dist(b, c, PC_BUS_CREDITS, rule->flags & BUS_CREDIT, status, err);
    status = add_dist(b, c, PC_BUS_PACKET_BEATS, packets, status, err);
    status = add_dist(b, c, PC_BUS_DURATION, packets, status, err);
    return status || !(rule->flags & BUS_UNSTABLE) ? status : open_payload(b, c, err);
}

void pc_bus_channel_close(struct pc_bus *b, unsigned n)
{
    struct bus_channel_state *c = &b->channel[n];

    for (size_t i = 0; i < PC_BUS_DISTS; i++)
        pc_dist_destroy(c->dist[i]);
    pc_free(&b->alloc, c->payload, c->payloads * sizeof *c->payload);
    pc_free(&b->alloc, c->before, c->payloads * sizeof *c->before);
}

/* ---- stretches ---- */

static void end_run(struct bus_channel_state *c)
{
    if (c->run > 0)
        pc_dist_add_small(c->dist[PC_BUS_RUNS], c->run, 1);
    c->run = 0;
}

static void beats(struct bus_channel_state *c, uint64_t length)
{
    if (c->last != BUS_IN_BEATS) {
        if (c->had_beat)
            pc_dist_add_small(c->dist[PC_BUS_GAPS], c->pause, 1);
        pc_dist_add_small(c->dist[PC_BUS_WAIT], c->last == BUS_IN_STALLS ? c->stalls : 0, 1);
        pc_dist_add_small(c->dist[PC_BUS_WAIT], 0, length - 1);
    } else {
        pc_dist_add_small(c->dist[PC_BUS_WAIT], 0, length);
    }
    c->run += length;
    c->had_beat = true;
    c->last = BUS_IN_BEATS;
}

static void no_beats(struct bus_channel_state *c, uint64_t length, bool stall)
{
    if (c->last == BUS_IN_BEATS)
        c->pause = 0;
    end_run(c);
    c->pause += length;
    if (stall)
        c->stalls = length + (c->last == BUS_IN_STALLS ? c->stalls : 0);
    c->last = stall ? BUS_IN_STALLS : BUS_IN_OTHERS;
}

static void in_reset(struct bus_channel_state *c)
{
    end_run(c);
    c->had_beat = false;
    c->last = BUS_AFTER_RESET;
}

/* Returns the cycles from `from` on that are in the plane, one after the other. */
static unsigned stretch(uint64_t plane, unsigned from, unsigned cycles)
{
    const uint64_t ends = ~(plane >> from);
    const unsigned length = ends ? (unsigned)__builtin_ctzll(ends) : 64;

    return length < cycles - from ? length : cycles - from;
}

static void stretches(struct bus_channel_state *c, const struct bus_word *w, uint64_t beat,
                      uint64_t stall)
{
    for (unsigned at = 0, length; at < w->cycles; at += length) {
        if (beat >> at & 1) {
            length = stretch(beat, at, w->cycles);
            beats(c, length);
        } else if (stall >> at & 1) {
            length = stretch(stall, at, w->cycles);
            no_beats(c, length, true);
        } else if (w->live >> at & 1) {
            length = stretch(w->live & ~beat & ~stall, at, w->cycles);
            no_beats(c, length, false);
        } else {
            length = stretch(~w->live, at, w->cycles);
            in_reset(c);
        }
    }
}

/* ---- what a sender must not do ---- */

/* Returns where the payload is not what it was in the cycle before. */
static uint64_t changed(const struct pc_bus *b, const struct bus_channel_state *c)
{
    const size_t at = b->word.at;
    uint64_t differs = 0;

    for (size_t i = 0; i < c->payloads; i++) {
        const uint64_t *v = b->value[c->payload[i]], *u = b->unknown[c->payload[i]];
        const uint64_t v0 = at ? v[at - 1] >> 63 : c->before[i] & 1u;
        const uint64_t u0 = at ? u[at - 1] >> 63 : c->before[i] >> 1;
        differs |= (v[at] ^ (v[at] << 1 | v0)) | (u[at] ^ (u[at] << 1 | u0));
    }
    return differs;
}

static void look_at_stalls(struct pc_bus *b, struct bus_channel_state *c, uint64_t stall)
{
    const struct bus_word *w = &b->word;
    const uint64_t after = (stall << 1 | c->stalled) & w->live;
    const uint64_t stayed = after & w->one[c->rule->valid];

    c->count[PC_BUS_DROPPED] += pc_ones(after & w->zero[c->rule->valid]);
    if (stayed != 0 && c->payloads > 0 && c->looks_at_payload)
        c->count[PC_BUS_UNSTABLE] += pc_ones(stayed & changed(b, c));
    c->stalled = stall >> (w->cycles - 1) & 1;
}

void pc_bus_channel_block_end(struct pc_bus *b, unsigned n)
{
    struct bus_channel_state *c = &b->channel[n];
    const unsigned last = b->word.cycles - 1;

    for (size_t i = 0; i < c->payloads; i++) {
        const uint32_t p = c->payload[i];
        c->before[i] = (uint8_t)((b->value[p][b->word.at] >> last & 1) |
                                 (b->unknown[p][b->word.at] >> last & 1) << 1);
    }
}

/* ---- packets, bursts ---- */

static void collect(struct bus_group_of_beats *g, const struct bus_word *w, uint64_t beat)
{
    if (beat == 0)
        return;
    if (g->beats == 0)
        g->first = w->first + (unsigned)__builtin_ctzll(beat);
    g->beats += pc_ones(beat);
}

static void packets(struct pc_bus *b, struct bus_channel_state *c, uint64_t beat)
{
    const struct bus_word *w = &b->word;
    const uint64_t last = beat & pc_bus_ones(b, c->rule->last, 0), reset = w->cycle & ~w->live;
    uint64_t left = beat;

    for (uint64_t ends = last | reset; ends != 0; ends &= ends - 1) {
        const unsigned at = (unsigned)__builtin_ctzll(ends);
        collect(&c->packet, w, left & bus_before(at + 1));
        left &= ~bus_before(at + 1);
        if (last >> at & 1) {
            pc_dist_add_small(c->dist[PC_BUS_PACKET_BEATS], c->packet.beats, 1);
            pc_dist_add_small(c->dist[PC_BUS_DURATION], w->first + at - c->packet.first, 1);
        } else {
            c->count[PC_BUS_PARTIAL_BEATS] += c->packet.beats;
        }
        c->packet.beats = 0;
    }
    collect(&c->packet, w, left);
}

static void end_burst(struct bus_channel_state *c)
{
    if (c->burst.beats > 0)
        pc_dist_add_small(c->dist[PC_BUS_BURSTS], c->burst.beats, 1);
    c->burst.beats = 0;
}

static void bursts(struct pc_bus *b, struct bus_channel_state *c, uint64_t beat, uint64_t idle)
{
    const struct bus_word *w = &b->word;
    uint64_t ends = (beat & ~pc_bus_ones(b, c->rule->burst, 0)) | idle | (w->cycle & ~w->live);

    for (; ends != 0; ends &= ends - 1) {
        const unsigned at = (unsigned)__builtin_ctzll(ends);
        collect(&c->burst, w, beat & bus_before(at));
        beat &= ~bus_before(at);
        end_burst(c);
    }
    collect(&c->burst, w, beat);
}

/* ---- credits ---- */

static void credit(struct pc_bus *b, unsigned n)
{
    struct bus_channel_state *c = &b->channel[n];
    struct bus_word *w = &b->word;
    uint64_t *state = w->state[n];

    for (unsigned at = 0; at < w->cycles; at++) {
        const uint64_t bit = UINT64_C(1) << at;
        uint64_t back;
        if (!(w->live & bit)) {
            c->credits = b->credit_init;
            continue;
        }
        if (!pc_bus_number(b, c->rule->credit, at, &back) || !((w->one[0] | w->zero[0]) & bit))
            continue;
        state[PC_BUS_UNKNOWN] &= ~bit;
        c->credits += back;
        pc_dist_add_small(c->dist[PC_BUS_CREDITS], c->credits, 1);
        if (w->zero[0] & bit) {
            state[c->credits ? PC_BUS_IDLE : PC_BUS_BLOCKED] |= bit;
        } else {
            state[PC_BUS_BEAT] |= bit;
            c->count[PC_BUS_OVERRUN] += c->credits == 0;
            c->credits -= c->credits > 0;
        }
    }
}

/* ---- the end ---- */

/* Notes how long the last cycle has been waiting, and what moved last. */
static void look_at_end(struct pc_bus *b, struct bus_channel_state *c, uint64_t beat,
                        uint64_t stall)
{
    const struct bus_word *w = &b->word;
    const uint64_t others = w->cycle & ~stall, before = c->waiting;

    if (beat) {
        const uint64_t last = w->first + 63 - (unsigned)__builtin_clzll(beat);
        if (last >= b->moved.edge)
            b->moved = pc_bus_mark(b, last);
    }
    if (others == 0)
        c->waiting += w->cycles;
    else
        c->waiting = w->cycles - 64 + (unsigned)__builtin_clzll(others);
    if (c->waiting > 0 && (others != 0 || before == 0))
        c->waits_from = pc_bus_mark(b, w->first + w->cycles - c->waiting);
}

/* ---- a word ---- */

void pc_bus_channel_word(struct pc_bus *b, unsigned n)
{
    struct bus_channel_state *c = &b->channel[n];
    const struct bus_channel *rule = c->rule;

    if (rule->flags & BUS_CREDIT)
        credit(b, n);
    const uint64_t *state = b->word.state[n], beat = state[PC_BUS_BEAT];
    for (size_t s = 0; s < BUS_STATES; s++)
        if (state[s])
            c->count[s] += pc_ones(state[s]);
    if (rule->flags & BUS_RUNS)
        stretches(c, &b->word, beat, state[PC_BUS_STALL]);
    if (rule->flags & BUS_DROPS)
        look_at_stalls(b, c, state[PC_BUS_STALL]);
    if (rule->flags & BUS_BURSTS)
        bursts(b, c, beat, state[PC_BUS_IDLE]);
    if (c->dist[PC_BUS_PACKET_BEATS])
        packets(b, c, beat);
    look_at_end(b, c, beat, state[PC_BUS_STALL]);
    c->count[PC_BUS_BYTES] += pc_bus_bytes(b, rule->strobe, rule->data, beat);
}

void pc_bus_channel_finish(struct pc_bus *b, unsigned n)
{
    struct bus_channel_state *c = &b->channel[n];

    end_run(c);
    end_burst(c);
    c->count[PC_BUS_PARTIAL_BEATS] += c->packet.beats;
}
