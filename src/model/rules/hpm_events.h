/* SPDX-License-Identifier: MIT */
/*
 * CVA6's event lines (clauses HPM.LINE.1 to HPM.LINE.22): which events one clock has, and
 * the same for 64 clocks a word.  What the wires mean is the business of the core; a
 * configuration without, say, a TLB simply never raises its line.
 */
#ifndef PC_RULES_HPM_EVENTS_H
#define PC_RULES_HPM_EVENTS_H

#include "pcounter/pcounter.h"

#define PC_HPM_BIT(event) (UINT32_C(1) << (event))

/* Events of which each commit port adds its own (HPM.PORTS.1). */
#define PC_HPM_PORT_EVENTS                                                                         \
    (PC_HPM_BIT(5) | PC_HPM_BIT(6) | PC_HPM_BIT(9) | PC_HPM_BIT(12) | PC_HPM_BIT(13) |             \
     PC_HPM_BIT(20) | PC_HPM_BIT(21))

/* x1 and x5: the link registers of calls and returns. */
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

/* Events of one port that retires something; HPM.LINE.5, 6, 9, 12, 13, 20, 21. */
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

/* The events that do not belong to a port. */
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

/* ---- 64 clocks a word ---- */

static inline uint64_t pc_hpm_plane(const uint64_t *plane, size_t w)
{
    return plane ? plane[w] : 0;
}

/* Clocks in which the bits of `planes` are the number `value`. */
static inline uint64_t pc_hpm_equals_wide(const uint64_t *const *planes, unsigned bits, size_t w,
                                          unsigned value)
{
    uint64_t equal = UINT64_MAX;

    for (unsigned i = 0; i < bits; i++)
        equal &= value >> i & 1 ? pc_hpm_plane(planes[i], w) : ~pc_hpm_plane(planes[i], w);
    return equal;
}

static inline uint64_t pc_hpm_links_wide(const uint64_t *const *planes, size_t w)
{
    return pc_hpm_equals_wide(planes, 5, w, 1) | pc_hpm_equals_wide(planes, 5, w, 5);
}

static inline uint64_t pc_hpm_returns_wide(const struct pc_hpm_port_planes *p, size_t w,
                                           uint32_t quirks)
{
    uint64_t rs1 = UINT64_MAX;

    if (!(quirks & PC_HPM_Q_RET_ANY_RS1))
        rs1 = ~pc_hpm_plane(p->rs1_known, w) | pc_hpm_links_wide(p->rs1, w);
    return pc_hpm_plane(p->op_jalr, w) & pc_hpm_equals_wide(p->rd, 5, w, 0) & rs1;
}

/* Clocks in which the port has event e, one of PC_HPM_PORT_EVENTS. */
static inline uint64_t pc_hpm_port_wide(const struct pc_hpm_port_planes *p, unsigned e, size_t w,
                                        uint32_t quirks)
{
    const uint64_t ack = pc_hpm_plane(p->ack, w);
#define PC_HPM_FU_IS(unit) pc_hpm_equals_wide(p->fu, 4, w, unit)

    if (ack == 0)
        return 0;
    switch (e) {
    case 5:
        return ack & PC_HPM_FU_IS(PC_HPM_FU_LOAD);
    case 6:
        return ack & PC_HPM_FU_IS(PC_HPM_FU_STORE);
    case 9:
        return ack & PC_HPM_FU_IS(PC_HPM_FU_CTRL_FLOW);
    case 12:
        return ack & PC_HPM_FU_IS(PC_HPM_FU_CTRL_FLOW) &
               (pc_hpm_plane(p->op_add, w) | pc_hpm_plane(p->op_jalr, w)) &
               pc_hpm_links_wide(p->rd, w);
    case 13:
        return ack & pc_hpm_returns_wide(p, w, quirks);
    case 20:
        return ack & (PC_HPM_FU_IS(PC_HPM_FU_ALU) | PC_HPM_FU_IS(PC_HPM_FU_MULT));
    default: /* 21 */
        return ack & (PC_HPM_FU_IS(PC_HPM_FU_FPU) | PC_HPM_FU_IS(PC_HPM_FU_FPU_VEC));
    }
#undef PC_HPM_FU_IS
}

static inline uint64_t pc_hpm_full_wide(const uint64_t *const *valid, unsigned ways, size_t w,
                                        uint32_t quirks)
{
    uint64_t full = UINT64_MAX;
    bool ff = quirks & PC_HPM_Q_EVICT_FF;

    if (ff && ways < 8)
        return 0;
    for (unsigned i = 0; i < ways && i < 32; i++)
        full &= ff && i >= 8 ? ~pc_hpm_plane(valid[i], w) : pc_hpm_plane(valid[i], w);
    return full;
}

/* The line that is an event by itself */
static inline unsigned pc_hpm_line_of(unsigned e)
{
    static const uint8_t line_of[PC_HPM_EVENTS] = {
        [0] = 0,
        [1] = PC_HPM_ICACHE_MISS,
        [2] = PC_HPM_DCACHE_MISS,
        [3] = PC_HPM_ITLB_MISS,
        [4] = PC_HPM_DTLB_MISS,
        [5] = 0,
        [6] = 0,
        [7] = PC_HPM_EXCEPTION,
        [8] = PC_HPM_ERET,
        [9] = 0,
        [10] = 0,
        [11] = PC_HPM_BRANCH_EXCEPTION,
        [12] = 0,
        [13] = 0,
        [14] = PC_HPM_SCOREBOARD_FULL,
        [15] = PC_HPM_FETCH_EMPTY,
        [16] = PC_HPM_ICACHE_REQUEST,
        [17] = 0,
        [18] = 0,
        [19] = PC_HPM_TLB_FLUSH,
        [20] = 0,
        [21] = 0,
        [22] = PC_HPM_ISSUE_STALL,
    };

    return line_of[e];
}

/* Clocks in which event e, not one of a port's, has its line at 1. */
static inline uint64_t pc_hpm_line_wide(const struct pc_hpm_block *b, unsigned e, unsigned ways,
                                        size_t w, uint32_t quirks)
{
#define PC_HPM_LINE(number) pc_hpm_plane(b->line[number], w)

    switch (e) {
    case 0:
        return 0;
    case 10:
        return PC_HPM_LINE(PC_HPM_RESOLVED) & PC_HPM_LINE(PC_HPM_MISPREDICT);
    case 17:
        return PC_HPM_LINE(PC_HPM_DCACHE_REQUEST_0) | PC_HPM_LINE(PC_HPM_DCACHE_REQUEST_1) |
               PC_HPM_LINE(PC_HPM_DCACHE_REQUEST_2);
    case 18:
        return PC_HPM_LINE(PC_HPM_DCACHE_MISS) &
               (pc_hpm_full_wide(b->way_valid[0], ways, w, quirks) |
                pc_hpm_full_wide(b->way_valid[1], ways, w, quirks) |
                pc_hpm_full_wide(b->way_valid[2], ways, w, quirks));
    default:
        return PC_HPM_LINE(pc_hpm_line_of(e));
    }
#undef PC_HPM_LINE
}

#endif
