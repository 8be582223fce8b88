/* SPDX-License-Identifier: MIT */
/* The page's part over time: a lane for each bus, all above one axis of time. */
#include "bus/bus_rows.h"

#include <stdlib.h>

#include "timeline/timeline_plot.h"
#include "wave/time_counted.h"

enum { COLUMNS = 200, WIDTH = 1000, TICKS = 8 }; /* at most; of a lane */

const char *const bus_page_state[BUS_PAGE_STATES] = { "beat", "stall", "starve", "idle", "other" };
const char *const bus_page_word[BUS_PAGE_STATES] = { "beat", "stalled", "starved", "idle",
                                                     "other" };

void bus_page_stack(const uint64_t *count, uint64_t cycles, uint64_t out[BUS_PAGE_STATES])
{
    out[BUS_PAGE_BEAT] = count[PC_BUS_BEAT];
    out[BUS_PAGE_STALL] = count[PC_BUS_STALL] + count[PC_BUS_BLOCKED];
    out[BUS_PAGE_STARVE] = count[PC_BUS_STARVE];
    out[BUS_PAGE_IDLE] = count[PC_BUS_IDLE];
    out[BUS_PAGE_OTHER] = cycles - out[BUS_PAGE_BEAT] - out[BUS_PAGE_STALL] - out[BUS_PAGE_STARVE] -
                          out[BUS_PAGE_IDLE];
}

/* ---- the axis ---- */

static uint64_t time_at(const struct bus_run *run, const struct bus_row *row, size_t i)
{
    return run->step ? bus_interval_time(run, i) : bus_interval_edge_time(run, row->item, i);
}

/* From the first interval of all buses to the end of the last one. */
struct axis {
    uint64_t from, to;
};

static struct axis axis_of(const struct bus_run *run, const struct bus_row *row, size_t rows)
{
    struct axis a = { UINT64_MAX, 0 };

    for (size_t i = 0; i < rows; i++) {
        const size_t n = bus_intervals_of(row[i].item);
        if (n == 0)
            continue;
        const uint64_t from = time_at(run, &row[i], 0), to = time_at(run, &row[i], n);
        a.from = from < a.from ? from : a.from;
        a.to = to > a.to ? to : a.to;
    }
    return a;
}

static double place_of(const struct axis *a, uint64_t time)
{
    return (double)WIDTH * bus_share(time - a->from, a->to - a->from);
}

/* Ticks at round times: 1, 2 or 5 times a power of ten. */
static void put_axis(const struct bus_run *run, FILE *out, const struct axis *a)
{
    static const unsigned char next[] = { 2, 5, 10 };
    const uint64_t span = a->to - a->from;
    uint64_t ten = 1, step = 1;
    char text[CLI_TIME_TEXT];

    for (unsigned i = 0; span / step > TICKS && step < UINT64_MAX / 20; i = (i + 1) % 3) {
        step = ten * next[i];
        ten = i == 2 ? step : ten;
    }
    fputs("<div class=\"axis\">", out);
    uint64_t first = a->from / step * step;
    first += first < a->from ? step : 0;
    for (uint64_t t = first; t >= a->from && t < a->to; t += step) { /* not beyond 2^64 */
        const double at = 100 * bus_share(t - a->from, span);
        if (at < 93)
            fprintf(out, "<span style=\"left:%.2f%%\">%s</span>", at,
                    cli_time_text(&run->info, t, text));
    }
    fputs("</div>\n", out);
}

/* ---- a lane ---- */

void bus_open_plot(FILE *out, unsigned width)
{
    fprintf(out, "<svg role=\"img\" viewBox=\"0 0 %u 100\" preserveAspectRatio=\"none\">\n", width);
}

static void put_start(const struct bus_run *run, FILE *out, const struct bus_row *row, size_t i)
{
    fprintf(out, "from edge %s", cli_grouped(bus_interval_start(run, row->item, i)));
    fprintf(out, ", time %s: ", cli_grouped(time_at(run, row, i)));
}

/* Intervals that are one column. */
struct column {
    size_t first, last;
    double at, width;
};

static bool column_at(const struct bus_run *run, const struct bus_row *row, const struct axis *a,
                      size_t c, struct column *out)
{
    const size_t n = bus_intervals_of(row->item), group = (n + COLUMNS - 1) / COLUMNS;

    out->first = c * group;
    if (n == 0 || out->first >= n)
        return false;
    out->last = out->first + group < n ? out->first + group : n;
    out->at = place_of(a, time_at(run, row, out->first));
    out->width = place_of(a, time_at(run, row, out->last)) - out->at;
    return true;
}

static void put_states(FILE *out, const struct column *c, const uint64_t part[BUS_PAGE_STATES],
                       uint64_t cycles)
{
    uint64_t before = 0;

    for (unsigned s = 0; s < BUS_PAGE_STATES; before += part[s++])
        if (part[s] > 0)
            fprintf(out,
                    "<rect class=\"%s\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>",
                    bus_page_state[s], c->at, 100 - 100 * bus_share(before + part[s], cycles),
                    c->width, 100 * bus_share(part[s], cycles));
}

static void put_column(const struct bus_run *run, FILE *out, const struct bus_row *row,
                       const struct column *c)
{
    const struct bus_snap sum = bus_interval_of(row->item, c->first, c->last, row->of_channel);
    uint64_t part[BUS_PAGE_STATES];

    bus_page_stack(sum.count, sum.cycles, part);
    fputs("<g>", out);
    put_states(out, c, part, sum.cycles);
    if (sum.edges > sum.cycles)
        fprintf(out, "<rect class=\"reset\" x=\"%.2f\" y=\"85\" width=\"%.2f\" height=\"15\"/>",
                c->at, c->width);
    fputs("<title>", out);
    put_start(run, out, row, c->first);
    for (unsigned s = 0; s < BUS_PAGE_STATES; s++)
        fprintf(out, "%s%s %s", s ? ", " : "", bus_page_word[s], cli_grouped(part[s]));
    if (sum.edges > sum.cycles)
        fprintf(out, ", in reset %s", cli_grouped(sum.edges - sum.cycles));
    if (row->transaction)
        fprintf(out, "; %s in flight at its end",
                cli_grouped(bus_open_at_end(row->item, c->last - 1, row->of_transaction)));
    fputs("</title></g>\n", out);
}

static void put_lane(const struct bus_run *run, FILE *out, const struct bus_row *row,
                     const struct axis *a, size_t number)
{
    const size_t n = bus_intervals_of(row->item), group = (n + COLUMNS - 1) / COLUMNS;
    struct column c;
    char length[64];

    if (n == 0)
        return;
    fprintf(out, "<div class=\"lane\"><a href=\"#bus%zu\" title=\"%s a column\"><bdi>", number,
            bus_interval_length(run, group, length));
    timeline_put(out, row->name);
    fprintf(out, "%s%s</bdi></a>", row->part[0] ? " " : "", row->part);
    bus_open_plot(out, WIDTH);
    for (size_t i = 0; column_at(run, row, a, i, &c); i++)
        put_column(run, out, row, &c);
    fputs("</svg></div>\n", out);
}

void bus_page_times(const struct bus_run *run, FILE *out, const struct bus_row *row, size_t rows)
{
    const struct axis a = axis_of(run, row, rows);

    if (a.from >= a.to)
        return;
    fputs("<h2>Over time</h2>\n<figure class=\"lanes\">\n", out);
    for (size_t i = 0; i < rows; i++)
        put_lane(run, out, &row[i], &a, i);
    fputs("<div class=\"lane\"><span></span>", out);
    put_axis(run, out, &a);
    fputs("</div></figure>\n", out);
}

/* ---- transactions ---- */

static uint64_t most_open(const struct bus_row *row, size_t first, size_t last)
{
    uint64_t most = 0;

    for (size_t i = first; i < last; i++) {
        const uint64_t open = bus_open_at_end(row->item, i, row->of_transaction);
        most = open > most ? open : most;
    }
    return most;
}

void bus_page_outstanding(const struct bus_run *run, FILE *out, const struct bus_row *row)
{
    const struct axis a = axis_of(run, row, 1);
    const uint64_t most = row->transaction ? most_open(row, 0, bus_intervals_of(row->item)) : 0;
    struct column c;
    char length[64];

    if (!row->transaction || a.from >= a.to)
        return;
    fprintf(out,
            "<figure><figcaption>outstanding at the end of %s, the most in each column; at most "
            "%s</figcaption>\n",
            bus_interval_length(run, 1, length), cli_grouped(most));
    bus_open_plot(out, WIDTH);
    for (size_t i = 0; column_at(run, row, &a, i, &c); i++) {
        const uint64_t here = most_open(row, c.first, c.last);
        const double height = 100 * bus_share(here, most);
        fprintf(out,
                "<rect class=\"beat\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\">"
                "<title>",
                c.at, 100 - height, c.width, height);
        put_start(run, out, row, c.first);
        fprintf(out, "%s outstanding</title></rect>\n", cli_grouped(here));
    }
    fputs("</svg>\n", out);
    put_axis(run, out, &a);
    fputs("</figure>\n", out);
}
