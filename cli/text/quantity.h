/* SPDX-License-Identifier: MIT */
/*
 * Values of metrics as reports have them.  Machines get the base unit and its name, of shares per
 * cent; text a prefix that makes the number short.
 */
#ifndef PC_CLI_QUANTITY_H
#define PC_CLI_QUANTITY_H

#include "pcounter/unstable/metric.h"

/* Returns the unit for programs: "%", "s", "B/s"; and a value of pc_metrics_eval() in it. */
const char *cli_report_unit(const struct pc_metric *m);
double cli_report_value(const struct pc_metric *m, double value);

enum { CLI_QUANTITY = 64 };

/* Writes a value of pc_metrics_eval() as text: "259.5 MB/s", "14.2 ns", "72.68 %", "1,706,666.7
 * count/s".
 */
void cli_metric_quantity(const struct pc_metric *m, double value, char out[CLI_QUANTITY]);
/* Writes the same of a value in the unit for programs; `given`: the unit of the formula. */
void cli_report_quantity(const char *unit, const char *given, double value, char out[CLI_QUANTITY]);
/* Returns true if it is one that has prefixes. */
bool cli_has_prefix(const char *unit);
/* Writes the text of reports, with `digits` digits at most, and always a sign if `plus`. */
void cli_quantity_digits(double value, const char *unit, int digits, bool plus,
                         char out[CLI_QUANTITY]);

#endif
