/* SPDX-License-Identifier: MIT */
/*
 * Planes in memory, and the ceiling: adding up all words of some of them, as fast as memory gives
 * them.
 */
#ifndef PC_BENCH_READ_H
#define PC_BENCH_READ_H

#include <stddef.h>
#include <stdint.h>

/* Memory for planes, for free(): on huge pages where the system has them, as any user can ask it.
 */
uint64_t *bench_planes(size_t words);

/* Sum modulo 2^64 of all words of n <= 16 planes. */
uint64_t bench_sum(const uint64_t *const *plane, unsigned n, size_t words);

#endif
