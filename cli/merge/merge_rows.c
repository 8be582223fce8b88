/* SPDX-License-Identifier: MIT */
/* Every figure by its name: for rows of CSV, and for formulas. */
#include "bus/bus_rows.h"
#include "merge/merge.h"
#include "stat/stat_figures.h"

#include <string.h>

/* --- figures --- */

enum { NAME = 900 };

struct walk {
    const struct merge_report *r;
    merge_figure_fn *tell;
    void *ctx;
    const struct rep_tree *item;
    const char *part, *unit;
    int code;
};

static void tell(struct walk *w, const char *name, struct rep_tree *value)
{
    const struct merge_figure f = {
        .item = w->item, .value = value, .name = name, .part = w->part, .unit = w->unit
    };

    if (w->code == CLI_OK && value && value->what != TREE_ABSENT)
        w->code = w->tell(w->ctx, &f);
}

/* --- stat --- */

static int tell_stat(void *ctx, const char *name, const char *unit, struct rep_tree *value)
{
    struct walk *w = ctx;

    w->unit = unit;
    tell(w, name, value);
    return w->code;
}

static void each_of_stat(struct walk *w, const char *list)
{
    const struct rep_tree *items = tree_value(&w->r->root, list, TREE_LIST);

    for (size_t i = 0; items && i < items->children && w->code == CLI_OK; i++) {
        w->item = &items->child[i];
        w->part = list;
        w->unit = "count";
        if (strcmp(list, "events") == 0)
            tell(w, tree_text(w->item, "name"), tree_member(w->item, "value"));
        else
            w->code = stat_each_figure(&items->child[i], tell_stat, w);
    }
}

/* --- buses --- */

static int tell_bus(void *ctx, const struct tree_figure *f)
{
    struct walk *w = ctx;
    char name[NAME];

    w->part = f->part;
    snprintf(name, sizeof name, "%.400s%s%s.%s", tree_text(w->item, "name"), f->part[0] ? "." : "",
             f->part, f->name);
    tell(w, name, f->value);
    return w->code;
}

/* --- activity --- */

static void each_of_activity(struct walk *w, const char *list)
{
    const struct rep_tree *items = tree_value(&w->r->root, list, TREE_LIST);
    char name[NAME];

    for (size_t i = 0; items && i < items->children && w->code == CLI_OK; i++) {
        w->item = &items->child[i];
        w->code = tree_each_figure(&items->child[i], tell_bus, w);
        snprintf(name, sizeof name, "%.600s.toggles",
                 tree_text(w->item, "name")); /* as expectations call them */
        if (tree_value(w->item, "TC", TREE_INT))
            tell(w, name, tree_member(w->item, "TC"));
    }
}

int merge_each_figure(const struct merge_report *r, merge_figure_fn *fn, void *ctx)
{
    const struct rep_tree *buses = tree_value(&r->root, "buses", TREE_LIST);
    struct walk w = { .r = r, .tell = fn, .ctx = ctx };

    for (size_t i = 0; buses && i < buses->children && w.code == CLI_OK; i++) {
        w.item = &buses->child[i];
        w.code = tree_each_figure(&buses->child[i], tell_bus, &w);
    }
    if (r->kind == MERGE_STAT) {
        each_of_stat(&w, "events");
        each_of_stat(&w, "values");
        each_of_stat(&w, "latencies");
        each_of_stat(&w, "states");
        each_of_stat(&w, "levels");
        each_of_stat(&w, "clocks");
    }
    if (r->kind == MERGE_ACTIVITY) {
        each_of_activity(&w, "nets");
        each_of_activity(&w, "events");
    }
    return w.code;
}

/* --- rows --- */

/* A row of columns by their names. */
struct row {
    const struct merge_report *r;
    struct rep *rep;
    unsigned list;
    const struct rep_field *column;
    struct rep_cell cell[REP_FIELDS];
    bool metrics; /* they are out */
};

static void set(struct row *row, const char *column, struct rep_cell cell)
{
    for (size_t i = 0; row->column[i].name; i++)
        if (strcmp(row->column[i].name, column) == 0)
            row->cell[i] = cell;
}

static void put(struct row *row)
{
    rep_row(row->rep, row->list, (struct rep_cells){ row->cell, REP_FIELDS });
    memset(row->cell, 0, sizeof row->cell);
}

static struct rep_cell member_cell(const struct row *row, const struct rep_tree *item,
                                   const char *name)
{
    struct rep_tree *node = tree_member(item, name);

    return node ? merge_cell(row->r, node) : rep_absent();
}

static void put_of_stat(struct row *row, const char *kind, const char *slot,
                        const struct rep_tree *item)
{
    const struct rep_tree *clock = merge_clock(row->r, item);

    set(row, "kind", rep_text(kind));
    set(row, "slot", rep_text(slot));
    set(row, "cycles", member_cell(row, clock, "cycles"));
    set(row, "first_cycle", member_cell(row, clock, "first_cycle"));
    if (merge_clocks(row->r))
        set(row, "clock_name", member_cell(row, clock, "name"));
    put(row);
}

/* After the events. */
static void put_metrics(struct row *row)
{
    const struct rep_tree *metrics = tree_value(&row->r->root, "metrics", TREE_LIST);

    for (size_t i = 0; metrics && i < metrics->children && !row->metrics; i++) {
        const struct rep_tree *item = &metrics->child[i];
        set(row, "name", member_cell(row, item, "name"));
        set(row, "value", member_cell(row, item, "value"));
        set(row, "state", member_cell(row, item, "state"));
        set(row, "expression", member_cell(row, item, "formula"));
        set(row, "unit", member_cell(row, item, "unit"));
        put_of_stat(row, "metric", "METRIC", item);
    }
    row->metrics = true;
}

/* The verb has no row for how often unknown values decide what a level is. */
static bool is_taint(const struct merge_figure *f)
{
    return strcmp(f->part, "levels") == 0 && strcmp(f->value->field->name, "tainted") == 0;
}

static int put_figure(void *ctx, const struct merge_figure *f)
{
    struct row *row = ctx;
    const bool event = strcmp(f->part, "events") == 0;
    struct rep_tree value = *f->value;

    if (!event)
        put_metrics(row);
    if (strcmp(f->part, "clocks") == 0 || value.field->adds == REP_SAME ||
        value.field->adds == REP_SAME_OR_NULL || is_taint(f))
        return CLI_OK;
    set(row, "name", rep_text(f->name));
    set(row, "value", value.what == TREE_NULL ? rep_absent() : merge_cell(row->r, &value));
    set(row, "state",
        event ? member_cell(row, f->item, "state")
              : rep_text(stat_has_taint(f->item) && !stat_counts_samples(f->value->field->name)
                             ? "tainted"
                             : "exact"));
    if (value.what == TREE_NULL)
        set(row, "state", rep_text("unmeasured"));
    if (event) {
        set(row, "pass", member_cell(row, f->item, "pass"));
        set(row, "domain", member_cell(row, f->item, "domain"));
    }
    set(row, "expression",
        member_cell(row, f->item,
                    tree_member(f->item, "vector")  ? "vector"
                    : tree_member(f->item, "level") ? "level"
                                                    : "expression"));
    set(row, "unit", rep_text(f->unit));
    put_of_stat(row,
                event                            ? "event"
                : strcmp(f->part, "values") == 0 ? "value"
                : strcmp(f->part, "states") == 0 ? "states"
                : strcmp(f->part, "levels") == 0 ? "level"
                                                 : "latency",
                event ? tree_text(f->item, "slot") : "", f->item);
    return CLI_OK;
}

static void put_stat(struct row *row)
{
    const struct rep_tree *clocks = merge_clocks(row->r);

    for (size_t i = 0; i < (clocks ? clocks->children : 1); i++) {
        const struct rep_tree *of = clocks ? &clocks->child[i] : &row->r->root;
        set(row, "name", rep_text("cycles"));
        set(row, "value", member_cell(row, of, "cycles"));
        set(row, "state", rep_text("exact"));
        set(row, "expression", rep_text("1"));
        set(row, "unit", rep_text("cycles"));
        put_of_stat(row, "cycles", "CYCLES", of);
    }
    merge_each_figure(row->r, put_figure, row);
    put_metrics(row);
}

void merge_put_rows(struct rep *rep, const struct merge_report *r, unsigned list)
{
    const struct rep_field *field = r->root.child[list].field;
    struct row row = { .r = r, .rep = rep, .list = list, .column = field->field };

    if (strcmp(field->name, "rows") == 0)
        put_stat(&row);
    else if (strcmp(field->name, "figures") == 0)
        bus_put_figures(rep, &r->root);
}
