/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat, by theme:
 *   cmd_stat.c       the verb: help, and the order in which things happen
 *   stat_options.c   the command line
 *   stat_events.c    the list of events behind -e, and --clock
 *   stat_signals.c   names of the waveform to wires
 *   stat_plan.c      events onto counters, passes
 *   stat_program.c   registers of the passes
 *   stat_run.c       one read of the waveform
 *   stat_count.c     cycles through the counters of all passes
 *   stat_jobs.c      the same in stretches, by several threads
 *   stat_report.c    text, CSV, JSON
 *   stat_suggest.c   what to count, for those who named no event
 */
#ifndef PC_CLI_STAT_H
#define PC_CLI_STAT_H

#include "cli.h"
#include "regs_text.h"

#define STAT_SLOTS 4                /* PRE, START, EVENT, STOP */
#define STAT_PINS  (4 * STAT_SLOTS) /* selectors of a domain */

enum stat_x { STAT_X_TAINT, STAT_X_ZERO, STAT_X_ONE, STAT_X_ERROR };

enum stat_state { STAT_EXACT, STAT_TAINTED, STAT_SATURATED, STAT_LOST };

/* Where a piece of text stands on the command line, for carets. */
struct stat_place {
    const char *label;    /* "-e", "--clock" */
    const char *argument; /* the whole argument */
    uint32_t offset;      /* of the piece in it */
};

struct stat_event {
    char *name;
    char *text; /* the expression */
    struct stat_place place;
    unsigned group; /* events of one group share a pass; every event has one */
    unsigned slots; /* bits of the counters that it is pinned to; 0: any */
    struct pc_expr *expr;
    bool derived; /* computed in front of the counter, because `why` */
    struct pc_error why;
    struct pc_expr *stand_in; /* derived: the one signal that is counted */
    /* where it is counted */
    unsigned pass, domain;
    enum pc_slot slot;
    /* what came out */
    uint64_t value, tainted, popcount;
    enum stat_state state;
};

struct stat_options {
    const struct pc_chip *chip;
    const char *path, *output;
    const char *clock;
    struct stat_event *event;
    size_t events, events_capacity;
    enum stat_x x;
    bool post_edge;
    enum pc_edge edge; /* of the clock; EVERY samples the values of its own time stamp */
    enum cli_format format;
    uint64_t period; /* cycles between two swaps */
    unsigned threads;
    char **paths;         /* all waveforms; `path` is one of them */
    size_t files, number; /* of the waveform, from 0 */
    bool shared;          /* the ranks of pcounter-mpi count this waveform together */
};

/* --- stat_options.c, stat_events.c --- */

/* An exit code, or -1 to go on. */
int stat_parse_options(int argc, char **argv, struct stat_options *out);
void stat_free_options(struct stat_options *o);
/* Appends the events of one -e. */
int stat_parse_events(struct stat_options *o, const char *argument);

struct stat_clock {
    enum pc_edge edge;
    bool has_iff, iff_low;
    char *clock, *iff; /* names */
    uint32_t clock_offset, iff_offset;
};
int stat_parse_clock(const char *text, struct stat_clock *out);
void stat_free_clock(struct stat_clock *c);

/* Grows an array of the CLI; false if memory runs out. */
bool stat_grow(void **array, size_t *capacity, size_t need, size_t size);
/* A copy of text[0..length) with a NUL; NULL if memory runs out. */
char *stat_copy(const char *text, size_t length);
int stat_no_memory(void);
/* An error of the catalogue that the CLI finds itself; column from 1, 0 for none. */
int stat_error(unsigned code, const struct stat_place *place, uint32_t column, const char *hint,
               const char *fmt, ...) PC_PRINTF(5, 6);
/* An error of the library in a piece of the command line. */
int stat_library_error(const struct pc_error *err, const struct stat_place *place);

/* --- stat_signals.c --- */

/* The wires that the events look at; aliases of one signal are one wire. */
struct stat_wires {
    struct pc_wave *wave;
    struct pc_wave_bit *bit;
    uint64_t *key; /* value stream and bit */
    size_t count, capacity, keys_capacity;
    uint32_t *slot; /* hash of keys: number of the wire + 1 */
    size_t slots;
};

enum pc_status stat_lookup(void *wires, const char *name, uint32_t *out, size_t capacity,
                           size_t *count, struct pc_error *err);
/* Clock and iff; an exit code. */
int stat_find_clock(struct pc_wave *wave, const char *text, struct pc_wave_clock *out);
void stat_free_wires(struct stat_wires *w);

/* --- stat_plan.c --- */

/* A raw signal of a domain and what drives it. */
struct stat_pin {
    uint8_t signal;
    bool derived;
    uint32_t index; /* wire, or event */
};

struct stat_domain {
    int event[STAT_SLOTS]; /* -1: free */
    uint32_t op[PC_INPUT_COUNT];
    uint8_t source[STAT_SLOTS][4]; /* signals */
    bool used[STAT_SLOTS][4];
    struct stat_pin pin[STAT_PINS];
    size_t pins;
    uint32_t ctrl, ack;            /* addresses */
    uint32_t counter[STAT_SLOTS];  /* addresses of CTR_* */
    uint32_t cycles;               /* address of CTR_CYCLES */
    unsigned state_shift, ack_bit; /* QUAD_STATE in CTRL, the domain's bit in the ack */
};

struct stat_pass {
    struct pc_unit *unit;
    uint32_t edges; /* domains in use */
    struct stat_domain domain[PC_MAX_DOMAINS];
};

struct stat_plan {
    struct pc_plan_event *event; /* as the planner saw them */
    struct pc_plan *plan;
    struct stat_pass *pass;
    size_t passes;
};

int stat_make_plan(struct stat_options *o, struct stat_plan *plan);
void stat_free_plan(struct stat_plan *plan);

/* --- stat_program.c --- */

/* Creates the units and writes their registers; they then wait for the first cycle. */
int stat_program(const struct stat_options *o, struct stat_plan *plan);

/* --- stat_run.c --- */

struct stat_result {
    uint64_t cycles;
    bool partial; /* interrupted */
};

int stat_run(struct stat_options *o, struct stat_plan *plan, struct stat_wires *wires,
             const struct pc_wave_clock *clock, struct stat_result *out);

/* --- stat_suggest.c --- */

/* A line of events to start with; nothing if there is nothing to say. */
void stat_suggest(FILE *out, const struct stat_options *o);

/* --- stat_report.c --- */

void stat_report(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                 const struct stat_result *result);

#endif
