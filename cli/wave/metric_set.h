/* SPDX-License-Identifier: MIT */
/*
 * Metrics on the command line: -M NAME, -M 'NAME = FORMULA', --metrics FILE.  The events of
 * their formulas are those of a verb, which finds them, and repeats them where two metrics
 * cannot share one.
 */
#ifndef PC_CLI_METRIC_SET_H
#define PC_CLI_METRIC_SET_H

#include "wave/event_list.h"
#include "pcounter/unstable/plan.h"
#include "pcounter/unstable/metric.h"

enum { CLI_METRIC_FILES = 16 };

/* A text of the command line, or of a line of a file: then the label says where, for errors. */
struct cli_said {
    const char *text, *label; /* label NULL: of the option */
};

/* The metrics of the command line and of files of measurements: -M and --metrics, in order. */
struct cli_metric_options {
    struct cli_said *said;
    size_t texts, capacity;
    const char *file[CLI_METRIC_FILES];
    size_t files;
    const struct pc_metrics *known; /* whose names formulas may also use; or NULL */
};
/* Exit codes. */
int cli_metric_text(struct cli_metric_options *o, const char *label, const char *text);
int cli_metric_file(const char *verb, struct cli_metric_options *o, const char *path);
/* Makes a copy that can grow; cli_metric_options_free() in either case. */
int cli_metric_options_copy(const struct cli_metric_options *from, struct cli_metric_options *out);
void cli_metric_options_free(struct cli_metric_options *o);

/* One that is wanted. */
struct cli_metric {
    const struct pc_metrics *set;
    size_t index;
    struct pc_metric info;
    size_t *event;                 /* of the verb, in the order of info.event[] */
    struct pc_metric_input *input; /* room for what they are */
    bool by_pattern;               /* 'l2_*' alone asks for it */
    char *label; /* where its formula stands in a file, for errors; NULL: by its name */
};

struct cli_metrics {
    struct cli_metric_source {
        struct pc_metrics *set;
        const char *origin; /* path, "-M", "known" */
    } * source;
    size_t sets, set_capacity; /* earlier ones win */
    struct cli_metric *metric;
    size_t count, capacity;
    const struct pc_metrics *known; /* of the options */
};
/* Returns the metrics that formulas may name beside events: those that are wanted, if `own`, and
 * those that are known; free() it.  NULL: no memory. */
struct pc_metric_ref *cli_metric_refs(const struct cli_metrics *m, bool own, size_t *count);

/*
 * Loads files and the formulas that are known for the chip, and finds what -M asks for, without it
 * all of the files; *out is closed by the caller whatever happened.
 */
int cli_metrics_open(const char *verb, const struct cli_metric_options *o, const char *chip,
                     struct cli_metrics *out);
void cli_metrics_close(struct cli_metrics *m);
/* Adds one more set, which is theirs whatever comes; an exit code. */
int cli_metrics_add(struct cli_metrics *m, struct pc_metrics *set, const char *origin);
/* Prints a note for each metric in % whose formula has a factor of 100. */
void cli_metrics_notes(const struct cli_metrics *m);
/* Makes room for the events of a metric that is new; an exit code. */
int cli_metric_room(struct cli_metric *m);
void cli_metric_free_room(struct cli_metric *m);
/* The sets' metrics in order, each name once; false past the end. */
bool cli_metrics_at(const struct cli_metrics *m, size_t i, struct pc_metric *out,
                    const char **origin);

/* Returns where a name is in a formula; NULL: nowhere. */
const char *cli_formula_find(const char *formula, const char *name);
/* Returns the place of a name in a formula, for errors. */
struct cli_place cli_metric_place(const struct cli_metric *m, const char *name);

struct cli_metric_host {
    void *ctx;
    /* The event of that name, or a new one; an exit code. */
    int (*find)(void *ctx, const struct cli_metric *m, const char *name, size_t *event);
    /*
     * NULL, or: may there be an event of that name?  Metrics without one are left out, with a
     * warning, if they were not named but matched by a pattern.
     */
    bool (*knows)(void *ctx, const char *name);
    /* NULL, or: is there an event of that name already? */
    bool (*is_event)(void *ctx, const char *name);
    /* One more event that counts the same. */
    int (*copy)(void *ctx, size_t event, size_t *copy);
    /* All of them as the planner is to see them; every one has a group. */
    struct pc_plan_event *(*events)(void *ctx, size_t *count);
    const struct pc_chip *chip;
    bool free_wires;
};

/* Finds the events of all metrics. */
int cli_metrics_bind(struct cli_metrics *m, const struct cli_metric_host *host);
/*
 * The events of one metric become a group.  Metrics that share events become one group if
 * that fits into a pass; else the later metric gets events of its own.
 */
int cli_metrics_group(struct cli_metrics *m, const struct cli_metric_host *host);
/* Adds to an error of the planner about a group that does not fit into a pass (PC-E1502) the metric
 * that made the group. */
void cli_metrics_hint(const struct cli_metrics *m, struct pc_error *err);

#endif
