/* SPDX-License-Identifier: MIT */
/* Rows for people: which channel waits most, and which row comes first. */
#include "bus/bus_rows.h"

#include <stdlib.h>
#include <string.h>

enum { STREAMS = 32 }; /* as many as pc_wave_bind() allows */

bool bus_is_of(const char *part, const char *channel)
{
    if (strcmp(part, "read") == 0)
        return channel[0] == 'r' || strcmp(channel, "ar") == 0 || channel[0] == '\0';
    if (strcmp(part, "write") == 0)
        return strchr("wb", channel[0]) || strcmp(channel, "aw") == 0;
    return true;
}

uint64_t bus_waits(const struct pc_bus_group *g)
{
    return g->count[PC_BUS_STALL] + g->count[PC_BUS_BLOCKED];
}

/* Returns whether a channel counts beats: that with the data of reads and writes, else the first.
 */
static bool counts_beats(const char *part, const char *channel, bool first)
{
    return strcmp(channel, "r") == 0 || strcmp(channel, "w") == 0 ||
           (first && (part[0] == '\0' || channel[0] == '\0'));
}

static void fill(struct bus_row *row)
{
    struct pc_bus_edges e;
    struct pc_bus_group g;
    bool any = false;

    pc_bus_get_edges(row->item->bus, &e);
    row->cycles = e.cycles;
    for (size_t i = 0; pc_bus_group_at(row->item->bus, i, &g) == PC_OK; i++) {
        if (g.kind == PC_BUS_TRANSACTIONS && (!row->part[0] || strcmp(g.name, row->part) == 0)) {
            row->transaction = g;
            row->of_transaction = i;
            row->has_transaction =
                pc_dist_get_figures(g.dist[PC_BUS_LATENCY], &row->latency, NULL) == PC_OK;
        }
        if (g.kind != PC_BUS_CHANNEL || !bus_is_of(row->part, g.name))
            continue;
        if (counts_beats(row->part, g.name, !any))
            row->beats = g.count[PC_BUS_BEAT];
        if (!any || bus_waits(&g) > row->waits) {
            row->channel = g;
            row->of_channel = i;
            row->waits = bus_waits(&g);
        }
        any = true;
    }
}

const struct pc_bus_longest *bus_longest(const struct bus_row *row)
{
    const struct pc_bus_longest *l = &row->transaction.longest, *o = &row->transaction.oldest;

    return o->any && (!l->any || o->latency > l->latency) ? o : l;
}

double bus_share(uint64_t count, uint64_t cycles)
{
    return cycles ? (double)count / (double)cycles : 0;
}

/* By the share of cycles in which a sender waits, then by latency, then by name. */
static int by_waits(const void *a, const void *b)
{
    const struct bus_row *x = a, *y = b;
    const double sx = bus_share(x->waits, x->cycles), sy = bus_share(y->waits, y->cycles);
    const uint64_t lx = x->latency.count ? x->latency.p99.low : 0,
                   ly = y->latency.count ? y->latency.p99.low : 0;

    if (sx > sy || sx < sy)
        return sx > sy ? -1 : 1;
    if (lx != ly)
        return lx > ly ? -1 : 1;
    const int order = strcmp(x->item->name, y->item->name);
    return order ? order : strcmp(x->part, y->part);
}

/* The last part of its path where that is enough to tell the clocks of all streams apart: of each
 * there is a bus in `of`. */
static const char *short_clock(const struct bus_item *const of[STREAMS],
                               const struct bus_item *item)
{
    const char *dot = strrchr(item->clock, '.'), *leaf = dot ? dot + 1 : item->clock;

    if (strchr("!~", item->clock[0]))
        return item->clock;
    for (size_t i = 0; i < STREAMS; i++) {
        const char *other = of[i] ? of[i]->clock : "", *end = strrchr(other, '.');
        if (of[i] && i != item->stream && strcmp(end ? end + 1 : other, leaf) == 0)
            return item->clock;
    }
    return leaf;
}

static void set_clocks(struct bus_row *row, size_t rows)
{
    const struct bus_item *of[STREAMS] = { NULL };

    for (size_t i = 0; i < rows; i++)
        if (row[i].item->stream < STREAMS)
            of[row[i].item->stream] = row[i].item;
    for (size_t i = 0; i < rows; i++)
        row[i].clock = short_clock(of, row[i].item);
}

size_t bus_make_rows(struct bus_run *run, struct bus_row **out)
{
    struct bus_row *row = calloc(2 * run->items + 1, sizeof *row);
    size_t rows = 0;

    *out = row;
    if (!row)
        cli_no_memory();
    for (size_t i = 0; row && i < run->items; i++) {
        struct pc_bus_group g;
        size_t directions = 0;
        if (!run->item[i].bus)
            continue;
        for (size_t k = 0; pc_bus_group_at(run->item[i].bus, k, &g) == PC_OK; k++)
            if (strcmp(g.name, "read") == 0 || strcmp(g.name, "write") == 0) {
                row[rows + directions].item = &run->item[i];
                row[rows + directions++].part = g.name;
            }
        if (directions == 0)
            row[rows] = (struct bus_row){ .item = &run->item[i], .part = "" };
        rows += directions ? directions : 1;
    }
    for (size_t i = 0; i < rows; i++)
        fill(&row[i]);
    set_clocks(row, rows);
    if (rows > 0)
        qsort(row, rows, sizeof *row, by_waits);
    return rows;
}

void bus_put_name(FILE *out, const struct bus_row *row)
{
    cli_print_name(out, row->item->name);
    if (row->part[0])
        fprintf(out, " %s", row->part);
}
