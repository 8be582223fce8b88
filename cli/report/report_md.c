/* SPDX-License-Identifier: MIT */
/*
 * Reports as Markdown: the text for people, whose tables are tables.  Other lines are paragraphs,
 * but those whose columns are set with blanks, which are blocks of code.
 */
#include "report/report_writer.h"

#include <ctype.h>
#include <stdlib.h>

enum last { NOTHING, PARAGRAPH, TABLE, CODE };

struct md {
    bool begun;
    bool blank; /* an empty line is to come before the next one */
    bool prose; /* the last line is indented, and no code */
    enum last last;
};

/* --- characters --- */

/* One between letters begins and ends nothing. */
static bool is_inside(const char *text, size_t i, size_t size)
{
    return i > 0 && i + 1 < size && isalnum((unsigned char)text[i - 1]) &&
           isalnum((unsigned char)text[i + 1]);
}

static void put_escaped(struct rep_buffer *b, const char *text, size_t size)
{
    static const char special[] = "\\`*_[]<|#&~$";

    for (size_t i = 0; i < size; i++) {
        if (strchr(special, text[i]) && text[i] && !(text[i] == '_' && is_inside(text, i, size)))
            rep_putc(b, '\\');
        rep_putc(b, text[i]);
    }
}

/* Escapes what would make a list or a heading of a line. */
static void put_line(struct rep_buffer *b, const char *text, size_t size)
{
    size_t digits = 0;

    while (digits < size && isdigit((unsigned char)text[digits]))
        digits++;
    if (digits > 0 && digits < size && strchr(".)", text[digits])) {
        rep_put(b, text, digits);
        text += digits;
        size -= digits;
    }
    if (size > 0 && (strchr("+-=>", text[0]) || digits > 0) && !isdigit((unsigned char)text[0]))
        rep_putc(b, '\\');
    put_escaped(b, text, size);
}

/* --- lines --- */

/* Ends what came before, if that is of another kind; returns true if it goes on. */
static bool go_on(struct rep_buffer *b, struct md *md, enum last next)
{
    const bool goes_on = md->last == next && !md->blank;

    if (md->last == PARAGRAPH)
        rep_puts(b, goes_on && next == PARAGRAPH ? "\\\n" : "\n");
    if (!goes_on && md->last != NOTHING)
        rep_putc(b, '\n');
    md->last = next;
    md->blank = false;
    return goes_on;
}

static const char *next_cell(const char *text, const char *end)
{
    while (text < end && *text != CLI_PAGE_CELL)
        text++;
    return text;
}

static void put_cell(struct rep_buffer *b, const char *text, const char *end)
{
    while (text < end && (*text == ' ' || *text == CLI_PAGE_LEFT))
        text++;
    while (text < end && end[-1] == ' ')
        end--;
    rep_putc(b, ' ');
    put_escaped(b, text, (size_t)(end - text));
    rep_puts(b, text < end ? " |" : "|");
}

static void put_row(struct rep_buffer *b, const char *text, const char *end)
{
    rep_putc(b, '|');
    for (text = next_cell(text, end); text < end;) {
        const char *next = next_cell(text + 1, end);
        put_cell(b, text + 1, next);
        text = next;
    }
    rep_putc(b, '\n');
}

static void put_head(struct rep_buffer *b, const char *text, const char *end)
{
    put_row(b, text, end);
    rep_putc(b, '|');
    for (text = next_cell(text, end); text < end; text = next_cell(text + 1, end))
        rep_puts(b, text + 1 < end && text[1] == CLI_PAGE_LEFT ? " :--- |" : " ---: |");
    rep_putc(b, '\n');
}

/* Is it set in columns: by blanks between words, or a tab? */
static bool is_set(const char *text, size_t size)
{
    size_t begin = 0;

    while (begin < size && text[begin] == ' ')
        begin++;
    for (size_t i = begin; i < size; i++)
        if (text[i] == '\t' || (text[i] == ' ' && i + 1 < size && text[i + 1] == ' '))
            return true;
    return false;
}

/* Is one of the indented lines from here on set in columns? */
static bool is_block(const char *text, const char *end)
{
    while (text < end && *text == ' ') {
        const char *next = memchr(text, '\n', (size_t)(end - text));
        next = next ? next : end;
        if (is_set(text, (size_t)(next - text)))
            return true;
        text = next < end ? next + 1 : end;
    }
    return false;
}

/* Indented lines that follow each other are one block, or none is. */
static bool is_code(const struct md *md, const char *text, size_t size, const char *end)
{
    if (*text != ' ')
        return is_set(text, size);
    if (md->blank || (md->last != CODE && !md->prose))
        return is_block(text, end);
    return md->last == CODE;
}

static void put_other(struct rep_buffer *b, struct md *md, const char *text, size_t size,
                      const char *end)
{
    const bool code = is_code(md, text, size, end);

    md->prose = *text == ' ' && !code;
    if (code) {
        (void)go_on(b, md, CODE);
        rep_puts(b, "    ");
        rep_put(b, text, size);
        rep_putc(b, '\n');
        return;
    }
    for (; size > 0 && *text == ' '; text++)
        size--;
    (void)go_on(b, md, PARAGRAPH);
    put_line(b, text, size);
}

/* `all`: the end of all lines that there are. */
static void take_line(struct rep_buffer *b, struct md *md, const char *text, size_t size,
                      const char *all)
{
    const char *const end = text + size;

    if (size == 0) {
        md->blank = true;
    } else if (text[0] != CLI_PAGE_ROW) {
        put_other(b, md, text, size, all);
    } else if (size > 1 && text[1] == CLI_PAGE_ROW) {
        md->blank |= md->last == TABLE;
        (void)go_on(b, md, TABLE);
        put_head(b, text, end);
    } else {
        (void)go_on(b, md, TABLE);
        put_row(b, text, end);
    }
}

/* --- pages --- */

static size_t without_text_alone(char *out, const char *text, size_t size)
{
    bool hidden = false;
    size_t used = 0;

    for (size_t i = 0; i < size; i++) {
        hidden ^= text[i] == CLI_PAGE_TEXT;
        if (!hidden && text[i] != CLI_PAGE_TEXT && text[i] != CLI_PAGE_MARKDOWN)
            out[used++] = text[i];
    }
    return used;
}

static void begin(const struct rep *r, struct rep_buffer *b, struct md *md)
{
    if (md->begun)
        return;
    md->begun = true;
    rep_puts(b, "# ");
    rep_puts(b, r->def->call);
    rep_puts(b, "\n\n");
}

static void page(struct rep *r, struct rep_output *o, const char *text, size_t size, bool all)
{
    struct md *md = o->own;
    char *copy = malloc(size + 1);

    if (!copy) {
        o->buffer.failed = true;
        return;
    }
    size = without_text_alone(copy, text, size);
    if (size > 0)
        begin(r, &o->buffer, md);
    for (size_t at = 0; at < size;) {
        const char *end = memchr(copy + at, '\n', size - at);
        const size_t length = (end ? (size_t)(end - copy) : size) - at;
        take_line(&o->buffer, md, copy + at, length, copy + size);
        at += length + 1;
    }
    free(copy);
    if (all && md->last == PARAGRAPH) /* its last line is open for a break: go_on() */
        rep_putc(&o->buffer, '\n');
}

const struct rep_writer rep_md = { .between = "\n", .own = sizeof(struct md), .page = page };
