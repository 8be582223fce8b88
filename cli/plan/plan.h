/* SPDX-License-Identifier: MIT */
/*
 * pcounter plan, by theme:
 *   cmd_plan.c      the verb: options, help, and the order in which things happen
 *   plan_events.c   the list of events: names, domains, sums, flags
 *   plan_names.c    texts that are kept, names of signals
 *   plan_rows.c     events that are known configurations of a chip
 *   plan_mux.c      registers in front of the signals
 *   plan_text.c     the plan for people
 *   plan_tree.c     ... and for programs
 */
#ifndef PC_CLI_PLAN_H
#define PC_CLI_PLAN_H

#include "opt/opt.h"
#include "pcounter/unstable/plan.h"
#include "report/report.h"

enum { PLAN_SLOTS = PC_PLAN_SLOTS, PLAN_NEXT = 16 };

struct plan_event {
    char *name;
    char *text;             /* what it counts, in words: the expression, or that of its table */
    struct cli_place place; /* of what is parsed */
    unsigned group, slots;
    size_t origin; /* itself, or the event that it repeats for the sake of a metric */
    bool anywhere; /* looks at no signal: any domain can count it */
    unsigned domain;
    struct pc_expr *expr, *setflag, *clrflag;
    unsigned sum_bits;
    uint32_t sum[PC_SUM_BITS];
    struct pc_plan_fixed *fixed; /* a known configuration that takes several counters */
    struct pc_expr *input[PLAN_SLOTS];
    struct pc_plan_mux *mux;
    size_t muxes, muxes_capacity;
    char *unset; /* groups of sources without a value: "g84_vfetch", blanks between them */
};

/* The options before an -e, which apply to its events. */
struct plan_next {
    const char *domain; /* NULL: where the names are */
    const char *setflag, *clrflag;
    const char *mux[PLAN_NEXT];
    size_t muxes;
    bool used;  /* an -e took it: the next of its options begins anew */
    bool moved; /* --domain stands after the last -e */
};

struct plan_list { /* one -e */
    const char *text;
    struct plan_next next;
};

/* The options of the call. */
struct plan_options {
    const struct pc_chip *chip;
    const char *swap;
    struct rep_request report;
    bool writes;
    uint32_t max_passes; /* 0: any number */
    struct cli_name_files signals;
    struct plan_next next; /* what stands after the last -e */
    struct plan_list *list;
    size_t lists, lists_capacity;
    struct cli_metric_options metrics;
};

struct plan_job {
    const struct plan_options *o;
    const struct pc_chip *chip; /* of the options */
    struct pc_names *names;
    bool domain_taken; /* by an event of a metric: the last --domain */
    struct cli_metrics metrics;
    const struct plan_next *now; /* of the list that is read */
    struct plan_event *event;
    size_t events, events_capacity;
    unsigned groups;
    char **kept; /* texts that live as long as the job */
    size_t kepts, kept_capacity;
    struct pc_plan_event *planned; /* the events for the planner */
    size_t planned_count, planned_capacity;
    struct pc_plan *plan;
};

/* All of them return exit codes, and have said what is wrong. */

/* --- plan_names.c --- */

/* A text that lives as long as the job; NULL if memory runs out. */
const char *plan_keep(struct plan_job *j, const char *text);
/* Writes the name of signal `position` of the domain. */
void plan_signal_name(const struct plan_job *j, unsigned domain, unsigned position, char *out,
                      size_t size);

/* --- plan_events.c --- */

int plan_read_list(struct plan_job *j, const struct plan_list *list);
/* For cli_metrics_bind(): the event of that name, a known configuration, or a signal. */
int plan_find_event(void *ctx, const struct cli_metric *m, const char *name, size_t *event);
/* Is the name in question more than one that the vendor's profiler lists? */
bool plan_knows_event(void *ctx, const char *name);
int plan_copy_event(void *ctx, size_t event, size_t *copy);
/* Events that are not in j->planned yet as the planner is to see them. */
int plan_request(struct plan_job *j);

/* --- plan_rows.c --- */

/* Is there a known configuration of that name for the chip? */
bool plan_find_row(const struct pc_chip *chip, const char *name, struct pc_metric_row *out);
int plan_take_row(struct plan_job *j, struct plan_event *e, const struct pc_metric_row *row);

/* --- plan_mux.c --- */

/* "0x400c0c=0x1; MPC.PM_GROUP_SEL[11]=1", settings with blanks or semicolons between them. */
int plan_take_settings(struct plan_job *j, struct plan_event *e, const char *settings);
/* REG=VALUE or REG=VALUE/MASK of --mux. */
int plan_take_mux(struct plan_job *j, struct plan_event *e, const char *argument);
/* --mux is about registers that the plan does not write itself. */
int plan_check_muxes(const struct plan_job *j);
/* Bits of its register, with bit 31 where that has to be set as well. */
uint32_t plan_source_mask(const struct pc_source *s);
/* Adds the multiplexer settings that a signal needs. */
int plan_mux_of_signal(struct plan_job *j, struct plan_event *e, unsigned position);

/* --- plan_text.c, plan_tree.c --- */

extern const struct rep_def plan_report;
void plan_print(FILE *out, const struct plan_job *j);
int plan_put(struct rep *r, const struct plan_job *j);
/* Registers of source groups that events of a pass need and that have no value. */
bool plan_unset_at(const struct plan_job *j, size_t pass, size_t i, struct pc_source *out);

#endif
