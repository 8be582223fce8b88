/* SPDX-License-Identifier: MIT */
/*
 * CVA6's counters over bit planes, 64 clocks a word: between CSR accesses selectors and
 * inhibits stand still, so that every counter is a popcount.  The same as steps; the wide
 * forms of the lines stand beside the narrow ones in rules/hpm_events.h.
 */
#include "kernel/kernel.h"
#include "hpm/hpm.h"
#include "rules/hpm_events.h"

/* Clocks of word w that belong to the block and in which the counters do not stand still. */
static uint64_t running(const struct pc_hpm *hpm, const struct pc_hpm_block *b, uint64_t w)
{
    const uint64_t end = b->first + b->cycles, start = w * 64;
    uint64_t mask = UINT64_MAX;

    if (b->first > start)
        mask &= UINT64_MAX << (b->first - start);
    if (end < start + 64)
        mask &= PC_MUT(67, (UINT64_C(1) << (end - start)) - 1, UINT64_MAX);
    return pc_hpm_stopped(hpm, true) ? mask & ~pc_hpm_plane(b->debug, (size_t)w) : mask;
}

void pc_hpm_added(const struct pc_hpm *hpm, const struct pc_hpm_block *b, unsigned e, size_t w,
                  uint64_t add[2])
{
    const uint64_t mask = running(hpm, b, w);
    const bool two = hpm->config.commit_ports > 1;

    add[0] = add[1] = 0;
    if (e == PC_HPM_ADDED_CYCLES) {
        add[0] = mask;
    } else if (e == PC_HPM_ADDED_INSTRET) {
        const uint64_t commit =
            mask & PC_MUT(69, ~pc_hpm_plane(b->line[PC_HPM_EXCEPTION], w), UINT64_MAX);
        add[0] = commit & pc_hpm_plane(b->port[0].ack, w);
        add[1] = two ? commit & pc_hpm_plane(b->port[1].ack, w) : 0;
    } else if (e < PC_HPM_EVENTS && !(PC_HPM_PORT_EVENTS >> e & 1)) {
        add[0] = mask & pc_hpm_line_wide(b, e, hpm->config.dcache_ways, w, hpm->active);
    } else if (e < PC_HPM_EVENTS) { /* HPM.COUNT.3: others are nothing */
        add[0] = mask & pc_hpm_port_wide(&b->port[0], e, w, hpm->active);
        add[1] = two ? mask & pc_hpm_port_wide(&b->port[1], e, w, hpm->active) : 0;
        if (PC_MUT(68, hpm->active & PC_HPM_Q_OR_PORTS, true)) {
            add[0] |= add[1];
            add[1] = 0;
        }
    }
}

/* The same over the whole block. */
static uint64_t total(const struct pc_hpm *hpm, const struct pc_hpm_block *b, unsigned e)
{
    enum { TILE = 64 };
    const struct pc_kernel *kernel = pc_kernel_best();
    const uint64_t end = (b->first + b->cycles + 63) / 64;
    uint64_t sum = 0, add[2], once[TILE], twice[TILE];

    for (uint64_t first = b->first / 64; first < end; first += TILE) {
        const size_t words = end - first < TILE ? (size_t)(end - first) : TILE;
        for (size_t i = 0; i < words; i++) {
            pc_hpm_added(hpm, b, e, (size_t)first + i, add);
            once[i] = add[0];
            twice[i] = add[1];
        }
        sum += kernel->count(once, words) + kernel->count(twice, words);
    }
    return sum;
}

void pc_hpm_run(struct pc_hpm *hpm, const struct pc_hpm_block *block)
{
    if (block->cycles == 0)
        return;
    if (!(hpm->s.inhibit & 1))
        hpm->s.counter[0] += total(hpm, block, PC_HPM_ADDED_CYCLES);
    if (!(hpm->s.inhibit >> 2 & 1))
        hpm->s.counter[2] += total(hpm, block, PC_HPM_ADDED_INSTRET);
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST && hpm->config.perf_counter_en; c++)
        if (hpm->s.selector[c] != 0 && !(hpm->s.inhibit >> c & 1))
            hpm->s.counter[c] += total(hpm, block, hpm->s.selector[c]);
}

void pc_hpm_count(const struct pc_hpm *hpm, const struct pc_hpm_block *block,
                  struct pc_hpm_totals *totals)
{
    if (block->cycles == 0)
        return;
    totals->cycles += total(hpm, block, PC_HPM_ADDED_CYCLES);
    totals->instret += total(hpm, block, PC_HPM_ADDED_INSTRET);
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        totals->event[e] += total(hpm, block, e);
}
