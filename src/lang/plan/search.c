/* SPDX-License-Identifier: MIT */
/*
 * As few passes as can be found.  First fit in several orders; if that does not reach the
 * lower bound, branch and bound: is there a plan with one pass less?  A group goes into a
 * pass in use or into one new one; groups that are alike go into passes in rising order.
 * It ends with a proof, or when the budget of attempts is used up.
 */
#include "lang/plan/plan.h"

#include <stdio.h>
#include <string.h>

#define SHUFFLES 24

struct search {
    struct pc_plan *p;
    size_t best;
    struct pl_pass *best_pass;
    uint16_t *order, *where; /* where[]: pass of a group */
    struct pl_pass *pass, *saved;
    size_t used;
};

static unsigned degree(const struct pc_plan *p, size_t g)
{
    unsigned n = 0;

    for (size_t w = 0; w < PL_WORDS; w++)
        n += pl_ones(p->apart[g].word[w]);
    return n;
}

static const struct pl_item *only_item(const struct pc_plan *p, size_t g)
{
    return p->group[g].count == 1 ? &p->item[p->member[p->group[g].first]] : NULL;
}

/*
 * Interchangeable: one plain event each, with the same choices and registers.  Where sums and
 * the like are about, the same function too: it may fit beside one of them.
 */
static bool alike(const struct pc_plan *p, size_t g, size_t h)
{
    const struct pl_item *a = only_item(p, g), *b = only_item(p, h);

    return a && b && a->plain && b->plain && a->domains == b->domains && a->slots == b->slots &&
           a->mux_class == b->mux_class && (p->uniform || pl_same_func(&a->func[0], &b->func[0])) &&
           memcmp(&p->barred[g], &p->barred[h], sizeof *p->barred) == 0;
}

enum { BY_CONFLICTS, BY_SIZE };

/* Returns whether g comes before h: what is hard to place comes first. */
static bool before(const struct pc_plan *p, size_t g, size_t h, int how)
{
    const struct pl_item *a = &p->item[p->member[p->group[g].first]];
    const struct pl_item *b = &p->item[p->member[p->group[h].first]];
    unsigned key[2][6];

    for (unsigned i = 0; i < 2; i++) {
        size_t x = i ? h : g;
        const struct pl_item *it = i ? b : a;
        key[i][0] = pl_has(&p->clique, x);
        key[i][how == BY_SIZE ? 2 : 1] = degree(p, x);
        key[i][how == BY_SIZE ? 1 : 2] = p->group[x].count;
        key[i][3] = !it->plain;
        key[i][4] = 256 - pl_ones(it->domains) * pl_ones(it->slots);
        key[i][5] = it->mux_class;
    }
    for (unsigned k = 0; k < 6; k++)
        if (key[0][k] != key[1][k])
            return key[0][k] > key[1][k];
    return g < h;
}

static void sort_groups(struct search *s, int how)
{
    const struct pc_plan *p = s->p;

    for (size_t i = 0; i < p->groups; i++) {
        size_t k = i;
        for (; k > 0 && before(p, i, s->order[k - 1], how); k--)
            s->order[k] = s->order[k - 1];
        s->order[k] = (uint16_t)i;
    }
}

static bool spent(const struct search *s)
{
    return s->p->attempts >= s->p->budget;
}

static void keep(struct search *s)
{
    if (s->best && s->used >= s->best)
        return;
    s->best = s->used;
    memcpy(s->best_pass, s->pass, s->used * sizeof *s->best_pass);
}

/* --- first fit --- */

static void first_fit(struct search *s)
{
    struct pc_plan *p = s->p;

    s->used = 0;
    for (size_t i = 0; i < p->groups; i++) {
        size_t g = s->order[i], q = 0;
        while (q < s->used && !pl_pass_add(p, &s->pass[q], g))
            q++;
        if (q == s->used) {
            if (s->best && s->used + 1 >= s->best)
                return; /* no better */
            pl_pass_empty(&s->pass[s->used++]);
            (void)pl_pass_add(p, &s->pass[q], g); /* every group fits alone */
        }
        s->where[g] = (uint16_t)q;
    }
    keep(s);
}

/* Shuffles the order by exchanging some pairs; the same ones in every run. */
static void shuffle(struct search *s, uint32_t *seed)
{
    size_t n = s->p->groups;

    for (size_t i = 0; i < n / 4 + 1; i++) {
        *seed = *seed * 1664525 + 1013904223;
        size_t a = (*seed >> 8) % n;
        *seed = *seed * 1664525 + 1013904223;
        size_t b = (*seed >> 8) % n;
        uint16_t t = s->order[a];
        s->order[a] = s->order[b];
        s->order[b] = t;
    }
}

static void find_first(struct search *s)
{
    uint32_t seed = 1;

    sort_groups(s, BY_SIZE);
    first_fit(s);
    sort_groups(s, BY_CONFLICTS);
    first_fit(s);
    for (unsigned i = 0; i < SHUFFLES && s->best > s->p->bound && s->p->attempts < s->p->budget / 2;
         i++) {
        sort_groups(s, i % 2 ? BY_SIZE : BY_CONFLICTS);
        shuffle(s, &seed);
        first_fit(s);
    }
}

/* --- branch and bound --- */

/* With all passes in use, somebody still to come has no pass without an enemy in it. */
static bool hopeless(const struct search *s, size_t depth, size_t limit)
{
    const struct pc_plan *p = s->p;

    if (s->used < limit)
        return false;
    for (size_t i = depth; i < p->groups; i++) {
        const struct pl_set *barred = &p->barred[s->order[i]];
        size_t q = 0;
        while (q < limit && pl_meet(barred, &s->pass[q].items))
            q++;
        if (q == limit)
            return true;
    }
    return false;
}

/* Returns the next pass from `from` on that takes the group; limit: none does. */
static size_t next_pass(struct search *s, size_t depth, size_t from, size_t limit)
{
    size_t g = s->order[depth], q = from;

    for (; q < limit && q <= s->used; q++) {
        if (q == s->used)
            pl_pass_empty(&s->pass[q]);
        s->saved[depth] = s->pass[q];
        if (pl_pass_add(s->p, &s->pass[q], g))
            return q;
        if (spent(s))
            return limit;
    }
    return limit;
}

/* Returns where the search for this group's pass begins. */
static size_t start_of(const struct search *s, size_t depth)
{
    if (depth > 0 && alike(s->p, s->order[depth], s->order[depth - 1]))
        return s->where[s->order[depth - 1]];
    return 0;
}

/* Decides whether there is a plan with at most `limit` passes. false: none, or the budget is
 * spent. */
static bool decide(struct search *s, size_t limit)
{
    const struct pc_plan *p = s->p;
    size_t depth = 0, from = 0;

    s->used = 0;
    while (depth < p->groups) {
        size_t q = hopeless(s, depth, limit) ? limit : next_pass(s, depth, from, limit);
        if (spent(s))
            return false;
        if (q < limit) {
            s->where[s->order[depth]] = (uint16_t)q;
            s->used += q == s->used;
            depth++;
            from = depth < p->groups ? start_of(s, depth) : 0;
            continue;
        }
        if (depth == 0)
            return false;
        q = s->where[s->order[--depth]];
        s->pass[q] = s->saved[depth];
        s->used -= q + 1 == s->used && s->pass[q].count == 0;
        from = q + 1;
    }
    return true;
}

static void improve(struct search *s)
{
    struct pc_plan *p = s->p;

    sort_groups(s, BY_CONFLICTS);
    while (s->best > p->bound) {
        p->incomplete = false;
        if (decide(s, s->best - 1)) {
            keep(s);
            continue;
        }
        if (!spent(s) && !p->incomplete) {
            p->bound = s->best;
            snprintf(p->bound_reason, sizeof p->bound_reason,
                     "all ways to do with one pass less were tried");
        }
        return;
    }
}

/* --- the result --- */

/* In the order of the request, as long as none has to move. */
static void tidy(struct pc_plan *p, struct pl_pass *pass)
{
    struct pl_pass again;

    pl_pass_empty(&again);
    for (size_t n = 0; n < p->items; n++) {
        size_t g = p->item[n].group;
        if (!pl_has(&pass->items, n) || p->member[p->group[g].first] != n)
            continue;
        if (!pl_pass_add(p, &again, g))
            return;
    }
    *pass = again;
}

static void set_modes(struct pc_plan *p, struct pl_pass *pass)
{
    for (unsigned d = 0; d < p->domains; d++) {
        unsigned mode = PC_CTR_SIMPLE;
        (void)pl_pass_mode(p, pass, d, &mode); /* it fits */
        pass->mode[d] = (uint8_t)mode;
    }
}

/* Builds the passes in the order of their first events. */
static bool build(struct search *s)
{
    struct pc_plan *p = s->p;

    p->pass = pc_calloc(&p->alloc, s->best, sizeof *p->pass);
    if (!p->pass)
        return false;
    for (size_t n = 0; n < p->items; n++)
        for (size_t q = 0; q < s->best; q++)
            if (s->best_pass[q].count > 0 && pl_has(&s->best_pass[q].items, n)) {
                p->pass[p->passes] = s->best_pass[q];
                tidy(p, &p->pass[p->passes]);
                set_modes(p, &p->pass[p->passes++]);
                s->best_pass[q].count = 0; /* taken */
            }
    return true;
}

bool pl_search(struct pc_plan *p)
{
    size_t n = p->groups ? p->groups : 1;
    struct search s = { .p = p };

    s.best_pass = pc_calloc(&p->alloc, n, sizeof *s.best_pass);
    s.order = pc_calloc(&p->alloc, n, sizeof *s.order);
    s.where = pc_calloc(&p->alloc, n, sizeof *s.where);
    s.pass = pc_calloc(&p->alloc, n, sizeof *s.pass);
    s.saved = pc_calloc(&p->alloc, n, sizeof *s.saved);
    bool ok = s.best_pass && s.order && s.where && s.pass && s.saved;
    if (ok && p->groups) {
        find_first(&s);
        improve(&s);
        ok = build(&s);
    }
    pc_free(&p->alloc, s.best_pass, n * sizeof *s.best_pass);
    pc_free(&p->alloc, s.order, n * sizeof *s.order);
    pc_free(&p->alloc, s.where, n * sizeof *s.where);
    pc_free(&p->alloc, s.pass, n * sizeof *s.pass);
    pc_free(&p->alloc, s.saved, n * sizeof *s.saved);
    return ok;
}
