/* SPDX-License-Identifier: MIT */
/* -o bus.html: buses ranked, what they did over time, and how long it took.  No script, nothing
 * that is loaded. */
#include "bus/bus_rows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "timeline/page.h"
#include "timeline/timeline_plot.h"
#include "wave/time_counted.h"
#include "wave/expectation_tree.h"

enum { COLUMNS = 200 }; /* of a timeline */

static const char style[] =
    ":root{--beat:#2a7f9e;--stall:#c4372f;--starve:#e0a93b;--idle:#d5d9dd;--other:#8a5fb0;"
    "--reset:#1c1e21}\n"
    "@media (prefers-color-scheme:dark){:root{--beat:#5fb3d1;--stall:#e8675f;--starve:#b98a2d;"
    "--idle:#3a3f45;--other:#a583c9;--reset:#f2f4f6}}\n"
    "th:nth-child(-n+3),td:nth-child(-n+3)"
    "{text-align:left;white-space:normal;overflow-wrap:anywhere}th:first-child,td:first-child"
    "{min-width:9rem}td svg{display:block;width:6rem;height:.9rem}\n"
    ".axis{display:flex;justify-content:space-between;color:var(--soft);font-size:.75rem}"
    "figure{margin:.5rem 0;break-inside:avoid}figure svg{display:block;width:100%;height:4rem;"
    "background:var(--rule)}.bars{display:flex;color:var(--soft);font-size:.75rem;"
    "text-align:center}.bars span{flex:1}\n"
    ".beat{fill:var(--beat)}.stall{fill:var(--stall)}.starve{fill:var(--starve)}"
    ".idle{fill:var(--idle)}.other{fill:var(--other)}.reset{fill:var(--reset)}.key{display:inline-"
    "block;width:1.4em;height:.9em;vertical-align:-.1em}\n";

/* States as they are stacked; what is in none of the first four is in the last. */
enum { BEAT, STALL, STARVE, IDLE, OTHER, STACKED };
static const char *const stacked[STACKED] = { "beat", "stall", "starve", "idle", "other" };

static void stack(const uint64_t *count, uint64_t cycles, uint64_t out[STACKED])
{
    out[BEAT] = count[PC_BUS_BEAT];
    out[STALL] = count[PC_BUS_STALL] + count[PC_BUS_BLOCKED];
    out[STARVE] = count[PC_BUS_STARVE];
    out[IDLE] = count[PC_BUS_IDLE];
    out[OTHER] = cycles - out[BEAT] - out[STALL] - out[STARVE] - out[IDLE];
}

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
static void stack_channel(const struct bus_row *row, uint64_t out[STACKED])
{
    static const char *const name[] = { "beat", "stall", "starve", "setup", "blocked", "idle" };
    static const enum pc_bus_count at[] = { PC_BUS_BEAT,  PC_BUS_STALL,   PC_BUS_STARVE,
                                            PC_BUS_SETUP, PC_BUS_BLOCKED, PC_BUS_IDLE };
    uint64_t count[PC_BUS_COUNTS] = { 0 };

    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        count[at[i]] = bus_count(row->channel, name[i]);
    stack(count, row->cycles, out);
}

/* ---- the head ---- */

static void put_head(const struct bus_view *view, FILE *out)
{
    page_begin(out, "pcounter bus", tree_text(view->root, "waveform"), style);
    page_facts(out);
    fputs("<p>", out);
    for (unsigned s = 0; s < STACKED; s++)
        fprintf(out,
                "<svg class=\"key\" aria-hidden=\"true\"><rect class=\"%s\" width=\"100%%\" "
                "height=\"100%%\"/></svg> %s ",
                stacked[s], stacked[s]);
    fputs("<svg class=\"key\" aria-hidden=\"true\"><rect class=\"reset\" y=\"60%\" "
          "width=\"100%\" height=\"40%\"/></svg> in reset</p>\n<p>stall: valid without "
          "ready; starve: ready without valid; other: setup cycles and unknown values. The buses "
          "with the most stalls come first.</p>\n",
          out);
}

/* ---- the ranking ---- */

static void put_bar(FILE *out, const struct bus_row *row)
{
    uint64_t part[STACKED], before = 0;

    stack_channel(row, part);
    fputs("<svg aria-hidden=\"true\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\">", out);
    for (unsigned s = 0; s < STACKED; before += part[s++])
        if (part[s] > 0)
            fprintf(out, "<rect class=\"%s\" x=\"%.3f\" width=\"%.3f\" height=\"10\"/>", stacked[s],
                    1000 * bus_share(before, row->cycles), 1000 * bus_share(part[s], row->cycles));
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

static void put_ranking(FILE *out, const struct bus_row *row, size_t rows)
{
    fputs("<div "
          "class=\"w\"><table><thead><tr><th>bus</th><th>protocol</th><th>clock</th><th></"
          "th><th>stall</th>"
          "<th>starve</th><th>idle</th><th>rate</th><th>beats</th><th>cycles</th><th>p50</th>"
          "<th>p99</th><th>max</th><th title=\"most transactions outstanding at once\">max in "
          "flight</th>"
          "<th title=\"not completed at the "
          "end\">unfinished</th><th>errors</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < rows; i++) {
        const struct bus_row *r = &row[i];
        const bool has = r->transaction && r->latency.count > 0;
        struct bus_extreme l;
        uint64_t part[STACKED];
        stack_channel(r, part);
        fprintf(out, "<tr><td><a href=\"#bus%zu\"><bdi>", i);
        put_row_name(out, r);
        fputs("</bdi></a></td><td>", out);
        put_text(out, tree_text(r->bus, "protocol"));
        fputs("</td><td title=\"", out);
        put_text(out, tree_text(r->bus, "clock"));
        fputs("\"><bdi>", out);
        put_text(out, r->clock);
        fputs("</bdi></td><td>", out);
        const bool link = has && tree_value(r->transaction, "longest", TREE_OBJECT);
        if (link)
            fprintf(out, "<a href=\"#bus%zu-longest\" title=\"its longest transaction\">", i);
        put_bar(out, r);
        fputs(link ? "</a>" : "", out);
        fputs("</td>", out);
        for (unsigned s = STALL; s <= IDLE; s++)
            put_share(out, r, part[s]);
        if (r->cycles > 0)
            fprintf(out, "<td>%.3f</td>", bus_share(r->beats, r->cycles));
        else
            fputs("<td>-</td>", out);
        put_number(out, true, r->beats);
        put_number(out, true, r->cycles);
        put_number(out, has && r->latency.complete, r->latency.rank[PC_P50].low);
        put_number(out, has && r->latency.complete, r->latency.rank[PC_P99].low);
        if (bus_longest(r, &l) && l.open)
            fprintf(out, "<td>&gt;= %s</td>", cli_grouped(l.latency));
        else
            put_number(out, has, r->latency.max.low);
        put_number(out, r->transaction, most_outstanding(r));
        put_number(out, r->transaction, bus_count(r->transaction, "unfinished"));
        put_number(out, r->transaction, bus_count(r->transaction, "errors"));
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

/* ---- over time ---- */

void bus_open_plot(FILE *out, unsigned width)
{
    fprintf(out, "<svg role=\"img\" viewBox=\"0 0 %u 100\" preserveAspectRatio=\"none\">\n", width);
}

static void put_start(const struct bus_run *run, FILE *out, const struct bus_row *row, size_t i)
{
    fprintf(out, "from edge %s", cli_grouped(bus_interval_start(run, row->item, i)));
    if (run->step)
        fprintf(out, ", time %s", cli_grouped(bus_interval_time(run, i)));
    fputs(": ", out);
}

/* Labels below a plot over time: of its begin, quarters and end. */
static void put_axis(const struct bus_run *run, FILE *out, const struct bus_row *row, size_t group)
{
    enum { LABELS = 5 };
    const size_t n = bus_intervals_of(row->item), columns = (n + group - 1) / group;
    char text[CLI_TIME_TEXT];

    fputs("<div class=\"axis\">", out);
    for (size_t i = 0; i < LABELS; i++) {
        const size_t at = i + 1 == LABELS ? n : columns * i / (LABELS - 1) * group;
        if (columns < LABELS && i > 0 && i + 1 < LABELS)
            continue;
        if (run->step)
            fprintf(out, "<span>%s</span>",
                    cli_time_text(&run->info, bus_interval_time(run, at), text));
        else
            fprintf(out, "<span>%s (edge %s)</span>",
                    cli_time_text(&run->info, bus_interval_edge_time(run, row->item, at), text),
                    cli_grouped(bus_interval_start(run, row->item, at)));
    }
    fputs("</div>", out);
}

static void put_time(const struct bus_run *run, FILE *out, const struct bus_row *row)
{
    const size_t n = bus_intervals_of(row->item), group = (n + COLUMNS - 1) / COLUMNS;
    const size_t columns = group ? (n + group - 1) / group : 0;

    char length[64];

    if (n == 0)
        return;
    fprintf(out, "<figure><figcaption>over time, %s a column</figcaption>\n",
            bus_interval_length(run, group, length));
    bus_open_plot(out, (unsigned)columns);
    for (size_t c = 0; c < columns; c++) {
        const size_t last = (c + 1) * group < n ? (c + 1) * group : n;
        uint64_t part[STACKED], cycles, before = 0;
        struct bus_snap sum = bus_interval_of(row->item, c * group, last, row->of_channel);
        cycles = sum.cycles;
        stack(sum.count, cycles, part);
        fputs("<g>", out);
        for (unsigned s = 0; s < STACKED; before += part[s++])
            if (part[s] > 0)
                fprintf(out,
                        "<rect class=\"%s\" x=\"%zu\" y=\"%.2f\" width=\"1\" height=\"%.2f\"/>",
                        stacked[s], c, 100 - 100 * bus_share(before + part[s], cycles),
                        100 * bus_share(part[s], cycles));
        if (sum.edges > cycles)
            fprintf(out, "<rect class=\"reset\" x=\"%zu\" y=\"92\" width=\"1\" height=\"8\"/>", c);
        fputs("<title>", out);
        put_start(run, out, row, c * group);
        for (unsigned s = 0; s < STACKED; s++)
            fprintf(out, "%s %s%s", stacked[s], cli_grouped(part[s]), s + 1 < STACKED ? ", " : "");
        if (sum.edges > cycles)
            fprintf(out, ", in reset %s", cli_grouped(sum.edges - cycles));
        if (row->transaction)
            fprintf(out, "; %s in flight at its end",
                    cli_grouped(bus_open_at_end(row->item, last - 1, row->of_transaction)));
        fputs("</title></g>\n", out);
    }
    fputs("</svg>\n", out);
    put_axis(run, out, row, group);
    fputs("</figure>\n", out);
}

/* How many were open at the end of each column. */
static void put_open(const struct bus_run *run, FILE *out, const struct bus_row *row)
{
    const size_t n = bus_intervals_of(row->item), group = (n + COLUMNS - 1) / COLUMNS;
    const size_t columns = group ? (n + group - 1) / group : 0;
    uint64_t most = 0;
    char length[64];

    if (n == 0 || !row->transaction)
        return;
    for (size_t i = 0; i < n; i++) {
        const uint64_t open = bus_open_at_end(row->item, i, row->of_transaction);
        most = open > most ? open : most;
    }
    fprintf(out,
            "<figure><figcaption>outstanding at the end of %s, the most in each column; at most "
            "%s</figcaption>\n",
            bus_interval_length(run, 1, length), cli_grouped(most));
    bus_open_plot(out, (unsigned)columns);
    for (size_t c = 0; c < columns; c++) {
        uint64_t here = 0;
        for (size_t i = c * group; i < (c + 1) * group && i < n; i++) {
            const uint64_t open = bus_open_at_end(row->item, i, row->of_transaction);
            here = open > here ? open : here;
        }
        const double height = 100 * bus_share(here, most);
        fprintf(out,
                "<rect class=\"beat\" x=\"%zu\" y=\"%.2f\" width=\"1\" height=\"%.2f\">"
                "<title>",
                c, 100 - height, height);
        put_start(run, out, row, c * group);
        fprintf(out, "%s outstanding</title></rect>\n", cli_grouped(here));
    }
    fputs("</svg>\n", out);
    put_axis(run, out, row, group);
    fputs("</figure>\n", out);
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
    if (run) {
        put_time(run, out, row);
        put_open(run, out, row);
    }
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
