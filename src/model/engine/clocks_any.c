/* SPDX-License-Identifier: MIT */
/* Between different clocks, on any CPU. */
#define CLOCKS pc_eg_clocks_any
#include "model/engine/clocks_core.h"
