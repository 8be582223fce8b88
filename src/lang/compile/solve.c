/* SPDX-License-Identifier: MIT */
/*
 * Encodings of all that is wanted.  First every input by itself, on its own four sources; where
 * that cannot be, EVENT, STOP or both get SETFLAG as their fourth argument.
 */
#include "lang/compile/compile.h"

#include <string.h>

/* Returns true if the function looks at the domain's own EVENT, undelayed. */
static bool has_event(const struct cm_target *t, const struct cm_func *func)
{
    return t->own_event >= 0 &&
           cm_find_atom(func, (struct cm_atom){ (uint8_t)t->own_event, false }) >= 0;
}

static bool sees_event(const struct cm_want *w, enum pc_input_id input)
{
    return w->wanted[input] && has_event(&w->target, &w->func[input]);
}

bool cm_event_loops(const struct cm_want *w)
{
    return sees_event(w, PC_INPUT_EVENT);
}

struct attempt {
    const struct cm_want *want;
    bool chain[PC_INPUT_COUNT];
    struct cm_ways ways[PC_INPUT_COUNT]; /* of the inputs that are not chained */
    struct cm_found *out;
};

static bool finish(const struct attempt *a, const struct cm_ways *const ways[PC_INPUT_COUNT])
{
    struct cm_found *f = a->out;
    unsigned pick[PC_INPUT_COUNT];

    memcpy(f->selector, a->want->reserved, sizeof f->selector);
    if (!cm_search(ways, f->selector, pick, &f->selectors))
        return false;
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        f->op[i] = ways[i] ? ways[i]->way[pick[i]].op : 0;
        f->chained[i] = a->chain[i];
    }
    return true;
}

/* Tries one split of the chained inputs, with all others as they are. */
static bool visit(void *ctx, const struct cm_split *split)
{
    const struct attempt *a = ctx;
    const struct cm_target *t = &a->want->target;
    const struct cm_ways *ways[PC_INPUT_COUNT] = { NULL };
    struct cm_ways set, rest[2];

    if (a->chain[PC_INPUT_EVENT] && has_event(t, &split->set)) /* also in STOP's: D-21a */
        return false;
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        if (a->want->wanted[i])
            ways[i] = &a->ways[i];
    cm_find_ways(t, &split->set, PC_INPUT_SETFLAG, false, &set);
    if (set.count == 0)
        return false;
    ways[PC_INPUT_SETFLAG] = &set;
    for (unsigned k = 0; k < 2; k++) {
        enum pc_input_id input = k ? PC_INPUT_STOP : PC_INPUT_EVENT;
        if (!a->chain[input])
            continue;
        cm_find_ways(t, &split->rest[k], input, true, &rest[k]);
        if (rest[k].count == 0)
            return false;
        ways[input] = &rest[k];
    }
    return finish(a, ways);
}

static bool attempt(struct attempt *a, bool event, bool stop)
{
    const struct cm_want *w = a->want;
    const struct cm_ways *ways[PC_INPUT_COUNT] = { NULL };

    a->chain[PC_INPUT_EVENT] = event;
    a->chain[PC_INPUT_STOP] = stop;
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        if (!w->wanted[i] || a->chain[i])
            continue;
        cm_find_ways(&w->target, &w->func[i], i, false, &a->ways[i]);
        if (a->ways[i].count == 0)
            return false;
        ways[i] = &a->ways[i];
    }
    if (!event && !stop)
        return finish(a, ways);
    return cm_for_splits(event ? &w->func[PC_INPUT_EVENT] : NULL,
                         stop ? &w->func[PC_INPUT_STOP] : NULL,
                         w->wanted[PC_INPUT_SETFLAG] ? &w->func[PC_INPUT_SETFLAG] : NULL, visit, a);
}

bool cm_solve(const struct cm_want *want, struct cm_found *out)
{
    struct attempt a = { .want = want, .out = out };
    bool event = want->wanted[PC_INPUT_EVENT], stop = want->wanted[PC_INPUT_STOP];

    if (attempt(&a, false, false))
        return true;
    if (!(want->target.features & PC_F_SETFLAG_ARG))
        return false;
    event = event && !sees_event(want, PC_INPUT_SETFLAG); /* inside EVENT: a loop (D-21) */
    return (event && attempt(&a, true, false)) || (stop && attempt(&a, false, true)) ||
           (event && stop && attempt(&a, true, true));
}
