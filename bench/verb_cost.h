/* SPDX-License-Identifier: MIT */
/* A verb of the program with one thread and with two: the CPU time of each thread, and memory. */
#ifndef PC_BENCH_VERB_COST_H
#define PC_BENCH_VERB_COST_H

#include <stdint.h>

#include "cli.h"

struct verb_cost {
    double reading, all; /* CPU seconds: of the calling thread, of the process */
    double memory;       /* bytes, at most */
    uint64_t report;     /* digest */
};

/* In a process of its own, for its memory; ends the program if the verb does not end well. */
struct verb_cost verb_measure(const struct cli_verb *verb, char **argv);
/* CPU seconds of the reading thread, or of all others together if they take longer. */
double verb_slower(const struct verb_cost *c);

#endif
