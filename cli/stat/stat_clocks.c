/* SPDX-License-Identifier: MIT */
/*
 * Several clocks, -c w=wclk -c r=rclk: each is a stream of the one waveform, and counts the events
 * and measurements that say @w, those that say nothing by the first.  A part has them while the
 * waveform is read; what came out goes back to the job, which has them all.
 */
#include "stat_filter.h"

#include <stdlib.h>
#include <string.h>

/* --- the command line --- */

int stat_add_clock(struct stat_options *o, const char *label, const char *argument, bool of_line)
{
    size_t begin = 0, after = 0;
    const size_t named = cli_name_before_equals(argument, &begin, &after);
    const struct cli_place place = { label, argument, (uint32_t)begin };

    if (of_line && o->line_clocks > 0)
        return CLI_OK; /* the command line wins */
    if (!of_line && o->line_clocks == 0)
        while (o->clocks > 0)
            free(o->asked_clock[--o->clocks].name);
    if (o->clocks == STAT_CLOCKS)
        return cli_usage("stat", "--clock: %d clocks at most", STAT_CLOCKS);
    struct stat_asked_clock *c = &o->asked_clock[o->clocks];
    *c = (struct stat_asked_clock){
        .label = label, .argument = argument, .text = argument + after, .named = named > 0
    };
    c->text += strspn(c->text, " \t");
    c->name = named ? cli_copy(argument + begin, named) : cli_copy(c->text, strlen(c->text));
    if (!c->name)
        return cli_no_memory();
    o->clocks++;
    o->line_clocks += !of_line;
    for (size_t i = 0; i + 1 < o->clocks; i++)
        if (strcmp(o->asked_clock[i].name, c->name) == 0)
            return cli_error_at(331, &place, 1, "give one another name: NAME=...",
                                "the name %.60s was given to another clock", c->name);
    return CLI_OK;
}

/* The number of @CLOCK; an exit code. */
static int find_clock(const struct stat_options *o, const struct cli_place *place, const char *name,
                      size_t size, unsigned *out)
{
    char hint[300] = "";
    size_t used = 0;

    *out = 0;
    for (size_t i = 0; name && i < o->clocks; i++)
        if (strlen(o->asked_clock[i].name) == size &&
            memcmp(o->asked_clock[i].name, name, size) == 0) {
            *out = (unsigned)i;
            return CLI_OK;
        }
    if (!name)
        return CLI_OK;
    for (size_t i = 0; i < o->clocks && used + 1 < sizeof hint; i++)
        used += (size_t)snprintf(hint + used, sizeof hint - used, "%s%.60s",
                                 i ? ", " : "there are ", o->asked_clock[i].name);
    return cli_error_at(331, place, 1, hint[0] ? hint : "name one: -c r=rclk",
                        "no clock is called \"%.*s\"", (int)(size < 60 ? size : 60), name);
}

static int check_together(const struct stat_options *o)
{
    const struct cli_window *w = &o->window;

    if (o->clocks < 2)
        return CLI_OK;
    if (o->chip)
        return cli_usage("stat", "counters of a chip have one clock: leave out -a, or all but one "
                                 "--clock");
    if (o->description)
        return cli_usage("stat", "a description is of one clock: leave out --core, or all but one "
                                 "--clock");
    if (o->interval.text)
        return cli_usage("stat",
                         "-I is of one clock, and there are %zu: leave out all but one "
                         "--clock",
                         o->clocks);
    if ((w->from.text && w->from.in_cycles) || (w->to.text && w->to.in_cycles))
        return cli_usage("stat", "cycles of which clock? --from and --to of several clocks are "
                                 "times, like 15.2us");
    return CLI_OK;
}

int stat_check_clocks(struct stat_options *o)
{
    int code = check_together(o);

    for (size_t i = 0; i < o->events && code == CLI_OK; i++) {
        struct stat_asked *e = &o->event[i];
        code = find_clock(o, &e->at_place, e->at, e->at_size, &e->clock);
        for (size_t k = 0; k < i && code == CLI_OK; k++)
            if (o->event[k].clock != e->clock && strcmp(o->event[k].name, e->name) == 0)
                code =
                    cli_error_at(334, &e->place, 1, "give one another name: '@r out = ...'",
                                 "the name %.60s was given to an event of another clock", e->name);
    }
    for (size_t i = 0; i < o->measures.count && code == CLI_OK; i++) {
        struct stat_measure *m = &o->measures.item[i];
        const struct cli_place place = { m->label, m->argument,
                                         m->at ? (uint32_t)(m->at - m->argument) : 0 };
        code = find_clock(o, &place, m->at, m->at_size, &m->clock);
    }
    return code;
}

/* --- names --- */

static bool have_names(const struct stat_job *j)
{
    return j->o->clocks > 1 || (j->o->clocks == 1 && j->o->asked_clock[0].named);
}

const char *stat_clock_name(const struct stat_job *j, unsigned clock)
{
    return have_names(j) ? j->o->asked_clock[clock].name : NULL;
}

bool stat_find_cycles(const struct stat_job *j, const char *name, size_t *out)
{
    for (size_t i = 0; have_names(j) && i < j->o->clocks; i++) {
        const size_t n = strlen(j->o->asked_clock[i].name);
        if (strncmp(j->o->asked_clock[i].name, name, n) == 0 && strcmp(name + n, ".cycles") == 0) {
            *out = STAT_CYCLES + i;
            return true;
        }
    }
    return false;
}

uint64_t stat_cycles_of(const struct stat_job *j, unsigned clock, const struct stat_result *r)
{
    return j->parts > 0 ? j->part[clock].result.cycles : r->cycles;
}

/* `cycles` alone says nothing where there are several clocks. */
static int check_formulas(const struct stat_job *j, const struct cli_metrics *m)
{
    for (size_t i = 0; i < m->count; i++) {
        if (!cli_formula_find(m->metric[i].info.formula, "cycles"))
            continue;
        const struct cli_place place = cli_metric_place(&m->metric[i], "cycles");
        char hint[100];
        snprintf(hint, sizeof hint, "write %.60s.cycles", j->o->asked_clock[0].name);
        return cli_error_at(331, &place, 1, hint, "cycles of which clock? There are %zu",
                            j->o->clocks);
    }
    return CLI_OK;
}

/* --- parts --- */

static int open_part(struct stat_job *j, struct stat_part *p, unsigned clock, struct pc_wave *wave)
{
    const struct stat_asked_clock *asked = &j->o->asked_clock[clock];
    struct stat_measures *own = &p->job.measures;
    void *array = NULL;

    p->job = *j;
    p->job.clock = asked->text;
    p->job.clock_label = asked->label;
    p->job.threads = 1;
    p->job.part = NULL;
    p->job.parts = 0;
    p->job.event = NULL;
    p->job.events = p->job.events_capacity = 0;
    p->job.described = NULL;
    p->job.measures = stat_measures_like(&j->measures);
    p->wires = (struct stat_wires){ .wave = wave, .binds = &j->binds };
    for (size_t i = 0; i < j->measures.count; i++) {
        if (j->measures.item[i].clock != clock)
            continue;
        struct stat_measure *m = cli_one_more(&array, &own->capacity, &own->count, sizeof *m);
        own->item = array;
        if (!m)
            return cli_no_memory();
        *m = j->measures.item[i];
    }
    p->job.filter = NULL;
    int code =
        stat_find_clock(wave, asked->label, asked->text, STAT_SIGNALS, &p->clock, &p->job.filter);
    p->clock.post_edge = j->o->post_edge;
    p->job.edge = p->clock.edge;
    if (code == CLI_OK && j->o->sample)
        code = cli_check_sample("stat", &p->clock);
    return code;
}

/* Measurements as they are now, from the parts. */
static void take_measures(struct stat_job *j)
{
    size_t next[STAT_CLOCKS] = { 0 };

    for (size_t i = 0; i < j->measures.count; i++) {
        const unsigned clock = j->measures.item[i].clock;
        j->measures.item[i] = j->part[clock].job.measures.item[next[clock]++];
    }
}

static int open_measures(struct stat_part *p)
{
    int code = stat_described_read(&p->job);

    if (code == CLI_OK)
        code = stat_described_open(&p->job, &p->wires, &p->clock);
    if (code == CLI_OK)
        code = stat_filter_find(p->job.filter, &p->wires);
    return code ? code : stat_measure_open(&p->job, &p->wires);
}

/* Each part counts copies of its events. */
static int deal_events(struct stat_job *j)
{
    for (size_t n = 0; n < j->events; n++) {
        struct stat_job *own = &j->part[j->event[n].clock].job;
        struct stat_event *e;
        const int code = stat_add_event(own, &e);
        if (code)
            return code;
        const size_t origin = e->origin;
        *e = j->event[n];
        e->origin = origin;
    }
    return CLI_OK;
}

static int find_window(struct stat_job *j, struct stat_part *p)
{
    struct pc_wave_info info;

    pc_wave_get_info(p->wires.wave, &info);
    p->clock.times = stat_measure_has(&p->job.measures, STAT_LEVEL);
    return cli_window_begin(&p->job.window, &info, j->path, &p->clock, j->metrics.count > 0);
}

int stat_prepare_clocks(struct stat_job *j, struct stat_wires *wires)
{
    int code = stat_bind_open(j, wires->wave);

    if (code == CLI_OK)
        code = stat_expand_stars(j, wires->wave);
    if (code)
        return code;
    j->part = calloc(j->o->clocks, sizeof *j->part);
    if (!j->part)
        return cli_no_memory();
    j->parts = j->o->clocks;
    for (unsigned k = 0; k < j->parts && code == CLI_OK; k++)
        code = open_part(j, &j->part[k], k, wires->wave);
    const bool dealt = code == CLI_OK;
    for (unsigned k = 0; k < j->parts && code == CLI_OK; k++)
        code = open_measures(&j->part[k]);
    if (dealt)
        take_measures(j);
    if (code == CLI_OK)
        code = stat_find_metrics(j);
    if (code == CLI_OK)
        code = check_formulas(j, &j->metrics);
    if (code == CLI_OK)
        code = check_formulas(j, &j->expect.sides);
    if (code == CLI_OK)
        code = stat_check_events(j->o, j->events);
    for (size_t n = 0; n < j->events && code == CLI_OK; n++)
        code = stat_compile_event(j, &j->event[n], &j->part[j->event[n].clock].wires);
    if (code == CLI_OK)
        code = stat_check_names(j);
    if (code == CLI_OK)
        code = deal_events(j);
    for (unsigned k = 0; k < j->parts && code == CLI_OK; k++)
        code = find_window(j, &j->part[k]);
    return code;
}

void stat_take_parts(struct stat_job *j)
{
    size_t next[STAT_CLOCKS] = { 0 };

    for (size_t n = 0; n < j->events; n++) {
        struct stat_event *e = &j->event[n];
        const struct stat_event *own = &j->part[e->clock].job.event[next[e->clock]++];
        e->value = own->value;
        e->tainted = own->tainted;
        e->popcount = own->popcount;
        e->state = own->state;
    }
    take_measures(j);
}

void stat_free_parts(struct stat_job *j)
{
    for (size_t k = 0; k < j->parts; k++) {
        struct stat_part *p = &j->part[k];
        stat_described_close(&p->job);
        stat_filter_free(p->job.filter);
        stat_free_wires(&p->wires);
        free(p->job.event); /* what they have is that of the job */
        free(p->job.measures.item);
        free(p->job.measures.room);
        free(p->job.measures.planes);
    }
    free(j->part);
    j->part = NULL;
    j->parts = 0;
}
