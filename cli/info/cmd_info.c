/* SPDX-License-Identifier: MIT */
/* pcounter info: what is in a waveform, and what may be worth counting in it. */
#include "cli.h"
#include "complete/complete.h"
#include "info.h"
#include "process/jobs.h"
#include "process/progress.h"
#include "opt/opt_wave.h"
#include "wave/wave_bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *file, *glob;
    bool vars;
    unsigned threads;
    struct opt_report report;
    struct cli_read_options read;
};

static const char *const kinds[] = { "bits", "real", "string", "event" };

/* Scans the whole file; the error, if any, is filled in. */
static enum pc_status summarise(struct info_summary *s, struct pc_error *err)
{
    pc_wave_get_info(s->wave, &s->info);
    s->activity = calloc(s->info.codes + 1, sizeof *s->activity);
    if (s->activity) {
        cli_progress_begin(s->progress);
        enum pc_status status = pc_wave_scan(s->wave, &s->totals, s->activity, err);
        cli_progress_end(s->progress);
        if (status)
            return status;
    }
    if (!s->activity || !cli_suggest(s->wave, s->activity, &s->found)) {
        *err = (struct pc_error){ .status = PC_ENOMEM, .code = 100, .text = "out of memory" };
        return PC_ENOMEM;
    }
    pc_wave_get_info(s->wave, &s->info); /* reading on may have added warnings */
    return PC_OK;
}

static int run_summary(const struct options *o, struct pc_wave *wave, struct cli_progress *progress)
{
    struct info_summary s = { .file = o->file, .wave = wave, .progress = progress };
    struct pc_error err;
    struct cli_out out;
    int code;

    if (summarise(&s, &err)) {
        code = cli_error(&err, o->file, NULL);
    } else if ((code = cli_out_open(&out, o->report.path)) == CLI_OK) {
        cli_keep_wave_warnings(wave, o->file);
        if (o->report.format == CLI_JSON)
            info_print_json(out.file, &s);
        else if (o->report.format == CLI_CSV)
            info_print_csv(out.file, &s);
        else
            info_print_text(out.file, &s);
        code = cli_out_commit(&out);
        if (o->report.format != CLI_JSON)
            cli_wave_warnings(wave, o->file);
    }
    cli_suggest_free(&s.found);
    free(s.activity);
    return code;
}

/* Whole path, or its last part; without a wildcard the text may stand anywhere. */
static bool selected(const char *glob, const char *name)
{
    const char *dot = strrchr(name, '.');

    if (!glob)
        return true;
    if (!strpbrk(glob, "*?"))
        return strstr(name, glob) != NULL;
    return cli_matches_path(glob, name) || (dot && cli_matches_path(glob, dot + 1));
}

/* Codes of the value streams: of a vector that is declared bit by bit one a bit, from the left. */
static void print_codes(FILE *f, const struct cli_wave_vars *at, const struct pc_wave_var *v,
                        const char *separator)
{
    struct pc_wave_var bit;

    fprintf(f, "%" PRIu32, v->code);
    for (size_t i = 1; i < at->bits && pc_wave_get_var(at->wave, at->first + i, &bit) == PC_OK; i++)
        fprintf(f, "%s%" PRIu32, separator, bit.code);
}

static void print_var(FILE *f, enum cli_format format, const struct cli_wave_vars *at,
                      const struct pc_wave_var *v, size_t n)
{
    if (format == CLI_TEXT) {
        fprintf(f, "%-10s %7" PRIu32 "  ", v->type, v->width);
        cli_print_name(f, v->name);
        cli_print_name(f, v->range);
        fputc('\n', f);
        return;
    }
    if (format == CLI_JSON) {
        fprintf(f, "%s\n    { \"name\": ", n ? "," : "");
        cli_json_string(f, v->name);
        fputs(", \"range\": ", f);
        cli_json_string(f, v->range);
        fprintf(f,
                ", \"type\": \"%s\", \"kind\": \"%s\", \"width\": %" PRIu32 ", \"msb\": %" PRId32
                ", \"lsb\": %" PRId32 ", %s",
                v->type, kinds[v->kind], v->width, v->msb, v->lsb,
                at->bits ? "\"codes\": [" : "\"code\": ");
        print_codes(f, at, v, ", ");
        fputs(at->bits ? "] }" : " }", f);
        return;
    }
    cli_csv_field(f, v->name);
    fputc(',', f);
    cli_csv_field(f, v->range);
    fprintf(f, ",%s,%s,%" PRIu32 ",%" PRId32 ",%" PRId32 ",", v->type, kinds[v->kind], v->width,
            v->msb, v->lsb);
    print_codes(f, at, v, " ");
    fputs("\r\n", f);
}

static int run_vars(const struct options *o, const struct pc_wave *wave)
{
    struct cli_wave_vars at;
    struct pc_wave_var v;
    struct cli_out out;
    size_t listed = 0;
    int code = cli_out_open(&out, o->report.path);

    if (code)
        return code;
    if (o->report.format == CLI_TEXT)
        fputs("TYPE         WIDTH  NAME\n", out.file);
    else if (o->report.format == CLI_CSV)
        fputs("name,range,type,kind,width,msb,lsb,code\r\n", out.file);
    else
        fputs("{\n  \"$schema\": \"pcounter-info-vars-1\",\n  \"vars\": [", out.file);
    cli_wave_vars_begin(&at, wave);
    while (cli_wave_vars_next(&at, &v))
        if (selected(o->glob, v.name))
            print_var(out.file, o->report.format, &at, &v, listed++);
    if (o->report.format == CLI_JSON)
        fputs("\n  ]\n}\n", out.file);
    code = cli_out_commit(&out);
    if (code == CLI_OK && listed == 0 && o->glob) {
        cli_note(502, "no variable matches \"%s\"", o->glob);
        return CLI_NO;
    }
    return code;
}

static int take_vars(const char *verb, const struct opt *row, const char *text, void *field)
{
    struct options *o = field;

    (void)verb, (void)row;
    o->vars = true;
    o->glob = text;
    return CLI_OK;
}

static const struct opt_kind vars = { .value = "GLOB", .take = take_vars };

#define O struct options
static const struct opt rows[] = {
    { .name = "vars",
      .kind = &vars,
      .brief = "list variables instead of the summary: all, or those that GLOB names",
      .flags = OPT_MAYBE | OPT_NEXT },
    { .letter = 'j', .name = "jobs", OPT_JOBS(O, threads) },
    OPT_REPORT(O, report, &opt_plain),
    { .letter = 'q',
      .name = "quiet",
      .kind = &opt_quiet,
      .brief = "no notes and warnings, no progress" },
    OPT_READ_ROWS(O, read),
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand file = { .first = complete_files, .rest = complete_files };
static const struct opt_line line = { .name = "info", .row = rows, .operand = &file };

/* The word after --vars is its GLOB, if another one is left to be the FILE. */
static int take_words(struct options *o, const struct opt_said *said)
{
    char **const word = said->operand;
    const size_t words = said->operands;
    bool is_word = false; /* the GLOB is one of them, and not --vars=GLOB */

    for (size_t i = 0; i < words; i++)
        is_word |= o->glob == word[i];
    if (words == 0)
        return cli_usage("info", "which waveform? A file, or - for standard input");
    if (words > 2 || (words == 2 && !is_word))
        return cli_usage("info", "more than one waveform is named");
    o->file = word[words == 2 && o->glob == word[0] ? 1 : 0];
    if (words == 1 && is_word)
        o->glob = NULL;
    return CLI_OK;
}

static void show_progress(void *ctx, uint64_t done, uint64_t total)
{
    cli_progress_bytes(ctx, done, total);
}

static int run(int argc, char **argv)
{
    struct cli_progress progress;
    struct options o = { .vars = false };
    struct opt_said said;
    int code = opt_read(&cli_verb_info, &line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    code = take_words(&o, &said);
    if (code)
        return code;
    struct pc_wave_desc desc = cli_wave_desc(&o.read, o.file);
    struct pc_wave *wave;
    struct pc_error err;
    desc.threads = cli_jobs(o.threads, &o.file, 1);
    desc.progress = show_progress;
    desc.progress_ctx = &progress;
    if (cli_claim_input("info", o.file) != CLI_OK)
        return CLI_INPUT;
    if (pc_wave_open(&desc, &wave, &err))
        return cli_error(&err, o.file, NULL);
    code = o.vars ? run_vars(&o, wave) : run_summary(&o, wave, &progress);
    pc_wave_close(wave);
    return code;
}

const struct cli_verb cli_verb_info = {
    .name = "info",
    .summary = "what is in a waveform: times, signals, likely clocks and events",
    .run = run,
    .line = &line,
};
