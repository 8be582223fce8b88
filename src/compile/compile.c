/* SPDX-License-Identifier: MIT */
/*
 * From a request to registers.  First every input by itself, on its own four sources; where
 * that cannot be, EVENT, STOP or both get SETFLAG as their fourth argument.
 */
#include "compile/compile.h"

#include <string.h>

const char *pc_input_name(enum pc_input_id input)
{
    static const char *const names[PC_INPUT_COUNT] = { "PRE",  "START",   "EVENT",
                                                       "STOP", "SETFLAG", "CLRFLAG" };

    return (unsigned)input < PC_INPUT_COUNT ? names[input] : "";
}

enum pc_status cm_target_of(const struct pc_chip *chip, unsigned device_domain,
                            struct pc_chip *of_set, struct cm_target *out, struct pc_error *err)
{
    struct pc_chip_domain place;

    if (chip->layout == PC_LAYOUT_NONE)
        return pc_fail(err, 323, "%s has no PCOUNTER", chip->name);
    if (!pc_chip_domain(chip, device_domain, &place))
        return pc_fail(err, 340, "%s has no domain %u", chip->name, device_domain);
    enum pc_status status = pc_chip_of_set(chip, place.set, of_set, err);
    if (status)
        return status;
    *out = (struct cm_target){ of_set, place.domain, chip->features,
                               pc_chip_signal_position(of_set, place.domain, PC_SIG_DOM_EVENT,
                                                       place.domain) };
    return PC_OK;
}

/* EVENT_B4 adds START_SRC[3:0]; EVENT_B6 has EVENT_SRC[3:2] above them (PC.MODE.2, PC.MODE.3). */
void cm_reserve_sum(const struct pc_compile_request *r, int16_t reserved[CM_SELECTORS])
{
    static const uint8_t at[PC_SUM_BITS] = { PC_INPUT_START * 4,     PC_INPUT_START * 4 + 1,
                                             PC_INPUT_START * 4 + 2, PC_INPUT_START * 4 + 3,
                                             PC_INPUT_EVENT * 4 + 2, PC_INPUT_EVENT * 4 + 3 };

    for (unsigned i = 0; i < CM_SELECTORS; i++)
        reserved[i] = PC_NO_SIGNAL;
    for (unsigned i = 0; i < r->sum_bits; i++)
        reserved[at[i]] = (int16_t)r->sum[i];
    for (unsigned i = 0; r->ctr_mode && i < 16; i++)
        reserved[i] = r->pinned[i / 4][i % 4];
    for (unsigned i = 0; i < r->record_signals; i++) /* PC.REC.3 */
        reserved[i] = (int16_t)r->record[i];
}

/* --- solving --- */

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

/* One split of the chained inputs, with all others as they are. */
static bool visit(void *ctx, const struct cm_split *split)
{
    const struct attempt *a = ctx;
    const struct cm_target *t = &a->want->target;
    const struct cm_ways *ways[PC_INPUT_COUNT] = { NULL };
    struct cm_ways set, rest[2];

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

/* Own EVENT, undelayed, inside a SETFLAG that is inside EVENT: a loop (D-21). */
static bool loops(const struct cm_want *w)
{
    return w->target.own_event >= 0 && w->wanted[PC_INPUT_SETFLAG] &&
           cm_find_atom(&w->func[PC_INPUT_SETFLAG],
                        (struct cm_atom){ (uint8_t)w->target.own_event, false }) >= 0;
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
    event = event && !loops(want);
    return (event && attempt(&a, true, false)) || (stop && attempt(&a, false, true)) ||
           (event && stop && attempt(&a, true, true));
}

/* --- the request --- */

static enum pc_status check(const struct pc_compile_request *r, struct pc_error *err)
{
    if (!r || !r->chip)
        return pc_fail(err, 400, "no chip was given");
    if (r->record_signals > PC_RECORD_SIGNALS || (r->record_signals && r->mode != PC_COUNT_RECORD))
        return pc_fail(err, 341, "record mode counts up to %d signals, not %u", PC_RECORD_SIGNALS,
                       r->record_signals);
    for (unsigned i = 0; i < r->record_signals; i++)
        if (r->record[i] >= PC_MAX_SIGNALS)
            return pc_fail(err, 342, "signal %u: selectors have 8 bits", r->record[i]);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        const struct pc_expr *e = r->input[i];
        if (e && !e->resolved)
            return pc_fail(err, 307, "an expression cannot be compiled before it is resolved");
        for (size_t w = 0; e && w < e->wires; w++)
            if (e->wire[w] >= PC_MAX_SIGNALS)
                return pc_fail_at(err, 342, i + 1, 0, "signal %u: selectors have 8 bits",
                                  e->wire[w]);
    }
    return PC_OK;
}

enum pc_status cm_want_of(const struct pc_compile_request *r, struct pc_chip *of_set,
                          struct cm_want *out, bool *small, struct pc_error *err)
{
    enum pc_status status = check(r, err);

    memset(out, 0, sizeof *out);
    *small = true;
    if (status == PC_OK)
        status = cm_target_of(r->chip, r->domain, of_set, &out->target, err);
    if (status)
        return status;
    cm_reserve_sum(r, out->reserved);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        out->wanted[i] = r->input[i] != NULL;
        *small = *small && (!r->input[i] || cm_func_of(r->input[i], &out->func[i]));
    }
    return cm_take_sums(r, out, *small, err);
}

bool cm_event_loops(const struct cm_want *w)
{
    return w->target.own_event >= 0 && w->wanted[PC_INPUT_EVENT] &&
           cm_find_atom(&w->func[PC_INPUT_EVENT],
                        (struct cm_atom){ (uint8_t)w->target.own_event, false }) >= 0;
}

enum pc_status cm_finish(const struct pc_compile_request *r, const struct cm_want *want,
                         const struct cm_found *found, struct pc_program *out, struct pc_error *err)
{
    struct pc_program program = { .ctrl = 0 };
    unsigned cone;

    if (!cm_verify(want, found, &cone))
        return pc_fail(err, 348, "the program found does not compute what was asked for");
    enum pc_status status = cm_program(r, want, found, &program, err);
    if (status)
        return status;
    program.cone_bits = cone;
    *out = program;
    return PC_OK;
}

enum pc_status pc_compile(const struct pc_compile_request *r, struct pc_program *out,
                          struct pc_error *err)
{
    struct cm_want want;
    struct cm_found found;
    struct pc_chip of_set;
    bool small;
    enum pc_status status = cm_want_of(r, &of_set, &want, &small, err);

    if (status)
        return status;
    if (!small || cm_event_loops(&want) || !cm_solve(&want, &found))
        return cm_refuse(r, &want, err);
    return cm_finish(r, &want, &found, out, err);
}
