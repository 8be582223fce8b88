/* SPDX-License-Identifier: MIT */
/*
 * Stepping: domains of a unit that are at the same instant of a run, by the live step where that
 * can be, else by the reference.
 */
#include "model/engine/engine.h"

#include <string.h>

/* --- edges --- */

/* Returns at which of the 64 instants of a word the domain has an edge. */
static uint64_t edge_word(const struct eg_segment *s, unsigned domain, uint64_t word)
{
    const uint64_t *edge = s->run->domain[domain].edge;

    return edge ? edge[word] : UINT64_MAX;
}

/* Returns the domains that have an edge at an instant of the run. */
static uint32_t edges_at_instant(const struct eg_segment *s, uint32_t domains, uint64_t instant)
{
    uint32_t edges = 0;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (domains >> x & 1)
            edges |= (uint32_t)(edge_word(s, x, instant / 64) >> (instant % 64) & 1) << x;
    return edges;
}

uint64_t eg_edges_between(const struct eg_segment *s, unsigned x, uint64_t from, uint64_t to)
{
    uint64_t n = 0;

    if (!s->run->domain[x].edge)
        return to - from;
    for (uint64_t w = from / 64; w * 64 < to; w++) {
        uint64_t word = edge_word(s, x, w);
        if (w == from / 64)
            word &= UINT64_MAX << (from % 64);
        if (to - w * 64 < 64)
            word &= (UINT64_C(1) << (to % 64)) - 1;
        n += (unsigned)__builtin_popcountll(word);
    }
    return n;
}

/* --- lanes --- */

/* Lists the signals of a run that have a plane. */
static void list_signals(struct eg_lane *lane, const struct pc_run_domain *run)
{
    lane->planes = 0;
    lane->words = 0;
    lane->looked = lane->turned = 0;
    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        lane->level[w] = run->level ? run->level[w] : 0;
    for (unsigned i = 0; run->plane && i < PC_MAX_SIGNALS; i++)
        if (run->plane[i]) {
            lane->signal[lane->planes++] = (uint8_t)i;
            lane->words |= (uint8_t)(1u << i / 64);
            lane->level[i / 64] &= ~(UINT64_C(1) << (i % 64));
        }
}

void eg_lanes_begin(struct eg_segment *s, uint64_t from)
{
    s->e->quick = EG_QUICK_UNKNOWN;
    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        struct eg_lane *lane = &s->e->lane[x];
        if (!(s->mask >> x & 1))
            continue;
        if (!s->run->domain[x].edge)
            lane->at = from;
        else if (s->e->instant != from)
            lane->at = eg_edges_between(s, x, 0, from);
        list_signals(lane, &s->run->domain[x]);
    }
}

/* --- ticks --- */

/* Reads the raw signals of the next cycle. */
static void gather_cycle(const struct eg_lane *lane, const struct pc_run_domain *run,
                         uint64_t raw[PC_SIG_WORDS])
{
    uint64_t word = lane->at / 64;
    unsigned shift = (unsigned)(lane->at % 64);

    memcpy(raw, lane->level, sizeof lane->level);
    for (unsigned i = 0; i < lane->planes; i++) {
        unsigned signal = lane->signal[i];
        raw[signal / 64] |= (run->plane[signal][word] >> shift & 1) << (signal % 64);
    }
}

/* Reads the signals that have planes for all cycles of a word. */
static void turn_word(struct eg_lane *lane, const struct pc_kernel *kernel,
                      const struct pc_run_domain *run)
{
    uint64_t word = lane->at / 64, row[64];

    lane->turned = 1 + word;
    for (unsigned i = 0; i < lane->planes;) {
        unsigned w = lane->signal[i] / 64;
        memset(row, 0, sizeof row);
        for (; i < lane->planes && lane->signal[i] / 64 == w; i++) /* they ascend */
            row[lane->signal[i] % 64] = run->plane[lane->signal[i]][word];
        kernel->turn(lane->raw[w], row, UINT64_MAX);
    }
}

/* Takes the signals that have planes of a cycle whose word is turned; raw has the levels already.
 */
static inline void take_planes(const struct eg_lane *lane, unsigned cycle,
                               uint64_t raw[PC_SIG_WORDS])
{
    for (unsigned left = lane->words; left; left &= left - 1) {
        unsigned w = (unsigned)__builtin_ctz(left);
        raw[w] = lane->level[w] | lane->raw[w][cycle];
    }
}

/* Where more than one cycle of a word is stepped, many are, mostly. */
static void gather(struct eg_lane *lane, const struct pc_kernel *kernel,
                   const struct pc_run_domain *run, uint64_t raw[PC_SIG_WORDS])
{
    uint64_t word = lane->at / 64;

    if (lane->looked != 1 + word) {
        lane->looked = 1 + word;
        gather_cycle(lane, run, raw);
        return;
    }
    if (lane->turned != 1 + word)
        turn_word(lane, kernel, run);
    memcpy(raw, lane->level, sizeof lane->level);
    take_planes(lane, (unsigned)(lane->at % 64), raw);
}

void eg_step_edges(struct eg_segment *s, uint32_t edges)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } };

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (edges >> x & 1) {
            gather(&s->e->lane[x], s->e->kernel, &s->run->domain[x], raw[x]);
            s->e->packet_cycle[x] = s->e->lane[x].at++;
        }
    pc_unit_step(s->u, edges, (const uint64_t(*)[PC_SIG_WORDS])raw);
}

/* --- pulses --- */

unsigned eg_pulses_end(const struct pc_domain *d)
{
    const uint64_t pulses = d->pulse[0] | d->pulse[1];
    bool user = false;

    for (unsigned i = 0; i < 4; i++)
        user = user || (d->user_pulse[i] && d->user[i]);
    return pulses ? 64 - (unsigned)__builtin_clzll(pulses) : user;
}

bool eg_unsettled(const struct pc_unit *u, uint32_t mask)
{
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (mask >> x & 1 && eg_pulses_end(&u->state.domain[x]) > 0)
            return true;
    return false;
}

/* --- the live step --- */

/* Returns whether nothing is left to do of what was written, and no pulse is on its way. */
static bool is_calm(const struct pc_unit *u, uint32_t domains)
{
    static const struct pc_pending none = { .acks = 0 };

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (domains >> x & 1 && memcmp(&u->state.domain[x].pending, &none, sizeof none) != 0)
            return false;
    return !eg_unsettled(u, domains);
}

/* Returns whether all domains have the same edges. */
static bool have_one_clock(const struct eg_segment *s, uint32_t domains)
{
    const uint64_t *edge = s->run->domain[__builtin_ctz(domains)].edge;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (domains >> x & 1 && s->run->domain[x].edge != edge)
            return false;
    return true;
}

/* A walk by the live step. */
struct quick {
    struct eg_segment *s;
    struct pc_live *live;
    uint64_t at;    /* the next cycle of all */
    uint32_t sends; /* domains that send packets */
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
};

static void quick_begin(struct quick *q, struct eg_segment *s)
{
    const struct pc_live *live = &s->e->live;

    q->s = s;
    q->live = &s->e->live;
    q->sends = 0;
    for (unsigned i = 0; i < live->domains; i++) {
        const unsigned x = live->number[i];
        q->at = s->e->lane[x].at;
        q->sends |= (uint32_t)pc_sends(live->domain[i].d) << x;
        memcpy(q->raw[x], s->e->lane[x].level, sizeof q->raw[x]);
    }
}

/* Reads the signals of the word of the next cycle. */
static void quick_word(struct quick *q)
{
    struct pc_engine *e = q->s->e;

    for (unsigned i = 0; i < q->live->domains; i++) {
        const unsigned x = q->live->number[i];
        e->lane[x].at = q->at;
        if (e->lane[x].turned != 1 + q->at / 64)
            turn_word(&e->lane[x], e->kernel, &q->s->run->domain[x]);
    }
}

static void walk_quickly(struct eg_segment *s, uint32_t domains, uint64_t from, uint64_t to)
{
    const unsigned first = (unsigned)__builtin_ctz(domains);
    struct quick q;

    quick_begin(&q, s);
    quick_word(&q);
    for (uint64_t t = from; t < to; t++) {
        if (!(edge_word(s, first, t / 64) >> (t % 64) & 1))
            continue;
        if (q.at % 64 == 0)
            quick_word(&q);
        for (unsigned i = 0; i < q.live->domains; i++) {
            const unsigned x = q.live->number[i];
            take_planes(&s->e->lane[x], q.at % 64, q.raw[x]);
            if (q.sends)
                s->e->packet_cycle[x] = q.at;
        }
        q.live->step(q.live, domains, (const uint64_t(*)[PC_SIG_WORDS])q.raw);
        q.at++;
        s->e->quick_cycles++;
    }
    for (unsigned i = 0; i < q.live->domains; i++)
        s->e->lane[q.live->number[i]].at = q.at;
    live_leave(q.live);
}

/* --- a walk --- */

/* Cycles for which it pays to enter the live step, and to leave it again. */
enum { QUICK_LEAST = 8 };

/* Enters the live step, if these domains can: their registers are read once a segment. */
static bool goes_quickly(struct eg_segment *s, uint32_t domains)
{
    if (s->e->quick == EG_QUICK_UNKNOWN)
        s->e->quick = live_begin(&s->e->live, s->u, domains) ? EG_QUICK : EG_QUICK_NEVER;
    else if (s->e->quick == EG_QUICK)
        (void)live_enter(&s->e->live);
    return s->e->quick == EG_QUICK;
}

void eg_walk(struct eg_segment *s, uint32_t domains, uint64_t from, uint64_t to)
{
    const bool one_clock = have_one_clock(s, domains);

    if (s->e->quick_domains != domains)
        s->e->quick = EG_QUICK_UNKNOWN;
    s->e->quick_domains = domains;
    for (uint64_t t = from; t < to; t++) {
        if (one_clock && to - t >= QUICK_LEAST && s->e->quick != EG_QUICK_NEVER &&
            is_calm(s->u, domains) && goes_quickly(s, domains)) {
            walk_quickly(s, domains, t, to);
            return;
        }
        const uint32_t edges = edges_at_instant(s, domains, t);
        if (edges)
            eg_step_edges(s, edges);
    }
}
