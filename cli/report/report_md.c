/* SPDX-License-Identifier: MIT */
/*
 * Reports as Markdown: what the report says of itself as a list, its rows as a table, with the
 * columns of CSV that are not the report's own.
 */
#include "report/report_writer.h"

struct md {
    struct rep_flat flat;
    unsigned said; /* members of the report that are out */
    bool table;    /* its head is out, and no line after it */
};

static const char *escape(char c)
{
    static const char special[] = "\\`*_[]<>|#";
    static const char *const escaped[] = { "\\\\", "\\`", "\\*", "\\_", "\\[",
                                           "\\]",  "\\<", "\\>", "\\|", "\\#" };

    for (unsigned i = 0; special[i]; i++)
        if (c == special[i])
            return escaped[i];
    return c == '\n' || c == '\r' || c == '\t' ? " " : NULL;
}

static void put_fact(struct rep_buffer *b, const char *name, const struct rep_cell *cell)
{
    rep_puts(b, "- ");
    rep_puts(b, name);
    rep_puts(b, ": ");
    rep_put_cell(b, cell, escape);
    rep_putc(b, '\n');
}

/* The table is over. */
static void end_table(struct rep_buffer *b, struct md *md)
{
    if (md->table)
        rep_putc(b, '\n');
    md->table = false;
}

/* Members of the report that are known by now. */
static void put_facts(const struct rep *r, struct rep_buffer *b, struct md *md, unsigned end)
{
    const struct rep_node *root = &r->node[0];

    for (; !r->def->plain && md->said < end; md->said++) {
        const struct rep_cell *cell = &root->cell[md->said];
        if (!rep_says(cell))
            continue;
        end_table(b, md);
        put_fact(b, root->field[md->said].name, cell);
    }
}

static void put_head(struct rep_buffer *b, const struct rep_flat *flat)
{
    static const char rule[] = " --- |";

    rep_puts(b, "\n|");
    for (size_t c = 0; c < flat->columns; c++)
        if (!flat->column[c].common) {
            rep_putc(b, ' ');
            rep_put(b, flat->column[c].name, flat->column[c].length);
            rep_puts(b, " |");
        }
    rep_puts(b, "\n|");
    for (size_t c = 0; c < flat->columns; c++)
        if (!flat->column[c].common)
            rep_put(b, rule, sizeof rule - 1);
    rep_putc(b, '\n');
}

static void put_row(const struct rep *r, struct rep_output *o, const struct rep_field *of)
{
    struct md *md = o->own;
    const struct rep_rows *rows = rep_rows_of(&md->flat, of);
    struct rep_buffer *b = &o->buffer;

    if (!rows)
        return;
    if (!md->table)
        put_head(b, &md->flat);
    md->table = true;
    rep_putc(b, '|');
    for (size_t c = 0; c < md->flat.columns; c++) {
        if (md->flat.column[c].common)
            continue;
        rep_putc(b, ' ');
        rep_put_cell(b, rep_cell_of(r, &rows->place[c], NULL), escape);
        rep_puts(b, " |");
    }
    rep_putc(b, '\n');
}

static void open(struct rep *r, struct rep_output *o)
{
    struct md *md = o->own;

    rep_flat_open(&md->flat, r->def, NULL);
}

/* The member of the report that is being written. */
static unsigned place_of(const struct rep *r, const struct rep_field *of)
{
    const struct rep_field *member = r->depth > 1 ? r->node[1].of : of;

    return (unsigned)(member - r->def->field);
}

static void begin(struct rep *r, struct rep_output *o)
{
    struct md *md = o->own;
    const struct rep_field *of = r->node[r->depth - 1].of;

    if (!of) {
        rep_puts(&o->buffer, "# ");
        rep_put_escaped(&o->buffer, r->def->call, escape);
        rep_puts(&o->buffer, "\n\n");
        return;
    }
    put_facts(r, &o->buffer, md, place_of(r, of));
    put_row(r, o, of);
}

static void end(struct rep *r, struct rep_output *o)
{
    if (r->depth == 1)
        put_facts(r, &o->buffer, o->own, r->node[0].fields);
}

/* An item of a list of values that are rows: "warning: ..." */
static void item(struct rep *r, struct rep_output *o, const struct rep_field *field,
                 const char *name, const struct rep_cell *cell)
{
    struct md *md = o->own;

    if (r->depth == 1)
        put_facts(r, &o->buffer, md, place_of(r, field));
    if (!(field->flags & REP_ROW))
        return;
    end_table(&o->buffer, md);
    (void)name;
    put_fact(&o->buffer, field->value->name, cell);
}

const struct rep_writer rep_md = { .between = "\n",
                                   .own = sizeof(struct md),
                                   .open = open,
                                   .begin = begin,
                                   .end = end,
                                   .item = item };
