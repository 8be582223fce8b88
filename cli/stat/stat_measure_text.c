/* SPDX-License-Identifier: MIT */
/* Prints measurements for people: tables of figures of a report, histograms of a run. */
#include "stat_machine.h"
#include "stat_report.h"
#include "text/cells.h"

#include <stdlib.h>
#include <string.h>

/* --- histograms --- */

static void print_buckets(void *ctx, const struct stat_measure *m, const char *name,
                          const struct stat_bucket *bucket, size_t count)
{
    static const char bar[] = "########################################";
    FILE *out = ctx;
    int width[2] = { 0, 0 };
    double most = 0;

    (void)m;
    fputc('\n', out);
    cli_print_name(out, name);
    fputs(count ? "\n" : ": no value, or too many different ones\n", out);
    for (size_t i = 0; i < count; i++) {
        width[0] = cli_larger(width[0], (int)strlen(bucket[i].text));
        width[1] = cli_larger(width[1], (int)strlen(cli_grouped(bucket[i].count)));
        most = bucket[i].share > most ? bucket[i].share : most;
    }
    for (size_t i = 0; i < count; i++) {
        const int length = (int)((double)(sizeof bar - 1) * bucket[i].share / most + 0.5);
        fprintf(out, "  %*s  %*s  %6.2f %%%s%.*s\n", width[0], bucket[i].text, width[1],
                cli_grouped(bucket[i].count), 100 * bucket[i].share, length ? "  " : "", length,
                bar);
    }
}

/* --- tables --- */

enum { COLUMNS = STAT_TABLE_COLUMNS };

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
        strcpy(out, is_share(path) ? "-" : "");
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

void stat_text_row(struct stat_text_table *t, const char *name, const struct rep_tree *item,
                   const char *const *paths)
{
    struct stat_text_row *row = &t->row[t->rows++];

    row->name = name;
    for (size_t c = 0; paths[c]; c++)
        set_cell(row->cell[c], item, paths[c]);
}

struct stat_text_table *stat_text_table(size_t rows)
{
    struct stat_text_table *t = calloc(1, sizeof *t + rows * sizeof *t->row);

    if (!t)
        (void)cli_no_memory();
    return t;
}

static void set_time(char out[CLI_QUANTITY], const struct rep_tree *item, const char *path)
{
    const struct rep_tree *value = tree_at(item, path);
    char text[CLI_QUANTITY];
    uint64_t age;

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
static void add_times(struct stat_text_table *t, const struct rep_tree *item,
                      const char *const *paths)
{
    if (!(tree_real(item, "cycle_seconds") > 0))
        return;
    t->row[t->rows].name = "";
    for (size_t c = 0; paths[c]; c++)
        if (strncmp(paths[c], "latency.", 8) == 0)
            set_time(t->row[t->rows].cell[c], item, paths[c]);
    t->rows++;
}

/* --- a width that fits --- */

enum { WIDEST = 100, LONGEST = 28 }; /* columns; of a name that stands in its row */

/* Columns are left out until the table fits: 0 width. */
static void fit(int width[COLUMNS], int name, const unsigned char *lost)
{
    int all = name;

    for (size_t c = 0; c < COLUMNS; c++)
        all += width[c] ? width[c] + 2 : 0;
    for (size_t i = 0; all > WIDEST && lost[i]; i++) {
        all -= width[lost[i]] + 2;
        width[lost[i]] = 0;
    }
}

static void print_lost(FILE *out, const int width[COLUMNS], const char *const *heads)
{
    const char *comma = "not shown (too wide): ";

    for (size_t c = 0; heads[c]; c++)
        if (width[c] == 0) {
            fprintf(out, "%s%s", comma, heads[c]);
            comma = ", ";
        }
    if (comma[0] == ',')
        fputc('\n', out);
}

static void print_row(FILE *out, const struct stat_text_table *t, size_t r, int first,
                      const int width[COLUMNS])
{
    const bool is_long = (int)cli_columns(t->row[r].name) > first;
    size_t last = 0;

    for (size_t c = 0; c < COLUMNS; c++)
        last = width[c] && t->row[r].cell[c][0] ? c + 1 : last;
    if (is_long) {
        cli_print_name(out, t->row[r].name);
        fputc('\n', out);
    }
    cli_print_padded(out, is_long ? "" : t->row[r].name, (size_t)first);
    for (size_t c = 0; c < last; c++)
        if (width[c])
            cli_print_right(out, t->row[r].cell[c], width[c] + 2);
    fputc('\n', out);
}

void stat_print_table(FILE *out, const struct stat_text_table *t, const char *head,
                      const char *const *heads, const unsigned char *lost)
{
    int first = (int)strlen(head), width[COLUMNS] = { 0 };

    for (size_t r = 0; r < t->rows; r++) {
        const int name = (int)cli_columns(t->row[r].name);
        first = name <= LONGEST ? cli_larger(first, name) : first;
    }
    for (size_t c = 0; heads[c]; c++) {
        width[c] = (int)strlen(heads[c]);
        for (size_t r = 0; r < t->rows; r++)
            width[c] = cli_larger(width[c], (int)cli_columns(t->row[r].cell[c]));
    }
    fit(width, first, lost);
    fprintf(out, "\n%-*s", first, head);
    for (size_t c = 0; heads[c]; c++)
        if (width[c])
            fprintf(out, "  %*s", width[c], heads[c]);
    fputc('\n', out);
    for (size_t r = 0; r < t->rows; r++)
        print_row(out, t, r, first, width);
    print_lost(out, width, heads);
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
    size_t n = 0;

    while (tree_item(root, kind->list, n))
        n++;
    if (n == 0)
        return CLI_OK;
    struct stat_text_table *t = stat_text_table(2 * n);
    if (!t)
        return CLI_LIMIT;
    for (size_t i = 0; (item = tree_item(root, kind->list, i)) != NULL; i++) {
        stat_text_row(t, tree_text(item, "name"), item, kind->path);
        add_times(t, item, kind->path);
    }
    stat_print_table(out, t, kind->head, kind->title, kind->lost);
    free(t);
    return CLI_OK;
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
    if (j)
        stat_measure_buckets(j, print_buckets, out);
    return code;
}
