/* SPDX-License-Identifier: MIT */
/*
 * How the cycles and the counts of periods, or of packets, are spread.  What came after the last
 * STOP is none: it was cut short.
 */
#include "record.h"
#include "report/report_dist.h"

#include <stdlib.h>
#include <string.h>

bool record_spread_open(struct record_sheet *s)
{
    struct pc_error err;

    s->dist = calloc(1 + s->of->events, sizeof *s->dist);
    s->worst = calloc(1 + s->of->events, sizeof *s->worst);
    if (!s->dist || !s->worst)
        return false;
    for (size_t i = 0; i <= s->of->events; i++)
        if (pc_dist_create(NULL, false, &s->dist[i], &err) != PC_OK)
            return false;
    return true;
}

void record_spread_close(struct record_sheet *s)
{
    for (size_t i = 0; s->dist && i <= s->of->events; i++)
        pc_dist_destroy(s->dist[i]);
    free(s->dist);
    free(s->worst);
}

static void add(struct record_sheet *s, size_t column, uint64_t value, enum stat_state state)
{
    pc_dist_add(s->dist[column], value, 1);
    if (state > s->worst[column])
        s->worst[column] = state;
}

void record_spread_add(struct record_sheet *s, const struct record_row *row)
{
    if (row->kind == RECORD_REST)
        return;
    add(s, 0, row->when.cycles, row->stop_state);
    for (size_t n = 0; n < s->of->events; n++)
        if (record_in_row(s, row, n))
            add(s, 1 + n, row->count[n].value, row->count[n].state);
}

int record_spread_end(struct record_sheet *s)
{
    struct pc_error err;

    s->spread = calloc(1 + s->of->events, sizeof *s->spread);
    if (!s->spread)
        return cli_no_memory();
    for (size_t i = 0; i <= s->of->events; i++)
        if (cli_spread(s->dist[i], &s->spread[i], &err) != PC_OK)
            return cli_error(&err, NULL, NULL);
    return CLI_OK;
}

/* --- text --- */

enum { NAME, MIN, MEAN, RANK, MAX = RANK + PC_RANKS, HISTOGRAM, STATE, COLUMNS };
enum { CELL = CLI_MEAN, BARS = CLI_BLOCK * CLI_BARS + 100 };

static void number(uint64_t value, bool known, char out[CELL])
{
    snprintf(out, CELL, "%s", known ? cli_grouped(value) : "not known");
}

/* "|▂█▁|  from 0 by 5" */
static void bars(const struct cli_spread *d, char out[BARS])
{
    char blocks[CLI_BLOCK * CLI_BARS + 1];
    double height[CLI_BARS];

    out[0] = '\0';
    if (d->bars == 0)
        return;
    for (size_t i = 0; i < d->bars; i++)
        height[i] = (double)d->bar[i];
    cli_blocks(height, d->bars, blocks);
    snprintf(out, BARS, "|%s|  from %s by %s", blocks, cli_grouped(d->first), cli_grouped(d->step));
}

static void put_row(struct cli_table *t, const struct record_sheet *s, size_t column)
{
    const struct cli_spread *d = &s->spread[column];
    const bool any = d->count > 0;
    char cell[CELL], histogram[BARS];

    cli_cell(t, record_column(s, column));
    number(d->min, any, cell);
    cli_cell(t, cell);
    if (any)
        cli_mean(d->mean, cell);
    else
        number(0, false, cell);
    cli_cell(t, cell);
    for (unsigned r = 0; r < PC_RANKS; r++) {
        number(d->rank[r], any && d->ranks, cell);
        cli_cell(t, cell);
    }
    number(d->max, any, cell);
    cli_cell(t, cell);
    bars(d, histogram);
    cli_cell(t, histogram);
    cli_cell(t, s->worst[column] ? stat_state_name(s->worst[column]) : "");
    cli_row_end(t);
}

int record_spread_print(const struct record_sheet *s)
{
    struct cli_column column[COLUMNS] = {
        [NAME] = { .named = "of each", .width = 6, .most = 40, .left = true },
        [HISTOGRAM] = { .head = "histogram", .left = true },
        [STATE] = { .named = "state", .left = true },
    };

    if (s->spread[0].count == 0)
        return CLI_OK;
    struct cli_table *t = cli_table_open(s->page, &(struct cli_look){ .indent = 2, .gap = 2 });
    for (unsigned c = MIN; c <= MAX; c++)
        column[c].head = rep_dist_name(REP_DIST_MIN + c - MIN);
    cli_table_columns(t, column, COLUMNS);
    fprintf(s->page, "\nof %s\n",
            cli_count(s->spread[0].count, s->o->packets ? "packet" : "period"));
    for (size_t i = 0; i <= s->of->events; i++)
        put_row(t, s, i);
    return cli_table_close(t);
}
