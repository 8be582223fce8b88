/* SPDX-License-Identifier: MIT */
/*
 * Rows of a timeline for a drawing of that many pixels: up to BINS of them as they are; of more
 * each bin has the smallest and the largest value of 2, 4, 8, ... rows that follow each other.
 */
#ifndef PC_CLI_TIMELINE_BINS_H
#define PC_CLI_TIMELINE_BINS_H

#include "timeline.h"

enum { TIMELINE_BINS = 800 };

/* Values of some rows. */
struct timeline_range {
    struct timeline_value low, high; /* measured: of those that were */
    double sum;                      /* of all measured */
    uint64_t measured, inexact;      /* rows; inexact: of those that were measured */
    unsigned states;                 /* bits: 1 << enum pc_value_state */
};

struct timeline_bin {
    struct timeline_time begin, end;
    uint64_t given, rows; /* rows: with those that they stand for */
    bool partial;         /* one of them is */
};

struct timeline_bins {
    const struct timeline_desc *desc;
    uint64_t group; /* given rows of a bin; the last one may have fewer */
    size_t count;
    struct timeline_bin bin[TIMELINE_BINS];
    struct timeline_range *range; /* TIMELINE_BINS of each column */
    struct timeline_range *all;   /* one of each column */
};

/* NULL: no memory. */
struct timeline_bins *timeline_bins_open(const struct timeline_desc *desc);
void timeline_bins_add(struct timeline_bins *b, const struct timeline_row *row);
void timeline_bins_close(struct timeline_bins *b);

static inline const struct timeline_range *timeline_bins_at(const struct timeline_bins *b,
                                                            size_t column, size_t bin)
{
    return &b->range[column * TIMELINE_BINS + bin];
}

/* As a number for the drawing, whose differences and sums are also numbers. */
static inline double timeline_number(const struct timeline_column *c,
                                     const struct timeline_value *v)
{
    static const double most = 1e290;

    if (c->kind != TIMELINE_METRIC)
        return (double)v->count;
    return v->number > most ? most : v->number < -most ? -most : v->number;
}

#endif
