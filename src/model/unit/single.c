/* SPDX-License-Identifier: MIT */
/*
 * Single event mode: the switch of the document, state by state (clauses PC.SINGLE.*).
 * Decisions: D-11 CTR_CYCLES counts every COUNTING cycle; D-43 levels, and the START
 * cycle is not counted; D-47 the threshold is compared after this cycle's addition;
 * D-48 counters keep their values after the last STOP.
 */
#include "model/unit/state.h"

#include "model/rules/counter.h"

/* PC.SINGLE.1 PC.CTR.7 */
void pc_single_init(struct pc_domain *d)
{
    d->visible.event = 0;
    d->visible.start = 0;
    d->visible.cycles = 0;
    d->visible.pre = d->pre_init;
    d->visible.stop = d->stop_init;
}

/* PC.SINGLE.7 PC.SINGLE.8 PC.SINGLE.10 PC.SINGLE.11 PC.SINGLE.12 PC.SINGLE.13 PC.SINGLE.18
 * PC.SINGLE.19 PC.MODE.6 */
static void counting(const struct pc_unit *u, struct pc_domain *d)
{
    struct pc_counters *c = &d->visible;
    struct pc_increment inc = pc_domain_increment(u, d);

    pc_count(u, d, &c->cycles, 1, true);
    pc_count(u, d, &c->event, inc.event, true);
    pc_count(u, d, &c->pre, inc.extra, false);
    pc_record_soil(u, d);
    if (!d->in.stop)
        return;
    if (c->event >= d->threshold)
        pc_count(u, d, &c->start, 1, true);
    if (c->stop != 0) {
        c->stop--;
        d->single_state = PC_WAIT_START;
    } else {
        d->single_state = PC_INACTIVE;
    }
}

/*
 * A start that a write asked for is obeyed in case INACTIVE and takes this cycle: PRE is
 * looked at from the next one (D-17a).  The flag listens in every state but INACTIVE.
 * PC.SINGLE.2 PC.SINGLE.3 PC.SINGLE.4 PC.SINGLE.5 PC.SINGLE.6 PC.SINGLE.9
 */
enum pc_flag_action pc_single_cycle(const struct pc_unit *u, struct pc_domain *d)
{
    switch ((enum pc_single_state)d->single_state) {
    case PC_INACTIVE:
        if (!d->pending.start)
            return PC_FLAG_FROZEN;
        pc_single_init(d);
        d->single_state = PC_WAIT_PRE;
        return PC_FLAG_CLEARED;
    case PC_WAIT_PRE:
        if (d->in.pre) {
            if (d->visible.pre != 0)
                d->visible.pre--;
            else
                d->single_state = PC_WAIT_START;
        }
        return PC_FLAG_LISTENS;
    case PC_WAIT_START:
        if (d->in.start) {
            d->visible.cycles = 0;
            if (!pc_has(u, PC_F_PERIOD_ALL) || !d->control.period_all)
                d->visible.event = 0;
            d->single_state = PC_COUNTING;
        }
        return PC_FLAG_LISTENS;
    case PC_COUNTING:
        counting(u, d);
        return PC_FLAG_LISTENS;
    }
    return PC_FLAG_FROZEN;
}
