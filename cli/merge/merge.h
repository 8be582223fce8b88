/* SPDX-License-Identifier: MIT */
/*
 * pcounter merge: reports of stat, record, bus or activity, added up.
 *
 *   cmd_merge.c      the options, and file after file
 *   merge_read.c     a report as a tree, along the fields of its verb's report
 *   merge_add.c      one tree onto another, each member by the rule of its field (enum rep_adds)
 *   merge_find.c     items of lists by their keys
 *   merge_bus.c      a bus without a transfer in one of them
 *   merge_parts.c    which cycles of which waveforms are in it: none twice
 *   merge_dist.c     distributions: how often each value was, and what follows from it
 *   merge_states.c   state machines
 *   merge_finish.c   what follows from sums: means, shares, rates
 *   merge_formula.c  metrics and expectations, computed again
 *   merge_put.c      the sum as a report of the verb
 *   merge_rows.c     ... as rows of CSV
 *   merge_text.c     ... for people,
 *   merge_activity.c ... of activity by its own printers
 */
#ifndef PC_CLI_MERGE_H
#define PC_CLI_MERGE_H

#include "activity/activity.h"
#include "diff/diff.h"
#include "report/report_tree.h"
#include "wave/expectation.h"

enum merge_kind { MERGE_STAT, MERGE_BUS, MERGE_ACTIVITY, MERGE_RECORD, MERGE_KINDS };

/* A report, or the sum of some. */
struct merge_report {
    enum merge_kind kind;
    struct rep_field field; /* of the root */
    struct rep_tree root;
    size_t reports;   /* that are in it */
    char *from;       /* the first file */
    bool lost;        /* some percentiles cannot be told any more */
    bool left_out;    /* those of --percentile are not told */
    const char *path; /* of the file that is added, for messages */
};

/* --- merge_read.c: exit codes --- */

extern const struct rep_def *const merge_defs[MERGE_KINDS];
int merge_read(const struct diff_file *file, const struct json_t *json, struct merge_report *out);
/* --- merge_add.c: exit codes; what is taken over is not in `from` any more --- */

/* May it be added at all? */
int merge_check(const struct merge_report *report, bool inexact);
int merge_add(struct merge_report *into, struct merge_report *from);

/* Are both nodes equal?  In merge_add.c. */
bool merge_is_same(const struct rep_tree *a, const struct rep_tree *b);

/* --- merge_find.c --- */

/* An index of the items of a list or map. */
struct merge_index {
    const struct rep_tree *list;
    size_t *slot; /* by hash: the place of an item and 1; NULL: the list is short */
    size_t slots;
};
/* Indexes a list, to which up to `more` items are appended; false if there is no memory. */
bool merge_index(struct merge_index *x, const struct rep_tree *list, size_t more);
/* Adds the item that was appended last. */
void merge_index_last(struct merge_index *x);
/* Finds the item with the keys of `like`: the first one from `near` on; NULL: it has none. */
struct rep_tree *merge_find(const struct merge_index *x, const struct rep_tree *like, size_t near);
void merge_index_free(struct merge_index *x);

/* --- merge_parts.c: exit codes --- */

struct merge_part {
    char *waveform, *of; /* of: its clock, or "" */
    tree_int first, cycles;
    bool timed; /* seconds are known */
    double seconds;
    const char *path; /* of the report that has it */
    size_t report;    /* its number */
};
struct merge_parts {
    struct merge_part *part;
    size_t count, capacity, reports;
    bool uneven; /* parts of one clock have cycles of other lengths */
};
/* Before the report is added. */
int merge_take_parts(struct merge_parts *parts, const struct merge_report *r);
/* Once all are there: an error if a cycle is in two reports, but for `again`; lists them in the
 * sum. */
int merge_check_parts(struct merge_parts *parts, struct merge_report *sum, bool again);
void merge_parts_free(struct merge_parts *parts);

/* --- merge_bus.c --- */

/* Before a bus is added: fits the two parts to each other; does nothing to another object.  An exit
 * code. */
int merge_fit_bus(struct rep_tree *into, struct rep_tree *from);

/* --- merge_dist.c --- */

bool merge_is_dist(const struct rep_tree *object);
/* Around adding the members of a distribution. */
struct merge_dist {
    bool is, loses, into_empty, from_empty, others; /* other percentiles of --percentile */
};
struct merge_dist merge_dist_before(struct merge_report *into, const struct rep_tree *a,
                                    const struct rep_tree *b);
void merge_dist_after(const struct merge_dist *d, struct rep_tree *a, struct rep_tree *b);
/* Makes `both` the children of `into`; those of `from` are in it, or freed. */
void merge_take_over(struct rep_tree *into, struct rep_tree *from, struct rep_tree both);
/* A map of counts onto another; an exit code.  *large: a sum has more than 64 bits. */
int merge_add_hist(struct rep_tree *into, struct rep_tree *from, bool *large);
void merge_finish_dist(struct rep_tree *object);
void merge_set_real(struct rep_tree *node, bool known, double value);

/* --- merge_states.c --- */

/* Computes the shares and means of a state machine; nothing of another object. */
void merge_finish_states(struct rep_tree *machine);

/* --- merge_finish.c --- */

void merge_finish(struct merge_report *r);
/* Where the cycles of an item of the report stand: its clock of several, the first if it has none,
 * or the root. */
const struct rep_tree *merge_clock(const struct merge_report *r, const struct rep_tree *item);
/* The clocks, if there are several; NULL: one. */
const struct rep_tree *merge_clocks(const struct merge_report *r);

/* --- merge_formula.c --- */

/* Metrics and expectations again; an exit code. */
int merge_formulas(struct merge_report *r);
/* Rows of CSV call an expectation by its left side; an exit code. */
int merge_name_expectations(struct merge_report *r);
/* Is there an expectation that is not met? */
bool merge_is_unmet(const struct merge_report *r);

/* --- merge_put.c, merge_rows.c, merge_text.c --- */

/* Each figure by its name: "rd.p99", "ddr.read.latency.p99".  part: what of the bus. */
struct merge_figure {
    const struct rep_tree *item, *value;
    const char *name; /* all of it */
    const char *part, *unit;
};
typedef int merge_figure_fn(void *ctx, const struct merge_figure *figure);
int merge_each_figure(const struct merge_report *r, merge_figure_fn *tell, void *ctx);
struct rep_cell merge_cell(const struct merge_report *r, struct rep_tree *node);
void merge_put(struct rep *rep, struct merge_report *r);
/* Rows of CSV, which are items of this member of the root. */
void merge_put_rows(struct rep *rep, const struct merge_report *r, unsigned list);
/* For people; NULL: not wanted.  Exit codes. */
int merge_print(FILE *text, FILE *html, const struct merge_report *r);
/* merge_activity.c */
int merge_print_activity(FILE *text, FILE *html, const struct merge_report *r);
/* Puts the nets in the order of the verb, which sums change. */
int merge_sort_nets(struct merge_report *r);

#endif
