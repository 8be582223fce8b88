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

struct search {
    const struct cm_ways *const *ways;
    int16_t selector[CM_SELECTORS];
    unsigned pick[PC_INPUT_COUNT];
    unsigned used;
    unsigned need[PC_INPUT_COUNT + 1]; /* selectors that this input and those behind it take */

    bool found;
    unsigned best_used;
    int16_t best_selector[CM_SELECTORS];
    unsigned best_pick[PC_INPUT_COUNT];
};

/* Takes a way's selectors; false, with nothing changed, if one carries something else. */
static bool take(struct search *s, const struct cm_way *way, bool fresh[4])
{
    for (unsigned i = 0; i < way->count; i++) {
        int16_t now = s->selector[way->selector[i]];
        if (now != PC_NO_SIGNAL && now != way->signal[i])
            return false;
    }
    for (unsigned i = 0; i < way->count; i++) {
        fresh[i] = s->selector[way->selector[i]] == PC_NO_SIGNAL;
        s->selector[way->selector[i]] = way->signal[i];
        s->used += fresh[i];
    }
    return true;
}

static void give_back(struct search *s, const struct cm_way *way, const bool fresh[4])
{
    for (unsigned i = 0; i < way->count; i++)
        if (fresh[i]) {
            s->selector[way->selector[i]] = PC_NO_SIGNAL;
            s->used--;
        }
}

static void keep(struct search *s)
{
    s->found = true;
    s->best_used = s->used;
    memcpy(s->best_selector, s->selector, sizeof s->selector);
    memcpy(s->best_pick, s->pick, sizeof s->pick);
}

/* The inputs from `input` on; at most PC_INPUT_COUNT calls deep. */
static void try_from(struct search *s, unsigned input)
{
    if (s->found && s->used + s->need[input] >= s->best_used)
        return;
    while (input < PC_INPUT_COUNT && s->ways[input] == NULL)
        input++;
    if (input == PC_INPUT_COUNT) {
        keep(s);
        return;
    }
    for (unsigned w = 0; w < s->ways[input]->count; w++) {
        const struct cm_way *way = &s->ways[input]->way[w];
        bool fresh[4];
        if (!take(s, way, fresh))
            continue;
        s->pick[input] = w;
        try_from(s, input + 1);
        give_back(s, way, fresh);
    }
}

/* The fewest selectors that a way takes beside those in use from the beginning. */
static unsigned fewest(const struct search *s, const struct cm_ways *ways)
{
    unsigned least = 4;

    for (unsigned w = 0; w < ways->count; w++) {
        unsigned fresh = 0;
        for (unsigned i = 0; i < ways->way[w].count; i++)
            fresh += s->selector[ways->way[w].selector[i]] == PC_NO_SIGNAL;
        if (fresh < least)
            least = fresh;
    }
    return least;
}

bool cm_search(const struct cm_ways *const ways[PC_INPUT_COUNT], int16_t selector[CM_SELECTORS],
               unsigned pick[PC_INPUT_COUNT], unsigned *selectors)
{
    struct search s = { .ways = ways };

    memcpy(s.selector, selector, sizeof s.selector);
    for (unsigned i = 0; i < CM_SELECTORS; i++)
        s.used += s.selector[i] != PC_NO_SIGNAL;
    for (unsigned i = PC_INPUT_COUNT; i-- > 0;)
        s.need[i] = s.need[i + 1] + (i <= PC_INPUT_STOP && ways[i] ? fewest(&s, ways[i]) : 0);
    try_from(&s, 0);
    if (!s.found)
        return false;
    memcpy(selector, s.best_selector, sizeof s.best_selector);
    memcpy(pick, s.best_pick, sizeof s.best_pick);
    *selectors = s.best_used;
    return true;
}
