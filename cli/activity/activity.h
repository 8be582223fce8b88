/* SPDX-License-Identifier: MIT */
/*
 * pcounter activity: what each net of a waveform does over time.
 *
 *   cmd_activity.c      options, and the order of things
 *   activity_nets.c     which nets, and their rows in order
 *   activity_run.c      the file once through, cut into intervals
 *   activity_watch.c    --when and --clock: which time counts, and cycles
 *   activity_pulse.c    --pulse and --debounce
 *   activity_expect.c   --expect and --expect-clock
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
#include "wave/expectation.h"

struct activity_watch;
struct cli_progress;

struct activity_options {
    const char *file;
    const char *const *glob;
    size_t globs;
    bool bits, wide;
    unsigned threads;
    struct cli_span from, to, interval;
    const char *when, *clock; /* NULL: not given */
    const char *pulse;
    struct cli_span debounce;
    const char *timescale; /* of SAIF */
    bool opensta;          /* the same: for its reader */
    struct opt_texts expect_clock;
    struct cli_expectations expect;
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
/* An event variable. */
struct activity_event {
    size_t var;
    uint32_t code;
    uint64_t triggers; /* of all parts */
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
    struct activity_event *event;
    size_t events;
    uint8_t *is_event; /* by value stream */
    size_t no_bits;    /* variables that would be asked for, but have no bits */
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
    struct pc_activity_cycles cycles;
    uint64_t unknown; /* time in which --when is not known */
    size_t number;    /* from 0 */
};
/* A clock of --expect-clock. */
struct activity_period {
    const char *text;
    char *name;
    uint32_t code, bit;
    struct cli_ticks period; /* that it has to have, in time units */
    struct pc_dist_figures is;
    bool met;
};
struct activity_run {
    const struct activity_options *o;
    struct pc_wave *wave;
    struct pc_wave_info info;
    struct activity_nets nets;
    struct rep *report;
    FILE *saif, *html;                      /* NULL: not wanted */
    struct pc_activity *activity, *of_bits; /* of the report, and of SAIF; NULL: not wanted */
    struct activity_watch *watch;           /* NULL: neither --when nor --clock */
    struct pc_activity *of_clocks;          /* of --expect-clock; NULL: not given */
    struct activity_period *period;
    size_t periods;
    uint32_t *clock_width; /* by value stream: of those of --expect-clock, else 0 */
    struct pc_activity_pulse pulse;
    uint64_t debounce;
    uint64_t from, to, interval;      /* time units; 0: not given */
    struct pc_activity_cycles cycles; /* of all parts */
    uint64_t unknown;                 /* the same */
    uint64_t cut_at;                  /* the time before which a section ends; */
    bool cut;                         /* there is one */
    bool alone;                       /* the section is that time stamp, at which a part ends */
    bool unmet;                       /* an expectation failed */
    struct pc_wave_totals totals;
    struct activity_part part; /* the present one */
    bool begun;                /* there was a timestamp */
    uint64_t first;            /* the first time that counts */
    bool changed;              /* the present part has a change */
    size_t incomplete;         /* rows with distributions of too many values */
    int code;                  /* of what went wrong on the way */
    struct cli_progress *progress;
    char scale[32]; /* "1ps"; "": there is no such unit */
};

/* Reads the file and prints; an exit code. */
int activity_read(struct activity_run *run);
/* --from, --to, -I and --debounce in time units; an exit code. */
int activity_units(struct activity_run *run);

/* --- activity_pulse.c, activity_expect.c: exit codes --- */

/* Reads --pulse, for the waveform. */
int activity_read_pulse(struct activity_run *run);
/* Finds the clocks and the figures that are asked for. */
int activity_find_expected(struct activity_run *run);
/* Judges, tells what is not met, and reports all, as items of these lists. */
int activity_judge(struct activity_run *run, unsigned periods, unsigned figures);
/* Prints one, after the head before the first of them: "met", "not met", "unknown"; what was
 * expected, and what is.  Either output may be NULL. */
void activity_print_verdict(FILE *page, FILE *html, bool first, const char *verdict,
                            const char *text, const char *is);
void activity_free_expected(struct activity_run *run);

/* --- activity_report.c, activity_text.c, activity_saif.c --- */

extern const struct rep_def activity_report;
/* The rows of a part; of the first one also what stands before them.  An exit code. */
int activity_put(struct activity_run *run);
/* Writes the end of the report, after the last part; returns an exit code. */
int activity_put_end(struct activity_run *run);

/* A time unit; 0: not known. */
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
    struct pc_activity_pulses judged; /* room for those of a report */
    double frequency;                 /* of its periods, in Hz; 0: not known */
};
/* An exit code. */
int activity_tell(struct activity_run *run, size_t row, struct activity_told *out);
void activity_untell(struct activity_told *told);

/* The view of a part that text and pages print: of a run, or of a report that was read. */
struct activity_view {
    const char *input; /* the name of the waveform */
    size_t rows;
    bool bits, wide;
    bool means;     /* of periods and widths means are printed: medians are not known */
    bool sampled;   /* a time unit is a sample */
    char scale[32]; /* "1ps"; "": there is no such unit */
    double unit;    /* seconds of a time unit; 0: not known */
    size_t reports; /* that are added up in it; 0: it is of a run */
    uint64_t start, end;
    const char *when, *clock, *pulse, *debounce; /* NULL: not given */
    uint64_t time, unknown;                      /* that counts, and in which --when is not known */
    uint64_t cycles;
    size_t number; /* of the part, from 0 */
    bool parts;    /* it is one of several intervals */
    /* Finds a row; an exit code.  The caller ends each one by activity_untell(). */
    int (*tell)(void *ctx, size_t row, struct activity_told *out);
    /* Event variables; how often one was triggered, and its name. */
    size_t events;
    const char *(*event)(void *ctx, size_t i, uint64_t *triggers);
    void *ctx;
};
/* The part as a table, and as a section of the page; the end of the page.  Exit codes. */
int activity_print(FILE *page, const struct activity_view *view);
int activity_page(FILE *html, const struct activity_view *view);
void activity_page_end(FILE *html);
/* Writes "-1,234". */
enum { ACTIVITY_SIGNED = 32 };
const char *activity_signed(int64_t value, char out[ACTIVITY_SIGNED]);
/* Prints lines about which time counts, cycles and pulses. */
void activity_print_facts(FILE *page, FILE *html, const struct activity_view *view);
/* Event variables, after the last part; an exit code. */
int activity_print_events(FILE *page, FILE *html, const struct activity_view *view);

/* --- activity_scopes.c --- */

/* A scope with all that is in it, also in the scopes of it. */
struct activity_scope {
    char *name;
    size_t nets;
    uint64_t toggles, settled, outside;
};
struct activity_scopes {
    struct activity_scope *scope; /* those with most surplus first */
    size_t count;
};
/* An exit code; *out is freed by the caller whatever happened. */
int activity_sum_scopes(const struct activity_view *view, struct activity_scopes *out);
void activity_free_scopes(struct activity_scopes *s);
/* Returns where the part of a path that begins at `from` ends: an escaped name goes to its blank.
 */
size_t activity_part_end(const char *path, size_t from);
/* Toggles less settled ones, which are more where a bit was unknown between two edges. */
static inline int64_t activity_surplus(uint64_t toggles, uint64_t settled)
{
    return (int64_t)(toggles - settled);
}
/* Times of the waveform as those of SAIF. */
struct activity_unit {
    uint64_t times, per;
};
/* Has SAIF a unit for its times?  An exit code. */
int activity_check_saif(const struct activity_run *run);
int activity_write_saif(const struct activity_run *run, FILE *out);

#endif
