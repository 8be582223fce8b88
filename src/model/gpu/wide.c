/* SPDX-License-Identifier: MIT */
/*
 * Much time at once: each unit of the device by itself up to an instant (unit.c), as units
 * have nothing to do with each other but the order of their packets (packets.c).  Instants from
 * outside come as planes.
 */
#include "model/gpu/gpu.h"

#include <string.h>

#include "pcounter/run.h"

/* FEW: instants that are not worth a run */
enum { FEW_INSTANTS = 256 };

/* Played signals are read once: a window that several send in may have to be gone through again. */
bool pc_gpu_can_go_wide(const struct pc_gpu *gpu)
{
    return gpu->bus_pending == 0 && (gpu->plays == 0 || !pc_gpu_several_send(gpu));
}

enum pc_run_how pc_gpu_explain(const struct pc_gpu *gpu, unsigned domain, const char **why)
{
    *why = domain < gpu->domains ? "signals play while several units send packets"
                                 : "there is no such domain";
    if (domain >= gpu->domains || (gpu->plays > 0 && pc_gpu_several_send(gpu)))
        return PC_RUN_STEP;
    return pc_unit_explain(gpu->domain[domain].unit, gpu->domain[domain].domain, why);
}

void pc_gpu_go_wide(struct pc_gpu *gpu, uint64_t to)
{
    bool several = pc_gpu_several_send(gpu);

    for (unsigned x = 0; x < gpu->domains; x += gpu->domain[x].unit->chip->domains)
        if (!several || !pc_gpu_sends(gpu->domain[x].unit))
            pc_gpu_unit_until(gpu, x, to);
    if (several)
        pc_gpu_senders_until(gpu, to);
}

/* --- instants from outside --- */

/* Returns true if the edge is at this instant of the run. */
static bool has_edge(const struct pc_run_domain *d, uint64_t instant)
{
    return !d->still && (!d->edge || d->edge[instant / 64] >> (instant % 64) & 1);
}

static void put_bit(uint64_t *words, unsigned i, bool level)
{
    uint64_t bit = UINT64_C(1) << (i % 64);

    words[i / 64] = level ? words[i / 64] | bit : words[i / 64] & ~bit;
}

static void one_by_one(struct pc_gpu *gpu, uint64_t instants, const struct pc_run_domain *domain)
{
    uint64_t raw[PC_GPU_DOMAINS][PC_SIG_WORDS] = { { 0 } };
    uint64_t mask[PC_GPU_DOMAINS][PC_SIG_WORDS] = { { 0 } }, cycle[PC_GPU_DOMAINS] = { 0 };

    for (unsigned x = 0; x < gpu->domains; x++)
        for (unsigned i = 0; !domain[x].still && domain[x].plane && i < PC_MAX_SIGNALS; i++)
            put_bit(mask[x], i, domain[x].plane[i] != NULL);
    for (uint64_t t = 0; t < instants; t++) {
        uint64_t edges = 0;
        for (unsigned x = 0; x < gpu->domains; x++) {
            if (!has_edge(&domain[x], t))
                continue;
            for (unsigned w = 0; w < PC_SIG_WORDS; w++)
                for (uint64_t left = mask[x][w]; left; left &= left - 1) {
                    unsigned i = 64 * w + (unsigned)__builtin_ctzll(left);
                    const uint64_t *plane = domain[x].plane[i];
                    put_bit(raw[x], i, plane[cycle[x] / 64] >> (cycle[x] % 64) & 1);
                }
            edges |= UINT64_C(1) << x;
            cycle[x]++;
        }
        if (edges != 0)
            pc_gpu_edge(gpu, edges, (const uint64_t(*)[PC_SIG_WORDS])raw,
                        (const uint64_t(*)[PC_SIG_WORDS])mask);
    }
}

void pc_gpu_edges(struct pc_gpu *gpu, uint64_t instants, const struct pc_run_domain *domain)
{
    bool several = pc_gpu_several_send(gpu);

    if (instants < FEW_INSTANTS || gpu->plays > 0 || pc_bus_waits(gpu, domain) ||
        (several && !pc_gpu_senders_edges(gpu, instants, domain))) {
        one_by_one(gpu, instants, domain);
        return;
    }
    for (unsigned x = 0; x < gpu->domains; x += gpu->domain[x].unit->chip->domains)
        if (!several || !pc_gpu_sends(gpu->domain[x].unit))
            pc_gpu_unit_edges(gpu, x, instants, domain);
}
