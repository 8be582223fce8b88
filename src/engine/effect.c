/* SPDX-License-Identifier: MIT */
/* The algebra of effects: see effect.h. */
#include "engine/effect.h"

#include <string.h>

#include "rules/counter.h"

struct eg_key eg_key_of(const struct pc_domain *d)
{
    return (struct eg_key){ .late = d->late,
                            .periodic = d->periodic,
                            .single_state = d->single_state,
                            .flag_cur = d->flag_cur,
                            .flag_next = d->flag_next,
                            .last_flag = d->last_flag,
                            .last_event = d->last_event };
}

void eg_key_enter(struct pc_domain *d, const struct eg_key *key)
{
    d->late = key->late;
    d->periodic = key->periodic;
    d->single_state = key->single_state;
    d->flag_cur = key->flag_cur;
    d->flag_next = key->flag_next;
    d->last_flag = key->last_flag;
    d->last_event = key->last_event;
}

bool eg_key_equal(const struct eg_key *a, const struct eg_key *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

struct eg_effect eg_effect_none(const struct eg_key *key)
{
    return (struct eg_effect){ .leaves = *key, .enters = key->single_state };
}

/* --- counters --- */

/*
 * A counter that went on from 0, added to what it was.  A 40-bit one says by its sticky top
 * bit that it passed its end at least once.
 */
static void join(const struct pc_unit *u, struct pc_domain *d, uint64_t *counter, uint64_t value,
                 bool wide)
{
    bool forty = wide && pc_has(u, PC_F_CTR40), passed = forty && (value & PC_CTR40_TOP);

    eg_add(u, d, counter, passed ? value & (PC_CTR40_TOP - 1) : value, wide);
    if (!passed)
        return;
    if (*counter & PC_CTR40_TOP)
        d->diagnostics |= PC_DIAG_SATURATED;
    *counter |= PC_CTR40_TOP;
}

static void join_all(const struct pc_unit *u, struct pc_domain *d, struct pc_counters *to,
                     const struct pc_counters *from)
{
    join(u, d, &to->cycles, from->cycles, true);
    join(u, d, &to->event, from->event, true);
    join(u, d, &to->start, from->start, true);
    join(u, d, &to->pre, from->pre, false);
    join(u, d, &to->stop, from->stop, false);
}

/* --- quad mode --- */

static void quad_then(const struct pc_unit *u, struct pc_domain *note, struct eg_effect *a,
                      const struct eg_effect *b)
{
    if (b->swaps == 0) {
        join_all(u, note, &a->tail, &b->tail);
        return;
    }
    join_all(u, note, &a->tail, &b->head); /* a period that ends in b */
    if (a->swaps == 0)
        a->head = a->tail;
    else
        a->complete = a->tail;
    if (b->swaps == 2)
        a->complete = b->complete;
    a->tail = b->tail;
    a->swaps = a->swaps + b->swaps > 1 ? 2 : 1;
}

static void quad_apply(const struct pc_unit *u, struct pc_domain *d, const struct eg_effect *e)
{
    if (e->swaps == 0) {
        join_all(u, d, &d->shadow, &e->tail);
        return;
    }
    join_all(u, d, &d->shadow, &e->head);
    d->visible = e->swaps == 1 ? d->shadow : e->complete;
    d->shadow = e->tail;
    if (d->quad_state != PC_EMPTY || e->swaps == 2)
        d->diagnostics |= PC_DIAG_SWAP_LOST;
    d->quad_state = d->quad_state == PC_EMPTY && e->swaps == 1 ? PC_VALID : PC_OVERFLOW;
}

/* --- single mode --- */

/* Does START clear CTR_EVENT?  PC.SINGLE.6 */
static bool period_one(const struct pc_unit *u, const struct pc_domain *d)
{
    return !pc_has(u, PC_F_PERIOD_ALL) || !d->control.period_all;
}

/* CTR_CYCLES and CTR_EVENT in *c go on as e says. */
static void go_on(const struct pc_unit *u, struct pc_domain *d, struct pc_counters *c,
                  const struct eg_effect *e)
{
    if (e->enters == PC_COUNTING && e->uses > 0) {
        join(u, d, &c->cycles, e->head.cycles, true);
        if (period_one(u, d))
            join(u, d, &c->event, e->head.event, true);
    }
    if (e->started) {
        c->cycles = 0;
        if (period_one(u, d))
            c->event = 0;
    }
    join(u, d, &c->cycles, e->tail.cycles, true);
    join(u, d, &c->event, e->tail.event, true);
}

/* note: its registers are those of the domain, its counters are not looked at. */
static void single_then(const struct pc_unit *u, struct pc_domain *note, struct eg_effect *a,
                        const struct eg_effect *b)
{
    bool ends_period = b->enters == PC_COUNTING && b->uses > 0;
    bool open_before = a->enters == PC_COUNTING && a->uses == 0;
    struct pc_counters c = a->tail;

    join(u, note, &a->tail.start, b->tail.start, true);
    join(u, note, &a->tail.pre, b->tail.pre, false);
    if (ends_period) {
        join(u, note, &c.cycles, b->head.cycles, true);
        if (period_one(u, note))
            join(u, note, &c.event, b->head.event, true);
        if (open_before)
            a->head = c;
        else if (period_one(u, note) && c.event >= note->threshold)
            join(u, note, &a->tail.start, 1, true);
        if (open_before) { /* what follows is behind the head */
            c.cycles = 0;
            if (period_one(u, note))
                c.event = 0;
        }
    }
    if (b->started) {
        c.cycles = 0;
        if (period_one(u, note))
            c.event = 0;
    }
    join(u, note, &c.cycles, b->tail.cycles, true);
    join(u, note, &c.event, b->tail.event, true);
    a->tail.cycles = c.cycles;
    a->tail.event = c.event;
    a->started = a->started || b->started;
    a->uses += b->uses;
}

/* How many of the periods reach the threshold; false: that hangs on where it is crossed. */
static bool hits(const struct pc_unit *u, const struct pc_domain *d, const struct eg_effect *e,
                 uint64_t *out)
{
    uint64_t before = d->visible.event, after = before + e->tail.event;

    if (period_one(u, d)) {
        struct pc_domain end = *d;
        join(u, &end, &end.visible.event, e->head.event, true);
        bool open = e->enters == PC_COUNTING && e->uses > 0;
        *out = open && end.visible.event >= d->threshold;
        return true;
    }
    if (pc_has(u, PC_F_CTR40) && (before >= PC_CTR40_TOP || after >= PC_CTR40_TOP))
        return e->uses == 0;
    *out = before >= d->threshold ? e->uses : 0;
    return e->uses == 0 || before >= d->threshold || after < d->threshold;
}

static bool single_apply(const struct pc_unit *u, struct pc_domain *d, const struct eg_effect *e)
{
    struct pc_counters *c = &d->visible;
    uint64_t reached = 0;

    if (e->enters == PC_INACTIVE)
        return true;
    if (e->enters == PC_WAIT_PRE) {
        if (e->uses > c->pre)
            return false;
        c->pre -= (uint32_t)e->uses;
        return true;
    }
    if (e->uses > c->stop || !hits(u, d, e, &reached))
        return false;
    go_on(u, d, c, e);
    join(u, d, &c->start, reached, true);
    join(u, d, &c->start, e->tail.start, true);
    join(u, d, &c->pre, e->tail.pre, false);
    c->stop -= e->uses;
    return true;
}

/* --- both --- */

void eg_effect_then(const struct pc_unit *u, const struct pc_domain *d, struct eg_effect *first,
                    const struct eg_effect *second)
{
    struct pc_domain note = *d;

    note.diagnostics = 0;
    if (d->control.mode == PC_MODE_QUAD)
        quad_then(u, &note, first, second);
    else if (d->control.mode == PC_MODE_SINGLE)
        single_then(u, &note, first, second);
    first->leaves = second->leaves;
    first->event_toggle ^= second->event_toggle;
    first->flag_toggle ^= second->flag_toggle;
    first->dirty = first->dirty || second->dirty;
    first->diagnostics |= second->diagnostics | note.diagnostics;
    first->cycles += second->cycles;
}

bool eg_effect_apply(const struct pc_unit *u, struct pc_domain *d, const struct eg_effect *e)
{
    struct pc_domain after = *d;

    if (d->control.mode == PC_MODE_QUAD)
        quad_apply(u, &after, e);
    else if (d->control.mode == PC_MODE_SINGLE && !single_apply(u, &after, e))
        return false;
    eg_key_enter(&after, &e->leaves);
    after.event_toggle ^= e->event_toggle;
    after.flag_toggle ^= e->flag_toggle;
    after.diagnostics |= e->diagnostics;
    after.record.dirty = after.record.dirty || e->dirty;
    after.cycle += e->cycles;
    *d = after;
    return true;
}
