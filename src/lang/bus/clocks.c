/* SPDX-License-Identifier: MIT */
/*
 * The clock and the reset of a bus: those of the nearest scope upwards that has some; of several in
 * a scope the one with the prefix of the bus, else one without a prefix, else the first.
 */
#include "lang/bus/find.h"

#include <stdlib.h>
#include <string.h>

static int by_scope(const void *a, const void *b)
{
    const struct bus_clock *x = a, *y = b;
    const int order = strcmp(x->scope_text, y->scope_text);

    if (order)
        return order;
    return x->signal < y->signal ? -1 : x->signal > y->signal;
}

void pc_bus_sort_clocks(struct bus_finder *f)
{
    for (size_t i = 0; i < f->clocks; i++)
        f->clock[i].scope_text = f->text + f->clock[i].scope;
    if (f->clocks > 0)
        qsort(f->clock, f->clocks, sizeof *f->clock, by_scope);
}

/* Is the scope of the clock these bytes?  As strcmp(). */
static int compare(const struct bus_clock *c, const char *scope, size_t length)
{
    const int order = strncmp(c->scope_text, scope, length);

    return order ? order : c->scope_text[length] != '\0';
}

static size_t first_of_scope(const struct bus_finder *f, const char *scope, size_t length)
{
    size_t low = 0, high = f->clocks;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare(&f->clock[middle], scope, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How well the prefix fits the words of the bus: "saxi" the bus s_axi_read. */
static size_t fit(const char *prefix, const char *stem)
{
    size_t n = 0;

    if (prefix[0] == '\0')
        return 1;
    for (; prefix[n]; stem++) {
        if (*stem == '_')
            continue;
        if (*stem != prefix[n])
            return 0;
        n++;
    }
    return n + 1;
}

size_t pc_bus_clock_of(const struct bus_finder *f, const struct bus_candidate *c, bool reset)
{
    const char *stem = c->key + strcspn(c->key, " \t");
    size_t any = 0;

    while (any < PC_BUS_ROLES && c->role[any] == SIZE_MAX)
        any++;
    const char *name = f->signal[f->reading[c->role[any]].signal].name;
    size_t length = strlen(name);
    stem += *stem != '\0';
    do {
        size_t best = SIZE_MAX, best_fit = 0;
        if (length > 0)
            length--;
        while (length > 0 && name[length - 1] != '.')
            length--;
        for (size_t i = first_of_scope(f, name, length);
             i < f->clocks && compare(&f->clock[i], name, length) == 0; i++) {
            const size_t fits = fit(f->text + f->clock[i].prefix, stem);
            if (f->clock[i].is_reset != reset || (best != SIZE_MAX && fits <= best_fit))
                continue;
            best = i;
            best_fit = fits;
        }
        if (best != SIZE_MAX)
            return best;
    } while (length > 0);
    return SIZE_MAX;
}
