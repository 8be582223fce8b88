/* SPDX-License-Identifier: MIT */
/*
 * A governor run on the windows of pcounter idle, and what its levels would have cost.  The
 * trace does not react to the level, so lost and saved are estimates; they are counted in
 * clocks of the level at which the trace was recorded.
 */
#include "idle.h"

uint64_t idle_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* clocks * khz / reference, cut towards zero; at most UINT64_MAX. */
static uint64_t scale(uint64_t clocks, uint32_t khz, uint32_t reference)
{
    uint64_t whole = clocks / reference, rest = clocks % reference;

    if (whole > UINT64_MAX / khz)
        return UINT64_MAX;
    return idle_add(whole * khz, rest * khz / reference);
}

/* Adds what the level offered in the window, and what was asked of it. */
static void account(const struct idle_options *o, const struct idle_plan *plan,
                    struct idle_totals *t, struct idle_result *w)
{
    const struct pc_governor *g = &o->governor;
    uint32_t reference = g->khz[o->recorded];
    uint64_t offered = scale(w->clocks, g->khz[w->level], reference);
    uint64_t most = scale(w->clocks, g->khz[g->levels - 1], reference);
    uint64_t work = plan->meter[plan->busy].clocks;

    w->lost = work > offered ? work - offered : 0;
    w->saved = most - offered;
    t->work = idle_add(t->work, work);
    t->lost = idle_add(t->lost, w->lost);
    t->saved = idle_add(t->saved, w->saved);
    t->capacity = idle_add(t->capacity, most);
    t->level_windows[w->level]++;
    t->level_clocks[w->level] = idle_add(t->level_clocks[w->level], w->clocks);
}

int idle_govern(const struct idle_options *o, const struct idle_plan *plan,
                struct pc_governor_state *state, struct idle_totals *t, struct idle_result *w)
{
    struct pc_error err;

    w->level = w->next = state->level;
    w->average = state->average;
    account(o, plan, t, w);
    if (!w->whole || w->clocks == 0)
        return CLI_OK;
    if (pc_governor_step(&o->governor, plan->meter[plan->busy].value,
                         plan->meter[plan->total].value, state, &w->load, &err))
        return cli_error(&err, NULL, NULL);
    w->decided = true;
    w->average = state->average;
    w->next = state->level;
    return CLI_OK;
}
