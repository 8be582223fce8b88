/* SPDX-License-Identifier: MIT */
/* One read of the waveform through the counters of all passes, in stretches (stat_jobs.c). */
#include "process/interrupt.h"
#include "process/progress.h"
#include "process/ranks.h"
#include "stat_filter.h"
#include "stat_jobs.h"
#include "stat_report.h"
#include "wave/time_counted.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct run {
    struct stat_count count;
    struct stat_jobs *jobs;
    struct stat_timeline timeline;
    struct rep *rows; /* of intervals, as they are known; NULL: there are none, or they are held */
    const struct pc_wave_clock *clock;
    unsigned stream;
    bool timed, ended;              /* ended: no cycle of its window is to come */
    uint64_t first_time, last_time; /* of edges */
    uint64_t end;                   /* cycles that were read */
};

/* --- all of it --- */

/* Nobody reads on: Ctrl-C, or rows do not go out any more (`| head`, a disk that is full). */
static bool stopped(const struct run *r)
{
    return cli_interrupted() || (r->rows && !rep_is_read(r->rows));
}

static void close_run(struct run *r)
{
    stat_jobs_close(r->jobs);
    stat_count_close(&r->count);
}

/* With -I: where intervals end, and where their rows go. */
static int open_timeline(struct run *r, struct stat_report *report)
{
    struct stat_count *c = &r->count;
    int code = stat_timeline_open(&r->timeline, c->j, c->wires->wave, r->clock);

    if (code)
        return code;
    c->timeline = &r->timeline;
    r->rows = c->j->o->files > 1 ? NULL : report->rep;
    c->report = report;
    return stat_report_intervals(report, c->timeline);
}

/* The window may be one of times, which the block has. */
static void look_for_window(struct run *r, const struct pc_wave_block *block)
{
    struct cli_window *w = &r->count.j->window;
    const bool known = w->first != UINT64_MAX;

    cli_window_look(w, block);
    if (known || w->first == UINT64_MAX)
        return;
    r->count.before = w->first;
    stat_jobs_window(r->jobs);
}

/* Up to cycle `to` of the block; intervals are measured where they are cut. */
static int measure(struct run *r, const struct pc_wave_block *block, uint64_t to)
{
    const uint64_t window = r->count.j->window.first, first = block->first_cycle;
    const uint64_t counted = window <= first ? 0 : window - first < to ? window - first : to;

    if (counted < to)
        stat_measure_clock(&r->count.j->measures, block);
    return r->count.timeline ? CLI_OK
                             : stat_measure_block(r->count.j, r->count.wires, block, counted, to);
}

/*
 * Runs the part of the block that is needed: from the cycles that the counters may remember where
 * the window begins, to the end of the window.  Returns an exit code.
 */
static int add_block(struct run *r, const struct pc_wave_block *as_read)
{
    struct pc_wave_block named, whole, kept;

    if (r->count.j->filter) {
        if (r->count.j->described) {
            const int code = stat_described_edges(r->count.j, r->count.wires, as_read, &named);
            if (code)
                return code;
            as_read = &named;
        }
        if (!stat_filter_block(r->count.j->filter, as_read, &kept))
            return CLI_OK;
        as_read = &kept;
    }
    const struct pc_wave_block *block = as_read;

    if (r->count.j->described) {
        const int code = stat_described_block(r->count.j, r->count.wires, as_read, &whole);
        if (code)
            return code;
        block = &whole;
    }
    look_for_window(r, block);
    const uint64_t start = r->count.start, end = r->count.j->window.end;
    const uint64_t first = block->first_cycle, after = first + block->cycles;
    const uint64_t from = start > first ? start - first : 0;

    r->end = after;
    r->ended = after >= end;
    if (after <= start || first >= end)
        return CLI_OK;
    if (!r->timed)
        r->first_time = block->first_time;
    r->timed = true;
    r->last_time = block->last_time;
    const uint64_t to = (after < end ? after : end) - first;
    const int code = measure(r, block, to);
    return code ? code : stat_jobs_add(r->jobs, block, from, to);
}

/* The writer of a pipe takes its time: what is known goes out before it is waited for. */
static int show_all(struct run *r)
{
    const int code = stat_jobs_drain(r->jobs);

    if (code == CLI_OK && r->rows)
        rep_flush(r->rows);
    return code;
}

static bool all_ended(const struct run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!runs[i].ended)
            return false;
    return true;
}

/* A run for each stream of the waveform, in their order. */
static int read_all(struct run *runs, size_t count)
{
    struct run *r = runs;
    // cppcheck-suppress uninitvar ; the caller sets what it reads
    struct pc_wave *wave = r->count.wires->wave;
    struct pc_wave_block block;
    struct cli_progress progress;
    struct pc_error err;
    enum pc_status status = PC_OK;
    int code = CLI_OK;

    cli_progress_begin(&progress);
    if (r->count.timeline && isatty(STDOUT_FILENO))
        progress.on = false; /* rows stand there */
    while (code == CLI_OK && status == PC_OK && !stopped(r)) {
        status = pc_wave_next(wave, &block, &err);
        if (status)
            break;
        cli_progress_wave(&progress, wave, block.first_cycle);
        r = &runs[block.stream];
        code = add_block(r, &block);
        if (code == CLI_OK && r->count.j->live && block.cycles < 64 * PC_BLOCK_WORDS)
            code = show_all(r);
        if (all_ended(runs, count))
            break;
    }
    for (size_t i = 0; i < count && code == CLI_OK; i++)
        code = stat_jobs_drain(runs[i].jobs);
    cli_progress_end(&progress);
    if (code == CLI_OK && status != PC_OK && status != PC_END && !stopped(r))
        code = cli_error(&err, r->count.j->path, NULL);
    return code;
}

/* Seconds of a time unit; 0: not known. */
static double unit_of(const struct pc_wave *wave)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    return info.timescale_factor ? cli_time_unit(&info).seconds : 0;
}

/* A cycle of a periodic clock, in time units. */
static double period_of(const struct pc_wave_clock *clock)
{
    return (double)clock->period / (clock->period_per ? clock->period_per : 1);
}

/*
 * Returns the time of all cycles: from the first edge to the last one, and one cycle more, without
 * the time in which dumping was off.  Samples have a rate, periods a length.  The duration of the
 * last of uneven samples is not known and counts as 0.
 */
static double time_taken(const struct run *r, uint64_t cycles)
{
    const struct pc_wave_clock *clock = r->clock;
    const struct pc_wave *wave = r->count.wires->wave;
    const struct cli_window *w = &r->count.j->window;
    uint64_t first = r->first_time, last = r->last_time;
    struct pc_wave_totals stamps;
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    const double unit = cli_time_unit(&info).seconds;
    if (info.sample_rate && cli_cycles_are_samples(&info, clock))
        return (double)cycles / (double)info.sample_rate;
    if (clock->edge == PC_EDGE_PERIOD)
        return (double)cycles * period_of(clock) * unit;
    if (cycles < 2 || info.timescale_factor == 0 || (cli_window_given(w) && !w->timed))
        return 0;
    if (w->timed)
        first = w->first_time;
    if (w->timed && cycles == w->end - w->first)
        last = w->last_time;
    const double between = (double)(last - first - cli_time_off(wave, first, last)) * unit;
    pc_wave_stamps(wave, &stamps);
    return cli_is_uneven(&stamps) ? between : between * (double)cycles / (double)(cycles - 1);
}

static int no_edge(const struct stat_job *j, const struct pc_wave *wave)
{
    static const char unfinished[] =
        "the file was not finished: wait until the simulation ends, or let it flush what it has "
        "($dumpflush in Verilog)";
    const char *name = cli_input_name(j->path);
    const struct cli_place place = { j->clock_label, j->clock, 0 };
    struct pc_wave_info info;
    struct stat_clock c;
    int code = stat_parse_clock(j->clock_label, j->clock, &c);

    pc_wave_get_info(wave, &info);
    const bool packed = info.format == PC_WAVE_VCD && strcmp(info.encoding, "plain") != 0;
    const char *hint = !info.unfinished ? NULL
                       : packed         ? "the file was cut off: copy it or make it again"
                                        : unfinished;
    if (code == CLI_OK && j->filter)
        code = cli_error_at(332, &place, 1, hint, "the clock has no edge in %s at which %s holds",
                            name, c.condition);
    else if (code == CLI_OK && c.has_iff)
        code = cli_error_at(332, &place, 1, hint, "the clock has no edge in %s at which %s is %d",
                            name, c.iff, !c.iff_low);
    else if (code == CLI_OK)
        code = cli_error_at(332, &place, 1, hint, "the clock has no edge in %s", name);
    stat_free_clock(&c);
    return code;
}

int stat_no_cycle(const struct stat_job *j, const struct pc_wave *wave, uint64_t end)
{
    if (!cli_window_given(&j->window))
        return no_edge(j, wave);
    return end <= j->window.first
               ? cli_error_at(909, NULL, 0, NULL,
                              "no cycle lies in the window: the clock has %s in %s",
                              cli_count(end, "cycle"), cli_input_name(j->path))
               : cli_error_at(909, NULL, 0, NULL, "the clock has no edge between --from and --to");
}

/* Rows are out, and no more will come, from the threads either. */
static void cut_rows(struct run *r)
{
    stat_jobs_close(r->jobs);
    r->jobs = NULL;
    stat_take_sums(&r->count);
    stat_report_cut(r->count.report);
}

/* Does anything look at the times of single edges, and not at their number alone? */
static bool looks_at_times(const struct stat_job *j)
{
    return j->o->interval.text || cli_window_given(&j->window) || j->measures.count > 0 ||
           j->events == 0 || stat_wants_seconds(j);
}

/* Bound, and ready for the first block. */
static int open_run(struct run *r, struct stat_job *j, struct stat_plan *plan,
                    struct stat_wires *wires, const struct pc_wave_clock *clock,
                    struct stat_report *report)
{
    const uint64_t lead = 64 * STAT_LEAD, first = j->window.first;
    const bool known = first != UINT64_MAX;
    struct pc_error err;

    *r = (struct run){ .clock = clock,
                       .count = { .j = j,
                                  .plan = plan,
                                  .wires = wires,
                                  .start = known && first > lead ? first - lead : 0,
                                  .before = !known || first < lead ? first : lead,
                                  .timed = j->o->interval.text && clock->times } };
    struct pc_wave_clock bound = *clock;
    bound.times |= j->o->go.text != NULL;
    if (stat_filter_open(j->filter, wires, looks_at_times(j), &bound))
        return CLI_LIMIT;
    if (pc_wave_bind(wires->wave, &bound, wires->bit, wires->count, &r->stream, &err))
        return cli_error(&err, j->path, NULL);
    j->measures.first_cycle = r->count.start;
    int code = j->o->interval.text ? open_timeline(r, report) : CLI_OK;
    if (code == CLI_OK)
        code = stat_measure_begin(j, wires);
    return code ? code : stat_jobs_open(&r->count, &r->jobs);
}

/* All is read, or an error, `code`, ended it. */
static int finish_run(struct run *r, int code, struct stat_result *out)
{
    struct stat_job *j = r->count.j;
    const uint64_t before = r->count.before;
    const uint64_t cycles = r->count.cycles > before ? r->count.cycles - before : 0;

    if (j->window.first == UINT64_MAX)
        j->window.first = r->end;
    if (code == CLI_OK && cycles > 0 && r->end < j->window.end && !stopped(r))
        stat_add_last_triggers(j, r->count.wires, r->stream);
    if (code == CLI_OK && cycles > 0)
        code = stat_finish(&r->count, stopped(r));
    if (code == CLI_OK)
        code = stat_measure_end(j, unit_of(r->count.wires->wave));
    *out = (struct stat_result){ .cycles = cycles,
                                 .first_time = r->first_time,
                                 .last_time = r->last_time,
                                 .first = j->window.first,
                                 .seconds = time_taken(r, cycles),
                                 .partial = stopped(r) };
    return code;
}

/* After the warnings of the file. */
static int check_cycles(const struct run *r, int code, const struct stat_result *result)
{
    const struct stat_job *j = r->count.j;

    return code == CLI_OK && result->cycles == 0 && !stopped(r)
               ? stat_no_cycle(j, r->count.wires->wave, r->end)
               : code;
}

static void warn(const struct pc_wave *wave, const char *path, int code)
{
    cli_wave_warnings(wave, path);
    if (code == CLI_OK)
        cli_note_uneven(wave, path);
}

int stat_run(struct stat_job *j, struct stat_plan *plan, struct stat_wires *wires,
             const struct pc_wave_clock *clock, struct stat_report *report, struct stat_result *out)
{
    struct run r;
    int code = open_run(&r, j, plan, wires, clock, report);

    if (code == CLI_OK) {
        cli_catch_interrupt(j->path);
        code = read_all(&r, 1);
    }
    code = finish_run(&r, code, out);
    warn(wires->wave, j->path, code);
    code = check_cycles(&r, code, out);
    if (code == CLI_OK && r.count.report)
        stat_report_end(r.count.report, out);
    else if (r.count.report)
        cut_rows(&r);
    close_run(&r);
    return code;
}

int stat_run_clocks(struct stat_job *j, struct stat_plan *plan, struct pc_wave *wave,
                    struct stat_result *out)
{
    struct run r[STAT_CLOCKS];
    size_t opened = 0;
    int code = CLI_OK;

    for (; opened < j->parts && code == CLI_OK; opened++) {
        struct stat_part *p = &j->part[opened];
        code = open_run(&r[opened], &p->job, plan, &p->wires, &p->clock, NULL);
    }
    if (code == CLI_OK) {
        cli_catch_interrupt(j->path);
        code = read_all(r, opened);
    }
    for (size_t i = 0; i < opened; i++)
        code = finish_run(&r[i], code, &j->part[i].result);
    warn(wave, j->path, code);
    for (size_t i = 0; i < opened; i++) {
        code = check_cycles(&r[i], code, &j->part[i].result);
        close_run(&r[i]);
    }
    *out = j->part[0].result;
    if (code == CLI_OK)
        stat_take_parts(j);
    return code;
}
