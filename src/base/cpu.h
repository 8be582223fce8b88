/* SPDX-License-Identifier: MIT */
/* What the CPU that runs this can do, beyond what the compiler was told: the one place that asks.
 */
#ifndef PC_BASE_CPU_H
#define PC_BASE_CPU_H

#include <stdbool.h>

/*
 * The instructions of x86-64-v3 that the faster loops use: AVX2, BMI1 and 2, POPCNT and PCLMULQDQ.
 * A file that is compiled for them is chosen by this, and nothing of it is called before.
 */
bool pc_cpu_has_v3(void);
/* Those that the scanner of a VCD has in AVX-512: of Ice Lake, Zen 4 and later. */
bool pc_cpu_has_avx512(void);
/* For loops in plain C */
bool pc_cpu_is_any(void);

#endif
