/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat, the counting itself: a stretch of cycles is evaluated by any thread that has a
 * hand for it, and then taken in order by the units of all passes.
 */
#ifndef PC_CLI_STAT_COUNT_H
#define PC_CLI_STAT_COUNT_H

#include "stat_report.h"

/* Words in front of a stretch that was cut off: more than the delays of an expression can reach
 * (it nests 256 deep). */
#define STAT_LEAD 8

/* Cycles that follow each other. */
struct stat_stretch {
    uint64_t first, cycles; /* of the stretch itself, without its lead */
    uint64_t before;        /* cycles before the window, which are read and not counted */
    size_t lead;            /* words of planes in front of it; 0: it follows the one before */
    const uint64_t *const *value, *const *unknown; /* of the wires, from the lead on */
    bool any_unknown;
    const uint64_t *time; /* of each cycle of the stretch itself, where edges have times */
    /* what stat_evaluate() finds */
    bool evaluated, looked; /* ... for unknowns that matter */
    uint64_t *bits;         /* of an event from plane * stride on, the lead included */
    size_t stride;
    uint64_t *taint;              /* with -I, as bits: the cycles in which unknowns matter */
    uint64_t *popcount, *tainted; /* of each event; with -I they are found interval by interval */
    uint64_t *seen;               /* ... with --multiplex: in the turns of its pass */
    size_t passes;
    size_t bad_event; /* --x error; the number of events: none */
    uint64_t bad_cycle;
};

/* Is an event's plane looked at after its ones are counted?  Else all events have the same room. */
static inline bool stat_keeps_bits(const struct stat_job *j)
{
    return j->chip || j->o->interval.text;
}

/* Planes of all events where they are kept, and the first of each. */
size_t stat_count_planes(struct stat_job *j);

/* The memory that a thread needs to evaluate events. */
struct stat_hand {
    struct pc_expr **expr; /* of each event */
    bool owns;             /* ... and they are copies */
    struct pc_engine *engine;
    uint64_t *taint;                          /* of one event */
    const uint64_t *(*plane)[PC_MAX_SIGNALS]; /* of each domain of one pass */
};

/* The counters: all stretches in order. */
struct stat_count {
    struct stat_job *j;
    struct stat_plan *plan;
    struct stat_wires *wires;
    uint64_t since_swap, cycles;
    /*
     * A window begins with what the counters remember of the cycles before it: `before` of them,
     * the first is number `start` of the clock, are run and forgotten.
     */
    uint64_t start, before;
    bool forget;                    /* the period that ends next */
    bool timed;                     /* intervals end by the times of edges */
    struct stat_timeline *timeline; /* -I; NULL: all is one */
    struct stat_report *report;
    bool begun; /* empty intervals before the first edge are told */
    struct stat_hand hand;
    uint64_t (*raw)[PC_MAX_DOMAINS][PC_SIG_WORDS]; /* 64 cycles of one pass */
};

/* `words` of planes at most, lead included; false if memory runs out.  Free what was opened. */
bool stat_hand_open(struct stat_hand *hand, const struct stat_job *j, struct stat_wires *copies,
                    size_t words);
void stat_hand_close(struct stat_hand *hand, const struct stat_job *j);
bool stat_stretch_open(struct stat_stretch *s, const struct stat_job *j, size_t passes,
                       size_t words);
void stat_stretch_close(struct stat_stretch *s);

bool stat_count_open(struct stat_count *c, size_t words);
void stat_count_close(struct stat_count *c);

/* The events as expressions. */
void stat_evaluate(struct stat_hand *hand, const struct stat_job *j, struct stat_stretch *s);
/* The next stretch in order; an exit code. */
int stat_take(struct stat_count *c, struct stat_stretch *s);
/* After the last one: its period becomes visible, and the two counts of each event are compared;
 * an exit code. */
int stat_finish(struct stat_count *c, bool partial);

/* --- stat_sums.c --- */

/* The two counts of each event are the same, unless the hardware says that it lost some; an exit
 * code. */
int stat_settle(struct stat_job *j);
/* Cycles [from, to) of the stretch, one at least, belong to the open interval. */
void stat_add_ones(struct stat_count *c, const struct stat_stretch *s, uint64_t from, uint64_t to);
/* Its row, and those of intervals without a cycle after it; exit codes. */
int stat_end_interval(struct stat_count *c, uint64_t end);
int stat_tell_empty(struct stat_count *c);
/* The last one; what the events have is then the sum of all. */
int stat_end_last(struct stat_count *c, bool partial);
/* Gives the events the sums of all intervals reported, after the last interval. */
void stat_take_sums(struct stat_count *c);

#endif
