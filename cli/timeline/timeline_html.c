/* SPDX-License-Identifier: MIT */
/*
 * A timeline as a page of its own: no script, nothing that is loaded, and well-formed XML.  Memory
 * and page do not grow with the rows beyond TIMELINE_BINS of them (timeline_bins.h).
 */
#include "timeline/page.h"
#include "timeline_plot.h"
#include "timeline_writer.h"

#include <inttypes.h>
#include <string.h>

/* The style for screens, light or dark, and for paper. */
static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1c1e21;--soft:#5a6067;--rule:#e2e4e7;"
    "--edge:#b9bec4;--line:#14558a;--area:#14558a1f;--band:#14558a47;--hover:#14558a26}\n"
    "@media (prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e6e8ea;--soft:#a3a9b0;"
    "--rule:#2a2e33;--edge:#565c63;--line:#86c0ee;--area:#86c0ee26;--band:#86c0ee4d;"
    "--hover:#86c0ee33}}\n"
    "@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--rule:#ddd;"
    "--edge:#999;--line:#14558a;--area:#14558a1f;--band:#14558a47}}\n"
    "body{margin:0 auto;max-width:72rem;padding:1.5rem;background:var(--paper);color:var(--ink);"
    "font:0.9rem/1.4 system-ui,sans-serif;font-variant-numeric:tabular-nums}\n"
    "h1{font-size:1.25rem;font-weight:600;margin:0 0 .75rem;overflow-wrap:anywhere}\n"
    "dl{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0 0 1rem}\n"
    "dl div{display:flex;gap:.4rem}dt,.s{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\n"
    "p{margin:0 0 .75rem;max-width:60rem}p svg{vertical-align:-.2em;width:1.6em;height:1.1em}\n"
    "figure{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:0 .75rem;margin:0;"
    "align-items:center;break-inside:avoid}\n"
    "figure svg{display:block;width:100%;height:auto;overflow:visible}\n"
    "figcaption{overflow-wrap:anywhere;line-height:1.3}figcaption b{font-weight:600}\n"
    "figcaption code{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;"
    "overflow:hidden}\n"
    "code{font:0.8rem/1.4 ui-monospace,monospace;color:var(--soft)}\n"
    ".axis{position:sticky;bottom:0;background:var(--paper);margin-bottom:1.5rem}\n"
    "@media (max-width:48rem){body{padding:.75rem}figure{grid-template-columns:minmax(0,1fr);"
    "margin-bottom:.5rem}}\n"
    "@media print{body{padding:0}.axis{position:static}}\n"
    "svg text{font-size:11px;fill:var(--soft)}@media (max-width:48rem){svg text{font-size:18px}}"
    "svg path{vector-effect:non-scaling-stroke}\n"
    ".y{text-anchor:end}.x{text-anchor:middle}"
    "\n"
    ".g{stroke:var(--rule);fill:none}.t{stroke:var(--edge);fill:none}\n"
    ".a{fill:var(--area)}.l{fill:none;stroke:var(--line);stroke-width:1.5;"
    "stroke-linejoin:round}\n"
    ".e{fill:var(--band);stroke:var(--band);stroke-width:.5}\n"
    ".e+.l{stroke-width:1}.h rect{fill:transparent}.h rect:hover{fill:var(--hover)}\n"
    ".p{fill:var(--paper);fill-opacity:.55;stroke:var(--edge);stroke-dasharray:3 3}\n"
    ".k{stroke:var(--ink);stroke-width:1.2;stroke-opacity:.65}.d{fill:var(--soft)}"
    ".m{stroke:var(--edge);stroke-width:.5}\n"
    "table{border-collapse:collapse}caption{text-align:left;padding-bottom:.4rem;"
    "color:var(--soft)}\n"
    "th,td{padding:.2rem 1.25rem .2rem 0;text-align:left;vertical-align:top;"
    "border-top:1px solid var(--rule)}th{font-weight:600}td.r,th.r{text-align:right}\n"
    "tbody th{overflow-wrap:break-word;max-width:16rem}td code{overflow-wrap:anywhere}\n"
    ".w{overflow-x:auto;margin-bottom:1.5rem}.b{border-bottom:1px solid var(--edge)}\n";

/* Hatched is not exact, dotted is not measured: not by colour alone. */
static const char patterns[] =
    "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\n"
    "<pattern id=\"inexact\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><path class=\"k\" d=\"M1 0V6\"/></pattern>\n"
    "<pattern id=\"unmeasured\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">"
    "<circle class=\"d\" cx=\"2\" cy=\"2\" r=\"0.9\"/></pattern>\n"
    "</defs></svg>\n";

static bool open(struct timeline *t)
{
    t->own = timeline_bins_open(&t->desc);
    return t->own != NULL;
}

static void close(struct timeline *t)
{
    timeline_bins_close(t->own);
}

static void add(struct timeline *t, const struct timeline_row *row)
{
    timeline_bins_add(t->own, row);
}

/* --- the head --- */

static void put_head(const struct timeline *t, const struct timeline_summary *s)
{
    FILE *out = t->desc.out;

    page_head(out, t->desc.title, s->facts->fact[0].value, (const char *[2]){ style, "" },
              patterns);
    fputs("<dl>\n", out);
    for (size_t i = 1; i < s->facts->count; i++) {
        fprintf(out, "<div><dt>%s</dt><dd><bdi>", s->facts->fact[i].name);
        timeline_put(out, s->facts->fact[i].value);
        fputs("</bdi></dd></div>\n", out);
    }
    page_last_facts(out);
}

static bool has_partial(const struct timeline_bins *b)
{
    for (size_t n = 0; n < b->count; n++)
        if (b->bin[n].partial)
            return true;
    return false;
}

/* Writes the legend of the drawings. */
static void put_legend(const struct timeline *t)
{
    const struct timeline_bins *b = t->own;
    FILE *out = t->desc.out;
    unsigned states = 0;

    for (size_t i = 0; i < t->desc.columns; i++)
        states |= b->all[i].states;
    if (t->rows == 0)
        fprintf(out, "<p>There is no %s.</p>\n", t->desc.row);
    else if (b->group == 1)
        fprintf(out, "<p>%s, each a step. Point at one for its value.</p>\n",
                cli_count(t->rows, t->desc.row));
    else
        fprintf(out,
                "<p>%s: each column shows %s %ss (the last column the rest), from the smallest "
                "to the largest value of them, and their mean as a line. Point at one for its "
                "values.</p>\n",
                cli_count(t->rows, t->desc.row), cli_grouped(b->group), t->desc.row);
    if (has_partial(b))
        fprintf(out,
                "<p><svg aria-hidden=\"true\"><rect class=\"p\" width=\"100%%\" "
                "height=\"100%%\"/></svg> Pale, with a dashed edge: the %s was cut short, its "
                "counts are of less time.</p>\n",
                t->desc.row);
    if (states & ~(1u << PC_VALUE_EXACT | 1u << PC_VALUE_UNMEASURED)) {
        const char *comma = "";
        fputs("<p><svg aria-hidden=\"true\"><rect class=\"m\" width=\"100%\" height=\"100%\" "
              "fill=\"url(#inexact)\"/></svg> Hatched: a value is not exact (",
              out);
        for (unsigned i = PC_VALUE_TAINTED; i < PC_VALUE_UNMEASURED; i++) {
            if (!(states >> i & 1))
                continue;
            fprintf(out, "%s%s", comma, pc_value_state_name((enum pc_value_state)i));
            comma = ", ";
        }
        fputs(").</p>\n", out);
    }
    if (states >> PC_VALUE_UNMEASURED & 1)
        fputs("<p><svg aria-hidden=\"true\"><rect class=\"m\" width=\"100%\" height=\"100%\" "
              "fill=\"url(#unmeasured)\"/></svg> Dotted, without a line: not measured.</p>\n",
              out);
}

/* --- plots --- */

static const char *per_row(const struct timeline_column *c)
{
    return c->kind == TIMELINE_COUNT ? " per " : "";
}

/* Do all rows have the same value, but for those that were cut short? */
static bool is_even(const struct timeline_bins *b, size_t column)
{
    const struct timeline_column *c = &b->desc->column[column];
    const struct timeline_range *first = NULL;

    for (size_t n = 0; n < b->count; n++) {
        const struct timeline_range *r = timeline_bins_at(b, column, n);
        if (b->bin[n].partial || r->measured == 0)
            continue;
        first = first ? first : r;
        if (timeline_number(c, &r->low) < timeline_number(c, &first->high) ||
            timeline_number(c, &r->high) > timeline_number(c, &first->low))
            return false;
    }
    return true;
}

static void put_plots(const struct timeline *t)
{
    FILE *out = t->desc.out;
    struct timeline_plot plot;

    timeline_plot_open(&plot, &t->desc, t->own);
    for (size_t i = 0; i < t->desc.columns; i++) {
        const struct timeline_column *c = &t->desc.column[i];
        if (c->even && is_even(t->own, i))
            continue;
        fputs("<figure><figcaption><b><bdi>", out);
        timeline_put(out, c->name);
        fprintf(out, "</bdi></b> <span class=\"s\">%s%s%s</span>", c->unit, per_row(c),
                c->kind == TIMELINE_COUNT ? t->desc.row : "");
        if (c->about && strcmp(c->about, c->name) != 0) {
            fputs("<code>", out);
            timeline_put(out, c->about);
            fputs("</code>", out);
        }
        fputs("</figcaption>\n", out);
        timeline_plot_column(&plot, i);
        fputs("</figure>\n", out);
    }
    fputs("<figure class=\"axis\"><figcaption class=\"s\">", out);
    timeline_plot_axis_name(&plot);
    fputs("</figcaption>\n", out);
    timeline_plot_axis(&plot);
    fputs("</figure>\n", out);
}

/* --- the table --- */

static void put_cell(FILE *out, const struct timeline_column *c, const struct timeline_value *v,
                     bool there)
{
    char text[TIMELINE_TEXT];

    if (!there || !timeline_measured(c, v))
        snprintf(text, sizeof text, "-");
    else if (c->kind == TIMELINE_METRIC)
        snprintf(text, sizeof text, "%.6g", v->number);
    else
        timeline_value_text(c, v, text);
    fprintf(out, "<td class=\"r\">%s</td>", text);
}

/* "exact", "3 of 20 not exact: tainted, 1 not measured" */
static void put_state(const struct timeline *t, const struct timeline_range *r)
{
    FILE *out = t->desc.out;
    const char *comma = ": ";

    fputs("<td>", out);
    if (r->inexact > 0)
        fprintf(out, "%s of %s not exact", cli_grouped(r->inexact), cli_grouped(t->rows));
    for (unsigned i = PC_VALUE_TAINTED; i < PC_VALUE_UNMEASURED; i++) {
        if (!(r->states >> i & 1))
            continue;
        fprintf(out, "%s%s", comma, pc_value_state_name((enum pc_value_state)i));
        comma = ", ";
    }
    if (r->measured < t->rows)
        fprintf(out, "%s%s of %s not measured", r->inexact ? "; " : "",
                cli_grouped(t->rows - r->measured), cli_grouped(t->rows));
    if (r->inexact == 0 && r->measured == t->rows)
        fputs("exact", out);
    fputs("</td>", out);
}

static void put_table(const struct timeline *t, const struct timeline_summary *s)
{
    const struct timeline_bins *b = t->own;
    FILE *out = t->desc.out;

    fprintf(out,
            "<div class=\"w\"><table>\n<caption>All of it, and the smallest and the largest value "
            "of one %s</caption>\n"
            "<thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"r\">all</th>"
            "<th scope=\"col\" class=\"r\">smallest</th><th scope=\"col\" class=\"r\">largest</th>"
            "<th scope=\"col\">unit</th><th scope=\"col\">%ss</th>"
            "<th scope=\"col\">what it is</th></tr></thead>\n<tbody>\n",
            t->desc.row, t->desc.row);
    for (size_t i = 0; i < t->desc.columns; i++) {
        const struct timeline_column *c = &t->desc.column[i];
        fputs("<tr><th scope=\"row\"><bdi>", out);
        timeline_put(out, c->name);
        fputs("</bdi></th>", out);
        put_cell(out, c, &s->total[i], true);
        put_cell(out, c, &b->all[i].low, b->all[i].measured > 0);
        put_cell(out, c, &b->all[i].high, b->all[i].measured > 0);
        fprintf(out, "<td>%s</td>", c->unit);
        put_state(t, &b->all[i]);
        fputs("<td><code>", out);
        timeline_put(out, c->about ? c->about : "");
        fputs("</code></td></tr>\n", out);
    }
    fputs("</tbody>\n</table></div>\n", out);
}

static void end(struct timeline *t, const struct timeline_summary *s)
{
    put_head(t, s);
    put_legend(t);
    if (t->rows > 0)
        put_plots(t);
    timeline_put_spread(t, s->spread);
    put_table(t, s);
    if (s->draw)
        s->draw(t->desc.out, s->draw_ctx);
    fputs("</body>\n</html>\n", t->desc.out);
}

const struct timeline_writer timeline_html = {
    .name = "html", .open = open, .add = add, .end = end, .close = close
};
