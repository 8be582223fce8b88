/* SPDX-License-Identifier: MIT */
/* Prints the report of `pcounter stat` for people, in the layout of `perf stat`: of a run, or of a
 * report that was read. */
#include "stat_report.h"
#include "text/table.h"
#include "wave/expectation_tree.h"

#include <string.h>

static double percent(uint64_t value, uint64_t cycles)
{
    return cycles ? 100.0 * (double)value / (double)cycles : 0.0;
}

static uint64_t count(const struct rep_tree *object, const char *name)
{
    return (uint64_t)tree_count(object, name);
}

static bool is(const struct rep_tree *object, const char *name, const char *text)
{
    return strcmp(tree_text(object, name), text) == 0;
}

static bool has(const struct rep_tree *object, const char *name)
{
    const struct rep_tree *node = tree_member(object, name);

    return node && node->what != TREE_ABSENT;
}

/* The clocks, if there are several; NULL: one. */
static const struct rep_tree *clocks_of(const struct rep_tree *root)
{
    const struct rep_tree *clocks = tree_value(root, "clocks", TREE_LIST);

    return clocks && clocks->children > 1 ? clocks : NULL;
}

static const char *counts_of(const struct stat_view *v)
{
    return v->counts ? v->counts : "events";
}

/* --- counts --- */

enum { NAME = 40 }; /* columns of a name that makes its column wider */
static const struct cli_look listed = { .indent = 2, .gap = 2, .bare = true };
static const struct cli_column turns = { .named = "in turns", .left = true };
static const struct cli_column note = { .named = "note", .left = true };

/* "in turns 4,824 (-0.31 %)" */
static void put_estimate(struct cli_table *t, const struct rep_tree *e, const char *value)
{
    const bool known = tree_member(e, "multiplexed")->what != TREE_NULL;

    if (known && has(e, "error_percent"))
        cli_cell_print(t, "in turns %s (%+.2f %%)", value, tree_real(e, "error_percent"));
    else
        cli_cell_print(t, known ? "in turns %s" : "in turns: %s", value);
}

static void put_count(struct cli_table *t, const struct rep_tree *e, uint64_t cycles)
{
    const char *state = tree_text(e, "state");
    const uint64_t tainted = count(e, "tainted_cycles");

    cli_cell_count(t, count(e, "value"));
    cli_cell(t, tree_text(e, "name"));
    if (tree_is(e, "is_sum"))
        cli_cell_print(t, "%6.2f per cycle", percent(count(e, "value"), cycles) / 100);
    else
        cli_cell_print(t, "%6.2f %% of cycles", percent(count(e, "value"), cycles));
    if (has(e, "multiplexed"))
        put_estimate(t, e,
                     tree_value(e, "multiplexed", TREE_INT) ? cli_grouped(count(e, "multiplexed"))
                                                            : "not measured");
    if (strcmp(state, "tainted") == 0)
        cli_cell_print(t, "tainted: unknown inputs matter in %s", cli_count(tainted, "cycle"));
    else
        cli_cell(t, strcmp(state, "exact") == 0 ? "" : state);
    cli_row_end(t);
}

/* The events of a clock below its cycles. */
static void put_clock(struct cli_table *t, const struct stat_view *v, const struct rep_tree *clock,
                      bool first)
{
    const bool several = clock != v->root;
    const char *name = tree_text(clock, "name"), *text = tree_text(clock, "clock");
    const struct rep_tree *e;

    cli_cell_count(t, count(clock, "cycles"));
    if (!several)
        cli_cell_rest(t, "cycles");
    else if (strcmp(name, text) == 0)
        cli_cell_rest(t, "cycles of %s", name);
    else
        cli_cell_rest(t, "cycles of %s = %s", name, text);
    cli_row_end(t);
    for (size_t i = 0; (e = tree_item(v->root, counts_of(v), i)) != NULL; i++)
        if (!several || is(e, "clock", name) || (first && !has(e, "clock")))
            put_count(t, e, count(clock, "cycles"));
}

static int text_counts(FILE *out, const struct stat_view *v)
{
    static const struct cli_column column[] = {
        { .named = "count" },
        { .named = "event", .width = 6, .most = NAME, .left = true },
        { .named = "share", .before = "# ", .left = true },
    };
    const struct rep_tree *clocks = clocks_of(v->root), *e;
    const size_t n = clocks ? clocks->children : 1;
    struct cli_table *t = cli_table_open(out, &listed);
    bool multiplexed = false;

    for (size_t i = 0; (e = tree_item(v->root, counts_of(v), i)) != NULL; i++)
        multiplexed |= has(e, "multiplexed");
    cli_table_columns(t, column, sizeof column / sizeof *column);
    cli_table_columns(t, &turns, multiplexed);
    cli_table_column(t, &note);
    for (size_t k = 0; k < n; k++)
        put_clock(t, v, clocks ? &clocks->child[k] : v->root, k == 0);
    return cli_table_close(t);
}

/* --- metrics --- */

void stat_metric_number(const struct pc_metric_value *v, const struct pc_metric *m,
                        char out[CLI_QUANTITY])
{
    if (v->state == PC_VALUE_UNMEASURED)
        snprintf(out, CLI_QUANTITY, "not measured");
    else
        cli_metric_quantity(m, v->value, out);
}

static void number_of(const struct rep_tree *m, const char *member, char out[CLI_QUANTITY])
{
    const struct rep_tree *value = tree_member(m, member);

    if (!value || value->what == TREE_NULL)
        snprintf(out, CLI_QUANTITY, "not measured");
    else
        cli_report_quantity(tree_text(m, "unit"), tree_text(m, "in"), tree_real(m, member), out);
}

static void put_metric(struct cli_table *t, const struct rep_tree *m)
{
    char number[CLI_QUANTITY];

    number_of(m, "value", number);
    cli_cell(t, number);
    cli_cell(t, tree_text(m, "name"));
    cli_cell(t, tree_text(m, "formula"));
    if (has(m, "multiplexed")) {
        number_of(m, "multiplexed", number);
        put_estimate(t, m, number);
    }
    if (is(m, "state", "exact"))
        cli_cell(t, "");
    else
        cli_cell_print(t, "%s: %s", tree_text(m, "state"), tree_text(m, "why"));
    cli_row_end(t);
}

static int text_metrics(FILE *out, const struct rep_tree *root)
{
    static const struct cli_column column[] = {
        { .named = "value" },
        { .named = "metric", .most = NAME, .left = true },
        { .named = "formula", .before = "= ", .left = true },
    };
    const struct rep_tree *m;
    bool multiplexed = false;

    if (!tree_item(root, "metrics", 0))
        return CLI_OK;
    struct cli_table *t = cli_table_open(out, &listed);
    for (size_t i = 0; (m = tree_item(root, "metrics", i)) != NULL; i++)
        multiplexed |= has(m, "multiplexed");
    cli_table_columns(t, column, sizeof column / sizeof *column);
    cli_table_columns(t, &turns, multiplexed);
    cli_table_column(t, &note);
    fputc('\n', out);
    for (size_t i = 0; (m = tree_item(root, "metrics", i)) != NULL; i++)
        put_metric(t, m);
    return cli_table_close(t);
}

/* --- the title --- */

/* "posedge " where the command line says "top.clk" alone. */
static const char *edge_prefix(const struct rep_tree *root)
{
    const char *clock = tree_text(root, "clock");
    const size_t blanks = strspn(clock, " \t");

    if (!is(root, "edge", "posedge") || strncmp(clock + blanks, "posedge", 7) == 0)
        return "";
    return "posedge ";
}

/* Prints the window that --from and --to leave. */
static void text_window(FILE *out, const struct rep_tree *root)
{
    const char *from = tree_text(root, "from"), *to = tree_text(root, "to");
    const uint64_t first = count(root, "first_cycle"), cycles = count(root, "cycles");

    if (!from[0] && !to[0])
        return;
    fputs("window", out);
    if (from[0])
        fprintf(out, " from %s", from);
    if (to[0])
        fprintf(out, " to %s", to);
    if (cycles > 0 && !clocks_of(root))
        fprintf(out, ": cycles %s to %s", cli_grouped(first), cli_grouped(first + cycles - 1));
    fputc('\n', out);
}

/* "Counts of dump.vcd at posedge top.clk", and what is not as usual. */
static void counts_title(FILE *out, const struct stat_view *v)
{
    const struct rep_tree *root = v->root;
    const size_t parts = v->job ? v->job->parts : clocks_of(root) ? clocks_of(root)->children : 0;

    fputs("Counts of ", out);
    cli_print_name(out, tree_text(root, "trace"));
    if (parts) {
        fprintf(out, " at %zu clocks", parts);
    } else {
        fprintf(out, " at %s", is(root, "edge", "every") ? "each " : edge_prefix(root));
        cli_print_name(out, tree_text(root, "clock"));
    }
    if (has(root, "core"))
        cli_print_between(out, ", core ", tree_text(root, "core"), "");
    if (has(root, "profile"))
        cli_print_between(out, ", profile ", tree_text(root, "profile"), "");
    if (is(root, "sample", "post-edge") && !is(root, "edge", "period"))
        fputs(", sampled after the edge", out);
    if (is(root, "x", "zero") || is(root, "x", "one"))
        fprintf(out, ", unknown values taken as %d", is(root, "x", "one"));
}

void stat_text_title(FILE *out, const struct stat_view *v)
{
    const struct rep_tree *root = v->root;

    if (!has(root, "chip")) {
        counts_title(out, v);
        return;
    }
    fputs("Counters of ", out);
    cli_print_name(out, tree_text(root, "trace"));
    fprintf(out, ": %s, ", tree_text(root, "chip"));
    if (count(root, "passes") > 0)
        fprintf(out, "%s, ", cli_count(count(root, "passes"), "pass"));
    fprintf(out, "%s %s, unknown values: %s\nclock %s", tree_text(root, "sample"),
            is(root, "edge", "every") ? "sample" : "samples", tree_text(root, "x"),
            edge_prefix(root));
    cli_print_name(out, tree_text(root, "clock"));
}

/* --- all of it --- */

int stat_text_rest(FILE *out, const struct stat_view *v)
{
    const struct rep_tree *root = v->root;
    const bool partial = tree_is(root, "partial");
    const char *comma = ": ";

    if (v->reports > 1) {
        fprintf(out, "%s%s", comma, cli_count(v->reports, "report"));
        comma = ", ";
    }
    if (!clocks_of(root)) {
        fprintf(out, "%s%s", comma, cli_count(count(root, "cycles"), "cycle"));
        comma = ", ";
    }
    fprintf(out, "%s%s\n", partial ? comma : "", partial ? "partial" : "");
    text_window(out, root);
    fputc('\n', out);
    int code = text_counts(out, v);
    if (code == CLI_OK)
        code = text_metrics(out, root);
    if (has(root, "multiplex_cycles") && count(root, "passes") > 0)
        fprintf(out,
                "\nin turns: %s, %s each before the next, scaled up; after it the true error\n",
                cli_count(count(root, "passes"), "pass"),
                cli_count(count(root, "multiplex_cycles"), "cycle"));
    if (code == CLI_OK)
        code = stat_measure_text(out, root, v->job);
    if (code == CLI_OK)
        code = cli_print_expectations(out, root);
    if (v->job && v->job->o->explain)
        stat_explain_text(out, v->job, v->plan);
    if (partial)
        fputs("\npartial: interrupted before the end of the waveform\n", out);
    return code;
}
