/* SPDX-License-Identifier: MIT */
/*
 * A window over a CSV, and its rows.  Fields are as in RFC 4180; blanks around them do not
 * count, a field whose first character is a quote ends with one.  Nothing is changed in the
 * window, so a row can be split twice.
 */
#include "wave/csv/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool csv_is_blank(char ch)
{
    return ch == ' ' || ch == '\t';
}

enum pc_status csv_text_open(struct csv *c, struct pc_error *err)
{
    c->text.buf = c->alloc.resize(c->alloc.ctx, NULL, 0, CSV_WINDOW);
    if (!c->text.buf)
        return pc_fail(err, 100, "not enough memory to read a CSV");
    c->text.line = 1;
    return PC_OK;
}

enum pc_status csv_fail(const struct csv *c, size_t at, struct pc_error *err, unsigned code,
                        const char *fmt, ...)
{
    uint64_t line = c->text.line;
    size_t column = 1;
    char text[300];
    va_list args;

    for (size_t i = c->text.at; i < at; i++) {
        column = c->text.buf[i] == '\n' ? 1 : column + 1;
        line += c->text.buf[i] == '\n';
    }
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return pc_fail_at(err, code, line < UINT32_MAX ? (uint32_t)line : UINT32_MAX, (uint32_t)column,
                      "%s", text);
}

const char *csv_quote(const struct csv *c, const struct csv_field *f, char out[48])
{
    snprintf(out, 48, "%.*s%s", (int)(f->length < 40 ? f->length : 40), c->text.buf + f->at,
             f->length > 40 ? "..." : "");
    return out;
}

/* Reads on after the window's end; moves what is left to its beginning. */
static enum pc_status refill(struct csv *c, struct pc_error *err)
{
    struct csv_text *t = &c->text;
    size_t got;

    memmove(t->buf, t->buf + t->at, t->end - t->at);
    t->end -= t->at;
    t->at = 0;
    if (t->end == CSV_WINDOW)
        return csv_fail(c, 0, err, 768, "a row has more than %zu bytes", CSV_WINDOW);
    enum pc_status status =
        wv_input_read(c->in, (uint8_t *)t->buf + t->end, CSV_WINDOW - t->end, &got, err);
    if (status == PC_END) {
        t->eof = true;
        while (wv_input_cut(c->in) && t->end > t->at && t->buf[t->end - 1] != '\n')
            t->end--; /* compressed data that ends early: of the last row some may be missing */
    }
    if (status == PC_OK)
        t->end += got;
    return status == PC_END ? PC_OK : status;
}

enum pc_status csv_fill(struct csv *c, size_t want, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    while (status == PC_OK && !c->text.eof && c->text.end - c->text.at < want)
        status = refill(c, err);
    return status;
}

enum pc_status csv_raw_line(struct csv *c, size_t *length, struct pc_error *err)
{
    struct csv_text *t = &c->text;

    for (;;) {
        const char *line = t->buf + t->at;
        const char *end = memchr(line, '\n', t->end - t->at);
        if (end || (t->eof && t->at < t->end)) {
            *length = end ? (size_t)(end - line) : t->end - t->at;
            c->row.next = t->at + *length + (end != NULL);
            return PC_OK;
        }
        if (t->eof)
            return PC_END;
        enum pc_status status = refill(c, err);
        if (status)
            return status;
    }
}

/* Returns the position after the closing quote; SIZE_MAX if it is not in the window. */
static size_t skip_quoted(const char *buf, size_t at, size_t end)
{
    for (at++; at < end; at++) {
        if (buf[at] != '"')
            continue;
        if (at + 1 == end || buf[at + 1] != '"')
            return at + 1;
        at++;
    }
    return SIZE_MAX;
}

static bool add_field(struct csv *c, size_t begin, size_t end, bool quoted)
{
    struct csv_row *r = &c->row;

    if (!pc_grow(&c->alloc, (void **)&r->field, &r->capacity, r->fields + 1, sizeof *r->field))
        return false;
    while (end > begin && (csv_is_blank(c->text.buf[end - 1]) || c->text.buf[end - 1] == '\r'))
        end--;
    if (quoted) {
        begin++;
        end--;
    }
    r->field[r->fields++] = (struct csv_field){ begin, end - begin, quoted };
    return true;
}

enum outcome { ROW, MORE, NO_MEMORY, BAD_QUOTE };

/* Splits one row in buf[at, end); *where is the quote that is wrong, or the row's end. */
static enum outcome split_once(struct csv *c, size_t at, size_t end, bool whole, size_t *where)
{
    const char *buf = c->text.buf;

    c->row.fields = 0;
    c->row.begin = at;
    for (;;) {
        size_t begin = at;
        while (begin < end && buf[begin] == ' ')
            begin++;
        bool quoted = begin < end && buf[begin] == '"';
        size_t p = begin;
        if (quoted) {
            p = skip_quoted(buf, begin, end);
            *where = begin;
            if (p == SIZE_MAX)
                return whole ? BAD_QUOTE : MORE;
            if (p == end && !whole)
                return MORE;
            while (p < end && (buf[p] == ' ' || buf[p] == '\r'))
                p++;
            *where = p;
            if (p < end && buf[p] != c->separator && buf[p] != '\n')
                return BAD_QUOTE;
        }
        while (p < end && buf[p] != c->separator && buf[p] != '\n')
            p++;
        if (p == end && !whole)
            return MORE;
        if (!add_field(c, begin, p, quoted))
            return NO_MEMORY;
        at = p + (p < end);
        if (p == end || buf[p] == '\n')
            break;
    }
    c->row.next = at;
    return ROW;
}

enum pc_status csv_split(struct csv *c, size_t at, size_t limit, struct pc_error *err)
{
    struct csv_text *t = &c->text;
    size_t where = 0, behind = at - t->at;

    for (;;) {
        at = t->at + behind;
        size_t end = limit && limit < t->end ? limit : t->end;
        bool whole = t->eof && end == t->end;
        if (at >= end && (whole || limit))
            return PC_END;
        enum outcome outcome = at < end ? split_once(c, at, end, whole, &where) : MORE;
        if (outcome == ROW)
            return PC_OK;
        if (outcome == NO_MEMORY)
            return pc_fail(err, 100, "not enough memory for a row");
        if (outcome == BAD_QUOTE)
            return csv_fail(c, where, err, 767,
                            t->buf[where] == '"' ? "a quote that is not closed"
                                                 : "text after a closing quote");
        if (limit)
            return PC_END;
        enum pc_status status = refill(c, err);
        if (status)
            return status;
    }
}

void csv_consume(struct csv *c)
{
    struct csv_text *t = &c->text;

    for (size_t i = t->at; i < c->row.next; i++)
        t->line += t->buf[i] == '\n';
    t->at = c->row.next;
}
