/* SPDX-License-Identifier: MIT */
/* Nets and their rows: activity.c has them, activity_step.c takes their changes. */
#ifndef PC_MEASURE_ACTIVITY_H
#define PC_MEASURE_ACTIVITY_H

#include "base/alloc.h"
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
    uint32_t is[4]; /* bits of each level now; of one bit: 1 and 0 */
    uint8_t level;  /* of one bit */
    bool edge;      /* it took its level by a rise or a fall */
    bool has_risen; /* and was not unknown since */
    bool before;    /* it had a value before the first time stamp */
};

struct net {
    uint64_t at;      /* time of the value that waits */
    size_t row, word; /* its first ones */
    uint32_t width;
    bool waits;
};

/* Words of a net: what it was before the value that waits, and that one. */
enum { WAS, WAS_UNKNOWN, NOW, NOW_UNKNOWN, PLANES };

enum dist { PERIOD, HIGH, LOW, DISTS };

/* Different widths of all rows together, about, and of each, at least. */
enum { ALL_DISTINCT = 1 << 24, LEAST_DISTINCT = 256 };

struct pc_activity {
    struct pc_alloc alloc;
    bool bits, widths;
    uint64_t from, to;
    struct net *net;
    struct row *row;
    uint64_t *word;
    struct pc_dist **dist; /* DISTS of each row; NULL: not wanted, or none yet */
    size_t nets, rows, words, most;
    uint64_t first; /* the first time stamp */
    uint64_t start; /* of the figures */
    uint64_t end;
    bool no_memory; /* for a distribution */
};

static inline size_t words_of(uint32_t width)
{
    return (width + (size_t)63) / 64;
}

/* Is its row the sum of several bits? */
static inline bool is_sum(const struct pc_activity *a, const struct net *n)
{
    return !a->bits && n->width > 1;
}

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The value that waits is the one of its time; counts: it is in the window. */
void pc_activity_settle(struct pc_activity *a, struct net *n, bool counts);
/* The times of a sum up to that one. */
void pc_activity_pass(const struct pc_activity *a, struct row *r, uint64_t at);

#endif
