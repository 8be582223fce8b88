/* SPDX-License-Identifier: MIT */
/*
 * CVA6's counters over bit planes, 64 clocks a word: between CSR accesses selectors and
 * inhibits stand still, so that every counter is a popcount.  The same as steps; the wide
 * forms of the lines stand beside the narrow ones in rules/hpm_events.h.
 */
#include "model/hpm.h"
#include "rules/hpm_events.h"

static unsigned popcount(uint64_t x)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_popcountll(x);
#else
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (unsigned)(x * 0x0101010101010101 >> 56);
#endif
}

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

/* What event e adds over the whole block. */
static uint64_t count_event(const struct pc_hpm *hpm, const struct pc_hpm_block *b, unsigned e)
{
    const uint64_t end = (b->first + b->cycles + 63) / 64;
    const bool or_ports = hpm->active & PC_HPM_Q_OR_PORTS;
    uint64_t sum = 0;

    if (e >= PC_HPM_EVENTS)
        return 0; /* HPM.COUNT.3 */
    for (uint64_t i = b->first / 64; i < end; i++) {
        const size_t w = (size_t)i;
        const uint64_t mask = running(hpm, b, i);
        if (!(PC_HPM_PORT_EVENTS >> e & 1)) {
            sum += popcount(mask & pc_hpm_line_wide(b, e, hpm->config.dcache_ways, w, hpm->active));
            continue;
        }
        const uint64_t p0 = mask & pc_hpm_port_wide(&b->port[0], e, w, hpm->active);
        const uint64_t p1 = hpm->config.commit_ports > 1
                                ? mask & pc_hpm_port_wide(&b->port[1], e, w, hpm->active)
                                : 0;
        sum += PC_MUT(68, or_ports, true) ? popcount(p0 | p1) : popcount(p0) + popcount(p1);
    }
    return sum;
}

/* mcycle and minstret */
static void count_fixed(const struct pc_hpm *hpm, const struct pc_hpm_block *b, uint64_t *cycles,
                        uint64_t *instret)
{
    const uint64_t end = (b->first + b->cycles + 63) / 64;

    *cycles = *instret = 0;
    for (uint64_t i = b->first / 64; i < end; i++) {
        const size_t w = (size_t)i;
        const uint64_t mask = running(hpm, b, i);
        const uint64_t commit =
            mask & PC_MUT(69, ~pc_hpm_plane(b->line[PC_HPM_EXCEPTION], w), UINT64_MAX);
        *cycles += popcount(mask);
        for (unsigned p = 0; p < hpm->config.commit_ports; p++)
            *instret += popcount(commit & pc_hpm_plane(b->port[p].ack, w));
    }
}

void pc_hpm_run(struct pc_hpm *hpm, const struct pc_hpm_block *block)
{
    uint64_t cycles, instret;

    if (block->cycles == 0)
        return;
    count_fixed(hpm, block, &cycles, &instret);
    if (!(hpm->s.inhibit & 1))
        hpm->s.counter[0] += cycles;
    if (!(hpm->s.inhibit >> 2 & 1))
        hpm->s.counter[2] += instret;
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST && hpm->config.perf_counter_en; c++)
        if (hpm->s.selector[c] != 0 && !(hpm->s.inhibit >> c & 1))
            hpm->s.counter[c] += count_event(hpm, block, hpm->s.selector[c]);
}

void pc_hpm_count(const struct pc_hpm *hpm, const struct pc_hpm_block *block,
                  struct pc_hpm_totals *totals)
{
    uint64_t cycles, instret;

    if (block->cycles == 0)
        return;
    count_fixed(hpm, block, &cycles, &instret);
    totals->cycles += cycles;
    totals->instret += instret;
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        totals->event[e] += count_event(hpm, block, e);
}
