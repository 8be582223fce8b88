/* SPDX-License-Identifier: MIT */
/* Keeps what the data say of the buses that were found, and prints it in each format. */
#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

static bool copy(char **out, const char *text)
{
    *out = text ? strdup(text) : NULL;
    return *out || !text;
}

bool bus_take_proof(struct bus_item *item, const struct pc_bus_found *found)
{
    struct bus_proof *p = calloc(1, sizeof *p);
    const char *alias = found->alias;

    item->proof = p;
    if (!p)
        return false;
    p->data = found->proof;
    p->values = found->values;
    p->alias = calloc(found->aliases + 1, sizeof *p->alias);
    bool done = p->alias && copy(&p->other, found->proof.other) &&
                copy(&p->candidate[0], found->proof.candidate[0]) &&
                copy(&p->candidate[1], found->proof.candidate[1]) &&
                copy(&p->refused, found->proof.refused);
    for (; done && p->aliases < found->aliases; alias += strlen(alias) + 1)
        done = copy(&p->alias[p->aliases++], alias);
    return done;
}

void bus_free_proof(struct bus_item *item)
{
    struct bus_proof *p = item->proof;

    if (!p)
        return;
    for (size_t i = 0; i < p->aliases; i++)
        free(p->alias[i]);
    free(p->alias);
    free(p->other);
    free(p->candidate[0]);
    free(p->candidate[1]);
    free(p->refused);
    for (unsigned i = 0; i < BUS_LINES; i++)
        free(p->line[i]);
    free(p);
    item->proof = NULL;
}

bool bus_is_unsure(const struct bus_item *item)
{
    return item->proof && item->proof->data.unsure;
}

/* ---- lines ---- */

/* "98.4 %"; all of it alone is 100. */
static void percent(char out[16], uint64_t part, uint64_t whole)
{
    const double share = whole ? 100 * (double)part / (double)whole : 0;

    snprintf(out, 16, part == whole ? "%.0f %%" : "%.1f %%", share > 99.9 ? 99.9 : share);
    if (part == whole)
        snprintf(out, 16, "100 %%");
}

static void put_clock(FILE *out, const struct bus_item *item)
{
    const struct bus_proof *p = item->proof;
    char share[16];

    fprintf(out, "clock: %s ", item->clock);
    if (p->data.clocks < 2)
        fputs("is the only clock", out);
    else if (p->data.changes == 0)
        fputs("is the nearest clock; nothing moved in the part that was read", out);
    if (p->data.changes > 0) {
        percent(share, p->data.explained, p->data.changes);
        fprintf(out, "%sexplains %s of ", p->data.clocks < 2 ? ", " : "", share);
        fputs(cli_count(p->data.changes, "change"), out);
        if (p->other) {
            percent(share, p->data.other_explained, p->data.changes);
            fprintf(out, " (%s %s)", p->other, share);
        }
    }
}

static void put_edges(FILE *out, const struct pc_bus_proof *p)
{
    fprintf(out, "at %s of ", cli_grouped(p->reset_edges));
    fputs(cli_count(p->edges, "edge"), out);
}

/* Why what is called a reset is none. */
static void put_refused(FILE *out, const struct pc_bus_proof *p)
{
    if (p->reset == PC_BUS_RESET_TAKES) {
        fputs(cli_count(p->reset_beats, "beat"), out);
        fputs(" while it is active", out);
    } else if (p->reset == PC_BUS_RESET_TOGGLES) {
        fputs("toggles", out);
    } else if (p->reset == PC_BUS_RESET_UNMOVED) {
        fputs("never moves", out);
    } else {
        fputs("active ", out);
        put_edges(out, p);
    }
}

static void put_reset(FILE *out, const struct bus_item *item)
{
    const struct bus_proof *p = item->proof;

    if (!item->reset) {
        fputs("no reset: all edges count", out);
        if (p->refused) {
            fprintf(out, "; %s: ", p->refused);
            put_refused(out, &p->data);
        }
        return;
    }
    fprintf(out, "reset: %s is %d ", item->reset, !item->reset_low);
    put_edges(out, &p->data);
    if (p->data.reset == PC_BUS_RESET_HOLDS)
        fputs(", with no beat in these", out);
    else if (p->data.reset == PC_BUS_RESET_OF_OTHERS)
        fprintf(out, ", as for buses beside it; %s in these do not count",
                cli_count(p->data.reset_beats, "beat"));
}

static void put_unsure(FILE *out, const struct bus_item *item)
{
    const struct bus_proof *p = item->proof;

    fprintf(out, "unsure: %s", p->data.unsure);
    for (size_t i = 0; i < 2; i++)
        if (p->candidate[i])
            fprintf(out, "%s %s", i ? "," : ":", p->candidate[i]);
}

bool bus_is_forced(const struct bus_item *item, enum bus_line line)
{
    const struct pc_bus_proof *p = &item->proof->data;

    return line == BUS_LINE_CLOCK   ? p->clocks < 2 && p->changes == p->explained
           : line == BUS_LINE_RESET ? item->reset && p->resets < 2 && !p->reset_against_name
                                    : false;
}

char *bus_line(const struct bus_item *item, enum bus_line line)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    if (line == BUS_LINE_UNSURE)
        put_unsure(out, item);
    else if (line == BUS_LINE_CLOCK)
        put_clock(out, item);
    else
        put_reset(out, item);
    if (cli_collected(out, &text))
        return text;
    free(text);
    return NULL;
}

bool bus_make_lines(struct bus_run *run)
{
    for (size_t i = 0; i < run->items; i++) {
        const struct bus_item *item = &run->item[i];
        const bool unsure = bus_is_unsure(item);
        for (unsigned line = 0; item->proof && line < BUS_LINES; line++) {
            if ((line == BUS_LINE_UNSURE) != unsure || (!unsure && !item->clock))
                continue;
            item->proof->line[line] = bus_line(item, (enum bus_line)line);
            if (!item->proof->line[line])
                return false;
        }
    }
    return true;
}
