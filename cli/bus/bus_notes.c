/* SPDX-License-Identifier: MIT */
/* Notes beside the table: what is odd, what is open, what was guessed. */
#include "bus/bus_rows.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "wave/time_counted.h"

enum { NOTE = 400 };

/* A note that grows, with commas between its parts. */
struct note {
    char text[NOTE];
    size_t used;
};

static void PC_PRINTF(2, 3) add(struct note *n, const char *fmt, ...)
{
    va_list args;

    if (n->used > 0)
        n->used += (size_t)snprintf(n->text + n->used, NOTE - n->used, ", ");
    va_start(args, fmt);
    n->used += (size_t)vsnprintf(n->text + n->used, NOTE - n->used, fmt, args);
    va_end(args);
}

/* Notes what a protocol forbids, what has no partner, and what ended otherwise than it should. */
static void add_oddities(struct note *n, const struct bus_row *row)
{
    const struct pc_bus_group *g[] = { &row->channel, &row->transaction };
    static const struct {
        enum pc_bus_count count;
        bool plural;
        const char *name;
    } odd[] = {
        { PC_BUS_UNKNOWN, false, " unknown" },
        { PC_BUS_DROPPED, false, " dropped" },
        { PC_BUS_UNSTABLE, false, " unstable" },
        { PC_BUS_OVERRUN, false, " overrun" },
        { PC_BUS_ERRORS, true, "error" },
        { PC_BUS_ORPHANS, true, "orphan" },
        { PC_BUS_UNKNOWN_ID, false, " unknown_id" },
        { PC_BUS_LEN_MISMATCH, false, " len_mismatch" },
        { PC_BUS_ABORTED, false, " aborted" },
    };

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
            if (g[k]->has >> odd[i].count & 1 && g[k]->count[odd[i].count] > 0)
                add(n, "%s%s",
                    odd[i].plural ? cli_count(g[k]->count[odd[i].count], odd[i].name)
                                  : cli_grouped(g[k]->count[odd[i].count]),
                    odd[i].plural ? "" : odd[i].name);
}

/* Notes what is in flight at the end. */
static void add_open(struct note *n, const struct bus_row *row)
{
    const struct pc_bus_longest *oldest = &row->transaction.oldest;
    struct pc_bus_group g;

    if (row->has_transaction && oldest->any)
        add(n, "%s open at the end, the oldest for %s",
            cli_grouped(row->transaction.count[PC_BUS_UNFINISHED]),
            cli_count(oldest->latency, "cycle"));
    for (size_t i = 0; pc_bus_group_at(row->item->bus, i, &g) == PC_OK; i++)
        if (g.kind == PC_BUS_CHANNEL && bus_is_of(row->part, g.name) &&
            g.count[PC_BUS_OPEN_WAIT] > 0 && (g.has >> PC_BUS_OPEN_WAIT & 1 || g.dist[PC_BUS_WAIT]))
            add(n, "%s%swaiting at the end for %s", g.name, g.name[0] ? " " : "",
                cli_count(g.count[PC_BUS_OPEN_WAIT], "cycle"));
}

/* ---- what holds for a whole bus ---- */

bool bus_stuck_text(const struct bus_run *run, const struct bus_item *item, char *out, size_t size)
{
    struct pc_bus_end end;
    char since[CLI_TIME_TEXT];

    pc_bus_get_end(item->bus, &end);
    if (!end.stuck)
        return false;
    snprintf(out, size, "stuck since %s (edge %s): nothing moves, and something waits",
             cli_time_text(&run->info, end.since_time, since),
             cli_grouped(run->stream[item->stream].window.first + end.since));
    return true;
}

/* Tells once a bus what its rows have in common. */
static void tell_bus(const struct bus_run *run, const struct bus_row *row,
                     void (*tell)(void *ctx, const struct bus_row *row, const char *text),
                     void *ctx)
{
    struct pc_bus_pairing pairing;
    struct bus_row whole = *row;
    char text[NOTE];

    whole.part = "";
    if (bus_stuck_text(run, row->item, text, sizeof text))
        tell(ctx, &whole, text);
    pc_bus_get_pairing(row->item->bus, &pairing);
    if (pairing.how) {
        snprintf(text, sizeof text, "paired by the data: %s", pairing.how);
        tell(ctx, &whole, text);
    } else if (pairing.why) {
        snprintf(text, sizeof text, "no latency, as requests and responses do not fit together: %s",
                 pairing.why);
        tell(ctx, &whole, text);
    }
}

void bus_each_note(const struct bus_run *run, const struct bus_row *row, size_t rows,
                   void (*tell)(void *ctx, const struct bus_row *row, const char *text), void *ctx)
{
    for (size_t i = 0; i < rows; i++) {
        struct note n = { .used = 0 };
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first = first && row[k].item != row[i].item;
        if (first)
            tell_bus(run, &row[i], tell, ctx);
        add_oddities(&n, &row[i]);
        add_open(&n, &row[i]);
        if (n.used > 0)
            tell(ctx, &row[i], n.text);
    }
}
