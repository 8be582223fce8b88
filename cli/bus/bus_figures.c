/* SPDX-License-Identifier: MIT */
/* Every figure of a bus by its name: "stall", "read" "latency.p99". */
#include "bus/bus.h"
#include "report/report_dist.h"

#include <string.h>

/* A walk over the figures of a bus. */
struct walk {
    const struct bus_run *run;
    const struct bus_item *item;
    bool (*tell)(void *ctx, const struct bus_figure *figure);
    void *ctx;
    const char *part;
    bool ended;
};

double bus_period(const struct bus_run *run, const struct bus_item *item)
{
    const struct bus_stream *s = &run->stream[item->stream];
    struct pc_bus_edges e;

    pc_bus_get_edges(item->bus, &e);
    return e.edges > 1 ? (double)(s->last_time - s->first_time) / (double)(e.edges - 1) : 0;
}

static void tell_bounded(struct walk *w, const char *name, const char *more, struct rep_cell value,
                         const struct pc_bound *bound)
{
    struct bus_figure f = { .part = w->part, .value = value, .bounded = bound != NULL };

    if (w->ended)
        return;
    if (bound)
        f.bound = *bound;
    snprintf(f.name, sizeof f.name, "%s%s%s", name, more ? "." : "", more ? more : "");
    w->ended = !w->tell(w->ctx, &f);
}

static void tell(struct walk *w, const char *name, const char *more, struct rep_cell value)
{
    tell_bounded(w, name, more, value, NULL);
}

/* `open`: values that are not known yet are at least these; NULL: there are none. */
static void tell_dist(struct walk *w, const char *name, struct pc_dist *dist, struct pc_dist *open)
{
    struct pc_dist_bounds b = { .open = 0 };
    struct pc_dist_figures f;

    if (pc_dist_get_figures(dist, &f, NULL) != PC_OK)
        return;
    const bool bounded = open && pc_dist_get_bounds(dist, open, &b) && b.open > 0;
    struct rep_dist d;
    rep_dist_cells(&f, rep_absent(), true, &d);
    if (d.cell[REP_DIST_SUM].what == REP_IS_DIGITS) /* which are not there for long */
        d.cell[REP_DIST_SUM] = rep_exact(pc_wide_double(f.sum));
    for (unsigned i = 0; i < REP_DIST_CELLS; i++) {
        const struct pc_bound *bound = i == REP_DIST_MIN    ? &b.min
                                       : i == REP_DIST_MEAN ? &b.mean
                                       : i == REP_DIST_MAX  ? &b.max
                                       : i >= REP_DIST_RANK ? &b.rank[i - REP_DIST_RANK]
                                                            : NULL;
        tell_bounded(w, name, rep_dist_name(i), d.cell[i], bounded ? bound : NULL);
    }
}

/* Stalls before each beat; the last ones are before a beat that has not come. */
static void tell_waits(struct walk *w, const struct pc_bus_group *g)
{
    struct pc_dist *open = NULL;

    if (g->count[PC_BUS_OPEN_WAIT] > 0 && pc_dist_create(NULL, false, &open, NULL) == PC_OK)
        pc_dist_add(open, g->count[PC_BUS_OPEN_WAIT], 1);
    tell_dist(w, pc_bus_dist_name(PC_BUS_WAIT), g->dist[PC_BUS_WAIT], open);
    pc_dist_destroy(open);
}

static void tell_outstanding(struct walk *w, const struct pc_bus_group *g, uint64_t cycles)
{
    struct pc_dist_figures f;

    if (pc_dist_get_figures(g->dist[PC_BUS_OUTSTANDING], &f, NULL) != PC_OK)
        return;
    tell(w, "outstanding", "max", rep_count(g->most_outstanding));
    tell(w, "outstanding", "sum", rep_count(f.sum.low));
    tell(w, "outstanding", "mean",
         cycles ? rep_exact(pc_wide_double(f.sum) / (double)cycles) : rep_absent());
}

static void tell_rate(struct walk *w, const char *name, uint64_t count, uint64_t cycles)
{
    tell(w, name, NULL, cycles ? rep_exact((double)count / (double)cycles) : rep_absent());
}

uint64_t bus_longest_start(const struct bus_run *run, const struct bus_item *item,
                           const struct pc_bus_longest *l)
{
    return run->stream[item->stream].window.first + l->start;
}

static void tell_longest(struct walk *w, const struct pc_bus_group *g)
{
    const struct pc_bus_longest *l = &g->longest;

    if (!l->any)
        return;
    if (g->has_ids)
        tell(w, "longest", "id", rep_count(l->id));
    tell(w, "longest", "start", rep_count(bus_longest_start(w->run, w->item, l)));
    tell(w, "longest", "start_time", rep_count(l->start_time));
    tell(w, "longest", "end_time", rep_count(l->end_time));
}

/* Returns the age of the oldest one that is open at the end. */
static void tell_oldest(struct walk *w, const struct pc_bus_group *g)
{
    const struct pc_bus_longest *o = &g->oldest;

    if (!o->any)
        return;
    tell(w, "oldest", "age", rep_count(o->latency));
    if (g->has_ids)
        tell(w, "oldest", "id", rep_count(o->id));
    tell(w, "oldest", "start", rep_count(bus_longest_start(w->run, w->item, o)));
    tell(w, "oldest", "start_time", rep_count(o->start_time));
}

static void tell_group(struct walk *w, const struct pc_bus_group *g, uint64_t cycles)
{
    w->part = g->name;
    for (unsigned c = 0; c < PC_BUS_COUNTS; c++)
        if (g->has >> c & 1)
            tell(w, pc_bus_count_name((enum pc_bus_count)c), NULL, rep_count(g->count[c]));
    for (unsigned d = 0; d < PC_BUS_DISTS; d++)
        if (g->dist[d] && d == PC_BUS_WAIT)
            tell_waits(w, g);
        else if (g->dist[d] && d != PC_BUS_OUTSTANDING && d != PC_BUS_OPEN_AGES)
            tell_dist(w, pc_bus_dist_name((enum pc_bus_dist)d), g->dist[d],
                      d == PC_BUS_LATENCY ? g->dist[PC_BUS_OPEN_AGES] : NULL);
    if (g->kind == PC_BUS_TRANSACTIONS) {
        tell_longest(w, g);
        tell_oldest(w, g);
        tell_outstanding(w, g, cycles);
        tell_rate(w, "throughput", g->count[PC_BUS_COMPLETED], cycles);
    }
    if (g->has >> PC_BUS_BYTES & 1)
        tell_rate(w, "bytes_per_cycle", g->count[PC_BUS_BYTES], cycles);
}

void bus_each_figure(const struct bus_run *run, const struct bus_item *item,
                     bool (*tell_one)(void *ctx, const struct bus_figure *figure), void *ctx)
{
    struct walk w = { .run = run, .item = item, .tell = tell_one, .ctx = ctx, .part = "" };
    struct pc_bus_edges e;
    struct pc_bus_group g;
    struct pc_bus_end end;

    if (!item->bus)
        return;
    pc_bus_get_end(item->bus, &end);
    pc_bus_get_edges(item->bus, &e);
    tell(&w, "edges", NULL, rep_count(e.edges));
    tell(&w, "reset_edges", NULL, rep_count(e.reset_edges));
    tell(&w, "reset_unknown", NULL, rep_count(e.reset_unknown));
    tell(&w, "cycles", NULL, rep_count(e.cycles));
    tell(&w, "mean_period", NULL, e.edges > 1 ? rep_exact(bus_period(run, item)) : rep_absent());
    tell(&w, "waits", NULL, rep_count(end.waited));
    tell(&w, "stuck", NULL, rep_count(end.stuck));
    if (end.stuck)
        tell(&w, "stuck_since", NULL, rep_count(end.since_time));
    for (size_t i = 0; !w.ended && pc_bus_group_at(item->bus, i, &g) == PC_OK; i++)
        tell_group(&w, &g, e.cycles);
}
