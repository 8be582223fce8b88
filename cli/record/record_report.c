/* SPDX-License-Identifier: MIT */
/*
 * The report of `pcounter record` as a tree: rows as soon as they are known, then sums and how the
 * rows are spread.  CSV has a row for the cycles of each, and one for each event.
 */
#include "record.h"
#include "report/report_dist.h"
#include "report/report_tree.h"
#include "text/fifteen.h"

static const char *const edges[] = { RECORD_EDGES, NULL };
static const char *const samplings[] = { "pre-edge", "post-edge", "every", NULL };
const char *const record_states[] = { "exact", "tainted", "saturated", "lost", NULL };
static const char *const packet_formats[] = { "LONG", "SHORT", NULL };
const char *const record_kinds[] = { "period", "packet", "rest", NULL };

static const struct rep_field event_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "the name of the event" },
    { "expression", REP_TEXT, .adds = REP_SAME, .about = "what is counted; null: not known",
      .flags = REP_NULL },
    { "domain", REP_COUNT, .adds = REP_SAME, .about = "the domain, if there are several",
      .flags = REP_MAYBE },
    { "slot", REP_TEXT, .adds = REP_SAME, .about = "the counter of a packet, like PRE[0]",
      .flags = REP_MAYBE },
    { "derived", REP_BOOL, .adds = REP_SAME,
      .about = "true: computed before the counter, because no input of the chip can" },
    { .name = NULL },
};

/* A row of CSV. */
static const struct rep_field csv_fields[] = {
    { "row", REP_COUNT, .flags = REP_NO_JSON },
    { "kind", REP_TEXT, .flags = REP_NO_JSON },
    { "first_cycle", REP_COUNT, .flags = REP_NO_JSON },
    { "cycles", REP_COUNT, .flags = REP_NO_JSON },
    { "time", REP_NUMBER, .flags = REP_NO_JSON },
    { "seconds", REP_NUMBER, .flags = REP_NO_JSON },
    { "stops", REP_COUNT, .flags = REP_NO_JSON },
    { "domain", REP_COUNT, .flags = REP_NO_JSON },
    { "slot", REP_TEXT, .flags = REP_NO_JSON },
    { "name", REP_TEXT, .flags = REP_NO_JSON },
    { "value", REP_COUNT, .flags = REP_NO_JSON },
    { "state", REP_TEXT, .flags = REP_NO_JSON },
    { "expression", REP_TEXT, .flags = REP_NO_JSON },
    { .name = NULL },
};

static const struct rep_field count_fields[] = {
    { "name", REP_TEXT, .about = "the name of the event" },
    { "value", REP_COUNT, .about = "its count in this row" },
    { "state", REP_WORD, .about = "how far the value holds", .words = record_states },
    { .name = NULL },
};

enum { ROW_EVENTS = 9 };
static const struct rep_field row_fields[] = {
    { "row", REP_COUNT, .about = "its number, from 0" },
    { "kind", REP_WORD, .about = "what ended it", .words = record_kinds },
    { "domain", REP_COUNT, .about = "the domain, of rows of packets if there are several",
      .flags = REP_MAYBE },
    { "first_cycle", REP_COUNT, .about = "its first cycle" },
    { "cycles", REP_COUNT, .about = "cycles of the clock in it" },
    { "time", REP_NUMBER, .about = "when it began, in seconds; null: not known",
      .flags = REP_NULL },
    { "seconds", REP_NUMBER, .about = "how long it is; null: not known", .flags = REP_NULL },
    { "stops", REP_COUNT, .about = "stops in it" },
    { "stop_state", REP_WORD, .about = "how far that holds", .words = record_states },
    [ROW_EVENTS] = { "events", REP_LIST, .about = "every event of the row", .field = count_fields,
                     .item = "the count of an event" },
    { .name = NULL },
};

static const struct rep_field sum_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "the name of the event" },
    { "value", REP_COUNT, .adds = REP_SUM, .about = "its count in all rows" },
    { "state", REP_WORD, .adds = REP_WORST, .about = "how far the value holds",
      .words = record_states },
    { "tainted_cycles", REP_COUNT, .adds = REP_SUM,
      .about = "cycles in which an unknown input (x, z) decides" },
    { "per_second", REP_NUMBER, .adds = REP_FOLLOWS, .about = "with --clock-hz: of it a second",
      .flags = REP_MAYBE },
    { .name = NULL },
};

static const struct rep_field bar_fields[] = {
    { "from", REP_COUNT, .about = "the smallest value that would be in it" },
    { "to", REP_COUNT, .about = "the largest one" },
    { "rows", REP_COUNT, .about = "how many rows have such a value" },
    { .name = NULL },
};

enum { BARS = 6 + PC_RANKS };
static const struct rep_field spread_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "cycles, or the name of an event" },
    { "rows", REP_COUNT, .adds = REP_SUM,
      .about = "periods or packets; what came after the last STOP is none" },
    { "state", REP_WORD, .adds = REP_WORST, .about = "of their values the one that holds the least",
      .words = record_states },
    { "min", REP_COUNT, .adds = REP_LEAST, .about = "of one row; null: there is none",
      .flags = REP_NULL },
    { "mean", REP_NUMBER, .adds = REP_FOLLOWS, .about = "null: there is no row",
      .flags = REP_NULL },
    REP_RANK_FIELDS(REP_COUNT, REP_NULL),
    { "max", REP_COUNT, .adds = REP_GREATEST, .about = "null: there is no row", .flags = REP_NULL },
    [BARS] = { "histogram", REP_LIST,
               .about = "from the smallest value to the largest; empty: as for p50",
               .field = bar_fields, .item = "similar values" },
    { .name = NULL },
};

static const struct rep_field warning = { "warning", REP_TEXT, .csv = "name",
                                          .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )" };

enum {
    EVENTS = 15,
    CSV_ROWS,
    ROWS,
    PARTIAL,
    PACKETS,
    BYTES,
    FIRST_CYCLE,
    CYCLES,
    SUMS,
    SPREADS,
    PARTS,
    WARNINGS
};
static const struct rep_field fields[] = {
    { "trace", REP_TEXT, .adds = REP_SAME,
      .about = "the waveform or buffer, as it was given; - is standard input" },
    { "program", REP_TEXT, .adds = REP_SAME,
      .about = "with --decode --program: the script that set the recording up",
      .flags = REP_MAYBE },
    { "chip", REP_TEXT, .adds = REP_SAME, .about = "the chip whose counters are modelled",
      .flags = REP_MAYBE },
    { "clock", REP_TEXT, .adds = REP_SAME, .about = "of a waveform: --clock, as it was given",
      .flags = REP_MAYBE },
    { "edge", REP_WORD, .adds = REP_SAME,
      .about = "the edge of the clock that begins a cycle, or every sample", .flags = REP_MAYBE,
      .words = edges },
    { "sample", REP_WORD, .adds = REP_SAME,
      .about = "whether signals are taken before or after the edge", .flags = REP_MAYBE,
      .words = samplings },
    { "x", REP_WORD, .adds = REP_SAME, .about = "what an unknown value (x, z) is",
      .flags = REP_MAYBE, .words = opt_unknowns },
    { "passes", REP_COUNT, .adds = REP_SAME,
      .about = "of a waveform: all events are counted in one", .flags = REP_MAYBE, .least = 1,
      .most = 1 },
    { "stop", REP_TEXT, .adds = REP_SAME, .about = "of a waveform: --stop, as it was given",
      .flags = REP_MAYBE },
    { "packet_format", REP_WORD, .adds = REP_SAME, .about = "the format of packets",
      .words = packet_formats },
    { "from", REP_TEXT, .adds = REP_SAME_OR_NONE, .about = "--from, as it was given",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "to", REP_TEXT, .adds = REP_SAME_OR_NONE, .about = "--to, as it was given",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "timescale", REP_TEXT, .adds = REP_SAME,
      .about = "the time unit of the waveform, like 1ps; absent: samples, or not known",
      .flags = REP_MAYBE | REP_NO_CSV },
    { "sample_rate", REP_COUNT, .adds = REP_SAME,
      .about = "of a capture: samples a second, if that is known", .flags = REP_MAYBE | REP_NO_CSV,
      .least = 1 },
    { "clock_hz", REP_NUMBER, .adds = REP_SAME, .about = "of a buffer: --clock-hz",
      .flags = REP_MAYBE | REP_NO_CSV },
    [EVENTS] = { "events", REP_LIST, .adds = REP_EACH, .about = "every event",
                 .field = event_fields, .item = "an event" },
    [CSV_ROWS] = { "csv_rows", REP_LIST, .flags = REP_NO_JSON | REP_ROW, .field = csv_fields },
    [ROWS] = { "rows", REP_LIST, .adds = REP_ROWS, .about = "the rows, in order",
               .flags = REP_STREAM, .field = row_fields, .item = "a row, as soon as it is over",
               .one = "row" },
    [PARTIAL] = { "partial", REP_BOOL, .adds = REP_SAME,
                  .about = "true: interrupted before the end of the input", .flags = REP_NO_LINES },
    [PACKETS] = { "packets", REP_COUNT, .adds = REP_SUM, .about = "packets of the recording" },
    [BYTES] = { "bytes", REP_COUNT, .adds = REP_SUM, .about = "bytes of them" },
    [FIRST_CYCLE] = { "first_cycle", REP_COUNT, .adds = REP_LEAST,
                      .about = "the first cycle that was counted", .flags = REP_NO_CSV },
    [CYCLES] = { "cycles", REP_COUNT, .adds = REP_SUM, .about = "cycles that were counted",
                 .flags = REP_NO_CSV },
    [SUMS] = { "sums", REP_LIST, .adds = REP_EACH, .about = "every event, over all rows",
               .flags = REP_STREAM, .field = sum_fields, .item = "the sum of an event",
               .one = "sum" },
    [SPREADS] = { "distributions", REP_LIST, .adds = REP_FOLLOWS,
                  .about = "how the cycles and the counts of rows are spread",
                  .field = spread_fields, .item = "the cycles, or an event" },
    [PARTS] = REP_PARTS(rep_parts_of_stat),
    [WARNINGS] = { "warnings", REP_LIST, .adds = REP_ONCE,
                   .about = "what was odd, dropped or assumed, with its code and place, as on "
                            "standard error",
                   .flags = REP_ROW, .value = &warning, .fixed = "kind=warning" },
    { .name = NULL },
};

const struct rep_def record_report = {
    .schema = "pcounter-record-2",
    .lines = "pcounter-record-lines-2",
    .call = "pcounter record",
    .about = "Counts of record mode, packet by packet: over a waveform, or of a buffer (--decode).",
    .field = fields,
    .columns = "trace,chip,row,kind,first_cycle,cycles,time,seconds,stops,domain,slot,name,value,"
               "state,expression",
    .series = true,
};

/* --- the begin --- */

int record_report_keep(struct rep *rep)
{
    return rep_keep(rep, ROWS);
}

void record_report_begin(const struct record_sheet *s)
{
    const struct stat_job *of = s->of;
    const bool wave = !s->o->decode;
    const struct rep_cell none = rep_absent();

    rep_root(s->rep,
             REP_CELLS(rep_text(cli_input_label(of->path)),
                       s->o->program ? rep_text(s->o->program) : none,
                       s->o->has_chip || s->o->program ? rep_text(of->chip->name) : none,
                       wave ? rep_text(of->clock) : none, wave ? rep_text(edges[of->edge]) : none,
                       wave ? rep_text(stat_sampling(of)) : none,
                       wave ? rep_text(stat_x_name(of)) : none, wave ? rep_count(1) : none,
                       wave ? rep_text(s->o->stop.text) : none,
                       rep_text(packet_formats[s->o->is_short != 0]),
                       of->window.from.text ? rep_text(of->window.from.text) : none,
                       of->window.to.text ? rep_text(of->window.to.text) : none,
                       s->times && s->times->scale[0] ? rep_text(s->times->scale) : none,
                       s->times && s->times->rate ? rep_count(s->times->rate) : none,
                       s->o->clock_hz > 0 ? rep_exact(s->o->clock_hz) : none));
    for (size_t n = 0; n < of->events; n++) {
        const struct stat_event *e = &of->event[n];
        rep_row(s->rep, EVENTS,
                REP_CELLS(rep_text(e->name), e->text[0] ? rep_text(e->text) : rep_null(),
                          s->has_domains ? rep_count(e->domain) : none,
                          s->o->slots ? rep_text(record_slot(n % RECORD_INPUTS)) : none,
                          rep_bool(e->derived)));
    }
}

/* --- a row --- */

/* When it was. */
struct when {
    char text[STAT_TIME_TEXT], length[CLI_FIFTEEN];
    struct rep_cell time, seconds; /* absent: not known */
};

static void find_when(const struct stat_interval *i, struct when *out)
{
    out->time = out->seconds = rep_absent();
    if (!i->timed)
        return;
    stat_time_text(i, out->text);
    out->time = rep_digits(out->text);
    if (i->seconds > 0) {
        cli_fifteen_digits(out->length, i->seconds);
        out->seconds = rep_digits(out->length);
    }
}

static struct rep_cell or_null(struct rep_cell cell)
{
    return cell.what == REP_ABSENT ? rep_null() : cell;
}

/* Returns the state of a row; "partial" for the last row of an interrupted run. */
static const char *state_name(const struct record_sheet *s, const struct record_row *row,
                              enum stat_state state)
{
    return s->partial && row->kind == RECORD_REST ? "partial" : stat_state_name(state);
}

/* Puts a row of CSV, of event n or, past the last one, of the cycles. */
static void put_csv(const struct record_sheet *s, const struct record_row *row,
                    const struct when *when, size_t n)
{
    const bool cycles = n == s->of->events;
    const struct stat_event *e = cycles ? NULL : &s->of->event[n];
    const bool has_domain = s->has_domains && (!cycles || s->o->packets);

    rep_row(s->rep, CSV_ROWS,
            REP_CELLS(rep_count(row->when.number), rep_text(record_kinds[row->kind]),
                      rep_count(row->when.first), rep_count(row->when.cycles), when->time,
                      when->seconds, rep_count(row->stops),
                      has_domain ? rep_count(cycles ? row->domain : e->domain) : rep_absent(),
                      cycles        ? rep_text("CYCLES")
                      : s->o->slots ? rep_text(record_slot(n % RECORD_INPUTS))
                                    : rep_absent(),
                      rep_text(cycles ? "cycles" : e->name),
                      rep_count(cycles ? row->when.cycles : row->count[n].value),
                      rep_text(state_name(s, row, cycles ? row->stop_state : row->count[n].state)),
                      rep_text(cycles ? "1" : e->text)));
}

void record_report_row(const struct record_sheet *s, const struct record_row *row)
{
    struct when when;

    find_when(&row->when, &when);
    put_csv(s, row, &when, s->of->events);
    for (size_t n = 0; n < s->of->events; n++)
        if (record_in_row(s, row, n))
            put_csv(s, row, &when, n);
    rep_begin(s->rep, ROWS,
              REP_CELLS(rep_count(row->when.number), rep_text(record_kinds[row->kind]),
                        s->o->packets && s->has_domains ? rep_count(row->domain) : rep_absent(),
                        rep_count(row->when.first), rep_count(row->when.cycles), or_null(when.time),
                        or_null(when.seconds), rep_count(row->stops),
                        rep_text(stat_state_name(row->stop_state))));
    for (size_t n = 0; n < s->of->events; n++)
        if (record_in_row(s, row, n))
            rep_row(s->rep, ROW_EVENTS,
                    REP_CELLS(rep_text(s->of->event[n].name), rep_count(row->count[n].value),
                              rep_text(stat_state_name(row->count[n].state))));
    rep_end(s->rep);
}

/* --- the rest --- */

static void put_spread(const struct record_sheet *s, size_t column)
{
    const struct cli_spread *d = &s->spread[column];
    const bool any = d->count > 0;
    struct rep_cell cell[BARS] = { rep_text(record_column(s, column)), rep_count(d->count),
                                   rep_text(stat_state_name(s->worst[column])),
                                   any ? rep_count(d->min) : rep_null(),
                                   any ? rep_number(d->mean, 15) : rep_null() };

    for (unsigned r = 0; r < PC_RANKS; r++)
        cell[5 + r] = d->ranks ? rep_count(d->rank[r]) : rep_null();
    cell[BARS - 1] = any ? rep_count(d->max) : rep_null();
    rep_begin(s->rep, SPREADS, (struct rep_cells){ cell, BARS });
    for (size_t i = 0; i < d->bars; i++)
        rep_row(s->rep, BARS,
                REP_CELLS(rep_count(cli_bar_from(d, i)), rep_count(cli_bar_to(d, i)),
                          rep_count(d->bar[i])));
    rep_end(s->rep);
}

void record_report_end(const struct record_sheet *s, const struct stat_result *r)
{
    const bool rates = s->o->clock_hz > 0 && r->cycles > 0;

    rep_totals(s->rep, r->partial);
    rep_set(s->rep, PARTIAL, rep_bool(r->partial));
    rep_set(s->rep, PACKETS, rep_count(s->packets));
    rep_set(s->rep, BYTES, rep_count(s->bytes));
    rep_set(s->rep, FIRST_CYCLE, rep_count(r->first));
    rep_set(s->rep, CYCLES, rep_count(r->cycles));
    for (size_t n = 0; n < s->of->events; n++) {
        const struct stat_event *e = &s->of->event[n];
        const double rate = (double)e->value * s->o->clock_hz / (double)r->cycles;
        rep_row(s->rep, SUMS,
                REP_CELLS(rep_text(e->name), rep_count(e->value),
                          rep_text(stat_state_name(e->state)), rep_count(e->tainted),
                          rates ? rep_number(rate, 15) : rep_absent()));
    }
    for (size_t i = 0; i <= s->of->events; i++)
        put_spread(s, i);
    for (size_t i = 0; s->parts && i < s->parts->children; i++) {
        struct rep_tree *part = &s->parts->child[i];
        struct rep_cell cell[REP_FIELDS];
        for (size_t k = 0; k < part->children; k++)
            cell[k] = tree_cell(&part->child[k], false);
        rep_row(s->rep, PARTS, (struct rep_cells){ cell, part->children });
    }
    rep_warnings(s->rep, WARNINGS);
}
