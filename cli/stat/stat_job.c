/* SPDX-License-Identifier: MIT */
/* One waveform of pcounter stat: it begins with what the options ask for. */
#include "stat_filter.h"

#include <stdlib.h>
#include <string.h>

int stat_add_event(struct stat_job *j, struct stat_event **out)
{
    void *array = j->event;

    *out = cli_one_more(&array, &j->events_capacity, &j->events, sizeof **out);
    j->event = array;
    if (!*out)
        return cli_no_memory();
    (*out)->origin = j->events - 1;
    return CLI_OK;
}

static int add_asked(struct stat_job *j, const struct stat_asked *asked)
{
    struct stat_event *e;
    const int code = stat_add_event(j, &e);

    if (code)
        return code;
    e->place = asked->place;
    e->group = asked->group;
    e->slots = asked->slots;
    e->clock = asked->clock;
    e->name = cli_copy(asked->name, strlen(asked->name));
    e->text = cli_copy(asked->text, strlen(asked->text));
    return e->name && e->text ? CLI_OK : cli_no_memory();
}

int stat_job_begin(struct stat_job *j, const struct stat_options *o, size_t n)
{
    int code = CLI_OK;

    *j = (struct stat_job){ .o = o,
                            .number = n,
                            .path = o->paths[n],
                            .chip = o->chip,
                            .report = o->report,
                            .threads = o->threads,
                            .clock = o->clock,
                            .clock_label = o->clock_label,
                            .groups = o->groups,
                            .measures = stat_measures_like(&o->measures),
                            .binds = o->binds,
                            .expect = o->expect,
                            .window = o->window };
    for (size_t i = 0; i < o->events && code == CLI_OK; i++)
        code = add_asked(j, &o->event[i]);
    for (size_t i = 0; i < o->measures.count && code == CLI_OK; i++) {
        const struct stat_measure *m = &o->measures.item[i];
        code = stat_measure_add(&j->measures, m->kind, m->label, m->argument);
        if (code == CLI_OK)
            j->measures.item[i].clock = m->clock;
    }
    return code;
}

void stat_job_end(struct stat_job *j)
{
    stat_free_parts(j);
    free(j->only_clock.name);
    for (size_t i = 0; i < j->events; i++) {
        free(j->event[i].name);
        free(j->event[i].text);
        free(j->event[i].wire);
        pc_expr_free(j->event[i].expr);
        pc_expr_free(j->event[i].stand_in);
    }
    free(j->event);
    stat_described_close(j);
    stat_filter_free(j->filter);
    cli_expectations_close(&j->expect);
    cli_metrics_close(&j->metrics);
    pc_metrics_close(j->shares);
    stat_bind_close(&j->binds);
    stat_measure_close(&j->measures);
    for (size_t i = 0; i < j->kept_count; i++)
        free(j->kept[i]);
    free(j->kept);
}
