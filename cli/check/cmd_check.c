/* SPDX-License-Identifier: MIT */
/* pcounter check: the model of CVA6's counters against recorded behaviour, by content. */
#include "process/batch.h"
#include "check.h"
#include "core/core.h"
#include "complete/complete.h"
#include "described/described.h"
#include "devicetree.h"
#include "process/jobs.h"
#include "process/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * A file that begins neither with a line of vectors, with or without a byte order mark, nor as gzip
 * does, so that reading ahead is not needed.
 */
static bool is_other(const char *path)
{
    struct stat st;
    unsigned char first[2];

    FILE *file = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
    if (!file)
        return false;
    const size_t n = fread(first, 1, sizeof first, file);
    fclose(file);
    return n == sizeof first && first[0] != '#' && first[0] != 0xef &&
           !(first[0] == 0x1f && first[1] == 0x8b);
}

/* Vectors; options of waveforms would do nothing. */
static int check_rows(struct check_input *in, const struct check_options *o)
{
    if (o->core || o->description || o->scope || o->map || o->requires)
        return cli_usage("check",
                         "%s has vectors, which say themselves what core they are of: --core, "
                         "--scope, --map and --require are for waveforms",
                         in->path);
    if (o->read_option)
        return cli_usage("check", "%s has vectors: %s is about waveforms", in->path,
                         o->read_option);
    return check_vectors(in, o);
}

/* By what the file starts with. */
static int check_file(const char *path, const struct check_options *o)
{
    struct check_input in;
    struct pc_error err;
    int code = CLI_OK;

    if (o->description)
        return check_described(path, o);
    if (o->core && (cli_read_once(path) || is_other(path)))
        return check_wave(path, o); /* what was looked at in a pipe could not be read again */
    code = check_open(&in, path);
    if (code)
        return code;
    if (check_starts_with(&in, "# cva6-perf-vectors ") ||
        check_starts_with(&in, "# cva6-csr-vectors ")) {
        code = check_rows(&in, o);
    } else if (o->core) {
        check_close(&in);
        return check_wave(path, o);
    } else {
        check_fail(&err, 1020, &in, 0, "%s",
                   in.used > in.at ? "this is not a file of CVA6 vectors" : "the file is empty");
        snprintf(
            err.hint, sizeof err.hint, "%s",
            "for a waveform name the configuration of the core, like --core cv64a6_imafdc_sv39");
        code = cli_error(&err, path, NULL);
    }
    check_close(&in);
    return code;
}

/* --- several files --- */

struct several {
    char **paths;
    size_t files, told;
    struct check_options each;
    const struct rep_def *report;
    FILE *out;
    char header[400]; /* the first line of CSV that was told last */
};

static int run_file(void *ctx, size_t i)
{
    const struct several *s = ctx;

    return check_file(s->paths[i], &s->each);
}

/* Bytes at the beginning that are a header told before. */
static size_t same_header(struct several *s, const struct cli_batch_part *part)
{
    const char *end = memchr(part->out, '\n', part->size);
    size_t n = end ? (size_t)(end + 1 - part->out) : 0;

    if (n == 0 || n >= sizeof s->header)
        return 0;
    if (strlen(s->header) == n && memcmp(s->header, part->out, n) == 0)
        return n;
    memcpy(s->header, part->out, n);
    s->header[n] = '\0';
    return 0;
}

/* CSV has one header for files of one kind, others have what stands around parts. */
static void tell_file(void *ctx, size_t i, const struct cli_batch_part *part)
{
    struct several *s = ctx;
    const struct rep_request *report = &s->each.report;
    size_t from = 0, size = part->size;

    if (size > 0)
        size -= rep_before(report, s->report, s->told++, s->out);
    if (size > 0 && rep_is(report, 0, "csv"))
        from = same_header(s, part);
    fwrite(part->out + from, 1, size - from, s->out);
    if (i + 1 == s->files)
        rep_after(report, s->report, s->told, s->out);
    cli_flush(s->out);
}

/* With ranks everything is printed at the end, or nothing if one of them failed. */
static int check_by_ranks(struct several *s, const struct cli_batch *batch)
{
    char *text = NULL;
    size_t size = 0;
    bool whole;

    s->out = open_memstream(&text, &size);
    if (!s->out)
        return cli_no_memory();
    int code = cli_batch_run(batch, &whole);
    if (!cli_collected(s->out, &text)) {
        whole = false;
        code = cli_no_memory();
    }
    if (whole)
        fwrite(text, 1, size, cli_stdout());
    free(text);
    return code;
}

struct job {
    char **paths;
    size_t files;
    const struct check_options *o;
};

/* The highest exit code of all; one file is told as it is read. */
static int check_files(void *ctx)
{
    const struct job *job = ctx;
    const struct check_options *o = job->o;
    const size_t files = job->files;
    struct several s = { .paths = job->paths,
                         .files = files,
                         .each = *o,
                         .report = o->description ? &check_core_report : &check_wave_report,
                         .out = cli_stdout() };
    const struct cli_batch batch = {
        .files = files,
        .threads = o->threads,
        .keep_going = true,
        .own = files,
        .ctx = &s,
        .run = run_file,
        .tell = tell_file,
    };

    bool whole;

    if (files == 1)
        return cli_ranks_first() ? check_file(job->paths[0], o) : CLI_OK;
    s.each.report.part = true;
    s.each.threads = o->threads > files ? o->threads / (unsigned)files : 1;
    return cli_ranks ? check_by_ranks(&s, &batch) : cli_batch_run(&batch, &whole);
}

/* --- the command line --- */

/* Registers of a description are known once it is read; those of CVA6 are, as --core stands there
 * or will. */
static int take_required(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct check_options *o = field;

    (void)verb, (void)row;
    if (o->require_texts == sizeof o->require_text / sizeof o->require_text[0])
        return cli_usage("check", "--require is given twice: separate names by commas");
    o->require_text[o->require_texts++] = text;
    return CLI_OK;
}

/* A configuration of CVA6, or the file of a description. */
static int take_core(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct check_options *o = field;

    (void)verb, (void)row;
    if (!described_is_file(text))
        return cli_find_core(text, &o->core);
    o->description = text;
    return CLI_OK;
}

static void offer_cores(struct complete *c)
{
    complete_cores(c);
    complete_files(c);
}

/* Options that a description has no use for. */
static int check_described_options(const struct check_options *o)
{
    if (!o->description)
        return CLI_OK;
    if (o->core)
        return cli_usage("check",
                         "--core is given twice: once a configuration, once a description");
    if (o->profile || o->quirks_on || o->quirks_off)
        return cli_usage("check", "--profile and --quirk are about CVA6, not about descriptions");
    return CLI_OK;
}

static int take_quirk(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct check_options *o = field;

    (void)row;
    return core_switch_quirk(verb, text, &o->quirks_on, &o->quirks_off);
}

/* Registers that are compared; after a comma one more. */
static void offer_required(struct complete *c)
{
    const char *name, *about;

    complete_last_of_list(c);
    for (size_t i = 0; (name = check_required_at(i, &about)) != NULL; i++)
        complete_offer(c, name, about);
}

/* These take the whole struct. */
static const struct opt_kind required = { .value = "NAME,...",
                                          .take = take_required,
                                          .offer = offer_required };
static const struct opt_kind core = { .value = "NAME", .take = take_core, .offer = offer_cores };
static const struct opt_kind quirk = { .value = "NAME=on|off",
                                       .take = take_quirk,
                                       .offer = complete_quirks };

#define O struct check_options
static const struct opt rows[] = {
    { .name = "core",
      .kind = &core,
      .brief = "configuration of CVA6, or FILE.yaml, a description",
      .more = "FILE is then a waveform; a description, pcounter-core(5), can be of any design" },
    { .name = "scope",
      OPT_TEXT(O, scope),
      .value = "SCOPE",
      .brief = "scope of perf_counters, if it cannot be found by its ports",
      .flags = OPT_ONCE },
    { .name = "map",
      OPT_FILE(O, map),
      .brief = "FILE that names ports, slices of vectors and inverses",
      .flags = OPT_ONCE },
    { .name = "require",
      .kind = &required,
      .brief = "what must be compared, or none (any event counter)" },
    { .name = "profile",
      OPT_PROFILE(O, profile),
      .brief = "rtl (default) or spec: how the counters behave" },
    { .name = "quirk", .kind = &quirk, .brief = "set one difference between the two profiles" },
    { .letter = 'j', .name = "jobs", OPT_JOBS(O, threads) },
    { .letter = 'k',
      .name = "keep-going",
      OPT_SWITCH(O, keep_going),
      .brief = "continue after the first difference" },
    CLI_GOTO_ROW(O, go),
    { .name = "devicetree",
      .kind = &opt_form,
      .value = "FILE",
      .brief = "check a node of a device tree; then -h shows its options" },
    OPT_READ_ROWS(O, read),
    OPT_STOP_ROW,
    REP_OPTIONS(O, report, &check_wave_report),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand operand = { .first = complete_files, .rest = complete_files };
static const struct opt_line line = { .name = "check", .row = rows, .operand = &operand };

static int run(int argc, char **argv)
{
    struct check_options o = { .threads = 0 };
    struct opt_said said;

    if (opt_line_of(&cli_verb_check, argc, argv) != &line)
        return check_devicetree(&cli_verb_check, argc, argv);
    const int code = opt_read(&cli_verb_check, &line, argc, argv, &o, &said);
    if (code >= 0)
        return code;
    if (said.operands == 0)
        return cli_usage("check",
                         "which file? Vectors, or with --core a waveform; - is standard input");
    o.read_option = opt_marked(&said, OPT_READ);
    if (check_described_options(&o) != CLI_OK)
        return CLI_INPUT;
    for (size_t i = 0; !o.description && i < o.require_texts; i++)
        if (check_take_required(o.require_text[i], &o) != CLI_OK)
            return CLI_INPUT;
    if (!o.description && check_required(&o) != CLI_OK)
        return CLI_INPUT;
    for (size_t i = 0; i < o.report.outputs; i++)
        if (rep_is(&o.report, i, "jsonl") && !o.core && !o.description)
            return cli_usage("check",
                             "jsonl is about waveforms: --core NAME; vectors have --format json");
    if (check_goto_options(&o, said.operands) != CLI_OK)
        return CLI_INPUT;
    struct job job = { said.operand, said.operands, &o };
    o.threads = cli_jobs(o.threads, (const char *const *)job.paths, job.files);
    /* the map is read again for each waveform */
    const unsigned dashes =
        (cli_dashes(&o.map, 1) + cli_dashes(&o.description, 1)) * (job.files > 1 ? 2 : 1) +
        cli_dashes((const char *const *)job.paths, job.files);
    if (cli_check_dashes("check", dashes) != CLI_OK)
        return CLI_INPUT;
    if (o.report.outputs > 1 && job.files > 1)
        return cli_usage("check", "-o can be given several times for one file; here are %zu",
                         job.files);
    cli_will_read(job.paths, job.files);
    return rep_into(&o.report, check_files, &job);
}

const struct cli_verb cli_verb_check = {
    .name = "check",
    .reads_simulations = true,
    .summary = "compare a core's counters with recorded behaviour",
    .run = run,
    .line = &line,
    .reports =
        (const struct rep_def *const[]){ &check_wave_report, &check_core_report,
                                         &check_vectors_report, &check_devicetree_report, NULL },
    .other = &check_devicetree_line,
};
