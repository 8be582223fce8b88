/* SPDX-License-Identifier: MIT */
/*
 * Which response belongs to which request?  Each way of pairing them (requests.c) is measured.  One
 * fits if no response came with nothing open, and if what is open does not grow over the run.
 */
#include "lang/bus/bus.h"

#include <inttypes.h>
#include <stdio.h>

static unsigned octave_of(uint64_t n)
{
    const unsigned k = 63 - (unsigned)__builtin_clzll(n);

    return k < BUS_OCTAVES ? k : BUS_OCTAVES - 1;
}

/* A response before the first request belongs to one before the file or before the reset. */
void pc_bus_pair_look(struct bus_transfer_state *t, uint64_t edge)
{
    struct bus_fit *fit = &t->fit;
    const uint64_t completed = t->match.figures.completed, orphans = t->match.figures.orphans;
    const uint32_t open = (uint32_t)t->match.outstanding_now;

    if (fit->asked && orphans > fit->orphans) {
        fit->failed = true;
        fit->failed_at = edge;
    }
    fit->orphans = orphans;
    if (completed == fit->completed)
        return;
    const unsigned k = octave_of(completed);
    const bool first = (completed & (completed - 1)) == 0;
    if (first || open > fit->most[k])
        fit->most[k] = open;
    if (first || open < fit->least[k])
        fit->least[k] = open;
    fit->completed = completed;
}

/*
 * Returns true if the number that is outstanding is at most what a bus may have. Posted writes that
 * are taken for requests with a response make it grow with the run: late in it the least is above
 * the most of before.
 */
static bool is_steady(const struct bus_transfer_state *t)
{
    enum { FEW = 4, SOME = 16 };
    const uint64_t completed = t->match.figures.completed;
    uint32_t most = 0, least = UINT32_MAX;

    if (completed < FEW)
        return t->match.outstanding_now <= completed + 1 || (completed == 0 && !t->fit.answered);
    const unsigned last = octave_of(completed); /* at least 2 */
    for (unsigned k = 0; k + 1 < last; k++)
        most = t->fit.most[k] > most ? t->fit.most[k] : most;
    for (unsigned k = last - (completed < SOME); k <= last; k++)
        least = t->fit.least[k] < least ? t->fit.least[k] : least;
    if (least <= 1 || t->match.outstanding_now <= 2)
        return true;
    return completed >= SOME && least <= most + most / 2 + 2;
}

static bool fits(const struct bus_transfer_state *t, bool without_orphans)
{
    return !t->fit.failed && is_steady(t) && (!without_orphans || t->match.figures.orphans == 0);
}

/* Tells why the pairing without conditions does not fit. */
static void explain(struct pc_bus *b)
{
    const struct bus_transfer_state *t = &b->transfer[0];

    for (unsigned i = 0; i < b->transfers; i++)
        if (!b->transfer[i].rule->how)
            t = &b->transfer[i];
    if (t->fit.many)
        snprintf(b->why, sizeof b->why, "too many requests are outstanding at edge %" PRIu64,
                 t->fit.failed_at);
    else if (t->fit.failed)
        snprintf(b->why, sizeof b->why,
                 "the response at edge %" PRIu64 " has no outstanding request", t->fit.failed_at);
    else
        snprintf(b->why, sizeof b->why,
                 "more and more requests stay outstanding, %" PRIu64 " of %" PRIu64 " at the end",
                 t->match.outstanding_now, t->match.figures.started);
}

void pc_bus_pair_choose(struct pc_bus *b)
{
    b->chosen = b->transfers;
    for (unsigned pass = 0; pass < 2 && b->chosen == b->transfers; pass++)
        for (unsigned t = 0; t < b->transfers && b->chosen == b->transfers; t++)
            if (b->transfer[t].rule->flags & BUS_PAIRED && fits(&b->transfer[t], pass == 0))
                b->chosen = t;
    if (b->chosen == b->transfers && b->transfers > 0 && b->transfer[0].rule->flags & BUS_PAIRED)
        explain(b);
}
