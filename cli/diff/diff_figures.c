/* SPDX-License-Identifier: MIT */
/* Figures of values and latencies in a report, each an item: depth.p99, rd.outstanding.max. */
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
    { NULL, "count" }, { NULL, "unknown" }, { NULL, "min" },  { NULL, "mean" },
    { NULL, "p50" },   { NULL, "p90" },     { NULL, "p99" },  { NULL, "max" },
    { NULL, "sum" },   { NULL, "first" },   { NULL, "last" }, { NULL, NULL },
};
static const struct figure of_latency[] = {
    { NULL, "started" },       { NULL, "completed" },    { NULL, "unfinished" },
    { NULL, "orphans" },       { NULL, "aborted" },      { NULL, "unknown_id" },
    { "latency", "min" },      { "latency", "mean" },    { "latency", "p50" },
    { "latency", "p90" },      { "latency", "p99" },     { "latency", "max" },
    { "outstanding", "mean" }, { "outstanding", "max" }, { NULL, NULL },
};
static const struct list {
    const char *name;
    const struct figure *figure;
} lists[] = { { "values", of_value }, { "latencies", of_latency } };
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
    return f->jansson->number_value(tainted) > 0;
}

static int read_one(const struct diff_file *f, const json_t *from, const struct figure *figure,
                    struct diff_report *r)
{
    const char *name = f->jansson->string_value(f->jansson->object_get(from, "name"));
    const char *state = is_tainted(f, from) ? "tainted" : "exact";

    if (!name)
        return diff_fail(f, 1701, "values or latencies without a name");
    for (; figure->member; figure++) {
        const json_t *object = figure->object ? f->jansson->object_get(from, figure->object) : from;
        const json_t *value = f->jansson->object_get(object, figure->member);
        const bool outstanding = figure->object && figure->object[0] == 'o';
        const size_t size = strlen(name) + 32;
        if (!value)
            continue;
        char *own = malloc(size);
        if (!own)
            return cli_no_memory();
        snprintf(own, size, "%s%s.%s", name, outstanding ? ".outstanding" : "", figure->member);
        struct diff_item item = { .name = own, .own = own, .state = state, .metric = true };
        item.measured = diff_number(f, value, &item.number);
        if (!item.measured)
            item.state = "unmeasured";
        const int code = diff_add(f, r, &item);
        if (code)
            return code;
    }
    return CLI_OK;
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
