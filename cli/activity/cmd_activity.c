/* SPDX-License-Identifier: MIT */
/* pcounter activity: times, toggles and pulse widths of every net of a waveform. */
#include "activity/activity_watch.h"

#include <string.h>

#include "complete/complete.h"
#include "process/jobs.h"
#include "process/progress.h"
#include "wave/time_unit.h"

static int take_expectation(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return cli_expect_text(field, NULL, text);
}

static const struct opt_kind expectation = { .value = "'A < B'", .take = take_expectation };

#define O struct activity_options
static const struct opt rows[] = {
    { .name = "bits",
      OPT_SWITCH(O, bits),
      .brief = "report each bit of a vector on its own, with its pulses",
      .more = "without it a vector is one row, of all its bits" },
    { .name = "wide",
      OPT_SWITCH(O, wide),
      .brief = "text: print all figures, with times in units of the file" },
    { .name = "from",
      OPT_OF(opt_time, O, struct cli_span, from),
      .brief = "begin at this time: 15.2us, or 1520 time units" },
    { .name = "to", OPT_OF(opt_time, O, struct cli_span, to), .brief = "end before this time" },
    { .letter = 'I',
      .name = "interval",
      OPT_OF(opt_time, O, struct cli_span, interval),
      .brief = "also report each interval of 10us, or 1000 time units",
      .flags = OPT_LETTER },
    { .name = "when",
      OPT_WAVE_TEXT(O, when),
      .value = "EXPR",
      .brief = "measure only the time in which EXPR holds",
      .flags = OPT_ONCE },
    { .letter = 'c',
      .name = "clock",
      OPT_WAVE_TEXT(O, clock),
      .value = "CLOCK",
      .brief = "also report toggles per cycle, settled and surplus ones",
      .more = "[posedge|negedge] SIGNAL [iff EXPR]; surplus is what a net toggles beyond the "
              "change from edge to edge, as glitches do",
      .flags = OPT_ONCE },
    { .name = "pulse",
      OPT_TEXT(O, pulse),
      .value = "RULE",
      .brief = "count pulses that fit a rule, and the others",
      .more = "like 'high >= 10us', or 'low > 1ms & low < 2ms'; also period",
      .flags = OPT_ONCE },
    { .name = "debounce",
      OPT_OF(opt_time, O, struct cli_span, debounce),
      .brief = "with --pulse: ignore levels shorter than TIME" },
    { .name = "expect",
      OPT_OF(expectation, O, struct cli_expectations, expect),
      .brief = "assert a figure of a net; exit 1 if it fails",
      .more = "like 'tb.irq.toggles < 10', 'CH0.valid == 3'" },
    { .name = "expect-clock",
      OPT_TEXTS(O, expect_clock),
      .value = "'CLK = TIME'",
      .brief = "assert the period of a clock; exit 1 if it differs" },
    { .name = "timescale",
      OPT_TEXT(O, timescale),
      .value = "UNIT",
      .brief = "SAIF: write times in this unit, like 1ps",
      .flags = OPT_ONCE },
    { .name = "opensta",
      OPT_SWITCH(O, opensta),
      .brief = "SAIF: leave out names at which OpenSTA's reader stops" },
    { .letter = 'j', .name = "jobs", OPT_JOBS(O, threads) },
    REP_OPTIONS(O, report, &activity_report),
    OPT_QUIET_OF("no notes, no progress"),
    OPT_READ_ROWS(O, read),
    OPT_STOP_ROW,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand operands = {
    .first = complete_files,
    .rest = complete_wave_names,
    .least = 1,
    .most = 0,
    .missing = "which waveform? A file, or - for standard input",
};
static const struct opt_line line = { .name = "activity", .row = rows, .operand = &operands };

static void show_progress(void *ctx, uint64_t done, uint64_t total)
{
    cli_progress_bytes(ctx, done, total);
}

static void remark(const struct activity_run *run)
{
    if (run->nets.no_bits > 0)
        cli_note(503, "%s: %s without bits (real, text) not measured", cli_input_name(run->o->file),
                 cli_count(run->nets.no_bits, "variable"));
}

static int report(struct activity_run *run)
{
    int code = rep_open(&run->report, &activity_report, &run->o->report);

    if (code)
        return code;
    run->saif = rep_own(run->report, "saif");
    run->html = rep_own(run->report, "html");
    if (run->saif)
        code = activity_check_saif(run);
    if (code == CLI_OK)
        code = activity_read(run);
    return rep_close(run->report, code);
}

/* The waveform is open. */
static int measure(struct activity_run *run)
{
    int code;

    pc_wave_get_info(run->wave, &run->info);
    cli_time_unit_text(&run->info, run->scale);
    run->nets = (struct activity_nets){ .o = run->o, .wave = run->wave };
    if (!activity_find_nets(&run->nets))
        code = cli_no_memory();
    else
        code = activity_units(run);
    if (code == CLI_OK)
        code = activity_read_pulse(run);
    if (code == CLI_OK)
        code = activity_find_expected(run);
    if (code == CLI_OK)
        code = activity_watch_open(run, &run->watch);
    if (code == CLI_OK)
        code = report(run);
    if (code == CLI_OK) {
        code = run->unmet ? CLI_NO : CLI_OK;
        remark(run);
        if (run->nets.rows + run->nets.events == 0 && run->o->globs > 0) {
            cli_note(502, "no net matches \"%s\"", run->o->glob[0]);
            code = CLI_NO;
        }
    }
    activity_watch_close(run->watch);
    activity_free_expected(run);
    activity_free_nets(&run->nets);
    return code;
}

static int check(const struct activity_options *o)
{
    bool saif = false, others = o->expect.texts > 0;

    for (size_t i = 0; i < o->report.outputs; i++)
        if (rep_is(&o->report, i, "junit") && o->expect.texts + o->expect_clock.count == 0)
            return cli_usage("activity", "--format junit reports expectations: give --expect or "
                                         "--expect-clock");
        else if (rep_is(&o->report, i, "saif"))
            saif = true;
        else
            others = true;
    if (o->interval.text && saif)
        return cli_usage("activity", "SAIF is of the whole window: -I is for other formats");
    if (o->interval.text && o->expect.texts > 0)
        return cli_usage("activity", "--expect is about figures of the whole window: leave out -I");
    if (!others && (o->clock || o->pulse))
        cli_note(508, "SAIF has nothing of --%s; another -o has it", o->clock ? "clock" : "pulse");
    if (o->timescale && !saif)
        return cli_usage("activity", "--timescale is the unit of SAIF: add -o FILE.saif");
    if (o->opensta && !saif)
        return cli_usage("activity", "--opensta is for SAIF: add -o FILE.saif");
    if (o->debounce.text && !o->pulse)
        return cli_usage("activity", "--debounce is for pulses: add --pulse");
    if (o->pulse && o->when)
        return cli_usage("activity", "--pulse is about all pulses of the window: leave out --when, "
                                     "or give --from and --to");
    return CLI_OK;
}

static int measure_file(struct activity_run *run)
{
    const struct activity_options *o = run->o;
    struct pc_wave_desc desc = cli_wave_desc(&o->read, o->file);
    struct pc_error err;

    desc.threads = cli_jobs(o->threads, &o->file, 1);
    desc.progress = show_progress;
    desc.progress_ctx = run->progress;
    if (cli_claim_input("activity", o->file) != CLI_OK)
        return CLI_INPUT;
    if (cli_wave_open(&desc, &run->wave, &err))
        return cli_error(&err, o->file, NULL);
    const int code = measure(run);
    pc_wave_close(run->wave);
    return code;
}

static int run(int argc, char **argv)
{
    struct cli_progress progress;
    struct activity_options o = { .bits = false };
    struct activity_run work = { .o = &o, .progress = &progress };
    const struct cli_metrics none = { .count = 0 };
    struct opt_said said;
    int code = opt_read(&cli_verb_activity, &line, argc, argv, &o, &said);

    if (code < 0) {
        o.file = said.operand[0];
        o.glob = (const char *const *)said.operand + 1;
        o.globs = said.operands - 1;
        code = check(&o);
        if (code == CLI_OK)
            code = cli_expectations_open(&o.expect, &none);
        if (code == CLI_OK)
            code = measure_file(&work);
        cli_expectations_close(&o.expect);
    }
    cli_expect_forget(&o.expect);
    opt_texts_free(&o.expect_clock);
    return code;
}

const struct cli_verb cli_verb_activity = {
    .name = "activity",
    .reads_simulations = true,
    .summary = "measure each net: toggles, duty, periods, pulse widths; SAIF",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &activity_report, NULL },
};
