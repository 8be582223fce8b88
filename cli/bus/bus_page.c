/* SPDX-License-Identifier: MIT */
/* -o bus.html: buses ranked, what they did over time, and how long it took.  No script, nothing
 * that is loaded. */
#include "bus/bus_rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/page.h"
#include "timeline/timeline_plot.h"
#include "wave/time_counted.h"
#include "wave/expectation_tree.h"

static const char style[] =
    ":root{--beat:#2a7f9e;--stall:#c4372f;--starve:#e0a93b;--idle:#d5d9dd;--other:#8a5fb0;"
    "--reset:#1c1e21}\n"
    "@media (prefers-color-scheme:dark){:root{--beat:#5fb3d1;--stall:#e8675f;--starve:#b98a2d;"
    "--idle:#3a3f45;--other:#a583c9;--reset:#f2f4f6}}\n"
    "th:nth-child(-n+4),td:nth-child(-n+4)"
    "{text-align:left;white-space:normal;overflow-wrap:anywhere}th:first-child,td:first-child"
    "{min-width:9rem}td svg{display:block;width:6rem;height:.9rem}\n"
    ".axis{position:relative;height:1.1rem;color:var(--soft);font-size:.75rem}.axis span"
    "{position:absolute;padding-left:.2rem;border-left:1px solid "
    "var(--soft);white-space:nowrap}"
    ".lane{display:grid;grid-template-columns:minmax(6rem,14rem) 1fr;gap:.6rem;margin:.25rem 0}"
    ".lane a{overflow-wrap:anywhere;align-self:center}.lanes svg{height:2.6rem}\n"
    "figure{margin:.5rem 0;break-inside:avoid}figure svg{display:block;width:100%;height:4rem;"
    "background:var(--rule)}.bars{display:flex;color:var(--soft);font-size:.75rem;"
    "text-align:center}.bars span{flex:1}\n"
    ".beat{fill:var(--beat)}.stall{fill:var(--stall)}.starve{fill:var(--starve)}"
    ".idle{fill:var(--idle)}.other{fill:var(--other)}.reset{fill:var(--reset)}.key{display:inline-"
    "block;width:1.4em;height:.9em;vertical-align:-.1em}\n";

static void put_text(FILE *out, const char *text)
{
    timeline_put(out, text);
}

static void put_row_name(FILE *out, const struct bus_row *row)
{
    put_text(out, row->name);
    if (row->part[0])
        fprintf(out, " %s", row->part);
}

/* The states of a channel. */
static void stack_channel(const struct bus_row *row, uint64_t out[BUS_PAGE_STATES])
{
    static const char *const name[] = { "beat", "stall", "starve", "setup", "blocked", "idle" };
    static const enum pc_bus_count at[] = { PC_BUS_BEAT,  PC_BUS_STALL,   PC_BUS_STARVE,
                                            PC_BUS_SETUP, PC_BUS_BLOCKED, PC_BUS_IDLE };
    uint64_t count[PC_BUS_COUNTS] = { 0 };

    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        count[at[i]] = bus_count(row->channel, name[i]);
    bus_page_stack(count, row->cycles, out);
}

/* ---- the head ---- */

static void put_head(const struct bus_view *view, FILE *out)
{
    page_begin(out, "pcounter bus", tree_text(view->root, "waveform"), style);
    page_facts(out);
    fputs("<p>", out);
    for (unsigned s = 0; s < BUS_PAGE_STATES; s++)
        fprintf(out,
                "<svg class=\"key\" aria-hidden=\"true\"><rect class=\"%s\" width=\"100%%\" "
                "height=\"100%%\"/></svg> %s ",
                bus_page_state[s], bus_page_word[s]);
    fputs("<svg class=\"key\" aria-hidden=\"true\"><rect class=\"reset\" y=\"60%\" "
          "width=\"100%\" height=\"40%\"/></svg> in reset</p>\n<p>stalled: valid without "
          "ready; starved: ready without valid; other: setup cycles and unknown values. The buses "
          "with the most stalls come first.</p>\n",
          out);
}

/* ---- the ranking ---- */

static void put_bar(FILE *out, const struct bus_row *row)
{
    uint64_t part[BUS_PAGE_STATES], before = 0;

    stack_channel(row, part);
    fputs("<svg aria-hidden=\"true\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\">", out);
    for (unsigned s = 0; s < BUS_PAGE_STATES; before += part[s++])
        if (part[s] > 0)
            fprintf(out, "<rect class=\"%s\" x=\"%.3f\" width=\"%.3f\" height=\"10\"/>",
                    bus_page_state[s], 1000 * bus_share(before, row->cycles),
                    1000 * bus_share(part[s], row->cycles));
    fputs("</svg>", out);
}

static void put_share(FILE *out, const struct bus_row *row, uint64_t count)
{
    if (row->cycles > 0)
        fprintf(out, "<td>%.1f %%</td>", 100 * bus_share(count, row->cycles));
    else
        fputs("<td>-</td>", out);
}

static void put_number(FILE *out, bool is, uint64_t value)
{
    fprintf(out, "<td>%s</td>", is ? cli_grouped(value) : "-");
}

static uint64_t most_outstanding(const struct bus_row *row)
{
    return row->transaction ? bus_count(tree_member(row->transaction, "outstanding"), "max") : 0;
}

static void put_leaf(FILE *out, const char *path, const char *name)
{
    fputs("<td title=\"", out);
    put_text(out, path);
    fputs("\"><bdi>", out);
    put_text(out, name);
    fputs("</bdi></td>", out);
}

/* Its reset by the last part of its name, which the section of the bus has in full. */
static void put_reset_name(FILE *out, const struct bus_row *row)
{
    const char *reset = tree_text(row->bus, "reset"), *dot = strrchr(reset, '.');

    put_leaf(out, reset, !reset[0] ? "-" : dot ? dot + 1 : reset);
}

/* Puts the figures of its transactions, if one of the buses has some. */
static void put_transactions(FILE *out, const struct bus_row *r)
{
    const bool has = r->transaction && r->latency.count > 0;
    struct bus_extreme l;

    put_number(out, has && r->latency.complete, r->latency.rank[PC_P50].low);
    put_number(out, has && r->latency.complete, r->latency.rank[PC_P99].low);
    if (bus_longest(r, &l) && l.open)
        fprintf(out, "<td>&gt;= %s</td>", cli_grouped(l.latency));
    else
        put_number(out, has, r->latency.max.low);
    put_number(out, r->transaction, most_outstanding(r));
    put_number(out, r->transaction, bus_count(r->transaction, "unfinished"));
    put_number(out, r->transaction, bus_count(r->transaction, "errors"));
}

static void put_ranked(FILE *out, const struct bus_row *r, size_t number, bool transactions)
{
    const bool link = r->transaction && r->latency.count > 0 &&
                      tree_value(r->transaction, "longest", TREE_OBJECT);
    uint64_t part[BUS_PAGE_STATES];

    stack_channel(r, part);
    fprintf(out, "<tr><td><a href=\"#bus%zu\"><bdi>", number);
    put_row_name(out, r);
    fputs("</bdi></a></td><td>", out);
    put_text(out, tree_text(r->bus, "protocol"));
    fputs("</td>", out);
    put_leaf(out, tree_text(r->bus, "clock"), r->clock);
    put_reset_name(out, r);
    fputs("<td>", out);
    if (link)
        fprintf(out, "<a href=\"#bus%zu-longest\" title=\"its longest transaction\">", number);
    put_bar(out, r);
    fputs(link ? "</a>" : "", out);
    fputs("</td>", out);
    for (unsigned s = BUS_PAGE_STALL; s <= BUS_PAGE_IDLE; s++)
        put_share(out, r, part[s]);
    if (r->cycles > 0)
        fprintf(out, "<td>%.3f</td>", bus_share(r->beats, r->cycles));
    else
        fputs("<td>-</td>", out);
    put_number(out, true, r->beats);
    put_number(out, true, r->cycles);
    if (transactions)
        put_transactions(out, r);
    fputs("</tr>\n", out);
}

static void put_ranking(FILE *out, const struct bus_row *row, size_t rows)
{
    bool transactions = false;

    for (size_t i = 0; i < rows; i++)
        transactions |= row[i].transaction != NULL;
    fputs("<div class=\"w\"><table><thead><tr><th>bus</th><th>protocol</th><th>clock</th>"
          "<th>reset</th><th></th><th>stalled</th><th>starved</th><th>idle</th><th>rate</th>"
          "<th>beats</th><th>cycles</th>",
          out);
    if (transactions)
        fputs("<th>p50</th><th>p99</th><th>max</th><th title=\"most transactions outstanding at "
              "once\">max in flight</th><th title=\"not completed at the end\">unfinished</th>"
              "<th>errors</th>",
              out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (size_t i = 0; i < rows; i++)
        put_ranked(out, &row[i], i, transactions);
    fputs("</tbody></table></div>\n", out);
}

/* ---- all of it ---- */

static void put_longest(FILE *out, const struct bus_row *row, size_t number)
{
    const struct rep_tree *l = tree_value(row->transaction, "longest", TREE_OBJECT);

    if (!l)
        return;
    fprintf(out, "<p id=\"bus%zu-longest\">longest transaction: %s", number,
            cli_count(bus_count(l, "latency"), "cycle"));
    if (tree_value(l, "id", TREE_INT))
        fprintf(out, ", identifier %llu", (unsigned long long)bus_count(l, "id"));
    fprintf(out, ", from time <b>%llu</b>", (unsigned long long)bus_count(l, "start_time"));
    fprintf(out, " (edge %s)", cli_grouped(bus_count(l, "start")));
    fprintf(out, " to %llu", (unsigned long long)bus_count(l, "end_time"));
    fprintf(out, " (edge %s), starts with <bdi>", cli_grouped(bus_count(l, "end")));
    put_text(out, bus_start_signal(row));
    fputs("</bdi></p>\n", out);
}

static void put_reset(FILE *out, const struct bus_row *row)
{
    const char *reset = tree_text(row->bus, "reset");

    if (!reset[0]) {
        fputs("<p>no reset: all edges count</p>\n", out);
        return;
    }
    fputs("<p>reset <bdi>", out);
    put_text(out, reset);
    fprintf(out, "</bdi>, active at %d: %s of ", (int)bus_count(row->bus, "reset_active"),
            cli_grouped(bus_count(row->bus, "reset_edges")));
    fprintf(out, "%s are in reset</p>\n", cli_count(bus_count(row->bus, "edges"), "edge"));
}

static void put_note(void *ctx, const struct bus_row *row, const char *text)
{
    FILE *const out = ctx;

    fputs("<li><bdi>", out);
    put_row_name(out, row);
    fputs("</bdi>: ", out);
    put_text(out, text);
    fputs("</li>\n", out);
}

/* Prints what the data say of its clock and its reset, and its other names. */
static void put_evidence(FILE *out, const struct rep_tree *bus)
{
    const struct rep_tree *line;

    for (size_t i = 0; (line = tree_item(bus, "evidence", i)) != NULL; i++) {
        fputs("<p><bdi>", out);
        put_text(out, line->text);
        fputs("</bdi></p>\n", out);
    }
    for (size_t i = 0; (line = tree_item(bus, "aliases", i)) != NULL; i++) {
        fputs(i ? ", <bdi>" : "<p>the same: <bdi>", out);
        put_text(out, line->text);
        fputs(tree_item(bus, "aliases", i + 1) ? "</bdi>" : "</bdi></p>\n", out);
    }
}

/* Those that are listed, and not measured. */
static void put_unsure(FILE *out, const struct rep_tree *root)
{
    const struct rep_tree *bus;

    for (size_t i = 0; (bus = tree_item(root, "buses", i)) != NULL; i++)
        if (tree_is(bus, "unsure")) {
            fputs("<h2><bdi>", out);
            put_text(out, tree_text(bus, "name"));
            fputs("</bdi>: not measured</h2>\n", out);
            put_evidence(out, bus);
        }
}

static void put_bus(const struct bus_run *run, FILE *out, const struct bus_row *row, size_t number)
{
    fprintf(out, "<h2 id=\"bus%zu\"><bdi>", number);
    put_row_name(out, row);
    fputs("</bdi></h2>\n<p>", out);
    if (row->channel && row->channel->key[0])
        fprintf(out, "channel %s, ", row->channel->key);
    fputs("clock <bdi>", out);
    put_text(out, tree_text(row->bus, "clock"));
    fprintf(out, "</bdi>: in %s of ", cli_grouped(row->waits));
    fprintf(out, "%s cycles the sender is stalled</p>\n", cli_grouped(row->cycles));
    put_reset(out, row);
    put_evidence(out, row->bus);
    if (run)
        bus_page_outstanding(run, out, row);
    if (row->transaction) {
        put_longest(out, row, number);
        bus_put_histogram(out, tree_member(row->transaction, "latency"), "latency in cycles");
    } else if (row->channel) {
        bus_put_histogram(out, tree_member(row->channel, "wait"), "stalls before a beat");
    }
}

int bus_page(const struct bus_view *view, FILE *out)
{
    struct bus_row *row;
    const size_t rows = bus_make_rows(view, &row);

    if (!row)
        return CLI_LIMIT;
    put_head(view, out);
    put_ranking(out, row, rows);
    fputs("<ul>\n", out);
    bus_each_note(view, row, rows, put_note, out);
    fputs("</ul>\n", out);
    if (view->run)
        bus_page_times(view->run, out, row, rows);
    for (size_t i = 0; i < rows; i++)
        put_bus(view->run, out, &row[i], i);
    put_unsure(out, view->root);
    if (!view->run && view->reports <= 1)
        fputs("<p>With -I this page also shows them over time.</p>\n", out);
    cli_page_expectations(out, view->root);
    page_end(out);
    free(row);
    return CLI_OK;
}
