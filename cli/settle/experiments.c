/* SPDX-License-Identifier: MIT */
#include "settle/settle.h"

#include <stdlib.h>
#include <string.h>

#include "experiments.inc"

/* Returns the next word of a line; its length is 0 at the end. */
static size_t next_word(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    size_t n = 0;
    while (*at + n < end && (*at)[n] != ' ' && (*at)[n] != '\t')
        n++;
    return n;
}

static bool is_word(const char *at, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(at, word, n) == 0;
}

static void take_rest(const char *at, const char *end, char *out, size_t size)
{
    const size_t n = (size_t)(end - at);

    snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), at);
}

static void add_answer(struct experiment *e, const char *name, size_t n)
{
    if (e->answers < SETTLE_ANSWERS)
        snprintf(e->answer[e->answers++].name, SETTLE_NAME, "%.*s", (int)n, name);
}

/* Takes the words of a line as answers. */
static void take_values(struct experiment *e, const char *at, const char *end)
{
    for (size_t n; (n = next_word(&at, end)) > 0; at += n)
        add_answer(e, at, n);
}

/* Takes an answer that no option gives, with the words that it would read. */
static void take_answer(struct experiment *e, const char *at, const char *end)
{
    size_t n = next_word(&at, end);

    if (e->answers == 0)
        add_answer(e, "modelled", strlen("modelled"));
    add_answer(e, at, n);
    struct settle_answer *a = &e->answer[e->answers - 1];
    for (at += n; (n = next_word(&at, end)) > 0 && a->signs < SETTLE_READS; at += n)
        a->sign[a->signs++] = (uint32_t)strtoul(at, NULL, 16);
}

static void take_directive(struct experiment *e, const char *at, const char *end)
{
    const size_t n = next_word(&at, end);
    const char *word = at;

    at += n;
    while (at < end && *at == ' ')
        at++;
    if (is_word(word, n, "question"))
        take_rest(at, end, e->question, sizeof e->question);
    else if (is_word(word, n, "ask"))
        take_rest(at, end, e->ask, sizeof e->ask);
    else if (is_word(word, n, "chips"))
        take_rest(at, end, e->chips, sizeof e->chips);
    else if (is_word(word, n, "same"))
        take_rest(at, end, e->same, sizeof e->same);
    else if (is_word(word, n, "values"))
        take_values(e, at, end);
    else if (is_word(word, n, "answer"))
        take_answer(e, at, end);
    else if (is_word(word, n, "idle")) {
        e->has_idle = true;
        e->idle = (uint32_t)strtoul(at, NULL, 16);
    }
    e->together |= is_word(word, n, "together");
    e->hangs |= is_word(word, n, "hangs");
    e->once |= is_word(word, n, "once") || e->hangs;
    e->memory |= is_word(word, n, "memory");
    e->first |= is_word(word, n, "first");
}

/* Parses which part of a read is compared: the text after #=. */
static struct settle_read read_of(const char *at, const char *end)
{
    struct settle_read r = { .mask = UINT32_MAX };
    size_t n = next_word(&at, end);
    char *rest;

    if (is_word(at, n, "same"))
        r.kind = SETTLE_SAME;
    if (is_word(at, n, "bits")) {
        r.kind = SETTLE_BITS;
        r.mask = (uint32_t)strtoul(at + n, NULL, 16);
    }
    if (is_word(at, n, "is")) {
        r.kind = SETTLE_IS;
        r.value = (uint32_t)strtoul(at + n, &rest, 16);
        const char *more = rest;
        n = next_word(&more, end);
        if (n > 0)
            r.mask = (uint32_t)strtoul(more, NULL, 16);
    }
    return r;
}

static void take_line(struct experiment *e, const char *at, const char *end)
{
    const char *judged = NULL;

    for (const char *p = at; p + 1 < end && !judged; p++)
        if (p[0] == '#' && p[1] == '=')
            judged = p + 2;
    while (judged && end[-1] == ' ')
        end--;
    if (end - at > 2 && at[0] == '#' && at[1] == ':')
        take_directive(e, at + 2, end);
    else if (end - at > 2 && at[0] == 'r' && at[1] == ' ' && e->reads < SETTLE_READS)
        e->read[e->reads++] = judged ? read_of(judged, end) : (struct settle_read){ .kind = 0 };
}

static const struct pc_option_info *find_option(const char *name)
{
    const struct pc_option_info *o;
    size_t i = 0;

    while ((o = pc_option_at(i)) && strcmp(o->name, name) != 0)
        i++;
    return o;
}

/* Takes all values of a range, if the file says none: of a short one. */
static void take_range(struct experiment *e)
{
    char *end, text[16];
    const unsigned long least = strtoul(e->option->values, &end, 10);
    const unsigned long most = strtoul(end + 2, NULL, 10);

    for (unsigned long n = least; n <= most && e->answers < SETTLE_ANSWERS && most < 1000; n++) {
        if (n == least && e->answers > 0)
            return; /* those of `values` */
        snprintf(text, sizeof text, "%lu", n);
        add_answer(e, text, strlen(text));
    }
}

/* Takes the values of an option, unless the file says which of a range. */
static void take_option(struct experiment *e)
{
    e->option = find_option(e->question);
    e->range = e->option && strstr(e->option->values, "..") != NULL;
    if (!e->option && e->answers == 0)
        add_answer(e, "modelled", strlen("modelled"));
    if (!e->option)
        return;
    if (e->range) {
        take_range(e);
        return;
    }
    for (const char *v = e->option->values; *v; v += *v == '|') {
        const size_t n = strcspn(v, "|");
        add_answer(e, v, n);
        v += n;
    }
}

bool settle_experiment(size_t i, struct experiment *out)
{
    if (i >= sizeof experiment_rows / sizeof experiment_rows[0])
        return false;
    *out = (struct experiment){ .name = experiment_rows[i].name,
                                .text = experiment_text + experiment_rows[i].begin };
    for (const char *line = out->text; *line;) {
        const char *end = line + strcspn(line, "\n");
        take_line(out, line, end);
        line = end + (*end == '\n');
    }
    take_option(out);
    return true;
}

/* Matches "NAME", "FROM:TO", "FROM-". */
static bool in_range(const char *word, size_t n, const struct pc_chip *chip)
{
    char text[40], *to;

    snprintf(text, sizeof text, "%.*s", (int)n, word);
    to = strpbrk(text, ":-");
    const bool open = to && *to == '-';
    if (to)
        *to++ = '\0';
    const struct pc_chip *from = pc_chip_find(text), *end = to && !open ? pc_chip_find(to) : NULL;
    if (!from)
        return false;
    if (!to)
        return chip == from;
    if (chip->layout == PC_LAYOUT_NONE) /* it has to be named */
        return false;
    return chip->order >= from->order && (!end || chip->order < end->order);
}

bool settle_in_chips(const char *at, const char *end, const struct pc_chip *chip)
{
    for (size_t n; (n = next_word(&at, end)) > 0; at += n)
        if (in_range(at, n, chip))
            return true;
    return false;
}

bool settle_suits(const struct experiment *e, const struct pc_chip *chip)
{
    struct pc_chip_domain first;

    if (!pc_gpu_possible(chip))
        return false;
    if (chip->layout != PC_LAYOUT_NONE && !pc_chip_get_domain(chip, 0, &first))
        return false;
    return settle_in_chips(e->chips, e->chips + strlen(e->chips), chip);
}

static bool is_called(const char *name, const struct experiment *e)
{
    return cli_matches(name, e->name) || cli_matches(name, e->question);
}

bool settle_wanted(const struct settle_options *o, const struct experiment *e)
{
    for (size_t i = 0; i < o->names; i++)
        if (is_called(o->name[i], e))
            return true;
    return o->names == 0;
}

int settle_check_names(const struct settle_options *o, const struct pc_chip *chip)
{
    struct experiment e;

    for (size_t n = 0; n < o->names; n++) {
        size_t found = 0;
        for (size_t i = 0; settle_experiment(i, &e); i++)
            found += settle_suits(&e, chip) && is_called(o->name[n], &e);
        if (found == 0)
            return cli_usage("settle",
                             "no experiment of that name is about %s: %s; `pcounter settle -a %s` "
                             "lists those that are",
                             chip->name, o->name[n], chip->name);
        if (o->script && found > 1)
            return cli_usage("settle",
                             "--script takes the name of one experiment; %s is that of %s",
                             o->name[n], cli_count(found, "experiment"));
    }
    return CLI_OK;
}

bool settle_equal(const struct settle_reading *a, const struct settle_reading *b)
{
    return a->signs == b->signs && memcmp(a->sign, b->sign, a->signs * sizeof a->sign[0]) == 0;
}
