/* SPDX-License-Identifier: MIT */
/*
 * All formulas of four variables, by mentions of variables and then by operators: each step
 * makes all that can be made of shorter ones with that many of both, so the first formula found
 * for a function is a shortest one.  ?: has a variable or the difference of two in front.  54
 * million pairs; no symmetry is used.
 */
#include "formula_search.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MENTIONS = 12, OPERATORS = 24 };

const uint16_t fs_variable[4] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };

struct bucket {
    uint16_t *function;
    unsigned count;
};

struct search {
    struct fs_function *all;
    struct bucket bucket[MENTIONS][OPERATORS];
    unsigned missing;
    unsigned mentions, operators; /* of what is made now */
};

static void make(struct search *s, unsigned f, enum fs_kind kind, unsigned a, unsigned b,
                 unsigned selector)
{
    struct bucket *to = &s->bucket[s->mentions][s->operators];

    if (s->all[f].mentions)
        return;
    s->all[f] =
        (struct fs_function){ (uint8_t)s->mentions, (uint8_t)s->operators, (uint8_t)kind,
                              (uint16_t)a,          (uint16_t)b,           (uint16_t)selector };
    to->function[to->count++] = (uint16_t)f;
    s->missing--;
}

static void pairs(struct search *s, const struct bucket *from, const struct bucket *with)
{
    for (unsigned i = 0; i < from->count; i++)
        for (unsigned k = 0; k < with->count; k++) {
            unsigned a = from->function[i], b = with->function[k];
            make(s, a & b, FS_AND, a, b, 0);
            make(s, a ^ b, FS_XOR, a, b, 0);
            make(s, a | b, FS_OR, a, b, 0);
        }
}

static void muxes(struct search *s, unsigned selector, const struct bucket *from,
                  const struct bucket *with)
{
    for (unsigned i = 0; i < from->count; i++)
        for (unsigned k = 0; k < with->count; k++) {
            unsigned a = from->function[i], b = with->function[k];
            make(s, (a & selector) | (b & ~selector & 0xffff), FS_MUX, a, b, selector);
        }
}

/* The bucket that is left of the mentions and operators, or none. */
static const struct bucket *rest(const struct search *s, unsigned mentions, unsigned operators)
{
    if (mentions >= s->mentions || operators > s->operators)
        return NULL;
    return &s->bucket[s->mentions - mentions][s->operators - operators];
}

static void step_from(struct search *s, unsigned mentions, unsigned operators)
{
    const struct bucket *from = &s->bucket[mentions][operators], *with;

    if (from->count == 0)
        return;
    with = rest(s, mentions, operators + 1);
    if (with)
        pairs(s, from, with);
    for (unsigned v = 0; v < 4; v++)
        for (unsigned w = v; w < 4; w++) {
            bool two = w > v; /* a ^ b has an operator */
            with = rest(s, mentions + 1 + two, operators + 1 + two);
            if (with)
                muxes(s, two ? fs_variable[v] ^ fs_variable[w] : fs_variable[v], from, with);
        }
}

static void step(struct search *s)
{
    if (s->mentions == 1 && s->operators == 0)
        for (unsigned v = 0; v < 4; v++)
            make(s, fs_variable[v], FS_VARIABLE, 0, 0, 0);
    if (s->operators > 0) {
        const struct bucket *plain = &s->bucket[s->mentions][s->operators - 1];
        for (unsigned i = 0; i < plain->count; i++)
            make(s, ~(unsigned)plain->function[i] & 0xffff, FS_NOT, plain->function[i], 0, 0);
    }
    for (unsigned m = 1; m < s->mentions; m++)
        for (unsigned o = 0; o < s->operators; o++)
            step_from(s, m, o);
}

void fs_search(struct fs_function all[FS_FUNCTIONS])
{
    struct search *s = calloc(1, sizeof *s);

    if (!s)
        abort();
    s->all = all;
    s->missing = FS_FUNCTIONS - 2; /* constants need no variable */
    for (unsigned f = 0; f < FS_FUNCTIONS; f++)
        all[f].mentions = f == 0 || f == 0xffff ? 99 : 0;
    for (s->mentions = 1; s->mentions < MENTIONS && s->missing; s->mentions++)
        for (s->operators = 0; s->operators < OPERATORS && s->missing; s->operators++) {
            struct bucket *b = &s->bucket[s->mentions][s->operators];
            b->function = malloc(s->missing * sizeof *b->function);
            if (!b->function)
                abort();
            step(s);
        }
    all[0].mentions = all[0xffff].mentions = 0;
    for (unsigned m = 0; m < MENTIONS; m++)
        for (unsigned o = 0; o < OPERATORS; o++)
            free(s->bucket[m][o].function);
    free(s);
}
