/* SPDX-License-Identifier: MIT */
/* Rows for people: which channel waits most, and which row comes first. */
#include "bus/bus_rows.h"

#include <stdlib.h>
#include <string.h>

bool bus_is_of(const char *part, const char *channel)
{
    if (strcmp(part, "read") == 0)
        return channel[0] == 'r' || strcmp(channel, "ar") == 0 || channel[0] == '\0';
    if (strcmp(part, "write") == 0)
        return strchr("wb", channel[0]) || strcmp(channel, "aw") == 0;
    return true;
}

uint64_t bus_count(const struct rep_tree *group, const char *name)
{
    return group ? (uint64_t)tree_count(group, name) : 0;
}

static uint64_t waits_of(const struct rep_tree *channel)
{
    return bus_count(channel, "stall") + bus_count(channel, "blocked");
}

/* Returns whether a channel counts beats: that with the data of reads and writes, else the first.
 */
static bool counts_beats(const char *part, const char *channel, bool first)
{
    return strcmp(channel, "r") == 0 || strcmp(channel, "w") == 0 ||
           (first && (part[0] == '\0' || channel[0] == '\0'));
}

static void fill(struct bus_row *row)
{
    const struct rep_tree *g;

    row->name = tree_text(row->bus, "name");
    row->cycles = bus_count(row->bus, "cycles");
    row->transaction = tree_value(row->bus, row->part[0] ? row->part : "transactions", TREE_OBJECT);
    if (row->transaction)
        tree_dist_figures(tree_member(row->transaction, "latency"), &row->latency);
    for (size_t i = 0; (g = tree_item(row->bus, "channels", i)) != NULL; i++) {
        if (!bus_is_of(row->part, g->key))
            continue;
        if (counts_beats(row->part, g->key, !row->channel))
            row->beats = bus_count(g, "beat");
        if (!row->channel || waits_of(g) > row->waits) {
            row->channel = g;
            row->waits = waits_of(g);
        }
    }
}

bool bus_longest(const struct bus_row *row, struct bus_extreme *out)
{
    const struct rep_tree *of = row->transaction,
                          *l = of ? tree_value(of, "longest", TREE_OBJECT) : NULL,
                          *o = of ? tree_value(of, "oldest", TREE_OBJECT) : NULL;

    *out = (struct bus_extreme){ .open =
                                     o && (!l || tree_count(o, "age") > tree_count(l, "latency")) };
    const struct rep_tree *is = out->open ? o : l;
    if (!is)
        return false;
    out->latency = bus_count(is, out->open ? "age" : "latency");
    out->start_time = bus_count(is, "start_time");
    return true;
}

double bus_share(uint64_t count, uint64_t cycles)
{
    return cycles ? (double)count / (double)cycles : 0;
}

/* By the share of cycles in which a sender waits, then by latency, then by name. */
static int by_waits(const void *a, const void *b)
{
    const struct bus_row *x = a, *y = b;
    const double sx = bus_share(x->waits, x->cycles), sy = bus_share(y->waits, y->cycles);
    const uint64_t lx = x->latency.count ? x->latency.rank[PC_P99].low : 0,
                   ly = y->latency.count ? y->latency.rank[PC_P99].low : 0;

    if (sx > sy || sx < sy)
        return sx > sy ? -1 : 1;
    if (lx != ly)
        return lx > ly ? -1 : 1;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->part, y->part);
}

static const char *leaf_of(const char *clock)
{
    const char *dot = strrchr(clock, '.');

    return dot ? dot + 1 : clock;
}

/* Finds the last part of its path where that is enough to tell the clocks of all rows apart. */
static const char *short_clock(const struct bus_row *row, size_t rows, const struct rep_tree *bus)
{
    const char *clock = tree_text(bus, "clock");
    const tree_int number = tree_count(bus, "clock_number");

    if (clock[0] && strchr("!~", clock[0]))
        return clock;
    for (size_t i = 0; i < rows; i++) {
        const char *other = tree_text(row[i].bus, "clock");
        if (tree_count(row[i].bus, "clock_number") != number &&
            strcmp(leaf_of(other), leaf_of(clock)) == 0)
            return clock;
    }
    return leaf_of(clock);
}

/* Adds the rows of a bus: a direction each, or one. */
static size_t add(struct bus_row *row, const struct rep_tree *bus, const struct bus_item *item)
{
    static const char *const parts[] = { "read", "write" };
    size_t n = 0;

    if (tree_value(bus, "cycles", TREE_INT) == NULL) /* it is not measured */
        return 0;
    for (unsigned i = 0; i < 2; i++)
        if (tree_value(bus, parts[i], TREE_OBJECT))
            row[n++] = (struct bus_row){ .bus = bus, .part = parts[i], .item = item };
    if (n == 0)
        row[n++] = (struct bus_row){ .bus = bus, .part = "", .item = item };
    for (size_t i = 0; i < n; i++) {
        fill(&row[i]);
        if (item)
            bus_find_groups(&row[i]);
    }
    return n;
}

size_t bus_make_rows(const struct bus_view *view, struct bus_row **out)
{
    const struct rep_tree *buses = tree_value(view->root, "buses", TREE_LIST);
    const size_t count = buses ? buses->children : 0;
    struct bus_row *row = calloc(2 * count + 1, sizeof *row);
    size_t rows = 0;

    *out = row;
    if (!row)
        cli_no_memory();
    for (size_t i = 0; row && i < count; i++)
        rows += add(&row[rows], &buses->child[i], view->run ? &view->run->item[i] : NULL);
    for (size_t i = 0; i < rows; i++)
        row[i].clock = short_clock(row, rows, row[i].bus);
    if (rows > 0)
        qsort(row, rows, sizeof *row, by_waits);
    return rows;
}

void bus_put_name(FILE *out, const struct bus_row *row)
{
    cli_print_name(out, row->name);
    if (row->part[0])
        fprintf(out, " %s", row->part);
}

/* Is its protocol one of a map? */
static bool is_own(const struct rep_tree *bus)
{
    const struct pc_bus_protocol *protocol;
    struct pc_error err;

    return pc_bus_protocol_find(tree_text(bus, "protocol"), &protocol, &err) != PC_OK;
}

static const char *signal_of(const struct rep_tree *bus, const char *role)
{
    const struct rep_tree *s;

    for (size_t i = 0; (s = tree_item(bus, "signals", i)) != NULL; i++)
        if (strcmp(s->key, role) == 0)
            return s->text;
    return NULL;
}

const char *bus_start_signal(const struct bus_row *row)
{
    static const char *const named[] = { "arvalid", "read", "awvalid" };
    const struct rep_tree *name = tree_item(row->bus, "names", 0),
                          *first = tree_item(row->bus, "signals", 0);

    if (name)
        return tree_text(name, "signal");
    for (size_t i = 0; first && i < 3; i++) {
        const char *signal = signal_of(row->bus, named[i]);
        if (signal && (row->part[0] == 'w') == (i == 2))
            return signal;
    }
    return first ? first->text : "";
}

const char *bus_awaited(const struct bus_row *row)
{
    static const char *const other[] = {
        "hready", "pready", "ack", "stall", "waitrequest", "credit"
    };
    const char *channel = row->channel ? row->channel->key : "";
    char role[16];

    if (is_own(row->bus))
        return NULL;

    snprintf(role, sizeof role, "%sready",
             strcmp(channel, "req") == 0    ? ""
             : strcmp(channel, "resp") == 0 ? "r"
                                            : channel);
    const char *found = signal_of(row->bus, role);
    if (strcmp(tree_text(row->bus, "protocol"), "wishbone-pipelined") == 0)
        found = signal_of(row->bus, "stall");
    for (size_t i = 0; !found && i < sizeof other / sizeof *other; i++)
        found = signal_of(row->bus, other[i]);
    return found;
}
