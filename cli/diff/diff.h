/* SPDX-License-Identifier: MIT */
/*
 * pcounter diff: two reports of counts, count by count (docs/adr/041).
 *
 *   cmd_diff.c      the options
 *   diff_jansson.c  libjansson, loaded when it is wanted
 *   diff_json.c     a file's JSON, also for merge
 *   diff_read.c     its reports: their counts and metrics
 *   diff_object.c   objects of a report as trees, also for merge
 *   diff_figures.c  figures of such trees
 *   diff_measure.c  -f: waveforms, which are counted first
 *   diff_compare.c  which belong together, and what became of each
 *   diff_report.c   what is told
 */
#ifndef PC_CLI_DIFF_H
#define PC_CLI_DIFF_H

#include "cli.h"
#include "report/report_tree.h"

/* A count or a metric of a report; its texts are the file's. */
struct diff_item {
    const char *name, *unit, *state; /* unit: "" of a count; state: "exact" */
    char *own;                       /* a name that was put together; NULL: it is the file's */
    bool metric;
    bool measured;   /* it has a value */
    bool figure;     /* it is one of a measurement, of which there are many */
    bool length;     /* it is that by which counts are divided with --per-cycle */
    uint64_t count;  /* of a count */
    uint64_t cycles; /* in which it was counted */
    double number;   /* of a metric */
};

/* Words for states, as reports have them; NULL at the end. */
extern const char *const diff_states[];

enum diff_kind { DIFF_STAT, DIFF_BUS, DIFF_ACTIVITY, DIFF_RECORD };

enum { DIFF_MEASURED = 4 };
extern const char *const diff_measured[DIFF_MEASURED]; /* names of the members */

struct diff_report {
    const char *trace;
    enum diff_kind kind;
    bool partial; /* it was interrupted: no count is that of the whole */
    const char
        *measured[DIFF_MEASURED]; /* of activity: what its options say of its figures; or NULL */
    struct diff_item *item;
    size_t items, capacity;
    const char **warning; /* texts of the file */
    size_t warnings;
};

struct diff_file {
    const char *path;
    const char *hint; /* what such a file is made by */
    size_t memory;    /* that it may take; 0: in proportion to its size */
    bool lenient;     /* members may be absent, as in reports of older versions */
    bool once;        /* items are given back as soon as they are read */
    struct diff_jansson *jansson;
    void *json; /* what the texts are part of */
    struct diff_report *report;
    size_t reports;
};

/* --tolerance: in percent, of all, and of those that match a pattern. */
enum { DIFF_TOLERANCES = 100 };
struct diff_tolerance {
    double all;
    struct {
        const char *pattern; /* up to the last = of it */
        double percent;
    } of[DIFF_TOLERANCES];
    size_t count;
};

struct diff_options {
    const char *before, *after;
    const char *measurements; /* -f; NULL: before and after are reports */
    struct rep_request report;
    struct diff_tolerance tolerance;
    bool per_cycle;
    const char *only; /* a pattern; NULL: all */
    size_t memory;    /* --memory; 0: not given */
};

/* Exit codes; errors are told.  diff_file_close() in either case. */
int diff_file_open(struct diff_file *file, const struct diff_options *o, const char *path);
void diff_file_close(struct diff_file *file);
/* The report that stat makes of a waveform, free(*text); an exit code. */
int diff_measure(const char *measurements, const char *path, char **text, size_t *size);

/* --- parts of a report --- */

struct json_t;
/* Digits of an integer that libjansson may refuse, as it has those below 2^63: such are texts. */
enum { DIFF_LONG = 19 };
/* path, hint and memory are known, and the text; diff_json_close() in either case.  An exit code.
 */
int diff_json_open(struct diff_file *f, const char *text, size_t size);
void diff_json_close(struct diff_file *f);
int diff_fail(const struct diff_file *f, unsigned code, const char *fmt, ...) PC_PRINTF(3, 4);
/* A number, which may be a long integer; false: it is none. */
bool diff_number(const struct diff_file *f, const struct json_t *value, double *out);
/* One more; an exit code. */
int diff_add(const struct diff_file *f, struct diff_report *r, const struct diff_item *item);
/* Reads an object along its fields; tree_free() in either case.  An exit code. */
int diff_read_object(const struct diff_file *f, const struct rep_field *members,
                     const struct json_t *object, struct rep_tree *out);
/* Exit codes: figures of measurements of stat; of buses, of activity, of rows of record. */
int diff_read_figures(const struct diff_file *f, const struct json_t *report,
                      struct diff_report *r);
int diff_read_buses(const struct diff_file *f, const struct json_t *report, struct diff_report *r);
int diff_read_activity(const struct diff_file *f, const struct json_t *report,
                       struct diff_report *r);
int diff_read_spreads(const struct diff_file *f, const struct json_t *report,
                      struct diff_report *r);
/* The file's text; NULL: there is no such member, or it is none. */
const char *diff_text(const struct diff_file *f, const struct json_t *object, const char *name);
/* An integer of at most 64 bits; false: it is none. */
bool diff_count(const struct diff_file *f, const struct json_t *value, uint64_t *out);

enum diff_verdict {
    DIFF_SAME,
    DIFF_WITHIN, /* another value, within the tolerance */
    DIFF_ASIDE,  /* another number of cycles, where counts a cycle are compared */
    DIFF_OTHER,
    DIFF_UNIT,    /* metrics in other units: of their values nothing is said */
    DIFF_UNKNOWN, /* one side is not exact, and they are not the same */
    DIFF_BEFORE,  /* in one report only */
    DIFF_AFTER
};
extern const char *const diff_verdicts[]; /* their words; NULL at the end */

struct diff_row {
    const struct diff_item *before, *after; /* one may be NULL */
    enum diff_verdict verdict;
    bool has_percent; /* both are known; of what was 0 there is none */
    double percent;   /* of before, or of its rate */
};

struct diff_pair {
    const struct diff_report *before, *after;
    struct diff_row *row; /* those of --only, in the order of `before`, then new ones */
    size_t rows;
    bool differs;
};

/* NULL: no memory, and it has been said. */
struct diff_pair *diff_compare(const struct diff_options *o, const struct diff_file *before,
                               const struct diff_file *after);
void diff_free(struct diff_pair *pair, size_t count);

extern const struct rep_def diff_report;
/* An exit code. */
int diff_print(struct rep *r, const struct diff_options *o, const struct diff_pair *pair,
               size_t count);

#endif
