/* SPDX-License-Identifier: MIT */
/*
 * Answers beyond counts, from planes of a waveform's cycles: how often each value was, how long
 * something took, what a state machine did and how full a queue was (see pcounter.h).  Planes are
 * as in struct pc_wave_block: bit i of word w is cycle 64 w + i.  Blocks are given one after the
 * other; cycles are numbered from 0 over all of them.
 */
#ifndef PCOUNTER_MEASURE_H
#define PCOUNTER_MEASURE_H

#include "pcounter/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 128-bit numbers, for sums of 64-bit values ---- */

/* Two's complement */
struct pc_wide {
    uint64_t low;
    int64_t high;
};
#define PC_WIDE_TEXT 41 /* bytes of its digits, a sign and the end */
PC_API void pc_wide_text(struct pc_wide value, char text[PC_WIDE_TEXT]);
PC_API double pc_wide_double(struct pc_wide value);

/* ---- distributions ---- */

/* How often each value occurred.  Values have 64 bits, signed or unsigned. */
struct pc_dist;

#define PC_DIST_DISTINCT ((size_t)1 << 20) /* different values that are kept, at most */

PC_API PC_MUST_CHECK enum pc_status pc_dist_create(const struct pc_alloc *alloc, bool is_signed,
                                                   struct pc_dist **out, struct pc_error *err);
PC_API void pc_dist_destroy(struct pc_dist *dist); /* NULL is fine */
/*
 * Adds `times` occurrences of the value. A new value takes memory; if there was none,
 * pc_dist_get_figures() returns PC_ENOMEM.
 */
PC_API void pc_dist_add(struct pc_dist *dist, uint64_t value, uint64_t times);
/* Adds all values of another distribution, which has a sign if this one has. */
PC_API void pc_dist_add_all(struct pc_dist *dist, const struct pc_dist *other);
/* Empties the distribution; the memory of many values is freed. */
PC_API void pc_dist_clear(struct pc_dist *dist);

/* Percentiles that are told of each distribution: another one is a constant here and a row of
 * ranks[] in src/lang/measure/dist.c. */
enum pc_rank { PC_P50, PC_P90, PC_P95, PC_P99, PC_RANKS };
/* Returns "p95" for 95, and 95 for "p95"; NULL if there is no such rank. */
PC_API const char *pc_rank_name(enum pc_rank rank);
PC_API unsigned pc_rank_percent(enum pc_rank rank);

struct pc_dist_figures {
    uint64_t count;
    struct pc_wide sum;
    struct pc_wide min, max; /* if count > 0, like all below */
    double mean;             /* sum / count */
    /*
     * False: there were more than PC_DIST_DISTINCT different values.  The members below are then
     * unknown; count, sum, min, max and mean are still exact.
     */
    bool complete;
    struct pc_wide rank[PC_RANKS]; /* nearest rank: a value that occurred */
    size_t distinct;               /* different values */
};
/* Gets the figures, and sorts the values that pc_dist_value() gives. PC_ENOMEM, also if an earlier
 * call got no memory. */
PC_API PC_MUST_CHECK enum pc_status
pc_dist_get_figures(struct pc_dist *dist, struct pc_dist_figures *out, struct pc_error *err);
/*
 * Gets the i-th value in ascending order, and how often it occurred; false if there are no more, or
 * the distribution is not complete. After pc_dist_get_figures(), until the next value is added.
 */
PC_API bool pc_dist_value(const struct pc_dist *dist, size_t i, struct pc_wide *value,
                          uint64_t *times);

/* A figure of which only bounds are known; no bound above is INFINITY. */
struct pc_bound {
    double least, most;
};
struct pc_dist_bounds {
    uint64_t open;
    struct pc_bound min, mean, rank[PC_RANKS], max;
};
/*
 * Finds the bounds of the figures that `done` will have with some more values, each of which will
 * be at least the one in `open` that stands for it.  False: there are none in both together, or
 * one of them is not complete.  PC_ENOMEM is also false.
 */
PC_API bool pc_dist_get_bounds(struct pc_dist *done, struct pc_dist *open,
                               struct pc_dist_bounds *out);

/* ---- values ---- */

/* The value of a vector in each cycle. */
struct pc_values;

#define PC_VALUES_WIDTH 64

PC_API PC_MUST_CHECK enum pc_status pc_values_create(const struct pc_alloc *alloc, unsigned width,
                                                     bool is_signed, struct pc_values **out,
                                                     struct pc_error *err);
PC_API void pc_values_destroy(struct pc_values *values); /* NULL is fine */
/* Adds cycles: value[k], unknown[k] are bit k of the vector; when: cycles that count, NULL: all. */
PC_API void pc_values_add(struct pc_values *values, const uint64_t *const *value,
                          const uint64_t *const *unknown, const uint64_t *when, uint64_t cycles);
/* Samples without an unknown bit */
PC_API struct pc_dist *pc_values_dist(struct pc_values *values);

/* Samples with an unknown bit, which are in no distribution */
PC_API uint64_t pc_values_unknown(const struct pc_values *values);
/* Begins a new part: the distribution and the unknown samples begin anew. */
PC_API void pc_values_next(struct pc_values *values);

/* ---- latencies ---- */

/*
 * Cycles from a start to its end, first in first out, by identifiers if there are some.  A start
 * and an end in one cycle: the end is that of the oldest start before, or if there is none, of this
 * one, after 0 cycles.
 */
struct pc_latency;

struct pc_latency_desc {
    const struct pc_alloc *alloc;
    unsigned start_id_bits, end_id_bits; /* of the identifiers, up to 64; 0 both: there are none */
    size_t most_open;                    /* [1 Mi] outstanding at once */
    size_t most_ids;                     /* [4096] identifiers with a distribution of their own */
};

/* A block.  Unknown bits of start and end are the caller's to decide. */
struct pc_latency_block {
    uint64_t cycles;
    const uint64_t *start, *end;
    const uint64_t *until; /* drops what is in flight, before the cycle's start and end; or NULL */
    const uint64_t *reset; /* also drops it, and the cycle has no start and no end; or NULL */
    const uint64_t *const *start_id, *const *start_id_unknown; /* start_id_bits of each */
    const uint64_t *const *end_id, *const *end_id_unknown;
    const uint64_t *time; /* of each cycle, for pc_latency_get_longest(); or NULL */
};

PC_API PC_MUST_CHECK enum pc_status pc_latency_create(const struct pc_latency_desc *desc,
                                                      struct pc_latency **out,
                                                      struct pc_error *err);
PC_API void pc_latency_destroy(struct pc_latency *latency); /* NULL is fine */
/* Adds cycles; PC_ELIMIT: more than most_open are outstanding. PC_ENOMEM. */
PC_API PC_MUST_CHECK enum pc_status pc_latency_add(struct pc_latency *latency,
                                                   const struct pc_latency_block *block,
                                                   struct pc_error *err);

struct pc_latency_figures {
    uint64_t cycles;
    uint64_t started, completed, unfinished;
    uint64_t aborted;    /* dropped by `until` or `reset` */
    uint64_t orphans;    /* ends without an outstanding start */
    uint64_t unknown_id; /* starts and ends whose identifier has an unknown bit */
    uint64_t most_outstanding;
    size_t ids;   /* that have a distribution of their own */
    bool all_ids; /* there were no more */
};
PC_API void pc_latency_get_figures(const struct pc_latency *latency,
                                   struct pc_latency_figures *out);
/* Returns the cycles of those that were completed; and how many were outstanding before each
 * cycle. */
PC_API struct pc_dist *pc_latency_dist(struct pc_latency *latency);
PC_API struct pc_dist *pc_latency_outstanding(struct pc_latency *latency);
/*
 * Returns, for each one that is outstanding now, the cycles since its start, up to the last cycle
 * that was added: its latency is at least that. NULL: there is no memory. Valid until the next
 * call.
 */
PC_API struct pc_dist *pc_latency_open_ages(struct pc_latency *latency);
/*
 * Finds the first of those that took longest since the beginning; if one that is open is older, it
 * is the oldest of these, and `cycles` is its age.  Cycles count from 0, of all that were added;
 * times are 0 where blocks had none, and an open one has no end.
 */
struct pc_latency_longest {
    bool any, open;
    uint64_t id, cycles;
    uint64_t start; /* its first cycle */
    uint64_t start_time, end_time;
};
PC_API void pc_latency_get_longest(const struct pc_latency *latency,
                                   struct pc_latency_longest *out);
/* Returns the latencies of the i-th identifier, in the order of first use. */
PC_API struct pc_dist *pc_latency_of_id(struct pc_latency *latency, size_t i, uint64_t *id);
/*
 * Begins a new part: both distributions and all figures but those of identifiers
 * begin anew.  What is open stays open, and is of the part in which it is completed.
 */
PC_API void pc_latency_next(struct pc_latency *latency);

/* ---- states ---- */

/*
 * Measures a state machine: the value of a vector in each cycle.  A stay is a run of cycles with
 * one value, a visit is its begin, and a transition goes from a value to another in the next cycle.
 * A cycle in which the vector has an unknown bit ends a stay, and is in no transition.
 */
struct pc_states;

struct pc_states_desc {
    const struct pc_alloc *alloc;
    unsigned width; /* of the vector, up to PC_VALUES_WIDTH */
    bool is_signed;
    size_t most_states;      /* [4096, and no more] different values */
    size_t most_transitions; /* [65536] different ones */
    /*
     * NULL, or called for the cycles of each stay, in order: `cycles` from number `first` on, of
     * the state with that number, or PC_STATES_UNKNOWN.  A long stay comes in several pieces.
     */
    void (*stay)(void *ctx, uint64_t first, uint64_t cycles, size_t state);
    void *ctx;
};
#define PC_STATES_UNKNOWN SIZE_MAX

PC_API PC_MUST_CHECK enum pc_status pc_states_create(const struct pc_states_desc *desc,
                                                     struct pc_states **out, struct pc_error *err);
PC_API void pc_states_destroy(struct pc_states *states); /* NULL is fine */
/* Adds cycles: value[k], unknown[k] are bit k of the vector. PC_ELIMIT: too many different values
 * or transitions. PC_ENOMEM. */
PC_API PC_MUST_CHECK enum pc_status pc_states_add(struct pc_states *states,
                                                  const uint64_t *const *value,
                                                  const uint64_t *const *unknown, uint64_t cycles,
                                                  struct pc_error *err);

struct pc_states_figures {
    uint64_t cycles;       /* all of them */
    uint64_t unknown;      /* in which the vector has an unknown bit */
    uint64_t unknown_runs; /* stretches of these */
    uint64_t transitions;
    size_t states, pairs; /* different values and transitions, of all parts */
    size_t last;          /* the state after the last cycle; PC_STATES_UNKNOWN: it has none */
};
struct pc_states_state {
    struct pc_wide value;
    uint64_t visits, cycles;
    uint64_t shortest, longest; /* stays, that of now included; of a part 0 */
    uint64_t leaves;            /* transitions from it */
};
struct pc_states_pair {
    size_t from, to; /* states */
    uint64_t count;
};
/*
 * Gets the counts of all cycles; `part`: since pc_states_next(). The i-th state or transition is
 * numbered in the order of their first occurrence; false: there are no more.
 */
PC_API void pc_states_get_figures(const struct pc_states *states, bool part,
                                  struct pc_states_figures *out);
PC_API bool pc_states_at(const struct pc_states *states, bool part, size_t i,
                         struct pc_states_state *out);
PC_API bool pc_states_transition(const struct pc_states *states, bool part, size_t i,
                                 struct pc_states_pair *out);
/* Begins a new part.  A stay that goes on is a visit of the part in which it began. */
PC_API void pc_states_next(struct pc_states *states);

/* ---- levels ---- */

/*
 * How full something is: from a start on, what comes in less what goes out.  The level of a cycle
 * is that after all that comes and goes in it.
 */
struct pc_level;

struct pc_level_desc {
    const struct pc_alloc *alloc;
    uint64_t start;    /* up to INT64_MAX */
    uint64_t capacity; /* at which it is full; 0: none */
};

/* A number that comes in, or goes out; its bits from the lowest on.  Unknown bits are the caller's
 * to decide. */
struct pc_level_term {
    const uint64_t *const *plane;
    unsigned width; /* 1 to 64 */
    bool out;
};

struct pc_level_block {
    uint64_t cycles;
    const struct pc_level_term *term;
    size_t terms;
    const uint64_t *until; /* back to the start, before what the cycle has; or NULL */
    const uint64_t *reset; /* the same, and the cycle has nothing else; or NULL */
};

PC_API PC_MUST_CHECK enum pc_status pc_level_create(const struct pc_level_desc *desc,
                                                    struct pc_level **out, struct pc_error *err);
PC_API void pc_level_destroy(struct pc_level *level); /* NULL is fine */
/* Adds cycles; PC_EINPUT: a level below 0. PC_ELIMIT: one above INT64_MAX. *cycle is that of the
 * block, and the level stays that before it. */
PC_API PC_MUST_CHECK enum pc_status pc_level_add(struct pc_level *level,
                                                 const struct pc_level_block *block,
                                                 uint64_t *cycle, struct pc_error *err);

struct pc_level_figures {
    uint64_t cycles;
    uint64_t full;        /* cycles at the capacity, or above it */
    uint64_t above;       /* cycles above it */
    uint64_t first_above; /* the first of these, of all parts; UINT64_MAX: none */
    uint64_t now;         /* after the last cycle */
};
PC_API void pc_level_get_figures(const struct pc_level *level, struct pc_level_figures *out);
/* Returns the distribution of the level in each cycle. */
PC_API struct pc_dist *pc_level_dist(struct pc_level *level);
/* Begins a new part: the distribution and the figures begin anew, the level goes on. */
PC_API void pc_level_next(struct pc_level *level);

#ifdef __cplusplus
}
#endif

#endif
