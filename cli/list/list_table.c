/* SPDX-License-Identifier: MIT */
/* The one table of a list, in any format. */
#include "list.h"

#include <string.h>

bool list_wanted(const struct list_request *r, const char *name, const char *other)
{
    return !r->pattern || cli_matches(r->pattern, name) || cli_matches(r->pattern, other);
}

static void csv_row(FILE *out, const char *const *cell, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fputc(',', out);
        cli_csv_field(out, cell[i]);
    }
    cli_csv_end(out);
}

/* A cell is a JSON number where its column's name ends in '#'. */
static void json_row(FILE *out, const char *const *column, const char *const *cell, size_t count,
                     bool first)
{
    fputs(first ? " {" : ",\n {", out);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(column[i]);
        bool number = column[i][length - 1] == '#';
        fprintf(out, "%s\"%.*s\":", i ? "," : "", (int)(number ? length - 1 : length), column[i]);
        if (number)
            fputs(cell[i], out);
        else
            cli_json_string(out, cell[i]);
    }
    fputc('}', out);
}

/* Columns before the last one are as wide as they say, without blanks at the end of the line. */
static void table_text_row(const struct list_table *t, const char *const *cell)
{
    int blanks = 0;

    for (size_t i = 0; i < t->columns; i++) {
        bool last = i + 1 == t->columns;
        int width = last && t->width[i] < 0 ? 0 : t->width[i];
        int length = (int)cli_columns(cell[i]), pad = (width < 0 ? -width : width) - length;
        pad = pad > 0 ? pad : 0;
        if (length > 0) {
            fprintf(t->out, "%*s", blanks + (width > 0 ? pad : 0), "");
            cli_print_name(t->out, cell[i]);
        }
        blanks = length > 0 ? (width > 0 ? 0 : pad) : blanks + pad;
        blanks += last ? 0 : 2;
    }
    fputc('\n', t->out);
}

void list_table_begin(struct list_table *t, const char *what)
{
    if (t->format == CLI_JSON) {
        fprintf(t->out, "{\"$schema\":\"pcounter-list-%s-1\",\"data\":[\n", what);
        return;
    }
    if (t->format == CLI_TEXT)
        return; /* titles come with the first row: nothing is nothing */
    for (size_t i = 0; i < t->columns; i++)
        fprintf(t->out, "%s%.*s", i ? "," : "", (int)strcspn(t->column[i], "#"), t->column[i]);
    cli_csv_end(t->out);
}

void list_table_row(struct list_table *t, const char *const *cell)
{
    if (t->format == CLI_TEXT && t->rows == 0)
        table_text_row(t, t->title);
    if (t->format == CLI_TEXT)
        table_text_row(t, cell);
    else if (t->format == CLI_CSV)
        csv_row(t->out, cell, t->columns);
    else
        json_row(t->out, t->column, cell, t->columns, t->rows == 0);
    t->rows++;
}

int list_no_match(const char *what, const char *pattern, const char *near)
{
    cli_note(202, "no %s matches \"%.100s\"%s%s", what, pattern, near[0] ? "; near names: " : "",
             near);
    return CLI_NO;
}

int list_table_none(struct list_table *t, struct cli_out *out, const char *what, int code)
{
    if (t->format == CLI_TEXT)
        return code;
    list_table_begin(t, what);
    if (t->format == CLI_JSON)
        fputs("]}\n", t->out);
    int written = cli_out_commit(out);
    return written ? written : code;
}

/* Closes the table; no row at all is a negative answer. */
int list_table_end(struct list_table *t, struct cli_out *out, const struct list_request *r,
                   const char *what)
{
    if (t->format == CLI_JSON)
        fputs(t->rows ? "\n]}\n" : "]}\n", t->out);
    int code = cli_out_commit(out);
    if (code == CLI_OK && t->rows == 0) {
        return list_no_match(what, r->pattern ? r->pattern : "*", "");
    }
    return code;
}
