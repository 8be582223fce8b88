/* SPDX-License-Identifier: MIT */
/* The report from its beginning to its end; of each figure a row for CSV. */
#include "bus/bus_rows.h"

#include "wave/time_unit.h"

/* ---- rows ---- */

struct rows {
    struct rep *rep;
    const char *bus;
};

static int put_row(void *ctx, const struct tree_figure *f)
{
    const struct rows *rows = ctx;

    rep_row(rows->rep, BUS_FIGURES,
            REP_CELLS(rep_text(rows->bus), rep_text(f->part), rep_text(f->name),
                      tree_cell(f->value, true)));
    return CLI_OK;
}

void bus_put_figures(struct rep *rep, const struct rep_tree *root)
{
    struct rep_tree *bus;
    const struct rep_tree *signal;

    for (size_t i = 0; (bus = tree_item(root, "buses", i)) != NULL; i++) {
        const char *name = tree_text(bus, "name");
        struct rows rows = { rep, name };
        (void)tree_each_figure(bus, put_row, &rows); /* which does not fail */
        for (size_t k = 0; !tree_value(bus, "cycles", TREE_INT) &&
                           (signal = tree_item(bus, "signals", k)) != NULL;
             k++)
            rep_row(rep, BUS_FIGURES,
                    REP_CELLS(rep_text(name), rep_text("signals"), rep_text(signal->key),
                              rep_text(signal->text)));
    }
}

/* ---- the report ---- */

static int put(struct bus_run *run)
{
    struct rep *r = run->report;
    const bool intervals = run->o->interval.text != NULL;
    char unit[32];

    cli_time_unit_text(&run->info, unit);
    rep_root(r, REP_CELLS(rep_text(cli_input_name(run->o->file)), rep_text(unit[0] ? unit : NULL),
                          intervals && run->step == 0 ? rep_count(run->o->interval.number)
                                                      : rep_absent(),
                          run->step ? rep_count(run->step) : rep_absent()));
    for (size_t i = 0; i < run->items; i++)
        bus_put(run, &run->item[i]);
    const struct rep_tree *root = rep_kept(r);
    if (!root)
        return cli_no_memory();
    bus_put_figures(r, root);
    if (intervals) {
        bus_put_intervals(run);
        bus_put_interval_rows(run);
    }
    bus_put_expectations(run, BUS_EXPECTATIONS);
    const int code = bus_put_guesses(run, BUS_GUESSES);
    rep_warnings(r, BUS_WARNINGS);
    return code;
}

int bus_tell(struct bus_run *run)
{
    struct rep *r = run->report;
    FILE *page = rep_page(r), *html = rep_own(r, "html");
    int code = bus_make_lines(run) ? CLI_OK : cli_no_memory();

    if (code == CLI_OK)
        code = rep_keep(r, REP_ALL);
    if (code == CLI_OK)
        code = put(run);
    const struct bus_view view = { .root = rep_kept(r), .run = run->o->interval.text ? run : NULL };
    if (code == CLI_OK && page && run->o->list)
        bus_list_text(run, page);
    else if (code == CLI_OK && (page || html))
        code = !view.root ? cli_no_memory() : page ? bus_text(&view, page) : CLI_OK;
    if (code == CLI_OK && html)
        code = bus_page(&view, html);
    if (code == CLI_OK && run->o->go.text)
        code = bus_goto(run, &view);
    return code == CLI_OK && run->unmet ? CLI_NO : code;
}
