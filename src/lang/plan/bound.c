/* SPDX-License-Identifier: MIT */
/*
 * No plan can have fewer passes than this.  Three bounds, the largest wins:
 *   counters  that many events need one of so few counters; a pass with a sum has fewer
 *             counters for all others
 *   classes   events that want registers outside of the counters different share no pass,
 *             so the counters' bounds of such classes add up
 *   groups    a set of groups of which no two fit into one pass
 */
#include "lang/plan/plan.h"

#include <stdio.h>
#include <string.h>

struct bound {
    struct pc_plan *p;
    size_t passes;
    char reason[PL_REASON];
};

static size_t ceil_div(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static unsigned weight_of(const struct pl_item *item)
{
    return item->takes ? pl_ones(item->takes) : 1;
}

static void name_slots(unsigned slots, char *out, size_t size)
{
    out[0] = '\0';
    for (unsigned s = 0; s < PL_SLOTS; s++)
        if (slots >> s & 1)
            snprintf(out + strlen(out), size - strlen(out), "%s%s", out[0] ? ", " : "",
                     pc_input_name((enum pc_input_id)s));
}

/* Items that must be in these domains and need one of these counters. */
static void bound_counters(struct bound *b, const struct pl_set *s, uint64_t domains,
                           unsigned slots)
{
    const struct pc_plan *p = b->p;
    char place[64], counters[64];
    size_t need = 0, events = 0;

    for (size_t i = 0; i < p->items; i++) {
        const struct pl_item *item = &p->item[i];
        if (!pl_has(s, i) || (item->domains & ~domains) || (item->slots & ~slots))
            continue;
        need += weight_of(item);
        events++;
    }
    size_t room = (size_t)pl_ones(domains) * pl_ones(slots), passes = ceil_div(need, room);
    if (passes <= b->passes)
        return;
    b->passes = passes;
    pl_name_domains(p, domains, place, sizeof place);
    name_slots(slots, counters, sizeof counters);
    if (slots == p->slots)
        snprintf(b->reason, sizeof b->reason, "%zu %s for %s: %zu %s a pass", events,
                 events == 1 ? "event" : "events", place, room, room == 1 ? "counter" : "counters");
    else
        snprintf(b->reason, sizeof b->reason, "%zu %s for %s can be counted by %s only: %zu a pass",
                 events, events == 1 ? "event" : "events", place, counters, room);
}

/* Returns how many of the others can be beside this item, which has these counters, in this
 * CTR_MODE. */
static unsigned room_in(struct bound *b, const struct pl_set *s, size_t i, unsigned d,
                        unsigned taken, unsigned mode)
{
    struct pc_plan *p = b->p;
    unsigned room = 0;

    for (unsigned slot = 0; slot < PL_SLOTS; slot++) {
        bool some = false;
        if ((taken >> slot & 1) || !(p->slots >> slot & 1))
            continue;
        for (size_t k = 0; k < p->items && !some; k++) {
            int16_t at[PL_SLOTS];
            if (!pl_has(s, k) || p->item[k].special || !(p->item[k].slots >> slot & 1) ||
                p->item[k].domains != UINT64_C(1) << d)
                continue;
            for (unsigned t = 0; t < PL_SLOTS; t++)
                at[t] = (int16_t)(t == slot ? (int)k : taken >> t & 1 ? (int)i : -1);
            some = pl_fit(p, d, at, mode);
        }
        room += some;
    }
    return room;
}

/* ... wherever it is counted. */
static unsigned room_beside(struct bound *b, const struct pl_set *s, size_t i, unsigned d)
{
    const struct pl_item *own = &b->p->item[i];
    unsigned most = 0;

    for (unsigned m = 0; m < PL_MODES; m++)
        for (unsigned slot = 0; slot < PL_SLOTS; slot++) {
            if (!(own->in[m] >> slot & 1))
                continue;
            unsigned room = room_in(b, s, i, d, own->takes ? own->takes : 1u << slot, m);
            most = room > most ? room : most;
        }
    return most;
}

/* Counts the items of s that want a counter mode in a domain; false: some could share a pass. */
static bool count_modes(const struct pc_plan *p, const struct pl_set *s, unsigned d, size_t *out)
{
    *out = 0;
    for (size_t i = 0; i < p->items; i++) {
        if (!pl_has(s, i) || !p->item[i].special || p->item[i].domains != UINT64_C(1) << d)
            continue;
        for (size_t k = i + 1; k < p->items; k++)
            if (pl_has(s, k) && p->item[k].special && p->item[k].domains == UINT64_C(1) << d &&
                !pl_has(&p->conflict[i], k))
                return false;
        ++*out;
    }
    return true;
}

/* Bounds the passes: those with a special counter mode have less room for the others. */
static void bound_modes(struct bound *b, const struct pl_set *s, unsigned d)
{
    struct pc_plan *p = b->p;
    size_t own, special, others = 0, room = 0, there;

    if (!count_modes(p, s, d, &own))
        return;
    special = own;
    for (unsigned k = 0; p->shared_ctrl && k < p->domains; k++)
        if (count_modes(p, s, k, &there) && there > special)
            special = there;
    for (size_t i = 0; i < p->items; i++) {
        if (!pl_has(s, i) || p->item[i].domains != UINT64_C(1) << d)
            continue;
        if (p->item[i].special)
            room += room_beside(b, s, i, d);
        else
            others++;
    }
    /* NV10:NV40: the other domain's pass with EVENT_B4, which CTRL has for both */
    room += (special - own) *
            pl_ones(p->slots & cm_mode_counts(p->request.chip, pl_count_mode(p), PC_CTR_EVENT_B4));
    size_t passes = special + (others > room ? ceil_div(others - room, pl_ones(p->slots)) : 0);
    if (special == 0 || passes <= b->passes)
        return;
    b->passes = passes;
    if (others == 0)
        snprintf(b->reason, sizeof b->reason,
                 "no two of %zu events with a counter mode of their own fit into domain %s "
                 "together",
                 special, p->domain[d].place.name);
    else
        snprintf(b->reason, sizeof b->reason,
                 "%zu %s of domain %s with a counter mode of %s own %s room for %zu of the "
                 "other %zu events; %u %s in any other pass",
                 special, special == 1 ? "pass" : "passes", p->domain[d].place.name,
                 special == 1 ? "its" : "their", special == 1 ? "has" : "have", room, others,
                 pl_ones(p->slots), pl_ones(p->slots) == 1 ? "counter" : "counters");
}

/* Computes all of that for a set of items. */
static void bound_set(struct bound *b, const struct pl_set *s)
{
    struct pc_plan *p = b->p;
    uint64_t seen[PC_PLAN_DOMAINS + 1], all = 0;
    unsigned masks = 0;

    for (size_t i = 0; i < p->items; i++) {
        unsigned m = 0;
        if (!pl_has(s, i))
            continue;
        all |= p->item[i].domains;
        while (m < masks && seen[m] != p->item[i].domains)
            m++;
        if (m == masks && masks < PC_PLAN_DOMAINS)
            seen[masks++] = p->item[i].domains;
    }
    if (masks > 1)
        seen[masks++] = all;
    for (unsigned m = 0; m < masks; m++)
        for (unsigned q = PL_ALL_SLOTS; q > 0; q--)
            if ((q & ~p->slots) == 0)
                bound_counters(b, s, seen[m], q);
    for (unsigned d = 0; d < p->domains; d++)
        if (all >> d & 1)
            bound_modes(b, s, d);
}

/* --- classes --- */

struct classes {
    struct pl_set *items, *edge;
    unsigned *weight;
    size_t count;
};

static void weigh_classes(struct bound *b, struct classes *c)
{
    struct pc_plan *p = b->p;
    const struct pc_plan_mux *other;

    for (size_t i = 0; i < p->items; i++)
        pl_add(&c->items[p->item[i].mux_class], i);
    for (size_t k = 0; k < c->count; k++) {
        struct bound one = { .p = p };
        size_t first = 0;
        bound_set(&one, &c->items[k]);
        c->weight[k] = (unsigned)one.passes;
        while (!pl_has(&c->items[k], first))
            first++;
        for (size_t i = 0; i < p->items; i++)
            if (p->item[i].mux_class != k &&
                pl_mux_conflict(p->item[first].event, p->item[i].event, &other))
                pl_add(&c->edge[k], p->item[i].mux_class);
    }
}

static bool bound_classes(struct bound *b)
{
    struct pc_plan *p = b->p;
    struct classes c = { .count = p->mux_classes };
    struct pl_set best;
    unsigned total = 0;

    c.items = pc_calloc(&p->alloc, c.count + 1, sizeof *c.items);
    c.edge = pc_calloc(&p->alloc, c.count + 1, sizeof *c.edge);
    c.weight = pc_calloc(&p->alloc, c.count + 1, sizeof *c.weight);
    bool ok = c.items && c.edge && c.weight;
    if (ok) {
        weigh_classes(b, &c);
        ok = pl_clique(&p->alloc, c.edge, c.weight, c.count, &best, &total);
    }
    if (ok && total > b->passes) {
        unsigned classes = 0;
        for (size_t k = 0; k < c.count; k++)
            classes += pl_has(&best, k);
        b->passes = total;
        snprintf(b->reason, sizeof b->reason,
                 "%u settings of registers outside of the counters exclude each other%s", classes,
                 total > classes ? ", and some take more than one pass" : "");
    }
    pc_free(&p->alloc, c.items, (c.count + 1) * sizeof *c.items);
    pc_free(&p->alloc, c.edge, (c.count + 1) * sizeof *c.edge);
    pc_free(&p->alloc, c.weight, (c.count + 1) * sizeof *c.weight);
    return ok;
}

/* --- groups --- */

static bool bound_groups(struct bound *b)
{
    struct pc_plan *p = b->p;
    unsigned *weight = pc_calloc(&p->alloc, p->groups + 1, sizeof *weight), total = 0;

    for (size_t g = 0; weight && g < p->groups; g++)
        weight[g] = 1;
    bool ok = weight && pl_clique(&p->alloc, p->apart, weight, p->groups, &p->clique, &total);
    pc_free(&p->alloc, weight, (p->groups + 1) * sizeof *weight);
    if (ok && total > b->passes) {
        b->passes = total;
        snprintf(b->reason, sizeof b->reason, "no two of %u events or groups fit into one pass",
                 total);
    }
    return ok;
}

bool pl_find_bound(struct pc_plan *p)
{
    struct bound b = { .p = p };
    struct pl_set all = { { 0 } };

    for (size_t i = 0; i < p->items; i++)
        pl_add(&all, i);
    bound_set(&b, &all);
    if (!bound_classes(&b) || !bound_groups(&b))
        return false;
    p->bound = b.passes;
    memcpy(p->bound_reason, b.reason, sizeof b.reason);
    return true;
}
