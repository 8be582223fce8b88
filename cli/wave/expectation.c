/* SPDX-License-Identifier: MIT */
/* See expectation.h. */
#include "wave/expectation.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

int cli_expect_text(struct cli_expectations *e, const char *label, const char *text)
{
    void *array = e->said;
    struct cli_said *new = cli_one_more(&array, &e->capacity, &e->texts, sizeof *e->said);

    e->said = array;
    if (!new)
        return cli_no_memory();
    *new = (struct cli_said){ text, label };
    return CLI_OK;
}

void cli_expect_forget(struct cli_expectations *e)
{
    free(e->said);
    e->said = NULL;
    e->texts = e->capacity = 0;
}

/* A piece of an argument without the blanks around it */
struct piece {
    const char *argument;
    size_t at, size;
    const char *label;
};

static struct piece trimmed(const char *label, const char *argument, size_t from, size_t to)
{
    while (from < to && cli_is_blank(argument[from]))
        from++;
    while (to > from && cli_is_blank(argument[to - 1]))
        to--;
    return (struct piece){ argument, from, to - from, label };
}

static struct cli_place place_of(struct piece p)
{
    return (struct cli_place){ p.label, p.argument, (uint32_t)p.at };
}

static int wrong(const char *label, const char *argument, size_t at, const char *what)
{
    const struct cli_place place = { label, argument, 0 };

    return cli_error_at(1524, &place, (uint32_t)at + 1, NULL, "%s", what);
}

/* Finds the comparison at that place, "" if there is none, and its length. */
static size_t comparison_at(const char *text, char out[3])
{
    const bool equal = text[0] != '\0' && text[1] == '=';
    const size_t size = strchr("<>", text[0]) ? 1 + equal : strchr("=!", text[0]) && equal ? 2 : 0;

    memcpy(out, text, size);
    out[size] = '\0';
    return size;
}

/* Splits into both sides of the one comparison outside of parentheses, which have none in them
 * either. */
static int split(const char *label, const char *text, struct cli_expectation *out,
                 struct piece side[2])
{
    size_t begin = 0, end = 0;
    char found[3];

    for (size_t at = 0; text[at]; at++) {
        if (text[at] == '#' || (unsigned char)text[at] < ' ')
            return wrong(label, text, at, "invalid character in a formula");
        if (!strchr("<>=!", text[at]))
            continue;
        const size_t size = comparison_at(text + at, found);
        if (size == 0)
            return wrong(label, text, at, "expected < <= > >= == or !=");
        if (end > 0)
            return wrong(label, text, at, "an expectation has one comparison");
        memcpy(out->compare, found, sizeof found);
        begin = at;
        end = at + size;
        at = end - 1;
    }
    if (end == 0)
        return wrong(label, text, strlen(text),
                     "expected < <= > >= == or !=, and what to compare with");
    side[0] = trimmed(label, text, 0, begin);
    side[1] = trimmed(label, text, end, strlen(text));
    return CLI_OK;
}

/* --- sides --- */

/* A side that is read: a set of one metric. */
struct side {
    struct piece piece;
    struct pc_metrics *set;
    struct pc_metric info;
};

/* Loads the formula with a unit after it; errors point into the argument. */
static int load(struct side *s, const struct cli_metrics *metrics, const char *unit)
{
    static const char before[] = "side = ";
    const size_t skipped = sizeof before - 1, most = skipped + s->piece.size + strlen(unit) + 2;
    const struct cli_place place = place_of(s->piece);
    struct pc_metrics *set;
    struct pc_error err;
    char *line = malloc(most);
    size_t count;
    struct pc_metric_ref *known = cli_metric_refs(metrics, true, &count);
    enum pc_status status = PC_ENOMEM;

    if (line && known) {
        snprintf(line, most, "%s%.*s %s", before, (int)s->piece.size,
                 s->piece.argument + s->piece.at, unit);
        status = pc_metrics_load_over(NULL, line, strlen(line), known, count, &set, &err);
    }
    const bool memory = line && known;
    free(line);
    free(known);
    if (!memory)
        return cli_no_memory();
    if (status != PC_OK) {
        if (err.code == 1520)
            snprintf(err.hint, sizeof err.hint, "%s",
                     "A side is a formula like 0.05 * hits, with metrics of -M by name.");
        err.column = err.column > skipped ? err.column - (uint32_t)skipped : 1;
        return cli_library_error_at(&err, &place);
    }
    pc_metrics_close(s->set);
    s->set = set;
    (void)pc_metrics_at(set, 0, &s->info);
    return CLI_OK;
}

/* The set goes to the sides, whatever comes. */
static int append(struct cli_metrics *m, struct side *s)
{
    void *array = m->metric;

    const int code = cli_metrics_add(m, s->set, "--expect");
    if (code)
        return code;
    if (!cli_grow(&array, &m->capacity, m->count + 1, sizeof *m->metric))
        return cli_no_memory();
    m->metric = array;
    struct cli_metric *new = &m->metric[m->count++];
    *new = (struct cli_metric){ .set = s->set, .info = s->info };
    new->info.name = "--expect"; /* for errors */
    new->label = cli_line_label_at(s->piece.label, s->piece.at);
    return cli_metric_room(new);
}

/* A number takes the unit of the other side; sides that differ in kind have no order. */
static int agree(struct side side[2], const struct cli_metrics *metrics)
{
    int code = CLI_OK;

    for (unsigned k = 0; k < 2 && code == CLI_OK; k++)
        if (side[k].info.kind == PC_METRIC_NUMBER && side[1 - k].info.has_unit)
            code = load(&side[k], metrics, side[1 - k].info.unit);
    if (code || pc_metric_match(&side[0].info, &side[1].info))
        return code;
    const struct cli_place place = place_of(side[1].piece);
    return cli_error_at(1525, &place, 1, NULL, "this is %s, the left side %s",
                        pc_metric_kind_text(side[1].info.kind),
                        pc_metric_kind_text(side[0].info.kind));
}

static bool is_number(const char *formula)
{
    return strspn(formula, "0123456789.eE+-") == strlen(formula);
}

static const char *label_of(const struct cli_expectations *e, size_t i)
{
    return e->said[i].label ? e->said[i].label : "--expect";
}

static int open_one(struct cli_expectations *e, size_t i, const struct cli_metrics *metrics)
{
    struct cli_expectation *new = &e->item[i];
    struct piece piece[2];
    struct side side[2] = { { .set = NULL } };
    int code = split(label_of(e, i), e->said[i].text, new, piece);

    new->text = e->said[i].text;
    for (unsigned k = 0; k < 2 && code == CLI_OK; k++) {
        side[k].piece = piece[k];
        code = load(&side[k], metrics, "");
    }
    if (code == CLI_OK)
        code = agree(side, metrics);
    for (unsigned k = 0; k < 2 && code == CLI_OK; k++) {
        code = append(&e->sides, &side[k]);
        side[k].set = NULL;
    }
    for (unsigned k = 0; k < 2; k++)
        pc_metrics_close(side[k].set);
    if (code)
        return code;
    const struct cli_metric *left = &e->sides.metric[2 * i], *right = left + 1;
    new->left = left->info.formula;
    new->number = is_number(right->info.formula);
    return CLI_OK;
}

const struct pc_metric *cli_expectation_unit(const struct cli_expectations *e, size_t i)
{
    const struct cli_metric *side = &e->sides.metric[2 * i];
    const bool plain = side[1].info.has_unit && strcmp(side[0].info.unit, "ratio") == 0;

    return side[0].info.has_unit && !plain ? &side[0].info
           : side[1].info.has_unit         ? &side[1].info
                                           : NULL;
}

int cli_expectations_open(struct cli_expectations *e, const struct cli_metrics *metrics)
{
    int code = CLI_OK;

    e->item = e->texts ? calloc(e->texts, sizeof *e->item) : NULL;
    if (e->texts && !e->item)
        return cli_no_memory();
    for (size_t i = 0; i < e->texts && code == CLI_OK; i++)
        code = open_one(e, i, metrics);
    return code;
}

/* By itself a name is that of a metric, within a formula it would be a riddle if it is an event's,
 * too. */
static int check_names(const char *label, const char *text, const char *formula,
                       const struct cli_metrics *metrics, const struct cli_metric_host *host)
{
    const char *where = strstr(text, formula);
    const struct cli_place place = { label, text, where ? (uint32_t)(where - text) : 0 };

    for (size_t i = 0; i < metrics->count; i++) {
        const char *name = metrics->metric[i].info.name, *at = cli_formula_find(formula, name);
        if (at && strcmp(formula, name) != 0 && host->is_event(host->ctx, name))
            return cli_error_at(1524, &place, (uint32_t)(at - formula) + 1,
                                "Give the metric another name than its event.",
                                "%.60s is a metric and an event", name);
    }
    return CLI_OK;
}

int cli_expectations_bind(struct cli_expectations *e, const struct cli_metrics *metrics,
                          const struct cli_metric_host *host)
{
    int code = CLI_OK;

    for (size_t i = 0; i < e->sides.count && code == CLI_OK; i++)
        code = check_names(label_of(e, i / 2), e->said[i / 2].text, e->sides.metric[i].info.formula,
                           metrics, host);
    return code ? code : cli_metrics_bind(&e->sides, host);
}

void cli_expectations_close(struct cli_expectations *e)
{
    cli_metrics_close(&e->sides);
    free(e->item);
    e->item = NULL;
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

double cli_beyond(double bound)
{
    static const double beyond = 1e300; /* larger than any figure */

    return bound < beyond ? bound : beyond;
}

static bool is_other(const struct pc_metric_value *a, const struct pc_metric_value *b)
{
    return a->state != b->state || a->value < b->value || a->value > b->value;
}

void cli_value_within(const struct cli_metric *m, struct pc_metric_input *in,
                      const struct cli_open_inputs *open, bool largest, double cycles,
                      double seconds, struct pc_metric_value *out)
{
    double least[CLI_MOST_OPEN];

    for (size_t i = 0; i < open->count; i++)
        least[i] = in[open->number[i]].value;
    for (unsigned corner = 0; corner < 1u << open->count; corner++) {
        struct pc_metric_value value;
        for (size_t i = 0; i < open->count; i++)
            in[open->number[i]].value = corner >> i & 1 ? open->most[i] : least[i];
        pc_metrics_eval(m->set, m->index, in, cycles, seconds, &value);
        if (corner == 0 || value.state != PC_VALUE_EXACT ||
            (largest ? value.value > out->value : value.value < out->value))
            *out = value;
        if (value.state != PC_VALUE_EXACT)
            return;
    }
}

/* Tells whether values of both sides, each between its bounds, can be equal. */
static bool can_be_equal(const struct pc_metric_value a[2], const struct pc_metric_value b[2])
{
    double low[2], high[2];

    for (unsigned k = 0; k < 2; k++) {
        low[k] = a[k].value < b[k].value ? a[k].value : b[k].value;
        high[k] = a[k].value < b[k].value ? b[k].value : a[k].value;
    }
    return low[0] <= high[1] && low[1] <= high[0];
}

const char *cli_verdict_bounded(const struct cli_expectation *e,
                                const struct pc_metric_value least[2],
                                const struct pc_metric_value most[2],
                                struct pc_metric_value side[2], enum cli_verdict *verdict)
{
    static const char open[] = "unfinished starts may still change it";
    const bool for_equal = e->compare[0] == '=' || e->compare[0] == '!';
    enum cli_verdict is = CLI_NOT_KNOWN;

    for (unsigned i = 0; i < 4; i++) {
        const struct pc_metric_value now[2] = { i & 1 ? most[0] : least[0],
                                                i & 2 ? most[1] : least[1] };
        const enum cli_verdict one = cli_verdict_of(e, now);
        if (one == CLI_NOT_KNOWN || (i > 0 && one != is))
            return open;
        is = one;
    }
    /* Between bounds that are not equal there may be values that are. */
    if (for_equal && (is == CLI_MET) == (e->compare[0] == '!') && can_be_equal(least, most))
        return open;
    *verdict = is;
    if (!is_other(&side[0], &least[0]) && !is_other(&side[1], &least[1]))
        return "";
    side[0] = least[0];
    side[1] = least[1];
    return "at least, including unfinished starts";
}

const char *cli_verdict_name(enum cli_verdict verdict)
{
    static const char *const names[] = { "met", "not met", "unknown" };

    return names[verdict];
}
