/* SPDX-License-Identifier: MIT */
/* clang-format off: a table */
/*
 * The logic operation: a 4-input truth table (clauses PC.IN.1 to PC.IN.8), and how the
 * bits of an *_OP register turn four selected sources into its four arguments.
 *
 *   15:0  truth table, indexed by ARG3 ARG2 ARG1 ARG0
 *   16    ARG0 = SRC0 one cycle late
 *   17    ARG1 = SRC1 one cycle late
 *
 *   bit   input          NV10:NV30   NV30:G92         G92:GF100        GF100- (PC.GF.17 to 19)
 *   18    EVENT, STOP    -           ARG3 = SETFLAG   ARG3 = SETFLAG   ARG3 = SETFLAG
 *         the other 4    -           -                ARG2 = SRC0 late -
 *   19    EVENT, STOP    -           -                ARG2 = SRC0 late ARG2 = SRC0 late
 *         the other 4    -           -                ARG3 = SRC1 late ARG2 = SRC0 late
 *   20    EVENT, STOP    -           -                ARG3 = SRC1 late unless bit 18 is 1 (both)
 *         the other 4    -           -                -                ARG3 = SRC1 late
 */
/* clang-format on */
#ifndef PC_RULES_LUT_H
#define PC_RULES_LUT_H

#include <stdbool.h>
#include <stdint.h>

#include "pcounter/pcounter.h"

/* Where an argument comes from. */
enum pc_arg_from { PC_ARG_SRC, PC_ARG_SRC0_LATE, PC_ARG_SRC1_LATE, PC_ARG_SETFLAG };

struct pc_args {
    uint8_t from[4]; /* enum pc_arg_from; PC_ARG_SRC of argument i is SRC[i] */
};

/* Returns bit `bit` of an *_OP register. */
static inline bool pc_op_bit(uint32_t op, unsigned bit)
{
    return op >> bit & 1;
}

/*
 * Decodes bits 16-20: arguments start as the sources (PC.IN.2), and from GF100 on bit 18 is another
 * one (PC.GF.17).  `chained`: the input is EVENT or STOP.
 */
static inline struct pc_args pc_op_args(uint32_t op, bool chained, uint32_t features)
{
    struct pc_args a = { { PC_ARG_SRC, PC_ARG_SRC, PC_ARG_SRC, PC_ARG_SRC } };
    bool high = chained || features & PC_F_GF100;
    unsigned late2 = high ? 19 : 18, late3 = high ? 20 : 19;

    if (pc_op_bit(op, 16)) /* PC.IN.3 */
        a.from[0] = PC_ARG_SRC0_LATE;
    if (pc_op_bit(op, 17)) /* PC.IN.4 */
        a.from[1] = PC_ARG_SRC1_LATE;
    if (features & PC_F_ARG23_DELAY) {
        if (pc_op_bit(op, late2)) /* PC.IN.5 PC.GF.18 */
            a.from[2] = PC_ARG_SRC0_LATE;
        if (pc_op_bit(op, late3)) /* PC.IN.6 PC.GF.19 */
            a.from[3] = PC_ARG_SRC1_LATE;
    }
    if (chained && (features & PC_F_SETFLAG_ARG) && pc_op_bit(op, 18)) /* PC.IN.7 */
        a.from[3] = PC_ARG_SETFLAG;
    return a;
}

/* Returns true if SETFLAG is an argument of EVENT. Then EVENT needs it first, and SETFLAG's own
 * EVENT is that of the last cycle (D-21a). */
static inline bool pc_event_takes_setflag(uint32_t event_op, uint32_t features)
{
    return pc_op_args(event_op, true, features).from[3] == PC_ARG_SETFLAG;
}

/* PC.IN.8: bit #i of the truth table, i = ARG3 ARG2 ARG1 ARG0. */
static inline bool pc_lut4(uint32_t table, bool a0, bool a1, bool a2, bool a3)
{
    unsigned i = (unsigned)a0 | (unsigned)a1 << 1 | (unsigned)a2 << 2 | (unsigned)a3 << 3;

    return table >> i & 1;
}

#endif
