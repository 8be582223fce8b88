/* SPDX-License-Identifier: MIT */
/*
 * Reports as JSON: in one piece, or as lines that are a JSON each: one of the type "begin" with
 * what is known before the rows, an item a row, and "end" with the rest.  Members are written in
 * the order of the tree, what stands before a list when that begins; so nothing waits, and memory
 * does not grow.
 */
#include "report/report_writer.h"

#include <string.h>

/* The state of a node that is being written. */
struct level {
    unsigned next;                /* its first member that is not written yet */
    bool any;                     /* one is */
    const struct rep_field *list; /* a list or a map that is open; NULL: none */
    bool items;                   /* it has some */
};

enum line { NO_LINE, BEGIN_LINE, ITEM_LINE, END_LINE };

struct json {
    bool lines;
    enum line line; /* that is open */
    uint64_t seq;
    struct level level[REP_DEPTH];
};

/* --- pieces --- */

static const char *escape(char c)
{
    return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : NULL;
}

static void put_string(struct rep_buffer *b, const char *text)
{
    rep_putc(b, '"');
    rep_put_hiding(b, text, escape, cli_hidden_json);
    rep_putc(b, '"');
}

static void put_value(struct rep_buffer *b, const struct rep_cell *cell)
{
    if (cell->what == REP_IS_TEXT)
        put_string(b, cell->as.text);
    else if (cell->what == REP_IS_BOOL)
        rep_puts(b, cell->as.count ? "true" : "false");
    else if (cell->what == REP_IS_HEX) {
        rep_putc(b, '"');
        rep_put_cell(b, cell, NULL);
        rep_putc(b, '"');
    } else if (!rep_put_number(b, cell)) {
        rep_puts(b, "null");
    }
}

static void new_line(struct rep_buffer *b, const struct json *j, unsigned depth)
{
    static const char blanks[] = "\n              ";

    if (j->lines)
        rep_putc(b, ' ');
    else
        rep_put(b, blanks, 1 + 2 * (size_t)depth);
}

/* Members of the report have lines of their own, those of others do not. */
static void put_name(struct rep_buffer *b, const struct json *j, struct level *at, unsigned depth,
                     const char *name)
{
    if (at->any)
        rep_putc(b, ',');
    if (depth == 0)
        new_line(b, j, 1);
    else
        rep_putc(b, ' ');
    at->any = true;
    put_string(b, name);
    rep_put(b, ": ", 2);
}

static bool is_shown(const struct json *j, const struct rep_field *f)
{
    return !(f->flags & (REP_NO_JSON | (j->lines ? REP_NO_LINES | REP_STREAM : 0u)));
}

/* --- members --- */

static void close_list(struct rep_buffer *b, const struct json *j, struct level *at, unsigned depth)
{
    if (!at->list)
        return;
    if (at->items && at->list->field)
        new_line(b, j, depth + 1);
    if (at->items && at->list->kind == REP_MAP && !at->list->field)
        rep_putc(b, ' ');
    rep_putc(b, at->list->kind == REP_MAP ? '}' : ']');
    at->list = NULL;
}

static void open_list(struct rep_buffer *b, const struct json *j, struct level *at, unsigned depth,
                      const struct rep_field *f)
{
    put_name(b, j, at, depth, f->name);
    rep_putc(b, f->kind == REP_MAP ? '{' : '[');
    at->list = f;
    at->items = false;
}

/* Those before `end`; a list that was not begun has no item. */
static void put_members(const struct rep_node *node, struct rep_buffer *b, struct json *j,
                        unsigned depth, unsigned end)
{
    struct level *at = &j->level[depth];

    close_list(b, j, at, depth);
    for (; at->next < end; at->next++) {
        const struct rep_field *f = &node->field[at->next];
        const struct rep_cell *cell = &node->cell[at->next];
        if (!is_shown(j, f))
            continue;
        const bool list = f->kind == REP_LIST || f->kind == REP_MAP;
        if (cell->what == REP_IS_EMPTY ||
            (cell->what == REP_ABSENT && list && !(f->flags & REP_MAYBE))) {
            open_list(b, j, at, depth, f);
            close_list(b, j, at, depth);
        } else if (cell->what != REP_ABSENT) {
            put_name(b, j, at, depth, f->name);
            put_value(b, cell);
        }
    }
}

/* The next item of a list of the node. */
static void put_comma(const struct rep_node *node, struct rep_buffer *b, struct json *j,
                      unsigned depth, const struct rep_field *f)
{
    struct level *at = &j->level[depth];

    if (at->list != f) {
        put_members(node, b, j, depth, (unsigned)(f - node->field));
        at->next++;
        open_list(b, j, at, depth, f);
    }
    if (at->items)
        rep_putc(b, ',');
    if (f->field)
        new_line(b, j, depth + 2);
    else if (at->items || f->kind == REP_MAP)
        rep_putc(b, ' ');
    at->items = true;
}

/* --- lines --- */

static unsigned first_stream(const struct rep_node *root)
{
    unsigned i = 0;

    while (i < root->fields && !(root->field[i].flags & REP_STREAM))
        i++;
    return i;
}

static void open_line(struct rep_buffer *b, struct json *j, enum line line, const char *type)
{
    j->line = line;
    rep_puts(b, "{ \"type\": \"");
    rep_puts(b, type);
    rep_puts(b, "\", \"seq\": ");
    rep_put_count(b, j->seq);
    j->level[0].any = true;
}

static void close_line(struct rep_buffer *b, struct json *j)
{
    rep_puts(b, " }\n");
    j->line = NO_LINE;
    j->seq++;
    if (b->live) {
        rep_put_out(b);
        cli_flush(b->file);
    }
}

/* The line before the rows ends. */
static void end_begin(const struct rep *r, struct rep_buffer *b, struct json *j)
{
    if (j->line != BEGIN_LINE)
        return;
    put_members(&r->node[0], b, j, 0, first_stream(&r->node[0]));
    close_line(b, j);
}

static void begin_end(const struct rep *r, struct rep_buffer *b, struct json *j)
{
    end_begin(r, b, j);
    if (j->line == END_LINE)
        return;
    open_line(b, j, END_LINE, "end");
    rep_puts(b, ", \"items\": ");
    rep_put_count(b, j->seq - 1);
    rep_puts(b, r->partial ? ", \"partial\": true" : ", \"partial\": false");
}

/* Chooses the line for a member of the report, before it is written. */
static void choose_line(const struct rep *r, struct rep_buffer *b, struct json *j,
                        const struct rep_field *f)
{
    const struct rep_node *root = &r->node[0];

    if ((unsigned)(f - root->field) > first_stream(root))
        begin_end(r, b, j);
}

/* --- the writer --- */

static void begin_report(const struct rep *r, struct rep_buffer *b, struct json *j)
{
    const struct rep_def *def = r->def;
    struct level *at = &j->level[0];

    if (j->lines)
        open_line(b, j, BEGIN_LINE, def->line ? def->line : "begin");
    else
        rep_putc(b, '{');
    put_name(b, j, at, 0, "$schema");
    put_string(b, j->lines ? def->lines : def->schema);
    if (def->bare)
        return;
    put_name(b, j, at, 0, "tool");
    rep_puts(b, "\"pcounter ");
    rep_puts(b, pc_version());
    rep_putc(b, '"');
}

static void begin(struct rep *r, struct rep_output *o)
{
    struct json *j = o->own;
    struct rep_buffer *b = &o->buffer;
    const unsigned depth = r->depth - 1;
    const struct rep_field *of = r->node[depth].of;

    j->level[depth] = (struct level){ .next = 0 };
    if (depth == 0) {
        begin_report(r, b, j);
        return;
    }
    const struct rep_node *parent = &r->node[depth - 1];
    if (j->lines && depth == 1 && of->flags & REP_STREAM) {
        end_begin(r, b, j);
        open_line(b, j, ITEM_LINE, "item");
        put_name(b, j, &j->level[0], 0, of->one);
    } else {
        if (j->lines && depth == 1 && !r->def->line)
            choose_line(r, b, j, of);
        if (of->kind == REP_LIST || of->kind == REP_MAP) {
            put_comma(parent, b, j, depth - 1, of);
            if (r->node[depth].name) {
                put_string(b, r->node[depth].name);
                rep_put(b, ": ", 2);
            }
        } else {
            put_members(parent, b, j, depth - 1, (unsigned)(of - parent->field));
            put_name(b, j, &j->level[depth - 1], depth - 1, of->name);
            j->level[depth - 1].next++;
        }
    }
    rep_putc(b, '{');
}

static void end(struct rep *r, struct rep_output *o)
{
    struct json *j = o->own;
    struct rep_buffer *b = &o->buffer;
    const unsigned depth = r->depth - 1;

    if (j->lines && depth == 0 && !r->def->line)
        begin_end(r, b, j);
    put_members(&r->node[depth], b, j, depth, r->node[depth].fields);
    if (depth == 0 && j->lines) {
        close_line(b, j);
        return;
    }
    rep_puts(b, depth == 0 ? "\n}\n" : j->level[depth].any ? " }" : "}");
    if (j->lines && depth == 1 && j->line == ITEM_LINE)
        close_line(b, j);
}

static void item(struct rep *r, struct rep_output *o, const struct rep_field *field,
                 const char *name, const struct rep_cell *cell)
{
    struct json *j = o->own;
    const unsigned depth = r->depth - 1;

    if (!is_shown(j, field))
        return;
    if (j->lines && depth == 0 && !r->def->line)
        choose_line(r, &o->buffer, j, field);
    put_comma(&r->node[depth], &o->buffer, j, depth, field);
    if (name) {
        put_string(&o->buffer, name);
        rep_put(&o->buffer, ": ", 2);
    }
    put_value(&o->buffer, cell);
}

static void open_lines(struct rep *r, struct rep_output *o)
{
    struct json *j = o->own;

    (void)r;
    j->lines = true;
}

const struct rep_writer rep_json = { .tree = true,
                                     .before = "[\n",
                                     .between = ",\n",
                                     .after = "\n]\n",
                                     .none = "[]\n",
                                     .cut = 1,
                                     .own = sizeof(struct json),
                                     .begin = begin,
                                     .end = end,
                                     .item = item };
const struct rep_writer rep_lines = { .tree = true,
                                      .own = sizeof(struct json),
                                      .open = open_lines,
                                      .begin = begin,
                                      .end = end,
                                      .item = item };
