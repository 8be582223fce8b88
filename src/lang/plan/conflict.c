/* SPDX-License-Identifier: MIT */
/*
 * Who can never share a pass: two items that want a register outside of the counters
 * different, or that do not fit into a pass when they are alone in it; two groups that
 * have such items or are too many together.  Sets of which any two are in conflict need a pass
 * each.
 */
#include "lang/plan/plan.h"

#include <string.h>

#define CLIQUE_STEPS 20000

/* Items with the same registers to set are a class. */
static void find_classes(struct pc_plan *p, uint16_t *first)
{
    p->mux_classes = 0;
    for (size_t i = 0; i < p->items; i++) {
        size_t c = 0;
        while (c < p->mux_classes && !pl_mux_equal(p->item[first[c]].event, p->item[i].event))
            c++;
        if (c == p->mux_classes)
            first[p->mux_classes++] = (uint16_t)i;
        p->item[i].mux_class = (uint16_t)c;
    }
}

/* Checks whether two items fit in a pass of their own. */
static bool pair_fits(struct pc_plan *p, size_t i, size_t k)
{
    const struct pl_item *a = &p->item[i], *b = &p->item[k];
    const uint16_t both[2] = { (uint16_t)i, (uint16_t)k };
    struct pl_pass pass;

    if (a->plain && b->plain)
        return pl_ones(a->slots) > 1 || a->slots != b->slots || pl_ones(a->domains) > 1 ||
               a->domains != b->domains;
    p->incomplete = false;
    return pl_pass_solve(p, both, 2, &pass) || p->incomplete;
}

bool pl_find_conflicts(struct pc_plan *p)
{
    size_t n = p->items ? p->items : 1;
    uint16_t *first = pc_calloc(&p->alloc, n, sizeof *first);
    struct pl_set *apart = pc_calloc(&p->alloc, n, sizeof *apart); /* classes */
    const struct pc_plan_mux *other;

    if (first && apart) {
        find_classes(p, first);
        for (size_t a = 0; a < p->mux_classes; a++)
            for (size_t b = a + 1; b < p->mux_classes; b++)
                if (pl_mux_conflict(p->item[first[a]].event, p->item[first[b]].event, &other)) {
                    pl_add(&apart[a], b);
                    pl_add(&apart[b], a);
                }
        for (size_t i = 0; i < p->items; i++)
            for (size_t k = i + 1; k < p->items; k++)
                if (pl_has(&apart[p->item[i].mux_class], p->item[k].mux_class) ||
                    !pair_fits(p, i, k)) {
                    pl_add(&p->conflict[i], k);
                    pl_add(&p->conflict[k], i);
                }
    }
    bool ok = first && apart;
    pc_free(&p->alloc, first, n * sizeof *first);
    pc_free(&p->alloc, apart, n * sizeof *apart);
    return ok;
}

void pl_find_apart(struct pc_plan *p)
{
    for (size_t g = 0; g < p->groups; g++)
        for (unsigned i = 0; i < p->group[g].count; i++)
            for (size_t w = 0; w < PL_WORDS; w++)
                p->barred[g].word[w] |= p->conflict[p->member[p->group[g].first + i]].word[w];
    for (size_t g = 0; g < p->groups; g++) {
        struct pl_pass alone;
        pl_pass_empty(&alone);
        bool single = p->group[g].count == 1;
        (void)pl_pass_add(p, &alone, g); /* every group fits alone */
        for (size_t h = g + 1; h < p->groups; h++) {
            struct pl_pass both = alone;
            bool conflict = false;
            for (unsigned i = 0; i < p->group[h].count; i++)
                conflict |= pl_has(&p->barred[g], p->member[p->group[h].first + i]);
            p->incomplete = false;
            if (!conflict && !(single && p->group[h].count == 1))
                conflict = !pl_pass_add(p, &both, h) && !p->incomplete;
            if (conflict) {
                pl_add(&p->apart[g], h);
                pl_add(&p->apart[h], g);
            }
        }
    }
}

/* --- cliques --- */

struct clique {
    const struct pl_set *edge;
    const unsigned *weight;
    size_t count;
    struct pl_set *candidates; /* one for each depth */
    uint16_t *chosen;
    unsigned best;
    struct pl_set best_set;
};

static unsigned weigh(const struct clique *c, const struct pl_set *s)
{
    unsigned total = 0;

    for (size_t i = 0; i < c->count; i++)
        total += pl_has(s, i) ? c->weight[i] : 0;
    return total;
}

/* Returns the heaviest candidate, of those the one with most edges; count: none. */
static size_t pick(const struct clique *c, const struct pl_set *s)
{
    size_t best = c->count;
    unsigned best_degree = 0;

    for (size_t i = 0; i < c->count; i++) {
        if (!pl_has(s, i) || (best < c->count && c->weight[i] < c->weight[best]))
            continue;
        unsigned degree = 0;
        for (size_t w = 0; w < PL_WORDS; w++)
            degree += pl_ones(c->edge[i].word[w] & s->word[w]);
        if (best < c->count && c->weight[i] == c->weight[best] && degree <= best_degree)
            continue;
        best = i;
        best_degree = degree;
    }
    return best;
}

static void keep(struct clique *c, size_t depth, unsigned total)
{
    c->best = total;
    memset(&c->best_set, 0, sizeof c->best_set);
    for (size_t i = 0; i < depth; i++)
        pl_add(&c->best_set, c->chosen[i]);
}

static void drop(struct pl_set *s, size_t i)
{
    s->word[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Depth first: with the heaviest candidate, then without it. */
static void grow(struct clique *c)
{
    size_t depth = 0;
    unsigned total = 0;

    for (size_t i = 0; i < c->count; i++)
        pl_add(&c->candidates[0], i);
    for (unsigned steps = 0; steps < CLIQUE_STEPS; steps++) {
        struct pl_set *now = &c->candidates[depth];
        size_t next = total + weigh(c, now) > c->best ? pick(c, now) : c->count;
        if (next == c->count) {
            if (depth == 0)
                return;
            total -= c->weight[c->chosen[--depth]];
            continue;
        }
        drop(now, next);
        for (size_t w = 0; w < PL_WORDS; w++)
            c->candidates[depth + 1].word[w] = now->word[w] & c->edge[next].word[w];
        c->chosen[depth++] = (uint16_t)next;
        total += c->weight[next];
        if (total > c->best)
            keep(c, depth, total);
    }
}

bool pl_clique(const struct pc_alloc *alloc, const struct pl_set *edge, const unsigned *weight,
               size_t count, struct pl_set *out, unsigned *total)
{
    struct clique c = { .edge = edge, .weight = weight, .count = count };

    c.candidates = pc_calloc(alloc, count + 1, sizeof *c.candidates);
    c.chosen = pc_calloc(alloc, count + 1, sizeof *c.chosen);
    bool ok = c.candidates && c.chosen;
    if (ok)
        grow(&c);
    pc_free(alloc, c.candidates, (count + 1) * sizeof *c.candidates);
    pc_free(alloc, c.chosen, (count + 1) * sizeof *c.chosen);
    *out = c.best_set;
    *total = c.best;
    return ok;
}
