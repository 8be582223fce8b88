/* SPDX-License-Identifier: MIT */
/*
 * A report as a tree in memory, along the fields of its verb: what a verb keeps of what it writes
 * (rep_keep()), and what `merge` reads from JSON.  Printers for people take such a tree, so that
 * they print both alike.
 */
#ifndef PC_CLI_REPORT_TREE_H
#define PC_CLI_REPORT_TREE_H

#include "pcounter/measure.h"
#include "report/report.h"

enum tree_what {
    TREE_ABSENT,
    TREE_NULL,
    TREE_TEXT,
    TREE_BOOL,
    TREE_INT,
    TREE_REAL,
    TREE_OBJECT,
    TREE_LIST,
    TREE_MAP
};

struct rep_tree {
    const struct rep_field *field; /* what it is; of an item that of its list or map */
    char *key;                     /* in a map */
    union {
        char *text;
        struct rep_tree *child; /* of an object one of each field; items; there are `children` */
    };
    size_t children, capacity;
    enum tree_what what;
    union {
        tree_int n; /* also of BOOL */
        double real;
    };
};

void tree_free(struct rep_tree *node);
/* Finds the member of that name; NULL: the object has no such field. */
struct rep_tree *tree_member(const struct rep_tree *object, const char *name);
/* Finds the member where it has a value of that kind. */
struct rep_tree *tree_value(const struct rep_tree *object, const char *name, enum tree_what what);
/* Finds it by the names on the way to it: "latency.p99". */
struct rep_tree *tree_at(const struct rep_tree *object, const char *path);
/* Returns its text, or "". */
const char *tree_text(const struct rep_tree *object, const char *name);
/* Returns its count, or 0. */
tree_int tree_count(const struct rep_tree *object, const char *name);
/* Returns its number, whole or not, or 0. */
double tree_real(const struct rep_tree *object, const char *name);
/* Is it there, and true? */
bool tree_is(const struct rep_tree *object, const char *name);
/* Returns its i-th item; NULL: there is no such list, or no more of it. */
struct rep_tree *tree_item(const struct rep_tree *object, const char *name, size_t i);
/* Adds one more item of zeroes; NULL: no memory, and it has been said. */
struct rep_tree *tree_more(struct rep_tree *list);
/* Removes an item. */
void tree_drop(struct rep_tree *list, size_t i);
/* Reads digits as an integer; false: they are none, or do not fit. */
bool tree_digits(const char *text, tree_int *out);
struct pc_wide tree_wide(tree_int n);
/* Reads the figures of a distribution, as far as the report has them; of NULL there are none. */
void tree_dist_figures(const struct rep_tree *object, struct pc_dist_figures *out);
/* Returns the seconds of a time unit of the report, "1ns" or a sample; 0: not known. */
double tree_time_unit(const struct rep_tree *root);

/* Returns the time unit of the report, as its waveform had it. */
struct pc_wave_info tree_time_info(const struct rep_tree *root);

/* --- report_figures.c --- */

/* A number of an object by the names on the way to it; the first one is the part, "": none. */
enum { TREE_PATH = 200 };
struct tree_figure {
    const char *part, *name; /* "read", "latency.p99" */
    struct rep_tree *value;
};
typedef int tree_figure_fn(void *ctx, const struct tree_figure *figure);
/* Tells all of them in the order of the tree, but for those that are REP_NO_CSV; an exit code that
 * is not CLI_OK ends it. */
int tree_each_figure(struct rep_tree *object, tree_figure_fn *fn, void *ctx);
/* Returns the value as a cell, numbers as `exact` or with 15 digits. */
struct rep_cell tree_cell(struct rep_tree *node, bool exact);

/* --- what a verb keeps --- */

/* Begins to keep what is written, but for the items of a list of the report; after rep_open().  An
 * exit code. */
#define REP_ALL UINT32_MAX
int rep_keep(struct rep *r, unsigned but);
/* Returns what is kept so far; NULL: nothing is, or there was no memory. */
const struct rep_tree *rep_kept(struct rep *r);

/* report.c tells what is written, and ends it. */
void tree_forget(struct rep *r);
void tree_begin(struct rep *r);
void tree_end(struct rep *r);
void tree_put_item(struct rep *r, const struct rep_field *field, const char *name,
                   const struct rep_cell *cell);

#endif
