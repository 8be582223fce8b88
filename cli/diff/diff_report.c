/* SPDX-License-Identifier: MIT */
/* The rows of a comparison: as text, and as a tree. */
#include "diff/diff.h"
#include "text/quantity.h"

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

static int width(const char *text)
{
    return (int)cli_columns(text);
}

static void cells_of(const struct diff_row *r, char cell[4][CELL])
{
    value_text(r->before, cell[0]);
    value_text(r->after, cell[1]);
    difference_text(r, cell[2]);
    percent_text(r, cell[3]);
}

static bool is_inexact(const struct diff_report *report, const struct diff_item *i)
{
    return i && (report->partial || strcmp(i->state, "exact") != 0);
}

static void put_state(FILE *out, const char *side, const struct diff_report *report,
                      const struct diff_item *i)
{
    if (!is_inexact(report, i))
        return;
    fprintf(out, ", %s ", side);
    cli_print_name(out, report->partial ? "partial" : i->state);
}

static void text_row(FILE *out, const struct diff_pair *p, const struct diff_row *r,
                     const int column[4])
{
    char cell[4][CELL];

    cells_of(r, cell);
    for (int c = 0; c < 4; c++)
        fprintf(out, "%s%*s%s", column[c] ? "  " : "", column[c] - width(cell[c]), "", cell[c]);
    fputs("  ", out);
    cli_print_name(out, (r->before ? r->before : r->after)->name);
    if ((r->verdict != DIFF_SAME && r->verdict != DIFF_OTHER) || is_inexact(p->before, r->before))
        fprintf(out, ": %s", diff_verdicts[r->verdict]);
    put_state(out, "before", p->before, r->before);
    put_state(out, "after", p->after, r->after);
    fputc('\n', out);
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

static void text_pair(FILE *out, const struct diff_options *o, const struct diff_pair *p)
{
    static const char *const title[] = { "before", "after", "difference", "" };
    int column[4];
    size_t same = 0, told = 0;

    for (int c = 0; c < 4; c++)
        column[c] = width(title[c]);
    for (size_t i = 0; i < p->rows; i++) {
        char cell[4][CELL];
        same += p->row[i].verdict == DIFF_SAME;
        if (!is_told(&p->row[i]))
            continue;
        cells_of(&p->row[i], cell);
        for (int c = 0; c < 4; c++)
            column[c] = width(cell[c]) > column[c] ? width(cell[c]) : column[c];
        told++;
    }
    fputs("before  ", out);
    cli_print_name(out, p->before->trace);
    fputs("\nafter   ", out);
    cli_print_name(out, p->after->trace);
    fprintf(out, "\n%s", told ? "\n" : "");
    for (int c = 0; told && c < 3; c++)
        fprintf(out, "  %*s", column[c], title[c]);
    if (told)
        fprintf(out, "%s\n",
                !o->per_cycle                      ? ""
                : p->before->kind == DIFF_ACTIVITY ? "  percent: of counts a time unit"
                                                   : "  percent: of counts a cycle");
    for (size_t i = 0; i < p->rows; i++)
        if (is_told(&p->row[i]))
            text_row(out, p, &p->row[i], column);
    fputs(p->differs ? "\ndifferent" : "\nno difference", out);
    text_tolerance(out, &o->tolerance);
    fprintf(out, ": %zu of %zu are the same\n", same, p->rows);
    text_warnings(out, "before", p->before);
    text_warnings(out, "after", p->after);
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

void diff_print(struct rep *r, const struct diff_options *o, const struct diff_pair *pair,
                size_t count)
{
    FILE *page = rep_page(r);

    for (size_t i = 0; page && i < count; i++) {
        fputs(i ? "\n" : "", page);
        text_pair(page, o, &pair[i]);
    }
    if (!rep_has_rows(r))
        return;
    rep_root(r, REP_CELLS(rep_text(cli_input_name(o->before)), rep_text(cli_input_name(o->after)),
                          rep_number(o->tolerance.all, 15), rep_bool(o->per_cycle)));
    for (size_t i = 0; i < o->tolerance.count; i++)
        rep_row(r, TOLERANCES,
                REP_CELLS(rep_text(o->tolerance.of[i].pattern),
                          rep_number(o->tolerance.of[i].percent, 15)));
    for (size_t i = 0; i < count; i++)
        put_pair(r, &pair[i]);
}
