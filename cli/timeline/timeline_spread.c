/* SPDX-License-Identifier: MIT */
/* On a page: how the rows of a timeline are spread, as figures and a histogram a column. */
#include "report/report_dist.h"
#include "timeline_plot.h"
#include "timeline_writer.h"

#include <inttypes.h>

enum { BAR = 12, GAP = 1, HEIGHT = 30 };

static void put_number(FILE *out, uint64_t value, bool known)
{
    fprintf(out, "<td class=\"r\">%s</td>", known ? cli_grouped(value) : "-");
}

/* A bar says what it is of when one points at it. */
static void put_bars(const struct timeline *t, const struct cli_spread *s)
{
    FILE *out = t->desc.out;
    uint64_t most = 1;

    for (size_t i = 0; i < s->bars; i++)
        most = s->bar[i] > most ? s->bar[i] : most;
    fprintf(out, "<td><svg class=\"b\" width=\"%zu\" height=\"%d\" viewBox=\"0 0 %zu %d\">",
            s->bars * BAR, HEIGHT, s->bars * BAR, HEIGHT);
    for (size_t i = 0; i < s->bars; i++) {
        const double height = HEIGHT * (double)s->bar[i] / (double)most;
        fprintf(out, "<g><title>%s", cli_grouped(cli_bar_from(s, i)));
        if (s->step > 1)
            fprintf(out, " to %s", cli_grouped(cli_bar_to(s, i)));
        fprintf(out,
                ": %s</title><rect class=\"e\" x=\"%zu\" y=\"%.1f\" width=\"%d\" "
                "height=\"%.1f\"/></g>",
                cli_count(s->bar[i], t->desc.row), i * BAR, HEIGHT - height, BAR - GAP, height);
    }
    fprintf(out, "</svg></td><td>%s%s", s->bars ? "from " : "-",
            s->bars ? cli_grouped(s->first) : "");
    if (s->bars)
        fprintf(out, " by %s", cli_grouped(s->step));
    fputs("</td>", out);
}

static void put_row(const struct timeline *t, size_t column, const struct cli_spread *s)
{
    FILE *out = t->desc.out;
    char mean[CLI_MEAN] = "-";

    fputs("<tr><th scope=\"row\"><bdi>", out);
    timeline_put(out, t->desc.column[column].name);
    fputs("</bdi></th>", out);
    put_number(out, s->min, s->count > 0);
    if (s->count > 0)
        cli_mean(s->mean, mean);
    fprintf(out, "<td class=\"r\">%s</td>", mean);
    for (unsigned r = 0; r < PC_RANKS; r++)
        put_number(out, s->rank[r], s->ranks);
    put_number(out, s->max, s->count > 0);
    fprintf(out, "<td>%s</td>", t->desc.column[column].unit);
    put_bars(t, s);
    fputs("</tr>\n", out);
}

void timeline_put_spread(const struct timeline *t, const struct cli_spread *spread)
{
    FILE *out = t->desc.out;

    if (!spread || spread[0].count == 0)
        return;
    fprintf(out,
            "<div class=\"w\"><table>\n<caption>Of %s that were not cut short: how many have "
            "which value. Point at a bar for its numbers.</caption>\n<thead><tr>"
            "<th scope=\"col\">name</th>",
            cli_count(spread[0].count, t->desc.row));
    for (unsigned i = REP_DIST_MIN; i <= REP_DIST_MAX; i++)
        fprintf(out, "<th scope=\"col\" class=\"r\">%s</th>", rep_dist_name(i));
    fputs("<th scope=\"col\">unit</th><th scope=\"col\">histogram</th>"
          "<th scope=\"col\">its bars</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < t->desc.columns; i++)
        put_row(t, i, &spread[i]);
    fputs("</tbody>\n</table></div>\n", out);
}
