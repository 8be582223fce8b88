/* SPDX-License-Identifier: MIT */
/* The report for programs: its members, and a bus as a tree. */
#include "bus/bus.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_VALUES = 400 }; /* a histogram has no more; `distinct` says how many there were */

/* ---- the tree ---- */

static const struct rep_field count_value = { "count", REP_COUNT, .about = "how often" };
static const struct rep_field dist_fields[] = {
    { "count", REP_COUNT, .about = "how many there were; min to max are there if it is not 0" },
    { "sum", REP_INT, .about = "of all of them" },
    { "min", REP_INT, .about = "the least", .flags = REP_MAYBE },
    { "mean", REP_NUMBER, .about = "sum / count", .flags = REP_MAYBE },
    { "p50", REP_INT, .about = "nearest rank; null: more different values than are kept",
      .flags = REP_MAYBE | REP_NULL },
    { "p90", REP_INT, .about = "the same", .flags = REP_MAYBE | REP_NULL },
    { "p99", REP_INT, .about = "the same", .flags = REP_MAYBE | REP_NULL },
    { "max", REP_INT, .about = "the greatest", .flags = REP_MAYBE },
    { "distinct", REP_COUNT,
      .about = "different values, if these are more than 400: there is no hist then; null: more "
               "than are kept",
      .flags = REP_MAYBE | REP_NULL },
    { "hist", REP_MAP, .about = "how often each value was", .flags = REP_MAYBE,
      .pattern = "^-?[0-9]+$", .value = &count_value },
    { .name = NULL },
};
enum { DIST_DISTINCT = 8, DIST_HIST };

static const struct rep_field outstanding_fields[] = {
    { "max", REP_COUNT, .about = "the largest number after a cycle" },
    { "sum", REP_COUNT, .about = "of those open before each cycle" },
    { "mean", REP_NUMBER, .about = "sum / cycles", .flags = REP_NULL },
    { "distinct", REP_COUNT, .about = "as of a distribution", .flags = REP_MAYBE | REP_NULL },
    { "hist", REP_MAP, .about = "in how many cycles so many were open before", .flags = REP_MAYBE,
      .pattern = "^-?[0-9]+$", .value = &count_value },
    { .name = NULL },
};
enum { OUTSTANDING_DISTINCT = 3, OUTSTANDING_HIST };

static const struct rep_field bandwidth_fields[] = {
    { "bytes", REP_COUNT, .about = "that were carried" },
    { "bytes_per_cycle", REP_NUMBER, .about = "bytes / cycles", .flags = REP_NULL },
    { "mean_period", REP_NUMBER, .about = "of the clock, in time units of the file",
      .flags = REP_NULL },
    { "bus_bytes", REP_COUNT, .about = "beats times the width", .flags = REP_MAYBE },
    { .name = NULL },
};

#define COUNT(name_, about_)                                                                       \
    {                                                                                              \
        name_, REP_COUNT, .about = about_, .flags = REP_MAYBE                                      \
    }
#define DIST(name_, about_)                                                                        \
    {                                                                                              \
        name_, REP_OBJECT, .about = about_, .flags = REP_MAYBE, .field = dist_fields               \
    }

static const struct rep_field channel_fields[] = {
    COUNT("beat", "cycles in which something was taken; the states add up to the cycles"),
    COUNT("stall", "valid, and not ready"),
    COUNT("starve", "ready, and not valid"),
    COUNT("setup", "APB: the first cycle of a transfer"),
    COUNT("blocked", "no credit"),
    COUNT("idle", "neither"),
    COUNT("unknown", "x or z where it matters"),
    COUNT("dropped", "stalls after which valid was withdrawn"),
    { "unstable", REP_COUNT,
      .about = "stalls after which the payload was another one; null: without --payload",
      .flags = REP_MAYBE | REP_NULL },
    COUNT("overrun", "beats without a credit"),
    DIST("runs", "beats one after the other"),
    DIST("gaps", "cycles between two beats"),
    DIST("wait", "stalls before each beat"),
    DIST("bursts", "AHB: beats from a NONSEQ to the next one or IDLE"),
    DIST("credits", "in each cycle"),
    { .name = NULL },
};

static const struct rep_field transfer_fields[] = {
    COUNT("started", "completed + aborted + unfinished"),
    COUNT("completed", "those that the distributions are of"),
    COUNT("aborted", "by a reset, or by CYC at 0, or dropped"),
    COUNT("unfinished", "at the end of the file"),
    COUNT("orphans", "ends with nothing open"),
    COUNT("unknown_id", "starts and ends whose identifier has an x or z"),
    COUNT("dropped", "APB: transfers that were withdrawn"),
    COUNT("without_data", "writes answered before the end of their data"),
    COUNT("len_mismatch", "with another number of beats than was asked for"),
    COUNT("errors", "completed with an error"),
    COUNT("errors_last", "of these by the last beat alone"),
    COUNT("retries", "completed by a retry"),
    COUNT("writes", "completed writes"),
    COUNT("reads", "completed reads"),
    COUNT("read_beats", "Avalon"),
    COUNT("write_beats", "Avalon"),
    { "throughput", REP_NUMBER, .about = "completed / cycles", .flags = REP_NULL },
    DIST("latency", "cycles from start to end"),
    { "outstanding", REP_OBJECT, .about = "started and not ended", .field = outstanding_fields },
    DIST("first_data", "cycles from the start to the first data; of writes it can be negative"),
    DIST("last_data", "cycles from the last data to the end"),
    DIST("delay", "cycles from the end to the next start; negative where they overlap; also "
                  "where a reset is between"),
    DIST("len", "beats that were asked for"),
    DIST("beats", "data of each"),
    DIST("wait_states", "AHB: latency - 1"),
    { "resp_beats", REP_MAP, .about = "how often each response was; x: unknown", .flags = REP_MAYBE,
      .pattern = "^([0-9]+|x)$", .value = &count_value },
    { "by_id", REP_MAP, .about = "latencies by identifier, if there are several of them",
      .pattern = "^[0-9]+$", .flags = REP_MAYBE, .field = dist_fields },
    { "bandwidth", REP_OBJECT, .about = "bytes of the data", .flags = REP_MAYBE,
      .field = bandwidth_fields },
    { .name = NULL },
};

static const struct rep_field packet_fields[] = {
    { "count", REP_COUNT, .about = "packets" },
    DIST("beats", "of each"),
    DIST("duration", "cycles from the first to the last beat"),
    COUNT("partial_beats", "of packets that were open at a reset or at the end"),
    { .name = NULL },
};

static const struct rep_field path = { "signal", REP_TEXT, .about = "its path" };
enum {
    NAME,
    PROTOCOL,
    CLOCK,
    RESET,
    RESET_ACTIVE,
    CREDIT_INIT,
    SIGNALS,
    EDGES,
    RESET_EDGES,
    RESET_UNKNOWN,
    CYCLES,
    CHANNELS,
    BANDWIDTH,
    PACKETS,
    READ,
    WRITE,
    TRANSACTIONS
};
static const struct rep_field bus_fields[] = {
    { "name", REP_TEXT, .about = "of the map, or the scope and the stem of its signals" },
    { "protocol", REP_TEXT, .about = "one of `pcounter bus --protocols`" },
    { "clock", REP_TEXT, .about = "its signal; null: none was found, and nothing is measured",
      .flags = REP_NULL },
    { "reset", REP_TEXT, .about = "its signal; null: none", .flags = REP_NULL },
    { "reset_active", REP_COUNT, .about = "the level at which it is reset; null: no reset",
      .flags = REP_NULL, .most = 1 },
    COUNT("credit_init", "credits after a reset"),
    { "signals", REP_MAP, .about = "by their roles; ! before a name: its inverse",
      .pattern = "^[a-z0-9]+(_[a-z0-9]+)*$", .value = &path },
    COUNT("edges", "of the clock; all below are absent with --list"),
    COUNT("reset_edges", "of these in reset, or with an unknown reset"),
    COUNT("reset_unknown", "of these with an unknown reset"),
    COUNT("cycles", "edges - reset_edges"),
    { "channels", REP_MAP, .about = "by name: \"\" where there is one", .flags = REP_MAYBE,
      .pattern = "^[a-z]*$", .field = channel_fields },
    { "bandwidth", REP_OBJECT, .about = "bytes of a stream", .flags = REP_MAYBE,
      .field = bandwidth_fields },
    { "packets", REP_OBJECT, .about = "that end with last", .flags = REP_MAYBE,
      .field = packet_fields },
    { "read", REP_OBJECT, .about = "AXI, Avalon", .flags = REP_MAYBE, .field = transfer_fields },
    { "write", REP_OBJECT, .about = "AXI", .flags = REP_MAYBE, .field = transfer_fields },
    { "transactions", REP_OBJECT, .about = "of other protocols", .flags = REP_MAYBE,
      .field = transfer_fields },
    { .name = NULL },
};

static const struct rep_field interval_fields[] = {
    { "bus", REP_TEXT, .about = "its name" },
    { "part", REP_TEXT, .about = "a channel, or a kind of transactions" },
    { "start", REP_COUNT, .about = "its first edge, from 0" },
    { "edges", REP_COUNT, .about = "of the clock; the last interval can have less" },
    { "cycles", REP_COUNT, .about = "those that are not in reset" },
    COUNT("beat", "as of a channel"),
    COUNT("stall", "the same"),
    COUNT("starve", "the same"),
    COUNT("setup", "the same"),
    COUNT("blocked", "the same"),
    COUNT("idle", "the same"),
    COUNT("unknown", "the same"),
    COUNT("started", "of transactions"),
    COUNT("completed", "the same"),
    COUNT("aborted", "the same"),
    COUNT("errors", "the same"),
    COUNT("open", "transactions that are under way at its end"),
    { .name = NULL },
};
static const struct rep_field interval_row_fields[] = {
    { "bus", REP_TEXT, .about = "its name" },
    { "part", REP_TEXT, .about = "a channel, or a kind of transactions" },
    { "figure", REP_TEXT, .about = "its name" },
    { "value", REP_NUMBER, .about = "in that interval" },
    { "start", REP_COUNT, .about = "its first edge" },
    { .name = NULL },
};

static const struct rep_field row_fields[] = {
    { "bus", REP_TEXT, .about = "its name" },
    { "part", REP_TEXT, .about = "a channel, or a kind of transactions" },
    { "figure", REP_TEXT, .about = "its name" },
    { "value", REP_NUMBER, .about = "empty: not known" },
    { .name = NULL },
};
static const char *const verdicts[] = { "met", "not met", "unknown", NULL };
static const struct rep_field expectation_fields[] = {
    { "expectation", REP_TEXT, .about = "as it was given", .csv = "figure" },
    { "verdict", REP_WORD, .about = "what became of it", .words = verdicts },
    { "left", REP_NUMBER, .about = "the left side; null: not measured", .flags = REP_NULL,
      .csv = "value" },
    { "right", REP_NUMBER, .about = "the right side", .flags = REP_NULL | REP_NO_CSV },
    { "why", REP_TEXT, .about = "it is not known; else empty" },
    { .name = NULL },
};
static const struct rep_field warning = { "warning", REP_TEXT, .csv = "figure" };

static const struct rep_field fields[] = {
    { "waveform", REP_TEXT, .about = "the file", .flags = REP_NO_CSV },
    { "timescale", REP_TEXT, .about = "the unit of times, like 1ps; null: not told",
      .flags = REP_NULL | REP_NO_CSV },
    { "interval", REP_COUNT, .about = "-I: so many edges each; absent: none",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "buses", REP_LIST, .about = "in the order of their names, or of the map", .field = bus_fields,
      .item = "a bus", .flags = REP_NO_CSV },
    { "figures", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = row_fields,
      .fixed = "kind=figure" },
    { "intervals", REP_LIST, .about = "-I: one of each channel, and of each kind of transactions",
      .flags = REP_NO_CSV, .field = interval_fields, .item = "what was counted in it" },
    { "interval_figures", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = interval_row_fields,
      .fixed = "kind=interval" },
    { "expectations", REP_LIST, .about = "of --expect", .flags = REP_ROW,
      .field = expectation_fields, .item = "one of them", .fixed = "kind=expectation" },
    { "warnings", REP_LIST,
      .about = "what was odd, dropped or assumed: code, place and text as on standard error; "
               "empty: nothing",
      .value = &warning },
    { .name = NULL },
};

const struct rep_def bus_report = {
    .schema = "pcounter-bus-1",
    .call = "pcounter bus",
    .about = "What the buses of a waveform carried, and where they waited.",
    .field = fields,
    .columns = "kind,bus,part,figure,value,verdict,why,start",
    .page = true,
    .test = "figure",
    .verdict = "verdict",
    .test_columns = "kind,figure,value,verdict,why",
    .passed = "met",
};

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

static struct rep_cell distinct(const struct pc_dist_figures *f)
{
    return !f->complete                ? rep_null()
           : f->distinct > MOST_VALUES ? rep_count(f->distinct)
                                       : rep_absent();
}

static struct rep_cell percentile(const struct pc_dist_figures *f, struct pc_wide value)
{
    return f->complete ? rep_int((int64_t)value.low) : rep_null();
}

/* `name`: of an item of a map; NULL: it is a member. */
static void put_dist(struct rep *r, unsigned field, const char *name, struct pc_dist *dist)
{
    struct pc_dist_figures f;

    if (pc_dist_get_figures(dist, &f, NULL) != PC_OK)
        return;
    const struct rep_cells cells =
        f.count ? REP_CELLS(rep_count(f.count), rep_int((int64_t)f.sum.low),
                            rep_int((int64_t)f.min.low), rep_exact(f.mean), percentile(&f, f.p50),
                            percentile(&f, f.p90), percentile(&f, f.p99),
                            rep_int((int64_t)f.max.low), distinct(&f))
                : REP_CELLS(rep_count(0), rep_count(0));
    rep_begin_named(r, field, name, cells);
    if (f.complete && f.distinct <= MOST_VALUES)
        put_hist(r, DIST_HIST, dist);
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

struct place {
    const struct bus_run *run;
    struct bus_item *item;
    struct rep *r;
    struct pc_bus_edges edges;
};

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
                put_dist(p->r, field, text, dist);
        }
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

static void put_members(const struct place *p, size_t group, const struct pc_bus_group *g,
                        const struct rep_field *members)
{
    for (unsigned i = 0; members[i].name; i++) {
        const char *name = members[i].name;
        if (strcmp(name, "outstanding") == 0)
            put_outstanding(p->r, i, g, p->edges.cycles);
        else if (strcmp(name, "resp_beats") == 0 && g->has_responses)
            put_responses(p->r, i, g);
        else if (strcmp(name, "by_id") == 0)
            put_ids(p, i, group, g);
        else if (strcmp(name, "bandwidth") == 0 && g->has >> PC_BUS_BYTES & 1)
            put_bandwidth(p, i, g);
        for (unsigned d = 0; d < PC_BUS_DISTS; d++)
            if (g->dist[d] && d != PC_BUS_OUTSTANDING &&
                strcmp(pc_bus_dist_name((enum pc_bus_dist)d), name) == 0)
                put_dist(p->r, i, NULL, g->dist[d]);
    }
}

static void put_channel(const struct place *p, size_t group, const struct pc_bus_group *g)
{
    struct rep_cell cell[REP_FIELDS] = { rep_absent() };
    const unsigned unstable = field_of(channel_fields, "unstable");

    count_cells(g, channel_fields, cell);
    if (g->has >> PC_BUS_DROPPED & 1 && g->dist[PC_BUS_WAIT] && !(g->has >> PC_BUS_UNSTABLE & 1))
        cell[unstable] = rep_null();
    rep_begin_named(p->r, CHANNELS, g->name, (struct rep_cells){ cell, REP_FIELDS });
    put_members(p, group, g, channel_fields);
    rep_end(p->r);
}

static void put_packets(const struct place *p, size_t group, const struct pc_bus_group *g)
{
    struct rep_cell cell[REP_FIELDS] = { rep_absent() };
    struct pc_dist_figures f;

    count_cells(g, packet_fields, cell);
    if (pc_dist_get_figures(g->dist[PC_BUS_PACKET_BEATS], &f, NULL) != PC_OK)
        return;
    cell[0] = rep_count(f.count);
    rep_begin(p->r, PACKETS, (struct rep_cells){ cell, REP_FIELDS });
    put_members(p, group, g, packet_fields);
    rep_end(p->r);
}

static void put_transfer(const struct place *p, size_t group, const struct pc_bus_group *g)
{
    struct rep_cell cell[REP_FIELDS] = { rep_absent() };
    const uint64_t cycles = p->edges.cycles;

    count_cells(g, transfer_fields, cell);
    cell[field_of(transfer_fields, "throughput")] =
        cycles ? rep_exact((double)g->count[PC_BUS_COMPLETED] / (double)cycles) : rep_null();
    rep_begin(p->r, field_of(bus_fields, g->name), (struct rep_cells){ cell, REP_FIELDS });
    put_members(p, group, g, transfer_fields);
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
            put_bandwidth(p, BANDWIDTH, &g);
        else if (!bandwidth && kind == PC_BUS_CHANNEL)
            put_channel(p, i, &g);
        else if (!bandwidth && kind == PC_BUS_PACKETS)
            put_packets(p, i, &g);
        else if (!bandwidth)
            put_transfer(p, i, &g);
    }
}

/* ---- buses ---- */

void bus_put(const struct bus_run *run, struct bus_item *item)
{
    struct place p = { run, item, run->report, { 0 } };
    const bool credit = strcmp(pc_bus_protocol_name(item->protocol), "credit") == 0;
    struct pc_bus_role role;

    if (item->bus)
        pc_bus_get_edges(item->bus, &p.edges);
    const struct rep_cell none = rep_absent();
    rep_begin(p.r, BUS_BUSES,
              REP_CELLS(rep_text(item->name), rep_text(pc_bus_protocol_name(item->protocol)),
                        rep_text(item->clock), rep_text(item->reset),
                        item->reset ? rep_count(!item->reset_low) : rep_null(),
                        credit ? rep_count(item->credit_init) : none, none,
                        item->bus ? rep_count(p.edges.edges) : none,
                        item->bus ? rep_count(p.edges.reset_edges) : none,
                        item->bus ? rep_count(p.edges.reset_unknown) : none,
                        item->bus ? rep_count(p.edges.cycles) : none));
    for (size_t i = 0; pc_bus_role_at(item->protocol, i, &role); i++)
        if (item->role[i])
            rep_named(p.r, SIGNALS, role.name, rep_text(item->role[i]));
    if (item->bus) {
        put_groups(&p, PC_BUS_CHANNEL, false);
        put_groups(&p, PC_BUS_CHANNEL, true);
        put_groups(&p, PC_BUS_PACKETS, false);
        put_groups(&p, PC_BUS_TRANSACTIONS, false);
    }
    rep_end(p.r);
}
