/* SPDX-License-Identifier: MIT */
/* See report_tree.h. */
#include "report/report_tree.h"

#include <stdlib.h>
#include <string.h>

#include "report/report_writer.h"
#include "text/ten.h"
#include "wave/event_list.h"

void tree_free(struct rep_tree *node)
{
    for (size_t i = 0; i < node->children; i++)
        tree_free(&node->child[i]);
    free(node->child); /* or its text */
    free(node->key);
    *node = (struct rep_tree){ .field = node->field };
}

struct rep_tree *tree_member(const struct rep_tree *object, const char *name)
{
    for (size_t i = 0; object->what == TREE_OBJECT && i < object->children; i++)
        if (strcmp(object->child[i].field->name, name) == 0 &&
            !(object->child[i].field->flags & REP_NO_JSON))
            return &object->child[i];
    return NULL;
}

struct rep_tree *tree_value(const struct rep_tree *object, const char *name, enum tree_what what)
{
    struct rep_tree *node = tree_member(object, name);

    return node && node->what == what ? node : NULL;
}

const char *tree_text(const struct rep_tree *object, const char *name)
{
    const struct rep_tree *node = tree_value(object, name, TREE_TEXT);

    return node ? node->text : "";
}

tree_int tree_count(const struct rep_tree *object, const char *name)
{
    const struct rep_tree *node = tree_value(object, name, TREE_INT);

    return node ? node->n : 0;
}

struct rep_tree *tree_more(struct rep_tree *list)
{
    void *array = list->child;
    struct rep_tree *item =
        cli_one_more(&array, &list->capacity, &list->children, sizeof *list->child);

    list->child = array;
    if (!item)
        (void)!cli_no_memory();
    return item;
}

void tree_drop(struct rep_tree *list, size_t i)
{
    tree_free(&list->child[i]);
    list->children--;
    memmove(&list->child[i], &list->child[i + 1], (list->children - i) * sizeof *list->child);
}

struct rep_tree *tree_at(const struct rep_tree *object, const char *path)
{
    const char *dot = strchr(path, '.');
    char name[32];

    if (!dot)
        return tree_member(object, path);
    snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
    object = tree_value(object, name, TREE_OBJECT);
    return object ? tree_at(object, dot + 1) : NULL;
}

double tree_real(const struct rep_tree *object, const char *name)
{
    const struct rep_tree *node = tree_member(object, name);

    return !node                     ? 0
           : node->what == TREE_REAL ? node->real
           : node->what == TREE_INT  ? (double)node->n
                                     : 0;
}

bool tree_is(const struct rep_tree *object, const char *name)
{
    const struct rep_tree *node = tree_value(object, name, TREE_BOOL);

    return node && node->n;
}

struct rep_tree *tree_item(const struct rep_tree *object, const char *name, size_t i)
{
    struct rep_tree *list = tree_member(object, name);

    return list && (list->what == TREE_LIST || list->what == TREE_MAP) && i < list->children
               ? &list->child[i]
               : NULL;
}

bool tree_digits(const char *text, tree_int *out)
{
    const bool minus = text[0] == '-';

    *out = 0;
    for (const char *p = text + minus; *p; p++) {
        const int digit = minus ? '0' - *p : *p - '0';
        if (*p < '0' || *p > '9' || __builtin_mul_overflow(*out, 10, out) ||
            __builtin_add_overflow(*out, digit, out))
            return false;
    }
    return text[minus] != '\0';
}

struct pc_wide tree_wide(tree_int n)
{
    return (struct pc_wide){ .low = (uint64_t)n, .high = (int64_t)(n >> 64) };
}

/* --- figures --- */

static struct pc_wide wide_of(const struct rep_tree *object, const char *name)
{
    return tree_wide(tree_count(object, name));
}

void tree_dist_figures(const struct rep_tree *object, struct pc_dist_figures *out)
{
    const struct rep_tree *mean, *median;

    *out = (struct pc_dist_figures){ .complete = true };
    if (!object || object->what != TREE_OBJECT)
        return;
    mean = tree_value(object, "mean", TREE_REAL);
    median = tree_member(object, "p50");
    out->count = (uint64_t)tree_count(object, "count");
    out->complete = out->count == 0 || (median && median->what == TREE_INT);
    out->sum = wide_of(object, "sum");
    out->min = wide_of(object, "min");
    out->max = wide_of(object, "max");
    for (unsigned r = 0; r < PC_RANKS; r++)
        out->rank[r] = wide_of(object, pc_rank_name(r));
    out->mean = mean ? mean->real : 0;
}

struct pc_wave_info tree_time_info(const struct rep_tree *root)
{
    struct pc_wave_info info = { .timescale_factor = 0 };
    const char *text = tree_text(root, "timescale");
    char *end;
    const uint64_t factor = strtoull(text, &end, 10);
    int exponent;

    if (end != text && pc_time_unit_find(end, strlen(end), &exponent)) {
        info.timescale_factor = factor;
        info.timescale_exponent = exponent;
    }
    return info;
}

double tree_time_unit(const struct rep_tree *root)
{
    const struct pc_wave_info info = tree_time_info(root);
    const tree_int rate = tree_count(root, "sample_rate");

    if (info.timescale_factor > 0)
        return cli_times_ten_to((double)info.timescale_factor, info.timescale_exponent);
    return rate > 0 ? 1 / (double)rate : 0;
}

/* --- what a verb keeps --- */

struct rep_keep {
    struct rep_tree root, *at[REP_DEPTH]; /* nodes that are open */
    unsigned but;                         /* the member that is not kept */
    bool failed;
};

int rep_keep(struct rep *r, unsigned but)
{
    r->keep = calloc(1, sizeof *r->keep);
    if (!r->keep)
        return cli_no_memory();
    r->keep->but = but;
    return CLI_OK;
}

static bool set_text(struct rep_tree *node, const char *text)
{
    node->text = cli_copy(text, strlen(text));
    node->what = node->text ? TREE_TEXT : TREE_ABSENT;
    return node->text;
}

/* Takes over the value of a cell. */
static bool take(struct rep_tree *node, const struct rep_cell *cell)
{
    char text[24];

    switch (cell->what) {
    case REP_IS_NULL:
        node->what = TREE_NULL;
        return true;
    case REP_IS_TEXT:
        return set_text(node, cell->as.text);
    case REP_IS_HEX:
        snprintf(text, sizeof text, "0x%0*llx", cell->digits, (unsigned long long)cell->as.count);
        return set_text(node, text);
    case REP_IS_BOOL:
    case REP_IS_COUNT:
    case REP_IS_MINUS:
        node->what = cell->what == REP_IS_BOOL ? TREE_BOOL : TREE_INT;
        node->n = cell->what == REP_IS_MINUS ? -(tree_int)cell->as.count : cell->as.count;
        break;
    case REP_IS_NUMBER:
        node->what = TREE_REAL;
        node->real = cell->as.number;
        break;
    case REP_IS_FIXED:
        node->what = TREE_REAL;
        node->real = cli_times_ten_to((double)cell->as.count, -cell->digits);
        break;
    case REP_IS_WIDE:
        node->what = TREE_INT;
        node->n = *cell->as.wide;
        break;
    case REP_IS_DIGITS:
        node->what = TREE_INT;
        if (!tree_digits(cell->as.text, &node->n)) {
            node->what = TREE_REAL;
            node->real = strtod(cell->as.text, NULL);
        }
        break;
    case REP_IS_EMPTY:
        node->what = node->field->kind == REP_MAP ? TREE_MAP : TREE_LIST;
        break;
    default:
        break;
    }
    return true;
}

static bool make_object(struct rep_tree *node, const struct rep_field *members)
{
    size_t n = 0;

    while (members[n].name)
        n++;
    node->what = TREE_OBJECT;
    node->child = calloc(n + 1, sizeof *node->child);
    node->children = node->child ? n : 0;
    for (size_t i = 0; i < node->children; i++)
        node->child[i].field = &members[i];
    return node->child;
}

/* Adds an item to a list or a map of the object. */
static struct rep_tree *add_item(struct rep_tree *object, const struct rep_field *field,
                                 const char *name)
{
    struct rep_tree *list = tree_member(object, field->name);
    struct rep_tree *item = list ? tree_more(list) : NULL;

    if (!item)
        return NULL;
    list->what = field->kind == REP_MAP ? TREE_MAP : TREE_LIST;
    item->field = field->value ? field->value : field;
    item->key = name ? cli_copy(name, strlen(name)) : NULL;
    return !name || item->key ? item : NULL;
}

static bool is_kept(const struct rep *r, const struct rep_field *of)
{
    const unsigned depth = r->depth - 1;

    if (depth == 0)
        return true;
    return r->keep->at[depth - 1] && !(of->flags & REP_NO_JSON) &&
           !(depth == 1 && (unsigned)(of - r->def->field) == r->keep->but);
}

void tree_begin(struct rep *r)
{
    struct rep_keep *k = r->keep;
    const unsigned depth = r->depth - 1;
    const struct rep_node *node = &r->node[depth];
    const struct rep_field *of = node->of;

    if (k->failed)
        return;
    k->at[depth] = NULL;
    if (!is_kept(r, of))
        return;
    k->at[depth] = depth == 0               ? &k->root
                   : of->kind == REP_OBJECT ? tree_member(k->at[depth - 1], of->name)
                                            : add_item(k->at[depth - 1], of, node->name);
    k->failed = !k->at[depth] || !make_object(k->at[depth], node->field);
}

static void take_cells(struct rep_keep *k, const struct rep_node *node, struct rep_tree *at)
{
    for (size_t i = 0; at && i < at->children && !k->failed; i++)
        if (at->child[i].what == TREE_ABSENT && !(at->child[i].field->flags & REP_NO_JSON))
            k->failed = !take(&at->child[i], &node->cell[i]);
}

void tree_end(struct rep *r)
{
    if (!r->keep->failed)
        take_cells(r->keep, &r->node[r->depth - 1], r->keep->at[r->depth - 1]);
}

void tree_put_item(struct rep *r, const struct rep_field *field, const char *name,
                   const struct rep_cell *cell)
{
    struct rep_keep *k = r->keep;
    struct rep_tree *at = k->failed ? NULL : k->at[r->depth - 1], *item;

    if (!at || field->flags & REP_NO_JSON)
        return;
    item = add_item(at, field, name);
    k->failed = !item || !take(item, cell);
}

const struct rep_tree *rep_kept(struct rep *r)
{
    struct rep_keep *k = r->keep;

    if (!k || k->failed || !k->at[0])
        return NULL;
    if (r->depth > 0)
        take_cells(k, &r->node[0], &k->root);
    return k->failed ? NULL : &k->root;
}

void tree_forget(struct rep *r)
{
    if (r->keep)
        tree_free(&r->keep->root);
    free(r->keep);
    r->keep = NULL;
}
