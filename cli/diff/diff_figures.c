/* SPDX-License-Identifier: MIT */
/* Figures of measurements in a report, each an item: depth.p99, rd.outstanding.max,
 * fsm.IDLE.share. */
#include "diff/diff.h"
#include "diff/diff_jansson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A figure, and where it stands in its list's object. */
struct figure {
    const char *object, *member; /* object NULL: the list's object itself */
};
static const struct figure of_value[] = {
    { NULL, "count" }, { NULL, "unknown" }, { NULL, "min" }, { NULL, "mean" }, { NULL, "p50" },
    { NULL, "p90" },   { NULL, "p95" },     { NULL, "p99" }, { NULL, "max" },  { NULL, "sum" },
    { NULL, "first" }, { NULL, "last" },    { NULL, NULL },
};
static const struct figure of_latency[] = {
    { NULL, "started" },  { NULL, "completed" },     { NULL, "unfinished" },
    { NULL, "orphans" },  { NULL, "aborted" },       { NULL, "unknown_id" },
    { "latency", "min" }, { "latency", "mean" },     { "latency", "p50" },
    { "latency", "p90" }, { "latency", "p95" },      { "latency", "p99" },
    { "latency", "max" }, { "outstanding", "mean" }, { "outstanding", "max" },
    { NULL, NULL },
};
static const struct figure of_level[] = {
    { NULL, "min" }, { NULL, "mean" }, { NULL, "p50" },  { NULL, "p90" },
    { NULL, "p99" }, { NULL, "max" },  { NULL, "full" }, { NULL, NULL },
};
static const struct figure of_states[] = {
    { NULL, "samples" },
    { NULL, "unknown" },
    { NULL, NULL },
};
/* The figures of each state: its share does not depend on the length of the run. */
static const struct figure of_state[] = {
    { NULL, "visits" }, { NULL, "cycles" }, { NULL, "share" }, { "stay", "min" },
    { "stay", "mean" }, { "stay", "max" },  { NULL, NULL },
};
static const struct figure of_transition[] = { { NULL, "count" }, { NULL, NULL } };
static const struct list {
    const char *name;
    const struct figure *figure;
} lists[] = { { "values", of_value },
              { "latencies", of_latency },
              { "states", of_states },
              { "levels", of_level } };
enum { LISTS = sizeof lists / sizeof lists[0] };

static const json_t *list_of(const struct diff_file *f, const json_t *report, size_t i)
{
    return f->jansson->object_get(report, lists[i].name);
}

/* Did unknown values have a say in it? */
static bool is_tainted(const struct diff_file *f, const json_t *from)
{
    static const char *const members[] = { "start", "end" };
    const json_t *tainted = f->jansson->object_get(from, "tainted");

    for (size_t i = 0; i < 2; i++)
        if (f->jansson->number_value(f->jansson->object_get(tainted, members[i])) > 0)
            return true;
    if (f->jansson->object_get(from, "transitions"))
        return f->jansson->number_value(f->jansson->object_get(from, "unknown")) > 0;
    return f->jansson->number_value(tainted) > 0;
}

/* The owner of figures: the name before them, and how exact they are. */
struct owner {
    const char *name, *state;
};

static int read_figures(const struct diff_file *f, const struct owner *o, const json_t *from,
                        const struct figure *figure, struct diff_report *r)
{
    for (; figure->member; figure++) {
        const json_t *object = figure->object ? f->jansson->object_get(from, figure->object) : from;
        const json_t *value = f->jansson->object_get(object, figure->member);
        const char *part =
            figure->object && strcmp(figure->object, "latency") != 0 ? figure->object : "";
        const size_t size = strlen(o->name) + 32;
        double full;
        if (!value || (strcmp(figure->member, "full") == 0 && !diff_number(f, value, &full)))
            continue; /* there is none, as of a level without a capacity */
        char *own = malloc(size);
        if (!own)
            return cli_no_memory();
        snprintf(own, size, "%s%s%s.%s", o->name, part[0] ? "." : "", part,
                 figure == of_transition ? "transitions" : figure->member);
        struct diff_item item = { .name = own, .own = own, .state = o->state, .metric = true };
        item.measured = diff_number(f, value, &item.number);
        if (!item.measured)
            item.state = "unmeasured";
        const int code = diff_add(f, r, &item);
        if (code)
            return code;
    }
    return CLI_OK;
}

/* "fsm.IDLE" or "fsm.IDLE.RUN", of the texts of an object; NULL: no memory. */
static char *join(const struct diff_file *f, const char *name, const json_t *from,
                  const char *const keys[2])
{
    const char *a = f->jansson->string_value(f->jansson->object_get(from, keys[0]));
    const char *b =
        keys[1] ? f->jansson->string_value(f->jansson->object_get(from, keys[1])) : NULL;
    const size_t size = strlen(name) + strlen(a ? a : "") + strlen(b ? b : "") + 3;
    char *out = malloc(size);

    if (out)
        snprintf(out, size, "%s.%s%s%s", name, a ? a : "", b ? "." : "", b ? b : "");
    return out;
}

/* The states of a machine, or its transitions. */
static int read_states(const struct diff_file *f, const struct owner *o, const json_t *machine,
                       bool moves, struct diff_report *r)
{
    static const char *const keys[][2] = { { "state", NULL }, { "from", "to" } };
    const json_t *array = f->jansson->object_get(machine, moves ? "transitions" : "states");
    const size_t n = f->jansson->array_size(array);
    int code = CLI_OK;

    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        const json_t *from = f->jansson->array_get(array, i);
        char *name = join(f, o->name, from, keys[moves]);
        code = name ? read_figures(f, &(struct owner){ name, o->state }, from,
                                   moves ? of_transition : of_state, r)
                    : cli_no_memory();
        free(name);
    }
    return code;
}

static int read_one(const struct diff_file *f, const json_t *from, const struct figure *figure,
                    struct diff_report *r)
{
    const struct owner o = { f->jansson->string_value(f->jansson->object_get(from, "name")),
                             is_tainted(f, from) ? "tainted" : "exact" };

    if (!o.name)
        return diff_fail(f, 1701, "measurements without a name");
    int code = read_figures(f, &o, from, figure, r);
    if (code == CLI_OK && figure == of_states)
        code = read_states(f, &o, from, false, r);
    return code == CLI_OK && figure == of_states ? read_states(f, &o, from, true, r) : code;
}

int diff_read_figures(const struct diff_file *f, const json_t *report, struct diff_report *r)
{
    int code = CLI_OK;

    for (size_t i = 0; i < LISTS; i++) {
        const json_t *array = list_of(f, report, i);
        const size_t n = f->jansson->array_size(array);
        for (size_t k = 0; k < n && code == CLI_OK; k++)
            code = read_one(f, f->jansson->array_get(array, k), lists[i].figure, r);
    }
    return code;
}
