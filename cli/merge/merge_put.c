/* SPDX-License-Identifier: MIT */
/* The sum as a report of the verb, along the same fields. */
#include "merge/merge.h"

#include <string.h>

#include "stat/stat_machine_graph.h"
#include "text/warnings.h"

struct rep_cell merge_cell(const struct merge_report *r, struct rep_tree *n)
{
    return tree_cell(n, r->kind != MERGE_STAT); /* numbers as the verb has them */
}

/* A column of CSV alone: of expectations what their cycles are; "period_p99" is in "period". */
static struct rep_cell column_cell(const struct merge_report *r, const struct rep_tree *object,
                                   struct rep_tree *node)
{
    const char *name = node->field->name, *end = strrchr(name, '_');
    char owner[32];

    if (node->what != TREE_ABSENT)
        return merge_cell(r, node);
    if (strcmp(object->field->name, "expectations") == 0) {
        struct rep_tree *cycles = tree_member(merge_clock(r, object), name);
        return cycles ? merge_cell(r, cycles) : rep_absent();
    }
    if (!end)
        return rep_absent();
    snprintf(owner, sizeof owner, "%.*s", (int)(end - name), name);
    const struct rep_tree *of = tree_value(object, owner, TREE_OBJECT);
    struct rep_tree *value = of ? tree_member(of, end + 1) : NULL;
    return value ? merge_cell(r, value) : rep_absent();
}

static void find_cells(const struct merge_report *r, struct rep_tree *object,
                       struct rep_cell cell[REP_FIELDS])
{
    for (size_t i = 0; i < object->children && i < REP_FIELDS; i++) {
        struct rep_tree *node = &object->child[i];
        cell[i] =
            node->field->flags & REP_NO_JSON ? column_cell(r, object, node) : merge_cell(r, node);
    }
}

static void put_members(struct rep *rep, struct merge_report *r, struct rep_tree *object);

static void put_item(struct rep *rep, struct merge_report *r, unsigned field, struct rep_tree *item)
{
    struct rep_cell cell[REP_FIELDS];

    if (item->what != TREE_OBJECT) {
        if (item->key)
            rep_named(rep, field, item->key, merge_cell(r, item));
        else
            rep_item(rep, field, merge_cell(r, item));
        return;
    }
    find_cells(r, item, cell);
    const struct rep_cells cells = { cell, item->children };
    if (item->key)
        rep_begin_named(rep, field, item->key, cells);
    else
        rep_begin(rep, field, cells);
    put_members(rep, r, item);
    rep_end(rep);
}

/* Warnings of the sum itself; one that is merged again may have said so before. */
static void put_warnings(struct rep *rep, unsigned field, const struct rep_tree *before)
{
    const char *text;

    for (size_t i = 0; (text = cli_warning_at(i)) != NULL; i++) {
        bool said = false;
        for (size_t k = 0; k < before->children; k++)
            said = said || strcmp(before->child[k].text, text) == 0;
        if (!said)
            rep_item(rep, field, rep_text(text));
    }
}

static void put_members(struct rep *rep, struct merge_report *r, struct rep_tree *object)
{
    for (unsigned i = 0; i < object->children; i++) {
        struct rep_tree *node = &object->child[i];
        if (object == &r->root && node->field->flags & REP_ROW && node->field->flags & REP_NO_JSON)
            merge_put_rows(rep, r, i);
        if (node->what == TREE_OBJECT)
            put_item(rep, r, i, node);
        for (size_t k = 0;
             (node->what == TREE_LIST || node->what == TREE_MAP) && k < node->children; k++)
            put_item(rep, r, i, &node->child[k]);
        if (object != &r->root || strcmp(node->field->name, "warnings") != 0)
            continue;
        if (r->kind == MERGE_STAT)
            rep_draw(rep, stat_graph_of_report, &r->root);
        put_warnings(rep, i, node);
    }
}

void merge_put(struct rep *rep, struct merge_report *r)
{
    struct rep_cell cell[REP_FIELDS];

    find_cells(r, &r->root, cell);
    rep_root(rep, (struct rep_cells){ cell, r->root.children });
    put_members(rep, r, &r->root);
}
