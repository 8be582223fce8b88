/* SPDX-License-Identifier: MIT */
/*
 * Inside of the metrics.  A formula is a program in postfix order; the parser is operator
 * precedence with a stack of its own, the evaluation one pass with another.
 *
 *   parse.c   lines to programs; parser.h has its parts
 *   eval.c    numbers and their states through a program
 *   table.c   the set: loading, finding, what is known of vendors' metrics
 */
#ifndef PC_METRIC_METRIC_H
#define PC_METRIC_METRIC_H

#include "base/alloc.h"
#include "base/error.h"
#include "pcounter/unstable/metric.h"

enum {
    ME_MAX_STEPS = 256, /* operands and operators of one formula */
    ME_MAX_EVENTS = 64, /* different names in it */
    ME_MAX_NAMED = 16,  /* metrics that it names */
    ME_MAX_DEPTH = 64,  /* open parentheses and operators */
    ME_MAX_LINE = 4096, /* bytes */
    ME_MAX_METRICS = 4096
};

enum me_op {
    ME_NUMBER,
    ME_EVENT,
    ME_CYCLES,
    ME_SECONDS,
    ME_NEG,
    ME_SCALE, /* by a unit */
    ME_ADD,
    ME_SUB,
    ME_MUL,
    ME_DIV,
    ME_MIN,
    ME_MAX
};

struct me_step {
    uint8_t op;
    uint16_t event;      /* ME_EVENT */
    uint16_t named;      /* ME_DIV, while it is parsed: of which metric + 1; 0: of this one */
    uint32_t begin, end; /* ME_DIV: what it divides by, from the formula's text on */
    double number;       /* ME_NUMBER; ME_SCALE: the factor, */
    int ten;             /* ... and a power of ten; ME_NUMBER: is digits * 10^ten */
    double digits;
};

struct me_metric {
    /* name NUL formula NUL, the formulas of metrics that it names NUL, the names of the events */
    char *text;
    size_t text_size;
    size_t formula, formulas; /* the offset in it, the size with those of others */
    const struct me_unit *unit;
    enum pc_metric_kind kind;
    int powers[2]; /* of events and seconds */
    bool has_unit, hundred;
    struct me_step *step;
    size_t steps;
    const char **event;
    size_t events;
};

struct pc_metrics {
    struct pc_alloc alloc;
    struct me_metric *metric;
    size_t count, capacity;
};

struct me_line {
    const char *text; /* without its end, less than ME_MAX_LINE bytes */
    size_t size;
    uint32_t number;
    const struct pc_metric_ref *known; /* metrics that have their names in it */
    size_t knowns;
};
/* out is freed by the caller even on error. */
enum pc_status me_parse(const struct pc_alloc *alloc, const struct me_line *line,
                        struct me_metric *out, struct pc_error *err);
/* Returns digits * 10^exponent. */
double me_decimal(double digits, int exponent);
void me_free(const struct pc_alloc *alloc, struct me_metric *m);

#endif
