/* SPDX-License-Identifier: MIT */
/* Histograms of the page: a distribution by powers of two. */
#include "bus/bus_rows.h"

enum { POWERS = 65 };

/* Powers of two: 0, 1, 2 to 3, 4 to 7, ... */
struct bars {
    uint64_t first[POWERS], times[POWERS];
    unsigned count;
};

static unsigned bar_of(const struct bars *b, uint64_t value)
{
    unsigned at = 0;

    while (at + 1 < b->count && value >= b->first[at + 1])
        at++;
    return at;
}

static void make_bars(struct bars *b, const struct rep_tree *dist, uint64_t least, uint64_t most)
{
    const char *const values = tree_value(dist, "hist", TREE_MAP) ? "hist" : "log2";
    const struct rep_tree *item;
    tree_int value;

    b->count = 0;
    for (uint64_t first = 0; b->count < POWERS && first <= most; first = first ? 2 * first : 1) {
        const uint64_t next = first ? 2 * first : 1;
        if (next > least || next == 0) {
            b->first[b->count] = first;
            b->times[b->count++] = 0;
        }
        if (next == 0)
            break;
    }
    for (size_t i = 0; (item = tree_item(dist, values, i)) != NULL; i++)
        if (tree_digits(item->key, &value) && value >= 0)
            b->times[bar_of(b, (uint64_t)value)] += (uint64_t)item->n;
}

/* Labels below the bars: where each begins, and which figures are in it. */
static void put_bar_labels(FILE *out, const struct bars *b, const struct pc_dist_figures *f)
{
    const struct {
        const char *name;
        bool is;
        uint64_t value;
    } mark[] = { { "p50", f->complete, f->rank[PC_P50].low },
                 { "p99", f->complete, f->rank[PC_P99].low },
                 { "max", true, f->max.low } };

    fputs("<div class=\"bars\">", out);
    for (unsigned i = 0; i < b->count; i++) {
        fprintf(out, "<span>%s", cli_grouped(b->first[i]));
        for (size_t k = 0; k < sizeof mark / sizeof *mark; k++)
            if (mark[k].is && bar_of(b, mark[k].value) == i)
                fprintf(out, "<br/><b>%s</b>", mark[k].name);
        fputs("</span>", out);
    }
    fputs("</div>", out);
}

static void put_bars(FILE *out, const struct bars *b)
{
    uint64_t most = 0;

    for (unsigned i = 0; i < b->count; i++)
        most = b->times[i] > most ? b->times[i] : most;
    bus_open_plot(out, 10 * b->count);
    for (unsigned i = 0; i < b->count; i++) {
        const double height = 100 * bus_share(b->times[i], most);
        const uint64_t last = b->first[i] ? 2 * b->first[i] - 1 : 0;
        fprintf(out,
                "<rect class=\"beat\" x=\"%u\" y=\"%.2f\" width=\"9\" height=\"%.2f\"><title>%s",
                10 * i, 100 - height, height, cli_grouped(b->first[i]));
        if (last > b->first[i])
            fprintf(out, " to %s", cli_grouped(last));
        fprintf(out, ": %s</title></rect>\n", cli_grouped(b->times[i]));
    }
    fputs("</svg>\n", out);
}

void bus_put_histogram(FILE *out, const struct rep_tree *dist, const char *what)
{
    struct pc_dist_figures f;
    struct bars b;

    tree_dist_figures(dist, &f);
    if (f.count == 0)
        return;
    if (!tree_item(dist, "hist", 0) && !tree_item(dist, "log2", 0)) {
        fprintf(out, "<p>%s: too many different values for a histogram.</p>\n", what);
        return;
    }
    make_bars(&b, dist, f.min.low, f.max.low);
    fprintf(out, "<figure><figcaption>%s, by powers of two: ", what);
    if (f.complete) {
        fprintf(out, "p50 %s, ", cli_grouped(f.rank[PC_P50].low));
        fprintf(out, "p99 %s, ", cli_grouped(f.rank[PC_P99].low));
    }
    fprintf(out, "max %s; ", cli_grouped(f.max.low));
    fprintf(out, "mean %.2f of %s</figcaption>\n", f.mean, cli_grouped(f.count));
    put_bars(out, &b);
    put_bar_labels(out, &b, &f);
    fputs("</figure>\n", out);
}
