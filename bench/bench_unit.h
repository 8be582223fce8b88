/* SPDX-License-Identifier: MIT */
/* What benches of units share: the law as a peer, and states and packets as numbers. */
#ifndef PC_BENCH_UNIT_H
#define PC_BENCH_UNIT_H

#include "pcounter/pcounter.h"

/* A unit, or the end of the bench. */
struct pc_unit *bench_unit(const struct pc_unit_desc *desc);
/* The whole state, counters of the running period too, mixed into h. */
uint64_t bench_digest(const struct pc_unit *unit, uint64_t h);
/* pc_unit_step() of domain 0 over words of planes of its first n <= 64 signals. */
void bench_step(struct pc_unit *unit, const uint64_t *const *plane, unsigned n, size_t words);

/* Takes packets of 32 bytes: how many, and all of them, their places and their order as a number.
 */
struct bench_sink {
    uint64_t packets, digest;
};
enum pc_mem_result bench_take(void *sink, unsigned domain, uint64_t address, const uint8_t *data,
                              size_t size);

#endif
