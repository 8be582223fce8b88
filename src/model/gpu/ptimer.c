/* SPDX-License-Identifier: MIT */
/*
 * PTIMER, where pc_gpu_desc.ptimer asks for it: ns in steps of 32, which follow the device's time.
 *   009200  divisor    009210  factor    009400  bits 31:5 of the time    009410  bits 60:32
 *
 * Not modelled: rates (U-029), its interrupt, and its bits as signals of PCOUNTER.
 */
#include "model/gpu/gpu.h"

#define STEPS      (~UINT32_C(31))
#define HIGH       UINT32_C(0x1fffffff)
#define FIRST_RATE 1 /* of both: firmware has set them */

enum { DIVISOR = 0x9200, FACTOR = 0x9210, TIME_LOW = 0x9400, TIME_HIGH = 0x9410 };

void pc_ptimer_reset(struct pc_gpu *gpu)
{
    gpu->ptimer = (struct pc_ptimer){ .on = gpu->ptimer.on,
                                      .divisor = FIRST_RATE,
                                      .factor = FIRST_RATE,
                                      .since = pc_gpu_now_ns(gpu) };
}

bool pc_ptimer_at(const struct pc_gpu *gpu, uint32_t address)
{
    return gpu->ptimer.on &&
           (address == DIVISOR || address == FACTOR || address == TIME_LOW || address == TIME_HIGH);
}

static uint64_t time_of(const struct pc_gpu *gpu)
{
    const struct pc_ptimer *t = &gpu->ptimer;

    return t->time + (t->factor == 0 ? 0 : pc_gpu_now_ns(gpu) - t->since);
}

uint32_t pc_ptimer_read(const struct pc_gpu *gpu, uint32_t address)
{
    switch (address) {
    case DIVISOR:
        return gpu->ptimer.divisor;
    case FACTOR:
        return gpu->ptimer.factor;
    case TIME_LOW:
        return (uint32_t)time_of(gpu) & STEPS;
    default:
        return (uint32_t)(time_of(gpu) >> 32) & HIGH;
    }
}

void pc_ptimer_write(struct pc_gpu *gpu, uint32_t address, uint32_t value)
{
    struct pc_ptimer *t = &gpu->ptimer;

    t->time = time_of(gpu);
    t->since = pc_gpu_now_ns(gpu);
    switch (address) {
    case DIVISOR:
        t->divisor = value;
        break;
    case FACTOR:
        t->factor = value;
        break;
    case TIME_LOW:
        t->time = (t->time & ~(uint64_t)UINT32_MAX) | (value & STEPS);
        break;
    default:
        t->time = (t->time & UINT32_MAX) | (uint64_t)(value & HIGH) << 32;
        break;
    }
}
