/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat: counts of expressions over a waveform, and with -a by the counters of a chip.
 * Everything that can be wrong with the command line is found before the waveform is read
 * beyond its header.
 */
#include "process/batch.h"
#include "process/ranks.h"
#include "stat_core.h"
#include "stat_report.h"
#include "wave/only_clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --from and --to as cycles of the clock: they may take a read of the waveform's times. */
static int find_window(struct stat_options *o, const struct pc_wave *wave,
                       const struct pc_wave_clock *clock)
{
    const struct pc_wave_desc desc = cli_wave_desc(&o->read, o->path);
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    return cli_window_find(&o->window, &info, &desc, clock,
                           o->metrics.count > 0 || o->expect.texts > 0);
}

/* From the command line to the counters: nothing is counted yet. */
static int prepare(struct stat_options *o, struct stat_wires *wires, struct stat_plan *plan,
                   struct pc_wave_clock *clock)
{
    int code = stat_find_clock(wires->wave, o->clock_label, o->clock, clock);

    if (o->only_clock)
        cli_note(306, "counted at %s, the only clock that was found; --clock names another one",
                 o->clock);
    clock->post_edge = o->post_edge;
    o->edge = clock->edge;
    if (code == CLI_OK && o->sample)
        code = cli_check_sample("stat", clock);
    if (code == CLI_OK)
        code = stat_bind_open(o, wires->wave);
    if (code == CLI_OK)
        code = stat_measure_open(o, wires);
    if (code == CLI_OK)
        code = stat_find_metrics(o);
    if (code == CLI_OK)
        code = stat_check_events(o);
    for (size_t n = 0; n < o->events && code == CLI_OK; n++)
        code = stat_compile_event(o, &o->event[n], wires);
    if (code == CLI_OK && o->chip)
        code = stat_make_plan(o, plan, wires);
    if (code == CLI_OK && o->chip)
        code = stat_program(o, plan);
    if (code == CLI_OK)
        code = find_window(o, wires->wave, clock);
    return code;
}

static void note_tainted(const struct stat_options *o, const struct pc_wave *wave,
                         const struct pc_wave_clock *clock)
{
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].tainted > 0) {
            stat_note_tainted(o, wave, clock, o->event[n].name, o->event[n].tainted);
            return;
        }
}

/* With -I it has the end of the report already. */
static void tell(struct stat_report *r, const struct stat_result *result)
{
    if (!r->o->interval.text)
        stat_report_end(r, result);
    if (r->o->events == 0 && r->o->measures.count == 0 && r->page && !result->partial && !cli_quiet)
        stat_suggest(r->page, r->o);
}

/* The waveform is open. */
static int count_wave(struct stat_options *o, struct stat_wires *wires, struct stat_plan *plan)
{
    struct pc_wave_clock clock;
    struct stat_result result;
    struct stat_report report;
    int code = prepare(o, wires, plan, &clock);

    if (code == CLI_OK)
        code = stat_report_open(&report, o, plan);
    if (code)
        return code;
    code = stat_run(o, plan, wires, &clock, &report, &result);
    stat_note_events(o, NULL, wires, &clock);
    if (code == CLI_OK) {
        tell(&report, &result);
        note_tainted(o, wires->wave, &clock);
        stat_expect_tell(o, plan, &result);
    }
    code = stat_report_close(&report, code);
    return code == CLI_OK && result.partial ? CLI_INTERRUPTED : code;
}

static int count(struct stat_options *o)
{
    struct pc_wave_desc desc = cli_wave_desc(&o->read, o->path);
    struct stat_wires wires = { .binds = &o->binds };
    struct stat_plan plan = { .pass = NULL };
    struct pc_error err;
    int code = cli_claim_input("stat", o->path);

    /* 0: one thread, and one that decompresses what is compressed */
    desc.threads = o->threads > 1 || o->files > 1 ? o->threads : 0;
    desc.live = o->live;
    if (code == CLI_OK && !o->clock) {
        code = cli_only_clock("stat", &o->read, o->path, desc.threads, &o->only_clock);
        o->clock = o->only_clock;
    }
    if (code == CLI_OK)
        code = stat_open_metrics(o);
    if (code == CLI_OK)
        code = pc_wave_open(&desc, &wires.wave, &err) ? cli_error(&err, o->path, NULL)
                                                      : count_wave(o, &wires, &plan);

    stat_free_plan(&plan);
    stat_free_wires(&wires);
    pc_wave_close(wires.wave);
    return code;
}

/* --- one waveform --- */

static int count_one(struct stat_options *o)
{
    o->live = o->interval.text && o->threads <= 1 && cli_read_once(o->path);
    return cli_ranks_first() ? count(o) : CLI_OK;
}

/* --- several --- */

struct several {
    struct stat_options *file;            /* each with its own events */
    size_t files, told, not_begun, first; /* first: of those before which Ctrl-C came */
    FILE *out;
};

static int run_file(void *ctx, size_t i)
{
    const struct several *s = ctx;
    const int code = count(&s->file[i]);

    if (code != CLI_OK && code != CLI_INTERRUPTED) { /* a mistake in -e has no file of its own */
        fputs("in ", cli_stderr());
        cli_print_name(cli_stderr(), s->file[i].path);
        fputc('\n', cli_stderr());
        if (s->file[i].keep_going && stat_failed(cli_stdout(), &s->file[i]))
            return CLI_LIMIT;
    }
    return code;
}

static void tell_file(void *ctx, size_t i, const struct cli_batch_part *part)
{
    struct several *s = ctx;
    const struct stat_options *o = &s->file[i];
    size_t size = part->size;

    if (!part->begun) {
        s->first = s->not_begun++ ? s->first : i;
        return;
    }
    if (size == 0) /* there was no memory for it */
        return;
    const size_t cut = rep_before(&o->report, &stat_report_def, s->told++, s->out);
    if (rep_is(&o->report, 0, "text") && i > 0)
        fputc('\n', s->out);
    fwrite(part->out, 1, size > cut ? size - cut : 0, s->out);
    if (o->keep_going)
        cli_flush(s->out);
}

/* The first file is begun before anyone looks whether Ctrl-C came. */
static void end_files(const struct several *s)
{
    rep_after(&s->file[0].report, &stat_report_def, s->told, s->out);
    if (s->not_begun == 0)
        return;
    fputs("pcounter: interrupted before ", stderr);
    cli_print_name(stderr, cli_input_name(s->file[s->first].path));
    if (s->not_begun > 1)
        fprintf(stderr, " and %s were", cli_count(s->not_begun - 1, "further waveform"));
    fprintf(stderr, "%s begun: not in the report\n", s->not_begun > 1 ? "" : " was");
}

/*
 * The options of each file; they are right, for the first has been parsed.  That has put the files
 * behind all options: each time the options and one file are parsed, not all files again.
 */
static int parse_again(char **argv, size_t options, char **paths, struct several *s)
{
    unsigned dashes = 0;

    for (size_t i = 0; i < s->files; i++) {
        struct stat_options *o = &s->file[i];
        argv[options] = paths[i];
        int code = stat_parse_options(&cli_verb_stat, (int)options + 1, argv, o);
        if (code >= 0)
            return code;
        o->number = i;
        o->files = s->files;
        o->report.output[0].path = NULL; /* that is cli_stdout() */
        o->report.part = true;
        o->report.more = i > 0;
        o->threads = o->threads > s->files ? o->threads / (unsigned)s->files : 1;
        dashes += strcmp(o->path, "-") == 0;
    }
    if (dashes && cli_ranks)
        return cli_usage("stat", "standard input can be read by one process only");
    return CLI_OK;
}

/* All reports or none: they are written when the last waveform has been read; or as they come. */
static int count_several(struct several *s, const struct stat_options *o)
{
    struct cli_batch batch = { .files = s->files,
                               .threads = o->threads,
                               .keep_going = o->keep_going,
                               .ctx = s,
                               .run = run_file,
                               .tell = tell_file };
    char *text = NULL;
    size_t size = 0;
    struct cli_out out;
    bool whole;
    int code = cli_out_open(&out, o->report.output[0].path);

    if (code)
        return code;
    s->out = o->keep_going ? out.file : open_memstream(&text, &size);
    if (!s->out) {
        cli_out_abort(&out);
        return cli_no_memory();
    }
    while (batch.own < s->files && strcmp(s->file[batch.own].path, "-") != 0)
        batch.own++; /* Ctrl-C ends standard input for the thread that it interrupts */
    code = cli_batch_run(&batch, &whole);
    if (whole)
        end_files(s);
    if (!o->keep_going && !cli_collected(s->out, &text)) {
        whole = false;
        code = cli_no_memory();
    }
    if (whole) {
        fwrite(text ? text : "", 1, size, out.file);
        int written = cli_out_commit(&out);
        code = written ? written : code;
    } else {
        cli_out_abort(&out);
    }
    free(text);
    return code;
}

static int run_several(int argc, char **argv, struct stat_options *o)
{
    const size_t options = (size_t)argc - o->files;
    struct several s = { .files = o->files, .file = calloc(o->files, sizeof *s.file) };
    char **words = calloc(options + 2, sizeof *words);
    int code = s.file && words ? CLI_OK : cli_no_memory();

    if (code == CLI_OK) {
        memcpy(words, argv, options * sizeof *words);
        code = parse_again(words, options, o->paths, &s);
    }
    if (code == CLI_OK)
        code = count_several(&s, o);
    for (size_t i = 0; s.file && i < s.files; i++) {
        o->unmet |= s.file[i].unmet;
        stat_free_options(&s.file[i]);
    }
    free(s.file);
    free(words);
    return code;
}

static int run(int argc, char **argv)
{
    if (opt_line_of(&cli_verb_stat, argc, argv) == &stat_core_line)
        return cli_ranks_first() ? stat_core(&cli_verb_stat, argc, argv) : CLI_OK;

    struct stat_options o;
    int code = stat_parse_options(&cli_verb_stat, argc, argv, &o);

    if (code < 0)
        code = o.files > 1 || o.keep_going ? run_several(argc, argv, &o) : count_one(&o);
    if (code == CLI_OK && o.unmet)
        code = CLI_NO;
    stat_free_options(&o);
    return code;
}

const struct cli_verb cli_verb_stat = {
    .name = "stat",
    .summary = "count events of a waveform",
    .run = run,
    .line = &stat_line,
    .other = &stat_core_line,
    .reports = (const struct rep_def *const[]){ &stat_report_def, &stat_failed_def, &stat_core_def,
                                                &stat_core_events_def, NULL },
};
