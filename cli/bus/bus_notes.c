/* SPDX-License-Identifier: MIT */
/* Notes beside the table: what is odd, what is open, what was guessed. */
#include "bus/bus_rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "wave/time_counted.h"

/* A note that grows, with commas between its parts. */
struct note {
    char text[BUS_NOTE];
    size_t used;
};

static void PC_PRINTF(2, 3) add(struct note *n, const char *fmt, ...)
{
    va_list args;

    if (n->used > 0)
        n->used += (size_t)snprintf(n->text + n->used, BUS_NOTE - n->used, ", ");
    va_start(args, fmt);
    n->used += (size_t)vsnprintf(n->text + n->used, BUS_NOTE - n->used, fmt, args);
    va_end(args);
}

/* Notes what a protocol forbids, what has no partner, and what ended otherwise than it should. */
static void add_oddities(struct note *n, const struct bus_row *row)
{
    const struct rep_tree *g[] = { row->channel, row->transaction };
    static const struct {
        const char *count;
        bool plural;
        const char *name;
    } odd[] = {
        { "unknown", false, " unknown" },
        { "dropped", false, " dropped" },
        { "unstable", false, " unstable" },
        { "overrun", false, " overrun" },
        { "errors", true, "error" },
        { "orphans", true, "orphan" },
        { "unknown_id", false, " unknown_id" },
        { "len_mismatch", false, " len_mismatch" },
        { "aborted", false, " aborted" },
    };

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
            const uint64_t count = bus_count(g[k], odd[i].count);
            if (count > 0)
                add(n, "%s%s", odd[i].plural ? cli_count(count, odd[i].name) : cli_grouped(count),
                    odd[i].plural ? "" : odd[i].name);
        }
}

/* Notes what is in flight at the end. */
static void add_open(struct note *n, const struct bus_row *row)
{
    const struct rep_tree *g,
        *oldest = row->transaction ? tree_value(row->transaction, "oldest", TREE_OBJECT) : NULL;

    if (oldest)
        add(n, "%s unfinished at the end, the oldest for %s",
            cli_grouped(bus_count(row->transaction, "unfinished")),
            cli_count(bus_count(oldest, "age"), "cycle"));
    for (size_t i = 0; (g = tree_item(row->bus, "channels", i)) != NULL; i++)
        if (bus_is_of(row->part, g->key) && bus_count(g, "open_wait") > 0)
            add(n, "%s%sstalled at the end for %s", g->key, g->key[0] ? " " : "",
                cli_count(bus_count(g, "open_wait"), "cycle"));
}

/* ---- what holds for a whole bus ---- */

const char *bus_stuck_text(const struct pc_wave_info *info, uint64_t time, uint64_t edge,
                           char out[BUS_NOTE])
{
    char since[CLI_TIME_TEXT];

    snprintf(out, BUS_NOTE,
             "stuck since %s (edge %s): no transfer, although a sender is stalled or a request "
             "outstanding",
             cli_time_text(info, time, since), cli_grouped(edge));
    return out;
}

/* Tells once a bus what its rows have in common. */
static void tell_bus(const struct rep_tree *root, const struct bus_row *row,
                     void (*tell)(void *ctx, const struct bus_row *row, const char *text),
                     void *ctx)
{
    const char *how = tree_text(row->bus, "pairs"), *why = tree_text(row->bus, "unpaired");
    struct bus_row whole = *row;
    char text[BUS_NOTE];

    whole.part = "";
    if (bus_count(row->bus, "stuck") > 0) {
        const struct pc_wave_info info = tree_time_info(root);
        tell(ctx, &whole,
             bus_stuck_text(&info, bus_count(row->bus, "stuck_since"),
                            bus_count(row->bus, "stuck_edge"), text));
    }
    if (how[0])
        snprintf(text, sizeof text, "paired by the data: %.300s", how);
    else if (why[0])
        snprintf(text, sizeof text,
                 "no latency, as requests and responses do not fit together: %.300s", why);
    if (how[0] || why[0])
        tell(ctx, &whole, text);
}

void bus_each_note(const struct bus_view *view, const struct bus_row *row, size_t rows,
                   void (*tell)(void *ctx, const struct bus_row *row, const char *text), void *ctx)
{
    for (size_t i = 0; i < rows; i++) {
        struct note n = { .used = 0 };
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first = first && row[k].bus != row[i].bus;
        if (first)
            tell_bus(view->root, &row[i], tell, ctx);
        add_oddities(&n, &row[i]);
        add_open(&n, &row[i]);
        if (n.used > 0)
            tell(ctx, &row[i], n.text);
    }
}
