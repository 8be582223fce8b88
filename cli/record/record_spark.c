/* SPDX-License-Identifier: MIT */
/*
 * A line of blocks for each event, from left to right as time goes: how much of the cycles it had.
 * A block stands for that many rows; when there is no more room, for twice as many.
 */
#include "record.h"
#include "text/spread.h"

#include <stdlib.h>
#include <string.h>

enum { BINS = 64 };

struct record_spark {
    size_t bins;              /* that have a row; the last one may have fewer than the others */
    uint64_t per_bin, in_bin; /* rows */
    uint64_t cycles[BINS];
    uint64_t (*value)[BINS]; /* of each event */
    double *most;            /* of a row, per cent of its cycles */
};

bool record_spark_open(struct record_sheet *s)
{
    struct record_spark *k = calloc(1, sizeof *k);

    s->spark = k;
    if (!k)
        return false;
    k->per_bin = 1;
    k->value = calloc(s->of->events + 1, sizeof *k->value);
    k->most = calloc(s->of->events + 1, sizeof *k->most);
    return k->value && k->most;
}

void record_spark_close(struct record_sheet *s)
{
    if (!s->spark)
        return;
    free(s->spark->value);
    free(s->spark->most);
    free(s->spark);
}

static void halve(uint64_t bin[BINS])
{
    for (size_t i = 0; i < BINS / 2; i++)
        bin[i] = bin[2 * i] + bin[2 * i + 1];
    memset(bin + BINS / 2, 0, BINS / 2 * sizeof *bin);
}

static void make_room(struct record_spark *k, size_t events)
{
    if (k->bins < BINS || k->in_bin < k->per_bin)
        return;
    halve(k->cycles);
    for (size_t n = 0; n < events; n++)
        halve(k->value[n]);
    k->bins /= 2;
    k->per_bin *= 2;
}

void record_spark_add(struct record_sheet *s, const struct record_row *row)
{
    struct record_spark *k = s->spark;

    make_room(k, s->of->events);
    if (k->bins == 0 || k->in_bin == k->per_bin) {
        k->bins++;
        k->in_bin = 0;
    }
    k->in_bin++;
    k->cycles[k->bins - 1] += row->when.cycles;
    for (size_t n = 0; n < s->of->events; n++) {
        const double share =
            row->when.cycles ? 100.0 * (double)row->count[n].value / (double)row->when.cycles : 0;
        k->value[n][k->bins - 1] += row->count[n].value;
        k->most[n] = share > k->most[n] ? share : k->most[n];
    }
}

/* "|▂█▁|" */
static void put_blocks(struct cli_table *t, const struct record_spark *k, size_t event)
{
    char blocks[CLI_BLOCK * BINS + 1];
    double share[BINS];

    for (size_t i = 0; i < k->bins; i++)
        share[i] = k->cycles[i] ? (double)k->value[event][i] / (double)k->cycles[i] : 0;
    cli_blocks(share, k->bins, blocks);
    cli_cell_print(t, "|%s|", blocks);
}

int record_spark_print(const struct record_sheet *s)
{
    static const struct cli_column column[] = {
        { .named = "event", .width = 6, .most = 40, .left = true },
        { .named = "over time", .left = true },
        { .named = "most", .left = true },
    };
    const struct record_spark *k = s->spark;

    if (k->bins == 0)
        return CLI_OK;
    fprintf(s->page, "\na block is %s\n", cli_count(k->per_bin, "row"));
    struct cli_table *t =
        cli_table_open(s->page, &(struct cli_look){ .indent = 2, .gap = 2, .bare = true });
    cli_table_columns(t, column, 3);
    for (size_t n = 0; n < s->of->events; n++) {
        cli_cell(t, s->of->event[n].name);
        put_blocks(t, k, n);
        cli_cell_print(t, "most %.2f %% of a row's cycles", k->most[n]);
        cli_row_end(t);
    }
    return cli_table_close(t);
}
