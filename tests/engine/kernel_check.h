/* SPDX-License-Identifier: MIT */
/*
 * Holds one kernel to a reading of its rules one cycle at a time: random planes from empty to
 * full, any number of words, any alignment.  Needs nothing but the C library, so that it also
 * runs where it was cross-compiled.
 */
#ifndef PC_TEST_KERNEL_CHECK_H
#define PC_TEST_KERNEL_CHECK_H

#include "kernel/kernel.h"

/* NULL if all is well, else which function differs; *words is the length it was seen with. */
const char *kernel_check(const struct pc_kernel *kernel, uint64_t seed, unsigned rounds,
                         size_t *words);

/* All 65,536 truth tables over every combination of four arguments. */
const char *kernel_check_tables(const struct pc_kernel *kernel);

#endif
