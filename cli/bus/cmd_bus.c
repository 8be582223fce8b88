/* SPDX-License-Identifier: MIT */
/* pcounter bus: what the buses of a waveform carried, and where they waited. */
#include "bus/bus.h"

#include <string.h>

#include "complete/complete.h"
#include "process/jobs.h"

static int take_expectation(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return cli_expect_text(field, NULL, text);
}
static const struct opt_kind expectation = { .value = "'A < B'", .take = take_expectation };

#define O struct bus_options
static const struct opt rows[] = {
    { .name = "list",
      OPT_SWITCH(O, list),
      .brief = "list the buses found as a map for --map; measure nothing" },
    { .name = "map",
      OPT_FILE(O, map),
      .brief = "read buses from FILE: YAML, JSON or busperf's format",
      .flags = OPT_ONCE },
    { .name = "payload",
      OPT_SWITCH(O, payload),
      .brief = "also check that payloads stay stable while stalled" },
    { .name = "percentile",
      OPT_OF(rep_opt_percentile, O, struct rep_percentiles, percentile),
      .brief = "also report this percentile, like 99.9; several times" },
    { .name = "expect",
      OPT_OF(expectation, O, struct cli_expectations, expect),
      .brief = "assert a figure; exit 1 if it fails",
      .more = "like 'ddr.read.latency.p99 < 200'" },
    CLI_GOTO_ROW(O, go),
    { .name = "protocols",
      OPT_SWITCH(O, protocols),
      .brief = "list the protocols and their signals; needs no file" },
    { .letter = 'I',
      .name = "interval",
      OPT_OF(opt_span, O, struct cli_span, interval),
      .value = "N",
      .brief = "also report each interval of N edges, or of a time",
      .flags = OPT_LETTER },
    OPT_WINDOW_ROWS(O, window, 0),
    { .letter = 'j', .name = "jobs", OPT_JOBS(O, threads) },
    REP_OPTIONS(O, report, &bus_report),
    { .letter = 'q', .name = "quiet", .kind = &opt_quiet, .brief = "no notes, no progress" },
    OPT_READ_ROWS(O, read),
    OPT_STOP_ROW,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand operands = { .first = complete_files, .least = 0, .most = 0 };
static const struct opt_line line = { .name = "bus", .row = rows, .operand = &operands };

/* The buses are known. */
static int report(struct bus_run *run)
{
    int code = run->o->list ? CLI_OK : bus_bind(run);

    if (code == CLI_OK && !run->o->list)
        code = bus_check_expectations(run);
    if (code == CLI_OK)
        code = rep_open(&run->report, &bus_report, &run->o->report);
    if (code)
        return code;
    if (!run->o->list)
        code = bus_measure(run);
    if (code == CLI_OK)
        code = bus_join_same(run);
    if (code == CLI_OK)
        code = bus_tell(run);
    return rep_close(run->report, code);
}

/* Reports no bus: no name matches. */
static int report_none(struct bus_run *run)
{
    int code = rep_open(&run->report, &bus_report, &run->o->report);

    if (code)
        return code;
    code = rep_close(run->report, bus_tell(run));
    return code == CLI_OK ? CLI_NO : code;
}

static int work(struct bus_options *o)
{
    struct cli_progress progress;
    struct bus_run run = { .o = o, .progress = &progress };
    const struct cli_metrics none = { .count = 0 };
    struct pc_wave_desc desc = cli_wave_desc(&o->read, o->file);
    struct pc_error err;
    int code = cli_expectations_open(&o->expect, &none);

    desc.threads = cli_jobs(o->threads, &o->file, 1);
    if (code == CLI_OK)
        code = cli_claim_input("bus", o->file);
    if (code == CLI_OK)
        code = bus_open_input(&run);
    desc.path = run.path;
    if (code == CLI_OK && cli_wave_open(&desc, &run.wave, &err))
        code = cli_error(&err, o->file, NULL);
    if (code == CLI_OK) {
        pc_wave_get_info(run.wave, &run.info);
        code = cli_goto_check(&o->go, "bus", o->file, &run.info);
        if (code == CLI_OK)
            code = bus_check_intervals(&run);
    }
    if (code == CLI_OK)
        code = bus_find_items(&run);
    const bool empty = code == CLI_NO;
    if (code == CLI_OK && !o->map)
        code = bus_pair_names(&run);
    if (code == CLI_OK || empty)
        code = empty ? report_none(&run) : report(&run);
    bus_free_items(&run);
    pc_wave_close(run.wave);
    cli_expectations_close(&o->expect);
    return code;
}

static int run_options(struct bus_options *o, const struct opt_said *said)
{
    if (o->protocols) {
        if (!rep_is(&o->report, 0, "text") || o->report.output[0].path)
            return cli_usage("bus", "--protocols prints text: leave out --format and -o");
        bus_list_protocols(cli_stdout());
        return CLI_OK;
    }
    if (said->operands == 0)
        return cli_usage("bus", "which waveform? A file, or - for standard input");
    o->file = said->operand[0];
    o->glob = (const char *const *)said->operand + 1;
    o->globs = said->operands - 1;
    if (o->interval.text && o->interval.number == 0)
        return cli_usage("bus",
                         "-I %s is not an interval: give edges, like 1000, or a time, like 10us",
                         o->interval.text);
    int code = cli_window_check("bus", &o->window);
    if (code)
        return code;
    for (size_t i = 0; o->list && i < o->report.outputs; i++)
        if (rep_is(&o->report, i, "html"))
            return cli_usage("bus", "--list measures nothing that a page could draw");
    if (o->list && (o->interval.text || cli_window_given(&o->window)))
        return cli_usage("bus", "--list measures nothing, and %s wants figures",
                         o->interval.text      ? "-I"
                         : o->window.from.text ? "--from"
                                               : "--to");
    if (o->list && o->go.text)
        return cli_usage("bus", "--list measures nothing, and --goto wants figures");
    if (o->list && o->expect.texts > 0)
        return cli_usage("bus", "--list measures nothing, and --expect wants figures");
    code = cli_check_dashes("bus", cli_dashes((const char *const[]){ o->file, o->map }, 2));
    return code ? code : work(o);
}

static int run(int argc, char **argv)
{
    struct bus_options o = { .list = false };
    struct opt_said said;
    int code = opt_read(&cli_verb_bus, &line, argc, argv, &o, &said);

    if (code < 0)
        code = run_options(&o, &said);
    cli_expect_forget(&o.expect);
    return code;
}

const struct cli_verb cli_verb_bus = {
    .name = "bus",
    .reads_simulations = true,
    .summary = "find buses and where they wait: stalls, latencies, errors",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &bus_report, NULL },
};
