/* SPDX-License-Identifier: MIT */
/*
 * pcounter idle for viewers: windows are rows of a timeline, with the clocks that were counted,
 * shares of them, and the level of the governor.
 */
#include "idle.h"
#include "text/ten.h"
#include "wave/time_unit.h"

#include <stdlib.h>

enum { FIXED = 5, MASK = 200 }; /* FIXED: columns that are no share */

struct idle_tracks {
    const struct idle_report *r;
    struct timeline *timeline;
    struct timeline_column column[FIXED + IDLE_METERS];
    struct timeline_value value[FIXED + IDLE_METERS];
    char about[FIXED + IDLE_METERS][MASK];
    size_t columns;
    double unit; /* seconds of one of the axis */
};

static const enum pc_value_state states[] = { [IDLE_EXACT] = PC_VALUE_EXACT,
                                              [IDLE_TAINTED] = PC_VALUE_TAINTED,
                                              [IDLE_WRAPPED] = PC_VALUE_WRAPPED,
                                              [IDLE_SATURATED] = PC_VALUE_SATURATED,
                                              [IDLE_UNMEASURED] = PC_VALUE_UNMEASURED };

/* --- the axis --- */

void idle_find_axis(struct idle_report *r, const struct pc_wave_info *info)
{
    r->axis =
        (struct timeline_axis){ .cycles = !info || !r->o->window.text || r->o->window.in_clocks };
    if (r->axis.cycles)
        return;
    r->rate = info->sampled ? info->sample_rate : 0;
    r->axis = r->rate ? timeline_axis_of_samples(1 / (double)r->rate)
                      : (struct timeline_axis){ .exponent = cli_time_unit(info).exponent };
}

int idle_check_axis(const struct idle_report *r, enum timeline_format format)
{
    if (!format || r->axis.cycles ||
        (timeline_fits(format, &r->axis) &&
         (r->rate == 0 || timeline_fits_samples(1 / (double)r->rate))))
        return CLI_OK;
    return idle_fail(1105, NULL, 0, "--format csv has such times.",
                     "--format %s cannot have the time unit of %s", timeline_name(format),
                     cli_input_name(r->o->path));
}

static struct timeline_time time_of(const struct idle_tracks *t, uint64_t start)
{
    if (t->r->rate == 0)
        return (struct timeline_time){ start, 0 };
    return (struct timeline_time){ timeline_units((double)start / (double)t->r->rate / t->unit),
                                   0 };
}

/* --- columns --- */

static void add_column(struct idle_tracks *t, struct timeline_column column, int meter)
{
    const struct idle_meter *m = meter < 0 ? NULL : &t->r->plan->meter[meter];
    char *about = t->about[t->columns];

    if (m && (m->mode == PC_IDLE_ALL || m->mode == PC_IDLE_NOT_ALL)) {
        char mask[MASK - 16];
        idle_mask_text(t->r->o->chip, m->mask, mask, sizeof mask);
        snprintf(about, MASK, "%s %s", idle_mode_names[m->mode], mask);
        column.about = about;
    }
    t->column[t->columns++] = column;
}

static struct timeline_column share(const char *name)
{
    return (struct timeline_column){
        .name = name, .unit = "%", .kind = TIMELINE_METRIC, .marked = true, .top = 100
    };
}

static void name_columns(struct idle_tracks *t)
{
    const struct idle_plan *plan = t->r->plan;
    const struct pc_governor *g = &t->r->o->governor;
    const struct timeline_column count = { .unit = "clocks", .marked = true };
    struct timeline_column c = count;

    c.name = "total";
    add_column(t, c, -1);
    if (plan->busy >= 0) {
        c.name = "busy";
        add_column(t, c, plan->busy);
        add_column(t, share("util"), plan->busy);
    }
    for (size_t i = 0; i < plan->meters; i++)
        if (idle_has_column(plan, i))
            add_column(t, share(plan->meter[i].name), (int)i);
    if (!t->r->o->governed)
        return;
    c = share("average");
    c.marked = false;
    add_column(t, c, -1);
    add_column(t,
               (struct timeline_column){
                   .name = g->name, .unit = "level", .kind = TIMELINE_LEVEL, .top = g->levels - 1 },
               -1);
}

/* --- values --- */

static struct timeline_value count_of(const struct idle_meter *m, bool sums)
{
    return (struct timeline_value){ .count = sums ? m->sum : m->value,
                                    .state = sums ? PC_VALUE_EXACT : states[m->state] };
}

static struct timeline_value share_of(const struct idle_meter *m, const struct idle_meter *whole,
                                      bool sums)
{
    const struct timeline_value part = count_of(m, sums), all = count_of(whole, sums);

    if (all.count == 0)
        return (struct timeline_value){ .state = PC_VALUE_UNMEASURED };
    return (struct timeline_value){ .number = 100.0 * (double)part.count / (double)all.count,
                                    .state = part.state > all.state ? part.state : all.state };
}

/* Takes the values of a window; NULL: of all. */
static void take_values(struct idle_tracks *t, const struct idle_result *w)
{
    const struct idle_plan *plan = t->r->plan;
    const struct idle_meter *total = &plan->meter[plan->total];
    struct timeline_value *v = t->value;

    *v++ = count_of(total, !w);
    if (plan->busy >= 0) {
        *v++ = count_of(&plan->meter[plan->busy], !w);
        *v++ = share_of(&plan->meter[plan->busy], total, !w);
    }
    for (size_t i = 0; i < plan->meters; i++)
        if (idle_has_column(plan, i))
            *v++ = share_of(&plan->meter[i], idle_total_of(plan, &plan->meter[i]), !w);
    if (!t->r->o->governed)
        return;
    v[0] = v[1] = (struct timeline_value){ .state = PC_VALUE_UNMEASURED };
    if (w) {
        v[0] = (struct timeline_value){ .number = w->average };
        v[1] = (struct timeline_value){ .count = w->level };
    }
}

/* --- rows --- */

struct idle_tracks *idle_tracks_open(const struct idle_report *r, enum timeline_format format,
                                     FILE *out)
{
    struct idle_tracks *t = calloc(1, sizeof *t);

    if (!t)
        return NULL;
    t->r = r;
    t->unit = cli_times_ten_to(1, r->axis.exponent);
    name_columns(t);
    t->timeline = timeline_open(&(struct timeline_desc){ .out = out,
                                                         .format = format,
                                                         .title = "pcounter idle",
                                                         .row = "window",
                                                         .axis = r->axis,
                                                         .column = t->column,
                                                         .columns = t->columns });
    if (!t->timeline) {
        free(t);
        return NULL;
    }
    return t;
}

void idle_tracks_add(struct idle_tracks *t, const struct idle_result *w)
{
    const struct timeline_time begin = time_of(t, w->start), end = time_of(t, w->end);

    take_values(t, w);
    timeline_add(t->timeline, &(struct timeline_row){ .begin = begin,
                                                      .length = (double)(end.whole - begin.whole),
                                                      .partial = !w->whole && t->r->o->window.text,
                                                      .value = t->value });
}

static void say_all(struct timeline_facts *f, const struct idle_tracks *t,
                    const struct idle_totals *totals)
{
    const struct idle_options *o = t->r->o;

    timeline_say(f, "trace", cli_input_name(o->path));
    timeline_say(f, "chip", o->chip->name);
    if (o->clock) {
        timeline_say(f, "clock", o->clock);
        timeline_say(f, "sample", idle_sampling(o));
        timeline_say(f, "unknown values", idle_x_names[o->x]);
    }
    timeline_say(f, "window", o->window.text ? o->window.text : "all");
    timeline_say(f, "polls", o->exact ? "exact" : "clear");
    if (o->governed)
        timeline_say(f, "governor", o->governor.name);
    timeline_say_number(f, "clocks", totals->clocks);
    timeline_say_complete(f, totals->interrupted ? "interrupted"
                             : totals->failed    ? "an error ended the run"
                                                 : NULL);
}

void idle_tracks_end(struct idle_tracks *t, const struct idle_totals *totals)
{
    struct timeline_facts facts = { .count = 0 };

    say_all(&facts, t, totals);
    take_values(t, NULL);
    timeline_end(t->timeline, &(struct timeline_summary){ .facts = &facts, .total = t->value });
}

void idle_tracks_close(struct idle_tracks *t)
{
    if (t)
        timeline_close(t->timeline);
    free(t);
}
