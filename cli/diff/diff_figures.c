/* SPDX-License-Identifier: MIT */
/*
 * Figures of reports that are trees: measurements of stat, buses, nets, and how rows of record are
 * spread.  Each number is an item, named as expectations and CSV name it (rd.p99,
 * ddr.read.latency.p99, tb.clk.period.mean); its field says how it compares.  One object is in
 * memory at a time.
 */
#include "activity/activity.h"
#include "bus/bus_tree.h"
#include "diff/diff.h"
#include "diff/diff_jansson.h"
#include "record/record.h"
#include "stat/stat_figures.h"
#include "stat/stat_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The owner of figures. */
struct owner {
    const struct diff_file *f;
    struct diff_report *r;
    const char *name, *state;
    uint64_t cycles; /* of this bus; of a net its time */
};

/* --- one figure --- */

/* A count grows with the length of the run; a value does not. */
enum how { NOT, COUNTS, VALUE };

static enum how how_of(const struct rep_field *f)
{
    if (f->compares == REP_NOT)
        return NOT;
    switch (f->adds) {
    case REP_SUM:
        return f->kind == REP_COUNT ? COUNTS : VALUE;
    case REP_LEAST:
    case REP_GREATEST:
    case REP_FIRST:
    case REP_LAST:
    case REP_FOLLOWS:
        return VALUE;
    default:
        return NOT;
    }
}

/* Adds a figure; `own` ends with the report. */
static int add(const struct owner *o, char *own, const struct rep_tree *value)
{
    const enum how how = how_of(value->field);
    struct diff_item item = { .name = own,
                              .own = own,
                              .state = o->state,
                              .cycles = o->cycles,
                              .figure = true,
                              .metric = how == VALUE };

    if (!own)
        return cli_no_memory();
    item.measured = value->what == TREE_INT || value->what == TREE_REAL;
    item.number = value->what == TREE_REAL ? value->real : (double)value->n;
    item.count = how == COUNTS ? (uint64_t)value->n : 0;
    item.length = strcmp(value->field->name, "cycles") == 0 && o->r->kind != DIFF_STAT;
    if (!item.measured)
        item.state = "unmeasured";
    return diff_add(o->f, o->r, &item);
}

static int add_of_stat(void *ctx, const char *name, const char *unit, struct rep_tree *value)
{
    (void)unit;
    return how_of(value->field) == NOT ? CLI_OK : add(ctx, cli_copy(name, strlen(name)), value);
}

static int add_of_tree(void *ctx, const struct tree_figure *f)
{
    const struct owner *o = ctx;
    const size_t size = strlen(o->name) + strlen(f->part) + strlen(f->name) + 3;
    char *own;

    if (how_of(f->value->field) == NOT)
        return CLI_OK;
    own = malloc(size);
    if (own)
        snprintf(own, size, "%s%s%s.%s", o->name, f->part[0] ? "." : "", f->part, f->name);
    return add(o, own, f->value);
}

/* --- lists of objects --- */

/* Finds the members of items of a list of a report. */
static const struct rep_field *members_of(const struct rep_def *def, const char *list)
{
    const struct rep_field *f = def->field;

    while (strcmp(f->name, list) != 0 || f->flags & REP_NO_JSON)
        f++;
    return f->field;
}

typedef int item_fn(struct owner *o, struct rep_tree *item);

static int each_item(const struct diff_file *f, const json_t *report, const struct rep_def *def,
                     const char *list, struct diff_report *r, item_fn *fn)
{
    const json_t *array = f->jansson->object_get(report, list);
    const size_t n = f->jansson->array_size(array); /* 0, if it is none */
    const struct rep_field *members = members_of(def, list);
    const struct rep_field object = { .name = list, .kind = REP_OBJECT, .field = members };
    int code = CLI_OK;

    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        struct rep_tree item = { .field = &object };
        struct owner o = { .f = f, .r = r, .state = "exact" };
        code = diff_read_object(f, members, f->jansson->array_get(array, i), &item);
        o.name = tree_text(&item, "name");
        if (code == CLI_OK && !tree_value(&item, "name", TREE_TEXT))
            code = diff_fail(f, 1701, "an item of \"%s\" without a name", list);
        if (code == CLI_OK)
            code = fn(&o, &item);
        tree_free(&item);
    }
    return code;
}

/* --- stat, record --- */

/* Adds the figures of an item; samples of a value with an unknown bit are in none of its. */
static int add_measurement(struct owner *o, struct rep_tree *item)
{
    const bool of_value = tree_member(item, "delta");

    o->state = !of_value && stat_has_taint(item) ? "tainted" : "exact";
    return stat_each_figure(item, add_of_stat, o);
}

int diff_read_figures(const struct diff_file *f, const json_t *report, struct diff_report *r)
{
    static const char *const lists[] = { "values", "latencies", "states", "levels" };
    int code = CLI_OK;

    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && code == CLI_OK; i++)
        code = each_item(f, report, &stat_report_def, lists[i], r, add_measurement);
    return code;
}

static int add_spread(struct owner *o, struct rep_tree *item)
{
    const struct rep_tree *state = tree_value(item, "state", TREE_TEXT);

    for (size_t i = 0; state && diff_states[i]; i++)
        if (strcmp(diff_states[i], state->text) == 0)
            o->state = diff_states[i];
    return tree_each_figure(item, add_of_tree, o);
}

int diff_read_spreads(const struct diff_file *f, const json_t *report, struct diff_report *r)
{
    return each_item(f, report, &record_report, "distributions", r, add_spread);
}

/* --- buses --- */

static int add_bus(struct owner *o, struct rep_tree *bus)
{
    o->cycles = (uint64_t)tree_count(bus, "cycles"); /* without a clock it has no figures */
    return tree_each_figure(bus, add_of_tree, o);
}

int diff_read_buses(const struct diff_file *f, const json_t *report, struct diff_report *r)
{
    const int code = each_item(f, report, &bus_report, "buses", r, add_bus);

    if (code || r->items > 0)
        return code;
    return f->jansson->array_size(f->jansson->object_get(report, "buses")) == 0
               ? diff_fail(f, 1701, "a report without buses: nothing to compare")
               : diff_fail(f, 1701, "a report whose buses are not measured, as with --list");
}

/* --- activity --- */

const char *const diff_measured[DIFF_MEASURED] = { "when", "clock", "pulse", "debounce" };

/* Adds lengths of all of the report, and what it was measured by. */
static int add_totals(const struct diff_file *f, const json_t *report, struct diff_report *r)
{
    static const char *const lengths[] = { "duration", "when_time", "cycles" };
    const struct diff_jansson *j = f->jansson;
    int code = CLI_OK;

    for (size_t i = 0; i < DIFF_MEASURED; i++)
        r->measured[i] = diff_text(f, report, diff_measured[i]);
    for (size_t i = 0; i < 3 && code == CLI_OK; i++) {
        struct diff_item item = {
            .name = lengths[i], .state = "exact", .measured = true, .length = true
        };
        if (diff_count(f, j->object_get(report, lengths[i]), &item.count))
            code = diff_add(f, r, &item);
        else if (i == 0)
            return diff_fail(f, 1701, "a report of activity without a duration");
    }
    return code;
}

/* Finds whether there are several intervals, so that names have to say which. */
static bool has_intervals(const struct diff_file *f, const json_t *report)
{
    const struct diff_jansson *j = f->jansson;
    const json_t *nets = j->object_get(report, "nets");
    uint64_t first = 0, start = 0;

    for (size_t i = 0; i < j->array_size(nets) && start == first; i++) {
        (void)diff_count(f, j->object_get(j->array_get(nets, i), "start"), &start);
        first = i == 0 ? start : first;
    }
    return start != first;
}

static int add_net(struct owner *o, struct rep_tree *net)
{
    const tree_int start = tree_count(net, "start"), end = tree_count(net, "end");

    if (!tree_value(net, "start", TREE_INT) || !tree_value(net, "end", TREE_INT) || end < start)
        return diff_fail(o->f, 1701, "a net without name, start and end");
    o->cycles = (uint64_t)(end - start);
    return tree_each_figure(net, add_of_tree, o);
}

static int add_net_at(struct owner *o, struct rep_tree *net)
{
    const size_t size = strlen(o->name) + 32;
    char *own = malloc(size);
    int code;

    if (!own)
        return cli_no_memory();
    snprintf(own, size, "%s@%" PRIu64, o->name, (uint64_t)tree_count(net, "start"));
    o->name = own;
    code = add_net(o, net);
    free(own);
    return code;
}

int diff_read_activity(const struct diff_file *f, const json_t *report, struct diff_report *r)
{
    int code = add_totals(f, report, r);

    if (code == CLI_OK)
        code = each_item(f, report, &activity_report, "nets", r,
                         has_intervals(f, report) ? add_net_at : add_net);
    return code ? code : each_item(f, report, &activity_report, "events", r, add_net);
}
