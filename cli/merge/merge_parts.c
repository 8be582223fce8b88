/* SPDX-License-Identifier: MIT */
/*
 * Which cycles of which waveforms are in a sum: no cycle is added twice, unless that is wanted.  A
 * sum lists its parts, so that it can be merged again; parts that follow each other are one.
 */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "text/cells.h"
#include "wave/event_list.h"

/* --- the parts of a report --- */

static int add(struct merge_parts *parts, const struct merge_part *part)
{
    void *array = parts->part;
    struct merge_part *more =
        cli_one_more(&array, &parts->capacity, &parts->count, sizeof *parts->part);

    parts->part = array;
    if (!more)
        return cli_no_memory();
    *more = *part;
    more->waveform = cli_copy(part->waveform, strlen(part->waveform));
    more->of = cli_copy(part->of, strlen(part->of));
    return more->waveform && more->of ? CLI_OK : cli_no_memory();
}

void merge_parts_free(struct merge_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        free(parts->part[i].waveform);
        free(parts->part[i].of);
    }
    free(parts->part);
    *parts = (struct merge_parts){ .count = 0 };
}

static const char *waveform_of(const struct merge_report *r)
{
    return tree_text(&r->root,
                     r->kind == MERGE_STAT || r->kind == MERGE_RECORD ? "trace" : "waveform");
}

static void take_seconds(struct merge_part *part, const struct rep_tree *object)
{
    const struct rep_tree *seconds = tree_value(object, "seconds", TREE_REAL);

    part->timed = seconds != NULL;
    part->seconds = seconds ? seconds->real : 0;
}

/* Parts that a sum lists. */
static int add_listed(struct merge_parts *parts, struct merge_part part,
                      const struct rep_tree *list)
{
    int code = CLI_OK;

    for (size_t i = 0; i < list->children && code == CLI_OK; i++) {
        const struct rep_tree *item = &list->child[i];
        part.waveform = (char *)(uintptr_t)tree_text(item, "waveform"); /* is copied */
        part.of = (char *)(uintptr_t)tree_text(item, "clock");
        part.first = tree_count(item, "first");
        part.cycles = tree_count(item, "cycles");
        take_seconds(&part, item);
        code = add(parts, &part);
    }
    return code;
}

/* Cycles of several clocks, or edges of the clocks of buses; of each clock once. */
static int add_clocks(struct merge_parts *parts, struct merge_part part,
                      const struct rep_tree *list, const char *of, const char *first,
                      const char *cycles)
{
    const size_t begin = parts->count;
    int code = CLI_OK;

    for (size_t i = 0; i < list->children && code == CLI_OK; i++) {
        const struct rep_tree *item = &list->child[i];
        bool again = !tree_text(item, of)[0];
        for (size_t k = begin; k < parts->count && !again; k++)
            again = strcmp(parts->part[k].of, tree_text(item, of)) == 0;
        part.of = (char *)(uintptr_t)tree_text(item, of);
        part.first = tree_count(item, first);
        part.cycles = tree_count(item, cycles);
        code = again ? CLI_OK : add(parts, &part);
    }
    return code;
}

/* Reads which parts the report says it has. */
static int add_own(struct merge_parts *parts, const struct merge_report *r, struct merge_part part)
{
    const struct rep_tree *root = &r->root, *clocks = tree_value(root, "clocks", TREE_LIST);
    const struct rep_tree *buses = tree_value(root, "buses", TREE_LIST);

    part.waveform = (char *)(uintptr_t)waveform_of(r);
    part.of = (char *)(uintptr_t) "";
    if (r->kind == MERGE_STAT && clocks)
        return add_clocks(parts, part, clocks, "name", "first_cycle", "cycles");
    if (r->kind == MERGE_BUS)
        return buses ? add_clocks(parts, part, buses, "clock", "first_edge", "edges") : CLI_OK;
    if (r->kind == MERGE_STAT || r->kind == MERGE_RECORD) {
        part.first = tree_count(root, "first_cycle");
        part.cycles = tree_count(root, "cycles");
        take_seconds(&part, root);
    } else {
        part.first = tree_count(root, "first_time");
        part.cycles = tree_count(root, "last_time") - part.first;
    }
    return add(parts, &part);
}

int merge_take_parts(struct merge_parts *parts, const struct merge_report *r)
{
    const struct rep_tree *list = tree_value(&r->root, "parts", TREE_LIST);
    const struct merge_part part = { .path = r->path, .report = parts->reports++ };

    return list ? add_listed(parts, part, list) : add_own(parts, r, part);
}

/* --- no cycle twice --- */

static int order_of(const struct merge_part *x, const struct merge_part *y)
{
    const int order = strcmp(x->waveform, y->waveform);

    return order ? order : strcmp(x->of, y->of);
}

static int by_begin(const void *a, const void *b)
{
    const struct merge_part *x = a, *y = b;
    const int order = order_of(x, y);

    if (order)
        return order;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (x->report > y->report) - (x->report < y->report);
}

static tree_int end_of(const struct merge_part *p)
{
    return p->first + p->cycles;
}

static int refuse(enum merge_kind kind, const struct merge_part *x, const struct merge_part *y)
{
    static const char *const what[] = { "cycles", "edges", "times", "cycles" };
    const struct merge_part *early = x->report < y->report ? x : y, *late = early == x ? y : x;
    const tree_int first = x->first > y->first ? x->first : y->first;
    const tree_int last = (end_of(x) < end_of(y) ? end_of(x) : end_of(y)) - 1;
    char from[PC_WIDE_TEXT], to[PC_WIDE_TEXT];

    pc_wide_text(tree_wide(first), from);
    pc_wide_text(tree_wide(last), to);
    return cli_error_at(
        1703, NULL, 0,
        kind == MERGE_RECORD
            ? "leave one of them out: rows are of one waveform, in the order of time"
            : "leave one of them out; --again adds both, for runs whose waveforms have the same "
              "name",
        "%s cannot be added to %s: %s %s to %s%s%.100s of %.200s are in both",
        cli_input_name(late->path), cli_input_name(early->path), what[kind], from, to,
        x->of[0] ? " of clock " : "", x->of, x->waveform);
}

/* Parts are in order: of those before, the two that end last are of two reports. */
static int find_twice(enum merge_kind kind, const struct merge_parts *parts)
{
    const struct merge_part *best = NULL, *second = NULL;

    for (size_t i = 0; i < parts->count; i++) {
        const struct merge_part *p = &parts->part[i];
        if (best && order_of(best, p) != 0)
            best = second = NULL;
        if (best && p->cycles > 0) {
            const struct merge_part *other = best->report != p->report ? best : second;
            if (other && end_of(other) > p->first)
                return refuse(kind, other, p);
        }
        if (!best || end_of(p) > end_of(best)) {
            second = best && best->report != p->report ? best : second;
            best = p;
        } else if (p->report != best->report && (!second || end_of(p) > end_of(second))) {
            second = p;
        }
    }
    return CLI_OK;
}

/* --- parts that follow each other --- */

/* Has each cycle of both the same length, as far as doubles tell? */
static bool as_long(const struct merge_part *x, const struct merge_part *y)
{
    const double a = x->seconds * (double)y->cycles, b = y->seconds * (double)x->cycles;
    const double off = a > b ? a - b : b - a;

    return off <= 1e-9 * (a > b ? a : b);
}

static void join(struct merge_parts *parts)
{
    size_t n = 0;

    for (size_t i = 0; i < parts->count; i++) {
        struct merge_part *p = &parts->part[i], *last = n > 0 ? &parts->part[n - 1] : NULL;
        const bool same = last && order_of(last, p) == 0;
        parts->uneven |= same && last->timed && p->timed && !as_long(last, p);
        if (!same || end_of(last) != p->first) {
            parts->part[n++] = *p;
            continue;
        }
        last->cycles += p->cycles;
        last->seconds += p->seconds;
        last->timed &= p->timed;
        free(p->waveform);
        free(p->of);
    }
    parts->count = n;
}

/* --- the list in the sum --- */

static bool same_parts(const struct merge_parts *x, const struct merge_parts *y)
{
    bool same = x->count == y->count;

    for (size_t i = 0; i < x->count && same; i++)
        same = order_of(&x->part[i], &y->part[i]) == 0 && x->part[i].first == y->part[i].first &&
               x->part[i].cycles == y->part[i].cycles;
    return same;
}

/* Members in the order of the fields. */
static int list_part(struct rep_tree *list, const struct merge_part *p)
{
    struct rep_tree *item = tree_more(list), *member = NULL;
    int code = item ? CLI_OK : CLI_LIMIT;

    if (item) {
        item->field = list->field;
        item->what = TREE_OBJECT;
    }
    for (const struct rep_field *f = list->field->field; f->name && code == CLI_OK; f++) {
        member = tree_more(item);
        code = member ? CLI_OK : CLI_LIMIT;
        if (!member)
            break;
        const bool waveform = strcmp(f->name, "waveform") == 0;
        member->field = f;
        if (waveform || (strcmp(f->name, "clock") == 0 && p->of[0])) {
            member->what = TREE_TEXT;
            member->text =
                cli_copy(waveform ? p->waveform : p->of, strlen(waveform ? p->waveform : p->of));
            code = member->text ? CLI_OK : cli_no_memory();
        } else if (strcmp(f->name, "first") == 0 || strcmp(f->name, "cycles") == 0) {
            member->what = TREE_INT;
            member->n = f->name[0] == 'f' ? p->first : p->cycles;
        } else if (strcmp(f->name, "seconds") == 0 && p->timed) {
            member->what = TREE_REAL;
            member->real = p->seconds;
        }
    }
    return code;
}

/* The sum says where its cycles are from, unless its other members do. */
static int list_parts(const struct merge_parts *parts, struct merge_report *sum)
{
    struct rep_tree *list = tree_member(&sum->root, "parts");
    struct merge_parts own = { .count = 0 };
    int code;

    tree_free(list);
    code = add_own(&own, sum, (struct merge_part){ .path = sum->path });
    if (code == CLI_OK && own.count > 1)
        qsort(own.part, own.count, sizeof *own.part, by_begin);
    if (code == CLI_OK && !same_parts(&own, parts)) {
        list->what = TREE_LIST;
        for (size_t i = 0; i < parts->count && code == CLI_OK; i++)
            code = list_part(list, &parts->part[i]);
    }
    merge_parts_free(&own);
    return code;
}

int merge_check_parts(struct merge_parts *parts, struct merge_report *sum, bool again)
{
    if (parts->count > 1)
        qsort(parts->part, parts->count, sizeof *parts->part, by_begin);
    const int code = again && sum->kind != MERGE_RECORD ? CLI_OK : find_twice(sum->kind, parts);
    if (code)
        return code;
    join(parts);
    return list_parts(parts, sum);
}
