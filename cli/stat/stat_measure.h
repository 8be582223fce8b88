/* SPDX-License-Identifier: MIT */
/*
 * --value, --states, --latency and --level of pcounter stat: how often a vector had each value,
 * what a state machine did, how long it took from one event to another, and how full a queue was
 * (include/pcounter/measure.h).
 *
 *   stat_measure.c         what is measured: the options
 *   stat_measure_names.c   ... and their names in the waveform
 *   stat_measure_count.c   the blocks of the waveform
 *   stat_measure_part.c    what came out, of an interval and of all
 *   stat_measure_figure.c  the same as figures with names
 *   stat_measure_report.c  what is told to programs,
 *   stat_measure_hist.c    ... of histograms to anybody,
 *   stat_measure_text.c    ... and to people
 *   stat_machine.h         --states, in files of its own
 */
#ifndef PC_CLI_STAT_MEASURE_H
#define PC_CLI_STAT_MEASURE_H

#include "opt/opt.h"
#include "pcounter/measure.h"
#include "report/report.h"
#include "report/report_percentile.h"
#include "text/quantity.h"
#include "wave/event_list.h"

struct stat_job;
struct stat_machine;
struct stat_stretch;
struct stat_wanted;
struct stat_wires;

enum { STAT_VECTOR = PC_VALUES_WIDTH, STAT_COLUMN = 600, STAT_LEVEL_BITS = 2 * STAT_VECTOR };

enum stat_measure_kind { STAT_VALUE, STAT_LATENCY, STAT_STATES, STAT_LEVEL };
/* The pieces of one. */
enum { STAT_UNTIL, STAT_RESET, STAT_DROPS };
enum stat_piece_kind { STAT_OF_VALUE = 0, STAT_START = 0, STAT_END, STAT_START_ID, STAT_END_ID };
enum { STAT_PIECES = 8 }; /* at most: what comes and goes of a level */

/* An expression of one bit, or a vector. */
struct stat_piece {
    char *text;
    struct cli_place place;
    struct pc_expr *expr; /* NULL: it is a vector, of these wires */
    uint32_t wire[STAT_VECTOR];
    size_t wires;
    bool is_signed;
    bool out;         /* of a level: it goes out */
    uint64_t tainted; /* of an expression: cycles in which unknown values decide */
};

/* The first and the last value that is known, as 64 bits. */
struct stat_ends {
    bool any; /* one is */
    uint64_t first, last;
};

struct stat_dist {
    struct pc_dist *dist; /* NULL: there is none */
    struct pc_dist_figures f;
};

/* The results of an interval, or of all cycles. */
struct stat_out {
    uint64_t cycles;       /* of its clock, that were measured */
    struct stat_dist dist; /* values, or latencies */
    uint64_t unknown;      /* values */
    struct stat_ends ends; /* of a value */
    struct stat_dist outstanding;
    struct pc_dist *ages; /* of a latency: how long that is open which is, at the end */
    uint64_t started, completed, aborted, orphans, unknown_id;
    uint64_t unfinished;  /* of an interval: that are open at its end */
    uint64_t most;        /* outstanding */
    uint64_t tainted[2];  /* of start and end; of all of a level */
    uint64_t full, above; /* of a level: cycles at its capacity, and above it */
};

struct stat_measure {
    enum stat_measure_kind kind;
    char *name;
    const char *label, *argument; /* as it was said */
    const char *text;             /* after NAME= */
    struct stat_piece piece[STAT_PIECES];
    unsigned pieces;
    struct stat_piece drop[STAT_DROPS]; /* what drops what is in flight, or no text */
    uint64_t start, capacity;           /* of a level; capacity 0: none was given */
    bool named;                         /* it has a NAME= */
    unsigned clock;                     /* from 0 */
    const char *at;                     /* @CLOCK in the argument; NULL: none was given */
    size_t at_size;
    const struct rep_percentiles *percentile; /* of the options */
    double cycle_seconds;                     /* where the clock is regular; else 0 */
    /* what is counted now, of an interval or of all */
    struct pc_values *values;
    struct pc_latency *latency;
    struct stat_machine *machine; /* of --states */
    struct pc_level *level;
    uint64_t tainted; /* of a level: cycles in which an unknown value decides */
    uint64_t cycles;
    struct stat_ends ends;
    struct stat_out out; /* what is told */
    struct stat_out sum; /* with -I: of all intervals that are over; it owns its distributions */
};

struct stat_measures {
    struct rep_percentiles percentile;
    struct stat_measure *item;
    size_t count, capacity;
    bool histogram, log2;       /* log2: its buckets double */
    const char *reset;          /* --reset, of all latencies and levels; NULL: none */
    struct opt_texts names;     /* --names, of states */
    bool drawn;                 /* a page shows states */
    struct stat_wanted *wanted; /* figures of states that formulas have */
    size_t wanteds, wanted_capacity;
    bool texts;              /* a text is compared */
    uint64_t *room;          /* of the reading: planes of expressions, and copies */
    const uint64_t **planes; /* of all wires, values and what is unknown */
    uint64_t first_cycle;    /* with -I: of the first stretch */
    bool clocked;            /* a block was looked at: */
    /* are edges of the clock that many time units apart, as far as the begin and the end of each
       block tell? */
    bool even;
    uint64_t period, last_time;
};

/* One more, of --value, --latency, --states or --level; an exit code. */
int stat_measure_add(struct stat_measures *m, enum stat_measure_kind kind, const char *label,
                     const char *argument);
struct stat_options;
/* Refuses options about them that exclude each other; returns an exit code. */
int stat_check_measures(const struct stat_options *o);
/* Returns none of them, with what options say of all. */
struct stat_measures stat_measures_like(const struct stat_measures *m);
/* Returns whether there is one of that kind. */
bool stat_measure_has(const struct stat_measures *m, enum stat_measure_kind kind);
/* Return the expression of --value or --states number i, NULL if it is only a signal; and its
 * place. */
const char *stat_calculated_value(const struct stat_measures *m, size_t i);
const struct cli_place *stat_value_place(const struct stat_measures *m, size_t i);
/* Names to wires; an exit code. */
int stat_measure_open(struct stat_job *j, struct stat_wires *wires);
void stat_measure_close(struct stat_measures *m);

/* --- stat_measure_count.c --- */

/* Once all wires are known; exit codes. */
int stat_measure_begin(struct stat_job *j, const struct stat_wires *wires);
/* Cycles [from, to) of the block count, if there are some; expressions look back at the others. */
int stat_measure_block(struct stat_job *j, const struct stat_wires *wires,
                       const struct pc_wave_block *block, uint64_t from, uint64_t to);
/* With -I: cycles of a stretch are of the open interval, or are only looked back at. */
int stat_measure_stretch(struct stat_job *j, const struct stat_wires *wires,
                         const struct stat_stretch *s, uint64_t from, uint64_t to, bool counts);
/* Checks with a block that has counted if the clock is still regular. */
void stat_measure_clock(struct stat_measures *all, const struct pc_wave_block *b);

/* --- stat_measure_part.c: exit codes --- */

/* With -I, before the first interval. */
int stat_measure_begin_parts(struct stat_job *j);
/* The open interval is over: what it came to is there to be told; then the next one begins. */
int stat_measure_interval(struct stat_job *j);
void stat_measure_next(struct stat_job *j);
/* There are no more intervals: what is told is that of all. */
int stat_measure_sums(struct stat_job *j);
/* All is read: a time unit is that many seconds, 0: not known. */
int stat_measure_end(struct stat_job *j, double unit);

/* --- stat_measure_figure.c --- */

/* A number that came out. */
struct stat_figure {
    char name[STAT_COLUMN];  /* "p99", "outstanding.max", "IDLE.RUN.transitions" */
    bool known;              /* it has a value */
    char text[PC_WIDE_TEXT]; /* its digits */
    double number;
    const char *unit; /* "cycles", "count", "" */
    bool bounded;     /* what is open at the end may change it: it will be in these bounds */
    bool sure;        /* ... which hold whatever unknown values are */
    struct pc_bound bound;
};
/* The i-th figure of one; false past the end. */
bool stat_figure_at(const struct stat_measure *measure, size_t i, struct stat_figure *out);
/* Was a value unknown that may matter to its figures? */
bool stat_measure_tainted(const struct stat_measure *measure);
/*
 * "rd.p99" in a formula: a number from STAT_FIGURES on, which stat_figure_of() takes; false: no
 * figure is called so.  Those of states, "fsm.IDLE.visits", have numbers from STAT_WANTED on.
 */
#define STAT_FIGURES ((size_t)1 << 24)
#define STAT_WANTED  (STAT_FIGURES + ((size_t)1 << 23))
bool stat_figure_find(struct stat_measures *m, const char *name, size_t *out);
bool stat_figure_is_of_states(const struct stat_measures *m, size_t number);
void stat_figure_of(const struct stat_measures *m, size_t number, struct stat_figure *out,
                    bool *tainted);

/*
 * One that has a column of its own in intervals, beside events and metrics: "rd.p99".  The i-th
 * of all measurements; false past the end.
 */
struct stat_column {
    char name[STAT_COLUMN];
    const struct stat_measure *of;
    struct stat_figure f;
};
bool stat_measure_column(const struct stat_measures *all, size_t i, struct stat_column *out);

/* --- stat_measure_report.c, stat_measure_hist.c --- */

extern const struct rep_field stat_value_fields[], stat_latency_fields[], stat_level_fields[],
    stat_interval_value_fields[], stat_interval_latency_fields[], stat_interval_level_fields[];
/* "value", "latency": what a row of CSV is. */
const char *stat_measure_word(const struct stat_measure *m);
/* The lists of JSON, of all cycles and of an interval. */
void stat_measure_put(struct rep *rep, const struct stat_job *j);
void stat_measure_put_interval(struct rep *rep, const struct stat_job *j);

/* A part of a histogram: a value, or a range of them. */
enum { STAT_BUCKETS = 20, STAT_MOST_BUCKETS = 132, STAT_BUCKET = 2 * PC_WIDE_TEXT + 2 };
struct stat_bucket {
    char text[STAT_BUCKET]; /* "12", "4..7" */
    uint64_t count;
    double share; /* of 1 */
};
typedef void stat_bucket_fn(void *ctx, const struct stat_measure *m, const char *name,
                            const struct stat_bucket *bucket, size_t count);
/* With --histogram: those of each distribution. */
void stat_measure_buckets(const struct stat_job *j, stat_bucket_fn *tell, void *ctx);

/* --- stat_measure_text.c --- */

/* "1,234", "14.25"; "-": there is none */
void stat_figure_text(const struct stat_figure *f, char out[CLI_QUANTITY]);
/* Prints the tables of a report, and of a run, whose job it is, the histograms; an exit code. */
struct rep_tree;
int stat_measure_text(FILE *out, const struct rep_tree *root, const struct stat_job *j);
/* Opens a table of figures after a name, below an empty line; lost: columns that are left out until
 * it fits, from 1 on, 0 ends them. */
struct cli_table;
struct cli_table *stat_figure_table(FILE *out, const char *head, const char *const *heads,
                                    const unsigned char *lost);
/* Puts the name, and the figures at those paths of the item. */
void stat_figure_row(struct cli_table *t, const char *name, const struct rep_tree *item,
                     const char *const *paths);

#endif
