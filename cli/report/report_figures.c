/* SPDX-License-Identifier: MIT */
/*
 * Figures of a tree: each number by the names on the way to it, "read.latency.p99".  Rows of CSV,
 * names in formulas, and what `diff` compares come of that.
 */
#include "report/report_percentile.h"
#include "report/report_tree.h"

#include <string.h>

struct walk {
    tree_figure_fn *tell;
    void *ctx;
    char part[64], path[TREE_PATH];
    size_t used;
    unsigned depth;
    int code;
};

static bool is_number(const struct rep_field *f)
{
    return f->kind == REP_COUNT || f->kind == REP_INT || f->kind == REP_NUMBER;
}

static void add_name(struct walk *w, const char *name)
{
    if (w->used < TREE_PATH)
        w->used += (size_t)snprintf(w->path + w->used, TREE_PATH - w->used, "%s%s",
                                    w->used ? "." : "", name);
}

static void tell(struct walk *w, struct rep_tree *node, const char *name)
{
    const size_t used = w->used;

    add_name(w, name);
    const struct tree_figure f = { .part = w->part, .name = w->path, .value = node };
    w->code = w->tell(w->ctx, &f);
    w->used = used;
    w->path[used] = '\0';
}

/* Tells those percentiles of --percentile that have no row anyway: "latency.p99.9". */
static void tell_percentiles(struct walk *w, struct rep_tree *map)
{
    char name[16];

    for (size_t i = 0; i < map->children && w->code == CLI_OK; i++) {
        snprintf(name, sizeof name, "p%.14s", map->child[i].key);
        if (!rep_is_rank(name))
            tell(w, &map->child[i], name);
    }
}

static void walk(struct walk *w, struct rep_tree *object);

/* Visits what is in an object, or an item of a map: the first name on the way is the part. */
static void enter(struct walk *w, struct rep_tree *object, const char *name)
{
    const bool first = w->depth == 0, bare = object->field->flags & REP_BARE && !object->key;
    const size_t used = w->used;

    if (first)
        snprintf(w->part, sizeof w->part, "%.60s", bare ? "" : name);
    else if (!bare)
        add_name(w, name);
    w->depth++;
    walk(w, object);
    w->depth--;
    w->used = used;
    w->path[used] = '\0';
    if (first)
        w->part[0] = '\0';
}

static void walk(struct walk *w, struct rep_tree *object)
{
    for (size_t i = 0; i < object->children && w->code == CLI_OK; i++) {
        struct rep_tree *node = &object->child[i];
        const struct rep_field *f = node->field;
        if (f->flags & (REP_NO_JSON | REP_NO_CSV) || node->what == TREE_ABSENT)
            continue;
        if (is_number(f))
            tell(w, node, f->name);
        else if (node->what == TREE_OBJECT)
            enter(w, node, f->name);
        if (rep_has_percentiles(node) && strcmp(f->name, "percentiles") == 0)
            tell_percentiles(w, node);
        for (size_t k = 0; node->what == TREE_MAP && f->field && k < node->children; k++)
            enter(w, &node->child[k], node->child[k].key);
    }
}

int tree_each_figure(struct rep_tree *object, tree_figure_fn *fn, void *ctx)
{
    struct walk w = { .tell = fn, .ctx = ctx };

    walk(&w, object);
    return w.code;
}

struct rep_cell tree_cell(struct rep_tree *n, bool exact)
{
    switch (n->what) {
    case TREE_NULL:
        return rep_null();
    case TREE_TEXT:
        return rep_text(n->text);
    case TREE_BOOL:
        return rep_bool(n->n != 0);
    case TREE_REAL:
        return exact ? rep_exact(n->real) : rep_number(n->real, 15);
    case TREE_INT:
        if (n->n >= 0 && n->n <= (tree_int)UINT64_MAX)
            return rep_count((uint64_t)n->n);
        return rep_wide(&n->n);
    case TREE_LIST:
    case TREE_MAP:
        return n->children == 0 ? rep_empty() : rep_absent();
    default:
        return rep_absent();
    }
}
