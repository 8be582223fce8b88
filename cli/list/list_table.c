/* SPDX-License-Identifier: MIT */
/* The one table of a list, for people and for programs. */
#include "list.h"
#include "text/table.h"

#include <stdlib.h>
#include <string.h>

bool list_wanted(const struct list_request *r, const char *name, const char *other)
{
    return !r->pattern || cli_matches(r->pattern, name) || cli_matches(r->pattern, other);
}

/* Titles come with the first row: nothing is nothing. */
static void open_text(struct list_table *t)
{
    t->table = cli_table_open(t->r->page, &(struct cli_look){ .gap = 2, .streams = true });
    for (size_t i = 0; i < t->columns; i++) {
        const bool left = t->width[i] < 0, last = i + 1 == t->columns;
        cli_table_column(
            t->table, &(struct cli_column){ .head = t->title[i],
                                            .width = left ? (last ? 0 : -t->width[i]) : t->width[i],
                                            .left = left || t->width[i] == 0 });
    }
    cli_table_head(t->table);
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
        if (t->rows == 0)
            open_text(t);
        for (size_t i = 0; i < t->columns; i++)
            cli_cell(t->table, cell[i]);
        cli_row_end(t->table);
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

int list_table_fail(struct list_table *t, int code)
{
    if (t->table)
        (void)cli_table_close(t->table);
    return code;
}

int list_table_end(struct list_table *t, const char *what)
{
    if (t->r->text && t->rows > 0)
        return cli_table_close(t->table);
    return t->rows ? CLI_OK : list_no_match(what, t->r->pattern ? t->r->pattern : "*", "");
}
