/* SPDX-License-Identifier: MIT */
/* The file once through: its changes, and with -I what comes of them piece by piece. */
#include "activity/activity.h"

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
    if (code == CLI_OK && o->interval.text && run->interval == 0)
        return cli_usage("activity", "-I %s is not a time", o->interval.text);
    return code;
}

/* --- parts --- */

/* Up to that time, as rows. */
static void end_part(struct activity_run *run, uint64_t end)
{
    struct pc_error err;

    run->part.end = end;
    if (run->activity && pc_activity_end(run->activity, end, &err))
        run->code = cli_error(&err, cli_input_name(run->o->file), NULL);
    run->part.activity = run->activity;
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

/* A wrong time stamp of a damaged file makes as many intervals as it says. */
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
    if (run->begun) /* after forget() */
        return;
    run->begun = true;
    run->first = run->part.start = time > run->from ? time : run->from;
}

static void add(struct pc_activity *a, const struct pc_wave_changes *c)
{
    if (a && c->before)
        pc_activity_before(a, c->code, c->value, c->unknown);
    else if (a)
        pc_activity_add(a, c->code, c->count, c->time, c->value, c->unknown);
}

static void take(void *ctx, const struct pc_wave_changes *c)
{
    struct activity_run *run = ctx;

    if (run->interval && !c->before && run->code == CLI_OK && c->time[0] >= run->part.start) {
        if (c->time[0] - run->part.start >= run->interval)
            end_parts(run, c->time[0]);
        run->changed = true;
    }
    add(run->activity, c);
    add(run->of_bits, c);
}

static void forget(void *ctx)
{
    struct activity_run *run = ctx;

    if (run->activity)
        pc_activity_clear(run->activity);
    if (run->of_bits)
        pc_activity_clear(run->of_bits);
}

/* --- all of it --- */

static int make(struct activity_run *run, struct pc_error *err)
{
    const struct activity_options *o = run->o;
    struct pc_activity_desc desc = {
        .width = run->nets.width,
        .nets = run->nets.codes,
        .bits = o->bits,
        .widths = true,
        .from = run->from,
        .to = run->to,
    };
    enum pc_status status = PC_OK;

    if (rep_page(run->report) || rep_has_rows(run->report) || run->html)
        status = pc_activity_create(&desc, &run->activity, err);
    desc.bits = true;
    desc.widths = false;
    if (status == PC_OK && run->saif)
        status = pc_activity_create(&desc, &run->of_bits, err);
    return status ? cli_error(err, cli_input_name(o->file), NULL) : CLI_OK;
}

static enum pc_status listen(struct activity_run *run, struct pc_error *err)
{
    struct cli_progress *progress = run->progress;
    uint8_t *wanted = calloc(run->nets.codes + 1, 1);
    enum pc_status status;

    if (!wanted)
        return cli_fail(err, 100, "out of memory for the nets");
    for (size_t i = 0; i < run->nets.codes; i++)
        wanted[i] = run->nets.width[i] > 0;
    const struct pc_wave_listener listener = {
        .wanted = wanted,
        .in_order = run->interval > 0,
        .until = run->to,
        .begin = begin,
        .take = take,
        .forget = forget,
        .ctx = run,
    };
    cli_progress_begin(progress);
    status = pc_wave_listen(run->wave, &listener, &run->totals, err);
    cli_progress_end(progress);
    free(wanted);
    return status;
}

/* Ends the last part, after the last change. */
static int finish(struct activity_run *run)
{
    const char *file = cli_input_name(run->o->file);
    const bool window = run->o->from.text || run->o->to.text;
    const uint64_t last = run->totals.time_last;
    struct pc_error err;

    if (run->begun && window && last <= run->first)
        return fail(909, file, "--from and --to leave none of its time");
    if (run->interval && run->totals.has_time)
        end_parts(run, last);
    /* the last time stamp may be where the last interval ended */
    if (run->code == CLI_OK && (run->part.number == 0 || run->changed || last > run->part.start))
        end_part(run, last);
    if (run->code == CLI_OK && run->of_bits) {
        if (pc_activity_end(run->of_bits, last, &err))
            return cli_error(&err, file, NULL);
        run->part.activity = run->of_bits;
        run->part.end = last;
        run->code = activity_write_saif(run, run->saif);
    }
    if (run->code)
        return run->code;
    if (run->incomplete > 0)
        cli_warning(504,
                    "%s: %zu of the rows have too many different widths to tell their percentiles",
                    file, run->incomplete);
    cli_wave_warnings(run->wave, file); /* the report has them */
    activity_put_end(run);
    return CLI_OK;
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
    return code;
}
