/* SPDX-License-Identifier: MIT */
/*
 * One way for each input, so that no selector is to carry two signals.  Depth first over at
 * most six inputs of at most 24 ways, cut where the selectors in use, and those that the inputs
 * to come need in any case, are as many as the best solution's: complete, and the result has the
 * fewest selectors.  PRE to STOP have selectors of their own, so what each of them needs can
 * be added up; SETFLAG and CLRFLAG may find all of theirs in use.
 */
#include "compile/compile.h"

#include <string.h>

struct cm_bytes cm_bytes_of(const int16_t selector[CM_SELECTORS])
{
    struct cm_bytes b = { { 0 }, { 0 } };

    for (unsigned i = 0; i < CM_SELECTORS; i++) {
        if (selector[i] == PC_NO_SIGNAL)
            continue;
        b.taken[i / 8] |= UINT64_C(0xff) << (8 * (i % 8));
        b.signal[i / 8] |= (uint64_t)selector[i] << (8 * (i % 8));
    }
    return b;
}

void cm_put_bytes(const struct cm_bytes *b, int16_t selector[CM_SELECTORS])
{
    for (unsigned i = 0; i < CM_SELECTORS; i++) {
        const unsigned shift = 8 * (i % 8);
        selector[i] = PC_NO_SIGNAL;
        if (b->taken[i / 8] >> shift & 1)
            selector[i] = (uint8_t)(b->signal[i / 8] >> shift);
    }
}

unsigned cm_taken(const struct cm_bytes *b)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t sums = 0; /* of each byte's place; at most CM_WORDS */

    for (unsigned i = 0; i < CM_WORDS; i++)
        sums += b->taken[i] & ones;
    return (unsigned)(sums * ones >> 56);
}

bool cm_join(const struct cm_bytes *a, const struct cm_bytes *b, struct cm_bytes *out)
{
    uint64_t differ = 0;

    for (unsigned i = 0; i < CM_WORDS; i++) {
        differ |= (a->signal[i] ^ b->signal[i]) & a->taken[i] & b->taken[i];
        out->taken[i] = a->taken[i] | b->taken[i];
        out->signal[i] = a->signal[i] | b->signal[i];
    }
    return differ == 0;
}

struct search {
    const struct cm_ways *const *ways;
    unsigned pick[PC_INPUT_COUNT];
    unsigned need[PC_INPUT_COUNT + 1]; /* selectors that this input and those behind it take */

    bool found;
    unsigned best_used;
    struct cm_bytes best;
    unsigned best_pick[PC_INPUT_COUNT];
};

static void keep(struct search *s, const struct cm_bytes *now, unsigned used)
{
    s->found = true;
    s->best_used = used;
    s->best = *now;
    memcpy(s->best_pick, s->pick, sizeof s->pick);
}

/* The inputs from `input` on; at most PC_INPUT_COUNT calls deep. */
static void try_from(struct search *s, unsigned input, const struct cm_bytes *now)
{
    if (s->found && cm_taken(now) + s->need[input] >= s->best_used)
        return;
    while (input < PC_INPUT_COUNT && s->ways[input] == NULL)
        input++;
    if (input == PC_INPUT_COUNT) {
        keep(s, now, cm_taken(now));
        return;
    }
    for (unsigned w = 0; w < s->ways[input]->count; w++) {
        struct cm_bytes with;
        if (!cm_join(now, &s->ways[input]->way[w].needs, &with))
            continue;
        s->pick[input] = w;
        try_from(s, input + 1, &with);
    }
}

/* The fewest selectors that a way takes beside those in use from the beginning. */
static unsigned fewest(const struct cm_bytes *now, const struct cm_ways *ways)
{
    unsigned least = 4;

    for (unsigned w = 0; w < ways->count; w++) {
        struct cm_bytes fresh = ways->way[w].needs;
        for (unsigned i = 0; i < CM_WORDS; i++)
            fresh.taken[i] &= ~now->taken[i];
        unsigned n = cm_taken(&fresh);
        least = n < least ? n : least;
    }
    return least;
}

bool cm_search(const struct cm_ways *const ways[PC_INPUT_COUNT], int16_t selector[CM_SELECTORS],
               unsigned pick[PC_INPUT_COUNT], unsigned *selectors)
{
    struct search s = { .ways = ways };
    struct cm_bytes now = cm_bytes_of(selector);

    for (unsigned i = PC_INPUT_COUNT; i-- > 0;)
        s.need[i] = s.need[i + 1] + (i <= PC_INPUT_STOP && ways[i] ? fewest(&now, ways[i]) : 0);
    try_from(&s, 0, &now);
    if (!s.found)
        return false;
    cm_put_bytes(&s.best, selector);
    memcpy(pick, s.best_pick, sizeof s.best_pick);
    *selectors = s.best_used;
    return true;
}
