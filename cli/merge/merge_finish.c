/* SPDX-License-Identifier: MIT */
/* Computes what follows from sums: means, shares, rates, percentiles. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

const struct rep_tree *merge_clocks(const struct merge_report *r)
{
    const struct rep_tree *clocks = tree_value(&r->root, "clocks", TREE_LIST);

    return clocks && clocks->children > 1 ? clocks : NULL;
}

const struct rep_tree *merge_clock(const struct merge_report *r, const struct rep_tree *item)
{
    const struct rep_tree *clocks = merge_clocks(r);
    const char *clock = tree_text(item, "clock");

    if (!clocks)
        return &r->root;
    for (size_t i = 0; i < clocks->children; i++)
        if (item == &clocks->child[i] || strcmp(tree_text(&clocks->child[i], "name"), clock) == 0)
            return &clocks->child[i];
    return &clocks->child[0];
}

struct around {
    tree_int cycles; /* of what it is part of */
    double unit;
};

static void share(struct rep_tree *node, double of, double all)
{
    if (node && (node->what == TREE_REAL || node->what == TREE_NULL))
        merge_set_real(node, all > 0, of / all);
}

/* Members that follow from their neighbours. */
static void derive(struct rep_tree *o, const struct around *a)
{
    const double cycles = (double)a->cycles;
    const double known = (double)(tree_count(o, "T0") + tree_count(o, "T1"));
    const struct rep_tree *first = tree_value(o, "first", TREE_INT),
                          *last = tree_value(o, "last", TREE_INT);
    struct rep_tree *delta = tree_member(o, "delta"), *period = tree_member(o, "period");

    share(tree_member(o, "throughput"), (double)tree_count(o, "completed"), cycles);
    share(tree_member(o, "bytes_per_cycle"), (double)tree_count(o, "bytes"), cycles);
    share(tree_member(o, "per_cycle"), (double)tree_count(o, "TC"), cycles);
    if (tree_value(o, "full_cycles", TREE_INT)) /* else it has no capacity */
        share(tree_member(o, "full"), (double)tree_count(o, "full_cycles"),
              (double)tree_count(o, "count"));
    share(tree_member(o, "duty"), (double)tree_count(o, "T1"), known);
    if (merge_is_dist(o) && !tree_member(o, "count")) /* of a bus, before each cycle */
        share(tree_member(o, "mean"), (double)tree_count(o, "sum"), cycles);
    if (delta && first && last) /* of two that fit */
        delta->what = __builtin_sub_overflow(last->n, first->n, &delta->n) ? TREE_NULL : TREE_INT;
    if (period && tree_count(period, "count") > 0)
        share(tree_member(o, "frequency"), 1, tree_member(period, "mean")->real * a->unit);
}

static void walk(const struct merge_report *r, struct rep_tree *node, struct around a)
{
    const bool items = node->what == TREE_LIST || node->what == TREE_MAP;

    if ((node->what != TREE_OBJECT && !items) ||
        (node->field->name && strcmp(node->field->name, "longest") == 0))
        return;
    if (items && node->field->value) /* of values */
        return;
    if (tree_value(node, "clock", TREE_TEXT) && tree_member(node, "started"))
        a.cycles = tree_count(merge_clock(r, node), "cycles");
    else if (tree_value(node, "cycles", TREE_INT))
        a.cycles = tree_count(node, "cycles");
    for (size_t i = 0; i < node->children; i++)
        walk(r, &node->child[i], a);
    if (node->what != TREE_OBJECT)
        return;
    if (merge_is_dist(node))
        merge_finish_dist(node);
    derive(node, &a);
    merge_finish_states(node);
}

void merge_finish(struct merge_report *r)
{
    const struct around a = { .cycles = tree_count(&r->root, "cycles"),
                              .unit = tree_time_unit(&r->root) };

    walk(r, &r->root, a);
}
