/* SPDX-License-Identifier: MIT */
/*
 * Timelines: rows, one after the other in time, of values in columns, and what writes them for a
 * viewer (docs/adr/041).  Rows go in as they are known; who makes them is not known here.
 *
 *   timeline.c           the interface
 *   timeline_time.c      times as decimal text
 *   timeline_facts.c     what was counted, and how
 *   timeline_vcd.c       a waveform
 *   timeline_perfetto.c  trace events, for Perfetto and chrome://tracing
 *   page.c               the begin and the end of any page
 *   timeline_html.c      a page, of
 *   timeline_xml.c       ... text that may be any,
 *   timeline_bins.c      ... rows, put together where they are more than pixels,
 *   timeline_plot.c      ... drawn,
 *   timeline_spread.c    ... and how they are spread,
 *   timeline_scale.c     ... on axes with ticks
 */
#ifndef PC_CLI_TIMELINE_H
#define PC_CLI_TIMELINE_H

#include "cli.h"
#include "pcounter/unstable/metric.h"
#include "text/spread.h"

enum timeline_format { TIMELINE_NONE, TIMELINE_VCD, TIMELINE_PERFETTO, TIMELINE_HTML };

enum timeline_kind {
    TIMELINE_COUNT,  /* of the row: rows add up */
    TIMELINE_METRIC, /* a number */
    TIMELINE_LEVEL   /* a state that lasts for the row, from 0 */
};

struct timeline_column {
    const char *name, *unit; /* "count", "%" */
    const char *about;       /* what it counts; NULL: the name says it */
    enum timeline_kind kind;
    bool marked; /* in a VCD: a bit beside it, 1 where it is not exact */
    bool even;   /* a page draws it only if its rows differ, but for those that were cut short */
    double top;  /* an axis of its values ends here at least; 0: where they do */
};

struct timeline_value {
    uint64_t count; /* COUNT, LEVEL */
    double number;  /* METRIC */
    enum pc_value_state state;
};

/* Units of the axis, and parts of one. */
struct timeline_time {
    uint64_t whole, part;
};

struct timeline_axis {
    bool cycles;  /* units are cycles of the clock: times are not known */
    int exponent; /* a unit is 10^this seconds, */
    int decimals; /* a part 10^-this of one */
};

struct timeline_row {
    struct timeline_time begin;         /* not before that of the row before */
    double length;                      /* units; 0: not known */
    uint64_t more;                      /* that it stands for, beside itself */
    bool partial;                       /* it was cut short */
    const struct timeline_value *value; /* one of each column */
};

struct timeline_desc {
    FILE *out;
    enum timeline_format format;
    const char *title; /* "pcounter stat" */
    const char *row;   /* what a row is: "interval" */
    struct timeline_axis axis;
    const struct timeline_column *column; /* these stay the caller's, and where they are */
    size_t columns;
};

/* Facts about what was counted, and how: at least one; the first names the input. */
enum { TIMELINE_FACTS = 16 };
struct timeline_facts {
    struct timeline_fact {
        const char *name, *value;
    } fact[TIMELINE_FACTS];
    size_t count;
    char text[TIMELINE_FACTS][32]; /* of numbers, and such */
    const char *cut;               /* why there are no more rows; NULL: that was all */
};
void timeline_say(struct timeline_facts *facts, const char *name, const char *value);
void timeline_say_number(struct timeline_facts *facts, const char *name, uint64_t value);
/* Adds the fact if all input was read; `cut` says why not ("interrupted"), NULL if it was. */
void timeline_say_complete(struct timeline_facts *facts, const char *cut);

/* Facts that are known at the end. */
struct timeline_summary {
    const struct timeline_facts *facts;
    const struct timeline_value *total; /* one of each column; UNMEASURED: it has none */
    /* of each column, how the rows that are whole are spread; NULL: it is not told */
    const struct cli_spread *spread;
    void (*draw)(FILE *out, const void *ctx); /* NULL, or more at the end of a page */
    const void *draw_ctx;
};

/* "vcd", as --format has it. */
const char *timeline_name(enum timeline_format format);
/* Can the format have such times? */
bool timeline_fits(enum timeline_format format, const struct timeline_axis *axis);
/*
 * The axis of samples, of that many seconds each: their rate need not be a power of ten, so times
 * are rounded.  64 bits are enough for 2^64 picoseconds, 213 days, of more than a thousand samples
 * a second, and for 584 years of fewer.  And does it tell them apart?
 */
struct timeline_axis timeline_axis_of_samples(double seconds);
bool timeline_fits_samples(double seconds);

struct timeline;
/* NULL: no memory.  Nothing is written before the first row, or the end. */
struct timeline *timeline_open(const struct timeline_desc *desc);
void timeline_add(struct timeline *t, const struct timeline_row *row);
void timeline_end(struct timeline *t, const struct timeline_summary *summary);
void timeline_close(struct timeline *t);

/* --- timeline_time.c --- */

enum { TIMELINE_TEXT = 80 };

/* digits * 10^-decimals as "12.5"; decimals may be negative. */
void timeline_point(const char *digits, int decimals, char out[TIMELINE_TEXT]);
/* In units of 10^exponent seconds: "12.5", all digits and no 0 that tells nothing. */
void timeline_text(const struct timeline_axis *axis, struct timeline_time time, int exponent,
                   char out[TIMELINE_TEXT]);
/* A number of units, rounded; at most UINT64_MAX. */
uint64_t timeline_units(double units);
/* The end of a row, which is not beyond UINT64_MAX; from `a` to `b`, which is not before it. */
struct timeline_time timeline_end_of(const struct timeline_axis *axis,
                                     const struct timeline_row *row);
struct timeline_time timeline_between(const struct timeline_axis *axis, struct timeline_time a,
                                      struct timeline_time b);

#endif
