/* SPDX-License-Identifier: MIT */
/*
 * Many cycles added to a counter at once.  Clamping at ffffffff is monotone, so the clamped
 * sum is the sum of the clamped steps (D-37); the 40-bit counters wrap below a sticky top
 * bit, and how often they pass it is a division (D-36).
 */
#include "engine/engine.h"

#include "rules/counter.h"

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
    struct range r = range_of(from, to);
    uint64_t cut = s.plane[r.first] & r.first_mask;
    uint64_t n = b->k->count(&cut, 1);
    if (r.first == r.last)
        return n;
    cut = s.plane[r.last] & r.last_mask;
    return n + b->k->count(&cut, 1) + b->k->count(s.plane + r.first + 1, r.last - r.first - 1);
}

/* B4 is START_SRC[3:0]; B6 has EVENT_SRC[3:2] above it; PC.MODE.2 PC.MODE.3 */
static uint64_t weigh(const struct eg_block *b, const uint64_t *mask, size_t word, size_t words)
{
    static const uint8_t bit[6] = { PC_SEL(PC_IN_START, 0), PC_SEL(PC_IN_START, 1),
                                    PC_SEL(PC_IN_START, 2), PC_SEL(PC_IN_START, 3),
                                    PC_SEL(PC_IN_EVENT, 2), PC_SEL(PC_IN_EVENT, 3) };
    unsigned bits = b->d->control.ctr_mode == PC_CTR_EVENT_B4 ? 4 : 6;
    const uint64_t *plane[6];

    for (unsigned i = 0; i < bits; i++)
        plane[i] = eg_plane(b, b->source[bit[i]]) + word;
    return b->k->weigh(mask, plane, bits, words);
}

uint64_t eg_events(const struct eg_block *b, uint64_t from, uint64_t to)
{
    struct eg_signal event = b->input[PC_IN_EVENT];

    if (b->d->control.ctr_mode == PC_CTR_SIMPLE || from >= to)
        return eg_ones(b, event, from, to);
    if (!event.plane && !event.level)
        return 0;
    const uint64_t *plane = eg_plane(b, event);
    struct range r = range_of(from, to);
    uint64_t cut = plane[r.first] & r.first_mask;
    uint64_t n = weigh(b, &cut, r.first, 1);
    if (r.first == r.last)
        return n;
    cut = plane[r.last] & r.last_mask;
    return n + weigh(b, &cut, r.last, 1) +
           weigh(b, plane + r.first + 1, r.first + 1, r.last - r.first - 1);
}

uint64_t eg_find(struct eg_signal s, uint64_t from, uint64_t to)
{
    if (!s.plane)
        return s.level ? from : to;
    while (from < to) {
        uint64_t rest = s.plane[from / 64] >> (from % 64);
        if (rest != 0) {
            from += (unsigned)__builtin_ctzll(rest);
            return from < to ? from : to;
        }
        from = (from / 64 + 1) * 64;
    }
    return to;
}
