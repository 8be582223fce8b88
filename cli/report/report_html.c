/* SPDX-License-Identifier: MIT */
/* Reports as a page of tables: what the report says of itself, then its rows. */
#include "report/report_writer.h"

struct html {
    struct rep_flat flat;
    unsigned said;   /* members of the report that are out */
    const char *end; /* of the table that is open; NULL: none */
};

static void put_text(struct rep_buffer *b, const char *text)
{
    rep_put_escaped(b, text, rep_escape_xml);
}

static void open_table(struct rep_buffer *b, struct html *h, const char *begin, const char *end)
{
    if (h->end == end)
        return;
    if (h->end)
        rep_puts(b, h->end);
    rep_puts(b, begin);
    h->end = end;
}

static void put_fact(struct rep_buffer *b, struct html *h, const char *name,
                     const struct rep_cell *cell)
{
    static const char end[] = "</dl>\n";

    open_table(b, h, "<dl>\n", end);
    rep_puts(b, "<dt>");
    put_text(b, name);
    rep_puts(b, "</dt><dd>");
    rep_put_cell(b, cell, rep_escape_xml);
    rep_puts(b, "</dd>\n");
}

static void put_facts(const struct rep *r, struct rep_buffer *b, struct html *h, unsigned end)
{
    const struct rep_node *root = &r->node[0];

    for (; !r->def->plain && h->said < end; h->said++) {
        const struct rep_cell *cell = &root->cell[h->said];
        if (rep_says(cell))
            put_fact(b, h, root->field[h->said].name, cell);
    }
}

static bool is_number(const struct rep_cell *cell)
{
    return cell->what == REP_IS_COUNT || cell->what == REP_IS_MINUS ||
           cell->what == REP_IS_NUMBER || cell->what == REP_IS_FIXED ||
           cell->what == REP_IS_DIGITS || cell->what == REP_IS_WIDE;
}

static bool is_bar(const struct rep *r, const struct rep_place *place)
{
    return place->depth > 0 && place->depth <= r->depth &&
           r->node[place->depth - 1].field[place->field].flags & REP_BAR;
}

static void put_bar(struct rep_buffer *b, const struct rep_cell *share)
{
    rep_puts(b, "<meter value=\"");
    rep_put_cell(b, share, rep_escape_xml);
    rep_puts(b, "\">");
    rep_put_cell(b, share, rep_escape_xml);
    rep_puts(b, "</meter>");
}

static void put_row(const struct rep *r, struct rep_output *o, const struct rep_field *of)
{
    static const char end[] = "</tbody></table>\n";
    struct html *h = o->own;
    const struct rep_rows *rows = rep_rows_of(&h->flat, of);
    struct rep_buffer *b = &o->buffer;

    if (!rows)
        return;
    if (h->end != end) {
        open_table(b, h, "<table><thead><tr>", end);
        for (size_t c = 0; c < h->flat.columns; c++)
            if (!h->flat.column[c].common) {
                rep_puts(b, "<th>");
                rep_put(b, h->flat.column[c].name, h->flat.column[c].length);
                rep_puts(b, "</th>");
            }
        rep_puts(b, "</tr></thead><tbody>\n");
    }
    rep_puts(b, "<tr>");
    for (size_t c = 0; c < h->flat.columns; c++) {
        const struct rep_cell *cell = rep_cell_of(r, &rows->place[c], NULL);
        if (h->flat.column[c].common)
            continue;
        rep_puts(b, is_number(cell) ? "<td class=\"n\">" : "<td>");
        if (is_bar(r, &rows->place[c]) && is_number(cell))
            put_bar(b, cell);
        else
            rep_put_cell(b, cell, rep_escape_xml);
        rep_puts(b, "</td>");
    }
    rep_puts(b, "</tr>\n");
}

static void open(struct rep *r, struct rep_output *o)
{
    struct html *h = o->own;

    rep_flat_open(&h->flat, r->def, NULL);
}

static unsigned place_of(const struct rep *r, const struct rep_field *of)
{
    return (unsigned)((r->depth > 1 ? r->node[1].of : of) - r->def->field);
}

#define BEFORE                                                                                     \
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>pcounter</title>\n"   \
    "<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}"     \
    "th,td{padding:2px 8px;border-bottom:1px solid #ccc;text-align:left}"                          \
    ".n{text-align:right;font-variant-numeric:tabular-nums}"                                       \
    "dt{float:left;clear:left;min-width:12em;color:#555}</style></head><body>\n"
#define AFTER "</body></html>\n"

static void put_page(struct rep_buffer *b, const struct rep *r)
{
    rep_puts(b, r->part ? "" : BEFORE);
    rep_puts(b, "<h1>");
    put_text(b, r->def->call);
    rep_puts(b, "</h1>\n");
}

static void begin(struct rep *r, struct rep_output *o)
{
    const struct rep_field *of = r->node[r->depth - 1].of;

    if (!of) {
        put_page(&o->buffer, r);
        return;
    }
    put_facts(r, &o->buffer, o->own, place_of(r, of));
    put_row(r, o, of);
}

static void end(struct rep *r, struct rep_output *o)
{
    struct html *h = o->own;

    if (r->depth > 1)
        return;
    put_facts(r, &o->buffer, h, r->node[0].fields);
    if (h->end)
        rep_puts(&o->buffer, h->end);
    rep_puts(&o->buffer, r->part ? "" : AFTER);
}

/* Ends the table that is open. */
static void draws(struct rep *r, struct rep_output *o)
{
    struct html *h = o->own;

    (void)r;
    if (h->end)
        rep_puts(&o->buffer, h->end);
    h->end = NULL;
}

static void item(struct rep *r, struct rep_output *o, const struct rep_field *field,
                 const char *name, const struct rep_cell *cell)
{
    if (r->depth == 1)
        put_facts(r, &o->buffer, o->own, place_of(r, field));
    if (field->flags & REP_ROW)
        put_fact(&o->buffer, o->own, name ? name : field->value->name, cell);
}

const struct rep_writer rep_html = { .before = BEFORE,
                                     .after = AFTER,
                                     .own = sizeof(struct html),
                                     .open = open,
                                     .begin = begin,
                                     .end = end,
                                     .item = item,
                                     .draws = draws };
