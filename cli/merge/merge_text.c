/* SPDX-License-Identifier: MIT */
/* The sum for people: tables of what the verb's own page shows first. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "bus/bus_rows.h"
#include "text/cells.h"
#include "text/quantity.h"
#include "wave/expectation_tree.h"

enum { COLUMNS = 12 };

/* A table of the objects of a list: a row each. */
struct table {
    const char *head[COLUMNS];   /* NULL ends them */
    const char *member[COLUMNS]; /* "p99", "latency.p99" */
};

static const struct rep_tree *at(const struct rep_tree *object, const char *path)
{
    const char *dot = strchr(path, '.');
    char name[32];

    if (!dot)
        return tree_member(object, path);
    snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
    object = tree_value(object, name, TREE_OBJECT);
    return object ? at(object, dot + 1) : NULL;
}

static void text_of(const struct rep_tree *n, char out[CLI_QUANTITY])
{
    const tree_int size = n && n->n < 0 ? -n->n : n ? n->n : 0;

    if (n && n->what == TREE_INT && size <= (tree_int)UINT64_MAX)
        snprintf(out, CLI_QUANTITY, "%s%s", n->n < 0 ? "-" : "", cli_grouped((uint64_t)size));
    else if (n && (n->what == TREE_REAL || n->what == TREE_INT))
        cli_quantity_digits(n->what == TREE_REAL ? n->real : (double)n->n, "", 4, false, out);
    else
        snprintf(out, CLI_QUANTITY, "-");
}

struct row {
    const struct rep_tree *item;
    char *name;
};
struct rows {
    struct row *row;
    size_t count, capacity;
    bool failed; /* there was no memory */
};

static void print_table(FILE *out, const struct table *t, const char *title, const struct rows *r)
{
    char text[CLI_QUANTITY];
    int width[COLUMNS];

    if (r->count == 0)
        return;
    fputc('\n', out);
    for (size_t c = 0; t->head[c]; c++) {
        width[c] = (int)strlen(t->head[c]);
        for (size_t i = 0; i < r->count; i++) {
            text_of(at(r->row[i].item, t->member[c]), text);
            width[c] = cli_larger(width[c], (int)strlen(text));
        }
        fprintf(out, "%s%*s", c ? "  " : "", width[c], t->head[c]);
    }
    fprintf(out, "  %s\n", title);
    for (size_t i = 0; i < r->count; i++) {
        for (size_t c = 0; t->head[c]; c++) {
            text_of(at(r->row[i].item, t->member[c]), text);
            fprintf(out, "%s%*s", c ? "  " : "", width[c], text);
        }
        fputs("  ", out);
        cli_print_name(out, r->row[i].name);
        fputc('\n', out);
    }
}

/* --- lists --- */

static bool add_row(struct rows *r, const struct rep_tree *item, const char *name, const char *part)
{
    const size_t size = strlen(name) + strlen(part) + 2;
    void *array = r->row;
    struct row *row = cli_one_more(&array, &r->capacity, &r->count, sizeof *row);

    r->row = array;
    if (row)
        *row = (struct row){ item, malloc(size) };
    if (!row || !row->name) {
        r->failed = true;
        return false;
    }
    snprintf(row->name, size, "%s%s%s", name, part[0] ? " " : "", part);
    return true;
}

static void add_list(struct rows *r, const struct merge_report *report, const char *list)
{
    const struct rep_tree *items = tree_value(&report->root, list, TREE_LIST);

    for (size_t i = 0; items && i < items->children; i++)
        if (!add_row(r, &items->child[i], tree_text(&items->child[i], "name"), ""))
            return;
}

static void end(FILE *out, struct rows *r, const struct table *t, const char *title)
{
    if (!r->failed)
        print_table(out, t, title, r);
    for (size_t i = 0; i < r->count; i++)
        free(r->row[i].name);
    free(r->row);
    *r = (struct rows){ .failed = r->failed };
}

/* --- verbs --- */

static int digits(tree_int count)
{
    return (int)strlen(cli_grouped((uint64_t)count));
}

/* The events of a clock below its cycles. */
static void print_clock(FILE *out, const struct merge_report *r, const struct rep_tree *clock,
                        const struct rep_tree *events, int width)
{
    const tree_int all = tree_count(clock, "cycles");
    const double cycles = (double)all;

    fprintf(out, "  %*s  cycles", width, cli_grouped((uint64_t)all));
    if (clock != &r->root) {
        const char *name = tree_text(clock, "name"), *is = tree_text(clock, "clock");
        fputs(" of ", out);
        cli_print_name(out, name);
        if (strcmp(name, is) != 0) {
            fputs(" = ", out);
            cli_print_name(out, is);
        }
    }
    fputc('\n', out);
    for (size_t i = 0; events && i < events->children; i++) {
        const struct rep_tree *e = &events->child[i];
        if (merge_clock(r, e) != clock)
            continue;
        fprintf(out, "  %*s  ", width, cli_grouped((uint64_t)tree_count(e, "value")));
        cli_print_name(out, tree_text(e, "name"));
        if (cycles > 0)
            fprintf(out, "  # %.2f %% of cycles", 100 * (double)tree_count(e, "value") / cycles);
        if (strcmp(tree_text(e, "state"), "exact") != 0)
            cli_print_between(out, "  ", tree_text(e, "state"), "");
        fputc('\n', out);
    }
}

static void print_events(FILE *out, const struct merge_report *r)
{
    const struct rep_tree *events = tree_value(&r->root, "events", TREE_LIST),
                          *clocks = merge_clocks(r);
    const size_t count = clocks ? clocks->children : 1;
    int width = 0;

    for (size_t i = 0; events && i < events->children; i++)
        width = cli_larger(width, digits(tree_count(&events->child[i], "value")));
    for (size_t k = 0; k < count; k++)
        width = cli_larger(width, digits(merge_cycles(r, clocks ? &clocks->child[k] : &r->root)));
    fputc('\n', out);
    for (size_t k = 0; k < count; k++)
        print_clock(out, r, clocks ? &clocks->child[k] : &r->root, events, width);
}

static void print_metrics(FILE *out, const struct merge_report *r)
{
    const struct rep_tree *list = tree_value(&r->root, "metrics", TREE_LIST);

    if (list && list->children)
        fputc('\n', out);
    for (size_t i = 0; list && i < list->children; i++) {
        const struct rep_tree *m = &list->child[i];
        const struct rep_tree *value = tree_value(m, "value", TREE_REAL);
        char text[CLI_QUANTITY] = "not measured";
        if (value)
            cli_quantity_digits(value->real, tree_text(m, "unit"), 5, false, text);
        fprintf(out, "  %s", text);
        cli_print_between(out, "  ", tree_text(m, "name"), "  = ");
        cli_print_name(out, tree_text(m, "formula"));
        if (tree_text(m, "why")[0])
            cli_print_between(out, "  ", tree_text(m, "why"), "");
        fputc('\n', out);
    }
}

static void print_member(FILE *out, const char *before, const struct merge_report *r,
                         const char *name)
{
    if (tree_value(&r->root, name, TREE_TEXT))
        cli_print_between(out, before, tree_text(&r->root, name), "");
}

static bool print_stat(FILE *out, const struct merge_report *r)
{
    static const struct table values = {
        { "samples", "unknown", "min", "mean", "p50", "p90", "p99", "max", NULL },
        { "count", "unknown", "min", "mean", "p50", "p90", "p99", "max", NULL }
    };
    static const struct table latencies = {
        { "completed", "min", "mean", "p50", "p90", "p99", "max", "most open", "unfinished",
          "orphans", NULL },
        { "completed", "latency.min", "latency.mean", "latency.p50", "latency.p90", "latency.p99",
          "latency.max", "outstanding.max", "unfinished", "orphans", NULL }
    };
    struct rows rows = { .count = 0 };

    cli_print_between(out, "Counts of ", tree_text(&r->root, "trace"), " at ");
    if (merge_clocks(r))
        fputs(cli_count(merge_clocks(r)->children, "clock"), out);
    else
        cli_print_name(out, tree_text(&r->root, "clock"));
    print_member(out, ", core ", r, "core");
    print_member(out, ", profile ", r, "profile");
    fprintf(out, ": %s\n", cli_count(r->reports, "report"));
    print_events(out, r);
    print_metrics(out, r);
    add_list(&rows, r, "values");
    end(out, &rows, &values, "value");
    add_list(&rows, r, "latencies");
    end(out, &rows, &latencies, "latency, cycles");
    return !rows.failed;
}

static int print_bus(FILE *text, FILE *html, const struct merge_report *r)
{
    const struct bus_view view = { .root = &r->root, .reports = r->reports };
    const int code = text ? bus_text(&view, text) : CLI_OK;

    return code == CLI_OK && html ? bus_page(&view, html) : code;
}

int merge_print(FILE *text, FILE *html, const struct merge_report *r)
{
    if (r->kind == MERGE_ACTIVITY)
        return merge_print_activity(text, html, r);
    if (r->kind == MERGE_BUS)
        return print_bus(text, html, r);
    if (!text)
        return CLI_OK;
    const bool ok = print_stat(text, r);

    return ok ? cli_print_expectations(text, &r->root) : cli_no_memory();
}
