/* SPDX-License-Identifier: MIT */
/* pc_unit_advance: see advance.c. */
#ifndef PC_ENGINE_ADVANCE_H
#define PC_ENGINE_ADVANCE_H

#include "model/engine/engine.h"

/* Cycles of one leap, so that no product overflows. */
#define ADVANCE_MOST (UINT64_C(1) << 56)
/* Cycles in which a counter of record mode that counts each of them fills its packet. */
#define ADVANCE_PACKET PC_RECORD_EVENT_FLUSH

/* The growth of a domain's counters and the like. */
struct advance_delta {
    struct pc_counters visible, shadow;
    uint64_t record_cycles, position, busy, stop, event[12];
};

/* Waits for the state to recur. */
struct advance_watch {
    uint32_t looks;        /* domains that are compared; the others only number their cycles */
    bool exact;            /* record mode's counters and PERIODIC's phase are among it */
    uint64_t steps, power; /* since the anchor; where it moves on */
    uint64_t cycles;       /* since the anchor */
    uint64_t packets;      /* before it */
    uint64_t length;       /* of the last period, in cycles, and what it added; 0: none */
    struct advance_delta delta[PC_MAX_DOMAINS];
    struct pc_domain anchor[PC_MAX_DOMAINS], control[PC_MAX_DOMAINS]; /* those with an edge */
};

struct advance {
    struct pc_unit *u;
    uint32_t edges, idle; /* domains; those that are dormant since the last anchor */
    const uint64_t (*raw)[PC_SIG_WORDS];
    uint32_t ticks[PC_MAX_DOMAINS]; /* clocks of a PERIODIC that matters, or 0 */
    pc_mem_write_fn *receives;      /* whoever gets packets */
    void *receiver;
    uint64_t packets;
    struct advance_watch small, large;
};

/* advance_state.c */
/* Returns true if what decides is the same as at the anchor. */
bool advance_same(const struct advance *a, const struct advance_watch *w);
/* Sets the anchor to now. */
void advance_anchor(const struct advance *a, struct advance_watch *w);
/* Computes what was added since the anchor; out[] of domains without an edge stays as it is. */
void advance_difference(const struct advance *a, const struct advance_watch *w,
                        struct advance_delta out[PC_MAX_DOMAINS]);
/* Returns how often the differences may be added, `times` at most, without a decision turning out
 * otherwise; 0 if that is not known. */
uint64_t advance_limit(const struct advance *a, const struct advance_watch *w, uint64_t times);
/* Adds them so often, and as many periods of cycles. */
void advance_apply(struct advance *a, const struct advance_watch *w, uint64_t times);

#endif
