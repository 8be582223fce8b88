/* SPDX-License-Identifier: MIT */
/*
 * Wide, or relaxed?  A domain goes wide if what it looks at is known for a whole block
 * before the block is counted: raw signals, what stands still, its own EVENT and FLAG, and those
 * of others, where none of them depends on itself.  Where one does, it is found word by word
 * by relaxation.  Whole segments are stepped where they are too short for words, where domains
 * look at each other across different clocks, and where packets have to come in the order of time.
 */
#include "model/engine/engine.h"

#include "model/rules/lut.h"
#include "model/rules/sources.h"

/* --- alone --- */

bool eg_independent(const struct pc_unit *u, unsigned self)
{
    /* Packets of several domains go out in the order of time. */
    return !pc_sends(&u->state.domain[self]) && pc_selects(u, self) == 0;
}

/* --- all together --- */

/* Domains that send packets. */
static uint32_t senders(const struct eg_segment *s)
{
    uint32_t found = 0;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (s->mask >> x & 1 && pc_sends(&s->u->state.domain[x]))
            found |= 1u << x;
    return found;
}

const char *eg_why_stepped(const struct eg_segment *s, const struct eg_graph *g)
{
    const uint32_t sending = senders(s);

    if (eg_mixed(s, g))
        return "domains with different clocks look at each other's EVENT or FLAG";
    if (sending & (sending - 1) && s->u->mem_write)
        return "several domains send packets, in the order of time";
    if (sending && s->u->options.record_fault == PC_FAULT_HANG &&
        !eg_is_lone(s, g, eg_component_of(g, sending), 0))
        return "a fault would hang a domain that sends packets, which does not go by itself";
    return NULL;
}

/* --- a domain --- */

/* Why the domain is relaxed; NULL: it is not. */
static const char *relaxed(const struct eg_graph *g, uint32_t cluster, unsigned x)
{
    uint32_t own = eg_nodes_of(1u << x);
    const char *why = NULL;

    for (unsigned i = 0; i < g->groups; i++) {
        if (!(g->group[i] & eg_nodes_of(cluster)) || !eg_cyclic(g, i))
            continue;
        if (!(g->group[i] & own))
            why = why ? why : "a domain that it looks at, and which looks at it, is relaxed";
        else if (g->group[i] & ~own)
            return "it and another domain look at each other's EVENT or FLAG";
        else
            return g->group[i] == 1u << EG_EVENT(x) ? "its EVENT depends on itself"
                                                    : "its FLAG depends on itself";
    }
    return why;
}

static uint32_t cluster_of(const struct eg_graph *g, unsigned x)
{
    for (unsigned i = 0; i < g->clusters; i++)
        if (g->cluster[i] >> x & 1)
            return g->cluster[i];
    return 0;
}

enum pc_run_how pc_run_explain(const struct pc_unit *u, const struct pc_run *run, unsigned self,
                               const char **why)
{
    /* The run is only looked at; neither it nor the unit changes. */
    struct eg_segment s = { .u = (struct pc_unit *)(uintptr_t)u, .run = run };
    struct eg_graph g;

    *why = "there is no such domain, or it stands still";
    if (self >= u->chip->domains || run->domain[self].still)
        return PC_RUN_STEP;
    *why = "option flag-import=register is for the reference";
    if (eg_only_steps(u))
        return PC_RUN_STEP;
    for (unsigned x = 0; x < u->chip->domains; x++)
        s.mask |= (uint32_t)!run->domain[x].still << x;
    eg_graph_make(&g, u, s.mask);
    *why = eg_why_stepped(&s, &g);
    if (*why)
        return PC_RUN_STEP;
    uint32_t cluster = cluster_of(&g, self);
    *why = relaxed(&g, cluster, self);
    if (*why)
        return PC_RUN_RELAXED;
    *why = g.looks[self] ? "what it sees of other domains is calculated before it"
                         : "all that it looks at is known beforehand";
    return PC_RUN_WIDE;
}

enum pc_run_how pc_unit_explain(const struct pc_unit *u, unsigned domain, const char **why)
{
    const struct pc_run_domain all[PC_MAX_DOMAINS] = { { .still = false } };
    const struct pc_run run = { .domain = all };

    return pc_run_explain(u, &run, domain, why);
}

const char *pc_run_how_name(enum pc_run_how how)
{
    return how == PC_RUN_WIDE ? "wide" : how == PC_RUN_RELAXED ? "relaxed" : "step";
}
