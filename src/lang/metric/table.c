/* SPDX-License-Identifier: MIT */
/*
 * A set of metrics: from a text, or from data/metric_formulas.csv.  The latter has only what
 * the name and the events of a vendor's metric make certain; all others are U-020.  What _busy and
 * _waits_for_ of the graphics metrics mean is U-021.
 */
#include "base/near.h"
#include "base/text.h"
#include "lang/metric/parser.h"

#include <stdio.h>
#include <string.h>

void pc_metrics_close(struct pc_metrics *metrics)
{
    if (!metrics)
        return;
    struct pc_alloc a = metrics->alloc;
    for (size_t i = 0; i < metrics->count; i++)
        me_free(&a, &metrics->metric[i]);
    pc_free(&a, metrics->metric, metrics->capacity * sizeof *metrics->metric);
    pc_free(&a, metrics, sizeof *metrics);
}

static size_t find(const struct pc_metrics *m, const char *name)
{
    size_t i = 0;

    while (i < m->count && strcmp(m->metric[i].text, name) != 0)
        i++;
    return i;
}

static enum pc_status add(struct pc_metrics *m, const struct me_line *line, struct pc_error *err)
{
    struct me_metric one = { .text = NULL };
    void *array = m->metric;

    if (line->size >= ME_MAX_LINE)
        return pc_fail_at(err, 1521, line->number, 0, "a line of %zu bytes; %d are taken",
                          line->size, ME_MAX_LINE - 1);
    if (m->count == ME_MAX_METRICS)
        return pc_fail_at(err, 1521, line->number, 0, "more than %d metrics", ME_MAX_METRICS);
    enum pc_status status = me_parse(&m->alloc, line, &one, err);
    if (status == PC_OK && find(m, one.text) < m->count)
        status = pc_fail_at(err, 1522, line->number, 1, "%s was there before", one.text);
    if (status == PC_OK &&
        !pc_grow(&m->alloc, &array, &m->capacity, m->count + 1, sizeof *m->metric))
        status = pc_fail(err, 100, "out of memory for metrics");
    m->metric = array;
    if (status) {
        me_free(&m->alloc, &one);
        return status;
    }
    m->metric[m->count++] = one;
    return PC_OK;
}

/* A line up to its comment; blank ones are nothing. */
static enum pc_status add_line(struct pc_metrics *m, struct me_line *line, struct pc_error *err)
{
    const char *text = line->text, *comment = memchr(text, '#', line->size);

    if (comment)
        line->size = (size_t)(comment - text);
    while (line->size > 0 && pc_is_one_of(text[line->size - 1], " \t\r"))
        line->size--;
    if (memchr(text, '\0', line->size))
        return pc_fail_at(err, 1520, line->number, 0, "the line has a NUL: this is not text");
    for (size_t i = 0; i < line->size; i++)
        if (text[i] != ' ' && text[i] != '\t')
            return add(m, line, err);
    return PC_OK;
}

static struct pc_metrics *begin(const struct pc_alloc *alloc)
{
    struct pc_alloc a = pc_alloc_or_libc(alloc);
    struct pc_metrics *m = pc_calloc(&a, 1, sizeof *m);

    if (m)
        m->alloc = a;
    return m;
}

enum pc_status pc_metrics_load(const struct pc_alloc *alloc, const char *text, size_t size,
                               struct pc_metrics **out, struct pc_error *err)
{
    return pc_metrics_load_over(alloc, text, size, NULL, 0, out, err);
}

enum pc_status pc_metrics_load_over(const struct pc_alloc *alloc, const char *text, size_t size,
                                    const struct pc_metric_ref *known, size_t count,
                                    struct pc_metrics **out, struct pc_error *err)
{
    struct pc_metrics *m = begin(alloc);
    enum pc_status status = PC_OK;
    uint32_t number = 1;

    if (!m)
        return pc_fail(err, 100, "out of memory for metrics");
    for (size_t at = 0; at < size && status == PC_OK; number++) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        struct me_line line = { text + at, length, number, known, count };
        status = add_line(m, &line, err);
        at += length + 1;
    }
    if (status) {
        pc_metrics_close(m);
        return status;
    }
    *out = m;
    return PC_OK;
}

size_t pc_metrics_count(const struct pc_metrics *metrics)
{
    return metrics->count;
}

bool pc_metrics_at(const struct pc_metrics *metrics, size_t i, struct pc_metric *out)
{
    if (i >= metrics->count)
        return false;
    const struct me_metric *m = &metrics->metric[i];
    *out = (struct pc_metric){ .name = m->text,
                               .formula = m->text + m->formula,
                               .unit = m->unit->name,
                               .event = m->event,
                               .events = m->events,
                               .base = m->unit->base,
                               .size = me_decimal(m->unit->many, m->unit->ten),
                               .kind = m->kind,
                               .has_unit = m->has_unit,
                               .hundred = m->hundred };
    return true;
}

enum pc_status pc_metrics_find(const struct pc_metrics *metrics, const char *name, size_t *out,
                               struct pc_error *err)
{
    size_t i = find(metrics, name);
    struct pc_near near;
    char names[300];

    if (i < metrics->count) {
        *out = i;
        return PC_OK;
    }
    enum pc_status status = pc_fail(err, 1523, "unknown metric \"%.80s\"", name);
    pc_near_begin(&near, name);
    for (i = 0; i < metrics->count; i++)
        pc_near_offer(&near, metrics->metric[i].text);
    pc_near_text(&near, names, sizeof names);
    if (names[0])
        pc_hint(err, "did you mean %s?", names);
    return status;
}

/* --- what is known --- */

static const struct {
    const char *chips, *line; /* "GF108 GF116", or "*" */
} known[] = {
#include "metric_formulas.inc"
};

/* Returns true if the name is a word of the list. */
static bool is_listed(const char *list, const char *name)
{
    if (strcmp(list, "*") == 0)
        return true;
    for (const char *at = list; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (pc_same_start(at, strcspn(at, " "), name))
            return true;
    return false;
}

enum pc_status pc_metrics_load_known(const struct pc_alloc *alloc, const char *chip,
                                     struct pc_metrics **out, struct pc_error *err)
{
    struct pc_metrics *m = begin(alloc);
    enum pc_status status = PC_OK;

    if (!m)
        return pc_fail(err, 100, "out of memory for metrics");
    for (size_t i = 0; i < sizeof known / sizeof known[0] && status == PC_OK; i++)
        if (is_listed(known[i].chips, chip)) {
            const struct me_line line = { known[i].line, strlen(known[i].line), (uint32_t)i + 1,
                                          NULL, 0 };
            status = add(m, &line, err);
        }
    if (status) {
        pc_metrics_close(m);
        return status;
    }
    *out = m;
    return PC_OK;
}
