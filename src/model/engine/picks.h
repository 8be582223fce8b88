/* SPDX-License-Identifier: MIT */
/*
 * The signals of selectors all through a segment, and which domains look at another one's EVENT and
 * FLAG.  These 16 are the nodes.
 */
#ifndef PC_ENGINE_PICKS_H
#define PC_ENGINE_PICKS_H

#include "model/unit/state.h"

#define EG_SELECTORS (PC_INPUTS * 4)
#define EG_SWAP      EG_SELECTORS           /* what SWAP looks at stands after them */
#define EG_EVENT(x)  (x)                    /* EVENT of domain x */
#define EG_FLAG(x)   (PC_MAX_DOMAINS + (x)) /* its FLAG signal */

enum eg_pick_kind { EG_LEVEL, EG_RAW, EG_PERIODIC, EG_NODE };
struct eg_pick {
    uint8_t kind;   /* enum eg_pick_kind */
    uint8_t number; /* the level, the raw signal, the node */
};

struct eg_picks {
    struct eg_pick of[PC_MAX_DOMAINS][EG_SELECTORS + 1];
    uint8_t looks[PC_MAX_DOMAINS]; /* other domains at which a domain looks */
};

static inline unsigned eg_selectors(const struct pc_unit *u)
{
    return pc_has(u, PC_F_OWN_FLAG_SRC) ? EG_SELECTORS : PC_IN_SETFLAG * 4;
}

/* Finds the picks of the domains in `mask`; the others stand still. */
void eg_picks_make(struct eg_picks *p, const struct pc_unit *u, uint32_t mask);

/*
 * Returns why a domain's planes are not known before a block is counted, as a sentence; NULL: they
 * are, and the domain can go wide by itself.
 */
const char *eg_why_not_alone(const struct eg_picks *p, const struct pc_unit *u, uint32_t mask,
                             unsigned domain);

/* Returns true if the flag's register moves in this mode. D-25. */
bool eg_listens(const struct pc_unit *u, const struct pc_domain *d);

#endif
