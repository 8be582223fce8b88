/* SPDX-License-Identifier: MIT */
/* Quad mode over a block: counts between swaps, each of which comes before its cycle's count
 * (D-53). */
#include "model/engine/engine.h"

/* Counts every cycle, and each input (PC.QUAD.1); it never rests (PC.QUAD.15). */
static void count_quad_block(struct eg_block *b, uint64_t from, uint64_t to)
{
    struct pc_counters *c = &b->d->shadow;
    struct eg_increment inc = eg_increments(b, from, to);

    eg_add(b->u, b->d, &c->cycles, to - from, true);
    eg_add(b->u, b->d, &c->event, inc.event, true);
    eg_add(b->u, b->d, &c->start, inc.start, true);
    eg_add(b->u, b->d, &c->pre, inc.pre, false);
    eg_add(b->u, b->d, &c->stop, inc.stop, false);
}

/* Adds the counts of a block that has no swap. */
static void add_counts(struct eg_block *b)
{
    struct pc_counters *c = &b->d->shadow;

    eg_add(b->u, b->d, &c->cycles, (uint64_t)b->words * 64, true);
    eg_add(b->u, b->d, &c->pre, b->counts[PC_IN_PRE], false);
    eg_add(b->u, b->d, &c->start, b->counts[PC_IN_START], true);
    eg_add(b->u, b->d, &c->event, b->counts[PC_IN_EVENT], true);
    eg_add(b->u, b->d, &c->stop, b->counts[PC_IN_STOP], false);
}

/* Returns true if the block swaps in each cycle and counts the same in each. Then the third shows
 * it all. */
static bool repeats(const struct eg_block *b)
{
    for (unsigned s = 0; s < EG_SELECTORS; s++)
        if (b->source[s].plane)
            return false;
    for (unsigned i = PC_IN_PRE; i <= PC_IN_STOP; i++)
        if (b->input[i].plane)
            return false;
    return !b->swap.plane && b->swap.level;
}

void eg_quad(struct eg_block *b)
{
    uint64_t end = (uint64_t)b->words * 64, from = 0;

    pc_record_soil(b->u, b->d);
    if (b->counted) {
        add_counts(b);
        return;
    }
    if (repeats(b) && end > 3)
        end = 3;
    while (from < end) {
        uint64_t at = eg_find(b->swap, from, end);
        count_quad_block(b, from, at);
        if (at == end)
            break;
        pc_quad_swap(b->d);
        count_quad_block(b, at, at + 1);
        from = at + 1;
    }
}
