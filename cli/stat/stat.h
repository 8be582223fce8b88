/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat, by theme:
 *   cmd_stat.c       the verb: help, and the order in which things happen
 *   stat_options.c   the command line: options as stat_options.h has them,
 *   stat_check.c     ... and those that do not go together
 *   stat_events.c    the list of events after -e, and --clock
 *   stat_file.c      -f, a file of measurements
 *   stat_job.c       one waveform: what is counted in it
 *   stat_stars.c     names with stars: a row for each match
 *   stat_clocks.c    several clocks: each counts its own events in the one read
 *   stat_signals.c   names of the waveform to wires
 *   stat_filter.h    an expression after iff
 *   stat_bind.c      names of a chip's signals to wires
 *   stat_described.c names of a core's description, and values that are calculated, to wires
 *   stat_calculated.h  ... and their planes
 *   stat_compare.c   comparisons of vectors to wires
 *   stat_place.c     an event for the planner
 *   stat_plan.c      events onto counters, passes
 *   stat_metrics.c   metrics: their events, their groups, their values
 *   stat_expect.c    --expect: what counts have to come to
 *   stat_program.c   registers of the passes
 *   stat_run.c       one read of the waveform
 *   stat_count.c     cycles through the counters of all passes
 *   stat_sums.c      what was counted, of an interval and of all
 *   stat_jobs.c      the same in stretches, by several threads
 *   stat_interval.c  -I: where intervals end
 *   stat_goto.c      --goto
 *   stat_measure.h   --value, --latency, --states and --level, in files of their own
 *   stat_multiplex.c what counting the passes in turns would have reported
 *   stat_report.c    who is told what,
 *   stat_tree.c      ... programs,
 *   stat_text.c      ... people,
 *   stat_table.c     ... of intervals,
 *   stat_tracks.c    ... viewers of intervals,
 *   stat_words.c     ... and what states are called
 *   stat_failed.c    --keep-going: a waveform that could not be counted
 *   stat_explain.c   the plan, and how the engine ran it
 *   stat_suggest.c   what to count, for those who named no event
 */
#ifndef PC_CLI_STAT_H
#define PC_CLI_STAT_H

#include "stat_options.h"

enum stat_state { STAT_EXACT, STAT_TAINTED, STAT_SATURATED, STAT_LOST };

/* The sums of all intervals that have ended. */
struct stat_sum {
    uint64_t value, tainted, popcount;
    enum stat_state state;
};

struct stat_event {
    char *name;
    char *text; /* the expression */
    struct cli_place place;
    unsigned group; /* events of one group share a pass; every event has one */
    unsigned slots; /* bits of the counters that it is pinned to; 0: any */
    unsigned clock; /* that counts it, from 0 */
    size_t origin;  /* itself, or the event that it repeats for the sake of a metric */
    struct pc_expr *expr;
    uint32_t *wire; /* of a number that is added in each cycle; NULL: a bit, of expr */
    uint32_t bits;  /* of that number, else 1 */
    size_t plane;   /* in a stretch that keeps them: the first of its planes */
    bool derived;   /* computed before the counter, because `why` */
    struct pc_error why;
    struct pc_expr *stand_in; /* derived: the one signal that is counted */
    /* where it is counted */
    unsigned pass, domain;
    enum pc_slot slot;
    /* what came out */
    uint64_t value, tainted, popcount;
    uint64_t seen; /* with --multiplex: in the cycles in which its pass was on the counters */
    enum stat_state state;
    struct stat_sum sum; /* with -I, where what came out is that of an interval until the end */
};

/* One waveform, and what is counted in it: what was asked for, what was found, what came out. */
struct stat_job {
    const struct stat_options *o;
    size_t number; /* of the waveform, from 0 */
    const char *path;
    const struct pc_chip *chip; /* whose counters count; NULL: none, an expression is its count */
    struct rep_request report;
    unsigned threads;
    struct stat_part *part; /* of each clock, if there are several; else NULL */
    size_t parts;
    bool live; /* a pipe: rows of intervals go out before more of it is waited for */
    const char *clock, *clock_label;
    struct cli_only_clock only_clock; /* `clock`, where none was given */
    enum pc_edge edge;        /* of the clock; EVERY samples the values of its own timestamp */
    struct stat_event *event; /* those that were asked for, then those of metrics */
    size_t events, events_capacity;
    unsigned groups;
    struct stat_measures measures;
    struct stat_binds binds;
    struct pc_metrics *shares; /* that formulas name; NULL: none */
    struct cli_metrics metrics;
    struct cli_expectations expect;
    bool unmet; /* of what --expect says: the verb ends with CLI_NO */
    struct cli_window window;
    char **kept; /* arguments of values and latencies that had stars */
    size_t kept_count, kept_capacity;
    struct stat_described *described; /* NULL: nothing is calculated beside the events */
    struct stat_filter *filter;       /* of the edges of its clock; NULL: all count */
};

/* --- stat_goto.c: exit codes --- */

/* Is it of one waveform with latencies? */
int stat_goto_check(const struct stat_options *o);
/* Writes the file for a viewer: the longest of all latencies. */
int stat_goto(const struct stat_job *j, const struct pc_wave *wave);

/* --- stat_job.c --- */

/* Begins the job of the n-th waveform; returns an exit code.  The caller ends *j in any case. */
int stat_job_begin(struct stat_job *j, const struct stat_options *o, size_t n);
void stat_job_end(struct stat_job *j);
/* One more event, with nothing in it; pointers to others are no longer valid. */
int stat_add_event(struct stat_job *j, struct stat_event **out);

/* --- stat_options.c, stat_events.c, stat_file.c --- */

extern const struct opt_line stat_line;
/* An exit code, or -1 to go on. */
int stat_parse_options(const struct cli_verb *verb, int argc, char **argv,
                       struct stat_options *out);
void stat_free_options(struct stat_options *o);
/* Refuses options that exclude each other; an exit code. */
int stat_check_options(struct stat_options *o);
/* Takes an option of --core where that is not given. */
int stat_refuse_core(const char *verb, const struct opt *row, const char *text, void *field);
/* Was --clock given?  An exit code. */
int stat_check_clock(const char *verb, const struct stat_options *o);
/* One more clock, of -c, or of a line of -f; which clock each event is of.  Exit codes. */
int stat_add_clock(struct stat_options *o, const char *label, const char *argument, bool of_line);
int stat_check_clocks(struct stat_options *o);
/* Is an option about events, and there are none?  An exit code. */
int stat_check_events(const struct stat_options *o, size_t events);
/* Appends the events of one -e. */
int stat_parse_events(struct stat_options *o, const char *label, const char *argument);
/* A file of measurements; an exit code. */
int stat_take_file(struct stat_options *o, const char *path);
/* More events than are counted at once. */
int stat_too_many(const struct cli_place *place, size_t most);

struct stat_clock {
    enum pc_edge edge;
    bool has_iff, iff_low;
    char *clock, *iff; /* names; of PC_EDGE_PERIOD clock is the period */
    char *condition;   /* all after iff, which may be an expression */
    bool more;         /* ... as it has more than a name */
    uint32_t clock_offset, iff_offset, condition_offset;
};
int stat_parse_clock(const char *label, const char *text, struct stat_clock *out);
void stat_free_clock(struct stat_clock *c);

/* --- stat_stars.c --- */

/* Names with stars become rows; an exit code. */
int stat_expand_stars(struct stat_job *j, const struct pc_wave *wave);

/* --- stat_wires.c --- */

/* As pc_wave_find_bits(); what has none is an error. */
enum pc_status stat_find_bits(const struct pc_wave *wave, const char *name,
                              struct pc_wave_bit *bits, size_t capacity, size_t *count,
                              struct pc_error *err);

/* The wires that the events look at; aliases of one signal are one wire. */
struct stat_wires {
    struct pc_wave *wave;
    struct stat_described *described; /* NULL: no name is one of a description */
    struct stat_binds *binds;
    struct pc_wave_bit *bit;
    uint64_t *key; /* value stream and bit */
    size_t count, capacity, keys_capacity;
    uint32_t *slot; /* hash of keys: number of the wire + 1 */
    size_t slots;
    bool compares; /* comparisons of vectors may be wires; */
    size_t given;  /* that many of the events' are */
};

/* A wire of its own, whatever bit it is: its planes are put in its place. */
bool stat_add_room(struct stat_wires *w, struct pc_wave_bit bit, uint32_t *out);
/* Number of the wire; false if memory runs out. */
bool stat_add_wire(struct stat_wires *w, struct pc_wave_bit bit, uint32_t *out);
void stat_free_wires(struct stat_wires *w);

/* --- stat_compare.c --- */

/* pc_expr_resolve() of an event, with comparisons of vectors as wires where that may be. */
enum pc_status stat_resolve(struct pc_expr *e, pc_expr_lookup_fn *lookup, void *ctx,
                            struct stat_wires *wires, struct pc_error *err);

/* --- stat_bind.c --- */

int stat_bind_add(struct stat_options *o, const char *argument);
/* Names and vectors; an exit code. */
int stat_bind_open(struct stat_job *j, const struct pc_wave *wave);
void stat_bind_close(struct stat_binds *b);
/* A name that the waveform does not have, as *err says: the bit of a vector. */
enum pc_status stat_bind_find(struct stat_binds *b, const char *name, struct pc_wave_bit *bit,
                              struct pc_error *err);

/* --- stat_described.c --- */

/*
 * Reads the description, if there is one, and calculates what --value needs more than signals for:
 * before the clock is looked for, and once the waveform is open.  Exit codes.
 */
int stat_described_read(struct stat_job *j);
int stat_described_open(struct stat_job *j, struct stat_wires *wires,
                        const struct pc_wave_clock *clock);
void stat_described_close(struct stat_job *j);
/* Returns the core's name in the description, or NULL; its profile, if it says one, or NULL. */
const char *stat_described_core(const struct stat_job *j, const char **profile);
/* The clock of the description, if none was given; an exit code. */
int stat_described_clock(struct stat_job *j, struct pc_wave *wave);
/* Names after iff: of signals, also of the description, or signals that its scope is asked for
 * first. */
enum stat_names { STAT_SIGNALS, STAT_DESCRIBED, STAT_IN_SCOPE };
enum stat_names stat_described_names(const struct stat_job *j);
/* `-e all`: an event for each that has a name; an exit code. */
int stat_described_events(struct stat_job *j);
/* Metrics of the description: those that -M names, without it all; an exit code. */
int stat_described_metrics(const struct stat_job *j, struct cli_metric_options *wanted);
/* A name of the description, or a signal in its scope; PC_ENOENT: neither. */
enum pc_status stat_described_find(struct stat_wires *w, const char *name, uint32_t *out,
                                   size_t capacity, size_t *count, bool *is_signed,
                                   struct pc_error *err);
/*
 * Is the event the name of a let or an element of more than one bit?  Then e->wire has the number
 * that is added in each cycle.  An exit code.
 */
int stat_described_sum(struct stat_wires *w, struct stat_event *e);
/* The wires of the n-th --value, if it is calculated. */
enum pc_status stat_described_value(struct stat_wires *w, size_t n, uint32_t *out, size_t capacity,
                                    size_t *count, bool *is_signed, struct pc_error *err);
/* Names of the clock's filter, which may be those of the description; an exit code. */
int stat_described_filter(struct stat_job *j, struct stat_wires *wires);
/* Add the calculated planes to a block of cycles, or to one of edges for the filter; return exit
 * codes. */
int stat_described_block(struct stat_job *j, const struct stat_wires *wires,
                         const struct pc_wave_block *block, struct pc_wave_block *out);
int stat_described_edges(struct stat_job *j, const struct stat_wires *wires,
                         const struct pc_wave_block *block, struct pc_wave_block *out);

/* --- stat_signals.c --- */

/* Parses an event and gives it its wires; an exit code. */
int stat_compile_event(const struct stat_job *j, struct stat_event *e, struct stat_wires *wires);
/* After the last block: triggers after the last edge, which no cycle has, and a note of them. */
void stat_add_last_triggers(struct stat_job *j, const struct stat_wires *wires, unsigned stream);
/* Gives pc_expr_resolve() the wires of a name. */
enum pc_status stat_lookup(void *wires, const char *name, uint32_t *out, size_t capacity,
                           size_t *count, bool *is_signed, struct pc_error *err);
/*
 * Clock and iff; an exit code.  *filter is that of a job: NULL before, and if iff is a signal that
 * the reader finds.
 */
int stat_find_clock(struct pc_wave *wave, const char *label, const char *text,
                    enum stat_names names, struct pc_wave_clock *out, struct stat_filter **filter);

/* --- stat_notes.c --- */

/* Prints the notes on the events, and on `more` if it is not NULL, before they are counted. */
void stat_note_events(const struct stat_job *j, const struct stat_event *more,
                      struct stat_wires *wires, const struct pc_wave_clock *clock);
/* Explains the first count that unknown values matter to, and what helps. */
void stat_note_tainted(const struct stat_job *j, const struct pc_wave *wave,
                       const struct pc_wave_clock *clock, const char *name, uint64_t cycles);

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
    size_t events_capacity;
    struct pc_plan *plan;
    struct stat_pass *pass;
    size_t passes;
};

/* --- stat_place.c --- */

/* Wires from here on are events that are computed in front of their counters. */
#define STAT_STAND_IN UINT32_C(0x80000000)
/* Fills plan->event[n] with what the planner is to count for an event; returns an exit code. */
int stat_plan_event(const struct stat_job *j, struct stat_plan *plan, size_t n);

/* --- stat_plan.c --- */

/* The n-th raw signal of a domain, or -1. */
int stat_raw_signal(const struct pc_chip *chip, unsigned domain, size_t n);
int stat_make_plan(struct stat_job *j, struct stat_plan *plan, struct stat_wires *wires);
void stat_free_plan(struct stat_plan *plan);

/* --- stat_metrics.c --- */

/* Loads the metrics and expectations that are wanted, before a waveform is open; an exit code. */
int stat_open_metrics(struct stat_job *j);
/* Finds their events, or adds them; an exit code. */
int stat_find_metrics(struct stat_job *j);
/* Once all are known: an error if a metric and an event have one name, which is all that reports
 * say. */
int stat_check_names(struct stat_job *j);
/* The parts of each metric into one group; events may be repeated. */
int stat_group_metrics(struct stat_job *j, struct stat_plan *plan, struct stat_wires *wires);
struct stat_result;
enum pc_value_state stat_value_state(enum stat_state state);
void stat_metric_value(const struct stat_job *j, const struct stat_plan *plan,
                       const struct stat_result *r, size_t metric, bool multiplexed,
                       struct pc_metric_value *out);

/*
 * Evaluates any metric whose events were found.  Requests that are outstanding at the end may
 * change a figure: `which` selects the figure as it is or one of its bounds, *bounded is set if it
 * has some.
 */
enum stat_which { STAT_AS_IT_IS, STAT_AT_LEAST, STAT_AT_MOST, STAT_WHICH };
void stat_formula_value(const struct stat_job *j, const struct stat_plan *plan,
                        const struct stat_result *r, const struct cli_metric *m, bool multiplexed,
                        enum stat_which which, bool *bounded, struct pc_metric_value *out);

/* --- stat_expect.c --- */

/* Sets j->unmet, and tells what is not met to who does not see it in the report. */
void stat_expect_tell(struct stat_job *j, const struct stat_plan *plan,
                      const struct stat_result *r);

/* --- stat_program.c --- */

/* Creates the units and writes their registers; they then wait for the first cycle. */
int stat_program(const struct stat_job *j, struct stat_plan *plan);

/* --- stat_run.c --- */

struct stat_interval;
struct stat_result {
    uint64_t cycles;
    uint64_t first;                 /* of the clock's cycles, from 0: that many were passed over */
    double seconds;                 /* that they took; 0: not known */
    bool partial;                   /* interrupted */
    uint64_t first_time, last_time; /* of them */
    const struct stat_interval *interval; /* NULL: all of it */
};

/* --- stat_clocks.c --- */

/* A clock of several, with the events and measurements that are its own. */
struct stat_part {
    struct stat_job job;
    struct stat_wires wires;
    struct pc_wave_clock clock;
    struct stat_result result;
};

/* Is the name in formulas that of cycles of a clock, "w.cycles"?  Then *out is its number, below
 * STAT_CYCLES + STAT_CLOCKS. */
#define STAT_CYCLES ((size_t)1 << 25)
bool stat_find_cycles(const struct stat_job *j, const char *name, size_t *out);
/* Finds events and measurements, each with its clock; an exit code. */
int stat_prepare_clocks(struct stat_job *j, struct stat_wires *wires);
/* Its name, where clocks have names; else NULL. */
const char *stat_clock_name(const struct stat_job *j, unsigned clock);
/* Cycles of the clock of an event. */
uint64_t stat_cycles_of(const struct stat_job *j, unsigned clock, const struct stat_result *r);
/* Copies the counts of the parts, one for each clock, into the job that reports them. */
void stat_take_parts(struct stat_job *j);
void stat_free_parts(struct stat_job *j);

struct stat_report;
/* Counts.  With -I the report gets each interval, then the totals. */
int stat_run(struct stat_job *j, struct stat_plan *plan, struct stat_wires *wires,
             const struct pc_wave_clock *clock, struct stat_report *report,
             struct stat_result *out);

/* Counts with several clocks, which have no intervals. */
int stat_run_clocks(struct stat_job *j, struct stat_plan *plan, struct pc_wave *wave,
                    struct stat_result *out);

/* Explains why none of the `end` cycles that were read was counted; returns an exit code. */
int stat_no_cycle(const struct stat_job *j, const struct pc_wave *wave, uint64_t end);

/* --- stat_multiplex.c --- */

/* Counts the 1s of an event in the turns of its pass: `slice` cycles, then the next pass.  `bits`
 * has 64 cycles a word, and begins with cycle `first`. */
uint64_t stat_seen(uint64_t slice, size_t passes, size_t pass, uint64_t first, const uint64_t *bits,
                   size_t words);
/* Counts those of the first `cycles` cycles that are turns of a pass. */
uint64_t stat_turn_cycles(uint64_t slice, size_t passes, size_t pass, uint64_t cycles);
/* The count scaled up to all cycles; false: its pass never had its turn. */
bool stat_estimate(const struct stat_job *j, const struct stat_event *e,
                   const struct stat_plan *plan, const struct stat_result *r, uint64_t *out);
/* How far `value` is from what is true, in per cent of that; false: of 0 there are none. */
bool stat_deviation(double value, double truth, double *percent);

/* --- stat_suggest.c --- */

/* A line of events to start with; nothing if there is nothing to say. */
void stat_suggest(FILE *out, const struct stat_job *j, const struct stat_result *result);

/* --- stat_words.c --- */

const char *stat_state_name(enum stat_state state);
char stat_mark(enum stat_state state); /* in tables: ' ', '*' */
const char *stat_x_name(const struct stat_job *j);
/* "pre-edge", "post-edge" or "every" */
const char *stat_sampling(const struct stat_job *j);

/* --- stat_failed.c --- */

/* In place of a report, or after the part of it that is out: the error that was told last; an exit
 * code. */
int stat_failed(FILE *out, const struct stat_job *j);

#endif
