/* SPDX-License-Identifier: MIT */
/* A report of activity by the printers of the verb. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "text/warnings.h"

static uint64_t count_of(const struct rep_tree *net, const char *name)
{
    return (uint64_t)tree_count(net, name);
}

static int tell(void *ctx, size_t row, struct activity_told *out)
{
    const struct merge_report *r = ctx;
    const struct rep_tree *net = &tree_value(&r->root, "nets", TREE_LIST)->child[row];
    const struct rep_tree *frequency = tree_value(net, "frequency", TREE_REAL);

    *out = (struct activity_told){ .name = tree_text(net, "name"),
                                   .range = tree_text(net, "range"),
                                   .width = (uint32_t)tree_count(net, "width"),
                                   .one = tree_value(net, "period", TREE_OBJECT) != NULL,
                                   .f = { .t0 = count_of(net, "T0"),
                                          .t1 = count_of(net, "T1"),
                                          .tx = count_of(net, "TX"),
                                          .tz = count_of(net, "TZ"),
                                          .rises = count_of(net, "rises"),
                                          .falls = count_of(net, "falls"),
                                          .settled = count_of(net, "settled"),
                                          .outside = count_of(net, "outside"),
                                          .bounces = count_of(net, "bounces") },
                                   .frequency = frequency ? frequency->real : 0 };
    tree_dist_figures(tree_member(net, "period"), &out->period);
    tree_dist_figures(tree_member(net, "high"), &out->high);
    tree_dist_figures(tree_member(net, "low"), &out->low);
    if (tree_value(net, "valid", TREE_INT)) {
        out->judged = (struct pc_activity_pulses){ .valid = count_of(net, "valid"),
                                                   .other = count_of(net, "other") };
        out->f.pulses = &out->judged;
    }
    return CLI_OK;
}

static const char *tell_event(void *ctx, size_t i, uint64_t *triggers)
{
    const struct merge_report *r = ctx;
    const struct rep_tree *event = &tree_value(&r->root, "events", TREE_LIST)->child[i];

    *triggers = count_of(event, "triggers");
    return tree_text(event, "name");
}

static const char *text_or_null(const struct rep_tree *object, const char *name)
{
    const char *text = tree_text(object, name);

    return text[0] ? text : NULL;
}

/* Those that toggle most first, as the verb has them; others stay in their order. */
struct place {
    tree_int toggles;
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
    struct rep_tree *nets = tree_value(&r->root, "nets", TREE_LIST);
    const size_t n = nets ? nets->children : 0;
    struct place *place = calloc(n + 1, sizeof *place);
    struct rep_tree *sorted = calloc(n + 1, sizeof *sorted);

    if (place && sorted && n > 0) {
        for (size_t i = 0; i < n; i++)
            place[i] = (struct place){ tree_count(&nets->child[i], "TC"), i };
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
static bool has_means(const struct rep_tree *nets)
{
    static const char *const dists[] = { "period", "high", "low" };

    for (size_t i = 0; nets && i < nets->children; i++)
        for (unsigned d = 0; d < 3; d++) {
            const struct rep_tree *of = tree_value(&nets->child[i], dists[d], TREE_OBJECT);
            const struct rep_tree *median = of ? tree_member(of, "p50") : NULL;
            if (median && median->what == TREE_NULL)
                return true;
        }
    return false;
}

/* Prints the expectations, judged by the sum. */
static void print_expected(FILE *text, FILE *html, const struct rep_tree *root)
{
    const struct rep_tree *periods = tree_value(root, "periods", TREE_LIST),
                          *list = tree_value(root, "expectations", TREE_LIST);
    bool first = true;
    char is[200];

    for (size_t i = 0; periods && i < periods->children; i++, first = false) {
        const struct rep_tree *p = &periods->child[i];
        const bool met = tree_is(p, "met");
        snprintf(is, sizeof is, "%s from %s to %s time units",
                 cli_count(count_of(p, "count"), "period"), cli_grouped(count_of(p, "min")),
                 cli_grouped(count_of(p, "max")));
        activity_print_verdict(text, html, first, met ? "met" : "not met", tree_text(p, "name"),
                               is);
    }
    for (size_t i = 0; list && i < list->children; i++, first = false) {
        const struct rep_tree *e = &list->child[i], *left = tree_value(e, "left", TREE_REAL);
        if (left)
            snprintf(is, sizeof is, "%.15g", left->real);
        else
            snprintf(is, sizeof is, "not measured");
        activity_print_verdict(text, html, first, tree_text(e, "verdict"),
                               tree_text(e, "expectation"), is);
    }
}

int merge_print_activity(FILE *text, FILE *html, const struct merge_report *r)
{
    const struct rep_tree *nets = tree_value(&r->root, "nets", TREE_LIST),
                          *rate = tree_member(&r->root, "sample_rate"),
                          *events = tree_value(&r->root, "events", TREE_LIST);
    const struct rep_tree *first = nets && nets->children ? &nets->child[0] : NULL;
    struct activity_view view = {
        .input = tree_text(&r->root, "waveform"),
        .rows = nets ? nets->children : 0,
        .bits = tree_is(&r->root, "bits"),
        .means = r->reports > 1 && has_means(nets),
        .sampled = rate && rate->what != TREE_ABSENT,
        .unit = tree_time_unit(&r->root),
        .reports = r->reports,
        .start = first ? count_of(first, "start") : count_of(&r->root, "first_time"),
        .end = first ? count_of(first, "end") : count_of(&r->root, "last_time"),
        .when = text_or_null(&r->root, "when"),
        .clock = text_or_null(&r->root, "clock"),
        .pulse = text_or_null(&r->root, "pulse"),
        .debounce = text_or_null(&r->root, "debounce"),
        .time = count_of(&r->root, "when_time"),
        .unknown = count_of(&r->root, "when_unknown"),
        .cycles = count_of(&r->root, "cycles"),
        .tell = tell,
        .events = events ? events->children : 0,
        .event = tell_event,
        .ctx = (void *)(uintptr_t)r, /* is only read */
    };
    int code = CLI_OK;

    snprintf(view.scale, sizeof view.scale, "%s", tree_text(&r->root, "timescale"));
    if (text)
        code = activity_print(text, &view);
    if (html && code == CLI_OK)
        code = activity_page(html, &view);
    if (code == CLI_OK)
        code = activity_print_events(text, html, &view);
    if (code == CLI_OK)
        print_expected(text, html, &r->root);
    if (text && code == CLI_OK)
        cli_text_warnings(text);
    if (html && code == CLI_OK)
        activity_page_end(html);
    return code;
}
