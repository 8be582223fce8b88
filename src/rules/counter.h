/* SPDX-License-Identifier: MIT */
/*
 * Counters (clauses PC.CTR.*) and the special counter modes (PC.MODE.*).
 *
 * NV30+: 32 bits that stop at ffffffff; a sum that would pass it is clamped (D-37).
 * NV10:NV30: CYCLES, EVENT and START have 40 bits of which the low 39 wrap and the top
 * one is sticky: ffffffffff + 1 = 8000000000 (D-36).
 */
#ifndef PC_RULES_COUNTER_H
#define PC_RULES_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/mutant.h"

#define PC_CTR32_MAX UINT64_C(0xffffffff)
#define PC_CTR40_TOP (UINT64_C(1) << 39)

static inline uint64_t pc_ctr32_add(uint64_t value, uint32_t n)
{
    uint64_t sum = value + n;

    if (PC_MUTANT == 7)
        return sum & PC_CTR32_MAX;
    return sum > PC_CTR32_MAX ? PC_CTR32_MAX : sum;
}

static inline uint64_t pc_ctr40_add(uint64_t value, uint32_t n)
{
    uint64_t low = (value & (PC_CTR40_TOP - 1)) + n;
    uint64_t top = (value | low) & PC_CTR40_TOP;

    if (PC_MUTANT == 8)
        top = (value ^ low) & PC_CTR40_TOP;
    return (low & (PC_CTR40_TOP - 1)) | top;
}

/* True if the addition lost something: a clamp, or a second pass through the low 39 bits. */
static inline bool pc_ctr_lossy(uint64_t value, uint32_t n, bool ctr40)
{
    if (ctr40)
        return (value & PC_CTR40_TOP) && (value & (PC_CTR40_TOP - 1)) + n >= PC_CTR40_TOP;
    return value + n > PC_CTR32_MAX;
}

static inline uint64_t pc_ctr_add(uint64_t value, uint32_t n, bool ctr40)
{
    return ctr40 ? pc_ctr40_add(value, n) : pc_ctr32_add(value, n);
}

enum pc_ctr_mode {
    PC_CTR_SIMPLE,
    PC_CTR_EVENT_B4,
    PC_CTR_EVENT_B6,
    PC_CTR_EXTRA_B4,
    PC_CTR_EXTRA_B6_EVENT_B2,
    PC_CTR_NONE /* counts nothing: reserved values under a switch (D-40) */
};

/* What one cycle adds. */
struct pc_increment {
    uint32_t event; /* to CTR_EVENT */
    uint32_t extra; /* to CTR_PRE (single) or instead of START's 1 to CTR_START (quad) */
    bool has_extra;
};

/* `start`, `event_src`: the four selected source bits, SRC[0] lowest; never delayed. */
static inline struct pc_increment pc_increment(enum pc_ctr_mode mode, bool event, uint32_t start,
                                               uint32_t event_src)
{
    uint32_t b4 = start & 15;
    uint32_t b6 = b4 | (event_src >> PC_MUT(9, 2, 0) & 3) << 4;
    uint32_t b2 = event_src & 3;
    struct pc_increment inc = { .event = event };

    switch (mode) {
    case PC_CTR_SIMPLE:
        break;
    case PC_CTR_EVENT_B4: /* by B4 on every cycle when EVENT input is 1 */
        inc.event = event ? b4 : 0;
        break;
    case PC_CTR_EVENT_B6:
        inc.event = event ? b6 : 0;
        break;
    case PC_CTR_EXTRA_B4: /* CTR_EVENT as in SIMPLE */
        inc.extra = b4;
        inc.has_extra = true;
        break;
    case PC_CTR_EXTRA_B6_EVENT_B2: /* on every clock cycle, whatever EVENT is (D-39) */
        inc.event = PC_MUT(10, b2, event ? b2 : 0);
        inc.extra = b6;
        inc.has_extra = true;
        break;
    case PC_CTR_NONE:
        inc.event = 0;
        break;
    }
    return inc;
}

#endif
