/* SPDX-License-Identifier: MIT */
/*
 * The list of events after -e of `pcounter compile`: NAME=EXPRESSION or EXPRESSION, commas
 * between them, braces around those that belong together, and :SLOT after the name or the
 * expression for the counter that is to count it.  A program is one pass, so all events of the
 * list are counted together, braces or not.
 */
#include "compile.h"
#include "text/chars.h"

#include <string.h>
#include <strings.h>

struct list {
    struct compile_job *j;
    const char *text;
    size_t at;
};

static void skip_blanks(struct list *l)
{
    while (cli_is_space(l->text[l->at]))
        l->at++;
}

static int wrong(const struct list *l, size_t at, const char *what)
{
    return compile_error_at("-e", l->text, at, 330, "", "%s", what);
}

/* The comma, brace or end that ends the event at `at`. */
static size_t find_end(const char *text, size_t at)
{
    size_t depth = 0;

    for (; text[at] != '\0'; at++) {
        char c = text[at];
        if (c == '\\') { /* an escaped name reaches to a blank */
            while (text[at + 1] != '\0' && !cli_is_space(text[at + 1]))
                at++;
            continue;
        }
        depth += c == '(' || c == '[';
        depth -= depth > 0 && (c == ')' || c == ']');
        if (depth == 0 && (c == ',' || c == '{' || c == '}'))
            break;
    }
    return at;
}

/* PRE to STOP, or PC_ANY_INPUT if it is none of them. */
static int slot_of(const char *text, size_t size)
{
    for (int i = PC_INPUT_PRE; i <= PC_INPUT_STOP; i++) {
        const char *name = pc_input_name((enum pc_input_id)i);
        if (strlen(name) == size && strncasecmp(name, text, size) == 0)
            return i;
    }
    return PC_ANY_INPUT;
}

static void trim(const char *text, size_t *begin, size_t *end)
{
    while (*begin < *end && cli_is_space(text[*begin]))
        ++*begin;
    while (*end > *begin && cli_is_space(text[*end - 1]))
        --*end;
}

/* "NAME=" or "NAME:SLOT=" before *begin..end: the name to t, its slot to *slot. */
static int take_name(const struct list *l, size_t *begin, size_t end, struct compile_text *t,
                     int *slot)
{
    static const char in_name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_-./:";
    const char *p = l->text + *begin;
    size_t n = strspn(p, in_name), after = n + strspn(p + n, " \t\n\r");

    if (n == 0 || *begin + after >= end || p[after] != '=' || p[after + 1] == '=')
        return CLI_OK;
    const char *colon = memchr(p, ':', n);
    size_t length = colon ? (size_t)(colon - p) : n;
    if (colon && (*slot = slot_of(colon + 1, n - length - 1)) == PC_ANY_INPUT)
        return wrong(l, *begin + length + 1, "expected pre, start, event or stop after NAME:");
    if (length == 0 || length >= sizeof t->name)
        return wrong(l, *begin, "expected a name of up to 63 characters");
    snprintf(t->name, sizeof t->name, "%.*s", (int)length, p);
    *begin += after + 1;
    return CLI_OK;
}

/*
 * ":SLOT" at the end of begin..*end.  Colons of ?: and slices are something else: it is a
 * pin only if there is one colon more than question marks outside of brackets.
 */
static int take_slot(const struct list *l, size_t begin, size_t *end, int *slot)
{
    size_t last = *end, depth = 0, marks = 0, colons = 0;

    for (size_t i = begin; i < *end; i++) {
        char c = l->text[i];
        depth += c == '(' || c == '[';
        depth -= depth > 0 && (c == ')' || c == ']');
        marks += depth == 0 && c == '?';
        if (depth == 0 && c == ':') {
            colons++;
            last = i;
        }
    }
    if (colons <= marks)
        return CLI_OK;
    size_t from = last + 1, to = *end;
    trim(l->text, &from, &to);
    int found = slot_of(l->text + from, to - from);
    if (found == PC_ANY_INPUT)
        return wrong(l, from, "expected pre, start, event or stop after the colon");
    if (*slot != PC_ANY_INPUT && *slot != found)
        return wrong(l, from, "expected one counter; the event is pinned to another already");
    *slot = found;
    *end = last;
    return CLI_OK;
}

static int add_event(struct list *l, size_t begin, size_t end)
{
    struct compile_job *j = l->j;
    struct compile_text *t = &j->event[j->event_count];
    int slot = PC_ANY_INPUT;

    trim(l->text, &begin, &end);
    if (begin == end)
        return wrong(l, begin, "expected an event");
    if (j->event_count == COMPILE_EVENTS)
        return compile_error_at("-e", l->text, begin, 392, "",
                                "more than %d events: a domain has %d counters", COMPILE_EVENTS,
                                COMPILE_EVENTS);
    int code = take_name(l, &begin, end, t, &slot);
    if (code == CLI_OK)
        code = take_slot(l, begin, &end, &slot);
    if (code != CLI_OK)
        return code;
    trim(l->text, &begin, &end);
    if (begin == end)
        return wrong(l, begin, "expected an expression");
    if (end - begin >= sizeof t->text)
        return compile_too_long("-e", l->text, begin, end - begin);
    t->label = "-e";
    t->whole = l->text;
    t->offset = begin;
    snprintf(t->text, sizeof t->text, "%.*s", (int)(end - begin), l->text + begin);
    code = compile_expression(j, t, &slot);
    j->pinned[j->event_count++] = (struct pc_compile_event){ t->expr, slot };
    return code;
}

/* Events up to `stop`, } or the end, where l->at then is. */
static int read_events(struct list *l, char stop)
{
    for (;;) {
        skip_blanks(l);
        if (l->text[l->at] == '{') {
            if (stop == '}')
                return wrong(l, l->at, "expected an event; groups have no groups inside");
            size_t open = l->at++;
            int code = read_events(l, '}');
            if (code != CLI_OK)
                return code;
            if (l->text[l->at] != '}')
                return wrong(l, open, "expected a } for this {");
            l->at++;
        } else {
            size_t end = find_end(l->text, l->at);
            int code = add_event(l, l->at, end);
            if (code != CLI_OK)
                return code;
            l->at = end;
        }
        skip_blanks(l);
        if (l->text[l->at] != ',')
            break;
        l->at++;
    }
    if (stop == '\0' && l->text[l->at] != '\0')
        return wrong(l, l->at, "expected a comma or the end of the list");
    return CLI_OK;
}

int compile_events(struct compile_job *j, const char *list)
{
    struct list l = { .j = j, .text = list };

    return read_events(&l, '\0'); /* a group has no groups, so at most two calls deep */
}
