/* SPDX-License-Identifier: MIT */
/* See expectation.h. */
#include "wave/expectation.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

int cli_expect_text(const char *verb, struct cli_expectations *e, const char *text)
{
    if (e->texts == CLI_EXPECTATIONS)
        return cli_usage(verb, "--expect: %d times at most", CLI_EXPECTATIONS);
    e->text[e->texts++] = text;
    return CLI_OK;
}

/* A piece of an argument without the blanks around it */
struct piece {
    const char *argument;
    size_t at, size;
};

static struct piece trimmed(const char *argument, size_t from, size_t to)
{
    while (from < to && cli_is_blank(argument[from]))
        from++;
    while (to > from && cli_is_blank(argument[to - 1]))
        to--;
    return (struct piece){ argument, from, to - from };
}

static struct cli_place place_of(struct piece p)
{
    return (struct cli_place){ "--expect", p.argument, (uint32_t)p.at };
}

static int wrong(const char *argument, size_t at, const char *what)
{
    const struct cli_place place = { "--expect", argument, 0 };

    return cli_error_at(1524, &place, (uint32_t)at + 1, NULL, "%s", what);
}

/* The comparison at that place, "" if there is none, its length. */
static size_t comparison_at(const char *text, char out[3])
{
    const bool equal = text[0] != '\0' && text[1] == '=';
    const size_t size = strchr("<>", text[0]) ? 1 + equal : strchr("=!", text[0]) && equal ? 2 : 0;

    memcpy(out, text, size);
    out[size] = '\0';
    return size;
}

/* Both sides of the one comparison outside of parentheses, which have none in them either. */
static int split(const char *text, struct cli_expectation *out, struct piece side[2])
{
    size_t begin = 0, end = 0;
    char found[3];

    for (size_t at = 0; text[at]; at++) {
        if (text[at] == '#' || (unsigned char)text[at] < ' ')
            return wrong(text, at, "a formula has no such character");
        if (!strchr("<>=!", text[at]))
            continue;
        const size_t size = comparison_at(text + at, found);
        if (size == 0)
            return wrong(text, at, "expected < <= > >= == or !=");
        if (end > 0)
            return wrong(text, at, "an expectation has one comparison");
        memcpy(out->compare, found, sizeof found);
        begin = at;
        end = at + size;
        at = end - 1;
    }
    if (end == 0)
        return wrong(text, strlen(text), "expected < <= > >= == or !=, and what to compare with");
    side[0] = trimmed(text, 0, begin);
    side[1] = trimmed(text, end, strlen(text));
    return CLI_OK;
}

/* --- sides --- */

static int append(struct cli_metrics *m, const struct pc_metrics *set, size_t index)
{
    void *array = m->metric;

    if (!cli_grow(&array, &m->capacity, m->count + 1, sizeof *m->metric))
        return cli_no_memory();
    m->metric = array;
    struct cli_metric *new = &m->metric[m->count++];
    *new = (struct cli_metric){ .set = set, .index = index };
    (void)pc_metrics_at(set, index, &new->info);
    new->event = calloc(new->info.events + 1, sizeof *new->event);
    return new->event ? CLI_OK : cli_no_memory();
}

static const struct cli_metric *named(const struct cli_metrics *metrics, struct piece p)
{
    for (size_t i = 0; i < metrics->count; i++) {
        const char *name = metrics->metric[i].info.name;
        if (strlen(name) == p.size && memcmp(name, p.argument + p.at, p.size) == 0)
            return &metrics->metric[i];
    }
    return NULL;
}

/* A set of one metric, that formula; errors point into the argument. */
static int load(struct cli_metrics *m, struct piece p)
{
    static const char before[] = "side = ";
    const size_t skipped = sizeof before - 1;
    const struct cli_place place = place_of(p);
    struct pc_metrics *set;
    struct pc_error err;
    char *line = malloc(skipped + p.size + 1);

    if (!line)
        return cli_no_memory();
    memcpy(line, before, skipped);
    memcpy(line + skipped, p.argument + p.at, p.size);
    const enum pc_status status = pc_metrics_load(NULL, line, skipped + p.size, &set, &err);
    free(line);
    if (status != PC_OK) {
        snprintf(err.hint, sizeof err.hint, "%s",
                 "A side is the name of a metric of -M, or a formula like 0.05 * hits.");
        err.column = err.column > skipped ? err.column - (uint32_t)skipped : 1;
        return cli_library_error_at(&err, &place);
    }
    m->set[m->sets++] = set;
    const int code = append(m, set, 0);
    if (code == CLI_OK)
        m->metric[m->count - 1].info.name = "--expect"; /* for errors */
    return code;
}

/* *unit stays what it is if the side says none. */
static int add_side(struct cli_metrics *sides, const struct cli_metrics *metrics, struct piece p,
                    const char **unit)
{
    const struct cli_metric *metric = named(metrics, p);
    const struct cli_place place = place_of(p);
    const int code = metric ? append(sides, metric->set, metric->index) : load(sides, p);

    if (code)
        return code;
    const struct pc_metric *info = &sides->metric[sides->count - 1].info;
    if (!metric && strlen(info->formula) == p.size)
        return CLI_OK;
    if (*unit && strcmp(*unit, info->unit) != 0)
        return cli_error_at(1525, &place, 1, NULL, "this is in %s, the left side in %s", info->unit,
                            *unit);
    *unit = info->unit;
    return CLI_OK;
}

static bool is_number(const char *formula)
{
    return strspn(formula, "0123456789.eE+-") == strlen(formula);
}

static int open_one(struct cli_expectations *e, size_t i, const struct cli_metrics *metrics)
{
    struct cli_expectation *new = &e->item[i];
    struct piece side[2];
    int code = split(e->text[i], new, side);

    new->text = e->text[i];
    for (unsigned k = 0; k < 2 && code == CLI_OK; k++)
        code = add_side(&e->sides, metrics, side[k], &new->unit);
    if (code)
        return code;
    const struct cli_metric *metric = named(metrics, side[0]);
    new->left = metric ? metric->info.name : e->sides.metric[2 * i].info.formula;
    new->number = is_number(e->sides.metric[2 * i + 1].info.formula);
    return CLI_OK;
}

int cli_expectations_open(struct cli_expectations *e, const struct cli_metrics *metrics,
                          const struct cli_metric_host *host)
{
    int code = CLI_OK;

    for (size_t i = 0; i < e->texts && code == CLI_OK; i++)
        code = open_one(e, i, metrics);
    return code ? code : cli_metrics_bind(&e->sides, host);
}

void cli_expectations_close(struct cli_expectations *e)
{
    cli_metrics_close(&e->sides);
}

/* --- verdicts --- */

static bool holds(const char *compare, double left, double right)
{
    switch (compare[0]) {
    case '<':
        return compare[1] ? left <= right : left < right;
    case '>':
        return compare[1] ? left >= right : left > right;
    case '=':
        return left == right;
    default:
        return left != right;
    }
}

enum cli_verdict cli_verdict_of(const struct cli_expectation *e,
                                const struct pc_metric_value side[2])
{
    if (side[0].state != PC_VALUE_EXACT || side[1].state != PC_VALUE_EXACT)
        return CLI_NOT_KNOWN;
    return holds(e->compare, side[0].value, side[1].value) ? CLI_MET : CLI_NOT_MET;
}

const char *cli_verdict_name(enum cli_verdict verdict)
{
    static const char *const names[] = { "met", "not met", "unknown" };

    return names[verdict];
}
