/* SPDX-License-Identifier: MIT */
/*
 * Computes the dimension of the parts of a formula: events over events are a ratio, events over
 * seconds an amount a second.  Sums are of what is alike; a plain number becomes what it is added
 * to, in the unit of a metric that stands there by name.
 */
#include "base/text.h"
#include "lang/metric/parser.h"

#include <float.h>
#include <string.h>

/* Finds the kind of powers; false: none that has a unit. */
static bool kind_of(const struct me_quantity *q, enum pc_metric_kind *out)
{
    const bool amount = q->events > 0;

    if (q->number)
        *out = PC_METRIC_NUMBER;
    else if (q->part)
        *out = PC_METRIC_PART;
    else if (q->seconds == 0)
        *out = amount ? PC_METRIC_AMOUNT : PC_METRIC_RATIO;
    else if (q->seconds == -1)
        *out = amount ? PC_METRIC_RATE : PC_METRIC_RATIO_RATE;
    else if (q->seconds == 1 && !amount)
        *out = PC_METRIC_TIME;
    else
        return false;
    return true;
}

/* Bytes are an amount. */
static enum pc_metric_kind without_bytes(enum pc_metric_kind kind)
{
    return kind == PC_METRIC_BYTES       ? PC_METRIC_AMOUNT
           : kind == PC_METRIC_BYTE_RATE ? PC_METRIC_RATE
                                         : kind;
}

static void set_powers(enum pc_metric_kind kind, int powers[2])
{
    const enum pc_metric_kind k = without_bytes(kind);

    powers[0] = k == PC_METRIC_AMOUNT || k == PC_METRIC_RATE;
    powers[1] = k == PC_METRIC_TIME ? 1 : k == PC_METRIC_RATE || k == PC_METRIC_RATIO_RATE ? -1 : 0;
}

static bool kinds_match(enum pc_metric_kind a, enum pc_metric_kind b)
{
    const enum pc_metric_kind x = without_bytes(a), y = without_bytes(b);

    return x == y || x == PC_METRIC_NUMBER || y == PC_METRIC_NUMBER ||
           (x == PC_METRIC_PART && (y == PC_METRIC_AMOUNT || y == PC_METRIC_RATIO)) ||
           (y == PC_METRIC_PART && (x == PC_METRIC_AMOUNT || x == PC_METRIC_RATIO));
}

/* A count may be one of bytes; cycles are none. */
static bool units_match(const struct me_unit *a, const struct me_unit *b)
{
    return a->kind == b->kind ||
           (kinds_match(a->kind, b->kind) &&
            (strncmp(a->base, "count", 5) == 0 || strncmp(b->base, "count", 5) == 0));
}

bool pc_metric_match(const struct pc_metric *a, const struct pc_metric *b)
{
    if (!a->has_unit || !b->has_unit)
        return kinds_match(a->kind, b->kind);
    return units_match(me_unit(a->unit, strlen(a->unit)), me_unit(b->unit, strlen(b->unit)));
}

/* For errors: "an amount of bytes" where a metric in bytes stands there. */
static const char *text_of(const struct me_quantity *q)
{
    enum pc_metric_kind kind;

    if (!kind_of(q, &kind))
        return "of no kind that has a unit";
    return pc_metric_kind_text(q->unit ? q->unit->kind : kind);
}

/* --- steps --- */

enum pc_status me_operand(struct me_parser *p, struct me_step step, struct me_quantity q)
{
    const enum pc_status status = me_emit(p, step);

    return status ? status : me_named(p, 1, q);
}

enum pc_status me_named(struct me_parser *p, size_t steps, struct me_quantity q)
{
    q.first = p->steps - steps;
    p->operand[p->operands++] = q;
    return PC_OK;
}

enum pc_status me_negate(struct me_parser *p)
{
    return me_emit(p, (struct me_step){ .op = ME_NEG });
}

/*
 * Converts a number, whose steps end before `end`, to a unit. Its digits do, where it is one
 * number: 33.3 % is the double nearest to 0.333.
 */
static enum pc_status scale(struct me_parser *p, struct me_quantity *q, size_t end,
                            const struct me_unit *unit)
{
    struct me_step *first = &p->step[q->first];

    q->number = false;
    q->unit = unit;
    p->last.has_unit = p->last.begin == q->begin;
    if (end - q->first == 1 || (end - q->first == 2 && first[1].op == ME_NEG)) {
        first->number = me_decimal(first->digits, first->ten + unit->ten) * unit->many;
        if (first->number > DBL_MAX)
            return me_fail(p, q->begin, "in this unit that is more than 1.8e308");
        return PC_OK;
    }
    const enum pc_status status = me_emit(p, (struct me_step){ .op = ME_SCALE });
    if (status)
        return status;
    for (size_t i = p->steps - 1; i > end; i--)
        p->step[i] = p->step[i - 1];
    p->step[end] = (struct me_step){ .op = ME_SCALE, .number = unit->many, .ten = unit->ten };
    return PC_OK;
}

/* --- operators --- */

static struct me_quantity product(const struct me_quantity *l, const struct me_quantity *r)
{
    return (struct me_quantity){ .number = l->number && r->number,
                                 .hundred = l->hundred || r->hundred,
                                 .events = l->events + r->events,
                                 .seconds = l->seconds + r->seconds,
                                 .part = l->number ? r->part : r->number && l->part,
                                 .unit = l->number   ? r->unit
                                         : r->number ? l->unit
                                                     : NULL };
}

/* A number over a time is an amount over it: 1 / seconds, 1 / (seconds / beats). */
static struct me_quantity quotient(const struct me_quantity *l, const struct me_quantity *r)
{
    const bool amount = l->number && r->events == 0 && r->seconds != 0;

    return (struct me_quantity){ .number = l->number && r->number,
                                 .hundred = l->hundred && !(r->number && r->hundred),
                                 .events = l->events - r->events + amount,
                                 .seconds = l->seconds - r->seconds,
                                 .part =
                                     r->number && !l->number && l->events > 0 && l->seconds == 0,
                                 .unit = r->number ? l->unit : NULL };
}

static bool alike(const struct me_quantity *l, const struct me_quantity *r)
{
    enum pc_metric_kind a, b;

    if (l->unit && r->unit)
        return units_match(l->unit, r->unit);
    if (!kind_of(l, &a) || !kind_of(r, &b))
        return l->events == r->events && l->seconds == r->seconds;
    return kinds_match(a, b);
}

/* + - min max */
static enum pc_status sum(struct me_parser *p, struct me_quantity *l, struct me_quantity *r,
                          struct me_quantity *out)
{
    enum pc_status status = PC_OK;
    const bool hundred = (l->hundred && !l->number) || (r->hundred && !r->number);

    *out = l->part ? *r : *l; /* what is more certain */
    if (l->number && !r->number) {
        *out = *r;
        if (r->unit)
            status = scale(p, l, r->first, r->unit);
    } else if (r->number && !l->number) {
        if (l->unit)
            status = scale(p, r, p->steps, l->unit);
    } else if (!l->number && !alike(l, r)) {
        return pc_fail_at(p->err, 1527, p->number, (uint32_t)r->begin + 1,
                          "this is %s, what it is added to or compared with is %s", text_of(r),
                          text_of(l));
    }
    out->hundred = hundred;
    if (!out->unit)
        out->unit = l->unit ? l->unit : r->unit;
    return status;
}

enum pc_status me_operator(struct me_parser *p, struct me_step step)
{
    struct me_quantity *l = &p->operand[p->operands - 2], *r = l + 1, q;
    enum pc_status status = PC_OK;

    if (step.op == ME_MUL)
        q = product(l, r);
    else if (step.op == ME_DIV)
        q = quotient(l, r);
    else
        status = sum(p, l, r, &q);
    if (status)
        return status;
    q.first = l->first;
    q.begin = l->begin;
    *l = q;
    p->operands--;
    return me_emit(p, step);
}

/* --- the unit --- */

static enum pc_status no_unit(struct me_parser *p, const struct me_quantity *q)
{
    return pc_fail_at(p->err, 1526, p->number, (uint32_t)p->begin + 1,
                      "no unit fits events to the power of %d times seconds to the power of %d",
                      q->events, q->seconds);
}

/*
 * A number right before a unit that is not 1: in hits / all + 5 % and in beats * 64 kB it may have
 * that unit, or all of it is shown in it.  100 % of a product is what a note is about.
 */
static bool is_unclear(const struct me_parser *p, const struct me_quantity *q,
                       const struct me_unit *unit, size_t at)
{
    size_t end = at, begin = p->last.begin;

    while (end > 0 && pc_is_blank(p->line[end - 1]))
        end--;
    while (begin > p->begin && pc_is_blank(p->line[begin - 1]))
        begin--;
    if (end != p->last.end || p->last.has_unit || (unit->ten == 0 && unit->many <= 1))
        return false;
    const char before = p->line[begin - 1];
    const bool share = unit->ten == -2;
    return before == '+' || before == '-' ||
           (before == '*' && (share ? !q->hundred : unit->kind == PC_METRIC_BYTES));
}

static enum pc_status settle_written(struct me_parser *p, struct me_quantity *q,
                                     const struct me_unit *unit, size_t at)
{
    enum pc_metric_kind kind;

    if (q->number)
        return scale(p, q, p->steps, unit);
    if (!kind_of(q, &kind))
        return no_unit(p, q);
    if (kinds_match(unit->kind, kind) && (!q->unit || units_match(q->unit, unit))) {
        if (!is_unclear(p, q, unit, at))
            return PC_OK;
        return pc_fail_at(p->err, 1528, p->number, (uint32_t)p->last.begin + 1,
                          "%.*s %s, or the whole formula in %s?",
                          (int)(p->last.end - p->last.begin), p->line + p->last.begin, unit->name,
                          unit->name);
    }
    return pc_fail_at(p->err, 1526, p->number, (uint32_t)at + 1,
                      "%s is a unit of %s; the formula is %s", unit->name,
                      pc_metric_kind_text(unit->kind), text_of(q));
}

enum pc_status me_settle(struct me_parser *p, const struct me_unit *written, size_t at,
                         struct me_metric *out)
{
    struct me_quantity *q = &p->operand[0];
    const bool number = q->number;
    enum pc_status status = PC_OK;

    if (written)
        status = settle_written(p, q, written, at);
    if (status)
        return status;
    if (!kind_of(q, &out->kind))
        return no_unit(p, q);
    out->unit = written   ? written
                : q->unit ? q->unit
                : number  ? me_default_unit(p->divides ? PC_METRIC_RATIO : PC_METRIC_AMOUNT)
                          : me_default_unit(out->kind);
    out->has_unit = written || q->unit;
    if (out->has_unit)
        out->kind = out->unit->kind;
    out->powers[0] = q->events;
    out->powers[1] = q->seconds;
    if (number && written)
        set_powers(out->kind, out->powers);
    out->hundred = q->hundred && !number && written && written->ten == -2;
    return PC_OK;
}
