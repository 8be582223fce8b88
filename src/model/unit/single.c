/* SPDX-License-Identifier: MIT */
/*
 * Single event mode (clauses PC.SINGLE.*); the document's switch, state by state, is
 * pc_single_next().  Decisions: D-11 CTR_CYCLES counts every COUNTING cycle; D-43 levels, and the
 * START cycle is not counted; D-47 the threshold is compared after this cycle's addition; D-48
 * counters keep their values after the last STOP.
 */
#include "model/unit/state.h"

#include "model/rules/counter.h"

/* A start (PC.SINGLE.1) loads the initial values (PC.CTR.7). */
void pc_single_init(struct pc_domain *d)
{
    d->visible.event = 0;
    d->visible.start = 0;
    d->visible.cycles = 0;
    d->visible.pre = d->pre_init;
    d->visible.stop = d->stop_init;
}

/* A period begins: cycles anew (PC.SINGLE.4), and events, unless they are of all periods
 * (PC.SINGLE.5, PC.SINGLE.6). */
void pc_single_begins(const struct pc_unit *u, struct pc_domain *d)
{
    d->visible.cycles = 0;
    if (!pc_has(u, PC_F_PERIOD_ALL) || !d->control.period_all)
        d->visible.event = 0;
}

/* A period ends, this cycle included: had it events enough (PC.SINGLE.10, PC.SINGLE.18)? */
void pc_single_ends(const struct pc_unit *u, struct pc_domain *d)
{
    if (d->visible.event >= d->threshold)
        pc_count(u, d, &d->visible.start, 1, true);
}

/* A cycle of a period, and no other, counts (PC.SINGLE.12, PC.MODE.6), in counters that are visible
 * (PC.SINGLE.19). */
static void count_single(const struct pc_unit *u, struct pc_domain *d)
{
    struct pc_counters *c = &d->visible;
    struct pc_increment inc = pc_domain_increment(u, d);

    pc_count(u, d, &c->cycles, 1, true);
    pc_count(u, d, &c->event, inc.event, true);
    pc_count(u, d, &c->pre, inc.extra, false);
    pc_record_soil(u, d);
}

/*
 * A start that a write asked for is obeyed in case INACTIVE and takes this cycle: PRE is
 * looked at from the next one (PC.SINGLE.2, D-17a).  Inputs are levels (PC.SINGLE.9).  The flag
 * listens in every state but INACTIVE.
 */
enum pc_flag_action pc_single_cycle(const struct pc_unit *u, struct pc_domain *d)
{
    if (d->single_state == PC_INACTIVE && d->pending.start) {
        pc_single_init(d);
        d->single_state = PC_WAIT_PRE;
        return PC_FLAG_CLEARED;
    }
    switch (pc_single_next(&d->single_state, &d->visible.pre, &d->visible.stop, d->in.pre,
                           d->in.start, d->in.stop)) {
    case PC_SINGLE_RESTS:
        return PC_FLAG_FROZEN;
    case PC_SINGLE_WAITS:
        break;
    case PC_SINGLE_BEGINS:
        pc_single_begins(u, d);
        break;
    case PC_SINGLE_COUNTS:
        count_single(u, d);
        break;
    case PC_SINGLE_ENDS:
        count_single(u, d);
        pc_single_ends(u, d);
        break;
    }
    return PC_FLAG_LISTENS;
}
