/* SPDX-License-Identifier: MIT */
/*
 * --expect 'misses < 0.05 * hits': what counts have to come to.  A side is a formula as those of
 * metrics, with or without a unit, in which metrics that the verb has can be named.  A number
 * beside a unit is in that unit.
 */
#ifndef PC_CLI_EXPECTATION_H
#define PC_CLI_EXPECTATION_H

#include "wave/metric_set.h"
#include "pcounter/unstable/metric.h"

/* The result of one; it is not known if a figure is not exact or was not measured. */
enum cli_verdict { CLI_MET, CLI_NOT_MET, CLI_NOT_KNOWN };

struct cli_expectation {
    const char *text;
    const char *left; /* the formula */
    char compare[3];  /* "<", "<=", "==", "!=", ">=", ">" */
    bool number;      /* the right side is a number, which needs no telling */
};

struct cli_expectations {
    struct cli_said *said; /* label NULL: of --expect */
    size_t texts, capacity;
    struct cli_expectation *item;
    struct cli_metrics sides; /* item i has metrics 2 i and 2 i + 1 */
};

/* Adds one more expectation; an exit code. */
int cli_expect_text(struct cli_expectations *e, const char *label, const char *text);
/* Forgets the texts; copies of the struct share them. */
void cli_expect_forget(struct cli_expectations *e);
/* Parses all.  `metrics` stay as they are as long as this is used; *e is closed by the caller
 * whatever happened. */
int cli_expectations_open(struct cli_expectations *e, const struct cli_metrics *metrics);
/* Finds their events, after those of the metrics. */
int cli_expectations_bind(struct cli_expectations *e, const struct cli_metrics *metrics,
                          const struct cli_metric_host *host);
void cli_expectations_close(struct cli_expectations *e);

/* Returns the unit of both sides of item i, the left one's if they have two, but for % of a ratio;
 * NULL: neither has one. */
const struct pc_metric *cli_expectation_unit(const struct cli_expectations *e, size_t i);

/* Compares the values of both sides. */
enum cli_verdict cli_verdict_of(const struct cli_expectation *e,
                                const struct pc_metric_value side[2]);
/* Inputs of a formula that are known within bounds. */
enum { CLI_MOST_OPEN = 8 }; /* each doubles the number of values that the formula may have */
struct cli_open_inputs {
    size_t count, number[CLI_MOST_OPEN];
    double most[CLI_MOST_OPEN];
};
/*
 * Evaluates a formula at all bounds of its inputs, as one figure may be small while another is
 * large: `in` has what they are at least.  Gives the smallest or the largest value; one that is not
 * exact, if there is one.
 */
void cli_value_within(const struct cli_metric *m, struct pc_metric_input *in,
                      const struct cli_open_inputs *open, bool largest, double cycles,
                      double seconds, struct pc_metric_value *out);
/*
 * Judges again where a figure is not final, as something is open at the end: `least` and `most` are
 * the sides with its bounds.  If they all have one verdict, that is it, and the sides become those
 * that are least; else the verdict is as it was.  Returns a note; "": there is none.
 */
const char *cli_verdict_bounded(const struct cli_expectation *e,
                                const struct pc_metric_value least[2],
                                const struct pc_metric_value most[2],
                                struct pc_metric_value side[2], enum cli_verdict *verdict);
/* Returns a bound that formulas can go on with. */
double cli_beyond(double bound);
const char *cli_verdict_name(enum cli_verdict verdict); /* "met", "not met", "unknown" */

#endif
