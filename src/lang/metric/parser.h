/* SPDX-License-Identifier: MIT */
/*
 * Parts of the parser of metrics:
 *   parse.c     the line: operands, operators, what is kept
 *   number.c    numbers
 *   units.c     the units, and what each is of
 *   quantity.c  what a formula is of: which operands fit, which unit
 */
#ifndef PC_METRIC_PARSER_H
#define PC_METRIC_PARSER_H

#include "lang/metric/metric.h"

/*
 * The dimension of a part of a formula: events and cycles to this power, times seconds to that one.
 * A plain number has neither, and takes what stands beside it.
 */
struct me_quantity {
    bool number;                /* of numbers alone */
    bool hundred;               /* it is 100, or that is a factor of it */
    bool part;                  /* an amount over a number: one, or a ratio */
    int events, seconds;        /* powers */
    const struct me_unit *unit; /* a metric's of that name, which it is or is a multiple of; NULL */
    size_t first;               /* of its steps */
    size_t begin;               /* in the line */
};

struct me_parser {
    const char *line;
    size_t size, at;
    uint32_t number;
    struct pc_error *err;
    const struct pc_metric_ref *known;
    size_t knowns;
    struct me_step step[ME_MAX_STEPS];
    size_t steps;
    struct {
        const char *name;
        size_t size;
    } event[ME_MAX_EVENTS];
    size_t events;
    const struct me_metric *named[ME_MAX_NAMED]; /* the metrics that it names */
    size_t nameds;
    struct {
        char what;     /* '(' ',' or an operator: + - * / n */
        char function; /* of a parenthesis: 0, 'm' min, 'M' max */
        bool comma;    /* of min, max: its comma was there */
        size_t begin;  /* in the line; of an operator: where its right operand begins */
    } stack[ME_MAX_DEPTH];
    size_t depth;
    struct me_quantity operand[ME_MAX_STEPS];
    size_t operands;
    size_t begin; /* of the formula */
    bool divides;
    struct {
        size_t begin, end; /* in the line */
        bool has_unit;     /* it got one */
    } last;                /* number */
};

static inline enum pc_status me_fail(struct me_parser *p, size_t at, const char *what)
{
    return pc_fail_at(p->err, 1520, p->number, (uint32_t)at + 1, "%s", what);
}

static inline enum pc_status me_emit(struct me_parser *p, struct me_step step)
{
    if (p->steps == ME_MAX_STEPS)
        return me_fail(p, p->at, "the formula is too long");
    p->step[p->steps++] = step;
    return PC_OK;
}

/* --- number.c --- */

/* Reads a number; its step does not go out yet. */
enum pc_status me_take_number(struct me_parser *p, struct me_step *out);

/* --- units.c --- */

struct me_unit {
    const char *name, *base;
    enum pc_metric_kind kind;
    int ten;     /* one of it is 10^this, */
    double many; /* times this, in base units */
};

/* NULL: there is none of that name.  Other words for one give that one. */
const struct me_unit *me_unit(const char *name, size_t size);
/* Returns the unit of a formula that has none; NULL: there is none for it. */
const struct me_unit *me_default_unit(enum pc_metric_kind kind);

/* --- quantity.c --- */

/* Adds an operand, or an operator over the last ones, whose step goes out. */
enum pc_status me_operand(struct me_parser *p, struct me_step step, struct me_quantity q);
/* Names the last `steps` that went out already. */
enum pc_status me_named(struct me_parser *p, size_t steps, struct me_quantity q);
enum pc_status me_negate(struct me_parser *p);
/* Adds an operator; operands that cannot be added are an error at the second of both. */
enum pc_status me_operator(struct me_parser *p, struct me_step step);
/*
 * Settles the unit that is written at `at`, or NULL: does it fit, and which one has the metric? A
 * number becomes one in that unit.
 */
enum pc_status me_settle(struct me_parser *p, const struct me_unit *written, size_t at,
                         struct me_metric *out);

#endif
