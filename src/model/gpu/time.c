/* SPDX-License-Identifier: MIT */
/*
 * Time of the device: every domain has edges at phase + k * period (edge.c one instant,
 * wide.c much time at once).  An access may let cycles pass in every domain: time then goes
 * on until the slowest has had them.
 */
#include "model/gpu/gpu.h"

#include <string.h>

/*
 * Cycles that are worth a leap, which has a price of its own: where all clocks are one, and where
 * they differ.
 */
enum { FAR = 8, FAR_APART = 64 };

/* Returns the instant by which a domain, PDAEMON, or (negative) the slowest domain has had that
 * many. */
static uint64_t instant_of(const struct pc_gpu *gpu, int domain, uint64_t cycles)
{
    uint64_t last = 0;

    if (domain == (int)PC_DOM_PDAEMON)
        return gpu->idle_next + (cycles - 1) * gpu->idle_period;
    for (unsigned x = 0; x < gpu->domains; x++) {
        const struct pc_gpu_domain *d = &gpu->domain[x];
        uint64_t then = d->next_edge + (cycles - 1) * d->period;
        if ((domain < 0 || (unsigned)domain == x) && then > last)
            last = then;
    }
    return last;
}

static bool one_clock(const struct pc_gpu *gpu)
{
    for (unsigned x = 1; x < gpu->domains; x++)
        if (!pc_gpu_same_clock(&gpu->domain[0], &gpu->domain[x]))
            return false;
    return true;
}

/* Returns true if it is so far that a leap is worth its price. */
static bool far(const struct pc_gpu *gpu, uint64_t to)
{
    const uint64_t cycles = one_clock(gpu) ? FAR : FAR_APART;

    for (unsigned x = 0; x < gpu->domains; x++) {
        const struct pc_gpu_domain *d = &gpu->domain[x];
        if (to > d->next_edge && (to - d->next_edge) / d->period >= cycles)
            return true;
    }
    return false;
}

/* Returns the next instant at which something has an edge. */
static uint64_t next_instant(const struct pc_gpu *gpu)
{
    uint64_t now = gpu->idle ? gpu->idle_next : UINT64_MAX;

    for (unsigned x = 0; x < gpu->domains; x++)
        if (gpu->domain[x].next_edge < now)
            now = gpu->domain[x].next_edge;
    return now;
}

static void go_straight(struct pc_gpu *gpu, uint64_t to)
{
    for (uint64_t now = next_instant(gpu); now <= to; now = next_instant(gpu))
        if (far(gpu, to) && pc_gpu_can_go_wide(gpu)) {
            pc_gpu_go_wide(gpu, to);
            pc_gpu_idle_until(gpu, to);
        } else {
            pc_gpu_instant(gpu, now);
        }
    gpu->passed = to + 1;
}

/* PTIMER's signal changes on the way. */
static void go_to(struct pc_gpu *gpu, uint64_t to)
{
    while (gpu->ptimer.toggle <= to) {
        go_straight(gpu, pc_ptimer_steady(gpu, to));
        pc_ptimer_drive(gpu);
    }
    if (gpu->passed <= to)
        go_straight(gpu, to);
}

static enum pc_status check_memory(const struct pc_gpu *gpu, struct pc_error *err)
{
    if (!gpu->memory.full)
        return PC_OK;
    return pc_fail(err, 410, "record mode wrote more than %zu bytes of distinct memory",
                   gpu->memory.pages * (size_t)PC_PAGE_BYTES);
}

/* For cycles that are more than 0 */
static bool is_time_for(uint64_t next_edge, uint64_t period, uint64_t cycles)
{
    return next_edge <= PC_GPU_TIME_END && cycles - 1 <= (PC_GPU_TIME_END - next_edge) / period;
}

static enum pc_status check_time(const struct pc_gpu *gpu, int domain, uint64_t cycles,
                                 struct pc_error *err)
{
    if (gpu->ended)
        return pc_fail(err, 418, "time ended within the latency of an access");
    bool is_time =
        domain != (int)PC_DOM_PDAEMON || is_time_for(gpu->idle_next, gpu->idle_period, cycles);

    for (unsigned x = 0; x < gpu->domains; x++) {
        const struct pc_gpu_domain *d = &gpu->domain[x];
        if (domain < 0 || (unsigned)domain == x)
            is_time &= is_time_for(d->next_edge, d->period, cycles);
    }
    if (is_time)
        return PC_OK;
    return pc_fail(err, 418, "time ends before the domain has had %llu more cycles",
                   (unsigned long long)cycles);
}

enum pc_status pc_gpu_advance(struct pc_gpu *gpu, int domain, uint64_t cycles, struct pc_error *err)
{
    if (cycles == 0)
        return PC_OK;
    if (gpu->advance) {
        enum pc_status status = gpu->advance(gpu->advance_ctx, domain, cycles, err);
        return status == PC_OK ? check_memory(gpu, err) : status;
    }
    enum pc_status status = check_time(gpu, domain, cycles, err);
    if (status != PC_OK) {
        gpu->ended = gpu->ended || domain < 0; /* an access has no error: the next run tells it */
        return status;
    }
    go_to(gpu, instant_of(gpu, domain, cycles));
    return check_memory(gpu, err);
}

enum pc_status pc_gpu_pass(struct pc_gpu *gpu, uint64_t instants, struct pc_error *err)
{
    if (instants == 0)
        return PC_OK;
    if (instants > PC_GPU_TIME_END + 1 - gpu->passed)
        return pc_fail(err, 418, "time ends before %llu instants more",
                       (unsigned long long)instants);
    go_to(gpu, gpu->passed + instants - 1);
    return check_memory(gpu, err);
}

void pc_gpu_let_pass(struct pc_gpu *gpu, uint32_t cycles)
{
    /* An end of time or full record memory shows at the next run, which reports it. */
    enum pc_status status = pc_gpu_advance(gpu, -1, cycles, NULL);
    (void)status;
}

static enum pc_status check_domain(const struct pc_gpu *gpu, unsigned domain, struct pc_error *err)
{
    if (domain < gpu->domains)
        return PC_OK;
    return pc_fail(err, 407, "%s has no domain %u", gpu->chip->name, domain);
}

enum pc_status pc_gpu_run(struct pc_gpu *gpu, unsigned domain, uint64_t cycles,
                          struct pc_error *err)
{
    bool idle = domain == PC_DOM_PDAEMON && gpu->idle;
    enum pc_status status = idle ? PC_OK : check_domain(gpu, domain, err);

    return status == PC_OK ? pc_gpu_advance(gpu, (int)domain, cycles, err) : status;
}

void pc_gpu_external_time(struct pc_gpu *gpu, pc_gpu_time_fn *advance, void *ctx)
{
    gpu->advance = advance;
    gpu->advance_ctx = ctx;
}

void pc_gpu_latency(struct pc_gpu *gpu, uint32_t write_cycles, uint32_t read_cycles)
{
    gpu->write_cycles = write_cycles;
    gpu->read_cycles = read_cycles;
}

/* Returns the first edge of a clock that is not in time already passed. */
static uint64_t first_edge(const struct pc_gpu *gpu, uint64_t period, uint64_t phase)
{
    uint64_t now = gpu->passed;

    return phase >= now ? phase : phase + (now - phase + period - 1) / period * period;
}

enum pc_status pc_gpu_clock(struct pc_gpu *gpu, unsigned domain, uint64_t period, uint64_t phase,
                            struct pc_error *err)
{
    bool idle = domain == PC_DOM_PDAEMON && gpu->idle;
    enum pc_status status = idle ? PC_OK : check_domain(gpu, domain, err);

    if (status != PC_OK)
        return status;
    if (period == 0 || period > UINT32_MAX || phase > UINT32_MAX)
        return pc_fail(err, 409, "a clock of period %llu and phase %llu is not possible",
                       (unsigned long long)period, (unsigned long long)phase);
    uint64_t next = first_edge(gpu, period, phase);
    *(idle ? &gpu->idle_period : &gpu->domain[domain].period) = period;
    *(idle ? &gpu->idle_next : &gpu->domain[domain].next_edge) = next;
    return PC_OK;
}

static enum pc_status drivable(const struct pc_gpu *gpu, unsigned domain, unsigned signal,
                               struct pc_error *err)
{
    enum pc_status status = check_domain(gpu, domain, err);

    if (status != PC_OK)
        return status;
    const struct pc_chip *chip = gpu->domain[domain].unit->chip;
    unsigned inside = gpu->domain[domain].domain;
    switch (pc_chip_signal(chip, inside, signal).kind) {
    case PC_SIG_RAW:
        if (pc_ptimer_drives(gpu, domain, signal))
            return pc_fail(err, 408, "signal %02x of domain %u is driven by PTIMER", signal,
                           domain);
        return PC_OK;
    case PC_SIG_ABSENT:
        return pc_fail(err, 407, "domain %u of %s has no signal %02x: they end at %02x", domain,
                       chip->name, signal, chip->domain[inside].size - 1u);
    default:
        return pc_fail(err, 408, "signal %02x of domain %u is driven by PCOUNTER itself", signal,
                       domain);
    }
}

enum pc_status pc_gpu_set(struct pc_gpu *gpu, unsigned domain, unsigned signal, bool level,
                          struct pc_error *err)
{
    enum pc_status status = drivable(gpu, domain, signal, err);

    if (status != PC_OK)
        return status;
    size_t kept = 0;
    for (size_t i = 0; i < gpu->plays; i++) { /* a level ends what was playing */
        struct pc_play *p = &gpu->play[i];
        if (p->domain == domain && p->signal == signal)
            pc_play_free(&gpu->alloc, p);
        else
            gpu->play[kept++] = *p;
    }
    gpu->plays = kept;
    pc_gpu_level(gpu, domain, signal, level);
    return PC_OK;
}

enum pc_status pc_gpu_play(struct pc_gpu *gpu, unsigned domain, unsigned signal,
                           const uint8_t *levels, size_t count, struct pc_error *err)
{
    enum pc_status status = drivable(gpu, domain, signal, err);

    if (status != PC_OK || count == 0)
        return status;
    struct pc_play play;
    if (!pc_grow(&gpu->alloc, (void **)&gpu->play, &gpu->plays_capacity, gpu->plays + 1,
                 sizeof *gpu->play) ||
        !pc_play_make(&gpu->alloc, domain, signal, levels, count, &play))
        return pc_fail(err, 100, "no memory for %zu levels of a signal", count);
    /* Ends what the signal was playing; until its first cycle it keeps its level. */
    status = pc_gpu_set(gpu, domain, signal,
                        gpu->domain[domain].level[signal / 64] >> (signal % 64) & 1, err);
    gpu->play[gpu->plays++] = play;
    return status;
}

void pc_gpu_pulse(struct pc_gpu *gpu, enum pc_pulse pulse)
{
    for (unsigned i = 0; i < gpu->units; i++)
        pc_unit_pulse(gpu->unit[i], pulse, 0);
}
