/* SPDX-License-Identifier: MIT */
#include "engine/pace.h"

#include <time.h>

/*
 * A round of blocks begins with one that counts for nothing, as scratch memory may be new; then
 * come TRIALS in the order with, without, without, with, and what was faster holds for the rest.
 */
enum { TRIALS = 4, ROUND = 128 };

/* Not monotonic, but only used to choose between two ways to the same numbers. */
static uint64_t now(void)
{
    struct timespec t;

    (void)timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static bool is_trial(const struct eg_pace *p)
{
    return p->block >= 1 && p->block <= TRIALS;
}

void eg_pace_begin(struct eg_pace *p)
{
    if (p->block == 0)
        p->least[0] = p->least[1] = UINT64_MAX;
    if (is_trial(p)) {
        p->asks = p->block == 1 || p->block == TRIALS;
        p->began = now();
    }
}

void eg_pace_end(struct eg_pace *p)
{
    if (is_trial(p)) {
        uint64_t spent = now() - p->began, *least = &p->least[p->asks];
        *least = spent < *least ? spent : *least;
        if (p->block == TRIALS)
            p->pays = p->least[1] <= p->least[0];
        p->asks = p->pays; /* also in short blocks, which may come next */
    }
    p->block = (p->block + 1) % ROUND;
}
