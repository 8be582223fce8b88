/* SPDX-License-Identifier: MIT */
/* Inside of the idle counters: pdaemon.c counts, pdaemon_regs.c has their registers,
 * pdaemon_state.c hands the state out and takes it. */
#ifndef PC_MODEL_PDAEMON_H
#define PC_MODEL_PDAEMON_H

#include "pcounter/pcounter.h"

#define COUNT_MASK UINT32_C(0x7fffffff)

struct pc_idle {
    struct pc_alloc alloc;
    const struct pc_chip *chip;
    unsigned counters;
    bool has_filter;                          /* MODE bit 2 [GF119+] */
    uint32_t present;                         /* wires that the chip has */
    bool cleared_rule, saturate, absent_high; /* D-76a, D-80, D-84 */
    struct pc_idle_state s;
};

/* GF119+: MODE has a FILTER, and an I[] address equals the host's offset. */
static inline bool pc_idle_is_gf119(const struct pc_chip *chip)
{
    return chip->order >= pc_chip_find("GF119")->order;
}

/* Checks a state as pc_idle_set_state() does. */
enum pc_status pc_idle_check_state(const struct pc_idle *idle, const struct pc_idle_state *state,
                                   struct pc_error *err);

/* Returns the bits of MODE that the chip keeps. */
static inline uint32_t pc_idle_mode_bits(const struct pc_idle *idle)
{
    return idle->has_filter ? 7 : 3;
}

#endif
