/* SPDX-License-Identifier: MIT */
/*
 * pcounter diff --align: two captures of one thing, shifted and compared edge by edge.
 *
 *   diff_align.c         the options, and the order of things
 *   diff_align_names.c   which signals are in both
 *   diff_align_edges.c   the edges of a capture, one after the other
 *   diff_align_shift.c   by how much the second one is later
 *   diff_align_match.c   which edges belong together, and what the others are
 *   diff_align_report.c  what is told
 * Times are in a unit that both have, of the first capture: edges of the second one are `shift`
 * later.
 */
#ifndef PC_CLI_DIFF_ALIGN_H
#define PC_CLI_DIFF_ALIGN_H

#include "cli.h"
#include "opt/opt_wave.h"
#include "report/report.h"
#include "wave/time_scale.h"

struct align_options {
    const char *before, *after;
    const char *align;        /* auto, a signal, rise(x), a time */
    const char *measurements; /* -f: signals are those that it names; or NULL */
    struct opt_texts only;    /* globs of signals */
    struct cli_span jitter;
    struct rep_request report;
    struct cli_read_options read;
};

/* --- signals --- */

struct align_signal {
    char *name;            /* with its range */
    uint32_t first, width; /* bits of a side */
};
struct align_names {
    struct align_signal *signal;
    size_t signals, capacity;
    uint32_t *signal_of; /* by bit */
    size_t bits;
    size_t only_before, other_width; /* that are left out */
};

/* --- a capture --- */

struct align_edge {
    int64_t time; /* of the capture, in the common unit */
    uint32_t signal;
    uint64_t value, unknown; /* the new value; of more than 64 bits a hash */
};
struct align_side {
    const char *path;
    struct pc_wave *wave;
    struct pc_wave_info info;
    struct cli_time_scale scale;
    struct pc_wave_bit *bit; /* those of all signals, in their order */
    const struct align_names *names;
    struct pc_wave_block block;
    uint32_t word;      /* of the block: the next one */
    uint8_t *level;     /* by bit: bit 0 its value, bit 1 unknown, at the end of the last word */
    uint32_t *queue;    /* signals that change in the present word, 64 lists one after the other */
    uint32_t begin[65]; /* where each of them begins */
    uint32_t at, cycle; /* the next one, and its list */
    struct align_edge *initial; /* by signal: its value at the first timestamp */
    bool begun, ended;
    int64_t first, last; /* times of the first and the last timestamp so far */
};

/* --- diff_align_names.c: exit codes --- */

int align_find_names(struct align_names *n, const struct align_options *o,
                     struct align_side side[2]);
void align_free_names(struct align_names *n);
/* The number of the signal of that name in both; its error is told. */
int align_find_signal(const struct align_names *n, const struct align_side side[2],
                      const char *name, uint32_t *out);

/* --- diff_align_edges.c: exit codes --- */

int align_side_open(struct align_side *s, const struct align_options *o, const char *path);
/* Binds the signals; edges follow.  As often as the file can be read: opens it again. */
int align_side_begin(struct align_side *s, const struct align_options *o,
                     const struct align_names *n);
/* The next edge; *out is of no signal (UINT32_MAX) past the last one. */
int align_side_next(struct align_side *s, struct align_edge *out);
void align_side_close(struct align_side *s);

/* --- diff_align_shift.c --- */

enum { ALIGN_EDGES = 1500 }; /* of each capture, that a search looks at */
struct align_shift {
    int64_t shift, jitter;
    bool searched;
    /* of the search: edges that agree, of that many of both where they overlap; of the best shift,
     * and of the next best one that is another */
    uint64_t agree, edges, next_agree, next_edges;
    int64_t next;
    bool has_next, ambiguous;
    int exponent; /* of the common unit; */
    bool unknown; /* ... whose length is not known */
};
/* By the options; the sides are open.  An exit code. */
int align_find_shift(struct align_shift *s, const struct align_options *o,
                     const struct align_names *n, struct align_side side[2]);

/* --- diff_align_match.c --- */

enum align_kind {
    ALIGN_LEVEL,         /* a different level at the start */
    ALIGN_MOVED,         /* an edge at another time */
    ALIGN_VALUE,         /* an edge of both to another value */
    ALIGN_EXTRA_PULSE,   /* of the second capture alone */
    ALIGN_MISSING_PULSE, /* of the first one alone */
    ALIGN_EXTRA_EDGE,
    ALIGN_MISSING_EDGE,
    ALIGN_KINDS
};
extern const char *const align_kinds[]; /* their words */

struct align_difference {
    enum align_kind kind;
    uint32_t signal;
    int64_t before, after; /* times in each capture */
    int64_t length;        /* of a pulse; of a moved edge by how much it is later */
    uint64_t value, unknown;
};
struct align_count {
    uint64_t before, after, matched; /* edges */
    uint64_t of[ALIGN_KINDS];
    int64_t skew; /* the largest of edges that belong together, without its sign */
    bool any;
    struct align_difference first;
};

enum { ALIGN_KEPT = 10000 };
struct align_result {
    struct align_count *count;           /* by signal */
    struct align_difference *difference; /* the first ones, by their time */
    size_t kept, capacity;
    uint64_t differences;
    int64_t from, to; /* what was compared, as times of the first capture */
};
/* Compares; an exit code.  align_free_result() in any case. */
int align_match(struct align_result *r, const struct align_shift *s, const struct align_names *n,
                struct align_side side[2]);
void align_free_result(struct align_result *r);

/* --- diff_align_report.c --- */

extern const struct rep_def diff_align_report;
int align_print(struct rep *r, const struct align_options *o, const struct align_shift *s,
                const struct align_names *n, const struct align_side side[2],
                const struct align_result *result);

/* --- diff_align.c --- */

extern const struct opt_line diff_align_line;
int diff_align(const struct cli_verb *verb, int argc, char **argv);

#endif
