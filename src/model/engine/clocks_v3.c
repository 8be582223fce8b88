/* SPDX-License-Identifier: MIT */
/* Between different clocks, with the instructions that move bits to where edges are. */
#if defined(__x86_64__)
#define CLOCKS pc_eg_clocks_v3
#include "model/engine/clocks_core.h"
#else
/* No such instructions here; the file must not be empty. */
extern int pc_eg_clocks_v3_absent;
#endif
