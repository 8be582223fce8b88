/* SPDX-License-Identifier: MIT */
/*
 * -o activity.html: toggles by scope, opened level by level, the nets that toggle most, those that
 * never do, and those that were unknown.
 */
#include "activity/activity.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/page.h"
#include "timeline/timeline_plot.h"

enum { BUSIEST = 20, LISTED = 100, DEEPEST = 100 };

static const char style[] =
    "table{width:auto}:root{--bar:#2a7f9e}@media "
    "(prefers-color-scheme:dark){:root{--bar:#5fb3d1}}\n"
    "details{padding-left:1.2rem}summary{overflow-wrap:anywhere}summary:focus-visible"
    "{outline:2px solid var(--bar)}\n"
    ".bar{display:inline-block;width:12rem;height:.8em;margin-right:.6rem;background:var(--rule)}"
    ".bar rect{fill:var(--bar)}.n{color:var(--soft)}td:last-child,th:last-child{text-align:left;"
    "padding-left:1.2rem;white-space:normal;overflow-wrap:anywhere}\n";

/* A row of the report. */
struct page_net {
    char *name;
    uint64_t toggles, unknown; /* unknown: time units */
    uint64_t settled;
    bool pulses; /* they were judged */
    struct pc_activity_pulses pulse;
    uint64_t bounces;
};

/* A scope: rows [begin, end) of those in the order of names, `length` of which is its path. */
struct scope {
    size_t begin, end, length;
    uint64_t toggles, settled;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct page_net *)a)->name, ((const struct page_net *)b)->name);
}

static int by_toggles(const void *a, const void *b)
{
    const struct scope *x = a, *y = b;

    if (x->toggles != y->toggles)
        return x->toggles > y->toggles ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void put_scope_line(FILE *out, const struct activity_view *v, const struct page_net *net,
                           const struct scope *s, size_t from, uint64_t all)
{
    char part[400], surplus[ACTIVITY_SIGNED];
    const double share = all ? (double)s->toggles / (double)all : 0;

    snprintf(part, sizeof part, "%.*s", (int)(s->length - from), net[s->begin].name + from);
    fprintf(out,
            "<svg class=\"bar\" aria-hidden=\"true\"><rect width=\"%.2f%%\" height=\"100%%\"/>"
            "</svg><bdi>",
            100 * share);
    timeline_put(out, part);
    fprintf(out, "</bdi> <span class=\"n\">%s, ", cli_count(s->toggles, "toggle"));
    fprintf(out, "%.1f %%, %s", 100 * share, cli_count(s->end - s->begin, v->bits ? "bit" : "net"));
    if (v->clock)
        fprintf(out, ", %s surplus",
                activity_signed(activity_surplus(s->toggles, s->settled), surplus));
    fputs("</span>", out);
}

/* The scopes below a path of `from` bytes, those with most toggles first; nets are not listed. */
static int put_scopes(FILE *out, const struct activity_view *v, const struct page_net *net,
                      struct scope of, unsigned depth, uint64_t all)
{
    const size_t from = of.length ? of.length + 1 : 0;
    struct scope *scope = calloc(of.end - of.begin + 1, sizeof *scope);
    size_t scopes = 0;
    int code = scope ? CLI_OK : cli_no_memory();

    for (size_t i = of.begin; code == CLI_OK && i < of.end; i++) {
        const size_t end = activity_part_end(net[i].name, from);
        struct scope *last = scopes ? &scope[scopes - 1] : NULL;
        if (net[i].name[end] == '\0')
            continue; /* a net of this scope itself */
        if (!last || last->length != end ||
            strncmp(net[last->begin].name, net[i].name, end + 1) != 0) {
            last = &scope[scopes++];
            *last = (struct scope){ .begin = i, .length = end };
        }
        last->end = i + 1;
        last->toggles += net[i].toggles;
        last->settled += net[i].settled;
    }
    if (scopes > 0)
        qsort(scope, scopes, sizeof *scope, by_toggles);
    for (size_t k = 0; code == CLI_OK && k < scopes; k++) {
        fputs(depth < 2 ? "<details open=\"open\"><summary>" : "<details><summary>", out);
        put_scope_line(out, v, net, &scope[k], from, all);
        fputs("</summary>\n", out);
        if (depth < DEEPEST)
            code = put_scopes(out, v, net, scope[k], depth + 1, all);
        fputs("</details>\n", out);
    }
    free(scope);
    return code;
}

/* --- lists --- */

static void put_busiest(FILE *out, const struct activity_view *v, const struct page_net *net,
                        uint64_t all)
{
    char surplus[ACTIVITY_SIGNED];

    fprintf(out,
            "<h2>Most toggles</h2>\n<div class=\"w\"><table><thead><tr><th>toggles</th>"
            "<th>share</th>%s<th>%s</th></tr></thead>\n<tbody>\n",
            v->clock ? "<th>per cycle</th><th>settled</th><th>surplus</th>" : "",
            v->bits ? "bit" : "net");
    for (size_t i = 0; i < v->rows && i < BUSIEST && net[i].toggles > 0; i++) {
        fprintf(out, "<tr><td>%s</td><td>%.1f %%</td>", cli_grouped(net[i].toggles),
                100 * (double)net[i].toggles / (double)all);
        if (v->clock) {
            fprintf(out, "<td>%.4g</td><td>%s</td>",
                    v->cycles ? (double)net[i].toggles / (double)v->cycles : 0,
                    cli_grouped(net[i].settled));
            fprintf(out, "<td>%s</td>",
                    activity_signed(activity_surplus(net[i].toggles, net[i].settled), surplus));
        }
        fputs("<td><bdi>", out);
        timeline_put(out, net[i].name);
        fputs("</bdi></td></tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

typedef bool page_test(const struct page_net *net);

static bool never_toggles(const struct page_net *net)
{
    return net->toggles == 0;
}

static bool is_unknown(const struct page_net *net)
{
    return net->unknown > 0;
}

static void put_names(FILE *out, const char *head, const struct page_net *net, size_t nets,
                      page_test *test)
{
    size_t count = 0, shown = 0;

    for (size_t i = 0; i < nets; i++)
        count += test(&net[i]);
    fprintf(out, "<details class=\"list\"><summary>%s: %s</summary>\n<ul>\n", head,
            cli_grouped(count));
    for (size_t i = 0; i < nets && shown < LISTED; i++) {
        if (!test(&net[i]))
            continue;
        fputs("<li><bdi>", out);
        timeline_put(out, net[i].name);
        fputs("</bdi></li>\n", out);
        shown++;
    }
    if (count > shown)
        fprintf(out, "<li>and %s more, which CSV has</li>\n", cli_grouped(count - shown));
    fputs("</ul></details>\n", out);
}

static void put_pulses(FILE *out, const struct page_net *net, size_t nets)
{
    size_t listed = 0;

    fputs("<h2>Pulses</h2>\n<div class=\"w\"><table><thead><tr><th>valid</th><th>other</th>"
          "<th>bounces</th><th>net</th></tr></thead>\n<tbody>\n",
          out);
    for (size_t i = 0; i < nets && listed < LISTED; i++) {
        if (!net[i].pulses)
            continue;
        fprintf(out, "<tr><td>%s</td><td>%s</td><td>%s</td><td><bdi>",
                cli_grouped(net[i].pulse.valid), cli_grouped(net[i].pulse.other),
                cli_grouped(net[i].bounces));
        timeline_put(out, net[i].name);
        fputs("</bdi></td></tr>\n", out);
        listed++;
    }
    fprintf(out, "</tbody></table></div>\n%s",
            listed == LISTED ? "<p>CSV has those of all nets.</p>\n" : "");
}

/* --- a part --- */

/* Collects the rows of the part in their order, and the sum of their toggles. */
static int collect(const struct activity_view *v, struct page_net *net, uint64_t *all)
{
    struct activity_told t;
    int code = CLI_OK;

    *all = 0;
    for (size_t i = 0; i < v->rows && code == CLI_OK; i++) {
        code = v->tell(v->ctx, i, &t);
        if (code == CLI_OK) {
            net[i] = (struct page_net){ .name = cli_copy(t.name, strlen(t.name)),
                                        .toggles = t.f.rises + t.f.falls,
                                        .unknown = t.f.tx + t.f.tz,
                                        .settled = t.f.settled,
                                        .pulses = t.f.pulses != NULL,
                                        .bounces = t.f.bounces };
            if (t.f.pulses)
                net[i].pulse = *t.f.pulses;
            code = net[i].name ? CLI_OK : cli_no_memory();
            *all += net[i].toggles;
        }
        activity_untell(&t);
    }
    return code;
}

static int put_part(FILE *out, const struct activity_view *v, struct page_net *net, uint64_t all)
{
    const size_t nets = v->rows;

    fprintf(out, "<h2>%s to ", cli_grouped(v->start));
    fprintf(out, "%s%s%s", cli_grouped(v->end), v->scale[0] ? ", unit " : "", v->scale);
    fprintf(out, ": %s</h2>\n", cli_count(all, "toggle"));
    activity_print_facts(NULL, out, v);
    if (v->pulse)
        put_pulses(out, net, nets);
    put_busiest(out, v, net, all);
    put_names(out, "never toggle", net, nets, never_toggles);
    put_names(out, "unknown in part of the time", net, nets, is_unknown);
    fputs("<h2>By scope</h2>\n", out);
    if (nets > 0)
        qsort(net, nets, sizeof *net, by_name);
    return put_scopes(out, v, net, (struct scope){ .end = nets }, 0, all);
}

int activity_page(FILE *html, const struct activity_view *v)
{
    struct page_net *net = calloc(v->rows + 1, sizeof *net);
    uint64_t all;
    int code = net ? collect(v, net, &all) : cli_no_memory();

    if (v->number == 0)
        page_begin(html, "pcounter activity", v->input, style);
    if (code == CLI_OK)
        code = put_part(html, v, net, all);
    for (size_t i = 0; net && i < v->rows; i++)
        free(net[i].name);
    free(net);
    return code;
}

void activity_page_end(FILE *html)
{
    page_facts(html);
    page_end(html);
}
