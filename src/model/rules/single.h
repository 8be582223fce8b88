/* SPDX-License-Identifier: MIT */
/*
 * The machine of single event mode (clauses PC.SINGLE.*), which the step, the live step and the
 * wide engine have in common: what a cycle's inputs do to it.  Counting is theirs.
 */
#ifndef PC_RULES_SINGLE_H
#define PC_RULES_SINGLE_H

#include <stdbool.h>
#include <stdint.h>

enum pc_single_state { PC_INACTIVE, PC_WAIT_PRE, PC_WAIT_START, PC_COUNTING };

/* The part of a cycle in a single mode process. */
enum pc_single_cycle {
    PC_SINGLE_RESTS,  /* INACTIVE */
    PC_SINGLE_WAITS,  /* for PRE or START */
    PC_SINGLE_BEGINS, /* START came: the next cycle is the first that is counted (D-43) */
    PC_SINGLE_COUNTS, /* COUNTING */
    PC_SINGLE_ENDS    /* COUNTING, and the last of its period: STOP */
};

/*
 * `pre` and `stop`: CTR_PRE and CTR_STOP, which are how often PRE (PC.SINGLE.3) and STOP
 * (PC.SINGLE.7, PC.SINGLE.8) are still to come.  The cycle of STOP is the period's last
 * (PC.SINGLE.11); what was counted then stays (PC.SINGLE.13).
 */
static inline enum pc_single_cycle pc_single_next(uint8_t *state, uint64_t *pre, uint64_t *stop,
                                                  bool pre_in, bool start_in, bool stop_in)
{
    switch ((enum pc_single_state) * state) {
    case PC_INACTIVE:
        break;
    case PC_WAIT_PRE:
        if (pre_in && *pre == 0)
            *state = PC_WAIT_START;
        else if (pre_in)
            --*pre;
        return PC_SINGLE_WAITS;
    case PC_WAIT_START:
        if (!start_in)
            return PC_SINGLE_WAITS;
        *state = PC_COUNTING;
        return PC_SINGLE_BEGINS;
    case PC_COUNTING:
        if (!stop_in)
            return PC_SINGLE_COUNTS;
        *state = *stop != 0 ? PC_WAIT_START : PC_INACTIVE;
        *stop -= *stop != 0;
        return PC_SINGLE_ENDS;
    }
    return PC_SINGLE_RESTS;
}

#endif
