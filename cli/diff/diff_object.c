/* SPDX-License-Identifier: MIT */
/* Reads an object of a report from its JSON as a tree, along the fields that its verb has of it. */
#include "diff/diff.h"
#include "diff/diff_jansson.h"

#include <stdlib.h>
#include <string.h>

/* --- values --- */

static int wrong(const struct diff_file *f, const struct rep_field *field, const char *what)
{
    return diff_fail(f, 1701, "\"%.60s\" is not %s", field->name, what);
}

/* Those that are longer than 64 bits are digits in a text. */
static bool read_int(const struct diff_file *f, const json_t *v, enum rep_kind kind, tree_int *out)
{
    const char *text = f->jansson->string_value(v);

    if (json_is_integer(v))
        *out = f->jansson->integer_value(v);
    else if (!text || !tree_digits(text, out))
        return false;
    return kind == REP_INT || (*out >= 0 && *out <= (tree_int)UINT64_MAX);
}

static int read_text(const struct diff_file *f, const json_t *v, const struct rep_field *field,
                     struct rep_tree *out)
{
    const char *text = f->jansson->string_value(v);

    if (!text)
        return wrong(f, field, "a text");
    out->what = TREE_TEXT;
    out->text = cli_copy(text, strlen(text));
    return out->text ? CLI_OK : cli_no_memory();
}

static int read_any(const struct diff_file *f, const struct rep_field *field, const json_t *v,
                    struct rep_tree *out);

static int read_list(const struct diff_file *f, const struct rep_field *field, const json_t *v,
                     struct rep_tree *out)
{
    const struct rep_field *of = field->value;
    int code = CLI_OK;

    if (!json_is_array(v))
        return wrong(f, field, "an array");
    out->what = TREE_LIST;
    for (size_t i = 0; i < f->jansson->array_size(v) && code == CLI_OK; i++) {
        struct rep_tree *item = tree_more(out);
        const struct rep_field object = { .name = field->name,
                                          .kind = REP_OBJECT,
                                          .field = field->field };
        if (!item)
            return CLI_LIMIT;
        code = read_any(f, of ? of : &object, f->jansson->array_get(v, i), item);
        item->field = of ? of : field;
        if (f->once && !of) /* it is in the tree now */
            (void)f->jansson->array_set_new((json_t *)(uintptr_t)v, i, f->jansson->null());
    }
    return code;
}

static int read_map(const struct diff_file *f, const struct rep_field *field, json_t *v,
                    struct rep_tree *out)
{
    const struct diff_jansson *j = f->jansson;
    const bool counts = field->value && field->value->kind == REP_COUNT; /* of a distribution */
    tree_int number;
    int code = CLI_OK;

    if (!json_is_object(v))
        return wrong(f, field, "an object");
    out->what = TREE_MAP;
    for (void *i = j->object_iter(v); i && code == CLI_OK; i = j->object_iter_next(v, i)) {
        const char *key = j->object_iter_key(i);
        const struct rep_field object = { .name = field->name,
                                          .kind = REP_OBJECT,
                                          .field = field->field };
        struct rep_tree *item = tree_more(out);
        if (!item)
            return CLI_LIMIT;
        if (counts && !tree_digits(key, &number) && strcmp(key, "x") != 0)
            return diff_fail(f, 1701, "\"%.60s\" of \"%.40s\" is not a value that was counted",
                             field->name, key);
        item->key = cli_copy(key, strlen(key));
        code = item->key ? read_any(f, field->value ? field->value : &object,
                                    j->object_iter_value(i), item)
                         : cli_no_memory();
        item->field = field->value ? field->value : field;
    }
    return code;
}

int diff_read_object(const struct diff_file *f, const struct rep_field *members, const json_t *v,
                     struct rep_tree *out)
{
    int code = json_is_object(v) ? CLI_OK : diff_fail(f, 1701, "a report is an object");
    size_t count = 0;

    while (members[count].name)
        count++;
    out->what = TREE_OBJECT;
    out->child = calloc(count + 1, sizeof *out->child);
    if (!out->child)
        return cli_no_memory();
    out->capacity = count + 1;
    for (size_t i = 0; i < count && code == CLI_OK; i++) {
        struct rep_tree *node = &out->child[out->children++];
        node->field = &members[i];
        if (members[i].flags & REP_NO_JSON)
            continue;
        const json_t *member = f->jansson->object_get(v, members[i].name);
        if (member)
            code = read_any(f, &members[i], member, node);
        else if (!(members[i].flags & REP_MAYBE) && !f->lenient)
            code = diff_fail(f, 1701, "a report without \"%.60s\"", members[i].name);
    }
    return code;
}

static int read_any(const struct diff_file *f, const struct rep_field *field, const json_t *v,
                    struct rep_tree *out)
{
    out->field = field;
    if (json_is_null(v)) {
        out->what = TREE_NULL;
        return field->flags & REP_NULL ? CLI_OK
                                       : diff_fail(f, 1701, "\"%.60s\" is null", field->name);
    }
    switch (field->kind) {
    case REP_OBJECT:
        return json_is_object(v) ? diff_read_object(f, field->field, v, out)
                                 : wrong(f, field, "an object");
    case REP_LIST:
        return read_list(f, field, v, out);
    case REP_MAP:
        return read_map(f, field, (json_t *)(uintptr_t)v, out); /* iterators change nothing */
    case REP_BOOL:
        out->what = TREE_BOOL;
        out->n = json_is_true(v);
        return json_is_boolean(v) ? CLI_OK : wrong(f, field, "a truth value");
    case REP_COUNT:
    case REP_INT:
        out->what = TREE_INT;
        return read_int(f, v, field->kind, &out->n)
                   ? CLI_OK
                   : wrong(f, field, field->kind == REP_INT ? "an integer" : "a count of 64 bits");
    case REP_NUMBER:
        out->what = TREE_REAL;
        return diff_number(f, v, &out->real) ? CLI_OK : wrong(f, field, "a number");
    default:
        return read_text(f, v, field, out);
    }
}
