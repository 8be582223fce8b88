/* SPDX-License-Identifier: MIT */
/*
 * Trials of pc_unit_run() against pc_unit_step():
 *   equal_trial.c   random units, signals, clocks and writes; the stepped twin
 *   equal_record.c  packets
 *   equal.c         whole runs, each kernel
 *   equal_split.c   the same run in pieces
 */
#ifndef EQUAL_H
#define EQUAL_H

#include "model/engine/engine.h"
#include "equal_record.h"
#include "test.h"

enum {
    EQUAL_CYCLES = 140000, /* more than a block of the engine */
    EQUAL_WORDS = EQUAL_CYCLES / 64 + 2,
    EQUAL_PLANES = 24,
    EQUAL_CLOCKS = 6,
    EQUAL_WRITES = 6
};

/* Random planes of any density, and clocks; one set a program. */
struct equal_pool {
    uint64_t plane[EQUAL_PLANES][EQUAL_WORDS];
    uint64_t clock[EQUAL_CLOCKS][EQUAL_WORDS];
};

struct equal_trial {
    const struct pc_chip *chip;
    struct pc_unit *wide, *step; /* the same state */
    unsigned coupling;           /* how many of 40 signals are EVENTs and FLAGs */
    bool clocks;                 /* more than one */
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    uint64_t level[PC_MAX_DOMAINS][PC_SIG_WORDS];
    struct pc_run_write write[EQUAL_WRITES];
    struct pc_run run;
    struct equal_sink wide_sink, step_sink;
};

void equal_fill(struct test_rng *rng, struct equal_pool *pool);
void equal_begin(struct test_rng *rng, const struct equal_pool *pool, struct equal_trial *t);
/* Does the same on one chip. */
void equal_begin_on(struct test_rng *rng, const struct equal_pool *pool, const char *chip,
                    struct equal_trial *t);
/* Both units in the state of the first one, their packets into sinks that take all. */
void equal_connect(struct equal_trial *t);
void equal_end(struct equal_trial *t);
/* The definition. */
void equal_step(struct pc_unit *unit, const struct pc_run *run);
/* The same; `cycle` is each domain's that is being stepped. */
void equal_step_telling(struct pc_unit *unit, const struct pc_run *run,
                        uint64_t cycle[PC_MAX_DOMAINS]);
/* Fails, and says where, unless both units are in the same state. */
void equal_compare(const struct equal_trial *t, uint64_t seed, unsigned number);
/* Cycles of all domains that run. */
uint64_t equal_domain_cycles(const struct equal_trial *t);

/* Shorter blocks in most trials: the cycles of one are few. */
void equal_blocks(struct test_rng *rng, struct pc_engine *engine);
/* Part k of n of a long test: argv[1] is "k/n"; 0 of 1 without. */
struct equal_part {
    unsigned part, parts;
};
struct equal_part equal_part(int argc, char **argv);

/* An engine with this kernel, or a SKIP that nobody overlooks. */
struct pc_engine *equal_engine(const char *kernel);

#endif
