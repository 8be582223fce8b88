/* SPDX-License-Identifier: MIT */
#include "stat_figures.h"

#include <string.h>

enum { NAME = 900 };

struct walk {
    stat_figure_fn *fn;
    void *ctx;
    int code;
};

bool stat_has_taint(const struct rep_tree *item)
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

bool stat_counts_samples(const char *figure)
{
    return strcmp(figure, "unknown") == 0 || strcmp(figure, "unknown_id") == 0 ||
           strcmp(figure, "samples") == 0;
}

static void tell(struct walk *w, const char *name, const char *unit, struct rep_tree *value)
{
    const char *own = value ? value->field->unit : NULL;

    if (w->code == CLI_OK && value && value->what != TREE_ABSENT)
        w->code = w->fn(w->ctx, name, own ? own : unit ? unit : "", value);
}

/* --- numbers --- */

static bool is_number(const struct rep_tree *n)
{
    return n->field->kind == REP_COUNT || n->field->kind == REP_INT || n->field->kind == REP_NUMBER;
}

/* Counts the different values of a distribution that lists them. */
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

/* Tells all numbers of an object: NAME.member. */
static void each_number(struct walk *w, const char *prefix, struct rep_tree *o)
{
    char name[NAME];

    for (size_t i = 0; i < o->children; i++) {
        struct rep_tree listed = o->child[i];
        if (!is_number(&o->child[i]) || o->child[i].field->flags & REP_NO_JSON)
            continue;
        snprintf(name, sizeof name, "%s.%s", prefix, o->child[i].field->name);
        tell(w, name, o->field->unit, count_listed(o, &listed) ? &listed : &o->child[i]);
    }
}

/* Tells those of --percentile: "rd.p99.9". */
static void each_percentile(struct walk *w, const char *own, const struct rep_tree *dist)
{
    struct rep_tree *rank;
    char name[NAME];

    for (size_t i = 0; (rank = tree_item(dist, "percentiles", i)) != NULL; i++) {
        snprintf(name, sizeof name, "%s.p%s", own, rank->key);
        tell(w, name, dist->field->unit, rank);
    }
}

/* --- state machines --- */

tree_int stat_leaves(const struct rep_tree *machine, const char *state)
{
    const struct rep_tree *move;
    tree_int all = 0;

    for (size_t i = 0; (move = tree_item(machine, "transitions", i)) != NULL; i++)
        if (strcmp(tree_text(move, "from"), state) == 0)
            all += tree_count(move, "count");
    return all;
}

static void tell_count(struct walk *w, const char *name, tree_int n)
{
    static const struct rep_field field = {
        .name = "count", .kind = REP_COUNT, .adds = REP_SUM, .unit = "count"
    };
    struct rep_tree value = { .field = &field, .what = TREE_INT, .n = n };

    tell(w, name, NULL, &value);
}

static void each_state(struct walk *w, const struct rep_tree *machine, const struct rep_tree *state)
{
    static const char *const paths[] = { "visits",   "cycles",    "share",   "",
                                         "stay.min", "stay.mean", "stay.max" };
    const char *own = tree_text(machine, "name"), *called = tree_text(state, "state");
    char name[NAME];

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        snprintf(name, sizeof name, "%.500s.%.200s.%s", own, called,
                 paths[i][0] ? paths[i] : "transitions");
        if (paths[i][0])
            tell(w, name, "cycles", tree_at(state, paths[i]));
        else
            tell_count(w, name, stat_leaves(machine, called));
    }
}

static void each_of_machine(struct walk *w, const struct rep_tree *machine)
{
    const char *own = tree_text(machine, "name");
    const struct rep_tree *item;
    char name[NAME];
    tree_int all = 0, states = 0;

    for (size_t i = 0; (item = tree_item(machine, "transitions", i)) != NULL; i++)
        all += tree_count(item, "count");
    while (tree_item(machine, "states", (size_t)states))
        states++;
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = { "samples", "unknown", "transitions", "states" };
        snprintf(name, sizeof name, "%.500s.%s", own, names[i]);
        if (i < 2)
            tell(w, name, NULL, tree_member(machine, names[i]));
        else
            tell_count(w, name, i == 2 ? all : states);
    }
    for (size_t i = 0; (item = tree_item(machine, "states", i)) != NULL; i++)
        each_state(w, machine, item);
    for (size_t i = 0; (item = tree_item(machine, "never_entered", i)) != NULL; i++) {
        snprintf(name, sizeof name, "%.500s.%.200s.visits", own, item->text);
        tell_count(w, name, 0);
    }
    for (size_t i = 0; (item = tree_item(machine, "transitions", i)) != NULL; i++) {
        snprintf(name, sizeof name, "%.300s.%.200s.%.200s.transitions", own,
                 tree_text(item, "from"), tree_text(item, "to"));
        tell_count(w, name, tree_count(item, "count"));
    }
}

int stat_each_figure(struct rep_tree *item, stat_figure_fn *fn, void *ctx)
{
    struct walk w = { .fn = fn, .ctx = ctx };
    const char *own = tree_text(item, "name");
    struct rep_tree *latency = tree_value(item, "latency", TREE_OBJECT),
                    *outstanding = tree_value(item, "outstanding", TREE_OBJECT);
    char name[NAME];

    if (tree_member(item, "transitions")) {
        each_of_machine(&w, item);
        return w.code;
    }
    each_number(&w, own, item);
    if (latency)
        each_number(&w, own, latency);
    snprintf(name, sizeof name, "%.600s.outstanding", own);
    if (outstanding)
        each_number(&w, name, outstanding);
    each_percentile(&w, own, latency ? latency : item);
    return w.code;
}
