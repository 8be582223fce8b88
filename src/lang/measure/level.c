/* SPDX-License-Identifier: MIT */
/* Levels: a running sum of what comes in less what goes out, and how often it was which. */
#include "lang/measure/dist.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

struct pc_level {
    struct pc_level_desc desc;
    struct pc_alloc alloc;
    struct pc_dist *dist;
    struct pc_level_figures figures;
    uint64_t past;                 /* cycles of parts before this one */
    uint64_t small[PC_DIST_SMALL]; /* cycles at these levels that the distribution lacks yet */
};

enum pc_status pc_level_create(const struct pc_level_desc *desc, struct pc_level **out,
                               struct pc_error *err)
{
    const struct pc_alloc a = pc_alloc_or_libc(desc->alloc);

    if (desc->start > INT64_MAX)
        return pc_fail(err, 1808, "a level starts at 2^63-1 at most");
    struct pc_level *l = pc_calloc(&a, 1, sizeof *l);
    if (!l)
        return pc_fail(err, 100, "no memory for a level");
    l->desc = *desc;
    l->alloc = a;
    l->figures.now = desc->start;
    l->figures.first_above = UINT64_MAX;
    const enum pc_status status = pc_dist_create(&a, false, &l->dist, err);
    if (status) {
        pc_level_destroy(l);
        return status;
    }
    *out = l;
    return PC_OK;
}

void pc_level_destroy(struct pc_level *l)
{
    if (!l)
        return;
    const struct pc_alloc a = l->alloc;
    pc_dist_destroy(l->dist);
    pc_free(&a, l, sizeof *l);
}

/* Adds cycles in which the level stays what it is. */
static void stay(struct pc_level *l, uint64_t cycles)
{
    struct pc_level_figures *f = &l->figures;

    if (cycles == 0)
        return;
    if (f->now < PC_DIST_SMALL)
        l->small[f->now] += cycles;
    else
        pc_dist_add(l->dist, f->now, cycles);
    if (l->desc.capacity > 0 && f->now >= l->desc.capacity)
        f->full += cycles;
    if (l->desc.capacity > 0 && f->now > l->desc.capacity) {
        if (f->first_above == UINT64_MAX)
            f->first_above = l->past + f->cycles;
        f->above += cycles;
    }
    f->cycles += cycles;
}

static uint64_t word_at(const uint64_t *plane, size_t w)
{
    return plane ? plane[w] : 0;
}

/* Returns the number of a term in a cycle. */
static uint64_t number_at(const struct pc_level_term *t, size_t w, unsigned bit)
{
    uint64_t number = 0;

    for (unsigned k = 0; k < t->width; k++)
        number |= (t->plane[k][w] >> bit & 1) << k;
    return number;
}

/* Changes the level by what a cycle has. */
static enum pc_status happen(struct pc_level *l, const struct pc_level_block *b, size_t w,
                             unsigned bit, struct pc_error *err)
{
    const bool reset = word_at(b->reset, w) >> bit & 1;
    const uint64_t before =
        reset || word_at(b->until, w) >> bit & 1 ? l->desc.start : l->figures.now;
    uint64_t sum[2] = { 0, 0 }, up;
    bool large[2] = { false, false };

    for (size_t i = 0; i < b->terms && !reset; i++) {
        const unsigned out = b->term[i].out;
        large[out] |= __builtin_add_overflow(sum[out], number_at(&b->term[i], w, bit), &sum[out]);
    }
    large[0] |= __builtin_add_overflow(before, sum[0], &up);
    if (large[0] || (!large[1] && up >= sum[1] && up - sum[1] > INT64_MAX))
        return pc_fail(err, 1808, "the level would be more than 2^63-1");
    if (large[1])
        sum[1] = UINT64_MAX;
    if (large[1] || up < sum[1])
        return pc_fail(err, 1804, "the level is %llu, %llu come in and %llu go out",
                       (unsigned long long)before, (unsigned long long)sum[0],
                       (unsigned long long)sum[1]);
    l->figures.now = up - sum[1];
    return PC_OK;
}

/* Returns whether one bit comes in and one goes out: what does both at once changes nothing. */
static bool is_pair(const struct pc_level_block *b)
{
    return b->terms == 2 && b->term[0].width == 1 && b->term[1].width == 1 &&
           b->term[0].out != b->term[1].out;
}

/* Returns the cycles of a word in which something happens. */
static uint64_t events_of(const struct pc_level_block *b, size_t w, bool pair)
{
    uint64_t events = word_at(b->until, w) | word_at(b->reset, w);

    if (pair)
        return events | (b->term[0].plane[0][w] ^ b->term[1].plane[0][w]);
    for (size_t i = 0; i < b->terms; i++)
        for (unsigned k = 0; k < b->term[i].width; k++)
            events |= b->term[i].plane[k][w];
    return events;
}

enum pc_status pc_level_add(struct pc_level *l, const struct pc_level_block *b, uint64_t *cycle,
                            struct pc_error *err)
{
    const bool pair = is_pair(b);
    uint64_t done = 0;

    for (size_t w = 0; w < (b->cycles + 63) / 64; w++)
        for (uint64_t events = events_of(b, w, pair); events != 0; events &= events - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(events);
            *cycle = 64 * w + bit;
            if (*cycle >= b->cycles)
                break;
            stay(l, *cycle - done);
            done = *cycle;
            const enum pc_status status = happen(l, b, w, bit, err);
            if (status)
                return status;
        }
    stay(l, b->cycles - done);
    return PC_OK;
}

void pc_level_get_figures(const struct pc_level *l, struct pc_level_figures *out)
{
    *out = l->figures;
}

struct pc_dist *pc_level_dist(struct pc_level *l)
{
    for (size_t i = 0; i < PC_DIST_SMALL; i++) {
        pc_dist_add(l->dist, i, l->small[i]);
        l->small[i] = 0;
    }
    return l->dist;
}

void pc_level_next(struct pc_level *l)
{
    struct pc_level_figures *f = &l->figures;

    pc_dist_clear(l->dist);
    memset(l->small, 0, sizeof l->small);
    l->past += f->cycles;
    *f = (struct pc_level_figures){ .now = f->now, .first_above = f->first_above };
}
