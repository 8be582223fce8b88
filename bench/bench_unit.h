/* SPDX-License-Identifier: MIT */
/* What benches of units share: the law as a peer, and a state as a number. */
#ifndef PC_BENCH_UNIT_H
#define PC_BENCH_UNIT_H

#include "pcounter/pcounter.h"

/* The whole state, counters of the running period too, mixed into h. */
uint64_t bench_digest(const struct pc_unit *unit, uint64_t h);
/* pc_unit_step() of domain 0 over words of planes of its first n <= 64 signals. */
void bench_step(struct pc_unit *unit, const uint64_t *const *plane, unsigned n, size_t words);

#endif
