/* SPDX-License-Identifier: MIT */
/*
 * A unit of the device by itself, up to an instant or through instants from outside.  Where nothing
 * plays, much of it is leapt over (still.c); else it goes in windows (window.c).
 */
#include "model/gpu/gpu.h"

#include <string.h>

#include "pcounter/run.h"

bool pc_gpu_sends(const struct pc_unit *u)
{
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (pc_sends(&u->state.domain[x]))
            return true;
    return false;
}

void pc_gpu_unit_until(struct pc_gpu *gpu, unsigned first, uint64_t to)
{
    if (pc_gpu_plays_until(gpu, first, to))
        pc_gpu_still_until(gpu, first, to);
}

/* Instants of a plane, of which those after the end do not matter */
static bool same_edges(const uint64_t *a, const uint64_t *b, uint64_t instants)
{
    size_t words = (size_t)(instants / 64);
    uint64_t last = instants % 64 ? a[words] ^ b[words] : 0;

    return memcmp(a, b, words * sizeof *a) == 0 &&
           (last & ((UINT64_C(1) << instants % 64) - 1)) == 0;
}

void pc_gpu_unit_edges(struct pc_gpu *gpu, unsigned first, uint64_t instants,
                       const struct pc_run_domain *domain)
{
    struct pc_run_domain each[PC_MAX_DOMAINS];
    struct pc_unit *u = gpu->domain[first].unit;
    bool any = false;

    for (unsigned x = 0; x < u->chip->domains; x++) {
        each[x] = domain[first + x];
        each[x].level = gpu->domain[first + x].level;
        any = any || !each[x].still;
        pc_gpu_clock_of_run(gpu, x, 0, 1, each[x].edge);
        for (unsigned y = 0; y < x && !each[x].still && each[x].edge; y++)
            if (!each[y].still && each[y].edge && same_edges(each[y].edge, each[x].edge, instants))
                each[x].edge = each[y].edge; /* one clock */
    }
    const struct pc_run all = { .cycles = instants, .domain = each };
    if (any)
        pc_unit_run(u, gpu->engine, &all);
}
