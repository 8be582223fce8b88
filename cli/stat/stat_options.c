/* SPDX-License-Identifier: MIT */
/* The command line of pcounter stat. */
#include "described/described.h"
#include "stat_report.h"
#include "complete/complete.h"
#include "stat_kind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "process/jobs.h"

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

int stat_refuse_core(const char *verb, const struct opt *row, const char *text, void *field)
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
static const struct opt_kind of_core = { .value = "VALUE", .take = stat_refuse_core };
static const struct opt_kind of_core_switch = { .take = stat_refuse_core };

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

static bool is_page_seen(const struct rep_request *q)
{
    for (size_t i = 0; i < q->outputs; i++)
        if (rep_is(q, i, "text") && (!q->output[i].path || strcmp(q->output[i].path, "-") == 0))
            return true;
    return false;
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
    code = stat_check_options(o);
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
