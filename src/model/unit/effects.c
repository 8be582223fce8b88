/* SPDX-License-Identifier: MIT */
/* Does what writes do at the start of the domain's next cycle (D-17a, D-44, D-45, D-55). */
#include "model/unit/state.h"

static void clear_record(struct pc_record *r)
{
    r->cycles = 0;
    for (unsigned i = 0; i < 12; i++)
        r->event[i] = 0;
    r->stop = 0;
    r->dirty = false;
}

/*
 * Step 1 of a cycle: writes act in their order (PC.REG.9).  Acks (PC.QUAD.9), which work in other
 * modes too (PC.QUAD.14), come before a swap of the same cycle (D-55); RECORD_RESET holds the
 * record counters at 0 (PC.REC.22).
 */
void pc_effects_cycle(const struct pc_unit *u, struct pc_domain *d)
{
    struct pc_pending *p = &d->pending;

    for (; p->acks > 0; p->acks--) {
        if (d->quad_state == PC_OVERFLOW)
            d->quad_state = PC_VALID;
        else
            d->quad_state = PC_EMPTY;
    }
    if (p->abort)
        d->single_state = PC_INACTIVE;
    if (p->init) /* and the flag is cleared at the end of this cycle, as by a start */
        pc_single_init(d);
    if (p->fault_clear)
        d->record.fault = false; /* the domain hangs on: D-70a */
    if (p->record_start) {       /* D-67 */
        d->record.position = d->record_start;
        d->record.valid = true;
    }
    if (p->record_start_clear || pc_record_is_reset(u))
        clear_record(&d->record);
    if (p->quad_entry && u->options.quad_entry_clears)
        d->shadow = (struct pc_counters){ 0 };
    if (p->quad_exit && u->options.quad_leave_empties)
        d->quad_state = PC_EMPTY;
    if (p->periodic_restart && u->options.periodic_restart)
        d->periodic = 0;
}
