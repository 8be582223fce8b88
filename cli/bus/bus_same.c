/* SPDX-License-Identifier: MIT */
/*
 * One row a net: where a simulator gave each name of a bus its own signals, these have the same
 * values.  The highest scope names it, the others are its aliases.
 */
#include "bus/bus.h"

#include <stdlib.h>
#include <string.h>

static unsigned depth_of(const char *name)
{
    unsigned depth = 0;

    for (; *name; name++)
        depth += *name == '.';
    return depth;
}

/* Those that may be the same beside each other, the highest scope first. */
static int by_values(const void *a, const void *b)
{
    const struct bus_item *x = *(struct bus_item *const *)a, *y = *(struct bus_item *const *)b;
    const unsigned dx = depth_of(x->name), dy = depth_of(y->name);

    if (x->proof->values != y->proof->values)
        return x->proof->values < y->proof->values ? -1 : 1;
    if (x->protocol != y->protocol)
        return x->protocol < y->protocol ? -1 : 1;
    if (dx != dy)
        return dx < dy ? -1 : 1;
    return strcmp(x->name, y->name);
}

bool bus_may_be_same(const struct bus_item *a, const struct bus_item *b)
{
    return a->proof && b->proof && a->proof->values != 0 && a->proof->values == b->proof->values &&
           a->protocol == b->protocol;
}

/* Did both count the same, to the last edge? */
static bool count_alike(struct bus_item *a, struct bus_item *b)
{
    struct pc_bus_edges ea, eb;
    struct pc_bus_group ga, gb;

    if (!a->bus || !b->bus)
        return !a->bus && !b->bus;
    pc_bus_get_edges(a->bus, &ea);
    pc_bus_get_edges(b->bus, &eb);
    if (ea.edges != eb.edges || ea.cycles != eb.cycles || a->stream != b->stream)
        return false;
    for (size_t i = 0; pc_bus_group_at(a->bus, i, &ga) == PC_OK; i++)
        if (pc_bus_group_at(b->bus, i, &gb) != PC_OK ||
            memcmp(ga.count, gb.count, sizeof ga.count) != 0)
            return false;
    return true;
}

/* Moves the names of an item to the one that stays. */
static bool take_names(struct bus_item *to, struct bus_item *from)
{
    struct bus_proof *p = to->proof, *q = from->proof;
    char **alias = realloc(p->alias, (p->aliases + q->aliases + 2) * sizeof *alias);

    if (!alias)
        return false;
    p->alias = alias;
    alias[p->aliases++] = from->name;
    for (size_t i = 0; i < q->aliases; i++)
        alias[p->aliases++] = q->alias[i];
    q->aliases = 0;
    from->name = NULL;
    return true;
}

static void drop_nameless(struct bus_run *run)
{
    size_t kept = 0;

    for (size_t i = 0; i < run->items; i++) {
        if (run->item[i].name)
            run->item[kept++] = run->item[i];
        else
            bus_free_item(&run->item[i]);
    }
    run->items = kept;
}

int bus_join_same(struct bus_run *run)
{
    struct bus_item **of = calloc(run->items + 1, sizeof(struct bus_item *));
    size_t count = 0;
    bool done = of != NULL;

    for (size_t i = 0; done && i < run->items; i++)
        if (run->item[i].proof && run->item[i].proof->values)
            of[count++] = &run->item[i];
    if (count > 0)
        qsort(of, count, sizeof(struct bus_item *), by_values);
    for (size_t first = 0, end; done && first < count; first = end) {
        for (end = first + 1; end < count && bus_may_be_same(of[first], of[end]); end++)
            if (count_alike(of[first], of[end]))
                done = done && take_names(of[first], of[end]);
    }
    free(of);
    drop_nameless(run);
    return done ? CLI_OK : cli_no_memory();
}
