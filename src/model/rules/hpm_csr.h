/* SPDX-License-Identifier: MIT */
/*
 * CSR instructions on CVA6's counters: who may read a shadow (HPM.GATE.*), what a write
 * makes of the old value (HPM.OP.*), and which half of a counter it replaces (HPM.HALF.*).
 */
#ifndef PC_RULES_HPM_CSR_H
#define PC_RULES_HPM_CSR_H

#include "pcounter/pcounter.h"

/* Who executes: M includes debug mode and cores without U-mode; S is HS where there is H. */
enum pc_hpm_who { PC_HPM_M, PC_HPM_S, PC_HPM_U, PC_HPM_VS, PC_HPM_VU };

/* The enable bits of one counter number. */
struct pc_hpm_enables {
    bool m, s, h;
};

/*
 * Returns whether a shadow may be read. HPM.GATE.1 (M), .2 (S), .3 (U), .4 (VS), .5 (VU). A core
 * without S has no scounteren: mcounteren alone decides, or (quirk) its s bit, always 0, does.
 */
static inline enum pc_hpm_cause pc_hpm_gate(enum pc_hpm_who who, struct pc_hpm_enables e,
                                            bool has_s, uint32_t quirks)
{
    const bool s = has_s || (quirks & PC_HPM_Q_U_NEEDS_SCOUNTEREN) ? e.s : true;
    const bool lax = quirks & PC_HPM_Q_H_GATE_AND;

    switch (who) {
    case PC_HPM_M:
        return PC_HPM_NO_TRAP;
    case PC_HPM_S:
        return e.m ? PC_HPM_NO_TRAP : PC_HPM_ILLEGAL;
    case PC_HPM_U:
        if (lax)
            return e.m || e.s ? PC_HPM_NO_TRAP : PC_HPM_ILLEGAL;
        return e.m && s ? PC_HPM_NO_TRAP : PC_HPM_ILLEGAL;
    case PC_HPM_VS:
        if (!e.m)
            return PC_HPM_ILLEGAL;
        return e.h ? PC_HPM_NO_TRAP : PC_HPM_VIRTUAL;
    default: /* VU */
        if (lax)
            return e.m && !e.h           ? PC_HPM_VIRTUAL
                   : !e.m && !e.s && e.h ? PC_HPM_ILLEGAL
                                         : PC_HPM_NO_TRAP;
        if (!e.m)
            return PC_HPM_ILLEGAL;
        return e.h && e.s ? PC_HPM_NO_TRAP : PC_HPM_VIRTUAL;
    }
}

/* Returns the value of address[9:8] that an access may have at most; HPM.PRIV.1. */
static inline unsigned pc_hpm_level(enum pc_hpm_who who, bool has_h)
{
    switch (who) {
    case PC_HPM_M:
        return 3;
    case PC_HPM_S:
        return has_h ? 2 : 1;
    case PC_HPM_VS:
        return 1;
    default:
        return 0;
    }
}

/* HPM.OP.1: csrrw takes the operand, csrrs ors it in, csrrc clears its bits. */
static inline uint64_t pc_hpm_operate(enum pc_hpm_csr_op op, uint64_t old, uint64_t operand)
{
    switch (op) {
    case PC_HPM_CSR_WRITE:
        return operand;
    case PC_HPM_CSR_SET:
        return old | operand;
    case PC_HPM_CSR_CLEAR:
        return old & ~operand;
    default:
        return old;
    }
}

/* HPM.HALF.1: the base address is bits 31:0 of a counter and the h address bits 63:32; RV64: all.
 */
static inline uint64_t pc_hpm_replace(uint64_t counter, uint64_t value, unsigned xlen, bool high)
{
    if (xlen == 64)
        return value;
    if (high)
        return (counter & UINT32_MAX) | value << 32;
    return (counter & ~UINT64_C(0xffffffff)) | (value & UINT32_MAX);
}

static inline uint64_t pc_hpm_half(uint64_t counter, unsigned xlen, bool high)
{
    if (xlen == 64)
        return counter;
    return high ? counter >> 32 : counter & UINT32_MAX;
}

/*
 * HPM.STROBE.1: does the write strobe hold counter c for its clock?  Written is the number
 * of the addressed counter, 0 for a selector.
 */
static inline bool pc_hpm_held(bool strobe, unsigned written, unsigned c, uint32_t quirks)
{
    return strobe && ((quirks & PC_HPM_Q_WRITE_FREEZES_ALL) || written == c);
}

/*
 * Returns what mcycle or minstret is after a clock in which it would go from old to ticked, if half
 * of it was written (HPM.HALF.2): a write of either half is a write of the counter, which then
 * does not tick; or (quirk) the tick happens first and the other half keeps it.
 */
static inline uint64_t pc_hpm_written(uint64_t old, uint64_t ticked, uint64_t value, unsigned xlen,
                                      bool high, uint32_t quirks)
{
    bool ticks = quirks & PC_HPM_Q_HALF_WRITE_TICKS;

    return pc_hpm_replace(ticks ? ticked : old, value, xlen, high);
}

#endif
