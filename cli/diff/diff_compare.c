/* SPDX-License-Identifier: MIT */
/*
 * Which counts of two reports belong together, by kind and name, and what became of each.  Counts
 * are compared as integers, rates by products of them: nothing is rounded without a tolerance.
 */
#include "diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const diff_verdicts[] = { "same",        "within tolerance", "not compared",
                                      "differs",     "other unit",       "unknown",
                                      "only before", "only after",       NULL };

/* --- one count --- */

static bool is_known(const struct diff_report *r, const struct diff_item *i)
{
    return i->measured && !r->partial && strcmp(i->state, "exact") == 0;
}

static bool same_value(const struct diff_item *a, const struct diff_item *b)
{
    if (!a->measured || !b->measured)
        return a->measured == b->measured;
    return a->metric ? !(a->number < b->number) && !(a->number > b->number) : a->count == b->count;
}

/* The last pattern that matches says it. */
static double tolerance_of(const struct diff_options *o, const char *name)
{
    size_t i = o->tolerance.count;

    while (i > 0 && !cli_matches(o->tolerance.of[i - 1].pattern, name))
        i--;
    return i > 0 ? o->tolerance.of[i - 1].percent : o->tolerance.all;
}

/* Another value, by so much: is it within the tolerance, and how much more in percent? */
static enum diff_verdict differs(const struct diff_options *o, double before, double difference,
                                 struct diff_row *row)
{
    const double tolerance = tolerance_of(o, row->before->name);

    row->has_percent = before < 0 || before > 0;
    if (!row->has_percent)
        return DIFF_OTHER;
    row->percent = 100 * difference / fabs(before);
    row->has_percent = isfinite(row->percent);
    return tolerance > 0 && 100 * fabs(difference) <= tolerance * fabs(before) ? DIFF_WITHIN
                                                                               : DIFF_OTHER;
}

static enum diff_verdict same(struct diff_row *row)
{
    row->has_percent = true;
    row->percent = 0;
    return DIFF_SAME;
}

/* The product, all 128 bits of it. */
struct product {
    uint64_t high, low;
};

static struct product product(uint64_t a, uint64_t b)
{
    const uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    const uint64_t one = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
    const uint64_t two = (a & UINT32_MAX) * (b >> 32) + (one & UINT32_MAX);

    return (struct product){ (a >> 32) * (b >> 32) + (one >> 32) + (two >> 32),
                             two << 32 | (low & UINT32_MAX) };
}

static bool same_products(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const struct product x = product(a, b), y = product(c, d);

    return x.high == y.high && x.low == y.low;
}

/* Counts of each cycle: a / ca and b / cb. */
static enum diff_verdict compare_rates(const struct diff_options *o, uint64_t ca, uint64_t cb,
                                       struct diff_row *row)
{
    const uint64_t a = row->before->count, b = row->after->count;

    if (ca == 0 || cb == 0)
        return DIFF_UNKNOWN;
    if (same_products(a, cb, b, ca))
        return same(row);
    const double before = (double)a / (double)ca;
    return differs(o, before, (double)b / (double)cb - before, row);
}

static enum diff_verdict compare_values(const struct diff_options *o, struct diff_row *row)
{
    const struct diff_item *a = row->before, *b = row->after;

    if (same_value(a, b))
        return same(row);
    if (a->metric)
        return differs(o, a->number, b->number - a->number, row);
    return differs(
        o, (double)a->count,
        b->count < a->count ? -(double)(a->count - b->count) : (double)(b->count - a->count), row);
}

static void compare(const struct diff_options *o, const struct diff_pair *p, struct diff_row *row)
{
    const struct diff_item *a = row->before, *b = row->after;
    const bool cycles = a->length;
    const bool same_unit = strcmp(a->unit, b->unit) == 0;
    const bool alike = same_unit && strcmp(a->state, b->state) == 0 &&
                       p->before->partial == p->after->partial && same_value(a, b);

    if (!is_known(p->before, a) || !is_known(p->after, b))
        row->verdict = alike ? DIFF_SAME : DIFF_UNKNOWN;
    else if (!same_unit)
        row->verdict = DIFF_UNIT;
    else if (o->per_cycle && !a->metric && !cycles)
        row->verdict = compare_rates(o, a->cycles, b->cycles, row);
    else
        row->verdict = compare_values(o, row);
    if (o->per_cycle && cycles && (row->verdict == DIFF_OTHER || row->verdict == DIFF_WITHIN))
        row->verdict = DIFF_ASIDE;
}

/* --- which belong together --- */

struct entry {
    const struct diff_item *item;
    size_t at; /* in its report */
};

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->item->metric != y->item->metric)
        return x->item->metric ? 1 : -1;
    const int order = strcmp(x->item->name, y->item->name);
    if (order)
        return order;
    return (x->at > y->at) - (x->at < y->at);
}

static int kind_and_name(const struct entry *x, const struct entry *y)
{
    const struct entry a = { x->item, 0 }, b = { y->item, 0 };

    return by_name(&a, &b);
}

static struct entry *sorted(const struct diff_report *r)
{
    struct entry *e = calloc(r->items + 1, sizeof *e);

    for (size_t i = 0; e && i < r->items; i++)
        e[i] = (struct entry){ &r->item[i], i };
    if (e)
        qsort(e, r->items, sizeof *e, by_name);
    return e;
}

/* found[i]: what of `after` belongs to item i of `before`; taken[j]: item j of `after` does. */
static bool match(const struct diff_report *before, const struct diff_report *after,
                  const struct diff_item **found, bool *taken)
{
    struct entry *a = sorted(before), *b = sorted(after);

    for (size_t i = 0, j = 0; a && b && i < before->items && j < after->items;) {
        const int order = kind_and_name(&a[i], &b[j]);
        if (order == 0) {
            found[a[i].at] = b[j].item;
            taken[b[j].at] = true;
        }
        i += order <= 0;
        j += order >= 0;
    }
    const bool done = a && b;
    free(a);
    free(b);
    return done;
}

static bool is_asked_for(const struct diff_options *o, const struct diff_item *i)
{
    return !o->only || cli_matches(o->only, i->name);
}

static void add(const struct diff_options *o, struct diff_pair *p, const struct diff_item *before,
                const struct diff_item *after)
{
    struct diff_row *row = &p->row[p->rows];

    if (!is_asked_for(o, before ? before : after))
        return;
    *row = (struct diff_row){ .before = before, .after = after };
    if (before && after)
        compare(o, p, row);
    else
        row->verdict = before ? DIFF_BEFORE : DIFF_AFTER;
    p->differs |= row->verdict >= DIFF_OTHER;
    p->rows++;
}

static bool compare_reports(const struct diff_options *o, struct diff_pair *p)
{
    const struct diff_report *before = p->before, *after = p->after;
    const struct diff_item **found = calloc(before->items + 1, sizeof *found);
    bool *taken = calloc(after->items + 1, sizeof *taken);
    bool done = false;

    p->row = calloc(before->items + after->items + 1, sizeof *p->row);
    if (found && taken && p->row)
        done = match(before, after, found, taken);
    for (size_t i = 0; done && i < before->items; i++)
        add(o, p, &before->item[i], found[i]);
    for (size_t i = 0; done && i < after->items; i++)
        if (!taken[i])
            add(o, p, NULL, &after->item[i]);
    free(found);
    free(taken);
    return done;
}

struct diff_pair *diff_compare(const struct diff_options *o, const struct diff_file *before,
                               const struct diff_file *after)
{
    struct diff_pair *pair = calloc(before->reports, sizeof *pair);

    for (size_t i = 0; pair && i < before->reports; i++) {
        pair[i].before = &before->report[i];
        pair[i].after = &after->report[i];
        if (!compare_reports(o, &pair[i])) {
            diff_free(pair, before->reports);
            pair = NULL;
        }
    }
    if (!pair)
        cli_no_memory();
    return pair;
}

void diff_free(struct diff_pair *pair, size_t count)
{
    for (size_t i = 0; pair && i < count; i++)
        free(pair[i].row);
    free(pair);
}
