/* SPDX-License-Identifier: MIT */
/* The ceiling: adding up all words of some planes, as fast as memory gives them. */
#ifndef PC_BENCH_READ_H
#define PC_BENCH_READ_H

#include <stddef.h>
#include <stdint.h>

/* Sum modulo 2^64 of all words of n <= 16 planes. */
uint64_t bench_sum(const uint64_t *const *plane, unsigned n, size_t words);

#endif
