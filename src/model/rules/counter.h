/* SPDX-License-Identifier: MIT */
/*
 * Counters (clauses PC.CTR.*), and what a cycle adds to them in a counter mode.
 *
 * NV30+: 32 bits that stop at ffffffff; a sum that would pass it is clamped (D-37).
 * NV10:NV30: CYCLES, EVENT and START have 40 bits of which the low 39 wrap and the top
 * one is sticky: ffffffffff + 1 = 8000000000 (D-36).
 */
#ifndef PC_RULES_COUNTER_H
#define PC_RULES_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/rules/ctr_modes.h"

#define PC_CTR32_MAX UINT64_C(0xffffffff)
#define PC_CTR40_TOP (UINT64_C(1) << 39)

/* Adds to a counter, which stays at its end (PC.CTR.4). */
static inline uint64_t pc_ctr32_add(uint64_t value, uint32_t n)
{
    uint64_t sum = value + n;

    return sum > PC_CTR32_MAX ? PC_CTR32_MAX : sum;
}

/* Adds to a counter; the low 39 bits wrap, and bit 39 stays set (PC.CTR.5). */
static inline uint64_t pc_ctr40_add(uint64_t value, uint32_t n)
{
    uint64_t low = (value & (PC_CTR40_TOP - 1)) + n;
    uint64_t top = (value | low) & PC_CTR40_TOP;

    return (low & (PC_CTR40_TOP - 1)) | top;
}

/* Returns true if the addition lost something: a clamp, or a second pass through the low 39
 * bits. */
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

/* The four counted inputs, and the sixteen selected source bits as SRC_STATUS has them. */
struct pc_counted {
    bool pre, start, event, stop;
    uint32_t src; /* 3:0 PRE_SRC, 7:4 START_SRC, 11:8 EVENT_SRC, 15:12 STOP_SRC; never delayed */
};

/* Returns what one cycle adds. */
struct pc_increment {
    uint32_t event, start, pre, stop; /* quad mode, to CTR_EVENT ...; single mode uses event */
    uint32_t extra;                   /* single mode, to CTR_PRE while COUNTING */
};

/*
 * PC.GF.31: `gated`: GF100+, where the EXTRA modes also need their input at 1 (D-63).  `gates`: the
 * counted inputs, bit i for enum pc_gate i.
 */
static inline uint32_t pc_number_now(const struct pc_number *n, uint32_t gates, uint32_t src,
                                     bool gated)
{
    uint32_t number = 0;

    if (!(gates >> n->gate & 1) && !pc_number_is_loose(n, gated))
        return 0;
    if (n->bits == 0)
        return 1;
    for (unsigned i = 0; i < n->bits; i++)
        number |= (src >> n->bit[i] & 1) << i;
    return number;
}

static inline struct pc_increment pc_increment(enum pc_ctr_mode mode, const struct pc_counted *in,
                                               bool gated)
{
    const struct pc_number *of = pc_ctr_modes[mode].of;
    const uint32_t gates = (uint32_t)in->pre << PC_GATE_PRE | (uint32_t)in->start << PC_GATE_START |
                           (uint32_t)in->event << PC_GATE_EVENT |
                           (uint32_t)in->stop << PC_GATE_STOP;

    return (struct pc_increment){ .event = pc_number_now(&of[PC_CTR_EVENT], gates, in->src, gated),
                                  .start = pc_number_now(&of[PC_CTR_START], gates, in->src, gated),
                                  .pre = pc_number_now(&of[PC_CTR_PRE], gates, in->src, gated),
                                  .stop = pc_number_now(&of[PC_CTR_STOP], gates, in->src, gated),
                                  .extra =
                                      pc_number_now(&of[PC_CTR_EXTRA], gates, in->src, gated) };
}

#endif
