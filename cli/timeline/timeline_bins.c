/* SPDX-License-Identifier: MIT */
/* Rows into bins.  See timeline_bins.h. */
#include "timeline_bins.h"
#include "timeline_writer.h"

#include <stdlib.h>

static bool less(const struct timeline_column *c, const struct timeline_value *a,
                 const struct timeline_value *b)
{
    return c->kind == TIMELINE_METRIC ? a->number < b->number : a->count < b->count;
}

/* Both into the first one. */
static void join(const struct timeline_column *c, struct timeline_range *a,
                 const struct timeline_range *b)
{
    if (b->measured > 0 && (a->measured == 0 || less(c, &b->low, &a->low)))
        a->low = b->low;
    if (b->measured > 0 && (a->measured == 0 || less(c, &a->high, &b->high)))
        a->high = b->high;
    a->sum += b->sum;
    a->measured += b->measured;
    a->inexact += b->inexact;
    a->states |= b->states;
}

struct timeline_bins *timeline_bins_open(const struct timeline_desc *desc)
{
    struct timeline_bins *b = calloc(1, sizeof *b);

    if (!b)
        return NULL;
    b->desc = desc;
    b->group = 1;
    b->range = calloc(desc->columns + 1, TIMELINE_BINS * sizeof *b->range);
    b->all = calloc(desc->columns + 1, sizeof *b->all);
    if (!b->range || !b->all) {
        timeline_bins_close(b);
        return NULL;
    }
    return b;
}

/* All bins are full: half as many of twice the rows. */
static void halve(struct timeline_bins *b)
{
    for (size_t n = 0; n < TIMELINE_BINS / 2; n++) {
        const struct timeline_bin *second = &b->bin[2 * n + 1];
        b->bin[n] = b->bin[2 * n];
        b->bin[n].end = second->end;
        b->bin[n].given += second->given;
        b->bin[n].rows += second->rows;
        b->bin[n].partial |= second->partial;
        for (size_t i = 0; i < b->desc->columns; i++) {
            struct timeline_range *r = &b->range[i * TIMELINE_BINS];
            struct timeline_range both = r[2 * n];
            join(&b->desc->column[i], &both, &r[2 * n + 1]);
            r[n] = both;
        }
    }
    b->count = TIMELINE_BINS / 2;
    b->group *= 2;
}

static void new_bin(struct timeline_bins *b, struct timeline_time begin)
{
    if (b->count == TIMELINE_BINS)
        halve(b);
    b->bin[b->count] = (struct timeline_bin){ .begin = begin };
    for (size_t i = 0; i < b->desc->columns; i++)
        b->range[i * TIMELINE_BINS + b->count] = (struct timeline_range){ .measured = 0 };
    b->count++;
}

void timeline_bins_add(struct timeline_bins *b, const struct timeline_row *row)
{
    if (b->count == 0 || b->bin[b->count - 1].given == b->group)
        new_bin(b, row->begin);
    struct timeline_bin *bin = &b->bin[b->count - 1];
    const uint64_t rows = 1 + row->more;

    bin->end = timeline_end_of(&b->desc->axis, row);
    bin->given++;
    bin->rows += rows;
    bin->partial |= row->partial;
    for (size_t i = 0; i < b->desc->columns; i++) {
        const struct timeline_column *c = &b->desc->column[i];
        const struct timeline_value *v = &row->value[i];
        const bool measured = timeline_measured(c, v);
        const enum pc_value_state state = measured ? v->state : PC_VALUE_UNMEASURED;
        const struct timeline_range one = { .low = *v,
                                            .high = *v,
                                            .sum =
                                                measured ? timeline_number(c, v) * (double)rows : 0,
                                            .measured = measured ? rows : 0,
                                            .inexact =
                                                measured && state != PC_VALUE_EXACT ? rows : 0,
                                            .states = 1u << state };
        join(c, &b->range[i * TIMELINE_BINS + b->count - 1], &one);
        join(c, &b->all[i], &one);
    }
}

void timeline_bins_close(struct timeline_bins *b)
{
    if (!b)
        return;
    free(b->range);
    free(b->all);
    free(b);
}
