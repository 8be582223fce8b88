/* SPDX-License-Identifier: MIT */
/* The table for people: worst first, and below it what the worst waits for. */
#include "bus/bus_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/table.h"
#include "text/warnings.h"
#include "wave/expectation_tree.h"

enum { CELL = 32, NO_TERMINAL = 132 };

/* ---- cells ---- */

/* All digits up to a million, then four: 12.35M; JSON has all. */
static void number(char out[CELL], bool is, uint64_t value)
{
    static const char unit[] = "MGTPE";
    unsigned u = 0;
    double v = (double)value / 1e6;

    while (v >= 999.95 && unit[u + 1]) {
        v /= 1e3;
        u++;
    }
    if (!is || value < 1000000)
        snprintf(out, CELL, "%s", is ? cli_grouped(value) : "-");
    else
        snprintf(out, CELL, "%.*f%c", v < 9.9995 ? 3 : v < 99.995 ? 2 : 1, v, unit[u]);
}

/* Prints the longest that was completed, or what it will be at least: ">= 1,502". */
static void longest(char out[CELL], const struct bus_row *row, bool has)
{
    struct bus_extreme l;
    char text[CELL];

    if (!bus_longest(row, &l) || !l.open) {
        number(out, has, row->latency.max.low);
        return;
    }
    number(text, true, l.latency);
    snprintf(out, CELL, ">= %.20s", text);
}

/* ---- the table ---- */

/* The name of the bus comes last, as it may be long; first to go is what others tell as well. */
static const struct cli_column columns[] = {
    { .head = "stalled", .lost = 9 },
    { .head = "starved", .lost = 5 },
    { .head = "idle", .lost = 2 },
    { .head = "rate", .lost = 7 },
    { .head = "beats", .lost = 4 },
    { .head = "p50", .lost = 3 },
    { .head = "p99", .lost = 6 },
    { .head = "max", .lost = 8 },
    { .head = "clock", .lost = 10, .left = true },
    { .head = "protocol", .lost = 1, .left = true },
    { .head = "bus", .left = true },
};

static void put_percent(struct cli_table *t, const struct rep_tree *channel, const char *count,
                        uint64_t cycles)
{
    if (!channel || !tree_value(channel, count, TREE_INT) || cycles == 0)
        cli_cell(t, "-");
    else
        cli_cell_print(t, "%.1f%%", 100 * bus_share(bus_count(channel, count), cycles));
}

static void put_number(struct cli_table *t, bool is, uint64_t value)
{
    char text[CELL];

    number(text, is, value);
    cli_cell(t, text);
}

static void put_row(struct cli_table *t, const struct bus_row *row)
{
    const struct rep_tree *c = row->channel;
    const bool has = row->transaction && row->latency.count > 0;
    const bool ranks = has && row->latency.complete;
    const bool stalls = c && tree_value(c, "stall", TREE_INT);
    char text[CELL];

    put_percent(t, c, stalls ? "stall" : "blocked", row->cycles);
    put_percent(t, c, "starve", row->cycles);
    put_percent(t, c, "idle", row->cycles);
    if (row->cycles > 0)
        cli_cell_print(t, "%.3f", bus_share(row->beats, row->cycles));
    else
        cli_cell(t, "-");
    put_number(t, true, row->beats);
    put_number(t, ranks, row->latency.rank[PC_P50].low);
    put_number(t, ranks, row->latency.rank[PC_P99].low);
    longest(text, row, has);
    cli_cell(t, text);
    cli_cell(t, row->clock);
    cli_cell(t, tree_text(row->bus, "protocol"));
    cli_cell_print(t, row->part[0] ? "%s %s" : "%s", row->name, row->part);
    cli_row_end(t);
}

static int print_table(FILE *out, const struct bus_row *row, size_t rows)
{
    struct cli_table *t =
        cli_table_open(out, &(struct cli_look){ .gap = 2, .widest = NO_TERMINAL });

    cli_table_columns(t, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < rows; i++)
        put_row(t, &row[i]);
    return cli_table_close(t);
}

/* ---- what the worst waits for ---- */

static void print_wait(FILE *out, const struct bus_row *row)
{
    const char *signal = bus_awaited(row), *channel = row->channel ? row->channel->key : "";
    struct pc_dist_figures f;

    fputs("\nmost stalled: ", out);
    bus_put_name(out, row);
    if (channel[0])
        fprintf(out, ", channel %s", channel);
    fputs("\n  ", out);
    fprintf(out, "in %s of %s cycles (%.1f %%) the sender is stalled, waiting for ",
            cli_grouped(row->waits), cli_grouped(row->cycles),
            100 * bus_share(row->waits, row->cycles));
    if (signal)
        cli_print_name(out, signal);
    else
        fputs("its receiver", out);
    tree_dist_figures(row->channel ? tree_member(row->channel, "wait") : NULL, &f);
    if (f.count > 0 && f.complete)
        fprintf(out, "\n  before a beat %.2f cycles on average, p99 %s, max %s", f.mean,
                cli_grouped(f.rank[PC_P99].low), cli_grouped(f.max.low));
    if (row->latency.count > 0)
        fprintf(out, "\n  from start to end %.2f cycles on average, at most %s", row->latency.mean,
                cli_grouped(row->latency.max.low));
    fputc('\n', out);
}

/* Prints those of --percentile of each row's latency, and of its stalls before a beat. */
static void print_percentiles(FILE *out, const struct bus_row *row, size_t rows)
{
    bool any = false;

    for (size_t i = 0; i < rows; i++)
        for (unsigned k = 0; k < 2; k++) {
            const struct rep_tree *group = k ? row[i].channel : row[i].transaction;
            const struct rep_tree *dist = group ? tree_member(group, k ? "wait" : "latency") : NULL;
            const struct rep_tree *map = dist ? tree_member(dist, "percentiles") : NULL;
            if (!rep_has_percentiles(map))
                continue;
            fputs(any ? "" : "\n", out);
            any = true;
            fprintf(out, "percentiles of %s of ", k ? "stalls before a beat" : "latency");
            bus_put_name(out, &row[i]);
            fputc(':', out);
            rep_print_percentiles(out, map, "cycles");
        }
}

/* Lines that a viewer's script can take: where to look. */
static void print_longest(FILE *out, const struct bus_row *row, size_t rows)
{
    struct bus_extreme l;
    bool any = false;

    for (size_t i = 0; i < rows; i++) {
        if (!bus_longest(&row[i], &l) || l.latency == 0)
            continue;
        if (!any)
            fputs("\nlongest transactions start at, in time units\n", out);
        any = true;
        fprintf(out, "%llu\t", (unsigned long long)l.start_time);
        cli_print_name(out, bus_start_signal(&row[i]));
        fputc('\n', out);
    }
}

/* Prints what the data had to decide. */
static void print_guesses(FILE *out, const struct rep_tree *root)
{
    const struct rep_tree *line;
    size_t named = 0;

    for (size_t i = 0; (line = tree_item(root, "guesses", i)) != NULL; i++) {
        cli_print_name(out, line->text);
        fputc('\n', out);
    }
    for (size_t i = 0; (line = tree_item(root, "buses", i)) != NULL; i++)
        named += tree_item(line, "aliases", 0) != NULL;
    if (named > 0)
        fprintf(out, "other names of %s: --list or --format json has them\n",
                named == 1 ? "one bus" : cli_count(named, "bus"));
}

static void print_note(void *ctx, const struct bus_row *row, const char *text)
{
    FILE *const out = ctx;

    fputs("note: ", out);
    bus_put_name(out, row);
    fprintf(out, ": %s\n", text);
}

int bus_text(const struct bus_view *view, FILE *out)
{
    struct bus_row *row;
    const size_t rows = bus_make_rows(view, &row);
    uint64_t cycles = 0;

    if (!row)
        return CLI_LIMIT;

    for (size_t i = 0; i < rows; i++)
        cycles += row[i].cycles;
    if (view->reports > 1) {
        cli_print_between(out, "Buses of ", tree_text(view->root, "waveform"), ": ");
        fprintf(out, "%s\n\n", cli_count(view->reports, "report"));
    }
    int code = rows > 0 ? print_table(out, row, rows) : CLI_OK;
    print_guesses(out, view->root);
    if (rows > 0) {
        if (row[0].waits > 0)
            print_wait(out, &row[0]);
        else if (cycles > 0)
            fputs("\nno sender is stalled\n", out);
        bus_each_note(view, row, rows, print_note, out);
        print_percentiles(out, row, rows);
        print_longest(out, row, rows);
        for (size_t i = 0; view->run && i < rows && code == CLI_OK; i++)
            code = bus_timeline_text(view->run, &row[i], out);
    }
    free(row);
    if (code == CLI_OK)
        code = cli_print_expectations(out, view->root);
    if (code == CLI_OK)
        cli_text_warnings(out);
    return code;
}
