/* SPDX-License-Identifier: MIT */
/*
 * Unstable. Activity: what nets do over time: how long they are 0, 1, x and z, how often they
 * toggle, and the widths of their pulses, out of their changes (see pcounter.h).  Times are in any
 * unit.
 *
 * All changes at one time are one step: the value before it and the last one of it are what counts.
 * A rise is from 0 to 1, a fall from 1 to 0; what comes from x or z, or goes there, is neither.  A
 * net is x until its first value; what it was before the first timestamp does not count, unless
 * pc_activity_before() says it.
 */
#ifndef PCOUNTER_ACTIVITY_H
#define PCOUNTER_ACTIVITY_H

#include "pcounter/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pc_activity;

/* A rule for pulses of rows that are one bit: a width in [least, most] is valid. */
enum pc_activity_width { PC_ACTIVITY_HIGH, PC_ACTIVITY_LOW, PC_ACTIVITY_PERIOD };
struct pc_activity_pulse {
    enum pc_activity_width width;
    uint64_t least, most;
};

/* Zero fields are defaults. */
struct pc_activity_desc {
    const struct pc_alloc
        *alloc;            /* of nets that several threads tell of: for all of them at once */
    const uint32_t *width; /* bits of each net; 0: not asked for */
    size_t nets;
    bool bits;         /* a row for each bit; else one for each net, the sum of its bits */
    bool widths;       /* also distributions of pulses and periods: of rows that are one bit */
    uint64_t from, to; /* only what is in [from, to), as if there were nothing before; to 0: all */
    const uint8_t *event; /* nets that are event variables, of one bit: only triggers count; NULL:
                             none is */
    /*
     * Only what pc_activity_section() says counts (then from is 0).  cycles: also which bits differ
     * from edge to edge.
     */
    bool marked, cycles;
    /* Pulses judged by each of these rules. */
    const struct pc_activity_pulse *pulse;
    size_t pulses;
    /*
     * Only for pulses: a level holds once it has lasted that long, from when it came; a shorter one
     * is a bounce, and the level before goes on.
     */
    uint64_t debounce;
};
PC_API PC_MUST_CHECK enum pc_status pc_activity_create(const struct pc_activity_desc *desc,
                                                       struct pc_activity **out,
                                                       struct pc_error *err);
PC_API void pc_activity_destroy(struct pc_activity *activity); /* NULL is fine */

/* Begins at the first time stamp; it precedes all changes that have times. */
PC_API void pc_activity_begin(struct pc_activity *activity, uint64_t time);
/* Sets the value of a net before that: value and unknown as in pc_activity_add(). */
PC_API void pc_activity_before(struct pc_activity *activity, size_t net, const uint64_t *value,
                               const uint64_t *unknown);
/*
 * Adds changes of one net, in the order of time: of each its time, and (width + 63) / 64 words of
 * value and unknown bits, the rightmost bit of the value lowest. value and unknown are 0 and 0 of a
 * bit that is 0; 1 and 0 of 1; 0 and 1 of x; 1 and 1 of z. unknown NULL: all bits are known.
 * Several threads may tell of different nets at once.
 */
PC_API void pc_activity_add(struct pc_activity *activity, size_t net, size_t count,
                            const uint64_t *time, const uint64_t *value, const uint64_t *unknown);

/*
 * With desc.marked changes come in sections of whole time stamps.  Marks are those of a section, in
 * the order of time: what is from one on, up to the next one, counts or does not, and `edge` says
 * that a cycle ends and one begins.  A change at the time of a mark is after it.  Before the first
 * mark nothing counts.
 *
 * A pulse is within time that counts without a break.  Values at two edges are those before all
 * changes of the edges' own times, and a cycle is one of which all counts.
 */
struct pc_activity_mark {
    uint64_t time;
    bool counts, edge;
};
PC_API PC_MUST_CHECK enum pc_status pc_activity_section(struct pc_activity *activity,
                                                        const struct pc_activity_mark *mark,
                                                        size_t count, struct pc_error *err);
/*
 * Ends the cycle, before the changes of the section are added, if the section is one time stamp and
 * its mark an edge, so that pc_activity_end() of that time has it.
 */
PC_API void pc_activity_edge(struct pc_activity *activity);
/* Ends a section, after all its changes. */
PC_API void pc_activity_section_end(struct pc_activity *activity);

/*
 * Ends the figures at this time, which is not before that of the last change. PC_ENOMEM; PC_ELIMIT:
 * the times of all bits of a net together are more than 64 bits.
 */
PC_API PC_MUST_CHECK enum pc_status pc_activity_end(struct pc_activity *activity, uint64_t time,
                                                    struct pc_error *err);

/* Pulses of a rule's kind. */
struct pc_activity_pulses {
    uint64_t valid, other;
};

/* A row: times add up to `duration`, of a net's row to as many as it has bits. */
struct pc_activity_figures {
    uint64_t duration;
    uint64_t t0, t1, tx, tz;
    uint64_t rises, falls;
    uint64_t x_to_1, x_to_0, known_to_x; /* from and to x or z */
    /*
     * From a rise to the next fall, a fall to the next rise, and a rise to the next, without x or z
     * between; NULL: there was none, or it was not asked for.  Valid until the next call but this
     * one.
     */
    struct pc_dist *high, *low, *period;
    uint64_t triggers; /* of an event variable, which has no other figures */
    /*
     * With desc.cycles: edges at which a bit is 1 and was 0 at the edge before, or the other way
     * round; and toggles that are in no cycle of which all counts.
     */
    uint64_t settled, outside;
    /* The pulses of each rule, if the row is one bit, valid as long as high, low and period; else
     * NULL. */
    const struct pc_activity_pulses *pulses;
    uint64_t bounces; /* levels 0 and 1 that were too short */
};
/* Gets the figures after pc_activity_end(); bit: from the right, 0 without desc.bits. */
PC_API void pc_activity_get(const struct pc_activity *activity, size_t net, uint32_t bit,
                            struct pc_activity_figures *out);
/* The time and cycles of the marks up to pc_activity_end(), since the figures began. */
struct pc_activity_cycles {
    uint64_t time;  /* that counts */
    uint64_t begun; /* cycles */
    uint64_t whole; /* cycles that ended, and of which all counts */
};
PC_API void pc_activity_get_cycles(const struct pc_activity *activity,
                                   struct pc_activity_cycles *out);
/*
 * Begins the figures again at that time, after pc_activity_end(). A pulse that lasts then is
 * counted where it ends.
 */
PC_API void pc_activity_next(struct pc_activity *activity);
/* Sets the state to that after pc_activity_create(). */
PC_API void pc_activity_clear(struct pc_activity *activity);

#ifdef __cplusplus
}
#endif

#endif
