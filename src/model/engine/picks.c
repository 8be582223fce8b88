/* SPDX-License-Identifier: MIT */
/*
 * The graph of EVENTs and FLAGs: what each selector looks at, which of them a node depends on,
 * and the order in which they can be calculated.  Arguments on which a truth table does not
 * depend make no edge.
 */
#include "model/engine/graph.h"

#include <string.h>

#include "model/rules/lut.h"
#include "model/rules/sources.h"
#include "model/rules/table.h"

/* --- selectors --- */

static unsigned selected_signal(const struct pc_domain *d, unsigned selector)
{
    if (selector == EG_SWAP)
        return PC_GET(d->spec_src, SPEC_SRC, SWAP);
    return d->src[selector / 4] >> (8 * (selector % 4)) & 0xff;
}

static struct eg_pick level(bool value)
{
    return (struct eg_pick){ EG_LEVEL, value };
}

/* A signal that shows a domain, which may stand still. */
static struct eg_pick node(const struct pc_unit *u, unsigned self, uint32_t mask, unsigned x,
                           bool event)
{
    const struct pc_domain *d = &u->state.domain[x];
    unsigned number = event ? EG_EVENT(x) : EG_FLAG(x);

    if (mask >> x & 1)
        return (struct eg_pick){ EG_NODE, (uint8_t)number };
    return level(!eg_pulsed(u, self, number) && (event ? d->in.event : d->flag_cur));
}

/* Absent signals, and pulses, of which there are none in the middle of a segment, are 0. */
static struct eg_pick pick_signal(const struct pc_unit *u, unsigned self, uint32_t mask,
                                  unsigned signal)
{
    const struct pc_slots *slots = &u->slots[self];

    if (slots->raw[signal / 64] >> (signal % 64) & 1)
        return (struct eg_pick){ EG_RAW, (uint8_t)signal };
    if ((int)signal == slots->periodic)
        return (struct eg_pick){ EG_PERIODIC, 0 };
    for (unsigned i = 0; i < 4; i++)
        if ((int)signal == slots->user[i])
            return level(u->state.domain[self].user[i]);
    for (unsigned x = 0; x < u->chip->domains; x++) {
        if ((int)signal == slots->event[x])
            return node(u, self, mask, x, true);
        if ((int)signal == slots->flag[x])
            return node(u, self, mask, x, false);
    }
    return level(false);
}

/* --- edges --- */

static bool chained(const struct pc_unit *u, const struct pc_domain *d)
{
    return pc_event_takes_setflag(d->op[PC_IN_EVENT], u->chip->features) &&
           pc_table_depends((uint16_t)d->op[PC_IN_EVENT], 3);
}

/* Nodes at which an input looks, but for a chained SETFLAG. */
static uint16_t looked_at(const struct eg_graph *g, const struct pc_unit *u, unsigned self,
                          enum pc_input input)
{
    uint32_t op = u->state.domain[self].op[input];
    const struct pc_arguments args = pc_arguments(op, input, u->chip->features);
    uint16_t nodes = 0;

    for (unsigned i = 0; i < 4; i++) {
        struct eg_pick p = g->pick[self][args.of[i].selector];
        if (!args.of[i].setflag && p.kind == EG_NODE && pc_table_depends((uint16_t)op, i))
            nodes |= (uint16_t)(1u << p.number);
    }
    return nodes;
}

bool eg_flag_sees_itself(const struct eg_graph *g, const struct pc_unit *u, unsigned x)
{
    unsigned both = looked_at(g, u, x, PC_IN_SETFLAG) | looked_at(g, u, x, PC_IN_CLRFLAG);

    return both >> EG_FLAG(x) & 1;
}

bool eg_listens(const struct pc_unit *u, const struct pc_domain *d)
{
    if (pc_hangs(u, d))
        return false;
    if (d->control.mode == PC_MODE_SINGLE)
        return d->single_state != PC_INACTIVE;
    return d->control.mode != PC_MODE_NONE || pc_none_listens(u);
}

static void edges_of(struct eg_graph *g, const struct pc_unit *u, unsigned x)
{
    const struct pc_domain *d = &u->state.domain[x];
    uint16_t set = looked_at(g, u, x, PC_IN_SETFLAG);

    g->needs[EG_EVENT(x)] = looked_at(g, u, x, PC_IN_EVENT);
    if (chained(u, d))
        g->needs[EG_EVENT(x)] |= set;
    if (eg_listens(u, d))
        g->needs[EG_FLAG(x)] = set | looked_at(g, u, x, PC_IN_CLRFLAG);
}

/* --- order --- */

/* `to` becomes all that can be reached from each of n. */
static void close(uint16_t *to, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        for (unsigned i = 0; i < n; i++)
            if (to[i] >> k & 1)
                to[i] |= to[k];
}

/* Groups of those in `all` that reach each other, such that each reaches only earlier ones. */
static unsigned put_in_order(const uint16_t *to, unsigned n, uint32_t all, uint16_t *group)
{
    unsigned groups = 0;
    uint32_t done = 0;

    while (done != all)
        for (unsigned i = 0; i < n; i++) {
            uint32_t own = 1u << i;
            if (!(all >> i & 1) || done >> i & 1)
                continue;
            for (unsigned k = 0; k < n; k++)
                if (to[i] >> k & 1 && to[k] >> i & 1)
                    own |= 1u << k;
            if (to[i] & ~(own | done))
                continue;
            group[groups++] = (uint16_t)own;
            done |= own;
        }
    return groups;
}

static void clusters_of(struct eg_graph *g, const struct pc_unit *u, uint32_t mask)
{
    uint16_t to[PC_MAX_DOMAINS] = { 0 };

    for (unsigned x = 0; x < u->chip->domains; x++)
        to[x] = (uint16_t)((g->looks[x] | g->looks[x] >> PC_MAX_DOMAINS) & 0xff);
    close(to, PC_MAX_DOMAINS);
    g->clusters = put_in_order(to, PC_MAX_DOMAINS, mask, g->cluster);
}

static void outlives(struct eg_graph *g, const struct pc_unit *u, uint32_t mask)
{
    for (unsigned x = 0; x < u->chip->domains; x++)
        for (unsigned n = 0; n < EG_NODES; n++)
            if (mask >> x & 1 && g->looks[x] >> n & 1) {
                g->shown |= (uint16_t)(1u << n);
                g->pulsed |= (uint16_t)(eg_pulsed(u, x, n) << n);
            }
    for (unsigned i = 0; i < g->groups; i++)
        if (eg_cyclic(g, i))
            g->shown |= g->group[i];
    g->shown |= g->pulsed;
}

void eg_graph_make(struct eg_graph *g, const struct pc_unit *u, uint32_t mask)
{
    memset(g, 0, sizeof *g);
    for (unsigned x = 0; x < u->chip->domains; x++) {
        if (!(mask >> x & 1))
            continue;
        unsigned end = eg_selectors(u);
        for (unsigned s = 0; s <= EG_SWAP; s++) {
            if (s >= end && (s != EG_SWAP || !pc_has(u, PC_F_SWAP_SRC)))
                continue;
            g->pick[x][s] = pick_signal(u, x, mask, selected_signal(&u->state.domain[x], s));
            unsigned n = g->pick[x][s].number;
            if (g->pick[x][s].kind == EG_NODE && n % PC_MAX_DOMAINS != x)
                g->looks[x] |= (uint16_t)(1u << n);
        }
    }
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (mask >> x & 1)
            edges_of(g, u, x);
    close(g->needs, EG_NODES);
    g->groups = put_in_order(g->needs, EG_NODES, eg_nodes_of(mask), g->group);
    clusters_of(g, u, mask);
    outlives(g, u, mask);
}

bool eg_is_relaxed(const struct eg_graph *g, uint32_t cluster)
{
    for (unsigned i = 0; i < g->groups; i++)
        if (g->group[i] & eg_nodes_of(cluster) && eg_cyclic(g, i))
            return true;
    return false;
}
