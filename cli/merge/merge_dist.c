/* SPDX-License-Identifier: MIT */
/*
 * Distributions: how often each value was adds up, and percentiles come of that.  Of one that does
 * not list its values any more count, sum, least and greatest add up, and percentiles are unknown,
 * unless all values are the same.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

static const char *const ranks[] = { "p50", "p90", "p99" };
static const unsigned percents[] = { 50, 90, 99 };

bool merge_is_dist(const struct merge_node *object)
{
    return merge_member(object, "sum") && merge_member(object, "max") &&
           merge_member(object, "mean");
}

static void set(struct merge_node *node, enum merge_what what, merge_int n)
{
    if (!node)
        return;
    merge_free(node);
    node->what = what;
    node->n = n;
}

void merge_set_real(struct merge_node *node, bool known, double value)
{
    if (!node)
        return;
    node->what = known ? MERGE_REAL : MERGE_NULL;
    node->real = value;
}

/* --- adding --- */

/* Does it have values that are not listed? */
static bool is_lossy(const struct merge_node *d)
{
    const struct merge_node *distinct = merge_member(d, "distinct"),
                            *hist = merge_member(d, "hist");

    return hist && hist->what != MERGE_MAP && distinct && distinct->what != MERGE_ABSENT;
}

static bool is_empty(const struct merge_node *d)
{
    return merge_member(d, "count") && merge_count_of(d, "count") == 0;
}

struct merge_dist merge_dist_before(struct merge_report *into, const struct merge_node *a,
                                    const struct merge_node *b)
{
    struct merge_dist d = { .is = merge_is_dist(a) };

    if (!d.is)
        return d;
    d.into_empty = is_empty(a);
    d.from_empty = is_empty(b);
    if (merge_member(a, "hist"))
        d.loses = is_lossy(a) || is_lossy(b);
    else
        d.loses = !d.into_empty && !d.from_empty;
    if (d.loses && merge_member(a, "p50"))
        into->lost = true;
    return d;
}

void merge_dist_after(const struct merge_dist *d, struct merge_node *a, struct merge_node *b)
{
    if (!d->is)
        return;
    if (d->loses && merge_member(a, "hist")) {
        set(merge_member(a, "hist"), MERGE_ABSENT, 0);
        set(merge_member(a, "distinct"), MERGE_NULL, 0);
    }
    for (unsigned i = 0; i < 3; i++) {
        struct merge_node *rank = merge_member(a, ranks[i]);
        const struct merge_node *from = merge_member(b, ranks[i]);
        if (rank && d->loses)
            set(rank, MERGE_NULL, 0);
        else if (rank && from && d->into_empty && !d->from_empty)
            set(rank, from->what, from->n);
    }
}

/* --- how often each value was --- */

static merge_int key_of(const struct merge_node *item)
{
    merge_int n;

    return merge_digits(item->key, &n) ? n : 0; /* "x" */
}

/* "x", of responses, is after all numbers. */
static int by_key(const void *a, const void *b)
{
    const struct merge_node *x = a, *y = b;
    const bool word[2] = { x->key[0] > '9', y->key[0] > '9' };

    if (word[0] || word[1])
        return word[0] == word[1] ? strcmp(x->key, y->key) : word[0] ? 1 : -1;
    const merge_int m = key_of(x), n = key_of(y);
    return m < n ? -1 : m > n;
}

int merge_add_hist(struct merge_node *into, struct merge_node *from, bool *large)
{
    const size_t most = into->children + from->children;
    struct merge_node *all = calloc(most + 1, sizeof *all);
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
            *large |= all[n].n > (merge_int)UINT64_MAX;
            merge_free(&from->child[k++]);
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
    into->what = MERGE_MAP;
    return CLI_OK;
}

/* --- what follows --- */

/* The smallest value that so many percent do not exceed. */
static merge_int rank_of(const struct merge_node *hist, merge_int count, unsigned percent)
{
    const merge_int rank = (count * percent + 99) / 100;
    merge_int before = 0;
    size_t i = 0;

    while (i + 1 < hist->children && before + hist->child[i].n < rank)
        before += hist->child[i++].n;
    return key_of(&hist->child[i]);
}

void merge_finish_dist(struct merge_node *object)
{
    const merge_int count = merge_count_of(object, "count");
    const struct merge_node *hist = merge_value(object, "hist", MERGE_MAP);
    const struct merge_node *sum = merge_value(object, "sum", MERGE_INT);
    const struct merge_node *min = merge_value(object, "min", MERGE_INT),
                            *max = merge_value(object, "max", MERGE_INT);

    if (count == 0 || !sum)
        return;
    merge_set_real(merge_member(object, "mean"), true, (double)sum->n / (double)count);
    for (unsigned i = 0; i < 3; i++) {
        struct merge_node *rank = merge_member(object, ranks[i]);
        if (rank && hist && hist->children > 0)
            set(rank, MERGE_INT, rank_of(hist, count, percents[i]));
        else if (rank && min && max && min->n == max->n)
            set(rank, MERGE_INT, min->n);
    }
}

static struct pc_wide wide_of(const struct merge_node *object, const char *name)
{
    return merge_wide(merge_count_of(object, name));
}

void merge_dist_figures(const struct merge_node *object, struct pc_dist_figures *out)
{
    const struct merge_node *mean, *median;

    *out = (struct pc_dist_figures){ .complete = true };
    if (!object || object->what != MERGE_OBJECT)
        return;
    mean = merge_value(object, "mean", MERGE_REAL);
    median = merge_member(object, "p50");
    out->count = (uint64_t)merge_count_of(object, "count");
    out->complete = out->count == 0 || (median && median->what == MERGE_INT);
    out->sum = wide_of(object, "sum");
    out->min = wide_of(object, "min");
    out->max = wide_of(object, "max");
    out->p50 = wide_of(object, "p50");
    out->p90 = wide_of(object, "p90");
    out->p99 = wide_of(object, "p99");
    out->mean = mean ? mean->real : 0;
}
