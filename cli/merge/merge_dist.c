/* SPDX-License-Identifier: MIT */
/*
 * Distributions: how often each value was adds up, and percentiles come of that.  Of one that does
 * not list its values any more count, sum, least and greatest add up, and percentiles are unknown,
 * unless all values are the same.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

bool merge_is_dist(const struct rep_tree *object)
{
    return tree_member(object, "sum") && tree_member(object, "max") && tree_member(object, "mean");
}

static void set(struct rep_tree *node, enum tree_what what, tree_int n)
{
    if (!node)
        return;
    tree_free(node);
    node->what = what;
    node->n = n;
}

void merge_set_real(struct rep_tree *node, bool known, double value)
{
    if (!node)
        return;
    node->what = known ? TREE_REAL : TREE_NULL;
    node->real = value;
}

/* --- adding --- */

/* Does it have values that are not listed? */
static bool is_lossy(const struct rep_tree *d)
{
    const struct rep_tree *distinct = tree_member(d, "distinct"), *hist = tree_member(d, "hist");

    return hist && hist->what != TREE_MAP && distinct && distinct->what != TREE_ABSENT;
}

static bool is_empty(const struct rep_tree *d)
{
    return tree_member(d, "count") && tree_count(d, "count") == 0;
}

struct merge_dist merge_dist_before(struct merge_report *into, const struct rep_tree *a,
                                    const struct rep_tree *b)
{
    struct merge_dist d = { .is = merge_is_dist(a) };

    if (!d.is)
        return d;
    into->left_out |=
        tree_value(a, "percentiles", TREE_MAP) || tree_value(b, "percentiles", TREE_MAP);
    d.into_empty = is_empty(a);
    d.from_empty = is_empty(b);
    if (tree_member(a, "hist"))
        d.loses = is_lossy(a) || is_lossy(b);
    else
        d.loses = !d.into_empty && !d.from_empty;
    if (d.loses && tree_member(a, "p50"))
        into->lost = true;
    return d;
}

void merge_dist_after(const struct merge_dist *d, struct rep_tree *a, struct rep_tree *b)
{
    if (!d->is)
        return;
    if (d->loses && tree_member(a, "hist")) {
        set(tree_member(a, "hist"), TREE_ABSENT, 0);
        set(tree_member(a, "distinct"), TREE_NULL, 0);
    }
    set(tree_member(a, "percentiles"), TREE_ABSENT, 0);
    for (unsigned i = 0; i < PC_RANKS; i++) {
        struct rep_tree *rank = tree_member(a, pc_rank_name(i));
        const struct rep_tree *from = tree_member(b, pc_rank_name(i));
        if (rank && d->loses)
            set(rank, TREE_NULL, 0);
        else if (rank && from && d->into_empty && !d->from_empty)
            set(rank, from->what, from->n);
    }
}

/* --- how often each value was --- */

static tree_int key_of(const struct rep_tree *item)
{
    tree_int n;

    return tree_digits(item->key, &n) ? n : 0; /* "x" */
}

/* "x", of responses, is after all numbers. */
static int by_key(const void *a, const void *b)
{
    const struct rep_tree *x = a, *y = b;
    const bool word[2] = { x->key[0] > '9', y->key[0] > '9' };

    if (word[0] || word[1])
        return word[0] == word[1] ? strcmp(x->key, y->key) : word[0] ? 1 : -1;
    const tree_int m = key_of(x), n = key_of(y);
    return m < n ? -1 : m > n;
}

int merge_add_hist(struct rep_tree *into, struct rep_tree *from, bool *large)
{
    const size_t most = into->children + from->children;
    struct rep_tree *all = calloc(most + 1, sizeof *all);
    size_t i = 0, k = 0, n = 0;

    if (!all)
        return cli_no_memory();
    if (into->children)
        qsort(into->child, into->children, sizeof *into->child, by_key);
    if (from->children)
        qsort(from->child, from->children, sizeof *from->child, by_key);
    while (i < into->children || k < from->children) {
        const int order = i == into->children   ? 1
                          : k == from->children ? -1
                                                : by_key(&into->child[i], &from->child[k]);
        all[n] = order <= 0 ? into->child[i++] : from->child[k++];
        if (order == 0) {
            all[n].n += from->child[k].n;
            *large |= all[n].n > (tree_int)UINT64_MAX;
            tree_free(&from->child[k++]);
        }
        n++;
    }
    free(into->child);
    free(from->child);
    from->child = NULL;
    from->children = from->capacity = 0;
    into->child = all;
    into->children = n;
    into->capacity = most + 1;
    into->what = TREE_MAP;
    return CLI_OK;
}

/* --- what follows --- */

/* The smallest value that that many percent do not exceed. */
static tree_int rank_of(const struct rep_tree *hist, tree_int count, unsigned percent)
{
    const tree_int rank = (count * percent + 99) / 100;
    tree_int before = 0;
    size_t i = 0;

    while (i + 1 < hist->children && before + hist->child[i].n < rank)
        before += hist->child[i++].n;
    return key_of(&hist->child[i]);
}

void merge_finish_dist(struct rep_tree *object)
{
    const tree_int count = tree_count(object, "count");
    const struct rep_tree *hist = tree_value(object, "hist", TREE_MAP);
    const struct rep_tree *sum = tree_value(object, "sum", TREE_INT);
    const struct rep_tree *min = tree_value(object, "min", TREE_INT),
                          *max = tree_value(object, "max", TREE_INT);

    if (count == 0 || !sum)
        return;
    merge_set_real(tree_member(object, "mean"), true, (double)sum->n / (double)count);
    for (unsigned i = 0; i < PC_RANKS; i++) {
        struct rep_tree *rank = tree_member(object, pc_rank_name(i));
        if (rank && hist && hist->children > 0)
            set(rank, TREE_INT, rank_of(hist, count, pc_rank_percent(i)));
        else if (rank && min && max && min->n == max->n)
            set(rank, TREE_INT, min->n);
    }
}
