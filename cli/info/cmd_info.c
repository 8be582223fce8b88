/* SPDX-License-Identifier: MIT */
/* pcounter info: what is in a waveform, and what may be worth counting in it. */
#include "cli.h"
#include "complete/complete.h"
#include "info.h"
#include "process/jobs.h"
#include "process/progress.h"
#include "opt/opt_wave.h"
#include "pcounter/unstable/bus.h"
#include "text/regs_text.h"
#include "wave/event_list.h"
#include "wave/wave_bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *file, *glob;
    bool vars;
    unsigned threads;
    struct rep_request report;
    struct cli_read_options read;
};

/* Finds signals that are resets by their names; false: no memory. */
static bool find_resets(struct info_summary *s)
{
    uint8_t *seen = calloc(s->info.codes + 1, 1);
    struct pc_wave_var v;
    bool low, done = seen != NULL;

    for (size_t i = 0; done && pc_wave_get_var(s->wave, i, &v) == PC_OK; i++) {
        if (v.kind != PC_VAR_BITS || v.width != 1 || seen[v.code] ||
            !pc_bus_is_reset_name(v.name, &low))
            continue;
        seen[v.code] = 1;
        void *array = s->reset;
        struct info_reset *one = cli_one_more(&array, &s->reset_capacity, &s->resets, sizeof *one);
        s->reset = array;
        done = one != NULL;
        if (one)
            *one = (struct info_reset){ i, v.code, low };
    }
    free(seen);
    return done;
}

/* Scans the whole file; the error, if any, is filled in. */
static enum pc_status summarise(struct info_summary *s, const struct pc_wave_desc *desc,
                                struct pc_error *err)
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
    if (!s->activity || !cli_suggest(s->wave, &s->totals, s->activity, &s->found) ||
        !find_resets(s)) {
        *err = (struct pc_error){ .status = PC_ENOMEM, .code = 100, .text = "out of memory" };
        return PC_ENOMEM;
    }
    if (!cli_prove_clocks(s->wave, desc, s->activity, &s->found, &s->evidence))
        s->evidence.clocks = 0;
    pc_wave_get_info(s->wave, &s->info); /* reading on may have added warnings */
    return PC_OK;
}

/* Returns true if an output leaves warnings to standard error. */
static bool tells_nothing(const struct rep_request *report)
{
    for (size_t i = 0; i < report->outputs; i++)
        if (!rep_is(report, i, "json"))
            return true;
    return false;
}

static int run_summary(const struct options *o, const struct pc_wave_desc *desc,
                       struct pc_wave *wave, struct cli_progress *progress)
{
    struct info_summary s = { .file = o->file, .wave = wave, .progress = progress };
    struct pc_error err;
    struct rep *r;
    int code;

    if (summarise(&s, desc, &err)) {
        code = cli_error(&err, o->file, NULL);
    } else if ((code = rep_open(&r, &info_report, &o->report)) == CLI_OK) {
        cli_keep_wave_warnings(wave, cli_input_name(o->file));
        if (rep_page(r))
            info_print_text(rep_page(r), &s);
        if (rep_has_rows(r))
            info_put(r, &s);
        code = rep_close(r, CLI_OK);
        if (tells_nothing(&o->report))
            cli_wave_warnings(wave, cli_input_name(o->file));
    }
    cli_suggest_free(&s.found);
    free(s.reset);
    free(s.activity);
    return code;
}

static void print_var(FILE *f, const struct pc_wave_var *v)
{
    fprintf(f, "%-10s %7" PRIu32 "  ", v->type, v->width);
    cli_print_name(f, v->name);
    cli_print_name(f, v->range);
    fputc('\n', f);
}

static int list_vars(const struct options *o, const struct pc_wave *wave, struct rep *r,
                     size_t *listed)
{
    struct cli_wave_vars at;
    struct pc_wave_var v;
    FILE *page = rep_page(r);

    if (page)
        fputs("TYPE         WIDTH  NAME\n", page);
    rep_root(r, REP_NO_CELLS);
    cli_wave_vars_begin(&at, wave);
    while (cli_wave_vars_next(&at, &v)) {
        if (!cli_matches_one(&o->glob, o->glob != NULL, v.name))
            continue;
        ++*listed;
        if (page)
            print_var(page, &v);
        if (rep_has_rows(r) && !info_put_var(r, &at, &v))
            return cli_no_memory();
    }
    return CLI_OK;
}

static int run_vars(const struct options *o, const struct pc_wave *wave)
{
    struct rep *r;
    size_t listed = 0;
    int code = rep_open(&r, &info_vars_report, &o->report);

    if (code)
        return code;
    code = rep_close(r, list_vars(o, wave, r, &listed));
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
      .brief = "list variables, all or those matching GLOB; no summary",
      .flags = OPT_MAYBE | OPT_NEXT },
    { .letter = 'j', .name = "jobs", OPT_JOBS(O, threads) },
    REP_OPTIONS(O, report, &info_report),
    OPT_QUIET_OF("no notes, no progress"),
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
    if (cli_wave_open(&desc, &wave, &err))
        return cli_error(&err, o.file, NULL);
    code = o.vars ? run_vars(&o, wave) : run_summary(&o, &desc, wave, &progress);
    pc_wave_close(wave);
    return code;
}

const struct cli_verb cli_verb_info = {
    .name = "info",
    .reads_simulations = true,
    .summary = "summarise a waveform: times, signals, likely clocks and events",
    .run = run,
    .line = &line,
    .reports = (const struct rep_def *const[]){ &info_report, &info_vars_report, NULL },
};
