/* SPDX-License-Identifier: MIT */
/*
 * What some cycles do to one domain, for one finite state that it comes in: the finite state
 * that it leaves in, and what happens to its counters, which is found by running from
 * counters of 0 and added to whatever they were.
 *
 *   effect.c   two effects after each other; an effect on a domain
 *   probe.c    the effect of some cycles, by running them
 */
#ifndef PC_ENGINE_EFFECT_H
#define PC_ENGINE_EFFECT_H

#include "engine/engine.h"

/* All that a domain remembers but its counters, and what stands still. */
struct eg_key {
    uint32_t late;
    uint16_t periodic;
    uint8_t single_state;
    uint8_t flag_cur, flag_next, last_flag, last_event;
    uint8_t unused; /* 0: keys are compared byte by byte */
};

struct eg_effect {
    struct eg_key leaves;
    uint8_t enters;                    /* enum pc_single_state it came in */
    uint8_t event_toggle, flag_toggle; /* it turned over */
    uint8_t dirty;                     /* something was counted */
    uint32_t diagnostics;
    uint64_t cycles;

    /*
     * Quad: swaps 0, 1 or 2, which stands for more; counts before the first, of the last complete
     * period (if 2), and since the last.
     */
    uint8_t swaps;
    struct pc_counters head, complete, tail;

    /*
     * Single: whether a START began a period; counts up to the first STOP of one that was open
     * when the cycles began (head), and CTR_CYCLES, CTR_EVENT after that: of the period that the
     * last START began, or if none did, what is added (tail).  With EVENT_CTR_PERIOD = ALL
     * tail.event is all that is added.  tail.start: periods from START to STOP that reached the
     * threshold; tail.pre: what the EXTRA modes add.
     */
    uint8_t started;
    uint64_t uses; /* of CTR_STOP: STOPs that ended a period; in WAIT_PRE of CTR_PRE */
};

struct eg_key eg_key_of(const struct pc_domain *d);
void eg_key_enter(struct pc_domain *d, const struct eg_key *key);
bool eg_key_equal(const struct eg_key *a, const struct eg_key *b);

/* Nothing yet. */
struct eg_effect eg_effect_none(const struct eg_key *key);
/* *first becomes: first, then second, of a domain like `d`. */
void eg_effect_then(const struct pc_unit *u, const struct pc_domain *d, struct eg_effect *first,
                    const struct eg_effect *second);
/* false, and d is as it was, if the counters that d has would have changed the machine's course. */
bool eg_effect_apply(const struct pc_unit *u, struct pc_domain *d, const struct eg_effect *e);

/* The effect of cycles [from, to) of the run on a domain of u that comes with `key`. */
struct eg_effect eg_probe(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run,
                          unsigned domain, const struct eg_key *key, uint64_t from, uint64_t to);

#endif
