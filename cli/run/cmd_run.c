/* SPDX-License-Identifier: MIT */
/*
 * pcounter run FILE: runs a script against the modelled chip.  stdout has what the script
 * reads; stderr has differences from what it expects, the trace and the summary.  --log
 * (replay_log.c) writes the accesses for `pcounter replay`.
 */
#include "cli.h"
#include "wave/read_options.h"
#include "text/regs_text.h"
#include "replay/replay_log.h"
#include "run_dump.h"
#include "run_explain.h"
#include "run_help.h"
#include "run_rows.h"
#include "run_stop.h"
#include "run_text.h"
#include "run_trace.h"
#include "text/diag_text.h"
#include "text/signal_names.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct job {
    const char *path; /* of the script, as given */
    char *text;       /* NUL-terminated beyond size */
    size_t size;
    bool trace, explain;
    const char *output;
    const char *const *set; /* NAME=VALUE, checked */
    size_t sets;
    const char *failed_set; /* the one that the model refused */
    struct run_dump *dump;
    size_t dumps;
    const char *with, *log; /* files; NULL: none */
    char *with_text;
    size_t with_size;
    bool failed_with; /* an error is one of that file */
    struct cli_name_files names;
    struct pc_names *early; /* that nobody has asked for yet */
    struct cli_read_options read;
    size_t memory; /* behind record mode; 0: as much as it usually is */
    bool told;     /* the error has been told: one of --signals, or a file that cannot be read */
    struct replay_log logged;
    const struct pc_chip *chip;
    const struct pc_gpu *gpu; /* while the script runs */
    struct cli_out out;
    struct run_stop stop;
    struct run_rows rows;
    bool has_format; /* else it is as the name of the output says */
    int exit;        /* of what the callbacks had to do */
};

/* ---- callbacks ---- */

static enum pc_status write_out(void *ctx, const char *data, size_t size)
{
    struct job *job = ctx;

    return fwrite(data, 1, size, job->out.file) == size ? PC_OK : PC_EIO;
}

/* Rows that do not go out any more end the run, as a value that write_out() cannot print. */
static enum pc_status at_place(void *ctx, const struct pc_script_place *place, struct pc_error *err)
{
    struct job *job = ctx;

    if (ferror(job->out.file)) {
        *err = (struct pc_error){ .status = PC_EIO, .code = 820 };
        return PC_EIO;
    }
    return run_stop_place(&job->stop, place, err);
}

static void log_access(void *ctx, const struct pc_script_access *access)
{
    struct job *job = ctx;

    replay_log_access(&job->logged, access);
}

/* A command that is no access is about to run. */
static void before_command(void *ctx, const char *text, size_t size)
{
    struct job *job = ctx;

    if (job->log)
        replay_log_command(&job->logged, text, size);
    if (job->explain && size >= 4 && strncmp(text, "run", 3) == 0) {
        cli_flush(job->out.file);
        fprintf(stderr, "%.*s\n", (int)(size < 80 ? size : 80), text);
        run_explain(stderr, job->gpu, job->chip);
    }
}

/* --set NAME=VALUE as a command. */
static void log_option(struct job *job, const char *set)
{
    char text[200];
    int n = snprintf(text, sizeof text, "option %s", set);

    replay_log_command(&job->logged, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

/* The chip's names with the tables of --signals. */
static enum pc_status open_names(void *ctx, const struct pc_chip *chip, struct pc_names **out,
                                 struct pc_error *err)
{
    struct job *job = ctx;

    *out = job->early;
    job->early = NULL;
    if (*out || cli_names_open("run", chip, &job->names, out) == CLI_OK)
        return PC_OK;
    job->told = true;
    *err = (struct pc_error){ .status = PC_EINPUT };
    return PC_EINPUT;
}

static enum pc_status apply_stimulus(struct job *job, struct pc_gpu *gpu, struct pc_error *err)
{
    struct pc_script_stimulus desc = {
        .chip = job->chip,
        .text = job->with_text,
        .size = job->with_size,
        .command = job->log || job->explain ? before_command : NULL,
        .names = open_names,
        .ctx = job,
    };
    enum pc_status status = pc_script_stimulus(&desc, gpu, err);

    job->failed_with = status != PC_OK;
    return status;
}

/*
 * Right after `chip`: options of the command line, then the stimulus.  Tables of --signals are
 * read whether a name needs them or not: what is wrong with them is told.
 */
static enum pc_status prepare(void *ctx, struct pc_gpu *gpu, struct pc_error *err)
{
    struct job *job = ctx;
    enum pc_status status = PC_OK;

    job->chip = pc_gpu_chip(gpu);
    job->gpu = gpu;
    if (job->names.count > 0)
        status = open_names(job, job->chip, &job->early, err);
    if (job->log)
        replay_log_begin(&job->logged, job->chip, gpu);
    for (size_t i = 0; i < job->sets && status == PC_OK; i++) {
        char name[80];
        const char *equals = strchr(job->set[i], '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - job->set[i]), job->set[i]);
        status = pc_gpu_option(gpu, name, equals + 1, err);
        if (status != PC_OK)
            job->failed_set = job->set[i];
        else if (job->log)
            log_option(job, job->set[i]);
    }
    return status || !job->with ? status : apply_stimulus(job, gpu, err);
}

/* The waveform of the script: no output replaces it, and standard input is read once. */
static enum pc_status claim_file(void *ctx, const char *path, struct pc_error *err)
{
    struct job *job = ctx;

    if (cli_claim_input("run", path) == CLI_OK)
        return PC_OK;
    job->told = true;
    *err = (struct pc_error){ .status = PC_EARG };
    return PC_EARG;
}

static void report_warning(void *ctx, const char *path, const char *text)
{
    struct job *job = ctx;

    cli_progress_end(&job->stop.progress);
    cli_warning(501, "%s: %s", path, text);
}

static void report_mismatch(void *ctx, const struct pc_error *what)
{
    struct job *job = ctx;

    cli_error(what, job->path, job->text);
}

static void at_access(void *ctx, const struct pc_script_access *access)
{
    struct job *job = ctx;

    cli_progress_end(&job->stop.progress);
    run_rows_add(&job->rows, job->chip, access);
    if (!job->trace)
        return;
    cli_flush(job->out.file);
    run_trace_write(job->path, job->chip, access);
}

static void at_end(void *ctx, struct pc_gpu *gpu)
{
    struct job *job = ctx;

    for (size_t i = 0; i < job->dumps && job->exit == CLI_OK; i++)
        job->exit = run_dump_write(&job->dump[i], gpu);
    if (job->log && job->logged.unit)
        replay_log_end(&job->logged);
    cli_tell_diagnostics(gpu);
    cli_tell_undecoded(gpu); /* asked last: time may pass */
}

/* ---- the verb ---- */

static void abort_outputs(struct job *job)
{
    cli_out_abort(&job->out);
    if (job->log)
        cli_out_abort(&job->logged.out);
    for (size_t i = 0; i < job->dumps; i++)
        if (job->dump[i].open)
            cli_out_abort(&job->dump[i].out);
}

/* The reads, the log and the memory: all of them, or none. */
static int commit_outputs(struct job *job)
{
    struct cli_out **all = calloc(job->dumps + 2, sizeof *all);
    size_t count = 0;

    if (!all) {
        abort_outputs(job);
        return cli_no_memory();
    }
    all[count++] = &job->out;
    if (job->log)
        all[count++] = &job->logged.out;
    for (size_t i = 0; i < job->dumps; i++)
        if (job->dump[i].open)
            all[count++] = &job->dump[i].out;
    const int code = cli_out_commit_all(all, count);
    free(all);
    return code;
}

/* Why the run has failed; CLI_OK: it has not. */
static int failure(const struct job *job, enum pc_status status, const struct pc_error *err)
{
    if (status == PC_OK)
        return job->rows.lines && job->rows.lines->failed ? CLI_LIMIT : job->exit;
    if (job->told)
        return CLI_INPUT;
    if (job->failed_with)
        return cli_error(err, job->with, job->with_text);
    return job->failed_set ? cli_error(err, "--set", NULL) : cli_error(err, job->path, job->text);
}

static int conclude(struct job *job, enum pc_status status, const struct pc_script_result *result,
                    const struct pc_error *err)
{
    if (status != PC_OK && err->status == PC_EIO && err->code == 820)
        return commit_outputs(job); /* it knows what went wrong, and is silent about a pipe */
    run_rows_end(&job->rows, job->chip, status == PC_OK ? result : NULL);
    int code = run_stop_end(&job->stop) ? CLI_INTERRUPTED : failure(job, status, err);
    if (code != CLI_OK) {
        abort_outputs(job);
        return code;
    }
    code = commit_outputs(job);
    cli_note(801, "%s read%s, %s write%s, %s expectation%s, %s failed", cli_grouped(result->reads),
             result->reads == 1 ? "" : "s", cli_grouped(result->writes),
             result->writes == 1 ? "" : "s", cli_grouped(result->expectations),
             result->expectations == 1 ? "" : "s", cli_grouped(result->failed));
    return code == CLI_OK && result->failed > 0 ? CLI_NO : code;
}

/* Reads and opens what the run needs. */
static int open_files(struct job *job)
{
    int code = cli_read_text("run", job->path, &job->text, &job->size);

    if (code == CLI_OK && job->read.given && !run_has_wave(job->text))
        code = cli_usage("run", "%s is about a waveform; the script has none", job->read.given);
    if (code == CLI_OK && job->with)
        code = cli_read_text("run", job->with, &job->with_text, &job->with_size);
    if (code == CLI_OK && job->with && cli_says_nothing(job->with_text, job->with_size))
        code = cli_usage("run", "--with %s: there is no command in it", cli_input_name(job->with));
    if (code == CLI_OK)
        code = cli_out_open(&job->out, job->output);
    if (code == CLI_OK && job->log) {
        code = replay_log_open(&job->logged, job->log);
        if (code)
            cli_out_abort(&job->out);
    }
    return code;
}

static int run_job(struct job *job)
{
    struct pc_script_result result;
    struct pc_error err = { 0 };
    int code = open_files(job);

    if (code == CLI_OK) {
        char *folder = run_folder_of(job->path);
        struct pc_script_desc desc = {
            .text = job->text,
            .size = job->size,
            .out = { .write = job->rows.format == CLI_TEXT ? write_out : NULL, .ctx = job },
            .directory = folder,
            .wave_limits = job->read.limits,
            .wave_tolerate_time_backwards = job->read.time_backwards,
            .wave_strict = job->read.strict,
            .memory_limit = job->memory,
            .prepare = prepare,
            .access = job->trace || job->rows.format != CLI_TEXT ? at_access : NULL,
            .inspect = at_end,
            .single = job->log ? log_access : NULL,
            .command = job->log || job->explain ? before_command : NULL,
            .names = open_names,
            .file = claim_file,
            .warning = report_warning,
            .place = at_place,
        };
        job->rows.out = job->out.file;
        job->rows.path = job->path;
        job->stop =
            (struct run_stop){ job->path, &job->rows, job->out.path != NULL, .stopped = false };
        run_stop_begin(&job->stop);
        enum pc_status status = pc_script_run(&desc, report_mismatch, job, &result, &err);
        code = conclude(job, status, &result, &err);
        free(folder);
    }
    pc_names_close(job->early);
    free(job->text);
    free(job->with_text);
    return code;
}

static const struct option long_options[] = {
    { "output", required_argument, NULL, 'o' },
    { "format", required_argument, NULL, 'F' },
    { "trace", no_argument, NULL, 'v' },
    { "quiet", no_argument, NULL, 'q' },
    { "set", required_argument, NULL, 'S' },
    { "dump", required_argument, NULL, 'D' },
    { "with", required_argument, NULL, 'W' },
    { "log", required_argument, NULL, 'L' },
    { "signals", required_argument, NULL, 'N' },
    { "explain", no_argument, NULL, 'E' },
    { "memory", required_argument, NULL, 'M' },
    CLI_READ_OPTIONS,
    CLI_HELP_OPTIONS,
    { NULL, 0, NULL, 0 },
};

/* An exit code, or -1 to go on. */
static int take_option(struct job *job, int option, const char **sets, char **argv)
{
    int code;

    switch (option) {
    case 'F':
        job->has_format = true;
        return cli_parse_format_or("run", optarg, &job->rows.format, &job->rows.jsonl, NULL)
                   ? -1
                   : CLI_INPUT;
    case 'v':
        job->trace = true;
        return -1;
    case 'S': {
        const char *equals = strchr(optarg, '=');
        if (!equals || equals == optarg || !equals[1])
            return cli_usage("run", "--set %s: NAME=VALUE is expected", optarg);
        sets[job->sets++] = optarg;
        return -1;
    }
    case 'D': {
        const char *wrong = run_dump_parse(optarg, &job->dump[job->dumps++]);
        return wrong ? cli_usage("run", "--dump %s: %s", optarg, wrong) : -1;
    }
    case 'M':
        return cli_memory_limit("run", optarg, &job->memory) == CLI_OK ? -1 : CLI_INPUT;
    case 'W':
        return cli_take_once("run", "--with", optarg, &job->with) ? CLI_INPUT : -1;
    case 'N':
        return cli_names_add("run", &job->names, optarg) ? CLI_INPUT : -1;
    case 'E':
        job->explain = true;
        return -1;
    case 'L':
        if (strncmp(optarg, "mmiotrace=", 10) != 0 || !optarg[10])
            return cli_usage("run", "--log %s: mmiotrace=FILE is expected", optarg);
        return cli_take_once("run", "--log", optarg + 10, &job->log) ? CLI_INPUT : -1;
    default:
        code = cli_read_option("run", option, &job->read);
        if (code < 0)
            return cli_common_option(&cli_verb_run, option, argv, long_options, &job->output);
        return code ? code : -1;
    }
}

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
static int check_outputs(const struct job *job)
{
    int code = job->log ? check_pair(job->output, "the reads", job->log, "--log") : CLI_OK;

    for (size_t i = 0; i < job->dumps && code == CLI_OK; i++) {
        const char *path = job->dump[i].path;
        code = check_pair(job->output, "the reads", path, "--dump");
        if (code == CLI_OK && job->log)
            code = check_pair(job->log, "--log", path, "--dump");
        for (size_t k = 0; k < i && code == CLI_OK; k++)
            code = check_pair(job->dump[k].path, "one --dump", path, "another");
    }
    return code;
}

static int parse_arguments(struct job *job, const char **sets, int argc, char **argv)
{
    int option, code = -1;

    opterr = 0;
    while (code < 0 && (option = cli_getopt(argc, argv, ":o:vqh", long_options)) != -1)
        code = take_option(job, option, sets, argv);
    if (code >= 0)
        return code;
    if (optind == argc)
        return cli_usage("run", "a script is expected: FILE, or - for standard input");
    if (optind + 1 < argc)
        return cli_usage("run", "one script at a time: %s is left over", argv[optind + 1]);
    job->path = argv[optind];
    if (!job->has_format &&
        cli_output_format_or_lines("run", job->output, &job->rows.format, &job->rows.jsonl))
        return CLI_INPUT;
    if (job->rows.jsonl && !(job->rows.lines = cli_lines_new()))
        return CLI_LIMIT;
    code = check_outputs(job);
    if (code)
        return code;
    unsigned dashes = cli_dashes(&job->path, 1) + cli_dashes(&job->with, 1) +
                      cli_dashes(job->names.path, job->names.count);
    return cli_check_dashes("run", dashes) ? CLI_INPUT : -1;
}

static int run(int argc, char **argv)
{
    /* No more of each than arguments. */
    const char **sets = calloc((size_t)argc, sizeof *sets);
    struct run_dump *dumps = calloc((size_t)argc, sizeof *dumps);
    struct job job = { .set = sets, .dump = dumps };
    int code = sets && dumps ? parse_arguments(&job, sets, argc, argv) : cli_no_memory();

    if (code < 0)
        code = run_job(&job);
    cli_lines_free(job.rows.lines);
    free(sets);
    free(dumps);
    return code;
}

const struct cli_verb cli_verb_run = {
    .name = "run",
    .summary = "run a script of register accesses and check what it reads",
    .run = run,
    .brief = run_brief,
    .full = run_full,
    .rest = run_rest,
};
