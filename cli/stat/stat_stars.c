/* SPDX-License-Identifier: MIT */
/* Events, values and latencies whose names have stars become rows, one for each match. */
#include "stat.h"
#include "wave/stars.h"

#include <stdlib.h>
#include <string.h>

/* --- events --- */

struct events {
    struct stat_job *j;
    const struct stat_event *from; /* that has the stars */
    bool named;
};

static char *join(const char *a, const char *b)
{
    const size_t size = strlen(a) + strlen(b) + 1;
    char *out = malloc(size);

    if (out)
        snprintf(out, size, "%s%s", a, b);
    return out;
}

static int take_event(void *ctx, char *text, const char *stars)
{
    struct events *r = ctx;
    struct stat_event *e;
    int code = r->j->events < STAT_MOST_EVENTS ? stat_add_event(r->j, &e)
                                               : stat_too_many(&r->from->place, STAT_MOST_EVENTS);

    if (code) {
        free(text);
        return code;
    }
    e->text = text;
    e->place = (struct cli_place){ r->from->place.label, text, 0 };
    e->group = r->from->group;
    e->slots = r->from->slots;
    e->clock = r->from->clock;
    e->name = r->named ? join(r->from->name, stars) : cli_copy(text, strlen(text));
    return e->name ? CLI_OK : cli_no_memory();
}

static int expand_event(struct stat_job *j, struct stat_event *e, const struct pc_wave *wave)
{
    struct events rows = { j, e, strcmp(e->name, e->text) != 0 };
    struct stat_event *same;
    int code;

    if (cli_has_star(e->text))
        return cli_expand_stars(wave, &e->place, e->text, take_event, &rows);
    code = stat_add_event(j, &same);
    if (code)
        return code;
    const size_t origin = same->origin;
    *same = *e;
    same->origin = origin;
    e->name = e->text = NULL;
    return CLI_OK;
}

static int expand_events(struct stat_job *j, const struct pc_wave *wave)
{
    struct stat_event *from = j->event;
    const size_t events = j->events;
    bool any = false;
    int code = CLI_OK;

    for (size_t n = 0; n < events; n++)
        any |= cli_has_star(from[n].text);
    if (!any)
        return CLI_OK;
    j->event = NULL;
    j->events = j->events_capacity = 0;
    for (size_t n = 0; n < events && code == CLI_OK; n++)
        code = expand_event(j, &from[n], wave);
    for (size_t n = 0; n < events; n++) {
        free(from[n].name);
        free(from[n].text);
    }
    free(from);
    return code;
}

/* --- values and latencies --- */

struct measures {
    struct stat_job *j;
    const struct stat_measure *from;
    bool named;
};

/* Keeps the text, of which the row is made. */
static int take_measure(void *ctx, char *text, const char *stars)
{
    struct measures *r = ctx;
    struct stat_measures *all = &r->j->measures;
    void *array = r->j->kept;
    char **at = cli_one_more(&array, &r->j->kept_capacity, &r->j->kept_count, sizeof *at);

    r->j->kept = array;
    if (!at) {
        free(text);
        return cli_no_memory();
    }
    *at = text;
    const int code = stat_measure_add(all, r->from->kind, r->from->label, text);
    if (code)
        return code;
    struct stat_measure *m = &all->item[all->count - 1];
    m->clock = r->from->clock;
    if (!r->named)
        return CLI_OK;
    free(m->name);
    m->name = join(r->from->name, stars);
    return m->name ? CLI_OK : cli_no_memory();
}

static int expand_measures(struct stat_job *j, const struct pc_wave *wave)
{
    struct stat_measures from = j->measures;
    bool any = false;
    int code = CLI_OK;

    for (size_t i = 0; i < from.count; i++)
        any |= cli_has_star(from.item[i].text);
    if (!any)
        return CLI_OK;
    j->measures = stat_measures_like(&from);
    for (size_t i = 0; i < from.count && code == CLI_OK; i++) {
        const struct stat_measure *m = &from.item[i];
        struct measures rows = { j, m, m->named };
        const struct cli_place place = { m->label, m->argument, (uint32_t)(m->text - m->argument) };
        code = cli_has_star(m->text)
                   ? cli_expand_stars(wave, &place, m->text, take_measure, &rows)
                   : stat_measure_add(&j->measures, m->kind, m->label, m->argument);
        if (code == CLI_OK && !cli_has_star(m->text))
            j->measures.item[j->measures.count - 1].clock = m->clock;
    }
    stat_measure_close(&from);
    return code;
}

int stat_expand_stars(struct stat_job *j, const struct pc_wave *wave)
{
    const int code = expand_events(j, wave);

    return code ? code : expand_measures(j, wave);
}
