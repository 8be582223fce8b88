/* SPDX-License-Identifier: MIT */
/*
 * Wide or step?  A domain goes wide if what it looks at is known for a whole block before the
 * block is counted: raw signals, what stands still, and its own FLAG where neither SETFLAG
 * nor CLRFLAG looks at it.
 */
#include "engine/engine.h"

#include "rules/lut.h"
#include "rules/sources.h"

/* Does a selector's signal belong to somebody else's FLAG or EVENT, or to the own EVENT? */
static bool imports(const struct pc_unit *u, unsigned self, unsigned signal)
{
    const struct pc_slots *slots = &u->slots[self];

    for (unsigned x = 0; x < u->chip->domains; x++) {
        if (slots->event[x] == (int)signal)
            return true;
        if (slots->flag[x] == (int)signal && x != self)
            return true;
    }
    return false;
}

bool eg_independent(const struct pc_unit *u, unsigned self)
{
    const struct pc_domain *d = &u->state.domain[self];
    unsigned inputs = pc_has(u, PC_F_OWN_FLAG_SRC) ? PC_INPUTS : PC_IN_SETFLAG;
    int own = u->slots[self].event[self];

    if (d->control.mode == PC_MODE_RECORD || d->control.mode == PC_MODE_STREAM)
        return false; /* packets of several domains go out in the order of time */
    for (unsigned s = 0; s < inputs * 4; s++) {
        unsigned signal = d->src[s / 4] >> (8 * (s % 4)) & 0xff;
        if ((int)signal != own && imports(u, self, signal))
            return false;
    }
    unsigned swap = PC_GET(d->spec_src, SPEC_SRC, SWAP), unk8 = PC_GET(d->spec_src, SPEC_SRC, UNK8);
    return !pc_has(u, PC_F_SWAP_SRC) || (!imports(u, self, swap) && !imports(u, self, unk8));
}

/* Does the flag listen to itself? */
static bool flag_feeds_back(const struct pc_unit *u, const struct pc_domain *d, unsigned self)
{
    int own = u->slots[self].flag[self];

    for (unsigned input = PC_IN_SETFLAG; input <= PC_IN_CLRFLAG && own >= 0; input++)
        for (unsigned i = 0; i < 4; i++) {
            unsigned s = pc_source_selector(u->chip->features, input, i);
            if ((int)(d->src[s / 4] >> (8 * (s % 4)) & 0xff) == own)
                return true;
        }
    return false;
}

static bool counts_wide(const struct pc_domain *d)
{
    return d->control.ctr_mode <= PC_CTR_EVENT_B6;
}

enum pc_run_how eg_plan(const struct pc_unit *u, unsigned self, const char **why)
{
    const struct pc_domain *d = &u->state.domain[self];
    unsigned inputs = pc_has(u, PC_F_OWN_FLAG_SRC) ? PC_INPUTS : PC_IN_SETFLAG;

    bool packets = d->control.mode == PC_MODE_RECORD || d->control.mode == PC_MODE_STREAM;

    if (packets && !eg_record_wide(u, why))
        return PC_RUN_STEP;
    if (d->record.wedged && u->options.record_fault == PC_FAULT_HANG) {
        *why = "a packet met a fault, and the domain hangs";
        return PC_RUN_STEP;
    }
    if (d->control.mode != PC_MODE_NONE && d->control.mode != PC_MODE_RECORD && !counts_wide(d)) {
        *why = "the counter mode has no wide form";
        return PC_RUN_STEP;
    }
    for (unsigned s = 0; s < inputs * 4; s++)
        if (imports(u, self, d->src[s / 4] >> (8 * (s % 4)) & 0xff)) {
            *why = "it looks at an EVENT, or at the FLAG of another domain";
            return PC_RUN_STEP;
        }
    if (pc_has(u, PC_F_SWAP_SRC) && imports(u, self, PC_GET(d->spec_src, SPEC_SRC, SWAP))) {
        *why = "SWAP is an EVENT, or the FLAG of another domain";
        return PC_RUN_STEP;
    }
    if (flag_feeds_back(u, d, self)) {
        *why = "SETFLAG or CLRFLAG looks at the own FLAG";
        return PC_RUN_STEP;
    }
    *why = "all that it looks at is known beforehand";
    return PC_RUN_WIDE;
}

enum pc_run_how pc_unit_explain(const struct pc_unit *u, unsigned domain, const char **why)
{
    if (domain < u->chip->domains)
        return eg_plan(u, domain, why);
    *why = "there is no such domain";
    return PC_RUN_STEP;
}
