/* SPDX-License-Identifier: MIT */
/*
 * How often each value was: a count for each small one, and a table by hash of the others (of
 * very many distributions of all, until there are a lot).  All figures come from that.  Once there
 * are too many different values, only what is exact for any number of them (count, sum, least and
 * greatest) is kept.
 */
#include "lang/measure/dist.h"
#include "lang/measure/wide.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"

enum { SMALL = PC_DIST_SMALL, FIRST_SLOTS = 8 };
enum { SMALL_FROM = FIRST_SLOTS, SMALL_FROM_OF_MANY = 64 }; /* slots */

struct entry {
    uint64_t value, times; /* times 0: a free slot */
};

struct pc_dist {
    struct pc_dist_head head;
    struct pc_alloc alloc;
    bool is_signed;
    bool complete, no_memory;
    uint64_t count; /* this and the next three: once it is not complete any more */
    struct pc_wide sum;
    uint64_t min, max;        /* values */
    struct entry *slot;       /* slots of them, a power of two, or none */
    size_t slots, used, most; /* most: different values, those of `small` besides */
    size_t small_from;        /* slots from which on there is `small` */
    struct entry *sorted;
    size_t sorted_count, sorted_capacity;
};

enum pc_status pc_dist_create(const struct pc_alloc *alloc, bool is_signed, struct pc_dist **out,
                              struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(alloc);
    struct pc_dist *d = pc_calloc(&a, 1, sizeof *d);

    if (!d)
        return pc_fail(err, 100, "no memory for a distribution");
    d->alloc = a;
    d->is_signed = is_signed;
    d->complete = true;
    d->most = PC_DIST_DISTINCT - SMALL;
    d->small_from = SMALL_FROM;
    *out = d;
    return PC_OK;
}

void pc_dist_limit(struct pc_dist *d, size_t most)
{
    d->most = most < d->most ? most : d->most;
    d->small_from = SMALL_FROM_OF_MANY;
}

static void drop_small(struct pc_dist *d)
{
    pc_free(&d->alloc, d->head.small, SMALL * sizeof *d->head.small);
    d->head.small = NULL;
}

static void drop_slots(struct pc_dist *d)
{
    pc_free(&d->alloc, d->slot, d->slots * sizeof *d->slot);
    d->slot = NULL;
    d->slots = d->used = 0;
}

void pc_dist_destroy(struct pc_dist *d)
{
    if (!d)
        return;
    const struct pc_alloc a = d->alloc;
    drop_slots(d);
    drop_small(d);
    pc_free(&a, d->sorted, d->sorted_capacity * sizeof *d->sorted);
    pc_free(&a, d, sizeof *d);
}

/* ---- the table ---- */

static struct entry *slot_of(struct entry *slot, size_t slots, uint64_t value)
{
    size_t at = (size_t)((value * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (slots - 1);

    while (slot[at].times != 0 && slot[at].value != value)
        at = (at + 1) & (slots - 1);
    return &slot[at];
}

/* A wide table is worth a count for each small value. */
static bool begin_small(struct pc_dist *d, size_t slots)
{
    if (!d->head.small && slots >= d->small_from)
        d->head.small = pc_calloc(&d->alloc, SMALL, sizeof *d->head.small);
    return d->head.small || slots < d->small_from;
}

static bool grow(struct pc_dist *d)
{
    const size_t slots = d->slots ? 2 * d->slots : FIRST_SLOTS;
    struct entry *slot = begin_small(d, slots) ? pc_calloc(&d->alloc, slots, sizeof *slot) : NULL;
    size_t used = 0;

    if (!slot)
        return false;
    for (size_t i = 0; i < d->slots; i++) {
        const struct entry *e = &d->slot[i];
        if (e->times != 0 && d->head.small && e->value < SMALL) {
            d->head.small[e->value] = e->times;
        } else if (e->times != 0) {
            *slot_of(slot, slots, e->value) = *e;
            used++;
        }
    }
    drop_slots(d);
    d->slot = slot;
    d->slots = slots;
    d->used = used;
    return true;
}

static bool less(const struct pc_dist *d, uint64_t a, uint64_t b)
{
    return pc_wide_rank(a, d->is_signed) < pc_wide_rank(b, d->is_signed);
}

/* Adds a value where values are not listed. */
static void add_untold(struct pc_dist *d, uint64_t value, uint64_t times)
{
    if (times == 0)
        return;
    if (d->count == 0 || less(d, value, d->min))
        d->min = value;
    if (d->count == 0 || less(d, d->max, value))
        d->max = value;
    d->count += times;
    d->sum = pc_wide_add(d->sum, pc_wide_times(pc_wide_of(value, d->is_signed), times));
}

/* Gives up the list of values. */
static void give_up(struct pc_dist *d, bool no_memory)
{
    d->complete = false;
    d->no_memory = d->no_memory || no_memory;
    for (size_t i = 0; d->head.small && i < SMALL; i++)
        add_untold(d, i, d->head.small[i]);
    for (size_t i = 0; i < d->slots; i++)
        add_untold(d, d->slot[i].value, d->slot[i].times);
    drop_small(d);
    drop_slots(d);
}

/* ---- adding ---- */

/* Adds a value that has no slot. */
static void add_new(struct pc_dist *d, uint64_t value, uint64_t times)
{
    if (d->complete && 2 * d->used >= d->slots && !grow(d))
        give_up(d, true);
    if (d->head.small && value < SMALL) {
        d->head.small[value] += times;
        return;
    }
    if (d->complete && d->used >= d->most)
        give_up(d, false);
    if (!d->complete) {
        add_untold(d, value, times);
        return;
    }
    d->used++;
    *slot_of(d->slot, d->slots, value) = (struct entry){ value, times };
}

void pc_dist_add(struct pc_dist *d, uint64_t value, uint64_t times)
{
    if (times == 0)
        return;
    if (d->head.small && value < SMALL) {
        d->head.small[value] += times;
        return;
    }
    struct entry *e = d->slots ? slot_of(d->slot, d->slots, value) : NULL;
    if (e && e->times)
        e->times += times;
    else
        add_new(d, value, times);
}

void pc_dist_add_all(struct pc_dist *d, const struct pc_dist *other)
{
    if (!other->complete)
        give_up(d, other->no_memory);
    for (size_t i = 0; other->head.small && i < SMALL; i++)
        pc_dist_add(d, i, other->head.small[i]);
    for (size_t i = 0; i < other->slots; i++)
        pc_dist_add(d, other->slot[i].value, other->slot[i].times);
    if (other->count == 0) /* it is complete, or empty */
        return;
    const struct pc_wide sum = pc_wide_add(d->sum, other->sum);
    const uint64_t count = d->count + other->count;
    add_untold(d, other->min, 1); /* the bounds */
    add_untold(d, other->max, 1);
    d->sum = sum;
    d->count = count;
}

void pc_dist_clear(struct pc_dist *d)
{
    enum { FEW = 1024 };

    if (d->slots > FEW)
        drop_slots(d);
    for (size_t i = 0; i < d->slots; i++)
        d->slot[i].times = 0;
    for (size_t i = 0; d->head.small && i < SMALL; i++)
        d->head.small[i] = 0;
    d->used = 0;
    d->complete = true;
    d->count = 0;
    d->sum = (struct pc_wide){ .low = 0 };
    d->sorted_count = 0;
}

/* ---- figures ---- */

static int by_value(const void *a, const void *b)
{
    const uint64_t x = ((const struct entry *)a)->value, y = ((const struct entry *)b)->value;

    return x < y ? -1 : x > y;
}

static int by_signed_value(const void *a, const void *b)
{
    const int64_t x = (int64_t)((const struct entry *)a)->value,
                  y = (int64_t)((const struct entry *)b)->value;

    return x < y ? -1 : x > y;
}

static bool sort(struct pc_dist *d)
{
    size_t different = d->used;

    d->sorted_count = 0;
    for (size_t i = 0; d->head.small && i < SMALL; i++)
        different += d->head.small[i] != 0;
    if (!d->complete || different == 0)
        return true;
    if (!pc_grow(&d->alloc, (void **)&d->sorted, &d->sorted_capacity, different, sizeof *d->sorted))
        return false;
    for (size_t i = 0; d->head.small && i < SMALL; i++)
        if (d->head.small[i] != 0)
            d->sorted[d->sorted_count++] = (struct entry){ i, d->head.small[i] };
    for (size_t i = 0; i < d->slots; i++)
        if (d->slot[i].times != 0)
            d->sorted[d->sorted_count++] = d->slot[i];
    qsort(d->sorted, d->sorted_count, sizeof *d->sorted, d->is_signed ? by_signed_value : by_value);
    return true;
}

static const struct {
    const char *name;
    unsigned percent;
} ranks[PC_RANKS] = { { "p50", 50 }, { "p90", 90 }, { "p95", 95 }, { "p99", 99 } };

const char *pc_rank_name(enum pc_rank rank)
{
    return (unsigned)rank < PC_RANKS ? ranks[rank].name : NULL;
}

unsigned pc_rank_percent(enum pc_rank rank)
{
    return (unsigned)rank < PC_RANKS ? ranks[rank].percent : 0;
}

/* Returns sorted[ceil(percent / 100 * count) - 1] of all samples. */
static struct pc_wide percentile(const struct pc_dist *d, uint64_t count, unsigned percent)
{
    const uint64_t rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
    uint64_t before = 0;
    size_t i = 0;

    while (i + 1 < d->sorted_count && before + d->sorted[i].times < rank)
        before += d->sorted[i++].times;
    return pc_wide_of(d->sorted[i].value, d->is_signed);
}

/* Computes the figures of sorted values. */
static void figures_of_values(const struct pc_dist *d, struct pc_dist_figures *out)
{
    *out = (struct pc_dist_figures){ .complete = true, .distinct = d->sorted_count };
    if (d->sorted_count == 0)
        return;
    for (size_t i = 0; i < d->sorted_count; i++) {
        const struct entry *e = &d->sorted[i];
        out->count += e->times;
        out->sum =
            pc_wide_add(out->sum, pc_wide_times(pc_wide_of(e->value, d->is_signed), e->times));
    }
    out->min = pc_wide_of(d->sorted[0].value, d->is_signed);
    out->max = pc_wide_of(d->sorted[d->sorted_count - 1].value, d->is_signed);
    for (unsigned r = 0; r < PC_RANKS; r++)
        out->rank[r] = percentile(d, out->count, ranks[r].percent);
}

enum pc_status pc_dist_get_figures(struct pc_dist *d, struct pc_dist_figures *out,
                                   struct pc_error *err)
{
    *out = (struct pc_dist_figures){ .complete = false };
    if (d->no_memory || !sort(d))
        return pc_fail(err, 100, "no memory for the values of a distribution");
    if (d->complete)
        figures_of_values(d, out);
    else
        *out = (struct pc_dist_figures){ .count = d->count,
                                         .sum = d->sum,
                                         .min = pc_wide_of(d->min, d->is_signed),
                                         .max = pc_wide_of(d->max, d->is_signed) };
    if (out->count > 0)
        out->mean = pc_wide_double(out->sum) / (double)out->count;
    return PC_OK;
}

bool pc_dist_value(const struct pc_dist *d, size_t i, struct pc_wide *value, uint64_t *times)
{
    if (i >= d->sorted_count)
        return false;
    *value = pc_wide_of(d->sorted[i].value, d->is_signed);
    *times = d->sorted[i].times;
    return true;
}
