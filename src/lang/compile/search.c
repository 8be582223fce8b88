/* SPDX-License-Identifier: MIT */
/*
 * One way for each input, so that no selector is to carry two signals.  PRE to STOP have selectors
 * of their own, of which SETFLAG and CLRFLAG look at some (rules/sources.h): with the ways of those
 * two given, each of the others takes the one that needs fewest selectors more, whatever the
 * others do.  So all pairs of at most 24 ways are tried: complete, and the result has the fewest
 * selectors; of several such the first one, by the way of PRE, then of START, and so on.
 */
#include "lang/compile/compile.h"

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

/* Returns how many selectors are taken. */
static unsigned taken(const struct cm_bytes *b)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t sums = 0; /* of each byte's place; at most CM_WORDS */

    for (unsigned i = 0; i < CM_WORDS; i++)
        sums += b->taken[i] & ones;
    return (unsigned)(sums * ones >> 56);
}

/* Joins both together; false if a selector is to carry two signals. */
static bool join(const struct cm_bytes *a, const struct cm_bytes *b, struct cm_bytes *out)
{
    uint64_t differ = 0;

    for (unsigned i = 0; i < CM_WORDS; i++) {
        differ |= (a->signal[i] ^ b->signal[i]) & a->taken[i] & b->taken[i];
        out->taken[i] = a->taken[i] | b->taken[i];
        out->signal[i] = a->signal[i] | b->signal[i];
    }
    return differ == 0;
}

int cm_best_way(const struct cm_bytes *now, const struct cm_ways *ways, struct cm_bytes *with)
{
    unsigned fewest = CM_SELECTORS + 1;
    int best = -1;

    for (unsigned w = 0; w < ways->count; w++) {
        struct cm_bytes both;
        if (!join(now, &ways->way[w].needs, &both) || taken(&both) >= fewest)
            continue;
        fewest = taken(&both);
        best = (int)w;
        *with = both;
    }
    return best;
}

struct choice {
    bool found;
    unsigned used;
    struct cm_bytes needs;
    unsigned pick[PC_INPUT_COUNT];
};

static bool earlier(const unsigned a[PC_INPUT_COUNT], const unsigned b[PC_INPUT_COUNT])
{
    unsigned i = 0;

    while (i < PC_INPUT_COUNT - 1 && a[i] == b[i])
        i++;
    return a[i] < b[i];
}

/* PRE to STOP, where SETFLAG and CLRFLAG have theirs. */
static void complete(const struct cm_ways *const ways[PC_INPUT_COUNT], struct choice *now,
                     struct choice *best)
{
    for (unsigned i = 0; i <= PC_INPUT_STOP; i++) {
        struct cm_bytes with = now->needs;
        int w = ways[i] ? cm_best_way(&now->needs, ways[i], &with) : 0;
        if (w < 0)
            return;
        now->pick[i] = (unsigned)w;
        now->needs = with;
    }
    now->used = taken(&now->needs);
    if (!best->found || now->used < best->used ||
        (now->used == best->used && earlier(now->pick, best->pick)))
        *best = *now;
}

/* Takes the n-th way of an input beside those in use, or none of one that is not wanted. */
static bool take(const struct cm_ways *ways, unsigned n, const struct cm_bytes *now,
                 struct cm_bytes *with)
{
    *with = *now;
    return ways ? join(now, &ways->way[n].needs, with) : true;
}

bool cm_search(const struct cm_ways *const ways[PC_INPUT_COUNT], int16_t selector[CM_SELECTORS],
               unsigned pick[PC_INPUT_COUNT], unsigned *selectors)
{
    const struct cm_ways *set = ways[PC_INPUT_SETFLAG], *clear = ways[PC_INPUT_CLRFLAG];
    const struct cm_bytes given = cm_bytes_of(selector);
    struct choice best = { .found = false };

    for (unsigned s = 0; s < (set ? set->count : 1); s++)
        for (unsigned c = 0; c < (clear ? clear->count : 1); c++) {
            struct choice now = { .found = true };
            struct cm_bytes with_set;
            now.pick[PC_INPUT_SETFLAG] = s;
            now.pick[PC_INPUT_CLRFLAG] = c;
            if (take(set, s, &given, &with_set) && take(clear, c, &with_set, &now.needs))
                complete(ways, &now, &best);
        }
    if (!best.found)
        return false;
    cm_put_bytes(&best.needs, selector);
    memcpy(pick, best.pick, sizeof best.pick);
    *selectors = best.used;
    return true;
}
