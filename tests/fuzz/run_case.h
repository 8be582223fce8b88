/* SPDX-License-Identifier: MIT */
/*
 * A run made of bytes: signals, clocks, levels and writes for a unit of unit_ops.h, and the same
 * run cycle by cycle.
 */
#ifndef PC_FUZZ_RUN_CASE_H
#define PC_FUZZ_RUN_CASE_H

#include "unit_ops.h"

enum {
    RUN_CYCLES = 1500,
    RUN_WORDS = RUN_CYCLES / 64 + 2,
    RUN_PLANES = 8,
    RUN_CLOCKS = 3,
    RUN_WRITES = 4
};

struct run_case {
    uint64_t pool[RUN_PLANES][RUN_WORDS];
    uint64_t clock[RUN_CLOCKS][RUN_WORDS];
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    uint64_t seen[PC_MAX_DOMAINS][RUN_PLANES][PC_SIG_WORDS]; /* the signals that a plane is */
    uint64_t level[PC_SIG_WORDS];
    struct pc_run_write write[RUN_WRITES];
    struct pc_run run;
};

/* Registers of the case get values, and each signal that a source register names a plane. */
void run_case_program(const struct unit_case *c, struct pc_unit *unit, struct fuzz_bytes *in);
/* clocks, writes: with those too. */
void run_case_fill(struct run_case *r, const struct unit_case *c, struct fuzz_bytes *in,
                   bool clocks, bool writes);
/* What pc_unit_run() is to equal. */
void run_case_step(const struct run_case *r, unsigned domains, struct pc_unit *unit, uint64_t from,
                   uint64_t to);

#endif
