/* SPDX-License-Identifier: MIT */
/*
 * The list of events of -e, as perf has it: NAME=EXPRESSION or EXPRESSION, commas
 * between them, braces around those that share a pass.  And errors with a caret into an argument.
 */
#include "wave/event_list.h"
#include "pcounter/unstable/plan.h"
#include "text/chars.h"

#include <ctype.h>
#include <stdarg.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SLOTS 4

bool cli_grow(void **array, size_t *capacity, size_t need, size_t size)
{
    size_t grown = *capacity ? *capacity : 16;

    if (need <= *capacity)
        return true;
    while (grown < need)
        grown *= 2;
    void *p = grown <= SIZE_MAX / size ? realloc(*array, grown * size) : NULL;
    if (!p)
        return false;
    *array = p;
    *capacity = grown;
    return true;
}

void *cli_one_more(void **array, size_t *capacity, size_t *count, size_t size)
{
    if (!cli_grow(array, capacity, *count + 1, size))
        return NULL;
    return memset((char *)*array + (*count)++ * size, 0, size);
}

char *cli_copy(const char *text, size_t length)
{
    char *out = malloc(length + 1);

    if (!out)
        return NULL;
    memcpy(out, text, length);
    out[length] = '\0';
    return out;
}

/* --- places in files --- */

char *cli_line_label(const char *path, uint32_t line, uint32_t column)
{
    const size_t size = strlen(path) + 40;
    char *label = malloc(size);

    if (label)
        snprintf(label, size, "%s:%" PRIu32 ":%" PRIu32 ":", path, line, column);
    return label;
}

static bool is_line(const char *label)
{
    const size_t n = strlen(label);

    return n > 0 && label[n - 1] == ':';
}

/* Returns where the column of such a label is: that of the first character of the argument. */
static size_t column_of(const char *label)
{
    size_t at = strlen(label) - 1;

    while (at > 0 && label[at - 1] != ':')
        at--;
    return at;
}

char *cli_line_label_at(const char *label, size_t offset)
{
    if (!is_line(label))
        return NULL;
    const size_t at = column_of(label), size = at + 30;
    char *out = malloc(size);
    if (out)
        snprintf(out, size, "%.*s%zu:", (int)at, label,
                 (size_t)strtoul(label + at, NULL, 10) + offset);
    return out;
}

static int error_in_line(const struct pc_error *err, const struct cli_place *place)
{
    const size_t at = column_of(place->label);
    struct pc_error moved = *err;
    char label[CLI_PATH + 100];

    snprintf(label, sizeof label, "%.*s%lu", (int)at, place->label,
             strtoul(place->label + at, NULL, 10) + err->column - 1);
    moved.line = 0;
    return cli_error(&moved, label, place->argument);
}

int cli_library_error_at(const struct pc_error *err, const struct cli_place *place)
{
    struct pc_error moved = *err;

    if (!place || !err->column)
        return cli_error(err, place ? place->label : NULL, NULL);
    moved.column += place->offset;
    if (is_line(place->label))
        return error_in_line(&moved, place);
    return cli_error(&moved, place->label, place->argument);
}

int cli_error_at(unsigned code, const struct cli_place *place, uint32_t column, const char *hint,
                 const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, code, fmt, args);
    va_end(args);
    if (hint)
        snprintf(err.hint, sizeof err.hint, "%s", hint);
    if (column) {
        err.line = 1;
        err.column = column;
    }
    return cli_library_error_at(&err, place);
}

/* --- the list --- */

struct list {
    const char *label, *text;
    size_t at;
    unsigned group;
    int (*take)(void *ctx, const struct cli_event_text *event);
    void *ctx;
};

static int wrong(const struct list *l, size_t at, const char *what)
{
    struct cli_place place = { l->label, l->text, 0 };

    return cli_error_at(330, &place, (uint32_t)at + 1, NULL, "%s", what);
}

char *cli_copy_name(const char *text, size_t length)
{
    char *name = cli_copy(text, length);
    size_t kept = 0;

    for (size_t i = 0; name && i < length; i++)
        if (!cli_is_space(text[i]))
            name[kept++] = text[i];
    if (name)
        name[kept] = '\0';
    return name;
}

static bool in_name(char c)
{
    return cli_is_word(c) || (c != '\0' && strchr("$-./:", c)) || (unsigned char)c >= 0x80;
}

/* Skips an escaped name: it reaches to a blank, whatever it holds. */
static size_t skip_escape(const char *text, size_t at)
{
    while (text[at] != '\0' && !cli_is_space(text[at]))
        at++;
    return at;
}

size_t cli_skip_text(const char *text, size_t at)
{
    for (at++; text[at] != '\0' && text[at] != '"'; at++)
        at += text[at] == '\\' && text[at + 1] != '\0';
    return at + (text[at] == '"');
}

/* Returns true if "inside" is before the brace. */
static bool opens_set(const char *text, size_t brace)
{
    static const char word[] = "inside";
    const size_t n = sizeof word - 1;

    while (brace > 0 && cli_is_space(text[brace - 1]))
        brace--;
    return brace > n && memcmp(text + brace - n, word, n) == 0 && !in_name(text[brace - n - 1]);
}

/* Finds the comma, brace or end that ends the event at `at`; other commas stand in brackets, and in
 * the braces of a set. */
static size_t find_end(const char *text, size_t at)
{
    size_t depth = 0, sets = 0;

    while (text[at] != '\0') {
        char c = text[at];
        if (c == '\\') {
            at = skip_escape(text, at);
            continue;
        }
        if (c == '"') {
            at = cli_skip_text(text, at);
            continue;
        }
        if (c == '(' || c == '[')
            depth++;
        if ((c == ')' || c == ']') && depth > 0)
            depth--;
        if (c == '}' && sets > 0)
            sets--;
        else if (c == '{' && opens_set(text, at))
            sets++;
        else if (depth == 0 && sets == 0 && (c == ',' || c == '{' || c == '}'))
            break;
        at++;
    }
    return at;
}

/* Returns the length of a name before "=", or 0: "a==b" has none. */
static size_t name_length(const char *text, size_t *after)
{
    size_t n = 0, p;

    while (in_name(text[n]))
        n++;
    for (p = n; cli_is_space(text[p]); p++)
        ;
    if (n == 0 || text[p] != '=' || text[p + 1] == '=')
        return 0;
    *after = p + 1;
    return n;
}

size_t cli_name_before_equals(const char *text, size_t *begin, size_t *after)
{
    *begin = 0;
    while (cli_is_space(text[*begin]))
        ++*begin;
    const size_t n = name_length(text + *begin, after);
    *after += *begin;
    return n;
}

/* Returns true if text[at] is part of an escaped name. That begins with a backslash and has no
 * blank in it. */
static bool in_escape(const char *text, size_t at)
{
    while (at > 0 && !cli_is_space(text[at - 1]))
        if (text[--at] == '\\')
            return true;
    return false;
}

/*
 * ":PRE" at the end of text[0..length) pins an event to that counter; the length without it.
 * Not where a ?: could want the colon.
 */
static size_t take_slot(const char *text, size_t length, unsigned *slots)
{
    for (unsigned s = 0; s < SLOTS; s++) {
        const char *name = pc_input_name((enum pc_input_id)s);
        size_t n = strlen(name);
        if (length < n + 2 || text[length - n - 1] != ':' ||
            strncasecmp(text + length - n, name, n) != 0 || memchr(text, '?', length) ||
            in_escape(text, length - n - 1))
            continue;
        *slots = 1u << s;
        return length - n - 1;
    }
    return length;
}

/* ":FOO" at the end, which is none of them; its place, or 0. */
static size_t no_slot(const char *text, size_t length)
{
    size_t at = length;

    while (at > 0 && isalpha((unsigned char)text[at - 1]))
        at--;
    bool is_one = at > 1 && at < length && text[at - 1] == ':' && !memchr(text, '?', length) &&
                  !in_escape(text, at - 1);
    return is_one ? at : 0;
}

static int no_counter(const struct cli_place *place, const char *name, size_t at, size_t size)
{
    char word[16];
    unsigned slots = 0;

    snprintf(word, sizeof word, "x:%.*s", (int)size, name);
    if (size + 2 < sizeof word && take_slot(word, strlen(word), &slots) < strlen(word))
        return cli_error_at(330, place, (uint32_t)at + 1, NULL,
                            "the event is pinned to a counter twice");
    return cli_error_at(330, place, (uint32_t)at + 1,
                        "an event is pinned to PRE, START, EVENT or STOP",
                        "unknown counter \"%.*s\"", (int)size, name);
}

size_t cli_clock_before(const char *text, size_t length, const char **clock, size_t *size)
{
    size_t at = 0, n = 0;

    while (at < length && cli_is_space(text[at]))
        at++;
    if (at == length || text[at] != '@')
        return 0;
    at++;
    while (at + n < length && !cli_is_space(text[at + n]))
        n++;
    *clock = text + at;
    *size = n;
    for (at += n; at < length && cli_is_space(text[at]); at++)
        ;
    return at;
}

static int take_event(struct list *l, size_t begin, size_t end)
{
    const char *text = l->text;
    struct cli_event_text e = { .place = { l->label, text, 0 }, .group = l->group };
    size_t after = 0;

    begin += cli_clock_before(text + begin, end - begin, &e.clock, &e.clock_size);
    while (begin < end && cli_is_space(text[begin]))
        begin++;
    while (end > begin && cli_is_space(text[end - 1]))
        end--;
    if (e.clock)
        e.clock_place = (struct cli_place){ l->label, text, (uint32_t)(e.clock - text) };
    if (begin == end)
        return wrong(l, begin, "expected an event");
    size_t n = name_length(text + begin, &after);
    size_t from = n && begin + after <= end ? begin + after : begin;
    while (from < end && cli_is_space(text[from]))
        from++;
    if (from == end)
        return cli_error_at(330, &e.place, (uint32_t)end + 1, NULL,
                            "expected an expression after \"%.*s=\"", (int)n, text + begin);
    e.place.offset = (uint32_t)from;
    e.name = n ? text + begin : NULL;
    e.name_size = n ? take_slot(text + begin, n, &e.slots) : 0;
    e.text = text + from;
    e.text_size = e.slots ? end - from : take_slot(text + from, end - from, &e.slots);
    size_t bad = no_slot(text + begin, e.slots ? 0 : n);
    if (bad) {
        struct cli_place name = { l->label, text, (uint32_t)begin };
        return no_counter(&name, text + begin + bad, bad, n - bad);
    }
    bad = no_slot(e.text, e.text_size);
    if (bad)
        return no_counter(&e.place, e.text + bad, bad, e.text_size - bad);
    return l->take(l->ctx, &e);
}

/* Takes events up to a brace or the end, where l->at then is. */
static int take_group(struct list *l)
{
    for (;;) {
        while (cli_is_space(l->text[l->at]))
            l->at++;
        if (l->text[l->at] == '{')
            return wrong(l, l->at, "a group inside of a group");
        size_t end = find_end(l->text, l->at);
        int code = take_event(l, l->at, end);
        if (code)
            return code;
        l->at = end;
        if (l->text[end] != ',')
            return CLI_OK;
        l->at++;
    }
}

/* { .. } */
static int take_braces(struct list *l)
{
    size_t open = l->at++;
    int code = take_group(l);

    if (code)
        return code;
    if (l->text[l->at] == '{')
        return wrong(l, l->at, "a group inside of a group");
    if (l->text[l->at] == '\0')
        return wrong(l, open, "the group is not closed");
    for (l->at++; cli_is_space(l->text[l->at]); l->at++)
        ;
    return CLI_OK;
}

int cli_parse_events(const char *label, const char *argument, unsigned *group,
                     int (*take)(void *ctx, const struct cli_event_text *event), void *ctx)
{
    struct list l = { label, argument, 0, *group, take, ctx };

    for (;; l.group++) {
        int code;
        while (cli_is_space(argument[l.at]))
            l.at++;
        if (argument[l.at] == '{') {
            code = take_braces(&l);
        } else {
            size_t end = find_end(argument, l.at);
            code = take_event(&l, l.at, end);
            l.at = end;
        }
        if (code)
            return code;
        *group = l.group + 1;
        if (argument[l.at] == '\0')
            return CLI_OK;
        struct cli_place place = { label, argument, 0 };
        if (argument[l.at] != ',')
            return cli_error_at(330, &place, (uint32_t)l.at + 1, NULL,
                                "expected a comma or the end of the list, found \"%c\"",
                                argument[l.at]);
        l.at++;
    }
}

static bool same(const char *text, const char *part, size_t size)
{
    return strlen(text) == size && memcmp(text, part, size) == 0;
}

/* Returns where its name is, or the text that it goes by. */
static struct cli_place place_of_name(const struct cli_event_text *event)
{
    struct cli_place place = event->place;

    if (event->name)
        place.offset = (uint32_t)(event->name - place.argument);
    return place;
}

int cli_event_reserved(const struct cli_event_text *event)
{
    static const char *const names[] = { "cycles", "seconds" };
    const struct cli_place place = place_of_name(event);

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (event->name ? same(names[i], event->name, event->name_size)
                        : same(names[i], event->text, event->text_size))
            return cli_error_at(339, &place, 1, NULL, "%s is not a name for an event", names[i]);
    return CLI_OK;
}

int cli_event_too_many(const struct cli_event_text *event)
{
    const struct cli_place place = place_of_name(event);

    return cli_error_at(1504, &place, 1, NULL, "more than %d events", PC_PLAN_EVENTS);
}

int cli_event_twice(const struct cli_event_text *event, const char *name, const char *text)
{
    const char *own = event->name ? event->name : event->text;
    size_t size = event->name ? event->name_size : event->text_size;

    if (!same(name, own, size) || (text ? same(text, event->text, event->text_size) : !event->name))
        return CLI_OK;
    const struct cli_place place = place_of_name(event);
    return cli_error_at(334, &place, 1, NULL, "the name %.60s was given to another event", name);
}
