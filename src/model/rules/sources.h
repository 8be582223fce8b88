/* SPDX-License-Identifier: MIT */
/*
 * What an input looks at: which selectors are SRC[0..3] of it (PC.IN.1, PC.IN.13), as numbers
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
    static const uint8_t set[4] = { 6, 7, 0, 1 };
    static const uint8_t clear[4] = { 2, 3, 4, 5 };

    if (!(features & PC_F_OWN_FLAG_SRC) && input == 4)
        return set[i];
    if (!(features & PC_F_OWN_FLAG_SRC) && input == 5)
        return clear[i];
    return input * 4 + i;
}

/* An argument: a selector, perhaps one cycle late, or SETFLAG. */
struct pc_argument {
    uint8_t selector;
    bool late, setflag;
};

struct pc_arguments {
    struct pc_argument of[4];
};

/* The arguments that an *_OP register gives its input.  PC.IN.1 to PC.IN.7 */
static inline struct pc_arguments pc_arguments(uint32_t op, unsigned input, uint32_t features)
{
    const struct pc_args args = pc_op_args(op, input == 2 || input == 3, features);
    struct pc_arguments out;

    for (unsigned i = 0; i < 4; i++) {
        const unsigned from = args.from[i];
        const unsigned source = from == PC_ARG_SRC0_LATE ? 0 : from == PC_ARG_SRC1_LATE ? 1 : i;
        out.of[i] = (struct pc_argument){
            .selector = (uint8_t)pc_source_selector(features, input, source),
            .late = from == PC_ARG_SRC0_LATE || from == PC_ARG_SRC1_LATE,
            .setflag = from == PC_ARG_SETFLAG,
        };
    }
    return out;
}

#endif
