/* SPDX-License-Identifier: MIT */
/*
 * Quad event mode: four counters in shadow registers, and a swap that makes them visible
 * (clauses PC.QUAD.*).  D-53: the swap is level-sensitive and comes before counting;
 * D-55: every swap copies, whatever the state.
 */
#include "model/unit/state.h"

#include "model/rules/counter.h"

/* The shadows become visible (PC.QUAD.2, PC.QUAD.13), in OVERFLOW too (PC.QUAD.12), and the state
 * moves on (PC.QUAD.8). */
void pc_quad_swap(struct pc_domain *d)
{
    d->visible = d->shadow;
    d->shadow = (struct pc_counters){ 0 };
    switch ((enum pc_quad_state)d->quad_state) {
    case PC_EMPTY:
        d->quad_state = PC_VALID;
        break;
    case PC_VALID:
    case PC_OVERFLOW:
        d->quad_state = PC_OVERFLOW;
        d->diagnostics |= PC_DIAG_SWAP_LOST;
        break;
    }
}

/* Every cycle, and each input (PC.QUAD.1), plainly beside a sum (PC.MODE.8); it never rests
 * (PC.QUAD.15). */
static void count_quad(const struct pc_unit *u, struct pc_domain *d)
{
    struct pc_counters *c = &d->shadow;
    struct pc_increment inc = pc_domain_increment(u, d);

    pc_count(u, d, &c->cycles, 1, true);
    pc_count(u, d, &c->event, inc.event, true);
    pc_count(u, d, &c->start, inc.start, true);
    pc_count(u, d, &c->pre, inc.pre, false);
    pc_count(u, d, &c->stop, inc.stop, false);
    pc_record_soil(u, d);
}

/* In each cycle in which SWAP is 1 (PC.QUAD.4) there is a swap, before its counting (PC.QUAD.3). */
enum pc_flag_action pc_quad_cycle(const struct pc_unit *u, struct pc_domain *d)
{
    if (d->in.swap)
        pc_quad_swap(d);
    count_quad(u, d);
    return PC_FLAG_LISTENS;
}
