/* SPDX-License-Identifier: MIT */
/* Between different clocks, with the instructions that move bits to where edges are. */
#if defined(__x86_64__)
#define CLOCKS eg_clocks_v3
#include "model/engine/clocks_core.h"

bool eg_clocks_usable_v3(void)
{
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("pclmul");
}
#else
/* No such instructions here; the file must not be empty. */
extern int eg_clocks_v3_absent;
#endif
