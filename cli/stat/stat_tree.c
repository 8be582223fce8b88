/* SPDX-License-Identifier: MIT */
/*
 * The reports of `pcounter stat` for programs, as trees: of a waveform, and of one that could not
 * be counted.
 */
#include "stat_machine.h"
#include "stat_report.h"

static const char *const edges[] = { "posedge", "negedge", "every", "period", NULL };
static const char *const samplings[] = { "pre-edge", "post-edge", "every", NULL };
static const char *const states[] = { "exact", "tainted", "saturated", "lost", NULL };
static const char *const metric_states[] = { "exact", "tainted",    "saturated", "wrapped",
                                             "lost",  "unmeasured", NULL };
static const char *const verdicts[] = { "met", "not met", "unknown", NULL };
static const char *const slots[] = { "PRE", "START", "EVENT", "STOP", NULL };
static const char *const ways[] = { "wide", "step", NULL };

#define TAINTED_ABOUT "cycles in which an unknown input (x, z) decides"
#define STATE_ABOUT   "how far the value holds"
#define ERROR_ABOUT   "with --multiplex: how far that is from the value, in percent of it"

/* Rows of CSV: cycles, events and metrics, of all or of an interval. */
static const struct rep_field row_fields[] = {
    { "kind", REP_TEXT, .flags = REP_NO_JSON },
    { "pass", REP_COUNT, .flags = REP_NO_JSON },
    { "domain", REP_COUNT, .flags = REP_NO_JSON },
    { "slot", REP_TEXT, .flags = REP_NO_JSON },
    { "name", REP_TEXT, .flags = REP_NO_JSON },
    { "value", REP_NUMBER, .flags = REP_NO_JSON },
    { "state", REP_TEXT, .flags = REP_NO_JSON },
    { "cycles", REP_COUNT, .flags = REP_NO_JSON },
    { "expression", REP_TEXT, .flags = REP_NO_JSON },
    { "unit", REP_TEXT, .flags = REP_NO_JSON },
    { "multiplexed", REP_NUMBER, .flags = REP_NO_JSON },
    { "error_percent", REP_NUMBER, .flags = REP_NO_JSON },
    { "first_cycle", REP_COUNT, .flags = REP_NO_JSON },
    { "interval", REP_COUNT, .flags = REP_NO_JSON },
    { "time", REP_NUMBER, .flags = REP_NO_JSON },
    { "seconds", REP_NUMBER, .flags = REP_NO_JSON },
    { "share", REP_NUMBER, .flags = REP_NO_JSON | REP_BAR },
    { "clock_name", REP_TEXT, .flags = REP_NO_JSON },
    { .name = NULL },
};

static const struct rep_field interval_event_fields[] = {
    { "name", REP_TEXT, .about = "the name of the event" },
    { "value", REP_COUNT, .about = "its count in this interval" },
    { "state", REP_WORD, .about = STATE_ABOUT, .words = states },
    { "tainted_cycles", REP_COUNT, .about = TAINTED_ABOUT },
    { .name = NULL },
};

static const struct rep_field interval_metric_fields[] = {
    { "name", REP_TEXT, .about = "the name of the metric" },
    { "value", REP_NUMBER,
      .about = "in the unit that the metric has in \"metrics\"; null: not measured",
      .flags = REP_NULL },
    { "state", REP_WORD, .about = STATE_ABOUT, .words = metric_states },
    { .name = NULL },
};

static const struct rep_field interval_fields[] = {
    { "interval", REP_COUNT, .about = "its number, from 0" },
    { "intervals", REP_COUNT,
      .about = "number of intervals without a cycle that it represents, else 1", .least = 1 },
    { "first_cycle", REP_COUNT,
      .about = "its first cycle, counted from the beginning of the waveform" },
    { "cycles", REP_COUNT, .about = "cycles of the clock in it" },
    { "time", REP_NUMBER, .about = "when it began, in seconds of the waveform; null: not known",
      .flags = REP_NULL },
    { "seconds", REP_NUMBER, .about = "how long it is; null: not known", .flags = REP_NULL },
    { "partial", REP_BOOL, .about = "true: the run was interrupted in it" },
    [STAT_INTERVAL_EVENTS] = { "events", REP_LIST,
                               .about = "every event, in the order of \"events\" of all",
                               .field = interval_event_fields,
                               .item = "the count of an event in this interval" },
    [STAT_INTERVAL_METRICS] = { "metrics", REP_LIST, .about = "every metric, if there are any",
                                .flags = REP_MAYBE, .field = interval_metric_fields,
                                .item = "a metric of this interval" },
    [STAT_INTERVAL_VALUES] = { "values", REP_LIST, .about = "every --value, if there are any",
                               .flags = REP_MAYBE, .field = stat_interval_value_fields,
                               .item = "a vector and its values in this interval" },
    [STAT_INTERVAL_LATENCIES] = { "latencies", REP_LIST,
                                  .about = "every --latency, if there are any: of an interval are "
                                           "those that are completed in it",
                                  .flags = REP_MAYBE, .field = stat_interval_latency_fields,
                                  .item = "latencies of this interval" },
    [STAT_INTERVAL_MACHINES] = { "states", REP_LIST,
                                 .about = "every --states, if there are any: a stay that goes on "
                                          "is a visit of the interval in which it began",
                                 .flags = REP_MAYBE, .field = stat_interval_machine_fields,
                                 .item = "a state machine in this interval" },
    [STAT_INTERVAL_LEVELS] = { "levels", REP_LIST, .about = "every --level, if there are any",
                               .flags = REP_MAYBE, .field = stat_interval_level_fields,
                               .item = "a level in this interval" },
    { .name = NULL },
};

static const struct rep_field event_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "the name of -e, or the expression" },
    { "expression", REP_TEXT, .adds = REP_SAME, .about = "what is counted, as it was given" },
    { "clock", REP_TEXT, .adds = REP_SAME,
      .about = "the name of the clock that counts it, where clocks have names",
      .flags = REP_MAYBE },
    { "value", REP_COUNT, .adds = REP_SUM,
      .about = "cycles in which the event is 1, or a sum over cycles" },
    { "state", REP_WORD, .adds = REP_WORST, .about = STATE_ABOUT, .words = states },
    { "tainted_cycles", REP_COUNT, .adds = REP_SUM, .about = TAINTED_ABOUT },
    { "is_sum", REP_BOOL, .adds = REP_SAME,
      .about = "true: the value is a sum over cycles; absent: it is not", .flags = REP_MAYBE },
    { "pass", REP_COUNT, .adds = REP_SAME, .about = "with --chip: the pass of the plan, from 1",
      .flags = REP_MAYBE, .least = 1 },
    { "domain", REP_COUNT, .adds = REP_SAME, .about = "the domain of the chip that counts it",
      .flags = REP_MAYBE },
    { "slot", REP_WORD, .adds = REP_SAME, .about = "with --chip: the counter of the domain",
      .flags = REP_MAYBE, .words = slots },
    { "derived", REP_BOOL, .adds = REP_SAME,
      .about = "true: computed before the counter, because no input of the chip can",
      .flags = REP_MAYBE },
    { "multiplexed", REP_COUNT, .refused = "--multiplex",
      .about = "with --multiplex: what hardware would have reported; null: the pass had no turn",
      .flags = REP_MAYBE | REP_NULL },
    { "active_cycles", REP_COUNT, .refused = "--multiplex",
      .about = "with --multiplex: cycles in which the pass of the event had its turn",
      .flags = REP_MAYBE },
    { "error_percent", REP_NUMBER, .refused = "--multiplex", .about = ERROR_ABOUT,
      .flags = REP_MAYBE },
    { .name = NULL },
};

static const struct rep_field metric_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "the name of the metric" },
    { "formula", REP_TEXT, .adds = REP_SAME, .about = "how it is computed from events" },
    { "unit", REP_TEXT, .adds = REP_SAME,
      .about = "what the value is in, without a prefix: %, ratio, count, cycles, B, s, Hz, or one "
               "with /s" },
    { "value", REP_NUMBER, .adds = REP_FOLLOWS, .about = "in that unit; null: not measured",
      .flags = REP_NULL },
    { "state", REP_WORD, .adds = REP_WORST,
      .about = "how far the value holds: the worst of its events", .words = metric_states },
    { "in", REP_TEXT, .adds = REP_SAME,
      .about = "the unit as it was given, where that has a prefix", .flags = REP_MAYBE },
    { "why", REP_TEXT, .adds = REP_FOLLOWS,
      .about = "the event that makes the state not exact, or prevents a value; empty if exact" },
    { "multiplexed", REP_NUMBER, .refused = "--multiplex",
      .about = "with --multiplex: the value from counts of turns; null: not measured",
      .flags = REP_MAYBE | REP_NULL },
    { "error_percent", REP_NUMBER, .refused = "--multiplex", .about = ERROR_ABOUT,
      .flags = REP_MAYBE },
    { .name = NULL },
};

static const struct rep_field expectation_fields[] = {
    { "expectation", REP_TEXT, .adds = REP_KEY, .about = "--expect, as it was given",
      .csv = "expression" },
    { "verdict", REP_WORD, .adds = REP_FOLLOWS,
      .about = "whether it holds; unknown: a side is not exact, or the run was cut off",
      .csv = "state", .words = verdicts },
    { "left", REP_NUMBER, .adds = REP_FOLLOWS,
      .about = "the value of the left side; null: not measured", .flags = REP_NULL,
      .csv = "value" },
    { "right", REP_NUMBER, .adds = REP_FOLLOWS,
      .about = "the value of the right side; null: not measured", .flags = REP_NULL },
    { "unit", REP_TEXT, .adds = REP_SAME,
      .about = "what both sides are in, without a prefix; empty: they have none" },
    { "why", REP_TEXT, .adds = REP_FOLLOWS, .about = "why it is unknown; else empty" },
    { "name", REP_TEXT, .flags = REP_NO_JSON },
    { "cycles", REP_COUNT, .flags = REP_NO_JSON },
    { "first_cycle", REP_COUNT, .flags = REP_NO_JSON },
    { .name = NULL },
};

static const struct rep_field domain_fields[] = {
    { "pass", REP_COUNT, .about = "the pass of the plan, from 1", .least = 1 },
    { "domain", REP_COUNT, .about = "the domain" },
    { "how", REP_WORD,
      .about = "64 cycles a word, or until it agrees with itself, or cycle by cycle",
      .words = ways },
    { "why", REP_TEXT, .about = "why it was run that way; empty if there is nothing to say" },
    { .name = NULL },
};

static const struct rep_field plan_fields[] = {
    { "bound", REP_COUNT, .about = "no plan has fewer passes than this" },
    { "bound_reason", REP_TEXT, .about = "why not" },
    [STAT_PLAN_DOMAINS] = { "domains", REP_LIST, .about = "every domain that counts, pass by pass",
                            .field = domain_fields, .item = "how a domain was run in a pass" },
    { .name = NULL },
};

static const struct rep_field clock_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY,
      .about = "its name, by which events say which clock counts them" },
    { "clock", REP_TEXT, .adds = REP_SAME, .about = "what it is, as it was given" },
    { "edge", REP_WORD, .adds = REP_SAME, .about = "the edge that begins a cycle, or every sample",
      .words = edges },
    { "cycles", REP_COUNT, .adds = REP_SUM, .about = "its cycles that were counted" },
    { "first_cycle", REP_COUNT, .adds = REP_LEAST,
      .about = "the first of them, counted from the beginning of the waveform" },
    { .name = NULL },
};

static const struct rep_field warning = { "warning", REP_TEXT, .csv = "name",
                                          .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )" };

static const struct rep_field fields[] = {
    { "trace", REP_TEXT, .adds = REP_NAMES,
      .about = "the waveform, as it was given; - is standard input" },
    { "chip", REP_TEXT, .adds = REP_SAME, .about = "with --chip: whose counters counted",
      .flags = REP_MAYBE },
    { "core", REP_TEXT, .adds = REP_SAME, .about = "with --core: the name in the description",
      .flags = REP_MAYBE },
    { "profile", REP_TEXT, .adds = REP_SAME,
      .about = "with --core: whose behaviour the events have, rtl or spec of a CVA6, or what the "
               "description says; absent: it says nothing",
      .flags = REP_MAYBE },
    { "clock", REP_TEXT, .adds = REP_SAME,
      .about = "--clock, as it was given; of several the first" },
    { "edge", REP_WORD, .adds = REP_SAME,
      .about = "the edge of the clock that begins a cycle, or every sample", .words = edges },
    { "sample", REP_WORD, .adds = REP_SAME,
      .about = "whether signals are taken before or after the edge", .words = samplings },
    { "x", REP_WORD, .adds = REP_SAME, .about = "what an unknown value (x, z) is",
      .words = opt_unknowns },
    { "passes", REP_COUNT, .adds = REP_SAME,
      .about = "with --chip: runs of its counters that the events take; all are over one read",
      .flags = REP_MAYBE },
    { "interval", REP_TEXT, .refused = "-I",
      .about = "with -I: the length of an interval, as it was given",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "from", REP_TEXT, .adds = REP_SAME_OR_NONE, .about = "--from, as it was given",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "to", REP_TEXT, .adds = REP_SAME_OR_NONE, .about = "--to, as it was given",
      .flags = REP_MAYBE | REP_NO_CSV },
    [STAT_INTERVAL_ROWS] = { "interval_rows", REP_LIST, .flags = REP_NO_JSON | REP_ROW,
                             .field = row_fields },
    [STAT_INTERVALS] = { "intervals", REP_LIST, .refused = "-I",
                         .about = "with -I: the intervals, in order",
                         .flags = REP_STREAM | REP_MAYBE, .field = interval_fields,
                         .item = "with -I: an interval", .one = "interval" },
    [STAT_PARTIAL] = { "partial", REP_BOOL, .adds = REP_SAME,
                       .about = "true: interrupted, or with -I ended by an error, before the end "
                                "of the waveform",
                       .flags = REP_NO_LINES },
    [STAT_CYCLES_MEMBER] = { "cycles", REP_COUNT, .adds = REP_SUM,
                             .about = "cycles of the clock that were counted; null: of several "
                                      "clocks, see "
                                      "\"clocks\"",
                             .flags = REP_NO_CSV | REP_NULL },
    [STAT_FIRST_CYCLE] = { "first_cycle", REP_COUNT, .adds = REP_LEAST,
                           .about =
                               "the first of them, counted from the beginning of the waveform; "
                               "null: of several clocks",
                           .flags = REP_NO_CSV | REP_NULL },
    [STAT_SECONDS] = { "seconds", REP_NUMBER, .adds = REP_SUM,
                       .about = "that they took, if a formula asks for it; null: not known",
                       .flags = REP_NO_CSV | REP_NULL | REP_MAYBE },
    [STAT_MULTIPLEX_CYCLES] = { "multiplex_cycles", REP_COUNT, .refused = "--multiplex",
                                .about = "with --multiplex: cycles of a turn", .flags = REP_MAYBE,
                                .least = 1 },
    [STAT_ROWS] = { "rows", REP_LIST, .flags = REP_NO_JSON | REP_ROW, .field = row_fields },
    [STAT_CLOCK_LIST] = { "clocks", REP_LIST, .adds = REP_EACH,
                          .about = "every clock, where clocks have names: -c w=wclk",
                          .flags = REP_STREAM | REP_MAYBE, .field = clock_fields,
                          .item = "a clock and its cycles", .one = "clock" },
    [STAT_EVENTS] = { "events", REP_LIST, .adds = REP_EACH,
                      .about = "every event of -e, with the count of all cycles",
                      .flags = REP_STREAM, .field = event_fields, .item = "an event and its count",
                      .one = "event" },
    [STAT_METRICS] = { "metrics", REP_LIST, .adds = REP_EACH,
                       .about = "every metric of -M, of all cycles",
                       .flags = REP_STREAM | REP_MAYBE, .field = metric_fields,
                       .item = "a metric and its value", .one = "metric" },
    [STAT_VALUES] = { "values", REP_LIST, .adds = REP_EACH, .about = "every --value",
                      .flags = REP_STREAM | REP_MAYBE, .field = stat_value_fields,
                      .item = "a vector and its values", .one = "value" },
    [STAT_LATENCIES] = { "latencies", REP_LIST, .adds = REP_EACH, .about = "every --latency",
                         .flags = REP_STREAM | REP_MAYBE, .field = stat_latency_fields,
                         .item = "how long it took from a start to its end", .one = "latency" },
    [STAT_MACHINES] = { "states", REP_LIST, .adds = REP_EACH, .about = "every --states",
                        .flags = REP_STREAM | REP_MAYBE, .field = stat_machine_fields,
                        .item = "a state machine", .one = "state_machine" },
    [STAT_LEVELS] = { "levels", REP_LIST, .adds = REP_EACH,
                      .about = "every --level: the level after what comes and goes at each edge",
                      .flags = REP_STREAM | REP_MAYBE, .field = stat_level_fields,
                      .item = "how full something was", .one = "level" },
    [STAT_EXPECTATIONS] = { "expectations", REP_LIST, .adds = REP_EACH,
                            .about = "with --expect: every expectation, of all cycles",
                            .flags = REP_STREAM | REP_MAYBE | REP_SOME | REP_ROW,
                            .field = expectation_fields, .item = "an expectation and its verdict",
                            .one = "expectation", .fixed = "kind=expectation,slot=EXPECT" },
    [STAT_PLAN] = { "plan", REP_OBJECT, .adds = REP_FOLLOWS,
                    .about = "with --explain: the plan, and how it was run", .flags = REP_MAYBE,
                    .field = plan_fields },
    [STAT_PARTS] = REP_PARTS(rep_parts_of_stat),
    [STAT_WARNINGS] = { "warnings", REP_LIST, .adds = REP_ONCE,
                        .about = "what was odd, dropped or assumed, with its code and place, as "
                                 "on standard error",
                        .flags = REP_ROW, .value = &warning, .fixed = "kind=warning,slot=WARNING" },
    { .name = NULL },
};

const struct rep_def stat_report_def = {
    .schema = "pcounter-stat-2",
    .lines = "pcounter-stat-lines-2",
    .call = "pcounter stat",
    .about = "Counts of events over a waveform.  Of several waveforms the program prints an array "
             "of these.",
    .field = fields,
    .test = "expectation",
    .verdict = "verdict",
    .test_columns = "expectation,verdict,left,right,unit,why",
    .passed = "met",
    .series = true,
};

/* --- a waveform that could not be counted --- */

static const struct rep_field failed_row_fields[] = {
    { "name", REP_TEXT, .flags = REP_NO_JSON },
    { "verdict", REP_TEXT, .flags = REP_NO_JSON },
    { .name = NULL },
};

static const struct rep_field failed_fields[] = {
    { "trace", REP_TEXT, .about = "the waveform, as it was given" },
    { "chip", REP_TEXT, .flags = REP_NO_JSON },
    { "error", REP_TEXT, .about = "why, with its code and place", .flags = REP_NO_CSV,
      .pattern = "^PC-E[0-9]{4}: " },
    [STAT_FAILED_WARNINGS] = { "warnings", REP_LIST,
                               .about = "what was odd, dropped or assumed, with its code and "
                                        "place, as on standard error",
                               .flags = REP_ROW, .value = &warning,
                               .fixed = "kind=warning,slot=WARNING" },
    [STAT_FAILED_ROWS] = { "rows", REP_LIST, .flags = REP_NO_JSON | REP_ROW,
                           .field = failed_row_fields, .fixed = "kind=error,slot=ERROR" },
    { .name = NULL },
};

const struct rep_def stat_failed_def = {
    .tables = true,
    .schema = "pcounter-stat-failed-1",
    .lines = "pcounter-stat-failed-lines-1",
    .line = "error",
    .call = "pcounter stat --keep-going",
    .about = "A waveform that could not be counted, in its place of the reports.",
    .field = failed_fields,
    .test = "trace",
    .verdict = "verdict",
    .test_columns = "trace,name,verdict",
};

/* --- columns of CSV --- */

#define COLUMNS "name,value,state,cycles,expression,unit"
#define OF_CHIP "trace,chip,pass,domain,slot," COLUMNS ",multiplexed,error_percent,first_cycle"
#define OF_EACH ",interval,time,seconds"

#define OF_CLOCKS "trace,kind,clock_name," COLUMNS ",first_cycle"
#define OF_ALL    "trace,kind," COLUMNS ",first_cycle"
/* Columns with a share or without, and of a core or not. */
#define WITH(columns, histogram, core)                                                             \
    ((histogram) ? ((core) ? columns ",share,core,profile" : columns ",share")                     \
                 : ((core) ? columns ",core,profile" : columns))

const char *stat_columns(bool chip, bool intervals, bool histogram, bool clocks, bool core)
{
    if (chip) /* which has one clock, no measurements and no core */
        return intervals ? OF_CHIP OF_EACH : OF_CHIP;
    if (clocks) /* without intervals */
        return WITH(OF_CLOCKS, histogram, core);
    return intervals ? WITH(OF_ALL OF_EACH, histogram, core) : WITH(OF_ALL, histogram, core);
}

struct rep_def stat_def_for(const struct rep_def *def, const struct stat_job *j)
{
    struct rep_def out = *def;

    out.columns = stat_columns(j->chip != NULL, j->o->interval.text != NULL, j->measures.histogram,
                               j->o->clocks > 1, j->o->description != NULL);
    out.series = def->series && j->o->interval.text;
    return out;
}
