/* SPDX-License-Identifier: MIT */
/* Prints measurements for people: tables of figures of a report, histograms of a run. */
#include "stat_machine.h"
#include "stat_report.h"
#include "text/table.h"

#include <string.h>

/* --- histograms --- */

/* A text, and what went wrong with it. */
struct text_of {
    FILE *out;
    int code;
};

static void print_buckets(void *ctx, const struct stat_measure *m, const char *name,
                          const struct stat_bucket *bucket, size_t count)
{
    static const char bar[] = "########################################";
    static const struct cli_column column[] = { { .named = "value" },
                                                { .named = "count" },
                                                { .named = "share", .width = 8 },
                                                { .left = true, .drawn = true } };
    struct text_of *of = ctx;
    double most = 0;

    (void)m;
    fputc('\n', of->out);
    cli_print_name(of->out, name);
    fputs(count ? "\n" : ": no value, or too many different ones\n", of->out);
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        most = bucket[i].share > most ? bucket[i].share : most;
    struct cli_table *t =
        cli_table_open(of->out, &(struct cli_look){ .indent = 2, .gap = 2, .bare = true });
    cli_table_columns(t, column, 4);
    for (size_t i = 0; i < count; i++) {
        const int length = (int)((double)(sizeof bar - 1) * bucket[i].share / most + 0.5);
        cli_cell(t, bucket[i].text);
        cli_cell_count(t, bucket[i].count);
        cli_cell_print(t, "%.2f %%", 100 * bucket[i].share);
        cli_cell_print(t, "%.*s", length, bar);
        cli_row_end(t);
    }
    const int code = cli_table_close(t);
    of->code = of->code ? of->code : code;
}

/* --- tables --- */

enum { COLUMNS = 13, WIDEST = 100, LONGEST = 28 }; /* of a name that stands in its row */

/* "-1234567" as "-1,234,567" */
static void group(const char *digits, char out[CLI_QUANTITY])
{
    const bool minus = digits[0] == '-';
    const size_t n = strlen(digits + minus);
    size_t used = 0;

    if (minus)
        out[used++] = '-';
    for (size_t i = 0; i < n && used + 2 < CLI_QUANTITY; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[minus + i];
    }
    out[used] = '\0';
}

void stat_figure_text(const struct stat_figure *f, char out[CLI_QUANTITY])
{
    if (!f->known)
        snprintf(out, CLI_QUANTITY, "-");
    else if (f->text[strspn(f->text, "-0123456789")] == '\0')
        group(f->text, out);
    else
        cli_quantity_digits(f->number, "", 4, false, out);
}

/* ">= 1,502": something is open that is older than the longest of all that ended. */
static bool is_older(const struct rep_tree *item, const char *path, const struct rep_tree *value,
                     uint64_t *age)
{
    const struct rep_tree *oldest = tree_item(item, "open_ages", 0);

    *age = oldest ? (uint64_t)oldest->n : 0;
    return oldest && strcmp(path, "latency.max") == 0 &&
           (value->what == TREE_NULL || oldest->n > value->n);
}

/* Is it a share of 1, which people want in percent? */
static bool is_share(const char *path)
{
    return strcmp(path, "share") == 0 || strcmp(path, "full") == 0;
}

static void set_cell(char out[CLI_QUANTITY], const struct rep_tree *item, const char *path)
{
    const struct rep_tree *value = tree_at(item, path);
    char text[CLI_QUANTITY];
    uint64_t age;

    if (!value || value->what == TREE_ABSENT) {
        snprintf(out, CLI_QUANTITY, "%s", is_share(path) ? "-" : "");
        return;
    }
    if (is_older(item, path, value, &age)) {
        snprintf(out, CLI_QUANTITY, ">= %s", cli_grouped(age));
        return;
    }
    snprintf(text, sizeof text, "%.15g", value->real);
    if (value->what == TREE_INT)
        pc_wide_text(tree_wide(value->n), text);
    if (value->what == TREE_NULL)
        snprintf(out, CLI_QUANTITY, "-");
    else if (is_share(path))
        snprintf(out, CLI_QUANTITY, "%.2f %%", 100 * tree_real(item, path));
    else if (text[strspn(text, "-0123456789")] == '\0')
        group(text, out);
    else
        cli_quantity_digits(value->real, "", 4, false, out);
}

void stat_figure_row(struct cli_table *t, const char *name, const struct rep_tree *item,
                     const char *const *paths)
{
    char cell[CLI_QUANTITY];

    cli_cell(t, name);
    for (size_t c = 0; paths[c]; c++) {
        set_cell(cell, item, paths[c]);
        cli_cell(t, cell);
    }
}

struct cli_table *stat_figure_table(FILE *out, const char *head, const char *const *heads,
                                    const unsigned char *lost)
{
    struct cli_table *t = cli_table_open(out, &(struct cli_look){ .gap = 2, .widest = WIDEST });

    fputc('\n', out);
    cli_table_column(
        t, &(struct cli_column){ .head = head, .most = LONGEST, .left = true, .apart = true });
    for (size_t c = 0; heads[c]; c++) {
        struct cli_column column = { .head = heads[c] };
        for (unsigned char n = 0; lost[n]; n++)
            if (lost[n] == c)
                column.lost = n + 1u;
        cli_table_column(t, &column);
    }
    return t;
}

static void set_time(char out[CLI_QUANTITY], const struct rep_tree *item, const char *path)
{
    const struct rep_tree *value = tree_at(item, path);
    char text[CLI_QUANTITY];
    uint64_t age;

    out[0] = '\0';
    if (!value)
        return;
    const bool older = is_older(item, path, value, &age);
    if (!older && value->what != TREE_INT && value->what != TREE_REAL)
        return;
    const double cycles = older                     ? (double)age
                          : value->what == TREE_INT ? (double)value->n
                                                    : value->real;
    cli_quantity_digits(cycles * tree_real(item, "cycle_seconds"), "s", 6, false, text);
    snprintf(out, CLI_QUANTITY, "%s%.*s", older ? ">= " : "", CLI_QUANTITY - 4, text);
}

/* Adds a row with the figures in cycles converted to time. */
static void add_times(struct cli_table *t, const struct rep_tree *item, const char *const *paths)
{
    char cell[CLI_QUANTITY];

    if (!(tree_real(item, "cycle_seconds") > 0))
        return;
    cli_cell(t, "");
    for (size_t c = 0; paths[c]; c++) {
        cell[0] = '\0';
        if (strncmp(paths[c], "latency.", 8) == 0)
            set_time(cell, item, paths[c]);
        cli_cell(t, cell);
    }
    cli_row_end(t);
}

struct kind {
    const char *list, *head;
    const char *path[COLUMNS], *title[COLUMNS];
    unsigned char lost[10]; /* left out first; 0 ends them */
};
static const struct kind of_values = {
    "values",
    "value",
    { "count", "min", "mean", "p50", "p90", "p95", "p99", "max", "sum", "first", "last", "delta",
      NULL },
    { "samples", "min", "mean", "p50", "p90", "p95", "p99", "max", "sum", "first", "last", "delta",
      NULL },
    { 11, 10, 9, 8, 5, 4, 3, 1 },
};
static const struct kind of_latencies = {
    "latencies",
    "latency, cycles",
    { "completed", "latency.min", "latency.mean", "latency.p50", "latency.p90", "latency.p95",
      "latency.p99", "latency.max", "outstanding.mean", "outstanding.max", NULL },
    { "completed", "min", "mean", "p50", "p90", "p95", "p99", "max", "in flight", "max in flight",
      NULL },
    { 5, 8, 1, 4, 3 },
};

static const struct kind of_levels = {
    "levels",
    "level",
    { "count", "min", "mean", "p50", "p90", "p95", "p99", "max", "full", NULL },
    { "cycles", "min", "mean", "p50", "p90", "p95", "p99", "max", "full", NULL },
    { 5, 4, 3, 1 },
};

static int print_kind(FILE *out, const struct rep_tree *root, const struct kind *kind)
{
    const struct rep_tree *item;

    if (!tree_item(root, kind->list, 0))
        return CLI_OK;
    struct cli_table *t = stat_figure_table(out, kind->head, kind->title, kind->lost);
    for (size_t i = 0; (item = tree_item(root, kind->list, i)) != NULL; i++) {
        stat_figure_row(t, tree_text(item, "name"), item, kind->path);
        cli_row_end(t);
        add_times(t, item, kind->path);
    }
    return cli_table_close(t);
}

/* Prints the percentiles of --percentile, a line for each. */
static void print_percentiles(FILE *out, const struct rep_tree *root)
{
    static const char *const lists[][2] = { { "values", "percentiles" },
                                            { "latencies", "latency.percentiles" },
                                            { "levels", "percentiles" } };
    const struct rep_tree *item;

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (size_t i = 0; (item = tree_item(root, lists[k][0], i)) != NULL; i++) {
            const struct rep_tree *map = tree_at(item, lists[k][1]);
            if (!rep_has_percentiles(map))
                continue;
            cli_print_between(out, "percentiles of ", tree_text(item, "name"), ":");
            rep_print_percentiles(out, map, k == 1 ? "cycles" : "");
        }
}

/* Prints the figures that are rarely other than 0. */
static void print_oddities(FILE *out, const struct rep_tree *root)
{
    static const char *const odd[][2] = { { "orphans", "orphans" },
                                          { "aborted", "aborted" },
                                          { "unfinished", "unfinished" },
                                          { "unknown_id", "with an unknown identifier" } };
    const struct rep_tree *item;

    for (size_t i = 0; (item = tree_item(root, "latencies", i)) != NULL; i++) {
        const char *comma = ": ";
        for (size_t k = 0; k < 4; k++) {
            const uint64_t count = (uint64_t)tree_count(item, odd[k][0]);
            if (count == 0)
                continue;
            if (comma[0] == ':') {
                fputs("note: ", out);
                cli_print_name(out, tree_text(item, "name"));
            }
            fprintf(out, "%s%s %s", comma, cli_grouped(count), odd[k][1]);
            comma = ", ";
        }
        if (comma[0] == ',')
            fputc('\n', out);
    }
}

static void print_one_tainted(FILE *out, const struct rep_tree *item, uint64_t count,
                              const char *one, const char *what)
{
    if (count == 0)
        return;
    fputs("tainted: ", out);
    cli_print_name(out, tree_text(item, "name"));
    fprintf(out, ": unknown%s in %s%s\n", strcmp(one, "cycle") == 0 ? " inputs matter" : "",
            cli_count(count, one), what);
}

static void print_tainted(FILE *out, const struct rep_tree *root)
{
    const struct rep_tree *item;

    for (size_t i = 0; (item = tree_item(root, "values", i)) != NULL; i++)
        print_one_tainted(out, item, (uint64_t)tree_count(item, "unknown"), "sample",
                          ", which are in no figure");
    for (size_t i = 0; (item = tree_item(root, "latencies", i)) != NULL; i++) {
        const struct rep_tree *of = tree_value(item, "tainted", TREE_OBJECT);
        if (of)
            print_one_tainted(out, item,
                              (uint64_t)(tree_count(of, "start") + tree_count(of, "end")), "cycle",
                              " of its start or end");
    }
    for (size_t i = 0; (item = tree_item(root, "states", i)) != NULL; i++)
        print_one_tainted(out, item, (uint64_t)tree_count(item, "unknown"), "sample",
                          ", which are of no state");
    for (size_t i = 0; (item = tree_item(root, "levels", i)) != NULL; i++)
        print_one_tainted(out, item, (uint64_t)tree_count(item, "tainted"), "cycle",
                          " of what comes in or goes out");
}

/* Notes levels without a capacity, of which nothing is full. */
static void print_capacities(FILE *out, const struct rep_tree *root)
{
    const struct rep_tree *item;

    for (size_t i = 0; (item = tree_item(root, "levels", i)) != NULL; i++) {
        if (tree_value(item, "capacity", TREE_INT))
            continue;
        fputs("note: ", out);
        cli_print_name(out, tree_text(item, "name"));
        fputs(": full is not known without a capacity: give one, like /16, at the end\n", out);
    }
}

int stat_measure_text(FILE *out, const struct rep_tree *root, const struct stat_job *j)
{
    int code = print_kind(out, root, &of_values);

    if (code == CLI_OK)
        code = print_kind(out, root, &of_latencies);
    if (code == CLI_OK)
        code = print_kind(out, root, &of_levels);
    if (code == CLI_OK)
        code = stat_machine_text(out, root);
    print_percentiles(out, root);
    print_oddities(out, root);
    print_capacities(out, root);
    print_tainted(out, root);
    struct text_of of = { out, code };
    if (j)
        stat_measure_buckets(j, print_buckets, &of);
    return of.code;
}
