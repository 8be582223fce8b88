/* SPDX-License-Identifier: MIT */
/*
 * Numbers and their states through a formula.  A result is as good as the worst that went
 * into it; where there is no number (an event that was not counted, a division by 0) there is
 * none in the result, never a 0.
 */
#include "base/text.h"
#include "lang/metric/metric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *pc_value_state_name(enum pc_value_state state)
{
    static const char *const names[] = { "exact",   "tainted", "saturated",
                                         "wrapped", "lost",    "unmeasured" };

    return (unsigned)state < sizeof names / sizeof names[0] ? names[state] : "";
}

struct eval {
    const struct me_metric *m;
    struct pc_metric_value *out;
    double stack[ME_MAX_STEPS];
    size_t depth;
};

/* Sets the state to this one if that is worse; the first reason of the worst stays. */
static void worsen(struct eval *e, enum pc_value_state state, const char *what, const char *is)
{
    if (state <= e->out->state)
        return;
    e->out->state = state;
    snprintf(e->out->why, sizeof e->out->why, "%.80s %s", what, is);
}

static double take_input(struct eval *e, const char *name, double value, enum pc_value_state state)
{
    char is[32];

    snprintf(is, sizeof is, "%s %s", state == PC_VALUE_UNMEASURED ? "is" : "was",
             pc_value_state_name(state));
    worsen(e, state, name, is);
    return state == PC_VALUE_UNMEASURED ? 0 : value;
}

static double divide(struct eval *e, const struct me_step *s, double a, double b)
{
    char is[64];
    const char *by = e->m->text + e->m->formula + s->begin;
    const int length = s->end - s->begin > 40 ? 40 : (int)(s->end - s->begin);

    if (b != 0)
        return a / b;
    snprintf(is, sizeof is, "by 0: %.*s is 0", length, by);
    if (pc_is_digit(*by)) /* it says so itself */
        is[4] = '\0';
    worsen(e, PC_VALUE_UNMEASURED, "division", is);
    return 0;
}

static double apply(struct eval *e, const struct me_step *s, double a, double b)
{
    switch ((enum me_op)s->op) {
    case ME_ADD:
        return a + b;
    case ME_SUB:
        return a - b;
    case ME_MUL:
        return a * b;
    case ME_DIV:
        return divide(e, s, a, b);
    case ME_MIN:
        return a < b ? a : b;
    default: /* ME_MAX */
        return a > b ? a : b;
    }
}

static double operand(struct eval *e, const struct me_step *s, const struct pc_metric_input *event,
                      double cycles, double seconds)
{
    switch ((enum me_op)s->op) {
    case ME_NUMBER:
        return s->number;
    case ME_EVENT:
        return take_input(e, e->m->event[s->event], event[s->event].value, event[s->event].state);
    case ME_CYCLES:
        return cycles;
    default: /* ME_SECONDS */
        if (seconds <= 0)
            worsen(e, PC_VALUE_UNMEASURED, "the time", "is not known");
        return seconds;
    }
}

void pc_metrics_eval(const struct pc_metrics *metrics, size_t i,
                     const struct pc_metric_input *event, double cycles, double seconds,
                     struct pc_metric_value *out)
{
    struct eval e = { .m = &metrics->metric[i], .out = out };

    *out = (struct pc_metric_value){ .state = PC_VALUE_EXACT };
    for (size_t n = 0; n < e.m->steps; n++) {
        const struct me_step *s = &e.m->step[n];
        if (s->op < ME_NEG) {
            e.stack[e.depth++] = operand(&e, s, event, cycles, seconds);
        } else if (s->op == ME_NEG) {
            e.stack[e.depth - 1] = -e.stack[e.depth - 1];
        } else if (s->op == ME_SCALE) {
            e.stack[e.depth - 1] = me_decimal(e.stack[e.depth - 1], s->ten) * s->number;
        } else {
            e.depth--;
            e.stack[e.depth - 1] = apply(&e, s, e.stack[e.depth - 1], e.stack[e.depth]);
        }
    }
    if (!isfinite(e.stack[0]))
        worsen(&e, PC_VALUE_UNMEASURED, "the result", "is larger than any number");
    /* + 0: a zero has no sign, which would be printed (-a with a = 0) */
    out->value = out->state == PC_VALUE_UNMEASURED ? 0 : e.stack[0] + 0.0;
}
