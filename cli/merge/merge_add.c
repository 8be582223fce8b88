/* SPDX-License-Identifier: MIT */
/*
 * A report onto another, member by member, each by the rule of its field: counts add up, and what
 * says of what they are counts has to be the same.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "text/chars.h"
#include "wave/event_list.h"

/* --- what is refused --- */

struct adding {
    struct merge_report *into, *from;
    const char *what, *name; /* "event", "hits": in which of them; or NULL */
};

static int PC_PRINTF(2, 3) refuse(const struct adding *a, const char *fmt, ...)
{
    char text[600];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return cli_error_at(1703, NULL, 0, NULL, "%s cannot be added to %s: %s%s%.100s%s%s",
                        cli_input_name(a->from->path), cli_input_name(a->into->from),
                        a->what ? a->what : "", a->what ? " " : "", a->name ? a->name : "",
                        a->what ? ": " : "", text);
}

static int too_large(const struct adding *a, const struct rep_tree *sum)
{
    return refuse(a, "the sum of %s has more than %d bits", sum->field->name,
                  sum->field->kind == REP_INT ? 127 : 64);
}

/* Writes a value as a message has it. */
static const char *shown(const struct rep_tree *node, char out[64])
{
    char digits[PC_WIDE_TEXT];

    switch (node->what) {
    case TREE_TEXT:
        snprintf(out, 64, "\"%.60s\"", node->text);
        break;
    case TREE_INT:
    case TREE_BOOL:
        pc_wide_text(tree_wide(node->n), digits);
        snprintf(out, 64, "\"%s\"", digits);
        break;
    case TREE_REAL:
        snprintf(out, 64, "\"%.15g\"", node->real);
        break;
    default:
        snprintf(out, 64, "null");
    }
    return out;
}

bool merge_is_same(const struct rep_tree *a, const struct rep_tree *b)
{
    if (a->what != b->what)
        return false;
    return a->what == TREE_TEXT   ? strcmp(a->text, b->text) == 0
           : a->what == TREE_REAL ? !(a->real < b->real) && !(a->real > b->real)
           : a->what == TREE_INT || a->what == TREE_BOOL ? a->n == b->n
                                                         : true;
}

static int must_be_same(const struct adding *a, const struct rep_tree *x, const struct rep_tree *y)
{
    const char *name = x->field->name;
    char is[64], was[64];

    if (merge_is_same(x, y))
        return CLI_OK;
    if (y->what == TREE_ABSENT)
        return refuse(a, "it has no %s, and the other has %s", name, shown(x, was));
    if (x->what == TREE_ABSENT)
        return refuse(a, "it has %s %s, and the other has none", name, shown(y, is));
    return refuse(a, "%s is %s, not %s", name, shown(y, is), shown(x, was));
}

/* --- values --- */

static const char separator[] = " + ";

static bool has_name(const char *names, const char *name, size_t size)
{
    for (const char *at = names; at; at = strstr(at, separator)) {
        at += at == names ? 0 : sizeof separator - 1;
        const char *end = strstr(at, separator);
        const size_t n = end ? (size_t)(end - at) : strlen(at);
        if (n == size && memcmp(at, name, n) == 0)
            return true;
        if (!end)
            return false;
    }
    return false;
}

/* "a.vcd + b.vcd": each once. */
static int add_names(struct rep_tree *into, const struct rep_tree *from)
{
    for (const char *at = from->text; at;) {
        const char *end = strstr(at, separator);
        const size_t n = end ? (size_t)(end - at) : strlen(at), size = strlen(into->text);
        if (!has_name(into->text, at, n)) {
            char *all = malloc(size + n + sizeof separator);
            if (!all)
                return cli_no_memory();
            snprintf(all, size + n + sizeof separator, "%s%s%.*s", into->text, separator, (int)n,
                     at);
            free(into->text);
            into->text = all;
        }
        at = end ? end + sizeof separator - 1 : NULL;
    }
    return CLI_OK;
}

/* Takes over what is in one of them alone. */
static void move(struct rep_tree *into, struct rep_tree *from)
{
    tree_free(into);
    *into = *from;
    *from = (struct rep_tree){ .field = into->field };
}

static int add_counts(const struct adding *a, struct rep_tree *into, const struct rep_tree *from)
{
    if (into->what == TREE_REAL && from->what == TREE_REAL) {
        into->real += from->real;
        return CLI_OK;
    }
    if (into->what != TREE_INT || from->what != TREE_INT) {
        into->what = TREE_NULL; /* not measured in one of them */
        return CLI_OK;
    }
    const bool wraps = __builtin_add_overflow(into->n, from->n, &into->n);
    if (wraps || (into->field->kind == REP_COUNT && into->n > (tree_int)UINT64_MAX))
        return too_large(a, into);
    return CLI_OK;
}

static int add_state(struct rep_tree *into, struct rep_tree *from)
{
    size_t worst[2] = { 0, 0 };

    for (size_t i = 0; diff_states[i]; i++) {
        worst[0] = strcmp(diff_states[i], into->text) == 0 ? i : worst[0];
        worst[1] = strcmp(diff_states[i], from->text) == 0 ? i : worst[1];
    }
    if (worst[1] > worst[0])
        move(into, from);
    return CLI_OK;
}

static int add_value(const struct adding *a, struct rep_tree *into, struct rep_tree *from)
{
    const enum rep_adds by = into->field->adds;
    const bool both = into->what == TREE_INT && from->what == TREE_INT;

    switch (by) {
    case REP_SAME:
        return must_be_same(a, into, from);
    case REP_SAME_OR_NULL:
        into->what = merge_is_same(into, from) ? into->what : TREE_NULL;
        return CLI_OK;
    case REP_SUM:
        return add_counts(a, into, from);
    case REP_LEAST:
    case REP_GREATEST:
        if (both && (by == REP_LEAST) == (from->n < into->n))
            into->n = from->n;
        return CLI_OK;
    case REP_LAST:
        if (from->what == TREE_INT)
            into->n = from->n;
        return CLI_OK;
    case REP_WORST:
        return add_state(into, from);
    case REP_BOTH:
        into->n &= from->n;
        return CLI_OK;
    case REP_NAMES:
        return add_names(into, from);
    default: /* REP_FIRST is what it was, and so is REP_KEY */
        return CLI_OK;
    }
}

/* --- objects, lists, maps --- */

static int add_node(const struct adding *a, struct rep_tree *into, struct rep_tree *from);

static int add_object(const struct adding *a, struct rep_tree *into, struct rep_tree *from)
{
    const struct merge_dist dist = merge_dist_before(a->into, into, from);
    int code = merge_fit_bus(into, from);

    for (size_t i = 0; i < into->children && code == CLI_OK; i++)
        code = add_node(a, &into->child[i], &from->child[i]);
    merge_dist_after(&dist, into, from);
    return code;
}

/* Returns the first text by which it is found, for messages. */
static const char *name_of(const struct rep_tree *item)
{
    for (size_t i = 0; i < item->children; i++)
        if (item->child[i].field->adds == REP_KEY && item->child[i].what == TREE_TEXT)
            return item->child[i].text;
    return "";
}

/* Appends the item, which is not in the other report. */
static int take_over(struct rep_tree *list, struct rep_tree *item)
{
    struct rep_tree *mine = tree_more(list);

    if (!mine)
        return CLI_LIMIT;
    mine->field = item->field;
    move(mine, item);
    return CLI_OK;
}

/* "events" of one of them, "latencies" */
static const char *one_of(const struct rep_tree *list, char out[32])
{
    const char *name = list->field->name;
    const size_t n = strlen(name), cut = n > 2 && strcmp(name + n - 3, "ies") == 0 ? 3
                                         : strcmp(name, "buses") == 0              ? 2
                                                                                   : 1;

    snprintf(out, 32, "%.*s%s", (int)(n > cut ? n - cut : n), name, cut == 3 ? "y" : "");
    return out;
}

static tree_int end_of(const struct rep_tree *row)
{
    return tree_count(row, "first_cycle") + tree_count(row, "cycles");
}

/* Puts rows of both in the order of their ends. */
static int add_rows(struct rep_tree *into, struct rep_tree *from)
{
    const size_t most = into->children + from->children;
    struct rep_tree *all = calloc(most + 1, sizeof *all);
    size_t i = 0, k = 0;

    if (!all)
        return cli_no_memory();
    while (i + k < most) {
        const bool mine =
            k == from->children ||
            (i < into->children && end_of(&into->child[i]) <= end_of(&from->child[k]));
        struct rep_tree *next = mine ? &into->child[i++] : &from->child[k++];
        all[i + k - 1] = *next;
    }
    merge_take_over(into, from,
                    (struct rep_tree){ .child = all, .children = most, .capacity = most + 1 });
    return CLI_OK;
}

static int add_list(const struct adding *a, struct rep_tree *into, struct rep_tree *from)
{
    const bool any = into->field->adds == REP_ANY;
    struct adding of = *a;
    struct merge_index index;
    char one[32];
    int code = merge_index(&index, into, any ? from->children : 0) ? CLI_OK : cli_no_memory();

    of.what = any ? a->what : one_of(into, one);
    for (size_t i = 0; i < from->children && code == CLI_OK; i++) {
        struct rep_tree *item = &from->child[i];
        struct rep_tree *mine = merge_find(&index, item, i);
        of.name = any ? a->name : name_of(item);
        code = mine  ? add_object(&of, mine, item)
               : any ? take_over(into, item)
                     : refuse(&of, "there is none in %s", cli_input_name(a->into->from));
        if (!mine && code == CLI_OK)
            merge_index_last(&index);
    }
    merge_index_free(&index);
    if (code == CLI_OK && !any && !merge_index(&index, from, 0))
        code = cli_no_memory();
    for (size_t i = 0; i < into->children && !any && code == CLI_OK; i++) {
        of.name = name_of(&into->child[i]);
        if (!merge_find(&index, &into->child[i], i))
            code = refuse(&of, "there is none in %s", cli_input_name(a->from->path));
    }
    merge_index_free(&index);
    return code;
}

/* The oldest first. */
static int by_age(const void *a, const void *b)
{
    const struct rep_tree *x = a, *y = b;

    return x->n < y->n ? 1 : -(x->n > y->n);
}

static bool has_value(const struct rep_tree *list, const struct rep_tree *value)
{
    for (size_t i = 0; i < list->children; i++)
        if (merge_is_same(&list->child[i], value))
            return true;
    return false;
}

static int same_values(const struct adding *a, struct rep_tree *into, struct rep_tree *from)
{
    int code = CLI_OK;

    if (into->children != from->children)
        return refuse(a, "other \"%s\"", into->field->name);
    for (size_t i = 0; i < from->children && code == CLI_OK; i++)
        code = must_be_same(a, &into->child[i], &from->child[i]);
    return code;
}

static int add_values(const struct adding *a, struct rep_tree *into, struct rep_tree *from)
{
    const enum rep_adds by = into->field->adds;
    int code = CLI_OK;

    if (by == REP_SAME)
        return same_values(a, into, from);
    for (size_t i = into->children; i > 0 && by == REP_COMMON; i--)
        if (!has_value(from, &into->child[i - 1]))
            tree_drop(into, i - 1);
    for (size_t i = 0; i < from->children && by != REP_COMMON && code == CLI_OK; i++)
        if (by == REP_DOWN || !has_value(into, &from->child[i]))
            code = take_over(into, &from->child[i]);
    if (by == REP_DOWN && into->children > 1)
        qsort(into->child, into->children, sizeof *into->child, by_age);
    return code;
}

static int add_map(const struct adding *a, struct rep_tree *into, struct rep_tree *from)
{
    const struct rep_field *value = into->field->value;
    const bool any = into->field->adds == REP_ANY;
    struct merge_index index;
    int code = CLI_OK;

    if (value && value->kind == REP_COUNT) {
        bool large = false;
        code = merge_add_hist(into, from, &large);
        return code == CLI_OK && large ? too_large(a, into) : code;
    }
    if (!any && into->children != from->children)
        return refuse(a, "it has other %s", into->field->name);
    if (!merge_index(&index, into, any ? from->children : 0))
        return cli_no_memory();
    for (size_t i = 0; i < from->children && code == CLI_OK; i++) {
        struct rep_tree *item = &from->child[i], *mine = merge_find(&index, item, i);
        if (!mine && !any)
            code = refuse(a, "%s has no \"%.60s\"", into->field->name, item->key);
        else
            code = !mine   ? take_over(into, item)
                   : value ? must_be_same(a, mine, item)
                           : add_object(a, mine, item);
        if (!mine && code == CLI_OK)
            merge_index_last(&index);
    }
    merge_index_free(&index);
    return code;
}

/* Returns whether x took longer; of two that took as long the earlier one, whichever file has it.
 */
static bool is_longer(const struct rep_tree *x, const struct rep_tree *y)
{
    static const char *const then[] = { "start_time", "start", "id" };
    const tree_int m = tree_count(x, "latency") + tree_count(x, "age"),
                   n = tree_count(y, "latency") + tree_count(y, "age");

    if (m != n)
        return m > n;
    for (size_t i = 0; i < sizeof then / sizeof then[0]; i++) {
        const tree_int a = tree_count(x, then[i]), b = tree_count(y, then[i]);
        if (a != b)
            return a < b;
    }
    return false;
}

/* Returns whether the member has no value yet, and takes that of the other report. */
static bool is_open(const struct rep_tree *into)
{
    const enum rep_adds by = into->field->adds;

    return into->what == TREE_ABSENT ||
           (into->what == TREE_NULL &&
            (by == REP_LEAST || by == REP_GREATEST || by == REP_FIRST || by == REP_LAST));
}

static int add_node(const struct adding *a, struct rep_tree *into, struct rep_tree *from)
{
    const enum rep_kind kind = into->field->kind;
    const enum rep_adds by = into->field->adds;
    const bool items = kind == REP_OBJECT || kind == REP_MAP || kind == REP_LIST;

    if (by == REP_SAME && !items)
        return must_be_same(a, into, from);
    if (by == REP_SAME_OR_NONE && !merge_is_same(into, from))
        tree_free(into);
    if (by == REP_FOLLOWS || by == REP_SAME_OR_NONE || from->what == TREE_ABSENT)
        return CLI_OK;
    if (is_open(into) || (by == REP_LONGER && is_longer(from, into))) {
        move(into, from);
        return CLI_OK;
    }
    if (by == REP_LONGER)
        return CLI_OK;
    if (into->what == TREE_OBJECT && from->what == TREE_OBJECT)
        return add_object(a, into, from);
    if (by == REP_ROWS)
        return add_rows(into, from);
    if (into->what == TREE_LIST && from->what == TREE_LIST)
        return into->field->value ? add_values(a, into, from) : add_list(a, into, from);
    if (into->what == TREE_MAP && from->what == TREE_MAP)
        return add_map(a, into, from);
    return add_value(a, into, from);
}

/* --- reports --- */

int merge_add(struct merge_report *into, struct merge_report *from)
{
    const struct adding a = { .into = into, .from = from };

    if (into->kind != from->kind)
        return refuse(&a, "it is a report of %s, the other of %s", merge_defs[from->kind]->call + 9,
                      merge_defs[into->kind]->call + 9);
    into->reports += from->reports;
    return add_object(&a, &into->root, &from->root);
}

static int PC_PRINTF(2, 3) no(const struct merge_report *r, const char *fmt, ...)
{
    char text[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return cli_error_at(1703, NULL, 0, NULL, "%s cannot be added: %s", cli_input_name(r->path),
                        text);
}

/* Checks what events or latencies say of how exact they are. */
static int check_items(const struct merge_report *r, const char *list)
{
    const struct rep_tree *items = tree_value(&r->root, list, TREE_LIST);

    for (size_t i = 0; items && i < items->children; i++) {
        const struct rep_tree *item = &items->child[i];
        const char *state = tree_text(item, "state");
        const struct rep_tree *tainted = tree_value(item, "tainted", TREE_OBJECT);
        if (state[0] && strcmp(state, "exact") != 0)
            return no(r, "%.100s is %s; --inexact adds it, and says so", name_of(item), state);
        if ((tainted && tree_count(tainted, "start") + tree_count(tainted, "end") > 0) ||
            tree_count(item, "tainted") > 0)
            return no(r, "%.100s is tainted; --inexact adds it, and says so", name_of(item));
    }
    return CLI_OK;
}

int merge_check(const struct merge_report *r, bool inexact)
{
    static const char *const lists[] = { "events", "levels", "latencies", "sums" };
    const struct rep_tree *partial = tree_value(&r->root, "partial", TREE_BOOL);
    const struct rep_tree *nets = tree_value(&r->root, "nets", TREE_LIST);
    int code = CLI_OK;

    if (partial && partial->n)
        return no(r, "it was interrupted, and is not of all of its waveform");
    for (size_t i = 0; i < r->root.children; i++) {
        const struct rep_tree *node = &r->root.child[i];
        if (node->field->refused && node->what != TREE_ABSENT &&
            (node->what != TREE_LIST || node->children > 0))
            return no(r, "it was made with %s: make it without", node->field->refused);
    }
    for (size_t i = 1; nets && i < nets->children; i++)
        if (tree_count(&nets->child[i], "start") != tree_count(&nets->child[0], "start"))
            return no(r, "it was made with -I: make it without");
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && !inexact && code == CLI_OK; i++)
        code = check_items(r, lists[i]);
    return code;
}
