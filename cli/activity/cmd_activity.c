/* SPDX-License-Identifier: MIT */
/* pcounter activity: times, toggles and pulse widths of every net of a waveform. */
#include "activity/activity.h"

#include <string.h>

#include "complete/complete.h"
#include "process/jobs.h"
#include "process/progress.h"

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
      OPT_OF(opt_span, O, struct cli_span, from),
      .brief = "begin at this time: 15.2us, or 1520 time units" },
    { .name = "to", OPT_OF(opt_span, O, struct cli_span, to), .brief = "end before this time" },
    { .letter = 'I',
      .name = "interval",
      OPT_OF(opt_span, O, struct cli_span, interval),
      .brief = "also report each interval of 10us, or 1000 time units",
      .flags = OPT_LETTER },
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
        cli_note(503, "%s: %s without bits (real, text, event) not measured",
                 cli_input_name(run->o->file), cli_count(run->nets.no_bits, "variable"));
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
    activity_scale(&run->info, run->scale);
    run->nets = (struct activity_nets){ .o = run->o, .wave = run->wave };
    if (!activity_find_nets(&run->nets))
        code = cli_no_memory();
    else
        code = activity_units(run);
    if (code == CLI_OK)
        code = report(run);
    if (code == CLI_OK) {
        remark(run);
        if (run->nets.rows == 0 && run->o->globs > 0) {
            cli_note(502, "no net matches \"%s\"", run->o->glob[0]);
            code = CLI_NO;
        }
    }
    activity_free_nets(&run->nets);
    return code;
}

static int check(const struct activity_options *o)
{
    for (size_t i = 0; i < o->report.outputs; i++)
        if (o->interval.text && rep_is(&o->report, i, "saif"))
            return cli_usage("activity", "SAIF is of the whole window: -I is for other formats");
    return CLI_OK;
}

static int run(int argc, char **argv)
{
    struct cli_progress progress;
    struct activity_options o = { .bits = false };
    struct activity_run work = { .o = &o, .progress = &progress };
    struct opt_said said;
    struct pc_error err;
    int code = opt_read(&cli_verb_activity, &line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    o.file = said.operand[0];
    o.glob = said.operand + 1;
    o.globs = said.operands - 1;
    code = check(&o);
    if (code)
        return code;
    struct pc_wave_desc desc = cli_wave_desc(&o.read, o.file);
    desc.threads = cli_jobs(o.threads, &o.file, 1);
    desc.progress = show_progress;
    desc.progress_ctx = &progress;
    if (cli_claim_input("activity", o.file) != CLI_OK)
        return CLI_INPUT;
    if (cli_wave_open(&desc, &work.wave, &err))
        return cli_error(&err, o.file, NULL);
    code = measure(&work);
    pc_wave_close(work.wave);
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
