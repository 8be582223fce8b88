/* SPDX-License-Identifier: MIT */
/*
 * --states of pcounter stat: what a state machine did.
 *
 *   stat_machine.c         the states that were there, in the order of their values
 *   stat_machine_names.c   what they are called: enumerations, and --names
 *   stat_machine_figure.c  figures with names, as formulas and rows of CSV have them
 *   stat_machine_report.c  what is told to programs,
 *   stat_machine_text.c    ... to people,
 *   stat_machine_bins.c    ... and on a page, when it was in which state,
 *   stat_machine_page.c    ... drawn, with
 *   stat_machine_graph.c   ... the graph of its transitions, also for merge
 */
#ifndef PC_CLI_STAT_MACHINE_H
#define PC_CLI_STAT_MACHINE_H

#include "stat.h"

#define STAT_NO_STATE SIZE_MAX
enum { STAT_STATE_NAME = 200 }; /* characters of the name of a state, at most */

struct stat_name {
    uint64_t value; /* of 64 bits, with its sign */
    char *text;
};

/* A state that was there, or that has a name. */
struct stat_node {
    struct pc_wide value;
    const char *name; /* NULL: it has none */
    char digits[PC_WIDE_TEXT];
    size_t state; /* of pc_states; NO_STATE: never entered */
    struct pc_states_state f;
};

struct stat_move {
    size_t pair;     /* of pc_states */
    size_t from, to; /* states of the machine */
    uint64_t count;
};

struct stat_bins;
struct stat_machine {
    struct pc_states *states;
    unsigned width;
    bool is_signed;
    struct stat_name *name; /* sorted by value */
    size_t names, name_capacity;
    /* what stat_machine_take() finds: sorted by value, and by values from and to */
    bool part; /* of an interval */
    struct pc_states_figures f;
    struct stat_node *row;
    struct stat_move *move;
    size_t rows, moves, row_capacity, move_capacity;
    size_t *order; /* of rows: those that were there, `there` of them, then the others */
    size_t there, order_capacity;
    size_t states_seen, pairs_seen;
    struct stat_bins *bins; /* NULL: not drawn */
};

/* Exit codes. */
int stat_machine_open(struct stat_measure *m, const struct stat_measures *all,
                      const struct stat_wires *wires);
int stat_machine_add(struct stat_measure *m, const uint64_t *const *value,
                     const uint64_t *const *unknown, uint64_t cycles);
/* Takes the results counted so far, of the open interval or of all. */
int stat_machine_take(struct stat_measure *m, bool part);
void stat_machine_next(struct stat_measure *m);
void stat_machine_close(struct stat_machine *k);

const char *stat_state_text(const struct stat_node *state);
/* The row of a value; NULL: there is none. */
const struct stat_node *stat_machine_row(const struct stat_machine *k, uint64_t value);
/* Was the state never left?  It was there, up to the end. */
bool stat_machine_stays(const struct stat_machine *k, size_t row);

/* --- stat_machine_names.c --- */

/* Names of the values of a vector; an exit code. */
int stat_machine_names(struct stat_measure *m, const struct stat_measures *all,
                       const struct stat_wires *wires);
/* --names, as it is given; an exit code. */
int stat_check_names_files(const struct stat_measures *all);

/* --- stat_machine_figure.c --- */

/* A figure of a state or of a transition that a formula has. */
struct stat_wanted {
    size_t item; /* of the measurements */
    unsigned what;
    uint64_t value[2];
};
/* As stat_figure_at(). */
bool stat_machine_figure(const struct stat_measure *m, size_t i, struct stat_figure *out);
/* "IDLE.visits" of a machine; false: it is none. */
bool stat_machine_find(const struct stat_measure *m, const char *name, struct stat_wanted *out);
void stat_machine_figure_of(const struct stat_measure *m, const struct stat_wanted *wanted,
                            struct stat_figure *out);
/* A name that ends as one of a figure of states, and has no state: an error; CLI_OK: it does not.
 */
int stat_machine_no_figure(const struct stat_measures *all, const struct cli_place *place,
                           const char *name);
/*
 * Shares of states and of full levels, which formulas have as ratios: a metric for each name that
 * stands in one of the texts.  NULL: there are none.
 */
int stat_machine_shares(const struct stat_measures *all, const struct stat_options *o,
                        struct pc_metrics **out);

/* --- stat_machine_report.c, stat_machine_text.c, stat_machine_page.c --- */

extern const struct rep_field stat_machine_fields[], stat_interval_machine_fields[];
void stat_machine_put(struct rep *rep, const struct stat_measure *m, const char *clock);
void stat_machine_put_interval(struct rep *rep, const struct stat_measure *m);
struct rep_tree;
/* An exit code. */
int stat_machine_text(FILE *out, const struct rep_tree *root);

/* --- stat_machine_bins.c --- */

enum { STAT_BINS = 800, STAT_LANES = 64 };

/*
 * How many cycles each of the first LANES states had in each piece of the run: up to BINS pieces of
 * 1, 2, 4, ... cycles, the last one perhaps shorter.
 */
struct stat_bins {
    uint64_t each, cycles;                    /* of a bin; of all */
    uint64_t lane[STAT_BINS][STAT_LANES + 2]; /* and of other states, and unknown */
};
enum { STAT_LANE_OTHERS = STAT_LANES, STAT_LANE_UNKNOWN };
/* As pc_states_desc.stay. */
void stat_bins_add(void *bins, uint64_t first, uint64_t cycles, size_t state);

/* The graph and the timeline of each machine; ctx is the job. */
void stat_machine_draw(FILE *out, const void *job);

#endif
