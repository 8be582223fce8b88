/* SPDX-License-Identifier: MIT */
/* What a call of pcounter stat asks for. */
#ifndef PC_CLI_STAT_OPTIONS_H
#define PC_CLI_STAT_OPTIONS_H

#include "wave/event_list.h"
#include "pcounter/unstable/plan.h"
#include "wave/expectation.h"
#include "wave/metric_set.h"
#include "wave/only_clock.h"
#include "wave/read_options.h"
#include "text/quantity.h"
#include "opt/opt_wave.h"
#include "stat_measure.h"
#include "wave/goto.h"
#include "report/report.h"
#include "text/signal_names.h"
#include "timeline/timeline.h"
#include "wave/span.h"

#define STAT_SLOTS 4                /* PRE, START, EVENT, STOP */
#define STAT_PINS  (4 * STAT_SLOTS) /* selectors of a domain */

#define STAT_MOST_EVENTS                                                                           \
    16384 /* each of which is compared with all others, and has its planes with -I */

enum { STAT_BINDS = PC_MAX_DOMAINS };

/* --bind DOMAIN=VECTOR: the vector's lowest bit is signal 0 of the domain. */
struct stat_bind {
    const char *argument;
    unsigned domain;
    struct pc_wave_bit bit[PC_MAX_SIGNALS];
    size_t bits;                 /* of the vector, perhaps more */
    uint64_t told[PC_SIG_WORDS]; /* suspect names that the user was told of */
};

struct stat_binds {
    struct stat_bind bind[STAT_BINDS];
    size_t count;
    struct cli_name_files files; /* --signals */
    const struct pc_chip *chip;
    struct pc_names *names;
};

/* An event of -e or -f. */
struct stat_asked {
    char *name, *text;
    struct cli_place place;
    unsigned group, slots, clock; /* as in struct stat_event */
    const char *at;               /* @CLOCK in the argument; NULL: none was given */
    size_t at_size;
    struct cli_place at_place;
};

enum { STAT_CLOCKS = 16 };

struct stat_filter;

/* [NAME=]CLOCK of -c or -f. */
struct stat_asked_clock {
    const char *label, *argument;
    const char *text; /* of the argument, after NAME= */
    char *name;       /* or the text */
    bool named;
};

/* The options of the call, which do not change once they have been read. */
struct stat_options {
    const struct cli_verb *verb; /* whose help -h shows */
    const struct pc_chip *chip;  /* -a */
    struct rep_request report;
    bool page_is_seen;               /* text goes to standard output */
    const char *clock, *clock_label; /* the first; NULL: none was given; the label: for errors */
    struct stat_asked_clock asked_clock[STAT_CLOCKS]; /* of -c, or without it of -f */
    size_t clocks, line_clocks;                       /* all; of -c */
    char **kept;                                      /* texts of -f */
    size_t kept_count, kept_capacity;
    struct opt_texts measure_files; /* -f */
    struct stat_asked *event;
    size_t events, events_capacity;
    unsigned groups;
    int x;           /* OPT_X_TAINT, ... */
    int post_edge;   /* --sample */
    bool sample;     /* it was given */
    uint64_t period; /* cycles between two swaps */
    struct cli_metric_options metric_options;
    struct cli_expectations expect; /* texts alone */
    struct stat_measures measures;  /* what is asked for */
    struct stat_binds binds;        /* arguments alone */
    bool multiplex, explain;
    int step;            /* --engine step: pc_unit_step() alone, whatever there is that is faster */
    uint64_t slice;      /* with --multiplex: cycles of a pass before the next one's turn */
    uint64_t max_passes; /* 0: as many as it takes */
    const char *of_events; /* an option that does nothing where no event is counted; NULL: none */
    const char *of_chip;   /* one that only counters of a chip have; NULL: none */
    unsigned threads;
    struct cli_window window; /* --from, --to */
    struct cli_span interval; /* -I */
    struct cli_goto go;
    struct cli_read_options read;
    const char *description, *scope, *map; /* --core FILE, and where its names are; or NULL */
    const struct pc_hpm_config *config;    /* --core NAME: the description is that of this core */
    const struct pc_hpm_profile *profile;  /* ... by this; NULL: rtl */
    char **paths;                          /* waveforms */
    size_t files;
    bool keep_going; /* past a waveform that cannot be counted */
};

#endif
