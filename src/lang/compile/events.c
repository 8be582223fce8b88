/* SPDX-License-Identifier: MIT */
/*
 * Events onto the four counters of quad mode: every assignment that leaves each counter to
 * one event is solved as if its inputs had been asked for, at most 24 of them.  A chain has
 * sources of PRE and START, so an assignment without one is better; then fewer selectors are.
 */
#include "lang/compile/compile.h"

#include <string.h>

enum { COUNTERS = 4 }; /* PRE, START, EVENT, STOP */

struct events {
    const struct pc_compile_request *r;
    const struct pc_compile_event *event;
    unsigned count;
    struct cm_want base; /* what is wanted beside the events */
    struct cm_func func[COUNTERS];
};

struct assigned {
    unsigned input[COUNTERS]; /* of each event */
    struct cm_want want;
    struct cm_found found;
    unsigned cost;
};

/* Gives the events in `some` their counters; false if one is taken. */
static bool assign(const struct events *e, unsigned some, const unsigned input[COUNTERS],
                   struct cm_want *out)
{
    unsigned taken = 0;

    *out = e->base;
    for (unsigned i = 0; i < COUNTERS; i++)
        taken |= (unsigned)(e->r->input[i] != NULL) << i;
    for (unsigned i = 0; i < e->count; i++) {
        int pin = e->event[i].input;
        if (!(some >> i & 1))
            continue;
        if (taken >> input[i] & 1 || (pin != PC_ANY_INPUT && (unsigned)pin != input[i]) ||
            !cm_want_input(out, input[i], &e->func[i]))
            return false;
        taken |= 1u << input[i];
    }
    return !cm_event_loops(out);
}

static unsigned cost_of(const struct cm_found *f)
{
    unsigned chains = f->chained[PC_INPUT_EVENT] + f->chained[PC_INPUT_STOP];

    return chains * CM_SELECTORS + f->selectors;
}

/* Finds the best assignment of the events in `some`, bit i: event i. */
static bool fit(const struct events *e, unsigned some, struct assigned *out)
{
    bool any = false;

    for (unsigned code = 0; code < 1u << (2 * e->count); code++) {
        struct assigned now;
        bool whole = true;
        for (unsigned i = 0; i < e->count; i++) { /* event 0 changes last */
            now.input[i] = code >> (2 * (e->count - 1 - i)) & 3;
            whole = whole && (some >> i & 1 || now.input[i] == 0);
        }
        if (!whole || !assign(e, some, now.input, &now.want) || !cm_solve(&now.want, &now.found))
            continue;
        now.cost = cost_of(&now.found);
        if (!any || now.cost < out->cost)
            *out = now;
        any = true;
    }
    return any;
}

/* --- why not --- */

static enum pc_status at_event(enum pc_status status, unsigned i, struct pc_error *err)
{
    if (err)
        err->line = PC_INPUT_COUNT + 1 + i;
    return status;
}

/* Reports the event that fits no counter, as the input that takes most says it. */
static enum pc_status refuse_event(const struct events *e, unsigned i, struct pc_error *err)
{
    struct pc_compile_request alone = { .chip = e->r->chip,
                                        .domain = e->r->domain,
                                        .mode = PC_COUNT_QUAD };
    int pin = e->event[i].input;
    enum pc_input_id input = pin == PC_ANY_INPUT ? PC_INPUT_EVENT : (enum pc_input_id)pin;
    struct cm_want want = e->base;

    memset(want.wanted, 0, sizeof want.wanted);
    want.wanted[input] = true;
    want.func[input] = e->func[i];
    alone.input[input] = e->event[i].expr;
    return at_event(cm_refuse(&alone, &want, err), i, err);
}

static enum pc_status refuse(const struct events *e, struct pc_error *err)
{
    struct events bare = *e;
    struct assigned found;

    memset(bare.base.wanted, 0, sizeof bare.base.wanted);
    for (unsigned i = 0; i < CM_SELECTORS; i++)
        bare.base.reserved[i] = PC_NO_SIGNAL;
    for (unsigned i = 0; i < e->count; i++)
        if (!fit(&bare, 1u << i, &found))
            return refuse_event(e, i, err);
    for (unsigned i = 0; i < e->count; i++) {
        if (fit(e, 1u << i, &found))
            continue;
        enum pc_status status = pc_fail_at(err, 392, PC_INPUT_COUNT + 1 + i, 1,
                                           "the event does not fit beside the inputs and sums "
                                           "that are wanted on %s",
                                           e->r->chip->name);
        pc_hint(err, "it fits alone: count it in a separate pass");
        return status;
    }
    for (unsigned i = 0; i < e->count; i++)
        for (unsigned k = i + 1; k < e->count; k++) {
            if (fit(e, 1u << i | 1u << k, &found))
                continue;
            enum pc_status status = pc_fail_at(err, 392, PC_INPUT_COUNT + 1 + k, 1,
                                               "events %u and %u do not fit together on %s", i + 1,
                                               k + 1, e->r->chip->name);
            pc_hint(err, "each fits alone: count one of them in a separate pass");
            return status;
        }
    enum pc_status status = pc_fail(err, 392, "%u events do not fit together on %s; any two do",
                                    e->count, e->r->chip->name);
    pc_hint(err, "count one of them in a separate pass");
    return status;
}

/* --- the request --- */

static enum pc_status check(const struct events *e, size_t events, struct pc_error *err)
{
    unsigned room = 0, pins[COUNTERS] = { 0 };

    for (unsigned i = 0; i < COUNTERS; i++)
        room += !e->r->input[i];
    for (size_t i = 0; i < events; i++) {
        const struct pc_expr *x = e->event[i].expr;
        int pin = e->event[i].input;
        uint32_t line = PC_INPUT_COUNT + 1 + (uint32_t)i;
        if (!x || !x->resolved || pin < PC_ANY_INPUT || pin >= COUNTERS)
            return pc_fail_at(err, 307, line, 0, "an event without a resolved expression");
        for (size_t w = 0; w < x->wires; w++)
            if (x->wire[w] >= PC_MAX_SIGNALS)
                return pc_fail_at(err, 342, line, 0, "signal %u: selectors have 8 bits",
                                  x->wire[w]);
        if (pin != PC_ANY_INPUT && e->r->input[pin])
            return pc_fail_at(err, 392, line, 1, "%s is taken by an input of its own",
                              pc_input_name((enum pc_input_id)pin));
        if (pin != PC_ANY_INPUT && pins[pin]++)
            return pc_fail_at(err, 392, line, 1, "two events are pinned to %s",
                              pc_input_name((enum pc_input_id)pin));
    }
    if (events > room)
        return pc_fail(err, 392, "%zu events, and %u %s free in the domain", events, room,
                       room == 1 ? "counter is" : "counters are");
    return PC_OK;
}

enum pc_status pc_compile_events(const struct pc_compile_request *r,
                                 const struct pc_compile_event *event, size_t events,
                                 enum pc_input_id *input, struct pc_program *out,
                                 struct pc_error *err)
{
    struct events e = { .r = r, .event = event };
    struct assigned found;
    struct pc_chip of_set;
    bool small;
    enum pc_status status = cm_want_of(r, &of_set, &e.base, &small, err);

    if (status == PC_OK && r->mode != PC_COUNT_QUAD)
        status = e.base.target.features & PC_F_QUAD
                     ? pc_fail(err, 345, "events are counted in quad mode")
                     : pc_fail(err, 345, "events are counted in quad mode, which %s does not have",
                               r->chip->name);
    if (status == PC_OK && (!small || !cm_solve(&e.base, &found.found)))
        status = cm_refuse(r, &e.base, err);
    if (status == PC_OK)
        status = check(&e, events, err);
    if (status)
        return status;
    e.count = (unsigned)events;
    for (unsigned i = 0; i < e.count; i++)
        if (!cm_func_of(event[i].expr, &e.func[i]))
            return refuse_event(&e, i, err);
    if (!fit(&e, (1u << e.count) - 1, &found))
        return refuse(&e, err);
    status = cm_finish(r, &found.want, &found.found, out, err);
    for (unsigned i = 0; i < e.count && status == PC_OK; i++)
        input[i] = (enum pc_input_id)found.input[i];
    return status;
}
