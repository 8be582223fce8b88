/* SPDX-License-Identifier: MIT */
/* Prints --states for people: a table of the states of a report, and one of the transitions. */
#include "stat_machine.h"
#include "stat_report.h"
#include "text/table.h"

#include <string.h>

enum { MOST_ROWS = 50, NAMES = 2 * STAT_STATE_NAME + 8 };

static const unsigned char none_lost[] = { 0 };

static size_t length(const struct rep_tree *item, const char *list)
{
    const struct rep_tree *node = tree_value(item, list, TREE_LIST);

    return node ? node->children : 0;
}

static void print_more(FILE *out, size_t count, const char *one)
{
    if (count > MOST_ROWS)
        fprintf(out, "not shown: %s; --format csv has all\n", cli_count(count - MOST_ROWS, one));
}

/* Adds the edges that are of no state. */
static void add_unknown(struct cli_table *t, const struct rep_tree *item)
{
    const uint64_t unknown = (uint64_t)tree_count(item, "unknown"),
                   samples = (uint64_t)tree_count(item, "samples");

    cli_cell(t, "(unknown)");
    cli_cell(t, "");
    cli_cell_count(t, unknown);
    cli_cell_print(t, "%.2f %%", 100 * (double)unknown / (double)samples);
    cli_row_end(t);
}

static int print_states(FILE *out, const struct rep_tree *item)
{
    static const char *const paths[] = { "visits",    "cycles",   "share", "stay.min",
                                         "stay.mean", "stay.max", NULL };
    static const char *const heads[] = { "visits",    "cycles",   "share", "stay min",
                                         "stay mean", "stay max", NULL };
    const struct rep_tree *state;
    char head[STAT_COLUMN];

    snprintf(head, sizeof head, "state of %.500s", tree_text(item, "name"));
    struct cli_table *t = stat_figure_table(out, head, heads, none_lost);
    for (size_t i = 0; i < MOST_ROWS && (state = tree_item(item, "states", i)) != NULL; i++) {
        stat_figure_row(t, tree_text(state, "state"), state, paths);
        cli_row_end(t);
    }
    if (tree_count(item, "unknown") > 0)
        add_unknown(t, item);
    const int code = cli_table_close(t);
    print_more(out, length(item, "states"), "more state");
    return code;
}

/* Returns how many transitions lead from a state. */
static uint64_t leaves(const struct rep_tree *item, const char *from)
{
    const struct rep_tree *move;
    uint64_t all = 0;

    for (size_t i = 0; (move = tree_item(item, "transitions", i)) != NULL; i++)
        if (strcmp(tree_text(move, "from"), from) == 0)
            all += (uint64_t)tree_count(move, "count");
    return all;
}

/* Adds how often, and how many of all that leave its state. */
static void add_move(struct cli_table *t, const struct rep_tree *item, const struct rep_tree *move)
{
    static const char *const paths[] = { "count", NULL };
    const char *from = tree_text(move, "from");
    char name[NAMES];

    snprintf(name, NAMES, "%s -> %s", from, tree_text(move, "to"));
    stat_figure_row(t, name, move, paths);
    cli_cell_print(t, "%.2f %%", 100 * tree_real(move, "count") / (double)leaves(item, from));
    cli_row_end(t);
}

static int print_moves(FILE *out, const struct rep_tree *item)
{
    static const char *const heads[] = { "count", "share", NULL };
    const struct rep_tree *move;
    char head[STAT_COLUMN];

    snprintf(head, sizeof head, "transition of %.500s", tree_text(item, "name"));
    struct cli_table *t = stat_figure_table(out, head, heads, none_lost);
    for (size_t i = 0; i < MOST_ROWS && (move = tree_item(item, "transitions", i)) != NULL; i++)
        add_move(t, item, move);
    const int code = cli_table_close(t);
    print_more(out, length(item, "transitions"), "more transition");
    return code;
}

/* "never entered: fsm: HALT, ERROR" */
static void print_never(FILE *out, const struct rep_tree *item, const char *list, const char *what)
{
    const struct rep_tree *state;

    for (size_t i = 0; (state = tree_item(item, list, i)) != NULL; i++) {
        if (i == 0) {
            fprintf(out, "%s: ", what);
            cli_print_name(out, tree_text(item, "name"));
        }
        fputs(i == 0 ? ": " : ", ", out);
        cli_print_name(out, state->text);
    }
    if (length(item, list) > 0)
        fputc('\n', out);
}

int stat_machine_text(FILE *out, const struct rep_tree *root)
{
    const struct rep_tree *item;
    int code = CLI_OK;

    for (size_t i = 0; (item = tree_item(root, "states", i)) != NULL && code == CLI_OK; i++) {
        code = print_states(out, item);
        if (code == CLI_OK && length(item, "transitions") > 0)
            code = print_moves(out, item);
        print_never(out, item, "never_entered", "never entered");
        print_never(out, item, "never_left", "never left");
    }
    return code;
}
