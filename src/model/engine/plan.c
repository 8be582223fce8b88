/* SPDX-License-Identifier: MIT */
/*
 * Wide, or stepped?  A domain goes wide by itself if what it looks at is known for a whole block
 * before the block is counted: raw signals, what stands still, and its own FLAG where that does not
 * depend on itself.  Domains that look at each other are stepped together, and so are those that
 * send packets, where several do: packets come in the order of time.
 */
#include "model/engine/engine.h"

/* Returns the domains that send packets. */
static uint32_t senders(const struct pc_unit *u, uint32_t mask)
{
    uint32_t found = 0;

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (mask >> x & 1 && pc_sends(&u->state.domain[x]))
            found |= 1u << x;
    return found;
}

static const char *why_stepped(const struct eg_picks *p, const struct pc_unit *u, uint32_t mask,
                               unsigned x)
{
    const uint32_t sending = u->mem_write ? senders(u, mask) : 0;

    if (sending & (sending - 1) && sending >> x & 1)
        return "several domains send packets, in the order of time";
    return eg_why_not_alone(p, u, mask, x);
}

uint32_t eg_alone(const struct eg_picks *p, const struct pc_unit *u, uint32_t mask)
{
    uint32_t alone = 0;

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (mask >> x & 1 && !why_stepped(p, u, mask, x))
            alone |= 1u << x;
    return alone;
}

enum pc_run_how pc_run_explain(const struct pc_unit *u, const struct pc_run *run, unsigned self,
                               const char **why)
{
    struct eg_picks picks;
    uint32_t mask = 0;

    *why = "the domain does not exist, or its clock does not run";
    if (self >= u->chip->domains || run->domain[self].still)
        return PC_RUN_STEP;
    *why = "option flag-import=register is for the reference";
    if (eg_only_steps(u))
        return PC_RUN_STEP;
    for (unsigned x = 0; x < u->chip->domains; x++)
        mask |= (uint32_t)!run->domain[x].still << x;
    eg_picks_make(&picks, u, mask);
    *why = why_stepped(&picks, u, mask, self);
    if (*why)
        return PC_RUN_STEP;
    *why = "all of its inputs are known in advance";
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
    return how == PC_RUN_WIDE ? "wide" : "step";
}
