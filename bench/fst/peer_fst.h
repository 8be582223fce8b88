/* SPDX-License-Identifier: MIT */
/* The peer of bench_fst: the format's reference code, as Verilator's package ships it. */
#ifndef PC_BENCH_PEER_FST_H
#define PC_BENCH_PEER_FST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PEER_SCALARS = 138, PEER_VECTORS = 140, PEER_SIGNALS = 1 + PEER_SCALARS + PEER_VECTORS };

/*
 * Signals "clk", "s0".. of one bit and "v0".. of 32: at each rising edge some of them change,
 * each at a rate of its own, about 40 changes a cycle in all.
 */
bool peer_fst_write(const char *path, uint64_t cycles);

/* The waveform `from`, `times` times one after the other, each `period` time units later. */
bool peer_fst_repeat(const char *from, const char *to, unsigned times, uint64_t period);

struct peer_fst_result {
    uint64_t cycles;
    uint64_t ones; /* sum over the selected signals, the first one 1 time, the second twice ... */
};

/*
 * Only "clk" and the selected signals (their names) pass the reader's process mask.  Counts
 * the cycles in which their bits are 1 before the edge.
 */
bool peer_fst_read(const char *path, const char *const *names, size_t count,
                   struct peer_fst_result *out);

#endif
