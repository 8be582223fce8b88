/* SPDX-License-Identifier: MIT */
/* The file once through: its changes, and with -I what comes of them piece by piece. */
#include "activity/activity_watch.h"

#include <stdlib.h>
#include <string.h>

#include "process/progress.h"
#include "text/warnings.h"
#include "wave/time_window.h"

enum { MOST_INTERVALS = 1000000, MOST_ROWS = 4000000 };

/* --- time units --- */

static int PC_PRINTF(3, 4) fail(unsigned code, const char *path, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code, fmt, args);
    va_end(args);
    return cli_error(&err, path, NULL);
}

int activity_units(struct activity_run *run)
{
    const struct activity_options *o = run->o;
    const struct cli_time_of of = { "activity", o->file, &run->info };
    int code = cli_time_window(&of, &o->from, &o->to, &run->from, &run->to);

    if (code == CLI_OK)
        code = cli_time_units(&of, &o->interval, "-I", true, &run->interval);
    if (code == CLI_OK)
        code = cli_time_units(&of, &o->debounce, "--debounce", false, &run->debounce);
    if (code == CLI_OK && o->interval.text && run->interval == 0)
        return cli_usage("activity", "-I %s is not a time", o->interval.text);
    return code;
}

/* --- parts --- */

static void add_cycles(struct activity_run *run, const struct pc_activity *of)
{
    pc_activity_get_cycles(of, &run->part.cycles);
    run->cycles.time += run->part.cycles.time;
    run->cycles.begun += run->part.cycles.begun;
    run->cycles.whole += run->part.cycles.whole;
}

/* Up to that time, as rows. */
static void end_part(struct activity_run *run, uint64_t end)
{
    struct pc_error err;

    run->part.end = end;
    if (run->watch) {
        activity_watch_end(run->watch, end);
        run->part.unknown = run->watch->unknown - run->unknown;
        run->unknown = run->watch->unknown;
    }
    if (run->activity && pc_activity_end(run->activity, end, &err))
        run->code = cli_error(&err, cli_input_name(run->o->file), NULL);
    run->part.activity = run->activity;
    if (run->activity)
        add_cycles(run, run->activity);
    if (run->code == CLI_OK && run->activity)
        run->code = activity_put(run);
}

static void next_part(struct activity_run *run)
{
    pc_activity_next(run->activity);
    run->part.start = run->part.end;
    run->part.number++;
    run->changed = false;
}

/* A wrong timestamp of a damaged file makes as many intervals as it says. */
static bool are_too_many(struct activity_run *run, uint64_t intervals)
{
    const uint64_t rows = run->nets.rows ? run->nets.rows : 1;
    const bool many = intervals > MOST_INTERVALS;

    if (!many && intervals <= MOST_ROWS / rows)
        return false;
    run->code =
        fail(910, cli_input_name(run->o->file), "-I %s makes more than %d %s of it",
             run->o->interval.text, many ? MOST_INTERVALS : MOST_ROWS, many ? "intervals" : "rows");
    return true;
}

/* All parts that are over by then. */
static void end_parts(struct activity_run *run, uint64_t time)
{
    if (are_too_many(run, (time - run->part.start) / run->interval + run->part.number))
        return;
    while (run->code == CLI_OK && time - run->part.start >= run->interval) {
        end_part(run, run->part.start + run->interval);
        if (run->code == CLI_OK)
            next_part(run);
    }
}

/* --- changes --- */

static void begin(void *ctx, uint64_t time)
{
    struct activity_run *run = ctx;

    if (run->activity)
        pc_activity_begin(run->activity, time);
    if (run->of_bits)
        pc_activity_begin(run->of_bits, time);
    if (run->of_clocks)
        pc_activity_begin(run->of_clocks, time);
    run->first = run->part.start = time > run->from ? time : run->from;
    run->begun = true;
    if (run->watch)
        activity_watch_begin(run->watch, run->first);
}

static void add(struct pc_activity *a, const struct pc_wave_changes *c)
{
    if (a && c->before)
        pc_activity_before(a, c->code, c->value, c->unknown);
    else if (a)
        pc_activity_add(a, c->code, c->count, c->time, c->value, c->unknown);
}

/* Hands changes to the measurements that are asked for. */
static void give(void *ctx, const struct pc_wave_changes *c)
{
    struct activity_run *run = ctx;

    if (run->nets.width[c->code] == 0 || run->code != CLI_OK)
        return;
    if (run->interval && !c->before) /* one thread tells all then */
        run->changed = true;
    add(run->activity, c);
    if (!run->nets.is_event[c->code])
        add(run->of_bits, c);
}

static void take(void *ctx, const struct pc_wave_changes *c)
{
    struct activity_run *run = ctx;

    if (run->of_clocks && run->clock_width[c->code] > 0)
        add(run->of_clocks, c);
    if (run->watch && run->watch->first[c->code]) {
        activity_watch_take(run->watch, c);
        if (!c->before)
            return;
    }
    if (run->interval && !run->watch && !c->before && run->code == CLI_OK &&
        c->time[0] >= run->part.start) {
        if (c->time[0] - run->part.start >= run->interval)
            end_parts(run, c->time[0]);
    }
    give(run, c);
}

static void forget(void *ctx)
{
    struct activity_run *run = ctx;

    if (run->activity)
        pc_activity_clear(run->activity);
    if (run->of_bits)
        pc_activity_clear(run->of_bits);
    if (run->of_clocks)
        pc_activity_clear(run->of_clocks);
    if (run->watch)
        activity_watch_forget(run->watch);
}

/* --- sections: with --when or --clock --- */

/* A section ends before each interval, and after a time stamp at which one begins. */
static bool ends_part(void *ctx, uint64_t time)
{
    struct activity_run *run = ctx;

    run->cut = run->interval && run->code == CLI_OK && time >= run->part.start &&
               (run->alone || time - run->part.start >= run->interval);
    run->cut_at = time;
    return run->cut;
}

/*
 * Ends the parts before the time stamp that comes next.  If one ends right at it, the stamp is a
 * section of its own: an edge at it ends the last cycle of that part.
 */
static void cut_parts(struct activity_run *run)
{
    run->cut = false;
    end_parts(run, run->cut_at - 1);
    run->alone = run->cut_at - run->part.start >= run->interval;
}

static void begin_section(struct activity_run *run, struct pc_activity *a)
{
    struct pc_error err;

    if (a && run->code == CLI_OK &&
        pc_activity_section(a, run->watch->mark, run->watch->marks, &err))
        run->code = cli_error(&err, cli_input_name(run->o->file), NULL);
}

static void end_at_stamp(struct activity_run *run, uint64_t time)
{
    run->alone = false;
    if (run->activity && run->watch->marks > 0 && run->watch->mark[0].edge)
        pc_activity_edge(run->activity);
    end_parts(run, time);
}

static void section(void *ctx, uint64_t last, bool over)
{
    struct activity_run *run = ctx;

    if (run->code != CLI_OK)
        return;
    if (!over) {
        run->code = activity_watch_marks(run->watch, last);
        begin_section(run, run->activity);
        begin_section(run, run->of_bits);
        if (run->alone)
            end_at_stamp(run, last);
        activity_watch_tell(run->watch, give, run);
        return;
    }
    if (run->activity)
        pc_activity_section_end(run->activity);
    if (run->of_bits)
        pc_activity_section_end(run->of_bits);
    if (run->cut)
        cut_parts(run);
}

/* --- all of it --- */

static int make(struct activity_run *run, struct pc_error *err)
{
    const struct activity_options *o = run->o;
    struct pc_activity_desc desc = {
        .width = run->nets.width,
        .event = run->nets.is_event,
        .nets = run->nets.codes,
        .bits = o->bits,
        .widths = true,
        .from = run->watch ? 0 : run->from,
        .to = run->to,
        .marked = run->watch != NULL,
        .cycles = o->clock != NULL,
        .pulse = &run->pulse,
        .pulses = o->pulse ? 1 : 0,
        .debounce = run->debounce,
    };
    enum pc_status status = PC_OK;

    if (rep_page(run->report) || rep_has_rows(run->report) || run->html || o->expect.texts > 0)
        status = pc_activity_create(&desc, &run->activity, err);
    desc.bits = true;
    desc.widths = desc.cycles = false;
    desc.pulses = 0;
    if (status == PC_OK && run->saif)
        status = pc_activity_create(&desc, &run->of_bits, err);
    desc.width = run->clock_width;
    desc.event = NULL;
    desc.widths = true;
    desc.marked = false;
    desc.from = run->from;
    if (status == PC_OK && run->periods > 0)
        status = pc_activity_create(&desc, &run->of_clocks, err);
    return status ? cli_error(err, cli_input_name(o->file), NULL) : CLI_OK;
}

/* An edge at the end of the window ends a cycle that is in it. */
static uint64_t until(const struct activity_run *run)
{
    return run->to + (run->o->clock && run->to > 0 && run->to < UINT64_MAX);
}

static enum pc_status listen(struct activity_run *run, struct pc_error *err)
{
    struct cli_progress *progress = run->progress;
    uint8_t *wanted = calloc(run->nets.codes + 1, 1);
    enum pc_status status;

    if (!wanted)
        return cli_fail(err, 100, "out of memory for the nets");
    for (size_t i = 0; i < run->nets.codes; i++)
        wanted[i] = run->nets.width[i] > 0 || (run->watch && run->watch->first[i]) ||
                    (run->periods > 0 && run->clock_width[i] > 0);
    const struct pc_wave_listener listener = {
        .wanted = wanted,
        .events = true,
        .in_order = run->interval > 0,
        .first = run->watch ? run->watch->first : NULL,
        .section = section,
        .cut = ends_part,
        .until = until(run),
        .begin = begin,
        .take = take,
        .forget = forget,
        .ctx = run,
    };
    cli_progress_begin(progress);
    status = pc_wave_listen(run->wave, &listener, &run->totals, err);
    cli_progress_end(progress);
    free(wanted);
    if (run->to > 0 && run->totals.time_last > run->to)
        run->totals.time_last = run->to;
    return status;
}

static int finish_saif(struct activity_run *run)
{
    const uint64_t last = run->totals.time_last;
    struct pc_error err;

    if (pc_activity_end(run->of_bits, last, &err))
        return cli_error(&err, cli_input_name(run->o->file), NULL);
    run->part.activity = run->of_bits;
    run->part.end = last;
    if (!run->activity)
        add_cycles(run, run->of_bits);
    return activity_write_saif(run, run->saif);
}

/* Nothing that --when or --clock names is there. */
static int check_marks(const struct activity_run *run)
{
    const struct activity_options *o = run->o;
    const char *file = cli_input_name(o->file);

    if (!run->watch || !run->begun)
        return CLI_OK;
    if (o->when && !run->watch->held)
        return fail(912, file, "\"%.200s\" never holds in the time from %s to %s", o->when,
                    cli_grouped(run->first), cli_grouped(run->totals.time_last));
    if (o->clock && !run->watch->cycles)
        return fail(912, file, "%.200s has no edge in the time that is measured", o->clock);
    return CLI_OK;
}

/* Ends the last part, after the last change. */
static int finish(struct activity_run *run)
{
    const char *file = cli_input_name(run->o->file);
    const bool window = run->o->from.text || run->o->to.text;
    const uint64_t last = run->totals.time_last;

    if (run->watch)
        activity_watch_end(run->watch, last);
    if (run->begun && window && last <= run->first)
        return fail(909, file, "--from and --to leave none of its time");
    run->code = check_marks(run);
    if (run->code)
        return run->code;
    if (run->interval && run->totals.has_time)
        end_parts(run, last);
    /* the last timestamp may be where the last interval ended */
    if (run->code == CLI_OK && (run->part.number == 0 || run->changed || last > run->part.start))
        end_part(run, last);
    if (run->code == CLI_OK && run->of_bits)
        run->code = finish_saif(run);
    if (run->code)
        return run->code;
    if (run->incomplete > 0)
        cli_warning(504,
                    "%s: %zu of the rows have too many different widths, so their percentiles are "
                    "not known",
                    file, run->incomplete);
    cli_wave_warnings(run->wave, file); /* the report has them */
    return activity_put_end(run);
}

int activity_read(struct activity_run *run)
{
    struct pc_error err;
    int code = make(run, &err);

    if (code == CLI_OK && listen(run, &err) != PC_OK)
        code = run->code ? run->code : cli_error(&err, cli_input_name(run->o->file), NULL);
    if (code == CLI_OK)
        code = run->code ? run->code : finish(run);
    pc_activity_destroy(run->activity);
    pc_activity_destroy(run->of_bits);
    pc_activity_destroy(run->of_clocks);
    return code;
}
