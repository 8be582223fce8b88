/* SPDX-License-Identifier: MIT */
/*
 * The list of events behind -e, as perf has it: NAME=EXPRESSION or EXPRESSION, commas
 * between them, braces around those that share a pass.  And --clock.
 */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/' || c == ':';
}

/* Past an escaped name: it reaches to a blank, whatever it holds. */
static size_t skip_escape(const char *text, size_t at)
{
    while (text[at] != '\0' && !is_blank(text[at]))
        at++;
    return at;
}

/* The comma, brace or end that ends the event at `at`; other commas stand in brackets. */
static size_t find_end(const char *text, size_t at)
{
    size_t depth = 0;

    while (text[at] != '\0') {
        char c = text[at];
        if (c == '\\') {
            at = skip_escape(text, at);
            continue;
        }
        if (c == '(' || c == '[')
            depth++;
        if ((c == ')' || c == ']') && depth > 0)
            depth--;
        if (depth == 0 && (c == ',' || c == '{' || c == '}'))
            break;
        at++;
    }
    return at;
}

/* Length of a name before "=", or 0: "a==b" has none. */
static size_t name_length(const char *text, size_t *after)
{
    size_t n = 0, p;

    while (in_name(text[n]))
        n++;
    for (p = n; is_blank(text[p]); p++)
        ;
    if (n == 0 || text[p] != '=' || text[p + 1] == '=')
        return 0;
    *after = p + 1;
    return n;
}

/*
 * ":PRE" at the end of text[0..length) pins an event to that counter; the length without it.
 * Not where a ?: could want the colon.
 */
static size_t take_slot(const char *text, size_t length, unsigned *slots)
{
    static const char *const names[STAT_SLOTS] = { "PRE", "START", "EVENT", "STOP" };

    for (unsigned s = 0; s < STAT_SLOTS; s++) {
        size_t n = strlen(names[s]);
        if (length < n + 2 || text[length - n - 1] != ':' ||
            strncmp(text + length - n, names[s], n) != 0 || memchr(text, '?', length))
            continue;
        *slots = 1u << s;
        return length - n - 1;
    }
    return length;
}

static int add_event(struct stat_options *o, const char *argument, size_t begin, size_t end,
                     unsigned group)
{
    struct stat_place place = { "-e", argument, 0 };
    void *array = o->event;
    size_t after = 0;

    while (begin < end && is_blank(argument[begin]))
        begin++;
    while (end > begin && is_blank(argument[end - 1]))
        end--;
    if (begin == end)
        return stat_error(330, &place, (uint32_t)begin + 1, NULL, "expected an event");
    size_t n = name_length(argument + begin, &after);
    size_t from = n && begin + after <= end ? begin + after : begin;
    while (from < end && is_blank(argument[from]))
        from++;
    if (from == end)
        return stat_error(330, &place, (uint32_t)end + 1, NULL,
                          "expected an expression behind \"%.*s=\"", (int)n, argument + begin);

    if (!stat_grow(&array, &o->events_capacity, o->events + 1, sizeof *o->event))
        return stat_no_memory();
    o->event = array;
    struct stat_event *e = &o->event[o->events];
    place.offset = (uint32_t)from;
    *e = (struct stat_event){ .place = place, .group = group };
    n = n ? take_slot(argument + begin, n, &e->slots) : 0;
    size_t length = n ? end - from : take_slot(argument + from, end - from, &e->slots);
    e->text = stat_copy(argument + from, length);
    e->name = n ? stat_copy(argument + begin, n) : e->text ? stat_copy(e->text, length) : NULL;
    o->events++; /* so that both are freed whatever happened */
    return e->text && e->name ? CLI_OK : stat_no_memory();
}

/* Events of a list up to `stop` ('}' or the end); leaves *at on it. */
static int parse_group(struct stat_options *o, const char *argument, size_t *at, unsigned group)
{
    struct stat_place place = { "-e", argument, 0 };

    for (;;) {
        while (is_blank(argument[*at]))
            ++*at;
        if (argument[*at] == '{')
            return stat_error(330, &place, (uint32_t)*at + 1, NULL, "a group inside of a group");
        size_t end = find_end(argument, *at);
        int code = add_event(o, argument, *at, end, group);
        if (code)
            return code;
        *at = end;
        if (argument[end] != ',')
            return CLI_OK;
        ++*at;
    }
}

int stat_parse_events(struct stat_options *o, const char *argument)
{
    struct stat_place place = { "-e", argument, 0 };
    unsigned group = o->events ? o->event[o->events - 1].group + 1 : 0;
    size_t at = 0;

    for (;; group++) {
        while (is_blank(argument[at]))
            at++;
        int code;
        if (argument[at] == '{') {
            size_t open = at++;
            code = parse_group(o, argument, &at, group);
            if (code)
                return code;
            if (argument[at] == '{')
                return stat_error(330, &place, (uint32_t)at + 1, NULL, "a group inside of a group");
            if (argument[at] == '\0')
                return stat_error(330, &place, (uint32_t)open + 1, NULL, "the group is not closed");
            for (at++; is_blank(argument[at]); at++)
                ;
        } else {
            size_t end = find_end(argument, at);
            code = add_event(o, argument, at, end, group);
            if (code)
                return code;
            at = end;
        }
        if (argument[at] == '\0')
            return CLI_OK;
        if (argument[at] != ',')
            return stat_error(330, &place, (uint32_t)at + 1, NULL,
                              "expected a comma or the end of the list, found \"%c\"",
                              argument[at]);
        at++;
    }
}

/* --- the clock --- */

/* The word at *at (an escaped name counts as one); its length. */
static size_t next_word(const char *text, size_t *at)
{
    size_t end;

    while (is_blank(text[*at]))
        ++*at;
    for (end = *at; text[end] != '\0' && !is_blank(text[end]); end++)
        ;
    return end - *at;
}

static bool is_word(const char *text, size_t at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text + at, word, length) == 0;
}

static int bad_clock(const char *text, size_t at, const char *what)
{
    struct stat_place place = { "--clock", text, 0 };

    return stat_error(331, &place, (uint32_t)at + 1, NULL, "%s", what);
}

/* "iff SIGNAL" or "iff !SIGNAL" at `at`, or nothing. */
static int parse_iff(const char *text, size_t at, struct stat_clock *out)
{
    size_t n = next_word(text, &at);

    if (n == 0)
        return CLI_OK;
    if (!is_word(text, at, n, "iff"))
        return bad_clock(text, at, "expected iff or the end behind the clock");
    at += n;
    n = next_word(text, &at);
    if (n > 0 && text[at] == '!') {
        out->iff_low = true;
        at++;
        n = n > 1 ? n - 1 : next_word(text, &at);
    }
    if (n == 0)
        return bad_clock(text, at, "expected a signal behind iff");
    out->has_iff = true;
    out->iff_offset = (uint32_t)at;
    out->iff = stat_copy(text + at, n);
    at += n;
    if (!out->iff)
        return stat_no_memory();
    n = next_word(text, &at);
    return n ? bad_clock(text, at,
                         "expected the end behind the signal of iff; combine signals in "
                         "the events instead")
             : CLI_OK;
}

int stat_parse_clock(const char *text, struct stat_clock *out)
{
    size_t at = 0, n = next_word(text, &at);

    *out = (struct stat_clock){ .edge = PC_EDGE_POS };
    if (is_word(text, at, n, "sample")) {
        out->edge = PC_EDGE_EVERY;
        return parse_iff(text, at + n, out);
    }
    if (is_word(text, at, n, "posedge") || is_word(text, at, n, "negedge")) {
        out->edge = text[at] == 'p' ? PC_EDGE_POS : PC_EDGE_NEG;
        at += n;
        n = next_word(text, &at);
    }
    if (n == 0)
        return bad_clock(text, at, "expected the signal of the clock");
    out->clock_offset = (uint32_t)at;
    out->clock = stat_copy(text + at, n);
    if (!out->clock)
        return stat_no_memory();
    return parse_iff(text, at + n, out);
}

void stat_free_clock(struct stat_clock *c)
{
    free(c->clock);
    free(c->iff);
}
