/* SPDX-License-Identifier: MIT */
/*
 * Single mode over a block, for as long as the machine stays among WAIT_START and COUNTING, or
 * in WAIT_PRE, or INACTIVE: period by period.  The words in which it would leave are
 * stepped.
 */
#include "model/engine/engine.h"

/* COUNTING in each cycle; both START and STOP turn it over (D-43). */
static struct eg_signal counting_plane(const struct eg_block *b)
{
    uint64_t *out = b->e->scratch[1];

    (void)b->k->affine(out, eg_plane(b, b->input[PC_IN_START]), eg_plane(b, b->input[PC_IN_STOP]),
                       b->d->single_state == PC_COUNTING, b->words);
    return (struct eg_signal){ out, false };
}

/* Returns the number of words in which fewer than `limit` + 1 cycles of `s` are; the next one has
 * the last straw. */
static size_t words_before(const struct eg_block *b, struct eg_signal s, uint64_t limit)
{
    uint64_t n = 0;

    if (eg_ones(b, s, 0, (uint64_t)b->words * 64) <= limit)
        return b->words;
    if (!s.plane)
        return (size_t)(limit / 64);
    for (size_t w = 0; w < b->words; w++) {
        n += eg_ones(b, s, (uint64_t)w * 64, (uint64_t)w * 64 + 64);
        if (n > limit)
            return w;
    }
    return b->words;
}

/* Returns the words before the STOP that would end the last period; mostly there are not so
 * many. */
static size_t words_before_last(const struct eg_block *b)
{
    struct eg_signal stop = b->input[PC_IN_STOP], ends = { b->e->scratch[0], false };
    struct eg_signal start = b->input[PC_IN_START];
    uint64_t limit = b->d->visible.stop;

    if (b->d->single_state == PC_WAIT_START && !start.plane && !start.level)
        return b->words;
    if (eg_ones(b, stop, 0, (uint64_t)b->words * 64) <= limit)
        return b->words;
    struct eg_signal counting = counting_plane(b);
    for (size_t w = 0; w < b->words; w++)
        b->e->scratch[0][w] = counting.plane[w] & eg_plane(b, stop)[w];
    return words_before(b, ends, limit);
}

size_t eg_single_words(const struct eg_block *b)
{
    switch ((enum pc_single_state)b->d->single_state) {
    case PC_WAIT_PRE:
        return words_before(b, b->input[PC_IN_PRE], b->d->visible.pre);
    case PC_WAIT_START:
    case PC_COUNTING:
        return words_before_last(b);
    default:
        return b->words;
    }
}

/* Finds the cycle of a START or a STOP. */
static enum pc_single_cycle next(struct pc_domain *d, bool start, bool stop)
{
    return pc_single_next(&d->single_state, &d->visible.pre, &d->visible.stop, false, start, stop);
}

/* Counts cycles [from, to) of a period; `ends`: STOP is 1 in the last of them. */
static void count_period(struct eg_block *b, uint64_t from, uint64_t to, bool ends)
{
    struct pc_domain *d = b->d;
    struct pc_counters *c = &d->visible;
    struct eg_increment inc = eg_increments(b, from, to);

    eg_add(b->u, d, &c->cycles, to - from, true);
    eg_add(b->u, d, &c->event, inc.event, true);
    eg_add(b->u, d, &c->pre, inc.extra, false);
    pc_record_soil(b->u, d);
    if (ends && next(d, false, true) == PC_SINGLE_ENDS)
        pc_single_ends(b->u, d);
}

/*
 * Planes are near while a long period is looked for: memory has time for some of the next block.
 */
static void ask_ahead(const struct eg_block *b, uint64_t from, uint64_t to)
{
    enum { LONG = 8 * 64 };

    if (to - from >= LONG)
        eg_ask(b, PC_IN_STOP, b->words + (size_t)(from / 64), b->words + (size_t)(to / 64));
}

static void periods(struct eg_block *b)
{
    struct pc_domain *d = b->d;
    uint64_t end = (uint64_t)b->words * 64, from = 0;

    while (from < end) {
        if (d->single_state == PC_COUNTING) {
            uint64_t at = eg_find(b->input[PC_IN_STOP], from, end);
            bool stops = at < end;
            ask_ahead(b, from, at);
            count_period(b, from, stops ? at + 1 : end, stops);
            from = stops ? at + 1 : end;
            continue;
        }
        uint64_t at = eg_find(b->input[PC_IN_START], from, end);
        ask_ahead(b, from, at);
        if (at == end)
            return;
        if (next(d, true, false) == PC_SINGLE_BEGINS)
            pc_single_begins(b->u, d);
        from = at + 1;
    }
}

void eg_single(struct eg_block *b)
{
    switch ((enum pc_single_state)b->d->single_state) {
    case PC_WAIT_PRE:
        b->d->visible.pre -= eg_ones(b, b->input[PC_IN_PRE], 0, (uint64_t)b->words * 64);
        break;
    case PC_WAIT_START:
    case PC_COUNTING:
        periods(b);
        break;
    default:
        break;
    }
}
