/* SPDX-License-Identifier: MIT */
/*
 * Which kernels this build has, and which of them this CPU can run.
 */
#include "kernel/kernel.h"

static const struct pc_kernel *const KERNELS[] = {
    &pc_kernel_portable,
#if defined(__x86_64__) && !defined(PC_PORTABLE)
    &pc_kernel_avx2,
#endif
};

const struct pc_kernel *pc_kernel_at(size_t i)
{
    return i < sizeof KERNELS / sizeof KERNELS[0] ? KERNELS[i] : NULL;
}

const struct pc_kernel *pc_kernel_best(void)
{
    const struct pc_kernel *best = &pc_kernel_portable;

    for (size_t i = 0; i < sizeof KERNELS / sizeof KERNELS[0]; i++)
        if (KERNELS[i]->usable())
            best = KERNELS[i];
    return best;
}
