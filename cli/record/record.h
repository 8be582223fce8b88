/* SPDX-License-Identifier: MIT */
/*
 * pcounter record, by theme:
 *   cmd_record.c      the verb: help, and the order in which things happen
 *   record_options.c  the command line
 *   record_program.c  events onto selectors, the registers of record mode
 *   record_run.c      one read of the waveform, and the packets that the model sends
 *   record_times.c    times of cycles
 *   record_rows.c     packets to rows: periods, or each packet
 *   record_slots.c    what they are called, and have
 *   record_text.c     text
 *   record_spark.c    ... a line of blocks for each event
 *   record_spread.c   how the rows are spread
 *   record_report.c   the tree
 *   record_tracks.c   what viewers show of them
 *   record_again.c    a report that was read, by the same printers, for `merge`
 *   record_buffer.c   --decode: packets of a buffer
 *   record_names.c    ... and what they counted
 *   record_cut.h      --cut: signals and times as a VCD
 * Events, clock and window are those of pcounter stat; so are states and times of rows.
 */
#ifndef PC_CLI_RECORD_H
#define PC_CLI_RECORD_H

#include "opt/opt.h"
#include "report/report.h"
#include "report/report_tree.h"
#include "stat/stat_interval.h"
#include "text/cells.h"
#include "text/spread.h"
#include "text/table.h"
#include "wave/time_unit.h"

enum {
    RECORD_INPUTS = PC_PACKET_EVENTS, /* PRE_SRC0..3, START_SRC0..3, EVENT_SRC0..3 */
    RECORD_STOPS = 4,                 /* STOP_SRC0..3 */
    RECORD_PINS = RECORD_INPUTS + RECORD_STOPS
};

struct record_options {
    struct stat_options said; /* what it shares with stat */
    /* The waveform or the buffer: event[n] is counted at input n % RECORD_INPUTS of its domain; the
     * expression of --decode's is "" */
    struct stat_job of;
    struct stat_event stop;
    bool packets; /* a row for each packet */
    bool slots; /* reports say where an event is counted: by a chip, or in packets that they show */
    bool spark;
    const char *dump;
    /* --decode */
    bool decode, has_chip, has_packet_format;
    int is_short; /* --packet-format */
    const char *program, *domain;
    double clock_hz; /* 0: not known */
    struct rep_request report;
};
extern const struct opt_line record_line;

/* --- record_options.c --- */

/* Returns an exit code, or -1 to go on. */
int record_parse_options(const struct cli_verb *verb, int argc, char **argv,
                         struct record_options *out);
void record_free_options(struct record_options *o);

/* --- record_program.c --- */

struct record_domain {
    unsigned domain;
    uint8_t raw[RECORD_PINS]; /* signals: of events, then of STOP */
    uint32_t stop_op;         /* address */
};

struct record_plan {
    struct pc_unit *unit;
    struct record_domain domain[PC_MAX_DOMAINS];
    unsigned domains; /* in use */
    uint32_t edges;   /* the same as bits */
    uint32_t gctrl;   /* address */
    /* STOP's sources, wires; or its expression comes in as one signal */
    struct pc_expr_input stop;
    bool stop_derived;
};

/* For reports: all events are counted at once. */
extern const struct stat_plan record_pass;

/* Plans where each event is counted; an exit code. Nothing is run. */
int record_make_plan(struct record_options *o, struct record_plan *plan);
/* Makes the unit, programmed and held by RECORD_RESET; its packets go to `write`. An exit code. */
int record_program(const struct record_options *o, struct record_plan *plan, pc_mem_write_fn *write,
                   void *ctx);

/* --- record_times.c --- */

/* The time of a cycle that comes after those that were read. */
#define RECORD_LATER (UINT64_MAX - 1)

struct record_times {
    bool known;
    bool sampled;                      /* cycle n is at time n */
    const struct pc_wave_block *block; /* that is counted, with the times of its edges */
    struct cli_time_unit unit;
    char scale[32]; /* "10ps", or "" */
    uint64_t rate;  /* samples a second; 0: not sampled, or not known */
};

/* Reads what the times of the waveform are; its blocks have them, unless `sampled`. */
void record_times_open(struct record_times *t, const struct pc_wave *wave,
                       const struct pc_wave_clock *clock);
/* Returns a time of the present block in time units, or RECORD_LATER. */
uint64_t record_time_of(const struct record_times *t, uint64_t cycle);

/* --- record_rows.c --- */

enum record_kind {
    RECORD_PERIOD, /* up to a STOP */
    RECORD_PACKET, /* with --packets */
    RECORD_REST    /* after the last STOP: in no packet, or not in one with a STOP */
};

struct record_count {
    uint64_t value, tainted;
    enum stat_state state;
};

struct record_row {
    enum record_kind kind;
    struct stat_interval when;
    uint64_t ticks;  /* when.time in time units of the waveform */
    unsigned domain; /* of a packet */
    uint64_t stops;
    enum stat_state stop_state;
    const struct record_count *count; /* of each event */
};

/* A row that ends when a cycle begins that is not read yet. */
struct record_late {
    struct record_row row;
    uint64_t first, end, from; /* cycles, and the time of the first */
    struct record_count *count;
};

struct record_spark;
struct record_tracks;

struct record_sheet {
    struct rep *rep;
    FILE *page; /* text; NULL: not wanted */
    const struct record_options *o;
    struct stat_job *of;                       /* the same one's: its events get the sums */
    struct record_times *times;                /* NULL: those of --clock-hz, if it was given */
    uint32_t domains;                          /* bits */
    struct record_count *count, *sum;          /* of each event: of the open row, of all */
    struct record_spark *spark;                /* NULL: not wanted */
    struct record_tracks *tracks[REP_OUTPUTS]; /* for viewers */
    /* of the cycles, then of each event: */
    struct pc_dist **dist;
    enum stat_state *worst;
    struct cli_spread *spread;    /* in the end */
    uint64_t begin;               /* the first cycle of all: packets count from there */
    uint64_t first, first_time;   /* of the open period */
    uint64_t stops, stop_tainted; /* of the open row */
    uint32_t closed;              /* domains whose packet with the STOP has come */
    uint64_t end[PC_MAX_DOMAINS], time[PC_MAX_DOMAINS]; /* after the domain's last packet */
    uint64_t rows, packets, bytes;
    size_t reports;               /* that are added up in it; 0: it is of a run */
    const struct rep_tree *parts; /* of waveforms, that are in it; NULL: not said */
    struct record_late *late;     /* rows that are completed by the next block */
    size_t lates, late_capacity;
    bool begun;       /* something was printed */
    bool partial;     /* interrupted: the last row is not whole */
    bool has_rest;    /* a row of that kind was told */
    int code;         /* of the first thing that went wrong */
    bool has_domains; /* it is known which: not of a buffer by itself */
    /* text */
    bool lines;    /* a line for each event instead of a column */
    bool has_time; /* ... in this unit */
    const char *unit;
    int exponent, decimals;
    struct cli_table *table;
    bool seen[STAT_LOST + 1]; /* states that have one */
};

/* How much of a packet's counts depends on unknown values: each event of its domain, and STOP. */
struct record_unknown {
    const uint64_t *tainted; /* by input; NULL: none does */
    uint64_t stop;
};

/* Exit codes. */
int record_sheet_open(struct record_sheet *s, struct rep *rep, struct record_options *o,
                      struct record_times *times, uint32_t domains);
/* The cycle with which it begins, if that is not 0. */
void record_sheet_begin(struct record_sheet *s, uint64_t first);
/* Completes rows that wait for the time of the next cycle; UINT64_MAX: there is no such cycle. */
void record_sheet_know(struct record_sheet *s, uint64_t time);
void record_sheet_close(struct record_sheet *s);
/* Adds a row that is known already, of which `when` has the cycles alone; `to`: the time of its
 * end, or UINT64_MAX. */
void record_sheet_row(struct record_sheet *s, struct record_row *row, uint64_t to);
/* In the order of time. */
void record_sheet_packet(struct record_sheet *s, unsigned domain, const struct pc_packet *packet,
                         const struct record_unknown *unknown);
/* Adds counts that no packet of the run has, in a packet that the model was made to send. */
void record_sheet_rest(struct record_sheet *s, unsigned domain, const struct pc_packet *packet,
                       const struct record_unknown *unknown);
/* Adds the row after the last STOP, if it has a cycle. */
void record_sheet_leave(struct record_sheet *s);
/* After the last row; `cycles` in all.  CLI_LIMIT: there was no memory for a line, as told. */
int record_sheet_end(struct record_sheet *s, uint64_t cycles);
/* Instead where an error ended them: JSON that has begun is whole all the same. */
void record_sheet_cut(struct record_sheet *s, uint64_t cycles);

/* --- record_slots.c --- */

/* Returns the name of a column: cycles, then events. */
const char *record_column(const struct record_sheet *s, size_t column);
/* Returns "PRE[0]". */
const char *record_slot(size_t input);
/* Events of a row: all, or those of the packet's domain. */
bool record_in_row(const struct record_sheet *s, const struct record_row *row, size_t event);

/* --- record_spark.c --- */

bool record_spark_open(struct record_sheet *s); /* false: no memory */
void record_spark_close(struct record_sheet *s);
void record_spark_add(struct record_sheet *s, const struct record_row *row);
int record_spark_print(const struct record_sheet *s); /* an exit code */

/* --- record_text.c --- */

void record_text_begin(struct record_sheet *s);
void record_text_row(struct record_sheet *s, const struct record_row *row);
void record_text_end(struct record_sheet *s, const struct stat_result *result);

/* --- record_spread.c --- */

bool record_spread_open(struct record_sheet *s); /* false: no memory */
void record_spread_close(struct record_sheet *s);
void record_spread_add(struct record_sheet *s, const struct record_row *row);
/* After the last row; an exit code. */
int record_spread_end(struct record_sheet *s);
int record_spread_print(const struct record_sheet *s); /* an exit code */

/* --- record_report.c --- */

#define RECORD_EDGES "posedge", "negedge", "every", "period" /* by enum pc_edge */
/* By enum record_kind, by enum stat_state. */
extern const char *const record_kinds[], *const record_states[];
extern const struct rep_def record_report;
/* Keeps the report but for its rows, for text; an exit code. */
int record_report_keep(struct rep *rep);
void record_report_begin(const struct record_sheet *s);
void record_report_row(const struct record_sheet *s, const struct record_row *row);
void record_report_end(const struct record_sheet *s, const struct stat_result *result);

/* --- record_tracks.c --- */

/* An exit code: rows whose times the format cannot have. */
int record_tracks_check(const struct record_options *o, const struct record_times *times,
                        enum timeline_format format);
/* NULL: no memory */
struct record_tracks *record_tracks_open(const struct record_sheet *s, FILE *out,
                                         enum timeline_format format);
void record_tracks_add(struct record_tracks *t, const struct record_sheet *s,
                       const struct record_row *row);
/* After the last one; the events have the sums. */
void record_tracks_end(struct record_tracks *t, const struct record_sheet *s,
                       const struct stat_result *result);
void record_tracks_close(struct record_tracks *t);

/* --- record_run.c --- */

/* The waveform is open and its names are bound; rows go to `rep`, packets to `dump` (NULL:
 * nowhere). *partial: Ctrl-C, or the reader has gone.  An exit code. */
int record_run(struct record_options *o, struct record_plan *plan, struct stat_wires *wires,
               const struct pc_wave_clock *clock, struct rep *rep, FILE *dump, bool *partial);

/* --- record_buffer.c, record_names.c --- */

int record_decode(struct record_options *o);
/* Finds the events of a buffer, from --program or as PRE[0] and so on; an exit code. */
int record_find_names(struct record_options *o);

/* --- record_again.c --- */

/* Writes a report that was read, or the sum of some, with the rows as they are when a cut row is
 * one again; an exit code. */
int record_again(struct rep *rep, struct rep_tree *root, const char *path, size_t reports);

#endif
