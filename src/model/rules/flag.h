/* SPDX-License-Identifier: MIT */
/*
 * The flag (clauses PC.FLAG.*): CLRFLAG wins over SETFLAG, and two flops stand between
 * the inputs and the signal (D-23): SETFLAG at X is in the register in X+1 and on the
 * signal in X+2.
 */
#ifndef PC_RULES_FLAG_H
#define PC_RULES_FLAG_H

#include <stdbool.h>

/* CLRFLAG clears it (PC.FLAG.1), SETFLAG alone sets it (PC.FLAG.2), neither leaves it (PC.FLAG.3).
 */
static inline bool pc_flag_next(bool flag, bool set, bool clear)
{
    return clear ? false : set ? true : flag;
}

#endif
