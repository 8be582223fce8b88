/* SPDX-License-Identifier: MIT */
/* Parses --value, --latency, --states and --level.  See stat_measure.h. */
#include "stat_machine.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

/* --- the text --- */

struct text {
    const char *label, *argument;
    size_t end; /* of the piece that is read */
};

static int wrong(const struct text *t, size_t at, const char *hint, const char *what)
{
    const struct cli_place place = { t->label, t->argument, 0 };

    return cli_error_at(1810, &place, (uint32_t)at + 1, hint, "%s", what);
}

static const char usage_latency[] = "write it like 'rd = ar_valid & ar_ready -> r_valid & r_ready "
                                    "until flush by ar_id, r_id'";
static const char usage_level[] = "write it like 'q = 4 +push -pop /16 until flush'";

static const char *usage_of(enum stat_measure_kind kind)
{
    return kind == STAT_LATENCY ? usage_latency : kind == STAT_LEVEL ? usage_level : NULL;
}

/* The first place from `at` on where `what` stands outside of an escaped name and of a text;
 * `end`: nowhere. */
static size_t find(const char *text, size_t at, size_t end, const char *what)
{
    const size_t n = strlen(what);

    for (; at < end; at++) {
        if (text[at] == '\\')
            while (at < end && !cli_is_space(text[at]))
                at++;
        if (text[at] == '"')
            at = cli_skip_text(text, at);
        if (at + n <= end && memcmp(text + at, what, n) == 0)
            return at;
    }
    return end;
}

/* The word with blanks around it. */
static size_t find_word(const char *text, size_t at, size_t end, const char *word)
{
    for (;; at++) {
        at = find(text, at, end, word);
        if (at == end ||
            (at > 0 && cli_is_space(text[at - 1]) && cli_is_space(text[at + strlen(word)])))
            return at;
    }
}

static int take_text(struct stat_measure *m, struct stat_piece *p, const struct text *t,
                     size_t begin, size_t end, const char *what)
{
    while (begin < end && cli_is_space(t->argument[begin]))
        begin++;
    while (end > begin && cli_is_space(t->argument[end - 1]))
        end--;
    if (begin == end)
        return wrong(t, begin, usage_of(m->kind), what);
    /* the blank that ends an escaped name is part of it */
    end += memchr(t->argument + begin, '\\', end - begin) && cli_is_space(t->argument[end]);
    p->place = (struct cli_place){ t->label, t->argument, (uint32_t)begin };
    p->text = cli_copy(t->argument + begin, end - begin);
    return p->text ? CLI_OK : cli_no_memory();
}

static int take_piece(struct stat_measure *m, const struct text *t, size_t begin, size_t end,
                      const char *what)
{
    const int code = take_text(m, &m->piece[m->pieces], t, begin, end, what);

    m->pieces += code == CLI_OK;
    return code;
}

/* by IDS, IDE */
static int take_ids(struct stat_measure *m, const struct text *t, size_t begin, size_t end)
{
    const size_t comma = find(t->argument, begin, end, ",");

    if (comma == end)
        return wrong(t, end, usage_latency,
                     "expected a comma and the identifier of the end after that of the start");
    const int code =
        take_piece(m, t, begin, comma, "expected the identifier of the start after by");
    return code ? code
                : take_piece(m, t, comma + 1, end,
                             "expected the identifier of the end after the comma");
}

/* START -> END [until EXPR] [by IDS, IDE], the last two in either order */
static int take_latency(struct stat_measure *m, const struct text *t, size_t begin)
{
    static const char by_word[] = "by", until_word[] = "until";
    const char *text = t->argument;
    const size_t arrow = find(text, begin, t->end, "->");
    const size_t by = find_word(text, arrow, t->end, by_word);
    const size_t until = find_word(text, arrow, t->end, until_word);

    if (arrow == t->end)
        return wrong(t, t->end, usage_latency, "expected -> and the end after the start");
    int code = take_piece(m, t, begin, arrow, "expected the start before ->");
    if (code == CLI_OK)
        code = take_piece(m, t, arrow + 2, by < until ? by : until, "expected the end after ->");
    if (code == CLI_OK && until < t->end)
        code = take_text(m, &m->drop[STAT_UNTIL], t, until + sizeof until_word - 1,
                         by > until ? by : t->end, "expected an expression after until");
    if (code == CLI_OK && by < t->end)
        code = take_ids(m, t, by + sizeof by_word - 1, until > by ? until : t->end);
    return code;
}

/* --- levels --- */

/* The next + or - outside of parentheses, escaped names and texts; `end`: there is none. */
static size_t find_sign(const char *text, size_t at, size_t end)
{
    unsigned depth = 0;

    for (; at < end; at++) {
        if (text[at] == '\\')
            while (at < end && !cli_is_space(text[at]))
                at++;
        if (text[at] == '"')
            at = cli_skip_text(text, at);
        depth += strchr("([{", text[at]) && text[at];
        depth -= depth > 0 && strchr(")]}", text[at]) && text[at];
        if (depth == 0 && at < end && (text[at] == '+' || text[at] == '-'))
            return at;
    }
    return end;
}

/* A number between blanks, up to 2^63-1. */
static int take_number(const struct text *t, size_t begin, size_t end, const char *what,
                       uint64_t *out)
{
    uint64_t n = 0;
    bool fits = true;
    size_t at = begin;

    while (at < end && cli_is_space(t->argument[at]))
        at++;
    const size_t first = at;
    for (; at < end && cli_is_digit(t->argument[at]); at++)
        fits = fits && !__builtin_mul_overflow(n, 10, &n) &&
               !__builtin_add_overflow(n, t->argument[at] - '0', &n) && n <= INT64_MAX;
    if (!fits)
        return wrong(t, first, usage_level, "a level is at most 2^63-1");
    *out = n;
    if (at == first)
        return wrong(t, first, usage_level, what);
    while (at < end && cli_is_space(t->argument[at]))
        at++;
    return at == end ? CLI_OK : wrong(t, at, usage_level, what);
}

/* [START] +EXPR -EXPR ..., in [begin, end) */
static int take_terms(struct stat_measure *m, const struct text *t, size_t begin, size_t end)
{
    static const char first[] = "expected + or -, and what comes in or goes out";
    size_t at = find_sign(t->argument, begin, end);
    bool some = false;

    for (size_t i = begin; i < at; i++)
        some |= !cli_is_space(t->argument[i]);
    int code = some ? take_number(t, begin, at,
                                  "expected the level at the start, a number, "
                                  "and + or - after it",
                                  &m->start)
                    : CLI_OK;
    if (code == CLI_OK && at == end)
        return wrong(t, end, usage_level, first);
    while (code == CLI_OK && at < end) {
        const size_t next = find_sign(t->argument, at + 1, end);
        if (m->pieces == STAT_PIECES)
            return wrong(t, at, NULL, "a level has up to 8 things that come in and go out");
        m->piece[m->pieces].out = t->argument[at] == '-';
        code = take_piece(m, t, at + 1, next, "expected what comes in or goes out after the sign");
        at = next;
    }
    return code;
}

/* [START] +EXPR -EXPR ... [/CAPACITY] [until EXPR], the last two in either order */
static int take_level(struct stat_measure *m, const struct text *t, size_t begin)
{
    static const char until_word[] = "until";
    const size_t slash = find(t->argument, begin, t->end, "/");
    const size_t until = find_word(t->argument, begin, t->end, until_word);
    int code = take_terms(m, t, begin, slash < until ? slash : until);

    if (code == CLI_OK && slash < t->end)
        code = take_number(t, slash + 1, until > slash ? until : t->end,
                           "expected the capacity, a number, after /", &m->capacity);
    if (code == CLI_OK && slash < t->end && m->capacity == 0)
        return wrong(t, slash, usage_level, "a capacity is 1 at least");
    if (code == CLI_OK && until < t->end)
        code = take_text(m, &m->drop[STAT_UNTIL], t, until + sizeof until_word - 1,
                         slash > until ? slash : t->end, "expected an expression after until");
    return code;
}

/* --- all of them --- */

/* Figures are named after it: rd.p99. */
static int check_name(const struct stat_measures *all, const struct stat_measure *m,
                      const struct text *t)
{
    const struct cli_place place = { t->label, t->argument, 0 };

    if (strcmp(m->name, "cycles") == 0 || strcmp(m->name, "seconds") == 0)
        return cli_error_at(339, &place, 1, NULL, "%s is not a name for a measurement", m->name);
    for (size_t i = 0; i + 1 < all->count; i++)
        if (strcmp(all->item[i].name, m->name) == 0)
            return cli_error_at(334, &place, 1, "give one another name: NAME=...",
                                "the name %.60s was given to another measurement", m->name);
    return CLI_OK;
}

int stat_measure_add(struct stat_measures *all, enum stat_measure_kind kind, const char *label,
                     const char *argument)
{
    const struct text t = { label, argument, strlen(argument) };
    void *array = all->item;
    size_t from = 0, name, after = 0;
    const char *clock = NULL;
    size_t clock_size = 0;
    const size_t skip = cli_clock_before(argument, t.end, &clock, &clock_size);
    const size_t named = cli_name_before_equals(argument + skip, &name, &after);

    struct stat_measure *m = cli_one_more(&array, &all->capacity, &all->count, sizeof *m);
    all->item = array;
    if (!m)
        return cli_no_memory();
    all->texts |= strchr(argument, '"') != NULL;
    m->kind = kind;
    m->label = label;
    m->argument = argument;
    m->named = named > 0;
    m->at = clock;
    m->at_size = clock_size;
    name += skip;
    from = skip + (named ? after : 0);
    const bool vector = kind == STAT_VALUE || kind == STAT_STATES;
    int code = vector               ? take_piece(m, &t, from, t.end, "expected a vector")
               : kind == STAT_LEVEL ? take_level(m, &t, from)
                                    : take_latency(m, &t, from);
    if (code)
        return code;
    m->text = argument + from + strspn(argument + from, " ");
    m->name = named    ? cli_copy(argument + name, named)
              : vector ? cli_copy(m->piece[0].text, strlen(m->piece[0].text))
                       : cli_copy(argument + skip, t.end - skip);
    return m->name ? check_name(all, m, &t) : cli_no_memory();
}

int stat_check_measures(const struct stat_options *o)
{
    const struct stat_measures *all = &o->measures;

    if (all->histogram && all->count == 0)
        return cli_usage("stat", "--histogram is about --value, --latency and --level: give one");
    if (all->log2 && !all->histogram)
        return cli_usage("stat", "--log2 is about --histogram: give it");
    if (all->percentile.count > 0 && !stat_measure_has(all, STAT_VALUE) &&
        !stat_measure_has(all, STAT_LATENCY) && !stat_measure_has(all, STAT_LEVEL))
        return cli_usage("stat", "--percentile is about --value, --latency and --level: give one");
    if (all->reset && !stat_measure_has(all, STAT_LATENCY) && !stat_measure_has(all, STAT_LEVEL))
        return cli_usage("stat", "--reset is about --latency and --level: give one");
    if (all->count > 0 && o->chip)
        return cli_usage("stat", "--value, --latency, --states and --level are not counts of a "
                                 "chip: leave out -a");
    return stat_check_names_files(all);
}
