/* SPDX-License-Identifier: MIT */
/*
 * Who looks at whose EVENT and FLAG.  These 16 are the nodes of a graph with an edge to each
 * node that one depends on, with any delay; what depends on itself is a group of several nodes,
 * or a node with an edge to itself.
 */
#ifndef PC_ENGINE_GRAPH_H
#define PC_ENGINE_GRAPH_H

#include "model/unit/state.h"

#define EG_SELECTORS (PC_INPUTS * 4)
#define EG_SWAP      EG_SELECTORS /* what SWAP looks at stands after them */
#define EG_NODES     (2 * PC_MAX_DOMAINS)
#define EG_EVENT(x)  (x)                    /* EVENT of domain x */
#define EG_FLAG(x)   (PC_MAX_DOMAINS + (x)) /* its FLAG signal */

/* What a selector looks at, all through a segment. */
enum eg_pick_kind { EG_LEVEL, EG_RAW, EG_PERIODIC, EG_NODE };
struct eg_pick {
    uint8_t kind;   /* enum eg_pick_kind */
    uint8_t number; /* the level, the raw signal, the node */
};

struct eg_graph {
    struct eg_pick pick[PC_MAX_DOMAINS][EG_SELECTORS + 1];
    uint16_t looks[PC_MAX_DOMAINS]; /* nodes of other domains at which a domain looks */
    uint16_t needs[EG_NODES];       /* nodes that a node depends on, at once or by others */
    uint16_t group[EG_NODES]; /* nodes; each group depends on those before it, and on itself */
    unsigned groups;
    uint16_t
        cluster[PC_MAX_DOMAINS]; /* domains that look at each other; on those before them too */
    unsigned clusters;
    uint16_t shown;  /* nodes whose planes outlive a block */
    uint16_t pulsed; /* and whose toggles do */
};

/* For the domains in `mask`; the others stand still. */
void eg_graph_make(struct eg_graph *g, const struct pc_unit *u, uint32_t mask);

/* Does SETFLAG or CLRFLAG look at the own FLAG, be it that the flag listens to them or not? */
bool eg_flag_sees_itself(const struct eg_graph *g, const struct pc_unit *u, unsigned domain);

/* Are EVENT or FLAG of the cluster's domains found by relaxation? */
bool eg_is_relaxed(const struct eg_graph *g, uint32_t cluster);

/* Does the flag's register move in this mode?  D-25 */
bool eg_listens(const struct pc_unit *u, const struct pc_domain *d);

static inline unsigned eg_selectors(const struct pc_unit *u)
{
    return pc_has(u, PC_F_OWN_FLAG_SRC) ? EG_SELECTORS : PC_IN_SETFLAG * 4;
}

/* Does a node of the group depend on the group? */
static inline bool eg_cyclic(const struct eg_graph *g, unsigned group)
{
    for (unsigned n = 0; n < EG_NODES; n++)
        if (g->group[group] >> n & 1 && g->needs[n] & g->group[group])
            return true;
    return false;
}

/* Is a node of another domain imported as a pulse? */
static inline bool eg_pulsed(const struct pc_unit *u, unsigned domain, unsigned node)
{
    const struct pc_control *c = &u->state.domain[domain].control;

    return pc_has(u, PC_F_PULSE_IMPORT) && (node < PC_MAX_DOMAINS ? c->event_pulse : c->flag_pulse);
}

static inline uint32_t eg_nodes_of(uint32_t domains)
{
    return domains | domains << PC_MAX_DOMAINS;
}

#endif
