/* SPDX-License-Identifier: MIT */
/* The rows of a comparison as text, CSV and JSON. */
#include "diff/diff.h"
#include "text/quantity.h"

#include <inttypes.h>
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

/* Of values that both are there: "+176", as far as they can be taken for what they say. */
static void difference_text(const struct diff_row *r, bool grouped, char out[CELL])
{
    const struct diff_item *a = r->before, *b = r->after;

    out[0] = '\0';
    if (!a || !b || !a->measured || !b->measured || r->verdict == DIFF_UNKNOWN ||
        r->verdict == DIFF_UNIT)
        return;
    if (a->metric) {
        const double by = b->number - a->number;
        if (!isfinite(by))
            return;
        if (grouped)
            cli_quantity_digits(by, cli_has_prefix(a->unit) ? a->unit : "", 6, true, out);
        else
            snprintf(out, CELL, "%.16g", by);
        return;
    }
    const bool less = b->count < a->count;
    const uint64_t by = less ? a->count - b->count : b->count - a->count;
    const char *sign = less ? "-" : grouped && by ? "+" : "";
    if (grouped)
        snprintf(out, CELL, "%s%s", sign, cli_grouped(by));
    else
        snprintf(out, CELL, "%s%" PRIu64, sign, by);
}

static void percent_text(const struct diff_row *r, char out[CELL])
{
    out[0] = '\0'; /* where it is less than a double can tell, too */
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
    difference_text(r, true, cell[2]);
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
        fprintf(out, ": %s", diff_verdict_name(r->verdict));
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

static void text_pair(FILE *out, const struct diff_options *o, const struct diff_pair *p)
{
    static const char *const title[] = { "before", "after", "difference", "" };
    int column[4];
    size_t same = 0;

    for (int c = 0; c < 4; c++)
        column[c] = width(title[c]);
    for (size_t i = 0; i < p->rows; i++) {
        char cell[4][CELL];
        cells_of(&p->row[i], cell);
        for (int c = 0; c < 4; c++)
            column[c] = width(cell[c]) > column[c] ? width(cell[c]) : column[c];
        same += p->row[i].verdict == DIFF_SAME;
    }
    fputs("before  ", out);
    cli_print_name(out, p->before->trace);
    fputs("\nafter   ", out);
    cli_print_name(out, p->after->trace);
    fprintf(out, "\n\n");
    for (int c = 0; c < 3; c++)
        fprintf(out, "  %*s", column[c], title[c]);
    fprintf(out, "%s\n", o->per_cycle ? "  percent: of counts a cycle" : "");
    for (size_t i = 0; i < p->rows; i++)
        text_row(out, p, &p->row[i], column);
    fputs(p->differs ? "\ndifferent" : "\nno difference", out);
    if (o->tolerance > 0)
        fprintf(out, ", tolerance %.6g %%", o->tolerance);
    fprintf(out, ": %zu of %zu are the same\n", same, p->rows);
    text_warnings(out, "before", p->before);
    text_warnings(out, "after", p->after);
}

/* --- CSV --- */

static void csv_value(FILE *out, const struct diff_report *report, const struct diff_item *i)
{
    fputc(',', out);
    if (i && i->measured && i->metric)
        fprintf(out, "%.16g", i->number);
    else if (i && i->measured)
        fprintf(out, "%" PRIu64, i->count);
    fputc(',', out);
    if (i)
        cli_csv_field(out, report->partial ? "partial" : i->state);
}

/* The side is the verdict. */
static void csv_warnings(FILE *out, const struct diff_pair *p, const char *side,
                         const struct diff_report *r)
{
    for (size_t i = 0; i < r->warnings; i++) {
        cli_csv_field(out, p->before->trace);
        fputc(',', out);
        cli_csv_field(out, p->after->trace);
        fputs(",warning,", out);
        cli_csv_field(out, r->warning[i]);
        fprintf(out, ",,,,,,,,%s,", side);
        cli_csv_end(out);
    }
}

static void csv_pair(FILE *out, const struct diff_pair *p)
{
    for (size_t n = 0; n < p->rows; n++) {
        const struct diff_row *r = &p->row[n];
        const struct diff_item *i = r->before ? r->before : r->after;
        char difference[CELL];
        cli_csv_field(out, p->before->trace);
        fputc(',', out);
        cli_csv_field(out, p->after->trace);
        fprintf(out, ",%s,", i->metric ? "metric" : "count");
        cli_csv_field(out, i->name);
        fputc(',', out);
        cli_csv_field(out, i->unit);
        csv_value(out, p->before, r->before);
        csv_value(out, p->after, r->after);
        difference_text(r, false, difference);
        fprintf(out, ",%s,", difference);
        if (r->has_percent)
            fprintf(out, "%.15g", r->percent);
        fprintf(out, ",%s,", diff_verdict_name(r->verdict));
        if (r->after)
            cli_csv_field(out, r->after->unit);
        cli_csv_end(out);
    }
    csv_warnings(out, p, "before", p->before);
    csv_warnings(out, p, "after", p->after);
}

/* --- JSON --- */

static void json_value(FILE *out, const char *name, const struct diff_report *report,
                       const struct diff_item *i)
{
    fprintf(out, ", \"%s\": ", name);
    if (!i || !i->measured)
        fputs("null", out);
    else if (i->metric)
        fprintf(out, "%.16g", i->number);
    else
        fprintf(out, "\"%" PRIu64 "\"", i->count);
    fprintf(out, ", \"%s_state\": ", name);
    if (i)
        cli_json_string(out, report->partial ? "partial" : i->state);
    else
        fputs("null", out);
}

static void json_row(FILE *out, const struct diff_pair *p, const struct diff_row *r)
{
    const struct diff_item *i = r->before ? r->before : r->after;
    char difference[CELL];

    fputs("      { \"name\": ", out);
    cli_json_string(out, i->name);
    fprintf(out, ", \"kind\": \"%s\", \"unit\": ", i->metric ? "metric" : "count");
    cli_json_string(out, i->unit);
    fputs(", \"after_unit\": ", out);
    if (r->after)
        cli_json_string(out, r->after->unit);
    else
        fputs("null", out);
    json_value(out, "before", p->before, r->before);
    json_value(out, "after", p->after, r->after);
    difference_text(r, false, difference);
    fputs(", \"difference\": ", out);
    if (!difference[0])
        fputs("null", out);
    else
        fprintf(out, i->metric ? "%s" : "\"%s\"", difference);
    fputs(", \"percent\": ", out);
    if (r->has_percent)
        fprintf(out, "%.15g", r->percent);
    else
        fputs("null", out);
    fprintf(out, ", \"verdict\": \"%s\" }", diff_verdict_name(r->verdict));
}

static void json_warnings(FILE *out, const char *name, const struct diff_report *r)
{
    fprintf(out, ", \"%s\": [", name);
    for (size_t i = 0; i < r->warnings; i++) {
        fputs(i ? ", " : "", out);
        cli_json_string(out, r->warning[i]);
    }
    fputc(']', out);
}

static void json_pair(FILE *out, const struct diff_pair *p, bool last)
{
    fputs("    { \"before\": ", out);
    cli_json_string(out, p->before->trace);
    fputs(", \"after\": ", out);
    cli_json_string(out, p->after->trace);
    fprintf(out, ", \"differs\": %s", p->differs ? "true" : "false");
    json_warnings(out, "before_warnings", p->before);
    json_warnings(out, "after_warnings", p->after);
    fputs(", \"counts\": [", out);
    for (size_t i = 0; i < p->rows; i++) {
        fputs(i ? ",\n" : "\n", out);
        json_row(out, p, &p->row[i]);
    }
    fprintf(out, "\n    ] }%s\n", last ? "" : ",");
}

static void json_print(FILE *out, const struct diff_options *o, const struct diff_pair *pair,
                       size_t count)
{
    fprintf(out, "{\n  \"$schema\": \"pcounter-diff-1\",\n  \"tool\": \"pcounter %s\",\n",
            pc_version());
    fputs("  \"before\": ", out);
    cli_json_string(out, cli_input_name(o->before));
    fputs(",\n  \"after\": ", out);
    cli_json_string(out, cli_input_name(o->after));
    fprintf(out, ",\n  \"tolerance_percent\": %.15g,\n  \"per_cycle\": %s,\n  \"reports\": [\n",
            o->tolerance, o->per_cycle ? "true" : "false");
    for (size_t i = 0; i < count; i++)
        json_pair(out, &pair[i], i + 1 == count);
    fputs("  ]\n}\n", out);
}

void diff_print(FILE *out, const struct diff_options *o, const struct diff_pair *pair, size_t count)
{
    if (o->report.format == CLI_JSON) {
        json_print(out, o, pair, count);
        return;
    }
    if (o->report.format == CLI_CSV) {
        fputs("before_trace,after_trace,kind,name,unit,before,before_state,after,after_state,"
              "difference,percent,verdict,after_unit",
              out);
        cli_csv_end(out);
    }
    for (size_t i = 0; i < count; i++) {
        if (o->report.format == CLI_CSV)
            csv_pair(out, &pair[i]);
        else {
            fputs(i ? "\n" : "", out);
            text_pair(out, o, &pair[i]);
        }
    }
}
