/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat -I for viewers: the cycles, events and metrics of each interval are columns of a
 * timeline.  Times are those of the waveform that was read.
 */
#include "stat_machine.h"
#include "stat_tracks.h"
#include "text/ten.h"

#include <stdlib.h>

struct stat_tracks {
    const struct stat_job *j;
    const struct stat_plan *plan;
    const struct stat_timeline *t;
    enum timeline_format format;
    struct timeline_axis axis;
    double unit; /* seconds of one of the axis */
    struct timeline_column *column;
    struct stat_column *figure; /* of measurements */
    size_t figures;
    struct timeline_value *value;
    size_t columns;
    struct timeline *timeline;
};

static struct timeline_axis axis_of(const struct stat_timeline *t)
{
    struct timeline_axis axis = { .exponent = t->exponent };

    if (!t->by_time)
        return (struct timeline_axis){ .cycles = true };
    if (!t->decimal)
        return timeline_axis_of_samples(t->unit);
    for (uint64_t per = t->per; per > 1; per /= 10)
        axis.decimals++;
    return axis;
}

int stat_tracks_check(const struct stat_job *j, const struct stat_timeline *t,
                      enum timeline_format format)
{
    const char *name = cli_input_name(j->path);
    const struct timeline_axis axis = axis_of(t);
    const struct timeline_axis whole = { .exponent = axis.exponent };
    const bool fits = !t->by_time || t->decimal || timeline_fits_samples(t->unit);

    if (fits && timeline_fits(format, &axis))
        return CLI_OK;
    if (fits && timeline_fits(format, &whole))
        return cli_error_at(910, NULL, 0,
                            "give whole time units; `pcounter info FILE` shows how long one is",
                            "-I %s is not a whole number of time units of %s, which a VCD needs",
                            j->o->interval.text, name);
    return cli_error_at(910, NULL, 0, "--format csv has such times",
                        "--format %s cannot have the time unit of %s", timeline_name(format), name);
}

/* --- columns: cycles, events, metrics --- */

/*
 * Other programs get base units.  A page is for people: the unit that the metric says, the same for
 * all of an axis.
 */
static const char *unit_of(const struct stat_tracks *s, const struct pc_metric *m)
{
    return s->format == TIMELINE_HTML ? m->unit : cli_report_unit(m);
}

static double number_of(const struct stat_tracks *s, const struct pc_metric *m, double value)
{
    return s->format == TIMELINE_HTML && m->unit[0] != '%' ? value / m->size
                                                           : cli_report_value(m, value);
}

static void name_columns(struct stat_tracks *s)
{
    const struct stat_job *j = s->j;
    struct timeline_column *c = s->column;

    *c++ = (struct timeline_column){ .name = "cycles", .unit = "cycles", .even = true };
    for (size_t n = 0; n < j->events; n++) {
        const struct stat_event *e = &j->event[n];
        if (e->origin == n)
            *c++ = (struct timeline_column){
                .name = e->name, .unit = "count", .about = e->text, .marked = true
            };
    }
    for (size_t i = 0; i < j->metrics.count; i++) {
        const struct pc_metric *m = &j->metrics.metric[i].info;
        *c++ = (struct timeline_column){
            .name = m->name, .unit = unit_of(s, m), .about = m->formula, .kind = TIMELINE_METRIC
        };
    }
    for (size_t i = 0; i < s->figures && stat_measure_column(&j->measures, i, &s->figure[i]); i++)
        *c++ = (struct timeline_column){ .name = s->figure[i].name,
                                         .unit =
                                             s->figure[i].f.unit[0] ? s->figure[i].f.unit : "value",
                                         .about = s->figure[i].of->text,
                                         .kind = TIMELINE_METRIC };
    s->columns = (size_t)(c - s->column);
}

static void take_values(struct stat_tracks *s, const struct stat_result *r)
{
    const struct stat_job *j = s->j;
    struct timeline_value *v = s->value;
    struct pc_metric_value metric;
    struct stat_column figure;

    *v++ = (struct timeline_value){ .count = r->cycles };
    for (size_t n = 0; n < j->events; n++)
        if (j->event[n].origin == n)
            *v++ = (struct timeline_value){ .count = j->event[n].value,
                                            .state = stat_value_state(j->event[n].state) };
    for (size_t i = 0; i < j->metrics.count; i++) {
        stat_metric_value(j, s->plan, r, i, false, &metric);
        *v++ = (struct timeline_value){ .number =
                                            number_of(s, &j->metrics.metric[i].info, metric.value),
                                        .state = metric.state };
    }
    for (size_t i = 0; i < s->figures && stat_measure_column(&j->measures, i, &figure); i++)
        *v++ =
            (struct timeline_value){ .number = figure.f.number,
                                     .state = !figure.f.known ? PC_VALUE_UNMEASURED
                                              : stat_measure_tainted(figure.of) ? PC_VALUE_TAINTED
                                                                                : PC_VALUE_EXACT };
}

/* --- rows --- */

/* When it began, in units of the axis. */
static struct timeline_time begin_of(const struct stat_tracks *s, const struct stat_interval *i)
{
    if (s->axis.cycles)
        return (struct timeline_time){ i->first, 0 };
    if (s->t->decimal)
        return (struct timeline_time){ i->tick.whole, i->tick.part };
    return (struct timeline_time){ timeline_units(i->time / s->unit), 0 };
}

struct stat_tracks *stat_tracks_open(FILE *out, enum timeline_format format,
                                     const struct stat_job *j, const struct stat_plan *plan,
                                     const struct stat_timeline *t)
{
    const size_t figures = 4 * j->measures.count, most = 1 + j->events + j->metrics.count + figures;
    struct stat_tracks *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    *s = (struct stat_tracks){
        .j = j, .plan = plan, .t = t, .format = format, .axis = axis_of(t), .figures = figures
    };
    s->unit = cli_times_ten_to(1, s->axis.exponent);
    s->column = calloc(most, sizeof *s->column);
    s->value = calloc(most, sizeof *s->value);
    s->figure = calloc(figures + 1, sizeof *s->figure);
    if (s->column && s->value && s->figure) {
        name_columns(s);
        s->timeline = timeline_open(&(struct timeline_desc){ .out = out,
                                                             .format = format,
                                                             .title = "pcounter stat",
                                                             .row = "interval",
                                                             .axis = s->axis,
                                                             .column = s->column,
                                                             .columns = s->columns });
    }
    if (!s->timeline) {
        stat_tracks_close(s);
        return NULL;
    }
    return s;
}

/* Is it shorter than -I says?  A page draws it so; others have its length. */
static bool is_short(const struct stat_tracks *s, const struct stat_interval *i)
{
    const struct stat_timeline *t = s->t;

    if (!t->by_time)
        return i->cycles < t->length;
    const double whole =
        ((double)t->step.whole + (double)t->step.part / (double)(t->per ? t->per : 1)) * t->unit;
    return i->seconds > 0 && i->seconds < whole * (1 - 1e-9);
}

void stat_tracks_add(struct stat_tracks *s, const struct stat_result *r)
{
    const struct stat_interval *i = r->interval;

    take_values(s, r);
    timeline_add(s->timeline,
                 &(struct timeline_row){
                     .begin = begin_of(s, i),
                     .length = s->axis.cycles ? (double)i->cycles : i->seconds / s->unit,
                     .more = i->span - 1,
                     .partial = i->partial || (s->format == TIMELINE_HTML && is_short(s, i)),
                     .value = s->value });
}

/* --- what was counted, and how --- */

static void say_all(struct timeline_facts *f, const struct stat_tracks *s,
                    const struct stat_result *r)
{
    const struct stat_job *j = s->j;
    const struct cli_window *w = &j->window;

    timeline_say(f, "trace", cli_input_name(j->path));
    if (j->chip)
        timeline_say(f, "chip", j->chip->name);
    timeline_say(f, "clock", j->clock);
    timeline_say(f, "sample", stat_sampling(j));
    timeline_say(f, "unknown values", stat_x_name(j));
    timeline_say(f, "interval", j->o->interval.text);
    if (w->from.text)
        timeline_say(f, "from", w->from.text);
    if (w->to.text)
        timeline_say(f, "to", w->to.text);
    timeline_say_number(f, "cycles", r->cycles);
    timeline_say_number(f, "first cycle", r->first);
    if (j->chip)
        timeline_say_number(f, "passes", s->plan->passes);
    timeline_say_complete(f, r->partial ? "interrupted" : NULL);
}

void stat_tracks_end(struct stat_tracks *s, const struct stat_result *r)
{
    struct timeline_facts facts = { .count = 0 };

    say_all(&facts, s, r);
    take_values(s, r);
    timeline_end(s->timeline, &(struct timeline_summary){ .facts = &facts,
                                                          .total = s->value,
                                                          .draw = stat_machine_draw,
                                                          .draw_ctx = s->j });
}

void stat_tracks_close(struct stat_tracks *s)
{
    if (!s)
        return;
    timeline_close(s->timeline);
    free(s->column);
    free(s->value);
    free(s->figure);
    free(s);
}
