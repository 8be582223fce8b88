/* SPDX-License-Identifier: MIT */
/*
 * The reports of `pcounter stat`: a page for people, a tree for programs (report/report.h), with -I
 * a timeline for viewers, each as often as it is wanted.
 */
#ifndef PC_CLI_STAT_REPORT_H
#define PC_CLI_STAT_REPORT_H

#include "report/report_tree.h"
#include "stat_interval.h"

/* --- stat_tree.c --- */

/* Members of the report, of an interval, of the plan that are lists, or known late. */
enum {
    STAT_INTERVAL_ROWS = 12,
    STAT_INTERVALS,
    STAT_PARTIAL,
    STAT_CYCLES_MEMBER,
    STAT_FIRST_CYCLE,
    STAT_SECONDS,
    STAT_MULTIPLEX_CYCLES,
    STAT_ROWS,
    STAT_CLOCK_LIST,
    STAT_EVENTS,
    STAT_METRICS,
    STAT_VALUES,
    STAT_LATENCIES,
    STAT_MACHINES,
    STAT_LEVELS,
    STAT_EXPECTATIONS,
    STAT_PLAN,
    STAT_PARTS,
    STAT_WARNINGS
};
enum {
    STAT_INTERVAL_EVENTS = 7,
    STAT_INTERVAL_METRICS,
    STAT_INTERVAL_VALUES,
    STAT_INTERVAL_LATENCIES,
    STAT_INTERVAL_MACHINES,
    STAT_INTERVAL_LEVELS
};
enum { STAT_PLAN_DOMAINS = 2 };
enum { STAT_FAILED_WARNINGS = 3, STAT_FAILED_ROWS };

extern const struct rep_def stat_report_def, stat_failed_def;
/* Columns of CSV, of one clock or of several. */
const char *stat_columns(bool chip, bool intervals, bool histogram, bool clocks, bool core);
/* With the columns of such a call; it has a series if there are intervals. */
struct rep_def stat_def_for(const struct rep_def *def, const struct stat_job *j);

/* --- stat_report.c --- */

struct stat_tracks;
struct stat_table;
struct stat_report {
    const struct stat_job *j;
    const struct stat_plan *plan;
    const struct stat_timeline *t; /* with -I */
    struct rep_def def;
    struct rep *rep;
    FILE *page;               /* NULL: not wanted */
    struct stat_table *table; /* ... its intervals */
    struct stat_tracks *tracks[REP_OUTPUTS];
    bool begun;                   /* a row is out */
    int code;                     /* of what went wrong while it was printed */
    uint64_t first_cycle, cycles; /* of the rows */
};

/* Its outputs are opened; exit codes, of all of these. */
int stat_report_open(struct stat_report *r, const struct stat_job *j, const struct stat_plan *plan);
/* With -I: where intervals end is known.  Nothing is printed before the first one. */
int stat_report_intervals(struct stat_report *r, const struct stat_timeline *t);
/* Reports an interval, whose counts the events have now. */
void stat_report_interval(struct stat_report *r, const struct stat_interval *interval);
/* Reports the totals. */
void stat_report_end(struct stat_report *r, const struct stat_result *result);
/* An error ends the run: what has begun is closed, and partial; the events have the sums. */
void stat_report_cut(struct stat_report *r);
int stat_report_close(struct stat_report *r, int code);

/* --- stat_text.c --- */

/* A report to be printed: of a run, or one that was read. */
struct stat_view {
    const struct rep_tree *root;
    size_t reports;             /* that are added up in it; 0: it is of a run */
    const char *counts;         /* the list of counts; NULL: "events" */
    const struct stat_job *job; /* of a run: its histograms and its plan; NULL: neither */
    const struct stat_plan *plan;
};
void stat_text_title(FILE *out, const struct stat_view *view);
/* Prints what comes after the title; an exit code. */
int stat_text_rest(FILE *out, const struct stat_view *view);
/* "4.82 %", "17 count", "14.2 ns", "not measured" */
void stat_metric_number(const struct pc_metric_value *value, const struct pc_metric *metric,
                        char out[CLI_QUANTITY]);

/* --- stat_table.c --- */

/* Intervals as rows of text; NULL: no memory. */
struct stat_table *stat_table_open(FILE *out, const struct stat_job *j,
                                   const struct stat_plan *plan, const struct stat_timeline *t);
void stat_table_begin(struct stat_table *table, const struct rep_tree *root);
void stat_table_add(struct stat_table *table, const struct stat_result *result);
/* Ends the rows, and begins the line of the totals. */
void stat_table_end(struct stat_table *table);
int stat_table_close(struct stat_table *table); /* an exit code */

/* --- stat_expect.c, stat_explain.c: of all cycles --- */

void stat_expect_put(struct rep *rep, const struct stat_job *j, const struct stat_plan *plan,
                     const struct stat_result *r);
void stat_explain_text(FILE *out, const struct stat_job *j, const struct stat_plan *plan);
void stat_explain_put(struct rep *rep, const struct stat_job *j, const struct stat_plan *plan);

#endif
