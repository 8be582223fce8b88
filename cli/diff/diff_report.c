/* SPDX-License-Identifier: MIT */
/* The rows of a comparison: as text, and as a tree. */
#include "diff/diff.h"
#include "text/quantity.h"
#include "text/table.h"

#include <math.h>
#include <string.h>

enum { CELL = CLI_QUANTITY };

/* "4,824", "72.68 %", "not measured" */
static void value_text(const struct diff_item *i, char out[CELL])
{
    if (!i)
        snprintf(out, CELL, "-");
    else if (!i->measured)
        snprintf(out, CELL, "not measured");
    else if (!i->metric)
        snprintf(out, CELL, "%s", cli_grouped(i->count));
    else
        cli_quantity_digits(i->number, i->unit, 6, false, out);
}

/* Returns the difference of values that are both there and exact enough. */
static struct rep_cell difference_of(const struct diff_row *r)
{
    const struct diff_item *a = r->before, *b = r->after;

    if (!a || !b || !a->measured || !b->measured || r->verdict == DIFF_UNKNOWN ||
        r->verdict == DIFF_UNIT)
        return rep_null();
    if (a->metric)
        return rep_number(b->number - a->number, 16);
    return b->count < a->count ? rep_minus(a->count - b->count) : rep_count(b->count - a->count);
}

/* "+176" */
static void difference_text(const struct diff_row *r, char out[CELL])
{
    const struct rep_cell by = difference_of(r);

    out[0] = '\0';
    if (by.what == REP_IS_NUMBER && isfinite(by.as.number))
        cli_quantity_digits(by.as.number, cli_has_prefix(r->before->unit) ? r->before->unit : "", 6,
                            true, out);
    else if (by.what == REP_IS_COUNT || by.what == REP_IS_MINUS)
        snprintf(out, CELL, "%s%s",
                 by.what == REP_IS_MINUS ? "-"
                 : by.as.count           ? "+"
                                         : "",
                 cli_grouped(by.as.count));
}

static void percent_text(const struct diff_row *r, char out[CELL])
{
    out[0] = '\0'; /* also where it is less than a double can resolve */
    if (r->has_percent && (r->percent < 0 || r->percent > 0))
        snprintf(out, CELL, fabs(r->percent) < 0.005 ? "%+.1e %%" : "%+.2f %%", r->percent);
}

/* --- text --- */

static bool is_inexact(const struct diff_report *report, const struct diff_item *i)
{
    return i && (report->partial || strcmp(i->state, "exact") != 0);
}

/* ", before tainted" */
static void state_text(const char *side, const struct diff_report *report,
                       const struct diff_item *i, char out[CELL])
{
    out[0] = '\0';
    if (is_inexact(report, i))
        snprintf(out, CELL, ", %s %.30s", side, report->partial ? "partial" : i->state);
}

static void text_row(struct cli_table *t, const struct diff_pair *p, const struct diff_row *r)
{
    const bool judged =
        (r->verdict != DIFF_SAME && r->verdict != DIFF_OTHER) || is_inexact(p->before, r->before);
    char cell[CELL], before[CELL], after[CELL];

    value_text(r->before, cell);
    cli_cell(t, cell);
    value_text(r->after, cell);
    cli_cell(t, cell);
    difference_text(r, cell);
    cli_cell(t, cell);
    percent_text(r, cell);
    cli_cell(t, cell);
    state_text("before", p->before, r->before, before);
    state_text("after", p->after, r->after, after);
    cli_cell_print(t, "%s%s%s%s%s", (r->before ? r->before : r->after)->name, judged ? ": " : "",
                   judged ? diff_verdicts[r->verdict] : "", before, after);
    cli_row_end(t);
}

static void text_warnings(FILE *out, const char *side, const struct diff_report *r)
{
    for (size_t i = 0; i < r->warnings; i++) {
        fprintf(out, "warning %s: ", side);
        cli_print_name(out, r->warning[i]);
        fputc('\n', out);
    }
}

/* Leaves out equal figures of measurements, buses and nets, of which there are hundreds. */
static bool is_told(const struct diff_row *r)
{
    return !(r->before ? r->before : r->after)->figure || r->verdict != DIFF_SAME;
}

static void text_tolerance(FILE *out, const struct diff_tolerance *t)
{
    if (t->all > 0 || t->count > 0)
        fprintf(out, ", tolerance %.6g %%", t->all);
    for (size_t i = 0; i < t->count; i++) {
        fputs(", of ", out);
        cli_print_name(out, t->of[i].pattern);
        fprintf(out, " %.6g %%", t->of[i].percent);
    }
}

static int text_sides(FILE *out, const struct diff_pair *p)
{
    static const struct cli_column column[] = { { .named = "report", .left = true },
                                                { .named = "waveform", .left = true } };
    struct cli_table *t = cli_table_open(out, &(struct cli_look){ .gap = 2, .bare = true });

    cli_table_columns(t, column, 2);
    cli_cell(t, "before");
    cli_cell(t, p->before->trace);
    cli_row_end(t);
    cli_cell(t, "after");
    cli_cell(t, p->after->trace);
    cli_row_end(t);
    return cli_table_close(t);
}

static int text_rows(FILE *out, const struct diff_options *o, const struct diff_pair *p)
{
    struct cli_column column[] = { { .head = "before" },
                                   { .head = "after" },
                                   { .head = "difference" },
                                   { .named = "percent" },
                                   { .named = "name", .left = true } };
    struct cli_table *t = cli_table_open(out, &(struct cli_look){ .indent = 2, .gap = 2 });

    if (o->per_cycle)
        column[3].head = p->before->kind == DIFF_ACTIVITY ? "per time unit" : "per cycle";
    cli_table_columns(t, column, sizeof column / sizeof *column);
    fputc('\n', out);
    for (size_t i = 0; i < p->rows; i++)
        if (is_told(&p->row[i]))
            text_row(t, p, &p->row[i]);
    return cli_table_close(t);
}

static int text_pair(FILE *out, const struct diff_options *o, const struct diff_pair *p)
{
    size_t same = 0, told = 0;
    int code = text_sides(out, p);

    for (size_t i = 0; i < p->rows; i++) {
        same += p->row[i].verdict == DIFF_SAME;
        told += is_told(&p->row[i]);
    }
    if (told > 0 && code == CLI_OK)
        code = text_rows(out, o, p);
    fputs(p->differs ? "\ndifferent" : "\nno difference", out);
    text_tolerance(out, &o->tolerance);
    fprintf(out, ": %zu of %zu are the same\n", same, p->rows);
    text_warnings(out, "before", p->before);
    text_warnings(out, "after", p->after);
    return code;
}

/* --- for programs --- */

static const char *const kinds[] = { "count", "metric", NULL };

static const struct rep_field row_fields[] = {
    { "name", REP_TEXT, .about = "its name in the reports" },
    { "kind", REP_WORD, .about = "what it is", .words = kinds },
    { "unit", REP_TEXT,
      .about = "of a metric its unit, before if it is in both reports; else empty" },
    { "after_unit", REP_TEXT,
      .about = "its unit after, another one where the verdict is other unit; null: not in the "
               "report after",
      .flags = REP_NULL },
    { "before", REP_NUMBER, .about = "the value before; null: none, or not measured",
      .flags = REP_NULL },
    { "before_state", REP_WORD,
      .about = "how far the value before holds; partial: that run was interrupted; null: not in "
               "the report",
      .flags = REP_NULL, .words = diff_states },
    { "after", REP_NUMBER, .about = "the value after; null: none, or not measured",
      .flags = REP_NULL },
    { "after_state", REP_WORD, .about = "how far the value after holds", .flags = REP_NULL,
      .words = diff_states },
    { "difference", REP_NUMBER, .about = "after minus before; null: not known", .flags = REP_NULL },
    { "percent", REP_NUMBER,
      .about = "how much more, in percent of the value before; null: not known, or more than 0",
      .flags = REP_NULL },
    { "verdict", REP_WORD,
      .about = "what became of it; not compared: another number of cycles, with --per-cycle; other "
               "unit: of "
               "a metric",
      .words = diff_verdicts },
    { .name = NULL },
};

static const struct rep_field warning = { "warning", REP_TEXT, .csv = "name" };

enum { PAIR_BEFORE, PAIR_AFTER, DIFFERS, COUNTS, BEFORE_WARNINGS, AFTER_WARNINGS };
static const struct rep_field pair_fields[] = {
    { "before", REP_TEXT, .about = "the waveform of the report before", .csv = "before_trace" },
    { "after", REP_TEXT, .about = "that of the one after", .csv = "after_trace" },
    { "differs", REP_BOOL, .about = "true: a count differs, or is unknown, or in one only" },
    { "counts", REP_LIST, .about = "cycles, counts, metrics", .flags = REP_ROW, .field = row_fields,
      .item = "a count or a metric before and after" },
    { "before_warnings", REP_LIST, .about = "warnings of the report before", .flags = REP_ROW,
      .value = &warning, .fixed = "kind=warning,verdict=before" },
    { "after_warnings", REP_LIST, .about = "those of the one after", .flags = REP_ROW,
      .value = &warning, .fixed = "kind=warning,verdict=after" },
    { .name = NULL },
};

static const struct rep_field tolerance_fields[] = {
    { "pattern", REP_TEXT, .about = "of names", .flags = REP_NO_CSV },
    { "percent", REP_NUMBER, .about = "of the values before", .flags = REP_NO_CSV },
    { .name = NULL },
};

enum { BEFORE, AFTER, TOLERANCE, PER_CYCLE, TOLERANCES, REPORTS };
static const struct rep_field fields[] = {
    { "before", REP_TEXT, .about = "the file of the reports before", .flags = REP_NO_CSV },
    { "after", REP_TEXT, .about = "the file of those after", .flags = REP_NO_CSV },
    { "tolerance_percent", REP_NUMBER, .about = "--tolerance" },
    { "per_cycle", REP_BOOL, .about = "--per-cycle: percent and verdict are of counts a cycle" },
    { "tolerances", REP_LIST,
      .about = "--tolerance with patterns: of those that match a name the last holds",
      .flags = REP_NO_CSV, .field = tolerance_fields, .item = "a tolerance" },
    { "reports", REP_LIST, .about = "pairs of reports, in order", .flags = REP_SOME,
      .field = pair_fields, .item = "a report before and the one after that belongs to it" },
    { .name = NULL },
};

const struct rep_def diff_report = {
    .schema = "pcounter-diff-2",
    .call = "pcounter diff",
    .about = "Two reports of counts, count by count.",
    .field = fields,
    .columns = "before_trace,after_trace,kind,name,unit,before,before_state,after,after_state,"
               "difference,percent,verdict,after_unit",
    .test = "name",
    .verdict = "verdict",
    .passed = "same,within tolerance,not compared",
};

static struct rep_cell value_of(const struct diff_item *i)
{
    if (!i || !i->measured)
        return rep_null();
    return i->metric ? rep_number(i->number, 16) : rep_count(i->count);
}

static struct rep_cell state_of(const struct diff_report *report, const struct diff_item *i)
{
    return rep_text(!i ? NULL : report->partial ? "partial" : i->state);
}

static void put_warnings(struct rep *r, unsigned field, const struct diff_report *report)
{
    for (size_t i = 0; i < report->warnings; i++)
        rep_item(r, field, rep_text(report->warning[i]));
}

static void put_pair(struct rep *r, const struct diff_pair *p)
{
    rep_begin(
        r, REPORTS,
        REP_CELLS(rep_text(p->before->trace), rep_text(p->after->trace), rep_bool(p->differs)));
    for (size_t n = 0; n < p->rows; n++) {
        const struct diff_row *row = &p->row[n];
        const struct diff_item *i = row->before ? row->before : row->after;
        rep_row(r, COUNTS,
                REP_CELLS(rep_text(i->name), rep_text(kinds[i->metric]), rep_text(i->unit),
                          rep_text(row->after ? row->after->unit : NULL), value_of(row->before),
                          state_of(p->before, row->before), value_of(row->after),
                          state_of(p->after, row->after), difference_of(row),
                          row->has_percent ? rep_number(row->percent, 15) : rep_null(),
                          rep_text(diff_verdicts[row->verdict])));
    }
    put_warnings(r, BEFORE_WARNINGS, p->before);
    put_warnings(r, AFTER_WARNINGS, p->after);
    rep_end(r);
}

int diff_print(struct rep *r, const struct diff_options *o, const struct diff_pair *pair,
               size_t count)
{
    FILE *page = rep_page(r);
    int code = CLI_OK;

    for (size_t i = 0; page && i < count && code == CLI_OK; i++) {
        fputs(i ? "\n" : "", page);
        code = text_pair(page, o, &pair[i]);
    }
    if (!rep_has_rows(r))
        return code;
    rep_root(r, REP_CELLS(rep_text(cli_input_name(o->before)), rep_text(cli_input_name(o->after)),
                          rep_number(o->tolerance.all, 15), rep_bool(o->per_cycle)));
    for (size_t i = 0; i < o->tolerance.count; i++)
        rep_row(r, TOLERANCES,
                REP_CELLS(rep_text(o->tolerance.of[i].pattern),
                          rep_number(o->tolerance.of[i].percent, 15)));
    for (size_t i = 0; i < count; i++)
        put_pair(r, &pair[i]);
    return code;
}
