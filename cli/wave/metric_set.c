/* SPDX-License-Identifier: MIT */
/* Metrics of the command line: loading and finding them, and the groups that their events make. */
#include "wave/metric_set.h"
#include "text/chars.h"
#include "text/regs_text.h"

#include <stdlib.h>
#include <string.h>

int cli_metric_text(struct cli_metric_options *o, const char *label, const char *text)
{
    void *array = o->said;
    struct cli_said *new = cli_one_more(&array, &o->capacity, &o->texts, sizeof *o->said);

    o->said = array;
    if (!new)
        return cli_no_memory();
    *new = (struct cli_said){ text, label };
    return CLI_OK;
}

int cli_metric_options_copy(const struct cli_metric_options *from, struct cli_metric_options *out)
{
    int code = CLI_OK;

    *out = *from;
    out->said = NULL;
    out->texts = out->capacity = 0;
    for (size_t i = 0; i < from->texts && code == CLI_OK; i++)
        code = cli_metric_text(out, from->said[i].label, from->said[i].text);
    return code;
}

void cli_metric_options_free(struct cli_metric_options *o)
{
    free(o->said);
    o->said = NULL;
    o->texts = o->capacity = 0;
}

int cli_metric_file(const char *verb, struct cli_metric_options *o, const char *path)
{
    if (o->files == CLI_METRIC_FILES)
        return cli_usage(verb, "--metrics: %d files at most", CLI_METRIC_FILES);
    o->file[o->files++] = path;
    return CLI_OK;
}

/* --- loading --- */

int cli_metrics_add(struct cli_metrics *m, struct pc_metrics *set, const char *origin)
{
    void *array = m->source;
    struct cli_metric_source *new =
        cli_one_more(&array, &m->set_capacity, &m->sets, sizeof *m->source);

    m->source = array;
    if (!new) {
        pc_metrics_close(set);
        return cli_no_memory();
    }
    *new = (struct cli_metric_source){ set, origin };
    return CLI_OK;
}

static int load_file(const char *verb, struct cli_metrics *m, const char *path)
{
    struct pc_metrics *set;
    struct pc_metric first;
    struct pc_error err;
    char *text;
    size_t size;
    int code = cli_read_text(verb, path, &text, &size);

    if (code != CLI_OK)
        return code;
    if (pc_metrics_load(NULL, text, size, &set, &err) != PC_OK)
        code = cli_error(&err, path, text);
    else
        code = cli_metrics_add(m, set, path);
    if (code == CLI_OK && !pc_metrics_at(set, 0, &first))
        code = cli_usage(verb, "--metrics %s: it has no metric", cli_input_name(path));
    free(text);
    return code;
}

static int load_known(struct cli_metrics *m, const char *chip)
{
    struct pc_metrics *set;
    struct pc_error err;

    if (pc_metrics_load_known(NULL, chip, &set, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    return cli_metrics_add(m, set, "known");
}

bool cli_metrics_at(const struct cli_metrics *m, size_t i, struct pc_metric *out,
                    const char **origin)
{
    for (size_t s = 0; s < m->sets; s++)
        for (size_t k = 0; pc_metrics_at(m->source[s].set, k, out); k++) {
            bool again = false;
            size_t found;
            for (size_t before = 0; before < s && !again; before++)
                again = pc_metrics_find(m->source[before].set, out->name, &found, NULL) == PC_OK;
            if (again || i-- > 0)
                continue;
            *origin = m->source[s].origin;
            return true;
        }
    return false;
}

/* --- what -M asks for --- */

static int want(struct cli_metrics *m, const struct pc_metrics *set, size_t index, bool by_pattern,
                const struct cli_place *place)
{
    void *array = m->metric;
    struct pc_metric info;

    (void)pc_metrics_at(set, index, &info);
    for (size_t i = 0; i < m->count; i++) {
        if (m->metric[i].set == set && m->metric[i].index == index) {
            m->metric[i].by_pattern &= by_pattern;
            return CLI_OK;
        }
        if (strcmp(m->metric[i].info.name, info.name) == 0)
            return cli_error_at(1522, place, 1, NULL, "another metric is called %.60s", info.name);
    }
    if (!cli_grow(&array, &m->capacity, m->count + 1, sizeof *m->metric))
        return cli_no_memory();
    m->metric = array;
    struct cli_metric *new = &m->metric[m->count++];
    *new =
        (struct cli_metric){ .set = set, .index = index, .info = info, .by_pattern = by_pattern };
    return cli_metric_room(new);
}

/* Finds the set that has the first metric of that name; an error with the nearest one. */
static int want_name(struct cli_metrics *m, const char *name, bool by_pattern,
                     const struct cli_place *place)
{
    struct pc_error err = { 0 }, one;
    size_t index;

    for (size_t s = 0; s < m->sets; s++) {
        if (pc_metrics_find(m->source[s].set, name, &index, &one) == PC_OK)
            return want(m, m->source[s].set, index, by_pattern, place);
        if (s == 0 || (!err.hint[0] && one.hint[0]))
            err = one;
    }
    if (m->sets == 0)
        return cli_error_at(1523, place, 1, "write it like 'rate = hits / cycles %'",
                            "unknown metric \"%.80s\", and no file of metrics", name);
    err.line = err.column = 1;
    return cli_library_error_at(&err, place);
}

static int want_pattern(struct cli_metrics *m, const char *pattern, const struct cli_place *place)
{
    struct pc_metric info;
    const char *origin;
    size_t found = 0;

    for (size_t i = 0; cli_metrics_at(m, i, &info, &origin); i++) {
        if (!cli_matches(pattern, info.name))
            continue;
        int code = want_name(m, info.name, true, place);
        if (code)
            return code;
        found++;
    }
    return found
               ? CLI_OK
               : cli_error_at(1523, place, 1, NULL, "no metric has a name like \"%.80s\"", pattern);
}

/* NAME[,NAME].. */
static int want_names(struct cli_metrics *m, const char *label, const char *text)
{
    for (const char *at = text;; at++) {
        at += strspn(at, " \t");
        size_t n = strcspn(at, ",");
        const char *behind = at + n;
        while (n > 0 && strchr(" \t", at[n - 1]))
            n--;
        struct cli_place place = { label, text, (uint32_t)(at - text) };
        if (n == 0)
            return cli_error_at(
                330, &place, 1,
                "Give names with commas between them, or one 'NAME = FORMULA UNIT'.",
                "expected the name of a metric");
        char *name = cli_copy(at, n);
        if (!name)
            return cli_no_memory();
        int code =
            strpbrk(name, "*?") ? want_pattern(m, name, &place) : want_name(m, name, false, &place);
        free(name);
        if (code || *behind == '\0')
            return code;
        at = behind;
    }
}

struct pc_metric_ref *cli_metric_refs(const struct cli_metrics *m, bool own, size_t *count)
{
    const size_t known = m->known ? pc_metrics_count(m->known) : 0;
    struct pc_metric_ref *ref = calloc(m->count + known + 1, sizeof *ref);

    *count = 0;
    for (size_t i = 0; ref && own && i < m->count; i++)
        ref[(*count)++] = (struct pc_metric_ref){ m->metric[i].set, m->metric[i].index };
    for (size_t i = 0; ref && i < known; i++)
        ref[(*count)++] = (struct pc_metric_ref){ m->known, i };
    return ref;
}

/* Takes "name = formula unit" of -M itself, or lines of them. */
static int want_text(struct cli_metrics *m, const char *label, const char *text)
{
    const struct cli_place place = { label, text, 0 };
    struct pc_metrics *set;
    struct pc_metric info;
    struct pc_error err;
    size_t count;
    struct pc_metric_ref *known = cli_metric_refs(m, false, &count);

    if (!known)
        return cli_no_memory();
    const enum pc_status status =
        pc_metrics_load_over(NULL, text, strlen(text), known, count, &set, &err);
    free(known);
    if (status != PC_OK)
        return cli_library_error_at(&err, &place);
    int code = cli_metrics_add(m, set, "-M");
    if (code)
        return code;
    if (!pc_metrics_at(set, 0, &info))
        return cli_error_at(1520, &place, 1, NULL, "expected the name of a metric");
    for (size_t i = 0; code == CLI_OK && pc_metrics_at(set, i, &info); i++) {
        const char *formula = strstr(text, info.formula);
        code = want(m, set, i, false, &place);
        if (code == CLI_OK && formula)
            m->metric[m->count - 1].label = cli_line_label_at(label, (size_t)(formula - text));
    }
    return code;
}

/* Takes all of the user's files, in their order. */
static int want_files(struct cli_metrics *m, size_t files)
{
    struct pc_metric info;
    int code = CLI_OK;

    for (size_t s = files; s-- > 0;) {
        const struct cli_place place = { m->source[s].origin, "", 0 };
        for (size_t i = 0; code == CLI_OK && pc_metrics_at(m->source[s].set, i, &info); i++)
            code = want_name(m, info.name, false, &place);
    }
    return code;
}

int cli_metrics_open(const char *verb, const struct cli_metric_options *o, const char *chip,
                     struct cli_metrics *out)
{
    int code = CLI_OK;

    *out = (struct cli_metrics){ .known = o->known };
    for (size_t i = o->files; i-- > 0 && code == CLI_OK;) /* the last one wins */
        code = load_file(verb, out, o->file[i]);
    if (code == CLI_OK && chip)
        code = load_known(out, chip);
    for (size_t i = 0; i < o->texts && code == CLI_OK; i++) {
        const char *label = o->said[i].label ? o->said[i].label : "-M", *text = o->said[i].text;
        code = strchr(text, '=') ? want_text(out, label, text) : want_names(out, label, text);
    }
    if (code == CLI_OK && o->texts == 0)
        code = want_files(out, o->files);
    return code;
}

void cli_metrics_notes(const struct cli_metrics *metrics)
{
    for (size_t i = 0; i < metrics->count; i++) {
        const struct pc_metric *m = &metrics->metric[i].info;
        if (m->hundred)
            cli_note(350, "%s: %s is 1/100 already: leave out the `100 *` of %.200s", m->name,
                     m->unit, m->formula);
    }
}

int cli_metric_room(struct cli_metric *m)
{
    m->event = calloc(m->info.events + 1, sizeof *m->event);
    m->input = calloc(m->info.events + 1, sizeof *m->input);
    return m->event && m->input ? CLI_OK : cli_no_memory();
}

static void free_room(struct cli_metric *m)
{
    free(m->event);
    free(m->input);
    free(m->label);
}

void cli_metrics_close(struct cli_metrics *m)
{
    for (size_t i = 0; i < m->count; i++)
        free_room(&m->metric[i]);
    free(m->metric);
    for (size_t s = 0; s < m->sets; s++)
        pc_metrics_close(m->source[s].set);
    free(m->source);
    *m = (struct cli_metrics){ .sets = 0 };
}

/* --- events --- */

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
            free_room(&m->metric[i]);
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
