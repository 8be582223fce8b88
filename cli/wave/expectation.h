/* SPDX-License-Identifier: MIT */
/*
 * --expect 'misses < 0.05 * hits': what counts have to come to.  A side is the name of a metric
 * that the verb has, or a formula as those of metrics, with or without a unit.
 */
#ifndef PC_CLI_EXPECTATION_H
#define PC_CLI_EXPECTATION_H

#include "wave/metric_set.h"

enum { CLI_EXPECTATIONS = 32 };

/* What became of one; what is not exact or was not measured tells nothing. */
enum cli_verdict { CLI_MET, CLI_NOT_MET, CLI_NOT_KNOWN };

struct cli_expectation {
    const char *text;
    const char *left; /* the name of a metric, or a formula */
    char compare[3];  /* "<", "<=", "==", "!=", ">=", ">" */
    const char *unit; /* of both sides; NULL: neither has one */
    bool number;      /* the right side is a number, which needs no telling */
};

struct cli_expectations {
    const char *text[CLI_EXPECTATIONS]; /* of the command line */
    size_t texts;
    struct cli_expectation item[CLI_EXPECTATIONS];
    struct cli_metrics sides; /* item i has metrics 2 i and 2 i + 1 */
};

/* One more of them; exit codes. */
int cli_expect_text(const char *verb, struct cli_expectations *e, const char *text);
/* Parses all, and finds their events.  `metrics` stay as they are as long as this is used; *e is
 * closed by the caller whatever happened. */
int cli_expectations_open(struct cli_expectations *e, const struct cli_metrics *metrics,
                          const struct cli_metric_host *host);
void cli_expectations_close(struct cli_expectations *e);

/* Of the values of both sides. */
enum cli_verdict cli_verdict_of(const struct cli_expectation *e,
                                const struct pc_metric_value side[2]);
const char *cli_verdict_name(enum cli_verdict verdict); /* "met", "not met", "unknown" */

#endif
