/* SPDX-License-Identifier: MIT */
/* Guesses that the data had to decide, those that are alike in one line. */
#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

/* A line of a bus; of clocks `data` are sums of several buses. */
struct guess {
    const struct bus_item *item;
    const char *text;
};

static int compare(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int by_clock(const void *a, const void *b)
{
    const struct bus_item *x = ((const struct guess *)a)->item,
                          *y = ((const struct guess *)b)->item;
    int order = compare(x->clock, y->clock);

    if (order == 0)
        order = compare(x->proof->other, y->proof->other);
    if (order == 0) /* what does not move says so */
        order = (x->proof->data.changes == 0) - (y->proof->data.changes == 0);
    return order;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct guess *)a)->text, ((const struct guess *)b)->text);
}

/* Adds "TEXT: BUS, BUS" to the report; false: there is no memory. */
static bool put_group(struct rep *r, unsigned field, const struct guess *g, size_t count,
                      const char *text)
{
    char *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);

    if (!out)
        return false;
    fprintf(out, "%s: %s", text, g[0].item->name);
    if (count == 2)
        fprintf(out, ", %s", g[1].item->name);
    else if (count > 2)
        fprintf(out, " and %zu more", count - 1);
    const bool done = cli_collected(out, &line);
    if (done)
        rep_item(r, field, rep_text(line));
    free(line);
    return done;
}

/* Reads what all of them say together; false: there is no memory. */
static bool put_clocks(struct rep *r, unsigned field, const struct guess *g, size_t count)
{
    struct bus_item item = *g[0].item;
    struct bus_proof sum = *item.proof;
    char *text;

    for (size_t i = 1; i < count; i++) {
        sum.data.changes += g[i].item->proof->data.changes;
        sum.data.explained += g[i].item->proof->data.explained;
        sum.data.other_explained += g[i].item->proof->data.other_explained;
    }
    item.proof = &sum;
    text = bus_line(&item, BUS_LINE_CLOCK);
    const bool done = text && put_group(r, field, g, count, text);
    free(text);
    return done;
}

static bool put_lines(const struct bus_run *run, struct guess *g, enum bus_line line,
                      unsigned field)
{
    int (*const order)(const void *a, const void *b) = line == BUS_LINE_CLOCK ? by_clock : by_text;
    size_t count = 0;

    for (size_t i = 0; i < run->items; i++) {
        const struct bus_item *item = &run->item[i];
        if (item->proof && item->proof->line[line] && !bus_is_forced(item, line))
            g[count++] = (struct guess){ item, item->proof->line[line] };
    }
    if (count > 0)
        qsort(g, count, sizeof *g, order);
    bool done = true;
    for (size_t first = 0, end; done && first < count; first = end) {
        for (end = first + 1; end < count && order(&g[first], &g[end]) == 0;)
            end++;
        if (line == BUS_LINE_CLOCK)
            done = put_clocks(run->report, field, g + first, end - first);
        else
            done = put_group(run->report, field, g + first, end - first, g[first].text);
    }
    return done;
}

int bus_put_guesses(const struct bus_run *run, unsigned field)
{
    struct guess *g = calloc(run->items + 1, sizeof *g);

    bool done = g;

    for (unsigned line = 0; done && line < BUS_LINES; line++)
        done = put_lines(run, g, (enum bus_line)line, field);
    free(g);
    return done ? CLI_OK : cli_no_memory();
}
