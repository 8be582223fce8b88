/* SPDX-License-Identifier: MIT */
/* The table for people: worst first, and below it what the worst waits for. */
#include "bus/bus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/cells.h"

/* A direction of a bus, or all of it: its channels, and its transactions. */
struct row {
    const struct bus_item *item;
    const char *part;                /* "read", "write"; "": all */
    struct pc_bus_group channel;     /* that waits most */
    struct pc_bus_group transaction; /* of has_transaction */
    bool has_transaction;
    uint64_t cycles, beats, waits;
    struct pc_dist_figures latency;
};

enum {
    BUS,
    PROTOCOL,
    CYCLES,
    BEATS,
    MOVES,
    STALL,
    STARVE,
    IDLE,
    P50,
    P99,
    MAX,
    OUT,
    ERRORS,
    COLUMNS
};
enum { CELL = 32 };

/* ---- rows ---- */

static bool is_of(const char *part, const char *channel)
{
    if (strcmp(part, "read") == 0)
        return channel[0] == 'r' || strcmp(channel, "ar") == 0 || channel[0] == '\0';
    if (strcmp(part, "write") == 0)
        return strchr("wb", channel[0]) || strcmp(channel, "aw") == 0;
    return true;
}

/* Cycles in which a sender waited. */
static uint64_t waits_of(const struct pc_bus_group *g)
{
    return g->count[PC_BUS_STALL] + g->count[PC_BUS_BLOCKED];
}

/* Of reads and writes the channel with the data, else the first. */
static bool counts_beats(const char *part, const char *channel, bool first)
{
    return strcmp(channel, "r") == 0 || strcmp(channel, "w") == 0 ||
           (first && (part[0] == '\0' || channel[0] == '\0'));
}

static void fill(struct row *row)
{
    struct pc_bus_edges e;
    struct pc_bus_group g;
    bool any = false;

    pc_bus_get_edges(row->item->bus, &e);
    row->cycles = e.cycles;
    for (size_t i = 0; pc_bus_group_at(row->item->bus, i, &g) == PC_OK; i++) {
        if (g.kind == PC_BUS_TRANSACTIONS && (!row->part[0] || strcmp(g.name, row->part) == 0)) {
            row->transaction = g;
            row->has_transaction =
                pc_dist_get_figures(g.dist[PC_BUS_LATENCY], &row->latency, NULL) == PC_OK;
        }
        if (g.kind != PC_BUS_CHANNEL || !is_of(row->part, g.name))
            continue;
        if (counts_beats(row->part, g.name, !any))
            row->beats = g.count[PC_BUS_BEAT];
        if (!any || waits_of(&g) > row->waits) {
            row->channel = g;
            row->waits = waits_of(&g);
        }
        any = true;
    }
}

/* A row each, of AXI one a direction. */
static size_t make_rows(struct bus_run *run, struct row **out)
{
    struct row *row = calloc(2 * run->items + 1, sizeof *row);
    size_t rows = 0;

    *out = row;
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
            row[rows] = (struct row){ .item = &run->item[i], .part = "" };
        rows += directions ? directions : 1;
    }
    for (size_t i = 0; i < rows; i++)
        fill(&row[i]);
    return rows;
}

static double share(uint64_t count, uint64_t cycles)
{
    return cycles ? (double)count / (double)cycles : 0;
}

/* By the share of cycles in which a sender waits, then by latency, then by name. */
static int by_waits(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const double sx = share(x->waits, x->cycles), sy = share(y->waits, y->cycles);
    const uint64_t lx = x->latency.count ? x->latency.p99.low : 0,
                   ly = y->latency.count ? y->latency.p99.low : 0;

    if (sx > sy || sx < sy)
        return sx > sy ? -1 : 1;
    if (lx != ly)
        return lx > ly ? -1 : 1;
    const int order = strcmp(x->item->name, y->item->name);
    return order ? order : strcmp(x->part, y->part);
}

/* ---- cells ---- */

static void percent(char out[CELL], const struct pc_bus_group *g, enum pc_bus_count count,
                    uint64_t cycles)
{
    if (!(g->has >> count & 1) || cycles == 0)
        snprintf(out, CELL, "-");
    else
        snprintf(out, CELL, "%.1f %%", 100 * share(g->count[count], cycles));
}

static void number(char out[CELL], bool is, uint64_t value)
{
    snprintf(out, CELL, "%s", is ? cli_grouped(value) : "-");
}

/* Are errors seen at all? */
static bool sees_errors(const struct bus_item *item, const char *part)
{
    static const char *const names[] = { "hresp", "pslverr", "err", "rerr", "response" };
    struct pc_bus_role r;

    for (size_t i = 0; pc_bus_role_at(item->protocol, i, &r); i++) {
        if (!item->role[i])
            continue;
        if (strcmp(r.name, part[0] == 'w' ? "bresp" : "rresp") == 0)
            return true;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (strcmp(r.name, names[k]) == 0)
                return true;
    }
    return false;
}

static void cells_of(const struct row *row, char cell[COLUMNS][CELL])
{
    const struct pc_bus_group *c = &row->channel, *t = &row->transaction;
    const bool has = row->has_transaction && row->latency.count > 0;
    const bool ranks = has && row->latency.complete;

    snprintf(cell[PROTOCOL], CELL, "%s", pc_bus_protocol_name(row->item->protocol));
    number(cell[CYCLES], true, row->cycles);
    number(cell[BEATS], true, row->beats);
    if (row->cycles > 0)
        snprintf(cell[MOVES], CELL, "%.3f", share(row->beats, row->cycles));
    else
        snprintf(cell[MOVES], CELL, "-");
    percent(cell[STALL], c, c->has >> PC_BUS_STALL & 1 ? PC_BUS_STALL : PC_BUS_BLOCKED,
            row->cycles);
    percent(cell[STARVE], c, PC_BUS_STARVE, row->cycles);
    percent(cell[IDLE], c, PC_BUS_IDLE, row->cycles);
    number(cell[P50], ranks, row->latency.p50.low);
    number(cell[P99], ranks, row->latency.p99.low);
    number(cell[MAX], has, row->latency.max.low);
    number(cell[OUT], row->has_transaction, t->most_outstanding);
    number(cell[ERRORS], row->has_transaction && sees_errors(row->item, row->part),
           t->count[PC_BUS_ERRORS]);
}

static void put_name(FILE *out, const struct row *row)
{
    cli_print_name(out, row->item->name);
    if (row->part[0])
        fprintf(out, " %s", row->part);
}

/* ---- the table ---- */

static void print_table(FILE *out, const struct row *row, size_t rows)
{
    static const char *const title[COLUMNS] = { "",      "protocol", "cycles", "beats", "a cycle",
                                                "stall", "starve",   "idle",   "p50",   "p99",
                                                "max",   "open",     "errors" };
    int width[COLUMNS];
    char cell[COLUMNS][CELL];

    for (int c = PROTOCOL; c < COLUMNS; c++)
        width[c] = (int)strlen(title[c]);
    for (size_t i = 0; i < rows; i++) {
        cells_of(&row[i], cell);
        for (int c = PROTOCOL; c < COLUMNS; c++)
            width[c] = cli_larger(width[c], (int)strlen(cell[c]));
    }
    for (size_t i = 0; i <= rows; i++) {
        if (i > 0)
            cells_of(&row[i - 1], cell);
        for (int c = PROTOCOL; c < COLUMNS; c++)
            fprintf(out, c == PROTOCOL ? "%-*s" : "  %*s", width[c], i ? cell[c] : title[c]);
        fputs("  ", out);
        if (i > 0)
            put_name(out, &row[i - 1]);
        else
            fputs("bus", out);
        fputc('\n', out);
    }
}

/* ---- what the worst waits for ---- */

static const char *signal_of(const struct bus_item *item, const char *role)
{
    struct pc_bus_role r;

    for (size_t i = 0; pc_bus_role_at(item->protocol, i, &r); i++)
        if (strcmp(r.name, role) == 0)
            return item->role[i];
    return NULL;
}

/* The signal whose 0 is the wait: the ready of the channel, or what the protocol has for it. */
static const char *awaited(const struct row *row)
{
    static const char *const other[] = {
        "hready", "pready", "ack", "stall", "waitrequest", "credit"
    };
    const char *channel = row->channel.name;
    char role[16];

    snprintf(role, sizeof role, "%sready",
             strcmp(channel, "req") == 0    ? ""
             : strcmp(channel, "resp") == 0 ? "r"
                                            : channel);
    const char *found = signal_of(row->item, role);
    if (strcmp(pc_bus_protocol_name(row->item->protocol), "wishbone-pipelined") == 0)
        found = signal_of(row->item, "stall");
    for (size_t i = 0; !found && i < sizeof other / sizeof *other; i++)
        found = signal_of(row->item, other[i]);
    return found;
}

static void print_wait(FILE *out, const struct row *row)
{
    const char *signal = awaited(row);
    struct pc_dist_figures f;

    fputs("\nmost waiting: ", out);
    put_name(out, row);
    if (row->channel.name[0])
        fprintf(out, ", channel %s", row->channel.name);
    fputs("\n  ", out);
    fprintf(out, "in %s of %s cycles (%.1f %%) the sender waits for ", cli_grouped(row->waits),
            cli_grouped(row->cycles), 100 * share(row->waits, row->cycles));
    if (signal)
        cli_print_name(out, signal);
    else
        fputs("its receiver", out);
    struct pc_dist *wait = row->channel.dist[PC_BUS_WAIT];
    if (wait && pc_dist_get_figures(wait, &f, NULL) == PC_OK && f.count > 0 && f.complete)
        fprintf(out, "\n  before a beat %.2f cycles on average, 1 in 100 at least %s, at most %s",
                f.mean, cli_grouped(f.p99.low), cli_grouped(f.max.low));
    if (row->has_transaction && row->latency.count > 0)
        fprintf(out, "\n  from start to end %.2f cycles on average, at most %s", row->latency.mean,
                cli_grouped(row->latency.max.low));
    fputc('\n', out);
}

/* What a protocol forbids, and what has no partner. */
static void print_oddities(FILE *out, const struct row *row, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        const struct pc_bus_group *g[] = { &row[i].channel, &row[i].transaction };
        static const enum pc_bus_count odd[] = { PC_BUS_UNKNOWN,     PC_BUS_DROPPED,
                                                 PC_BUS_UNSTABLE,    PC_BUS_OVERRUN,
                                                 PC_BUS_ORPHANS,     PC_BUS_UNKNOWN_ID,
                                                 PC_BUS_LEN_MISMATCH };
        const char *comma = ": ";
        for (size_t k = 0; k < 2; k++)
            for (size_t n = 0; n < sizeof odd / sizeof *odd; n++) {
                if (!(g[k]->has >> odd[n] & 1) || g[k]->count[odd[n]] == 0)
                    continue;
                if (comma[0] == ':') {
                    fputs("note: ", out);
                    put_name(out, &row[i]);
                }
                fprintf(out, "%s%s %s", comma, cli_grouped(g[k]->count[odd[n]]),
                        pc_bus_count_name(odd[n]));
                comma = ", ";
            }
        if (comma[0] == ',')
            fputc('\n', out);
    }
}

void bus_text(struct bus_run *run, FILE *out)
{
    struct row *row;
    const size_t rows = make_rows(run, &row);

    if (rows > 0) {
        qsort(row, rows, sizeof *row, by_waits);
        print_table(out, row, rows);
        if (row[0].waits > 0)
            print_wait(out, &row[0]);
        else
            fputs("\nno sender waits for its receiver\n", out);
        print_oddities(out, row, rows);
    }
    free(row);
    bus_print_expectations(run, out);
}
