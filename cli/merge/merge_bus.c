/* SPDX-License-Identifier: MIT */
/*
 * Fits two parts of a bus to each other before they are added. The data decide which requests have
 * a response, and which Wishbone it is; a part without a transfer has nothing to decide that by, so
 * it takes the rules of the other part.
 */
#include "merge/merge.h"

#include <string.h>

#include "bus/bus_tree.h"

static bool has_transactions(const struct rep_tree *bus)
{
    static const unsigned at[] = { AT_READ, AT_WRITE, AT_TRANSACTIONS };
    bool any = false;

    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const struct rep_tree *of = &bus->child[at[i]];
        any = any || tree_count(of, "started") > 0 || tree_count(of, "completed") > 0 ||
              tree_count(of, "orphans") > 0;
    }
    return any;
}

/* Returns true if it was measured, and nothing was transferred, nor offered on a Wishbone. */
static bool is_quiet(const struct rep_tree *bus)
{
    const bool wishbone = strcmp(tree_text(bus, "protocol"), "wishbone") == 0;
    const struct rep_tree *channel;

    if (bus->child[AT_CYCLES].what != TREE_INT || bus->child[AT_UNPAIRED].what == TREE_TEXT ||
        has_transactions(bus))
        return false;
    for (size_t i = 0; (channel = tree_item(bus, "channels", i)) != NULL; i++)
        if (tree_count(channel, "beat") > 0 || (wishbone && tree_count(channel, "stall") > 0))
            return false;
    return true;
}

/* Leaves out members that the other object does not have, all of them zero. */
static void leave_out(struct rep_tree *object, const struct rep_tree *other)
{
    for (size_t i = 0; i < object->children && i < other->children; i++) {
        struct rep_tree *mine = &object->child[i];
        const struct rep_tree *is = &other->child[i];
        if (is->what == TREE_ABSENT)
            tree_free(mine);
        else if (mine->what == TREE_OBJECT && is->what == TREE_OBJECT)
            leave_out(mine, is);
    }
}

static struct rep_tree *channel_of(const struct rep_tree *bus, const char *name)
{
    struct rep_tree *channel;

    for (size_t i = 0; (channel = tree_item(bus, "channels", i)) != NULL; i++)
        if (strcmp(channel->key, name) == 0)
            return channel;
    return NULL;
}

/* A Wishbone of single strobes is always ready: it is never idle, but without a strobe. */
static void be_ready(struct rep_tree *channel)
{
    struct rep_tree *starve = tree_value(channel, "starve", TREE_INT),
                    *idle = tree_value(channel, "idle", TREE_INT);

    if (starve && idle) {
        starve->n += idle->n;
        idle->n = 0;
    }
}

static bool copy_text(struct rep_tree *node, const struct rep_tree *from)
{
    char *text = from->what == TREE_TEXT ? cli_copy(from->text, strlen(from->text)) : NULL;

    if (from->what == TREE_TEXT && !text)
        return false;
    tree_free(node);
    node->what = from->what;
    node->text = text;
    return true;
}

static bool fit(struct rep_tree *quiet, const struct rep_tree *other)
{
    static const unsigned at[] = { AT_PROTOCOL, AT_PAIRS, AT_UNPAIRED };
    static const unsigned group[] = { AT_READ, AT_WRITE, AT_TRANSACTIONS };
    const bool single = strcmp(tree_text(quiet, "protocol"), "wishbone") == 0 &&
                        strcmp(tree_text(other, "protocol"), "wishbone-single") == 0;
    struct rep_tree *channel;
    bool done = true;

    if (!single && strcmp(tree_text(quiet, "protocol"), tree_text(other, "protocol")) != 0)
        return true;
    for (size_t i = 0; i < sizeof at / sizeof *at && done; i++)
        done = copy_text(&quiet->child[at[i]], &other->child[at[i]]);
    for (size_t i = 0; i < sizeof group / sizeof *group && done; i++) {
        if (other->child[group[i]].what == TREE_ABSENT)
            tree_free(&quiet->child[group[i]]);
        else
            leave_out(&quiet->child[group[i]], &other->child[group[i]]);
    }
    for (size_t i = 0; done && single && (channel = tree_item(quiet, "channels", i)); i++) {
        const struct rep_tree *is = channel_of(other, channel->key);
        be_ready(channel);
        if (is)
            leave_out(channel, is);
    }
    return done;
}

int merge_fit_bus(struct rep_tree *into, struct rep_tree *from)
{
    bool done = true;

    if (into->field->field != bus_fields || into->what != TREE_OBJECT)
        return CLI_OK;
    if (into->child[AT_FIRST_EDGE].what == TREE_ABSENT) /* it is 0, the least */
        tree_free(&from->child[AT_FIRST_EDGE]);
    if (from->child[AT_FIRST_EDGE].what == TREE_ABSENT)
        tree_free(&into->child[AT_FIRST_EDGE]);
    if (is_quiet(from))
        done = fit(from, into);
    else if (is_quiet(into))
        done = fit(into, from);
    return done ? CLI_OK : cli_no_memory();
}
