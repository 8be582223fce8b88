/* SPDX-License-Identifier: MIT */
/*
 * pcounter bus: which buses a waveform has, what they carry, and where they wait.
 *
 *   bus_items.c     the buses of a call: found by names, or of a map (bus_map.c, bus_yaml.c)
 *   bus_own.c       protocols that a map defines
 *   bus_pair.c      what the data decide: of which kind a Wishbone is, which requests write
 *   bus_evidence.c  what the data say of their clocks and resets; bus_proof.c tells it,
 *                   bus_guesses.c below the table
 *   bus_same.c      one row a net
 *   bus_read.c      the waveform once through
 *   bus_figures.c   every figure by its name, for rows and expectations
 *   bus_report.c    the report for programs, bus_tree.c its members; bus_tell.c all of it, in order
 *   bus_rows.c      rows for people, and in which order
 *   bus_text.c      the table of them; bus_list.c what was found, as a map
 *   bus_notes.c     what people have to know beside the table
 *   bus_page.c      the page of -o bus.html; bus_lanes.c over time, bus_bars.c histograms
 *   bus_intervals.c -I: the same figures piece by piece
 *   bus_expect.c    --expect
 *   bus_goto.c      --goto
 */
#ifndef PC_CLI_BUS_H
#define PC_CLI_BUS_H

#include "opt/opt_wave.h"
#include "pcounter/unstable/bus.h"
#include "process/progress.h"
#include "report/report.h"
#include "report/report_percentile.h"
#include "wave/expectation.h"
#include "wave/goto.h"

struct bus_options {
    struct rep_request report;
    struct cli_read_options read;
    const char *file, *map;
    const char *const *glob; /* of names of buses */
    size_t globs;
    bool list, payload, protocols;
    struct cli_span interval;
    struct cli_window window;
    struct cli_expectations expect;
    struct cli_goto go;
    struct rep_percentiles percentile;
    unsigned threads;
};

/* The place of a text in the map; line 0: it is not from a map. */
struct bus_place {
    uint32_t line, column;
};

/* A name of an expression of its protocol, and the signal that has it in this bus. */
struct bus_alias {
    char *name, *signal;
    struct bus_place place;
    bool used;
};

/* A bus that was found by names, and what the data say of it; members are those of pc_bus_found. */
enum bus_line { BUS_LINE_CLOCK, BUS_LINE_RESET, BUS_LINE_UNSURE, BUS_LINES };
struct bus_proof {
    struct pc_bus_proof data; /* but for its texts */
    char *other, *candidate[2], *refused;
    char **alias;
    size_t aliases;
    char *line[BUS_LINES]; /* NULL: nothing is said */
    uint64_t values;
};

/* A bus of the call. */
struct bus_item {
    char *name;
    const struct pc_bus_protocol *protocol;
    struct bus_own *own;     /* its protocol is one of the map; NULL: it is not */
    struct bus_alias *alias; /* of `own` */
    size_t aliases, alias_capacity;
    char *role[PC_BUS_ROLES]; /* signals, '!' before what is inverted; NULL: none */
    char *clock, *reset;      /* NULL: none */
    bool reset_low, no_clock; /* no_clock: it was found, and is not measured */
    struct bus_proof *proof;  /* NULL: of a map */
    uint32_t credit_init;
    struct bus_place place, of_clock, of_reset, of_role[PC_BUS_ROLES];
    struct pc_bus *bus;
    struct pc_bus *other; /* of a Wishbone, which may be of another kind than its names say */
    bool not_other;       /* it is not */
    size_t stream;
    struct bus_snap *snap; /* -I: of each interval that is over one of each group */
    size_t snaps, snap_capacity, groups;
};

/* An expression as a plane of a stream: its values, then where they are unknown. */
struct bus_calculated {
    struct pc_expr *expr;
    size_t at; /* among the bits of the stream, in the place of one */
    uint64_t *plane;
};

struct bus_stream {
    struct pc_wave_clock clock;
    uint32_t code; /* of its clock */
    unsigned stream;
    struct pc_wave_bit *bit;
    size_t bits, capacity;
    struct bus_calculated *calculated;
    size_t calculations, calculated_capacity;
    const uint64_t **value; /* of a block with these: its planes, then where they are unknown */
    uint64_t first_time, last_time; /* of its first and last edge that is measured */
    bool any;
    struct cli_window window; /* cycles of it */
    /* -I: of the open interval, how many edges it has, or where it ends */
    uint64_t since, end;
    uint64_t snap_time; /* of its last edge */
};

/* The counts where an interval ended. */
enum { BUS_STATES = PC_BUS_UNKNOWN - PC_BUS_BEAT + 1, BUS_SNAPS = BUS_STATES + 4 };
struct bus_snap {
    uint64_t edges, cycles, count[BUS_SNAPS]; /* states; started, completed, aborted, errors */
    uint64_t time;                            /* of the last of these edges */
};

/* Part of a block, its first cycle in bit 0. */
struct bus_piece {
    uint64_t *plane;
    const uint64_t **value, **unknown;
    size_t bits;
};

struct bus_run {
    const struct bus_options *o;
    const char *path; /* of the waveform: the file, or a copy of what is read once */
    char copy_path[32];
    FILE *copy;
    struct pc_wave *wave;
    struct pc_wave_info info;
    struct bus_item *item;
    size_t items, capacity;
    size_t earlier; /* of the mappings of the map before this one */
    struct bus_stream *stream;
    size_t streams, stream_capacity;
    struct bus_own *own; /* protocols of the map */
    struct rep *report;
    struct cli_progress *progress;
    struct bus_piece piece;
    size_t snaps; /* of all buses */
    /* -I as a time: in time units, and where the first one begins; step 0: it is edges */
    uint64_t step, origin;
    bool unmet;
};

/* Where the signals are that buses were found among. */
struct bus_signal_place {
    size_t var, bits; /* bits: that many variables are its bits, the leftmost first; 0: it is one */
};
struct bus_signals {
    struct pc_bus_signal *signal;
    struct bus_signal_place *place;
    size_t count;
};

/* bus_evidence.c: exit codes.  The path of the waveform, which is read twice. */
int bus_open_input(struct bus_run *run);
int bus_prove(struct bus_run *run, struct pc_bus_list *list, const struct bus_signals *of);

/* bus_proof.c: keeps what was found out. */
bool bus_take_proof(struct bus_item *item, const struct pc_bus_found *found);
void bus_free_proof(struct bus_item *item);
/* It is listed, and not measured. */
bool bus_is_unsure(const struct bus_item *item);
/* Makes the lines that tell of the guesses; one of them, to be free()d; NULL: there is no memory.
 */
bool bus_make_lines(struct bus_run *run);
char *bus_line(const struct bus_item *item, enum bus_line line);
/* Was there a choice? */
bool bus_is_forced(const struct bus_item *item, enum bus_line line);
/* bus_guesses.c: those of all buses, alike ones once; an exit code. */
int bus_put_guesses(const struct bus_run *run, unsigned field);

/* bus_items.c: exit codes. */
int bus_find_items(struct bus_run *run);
/* One more, of zeroes; NULL: there is no memory. */
struct bus_item *bus_add_item(struct bus_run *run);
void bus_free_item(struct bus_item *item);
void bus_free_items(struct bus_run *run);
/* bus_same.c: buses whose signals had the same values all the time become one; an exit code. */
int bus_join_same(struct bus_run *run);
/* Had they the same values as far as was looked? */
bool bus_may_be_same(const struct bus_item *a, const struct bus_item *b);

/* bus_pair.c: roles that pairs are found by, an exit code; what else the bus may be, NULL: nothing;
 * after the run, of the two the one that it is. */
int bus_pair_names(struct bus_run *run);
const struct pc_bus_protocol *bus_pair_other(const struct bus_item *item);
void bus_pair_choose(struct bus_item *item);

/* bus_own.c: the name of a protocol of the map; the expression of a role as a wire; are all names
 * of the bus used?  The block with what is calculated, false: there is no memory. */
const char *bus_own_name(const struct bus_own *own);
int bus_own_take(struct bus_run *run, struct bus_item *item, size_t role, struct pc_bus_wires *out);
int bus_own_check(const struct bus_run *run, const struct bus_item *item);
bool bus_own_block(struct bus_stream *stream, struct pc_wave_block *block);
void bus_own_close_stream(struct bus_stream *stream);
void bus_own_close(struct bus_run *run);

/* bus_map.c: those of the map; an exit code. */
int bus_read_map(struct bus_run *run);

/* bus_read.c: exit codes. */
int bus_bind(struct bus_run *run);
/* Tells an error of a role, or of "clock" ..., at its place in the map. */
int bus_wrong_name(const struct bus_run *run, const struct bus_item *item, const char *role,
                   struct bus_place place, struct pc_error *err);
int bus_measure(struct bus_run *run);

/* bus_intervals.c: a block into all buses of its stream; what is left at the end; the report. */
int bus_check_intervals(struct bus_run *run); /* of the options */
int bus_add_block(struct bus_run *run, const struct pc_wave_block *block);
int bus_end_intervals(struct bus_run *run);
void bus_put_intervals(const struct bus_run *run);
void bus_put_interval_rows(const struct bus_run *run);

/* bus_figures.c */
struct bus_figure {
    const char *part; /* "", "ar", "read", "packets" */
    char name[64];    /* "beat", "latency.p99" */
    struct rep_cell value;
    bool bounded; /* what is open at the end may change it: it will be in these bounds */
    struct pc_bound bound;
};
/* Each of them, with an absent value where there is none; false from `tell` ends it. */
void bus_each_figure(const struct bus_run *run, const struct bus_item *item,
                     bool (*tell)(void *ctx, const struct bus_figure *figure), void *ctx);
/* Returns the period of its clock, in time units. */
double bus_period(const struct bus_run *run, const struct bus_item *item);

/* Returns the first edge of the longest transaction, from the begin of the file. */
uint64_t bus_longest_start(const struct bus_run *run, const struct bus_item *item,
                           const struct pc_bus_longest *longest);

/* bus_notes.c: says since when a bus is stuck. */
enum { BUS_NOTE = 400 };
const char *bus_stuck_text(const struct pc_wave_info *info, uint64_t time, uint64_t edge,
                           char out[BUS_NOTE]);

/* That of its map, else the library's. */
const char *bus_protocol_name(const struct bus_item *item);

/* bus_expect.c */
int bus_check_expectations(struct bus_run *run);
void bus_put_expectations(struct bus_run *run, unsigned field);

/* bus_report.c, bus_text.c, bus_list.c */
enum {
    BUS_WAVEFORM,
    BUS_TIMESCALE,
    BUS_INTERVAL,
    BUS_INTERVAL_TIME,
    BUS_BUSES,
    BUS_FIGURES,
    BUS_INTERVALS,
    BUS_INTERVAL_ROWS,
    BUS_EXPECTATIONS,
    BUS_GUESSES,
    BUS_PARTS,
    BUS_WARNINGS
};
extern const struct rep_def bus_report;
void bus_put(const struct bus_run *run, struct bus_item *item);
/* bus_tell.c */
int bus_tell(struct bus_run *run);
/* Exit codes. */
void bus_list_text(struct bus_run *run, FILE *out);
void bus_list_protocols(FILE *out);

#endif
