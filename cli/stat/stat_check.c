/* SPDX-License-Identifier: MIT */
/* Options of pcounter stat that do not go together, and files that are not there. */
#include "stat_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int stat_check_clock(const char *verb, const struct stat_options *o)
{
    return o->clock
               ? CLI_OK
               : cli_usage(verb,
                           "cycles of which clock? Name it with --clock, like --clock top.clk; "
                           "`pcounter info FILE` names the clocks of a waveform");
}

/* Several are all there: a stray word is more often a part of an expression than a file. */
static int check_paths(const struct stat_options *o)
{
    struct stat info;

    for (size_t i = 0; i < o->files && o->files > 1 && !o->keep_going; i++)
        if (strcmp(o->paths[i], "-") != 0 && stat(o->paths[i], &info) != 0)
            return cli_usage("stat", "file not found: \"%s\" (quote an expression with blanks)",
                             o->paths[i]);
    return CLI_OK;
}

/* A table is read again for each waveform. */
static int check_dashes(const struct stat_options *o)
{
    unsigned tables = cli_dashes(o->measure_files.text, o->measure_files.count) +
                      cli_dashes(o->metric_options.file, o->metric_options.files) +
                      cli_dashes(o->binds.files.path, o->binds.files.count) +
                      cli_dashes(o->measures.names.text, o->measures.names.count);

    return cli_check_dashes("stat", tables * (unsigned)(o->files > 1 ? 2 : 1) +
                                        cli_dashes((const char *const *)o->paths, o->files));
}

/* Returns the first request that needs the counters of a chip; NULL if there is none. */
static const char *of_counters(const struct stat_options *o)
{
    static const char *const pins[] = { ":PRE", ":START", ":EVENT", ":STOP" };

    for (size_t n = 0; n < o->events; n++) {
        if (o->event[n].slots)
            return pins[__builtin_ctz(o->event[n].slots)];
        if (n > 0 && o->event[n].group == o->event[n - 1].group)
            return "{a,b}";
    }
    return o->of_chip;
}

/* More events than a plan takes are told at the first of them. */
static int check_chip(const struct stat_options *o)
{
    const char *what = o->chip ? NULL : of_counters(o);

    if (what)
        return cli_usage("stat",
                         "%s is about the counters of a chip, and none is asked for: -a names one, "
                         "like -a GT215",
                         what);
    return o->chip && o->events > PC_PLAN_EVENTS
               ? stat_too_many(&o->event[PC_PLAN_EVENTS].place, PC_PLAN_EVENTS)
               : CLI_OK;
}

int stat_check_events(const struct stat_options *o, size_t events)
{
    if (events > 0 || o->measures.count > 0 || !o->of_events)
        return CLI_OK;
    return cli_usage("stat", "%s is about events, and none is counted: -e or -M names some",
                     o->of_events);
}

/* Refuses a timeline without the intervals of one waveform by its times. */
static int check_timeline(const struct stat_options *o, enum timeline_format format)
{
    if (format == TIMELINE_NONE || (format == TIMELINE_HTML && !o->interval.text))
        return CLI_OK;
    if (format != TIMELINE_HTML && o->interval.in_cycles)
        return cli_usage("stat",
                         "--format %s has the counts of intervals by their times: give -I with a "
                         "unit, like -I 10us; --format html can also draw cycles",
                         timeline_name(format));
    if (!o->interval.text)
        return cli_usage("stat",
                         "--format %s has the counts of intervals by their times: give -I with a "
                         "unit, like -I 10us",
                         timeline_name(format));
    if (o->keep_going)
        return cli_usage("stat", "--keep-going is about reports in text, csv, json and jsonl");
    if (o->files > 1)
        return cli_usage("stat", "--format %s has the intervals of one waveform, not of %zu",
                         timeline_name(format), o->files);
    return CLI_OK;
}

static int check_explain(const struct stat_options *o)
{
    const struct rep_request *q = &o->report;

    for (size_t i = 0; o->explain && i < q->outputs; i++)
        if (!rep_is(q, i, "text") && !rep_is(q, i, "json") && !rep_is(q, i, "jsonl"))
            return cli_usage("stat", "--explain is for --format text, json and jsonl");
    return CLI_OK;
}

static int check_outputs(const struct stat_options *o)
{
    const struct rep_request *q = &o->report;
    int code = CLI_OK;

    if (q->outputs > 1 && o->files > 1)
        return cli_usage("stat", "-o can be given several times for one file; here are %zu",
                         o->files);
    if (q->outputs > 1 && o->keep_going)
        return cli_usage("stat", "--keep-going is for one -o");
    for (size_t i = 0; i < q->outputs && code == CLI_OK; i++) {
        code = check_timeline(o, rep_timeline(q, i));
        if (code == CLI_OK && rep_is(q, i, "junit") && o->expect.texts == 0)
            code = cli_usage("stat", "--format junit reports expectations: give --expect");
    }
    return code;
}

int stat_check_options(struct stat_options *o)
{
    int code = check_explain(o);

    if (code)
        return code;
    if (((o->scope || o->map) && !o->description) || (o->profile && !o->config))
        return stat_refuse_core("stat", NULL, NULL, NULL);
    if (o->description && o->chip)
        return cli_usage("stat",
                         "events of a description are counted without a chip: leave out -a");
    if (o->multiplex && o->interval.text)
        return cli_usage("stat",
                         "--multiplex has no intervals: what a turn of a pass is scaled up to "
                         "is the whole run; leave out -I or --multiplex");
    code = stat_check_clocks(o);
    if (code == CLI_OK)
        code = stat_check_measures(o);
    if (code == CLI_OK)
        code = check_chip(o);
    if (code == CLI_OK)
        code = check_outputs(o);
    if (code == CLI_OK)
        code = cli_window_check("stat", &o->window);
    if (code == CLI_OK)
        code = check_paths(o);
    if (code == CLI_OK)
        code = check_dashes(o);
    if (code == CLI_OK && o->metric_options.texts + o->metric_options.files + o->expect.texts == 0)
        code = stat_check_events(o, o->events);
    return code;
}
