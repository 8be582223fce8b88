/* SPDX-License-Identifier: MIT */
/*
 * pcounter activity: what each net of a waveform does over time.
 *
 *   cmd_activity.c      options, and the order of things
 *   activity_nets.c     which nets, and their rows in order
 *   activity_run.c      the file once through, cut into intervals
 *   activity_report.c   rows for programs
 *   activity_text.c     for people; it and the page print a view, which `merge` makes out of JSON
 *   activity_page.c     a page
 *   activity_saif.c     SAIF, for tools that estimate power
 */
#ifndef PC_CLI_ACTIVITY_H
#define PC_CLI_ACTIVITY_H

#include "cli.h"
#include "pcounter/unstable/activity.h"
#include "opt/opt_wave.h"
#include "report/report.h"

struct cli_progress;

struct activity_options {
    const char *file;
    char *const *glob;
    size_t globs;
    bool bits, wide;
    unsigned threads;
    struct cli_span from, to, interval;
    struct rep_request report;
    struct cli_read_options read;
};

/* --- activity_nets.c --- */

/* A net: the variable whose name it has, the first one that is asked for of its value stream. */
struct activity_net {
    size_t var;
    uint32_t code;
    bool parts; /* only some of its bits are asked for */
};
struct activity_row {
    uint64_t toggles;
    uint32_t net, bit;
};
struct activity_nets {
    const struct activity_options *o;
    const struct pc_wave *wave;
    struct activity_net *net;
    size_t nets;
    uint32_t *width; /* by value stream: of those that are asked for, else 0 */
    size_t codes;
    struct activity_row *row; /* each net, or each bit */
    size_t rows;
    size_t no_bits; /* variables that would be asked for, but have no bits */
};

/* Those of the waveform that the call asks for; false: no memory. */
bool activity_find_nets(struct activity_nets *n);
/* The rows, those that toggle most first. */
void activity_sort(struct activity_nets *n, const struct pc_activity *activity);
/* "tb.vec[0]"; free() it; NULL: no memory. */
char *activity_bit_name(const struct pc_wave_var *v, uint32_t bit);
void activity_free_nets(struct activity_nets *n);

/* --- activity_run.c --- */

/* From `start` to `end`, in time units. */
struct activity_part {
    const struct pc_activity *activity;
    uint64_t start, end;
    size_t number; /* from 0 */
};
struct activity_run {
    const struct activity_options *o;
    struct pc_wave *wave;
    struct pc_wave_info info;
    struct activity_nets nets;
    struct rep *report;
    FILE *saif, *html;                      /* NULL: not wanted */
    struct pc_activity *activity, *of_bits; /* of the report, and of SAIF; NULL: not wanted */
    uint64_t from, to, interval;            /* time units; 0: not given */
    struct pc_wave_totals totals;
    struct activity_part part; /* the present one */
    bool begun;                /* there was a time stamp */
    uint64_t first;            /* the first time that counts */
    bool changed;              /* the present part has a change */
    size_t incomplete;         /* rows with distributions of too many values */
    int code;                  /* of what went wrong on the way */
    struct cli_progress *progress;
    char scale[32]; /* "1ps"; "": there is no such unit */
};

/* Reads the file and prints; an exit code. */
int activity_read(struct activity_run *run);
/* --from, --to and -I in time units; an exit code. */
int activity_units(struct activity_run *run);

/* --- activity_report.c, activity_text.c, activity_saif.c --- */

extern const struct rep_def activity_report;
/* The rows of a part; of the first one also what stands before them.  An exit code. */
int activity_put(struct activity_run *run);
void activity_put_end(struct activity_run *run);

/* "1ps", or "". */
void activity_scale(const struct pc_wave_info *info, char out[32]);
/* A time unit; 0: nobody knows. */
double activity_seconds(const struct pc_wave_info *info);
/* Returns the frequency of its periods, in Hz; 0: not known. */
double activity_frequency(const struct pc_wave_info *info, const struct pc_dist_figures *period);

/* A row: what it is called, and its figures. */
struct activity_told {
    const char *name, *range;
    char *own; /* the name of a bit; activity_untell() */
    uint32_t width;
    bool one; /* it is one bit, and has distributions */
    struct pc_activity_figures f;
    struct pc_dist_figures period, high, low;
    double frequency; /* of its periods, in Hz; 0: not known */
};
/* An exit code. */
int activity_tell(struct activity_run *run, size_t row, struct activity_told *out);
void activity_untell(struct activity_told *told);

/* What text and pages print of a part: of a run, or of a report that was read. */
struct activity_view {
    const char *input; /* the name of the waveform */
    size_t rows;
    bool bits, wide;
    bool means;     /* of periods and widths means are printed: medians are not known */
    bool sampled;   /* a time unit is a sample */
    char scale[32]; /* "1ps"; "": there is no such unit */
    double unit;    /* seconds of a time unit; 0: nobody knows */
    size_t reports; /* that are added up in it; 0: it is of a run */
    uint64_t start, end;
    size_t number; /* of the part, from 0 */
    /* Finds a row; an exit code.  The caller ends each one by activity_untell(). */
    int (*tell)(void *ctx, size_t row, struct activity_told *out);
    void *ctx;
};
/* The part as a table, and as a section of the page; the end of the page.  Exit codes. */
int activity_print(FILE *page, const struct activity_view *view);
int activity_page(FILE *html, const struct activity_view *view);
void activity_page_end(FILE *html);
/* Has SAIF a unit for its times?  An exit code. */
int activity_check_saif(const struct activity_run *run);
int activity_write_saif(const struct activity_run *run, FILE *out);

#endif
