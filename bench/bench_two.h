/* SPDX-License-Identifier: MIT */
/*
 * What this machine gives to two threads at all: work of two equal halves that share nothing, the
 * CPU time of one thread over both, of the slower of two over one each.  2 on two cores; less where
 * the two are hyperthreads of one core, or memory has no more to give.  To be measured in the same
 * rounds as what it is held against.
 */
#ifndef PC_BENCH_TWO_H
#define PC_BENCH_TWO_H

#include <stddef.h>
#include <stdint.h>

/* Registers alone: as many additions as the core can do at once. */
double bench_two_arithmetic(void);
/* A plain read of the planes (bench_read.h), each of them in two halves. */
double bench_two_read(const uint64_t *const *plane, unsigned n, size_t words);

#endif
