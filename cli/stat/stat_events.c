/* SPDX-License-Identifier: MIT */
/* The events after -e of pcounter stat, and --clock. */
#include "stat.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

int stat_too_many(const struct cli_place *place, size_t most)
{
    return cli_error_at(1504, place, 1, NULL, "more than %zu events", most);
}

static int add(struct stat_options *o, struct stat_asked **out)
{
    void *array = o->event;

    *out = cli_one_more(&array, &o->events_capacity, &o->events, sizeof **out);
    o->event = array;
    return *out ? CLI_OK : cli_no_memory();
}

static int take_event(void *ctx, const struct cli_event_text *text)
{
    struct stat_options *o = ctx;
    struct stat_asked *e;
    int code = add(o, &e);

    if (code == CLI_OK)
        code = o->events > STAT_MOST_EVENTS ? stat_too_many(&text->place, STAT_MOST_EVENTS)
                                            : cli_event_reserved(text);
    for (size_t i = 0; i + 1 < o->events && code == CLI_OK; i++)
        code = cli_event_twice(text, o->event[i].name, o->event[i].text);
    if (code)
        return code;
    e->place = text->place;
    e->group = text->group;
    e->slots = text->slots;
    e->at = text->clock;
    e->at_size = text->clock_size;
    e->at_place = text->clock_place;
    e->text = cli_copy(text->text, text->text_size);
    e->name =
        text->name ? cli_copy(text->name, text->name_size) : cli_copy(text->text, text->text_size);
    if (!e->text || !e->name)
        return cli_no_memory();
    o->read.texts |= strchr(e->text, '"') != NULL;
    return CLI_OK;
}

int stat_parse_events(struct stat_options *o, const char *label, const char *argument)
{
    return cli_parse_events(label, argument, &o->groups, take_event, o);
}

/* --- the clock --- */

/* The word at *at (a name counts as one); its length. */
static size_t next_word(const char *text, size_t *at)
{
    while (cli_is_space(text[*at]))
        ++*at;
    return cli_word_length(text + *at);
}

static bool is_word(const char *text, size_t at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text + at, word, length) == 0;
}

static int bad_clock(const char *label, const char *text, size_t at, const char *what)
{
    struct cli_place place = { label, text, 0 };

    return cli_error_at(331, &place, (uint32_t)at + 1, NULL, "%s", what);
}

/* "iff SIGNAL" or "iff !SIGNAL" at `at`, or nothing. */
static int parse_iff(const char *label, const char *text, size_t at, struct stat_clock *out)
{
    size_t n = next_word(text, &at);

    if (n == 0)
        return CLI_OK;
    if (!is_word(text, at, n, "iff"))
        return bad_clock(label, text, at, "expected iff or the end after the clock");
    at += n;
    n = next_word(text, &at);
    size_t end = strlen(text);
    while (end > at && cli_is_space(text[end - 1]))
        end--;
    end += strchr(text + at, '\\') && text[end]; /* the blank that ends an escaped name */
    out->condition_offset = (uint32_t)at;
    out->condition = cli_copy(text + at, end - at);
    if (n > 0 && text[at] == '!') {
        out->iff_low = true;
        at++;
        n = n > 1 ? n - 1 : next_word(text, &at);
    }
    if (n == 0)
        return bad_clock(label, text, at, "expected a signal after iff");
    out->has_iff = true;
    out->iff_offset = (uint32_t)at;
    out->iff = cli_copy_name(text + at, n);
    at += n;
    out->more = next_word(text, &at) > 0;
    return out->iff && out->condition ? CLI_OK : cli_no_memory();
}

/* "every 10ns" */
static int parse_period(const char *label, const char *text, size_t at, size_t n,
                        struct stat_clock *out)
{
    out->edge = PC_EDGE_PERIOD;
    out->clock_offset = (uint32_t)at;
    out->clock = cli_copy(text + at, n);
    return out->clock ? parse_iff(label, text, at + n, out) : cli_no_memory();
}

int stat_parse_clock(const char *label, const char *text, struct stat_clock *out)
{
    size_t at = 0, n = next_word(text, &at);

    *out = (struct stat_clock){ .edge = PC_EDGE_POS };
    if (is_word(text, at, n, "sample")) {
        out->edge = PC_EDGE_EVERY;
        return parse_iff(label, text, at + n, out);
    }
    if (is_word(text, at, n, "every")) {
        size_t period = at + n;
        next_word(text, &period);
        if ((n = cli_period_length(text + period)) > 0)
            return parse_period(label, text, period, n, out);
        n = next_word(text, &at); /* a signal of that name */
    }
    if (is_word(text, at, n, "posedge") || is_word(text, at, n, "negedge")) {
        out->edge = text[at] == 'p' ? PC_EDGE_POS : PC_EDGE_NEG;
        at += n;
        n = next_word(text, &at);
    }
    if (n == 0)
        return bad_clock(label, text, at, "expected the signal of the clock");
    out->clock_offset = (uint32_t)at;
    out->clock = cli_copy_name(text + at, n);
    if (!out->clock)
        return cli_no_memory();
    return parse_iff(label, text, at + n, out);
}

void stat_free_clock(struct stat_clock *c)
{
    free(c->clock);
    free(c->iff);
    free(c->condition);
}
