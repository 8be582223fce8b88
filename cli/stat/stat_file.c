/* SPDX-License-Identifier: MIT */
/*
 * -f: a file of measurements, a line each:
 *
 *   clock = posedge top.clk iff rst_n     # of several each has a name: clock w = wclk
 *   event hits = req & hit                # a comment
 *   metric rate = hits / cycles %
 *   expect rate > 70
 *   value depth = fifo.count
 *   latency rd = ar_valid & ar_ready -> r_valid & r_ready
 *   states fsm = ctrl.state
 *   level q = +push -pop /16
 */
#include "stat.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

enum { CLOCK, EVENT, METRIC, EXPECT, VALUE, LATENCY, STATES, LEVEL, WORDS };
static const char *const words[WORDS + 1] = { "clock",   "event",  "metric", "expect", "value",
                                              "latency", "states", "level",  NULL };

/* A line of the file; its texts stay as long as the options do. */
struct line {
    struct stat_options *o;
    const char *path;
    uint32_t number;
    const char *text;
};

/* Keeps a text; NULL: no memory. */
static const char *keep(struct stat_options *o, char *text)
{
    void *array = o->kept;

    if (!text || !cli_grow(&array, &o->kept_capacity, o->kept_count + 1, sizeof *o->kept)) {
        free(text);
        return NULL;
    }
    o->kept = array;
    o->kept[o->kept_count++] = text;
    return text;
}

static int wrong(const struct line *l, size_t at, const char *hint, const char *what)
{
    char *label = cli_line_label(l->path, l->number, 1);
    const struct cli_place place = { label, l->text, 0 };
    const int code =
        label ? cli_error_at(1820, &place, (uint32_t)at + 1, hint, "%s", what) : cli_no_memory();

    free(label);
    return code;
}

/* Without a name it is the clock of all that names none. */
static int take_unnamed(const struct line *l, size_t at, const char *text, const char *label)
{
    const struct stat_options *o = l->o;

    for (size_t i = 0; i < o->clocks && o->line_clocks == 0; i++)
        if (!o->asked_clock[i].named)
            return wrong(l, at, "give each a name, like clock w = wclk, and events @w",
                         "two clocks have no name");
    return stat_add_clock(l->o, label, text, true);
}

/* Takes "= CLOCK" or "NAME = CLOCK"; errors of the clock have its own place. */
static int take_clock(const struct line *l, size_t at, const char *text, const char *label)
{
    struct stat_options *o = l->o;
    const size_t clocks = o->clocks;
    size_t name = 0, after = text[0] == '=';
    const bool named = !after && cli_name_before_equals(text, &name, &after);

    after += strspn(text + after, " \t");
    if ((text[0] != '=' && !named) || text[after] == '\0')
        return wrong(l, at, NULL, "expected = and the clock, as on --clock");
    const int code =
        named ? stat_add_clock(o, label, text, true) : take_unnamed(l, at, text + after, label);
    if (code || o->clocks <= clocks)
        return code;
    return (o->asked_clock[o->clocks - 1].label = keep(o, cli_line_label_at(label, after)))
               ? CLI_OK
               : cli_no_memory();
}

/* Takes the text after the word, at column `at` of the line. */
static int take_rest(const struct line *l, unsigned word, size_t at, const char *text)
{
    static const enum stat_measure_kind kinds[] = {
        [VALUE] = STAT_VALUE, [LATENCY] = STAT_LATENCY, [STATES] = STAT_STATES, [LEVEL] = STAT_LEVEL
    };
    struct stat_options *o = l->o;
    const char *label = keep(o, cli_line_label(l->path, l->number, (uint32_t)at + 1));

    if (!label)
        return cli_no_memory();
    switch (word) {
    case CLOCK:
        return take_clock(l, at, text, label);
    case EVENT:
        return stat_parse_events(o, label, text);
    case METRIC:
        return cli_metric_text(&o->metric_options, label, text);
    case EXPECT:
        return cli_expect_text(&o->expect, label, text);
    default:
        return stat_measure_add(&o->measures, kinds[word], label, text);
    }
}

static int no_word(const struct line *l, size_t at, size_t size)
{
    char word[40], near[100], hint[160] = "", what[200];

    snprintf(word, sizeof word, "%.*s", (int)(size < 39 ? size : 39), l->text + at);
    cli_near(word, words, near, sizeof near);
    if (near[0])
        snprintf(hint, sizeof hint, "did you mean %s?", near);
    snprintf(what, sizeof what,
             "expected clock, event, metric, expect, value, latency, states or level, found \"%s\"",
             word);
    return wrong(l, at, hint[0] ? hint : NULL, what);
}

/* A comment begins at a # that is no part of a name, as in x#1. */
static size_t end_of_line(const char *text)
{
    size_t end = 0;

    while (text[end] != '\0' && !(text[end] == '#' && (end == 0 || cli_is_space(text[end - 1]))))
        end++;
    while (end > 0 && cli_is_space(text[end - 1]))
        end--;
    return end;
}

static int take_line(struct line *l)
{
    size_t at = strspn(l->text, " \t\r"), n = 0;
    const size_t end = end_of_line(l->text);

    if (at >= end)
        return CLI_OK;
    while (cli_is_word(l->text[at + n]))
        n++;
    for (unsigned w = 0; w < WORDS; w++) {
        if (strlen(words[w]) != n || memcmp(words[w], l->text + at, n) != 0)
            continue;
        for (at += n; at < end && cli_is_space(l->text[at]); at++)
            ;
        if (at == end)
            return wrong(l, end, NULL, "expected what it is, as on the command line");
        /* the blank that ends an escaped name stays */
        const bool escape = memchr(l->text + at, '\\', end - at) != NULL;
        const char *rest = keep(l->o, cli_copy(l->text + at, end - at + (escape && l->text[end])));
        return rest ? take_rest(l, w, at, rest) : cli_no_memory();
    }
    return no_word(l, at, n ? n : 1);
}

int stat_take_file(struct stat_options *o, const char *path)
{
    struct line l = { .o = o, .path = cli_input_name(path), .number = 1 };
    size_t size;
    char *text;
    int code = cli_read_text("stat", path, &text, &size);

    if (code)
        return code;
    if (strlen(text) != size) {
        free(text);
        return cli_error_at(1820, NULL, 0, NULL, "%s is not text: it has a NUL", l.path);
    }
    for (char *at = text; code == CLI_OK && at; l.number++) {
        char *end = strchr(at, '\n');
        if (end)
            *end = '\0';
        l.text = at;
        code = take_line(&l);
        at = end ? end + 1 : NULL;
    }
    free(text);
    return code;
}
