/* SPDX-License-Identifier: MIT */
/* Metrics and expectations of the sums: their formulas stand in the reports. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "stat/stat_figures.h"
#include "text/chars.h"
#include "text/quantity.h"
#include "wave/expectation_tree.h"

/* --- figures by their names --- */

struct inputs {
    const struct merge_report *r;
    struct pc_metric_input *input;
    size_t count, capacity;
    const char *wanted;
    struct pc_metric_input found;
    bool is_found, exact;
};

static enum pc_value_state state_of(const struct rep_tree *item)
{
    const char *text = tree_text(item, "state");

    for (int s = PC_VALUE_EXACT; s <= PC_VALUE_UNMEASURED; s++)
        if (strcmp(pc_value_state_name((enum pc_value_state)s), text) == 0)
            return (enum pc_value_state)s;
    return stat_has_taint(item) ? PC_VALUE_TAINTED : PC_VALUE_EXACT;
}

/* A bus or a net may be called by an end of its name. */
static bool is_called(const struct inputs *in, const char *name, bool *exact)
{
    const size_t n = strlen(name), m = strlen(in->wanted);

    *exact = strcmp(name, in->wanted) == 0;
    return *exact || (in->r->kind != MERGE_STAT && n > m && name[n - m - 1] == '.' &&
                      strcmp(name + n - m, in->wanted) == 0);
}

static int look(void *ctx, const struct merge_figure *f)
{
    struct inputs *in = ctx;
    bool exact;

    if (in->exact || !is_called(in, f->name, &exact) || (in->is_found && !exact))
        return CLI_OK;
    in->is_found = true;
    in->exact = exact;
    in->found = (struct pc_metric_input){
        .value = f->value->what == TREE_REAL ? f->value->real : (double)f->value->n,
        .state = f->value->what == TREE_INT || f->value->what == TREE_REAL ? state_of(f->item)
                                                                           : PC_VALUE_UNMEASURED
    };
    return CLI_OK;
}

static int find(void *ctx, const struct cli_metric *m, const char *name, size_t *event)
{
    struct inputs *in = ctx;
    void *array = in->input;

    (void)m;
    in->wanted = name;
    in->is_found = in->exact = false;
    in->found = (struct pc_metric_input){ .state = PC_VALUE_UNMEASURED };
    const int code = merge_each_figure(in->r, look, in);
    if (code)
        return code;
    if (!cli_grow(&array, &in->capacity, in->count + 1, sizeof *in->input))
        return cli_no_memory();
    in->input = array;
    in->input[in->count] = in->found;
    *event = in->count++;
    return CLI_OK;
}

static bool is_event(void *ctx, const char *name)
{
    const struct inputs *in = ctx;
    const struct rep_tree *events = tree_value(&in->r->root, "events", TREE_LIST);

    for (size_t i = 0; events && i < events->children; i++)
        if (strcmp(tree_text(&events->child[i], "name"), name) == 0)
            return true;
    return false;
}

static void evaluate(const struct inputs *in, const struct cli_metric *m,
                     struct pc_metric_value *out)
{
    const struct rep_tree *seconds = tree_value(&in->r->root, "seconds", TREE_REAL);

    for (size_t k = 0; k < m->info.events; k++)
        m->input[k] = in->input[m->event[k]];
    pc_metrics_eval(m->set, m->index, m->input, (double)tree_count(&in->r->root, "cycles"),
                    seconds ? seconds->real : 0, out);
}

/* --- metrics --- */

static int set_text(struct rep_tree *node, const char *text)
{
    char *copy;

    if (!node || node->what != TREE_TEXT)
        return CLI_OK;
    copy = cli_copy(text, strlen(text));
    if (!copy)
        return cli_no_memory();
    free(node->text);
    node->text = copy;
    return CLI_OK;
}

static int tell_metrics(const struct inputs *in, const struct cli_metrics *metrics,
                        struct rep_tree *list)
{
    struct pc_metric_value v;
    int code = CLI_OK;

    for (size_t i = 0; list && i < list->children && i < metrics->count && code == CLI_OK; i++) {
        const struct pc_metric *info = &metrics->metric[i].info;
        evaluate(in, &metrics->metric[i], &v);
        merge_set_real(tree_member(&list->child[i], "value"), v.state != PC_VALUE_UNMEASURED,
                       cli_report_value(info, v.value));
        code = set_text(tree_member(&list->child[i], "state"), pc_value_state_name(v.state));
        if (code == CLI_OK)
            code = set_text(tree_member(&list->child[i], "why"), v.why);
    }
    return code;
}

/* --- expectations --- */

static int tell_expectation(const struct inputs *in, const struct cli_expectations *e, size_t i,
                            struct rep_tree *item)
{
    static const char *const sides[] = { "left", "right" };
    const struct pc_metric *unit = cli_expectation_unit(e, i);
    struct pc_metric_value side[2];

    for (unsigned k = 0; k < 2; k++) {
        evaluate(in, &e->sides.metric[2 * i + k], &side[k]);
        merge_set_real(tree_member(item, sides[k]), side[k].state != PC_VALUE_UNMEASURED,
                       unit ? cli_report_value(unit, side[k].value) : side[k].value);
    }
    const enum cli_verdict is = cli_verdict_of(&e->item[i], side);
    const int code = set_text(tree_member(item, "verdict"), cli_verdict_name(is));
    return code ? code
                : set_text(tree_member(item, "why"), is != CLI_NOT_KNOWN ? ""
                                                     : side[0].why[0]    ? side[0].why
                                                                         : side[1].why);
}

static int expectations(struct inputs *in, const struct cli_metrics *metrics,
                        const struct cli_metric_host *host)
{
    struct rep_tree *list = tree_value(&in->r->root, "expectations", TREE_LIST);
    struct cli_expectations e = { .texts = 0 };
    int code = cli_tree_expectations(&in->r->root, metrics, &e);

    if (code == CLI_OK)
        code = cli_expectations_bind(&e, metrics, host);
    for (size_t i = 0; i < e.texts && code == CLI_OK; i++)
        code = tell_expectation(in, &e, i, &list->child[i]);
    cli_expectations_close(&e);
    cli_expect_forget(&e);
    return code;
}

/* Periods of clocks have their verdicts as rows alone. */
static int judge_periods(const struct merge_report *r)
{
    const struct rep_tree *periods = tree_value(&r->root, "periods", TREE_LIST);

    for (size_t i = 0; periods && i < periods->children; i++) {
        const struct rep_tree *item = &periods->child[i];
        const struct rep_tree *met = tree_value(item, "met", TREE_BOOL);
        const char *word = cli_verdict_name(met && met->n ? CLI_MET : CLI_NOT_MET);
        for (size_t k = 0; k < item->children; k++) {
            struct rep_tree *verdict = &item->child[k];
            if (strcmp(verdict->field->name, "verdict") != 0)
                continue;
            verdict->what = TREE_TEXT;
            if (!(verdict->text = cli_copy(word, strlen(word))))
                return cli_no_memory();
        }
    }
    return CLI_OK;
}

int merge_name_expectations(struct merge_report *r)
{
    const struct rep_tree *list = tree_value(&r->root, "expectations", TREE_LIST);
    const int code = judge_periods(r);

    if (code)
        return code;
    for (size_t i = 0; list && i < list->children; i++) {
        const char *text = tree_text(&list->child[i], "expectation");
        size_t n = strcspn(text, "<>=!");
        while (n > 0 && cli_is_blank(text[n - 1]))
            n--;
        for (size_t k = 0; k < list->child[i].children; k++) {
            struct rep_tree *name = &list->child[i].child[k];
            if (strcmp(name->field->name, "name") != 0)
                continue;
            name->what = TREE_TEXT;
            if (!(name->text = cli_copy(text, n)))
                return cli_no_memory();
        }
    }
    return CLI_OK;
}

bool merge_is_unmet(const struct merge_report *r)
{
    const struct rep_tree *list = tree_value(&r->root, "expectations", TREE_LIST);
    const struct rep_tree *periods = tree_value(&r->root, "periods", TREE_LIST);
    bool unmet = false;

    for (size_t i = 0; periods && i < periods->children; i++)
        unmet |= !tree_is(&periods->child[i], "met");
    for (size_t i = 0; list && i < list->children; i++)
        unmet |= strcmp(tree_text(&list->child[i], "verdict"), cli_verdict_name(CLI_MET)) != 0;
    return unmet;
}

int merge_formulas(struct merge_report *r)
{
    struct rep_tree *list = tree_value(&r->root, "metrics", TREE_LIST);
    struct inputs in = { .r = r };
    const struct cli_metric_host host = { .ctx = &in, .find = find, .is_event = is_event };
    struct cli_metrics metrics = { .count = 0 };
    char *text;
    int code = cli_tree_metrics(&r->root, &metrics, &text);

    if (code == CLI_OK)
        code = cli_metrics_bind(&metrics, &host);
    if (code == CLI_OK)
        code = tell_metrics(&in, &metrics, list);
    if (code == CLI_OK)
        code = expectations(&in, &metrics, &host);
    cli_metrics_close(&metrics);
    free(text);
    free(in.input);
    return code;
}
