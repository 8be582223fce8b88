/* SPDX-License-Identifier: MIT */
/* Two devices to which the same happens: to one much at once, to the other a cycle at a time. */
#ifndef PC_TEST_DEVICE_PAIR_H
#define PC_TEST_DEVICE_PAIR_H

#include "test.h"

#include "pcounter/pcounter.h"

struct pair {
    struct pc_gpu *fast, *slow;
    const struct pc_chip *chip;
    unsigned domains;
};

void pair_begin(struct pair *p, const char *chip);
void pair_end(struct pair *p);

typedef enum pc_status pair_change_fn(struct pc_gpu *gpu, const uint32_t *with);
void pair_both(struct pair *p, pair_change_fn *change, const uint32_t *with);
void pair_write(struct pair *p, uint32_t address, uint32_t value);
void pair_random_clocks(struct test_rng *rng, struct pair *p);
/* Quad or another mode, sources that move, tables of any kind. */
void pair_random_program(struct test_rng *rng, struct pair *p);
/* A register of the first 200 is read or written. */
void pair_random_access(struct test_rng *rng, struct pair *p);
/* Fewer than `most` cycles of a domain: at once, and one by one. */
void pair_run(struct test_rng *rng, struct pair *p, uint32_t most);
/* Fails unless all that they are is the same. */
void pair_compare(const struct pair *p, uint64_t seed, unsigned trial);

/* --- time from outside --- */

enum { EDGE_WORDS = 80, SIGNALS = 8 };

/* Random instants, with clocks of which some are equal, and planes of some signals */
struct outside {
    uint64_t clock[3][EDGE_WORDS], planes[PC_GPU_DOMAINS][SIGNALS][EDGE_WORDS];
    const uint64_t *plane[PC_GPU_DOMAINS][PC_MAX_SIGNALS];
    struct pc_run_domain domain[PC_GPU_DOMAINS];
    uint64_t instants;
};

/* `rare`: one cycle in 2^rare is high. */
void outside_random(struct test_rng *rng, const struct pair *p, unsigned rare, struct outside *o);
/* The fast one goes through it at once, the slow one edge by edge. */
void outside_run(struct pair *p, const struct outside *o);

#endif
