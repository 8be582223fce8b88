/* SPDX-License-Identifier: MIT */
/* Nets and their rows: activity.c has them, activity_add.c takes their changes. */
#ifndef PC_MEASURE_ACTIVITY_H
#define PC_MEASURE_ACTIVITY_H

#include "base/alloc.h"
#include "base/ones.h"
#include "lang/measure/dist.h"
#include "pcounter/unstable/activity.h"

enum level { L0, L1, LX, LZ };

/* A bit, or the sum of the bits of a net. */
struct row {
    uint64_t began; /* when it took its level; of a sum: when it changed last */
    uint64_t rose;  /* the last rise */
    uint64_t t[4];  /* by level */
    uint64_t rises, falls;
    uint64_t x_to_1, x_to_0, known_to_x;
    uint32_t is[4];   /* bits of each level now; of one bit: 1 and 0 */
    uint32_t stretch; /* the one in which it toggled last */
    uint8_t level;    /* of one bit */
    bool edge;        /* it took its level by a rise or a fall */
    bool has_risen;   /* and was not unknown since */
    bool before;      /* it had a value before the first timestamp */
};

struct net {
    uint64_t at;      /* time of the value that waits */
    size_t row, word; /* its first ones */
    uint32_t width;
    bool waits;
    bool event;             /* its triggers are `rises` */
    bool pending;           /* it changed in a cycle whose end was not taken yet: */
    uint64_t cycle;         /* that one; 0: before the first edge */
    uint32_t section, mark; /* where the last search for a mark ended */
};

/*
 * Words of a net: what it was before the value that waits, and that one.  With cycles also what it
 * was when the cycle began, and which bits toggled in it.
 */
enum {
    WAS,
    WAS_UNKNOWN,
    NOW,
    NOW_UNKNOWN,
    PLANES,
    WHEN_BEGUN = PLANES,
    WHEN_BEGUN_UNKNOWN,
    TOGGLED,
    PLANES_OF_CYCLES
};

/* When a step is taken, and what of it counts. */
struct moment {
    uint64_t at;      /* time that counts before it (activity_marks.c); without marks all time */
    uint32_t stretch; /* pulses are of one stretch */
    bool passes;      /* times count up to it */
    bool counts;
    bool leaves; /* x and z before it were values */
};

/* From a mark to the next one. */
struct mark {
    uint64_t time;
    uint64_t passed; /* time that counts before it */
    uint64_t edges;  /* up to it, it included */
    uint32_t stretch;
    bool counts;
};

/* Marks of a section: the first one stands for those before. */
struct marks {
    struct mark *mark;
    uint8_t *whole; /* by edge of the section: does all of the cycle that ends there count? */
    size_t count, capacity, whole_capacity;
    uint64_t edges; /* before the section */
    uint64_t begun; /* cycles that began in it */
    uint32_t section;
    bool whole_now; /* all of the present cycle counts up to now */
};

/* The toggles of a row with cycles: those in no cycle that counts as a whole, and those before this
 * one. */
struct of_cycles {
    uint64_t settled, outside, before;
};

/* Pulses of a row after debouncing (activity_pulse.c). */
struct pulse {
    uint64_t since; /* when the present value came */
    uint64_t began; /* when the level came that holds */
    uint64_t rose;
    uint64_t bounces;
    uint8_t level; /* that holds */
    bool edge, has_risen;
};

enum dist { PERIOD, HIGH, LOW, DISTS };

/* Different widths of all rows together, about, and of each, at least. */
enum { ALL_DISTINCT = 1 << 24, LEAST_DISTINCT = 256 };

struct pc_activity {
    struct pc_alloc alloc;
    bool bits, widths;
    bool marked, cycles;
    struct marks marks;
    struct of_cycles *of_cycles; /* by row; NULL: not wanted */
    uint64_t begun, whole;       /* cycles that began, and those of which all counts */
    struct pc_activity_pulse *rule;
    size_t rules;
    uint64_t debounce;
    struct pulse *pulse;               /* by row; NULL: not wanted */
    struct pc_activity_pulses *judged; /* rules of each row */
    uint64_t from, to;
    struct net *net;
    struct row *row;
    uint64_t *word;
    struct pc_dist **dist; /* DISTS of each row; NULL: not wanted, or none yet */
    size_t nets, rows, words, most;
    uint64_t first;  /* the first timestamp */
    uint64_t origin; /* where times begin to count */
    uint64_t start;  /* of the figures */
    uint64_t end;
    bool no_memory; /* for a distribution */
};

static inline size_t words_of(uint32_t width)
{
    return (width + (size_t)63) / 64;
}

/* Returns true if its row is the sum of several bits. */
static inline bool is_sum(const struct pc_activity *a, const struct net *n)
{
    return !a->bits && n->width > 1;
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Returns when the value that waits came. */
static inline struct moment moment_of(const struct pc_activity *a, uint64_t at)
{
    return (struct moment){
        .at = at, .passes = at >= a->from, .counts = at >= a->from, .leaves = at != a->first
    };
}

/*
 * Ends the wait of a value for the next time.  Returns true if it is another one than before, so
 * that there is a step to take.
 */
static inline bool end_wait(const struct pc_activity *a, struct net *n)
{
    const size_t words = words_of(n->width);
    const uint64_t *word = &a->word[n->word];
    uint64_t other = 0;

    n->waits = false;
    for (size_t w = 0; w < 2 * words; w++)
        other |= word[w] ^ word[NOW * words + w];
    return other != 0;
}

/* --- activity_step.c --- */

/* Makes the value wait, as the last one of its time so far. */
void pc_activity_put(struct pc_activity *a, struct net *n, uint64_t at, const uint64_t *value,
                     const uint64_t *unknown);
/* Takes the step to the value that waits, whose moment is known. */
void pc_activity_take(struct pc_activity *a, struct net *n, struct moment m);
/* Adds the times of a sum up to that one. */
void pc_activity_pass(const struct pc_activity *a, struct row *r, uint64_t at);
/* Adds changes of one bit up to the last one that may still be followed by one at its time. */
void pc_activity_add_bit(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
                         const uint64_t *value, const uint64_t *unknown);
/*
 * Adds changes of several bits in the same way, if all of them were, are and become known: values
 * are compared in place, and only the last two are kept.
 */
void pc_activity_add_known(struct pc_activity *a, struct net *n, size_t count, const uint64_t *time,
                           const uint64_t *value);
/* Returns true if all bits of the value that waits, and of the one before it, are known. */
bool pc_activity_knows_all(const struct pc_activity *a, const struct net *n);

/* --- activity_add.c --- */

/* Takes the step to the value that waits, which is the last one of its time. */
void pc_activity_settle(struct pc_activity *a, struct net *n);

/* --- activity_marks.c --- */

void pc_activity_free_marks(struct pc_activity *a);
void pc_activity_clear_marks(struct pc_activity *a);
/* Returns the last mark at the time of a change, or before it. */
const struct mark *pc_activity_mark_at(const struct pc_activity *a, struct net *n, uint64_t time);
/* Returns how much time counts up to this one, which no mark follows. */
uint64_t pc_activity_passed(const struct pc_activity *a, uint64_t time);
/* Adds changes as the marks say. */
void pc_activity_add_marked(struct pc_activity *a, struct net *n, size_t count,
                            const uint64_t *time, const uint64_t *value, const uint64_t *unknown);

/* --- activity_pulse.c --- */

bool pc_activity_make_pulses(struct pc_activity *a, const struct pc_activity_desc *desc);
void pc_activity_free_pulses(struct pc_activity *a);
void pc_activity_clear_pulses(struct pc_activity *a);
/* Changes the bit of a row from the level that it has. */
void pc_activity_pulse_step(struct pc_activity *a, size_t row, uint8_t level,
                            const struct moment *m);
/* Takes the levels that have lasted long enough by the end of the figures. */
void pc_activity_pulse_end(struct pc_activity *a);

#endif
