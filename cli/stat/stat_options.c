/* SPDX-License-Identifier: MIT */
/* The command line of pcounter stat, and how it says what is wrong with it. */
#include "described/described.h"
#include "stat_report.h"
#include "complete/complete.h"
#include "stat_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process/jobs.h"

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

/* --- the rows --- */

static int take_count(const char *verb, const struct opt *row, const char *text, void *field)
{
    uint32_t n;

    if (!cli_parse_u32(text, &n) || n == 0)
        return cli_usage(verb, "%s takes 1 to 4294967295 %s, not \"%s\"", opt_called(row),
                         (const char *)row->of, text);
    *(uint64_t *)field = n;
    return CLI_OK;
}

static int take_multiplex(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct stat_options *o = field;

    o->multiplex = true;
    return text ? take_count(verb, row, text, &o->slice) : CLI_OK;
}

static int take_interval(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct cli_span *span = field;
    uint32_t column;
    const char *wrong = cli_span_parse(text, CLI_SPAN_CYCLES, span, &column);

    if (!wrong && span->number == 0)
        wrong = "an interval of no length";
    return wrong ? cli_usage(verb, "%s takes %s; not \"%s\": %s", opt_called(row),
                             cli_span_forms(CLI_SPAN_CYCLES), text, wrong)
                 : CLI_OK;
}

static int take_expectation(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return cli_expect_text(field, NULL, text);
}

static int refuse_core(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row, (void)text, (void)field;
    return cli_usage(verb,
                     "--while-enabled, --scope, --map, --profile and --quirk are about a core: "
                     "--core NAME");
}

/*
 * A configuration of CVA6 with what the form of its own has (stat_core.c) was seen before: here it
 * stands for the description of that core.
 */
static int take_core(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct stat_options *o = field;

    (void)verb, (void)row;
    o->description = text;
    return described_is_file(text) ? CLI_OK : cli_find_core(text, &o->config);
}

static int take_clock(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return stat_add_clock(field, "--clock", text, false);
}

static const enum stat_measure_kind kinds[] = { STAT_VALUE, STAT_LATENCY, STAT_STATES, STAT_LEVEL };

static int take_measure(const char *verb, const struct opt *row, const char *text, void *field)
{
    static const char *const labels[] = { [STAT_VALUE] = "--value",
                                          [STAT_LATENCY] = "--latency",
                                          [STAT_STATES] = "--states",
                                          [STAT_LEVEL] = "--level" };
    const enum stat_measure_kind kind = *(const enum stat_measure_kind *)row->of;

    (void)verb;
    return stat_measure_add(field, kind, labels[kind], text);
}

static int take_file(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct stat_options *o = field;
    const int code = opt_texts_add(&o->measure_files, text);

    (void)verb, (void)row;
    return code ? code : stat_take_file(o, text);
}

static const struct opt_kind file = { .value = "FILE", .take = take_file, .offer = complete_files };
static const struct opt_kind clock = { .value = "CLOCK",
                                       .take = take_clock,
                                       .offer = complete_wave_names };
static const struct opt_kind value = { .value = "VECTOR",
                                       .take = take_measure,
                                       .offer = complete_wave_names };
static const struct opt_kind latency = { .value = "LATENCY",
                                         .take = take_measure,
                                         .offer = complete_wave_names };
static const struct opt_kind states = { .value = "VECTOR",
                                        .take = take_measure,
                                        .offer = complete_wave_names };
static const struct opt_kind level = { .value = "LEVEL",
                                       .take = take_measure,
                                       .offer = complete_wave_names };
static const struct opt_kind names = { .value = "FILE",
                                       .take = opt_take_texts,
                                       .offer = complete_files };
static const struct opt_kind count = { .value = "N", .take = take_count };
static const struct opt_kind multiplex = { .value = "N", .take = take_multiplex };
static const struct opt_kind interval = { .value = "N", .take = take_interval };
static const struct opt_kind expectation = { .value = "EXPECTATION", .take = take_expectation };
static const char *const engines[] = { "run", "step", NULL };
static const struct opt_kind core = { .value = "NAME", .take = take_core, .offer = complete_files };
/* Options that go with --core alone, with a value and without. */
static const struct opt_kind of_core = { .value = "VALUE", .take = refuse_core };
static const struct opt_kind of_core_switch = { .take = refuse_core };

/* Options that would have no effect without an event, or without a chip. */
enum { OF_EVENTS = OPT_MARK, OF_CHIP = OPT_MARK << 1 };

#define O struct stat_options
static const struct opt rows[] = {
    { .letter = 'c',
      .name = "clock",
      .kind = &clock,
      .brief = "count at the edges of this signal, or NAME=CLOCK",
      .more = "clk, 'negedge clk', 'posedge clk iff rst_n', sample (each timestamp), or 'every "
              "10ns' (from the first timestamp on); name several clocks, -c w=wclk -c r=rclk, and "
              "select one for an event with '@r ...'" },
    { .letter = 'e',
      .name = "event",
      .kind = &stat_kind_events,
      .brief = "[NAME=]EXPRESSION, several separated by commas",
      .more = "& | ^ ! ~ && || == != < <= > >= ?: rise fall edge prev inside $signed $countones "
              "$onehot $isunknown; see pcounter-expr(7)" },
    { .letter = 'M',
      .name = "metric",
      OPT_METRIC(O, metric_options),
      .brief = "metrics: 'NAME = FORMULA UNIT', or names with commas" },
    { .name = "expect",
      OPT_OF(expectation, O, struct cli_expectations, expect),
      .brief = "assert counts or metrics; exit 1 if it fails",
      .more = "like 'misses < 0.05 * hits'" },
    { .letter = 'f',
      .name = "file",
      .kind = &file,
      .brief = "read what to measure from FILE",
      .more = "lines like 'event hits = req & hit': clock, event, metric, expect, value, latency, "
              "states, level",
      .flags = OPT_LETTER },
    { .name = "value",
      OPT_OF(value, O, struct stat_measures, measures),
      .of = &kinds[STAT_VALUE],
      .brief = "[NAME=]VECTOR: report the distribution of its values",
      .more = "at the edges of the clock: min, mean, p50, p90, p99, max, sum, first, last" },
    { .name = "latency",
      OPT_OF(latency, O, struct stat_measures, measures),
      .of = &kinds[STAT_LATENCY],
      .brief = "[NAME=]START -> END: report the cycles between the two",
      .more = "[NAME=]START -> END [until EXPR] [by IDS, IDE]: first in, first out; with by, for "
              "each identifier" },
    { .name = "states",
      OPT_OF(states, O, struct stat_measures, measures),
      .of = &kinds[STAT_STATES],
      .brief = "[NAME=]VECTOR: report a state machine",
      .more = "visits, cycles, share and stays of each state, and the transitions" },
    { .name = "names",
      OPT_OF(names, O, struct opt_texts, measures.names),
      .brief = "[NAME=]FILE: names of states, in lines like '0 IDLE'" },
    { .name = "level",
      OPT_OF(level, O, struct stat_measures, measures),
      .of = &kinds[STAT_LEVEL],
      .brief = "NAME = +EXPR -EXPR: report the level of a queue",
      .more =
          "NAME = [START] +EXPR -EXPR [/CAPACITY] [until EXPR]: by what comes in and goes out" },
    { .name = "reset",
      OPT_TEXT(O, measures.reset),
      .value = "EXPR",
      .brief = "start --latency and --level anew where EXPR is 1",
      .flags = OPT_ONCE },
    { .name = "percentile",
      OPT_OF(rep_opt_percentile, O, struct rep_percentiles, measures.percentile),
      .brief = "also report this percentile, like 99.9; several times" },
    { .name = "histogram",
      OPT_SWITCH(O, measures.histogram),
      .brief = "draw histograms of values, latencies and levels" },
    { .name = "log2",
      OPT_SWITCH(O, measures.log2),
      .brief = "with --histogram: buckets that double, 1, 2..3, 4..7" },
    CLI_GOTO_ROW(O, go),
    { .letter = 'a',
      .name = "chip",
      OPT_CHIP(O, chip),
      .brief = "also count with the counters of this chip, and check them" },
    OPT_WINDOW_ROWS(O, window, 0),
    { .letter = 'I',
      .name = "interval",
      OPT_OF(interval, O, struct cli_span, interval),
      .brief = "also report each interval of N cycles, or of a time",
      .flags = OPT_LETTER },
    OPT_SAMPLE_ROW(O, post_edge, 0),
    OPT_X_ROW(O, x, OF_EVENTS),
    REP_OPTIONS(O, report, &stat_report_def),
    { .name = "keep-going",
      OPT_SWITCH(O, keep_going),
      .brief = "continue after a file that fails, and report its error" },
    { .letter = 'j', .name = "jobs", OPT_JOBS(O, threads) },
    OPT_QUIET_OF("no notes, no progress"),
    { .name = "metrics",
      OPT_METRICS(O, metric_options),
      .brief = "read metrics from FILE: all, or those that -M names",
      .flags = OPT_RARE },
    { .name = "bind", .kind = &stat_kind_bind, .flags = OPT_RARE | OF_EVENTS | OF_CHIP },
    { .name = "signals", OPT_SIGNALS(O, binds.files), .flags = OPT_RARE | OF_EVENTS | OF_CHIP },
    { .name = "max-passes",
      OPT_OF(count, O, uint64_t, max_passes),
      .of = "passes",
      .brief = "fail with exit code 3 if more passes are needed",
      .flags = OPT_RARE | OF_EVENTS | OF_CHIP },
    { .name = "multiplex",
      .kind = &multiplex,
      .of = "cycles",
      .brief = "also report estimates of passes that take turns",
      .more = "each pass counts N cycles (10000) in its turn, and its counts are scaled up, as "
              "hardware with too few counters does; the true error is reported beside them",
      .flags = OPT_RARE | OPT_MAYBE | OF_EVENTS | OF_CHIP },
    { .name = "explain",
      OPT_SWITCH(O, explain),
      .brief = "print the plan, its passes, and how each domain was run",
      .more = "and why: wide (64 cycles a word) or step (cycle by cycle)",
      .flags = OPT_RARE | OF_EVENTS | OF_CHIP },
    { .name = "swap-every",
      OPT_OF(count, O, uint64_t, period),
      .of = "cycles",
      .brief = "cycles of a counting period (2147483648)",
      .more = "counts do not depend on it",
      .flags = OPT_RARE | OF_EVENTS | OF_CHIP },
    { .name = "engine",
      OPT_WORD(O, step, engines),
      .value = "ENGINE",
      .brief = "run (default) or step",
      .more = "step computes cycle by cycle, as the document describes it: slower, with the same "
              "result",
      .flags = OPT_RARE | OF_EVENTS | OF_CHIP },
    OPT_READ_ROWS(O, read),
    OPT_STOP_ROW,
    { .name = "core",
      .kind = &core,
      .brief = "FILE.yaml: a description; NAME: a CVA6 core",
      .more = "a description has names and a clock; with NAME, -h shows the options for CVA6 cores",
      .flags = OPT_RARE },
    { .name = "scope",
      OPT_TEXT(O, scope),
      .value = "SCOPE",
      .brief = "with --core",
      .flags = OPT_RARE | OPT_ONCE },
    { .name = "map", OPT_FILE(O, map), .brief = "with --core", .flags = OPT_RARE | OPT_ONCE },
    { .name = "profile",
      OPT_PROFILE(O, profile),
      .brief = "with --core NAME: rtl (default) or spec",
      .flags = OPT_RARE },
    { .name = "quirk",
      .kind = &of_core,
      .value = "NAME=on|off",
      .brief = "with --core",
      .flags = OPT_RARE },
    { .name = "while-enabled", .kind = &of_core_switch, .brief = "with --core", .flags = OPT_RARE },
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand waveforms = { .first = complete_files, .rest = complete_files };
const struct opt_line stat_line = { .name = "stat", .row = rows, .operand = &waveforms };

/* --- what does not go together --- */

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

static bool is_page_seen(const struct rep_request *q)
{
    for (size_t i = 0; i < q->outputs; i++)
        if (rep_is(q, i, "text") && (!q->output[i].path || strcmp(q->output[i].path, "-") == 0))
            return true;
    return false;
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

/* Refuses combinations of options that exclude each other; returns an exit code. */
static int check(struct stat_options *o)
{
    int code = check_explain(o);

    if (code)
        return code;
    if (((o->scope || o->map) && !o->description) || (o->profile && !o->config))
        return refuse_core("stat", NULL, NULL, NULL);
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

int stat_parse_options(const struct cli_verb *verb, int argc, char **argv, struct stat_options *o)
{
    struct opt_said said;

    *o = (struct stat_options){ .verb = verb, .period = UINT64_C(1) << 31, .slice = 10000 };
    int code = opt_read(verb, &stat_line, argc, argv, o, &said);
    if (code >= 0)
        return code;
    o->clock_label = o->clocks ? o->asked_clock[0].label : "--clock";
    o->clock = o->clocks ? o->asked_clock[0].text : NULL;
    o->sample = opt_given(&said, "sample");
    o->page_is_seen = is_page_seen(&o->report);
    o->of_events = opt_marked(&said, OF_EVENTS);
    o->of_chip = opt_marked(&said, OF_CHIP);
    if (said.operands == 0)
        return cli_usage("stat", "which waveform? The last arguments are files, or - for "
                                 "standard input");
    o->paths = said.operand;
    o->files = said.operands;
    o->threads = cli_jobs(o->threads, (const char *const *)o->paths, o->files);
    o->read.texts |= o->measures.texts;
    for (size_t i = 0; i < o->report.outputs; i++)
        o->measures.drawn |= rep_is(&o->report, i, "html");
    code = check(o);
    if (code == CLI_OK)
        code = stat_goto_check(o);
    return code == CLI_OK ? -1 : code;
}

void stat_free_options(struct stat_options *o)
{
    for (size_t i = 0; i < o->events; i++) {
        free(o->event[i].name);
        free(o->event[i].text);
    }
    free(o->event);
    for (size_t i = 0; i < o->clocks; i++)
        free(o->asked_clock[i].name);
    stat_measure_close(&o->measures);
    opt_texts_free(&o->measures.names);
    for (size_t i = 0; i < o->kept_count; i++)
        free(o->kept[i]);
    free(o->kept);
    opt_texts_free(&o->measure_files);
    cli_metric_options_free(&o->metric_options);
    cli_expect_forget(&o->expect);
}
