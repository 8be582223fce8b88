/* SPDX-License-Identifier: MIT */
/*
 * Stepping, by the reference: all domains of a unit at an instant of the run, or some of them
 * while the others are elsewhere in time.  What a domain shows is written into its lane's
 * window, and what the stepped ones see of others is taken from there: the step itself samples
 * these others as they are now, so its samples are replaced.  Where nobody asks what domains show,
 * the live step walks them.
 */
#include "model/engine/engine.h"

#include <string.h>

/* --- edges --- */

/* The domains of the cluster that have an edge at an instant of the run. */
static uint32_t edges_at_instant(const struct eg_segment *s, uint32_t cluster, uint64_t instant)
{
    uint32_t edges = 0;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (cluster >> x & 1)
            edges |= (uint32_t)(eg_edge_word(s, x, instant / 64) >> (instant % 64) & 1) << x;
    return edges;
}

uint64_t eg_edges_between(const struct eg_segment *s, unsigned x, uint64_t from, uint64_t to)
{
    uint64_t n = 0;

    if (!s->run->domain[x].edge)
        return to - from;
    for (uint64_t w = from / 64; w * 64 < to; w++) {
        uint64_t word = eg_edge_word(s, x, w);
        if (w == from / 64)
            word &= UINT64_MAX << (from % 64);
        if (to - w * 64 < 64)
            word &= (UINT64_C(1) << (to % 64)) - 1;
        n += (unsigned)__builtin_popcountll(word);
    }
    return n;
}

/* --- lanes --- */

/* The signals of a run that have a plane. */
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
        lane->base = lane->at / 64;
        list_signals(lane, &s->run->domain[x]);
    }
}

/* What is known of the next cycles, less than a word of them, comes along. */
static void slide(struct eg_window *w, size_t words)
{
    w->word[0] = w->word[words];
    w->word[1] = w->word[words + 1];
    w->word[2] = words < EG_WINDOW ? w->word[words + 2] : 0;
}

void eg_lane_slide(struct eg_lane *lane)
{
    size_t words = (size_t)(lane->at / 64 - lane->base);

    if (words == 0)
        return;
    for (unsigned i = 0; i < 4; i++)
        slide(&lane->shown[i], words);
    for (unsigned n = 0; n < EG_NODES; n++)
        slide(&lane->sampled[n], words);
    lane->base += words;
}

static void put_shown(struct eg_lane *lane, enum eg_shown which, bool level)
{
    uint64_t i = lane->at - 64 * lane->base;
    uint64_t *word = &lane->shown[which].word[1 + i / 64], bit = UINT64_C(1) << (i % 64);

    *word = level ? *word | bit : *word & ~bit;
}

void eg_lane_end(struct eg_segment *s, unsigned x)
{
    const struct pc_domain *d = &s->u->state.domain[x];

    put_shown(&s->e->lane[x], EG_SHOWN_FLAG, d->flag_cur);
    put_shown(&s->e->lane[x], EG_SHOWN_EVENT_TOGGLE, d->event_toggle);
    put_shown(&s->e->lane[x], EG_SHOWN_FLAG_TOGGLE, d->flag_toggle);
}

/* --- ticks --- */

void eg_gather(const struct pc_run_domain *r, uint64_t t, uint64_t raw[PC_SIG_WORDS])
{
    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        raw[w] = r->level ? r->level[w] : 0;
    for (unsigned s = 0; r->plane && s < PC_MAX_SIGNALS; s++)
        if (r->plane[s]) {
            uint64_t bit = UINT64_C(1) << (s % 64);
            raw[s / 64] &= ~bit;
            raw[s / 64] |= r->plane[s][t / 64] >> (t % 64) & 1 ? bit : 0;
        }
}

void eg_step(struct pc_unit *u, const struct pc_run *run, uint32_t mask, uint64_t from, uint64_t to)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];

    memset(raw, 0, sizeof raw);
    for (uint64_t t = from; t < to; t++) {
        for (unsigned x = 0; x < u->chip->domains; x++)
            if (mask >> x & 1)
                eg_gather(&run->domain[x], t, raw[x]);
        pc_unit_step(u, mask, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
}

/* The same from the list of signals that have planes. */
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

/* The same for all cycles of a word. */
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

/* What planes say of a cycle whose word is turned; raw has the levels already. */
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

void eg_step_edges(struct eg_segment *s, uint32_t cluster, uint32_t edges)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } };
    unsigned domains = s->u->chip->domains;

    for (unsigned x = 0; x < domains; x++)
        if (edges >> x & 1) {
            gather(&s->e->lane[x], s->e->kernel, &s->run->domain[x], raw[x]);
            eg_lane_end(s, x);
            s->e->packet_cycle[x] = s->e->lane[x].at;
        }
    pc_unit_step(s->u, edges, (const uint64_t(*)[PC_SIG_WORDS])raw);
    for (unsigned x = 0; x < domains; x++)
        if (edges >> x & 1) {
            put_shown(&s->e->lane[x], EG_SHOWN_EVENT, s->u->state.domain[x].in.event);
            s->e->lane[x].at++;
        }
    if (cluster == s->mask)
        return;
    for (unsigned x = 0; x < domains; x++)
        if (edges >> x & 1)
            eg_sync_load(s, x, ~eg_nodes_of(cluster));
}

static void slide_all(struct eg_segment *s, uint32_t cluster)
{
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (cluster >> x & 1)
            eg_lane_slide(&s->e->lane[x]);
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

/* --- quick ticks --- */

/* Is nothing left to do of what was written, and is no pulse on its way? */
static bool is_calm(const struct pc_unit *u, uint32_t cluster)
{
    static const struct pc_pending none = { .acks = 0 };

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (cluster >> x & 1 && memcmp(&u->state.domain[x].pending, &none, sizeof none) != 0)
            return false;
    return !eg_unsettled(u, cluster);
}

/* All that have edges, and these at the same instants? */
static bool in_step(const struct eg_segment *s, uint32_t cluster)
{
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (cluster >> x & 1 && !eg_lockstep(s, (unsigned)__builtin_ctz(cluster), x))
            return false;
    return cluster == s->mask;
}

/* A walk of a cluster by the live step. */
struct quick {
    struct eg_segment *s;
    struct pc_live *live;
    uint64_t at;    /* the next cycle of all */
    uint32_t shows; /* domains that have their own FLAG as a signal: relax.c looks at it */
    uint32_t sends; /* ... that send packets */
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
};

static void quick_begin(struct quick *q, struct eg_segment *s)
{
    const struct pc_live *live = &s->e->live;

    q->s = s;
    q->live = &s->e->live;
    q->shows = q->sends = 0;
    for (unsigned i = 0; i < live->domains; i++) {
        const unsigned x = live->number[i];
        q->at = s->e->lane[x].at;
        q->shows |= (uint32_t)(live->domain[i].on_flag != 0) << x;
        q->sends |= (uint32_t)pc_sends(live->domain[i].d) << x;
        memcpy(q->raw[x], s->e->lane[x].level, sizeof q->raw[x]);
    }
}

/* All lanes come along; a word that is begun is turned. */
static void quick_word(struct quick *q, bool begins)
{
    struct pc_engine *e = q->s->e;

    for (unsigned i = 0; i < q->live->domains; i++) {
        const unsigned x = q->live->number[i];
        e->lane[x].at = q->at;
        eg_lane_slide(&e->lane[x]);
        if (begins && e->lane[x].turned != 1 + q->at / 64)
            turn_word(&e->lane[x], e->kernel, &q->s->run->domain[x]);
    }
}

/* What a walk leaves behind of each cycle, where somebody asks. */
static void quick_show(struct quick *q)
{
    const struct pc_live *live = q->live;

    for (unsigned i = 0; i < live->domains; i++) {
        const unsigned x = live->number[i];
        const bool flag = live->quick ? live->domain[i].flag_cur : live->domain[i].d->flag_cur;
        q->s->e->packet_cycle[x] = q->s->e->lane[x].at = q->at;
        if (q->shows >> x & 1)
            put_shown(&q->s->e->lane[x], EG_SHOWN_FLAG, flag);
    }
}

/* The same by the live step, for domains with one clock that do not look at each other. */
static void walk_quickly(struct eg_segment *s, uint32_t cluster, uint64_t from, uint64_t to)
{
    const unsigned first = (unsigned)__builtin_ctz(cluster);
    struct quick q;

    quick_begin(&q, s);
    quick_word(&q, true);
    for (uint64_t t = from; t < to; t++) {
        if (!(eg_edge_word(s, first, t / 64) >> (t % 64) & 1))
            continue;
        if (q.at % 64 == 0)
            quick_word(&q, true);
        for (unsigned i = 0; i < q.live->domains; i++)
            take_planes(&s->e->lane[q.live->number[i]], q.at % 64, q.raw[q.live->number[i]]);
        if (q.shows | q.sends)
            quick_show(&q);
        q.live->step(q.live, cluster, (const uint64_t(*)[PC_SIG_WORDS])q.raw);
        q.at++;
        s->e->quick_cycles++;
    }
    quick_word(&q, false);
    live_leave(q.live);
}

/* --- a walk --- */

/* Cycles for which it pays to enter the live step, and to leave it again. */
enum { QUICK_LEAST = 8 };

/* Registers are looked at once a segment. */
static bool goes_quickly(struct eg_segment *s, uint32_t cluster)
{
    if (s->e->quick == EG_QUICK_UNKNOWN)
        s->e->quick = live_begin(&s->e->live, s->u, cluster) ? EG_QUICK : EG_QUICK_NEVER;
    else if (s->e->quick == EG_QUICK)
        (void)live_enter(&s->e->live);
    return s->e->quick == EG_QUICK;
}

void eg_walk(struct eg_segment *s, uint32_t cluster, uint64_t from, uint64_t to)
{
    const bool one_clock = in_step(s, cluster);

    slide_all(s, cluster);
    for (uint64_t t = from; t < to; t++) {
        if (one_clock && to - t >= QUICK_LEAST && s->e->quick != EG_QUICK_NEVER &&
            is_calm(s->u, cluster) && goes_quickly(s, cluster)) {
            walk_quickly(s, cluster, t, to);
            return;
        }
        uint32_t edges = edges_at_instant(s, cluster, t);
        if (edges)
            eg_step_edges(s, cluster, edges);
        if (t % 64 == 63)
            slide_all(s, cluster);
    }
}
