/* SPDX-License-Identifier: MIT */
/* Signals of a made-up design, cycle by cycle, as planes for pc_core_run(). */
#ifndef PC_TEST_CORE_PLANES_H
#define PC_TEST_CORE_PLANES_H

#include "test.h"
#include "pcounter/unstable/core.h"

enum { SIGNALS = 24, CYCLES = 4000, PLANES = 512 };

struct signal {
    const char *name;
    uint32_t width;
};
/* A register's difference, and what was told of its last write. */
struct told {
    uint64_t edge, written_edge, written_value; /* its low 64 bits */
    size_t item;
    bool written;
};
struct design {
    const struct signal *signal; /* name NULL at the end */
    uint64_t value[SIGNALS][CYCLES], unknown[SIGNALS][CYCLES];
    uint64_t plane[PLANES][CYCLES / 64 + 1], dark[PLANES][CYCLES / 64 + 1];
    uint64_t differences, checks; /* that were told */
    uint64_t first;               /* edge of the first */
    struct told told[64];         /* of registers, the first ones */
    size_t tolds;
    const struct pc_core_watch *watch; /* NULL: one that counts them */
};

/* For pc_core_resolve(): a signal, or a slice of it. */
enum pc_status design_look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, int32_t *low, struct pc_error *err);
/* Runs the core over all cycles, in pieces of random size; `rng` NULL: in one. */
void design_run(struct design *d, struct pc_core *core, struct test_rng *rng);
/* A core that is resolved; the test fails with the error. */
struct pc_core *design_core(struct design *d, const struct pc_core_desc *desc);

#endif
