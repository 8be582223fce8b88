/* SPDX-License-Identifier: MIT */
/*
 * pcounter run FILE: runs a script against the modelled chip.  stdout has what the script
 * reads; stderr has differences from what it expects, the trace and the summary.  --log
 * (replay_log.c) writes the accesses for `pcounter replay`.
 */
#include "cli.h"
#include "complete/complete.h"
#include "opt/opt_wave.h"
#include "run_card.h"
#include "run_core.h"
#include "run_job.h"
#include "run_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The reads, the log and the memory: all of them, or none. */
static int end_outputs(struct run_job *job, bool keep)
{
    struct cli_out **all = calloc(job->o->dump.count + REP_OUTPUTS + 1, sizeof *all);
    struct cli_out *reads[REP_OUTPUTS];
    size_t count = rep_finish(job->rows.rep, reads);
    int code = CLI_OK;

    if (keep && rep_has_failed(job->rows.rep)) {
        keep = false;
        code = cli_no_memory();
    }
    for (size_t i = 0; i < count; i++)
        if (all && keep)
            all[i] = reads[i];
        else
            cli_out_abort(reads[i]);
    if (job->o->log && all && keep)
        all[count++] = &job->logged.out;
    else if (job->o->log)
        cli_out_abort(&job->logged.out);
    for (size_t i = 0; i < job->o->dump.count; i++)
        if (job->dump[i].open && all && keep)
            all[count++] = &job->dump[i].out;
        else if (job->dump[i].open)
            cli_out_abort(&job->dump[i].out);
    if (!all)
        code = cli_no_memory();
    else if (keep)
        code = cli_out_commit_all(all, count);
    free(all);
    rep_free(job->rows.rep);
    return code;
}

/* Returns why the run has failed; CLI_OK: it has not. */
static int failure(const struct run_job *job, enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK)
        return job->exit;
    if (job->told)
        return CLI_INPUT;
    if (job->failed_with)
        return cli_error(err, job->o->with, job->with_text);
    return job->failed_set ? cli_error(err, "--set", NULL)
                           : cli_error(err, job->o->path, job->text);
}

static int conclude(struct run_job *job, enum pc_status status,
                    const struct pc_script_result *result, const struct pc_error *err)
{
    if (status != PC_OK && err->status == PC_EIO && err->code == 820)
        return end_outputs(job, true); /* it knows what went wrong, and is silent about a pipe */
    run_rows_end(&job->rows, job->chip, status == PC_OK ? result : NULL);
    int code = run_stop_end(&job->stop) ? CLI_INTERRUPTED : failure(job, status, err);
    if (code != CLI_OK) {
        end_outputs(job, false);
        return code;
    }
    code = end_outputs(job, true);
    cli_note(801, "%s read%s, %s write%s, %s expectation%s, %s failed", cli_grouped(result->reads),
             result->reads == 1 ? "" : "s", cli_grouped(result->writes),
             result->writes == 1 ? "" : "s", cli_grouped(result->expectations),
             result->expectations == 1 ? "" : "s", cli_grouped(result->failed));
    return code == CLI_OK && (result->failed > 0 || job->differ > 0) ? CLI_NO : code;
}

/* Reads and opens what the run needs. */
static int open_files(struct run_job *job)
{
    int code = CLI_OK;

    if (job->o->read_option && !run_has_wave(job->text))
        code = cli_usage("run", "%s is about a waveform; the script has none", job->o->read_option);
    if (code == CLI_OK && job->o->with)
        code = cli_read_text("run", job->o->with, &job->with_text, &job->with_size);
    if (code == CLI_OK && job->o->with && cli_says_nothing(job->with_text, job->with_size))
        code = cli_usage("run", "--with %s: it has no command", cli_input_name(job->o->with));
    if (code == CLI_OK)
        code = rep_open(&job->rows.rep, &run_report, &job->o->report);
    if (code == CLI_OK && job->o->log) {
        code = replay_log_open(&job->logged, job->o->log);
        if (code)
            rep_close(job->rows.rep, code);
    }
    return code;
}

/* Returns the files of --dump, not open yet; NULL: no memory. */
static struct run_dump *dumps_of(const struct run_options *o)
{
    struct run_dump *dump = calloc(o->dump.count + 1, sizeof *dump);

    for (size_t i = 0; dump && i < o->dump.count; i++)
        (void)run_dump_parse(o->dump.text[i], &dump[i]);
    return dump;
}

/* Options about a chip and what is around it have no meaning then. */
static int run_of_core(const struct run_job *job)
{
    const struct run_options *o = job->o;

    if (o->set.count > 0 || o->answers || o->dump.count > 0 || o->names.count > 0 || o->with ||
        o->log || o->explain || o->trace || o->memory || o->read_option || o->card.address)
        return cli_usage("run", "the script is of a core: options about a chip or a waveform have "
                                "no meaning");
    return run_core(o->path, job->text, job->size, &o->report);
}

static int run_script(struct run_job *job, struct pc_script_desc *desc)
{
    const bool on_card = job->o->card.address != NULL;
    struct pc_script_result result;
    struct pc_error err = { 0 };

    run_calls(job, desc);
    job->stop = (struct run_stop){ .path = job->o->path,
                                   .rows = &job->rows,
                                   .card = on_card,
                                   .file = rep_is_hidden(job->rows.rep) };
    const int code = on_card ? run_card_open(job, desc) : CLI_OK;
    if (code) {
        end_outputs(job, false);
        return code;
    }
    run_stop_begin(&job->stop);
    const enum pc_status status = pc_script_run(desc, run_mismatch, job, &result, &err);
    if (on_card)
        run_card_end(job);
    return conclude(job, status, &result, &err);
}

static int run_job(struct run_job *job)
{
    int code = cli_read_text("run", job->o->path, &job->text, &job->size);

    if (code == CLI_OK && pc_csr_script_is(job->text, job->size)) {
        code = run_of_core(job);
        free(job->text);
        return code;
    }
    if (code == CLI_OK)
        code = open_files(job);
    if (code == CLI_OK) {
        job->page = rep_page(job->rows.rep);
        job->rows.path = job->o->path;
        char *folder = run_folder_of(job->o->path);
        struct pc_script_desc desc = {
            .text = job->text,
            .size = job->size,
            .directory = folder,
            .wave_limits = job->o->read.limits,
            .wave_tolerate_time_backwards = job->o->read.time_backwards,
            .wave_strict = job->o->read.strict,
            .wave_unit_factor = job->o->read.unit_factor,
            .wave_unit_exponent = job->o->read.unit_exponent,
            .memory_limit = job->o->memory,
        };
        code = run_script(job, &desc);
        free(folder);
    }
    pc_names_close(job->early);
    free(job->text);
    free(job->with_text);
    return code;
}

/* ---- options ---- */

static int take_dump(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct run_dump dump = { .open = false };
    const char *wrong = run_dump_parse(text, &dump);

    return wrong ? cli_usage(verb, "--dump %s: %s", text, wrong)
                 : opt_take_texts(verb, row, text, field);
}

static const struct opt_kind dump = { .value = "ADDR:SIZE=FILE", .take = take_dump };

enum { ABOUT_MODEL = OPT_MARK };

#define O struct run_options
static const struct opt rows[] = {
    REP_OPTIONS(O, report, &run_report),
    { .letter = 'v',
      .name = "trace",
      OPT_SWITCH(O, trace),
      .brief = "print each write with its register and fields on stderr" },
    { .name = "set",
      OPT_OF(opt_setting, O, struct opt_texts, set),
      .brief = "set an option of the model before the script starts",
      .flags = ABOUT_MODEL },
    { .name = "answers",
      OPT_FILE(O, answers),
      .brief = "set the options that `pcounter settle` found on a card",
      .flags = OPT_ONCE | ABOUT_MODEL },
    { .name = "with",
      OPT_FILE(O, with),
      .value = "STIMULUS",
      .brief = "run this file's set, play, clock ... lines after `chip`",
      .flags = OPT_ONCE | ABOUT_MODEL },
    { .name = "log",
      OPT_OF(replay_log_file, O, const char *, log),
      .brief = "write all accesses as a trace for `pcounter replay`" },
    { .name = "signals", OPT_SIGNALS(O, names) },
    { .name = "dump",
      OPT_OF(dump, O, struct opt_texts, dump),
      .brief = "write record memory to FILE at the end" },
    { .name = "explain",
      OPT_SWITCH(O, explain),
      .brief = "before each `run`, explain how each domain is computed" },
    { .name = "memory",
      OPT_MEMORY(O, memory),
      .brief = "limit of the record memory that the device keeps (64M)",
      .flags = OPT_RARE | ABOUT_MODEL },
    PCI_OPTIONS(O, card),
    { .name = "beside",
      OPT_SWITCH(O, beside),
      .brief = "with --card: compare each read with the model's",
      .flags = PCI_ABOUT_CARD },
    { .name = "clock",
      OPT_OF(opt_hertz, O, uint64_t, card.hz),
      .brief = "with --card: rate of the cycles that `run` waits for (27M)",
      .flags = PCI_ABOUT_CARD },
    OPT_READ_ROWS(O, read),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand script = {
    .first = complete_files,
    .least = 1,
    .most = 1,
    .missing = "a script is expected: FILE, or - for standard input",
    .extra = "one script at a time: %s is left over",
};
static const struct opt_line line = { .name = "run", .row = rows, .operand = &script };

static int check_pair(const char *a, const char *a_option, const char *b, const char *b_option)
{
    if (!cli_same_output(a, b))
        return CLI_OK;
    if (!b || strcmp(b, "-") == 0)
        return cli_usage("run", "%s and %s cannot both be standard output%s", a_option, b_option,
                         a ? "" : ": give -o");
    return cli_usage("run", "%s and %s would both be written to %s", a_option, b_option, b);
}

/* Each output has a file of its own. */
static int check_reads(const struct rep_request *reads, const char *path, const char *option)
{
    int code = CLI_OK;

    for (size_t i = 0; i < reads->outputs && code == CLI_OK; i++)
        code = check_pair(reads->output[i].path, "the reads", path, option);
    return code;
}

static int check_outputs(const struct run_job *job)
{
    int code = job->o->log ? check_reads(&job->o->report, job->o->log, "--log") : CLI_OK;

    for (size_t i = 0; i < job->o->dump.count && code == CLI_OK; i++) {
        const char *path = job->dump[i].path;
        code = check_reads(&job->o->report, path, "--dump");
        if (code == CLI_OK && job->o->log)
            code = check_pair(job->o->log, "--log", path, "--dump");
        for (size_t k = 0; k < i && code == CLI_OK; k++)
            code = check_pair(job->dump[k].path, "one --dump", path, "another");
    }
    return code;
}

/* Refuses options that a card has no use for, unless the model runs beside it; an exit code. */
static int check_card(const struct run_options *o, const struct opt_said *said)
{
    const char *about = opt_marked(said, PCI_ABOUT_CARD), *model = opt_marked(said, ABOUT_MODEL);

    if (!o->card.address && about)
        return cli_usage("run", "%s is about a card: --card ADDR is missing", about);
    if (o->card.address && (o->dump.count > 0 || o->explain))
        return cli_usage("run", "%s is about the model, not about a card",
                         o->explain ? "--explain" : "--dump");
    if (o->card.address && !o->beside && model)
        return cli_usage("run", "%s is about the model; with --card it needs --beside", model);
    return CLI_OK;
}

static int run_checked(const struct run_options *o)
{
    struct run_job job = { .o = o, .dump = dumps_of(o) };
    int code = job.dump ? check_outputs(&job) : cli_no_memory();
    const unsigned dashes = cli_dashes(&o->path, 1) + cli_dashes(&o->with, 1) +
                            cli_dashes(&o->answers, 1) + cli_dashes(o->names.path, o->names.count);

    if (code == CLI_OK)
        code = cli_check_dashes("run", dashes);
    if (code == CLI_OK && o->answers)
        code = answers_read("run", o->answers, &job.answers);
    if (code == CLI_OK)
        code = run_job(&job);
    answers_free(&job.answers);
    free(job.dump);
    return code;
}

static int run(int argc, char **argv)
{
    struct run_options o = { .trace = false };
    struct opt_said said;
    int code = opt_read(&cli_verb_run, &line, argc, argv, &o, &said);

    if (code < 0) {
        o.path = said.operand[0];
        o.read_option = opt_marked(&said, OPT_READ);
        code = check_card(&o, &said);
        if (code == CLI_OK)
            code = run_checked(&o);
    }
    opt_texts_free(&o.set);
    opt_texts_free(&o.dump);
    return code;
}

const struct cli_verb cli_verb_run = {
    .name = "run",
    .summary = "run a script of register accesses and check what it reads",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &run_report, &run_core_report, NULL },
};
