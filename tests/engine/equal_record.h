/* SPDX-License-Identifier: MIT */
/* The part of the random trials that sends packets; see equal.c. */
#ifndef EQUAL_RECORD_H
#define EQUAL_RECORD_H

#include "model/engine/engine.h"
#include "test.h"

/* Takes packets: all that was ever sent, as one number; now and then says no. */
struct equal_sink {
    uint64_t packets, digest;
    uint64_t bad; /* which packet gets `answer`; 0: none */
    enum pc_mem_result answer;
    unsigned again; /* and that many percent of those after it */
};

/* Record or stream mode in some domains of both units, with one sink each. */
void equal_record(struct test_rng *rng, struct pc_unit *wide, struct pc_unit *step,
                  struct equal_sink *wide_sink, struct equal_sink *step_sink);
/* Sinks that take all. */
void equal_sinks_take(struct pc_unit *wide, struct pc_unit *step, struct equal_sink *wide_sink,
                      struct equal_sink *step_sink);
bool equal_sinks(const struct equal_sink *a, const struct equal_sink *b);

#endif
