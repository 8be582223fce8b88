/* SPDX-License-Identifier: MIT */
/*
 * Names in a description: registers, lets, vectors, elements and metrics are asked for by name
 * alone, and checks are reported by theirs, so no two of either have one name.
 */
#include "described/described.h"

#include <stdlib.h>
#include <string.h>

#include "wave/event_list.h"

struct named {
    const char *text, *what;
    const yaml_node_t *node;
    size_t order;
};

struct list {
    struct described *d;
    struct named *item;
    size_t count, capacity;
};

/* Adds a name; false: no memory.  Names that are no text have had their error. */
static bool add(struct list *l, const char *text, const char *what, const yaml_node_t *node)
{
    void *array = l->item;

    if (!text)
        return true;
    if (!cli_grow(&array, &l->capacity, l->count + 1, sizeof *l->item))
        return false;
    l->item = array;
    l->item[l->count] = (struct named){ text, what, node, l->count };
    l->count++;
    return true;
}

static bool add_keys(struct list *l, const yaml_node_t *node, const char *what)
{
    yaml_node_t *key, *value;

    for (size_t i = 0; node && cli_yaml_pair(&l->d->yaml, node, i, &key, &value); i++)
        if (!add(l, cli_yaml_text(key), what, key))
            return false;
    return true;
}

static bool add_elements(struct list *l, const yaml_node_t *vectors)
{
    yaml_node_t *key, *value;
    const yaml_node_t *item;

    for (size_t i = 0; vectors && cli_yaml_pair(&l->d->yaml, vectors, i, &key, &value); i++)
        for (size_t k = 0; (item = cli_yaml_item(&l->d->yaml, value, k)) != NULL; k++)
            if (!add_keys(l, item, "an element"))
                return false;
    return true;
}

static bool add_registers(struct list *l)
{
    const struct described *d = l->d;

    for (size_t i = 0; i < d->desc.regs; i++)
        if (!add(l, d->reg[i].name, "a register", d->reg_node[i].of))
            return false;
    return true;
}

static bool add_checks(struct list *l)
{
    const struct described *d = l->d;

    for (size_t i = 0; i < d->desc.checks; i++)
        if (!add(l, d->check[i].name, "a check", d->check_node[i]))
            return false;
    return true;
}

/* By text; of one text, the first of the file first. */
static int by_text(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->text, y->text);

    if (order)
        return order;
    if (x->node->start_mark.index != y->node->start_mark.index)
        return x->node->start_mark.index < y->node->start_mark.index ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Reports the first name of the file that is there before; forgets the list. */
static int refuse_twice(struct list *l)
{
    const struct named *second = NULL;
    int code = CLI_OK;

    if (l->count > 1)
        qsort(l->item, l->count, sizeof *l->item, by_text);
    for (size_t i = 1; i < l->count; i++)
        if (strcmp(l->item[i].text, l->item[i - 1].text) == 0 &&
            (!second || l->item[i].node->start_mark.index < second->node->start_mark.index))
            second = &l->item[i];
    if (second)
        code = cli_yaml_fail(
            &l->d->yaml, second->node, 1905,
            "give each a different name; in names of registers with for, {n} is the number",
            "there are two %s: %s, and %s in line %u", second->text, second->what, second[-1].what,
            described_line(second[-1].node));
    l->count = 0;
    return code;
}

int described_check_names(struct described *d, const yaml_node_t *lets, const yaml_node_t *vectors,
                          const yaml_node_t *metrics)
{
    struct list l = { .d = d };
    int code = add_keys(&l, lets, "a let") && add_keys(&l, vectors, "a vector") &&
                       add_elements(&l, vectors) && add_registers(&l) &&
                       add_keys(&l, metrics, "a metric")
                   ? refuse_twice(&l)
                   : cli_no_memory();

    if (code == CLI_OK)
        code = add_checks(&l) ? refuse_twice(&l) : cli_no_memory();
    free(l.item);
    return code;
}
