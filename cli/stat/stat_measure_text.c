/* SPDX-License-Identifier: MIT */
/* Prints --value and --latency for people: tables of figures, and histograms. */
#include "stat_report.h"
#include "text/cells.h"

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

enum { COLUMNS = 13 };
struct table {
    size_t rows;
    struct table_row {
        const char *name; /* "": none */
        char cell[COLUMNS][CLI_QUANTITY];
    } row[];
};

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
static bool is_older(const struct stat_figure *f)
{
    return f->bounded && strcmp(f->name, "max") == 0 && (!f->known || f->bound.least > f->number);
}

static void set_cell(char out[CLI_QUANTITY], const struct stat_figure *f)
{
    if (is_older(f))
        snprintf(out, CLI_QUANTITY, ">= %s", cli_grouped((uint64_t)f->bound.least));
    else
        stat_figure_text(f, out);
}

/* The figures of one by their names. */
static void add_row(struct table *t, const struct stat_measure *m, const char *const *names)
{
    struct stat_figure f;

    t->row[t->rows].name = m->name;
    for (size_t i = 0; stat_figure_at(m, i, &f); i++)
        for (size_t c = 0; names[c]; c++)
            if (strcmp(names[c], f.name) == 0)
                set_cell(t->row[t->rows].cell[c], &f);
    t->rows++;
}

static void set_time(char out[CLI_QUANTITY], const struct stat_measure *m,
                     const struct stat_figure *f)
{
    const bool older = is_older(f);
    char text[CLI_QUANTITY];

    cli_quantity_digits((older ? f->bound.least : f->number) * m->cycle_seconds, "s", 6, false,
                        text);
    snprintf(out, CLI_QUANTITY, "%s%.*s", older ? ">= " : "", CLI_QUANTITY - 4, text);
}

/* Adds a row with the figures in cycles converted to time. */
static void add_times(struct table *t, const struct stat_measure *m, const char *const *names)
{
    struct stat_figure f;

    if (!(m->cycle_seconds > 0))
        return;
    t->row[t->rows].name = "";
    for (size_t i = 0; stat_figure_at(m, i, &f); i++)
        for (size_t c = 0; names[c]; c++)
            if (strcmp(names[c], f.name) == 0 && strcmp(f.unit, "cycles") == 0 &&
                (f.known || is_older(&f)))
                set_time(t->row[t->rows].cell[c], m, &f);
    t->rows++;
}

/* --- a width that fits --- */

enum { WIDEST = 100, LONGEST = 28 }; /* columns; of a name that stands in its row */

/* Columns are left out until the table fits, those first that others tell, too: 0 width. */
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

static void print_row(FILE *out, const struct table *t, size_t r, int first,
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

static void print_table(FILE *out, const struct table *t, const char *head,
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

static void print_kind(FILE *out, const struct stat_job *j, enum stat_measure_kind kind)
{
    static const char *const figures[][COLUMNS] = {
        { "count", "min", "mean", "p50", "p90", "p99", "max", "sum", "first", "last", "delta",
          NULL },
        { "completed", "min", "mean", "p50", "p90", "p99", "max", "outstanding.mean",
          "outstanding.max", NULL }
    };
    static const char *const heads[][COLUMNS] = { { "samples", "min", "mean", "p50", "p90", "p99",
                                                    "max", "sum", "first", "last", "delta", NULL },
                                                  { "completed", "min", "mean", "p50", "p90", "p99",
                                                    "max", "mean open", "most open", NULL } };
    static const unsigned char lost[][8] = { { 10, 9, 8, 7, 4, 3, 1 }, { 7, 1, 4, 3 } };
    const struct stat_measures *all = &j->measures;
    struct table *t = all->table; /* one at a time */

    memset(t, 0, stat_measure_table_size(all->count));
    for (size_t i = 0; i < all->count; i++) {
        if (all->item[i].kind != kind)
            continue;
        add_row(t, &all->item[i], figures[kind]);
        if (kind == STAT_LATENCY)
            add_times(t, &all->item[i], figures[kind]);
    }
    if (t->rows > 0)
        print_table(out, t, kind == STAT_VALUE ? "value" : "latency, cycles", heads[kind],
                    lost[kind]);
}

/* Prints the figures that are rarely other than 0. */
static void print_oddities(FILE *out, const struct stat_measures *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct stat_measure *m = &all->item[i];
        const struct {
            uint64_t count;
            const char *text;
        } odd[] = { { m->out.orphans, "orphans" },
                    { m->out.aborted, "aborted" },
                    { m->out.unfinished, "unfinished" },
                    { m->out.unknown_id, "with an unknown identifier" } };
        const char *comma = ": ";
        if (odd[0].count + odd[1].count + odd[2].count + odd[3].count == 0)
            continue;
        fputs("note: ", out);
        cli_print_name(out, m->name);
        for (size_t k = 0; k < 4; k++)
            if (odd[k].count > 0) {
                fprintf(out, "%s%s %s", comma, cli_grouped(odd[k].count), odd[k].text);
                comma = ", ";
            }
        fputc('\n', out);
    }
}

static void print_tainted(FILE *out, const struct stat_measures *all)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct stat_measure *m = &all->item[i];
        const uint64_t cycles = m->out.unknown + m->out.tainted[0] + m->out.tainted[1];
        if (cycles == 0)
            continue;
        fputs("tainted: ", out);
        cli_print_name(out, m->name);
        fprintf(out,
                m->kind == STAT_VALUE ? ": unknown in %s, which are in no figure\n"
                                      : ": unknown inputs matter in %s of its start or end\n",
                cli_count(cycles, m->kind == STAT_VALUE ? "sample" : "cycle"));
    }
}

size_t stat_measure_table_size(size_t measures)
{
    return sizeof(struct table) + 2 * measures * sizeof(struct table_row);
}

void stat_measure_text(FILE *out, const struct stat_job *j)
{
    if (j->measures.count == 0)
        return;
    print_kind(out, j, STAT_VALUE);
    print_kind(out, j, STAT_LATENCY);
    print_oddities(out, &j->measures);
    print_tainted(out, &j->measures);
    stat_measure_buckets(j, print_buckets, out);
}
