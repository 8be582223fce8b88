/* SPDX-License-Identifier: MIT */
/* Features of the CPU that runs this, beyond what the compiler was told: the one place that asks.
 */
#ifndef PC_BASE_CPU_H
#define PC_BASE_CPU_H

#include <stdbool.h>

/*
 * Returns true if the CPU has the instructions of x86-64-v3 that the faster loops use: AVX2, BMI1
 * and 2, POPCNT and PCLMULQDQ. A file that is compiled for them is chosen by this, and nothing of
 * it is called before.
 */
bool pc_cpu_has_v3(void);
/* Returns true if the CPU has AVX-512 with its instructions for bytes, and the bit instructions
 * that come with it. */
bool pc_cpu_has_avx512(void);
/* Returns true: every CPU has loops in plain C. */
bool pc_cpu_is_any(void);

#endif
