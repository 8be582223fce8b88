/* SPDX-License-Identifier: MIT */
/*
 * Wide, relaxed, or step?  A domain goes wide if what it looks at is known for a whole block
 * before the block is counted: raw signals, what stands still, its own EVENT and FLAG, and those
 * of others, where none of them depends on itself.  Where one does, it is found word by word
 * by relaxation.  Stepped is what has no form in words, and domains that look at each other
 * across different clocks.
 */
#include "engine/engine.h"

#include "rules/lut.h"
#include "rules/sources.h"

/* --- alone --- */

/* Does a selector's signal belong to somebody else's FLAG or EVENT? */
static bool imports(const struct pc_unit *u, unsigned self, unsigned signal)
{
    const struct pc_slots *slots = &u->slots[self];

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (x != self && (slots->event[x] == (int)signal || slots->flag[x] == (int)signal))
            return true;
    return false;
}

bool eg_independent(const struct pc_unit *u, unsigned self)
{
    const struct pc_domain *d = &u->state.domain[self];

    if (d->control.mode == PC_MODE_RECORD || d->control.mode == PC_MODE_STREAM)
        return false; /* packets of several domains go out in the order of time */
    for (unsigned s = 0; s < eg_selectors(u); s++)
        if (imports(u, self, d->src[s / 4] >> (8 * (s % 4)) & 0xff))
            return false;
    unsigned swap = PC_GET(d->spec_src, SPEC_SRC, SWAP), unk8 = PC_GET(d->spec_src, SPEC_SRC, UNK8);
    return !pc_has(u, PC_F_SWAP_SRC) || (!imports(u, self, swap) && !imports(u, self, unk8));
}

/* --- a domain --- */

/* Has what the domain does with its inputs a form in words? */
static bool has_words(const struct pc_unit *u, const struct pc_domain *d, const char **why)
{
    bool packets = d->control.mode == PC_MODE_RECORD || d->control.mode == PC_MODE_STREAM;

    if (packets && !eg_record_wide(u, why))
        return false;
    if (d->record.wedged && u->options.record_fault == PC_FAULT_HANG) {
        *why = "a packet met a fault, and the domain hangs";
        return false;
    }
    return true;
}

/* Why the domain is relaxed; NULL: it is not. */
static const char *relaxed(const struct eg_graph *g, unsigned x)
{
    uint32_t own = eg_nodes_of(1u << x);

    for (unsigned i = 0; i < g->groups; i++) {
        if (!(g->group[i] & own) || !eg_cyclic(g, i))
            continue;
        if (g->group[i] & ~own)
            return "it and another domain look at each other's EVENT or FLAG";
        if (g->group[i] == 1u << EG_EVENT(x))
            return "its EVENT depends on itself";
        return "its FLAG depends on itself";
    }
    return NULL;
}

enum pc_run_how eg_plan(const struct pc_unit *u, unsigned self, const char **why)
{
    uint32_t mask = (1u << u->chip->domains) - 1;
    struct eg_graph g;

    if (!has_words(u, &u->state.domain[self], why))
        return PC_RUN_STEP;
    eg_graph_make(&g, u, mask);
    *why = relaxed(&g, self);
    if (*why)
        return PC_RUN_RELAXED;
    *why = g.looks[self] ? "what it sees of other domains is calculated before it"
                         : "all that it looks at is known beforehand";
    return PC_RUN_WIDE;
}

enum pc_run_how pc_unit_explain(const struct pc_unit *u, unsigned domain, const char **why)
{
    if (domain < u->chip->domains)
        return eg_plan(u, domain, why);
    *why = "there is no such domain";
    return PC_RUN_STEP;
}

/* --- a team --- */

enum pc_run_how eg_plan_team(const struct eg_stretch *s, uint32_t team)
{
    const struct eg_graph *g = &s->e->graph;
    unsigned first = (unsigned)__builtin_ctz(team);
    const char *why;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (team >> x & 1 &&
            (!eg_lockstep(s, first, x) || !has_words(s->u, &s->u->state.domain[x], &why)))
            return PC_RUN_STEP;
    for (unsigned i = 0; i < g->groups; i++)
        if (g->group[i] & eg_nodes_of(team) && eg_cyclic(g, i))
            return PC_RUN_RELAXED;
    return PC_RUN_WIDE;
}
