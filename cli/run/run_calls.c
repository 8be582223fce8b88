/* SPDX-License-Identifier: MIT */
/* pcounter run: what a script calls while it runs. */
#include "run_job.h"
#include "run_explain.h"
#include "run_trace.h"
#include "text/diag_text.h"

#include <string.h>

static enum pc_status write_out(void *ctx, const char *data, size_t size)
{
    struct run_job *job = ctx;

    return fwrite(data, 1, size, job->page) == size ? PC_OK : PC_EIO;
}

/* Rows that do not go out any more end the run, as a value that write_out() cannot print. */
static enum pc_status at_place(void *ctx, const struct pc_script_place *place, struct pc_error *err)
{
    struct run_job *job = ctx;

    job->line = place->line;
    if (!rep_is_read(job->rows.rep)) {
        *err = (struct pc_error){ .status = PC_EIO, .code = 820 };
        return PC_EIO;
    }
    return run_stop_place(&job->stop, place, err);
}

static void log_access(void *ctx, const struct pc_script_access *access)
{
    struct run_job *job = ctx;

    if (job->o->card.address)
        run_card_log(job, access);
    else
        replay_log_access(&job->logged, access);
}

/* A command that is no access is about to run. */
static void before_command(void *ctx, const char *text, size_t size)
{
    struct run_job *job = ctx;
    const bool keeps = size >= 4 && strncmp(text, "keep", 4) == 0; /* about a card alone */

    if (job->o->log && !keeps)
        replay_log_command(&job->logged, text, size);
    if (job->o->explain && size >= 4 && strncmp(text, "run", 3) == 0) {
        rep_flush(job->rows.rep);
        fprintf(stderr, "%.*s\n", (int)(size < 80 ? size : 80), text);
        run_explain(stderr, job->gpu, job->chip);
    }
}

/* Logs --set NAME=VALUE as a command. */
static void log_option(struct run_job *job, const char *set)
{
    char text[200];
    int n = snprintf(text, sizeof text, "option %s", set);

    replay_log_command(&job->logged, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

/* Opens the chip's names with the tables of --signals. */
static enum pc_status open_names(void *ctx, const struct pc_chip *chip, struct pc_names **out,
                                 struct pc_error *err)
{
    struct run_job *job = ctx;

    *out = job->early;
    job->early = NULL;
    if (*out || cli_names_open("run", chip, &job->o->names, out) == CLI_OK)
        return PC_OK;
    job->told = true;
    *err = (struct pc_error){ .status = PC_EINPUT };
    return PC_EINPUT;
}

static enum pc_status apply_stimulus(struct run_job *job, struct pc_gpu *gpu, struct pc_error *err)
{
    struct pc_script_stimulus desc = {
        .chip = job->chip,
        .text = job->with_text,
        .size = job->with_size,
        .command =
            !job->o->card.address && (job->o->log || job->o->explain) ? before_command : NULL,
        .names = open_names,
        .ctx = job,
    };
    enum pc_status status = pc_script_run_stimulus(&desc, gpu, err);

    job->failed_with = status != PC_OK;
    return status;
}

/* Answers may be of a chip that has more units than this one: what it lacks is passed over. */
static enum pc_status set_options(struct run_job *job, struct pc_gpu *gpu,
                                  const struct opt_texts *set, struct pc_error *err)
{
    const bool answers = set == &job->answers.option;
    enum pc_status status = PC_OK;

    for (size_t i = 0; i < set->count && status == PC_OK; i++) {
        char name[80];
        const char *equals = strchr(set->text[i], '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - set->text[i]), set->text[i]);
        status = pc_gpu_option(gpu, name, equals + 1, err);
        if (status == PC_ENOUNIT && answers)
            status = PC_OK;
        else if (status != PC_OK)
            job->failed_set = set->text[i];
        else if (job->o->log && !job->o->card.address)
            log_option(job, set->text[i]);
    }
    return status;
}

/*
 * Right after `chip`: options of the command line, then the stimulus.  Tables of --signals are
 * read whether a name needs them or not: what is wrong with them is told.
 */
static enum pc_status prepare(void *ctx, struct pc_gpu *gpu, struct pc_error *err)
{
    struct run_job *job = ctx;

    job->chip = pc_gpu_chip(gpu);
    job->gpu = gpu;
    if (job->o->log)
        replay_log_begin(&job->logged, job->chip, gpu);
    return run_prepare_model(job, gpu, err);
}

enum pc_status run_prepare_model(struct run_job *job, struct pc_gpu *gpu, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    if (job->o->names.count > 0)
        status = open_names(job, job->chip, &job->early, err);
    if (job->answers.chip[0] && strcmp(job->answers.chip, job->chip->name) != 0)
        cli_note(2203, "%s has the answers of a %s, and the script is of a %s", job->o->answers,
                 job->answers.chip, job->chip->name);
    if (status == PC_OK)
        status = set_options(job, gpu, &job->answers.option, err);
    if (status == PC_OK)
        status = set_options(job, gpu, &job->o->set, err);
    return status || !job->o->with ? status : apply_stimulus(job, gpu, err);
}

/* The waveform of the script: no output replaces it, and standard input is read once. */
static enum pc_status claim_file(void *ctx, const char *path, struct pc_error *err)
{
    struct run_job *job = ctx;

    if (cli_claim_input("run", path) == CLI_OK)
        return PC_OK;
    job->told = true;
    *err = (struct pc_error){ .status = PC_EARG };
    return PC_EARG;
}

static void report_warning(void *ctx, const char *path, const char *text)
{
    struct run_job *job = ctx;

    cli_progress_end(&job->stop.progress);
    cli_warning(501, "%s: %s", path, text);
}

void run_mismatch(void *ctx, const struct pc_error *what)
{
    struct run_job *job = ctx;

    cli_error(what, job->o->path, job->text);
}

static void at_access(void *ctx, const struct pc_script_access *access)
{
    struct run_job *job = ctx;

    cli_progress_end(&job->stop.progress);
    run_rows_add(&job->rows, job->chip, access);
    if (!job->o->trace)
        return;
    rep_flush(job->rows.rep);
    run_trace_write(job->o->path, job->chip, access);
}

static void at_end(void *ctx, struct pc_gpu *gpu)
{
    struct run_job *job = ctx;

    for (size_t i = 0; i < job->o->dump.count && job->exit == CLI_OK; i++)
        job->exit = run_dump_write(&job->dump[i], gpu);
    if (job->o->log && job->logged.unit)
        replay_log_end(&job->logged);
    cli_tell_diagnostics(gpu);
    cli_tell_undecoded(gpu); /* asked last: time may pass */
}

void run_calls(struct run_job *job, struct pc_script_desc *desc)
{
    const struct run_options *o = job->o;

    desc->out.write = job->page ? write_out : NULL;
    desc->out.ctx = job;
    desc->prepare = prepare;
    desc->access = o->trace || rep_has_rows(job->rows.rep) ? at_access : NULL;
    desc->inspect = at_end;
    desc->single = o->log ? log_access : NULL;
    desc->command = !o->card.address && (o->log || o->explain) ? before_command : NULL;
    desc->names = open_names;
    desc->file = claim_file;
    desc->warning = report_warning;
    desc->place = at_place;
}
