/* SPDX-License-Identifier: MIT */
/* From instants of the device's time to ns, and back (hertz.c says what an instant is). */
#include "model/gpu/gpu.h"

#include <assert.h>

#define NS_PER_SECOND UINT64_C(1000000000)

/* Digit by digit: a second's ns are 10^9, and ten times a unit fits. */
static_assert(PC_GPU_UNIT_HZ_LAST <= UINT64_MAX / 10, "ten times the rest of a division fits");

uint64_t pc_gpu_ns_at(const struct pc_gpu *gpu, uint64_t instant)
{
    uint64_t rest = instant % gpu->unit_hz, ns = instant / gpu->unit_hz;

    for (unsigned digit = 0; digit < 9; digit++) {
        rest *= 10;
        ns = ns * 10 + rest / gpu->unit_hz;
        rest %= gpu->unit_hz;
    }
    return gpu->ns_before + ns;
}

uint64_t pc_gpu_now_ns(const struct pc_gpu *gpu)
{
    return pc_gpu_ns_at(gpu, gpu->passed);
}

uint64_t pc_gpu_instant_of_ns(const struct pc_gpu *gpu, uint64_t ns)
{
    const uint64_t after = ns - gpu->ns_before;
    const uint64_t seconds = after / NS_PER_SECOND, below = after % NS_PER_SECOND;
    const uint64_t whole = gpu->unit_hz / NS_PER_SECOND, part = gpu->unit_hz % NS_PER_SECOND;

    if (seconds > PC_GPU_TIME_END / gpu->unit_hz)
        return UINT64_MAX;
    return seconds * gpu->unit_hz + below * whole +
           (below * part + NS_PER_SECOND - 1) / NS_PER_SECOND;
}
