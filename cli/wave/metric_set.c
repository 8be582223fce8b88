/* SPDX-License-Identifier: MIT */
/* Metrics of the command line: loading and finding them. */
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

void cli_metric_free_room(struct cli_metric *m)
{
    free(m->event);
    free(m->input);
    free(m->label);
}

void cli_metrics_close(struct cli_metrics *m)
{
    for (size_t i = 0; i < m->count; i++)
        cli_metric_free_room(&m->metric[i]);
    free(m->metric);
    for (size_t s = 0; s < m->sets; s++)
        pc_metrics_close(m->source[s].set);
    free(m->source);
    *m = (struct cli_metrics){ .sets = 0 };
}
