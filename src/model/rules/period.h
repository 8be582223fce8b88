/* SPDX-License-Identifier: MIT */
/*
 * The PERIODIC signal (clauses PC.PERIODIC.*, D-31): a free-running 16-bit counter a
 * domain, held at 0 by PERIODIC_RESET; the signal is 1 in the cycle in which the low
 * bits of the counter are all 1, so the first pulse comes in the X-th cycle.
 */
#ifndef PC_RULES_PERIOD_H
#define PC_RULES_PERIOD_H

#include <stdbool.h>
#include <stdint.h>

/* Clocks of a PERIODIC_PERIOD setting 1..7: 0x400 .. 0x10000; 0 is off. */
static inline uint32_t pc_period_clocks(unsigned setting)
{
    return setting == 0 ? 0 : UINT32_C(0x200) << setting;
}

/* One cycle in that many (PC.PERIODIC.1), or none (PC.PERIODIC.2). */
static inline bool pc_period_signal(uint16_t counter, unsigned setting, bool reset)
{
    uint32_t clocks = pc_period_clocks(setting);

    return clocks != 0 && !reset && (counter & (clocks - 1)) == clocks - 1;
}

static inline uint16_t pc_period_next(uint16_t counter, bool reset)
{
    return reset ? (uint16_t)0 : (uint16_t)(counter + 1);
}

#endif
