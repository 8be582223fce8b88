/* SPDX-License-Identifier: MIT */
/*
 * Clocks and resets in the scopes around a bus.  By names alone those of the nearest scope that has
 * some are taken; of several in a scope the one of the bus's domain, else one without a domain.
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

/* Compares the scope of the clock with these bytes. As strcmp(). */
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

bool pc_bus_fits(const char *domain, const struct bus_candidate *c)
{
    const char *stem = c->key + strcspn(c->key, " \t");

    stem += *stem != '\0';
    for (size_t n = 0; domain[n]; stem++) {
        if (*stem == '_')
            continue;
        if (*stem != domain[n])
            return false;
        n++;
    }
    return true;
}

static const char *name_of(const struct bus_finder *f, const struct bus_candidate *c)
{
    size_t any = 0;

    while (c->role[any] == SIZE_MAX)
        any++;
    return f->signal[f->reading[c->role[any]].signal].name;
}

void pc_bus_each_near(const struct bus_finder *f, const struct bus_candidate *c, bool reset,
                      bool (*tell)(void *ctx, const struct bus_near *near), void *ctx)
{
    const char *name = name_of(f, c);
    size_t length = strlen(name);
    struct bus_near near = { .distance = 0 };

    for (bool more = true; more; near.distance++) {
        if (length > 0)
            length--;
        while (length > 0 && name[length - 1] != '.')
            length--;
        for (near.clock = first_of_scope(f, name, length);
             near.clock < f->clocks && compare(&f->clock[near.clock], name, length) == 0;
             near.clock++) {
            const char *domain = f->text + f->clock[near.clock].domain;
            near.fit = domain[0] == '\0' ? 1 : pc_bus_fits(domain, c) ? 2 : 0;
            if (f->clock[near.clock].is_reset == reset && !tell(ctx, &near))
                return;
        }
        more = length > 0;
    }
}

static bool take_best(void *ctx, const struct bus_near *near)
{
    struct bus_near *best = ctx;

    if (best->clock != SIZE_MAX && near->distance > best->distance)
        return false;
    if (best->clock == SIZE_MAX || near->fit > best->fit)
        *best = *near;
    return true;
}

size_t pc_bus_clock_of(const struct bus_finder *f, const struct bus_candidate *c, bool reset)
{
    struct bus_near best = { .clock = SIZE_MAX };

    pc_bus_each_near(f, c, reset, take_best, &best);
    return best.clock;
}
