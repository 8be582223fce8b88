/* SPDX-License-Identifier: MIT */
/* Prints --states for people: a table of the states of a report, and one of the transitions. */
#include "stat_machine.h"
#include "stat_report.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 50, NAMES = 2 * STAT_STATE_NAME + 8 };

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
static void add_unknown(struct stat_text_table *t, const struct rep_tree *item)
{
    const uint64_t unknown = (uint64_t)tree_count(item, "unknown"),
                   samples = (uint64_t)tree_count(item, "samples");
    struct stat_text_row *row = &t->row[t->rows++];

    row->name = "(unknown)";
    snprintf(row->cell[1], CLI_QUANTITY, "%s", cli_grouped(unknown));
    snprintf(row->cell[2], CLI_QUANTITY, "%.2f %%", 100 * (double)unknown / (double)samples);
}

static int print_states(FILE *out, const struct rep_tree *item)
{
    static const char *const paths[] = { "visits",    "cycles",   "share", "stay.min",
                                         "stay.mean", "stay.max", NULL };
    static const char *const heads[] = { "visits",    "cycles",   "share", "stay min",
                                         "stay mean", "stay max", NULL };
    struct stat_text_table *t = stat_text_table(MOST_ROWS + 1);
    const struct rep_tree *state;
    char head[STAT_COLUMN];

    if (!t)
        return CLI_LIMIT;
    for (size_t i = 0; i < MOST_ROWS && (state = tree_item(item, "states", i)) != NULL; i++)
        stat_text_row(t, tree_text(state, "state"), state, paths);
    if (tree_count(item, "unknown") > 0)
        add_unknown(t, item);
    snprintf(head, sizeof head, "state of %.500s", tree_text(item, "name"));
    stat_print_table(out, t, head, heads, (const unsigned char[]){ 0 });
    print_more(out, length(item, "states"), "more state");
    free(t);
    return CLI_OK;
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

/* Fills in how often, and how many of all that leave its state. */
static void add_move(struct stat_text_table *t, char name[NAMES], const struct rep_tree *item,
                     const struct rep_tree *move)
{
    static const char *const paths[] = { "count", NULL };
    const char *from = tree_text(move, "from");

    snprintf(name, NAMES, "%s -> %s", from, tree_text(move, "to"));
    stat_text_row(t, name, move, paths);
    snprintf(t->row[t->rows - 1].cell[1], CLI_QUANTITY, "%.2f %%",
             100 * tree_real(move, "count") / (double)leaves(item, from));
}

static int print_moves(FILE *out, const struct rep_tree *item)
{
    static const char *const heads[] = { "count", "share", NULL };
    struct stat_text_table *t = stat_text_table(MOST_ROWS);
    char(*name)[NAMES] = calloc(MOST_ROWS, sizeof *name), head[STAT_COLUMN];
    const struct rep_tree *move;
    const bool memory = t && name;

    for (size_t i = 0;
         memory && i < MOST_ROWS && (move = tree_item(item, "transitions", i)) != NULL; i++)
        add_move(t, name[i], item, move);
    snprintf(head, sizeof head, "transition of %.500s", tree_text(item, "name"));
    if (memory)
        stat_print_table(out, t, head, heads, (const unsigned char[]){ 0 });
    print_more(out, length(item, "transitions"), "more transition");
    free(t);
    free(name);
    return memory ? CLI_OK : CLI_LIMIT;
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
