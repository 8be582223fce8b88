/* SPDX-License-Identifier: MIT */
/*
 * Do these items fit into one pass?  Items that entangle a domain (sums, flags, SETFLAG as an
 * argument) are placed by backtracking; then each of the others needs one counter and does
 * not care who is in the next one, so a matching of items and counters decides.
 * Where the others turn out to be entangled after all, all of them are backtracked.  Exact,
 * but for a limit on the backtracking, which is noted as such.
 */
#include "lang/plan/plan.h"

#include <string.h>

#define PLACES (PC_PLAN_DOMAINS * PL_SLOTS)
#define STEPS  2000 /* of one backtracking */

void pl_pass_empty(struct pl_pass *pass)
{
    memset(pass, 0, sizeof *pass);
    for (unsigned d = 0; d < PC_PLAN_DOMAINS; d++)
        for (unsigned s = 0; s < PL_SLOTS; s++)
            pass->at[d][s] = -1;
}

/*
 * Checks the same with at[] in the place of what the domain has.  With a shared CTRL all domains
 * have to fit.  Where no event needs another mode, SIMPLE is as good as any.
 */
static bool find_mode(struct pc_plan *p, const struct pl_pass *pass, unsigned domain,
                      const int16_t at[PL_SLOTS], unsigned *mode)
{
    const unsigned first = p->shared_ctrl ? 0 : domain;
    const unsigned last = p->shared_ctrl ? p->domains : domain + 1;
    bool special = false;

    for (unsigned d = first; d < last; d++) {
        const int16_t *there = d == domain ? at : pass->at[d];
        for (unsigned s = 0; s < PL_SLOTS; s++)
            special |= there[s] >= 0 && p->item[there[s]].special;
    }
    for (*mode = PC_CTR_SIMPLE; *mode < (special ? PL_MODES : 1); ++*mode) {
        unsigned d = first;
        while (d < last && pl_fit(p, d, d == domain ? at : pass->at[d], *mode))
            d++;
        if (d == last)
            return true;
    }
    return false;
}

bool pl_pass_mode(struct pc_plan *p, const struct pl_pass *pass, unsigned domain, unsigned *mode)
{
    return find_mode(p, pass, domain, pass->at[domain], mode);
}

static bool domain_fits(struct pc_plan *p, const struct pl_pass *pass, unsigned domain)
{
    return pl_pass_mode(p, pass, domain, &(unsigned){ 0 });
}

static void put(const struct pc_plan *p, struct pl_pass *pass, unsigned n, unsigned place,
                int16_t value)
{
    unsigned d = place / PL_SLOTS, s = place % PL_SLOTS;

    for (unsigned k = 0; k < PL_SLOTS; k++)
        if (k == s || p->item[n].takes >> k & 1)
            pass->at[d][k] = value;
}

static bool is_free(const struct pc_plan *p, const struct pl_pass *pass, unsigned n, unsigned place)
{
    const struct pl_item *item = &p->item[n];
    unsigned d = place / PL_SLOTS, s = place % PL_SLOTS;

    if (!(item->domains >> d & 1) || !(item->slots >> s & 1))
        return false;
    if (item->takes && (item->takes & ((1u << s) - 1)))
        return false; /* all its counters at once: the first one stands for them */
    for (unsigned k = 0; k < PL_SLOTS; k++)
        if ((k == s || item->takes >> k & 1) && pass->at[d][k] >= 0)
            return false;
    return true;
}

static bool is_empty(const struct pl_pass *pass, unsigned d)
{
    return pass->at[d][0] < 0 && pass->at[d][1] < 0 && pass->at[d][2] < 0 && pass->at[d][3] < 0;
}

/* With free wires an empty domain is as good as any other that is empty and as large. */
static bool is_repeat(const struct pc_plan *p, const struct pl_pass *pass, unsigned n,
                      unsigned place)
{
    unsigned d = place / PL_SLOTS;

    if (!p->request.free_wires || p->shared_ctrl || !is_empty(pass, d))
        return false;
    for (unsigned k = 0; k < d; k++)
        if (is_empty(pass, k) && (p->item[n].domains >> k & 1) &&
            (p->domain[k].raw >= 4 * PL_SLOTS) == (p->domain[d].raw >= 4 * PL_SLOTS))
            return true;
    return false;
}

/* Puts item n there if it fits; false: nothing changed. */
static bool try_place(struct pc_plan *p, struct pl_pass *pass, unsigned n, unsigned place)
{
    if (!is_free(p, pass, n, place) || is_repeat(p, pass, n, place))
        return false;
    put(p, pass, n, place, (int16_t)n);
    if (domain_fits(p, pass, place / PL_SLOTS))
        return true;
    put(p, pass, n, place, -1);
    return false;
}

/* --- the matching --- */

struct matching {
    const uint16_t *item;
    int16_t owner[PLACES]; /* index into item[], -1: none */
    int16_t from[PLACES];  /* during a search: who wants the place */
    int16_t holds[PLACES]; /* place of item[i], or -1 */
    bool open[PLACES];     /* free of what was placed before */
};

/* Returns true if the item may be there, with what was placed before, and nothing else. */
static bool allowed(struct pc_plan *p, const struct pl_pass *pass, unsigned n, unsigned place)
{
    const struct pl_item *item = &p->item[n];
    unsigned d = place / PL_SLOTS;
    int16_t at[PL_SLOTS];

    if (!(item->domains >> d & 1) || !(item->slots >> place % PL_SLOTS & 1))
        return false;
    memcpy(at, pass->at[d], sizeof at);
    at[place % PL_SLOTS] = (int16_t)n;
    return find_mode(p, pass, d, at, &(unsigned){ 0 });
}

/* Breadth first from item i to a free place; then all move along. */
static bool augment(struct pc_plan *p, const struct pl_pass *pass, struct matching *m, size_t i)
{
    uint16_t queue[PLACES];
    size_t head = 0, tail = 0;
    unsigned places = p->domains * PL_SLOTS;

    memset(m->from, -1, sizeof m->from);
    queue[tail++] = (uint16_t)i;
    while (head < tail) {
        size_t who = queue[head++];
        for (unsigned place = 0; place < places; place++) {
            if (!m->open[place] || m->from[place] >= 0 || !allowed(p, pass, m->item[who], place))
                continue;
            m->from[place] = (int16_t)who;
            if (m->owner[place] >= 0) {
                queue[tail++] = (uint16_t)m->owner[place];
                continue;
            }
            for (int at = (int)place; at >= 0;) {
                int16_t mover = m->from[at], left = m->holds[mover];
                m->owner[at] = mover;
                m->holds[mover] = (int16_t)at;
                at = (size_t)mover == i ? -1 : left;
            }
            return true;
        }
    }
    return false;
}

/* Matches the rest; *entangled: it would fit, were they not in each other's way. */
static bool match(struct pc_plan *p, struct pl_pass *pass, const uint16_t *item, size_t count,
                  bool *entangled)
{
    struct matching m = { .item = item };
    struct pl_pass before = *pass;

    if (count > PLACES)
        return false;
    memset(m.owner, -1, sizeof m.owner);
    memset(m.holds, -1, sizeof m.holds);
    for (unsigned place = 0; place < p->domains * PL_SLOTS; place++)
        m.open[place] = pass->at[place / PL_SLOTS][place % PL_SLOTS] < 0;
    for (size_t i = 0; i < count; i++)
        if (!augment(p, &before, &m, i))
            return false;
    for (size_t i = 0; i < count; i++)
        pass->at[m.holds[i] / PL_SLOTS][m.holds[i] % PL_SLOTS] = (int16_t)item[i];
    for (unsigned d = 0; d < p->domains; d++)
        if (!is_empty(pass, d) && !domain_fits(p, pass, d)) {
            *entangled = true;
            *pass = before;
            return false;
        }
    return true;
}

/* --- backtracking --- */

/* Places the first `hard` items one after the other, the others by matching. */
static bool backtrack(struct pc_plan *p, const uint16_t *item, size_t hard, size_t count,
                      struct pl_pass *pass, bool *entangled)
{
    unsigned next[PLACES], places = p->domains * PL_SLOTS, steps = 0;
    size_t depth = 0;

    if (hard > places)
        return false;
    next[0] = 0;
    for (;;) {
        if (depth == hard) {
            if (match(p, pass, item + hard, count - hard, entangled))
                return true;
        } else {
            unsigned place = next[depth];
            while (place < places && !try_place(p, pass, item[depth], place))
                place++;
            next[depth] = place;
            if (place < places) {
                if (++depth < hard)
                    next[depth] = 0;
                continue;
            }
        }
        if (depth == 0)
            return false;
        depth--;
        put(p, pass, item[depth], next[depth], -1);
        next[depth]++;
        p->attempts += ++steps % 16 == 0;
        if (steps > STEPS) {
            p->incomplete = true;
            return false;
        }
    }
}

/* Sorts items: those that can be in the fewest places first, entangling items before all others. */
static void sort_items(const struct pc_plan *p, uint16_t *item, size_t count, size_t *hard)
{
    *hard = 0;
    for (size_t i = 0; i < count; i++)
        *hard += !p->item[item[i]].plain;
    for (size_t i = 1; i < count; i++) {
        uint16_t n = item[i];
        const struct pl_item *a = &p->item[n];
        unsigned rank = (a->plain ? 1024 : 0) + pl_ones(a->domains) * pl_ones(a->slots);
        size_t k = i;
        for (; k > 0; k--) {
            const struct pl_item *b = &p->item[item[k - 1]];
            if ((b->plain ? 1024 : 0) + pl_ones(b->domains) * pl_ones(b->slots) <= rank)
                break;
            item[k] = item[k - 1];
        }
        item[k] = n;
    }
}

/*
 * Returns true for more items than counters of the kind that they need, in the whole chip or in one
 * domain. hist[]: how many need one of exactly these counters.
 */
static bool too_many(const unsigned hist[PL_ALL_SLOTS + 1], unsigned domains)
{
    for (unsigned q = 1; q <= PL_ALL_SLOTS; q++) {
        unsigned need = 0;
        for (unsigned slots = 1; slots <= PL_ALL_SLOTS; slots++)
            need += (slots & ~q) == 0 ? hist[slots] : 0;
        if (need > pl_ones(q) * domains)
            return true;
    }
    return false;
}

static bool overfull(const struct pc_plan *p, const uint16_t *item, size_t count)
{
    unsigned all[PL_ALL_SLOTS + 1] = { 0 }, one[PC_PLAN_DOMAINS][PL_ALL_SLOTS + 1];
    uint64_t homes = 0;

    memset(one, 0, sizeof one);
    for (size_t i = 0; i < count; i++) {
        const struct pl_item *it = &p->item[item[i]];
        unsigned weight = it->takes ? pl_ones(it->takes) : 1;
        all[it->slots] += weight;
        if (pl_ones(it->domains) != 1)
            continue;
        one[pl_home(it)][it->slots] += weight;
        homes |= it->domains;
    }
    for (unsigned d = 0; d < p->domains; d++)
        if ((homes >> d & 1) && too_many(one[d], 1))
            return true;
    return too_many(all, p->domains);
}

bool pl_pass_solve(struct pc_plan *p, const uint16_t *item, size_t count, struct pl_pass *out)
{
    uint16_t order[PLACES];
    bool entangled = false;
    size_t hard;

    pl_pass_empty(out);
    if (count > (size_t)p->domains * PL_SLOTS || overfull(p, item, count))
        return false;
    memcpy(order, item, count * sizeof *order);
    sort_items(p, order, count, &hard);
    bool ok = backtrack(p, order, hard, count, out, &entangled);
    if (!ok && entangled) {
        pl_pass_empty(out);
        ok = backtrack(p, order, count, count, out, &entangled);
    }
    for (size_t i = 0; ok && i < count; i++)
        pl_add(&out->items, item[i]);
    out->count = (unsigned)count;
    return ok;
}

/* --- adding --- */

/* Puts item n into the first place that has room, of these counters; false: none has. */
static bool place_quick(struct pc_plan *p, struct pl_pass *pass, unsigned n, unsigned slots)
{
    for (unsigned place = 0; place < p->domains * PL_SLOTS; place++)
        if ((slots >> place % PL_SLOTS & 1) && try_place(p, pass, n, place))
            return true;
    return false;
}

/* Adds items one after the other where there is room, by its first CTR_MODE if that does; no event
 * moves. */
static bool add_quick(struct pc_plan *p, struct pl_pass *pass, const struct pl_group *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        const unsigned n = p->member[g->first + i];
        const unsigned first = p->item[n].in[pl_first_mode(&p->item[n])];
        if (!place_quick(p, pass, n, first) && !place_quick(p, pass, n, p->item[n].slots & ~first))
            return false;
        pl_add(&pass->items, n);
        pass->count++;
    }
    return true;
}

bool pl_pass_add(struct pc_plan *p, struct pl_pass *pass, size_t group)
{
    const struct pl_group *g = &p->group[group];
    uint16_t all[PLACES];
    struct pl_pass tried = *pass;
    size_t count = 0;

    p->attempts++;
    for (unsigned i = 0; i < g->count; i++)
        if (pl_meet(&p->conflict[p->member[g->first + i]], &pass->items))
            return false;
    if (pass->count + g->count > p->domains * PL_SLOTS)
        return false;
    if (add_quick(p, &tried, g)) {
        *pass = tried;
        return true;
    }
    for (size_t n = 0; n < p->items; n++)
        if (pl_has(&pass->items, n))
            all[count++] = (uint16_t)n;
    for (unsigned i = 0; i < g->count; i++)
        all[count++] = p->member[g->first + i];
    if (!pl_pass_solve(p, all, count, &tried))
        return false;
    *pass = tried;
    return true;
}
