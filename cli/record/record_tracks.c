/* SPDX-License-Identifier: MIT */
/*
 * pcounter record for viewers: periods, or packets, are rows of a timeline, each as long as it was,
 * with its cycles and the counts of its events.
 */
#include "record.h"
#include "text/ten.h"

#include <stdlib.h>

struct record_tracks {
    struct timeline_axis axis;
    double unit; /* seconds of one of the axis */
    struct timeline_column *column;
    struct timeline_value *value;
    struct timeline *timeline;
    uint64_t first; /* of the first row: its cycle, and when that was */
    double time;
    bool any;
};

/* --- the axis --- */

/* Returns the length of a cycle or a time unit; 0: not known. */
static double seconds_of_one(const struct record_options *o, const struct record_times *times)
{
    if (times)
        return times->known ? times->unit.seconds : 0;
    return o->clock_hz > 0 ? 1 / o->clock_hz : 0;
}

static bool is_decimal(const struct record_times *times)
{
    return times && times->known && times->unit.decimal;
}

static struct timeline_axis axis_of(const struct record_options *o,
                                    const struct record_times *times)
{
    const double seconds = seconds_of_one(o, times);

    if (seconds <= 0)
        return (struct timeline_axis){ .cycles = true };
    if (is_decimal(times))
        return (struct timeline_axis){ .exponent = times->unit.exponent };
    return timeline_axis_of_samples(seconds);
}

int record_tracks_check(const struct record_options *o, const struct record_times *times,
                        enum timeline_format format)
{
    const struct timeline_axis axis = axis_of(o, times);
    const char *name = cli_input_name(o->of.path);

    if (axis.cycles && !timeline_fits(format, &axis))
        return cli_error_at(1608, NULL, 0,
                            o->decode ? "give --clock-hz; --format html has an axis of cycles"
                                      : "--format html has an axis of cycles",
                            "--format %s has rows by their times, which are not known of %s",
                            timeline_name(format), name);
    if (axis.cycles || (timeline_fits(format, &axis) &&
                        (is_decimal(times) || timeline_fits_samples(seconds_of_one(o, times)))))
        return CLI_OK;
    return cli_error_at(1608, NULL, 0, "--format csv has such times",
                        "--format %s cannot have the time unit of %s", timeline_name(format), name);
}

/* --- columns --- */

static void name_columns(struct record_tracks *t, const struct stat_job *of)
{
    t->column[0] = (struct timeline_column){
        .name = "cycles", .unit = "cycles", .marked = true, .even = true
    };
    for (size_t n = 0; n < of->events; n++)
        t->column[1 + n] = (struct timeline_column){
            .name = of->event[n].name, .unit = "count", .about = of->event[n].text, .marked = true
        };
}

struct record_tracks *record_tracks_open(const struct record_sheet *s, FILE *out,
                                         enum timeline_format format)
{
    const size_t columns = 1 + s->of->events;
    struct record_tracks *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->axis = axis_of(s->o, s->times);
    t->unit = cli_times_ten_to(1, t->axis.exponent);
    t->column = calloc(columns, sizeof *t->column);
    t->value = calloc(columns, sizeof *t->value);
    if (t->column && t->value) {
        name_columns(t, s->of);
        t->timeline =
            timeline_open(&(struct timeline_desc){ .out = out,
                                                   .format = format,
                                                   .title = "pcounter record",
                                                   .row = s->o->packets ? "packet" : "period",
                                                   .axis = t->axis,
                                                   .column = t->column,
                                                   .columns = columns });
    }
    if (!t->timeline) {
        record_tracks_close(t);
        return NULL;
    }
    return t;
}

/* --- rows --- */

static struct timeline_time begin_of(const struct record_tracks *t, const struct record_sheet *s,
                                     const struct record_row *row)
{
    if (t->axis.cycles)
        return (struct timeline_time){ row->when.first, 0 };
    if (is_decimal(s->times))
        return (struct timeline_time){ row->ticks, 0 };
    return (struct timeline_time){ timeline_units(row->when.time / t->unit), 0 };
}

/* Returns the length of a row.  If the end of the last row is not known, its cycles are taken to be
 * as long as those before it. */
static double length_of(const struct record_tracks *t, const struct stat_interval *when)
{
    if (t->axis.cycles)
        return (double)when->cycles;
    if (when->seconds > 0 || when->first == t->first)
        return when->seconds / t->unit;
    return (when->time - t->time) / t->unit * (double)when->cycles /
           (double)(when->first - t->first);
}

void record_tracks_add(struct record_tracks *t, const struct record_sheet *s,
                       const struct record_row *row)
{
    if (!t->any) {
        t->any = true;
        t->first = row->when.first;
        t->time = row->when.time;
    }
    t->value[0] = (struct timeline_value){ .count = row->when.cycles,
                                           .state = stat_value_state(row->stop_state) };
    for (size_t n = 0; n < s->of->events; n++)
        t->value[1 + n] = (struct timeline_value){ .count = row->count[n].value,
                                                   .state = stat_value_state(row->count[n].state) };
    timeline_add(t->timeline, &(struct timeline_row){ .begin = begin_of(t, s, row),
                                                      .length = length_of(t, &row->when),
                                                      .partial = row->kind == RECORD_REST,
                                                      .value = t->value });
}

/* --- what was counted, and how --- */

static void say_source(struct timeline_facts *f, const struct record_sheet *s)
{
    const struct stat_job *of = s->of;

    timeline_say(f, "trace", cli_input_name(of->path));
    if (s->o->decode) {
        if (s->o->program) {
            timeline_say(f, "program", cli_input_name(s->o->program));
            timeline_say(f, "chip", of->chip->name);
        }
        timeline_say(f, "packets are", s->o->is_short ? "SHORT" : "LONG");
        return;
    }
    if (s->o->has_chip)
        timeline_say(f, "chip", of->chip->name);
    timeline_say(f, "clock", of->clock);
    timeline_say(f, "sample", stat_sampling(of));
    timeline_say(f, "unknown values", stat_x_name(of));
    timeline_say(f, "stop", s->o->stop.text);
    if (of->window.from.text)
        timeline_say(f, "from", of->window.from.text);
    if (of->window.to.text)
        timeline_say(f, "to", of->window.to.text);
}

void record_tracks_end(struct record_tracks *t, const struct record_sheet *s,
                       const struct stat_result *r)
{
    struct timeline_facts facts = { .count = 0 };

    say_source(&facts, s);
    timeline_say_number(&facts, "packets", s->packets);
    timeline_say_number(&facts, "cycles", r->cycles);
    timeline_say_number(&facts, "first cycle", r->first);
    timeline_say_complete(&facts, r->partial ? "interrupted" : NULL);
    t->value[0] = (struct timeline_value){ .count = r->cycles };
    for (size_t n = 0; n < s->of->events; n++)
        t->value[1 + n] =
            (struct timeline_value){ .count = s->of->event[n].value,
                                     .state = stat_value_state(s->of->event[n].state) };
    timeline_end(t->timeline, &(struct timeline_summary){
                                  .facts = &facts, .total = t->value, .spread = s->spread });
}

void record_tracks_close(struct record_tracks *t)
{
    if (!t)
        return;
    timeline_close(t->timeline);
    free(t->column);
    free(t->value);
    free(t);
}
