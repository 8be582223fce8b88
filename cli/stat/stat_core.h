/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat --core: events of a CVA6 core, by theme:
 *   stat_core.c          the command line
 *   stat_core_run.c      windows, and the events in them, over one read
 *   stat_core_report.c   what is told
 */
#ifndef PC_CLI_STAT_CORE_H
#define PC_CLI_STAT_CORE_H

#include "core/core.h"
#include "opt/opt.h"
#include "report/report.h"
#include "wave/span.h"

#define STAT_CORE_COUNTERS (PC_HPM_LAST - PC_HPM_FIRST + 1)

struct stat_core_options {
    struct core_options core;
    const struct cli_verb *verb; /* whose help -h shows */
    struct rep_request report;
    const struct pc_hpm_event *event[PC_HPM_EVENTS]; /* each once */
    size_t events;
    struct cli_window window; /* --from, --to */
    struct cli_read_options read;
    bool list;          /* -e help */
    bool instructions;  /* -e minstret, or another name of it */
    bool while_enabled; /* windows in which mcountinhibit is 0 */
};

/* The counts of one window. */
struct stat_core_window {
    uint64_t first, end;           /* edges; clocks outside of the window may lie between */
    uint64_t edges;                /* that count */
    uint64_t unknown;              /* those of them in which an unknown wire was taken as 0 */
    uint64_t cycles;               /* mcycle: without debug mode */
    uint64_t instructions;         /* minstret */
    uint64_t value[PC_HPM_EVENTS]; /* by place in the list of events */
};

struct stat_core_result {
    struct stat_core_window *window;
    size_t windows, capacity;
    struct stat_core_window all;
    uint64_t other[PC_HPM_EVENTS]; /* what the other profile would have counted in all of them */
    const struct pc_hpm_profile *other_profile;
    uint32_t quirks; /* in force */
    bool has_instructions;
};

extern const struct opt_line stat_core_line;
int stat_core(const struct cli_verb *verb, int argc, char **argv);

/* An exit code. */
int stat_core_run(const struct stat_core_options *o, struct core *c, struct stat_core_result *out);
/* --- stat_core_report.c --- */

extern const struct rep_def stat_core_def, stat_core_events_def;
/* An exit code. */
int stat_core_report(struct rep *rep, const struct stat_core_options *o, const struct core *c,
                     const struct stat_core_result *r);
/* Prints the list of events for `-e help`; returns an exit code. */
int stat_core_list(const struct stat_core_options *o);

#endif
