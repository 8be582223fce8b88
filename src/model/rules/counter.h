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

#define PC_CTR32_MAX UINT64_C(0xffffffff)
#define PC_CTR40_TOP (UINT64_C(1) << 39)

/* PC.CTR.4 */
static inline uint64_t pc_ctr32_add(uint64_t value, uint32_t n)
{
    uint64_t sum = value + n;

    return sum > PC_CTR32_MAX ? PC_CTR32_MAX : sum;
}

/* PC.CTR.5 */
static inline uint64_t pc_ctr40_add(uint64_t value, uint32_t n)
{
    uint64_t low = (value & (PC_CTR40_TOP - 1)) + n;
    uint64_t top = (value | low) & PC_CTR40_TOP;

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
    PC_CTR_KEPLER_5, /* as traced on GK1xx and GM2xx (D-64) */
    PC_CTR_KEPLER_6,
    PC_CTR_KEPLER_7,
    PC_CTR_NONE /* EVENT counts nothing: reserved values under a switch (D-40) */
};

/* The four counted inputs, and the sixteen selected source bits as SRC_STATUS has them. */
struct pc_counted {
    bool pre, start, event, stop;
    uint32_t src; /* 3:0 PRE_SRC, 7:4 START_SRC, 11:8 EVENT_SRC, 15:12 STOP_SRC; never delayed */
};

/* What one cycle adds. */
struct pc_increment {
    uint32_t event, start, pre, stop; /* quad mode, to CTR_EVENT ...; single mode uses event */
    uint32_t extra;                   /* single mode, to CTR_PRE while COUNTING */
};

/* D-64, for the counters of quad mode; in single mode CTR_PRE gets none of it (U-023).  PC.GF.32
 * PC.GF.33 PC.GF.34 */
static inline struct pc_increment pc_increment_kepler(enum pc_ctr_mode mode,
                                                      const struct pc_counted *in)
{
    uint32_t pre = in->src & 15, start = in->src >> 4 & 15, event = in->src >> 8 & 15,
             stop = in->src >> 12 & 15;
    struct pc_increment inc = {
        .event = in->event, .start = in->start, .pre = in->pre, .stop = in->stop
    };

    switch (mode) {
    case PC_CTR_KEPLER_5:
        inc.pre = in->pre ? stop >> 1 | (pre >> 1) << 3 : 0;
        inc.event = in->event ? event | (start & 3) << 4 : 0;
        inc.start = inc.stop = 0;
        break;
    case PC_CTR_KEPLER_6:
        inc.pre = in->pre ? pre | (start & 3) << 4 : 0;
        inc.start = 0;
        break;
    case PC_CTR_KEPLER_7:
        inc.event = in->start ? event : 0;
        inc.start = 0;
        break;
    default:
        break;
    }
    return inc;
}

/* PC.MODE.1 PC.MODE.2 PC.MODE.3 PC.MODE.4 PC.MODE.5 */
/* `gated`: GF100+, where the EXTRA modes also need their input at 1 (D-63).  PC.GF.31 */
static inline struct pc_increment pc_increment(enum pc_ctr_mode mode, const struct pc_counted *in,
                                               bool gated)
{
    uint32_t b4 = in->src >> 4 & 15;
    uint32_t b6 = b4 | (in->src >> 10 & 3) << 4;
    uint32_t b2 = in->src >> 8 & 3;
    struct pc_increment inc = {
        .event = in->event, .start = in->start, .pre = in->pre, .stop = in->stop
    };

    switch (mode) {
    case PC_CTR_SIMPLE:
        break;
    case PC_CTR_EVENT_B4: /* by B4 on every cycle when EVENT input is 1 */
        inc.event = in->event ? b4 : 0;
        break;
    case PC_CTR_EVENT_B6:
        inc.event = in->event ? b6 : 0;
        break;
    case PC_CTR_EXTRA_B4: /* CTR_EVENT as in SIMPLE */
        inc.start = inc.extra = !gated || in->start ? b4 : 0;
        break;
    case PC_CTR_EXTRA_B6_EVENT_B2: /* on every clock cycle, whatever EVENT is (D-39) */
        inc.event = !gated || in->event ? b2 : 0;
        inc.start = inc.extra = !gated || in->start ? b6 : 0;
        break;
    case PC_CTR_KEPLER_5:
    case PC_CTR_KEPLER_6:
    case PC_CTR_KEPLER_7:
        return pc_increment_kepler(mode, in);
    case PC_CTR_NONE:
        inc.event = 0;
        break;
    }
    return inc;
}

#endif
