/* SPDX-License-Identifier: MIT */
/*
 * Reports of buses and of activity.  Their figures stand in a tree: each number is an item, named
 * as expectations and CSV name it (ddr.read.latency.p99, tb.clk.period.mean).
 */
#include "diff/diff.h"
#include "diff/diff_jansson.h"
#include "report/report_dist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 4 }; /* a bus, its transactions, a distribution, a member */

struct walk {
    const struct diff_file *f;
    struct diff_report *r;
    uint64_t cycles; /* of this bus; of a net its time */
    bool by_sign;    /* sums may be negative */
};

static bool is_word(const char *text, const char *const *words)
{
    while (*words && strcmp(*words, text) != 0)
        words++;
    return *words != NULL;
}

/* How often each value was, latencies by identifier, and settings: no figures of the whole.  The
 * period is the clock's. */
static const char *const left_out[] = {
    "hist",        "by_id",       "resp_beats", "distinct", "signals", "name",       "protocol",
    "clock",       "reset",       "range",      "width",    "start",   "end",        "reset_active",
    "credit_init", "mean_period", "intervals",  "longest",  "oldest",  "open_ages",  "pairs",
    "unpaired",    "stuck_since", "aliases",    "evidence", "unsure",  "candidates", "clock_number",
    "stuck_edge",  "names",       "log2",       NULL
};
/* The others are counts: of them there are more, the longer the run is. */
static const char *const metrics[] = { "throughput", "bytes_per_cycle", "duty",
                                       "frequency",  "open_wait",       "waits",
                                       "stuck",      "per_cycle",       "surplus",
                                       NULL };
static const char *const signed_sums[] = { "first_data", "delay", NULL };

/* "a.b"; an empty one is left out; NULL: no memory */
static char *join(const char *a, const char *b)
{
    const size_t size = strlen(a) + strlen(b) + 2;
    char *out = malloc(size);

    if (out)
        snprintf(out, size, "%s%s%s", a, b[0] ? "." : "", b);
    return out;
}

static int add_number(const struct walk *w, const char *prefix, const char *key,
                      const json_t *value)
{
    struct diff_item item = { .state = "exact", .cycles = w->cycles };

    const unsigned member = rep_dist_find(key);
    item.metric = is_word(key, metrics) || (member >= REP_DIST_MIN && member <= REP_DIST_MAX) ||
                  (w->by_sign && strcmp(key, "sum") == 0);
    item.measured = !json_is_null(value);
    if (!item.measured)
        item.state = "unmeasured";
    else if (item.metric ? !diff_number(w->f, value, &item.number)
                         : !diff_count(w->f, value, &item.count))
        return diff_fail(w->f, 1701, "%.100s of %.100s is not a number", key, prefix);
    item.length = strcmp(key, "cycles") == 0;
    item.own = join(prefix, key);
    item.name = item.own;
    return item.own ? diff_add(w->f, w->r, &item) : cli_no_memory();
}

static int add_object(const struct walk *w, const char *prefix, const json_t *object,
                      unsigned depth);

/* A channel each; that without a name has its figures at the bus. */
static int add_channels(const struct walk *w, const char *prefix, json_t *object, unsigned depth)
{
    const struct diff_jansson *j = w->f->jansson;
    int code = CLI_OK;

    for (void *i = j->object_iter(object); i && code == CLI_OK;
         i = j->object_iter_next(object, i)) {
        char *name = join(prefix, j->object_iter_key(i));
        code = name ? add_object(w, name, j->object_iter_value(i), depth) : cli_no_memory();
        free(name);
    }
    return code;
}

static int add_member(const struct walk *w, const char *prefix, const char *key, json_t *value,
                      unsigned depth)
{
    struct walk of = *w;

    if (is_word(key, left_out))
        return CLI_OK;
    if (w->r->kind == DIFF_ACTIVITY && strcmp(key, "cycles") == 0) /* of all nets the same */
        return CLI_OK;
    if (!json_is_object(value))
        return add_number(w, prefix, key, value);
    if (depth == DEEPEST)
        return diff_fail(w->f, 1701, "%.100s of %.100s is not a figure of a report", key, prefix);
    if (strcmp(key, "channels") == 0)
        return add_channels(w, prefix, value, depth + 1);
    if (strcmp(key, "bandwidth") == 0)
        return add_object(w, prefix, value, depth + 1);
    char *name = join(prefix, key);
    of.by_sign = is_word(key, signed_sums);
    const int code = name ? add_object(&of, name, value, depth + 1) : cli_no_memory();
    free(name);
    return code;
}

static int add_object(const struct walk *w, const char *prefix, const json_t *from, unsigned depth)
{
    const struct diff_jansson *j = w->f->jansson;
    json_t *object = (json_t *)(uintptr_t)from; /* iterators want it so, and change nothing */
    int code = CLI_OK;

    for (void *i = j->object_iter(object); i && code == CLI_OK; i = j->object_iter_next(object, i))
        code = add_member(w, prefix, j->object_iter_key(i), j->object_iter_value(i), depth);
    return code;
}

/* ---- buses ---- */

static int add_bus(struct walk *w, const json_t *bus)
{
    const char *name = diff_text(w->f, bus, "name");

    if (!name)
        return diff_fail(w->f, 1701, "a bus without a name");
    w->cycles = 0; /* it has no clock: then it has no figures */
    diff_count(w->f, w->f->jansson->object_get(bus, "cycles"), &w->cycles);
    return add_object(w, name, bus, 0);
}

/* ---- activity ---- */

static bool start_of(const struct walk *w, const json_t *net, uint64_t *start, uint64_t *end)
{
    const struct diff_jansson *j = w->f->jansson;

    return diff_count(w->f, j->object_get(net, "start"), start) &&
           diff_count(w->f, j->object_get(net, "end"), end) && *start <= *end;
}

/* `times`: there are several intervals, and names say which. */
static int add_net(struct walk *w, const json_t *net, bool times)
{
    const char *name = diff_text(w->f, net, "name");
    uint64_t start, end;
    char at[32] = "";

    if (!name || !start_of(w, net, &start, &end))
        return diff_fail(w->f, 1701, "a net without name, start and end");
    w->cycles = end - start;
    if (times)
        snprintf(at, sizeof at, "@%" PRIu64, start);
    const size_t size = strlen(name) + sizeof at;
    char *own = malloc(size);
    if (!own)
        return cli_no_memory();
    snprintf(own, size, "%s%s", name, at);
    const int code = add_object(w, own, net, 0);
    free(own);
    return code;
}

static bool has_intervals(const struct walk *w, const json_t *nets, size_t n)
{
    uint64_t first = 0, start = 0, end;

    for (size_t i = 0; i < n && start == first; i++) {
        start_of(w, w->f->jansson->array_get(nets, i), &start, &end);
        if (i == 0)
            first = start;
    }
    return start != first;
}

const char *const diff_measured[DIFF_MEASURED] = { "when", "clock", "pulse", "debounce" };

/* Lengths of all of the report, and what it was measured by. */
static int add_totals(const struct walk *w, const json_t *report)
{
    static const char *const lengths[] = { "duration", "when_time", "cycles" };
    const struct diff_jansson *j = w->f->jansson;
    int code = CLI_OK;

    for (size_t i = 0; i < DIFF_MEASURED; i++)
        w->r->measured[i] = diff_text(w->f, report, diff_measured[i]);
    for (size_t i = 0; i < 3 && code == CLI_OK; i++) {
        struct diff_item item = {
            .name = lengths[i], .state = "exact", .measured = true, .length = true
        };
        if (diff_count(w->f, j->object_get(report, lengths[i]), &item.count))
            code = diff_add(w->f, w->r, &item);
        else if (i == 0)
            return diff_fail(w->f, 1701, "a report of activity without a duration");
    }
    return code;
}

/* Triggers of event variables. */
static int add_events(struct walk *w, const json_t *events)
{
    const struct diff_jansson *j = w->f->jansson;
    const size_t n = events ? j->array_size(events) : 0;
    int code = CLI_OK;

    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        const json_t *event = j->array_get(events, i);
        const char *name = diff_text(w->f, event, "name");
        uint64_t start, end;
        if (!name || !start_of(w, event, &start, &end))
            return diff_fail(w->f, 1701, "an event variable without name, start and end");
        w->cycles = end - start;
        code = add_object(w, name, event, 0);
    }
    return code;
}

int diff_read_tree(const struct diff_file *f, const json_t *report, struct diff_report *r)
{
    const bool activity = r->kind == DIFF_ACTIVITY;
    const json_t *list = f->jansson->object_get(report, activity ? "nets" : "buses");
    const size_t n = f->jansson->array_size(list);
    struct walk w = { .f = f, .r = r };
    const bool times = activity && has_intervals(&w, list, n);
    int code = CLI_OK;

    if (activity)
        code = add_totals(&w, report);
    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        const json_t *item = f->jansson->array_get(list, i);
        code = activity ? add_net(&w, item, times) : add_bus(&w, item);
    }
    if (code == CLI_OK && activity)
        code = add_events(&w, f->jansson->object_get(report, "events"));
    if (code == CLI_OK && r->items == 0)
        return diff_fail(f, 1701, "a report of buses without figures, as --list makes it");
    return code;
}
