/* SPDX-License-Identifier: MIT */
/*
 * What a domain sees of others (D-26, D-27, docs/adr/003).  A sample of EVENT or FLAG at the
 * domain's cycle t is seen in t + 2; as a pulse, the toggle's samples at t and t - 1 are, where
 * they differ.  With equal clocks the sample is what the other shows in the same cycle; else
 * the plane of samples is made first, a word of instants at a time: FLAG and the toggles as they
 * stand, EVENT as of the last completed cycle, which is the one that ends now if the edges
 * coincide.
 */
#include "model/engine/engine.h"

/* The plane of samples of a node at the cycles of y; lanes in lockstep have equal windows. */
static struct eg_window *samples(const struct eg_segment *s, unsigned y, unsigned node)
{
    unsigned x = node % PC_MAX_DOMAINS;

    if (eg_lockstep(s, x, y))
        return &s->e->lane[x].shown[eg_shown_as(node, eg_pulsed(s->u, y, node))];
    return &s->e->lane[y].sampled[node];
}

/* Bit of a cycle that is in the window, or in the word before it. */
static bool get(const struct eg_window *w, const struct eg_lane *lane, uint64_t cycle)
{
    uint64_t i = cycle + 64 - 64 * lane->base;

    return w->word[i / 64] >> (i % 64) & 1;
}

static void put_sampled(struct eg_window *w, const struct eg_lane *lane, uint64_t cycle, bool level)
{
    uint64_t i = cycle + 64 - 64 * lane->base;
    uint64_t bit = UINT64_C(1) << (i % 64);

    w->word[i / 64] = level ? w->word[i / 64] | bit : w->word[i / 64] & ~bit;
}

/* --- other clocks --- */

void eg_sample(struct eg_segment *s, unsigned y, uint32_t nodes, uint64_t from, uint64_t to)
{
    nodes &= s->e->graph.looks[y];
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (nodes & eg_nodes_of(1u << x) && !eg_lockstep(s, x, y))
            s->e->clocks->sample(s, y, x, nodes, from, to);
}

/* --- synchronisers --- */

static struct pc_sync *sync_of(struct pc_domain *d, unsigned node)
{
    return node < PC_MAX_DOMAINS ? &d->event_sync : &d->flag_sync;
}

static void put_sync(uint8_t *flop, unsigned x, bool level)
{
    *flop = (uint8_t)(level ? *flop | 1u << x : *flop & ~(1u << x));
}

void eg_sync_load(struct eg_segment *s, unsigned y, uint32_t nodes)
{
    const struct eg_lane *lane = &s->e->lane[y];

    nodes &= s->e->graph.looks[y];
    for (unsigned n = 0; nodes >> n; n++) {
        if (!(nodes >> n & 1))
            continue;
        struct pc_sync *sync = sync_of(&s->u->state.domain[y], n);
        const struct eg_window *w = samples(s, y, n);
        unsigned x = n % PC_MAX_DOMAINS;
        if (eg_pulsed(s->u, y, n))
            for (unsigned i = 0; i < 3; i++)
                put_sync(&sync->toggle[i], x, get(w, lane, lane->at - 1 - i));
        else
            for (unsigned i = 0; i < 2; i++)
                put_sync(&sync->level[i], x, get(w, lane, lane->at - 1 - i));
    }
}

/* What the domain saw of a node in its last cycle: a selector's flop has it, or nobody asks. */
static bool seen_last(const struct eg_segment *s, unsigned y, unsigned node)
{
    const struct eg_pick *pick = s->e->graph.pick[y];

    for (unsigned i = 0; i < EG_SELECTORS; i++)
        if (pick[i].kind == EG_NODE && pick[i].number == node)
            return s->u->state.domain[y].late >> i & 1;
    return false;
}

void eg_sync_unload(struct eg_segment *s, unsigned y)
{
    struct eg_lane *lane = &s->e->lane[y];

    for (unsigned n = 0; n < EG_NODES; n++) {
        unsigned x = n % PC_MAX_DOMAINS;
        if (!(s->e->graph.looks[y] >> n & 1) || eg_lockstep(s, x, y))
            continue;
        const struct pc_sync *sync = sync_of(&s->u->state.domain[y], n);
        bool pulsed = eg_pulsed(s->u, y, n), last = seen_last(s, y, n);
        for (unsigned i = 0; i < (pulsed ? 3u : 2u); i++)
            put_sampled(&lane->sampled[n], lane, lane->at - 1 - i,
                        (pulsed ? sync->toggle[i] : sync->level[i]) >> x & 1);
        /* The last cycle has seen the sample before these, or that it differs from them. */
        if (pulsed)
            put_sampled(&lane->sampled[n], lane, lane->at - 4, last ^ (sync->toggle[2] >> x & 1));
        else
            put_sampled(&lane->sampled[n], lane, lane->at - 3, last);
    }
}

/* --- words --- */

struct eg_signal eg_imported(struct eg_block *b, unsigned node)
{
    struct eg_segment s = { b->u, b->e, b->all, 0 };
    const uint64_t *in = eg_words_of(b, samples(&s, b->domain, node));
    uint64_t *out = b->lane->seen[node];

    if (eg_pulsed(b->u, b->domain, node))
        for (size_t i = 0; i < b->words; i++, in++)
            out[i] = (in[0] << 2 | in[-1] >> 62) ^ (in[0] << 3 | in[-1] >> 61);
    else
        for (size_t i = 0; i < b->words; i++, in++)
            out[i] = in[0] << 2 | in[-1] >> 62;
    return (struct eg_signal){ out, false };
}

/* The toggle turns over after each cycle in which the signal rises. */
void eg_show_toggle(struct eg_block *b, unsigned node)
{
    const struct pc_domain *d = b->d;
    bool event = node < PC_MAX_DOMAINS, toggle = event ? d->event_toggle : d->flag_toggle;
    struct eg_window *level = &b->lane->shown[eg_shown_as(node, false)];
    const uint64_t *in = eg_words_of(b, level);
    uint64_t *out = eg_words_of(b, &b->lane->shown[eg_shown_as(node, true)]);
    uint64_t *rises = b->e->scratch[0];

    for (size_t i = 0; i < b->words; i++, in++)
        rises[i] = in[0] & ~(in[0] << 1 | in[-1] >> 63);
    (void)b->k->toggle(b->e->scratch[1], rises, toggle, b->words);
    (void)b->k->late(out, b->e->scratch[1], toggle, b->words);
}

uint32_t eg_mixed(const struct eg_segment *s, const struct eg_graph *g)
{
    uint32_t mixed = 0;

    for (unsigned i = 0; i < g->clusters; i++)
        for (unsigned x = 0; x < s->u->chip->domains; x++)
            if (g->cluster[i] >> x & 1 &&
                !eg_lockstep(s, (unsigned)__builtin_ctz(g->cluster[i]), x))
                mixed |= g->cluster[i];
    return mixed;
}
