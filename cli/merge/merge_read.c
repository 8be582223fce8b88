/* SPDX-License-Identifier: MIT */
/* A report out of its JSON, along the fields that its verb has of it. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "activity/activity.h"
#include "bus/bus.h"
#include "diff/diff_jansson.h"
#include "stat/stat_report.h"
#include "wave/event_list.h"

const struct rep_def *const merge_defs[MERGE_KINDS] = { &stat_report_def, &bus_report,
                                                        &activity_report };

/* --- nodes --- */

void merge_free(struct merge_node *node)
{
    for (size_t i = 0; i < node->children; i++)
        merge_free(&node->child[i]);
    free(node->child);
    free(node->text);
    free(node->key);
    *node = (struct merge_node){ .field = node->field };
}

struct merge_node *merge_member(const struct merge_node *object, const char *name)
{
    for (size_t i = 0; object->what == MERGE_OBJECT && i < object->children; i++)
        if (strcmp(object->child[i].field->name, name) == 0 &&
            !(object->child[i].field->flags & REP_NO_JSON))
            return &object->child[i];
    return NULL;
}

struct merge_node *merge_value(const struct merge_node *object, const char *name,
                               enum merge_what what)
{
    struct merge_node *node = merge_member(object, name);

    return node && node->what == what ? node : NULL;
}

const char *merge_text_of(const struct merge_node *object, const char *name)
{
    const struct merge_node *node = merge_value(object, name, MERGE_TEXT);

    return node ? node->text : "";
}

merge_int merge_count_of(const struct merge_node *object, const char *name)
{
    const struct merge_node *node = merge_value(object, name, MERGE_INT);

    return node ? node->n : 0;
}

struct merge_node *merge_more(struct merge_node *list)
{
    void *array = list->child;
    struct merge_node *item =
        cli_one_more(&array, &list->capacity, &list->children, sizeof *list->child);

    list->child = array;
    if (!item)
        (void)!cli_no_memory();
    return item;
}

/* --- values --- */

static int wrong(const struct diff_file *f, const struct rep_field *field, const char *what)
{
    return diff_fail(f, 1701, "\"%.60s\" is no %s, as reports have it", field->name, what);
}

bool merge_digits(const char *text, merge_int *out)
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

/* Those that are longer than 64 bits are digits in a text. */
static bool read_int(const struct diff_file *f, const json_t *v, enum rep_kind kind, merge_int *out)
{
    const char *text = f->jansson->string_value(v);

    if (json_is_integer(v))
        *out = f->jansson->integer_value(v);
    else if (!text || !merge_digits(text, out))
        return false;
    return kind == REP_INT || (*out >= 0 && *out <= (merge_int)UINT64_MAX);
}

static int read_text(const struct diff_file *f, const json_t *v, const struct rep_field *field,
                     struct merge_node *out)
{
    const char *text = f->jansson->string_value(v);

    if (!text)
        return wrong(f, field, "text");
    out->what = MERGE_TEXT;
    out->text = cli_copy(text, strlen(text));
    return out->text ? CLI_OK : cli_no_memory();
}

static int read_any(const struct diff_file *f, const struct rep_field *field, const json_t *v,
                    struct merge_node *out);

static int read_list(const struct diff_file *f, const struct rep_field *field, const json_t *v,
                     struct merge_node *out)
{
    const struct rep_field *of = field->value;
    int code = CLI_OK;

    if (!json_is_array(v))
        return wrong(f, field, "array");
    out->what = MERGE_LIST;
    for (size_t i = 0; i < f->jansson->array_size(v) && code == CLI_OK; i++) {
        struct merge_node *item = merge_more(out);
        const struct rep_field object = { .name = field->name,
                                          .kind = REP_OBJECT,
                                          .field = field->field };
        if (!item)
            return CLI_LIMIT;
        code = read_any(f, of ? of : &object, f->jansson->array_get(v, i), item);
        item->field = of ? of : field;
    }
    return code;
}

static int read_map(const struct diff_file *f, const struct rep_field *field, json_t *v,
                    struct merge_node *out)
{
    const struct diff_jansson *j = f->jansson;
    const bool counts = field->value && field->value->kind == REP_COUNT; /* of a distribution */
    merge_int number;
    int code = CLI_OK;

    if (!json_is_object(v))
        return wrong(f, field, "object");
    out->what = MERGE_MAP;
    for (void *i = j->object_iter(v); i && code == CLI_OK; i = j->object_iter_next(v, i)) {
        const char *key = j->object_iter_key(i);
        const struct rep_field object = { .name = field->name,
                                          .kind = REP_OBJECT,
                                          .field = field->field };
        struct merge_node *item = merge_more(out);
        if (!item)
            return CLI_LIMIT;
        if (counts && !merge_digits(key, &number) && strcmp(key, "x") != 0)
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

static int read_object(const struct diff_file *f, const struct rep_field *members, const json_t *v,
                       struct merge_node *out)
{
    int code = CLI_OK;

    out->what = MERGE_OBJECT;
    for (size_t i = 0; members[i].name && code == CLI_OK; i++) {
        struct merge_node *node = merge_more(out);
        if (!node)
            return CLI_LIMIT;
        node->field = &members[i];
        if (members[i].flags & REP_NO_JSON)
            continue;
        const json_t *member = f->jansson->object_get(v, members[i].name);
        if (member)
            code = read_any(f, &members[i], member, node);
        else if (!(members[i].flags & REP_MAYBE))
            code = diff_fail(f, 1701, "a report without \"%.60s\"", members[i].name);
    }
    return code;
}

static int read_any(const struct diff_file *f, const struct rep_field *field, const json_t *v,
                    struct merge_node *out)
{
    out->field = field;
    if (json_is_null(v)) {
        out->what = MERGE_NULL;
        return field->flags & REP_NULL ? CLI_OK : wrong(f, field, "null");
    }
    switch (field->kind) {
    case REP_OBJECT:
        return json_is_object(v) ? read_object(f, field->field, v, out) : wrong(f, field, "object");
    case REP_LIST:
        return read_list(f, field, v, out);
    case REP_MAP:
        return read_map(f, field, (json_t *)(uintptr_t)v, out); /* iterators change nothing */
    case REP_BOOL:
        out->what = MERGE_BOOL;
        out->n = json_is_true(v);
        return json_is_boolean(v) ? CLI_OK : wrong(f, field, "truth value");
    case REP_COUNT:
    case REP_INT:
        out->what = MERGE_INT;
        return read_int(f, v, field->kind, &out->n)
                   ? CLI_OK
                   : wrong(f, field, field->kind == REP_INT ? "integer" : "count of 64 bits");
    case REP_NUMBER:
        out->what = MERGE_REAL;
        return diff_number(f, v, &out->real) ? CLI_OK : wrong(f, field, "number");
    default:
        return read_text(f, v, field, out);
    }
}

/* --- reports --- */

int merge_read(const struct diff_file *f, const json_t *json, struct merge_report *out)
{
    const char *schema = diff_text(f, json, "$schema"), *failed = diff_text(f, json, "error");

    if (!schema)
        return diff_fail(f, 1701, "this JSON does not say of what it is a report");
    if (strcmp(schema, "pcounter-stat-failed-1") == 0 && failed) {
        const char *trace = diff_text(f, json, "trace");
        return diff_fail(f, 1703, "%.100s was not counted: %.200s", trace ? trace : "a waveform",
                         failed);
    }
    for (unsigned k = 0; k < MERGE_KINDS; k++)
        if (strcmp(merge_defs[k]->schema, schema) == 0) {
            out->kind = k;
            out->field =
                (struct rep_field){ .name = "", .kind = REP_OBJECT, .field = merge_defs[k]->field };
            out->reports = 1;
            out->path = f->path;
            out->root.field = &out->field;
            return json_is_object(json) ? read_object(f, merge_defs[k]->field, json, &out->root)
                                        : diff_fail(f, 1701, "a report is an object");
        }
    return diff_fail(f, 1701, "cannot merge this report: %.60s", schema);
}
