/* SPDX-License-Identifier: MIT */
/*
 * Which selectors are SRC[0..3] of an input (PC.IN.1, PC.IN.13), as numbers 4 * input + i.
 * On NV30+ SETFLAG looks at START_SRC[2..3], PRE_SRC[0..1] and CLRFLAG at PRE_SRC[2..3],
 * START_SRC[0..1]; before, both have sources of their own (D-01).
 */
#ifndef PC_RULES_SOURCES_H
#define PC_RULES_SOURCES_H

#include <stdint.h>

#include "pcounter/pcounter.h"

static inline unsigned pc_source_selector(uint32_t features, unsigned input, unsigned i)
{
    /* inputs 0 PRE, 1 START, 4 SETFLAG, 5 CLRFLAG */
    static const uint8_t set[4] = { 6, 7, 0, 1 };
    static const uint8_t clear[4] = { 2, 3, 4, 5 };

    if (!(features & PC_F_OWN_FLAG_SRC) && input == 4)
        return set[i];
    if (!(features & PC_F_OWN_FLAG_SRC) && input == 5)
        return clear[i];
    return input * 4 + i;
}

#endif
