/* SPDX-License-Identifier: MIT */
/*
 * PTIMER, where pc_gpu_desc.ptimer asks for it: ns in steps of 32, which follow the device's time.
 *   009200  divisor    009210  factor    009400  bits 31:5 of the time    009410  bits 60:32
 *
 * Bit 12 of its steps is a signal of PCOUNTER where the documents list one.
 *
 * Not modelled: rates (U-029) and its interrupt.
 */
#include "model/gpu/gpu.h"

#include <string.h>

#define STEPS      (~UINT32_C(31))
#define HIGH       UINT32_C(0x1fffffff)
#define FIRST_RATE 1 /* of both: firmware has set them */

enum { DIVISOR = 0x9200, FACTOR = 0x9210, TIME_LOW = 0x9400, TIME_HIGH = 0x9410 };

void pc_ptimer_reset(struct pc_gpu *gpu)
{
    gpu->ptimer = (struct pc_ptimer){ .on = gpu->ptimer.on,
                                      .divisor = FIRST_RATE,
                                      .factor = FIRST_RATE,
                                      .since = pc_gpu_now_ns(gpu),
                                      .toggle = UINT64_MAX };
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
    pc_ptimer_drive(gpu);
}

/* ---- its signal ---- */

#define HALF_PERIOD (UINT64_C(1) << 17) /* ns: bit 12 of steps of 32 */

struct ptimer_signal {
    const char *chip;
    uint8_t domain, signal;
};
static const struct ptimer_signal ptimer_signals[] = {
#include "ptimer_signal.inc"
};

static const struct ptimer_signal *row_of(const struct pc_gpu *gpu)
{
    for (size_t i = 0; gpu->ptimer.on && i < sizeof ptimer_signals / sizeof ptimer_signals[0]; i++)
        if (strcmp(ptimer_signals[i].chip, gpu->chip->name) == 0)
            return &ptimer_signals[i];
    return NULL;
}

bool pc_ptimer_drives(const struct pc_gpu *gpu, unsigned domain, unsigned signal)
{
    const struct ptimer_signal *row = row_of(gpu);

    return row && row->domain == domain && row->signal == signal;
}

void pc_ptimer_drive(struct pc_gpu *gpu)
{
    const struct ptimer_signal *row = row_of(gpu);
    struct pc_ptimer *t = &gpu->ptimer;

    t->toggle = UINT64_MAX;
    if (!row)
        return;
    const uint64_t now = time_of(gpu);
    pc_gpu_level(gpu, row->domain, row->signal, (now & HALF_PERIOD) != 0);
    if (t->factor != 0)
        t->toggle = pc_gpu_instant_of_ns(gpu, pc_gpu_now_ns(gpu) + HALF_PERIOD - now % HALF_PERIOD);
}

/* Returns true if an input of its domain selects it. */
static bool is_selected(const struct pc_gpu *gpu, const struct ptimer_signal *row)
{
    const struct pc_domain *d = &gpu->unit[0]->state.domain[row->domain];

    for (unsigned n = 0; n < PC_INPUTS; n++)
        for (unsigned i = 0; i < 4; i++)
            if ((d->src[n] >> 8 * i & 0xff) == row->signal)
                return true;
    return (d->spec_src & 0xff) == row->signal || (d->spec_src >> 8 & 0xff) == row->signal;
}

uint64_t pc_ptimer_steady(const struct pc_gpu *gpu, uint64_t to)
{
    const uint64_t toggle = gpu->ptimer.toggle;

    if (toggle > to)
        return to;
    if (is_selected(gpu, row_of(gpu)))
        return toggle - 1;
    const uint64_t first = pc_gpu_ns_at(gpu, toggle), last = pc_gpu_ns_at(gpu, to);
    return pc_gpu_instant_of_ns(gpu, last - (last - first) % HALF_PERIOD) - 1;
}
