/* SPDX-License-Identifier: MIT */
/*
 * The mutator of `described`: lines of YAML and those below them, and words within a line; indents
 * stay, but for one change in eight.  The first byte of the input is no part of the description.
 */
#include "mutate.h"

#include <string.h>

enum { LINES = 400, TEXT = 1 << 14 };

struct line {
    size_t at, size, indent; /* without the newline */
};
struct text {
    struct fields *f; /* random numbers alone */
    char out[TEXT];
    size_t used;
};

static const char *const words[] = {
    "registers:",
    "vectors:",
    "checks:",
    "metrics:",
    "lets:",
    "name: a",
    "width: 8",
    "reset: 0",
    "rules:",
    "when: a & b",
    "set: c",
    "add: 1",
    "max: c",
    "keep",
    "for: n = 0..3",
    "is: cnt{n}",
    "cnt{n}",
    "{n + 1}",
    "8'hff",
    "64'h0",
    "a[n]",
    "event[sel]",
    "!inhibit[n]",
    "==",
    "&&",
    "?",
    ":",
    "scope: tb.dut",
    "clock: clk",
    "reset: \"!rst_n\"",
    "stopped: debug",
    "else",
    "0",
    "-1",
    "4096",
    "18446744073709551615",
    "[]",
    "{}",
    "[1, 2]",
    "&a",
    "*a",
    "<<: *a",
    "!!str",
    "---",
    "|",
    "\"",
    "'",
    "#",
    "- {name: x, width: 1}",
    "clause: A",
    "known: B",
    "that: a == b",
    "go_on: true",
};

static size_t lines_of(const char *text, size_t size, struct line line[LINES])
{
    size_t n = 0;

    for (size_t at = 0; at < size && n < LINES; n++) {
        const char *end = memchr(text + at, '\n', size - at);
        line[n] = (struct line){ at, end ? (size_t)(end - text) - at : size - at, 0 };
        while (line[n].indent < line[n].size && text[at + line[n].indent] == ' ')
            line[n].indent++;
        at += line[n].size + 1;
    }
    return n;
}

/* The line after those that are below a line. */
static size_t after(const struct line *line, size_t lines, size_t one)
{
    size_t end = one + 1;

    while (end < lines && line[end].indent > line[one].indent)
        end++;
    return end;
}

static void put(struct text *t, const char *from, size_t size)
{
    if (size > TEXT - t->used)
        size = TEXT - t->used;
    memcpy(t->out + t->used, from, size);
    t->used += size;
}

static void put_lines(struct text *t, const char *text, const struct line *line, size_t from,
                      size_t to)
{
    for (size_t i = from; i < to; i++) {
        put(t, text + line[i].at, line[i].size);
        put(t, "\n", 1);
    }
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '{' || c == '}' || c == '\'' || c == '-';
}

/* Finds a word at or after a place that is chosen. */
static bool any_word(struct text *t, const char *text, const struct line *line, size_t *at,
                     size_t *size)
{
    const size_t end = line->at + line->size;

    *at = line->at + fields_random(t->f, (uint32_t)line->size + 1);
    while (*at > line->at && is_word(text[*at - 1]))
        --*at;
    while (*at < end && !is_word(text[*at]))
        ++*at;
    for (*size = 0; *at + *size < end && is_word(text[*at + *size]);)
        ++*size;
    return *size > 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Finds a word of the same kind, a name or a number, in another line; tries a few. */
static bool word_like(struct text *t, const char *text, const struct line *line, size_t lines,
                      char like, size_t *at, size_t *size)
{
    for (unsigned n = 0; n < 16; n++) {
        const struct line *other = &line[fields_random(t->f, (uint32_t)lines)];
        if (any_word(t, text, other, at, size) && is_digit(text[*at]) == is_digit(like) &&
            (*at + *size == other->at + other->size || text[*at + *size] != ':'))
            return true;
    }
    return false;
}

/* A word is replaced by one of another line, or by one that descriptions have. */
static void change_word(struct text *t, const char *text, const struct line *line, size_t lines,
                        size_t one)
{
    const char *word = words[fields_random(t->f, sizeof words / sizeof words[0])];
    size_t at, size, from, length;

    put_lines(t, text, line, 0, one);
    if (!any_word(t, text, &line[one], &at, &size)) {
        put_lines(t, text, line, one, lines);
        return;
    }
    put(t, text + line[one].at, at - line[one].at);
    if (fields_random(t->f, 6) && word_like(t, text, line, lines, text[at], &from, &length)) {
        put(t, text + from, length);
    } else {
        put(t, word, strlen(word));
        if (fields_random(t->f, 2)) /* beside it, not in its place */
            size = 0;
    }
    put(t, text + at + size, line[one].at + line[one].size - at - size);
    put(t, "\n", 1);
    put_lines(t, text, line, one + 1, lines);
}

/* Lines below each other go, come twice, or get to another place. */
static void move_lines(struct text *t, const char *text, const struct line *line, size_t lines,
                       size_t one)
{
    const size_t end = after(line, lines, one), how = fields_random(t->f, 3);
    size_t to = fields_random(t->f, (uint32_t)lines + 1);

    if (how == 1)
        to = end;
    for (size_t i = 0; i <= lines; i++) {
        if (i == to && how > 0)
            put_lines(t, text, line, one, end);
        if (i < lines && (i < one || i >= end || how == 1))
            put_lines(t, text, line, i, i + 1);
    }
}

static void change_indent(struct text *t, const char *text, const struct line *line, size_t lines,
                          size_t one)
{
    const size_t indent = line[one].indent, less = fields_random(t->f, 3);

    put_lines(t, text, line, 0, one);
    if (less == 0)
        put(t, "  ", 2);
    put(t, text + line[one].at + (indent < less ? indent : less),
        line[one].size - (indent < less ? indent : less));
    put(t, "\n", 1);
    put_lines(t, text, line, one + 1, lines);
}

static void change(struct text *t, const char *text, size_t size)
{
    struct line line[LINES];
    const size_t lines = lines_of(text, size, line);

    t->used = 0;
    if (lines == 0)
        return;
    const size_t one = fields_random(t->f, (uint32_t)lines);
    const uint32_t how = fields_random(t->f, 8);
    if (how == 0)
        change_indent(t, text, line, lines, one);
    else if (how < 3)
        move_lines(t, text, line, lines, one);
    else
        change_word(t, text, line, lines, one);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct fields f;
    static struct text t;
    static char text[TEXT];

    fields_begin(&f, seed);
    t.f = &f;
    if (size < 2 || size > TEXT || fields_random(&f, 16) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    size_t used = size - 1;
    memcpy(text, data + 1, used);
    for (uint32_t n = fields_random(&f, 8) ? 2 : 0; n < 3; n++) {
        change(&t, text, used);
        memcpy(text, t.out, used = t.used);
    }
    if (used == 0 || used + 1 > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    memcpy(data + 1, text, used);
    if (fields_random(&f, 16) == 0)
        data[0] = (uint8_t)fields_random(&f, 256);
    return used + 1;
}
