/* SPDX-License-Identifier: MIT */
/*
 * One instant of the device's time: edges of several domains at one instant are one step of each
 * unit, in which the signals that play move on and an access's pulses are seen.
 */
#include "model/gpu/gpu.h"

#include <string.h>

static void set_level(uint64_t *level, unsigned signal, bool value)
{
    uint64_t bit = UINT64_C(1) << (signal % 64);

    level[signal / 64] = (level[signal / 64] & ~bit) | (value ? bit : 0);
}

/* Moves the signals that play on in the domains that have an edge now. */
static void play_edge(struct pc_gpu *gpu, uint64_t edges)
{
    size_t kept = 0;

    for (size_t i = 0; i < gpu->plays; i++) {
        struct pc_play *p = &gpu->play[i];
        if (edges >> p->domain & 1)
            set_level(gpu->domain[p->domain].level, p->signal, p->levels[p->at++] != 0);
        if (p->at == p->count)
            pc_play_free(&gpu->alloc, p);
        else
            gpu->play[kept++] = *p;
    }
    gpu->plays = kept;
}

void pc_gpu_level(struct pc_gpu *gpu, unsigned domain, unsigned signal, bool level)
{
    set_level(gpu->domain[domain].level, signal, level);
}

bool pc_play_make(const struct pc_alloc *alloc, unsigned domain, unsigned signal,
                  const uint8_t *levels, size_t count, struct pc_play *out)
{
    size_t bytes;
    uint64_t *window = NULL;

    if (pc_size_add(PC_PLAY_WORDS * sizeof *window, count, &bytes))
        window = (uint64_t *)alloc->resize(alloc->ctx, NULL, 0, bytes);
    if (!window)
        return false;
    *out = (struct pc_play){ .domain = (uint8_t)domain,
                             .signal = (uint8_t)signal,
                             .levels = (uint8_t *)(window + PC_PLAY_WORDS),
                             .count = count,
                             .window = window };
    memcpy(out->levels, levels, count);
    return true;
}

void pc_play_free(const struct pc_alloc *alloc, struct pc_play *p)
{
    pc_free(alloc, p->window, PC_PLAY_WORDS * sizeof *p->window + p->count);
}

void pc_gpu_edge(struct pc_gpu *gpu, uint64_t edges, const uint64_t (*raw)[PC_SIG_WORDS],
                 const uint64_t (*mask)[PC_SIG_WORDS])
{
    uint64_t now[PC_GPU_DOMAINS][PC_SIG_WORDS];

    if (gpu->plays > 0)
        play_edge(gpu, edges);
    for (unsigned x = 0; x < gpu->domains; x++) {
        const uint64_t *level = gpu->domain[x].level;
        for (unsigned w = 0; w < PC_SIG_WORDS; w++)
            now[x][w] =
                raw && mask ? (level[w] & ~mask[x][w]) | (raw[x][w] & mask[x][w]) : level[w];
    }
    pc_bus_edge(gpu, edges, now);
    for (unsigned x = 0; x < gpu->domains; x += gpu->domain[x].unit->chip->domains) {
        unsigned n = gpu->domain[x].unit->chip->domains;
        uint32_t of_unit = (uint32_t)(edges >> x & ((UINT64_C(1) << n) - 1));
        if (of_unit != 0)
            pc_unit_pass(gpu->domain[x].unit, of_unit, (const uint64_t(*)[PC_SIG_WORDS]) & now[x]);
    }
}

void pc_gpu_idle_until(struct pc_gpu *gpu, uint64_t now)
{
    if (!gpu->idle || gpu->idle_next > now)
        return;
    uint64_t cycles = (now - gpu->idle_next) / gpu->idle_period + 1;
    if (pc_gpu_pdaemon_on(gpu))
        pc_idle_run(gpu->idle, gpu->idle_signals, cycles);
    gpu->idle_cycles += cycles;
    gpu->idle_next += cycles * gpu->idle_period;
}

void pc_gpu_instant(struct pc_gpu *gpu, uint64_t now)
{
    uint64_t edges = 0;

    for (unsigned x = 0; x < gpu->domains; x++) {
        if (gpu->domain[x].next_edge == now) {
            edges |= UINT64_C(1) << x;
            gpu->domain[x].next_edge += gpu->domain[x].period;
        }
    }
    pc_gpu_idle_until(gpu, now);
    if (edges != 0)
        pc_gpu_edge(gpu, edges, NULL, NULL);
}
