/* SPDX-License-Identifier: MIT */
/* The one table of a list, for people and for programs. */
#include "list.h"

#include <stdlib.h>
#include <string.h>

bool list_wanted(const struct list_request *r, const char *name, const char *other)
{
    return !r->pattern || cli_matches(r->pattern, name) || cli_matches(r->pattern, other);
}

/* Columns before the last one are as wide as they say, without blanks at the end of the line. */
static void text_row(const struct list_table *t, const char *const *cell)
{
    int blanks = 0;

    for (size_t i = 0; i < t->columns; i++) {
        bool last = i + 1 == t->columns;
        int width = last && t->width[i] < 0 ? 0 : t->width[i];
        int length = (int)cli_columns(cell[i]), pad = (width < 0 ? -width : width) - length;
        pad = pad > 0 ? pad : 0;
        if (length > 0) {
            fprintf(t->r->page, "%*s", blanks + (width > 0 ? pad : 0), "");
            cli_print_name(t->r->page, cell[i]);
        }
        blanks = length > 0 ? (width > 0 ? 0 : pad) : blanks + pad;
        blanks += last ? 0 : 2;
    }
    fputc('\n', t->r->page);
}

void list_table_begin(struct list_table *t)
{
    if (!t->r->text)
        rep_root(t->r->rep, REP_NO_CELLS);
}

/* In the order of the report's columns. */
static void put_row(const struct list_table *t, const char *const *text)
{
    const struct rep_field *field = t->r->rows;
    struct rep_cell cell[REP_FIELDS];
    size_t n = 0;

    for (; field[n].name; n++)
        cell[n] =
            field[n].kind == REP_COUNT ? rep_count(strtoull(text[n], NULL, 10)) : rep_text(text[n]);
    rep_row(t->r->rep, 0, (struct rep_cells){ cell, n });
}

void list_table_row(struct list_table *t, const char *const *cell)
{
    if (!t->r->text) {
        put_row(t, cell);
    } else {
        if (t->rows == 0) /* titles come with the first row: nothing is nothing */
            text_row(t, t->title);
        text_row(t, cell);
    }
    t->rows++;
}

int list_no_match(const char *what, const char *pattern, const char *near)
{
    cli_note(202, "no %s matches \"%.100s\"%s%s%s", what, pattern, near[0] ? "; did you mean " : "",
             near, near[0] ? "?" : "");
    return CLI_NO;
}

int list_table_none(struct list_table *t, int code)
{
    list_table_begin(t);
    return code;
}

int list_table_end(struct list_table *t, const char *what)
{
    return t->rows ? CLI_OK : list_no_match(what, t->r->pattern ? t->r->pattern : "*", "");
}
