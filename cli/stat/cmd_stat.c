/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat: counts of expressions over a waveform, and with -a by the counters of a chip.
 * Everything that can be wrong with the command line is found before the waveform is read
 * beyond its header.
 */
#include "process/batch.h"
#include "process/ranks.h"
#include "described/described.h"
#include "opt/opt_table.h"
#include "stat_core.h"
#include "stat_filter.h"
#include "stat_report.h"
#include "wave/only_clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --from, --to and -I as cycles of the clock: they may take the times of its edges. */
static int find_window(struct stat_job *j, const struct pc_wave *wave, struct pc_wave_clock *clock)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    clock->times =
        stat_timeline_times(j, &info, clock) || stat_measure_has(&j->measures, STAT_LEVEL);
    return cli_window_begin(&j->window, &info, j->path, clock,
                            j->metrics.count > 0 || j->expect.texts > 0);
}

/* From the command line to the counters: nothing is counted yet. */
static int prepare(struct stat_job *j, struct stat_wires *wires, struct stat_plan *plan,
                   struct pc_wave_clock *clock)
{
    if (j->o->clocks > 1)
        return stat_prepare_clocks(j, wires);
    int code = stat_described_clock(j, wires->wave);

    if (code == CLI_OK)
        code = stat_find_clock(wires->wave, j->clock_label, j->clock, stat_described_names(j),
                               clock, &j->filter);
    if (j->only_clock.name)
        cli_note(306,
                 "counted at %s, the only clock that was found: it %s; --clock names another one",
                 j->clock,
                 j->only_clock.why[0] ? j->only_clock.why : "has rising edges at regular times");
    clock->post_edge = j->o->post_edge;
    j->edge = clock->edge;
    if (code == CLI_OK && j->o->sample)
        code = cli_check_sample("stat", clock);
    if (code == CLI_OK)
        code = stat_bind_open(j, wires->wave);
    if (code == CLI_OK)
        code = stat_expand_stars(j, wires->wave);
    if (code == CLI_OK)
        code = stat_described_open(j, wires, clock);
    if (code == CLI_OK)
        code = stat_described_filter(j, wires);
    if (code == CLI_OK)
        code = stat_measure_open(j, wires);
    if (code == CLI_OK)
        code = stat_find_metrics(j);
    if (code == CLI_OK)
        code = stat_check_events(j->o, j->events);
    wires->compares =
        !j->chip && !wires->described && (j->o->x == OPT_X_TAINT || j->o->x == OPT_X_ZERO);
    for (size_t n = 0; n < j->events && code == CLI_OK; n++)
        code = stat_compile_event(j, &j->event[n], wires);
    if (code == CLI_OK)
        code = stat_check_names(j);
    if (code == CLI_OK && j->chip)
        code = stat_make_plan(j, plan, wires);
    if (code == CLI_OK && j->chip)
        code = stat_program(j, plan);
    if (code == CLI_OK)
        code = find_window(j, wires->wave, clock);
    return code;
}

static void note_tainted(const struct stat_job *j, const struct pc_wave *wave,
                         const struct pc_wave_clock *clock)
{
    for (size_t n = 0; n < j->events; n++)
        if (j->event[n].tainted > 0) {
            stat_note_tainted(j, wave, clock, j->event[n].name, j->event[n].tainted);
            return;
        }
}

/* With -I it has the end of the report already. */
static void tell(struct stat_report *r, const struct stat_result *result)
{
    if (!r->j->o->interval.text)
        stat_report_end(r, result);
    if (r->j->events == 0 && r->j->measures.count == 0 && r->page && !result->partial && !cli_quiet)
        stat_suggest(r->page, r->j, result);
}

/* Prints the notes on events; with several clocks those of each clock in turn. */
static void note_events(struct stat_job *j, struct stat_wires *wires,
                        const struct pc_wave_clock *clock)
{
    if (j->parts == 0)
        stat_note_events(j, NULL, wires, clock);
    for (size_t k = 0; k < j->parts; k++)
        stat_note_events(&j->part[k].job, NULL, &j->part[k].wires, &j->part[k].clock);
}

/* The waveform is open. */
static int count_wave(struct stat_job *j, struct stat_wires *wires, struct stat_plan *plan)
{
    struct pc_wave_clock clock = { .edge = PC_EDGE_POS };
    struct stat_result result;
    struct stat_report report;
    struct pc_wave_info info;

    pc_wave_get_info(wires->wave, &info);
    int code = cli_goto_check(&j->o->go, "stat", j->path, &info);
    if (code == CLI_OK)
        code = prepare(j, wires, plan, &clock);
    if (code == CLI_OK)
        code = stat_report_open(&report, j, plan);
    if (code)
        return code;
    code = j->parts ? stat_run_clocks(j, plan, wires->wave, &result)
                    : stat_run(j, plan, wires, &clock, &report, &result);
    if (code == CLI_OK || !j->o->read.strict) /* else what is odd in the file would be told twice */
        note_events(j, wires, &clock);
    if (code == CLI_OK && j->o->go.text)
        code = stat_goto(j, wires->wave);
    if (code == CLI_OK) {
        tell(&report, &result);
        note_tainted(j, wires->wave, j->parts ? &j->part[0].clock : &clock);
        stat_expect_tell(j, plan, &result);
    }
    code = stat_report_close(&report, code);
    return code == CLI_OK && result.partial ? CLI_INTERRUPTED : code;
}

static int count(struct stat_job *j)
{
    struct pc_wave_desc desc = cli_wave_desc(&j->o->read, j->path);
    struct stat_wires wires = { .binds = &j->binds };
    struct stat_plan plan = { .pass = NULL };
    struct pc_error err;
    int code = cli_claim_input("stat", j->path);

    /* 0: one thread, and one that decompresses what is compressed */
    desc.threads = j->threads > 1 || j->o->files > 1 ? j->threads : 0;
    desc.live = j->live;
    if (code == CLI_OK)
        code = stat_described_read(j);
    if (code == CLI_OK && !j->clock && !j->o->description) {
        code = cli_find_only_clock("stat", &j->o->read, j->path, desc.threads, &j->only_clock);
        j->clock = j->only_clock.name;
    }
    if (code == CLI_OK)
        code = stat_open_metrics(j);
    if (code == CLI_OK)
        code = cli_wave_open(&desc, &wires.wave, &err) ? cli_error(&err, j->path, NULL)
                                                       : count_wave(j, &wires, &plan);

    stat_free_plan(&plan);
    stat_free_wires(&wires);
    pc_wave_close(wires.wave);
    return code;
}

/* --- one waveform --- */

static int count_one(const struct stat_options *o, bool *unmet)
{
    struct stat_job j;
    int code = stat_job_begin(&j, o, 0);

    j.live = o->interval.text && j.threads <= 1 && cli_read_once(j.path);
    if (code == CLI_OK && cli_ranks_first())
        code = count(&j);
    *unmet = j.unmet;
    stat_job_end(&j);
    return code;
}

/* --- several --- */

struct several {
    const struct stat_options *o;
    struct stat_job *job;
    size_t told, not_begun, first; /* first: of those before which Ctrl-C came */
    FILE *out;
};

static int run_file(void *ctx, size_t i)
{
    const struct several *s = ctx;
    struct stat_job *j = &s->job[i];
    const int code = count(j);

    if (code != CLI_OK && code != CLI_INTERRUPTED) { /* a mistake in -e has no file of its own */
        fputs("in ", cli_stderr());
        cli_print_name(cli_stderr(), j->path);
        fputc('\n', cli_stderr());
        if (s->o->keep_going && stat_failed(cli_stdout(), j))
            return CLI_LIMIT;
    }
    return code;
}

static void tell_file(void *ctx, size_t i, const struct cli_batch_part *part)
{
    struct several *s = ctx;
    const struct stat_job *j = &s->job[i];
    size_t size = part->size;

    if (!part->begun) {
        s->first = s->not_begun++ ? s->first : i;
        return;
    }
    if (size == 0) /* there was no memory for it */
        return;
    const size_t cut = rep_before(&j->report, &stat_report_def, s->told++, s->out);
    if (rep_is(&j->report, 0, "text") && i > 0)
        fputc('\n', s->out);
    fwrite(part->out, 1, size > cut ? size - cut : 0, s->out);
    if (s->o->keep_going)
        cli_flush(s->out);
}

/* The first file is begun before anyone looks whether Ctrl-C came. */
static void end_files(const struct several *s)
{
    rep_after(&s->job[0].report, &stat_report_def, s->told, s->out);
    if (s->not_begun == 0)
        return;
    fputs("pcounter: interrupted before ", stderr);
    cli_print_name(stderr, cli_input_name(s->job[s->first].path));
    if (s->not_begun > 1)
        fprintf(stderr, " and %s were", cli_count(s->not_begun - 1, "further waveform"));
    fprintf(stderr, "%s begun: not in the report\n", s->not_begun > 1 ? "" : " was");
}

static int begin_files(const struct several *s)
{
    const size_t files = s->o->files;
    int code = CLI_OK;

    for (size_t i = 0; i < files && code == CLI_OK; i++) {
        struct stat_job *j = &s->job[i];
        code = stat_job_begin(j, s->o, i);
        j->report.output[0].path = NULL; /* that is cli_stdout() */
        j->report.part = true;
        j->report.more = i > 0;
        j->threads = j->threads > files ? j->threads / (unsigned)files : 1;
    }
    if (code == CLI_OK && cli_ranks && cli_dashes((const char *const *)s->o->paths, files) > 0)
        return cli_usage("stat", "standard input can be read by one process only");
    return code;
}

/* All reports or none: they are written when the last waveform has been read; or as they come. */
static int count_several(struct several *s)
{
    struct cli_batch batch = { .files = s->o->files,
                               .threads = s->o->threads,
                               .keep_going = s->o->keep_going,
                               .ctx = s,
                               .run = run_file,
                               .tell = tell_file };
    char *text = NULL;
    size_t size = 0;
    struct cli_out out;
    bool whole;

    cli_will_read(s->o->paths, s->o->files);
    int code = cli_out_open(&out, s->o->report.output[0].path);
    if (code)
        return code;
    s->out = s->o->keep_going ? out.file : open_memstream(&text, &size);
    if (!s->out) {
        cli_out_abort(&out);
        return cli_no_memory();
    }
    while (batch.own < s->o->files && strcmp(s->job[batch.own].path, "-") != 0)
        batch.own++; /* Ctrl-C ends standard input for the thread that it interrupts */
    code = cli_batch_run(&batch, &whole);
    if (whole)
        end_files(s);
    if (!s->o->keep_going && !cli_collected(s->out, &text)) {
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

static int run_several(const struct stat_options *o, bool *unmet)
{
    struct several s = { .o = o, .job = calloc(o->files, sizeof *s.job) };
    int code = s.job ? begin_files(&s) : cli_no_memory();

    if (code == CLI_OK)
        code = count_several(&s);
    for (size_t i = 0; s.job && i < o->files; i++) {
        *unmet |= s.job[i].unmet;
        stat_job_end(&s.job[i]);
    }
    free(s.job);
    return code;
}

/* The findings of look_at_call() about a call with --core. */
struct core_call {
    bool file; /* --core names a description: its events are those of any other waveform */
    bool more; /* ... or they ask for more than the form of a CVA6 core has: metrics, intervals */
};

static bool has_row(const struct opt *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0)
        rows++;
    return rows->name != NULL;
}

static struct core_call look_at_call(int argc, char **argv)
{
    const struct opt_table table = opt_table(stat_line.row);
    char letters[sizeof table.letters + 1];
    struct core_call out = { .file = false };
    int c;

    snprintf(letters, sizeof letters, "-%s", table.letters); /* arguments stay where they are */
    opterr = 0;
    optind = 0;
    while ((c = getopt_long(argc, argv, letters, table.longs, NULL)) != -1) {
        const struct opt *row = c == ':' || c == '?' ? NULL : opt_row_of(stat_line.row, c);
        if (!row)
            continue;
        out.file |= strcmp(row->name, "core") == 0 && described_is_file(optarg);
        out.more |= !has_row(stat_core_line.row, row->name) ||
                    (row->letter == 'e' && strpbrk(optarg, "=&|!~()[]<>*"));
    }
    return out;
}

/* The form of a CVA6 core, whose counters are models. */
static bool is_of_core(int argc, char **argv)
{
    if (opt_line_of(&cli_verb_stat, argc, argv) != &stat_core_line)
        return false;
    const struct core_call call = look_at_call(argc, argv);
    return !call.file && !call.more;
}

static int run(int argc, char **argv)
{
    if (is_of_core(argc, argv))
        return cli_ranks_first() ? stat_core(&cli_verb_stat, argc, argv) : CLI_OK;

    struct stat_options o;
    bool unmet = false;
    int code = stat_parse_options(&cli_verb_stat, argc, argv, &o);

    if (code < 0 && o.config && opt_line_of(&cli_verb_stat, argc, argv) != &stat_core_line)
        code = cli_usage("stat", "--core is not abbreviated");
    if (code < 0)
        code = o.files > 1 || o.keep_going ? run_several(&o, &unmet) : count_one(&o, &unmet);
    if (code == CLI_OK && unmet)
        code = CLI_NO;
    stat_free_options(&o);
    return code;
}

const struct cli_verb cli_verb_stat = {
    .name = "stat",
    .reads_simulations = true,
    .summary = "count events in a waveform",
    .run = run,
    .line = &stat_line,
    .other = &stat_core_line,
    .reports = (const struct rep_def *const[]){ &stat_report_def, &stat_failed_def, &stat_core_def,
                                                &stat_core_events_def, NULL },
};
