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

/* A number in the cycles of a mask: selected bits, the lowest first. */
enum { MOST_BITS = 6 };

struct number {
    unsigned bits;          /* up to MOST_BITS */
    uint8_t bit[MOST_BITS]; /* PC_SEL */
};

static uint64_t weigh(const struct eg_block *b, const uint64_t *mask, const struct number *n,
                      size_t word, size_t words)
{
    const uint64_t *plane[MOST_BITS];

    for (unsigned i = 0; i < n->bits && i < MOST_BITS; i++)
        plane[i] = eg_plane(b, b->source[n->bit[i]]) + word;
    return b->k->weigh(mask, plane, n->bits, words);
}

static bool moves(const struct eg_block *b, const struct number *n)
{
    for (unsigned i = 0; i < n->bits && i < MOST_BITS; i++)
        if (b->source[n->bit[i]].plane)
            return true;
    return false;
}

/* A number that does not move */
static uint64_t level_of(const struct eg_block *b, const struct number *n)
{
    uint64_t level = 0;

    for (unsigned i = 0; i < n->bits && i < MOST_BITS; i++)
        level |= (uint64_t)b->source[n->bit[i]].level << i;
    return level;
}

/* The sum of a number over cycles [from, to) in which `when` is 1. */
static uint64_t sum(const struct eg_block *b, struct eg_signal when, struct number n, uint64_t from,
                    uint64_t to)
{
    if (from >= to || (!when.plane && !when.level))
        return 0;
    if (!when.plane && !moves(b, &n))
        return (to - from) * level_of(b, &n);
    const uint64_t *plane = eg_plane(b, when);
    struct range r = range_of(from, to);
    uint64_t cut = plane[r.first] & r.first_mask;
    uint64_t total = weigh(b, &cut, &n, r.first, 1);
    if (r.first == r.last)
        return total;
    cut = plane[r.last] & r.last_mask;
    return total + weigh(b, &cut, &n, r.last, 1) +
           weigh(b, plane + r.first + 1, &n, r.first + 1, r.last - r.first - 1);
}

static uint64_t ones_of(const struct eg_block *b, enum pc_input input, uint64_t from, uint64_t to)
{
    return eg_ones(b, b->input[input], from, to);
}

#define PRE(i)   PC_SEL(PC_IN_PRE, i)
#define START(i) PC_SEL(PC_IN_START, i)
#define EVENT(i) PC_SEL(PC_IN_EVENT, i)
#define STOP(i)  PC_SEL(PC_IN_STOP, i)

/* PC.MODE.1 to 5, PC.GF.31 to 34: as pc_increment() has it for a cycle.  In single mode only EVENT
 * and `extra` are asked for. */
struct eg_increment eg_increments(const struct eg_block *b, uint64_t from, uint64_t to)
{
    static const struct number
        b2 = { 2, { EVENT(0), EVENT(1) } },
        b4 = { 4, { START(0), START(1), START(2), START(3) } },
        b6 = { 6, { START(0), START(1), START(2), START(3), EVENT(2), EVENT(3) } },
        e4 = { 4, { EVENT(0), EVENT(1), EVENT(2), EVENT(3) } },
        e6 = { 6, { EVENT(0), EVENT(1), EVENT(2), EVENT(3), START(0), START(1) } },
        p6 = { 6, { PRE(0), PRE(1), PRE(2), PRE(3), START(0), START(1) } },
        ps = { 6, { STOP(1), STOP(2), STOP(3), PRE(1), PRE(2), PRE(3) } };
    const struct eg_signal always = { NULL, true }, *in = b->input;
    enum pc_ctr_mode mode = (enum pc_ctr_mode)b->d->control.ctr_mode;
    bool gated = pc_has(b->u, PC_F_GF100), quad = b->d->control.mode != PC_MODE_SINGLE;
    struct eg_increment inc = { 0 };

    switch (mode) {
    case PC_CTR_SIMPLE:
    case PC_CTR_EXTRA_B4:
    case PC_CTR_KEPLER_6:
        inc.event = ones_of(b, PC_IN_EVENT, from, to);
        break;
    case PC_CTR_EVENT_B4:
        inc.event = sum(b, in[PC_IN_EVENT], b4, from, to);
        break;
    case PC_CTR_EVENT_B6:
        inc.event = sum(b, in[PC_IN_EVENT], b6, from, to);
        break;
    case PC_CTR_EXTRA_B6_EVENT_B2:
        inc.event = sum(b, gated ? in[PC_IN_EVENT] : always, b2, from, to);
        break;
    case PC_CTR_KEPLER_5:
        inc.event = sum(b, in[PC_IN_EVENT], e6, from, to);
        break;
    case PC_CTR_KEPLER_7:
        inc.event = sum(b, in[PC_IN_START], e4, from, to);
        break;
    case PC_CTR_NONE:
        break;
    }
    if (mode == PC_CTR_EXTRA_B4 || mode == PC_CTR_EXTRA_B6_EVENT_B2)
        inc.start = inc.extra =
            sum(b, gated ? in[PC_IN_START] : always, mode == PC_CTR_EXTRA_B4 ? b4 : b6, from, to);
    else if (quad && mode != PC_CTR_KEPLER_5 && mode != PC_CTR_KEPLER_6 && mode != PC_CTR_KEPLER_7)
        inc.start = ones_of(b, PC_IN_START, from, to);
    if (quad && mode == PC_CTR_KEPLER_5)
        inc.pre = sum(b, in[PC_IN_PRE], ps, from, to);
    else if (quad && mode == PC_CTR_KEPLER_6)
        inc.pre = sum(b, in[PC_IN_PRE], p6, from, to);
    else if (quad)
        inc.pre = ones_of(b, PC_IN_PRE, from, to);
    if (quad && mode != PC_CTR_KEPLER_5)
        inc.stop = ones_of(b, PC_IN_STOP, from, to);
    return inc;
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
    for (unsigned i = 0; i < 4 && b->e->pace.asks; i++) {
        const uint64_t *plane = b->source[PC_SEL(input, i)].plane;
        const uintptr_t start = (uintptr_t)plane; /* a made one is shorter */
        for (size_t w = first; plane && w < end; w += LINE_WORDS)
            __builtin_prefetch((const void *)(start + w * sizeof *plane), 0, 3);
    }
}
