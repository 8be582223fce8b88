/* SPDX-License-Identifier: MIT */
/*
 * State machines of stat: visits, cycles and transitions add up, the shortest and the longest stay
 * are those of all, and shares and means follow.  A report need not have the states of the other
 * one.  A stay that is cut by the end of a report is one in each of the two.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

bool merge_is_open(const struct rep_tree *list)
{
    const struct rep_field *f = list->field->field;
    bool visits = false, to = false, vector = false;

    for (; f && f->name; f++) {
        visits |= strcmp(f->name, "visits") == 0;
        to |= strcmp(f->name, "to") == 0;
        vector |= strcmp(f->name, "vector") == 0;
    }
    return (visits || to) && !vector;
}

struct rep_tree *merge_find_open(const struct rep_tree *list, const struct rep_tree *item)
{
    static const char *const keys[] = { "state", "from", "to" };

    for (size_t i = 0; i < list->children; i++) {
        bool same = true;
        for (size_t k = 0; k < 3 && same; k++)
            same = strcmp(tree_text(&list->child[i], keys[k]), tree_text(item, keys[k])) == 0;
        if (same)
            return &list->child[i];
    }
    return NULL;
}

static bool has_text(const struct rep_tree *list, const char *text)
{
    for (size_t i = 0; i < list->children; i++)
        if (strcmp(list->child[i].text, text) == 0)
            return true;
    return false;
}

static void drop(struct rep_tree *list, size_t i)
{
    tree_free(&list->child[i]);
    list->children--;
    memmove(&list->child[i], &list->child[i + 1], (list->children - i) * sizeof *list->child);
}

bool merge_is_never(const struct rep_tree *list)
{
    return strcmp(list->field->name, "never_entered") == 0 ||
           strcmp(list->field->name, "never_left") == 0;
}

/* Never entered: in neither; never left: in one of them, and merge_finish() looks at the other. */
int merge_add_never(struct rep_tree *into, struct rep_tree *from)
{
    const bool both = strcmp(into->field->name, "never_entered") == 0;

    for (size_t i = into->children; i > 0 && both; i--)
        if (!has_text(from, into->child[i - 1].text))
            drop(into, i - 1);
    for (size_t i = 0; i < from->children && !both; i++) {
        if (has_text(into, from->child[i].text))
            continue;
        struct rep_tree *item = tree_more(into);
        if (!item)
            return CLI_LIMIT;
        *item = from->child[i];
        from->child[i] = (struct rep_tree){ .field = item->field };
    }
    return CLI_OK;
}

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
            drop(left, i - 1);
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
