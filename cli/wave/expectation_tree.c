/* SPDX-License-Identifier: MIT */
/* See expectation_tree.h. */
#include "wave/expectation_tree.h"
#include "wave/share.h"

#include <stdlib.h>
#include <string.h>

#include "text/quantity.h"
#include "text/table.h"
#include "timeline/timeline_plot.h"

/* Finds the shares that the formulas of a report have, which are known beside its metrics. */
static int find_shares(const struct rep_tree *root, struct pc_metrics **out)
{
    struct cli_shares s = { .count = 0 };
    const struct rep_tree *item;
    int code = CLI_OK;

    for (size_t i = 0; (item = tree_item(root, "states", i)) != NULL && code == CLI_OK; i++)
        code = cli_share_of(&s, tree_text(item, "name"), false);
    for (size_t i = 0; (item = tree_item(root, "levels", i)) != NULL && code == CLI_OK; i++)
        if (tree_value(item, "capacity", TREE_INT))
            code = cli_share_of(&s, tree_text(item, "name"), true);
    for (size_t i = 0; (item = tree_item(root, "metrics", i)) != NULL && code == CLI_OK; i++)
        code = cli_share_words(&s, tree_text(item, "formula"));
    for (size_t i = 0; (item = tree_item(root, "expectations", i)) != NULL && code == CLI_OK; i++)
        code = cli_share_words(&s, tree_text(item, "expectation"));
    const int ended = cli_shares_end(&s, out);
    return code ? code : ended;
}

/* The shares, which may be NULL, are theirs whatever comes. */
static int add_shares(struct cli_metrics *out, struct pc_metrics *shares, int code)
{
    if (!shares)
        return code;
    out->known = shares;
    const int added = cli_metrics_add(out, shares, "shares");
    return code ? code : added;
}

/* All of them are lines of one text. */
int cli_tree_metrics(const struct rep_tree *root, struct cli_metrics *out, char **text)
{
    struct cli_metric_options o = { .texts = 0 };
    const struct rep_tree *item;
    struct pc_metrics *shares;
    size_t size, n = 0;

    *text = NULL;
    int code = find_shares(root, &shares);
    if (code || !tree_item(root, "metrics", 0))
        return add_shares(out, shares, code);
    FILE *file = open_memstream(text, &size);
    for (; file && (item = tree_item(root, "metrics", n)) != NULL; n++) {
        const char *in = tree_text(item, "in");
        fprintf(file, "%s = %s %s\n", tree_text(item, "name"), tree_text(item, "formula"),
                in[0] ? in : tree_text(item, "unit"));
    }
    if (!file || !cli_collected(file, text))
        return add_shares(out, shares, cli_no_memory());
    o.known = shares;
    code = cli_metric_text(&o, "\"metrics\"", *text);
    if (code == CLI_OK)
        code = cli_metrics_open("merge", &o, NULL, out);
    code = add_shares(out, shares, code);
    cli_metric_options_free(&o);
    return code || out->count == n
               ? code
               : cli_error_at(1701, NULL, 0, NULL, "some of \"metrics\" are not formulas");
}

int cli_tree_expectations(const struct rep_tree *root, const struct cli_metrics *metrics,
                          struct cli_expectations *out)
{
    const struct rep_tree *item;
    int code = CLI_OK;

    for (size_t i = 0; (item = tree_item(root, "expectations", i)) != NULL && code == CLI_OK; i++)
        code = cli_expect_text(out, NULL, tree_text(item, "expectation"));
    return code ? code : cli_expectations_open(out, metrics);
}

/* --- for people --- */

enum { SIDE = 80 };

/* Writes all digits: "not met: 70 %" of 70.004 % would tell nothing. */
static void side_text(const struct rep_tree *item, const char *side, const struct pc_metric *unit,
                      char out[SIDE])
{
    const struct rep_tree *value = tree_member(item, side);

    if (value->what == TREE_NULL)
        snprintf(out, SIDE, "not measured");
    else if (!unit)
        snprintf(out, SIDE, "%.15g", tree_real(item, side));
    else if (cli_report_value(unit, 1) > 1) /* a share, in per cent */
        snprintf(out, SIDE, "%.15g %s", tree_real(item, side), unit->unit);
    else
        snprintf(out, SIDE, "%.15g %s", tree_real(item, side) / unit->size, unit->unit);
}

/* "misses < 2 * evictions: 1813 and 592" */
static void put_one(struct cli_table *t, const struct rep_tree *item, const struct pc_metric *unit,
                    bool number)
{
    const char *verdict = tree_text(item, "verdict"), *why = tree_text(item, "why");
    const bool unknown = strcmp(verdict, cli_verdict_name(CLI_NOT_KNOWN)) == 0;
    char left[SIDE], right[SIDE] = "";

    side_text(item, "left", unit, left);
    if (!number)
        side_text(item, "right", unit, right);
    cli_cell(t, verdict);
    cli_cell_print(t, "%s: %s%s%s%s%s%s", tree_text(item, "expectation"), left,
                   number ? "" : " and ", right,
                   unknown  ? ": "
                   : why[0] ? " ("
                            : "",
                   why, !unknown && why[0] ? ")" : "");
    cli_row_end(t);
}

static int print_all(FILE *out, const struct rep_tree *root, const struct cli_expectations *e)
{
    static const struct cli_column column[] = { { .named = "verdict", .width = 7, .left = true },
                                                { .named = "expectation", .left = true } };
    struct cli_table *t =
        cli_table_open(out, &(struct cli_look){ .indent = 2, .gap = 2, .bare = true });

    cli_table_columns(t, column, 2);
    fputs("\nexpected\n", out);
    for (size_t i = 0; i < e->texts; i++)
        put_one(t, tree_item(root, "expectations", i), cli_expectation_unit(e, i),
                e->item[i].number);
    return cli_table_close(t);
}

int cli_print_expectations(FILE *out, const struct rep_tree *root)
{
    struct cli_expectations e = { .texts = 0 };
    struct cli_metrics metrics = { .count = 0 };
    char *text = NULL;
    int code = CLI_OK;

    if (!tree_item(root, "expectations", 0))
        return CLI_OK;
    code = cli_tree_metrics(root, &metrics, &text);
    if (code == CLI_OK)
        code = cli_tree_expectations(root, &metrics, &e);
    if (code == CLI_OK)
        code = print_all(out, root, &e);
    cli_expectations_close(&e);
    cli_expect_forget(&e);
    cli_metrics_close(&metrics);
    free(text);
    return code;
}

void cli_page_expectations(FILE *out, const struct rep_tree *root)
{
    const struct rep_tree *item;

    if (tree_item(root, "expectations", 0))
        fputs("<h2>expected</h2>\n", out);
    for (size_t i = 0; (item = tree_item(root, "expectations", i)) != NULL; i++) {
        const char *why = tree_text(item, "why");
        fputs("<p>", out);
        timeline_put(out, tree_text(item, "expectation"));
        fprintf(out, ": <b>%s</b>", tree_text(item, "verdict"));
        if (why[0]) {
            fputs(": ", out);
            timeline_put(out, why);
        }
        fputs("</p>\n", out);
    }
}
