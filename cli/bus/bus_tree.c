/* SPDX-License-Identifier: MIT */
/* The report for programs: its members. */
#include "bus/bus_tree.h"
#include "report/report_dist.h"
#include "report/report_percentile.h"

static const struct rep_field count_value = { "count", REP_COUNT, .about = "how often" };
static const struct rep_field ranked_value = { "value", REP_INT, .adds = REP_FOLLOWS,
                                               .about = "the value; null: not known, as p50",
                                               .flags = REP_NULL };
/* clang-format off: rows */
#define DIST_REST                                                                                  \
    { "distinct", REP_COUNT, .adds = REP_FOLLOWS,                                                  \
      .about = "number of different values, if more than 400: hist is then absent; null: more "    \
               "than are kept",                                                                    \
      .flags = REP_MAYBE | REP_NULL | REP_NO_CSV },                                                \
        { "hist",                                                                                  \
          REP_MAP,                                                                                 \
          .adds = REP_ANY,                                                                         \
          .about = "how often each value was",                                                     \
          .flags = REP_MAYBE,                                                                      \
          .pattern = "^-?[0-9]+$",                                                                 \
          .value = &count_value },                                                                 \
        { "log2",                                                                                  \
          REP_MAP,                                                                                 \
          .adds = REP_ANY,                                                                         \
          .about =                                                                                 \
              "where there is no hist: how often 0, 1, 2 to 3, 4 to 7, ... were, by the first "    \
              "of each; -1, -2, ... below 0",                                                      \
          .flags = REP_MAYBE,                                                                      \
          .pattern = "^-?[0-9]+$",                                                                 \
          .value = &count_value },                                                                 \
        REP_PERCENTILE_FIELD(&ranked_value)
/* clang-format on */
static const struct rep_field dist_fields[] = { REP_DIST_FIELDS(REP_COUNT, REP_MAYBE),
                                                DIST_REST,
                                                { .name = NULL } };
static const struct rep_field signed_fields[] = { REP_DIST_FIELDS(REP_INT, REP_MAYBE),
                                                  DIST_REST,
                                                  { .name = NULL } };

static const struct rep_field outstanding_fields[] = {
    { "max", REP_COUNT, .adds = REP_GREATEST, .about = "the largest number after a cycle" },
    { "sum", REP_COUNT, .adds = REP_SUM, .about = "sum of those outstanding before each cycle" },
    { "mean", REP_NUMBER, .adds = REP_FOLLOWS, .about = "sum / cycles", .flags = REP_NULL },
    { "distinct", REP_COUNT, .adds = REP_FOLLOWS, .about = "as in a distribution",
      .flags = REP_MAYBE | REP_NULL | REP_NO_CSV },
    { "hist", REP_MAP, .adds = REP_ANY,
      .about = "number of cycles for each number outstanding before the cycle", .flags = REP_MAYBE,
      .pattern = "^-?[0-9]+$", .value = &count_value },
    { .name = NULL },
};

static const struct rep_field bandwidth_fields[] = {
    { "bytes", REP_COUNT, .adds = REP_SUM, .about = "that were carried" },
    { "bytes_per_cycle", REP_NUMBER, .adds = REP_FOLLOWS, .about = "bytes / cycles",
      .flags = REP_NULL },
    { "mean_period", REP_NUMBER, .adds = REP_SAME_OR_NULL,
      .about = "of the clock, in time units of the file", .flags = REP_NULL | REP_NO_CSV },
    { "bus_bytes", REP_COUNT, .adds = REP_SUM, .about = "beats times the width",
      .flags = REP_MAYBE },
    { .name = NULL },
};

static const struct rep_field longest_fields[] = {
    { "latency", REP_COUNT, .about = "cycles" },
    { "id", REP_COUNT, .about = "its identifier", .flags = REP_MAYBE },
    { "start", REP_COUNT, .about = "the edge with which it starts, from 0" },
    { "end", REP_COUNT, .about = "the edge with which it ends" },
    { "start_time", REP_COUNT, .about = "when that was, in time units of the file" },
    { "end_time", REP_COUNT, .about = "the same of the end" },
    { .name = NULL },
};

static const struct rep_field oldest_fields[] = {
    { "age", REP_COUNT, .about = "cycles up to the last edge" },
    { "id", REP_COUNT, .about = "its identifier", .flags = REP_MAYBE },
    { "start", REP_COUNT, .about = "the edge with which it starts, from 0" },
    { "start_time", REP_COUNT, .about = "when that was, in time units of the file" },
    { .name = NULL },
};
static const struct rep_field age = { "age", REP_COUNT, .about = "cycles" };

#define COUNT(name_, about_)                                                                       \
    {                                                                                              \
        name_, REP_COUNT, .adds = REP_SUM, .about = about_, .flags = REP_MAYBE                     \
    }
#define DIST(name_, about_)                                                                        \
    {                                                                                              \
        name_, REP_OBJECT, .about = about_, .flags = REP_MAYBE, .field = dist_fields               \
    }
#define SIGNED(name_, about_)                                                                      \
    {                                                                                              \
        name_, REP_OBJECT, .about = about_, .flags = REP_MAYBE, .field = signed_fields             \
    }

const struct rep_field bus_channel_fields[] = {
    COUNT("beat", "cycles in which something was taken; the states add up to the cycles"),
    COUNT("stall", "valid, and not ready"),
    COUNT("starve", "ready, and not valid"),
    COUNT("setup", "APB: the first cycle of a transfer"),
    COUNT("blocked", "no credit"),
    COUNT("idle", "neither"),
    COUNT("unknown", "x or z where it matters"),
    COUNT("dropped", "stalls after which valid was withdrawn"),
    { "unstable", REP_COUNT, .adds = REP_SUM,
      .about = "stalls after which the payload was another one; null: without --payload",
      .flags = REP_MAYBE | REP_NULL },
    COUNT("overrun", "beats without a credit"),
    { "open_wait", REP_COUNT, .adds = REP_GREATEST,
      .about = "stalls up to the last cycle: how long the sender has been waiting",
      .flags = REP_MAYBE },
    DIST("runs", "beats one after the other"),
    DIST("gaps", "cycles between two beats"),
    DIST("wait", "stalls before each beat"),
    DIST("bursts", "AHB: beats from a NONSEQ to the next one or IDLE"),
    DIST("credits", "in each cycle"),
    { .name = NULL },
};

const struct rep_field bus_transfer_fields[] = {
    COUNT("started", "completed + aborted + unfinished"),
    COUNT("completed", "those that the distributions are of"),
    COUNT("aborted", "by a reset, or by CYC at 0, or dropped"),
    COUNT("unfinished", "at the end of the file"),
    COUNT("orphans", "ends without an outstanding start"),
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
    { "throughput", REP_NUMBER, .adds = REP_FOLLOWS, .about = "completed / cycles",
      .flags = REP_NULL },
    DIST("latency", "cycles from start to end"),
    { "longest", REP_OBJECT, .adds = REP_LONGER,
      .about = "the first that took longest; absent: none was completed", .flags = REP_MAYBE,
      .field = longest_fields },
    { "open_ages", REP_LIST, .adds = REP_DOWN,
      .about = "of those that are unfinished how many cycles ago they started, oldest first, 400 "
               "at most: no distribution has them",
      .value = &age },
    { "oldest", REP_OBJECT, .adds = REP_LONGER,
      .about = "the first of these; absent: there is none", .flags = REP_MAYBE,
      .field = oldest_fields },
    { "outstanding", REP_OBJECT, .about = "started and not ended", .field = outstanding_fields },
    SIGNED("first_data", "cycles from the start to the first data; of writes it can be negative"),
    DIST("last_data", "cycles from the last data to the end"),
    SIGNED(
        "delay",
        "cycles from the end to the next start; negative where they overlap; also across a reset"),
    DIST("len", "beats that were asked for"),
    DIST("beats", "data of each"),
    DIST("bytes_each", "bytes of the data of each"),
    DIST("wait_states", "AHB: latency - 1"),
    { "resp_beats", REP_MAP, .adds = REP_ANY, .about = "how often each response was; x: unknown",
      .flags = REP_MAYBE, .pattern = "^([0-9]+|x)$", .value = &count_value },
    { "by_id", REP_MAP, .adds = REP_ANY,
      .about = "latencies by identifier, if there are several of them", .pattern = "^[0-9]+$",
      .flags = REP_MAYBE | REP_NO_CSV, .field = dist_fields },
    { "bandwidth", REP_OBJECT, .about = "bytes of the data", .flags = REP_MAYBE | REP_BARE,
      .field = bandwidth_fields },
    { .name = NULL },
};

const struct rep_field bus_packet_fields[] = {
    { "count", REP_COUNT, .adds = REP_SUM, .about = "packets" },
    DIST("beats", "of each"),
    DIST("duration", "cycles from the first to the last beat"),
    COUNT("partial_beats", "of packets that were unfinished at a reset or at the end"),
    { .name = NULL },
};

static const struct rep_field line = { "line", REP_TEXT, .about = "one of them" };
static const struct rep_field path = { "signal", REP_TEXT, .about = "its path" };
static const struct rep_field alias_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "a name in the expressions of the protocol" },
    { "signal", REP_TEXT, .adds = REP_SAME, .about = "the path of its signal" },
    { .name = NULL },
};
const struct rep_field bus_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY,
      .about = "of the map, or the scope and the stem of its signals" },
    { "protocol", REP_TEXT, .adds = REP_SAME, .about = "one of `pcounter bus --protocols`" },
    { "clock", REP_TEXT, .adds = REP_SAME,
      .about = "its signal; null: none was found, and nothing is measured", .flags = REP_NULL },
    { "clock_number", REP_COUNT, .adds = REP_SAME,
      .about = "buses of one number have one clock, whatever its name",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "reset", REP_TEXT, .adds = REP_SAME, .about = "its signal; null: none", .flags = REP_NULL },
    { "reset_active", REP_COUNT, .adds = REP_SAME,
      .about = "the level at which it is reset; null: no reset", .flags = REP_NULL | REP_NO_CSV,
      .most = 1 },
    { "credit_init", REP_COUNT, .adds = REP_SAME, .about = "credits after a reset",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "signals", REP_MAP, .adds = REP_EACH, .about = "by their roles; ! before a name: its inverse",
      .pattern = "^[a-z0-9]+(_[a-z0-9]+)*$", .value = &path },
    { "names", REP_LIST, .adds = REP_EACH,
      .about = "of a protocol of the map: its names, and what they are here", .flags = REP_MAYBE,
      .field = alias_fields, .item = "one of them" },
    { "aliases", REP_LIST, .adds = REP_SAME, .about = "other names of the same bus",
      .flags = REP_MAYBE, .value = &line },
    { "evidence", REP_LIST, .adds = REP_ONCE,
      .about = "what the data say of the clock and the reset that were found", .flags = REP_MAYBE,
      .value = &line },
    { "unsure", REP_BOOL, .adds = REP_SAME,
      .about = "its clock or reset cannot be determined, so it is not measured; absent: they can",
      .flags = REP_MAYBE },
    { "candidates", REP_LIST, .adds = REP_SAME,
      .about = "unsure: the clocks, or the reset, that it may be", .flags = REP_MAYBE,
      .value = &line },
    COUNT("edges", "of the clock; all below are absent with --list"),
    COUNT("reset_edges", "of these in reset, or with an unknown reset"),
    COUNT("reset_unknown", "of these with an unknown reset"),
    COUNT("cycles", "edges - reset_edges"),
    { "mean_period", REP_NUMBER, .adds = REP_SAME_OR_NULL,
      .about = "of the clock, in time units of the file; absent: of one edge, or not measured",
      .flags = REP_MAYBE | REP_NULL },
    { "first_edge", REP_COUNT, .adds = REP_LEAST,
      .about = "the first of these edges, counted from the begin; absent: 0", .flags = REP_MAYBE },
    { "waits", REP_COUNT, .adds = REP_GREATEST,
      .about = "longest time, in cycles, that something at the end has waited to be accepted "
               "or answered; 0: nothing waits",
      .flags = REP_MAYBE },
    { "stuck", REP_COUNT, .adds = REP_GREATEST,
      .about = "1: no transfer for more than half of the edges, while a sender is stalled or a "
               "request outstanding",
      .flags = REP_MAYBE, .most = 1 },
    { "stuck_since", REP_COUNT, .adds = REP_LEAST, .compares = REP_NOT,
      .about = "when it moved last, in time units; absent: it is not stuck", .flags = REP_MAYBE },
    { "stuck_edge", REP_COUNT, .adds = REP_LEAST, .compares = REP_NOT,
      .about = "the edge of that, counted from the begin", .flags = REP_MAYBE },
    { "pairs", REP_TEXT, .adds = REP_SAME,
      .about = "which requests have which responses, as the data say; absent: each has one",
      .flags = REP_MAYBE },
    { "unpaired", REP_TEXT, .adds = REP_SAME,
      .about = "why responses cannot be assigned to requests: there are then no transactions",
      .flags = REP_MAYBE },
    { "channels", REP_MAP, .adds = REP_EACH, .about = "by name: \"\" where there is one",
      .flags = REP_MAYBE, .pattern = "^[a-z]*$", .field = bus_channel_fields },
    { "bandwidth", REP_OBJECT, .about = "bytes of a stream", .flags = REP_MAYBE | REP_BARE,
      .field = bandwidth_fields },
    { "packets", REP_OBJECT, .about = "that end with last", .flags = REP_MAYBE,
      .field = bus_packet_fields },
    { "read", REP_OBJECT, .about = "AXI, Avalon", .flags = REP_MAYBE,
      .field = bus_transfer_fields },
    { "write", REP_OBJECT, .about = "AXI", .flags = REP_MAYBE, .field = bus_transfer_fields },
    { "transactions", REP_OBJECT, .about = "of other protocols", .flags = REP_MAYBE,
      .field = bus_transfer_fields },
    { .name = NULL },
};

static const struct rep_field interval_fields[] = {
    { "bus", REP_TEXT, .about = "its name" },
    { "part", REP_TEXT, .about = "a channel, or a kind of transactions" },
    { "start", REP_COUNT, .about = "its first edge, from 0" },
    { "edges", REP_COUNT, .about = "of the clock; the last interval can have less" },
    { "cycles", REP_COUNT, .about = "those that are not in reset" },
    COUNT("beat", "as in a channel"),
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
    COUNT("time", "-I as a time: when it began, in time units"),
    { .name = NULL },
};
static const struct rep_field interval_row_fields[] = {
    { "bus", REP_TEXT, .about = "its name" },
    { "part", REP_TEXT, .about = "a channel, or a kind of transactions" },
    { "figure", REP_TEXT, .about = "its name" },
    { "value", REP_NUMBER, .about = "in that interval" },
    { "start", REP_COUNT, .about = "its first edge" },
    { "time", REP_COUNT, .about = "-I as a time: when it began, in time units" },
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
    { "expectation", REP_TEXT, .adds = REP_KEY, .about = "as it was given", .csv = "figure" },
    { "verdict", REP_WORD, .adds = REP_FOLLOWS, .about = "what became of it", .words = verdicts },
    { "left", REP_NUMBER, .adds = REP_FOLLOWS, .about = "the left side; null: not measured",
      .flags = REP_NULL, .csv = "value" },
    { "right", REP_NUMBER, .adds = REP_FOLLOWS, .about = "the right side",
      .flags = REP_NULL | REP_NO_CSV },
    { "why", REP_TEXT, .adds = REP_FOLLOWS, .about = "it is not known; else empty" },
    { .name = NULL },
};
static const struct rep_field warning = { "warning", REP_TEXT, .csv = "figure" };

static const struct rep_field fields[] = {
    { "waveform", REP_TEXT, .adds = REP_NAMES, .about = "the file", .flags = REP_NO_CSV },
    { "timescale", REP_TEXT, .adds = REP_SAME,
      .about = "the unit of times, like 1ps; null: not known", .flags = REP_NULL | REP_NO_CSV },
    { "interval", REP_COUNT, .refused = "-I", .about = "-I: edges in each interval; absent: none",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "interval_time", REP_COUNT, .refused = "-I",
      .about = "-I as a time: time units in each interval; absent: none",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "buses", REP_LIST, .adds = REP_EACH, .about = "in the order of their names, or of the map",
      .field = bus_fields, .item = "a bus", .flags = REP_NO_CSV },
    { "figures", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = row_fields,
      .fixed = "kind=figure" },
    { "intervals", REP_LIST, .refused = "-I",
      .about = "-I: one of each channel, and of each kind of transactions", .flags = REP_NO_CSV,
      .field = interval_fields, .item = "what was counted in it" },
    { "interval_figures", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = interval_row_fields,
      .fixed = "kind=interval" },
    { "expectations", REP_LIST, .adds = REP_EACH, .about = "of --expect", .flags = REP_ROW,
      .field = expectation_fields, .item = "one of them", .fixed = "kind=expectation" },
    { "guesses", REP_LIST, .adds = REP_ONCE,
      .about = "what the data had to decide about clocks and resets",
      .flags = REP_MAYBE | REP_NO_CSV, .value = &line },
    REP_PARTS(rep_parts_of_bus),
    { "warnings", REP_LIST, .adds = REP_ONCE,
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
    .columns = "kind,bus,part,figure,value,verdict,why,start,time",
    .page = true,
    .test = "figure",
    .verdict = "verdict",
    .test_columns = "kind,figure,value,verdict,why",
    .passed = "met",
};
