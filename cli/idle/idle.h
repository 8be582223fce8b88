/* SPDX-License-Identifier: MIT */
/*
 * pcounter idle, by theme:
 *   cmd_idle.c       the verb: help, and the order in which things happen
 *   idle_options.c   the command line; idle_error.c what is wrong with it
 *   idle_words.c     files, numbers and names, for all of them
 *   idle_parse.c     counters, windows, governors as text
 *   idle_map.c       maps: expressions for the idle wires, the clock
 *   idle_script.c    a script of levels in place of a waveform
 *   idle_counters.c  meters onto hardware counters, passes, polls
 *   idle_run.c       clocks and windows; idle_dvfs.c a governor on them
 *   idle_report.c    for programs; idle_text.c text; idle_tracks.c for viewers
 */
#ifndef PC_CLI_IDLE_H
#define PC_CLI_IDLE_H

#include "cli.h"
#include "report/report.h"
#include "wave/read_options.h"
#include "opt/opt.h"
#include "wave/span.h"

#define IDLE_COUNTERS 8  /* of one chip at most */
#define IDLE_ENGINES  32 /* bits of COUNTER_SIGNALS */
#define IDLE_PASSES   16
#define IDLE_METERS   (IDLE_COUNTERS * IDLE_PASSES)

enum idle_x { IDLE_X_TAINT, IDLE_X_ZERO, IDLE_X_ONE, IDLE_X_ERROR };
enum idle_state { IDLE_EXACT, IDLE_TAINTED, IDLE_WRAPPED, IDLE_SATURATED, IDLE_UNMEASURED };

/* Where a piece of text stands, for carets: an argument, or a line of a file. */
struct idle_place {
    const char *label; /* "--map", or the file */
    const char *text;  /* the argument or the whole file */
    uint32_t line;
    uint32_t offset; /* of the piece in its line */
};

/* An engine of the chip whose idle wire has a source. */
struct idle_engine {
    unsigned bit;
    char name[24]; /* "GR" */
    char *text;    /* the expression; NULL in a script */
    struct idle_place place;
    struct pc_expr *expr;
};

struct idle_counter {
    bool used;
    uint32_t mask;
    enum pc_idle_mode mode;
};

struct idle_window {
    const char *text; /* as given; NULL: the whole trace */
    bool in_clocks;
    uint64_t number; /* of clocks, or of units without the point; not 0 */
    struct cli_span span;
    const char *unit; /* "us" */
    int decimals;     /* digits of the number after its point */
    uint64_t ticks;   /* in time steps of the waveform, once that is known */
};

struct idle_step {
    uint32_t word;
    uint64_t clocks;
};

struct idle_options {
    const struct pc_chip *chip;
    bool chip_given;
    const char *path; /* of the waveform or the script */
    bool script;
    const char *clock;
    struct rep_request report;
    int x;         /* enum idle_x */
    int post_edge; /* --sample */
    bool sample;   /* it was given */
    bool exact;
    bool every; /* the clock is `sample`: there is no edge */
    bool periodic;
    bool live; /* a pipe: rows go out when they are known */
    uint32_t max_windows;
    struct cli_read_options read;
    /* arguments that wait until the chip is known */
    struct opt_texts map_args, counter_args, option_args;
    const char *governor_arg, *levels_arg, *start_arg, *recorded_arg;

    struct idle_engine engine[IDLE_ENGINES];
    size_t engines;
    uint32_t mapped; /* wires of the engines */
    struct idle_counter counter[IDLE_COUNTERS];
    bool own_counters; /* given by the user or the script */
    struct idle_window window;
    bool governed;
    struct pc_governor governor;
    struct pc_governor_state start;
    uint32_t recorded; /* level at which the trace was recorded */
    bool absent_idle;  /* wires without a source read 1 */
    bool cleared_rule, saturate;
    /* texts of files that places point into */
    char **file_text;
    size_t file_texts;
    struct opt_texts
        script_options; /* NAME=VALUE of a script, which come before those of the call */
    struct idle_step *step;
    size_t steps, steps_capacity;
};
extern const struct opt_line idle_line;
/* Option i of the model, NAME=VALUE; NULL past the end. */
const char *idle_option_at(const struct idle_options *o, size_t i);

/* One hardware counter that is in use. */
struct idle_meter {
    char name[24]; /* "busy", "total", "C3", "GR" */
    int engine;    /* or -1 */
    unsigned pass, counter;
    uint32_t mask;
    enum pc_idle_mode mode;
    uint32_t last, base; /* COUNT when it was last looked at, and at the last poll */
    /* of the current window, model side */
    uint64_t clocks, tainted;
    /* at the poll that ended it, as the driver sees it */
    uint32_t value;
    enum idle_state state;
    uint64_t sum; /* over all windows */
};

struct idle_plan {
    struct idle_meter meter[IDLE_METERS];
    size_t meters;
    unsigned passes;
    struct pc_idle *unit[IDLE_PASSES];
    int base[IDLE_PASSES]; /* meter of the pass's time base, -1: none */
    int busy, total;       /* meters of the driver; -1: none */
    uint64_t unsampled;    /* clocks since the counters were last looked at */
};

/* One window, when it is over. */
struct idle_result {
    uint64_t number;     /* from 1 */
    uint64_t start, end; /* clocks, or time steps of the waveform */
    uint64_t clocks;
    bool whole;
    /* governor */
    bool decided;
    uint32_t load, average, level, next;
    uint64_t lost, saved;
};

struct idle_totals {
    uint64_t windows, clocks;
    bool interrupted, failed, cut; /* cut: the last window is not whole */
    uint64_t level_windows[PC_GOVERNOR_LEVELS], level_clocks[PC_GOVERNOR_LEVELS];
    uint64_t work, lost, saved, capacity;
    uint64_t wrapped, tainted; /* readings */
};

/* The wires that the maps look at. */
struct idle_wires {
    struct pc_wave *wave;
    struct pc_wave_bit *bit;
    size_t count, capacity;
};

struct idle_report {
    struct rep *rep;
    FILE *file;              /* of the text; NULL: not wanted */
    struct cli_table *table; /* ... its windows */
    const struct idle_options *o;
    const struct idle_plan *plan;
    char unit[24]; /* of starts and ends: "clock", "1ns" */
    bool begun;    /* the head goes out with the first window: not before an early error */
    struct timeline_axis axis;
    uint64_t rate;                           /* samples a second, if starts are samples; else 0 */
    struct idle_tracks *tracks[REP_OUTPUTS]; /* for viewers; NULL: no more of them */
};

/* --- idle_error.c: an exit code --- */
int idle_fail(unsigned code, const struct idle_place *place, uint32_t column, const char *hint,
              const char *fmt, ...) PC_PRINTF(5, 6);
/* An error of the library in a piece of text. */
int idle_library_error(const struct pc_error *err, const struct idle_place *place);

/* --- idle_options.c; an exit code, or -1 to go on --- */
int idle_parse_options(const struct cli_verb *verb, int argc, char **argv, struct idle_options *o);
void idle_free_options(struct idle_options *o);

/* --- idle_words.c --- */
extern const char *const idle_state_names[];
extern const char *const idle_mode_names[];
extern const char *const idle_x_names[];
/* "pre-edge", "post-edge" or "every", as of pcounter stat. */
const char *idle_sampling(const struct idle_options *o);
/* A whole file with a NUL after it, kept in o->file_text; an exit code. */
int idle_read_file(struct idle_options *o, const char *path, char **text);
/* Decimal digits only. */
bool idle_parse_u64(const char *text, size_t length, uint64_t *out);
/* Returns the part of a whole that is not 0, in hundredths of a percent. */
uint64_t idle_hundredths(uint64_t part, uint64_t whole);
/* part / whole as percent with two decimals, "" if whole is 0; a ring of buffers. */
const char *idle_percent(uint64_t part, uint64_t whole);
/* "GR" without "_IDLE" for a bit of the chip; "" if it has none. */
void idle_wire_name(const struct pc_chip *chip, unsigned bit, char *out, size_t size);
/* "GR|PCOPY2" */
void idle_mask_text(const struct pc_chip *chip, uint32_t mask, char *out, size_t size);

/* --- idle_parse.c: an exit code --- */
int idle_parse_counters(struct idle_options *o);
int idle_parse_window(const char *text, struct idle_window *out);
/* The window in time steps of the waveform; NULL: a script. */
int idle_scale_window(struct idle_window *w, const struct pc_wave_info *info);
int idle_parse_governor(struct idle_options *o);
/* Notes options of the model that the verb itself needs; the model checks them. */
void idle_note_options(struct idle_options *o);

/* --- idle_map.c: an exit code --- */
int idle_parse_maps(struct idle_options *o);
int idle_compile_maps(struct idle_options *o, struct idle_wires *wires);
int idle_find_clock(struct pc_wave *wave, const char *text, struct pc_wave_clock *out);

/* --- idle_script.c: an exit code --- */
int idle_load_script(struct idle_options *o);

/* --- idle_counters.c --- */
int idle_make_plan(struct idle_options *o, struct idle_plan *plan);
int idle_create(const struct idle_options *o, struct idle_plan *plan);
/* Notes on what the counters look at. */
void idle_note_plan(const struct idle_options *o, const struct idle_plan *plan);
void idle_destroy(struct idle_plan *plan);
/* Clocks with constant wires; cost does not depend on how many. */
void idle_advance(struct idle_plan *plan, uint32_t word, uint64_t clocks);
/* Reads the counters and clears them, as the driver does; fills in the meters. */
void idle_poll(const struct idle_options *o, struct idle_plan *plan);
/* The meter that holds all clocks of this meter's pass. */
const struct idle_meter *idle_total_of(const struct idle_plan *plan, const struct idle_meter *m);

/* --- idle_run.c --- */
int idle_run_wave(const struct idle_options *o, struct idle_plan *plan, struct idle_wires *wires,
                  const struct pc_wave_clock *clock, struct idle_report *report,
                  struct idle_totals *totals);
int idle_run_script(const struct idle_options *o, struct idle_plan *plan,
                    struct idle_report *report, struct idle_totals *totals);

/* --- idle_dvfs.c --- */
/* The end of window w: what its level cost, and the level from now on; an exit code. */
int idle_govern(const struct idle_options *o, const struct idle_plan *plan,
                struct pc_governor_state *state, struct idle_totals *t, struct idle_result *w);
/* A sum that stops at UINT64_MAX. */
uint64_t idle_add(uint64_t a, uint64_t b);

/* --- idle_report.c --- */
extern const struct rep_def idle_report_def;
void idle_report_window(struct idle_report *r, const struct idle_result *w);
int idle_report_end(struct idle_report *r, const struct idle_totals *t);

/* --- idle_tracks.c --- */
struct idle_tracks;
/* Finds the axis of starts and ends; info: NULL for a script. */
void idle_find_axis(struct idle_report *r, const struct pc_wave_info *info);
/* An exit code: times that the format cannot have. */
int idle_check_axis(const struct idle_report *r, enum timeline_format format);
/* NULL: no memory. */
struct idle_tracks *idle_tracks_open(const struct idle_report *r, enum timeline_format format,
                                     FILE *out);
void idle_tracks_add(struct idle_tracks *t, const struct idle_result *w);
void idle_tracks_end(struct idle_tracks *t, const struct idle_totals *totals);
void idle_tracks_close(struct idle_tracks *t);

/* --- idle_text.c --- */
/* A column of its own: engines, and counters that are neither busy nor total. */
bool idle_has_column(const struct idle_plan *plan, size_t meter);
void idle_text_begin(struct idle_report *r);
void idle_text_window(const struct idle_report *r, const struct idle_result *w);
int idle_text_end(struct idle_report *r, const struct idle_totals *t);

#endif
