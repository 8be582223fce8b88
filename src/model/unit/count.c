/* SPDX-License-Identifier: MIT */
/* Computes what a cycle adds to the counters of a domain, and adds it; shared by the counting
 * modes. */
#include "model/unit/state.h"

#include "model/rules/counter.h"

/* `wide`: CYCLES, EVENT or START, of 40 bits before NV30 (PC.CTR.2); else 32 (PC.CTR.3).  That one
 * reaches its end is reported (PC.DIAG.5). */
void pc_count(const struct pc_unit *u, struct pc_domain *d, uint64_t *counter, uint32_t n,
              bool wide)
{
    bool ctr40 = wide && pc_has(u, PC_F_CTR40);

    if (pc_ctr_lossy(*counter, n, ctr40))
        d->diagnostics |= PC_DIAG_SATURATED;
    *counter = pc_ctr_add(*counter, n, ctr40);
}

struct pc_increment pc_domain_increment(const struct pc_unit *u, const struct pc_domain *d)
{
    struct pc_counted in = { d->in.pre, d->in.start, d->in.event, d->in.stop, d->selected };

    return pc_increment((enum pc_ctr_mode)d->control.ctr_mode, &in, pc_has(u, PC_F_GF100));
}
