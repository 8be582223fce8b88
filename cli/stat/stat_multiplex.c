/* SPDX-License-Identifier: MIT */
/*
 * Counts as hardware with too few counters does: its passes take turns, each for a slice of cycles,
 * and a count is scaled by the time that its pass was on the counters.  Here the true count is
 * known as well, and with it the error.  The cost of a turn itself (registers to write, history
 * that is lost) is not included.
 */
#include "stat.h"

/* Returns a mask of the 64 cycles from `first` on that are turns of a pass. */
static uint64_t turn_mask(uint64_t slice, size_t passes, size_t pass, uint64_t first)
{
    uint64_t mask = 0;

    for (uint64_t t = 0; t < 64;) {
        uint64_t turn = (first + t) / slice, end = (turn + 1) * slice - first;
        if (turn % passes == pass)
            mask |= (end < 64 ? (UINT64_C(1) << end) - 1 : UINT64_MAX) & UINT64_MAX << t;
        t = end;
    }
    return mask;
}

uint64_t stat_seen(uint64_t slice, size_t passes, size_t pass, uint64_t first, const uint64_t *bits,
                   size_t words)
{
    uint64_t seen = 0;

    for (size_t w = 0; w < words; w++)
        for (uint64_t rest = bits[w] & turn_mask(slice, passes, pass, first + 64 * w); rest;
             rest &= rest - 1)
            seen++;
    return seen;
}

uint64_t stat_turn_cycles(uint64_t slice, size_t passes, size_t pass, uint64_t cycles)
{
    uint64_t round = slice * passes, rest = cycles % round, before = slice * pass;
    uint64_t last = rest > before ? rest - before : 0;

    return cycles / round * slice + (last < slice ? last : slice);
}

bool stat_estimate(const struct stat_job *j, const struct stat_event *e,
                   const struct stat_plan *plan, const struct stat_result *r, uint64_t *out)
{
    uint64_t active = stat_turn_cycles(j->o->slice, plan->passes, e->pass, r->cycles);

    *out = 0;
    if (active == 0)
        return false;
    *out = active == r->cycles
               ? e->seen
               : (uint64_t)((double)e->seen * (double)r->cycles / (double)active + 0.5);
    return true;
}

bool stat_deviation(double value, double truth, double *percent)
{
    *percent = truth != 0 ? 100.0 * (value - truth) / (truth < 0 ? -truth : truth) : 0;
    return truth != 0 || value == 0;
}
