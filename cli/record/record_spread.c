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

enum { NAME, MIN, MEAN, RANK, MAX = RANK + PC_RANKS, COLUMNS, CELL = CLI_MEAN };

static void number(uint64_t value, bool known, char out[CELL])
{
    snprintf(out, CELL, "%s", known ? cli_grouped(value) : "not known");
}

static void cells_of(const struct cli_spread *d, char cell[COLUMNS][CELL])
{
    const bool any = d->count > 0;

    number(d->min, any, cell[MIN]);
    number(d->max, any, cell[MAX]);
    for (unsigned r = 0; r < PC_RANKS; r++)
        number(d->rank[r], any && d->ranks, cell[RANK + r]);
    if (any)
        cli_mean(d->mean, cell[MEAN]);
    else
        number(0, false, cell[MEAN]);
}

/* "|▂█▁|  from 0 by 5" */
static void print_bars(FILE *out, const struct cli_spread *d)
{
    double height[CLI_BARS];

    for (size_t i = 0; i < d->bars; i++)
        height[i] = (double)d->bar[i];
    fputs("  |", out);
    cli_blocks(out, height, d->bars);
    fprintf(out, "|  from %s by ", cli_grouped(d->first));
    fprintf(out, "%s", cli_grouped(d->step));
}

static void print_row(const struct record_sheet *s, size_t column, const int width[COLUMNS])
{
    const char *name = record_column(s, column);
    char cell[COLUMNS][CELL];

    cells_of(&s->spread[column], cell);
    fputs("  ", s->page);
    cli_print_padded(s->page, name, (size_t)width[NAME]);
    for (int c = MIN; c < COLUMNS; c++)
        fprintf(s->page, "  %*s", width[c], cell[c]);
    if (s->spread[column].bars)
        print_bars(s->page, &s->spread[column]);
    if (s->worst[column])
        fprintf(s->page, "  %s", stat_state_name(s->worst[column]));
    fputc('\n', s->page);
}

void record_spread_print(const struct record_sheet *s)
{
    int width[COLUMNS] = { 6 };
    char cell[COLUMNS][CELL];

    if (s->spread[0].count == 0)
        return;
    for (unsigned c = MIN; c < COLUMNS; c++)
        width[c] = (int)strlen(rep_dist_name(REP_DIST_MIN + c - MIN));
    for (size_t i = 0; i <= s->of->events; i++) {
        const int columns = (int)cli_columns(record_column(s, i));
        width[NAME] = columns <= 40 ? cli_larger(width[NAME], columns) : width[NAME];
        cells_of(&s->spread[i], cell);
        for (int c = MIN; c < COLUMNS; c++)
            width[c] = cli_larger(width[c], (int)strlen(cell[c]));
    }
    fprintf(s->page, "\nof %s\n  %*s",
            cli_count(s->spread[0].count, s->o->packets ? "packet" : "period"), width[NAME], "");
    for (unsigned c = MIN; c < COLUMNS; c++)
        fprintf(s->page, "  %*s", width[c], rep_dist_name(REP_DIST_MIN + c - MIN));
    fputs("  histogram\n", s->page);
    for (size_t i = 0; i <= s->of->events; i++)
        print_row(s, i, width);
}
