/* SPDX-License-Identifier: MIT */
/*
 * Time in ns and clocks in Hz.  The device's time goes in instants (time.c); `unit_hz` of them are
 * a second, and a domain's frequency is unit_hz / period.  An unit_hz is found in which the period
 * of each clock is whole, so edges never drift; what elapsed ns leave of an instant is carried.
 */
#include "model/gpu/gpu.h"

#include <string.h>

#define NS_PER_SECOND UINT64_C(1000000000)
#define UNIT_HZ       UINT64_C(500000000) /* at first: with period 1 a domain has 500 MHz */

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t left = a % b;
        a = b;
        b = left;
    }
    return a;
}

/* ---- clocks ---- */

/* Periods of each domain, and last of PDAEMON, in one unit */
struct clocks {
    uint64_t unit_hz, period[PC_GPU_DOMAINS + 1];
    unsigned count;
};

static struct clocks clocks_of(const struct pc_gpu *gpu)
{
    struct clocks c = { .unit_hz = gpu->unit_hz, .count = gpu->domains + (gpu->idle ? 1 : 0) };

    for (unsigned x = 0; x < gpu->domains; x++)
        c.period[x] = gpu->domain[x].period;
    c.period[gpu->domains] = gpu->idle_period;
    return c;
}

/* Finds the longest instants that the clocks need, except for that of `but`. */
static void lengthen_unit(struct clocks *c, unsigned but)
{
    uint64_t common = c->unit_hz;

    for (unsigned x = 0; x < c->count; x++)
        if (x != but)
            common = gcd(common, c->period[x]);
    c->unit_hz /= common;
    for (unsigned x = 0; x < c->count; x++)
        c->period[x] /= common;
}

/* Gives one of the clocks another frequency; false: there is no unit for all of them. */
static bool give(struct clocks *c, unsigned which, uint64_t hz)
{
    lengthen_unit(c, which);
    const uint64_t finer = hz / gcd(c->unit_hz, hz);

    if (c->unit_hz > PC_GPU_UNIT_HZ_LAST / finer)
        return false;
    c->unit_hz *= finer;
    for (unsigned x = 0; x < c->count; x++) {
        c->period[x] = x == which ? c->unit_hz / hz : c->period[x] * finer;
        if (c->period[x] > UINT32_MAX)
            return false;
    }
    return true;
}

/* Another unit: time starts anew, and each clock with an edge. */
static void start_anew(struct pc_gpu *gpu, const struct clocks *c)
{
    gpu->ns_before = pc_gpu_now_ns(gpu);
    gpu->unit_hz = c->unit_hz;
    gpu->passed = gpu->rest = 0;
    for (unsigned x = 0; x < gpu->domains; x++) {
        gpu->domain[x].period = c->period[x];
        gpu->domain[x].next_edge = 0;
    }
    if (gpu->idle)
        gpu->idle_period = c->period[gpu->domains];
    gpu->idle_next = 0;
    pc_ptimer_drive(gpu);
}

enum pc_status pc_gpu_clock_hz(struct pc_gpu *gpu, unsigned domain, uint64_t hz,
                               struct pc_error *err)
{
    struct clocks c = clocks_of(gpu);
    const bool every = domain == PC_DOM_EVERY, idle = domain == PC_DOM_PDAEMON && gpu->idle;

    if (!every && !idle && domain >= gpu->domains)
        return pc_fail(err, 407, "%s has no domain %u", gpu->chip->name, domain);
    if (hz == 0 || hz > UINT32_MAX)
        return pc_fail(err, 409, "a clock of %llu Hz is not possible", (unsigned long long)hz);
    if (every) {
        c.unit_hz = hz;
        for (unsigned x = 0; x < c.count; x++)
            c.period[x] = 1;
    } else if (!give(&c, idle ? gpu->domains : domain, hz)) {
        return pc_fail(err, 409,
                       "a clock of %llu Hz has no whole period beside the clocks of the others; "
                       "take rounder frequencies",
                       (unsigned long long)hz);
    }
    if (c.unit_hz != gpu->unit_hz || every) {
        start_anew(gpu, &c);
        return PC_OK;
    }
    return pc_gpu_clock(gpu, domain, c.period[idle ? gpu->domains : domain], 0, err);
}

/* ---- time ---- */

void pc_gpu_hertz_begin(struct pc_gpu *gpu)
{
    gpu->unit_hz = UNIT_HZ;
}

enum pc_status pc_gpu_elapse(struct pc_gpu *gpu, uint64_t ns, struct pc_error *err)
{
    const uint64_t seconds = ns / NS_PER_SECOND, below = ns % NS_PER_SECOND;
    const uint64_t whole = gpu->unit_hz / NS_PER_SECOND, part = gpu->unit_hz % NS_PER_SECOND;
    const uint64_t rest = below * part + gpu->rest; /* below 10^18 + 10^9 */
    const uint64_t more = below * whole + rest / NS_PER_SECOND;

    if (gpu->advance)
        return pc_fail(err, 419, "time comes from outside: pc_gpu_external_time()");
    if (seconds > PC_GPU_TIME_END / gpu->unit_hz)
        return pc_fail(err, 418, "time ends before %llu ns more", (unsigned long long)ns);
    enum pc_status status = pc_gpu_pass(gpu, seconds * gpu->unit_hz + more, err);
    if (status == PC_OK || gpu->memory.full) /* it has passed */
        gpu->rest = rest % NS_PER_SECOND;
    return status;
}
