/* SPDX-License-Identifier: MIT */
/*
 * Signals of other domains (clauses PC.SYNC.*, D-26, D-27).  One bit a source domain, so
 * the eight synchronisers of a destination are bytes worked on at once.
 *
 * CONTINUOUS: two flops in the destination's clock; what it sees in its cycle t is what
 *     the source's own slot showed at its edge t-2.
 * PULSE: the source's clock flips a toggle at each 0 to 1; the toggle passes two flops of
 *     the destination, and the signal is 1 for the one cycle in which the second differs
 *     from the third.
 */
#ifndef PC_RULES_SYNC_H
#define PC_RULES_SYNC_H

#include <stdint.h>

struct pc_sync {
    uint8_t level[2];  /* CONTINUOUS: first and second flop */
    uint8_t toggle[3]; /* PULSE: first, second and third flop */
};

static inline uint8_t pc_sync_continuous(const struct pc_sync *s)
{
    return s->level[1];
}

static inline uint8_t pc_sync_pulse(const struct pc_sync *s)
{
    return (uint8_t)(s->toggle[1] ^ s->toggle[2]);
}

/* The destination's edge: `level` and `toggle` as they stood just before it. */
static inline void pc_sync_edge(struct pc_sync *s, uint8_t level, uint8_t toggle)
{
    s->level[1] = s->level[0];
    s->level[0] = level;
    s->toggle[2] = s->toggle[1];
    s->toggle[1] = s->toggle[0];
    s->toggle[0] = toggle;
}

#endif
