/* SPDX-License-Identifier: MIT */
/* Which loops over records of 0s and 1s this build has, and which of them this CPU can run. */
#include "wave/fst/direct.h"

static const struct fst_loops *const LOOPS[] = {
    &fst_loops_portable,
#if defined(__x86_64__)
    &fst_loops_avx2,
#endif
};

const struct fst_loops *fst_loops_at(size_t i)
{
    return i < sizeof LOOPS / sizeof LOOPS[0] ? LOOPS[i] : NULL;
}

const struct fst_loops *fst_loops_best(void)
{
    const struct fst_loops *best = &fst_loops_portable;

    for (size_t i = 0; i < sizeof LOOPS / sizeof LOOPS[0]; i++)
        if (LOOPS[i]->usable())
            best = LOOPS[i];
    return best;
}
