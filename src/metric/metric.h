/* SPDX-License-Identifier: MIT */
/*
 * Inside of the metrics.  A formula is a program in postfix order; the parser is operator
 * precedence with a stack of its own, the evaluation one pass with another.
 *
 *   parse.c   lines to programs
 *   eval.c    numbers and their states through a program
 *   table.c   the set: loading, finding, what is known of vendors' metrics
 */
#ifndef PC_METRIC_METRIC_H
#define PC_METRIC_METRIC_H

#include "base/alloc.h"
#include "base/error.h"
#include "pcounter/metric.h"

enum {
    ME_MAX_STEPS = 256, /* operands and operators of one formula */
    ME_MAX_EVENTS = 64, /* different names in it */
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
    uint16_t begin, end; /* ME_DIV: what it divides by, in the formula's text */
    double number;       /* ME_NUMBER */
};

struct me_metric {
    char *text; /* name NUL formula NUL unit NUL, and the names of the events */
    size_t text_size;
    size_t formula, unit; /* offsets in it */
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

/* A line without its end, of less than ME_MAX_LINE bytes; out is freed by the caller even on error.
 */
enum pc_status me_parse(const struct pc_alloc *alloc, const char *line, size_t size,
                        uint32_t number, struct me_metric *out, struct pc_error *err);
void me_free(const struct pc_alloc *alloc, struct me_metric *m);

#endif
