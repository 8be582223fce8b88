/* SPDX-License-Identifier: MIT */
/* Every figure by its name: for rows of CSV, and for formulas. */
#include "bus/bus_rows.h"
#include "merge/merge.h"

#include <string.h>

/* --- figures --- */

enum { NAME = 700 };

struct walk {
    const struct merge_report *r;
    merge_figure_fn *tell;
    void *ctx;
    const struct rep_tree *item;
    const char *part;
    int code;
};

static void tell(struct walk *w, const char *name, const char *figure, struct rep_tree *value)
{
    const struct merge_figure f = {
        .item = w->item, .value = value, .name = name, .part = w->part, .figure = figure
    };

    if (w->code == CLI_OK && value && value->what != TREE_ABSENT)
        w->code = w->tell(w->ctx, &f);
}

static bool is_number(const struct rep_tree *n)
{
    return n->field->kind == REP_COUNT || n->field->kind == REP_INT || n->field->kind == REP_NUMBER;
}

/* How many different values a distribution has that lists them. */
static bool count_listed(const struct rep_tree *o, struct rep_tree *distinct)
{
    const struct rep_tree *hist = tree_member(o, "hist");

    if (strcmp(distinct->field->name, "distinct") != 0 || distinct->what != TREE_ABSENT || !hist)
        return false;
    *distinct = (struct rep_tree){ .field = distinct->field,
                                   .what = TREE_INT,
                                   .n = (tree_int)hist->children };
    return true;
}

/* All numbers of an object: NAME.member. */
static void each_number(struct walk *w, const char *prefix, size_t skip, struct rep_tree *o)
{
    char name[NAME];

    for (size_t i = 0; i < o->children; i++) {
        struct rep_tree listed = o->child[i];
        if (!is_number(&o->child[i]) || o->child[i].field->flags & REP_NO_JSON)
            continue;
        snprintf(name, sizeof name, "%s.%s", prefix, o->child[i].field->name);
        tell(w, name, strlen(name) > skip ? name + skip : "",
             count_listed(o, &listed) ? &listed : &o->child[i]);
    }
}

/* --- stat --- */

static void tell_state(void *ctx, const char *name, struct rep_tree *value)
{
    tell(ctx, name, "", value);
}

static void each_of_stat(struct walk *w, const char *list)
{
    const struct rep_tree *items = tree_value(&w->r->root, list, TREE_LIST);
    char name[NAME];

    for (size_t i = 0; items && i < items->children; i++) {
        struct rep_tree *item = &items->child[i], *of;
        const char *own = tree_text(item, "name");
        w->item = item;
        w->part = list;
        if (strcmp(list, "events") == 0) {
            tell(w, own, own, tree_member(item, "value"));
            continue;
        }
        if (strcmp(list, "states") == 0) {
            merge_each_state(item, tell_state, w);
            continue;
        }
        each_number(w, own, 0, item);
        if ((of = tree_value(item, "latency", TREE_OBJECT)))
            each_number(w, own, 0, of);
        snprintf(name, sizeof name, "%.600s.outstanding", own);
        if ((of = tree_value(item, "outstanding", TREE_OBJECT)))
            each_number(w, name, 0, of);
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
    tell(w, name, f->name, f->value);
    return w->code;
}

/* --- activity --- */

static void each_of_activity(struct walk *w, const char *list)
{
    static const char *const dists[] = { "period", "high", "low" };
    const struct rep_tree *items = tree_value(&w->r->root, list, TREE_LIST);
    char name[NAME];

    for (size_t i = 0; items && i < items->children; i++) {
        struct rep_tree *item = &items->child[i];
        const char *own = tree_text(item, "name");
        w->item = item;
        w->part = list;
        each_number(w, own, 0, item);
        snprintf(name, sizeof name, "%.600s.toggles", own); /* as expectations call them */
        if (tree_value(item, "TC", TREE_INT))
            tell(w, name, "toggles", tree_member(item, "TC"));
        for (unsigned d = 0; d < 3; d++) {
            struct rep_tree *of = tree_value(item, dists[d], TREE_OBJECT);
            snprintf(name, sizeof name, "%.600s.%s", own, dists[d]);
            if (of)
                each_number(w, name, 0, of);
        }
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

bool merge_is_tainted(const struct rep_tree *item)
{
    const struct rep_tree *tainted = tree_value(item, "tainted", TREE_OBJECT);

    if (tree_member(item, "vector"))
        return tree_count(item, "unknown") > 0;
    if (tree_member(item, "capacity"))
        return tree_count(item, "tainted") > 0;
    return tainted && tree_count(tainted, "start") + tree_count(tainted, "end") +
                              tree_count(item, "unknown_id") >
                          0;
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
    char text[900];
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

static const char *unit_of(const struct merge_figure *f)
{
    static const char *const counts[] = { "count",      "unknown",     "distinct", "started",
                                          "completed",  "aborted",     "orphans",  "unfinished",
                                          "unknown_id", "value",       "samples",  "states",
                                          "visits",     "transitions", NULL };
    const char *name = f->value->field->name;

    if (strcmp(name, "throughput") == 0)
        return "count/cycle";
    for (size_t i = 0; counts[i]; i++)
        if (strcmp(counts[i], name) == 0)
            return "count";
    if (strcmp(name, "share") == 0 || strcmp(name, "full") == 0)
        return "ratio";
    if (strcmp(f->part, "states") == 0 || strcmp(name, "full_cycles") == 0)
        return "cycles";
    return strcmp(f->part, "latencies") != 0  ? ""
           : strstr(f->name, ".outstanding.") ? "count"
                                              : "cycles";
}

/* As it was given, but for the blanks. */
static struct rep_cell expression_of(struct row *row, const struct rep_tree *item)
{
    const struct rep_tree *by = tree_value(item, "by", TREE_LIST);
    size_t n;

    if (!tree_member(item, "end"))
        return member_cell(row, item,
                           tree_member(item, "vector")  ? "vector"
                           : tree_member(item, "level") ? "level"
                                                        : "expression");
    n = (size_t)snprintf(row->text, sizeof row->text, "%.300s -> %.300s", tree_text(item, "start"),
                         tree_text(item, "end"));
    for (size_t i = 0; by && i < by->children && n < sizeof row->text; i++)
        n += (size_t)snprintf(row->text + n, sizeof row->text - n, "%s%.200s", i ? ", " : " by ",
                              by->child[i].text);
    return rep_text(row->text);
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
    if (strcmp(f->part, "clocks") == 0 || strcmp(value.field->name, "cycle_seconds") == 0 ||
        strcmp(value.field->name, "capacity") == 0 || is_taint(f))
        return CLI_OK;
    set(row, "name", rep_text(f->name));
    set(row, "value", value.what == TREE_NULL ? rep_absent() : merge_cell(row->r, &value));
    set(row, "state",
        event ? member_cell(row, f->item, "state")
              : rep_text(merge_is_tainted(f->item) ? "tainted" : "exact"));
    if (value.what == TREE_NULL)
        set(row, "state", rep_text("unmeasured"));
    if (event) {
        set(row, "pass", member_cell(row, f->item, "pass"));
        set(row, "domain", member_cell(row, f->item, "domain"));
    }
    set(row, "expression", expression_of(row, f->item));
    set(row, "unit", rep_text(unit_of(f)));
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
