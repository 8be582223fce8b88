/* SPDX-License-Identifier: MIT */
/* The summary of `pcounter info`, and the forms it is printed in. */
#ifndef PC_CLI_INFO_H
#define PC_CLI_INFO_H

#include "cli.h"
#include "report/report.h"
#include "wave/clock_evidence.h"
#include "wave/wave_bits.h"

struct cli_progress;

/* A signal that is a reset by its name, active at 0 if `low`. */
struct info_reset {
    size_t var;
    uint32_t code;
    bool low;
};

/* An open waveform, and what a scan of it found. */
struct info_summary {
    const char *file;
    struct pc_wave *wave;
    struct cli_progress *progress;
    struct pc_wave_info info;
    struct pc_wave_totals totals;
    struct pc_var_activity *activity;
    struct cli_suggestions found;
    struct cli_clock_evidence evidence; /* no clock: it cannot be had */
    struct info_reset *reset;           /* in the order of the file, a value stream once */
    size_t resets, reset_capacity;
};

void info_print_text(FILE *f, const struct info_summary *s);
const char *info_format_name(enum pc_wave_format format);
/* 0 if the time unit is unknown. */
double info_nanoseconds(const struct pc_wave_info *info, uint64_t time);
const char *info_name_of(const struct pc_wave *wave, size_t var);
/* Finds the event variable from number *at on; false: there is none. */
bool info_next_event(const struct info_summary *s, size_t *at, struct pc_wave_var *v);
uint64_t info_triggers(const struct info_summary *s, const struct pc_wave_var *v);
/* Returns the period of a clock with an edge at every timestamp; NULL: --clock sample is that, or
 * none is. */
const char *info_period_text(const struct info_summary *s, char out[48]);

/* --- info_report.c --- */

extern const struct rep_def info_report, info_vars_report;
void info_put(struct rep *r, const struct info_summary *s);
/* false: no memory. */
bool info_put_var(struct rep *r, const struct cli_wave_vars *at, const struct pc_wave_var *v);

#endif
