/* SPDX-License-Identifier: MIT */
/* --goto: the worst place of the buses, for a viewer. */
#include "bus/bus_rows.h"

#include <stdlib.h>
#include <string.h>

/* Adds the signals of the row's bus; false: no memory. */
static bool add_signals(struct cli_goto_signals *s, const struct bus_run *run,
                        const struct bus_row *row)
{
    const char *const own[] = { "clock", "reset" };
    const struct rep_tree *signal;
    bool memory = true;

    for (size_t i = 0; i < 2; i++)
        if (tree_value(row->bus, own[i], TREE_TEXT))
            memory &= cli_goto_add(s, run->wave, tree_text(row->bus, own[i]));
    for (size_t k = 0; (signal = tree_item(row->bus, "signals", k)) != NULL; k++)
        memory &= cli_goto_add(s, run->wave, signal->text);
    return memory;
}

/* Finds the place of a row; false: nothing of it has one. */
static bool place_of(const struct bus_row *row, struct cli_goto_place *p, char what[BUS_NOTE])
{
    struct bus_extreme l;
    const char *space = row->part[0] ? " " : "";

    if (bus_longest(row, &l)) {
        const struct rep_tree *of = tree_value(row->transaction, "longest", TREE_OBJECT);
        snprintf(what, BUS_NOTE, "the %s transaction of %s%s%s", l.open ? "oldest open" : "longest",
                 row->name, space, row->part);
        p->from = l.start_time;
        p->to = l.open || !of ? l.start_time : bus_count(of, "end_time");
        return true;
    }
    if (!tree_value(row->bus, "stuck_since", TREE_INT))
        return false;
    snprintf(what, BUS_NOTE, "where %s got stuck", row->name);
    p->from = p->to = bus_count(row->bus, "stuck_since");
    return true;
}

/* The period of the row's clock, in time units. */
static uint64_t period_of(const struct bus_row *row)
{
    const double units = tree_real(row->bus, "mean_period");

    return units >= 1 && units < 1e15 ? (uint64_t)units : 1;
}

int bus_goto(const struct bus_run *run, const struct bus_view *view)
{
    struct cli_goto_signals signals = { NULL, 0, 0 };
    struct cli_goto_place place = { .what = NULL };
    struct bus_row *row = NULL;
    char what[BUS_NOTE];
    const size_t rows = bus_make_rows(view, &row);
    size_t at = 0;

    if (!row)
        return CLI_LIMIT;
    while (at < rows && !place_of(&row[at], &place, what))
        at++;
    int code = CLI_OK;
    if (at < rows) {
        place.what = what;
        place.least = 40 * period_of(&row[at]);
        code = add_signals(&signals, run, &row[at]) ? CLI_OK : cli_no_memory();
        if (code == CLI_OK)
            code = cli_goto_write(&run->o->go, run->o->file, run->wave, &signals, &place);
    } else {
        cli_note(541,
                 "%s: no bus has transactions or is stuck, so no file is written for --goto; "
                 "of a handshake stat --latency 'valid -> ready' --goto finds the longest wait",
                 cli_input_name(run->o->file));
    }
    cli_goto_free(&signals);
    free(row);
    return code;
}
