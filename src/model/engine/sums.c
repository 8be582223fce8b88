/* SPDX-License-Identifier: MIT */
/*
 * Many cycles added to a counter at once.  Clamping at ffffffff is monotone, so the clamped
 * sum is the sum of the clamped steps (D-37); the 40-bit counters wrap below a sticky top
 * bit, and how often they pass it is a division (D-36).
 */
#include "model/engine/engine.h"

#include "model/rules/counter.h"

static void add40(struct pc_domain *d, uint64_t *counter, uint64_t n)
{
    uint64_t low = (*counter & (PC_CTR40_TOP - 1)) + n;
    uint64_t passes = low / PC_CTR40_TOP;
    bool top = *counter & PC_CTR40_TOP;

    if (passes + top > 1)
        d->diagnostics |= PC_DIAG_SATURATED;
    *counter = (low & (PC_CTR40_TOP - 1)) | (top || passes ? PC_CTR40_TOP : 0);
}

void eg_add(const struct pc_unit *u, struct pc_domain *d, uint64_t *counter, uint64_t n, bool wide)
{
    if (wide && pc_has(u, PC_F_CTR40)) {
        add40(d, counter, n);
        return;
    }
    if (n > PC_CTR32_MAX - *counter) {
        d->diagnostics |= PC_DIAG_SATURATED;
        *counter = PC_CTR32_MAX;
    } else {
        *counter += n;
    }
}

/* A range of cycles as whole words between two that are cut. */
struct range {
    size_t first, last; /* words of its ends */
    uint64_t first_mask, last_mask;
};

static struct range range_of(uint64_t from, uint64_t to)
{
    struct range r = { (size_t)(from / 64), (size_t)((to - 1) / 64), UINT64_MAX << (from % 64),
                       UINT64_MAX >> (63 - (to - 1) % 64) };

    if (r.first == r.last)
        r.first_mask &= r.last_mask;
    return r;
}

uint64_t eg_ones(const struct eg_block *b, struct eg_signal s, uint64_t from, uint64_t to)
{
    if (from >= to)
        return 0;
    if (!s.plane)
        return s.level ? to - from : 0;
    uint32_t n;
    b->k->sums(&s.plane, 1, from, to, &n);
    return n;
}

static uint64_t weigh_number(const struct eg_block *b, const uint64_t *mask,
                             const struct pc_number *n, size_t word, size_t words)
{
    const uint64_t *plane[PC_NUMBER_BITS];

    for (unsigned i = 0; i < n->bits && i < PC_NUMBER_BITS; i++)
        plane[i] = eg_plane(b, b->source[n->bit[i]]) + word;
    return b->k->weigh(mask, plane, n->bits, words);
}

static bool moves(const struct eg_block *b, const struct pc_number *n)
{
    for (unsigned i = 0; i < n->bits && i < PC_NUMBER_BITS; i++)
        if (b->source[n->bit[i]].plane)
            return true;
    return false;
}

/* Returns the level of a number that does not move. */
static uint64_t level_of(const struct eg_block *b, const struct pc_number *n)
{
    uint64_t level = 0;

    for (unsigned i = 0; i < n->bits && i < PC_NUMBER_BITS; i++)
        level |= (uint64_t)b->source[n->bit[i]].level << i;
    return level;
}

/* Returns the sum of a number of several bits over cycles [from, to) in which `when` is 1. */
static uint64_t sum(const struct eg_block *b, struct eg_signal when, const struct pc_number *n,
                    uint64_t from, uint64_t to)
{
    if (from >= to || (!when.plane && !when.level))
        return 0;
    if (!when.plane && !moves(b, n))
        return (to - from) * level_of(b, n);
    const uint64_t *plane = eg_plane(b, when);
    struct range r = range_of(from, to);
    uint64_t cut = plane[r.first] & r.first_mask;
    uint64_t total = weigh_number(b, &cut, n, r.first, 1);
    if (r.first == r.last)
        return total;
    cut = plane[r.last] & r.last_mask;
    return total + weigh_number(b, &cut, n, r.last, 1) +
           weigh_number(b, plane + r.first + 1, n, r.first + 1, r.last - r.first - 1);
}

/* Returns pc_number_now() of all cycles [from, to). */
static uint64_t added(const struct eg_block *b, enum pc_ctr counter, uint64_t from, uint64_t to)
{
    const struct eg_signal always = { NULL, true };
    const struct pc_number *n = &pc_ctr_modes[(enum pc_ctr_mode)b->d->control.ctr_mode].of[counter];

    if (n->gate == PC_GATE_NEVER)
        return 0;
    if (n->bits == 0)
        return eg_ones(b, b->input[n->gate], from, to);
    const bool loose = pc_number_is_loose(n, pc_has(b->u, PC_F_GF100));
    return sum(b, loose ? always : b->input[n->gate], n, from, to);
}

struct eg_increment eg_increments(const struct eg_block *b, uint64_t from, uint64_t to)
{
    if (b->d->control.mode == PC_MODE_SINGLE)
        return (struct eg_increment){ .event = added(b, PC_CTR_EVENT, from, to),
                                      .extra = added(b, PC_CTR_EXTRA, from, to) };
    return (struct eg_increment){ .event = added(b, PC_CTR_EVENT, from, to),
                                  .start = added(b, PC_CTR_START, from, to),
                                  .pre = added(b, PC_CTR_PRE, from, to),
                                  .stop = added(b, PC_CTR_STOP, from, to) };
}

uint64_t eg_find(struct eg_signal s, uint64_t from, uint64_t to)
{
    if (!s.plane || from >= to)
        return s.level && from < to ? from : to;
    size_t w = (size_t)(from / 64), last = (size_t)((to - 1) / 64);
    uint64_t rest = s.plane[w] >> (from % 64) << (from % 64);

    while (rest == 0 && w < last) {
        const uint64_t *next = s.plane + w + 1;
        unsigned some = 1; /* bit i: next[i] has a 1, or is the last to be looked at */
        if (w + 4 <= last) {
            if ((next[0] | next[1] | next[2] | next[3]) == 0) {
                w += 4;
                continue;
            }
            some = (unsigned)(next[0] != 0) | (unsigned)(next[1] != 0) << 1 |
                   (unsigned)(next[2] != 0) << 2 | 1u << 3;
        }
        w += 1 + (unsigned)__builtin_ctz(some);
        rest = s.plane[w];
    }
    uint64_t at = (uint64_t)w * 64 + (rest ? (unsigned)__builtin_ctzll(rest) : 64);
    return at < to ? at : to;
}

void eg_ask(const struct eg_block *b, enum pc_input input, size_t first, size_t end)
{
    enum { LINE_WORDS = 8 };
    const uint64_t rest = b->all_words > b->first ? b->all_words - b->first : 0;

    end = end < rest ? end : (size_t)rest;
    for (unsigned i = 0; i < 4 && b->e->prefetch.asks; i++) {
        const uint64_t *plane = b->source[PC_SEL(input, i)].plane;
        const uintptr_t start = (uintptr_t)plane; /* a made one is shorter */
        for (size_t w = first; plane && w < end; w += LINE_WORDS)
            __builtin_prefetch((const void *)(start + w * sizeof *plane), 0, 3);
    }
}
