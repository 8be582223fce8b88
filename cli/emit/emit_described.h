/* SPDX-License-Identifier: MIT */
/* Files out of a description (emit_described.c): its events, and which counter can have them. */
#ifndef PC_CLI_EMIT_DESCRIBED_H
#define PC_CLI_EMIT_DESCRIBED_H

#include "described/described.h"

/* A description, and the texts that each of its counters depends on: its rules, and those of the
 * lets and registers that these name. */
struct emit_resolved {
    const struct described *d;
    struct emit_texts {
        const char **text;
        size_t count, capacity;
    } * of; /* of each register; of those that are no counters none */
};
int emit_resolve(struct emit_resolved *r, const struct described *d);
void emit_resolved_drop(struct emit_resolved *r);

/* How counters choose among the elements of a vector. */
enum emit_selection { EMIT_NOT, EMIT_FIXED, EMIT_BY_MASK, EMIT_BY_ID };

/* An element with a name. */
struct emit_event {
    const char *name, *value; /* value: its expression */
    const char *vector;       /* that it is an element of */
    size_t place;             /* in its vector */
    enum emit_selection by;
    uint64_t code; /* of a selector: the place, or its bit; 0: a bit beyond 64 */
};
/* The i-th; false: there are not so many. */
bool emit_event_at(const struct described *d, size_t i, struct emit_event *out);
enum emit_selection emit_selection_of(const struct described *d, const char *vector);
/*
 * Bit n: mhpmcounter n can count the event; of NULL bits 0 and 2: there are mcycle and
 * minstret.  Counters are told by their names, `mhpmcounter3`, `mhpmcounter_q[3]` and the like.
 */
uint32_t emit_counters_of(const struct emit_resolved *r, const struct emit_event *event);
/* mhpmcounter3, mhpmcounter_q[3], mhpmcounter[3]: 3; mcycle and minstret 0 and 2; else -1. */
long emit_counter_number(const char *name);

/* emit_described_tree.c; an exit code. */
int emit_described_tree(const struct emit_resolved *r, FILE *file);
/* emit_described_dpi.c; bound to `scope`, or to that of the file.  An exit code. */
int emit_described_dpi(const struct described *d, const char *scope, FILE *file);

#endif
