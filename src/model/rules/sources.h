/* SPDX-License-Identifier: MIT */
/*
 * The sources of an input: which selectors are SRC[0..3] of it (PC.IN.1, PC.IN.13), as numbers
 * 4 * input + i, and what its four arguments are.  On NV30+ SETFLAG looks at START_SRC[2..3],
 * PRE_SRC[0..1] and CLRFLAG at PRE_SRC[2..3], START_SRC[0..1]; before, both have sources of their
 * own (D-01).
 */
#ifndef PC_RULES_SOURCES_H
#define PC_RULES_SOURCES_H

#include <stdint.h>

#include "pcounter/pcounter.h"
#include "model/rules/lut.h"

/* Inputs by number: 0 PRE, 1 START, 2 EVENT, 3 STOP, 4 SETFLAG, 5 CLRFLAG. */
static inline unsigned pc_source_selector(uint32_t features, unsigned input, unsigned i)
{
    static const uint8_t rows[2][6][4] = {
        { { 0, 1, 2, 3 },
          { 4, 5, 6, 7 },
          { 8, 9, 10, 11 },
          { 12, 13, 14, 15 },
          { 6, 7, 0, 1 },
          { 2, 3, 4, 5 } },
        { { 0, 1, 2, 3 },
          { 4, 5, 6, 7 },
          { 8, 9, 10, 11 },
          { 12, 13, 14, 15 },
          { 16, 17, 18, 19 },
          { 20, 21, 22, 23 } },
    };

    return rows[(features & PC_F_OWN_FLAG_SRC) != 0][input][i];
}

/* An argument: a selector, perhaps one cycle late, or SETFLAG. */
struct pc_argument {
    uint8_t selector;
    bool late, setflag;
};

struct pc_arguments {
    struct pc_argument of[4];
};

/* Returns the i-th argument that an *_OP register gives its input. PC.IN.1 to PC.IN.7. */
static inline struct pc_argument pc_argument(uint32_t op, unsigned input, uint32_t features,
                                             unsigned i)
{
    const unsigned from = pc_op_args(op, input == 2 || input == 3, features).from[i];
    const unsigned source = from == PC_ARG_SRC0_LATE ? 0 : from == PC_ARG_SRC1_LATE ? 1 : i;

    return (struct pc_argument){
        .selector = (uint8_t)pc_source_selector(features, input, source),
        .late = from == PC_ARG_SRC0_LATE || from == PC_ARG_SRC1_LATE,
        .setflag = from == PC_ARG_SETFLAG,
    };
}

/* Returns all four arguments. */
static inline struct pc_arguments pc_arguments(uint32_t op, unsigned input, uint32_t features)
{
    return (struct pc_arguments){
        { pc_argument(op, input, features, 0), pc_argument(op, input, features, 1),
          pc_argument(op, input, features, 2), pc_argument(op, input, features, 3) }
    };
}

#endif
