/* SPDX-License-Identifier: MIT */
/*
 * Distributions: how often each value was adds up, and percentiles come of that.  Of one that does
 * not list its values any more count, sum, least and greatest add up, and percentiles are unknown,
 * unless all values are the same.
 */
#include "merge/merge.h"
#include "report/report_percentile.h"

#include <stdlib.h>
#include <string.h>

bool merge_is_dist(const struct rep_tree *object)
{
    return tree_member(object, "sum") && tree_member(object, "max") && tree_member(object, "mean");
}

static void set(struct rep_tree *node, enum tree_what what, tree_int n)
{
    char *key;

    if (!node)
        return;
    key = node->key;
    node->key = NULL;
    tree_free(node);
    node->key = key;
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

/* Have both the same percentiles of --percentile? */
static bool has_same(const struct rep_tree *x, const struct rep_tree *y)
{
    const struct rep_tree *a = tree_value(x, "percentiles", TREE_MAP),
                          *b = tree_value(y, "percentiles", TREE_MAP);
    bool same = (a ? a->children : 0) == (b ? b->children : 0);

    for (size_t i = 0; a && same && i < a->children; i++)
        same = strcmp(a->child[i].key, b->child[i].key) == 0;
    return same;
}

struct merge_dist merge_dist_before(struct merge_report *into, const struct rep_tree *a,
                                    const struct rep_tree *b)
{
    struct merge_dist d = { .is = merge_is_dist(a) };

    if (!d.is)
        return d;
    d.others = !has_same(a, b);
    into->left_out |= d.others;
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

/* A percentile that no histogram gives: that of the one that has values, or none. */
static void take_rank(const struct merge_dist *d, struct rep_tree *rank,
                      const struct rep_tree *from)
{
    if (rank && d->loses)
        set(rank, TREE_NULL, 0);
    else if (rank && from && d->into_empty && !d->from_empty)
        set(rank, from->what, from->n);
}

void merge_dist_after(const struct merge_dist *d, struct rep_tree *a, struct rep_tree *b)
{
    struct rep_tree *rank;

    if (!d->is)
        return;
    if (d->loses && tree_member(a, "hist")) {
        set(tree_member(a, "hist"), TREE_ABSENT, 0);
        set(tree_member(a, "distinct"), TREE_NULL, 0);
    }
    if (d->others)
        set(tree_member(a, "percentiles"), TREE_ABSENT, 0);
    for (unsigned i = 0; i < PC_RANKS; i++)
        take_rank(d, tree_member(a, pc_rank_name(i)), tree_member(b, pc_rank_name(i)));
    for (size_t i = 0; (rank = tree_item(a, "percentiles", i)) != NULL; i++)
        take_rank(d, rank, tree_item(b, "percentiles", i));
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

void merge_take_over(struct rep_tree *into, struct rep_tree *from, struct rep_tree both)
{
    free(into->child);
    free(from->child);
    from->child = NULL;
    from->children = from->capacity = 0;
    into->child = both.child;
    into->children = both.children;
    into->capacity = both.capacity;
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
    merge_take_over(into, from,
                    (struct rep_tree){ .child = all, .children = n, .capacity = most + 1 });
    into->what = TREE_MAP;
    return CLI_OK;
}

/* --- what follows --- */

enum { WHOLE = 1000000 };

/* Finds the smallest value that that many millionths do not exceed. */
static tree_int rank_of(const struct rep_tree *hist, tree_int count, uint32_t part)
{
    const tree_int rank = (count * part + WHOLE - 1) / WHOLE;
    tree_int before = 0;
    size_t i = 0;

    while (i + 1 < hist->children && before + hist->child[i].n < rank)
        before += hist->child[i++].n;
    return key_of(&hist->child[i]);
}

static void finish_rank(const struct rep_tree *object, struct rep_tree *rank, uint32_t part)
{
    const struct rep_tree *hist = tree_value(object, "hist", TREE_MAP);
    const struct rep_tree *min = tree_value(object, "min", TREE_INT),
                          *max = tree_value(object, "max", TREE_INT);

    if (rank && part == 0)
        set(rank, TREE_NULL, 0); /* a name that is not a percentile */
    else if (rank && hist && hist->children > 0)
        set(rank, TREE_INT, rank_of(hist, tree_count(object, "count"), part));
    else if (rank && min && max && min->n == max->n)
        set(rank, TREE_INT, min->n);
}

void merge_finish_dist(struct rep_tree *object)
{
    const tree_int count = tree_count(object, "count");
    const struct rep_tree *sum = tree_value(object, "sum", TREE_INT);
    struct rep_tree *rank;

    if (count == 0 || !sum)
        return;
    merge_set_real(tree_member(object, "mean"), true, (double)sum->n / (double)count);
    for (unsigned i = 0; i < PC_RANKS; i++)
        finish_rank(object, tree_member(object, pc_rank_name(i)), WHOLE / 100 * pc_rank_percent(i));
    for (size_t i = 0; (rank = tree_item(object, "percentiles", i)) != NULL; i++)
        finish_rank(object, rank, rep_percentile_rank(rank->key));
}
