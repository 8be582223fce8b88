/* SPDX-License-Identifier: MIT */
/* Waveforms for the benchmarks of the VCD reader, with what must be counted in them. */
#ifndef PC_BENCH_VCD_MAKE_H
#define PC_BENCH_VCD_MAKE_H

#include <stdint.h>
#include <stdio.h>

enum { VCD_SELECTED = 16, VCD_MOST_SIGNALS = 512 };

struct vcd_kind {
    const char *name;
    unsigned scalars, vectors; /* vectors have 32 bits */
    unsigned activity;         /* changes of each signal in 1024 cycles */
};

/* Selected signals are every (scalars / 16)-th scalar. */
struct vcd_made {
    uint64_t bytes, cycles;
    unsigned selected[VCD_SELECTED]; /* numbers of signals: named s0, s1, ... */
    uint64_t ones[VCD_SELECTED];     /* rising edges of clk before which it is 1 */
};

/* Writes at least `bytes`. */
void vcd_make(FILE *out, const struct vcd_kind *kind, uint64_t bytes, struct vcd_made *made);

#endif
