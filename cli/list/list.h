/* SPDX-License-Identifier: MIT */
/* Shared by the lists of `pcounter list`: the request, and one table in any format. */
#ifndef PC_CLI_LIST_H
#define PC_CLI_LIST_H

#include "report/report.h"
#include "wave/metric_set.h"
#include "text/regs_text.h"
#include "text/signal_names.h"

struct list_request {
    const struct pc_chip *chip;
    const struct pc_hpm_config *core;
    const char *domain_name; /* NULL: all */
    struct pc_names *names;  /* of the chip, with the user's tables; NULL without a chip */
    const char *pattern;     /* NULL: all */
    struct cli_metric_options metrics; /* the user's files */
    struct rep *rep;
    const struct rep_field *rows; /* its columns */
    FILE *page;                   /* of the list for people; NULL: not wanted */
    bool text;                    /* it is that one now, and not the one for programs */
};

/* Returns true if the pattern, if there is one, meets either name. */
bool list_wanted(const struct list_request *r, const char *name, const char *other);

/*
 * One table.  Text has its own columns: a printf width each, 0 for the last; those for programs are
 * the report's (list_reports.c), and a cell is a number where its column is one.
 */
struct list_table {
    const struct list_request *r;
    const char *const *title;
    const int *width;
    size_t columns;
    size_t rows;
    struct cli_table *table; /* of text, from the first row on */
};
void list_table_begin(struct list_table *t);
void list_table_row(struct list_table *t, const char *const *cell);
/* Frees it after an error; returns the code. */
int list_table_fail(struct list_table *t, int code);
/* No row at all is a negative answer.  An exit code. */
int list_table_end(struct list_table *t, const char *what);

/*
 * Where nothing matches, `code` has been told: programs get a table without rows, whatever the
 * list, and people the message alone.  The exit code.
 */
int list_table_none(struct list_table *t, int code);

/* Nothing matches: an error with similar names (may be ""), before anything is printed. */
int list_no_match(const char *what, const char *pattern, const char *near);

/* Nothing matches a list of what others count. */
int list_none(const struct list_request *r, const char *what);
/* Returns true if the request's chip is in the list "G84 G86", if one was asked for. */
bool list_on_chip(const struct list_request *r, const char *chips);
/* "1", "gpc0": a domain within its set. */
void list_domain_text(enum pc_set set, unsigned domain, char out[16]);

/* Names: signals and domains of a chip; what selects signals and what is known to be counted. */
int list_signals(const struct list_request *r);
int list_domains(const struct list_request *r);
int list_sources(const struct list_request *r);
int list_filters(const struct list_request *r);
int list_metrics(const struct list_request *r);
int list_profiler(const struct list_request *r);

/* CVA6: its configurations, their events, and where RTL and manuals differ. */
int list_cores(const struct list_request *r);
int list_events(const struct list_request *r);
int list_quirks(const struct list_request *r);

/* --- list_reports.c --- */

extern const struct rep_def list_chips_def, list_registers_def, list_options_def, list_domains_def;
extern const struct rep_def list_signals_def, list_sources_def, list_filters_def, list_metrics_def;
extern const struct rep_def list_profiler_def, list_cores_def, list_events_def, list_quirks_def;

#endif
