/* SPDX-License-Identifier: MIT */
/*
 * Splits the state into what decides and what is only added to, for pc_unit_advance.  Counters
 * decide in these places:
 *
 *   single mode   CTR_PRE and CTR_STOP at 0; CTR_EVENT against THRESHOLD at a STOP
 *   record mode   an event counter at 0xf000; STOP not 0; the position against RECORD_LIMIT;
 *                 the cycles for which the outgoing slot is busy
 */
#include "model/engine/advance.h"

#include <string.h>

#include "model/rules/counter.h"

/* --- what decides --- */

static void control_of(const struct pc_domain *d, bool exact, uint32_t ticks, struct pc_domain *out)
{
    const struct pc_record *r = &d->record;

    memcpy(out, d, sizeof *out); /* also the padding */
    memset(&out->visible, 0, sizeof out->visible);
    memset(&out->shadow, 0, sizeof out->shadow);
    memset(out->vector, 0, sizeof out->vector); /* made anew in each cycle, like these */
    memset(&out->in, 0, sizeof out->in);
    out->selected = 0;
    out->cycle = 0;
    out->periodic = (uint16_t)(exact && ticks ? d->periodic & (ticks - 1) : 0);
    out->record.cycles = out->record.position = 0;
    if (d->control.mode == PC_MODE_SINGLE) {
        out->visible.pre = d->visible.pre != 0;
        out->visible.stop = d->visible.stop != 0;
        out->visible.event = d->visible.event >= d->threshold;
    }
    if (exact)
        return;
    out->record.busy = r->busy != 0;
    out->record.stop = r->stop != 0;
    for (unsigned i = 0; i < 12; i++)
        out->record.event[i] = r->event[i] >= PC_RECORD_EVENT_FLUSH;
}

bool advance_same(const struct advance *a, const struct advance_watch *w)
{
    for (unsigned x = 0; x < a->u->chip->domains; x++) {
        struct pc_domain now;
        if (!(w->looks >> x & 1))
            continue;
        control_of(&a->u->state.domain[x], w->exact, a->ticks[x], &now);
        if (memcmp(&now, &w->control[x], sizeof now) != 0)
            return false;
    }
    return true;
}

void advance_anchor(const struct advance *a, struct advance_watch *w)
{
    for (unsigned x = 0; x < a->u->chip->domains; x++)
        if (w->looks >> x & 1) {
            control_of(&a->u->state.domain[x], w->exact, a->ticks[x], &w->control[x]);
            w->anchor[x] = a->u->state.domain[x];
        }
}

/* --- what is added to --- */

static void subtract(struct pc_counters *out, const struct pc_counters *a,
                     const struct pc_counters *b)
{
    out->cycles = a->cycles - b->cycles;
    out->event = a->event - b->event;
    out->start = a->start - b->start;
    out->pre = a->pre - b->pre;
    out->stop = a->stop - b->stop;
}

void advance_difference(const struct advance *a, const struct advance_watch *w,
                        struct advance_delta out[PC_MAX_DOMAINS])
{
    for (unsigned x = 0; x < a->u->chip->domains; x++) {
        const struct pc_domain *d = &a->u->state.domain[x], *b = &w->anchor[x];
        struct advance_delta *delta = &out[x];
        if (!(w->looks >> x & 1))
            continue;
        subtract(&delta->visible, &d->visible, &b->visible);
        subtract(&delta->shadow, &d->shadow, &b->shadow);
        delta->record_cycles = (d->record.cycles - b->record.cycles) & PC_RECORD_CYCLES_MASK;
        delta->position = (uint32_t)(d->record.position - b->record.position);
        delta->busy = (uint64_t)d->record.busy - b->record.busy;
        delta->stop = (uint64_t)d->record.stop - b->record.stop;
        for (unsigned i = 0; i < 12; i++)
            delta->event[i] = (uint64_t)d->record.event[i] - b->record.event[i];
    }
}

/* --- how often --- */

static bool grows(uint64_t delta)
{
    return delta != 0 && delta < UINT64_C(1) << 63;
}

static bool shrinks(uint64_t delta)
{
    return delta >= UINT64_C(1) << 63;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* A number that grows stays below `end`; the last period is for what happens within one. */
static uint64_t below(uint64_t value, uint64_t delta, uint64_t end, uint64_t times)
{
    uint64_t most = value < end ? (end - 1 - value) / delta : 0;

    return least(times, most > 0 ? most - 1 : 0);
}

/* A number that shrinks does not come to 0. */
static uint64_t above_zero(uint64_t value, uint64_t delta, uint64_t times)
{
    uint64_t most = value > 0 ? (value - 1) / (0 - delta) : 0;

    return least(times, most > 0 ? most - 1 : 0);
}

static uint64_t limit_single(const struct pc_unit *u, const struct pc_domain *d,
                             const struct advance_delta *delta, uint64_t times)
{
    const struct pc_counters *c = &d->visible;

    if (shrinks(delta->visible.pre))
        times = above_zero(c->pre, delta->visible.pre, times);
    if (shrinks(delta->visible.stop))
        times = above_zero(c->stop, delta->visible.stop, times);
    if (!grows(delta->visible.event))
        return times;
    if (c->event < d->threshold)
        times = below(c->event, delta->visible.event, d->threshold, times);
    if (pc_has(u, PC_F_CTR40)) /* it would become smaller */
        times = below(c->event & (PC_CTR40_TOP - 1), delta->visible.event, PC_CTR40_TOP, times);
    return times;
}

/* Returns true if a packet can be at RECORD_LIMIT at all. The position wraps at 4 GiB (D-73). */
static bool comes_to_limit(const struct pc_domain *d)
{
    uint32_t size = d->control.record_short ? 16 : 32;

    return d->record_limit <= UINT32_MAX - (size - 1) + d->record.position % size;
}

static uint64_t limit_record(const struct pc_domain *d, const struct advance_delta *delta,
                             uint64_t times)
{
    const struct pc_record *r = &d->record;

    for (unsigned i = 0; i < 12; i++)
        if (grows(delta->event[i]) && r->event[i] < PC_RECORD_EVENT_FLUSH)
            times = below(r->event[i], delta->event[i], PC_RECORD_EVENT_FLUSH, times);
    if (shrinks(delta->busy))
        times = above_zero(r->busy, delta->busy, times);
    if (delta->position != 0 && comes_to_limit(d))
        times = below(r->position, delta->position, d->record_limit, times);
    return times;
}

/* Returns true if there is anything whose growth is not understood. */
static bool strange(const struct pc_domain *d, const struct advance_delta *delta)
{
    const struct pc_counters *v = &delta->visible, *s = &delta->shadow;
    bool single = d->control.mode == PC_MODE_SINGLE, odd = grows(delta->busy);

    odd |= shrinks(v->cycles) || shrinks(v->event) || shrinks(v->start);
    odd |= !single && (shrinks(v->pre) || shrinks(v->stop));
    odd |= d->control.mode != PC_MODE_STREAM && shrinks(s->cycles);
    odd |= shrinks(s->event) || shrinks(s->start) || shrinks(s->pre) || shrinks(s->stop);
    odd |= shrinks(delta->stop);
    for (unsigned i = 0; i < 12; i++)
        odd |= shrinks(delta->event[i]);
    return odd;
}

uint64_t advance_limit(const struct advance *a, const struct advance_watch *w, uint64_t times)
{
    const struct advance_delta *delta = w->delta;

    for (unsigned x = 0; x < a->u->chip->domains; x++) {
        const struct pc_domain *d = &a->u->state.domain[x];
        if (!(w->looks >> x & 1))
            continue;
        if (strange(d, &delta[x]))
            return 0;
        if (d->control.mode == PC_MODE_SINGLE)
            times = limit_single(a->u, d, &delta[x], times);
        times = limit_record(d, &delta[x], times);
    }
    return times;
}

/* --- adding --- */

static void add_times(const struct pc_unit *u, struct pc_domain *d, uint64_t *counter,
                      uint64_t delta, uint64_t times, bool wide)
{
    if (shrinks(delta))
        *counter += delta * times;
    else if (delta != 0)
        eg_add(u, d, counter, delta * times, wide);
}

static void add_counters(const struct pc_unit *u, struct pc_domain *d, struct pc_counters *c,
                         const struct pc_counters *delta, uint64_t times)
{
    add_times(u, d, &c->event, delta->event, times, true);
    add_times(u, d, &c->start, delta->start, times, true);
    add_times(u, d, &c->pre, delta->pre, times, false);
    add_times(u, d, &c->stop, delta->stop, times, false);
}

/* PC.REC.3 PC.REC.5 PC.REC.6: a counter of 16 bits or fewer, which stays at its end. */
static void bump_times(struct pc_domain *d, uint16_t *counter, uint64_t n, uint16_t end)
{
    if (n > (uint64_t)(end - *counter))
        d->diagnostics |= PC_DIAG_SATURATED;
    *counter = n > (uint64_t)(end - *counter) ? end : (uint16_t)(*counter + n);
}

static void apply(const struct pc_unit *u, struct pc_domain *d, const struct advance_delta *delta,
                  uint64_t times, uint64_t cycles)
{
    struct pc_record *r = &d->record;

    add_times(u, d, &d->visible.cycles, delta->visible.cycles, times, true);
    add_counters(u, d, &d->visible, &delta->visible, times);
    add_counters(u, d, &d->shadow, &delta->shadow, times);
    if (d->control.mode == PC_MODE_STREAM) {
        if (delta->record_cycles != 0)
            pc_stream_tick(d, cycles);
    } else {
        add_times(u, d, &d->shadow.cycles, delta->shadow.cycles, times, true);
        r->cycles = (r->cycles + delta->record_cycles * times) & PC_RECORD_CYCLES_MASK;
    }
    for (unsigned i = 0; i < 12; i++)
        bump_times(d, &r->event[i], delta->event[i] * times, PC_RECORD_EVENT_MAX);
    bump_times(d, &r->stop, delta->stop * times, PC_RECORD_STOP_MAX);
    r->position += (uint32_t)(delta->position * times);
    r->busy += (uint32_t)(delta->busy * times);
}

void advance_apply(struct advance *a, const struct advance_watch *w, uint64_t times)
{
    const uint64_t cycles = times * w->length;
    const bool reset = PC_GET(a->u->state.gctrl, GCTRL, PERIODIC_RESET);

    for (unsigned x = 0; x < a->u->chip->domains; x++) {
        struct pc_domain *d = &a->u->state.domain[x];
        if (!(a->edges >> x & 1))
            continue;
        if (w->looks >> x & 1)
            apply(a->u, d, &w->delta[x], times, cycles);
        d->cycle += cycles;
        if (!reset)
            d->periodic = (uint16_t)(d->periodic + cycles);
    }
}
