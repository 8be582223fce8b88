/* SPDX-License-Identifier: MIT */
#include "model/engine/prefetch.h"

#include <time.h>

/*
 * A round of blocks begins with a TRIAL of each way, and what was faster holds for the rest.  The
 * first block of a trial counts for nothing: scratch memory may be new, and planes are near that
 * the block before has asked for.
 */
enum { TRIAL = 3, ROUND = 128 };

/* Not monotonic, but only used to choose between two ways to the same numbers. */
static uint64_t now(void)
{
#ifdef TIME_UTC
    struct timespec t;

    (void)timespec_get(&t, TIME_UTC);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
#else /* an old libc of Windows */
    return (uint64_t)clock();
#endif
}

static bool is_trial(const struct eg_prefetch *p)
{
    return p->block < 2 * TRIAL;
}

void eg_prefetch_begin(struct eg_prefetch *p)
{
    if (p->block == 0)
        p->least[0] = p->least[1] = UINT64_MAX;
    if (is_trial(p)) {
        p->asks = p->block < TRIAL;
        p->began = now();
    }
}

void eg_prefetch_end(struct eg_prefetch *p)
{
    if (is_trial(p)) {
        uint64_t spent = now() - p->began, *least = &p->least[p->asks];
        if (p->block % TRIAL > 0)
            *least = spent < *least ? spent : *least;
        if (p->block == 2 * TRIAL - 1)
            p->pays = p->least[1] <= p->least[0];
        p->asks = p->pays; /* also in short blocks, which may come next */
    }
    p->block = (p->block + 1) % ROUND;
}
