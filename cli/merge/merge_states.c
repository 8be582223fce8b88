/* SPDX-License-Identifier: MIT */
/*
 * State machines of stat: visits, cycles and transitions add up, the shortest and the longest stay
 * are those of all, and shares and means follow.  A report need not have the states of the other
 * one.  A stay that is cut by the end of a report is one in each of the two.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

static tree_int leaves(const struct rep_tree *machine, const char *state)
{
    const struct rep_tree *move;
    tree_int all = 0;

    for (size_t i = 0; (move = tree_item(machine, "transitions", i)) != NULL; i++)
        if (strcmp(tree_text(move, "from"), state) == 0)
            all += tree_count(move, "count");
    return all;
}

void merge_finish_states(struct rep_tree *machine)
{
    const double samples = (double)tree_count(machine, "samples");
    struct rep_tree *left = tree_value(machine, "never_left", TREE_LIST);
    const struct rep_tree *state;

    if (!tree_member(machine, "never_left"))
        return;
    for (size_t i = 0; (state = tree_item(machine, "states", i)) != NULL; i++) {
        const double cycles = (double)tree_count(state, "cycles"),
                     visits = (double)tree_count(state, "visits");
        merge_set_real(tree_member(state, "share"), samples > 0, cycles / samples);
        merge_set_real(tree_at(state, "stay.mean"), visits > 0, cycles / visits);
    }
    for (size_t i = left ? left->children : 0; i > 0; i--)
        if (leaves(machine, left->child[i - 1].text) > 0)
            tree_drop(left, i - 1);
}

/* --- figures --- */

enum { NAME = 900 };

static void tell_count(merge_state_fn *tell, void *ctx, const char *name, const char *figure,
                       tree_int n)
{
    const struct rep_field field = { .name = figure, .kind = REP_COUNT };
    struct rep_tree value = { .field = &field, .what = TREE_INT, .n = n };

    tell(ctx, name, &value);
}

static void each_state(const struct rep_tree *machine, const struct rep_tree *state,
                       merge_state_fn *tell, void *ctx)
{
    static const char *const paths[] = { "visits",   "cycles",    "share",   "",
                                         "stay.min", "stay.mean", "stay.max" };
    const char *own = tree_text(machine, "name"), *called = tree_text(state, "state");
    char name[NAME];

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        snprintf(name, sizeof name, "%.500s.%.200s.%s", own, called,
                 paths[i][0] ? paths[i] : "transitions");
        if (paths[i][0])
            tell(ctx, name, tree_at(state, paths[i]));
        else
            tell_count(tell, ctx, name, "transitions", leaves(machine, called));
    }
}

void merge_each_state(const struct rep_tree *machine, merge_state_fn *tell, void *ctx)
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
            tell(ctx, name, tree_member(machine, names[i]));
        else
            tell_count(tell, ctx, name, names[i], i == 2 ? all : states);
    }
    for (size_t i = 0; (item = tree_item(machine, "states", i)) != NULL; i++)
        each_state(machine, item, tell, ctx);
    for (size_t i = 0; (item = tree_item(machine, "never_entered", i)) != NULL; i++) {
        snprintf(name, sizeof name, "%.500s.%.200s.visits", own, item->text);
        tell_count(tell, ctx, name, "visits", 0);
    }
    for (size_t i = 0; (item = tree_item(machine, "transitions", i)) != NULL; i++) {
        snprintf(name, sizeof name, "%.300s.%.200s.%.200s.transitions", own,
                 tree_text(item, "from"), tree_text(item, "to"));
        tell_count(tell, ctx, name, "transitions", tree_count(item, "count"));
    }
}
