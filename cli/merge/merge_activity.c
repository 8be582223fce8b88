/* SPDX-License-Identifier: MIT */
/* A report of activity by the printers of the verb. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

static uint64_t count_of(const struct merge_node *net, const char *name)
{
    return (uint64_t)merge_count_of(net, name);
}

static int tell(void *ctx, size_t row, struct activity_told *out)
{
    const struct merge_report *r = ctx;
    const struct merge_node *net = &merge_value(&r->root, "nets", MERGE_LIST)->child[row];
    const struct merge_node *frequency = merge_value(net, "frequency", MERGE_REAL);

    *out = (struct activity_told){ .name = merge_text_of(net, "name"),
                                   .range = merge_text_of(net, "range"),
                                   .width = (uint32_t)merge_count_of(net, "width"),
                                   .one = merge_value(net, "period", MERGE_OBJECT) != NULL,
                                   .f = { .t0 = count_of(net, "T0"),
                                          .t1 = count_of(net, "T1"),
                                          .tx = count_of(net, "TX"),
                                          .tz = count_of(net, "TZ"),
                                          .rises = count_of(net, "rises"),
                                          .falls = count_of(net, "falls") },
                                   .frequency = frequency ? frequency->real : 0 };
    merge_dist_figures(merge_member(net, "period"), &out->period);
    merge_dist_figures(merge_member(net, "high"), &out->high);
    merge_dist_figures(merge_member(net, "low"), &out->low);
    return CLI_OK;
}

/* Those that toggle most first, as the verb has them; others stay in their order. */
struct place {
    merge_int toggles;
    size_t at;
};

static int by_toggles(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->toggles != y->toggles)
        return x->toggles > y->toggles ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

int merge_sort_nets(struct merge_report *r)
{
    struct merge_node *nets = merge_value(&r->root, "nets", MERGE_LIST);
    const size_t n = nets ? nets->children : 0;
    struct place *place = calloc(n + 1, sizeof *place);
    struct merge_node *sorted = calloc(n + 1, sizeof *sorted);

    if (place && sorted && n > 0) {
        for (size_t i = 0; i < n; i++)
            place[i] = (struct place){ merge_count_of(&nets->child[i], "TC"), i };
        qsort(place, n, sizeof *place, by_toggles);
        for (size_t i = 0; i < n; i++)
            sorted[i] = nets->child[place[i].at];
        memcpy(nets->child, sorted, n * sizeof *sorted);
    }
    const int code = place && sorted ? CLI_OK : cli_no_memory();
    free(place);
    free(sorted);
    return code;
}

/* Medians that a sum does not know: then it has means. */
static bool has_means(const struct merge_node *nets)
{
    static const char *const dists[] = { "period", "high", "low" };

    for (size_t i = 0; nets && i < nets->children; i++)
        for (unsigned d = 0; d < 3; d++) {
            const struct merge_node *of = merge_value(&nets->child[i], dists[d], MERGE_OBJECT);
            const struct merge_node *median = of ? merge_member(of, "p50") : NULL;
            if (median && median->what == MERGE_NULL)
                return true;
        }
    return false;
}

int merge_print_activity(FILE *text, FILE *html, const struct merge_report *r)
{
    const struct merge_node *nets = merge_value(&r->root, "nets", MERGE_LIST),
                            *bits = merge_value(&r->root, "bits", MERGE_BOOL),
                            *rate = merge_member(&r->root, "sample_rate");
    const struct merge_node *first = nets && nets->children ? &nets->child[0] : NULL;
    struct activity_view view = {
        .input = merge_text_of(&r->root, "waveform"),
        .rows = nets ? nets->children : 0,
        .bits = bits && bits->n,
        .means = r->reports > 1 && has_means(nets),
        .sampled = rate && rate->what != MERGE_ABSENT,
        .unit = merge_time_unit(&r->root),
        .reports = r->reports,
        .start = first ? count_of(first, "start") : count_of(&r->root, "first_time"),
        .end = first ? count_of(first, "end") : count_of(&r->root, "last_time"),
        .tell = tell,
        .ctx = (void *)(uintptr_t)r, /* is only read */
    };
    int code = CLI_OK;

    snprintf(view.scale, sizeof view.scale, "%s", merge_text_of(&r->root, "timescale"));
    if (text)
        code = activity_print(text, &view);
    if (html && code == CLI_OK) {
        code = activity_page(html, &view);
        activity_page_end(html);
    }
    return code;
}
