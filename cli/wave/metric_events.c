/* SPDX-License-Identifier: MIT */
/* The events of metrics: which of them a verb knows, and the groups that they make. */
#include "wave/metric_set.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

static bool in_name(char c)
{
    return cli_is_word(c) || c == '.' || c == '$' || (unsigned char)c >= 0x80;
}

const char *cli_formula_find(const char *formula, const char *name)
{
    const char *at = formula;
    const size_t n = strlen(name);

    while ((at = strstr(at, name)) != NULL) {
        if ((at == formula || !in_name(at[-1])) && !in_name(at[n]))
            break;
        at++;
    }
    return at;
}

struct cli_place cli_metric_place(const struct cli_metric *m, const char *name)
{
    const char *formula = m->info.formula, *at = cli_formula_find(formula, name);

    return (struct cli_place){ m->label ? m->label : m->info.name, formula,
                               at ? (uint32_t)(at - formula) : 0 };
}

/* Returns the first event that cannot be counted, of a metric that only a pattern asks for. */
static const char *unknown_event(const struct cli_metric *m, const struct cli_metric_host *host)
{
    for (size_t k = 0; m->by_pattern && k < m->info.events; k++)
        if (!host->knows(host->ctx, m->info.event[k]))
            return m->info.event[k];
    return NULL;
}

/* Leaves out metrics that patterns ask for and that cannot be counted; an error if none remains. */
static int leave_out(struct cli_metrics *m, const struct cli_metric_host *host)
{
    size_t kept = 0, matched = 0, unknown = 0;

    for (size_t i = 0; i < m->count; i++) {
        matched += m->metric[i].by_pattern;
        unknown += unknown_event(&m->metric[i], host) != NULL;
    }
    if (unknown > 0 && unknown == matched)
        return cli_error_at(1508, NULL, 0, "-M with the full name of one says which event it is.",
                            "none of %s of the pattern can be planned: how %s counts their "
                            "events is not known",
                            cli_count(matched, "metric"), host->chip->name);
    for (size_t i = 0; i < m->count; i++) {
        const char *event = unknown_event(&m->metric[i], host);
        if (event) {
            cli_warning(1509, "%s is left out: how %s counts %s is not known",
                        m->metric[i].info.name, host->chip->name, event);
            cli_metric_free_room(&m->metric[i]);
        } else {
            m->metric[kept++] = m->metric[i];
        }
    }
    m->count = kept;
    return CLI_OK;
}

int cli_metrics_bind(struct cli_metrics *m, const struct cli_metric_host *host)
{
    int code = host->knows ? leave_out(m, host) : CLI_OK;

    for (size_t i = 0; i < m->count && code == CLI_OK; i++)
        for (size_t k = 0; k < m->metric[i].info.events && code == CLI_OK; k++)
            code = host->find(host->ctx, &m->metric[i], m->metric[i].info.event[k],
                              &m->metric[i].event[k]);
    return code;
}

static bool has_event(const struct cli_metric *m, size_t event)
{
    for (size_t k = 0; k < m->info.events; k++)
        if (m->event[k] == event)
            return true;
    return false;
}

/* Returns true if event n is in a group of the metric's events. */
static bool is_joined(const struct pc_plan_event *event, const struct cli_metric *m, size_t n)
{
    for (size_t k = 0; k < m->info.events; k++)
        if (event[m->event[k]].group == event[n].group)
            return true;
    return false;
}

/* Checks whether the metric's events, and those in a group with them, fit into one pass. */
static int try_joined(const struct cli_metric *m, const struct cli_metric_host *host, bool *fits)
{
    struct pc_plan_request request = { .chip = host->chip, .free_wires = host->free_wires };
    struct pc_plan *plan = NULL;
    size_t count;
    const struct pc_plan_event *event = host->events(host->ctx, &count);
    struct pc_plan_event *joined = calloc(count ? count : 1, sizeof *joined);

    if (!joined)
        return cli_no_memory();
    for (size_t n = 0; n < count; n++)
        if (is_joined(event, m, n)) {
            joined[request.events] = event[n];
            joined[request.events++].group = 1;
        }
    request.event = joined;
    *fits = pc_plan_create(NULL, &request, &plan, NULL) == PC_OK;
    pc_plan_destroy(plan);
    free(joined);
    return CLI_OK;
}

static unsigned new_group(const struct pc_plan_event *event, size_t count)
{
    unsigned group = 1;

    for (size_t n = 0; n < count; n++)
        group = event[n].group >= group ? event[n].group + 1 : group;
    return group;
}

static void join(const struct cli_metric *m, const struct cli_metric_host *host)
{
    size_t count;
    struct pc_plan_event *event = host->events(host->ctx, &count);
    unsigned group = new_group(event, count);

    for (size_t n = 0; n < count; n++)
        if (!has_event(m, n) && is_joined(event, m, n))
            event[n].group = group;
    for (size_t k = 0; k < m->info.events; k++)
        event[m->event[k]].group = group;
}

/* Copies of the events that others have in their groups. */
static int split(struct cli_metric *m, const struct cli_metric_host *host)
{
    int code = CLI_OK;

    for (size_t k = 0; k < m->info.events && code == CLI_OK; k++) {
        size_t count, e = m->event[k];
        const struct pc_plan_event *event = host->events(host->ctx, &count);
        bool shared = false;
        for (size_t n = 0; n < count; n++)
            shared |= n != e && !has_event(m, n) && event[n].group == event[e].group;
        if (!shared)
            continue;
        code = host->copy(host->ctx, e, &m->event[k]);
        if (code == CLI_OK) {
            struct pc_plan_event *now = host->events(host->ctx, &count);
            now[m->event[k]].group = new_group(now, count);
        }
    }
    return code;
}

int cli_metrics_group(struct cli_metrics *m, const struct cli_metric_host *host)
{
    for (size_t i = 0; i < m->count; i++) {
        struct cli_metric *one = &m->metric[i];
        bool fits = true;
        int code = one->info.events > 1 ? try_joined(one, host, &fits) : CLI_OK;
        if (code == CLI_OK && !fits)
            code = split(one, host);
        if (code)
            return code;
        if (one->info.events > 1)
            join(one, host);
    }
    return CLI_OK;
}

void cli_metrics_hint(const struct cli_metrics *m, struct pc_error *err)
{
    for (size_t i = 0; i < m->count && err->code == 1502; i++) {
        const struct cli_metric *one = &m->metric[i];
        if (one->info.events > 1 && err->line > 0 && has_event(one, err->line - 1)) {
            snprintf(err->hint, sizeof err->hint,
                     "the events of the metric %.60s are such a group: make it of fewer, or pin "
                     "none of them",
                     one->info.name);
            return;
        }
    }
}
