/* SPDX-License-Identifier: MIT */
/* The report for programs: a bus as a tree (bus_tree.c has its members). */
#include "bus/bus_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 400 }; /* a histogram has no more; `distinct` says how many there were */

static unsigned field_of(const struct rep_field *members, const char *name)
{
    unsigned i = 0;

    while (members[i].name && strcmp(members[i].name, name) != 0)
        i++;
    return i;
}

/* ---- distributions ---- */

static void put_hist(struct rep *r, unsigned field, const struct pc_dist *dist)
{
    char text[PC_WIDE_TEXT];
    struct pc_wide value;
    uint64_t times;

    for (size_t i = 0; pc_dist_value(dist, i, &value, &times); i++) {
        pc_wide_text(value, text);
        rep_named(r, field, text, rep_count(times));
    }
}

/* Returns the largest power of two that is not beyond a value, with its sign. */
static int64_t power_of(int64_t value)
{
    const uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    uint64_t power = size > 0;

    while (power && power <= size / 2)
        power *= 2;
    return value < 0 ? -(int64_t)power : (int64_t)power;
}

static void put_powers(struct rep *r, unsigned field, const struct pc_dist *dist)
{
    struct pc_wide value;
    uint64_t times, sum = 0;
    int64_t open = 0;
    char text[24];

    for (size_t i = 0; pc_dist_value(dist, i, &value, &times); i++) {
        const int64_t power = power_of((int64_t)value.low);
        if (sum > 0 && power != open) {
            snprintf(text, sizeof text, "%" PRId64, open);
            rep_named(r, field, text, rep_count(sum));
            sum = 0;
        }
        open = power;
        sum += times;
    }
    snprintf(text, sizeof text, "%" PRId64, open);
    if (sum > 0)
        rep_named(r, field, text, rep_count(sum));
}

static struct rep_cell distinct(const struct pc_dist_figures *f)
{
    return !f->complete                ? rep_null()
           : f->distinct > MOST_VALUES ? rep_count(f->distinct)
                                       : rep_absent();
}

struct place {
    const struct bus_run *run;
    struct bus_item *item;
    struct rep *r;
    struct pc_bus_edges edges;
};

/* `name`: of an item of a map; NULL: it is a member. */
static void put_dist(const struct place *p, unsigned field, const char *name, struct pc_dist *dist)
{
    struct rep *r = p->r;
    struct pc_dist_figures f;

    if (pc_dist_get_figures(dist, &f, NULL) != PC_OK)
        return;
    struct rep_cell cell[DIST_MEMBERS] = { [DIST_DISTINCT] = distinct(&f) };
    struct rep_dist d;
    rep_dist_cells(&f, rep_absent(), true, &d);
    memcpy(cell, d.cell, sizeof d.cell);
    rep_begin_named(r, field, name, (struct rep_cells){ cell, DIST_MEMBERS });
    if (f.complete && f.distinct <= MOST_VALUES)
        put_hist(r, DIST_HIST, dist);
    else if (f.complete)
        put_powers(r, DIST_LOG2, dist);
    rep_put_percentiles(r, DIST_PERCENTILES, dist, &f, &p->run->o->percentile);
    rep_end(r);
}

static void put_outstanding(struct rep *r, unsigned field, const struct pc_bus_group *g,
                            uint64_t cycles)
{
    struct pc_dist *dist = g->dist[PC_BUS_OUTSTANDING];
    struct pc_dist_figures f;

    if (pc_dist_get_figures(dist, &f, NULL) != PC_OK)
        return;
    rep_begin(r, field,
              REP_CELLS(rep_count(g->most_outstanding), rep_count(f.sum.low),
                        cycles ? rep_exact(pc_wide_double(f.sum) / (double)cycles) : rep_null(),
                        distinct(&f)));
    if (f.complete && f.distinct <= MOST_VALUES)
        put_hist(r, OUTSTANDING_HIST, dist);
    rep_end(r);
}

/* ---- groups ---- */

static void put_bandwidth(const struct place *p, unsigned field, const struct pc_bus_group *g)
{
    const uint64_t bytes = g->count[PC_BUS_BYTES], cycles = p->edges.cycles;
    const double period = bus_period(p->run, p->item);

    rep_row(p->r, field,
            REP_CELLS(rep_count(bytes),
                      cycles ? rep_exact((double)bytes / (double)cycles) : rep_null(),
                      p->edges.edges > 1 ? rep_exact(period) : rep_null(),
                      g->has >> PC_BUS_BUS_BYTES & 1 ? rep_count(g->count[PC_BUS_BUS_BYTES])
                                                     : rep_absent()));
}

static void put_responses(struct rep *r, unsigned field, const struct pc_bus_group *g)
{
    for (unsigned i = 0; i < PC_BUS_CODES; i++) {
        char code[8];
        snprintf(code, sizeof code, "%u", i);
        if (g->response[i] > 0)
            rep_named(r, field, code, rep_count(g->response[i]));
    }
    if (g->response_unknown > 0)
        rep_named(r, field, "x", rep_count(g->response_unknown));
}

static void put_ids(const struct place *p, unsigned field, size_t group,
                    const struct pc_bus_group *g)
{
    size_t with = 0;

    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < g->ids && (pass == 0 || with > 1); i++) {
            struct pc_dist_figures f;
            char text[24];
            uint64_t id = 0;
            struct pc_dist *dist = pc_bus_of_id(p->item->bus, group, i, &id);
            if (pc_dist_get_figures(dist, &f, NULL) != PC_OK || f.count == 0)
                continue;
            with += pass == 0;
            snprintf(text, sizeof text, "%" PRIu64, id);
            if (pass)
                put_dist(p, field, text, dist);
        }
}

static void put_longest(const struct place *p, unsigned field, const struct pc_bus_group *g)
{
    const struct pc_bus_longest *l = &g->longest;
    const uint64_t start = bus_longest_start(p->run, p->item, l);

    rep_row(p->r, field,
            REP_CELLS(rep_count(l->latency), g->has_ids ? rep_count(l->id) : rep_absent(),
                      rep_count(start), rep_count(start + l->latency), rep_count(l->start_time),
                      rep_count(l->end_time)));
}

/* The counts of a group as cells of its members. */
static void count_cells(const struct pc_bus_group *g, const struct rep_field *members,
                        struct rep_cell *cell)
{
    for (unsigned c = 0; c < PC_BUS_COUNTS; c++) {
        const unsigned field = field_of(members, pc_bus_count_name((enum pc_bus_count)c));
        if (g->has >> c & 1 && members[field].name && members[field].kind == REP_COUNT)
            cell[field] = rep_count(g->count[c]);
    }
}

static void put_oldest(const struct place *p, unsigned field, const struct pc_bus_group *g)
{
    const struct pc_bus_longest *o = &g->oldest;

    rep_row(p->r, field,
            REP_CELLS(rep_count(o->latency), g->has_ids ? rep_count(o->id) : rep_absent(),
                      rep_count(bus_longest_start(p->run, p->item, o)), rep_count(o->start_time)));
}

static void put_ages(struct rep *r, unsigned field, struct pc_dist *ages)
{
    struct pc_dist_figures f;
    struct pc_wide age;
    uint64_t times, left = MOST_VALUES;

    if (pc_dist_get_figures(ages, &f, NULL) != PC_OK)
        return;
    for (size_t i = f.distinct; i > 0 && pc_dist_value(ages, i - 1, &age, &times); i--)
        for (; times > 0 && left > 0; times--, left--)
            rep_item(r, field, rep_count(age.low));
}

static void put_members(const struct place *p, size_t group, const struct pc_bus_group *g,
                        const struct rep_field *members)
{
    for (unsigned i = 0; members[i].name; i++) {
        const char *name = members[i].name;
        if (strcmp(name, "longest") == 0 && g->longest.any)
            put_longest(p, i, g);
        else if (strcmp(name, "oldest") == 0 && g->oldest.any)
            put_oldest(p, i, g);
        else if (strcmp(name, "open_ages") == 0)
            put_ages(p->r, i, g->dist[PC_BUS_OPEN_AGES]);
        else if (strcmp(name, "outstanding") == 0)
            put_outstanding(p->r, i, g, p->edges.cycles);
        else if (strcmp(name, "resp_beats") == 0 && g->has_responses)
            put_responses(p->r, i, g);
        else if (strcmp(name, "by_id") == 0)
            put_ids(p, i, group, g);
        else if (strcmp(name, "bandwidth") == 0 && g->has >> PC_BUS_BYTES & 1)
            put_bandwidth(p, i, g);
        for (unsigned d = 0; d < PC_BUS_DISTS; d++)
            if (g->dist[d] && d != PC_BUS_OUTSTANDING && d != PC_BUS_OPEN_AGES &&
                strcmp(pc_bus_dist_name((enum pc_bus_dist)d), name) == 0)
                put_dist(p, i, NULL, g->dist[d]);
    }
}

static void put_channel(const struct place *p, size_t group, const struct pc_bus_group *g)
{
    struct rep_cell cell[REP_FIELDS] = { rep_absent() };
    const unsigned unstable = field_of(bus_channel_fields, "unstable");

    count_cells(g, bus_channel_fields, cell);
    if (g->has >> PC_BUS_DROPPED & 1 && g->dist[PC_BUS_WAIT] && !(g->has >> PC_BUS_UNSTABLE & 1))
        cell[unstable] = rep_null();
    rep_begin_named(p->r, AT_CHANNELS, g->name, (struct rep_cells){ cell, REP_FIELDS });
    put_members(p, group, g, bus_channel_fields);
    rep_end(p->r);
}

static void put_packets(const struct place *p, size_t group, const struct pc_bus_group *g)
{
    struct rep_cell cell[REP_FIELDS] = { rep_absent() };
    struct pc_dist_figures f;

    count_cells(g, bus_packet_fields, cell);
    if (pc_dist_get_figures(g->dist[PC_BUS_PACKET_BEATS], &f, NULL) != PC_OK)
        return;
    cell[0] = rep_count(f.count);
    rep_begin(p->r, AT_PACKETS, (struct rep_cells){ cell, REP_FIELDS });
    put_members(p, group, g, bus_packet_fields);
    rep_end(p->r);
}

static void put_transfer(const struct place *p, size_t group, const struct pc_bus_group *g)
{
    struct rep_cell cell[REP_FIELDS] = { rep_absent() };
    const uint64_t cycles = p->edges.cycles;

    count_cells(g, bus_transfer_fields, cell);
    cell[field_of(bus_transfer_fields, "throughput")] =
        cycles ? rep_exact((double)g->count[PC_BUS_COMPLETED] / (double)cycles) : rep_null();
    rep_begin(p->r, field_of(bus_fields, g->name), (struct rep_cells){ cell, REP_FIELDS });
    put_members(p, group, g, bus_transfer_fields);
    rep_end(p->r);
}

/* Those of one kind, in the order of the tree: bandwidth comes after the channels. */
static void put_groups(const struct place *p, enum pc_bus_kind kind, bool bandwidth)
{
    struct pc_bus_group g;

    for (size_t i = 0; pc_bus_group_at(p->item->bus, i, &g) == PC_OK; i++) {
        if (g.kind != kind)
            continue;
        if (bandwidth && g.has >> PC_BUS_BYTES & 1)
            put_bandwidth(p, AT_BANDWIDTH, &g);
        else if (!bandwidth && kind == PC_BUS_CHANNEL)
            put_channel(p, i, &g);
        else if (!bandwidth && kind == PC_BUS_PACKETS)
            put_packets(p, i, &g);
        else if (!bandwidth)
            put_transfer(p, i, &g);
    }
}

/* ---- buses ---- */

/* Can the clock not be told? */
static bool is_in_doubt(const struct bus_item *item)
{
    return bus_is_unsure(item) && !item->proof->data.unsure_of_reset;
}

static void put_proof(const struct place *p)
{
    const struct bus_proof *proof = p->item->proof;

    for (size_t i = 0; proof && i < proof->aliases; i++)
        rep_item(p->r, AT_ALIASES, rep_text(proof->alias[i]));
    for (unsigned i = 0; proof && i < BUS_LINES; i++)
        if (proof->line[i])
            rep_item(p->r, AT_EVIDENCE, rep_text(proof->line[i]));
    for (size_t i = 0; proof && proof->data.unsure && i < 2; i++)
        if (proof->candidate[i])
            rep_item(p->r, AT_CANDIDATES, rep_text(proof->candidate[i]));
}

void bus_put(const struct bus_run *run, struct bus_item *item)
{
    struct place p = { run, item, run->report, { 0 } };
    const bool credit = strcmp(pc_bus_protocol_name(item->protocol), "credit") == 0;
    struct pc_bus_pairing pairing = { .guessed = false };
    struct pc_bus_end end = { .waits = false };
    struct pc_bus_role role;

    if (item->bus) {
        pc_bus_get_edges(item->bus, &p.edges);
        pc_bus_get_pairing(item->bus, &pairing);
        pc_bus_get_end(item->bus, &end);
    }
    const struct rep_cell none = rep_absent();
    const uint64_t first = item->bus ? run->stream[item->stream].window.first : 0;
    rep_begin(p.r, BUS_BUSES,
              REP_CELLS(rep_text(item->name), rep_text(bus_protocol_name(item)),
                        rep_text(is_in_doubt(item) ? NULL : item->clock),
                        item->bus ? rep_count(item->stream) : none, rep_text(item->reset),
                        item->reset ? rep_count(!item->reset_low) : rep_null(),
                        credit ? rep_count(item->credit_init) : none, none, none, none, none,
                        bus_is_unsure(item) ? rep_bool(true) : none, none,
                        item->bus ? rep_count(p.edges.edges) : none,
                        item->bus ? rep_count(p.edges.reset_edges) : none,
                        item->bus ? rep_count(p.edges.reset_unknown) : none,
                        item->bus ? rep_count(p.edges.cycles) : none,
                        item->bus && p.edges.edges > 1 ? rep_exact(bus_period(p.run, item)) : none,
                        first > 0 ? rep_count(first) : none,
                        item->bus ? rep_count(end.waited) : none,
                        item->bus ? rep_count(end.stuck) : none,
                        end.stuck ? rep_count(end.since_time) : none,
                        end.stuck ? rep_count(first + end.since) : none,
                        pairing.how ? rep_text(pairing.how) : none,
                        pairing.why ? rep_text(pairing.why) : none));
    for (size_t i = 0; pc_bus_role_at(item->protocol, i, &role); i++)
        if (item->role[i])
            rep_named(p.r, AT_SIGNALS, role.name, rep_text(item->role[i]));
    for (size_t i = 0; i < item->aliases; i++)
        rep_row(p.r, AT_NAMES,
                REP_CELLS(rep_text(item->alias[i].name), rep_text(item->alias[i].signal)));
    put_proof(&p);
    if (item->bus) {
        put_groups(&p, PC_BUS_CHANNEL, false);
        put_groups(&p, PC_BUS_CHANNEL, true);
        put_groups(&p, PC_BUS_PACKETS, false);
        put_groups(&p, PC_BUS_TRANSACTIONS, false);
    }
    rep_end(p.r);
}
