/* SPDX-License-Identifier: MIT */
/* Computes what follows from sums: means, shares, rates, percentiles. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "text/ten.h"

const struct merge_node *merge_clocks(const struct merge_report *r)
{
    const struct merge_node *clocks = merge_value(&r->root, "clocks", MERGE_LIST);

    return clocks && clocks->children > 1 ? clocks : NULL;
}

const struct merge_node *merge_clock(const struct merge_report *r, const struct merge_node *item)
{
    const struct merge_node *clocks = merge_clocks(r);
    const char *clock = merge_text_of(item, "clock");

    if (!clocks)
        return &r->root;
    for (size_t i = 0; i < clocks->children; i++)
        if (item == &clocks->child[i] ||
            strcmp(merge_text_of(&clocks->child[i], "name"), clock) == 0)
            return &clocks->child[i];
    return &clocks->child[0];
}

merge_int merge_cycles(const struct merge_report *r, const struct merge_node *item)
{
    return merge_count_of(merge_clock(r, item), "cycles");
}

double merge_time_unit(const struct merge_node *root)
{
    const char *text = merge_text_of(root, "timescale");
    const merge_int rate = merge_count_of(root, "sample_rate");
    char *end;
    const double factor = strtod(text, &end);

    int exponent;
    if (end != text && pc_time_unit_find(end, strlen(end), &exponent))
        return cli_times_ten_to(factor, exponent);
    return rate > 0 ? 1 / (double)rate : 0;
}

struct around {
    merge_int cycles; /* of what it is part of */
    double unit;
};

static void share(struct merge_node *node, double of, double all)
{
    if (node && (node->what == MERGE_REAL || node->what == MERGE_NULL))
        merge_set_real(node, all > 0, of / all);
}

/* Members that follow from their neighbours. */
static void derive(struct merge_node *o, const struct around *a)
{
    const double cycles = (double)a->cycles;
    const double known = (double)(merge_count_of(o, "T0") + merge_count_of(o, "T1"));
    const struct merge_node *first = merge_value(o, "first", MERGE_INT),
                            *last = merge_value(o, "last", MERGE_INT);
    struct merge_node *delta = merge_member(o, "delta"), *period = merge_member(o, "period");

    share(merge_member(o, "throughput"), (double)merge_count_of(o, "completed"), cycles);
    share(merge_member(o, "bytes_per_cycle"), (double)merge_count_of(o, "bytes"), cycles);
    share(merge_member(o, "duty"), (double)merge_count_of(o, "T1"), known);
    if (merge_is_dist(o) && !merge_member(o, "count")) /* of a bus, before each cycle */
        share(merge_member(o, "mean"), (double)merge_count_of(o, "sum"), cycles);
    if (delta && first && last) /* of two that fit */
        delta->what = __builtin_sub_overflow(last->n, first->n, &delta->n) ? MERGE_NULL : MERGE_INT;
    if (period && merge_count_of(period, "count") > 0)
        share(merge_member(o, "frequency"), 1, merge_member(period, "mean")->real * a->unit);
}

static void walk(const struct merge_report *r, struct merge_node *node, struct around a)
{
    const bool items = node->what == MERGE_LIST || node->what == MERGE_MAP;

    if ((node->what != MERGE_OBJECT && !items) ||
        (node->field->name && strcmp(node->field->name, "longest") == 0))
        return;
    if (items && node->field->value) /* of values */
        return;
    if (merge_value(node, "clock", MERGE_TEXT) && merge_member(node, "started"))
        a.cycles = merge_cycles(r, node);
    else if (merge_value(node, "cycles", MERGE_INT))
        a.cycles = merge_count_of(node, "cycles");
    for (size_t i = 0; i < node->children; i++)
        walk(r, &node->child[i], a);
    if (node->what != MERGE_OBJECT)
        return;
    if (merge_is_dist(node))
        merge_finish_dist(node);
    derive(node, &a);
}

void merge_finish(struct merge_report *r)
{
    const struct around a = { .cycles = merge_count_of(&r->root, "cycles"),
                              .unit = merge_time_unit(&r->root) };

    walk(r, &r->root, a);
}
