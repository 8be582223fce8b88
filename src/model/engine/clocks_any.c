/* SPDX-License-Identifier: MIT */
/* Between different clocks, on any CPU. */
#define CLOCKS eg_clocks_any
#include "model/engine/clocks_core.h"
