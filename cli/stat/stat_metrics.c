/* SPDX-License-Identifier: MIT */
/*
 * Metrics of pcounter stat.  A name in a formula is an event of -e, or else a signal of the
 * waveform.  Where two metrics cannot share a pass, an event that both read is counted twice.
 */
#include "stat_machine.h"

#include <stdlib.h>
#include <string.h>

static size_t number_of(const struct stat_job *j, const char *name)
{
    size_t n = 0;

    while (n < j->events && strcmp(j->event[n].name, name) != 0)
        n++;
    return n;
}

static bool is_event(void *ctx, const char *name)
{
    const struct stat_job *j = ctx;

    return number_of(j, name) < j->events;
}

static int find_event(void *ctx, const struct cli_metric *m, const char *name, size_t *event)
{
    struct stat_job *j = ctx;
    struct stat_event *e;

    *event = number_of(j, name);
    if (*event < j->events || stat_figure_find(&j->measures, name, event) ||
        stat_find_cycles(j, name, event))
        return CLI_OK;
    const struct cli_place place = cli_metric_place(m, name);
    int code = stat_machine_no_figure(&j->measures, &place, name);
    if (code == CLI_OK)
        code = stat_add_event(j, &e);
    if (code)
        return code;
    e->place = cli_metric_place(m, name);
    e->group = j->groups++;
    e->name = cli_copy(name, strlen(name));
    e->text = cli_copy(name, strlen(name));
    return e->name && e->text ? CLI_OK : cli_no_memory();
}

int stat_open_metrics(struct stat_job *j)
{
    struct cli_metric_options wanted;
    int code = cli_metric_options_copy(&j->o->metric_options, &wanted);

    if (code == CLI_OK)
        code = stat_described_metrics(j, &wanted);
    if (code == CLI_OK)
        code = stat_machine_shares(&j->measures, j->o, &j->shares);
    wanted.known = j->shares;
    if (code == CLI_OK)
        code = cli_metrics_open("stat", &wanted, j->chip ? j->chip->name : NULL, &j->metrics);
    cli_metric_options_free(&wanted);
    if (code == CLI_OK)
        code = cli_expectations_open(&j->expect, &j->metrics);
    if (code == CLI_OK && j->number == 0) {
        cli_metrics_notes(&j->metrics);
        cli_metrics_notes(&j->expect.sides);
    }
    return code;
}

int stat_check_names(struct stat_job *j)
{
    for (size_t i = 0; i < j->metrics.count; i++) {
        const struct cli_metric *m = &j->metrics.metric[i];
        const struct cli_place place = { m->label ? m->label : "-M", m->info.formula, 0 };
        if (is_event(j, m->info.name))
            return cli_error_at(1522, &place, 1, "Give the metric another name than its event.",
                                "%.60s is a metric and an event", m->info.name);
    }
    return CLI_OK;
}

int stat_find_metrics(struct stat_job *j)
{
    const struct cli_metric_host host = { .ctx = j, .find = find_event, .is_event = is_event };
    const int code = cli_metrics_bind(&j->metrics, &host);

    return code ? code : cli_expectations_bind(&j->expect, &j->metrics, &host);
}

/* --- groups --- */

struct grouping {
    struct stat_job *j;
    struct stat_plan *plan;
    struct stat_wires *wires;
};

static int copy_event(void *ctx, size_t event, size_t *copy)
{
    struct grouping *g = ctx;
    struct stat_event *e;
    int code = stat_add_event(g->j, &e);

    if (code)
        return code;
    const struct stat_event *from = &g->j->event[event];
    *copy = g->j->events - 1;
    e->origin = from->origin;
    e->place = from->place;
    e->slots = from->slots;
    e->group = g->j->groups++;
    e->name = cli_copy(from->name, strlen(from->name));
    e->text = cli_copy(from->text, strlen(from->text));
    if (!e->name || !e->text)
        return cli_no_memory();
    code = stat_compile_event(g->j, e, g->wires);
    return code ? code : stat_plan_event(g->j, g->plan, *copy);
}

static struct pc_plan_event *planned_events(void *ctx, size_t *count)
{
    struct grouping *g = ctx;

    *count = g->j->events;
    return g->plan->event;
}

int stat_group_metrics(struct stat_job *j, struct stat_plan *plan, struct stat_wires *wires)
{
    struct grouping g = { j, plan, wires };
    const struct cli_metric_host host = {
        .ctx = &g, .copy = copy_event, .events = planned_events, .chip = j->chip, .free_wires = true
    };

    return cli_metrics_group(&j->metrics, &host);
}

/* --- values --- */

enum pc_value_state stat_value_state(enum stat_state state)
{
    static const enum pc_value_state states[] = { [STAT_EXACT] = PC_VALUE_EXACT,
                                                  [STAT_TAINTED] = PC_VALUE_TAINTED,
                                                  [STAT_SATURATED] = PC_VALUE_SATURATED,
                                                  [STAT_LOST] = PC_VALUE_LOST };
    return states[state];
}

/* Returns a figure of a measurement as an input of formulas; within bounds: at least. */
static struct pc_metric_input figure_input(const struct stat_job *j, const struct cli_metric *m,
                                           size_t k, enum stat_which which, bool *bounded,
                                           struct cli_open_inputs *open)
{
    struct stat_figure f;
    bool tainted;

    stat_figure_of(&j->measures, m->event[k], &f, &tainted);
    *bounded = *bounded || f.bounded;
    if (f.bounded && which != STAT_AS_IT_IS) {
        tainted = tainted && !f.sure;
        f.known = open->count < CLI_MOST_OPEN;
        f.number = f.bound.least;
        if (f.known) {
            open->number[open->count] = k;
            open->most[open->count++] = cli_beyond(f.bound.most);
        }
    }
    return (struct pc_metric_input){ .value = f.number,
                                     .state = !f.known  ? PC_VALUE_UNMEASURED
                                              : tainted ? PC_VALUE_TAINTED
                                                        : PC_VALUE_EXACT };
}

void stat_formula_value(const struct stat_job *j, const struct stat_plan *plan,
                        const struct stat_result *r, const struct cli_metric *m, bool multiplexed,
                        enum stat_which which, bool *bounded, struct pc_metric_value *out)
{
    struct pc_metric_input *in = m->input;
    struct cli_open_inputs open = { .count = 0 };

    for (size_t k = 0; k < m->info.events; k++) {
        if (m->event[k] >= STAT_CYCLES) {
            in[k] = (struct pc_metric_input){ .value = (double)stat_cycles_of(
                                                  j, (unsigned)(m->event[k] - STAT_CYCLES), r) };
            continue;
        }
        if (m->event[k] >= STAT_FIGURES) {
            in[k] = figure_input(j, m, k, which, bounded, &open);
            continue;
        }
        const struct stat_event *e = &j->event[m->event[k]];
        uint64_t value = e->value;
        in[k].state = stat_value_state(e->state);
        if (multiplexed && !stat_estimate(j, e, plan, r, &value))
            in[k].state = PC_VALUE_UNMEASURED;
        in[k].value = (double)value;
    }
    cli_value_within(m, in, &open, which == STAT_AT_MOST, (double)r->cycles, r->seconds, out);
}

void stat_metric_value(const struct stat_job *j, const struct stat_plan *plan,
                       const struct stat_result *r, size_t metric, bool multiplexed,
                       struct pc_metric_value *out)
{
    bool bounded = false;

    stat_formula_value(j, plan, r, &j->metrics.metric[metric], multiplexed, STAT_AS_IT_IS, &bounded,
                       out);
}
