/* SPDX-License-Identifier: MIT */
/*
 * CVA6's event lines (clauses HPM.LINE.1 to HPM.LINE.22): which events one clock has.
 * What the wires mean is the business of the core; a configuration without, say, a TLB simply never
 * raises its line.  The same as expressions are the rows of data/cva6_events.csv, which tests hold
 * against these.
 */
#ifndef PC_RULES_HPM_EVENTS_H
#define PC_RULES_HPM_EVENTS_H

#include "pcounter/pcounter.h"

#define PC_HPM_BIT(event) (UINT32_C(1) << (event))

/* Events of which each commit port adds its own (HPM.PORTS.1). */
#define PC_HPM_PORT_EVENTS                                                                         \
    (PC_HPM_BIT(5) | PC_HPM_BIT(6) | PC_HPM_BIT(9) | PC_HPM_BIT(12) | PC_HPM_BIT(13) |             \
     PC_HPM_BIT(20) | PC_HPM_BIT(21))

/* Returns true for x1 and x5: the link registers of calls and returns. */
static inline bool pc_hpm_links(unsigned reg)
{
    return reg == 1 || reg == 5;
}

/* HPM.LINE.13: rs1 counts only where it is known and the quirk does not ignore it. */
static inline bool pc_hpm_returns(const struct pc_hpm_port *p, uint32_t quirks)
{
    if (p->op != PC_HPM_OP_JALR || p->rd != 0)
        return false;
    return (quirks & PC_HPM_Q_RET_ANY_RS1) || !p->rs1_known || pc_hpm_links(p->rs1);
}

/* Returns the events of one port that retires something; HPM.LINE.5, 6, 9, 12, 13, 20, 21. */
static inline uint32_t pc_hpm_port_events(const struct pc_hpm_port *p, uint32_t quirks)
{
    static const uint32_t by_fu[16] = {
        [PC_HPM_FU_NONE] = 0,
        [PC_HPM_FU_LOAD] = PC_HPM_BIT(5),
        [PC_HPM_FU_STORE] = PC_HPM_BIT(6),
        [PC_HPM_FU_ALU] = PC_HPM_BIT(20),
        [PC_HPM_FU_CTRL_FLOW] = PC_HPM_BIT(9),
        [PC_HPM_FU_MULT] = PC_HPM_BIT(20),
        [PC_HPM_FU_CSR] = 0,
        [PC_HPM_FU_FPU] = PC_HPM_BIT(21),
        [PC_HPM_FU_FPU_VEC] = PC_HPM_BIT(21),
    };

    if (!p->ack)
        return 0;
    uint32_t events = by_fu[p->fu & 15];
    if (p->fu == PC_HPM_FU_CTRL_FLOW && p->op != PC_HPM_OP_OTHER && pc_hpm_links(p->rd))
        events |= PC_HPM_BIT(12);
    if (pc_hpm_returns(p, quirks))
        events |= PC_HPM_BIT(13);
    return events;
}

/* HPM.LINE.18: one port's valid bits are all ones. */
static inline bool pc_hpm_set_is_full(uint32_t valid, unsigned ways, uint32_t quirks)
{
    uint32_t mask = ways >= 32 ? UINT32_MAX : (UINT32_C(1) << ways) - 1;

    return (valid & mask) == (quirks & PC_HPM_Q_EVICT_FF ? 0xff : mask);
}

/* Returns the events that do not belong to a port. */
static inline uint32_t pc_hpm_line_events(uint32_t lines, bool full)
{
#define PC_HPM_ON(number) ((lines >> (number)) & 1u)
    const uint32_t request = PC_HPM_ON(PC_HPM_DCACHE_REQUEST_0) |
                             PC_HPM_ON(PC_HPM_DCACHE_REQUEST_1) |
                             PC_HPM_ON(PC_HPM_DCACHE_REQUEST_2);
    const uint32_t wrong = PC_HPM_ON(PC_HPM_RESOLVED) & PC_HPM_ON(PC_HPM_MISPREDICT);

    return (lines & 15) << 1 /* ICACHE_MISS .. DTLB_MISS are events 1 to 4 */
           | PC_HPM_ON(PC_HPM_EXCEPTION) << 7 | PC_HPM_ON(PC_HPM_ERET) << 8 | wrong << 10 |
           PC_HPM_ON(PC_HPM_BRANCH_EXCEPTION) << 11 | PC_HPM_ON(PC_HPM_SCOREBOARD_FULL) << 14 |
           PC_HPM_ON(PC_HPM_FETCH_EMPTY) << 15 | PC_HPM_ON(PC_HPM_ICACHE_REQUEST) << 16 |
           request << 17 | (full ? PC_HPM_ON(PC_HPM_DCACHE_MISS) : 0u) << 18 |
           PC_HPM_ON(PC_HPM_TLB_FLUSH) << 19 | PC_HPM_ON(PC_HPM_ISSUE_STALL) << 22;
#undef PC_HPM_ON
}

/* HPM.PORTS.1, .2: what a clock adds for event e, given the events of each port and the others. */
static inline unsigned pc_hpm_increment(uint32_t port0, uint32_t port1, uint32_t others, unsigned e,
                                        uint32_t quirks)
{
    unsigned a = (port0 | others) >> e & 1, b = port1 >> e & 1;

    return quirks & PC_HPM_Q_OR_PORTS ? a | b : a + b;
}

#endif
