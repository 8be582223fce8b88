/* SPDX-License-Identifier: MIT */
/* The report from its beginning to its end; of each figure a row for CSV. */
#include "bus/bus.h"

#include <inttypes.h>

/* ---- rows ---- */

struct rows {
    struct bus_run *run;
    const char *bus;
};

static bool put_row(void *ctx, const struct bus_figure *f)
{
    const struct rows *rows = ctx;

    if (f->value.what != REP_ABSENT)
        rep_row(rows->run->report, BUS_FIGURES,
                REP_CELLS(rep_text(rows->bus), rep_text(f->part), rep_text(f->name), f->value));
    return true;
}

static void put_rows(struct bus_run *run, const struct bus_item *item)
{
    struct rows rows = { run, item->name };
    struct pc_bus_role role;

    bus_each_figure(run, item, put_row, &rows);
    for (size_t i = 0; !item->bus && pc_bus_role_at(item->protocol, i, &role); i++)
        if (item->role[i])
            rep_row(run->report, BUS_FIGURES,
                    REP_CELLS(rep_text(item->name), rep_text("signals"), rep_text(role.name),
                              rep_text(item->role[i])));
}

/* ---- the report ---- */

static const char *timescale(const struct pc_wave_info *info, char out[32])
{
    const int e = info->timescale_exponent;

    if (info->timescale_factor == 0 || !pc_time_unit(e))
        return NULL;
    snprintf(out, 32, "%" PRIu64 "%s", info->timescale_factor, pc_time_unit(e));
    return out;
}

int bus_tell(struct bus_run *run)
{
    char unit[32];
    struct rep *r = run->report;
    FILE *page = rep_page(r), *html = rep_own(r, "html");
    int code = bus_make_lines(run) ? CLI_OK : cli_no_memory();

    if (code != CLI_OK)
        return code;
    rep_root(
        r, REP_CELLS(rep_text(cli_input_name(run->o->file)), rep_text(timescale(&run->info, unit)),
                     run->o->interval.text && run->step == 0 ? rep_count(run->o->interval.number)
                                                             : rep_absent(),
                     run->step ? rep_count(run->step) : rep_absent()));
    for (size_t i = 0; rep_has_rows(r) && i < run->items; i++)
        bus_put(run, &run->item[i]);
    for (size_t i = 0; rep_has_rows(r) && i < run->items; i++)
        put_rows(run, &run->item[i]);
    if (rep_has_rows(r) && run->o->interval.text) {
        bus_put_intervals(run);
        bus_put_interval_rows(run);
    }
    bus_put_expectations(run, BUS_EXPECTATIONS);
    rep_warnings(r, BUS_WARNINGS);
    if (page && run->o->list)
        bus_list_text(run, page);
    else if (page)
        code = bus_text(run, page);
    if (html && code == CLI_OK)
        code = bus_page(run, html);
    return code == CLI_OK && run->unmet ? CLI_NO : code;
}
