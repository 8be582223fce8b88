/* SPDX-License-Identifier: MIT */
/* The part of a distribution that only this folder uses (dist.c). */
#ifndef PC_MEASURE_DIST_H
#define PC_MEASURE_DIST_H

#include "pcounter/measure.h"

/* A count for each of these values. */
enum { PC_DIST_SMALL = 256 };

/* The begin of every distribution. */
struct pc_dist_head {
    uint64_t *small; /* NULL: not yet, or not any more */
};

/*
 * One of very many: it keeps that many different values at most, instead of PC_DIST_DISTINCT, and
 * takes no memory for counts of small values until it has a lot of them.  Before the first value.
 */
void pc_dist_limit(struct pc_dist *dist, size_t most);

/* Does what pc_dist_add() does, for callers that add many small values; NULL is fine. */
static inline void pc_dist_add_small(struct pc_dist *dist, uint64_t value, uint64_t times)
{
    uint64_t *small = dist ? ((struct pc_dist_head *)(void *)dist)->small : NULL;

    if (small && value < PC_DIST_SMALL)
        small[value] += times;
    else if (dist)
        pc_dist_add(dist, value, times);
}

#endif
