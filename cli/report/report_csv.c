/* SPDX-License-Identifier: MIT */
/* Reports as CSV (RFC 4180): the same columns in every row, whatever it is about. */
#include "report/report_writer.h"

#include <string.h>

struct csv {
    struct rep_flat flat;
    bool safe;
};

static const char *escape(char c)
{
    return c == '"' ? "\"\"" : NULL;
}

/* Would a spreadsheet calculate it?  A number is what it is. */
static bool is_formula(const char *text)
{
    const bool number =
        (*text == '-' || *text == '+') && text[1 + strspn(text + 1, "0123456789.")] == '\0';

    return *text != '\0' && strchr("=+-@", *text) && !number;
}

/* The end of what is as it is: of most texts all, which are looked at once. */
static const char *plain_end(const char *text)
{
    while (*text >= ' ' && *text < 0x7f && *text != ',' && *text != '"')
        text++;
    return text;
}

static void put_text(struct rep_buffer *b, const char *text, bool safe)
{
    const char *end = plain_end(text);

    if (!safe && *end == '\0') {
        rep_put(b, text, (size_t)(end - text));
        return;
    }
    const bool quoted = text[strcspn(text, ",\"")] != '\0';

    if (quoted)
        rep_putc(b, '"');
    if (safe && is_formula(text))
        rep_putc(b, '\'');
    rep_put_escaped(b, text, escape);
    if (quoted)
        rep_putc(b, '"');
}

static void put_head(struct rep_buffer *b, const struct rep_flat *flat)
{
    for (size_t c = 0; c < flat->columns; c++) {
        if (c > 0)
            rep_putc(b, ',');
        rep_put(b, flat->column[c].name, flat->column[c].length);
    }
    rep_put(b, "\r\n", 2);
}

static void put_row(struct rep *r, struct rep_output *o, const struct rep_field *of,
                    const struct rep_cell *item)
{
    const struct csv *csv = o->own;
    const struct rep_rows *rows = rep_rows_of(&csv->flat, of);
    struct rep_buffer *b = &o->buffer;

    for (size_t c = 0; rows && c < csv->flat.columns; c++) {
        const struct rep_cell *cell = rep_cell_of(r, &rows->place[c], item);
        if (c > 0)
            rep_putc(b, ',');
        if (cell->what == REP_IS_TEXT)
            put_text(b, cell->as.text, csv->safe);
        else
            rep_put_cell(b, cell, NULL);
    }
    if (rows)
        rep_put(b, "\r\n", 2);
}

static void open(struct rep *r, struct rep_output *o)
{
    struct csv *csv = o->own;

    rep_flat_open(&csv->flat, r->def, NULL);
    csv->safe = r->csv_safe;
}

static void begin(struct rep *r, struct rep_output *o)
{
    if (r->depth > 1)
        put_row(r, o, r->node[r->depth - 1].of, NULL);
    else if (!r->more)
        put_head(&o->buffer, &((const struct csv *)o->own)->flat);
}

static void item(struct rep *r, struct rep_output *o, const struct rep_field *field,
                 const char *name, const struct rep_cell *cell)
{
    (void)name;
    put_row(r, o, field, cell);
}

static void total(struct rep *r, struct rep_output *o)
{
    put_row(r, o, NULL, NULL);
}

const struct rep_writer rep_csv = {
    .own = sizeof(struct csv), .open = open, .begin = begin, .item = item, .total = total
};
