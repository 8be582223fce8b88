/* SPDX-License-Identifier: MIT */
/*
 * What hardware with too few counters would have reported: its passes take turns, each for a
 * slice of cycles, and a count is scaled by the time that its pass was on the counters.  Here
 * the true count is known as well, so the error of that is.  What a turn itself costs (registers
 * to write, history that is lost) is not in it.
 */
#include "stat.h"

/* Bits of word w, cycles first + 64 w and on, in which a pass has its turn. */
static uint64_t turn_mask(const struct stat_options *o, const struct stat_plan *plan, size_t pass,
                          uint64_t first, uint64_t cycles)
{
    uint64_t mask = 0;

    for (uint64_t t = 0; t < cycles;) {
        uint64_t slice = (first + t) / o->slice, end = (slice + 1) * o->slice - first;
        end = end < cycles ? end : cycles;
        if (slice % plan->passes == pass)
            mask |= (end < 64 ? (UINT64_C(1) << end) - 1 : UINT64_MAX) & UINT64_MAX << t;
        t = end;
    }
    return mask;
}

static unsigned ones_in(uint64_t word)
{
    unsigned n = 0;

    for (; word; word &= word - 1)
        n++;
    return n;
}

void stat_multiplex_block(struct stat_options *o, struct stat_plan *plan, uint64_t first,
                          uint64_t cycles, const uint64_t *event_bits)
{
    for (size_t p = 0; p < plan->passes; p++)
        for (uint64_t at = 0, w = 0; at < cycles; at += 64, w++) {
            uint64_t left = cycles - at < 64 ? cycles - at : 64;
            uint64_t mask = turn_mask(o, plan, p, first + at, left);
            plan->pass[p].active += ones_in(mask);
            for (size_t n = 0; mask && n < o->events; n++)
                if (o->event[n].pass == p)
                    o->event[n].seen += ones_in(event_bits[n * PC_BLOCK_WORDS + w] & mask);
        }
}

bool stat_estimate(const struct stat_event *e, const struct stat_plan *plan,
                   const struct stat_result *r, uint64_t *out)
{
    uint64_t active = plan->pass[e->pass].active;

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
