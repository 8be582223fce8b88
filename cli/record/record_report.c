/* SPDX-License-Identifier: MIT */
/*
 * What pcounter record prints for machines: CSV (RFC 4180) with the same columns in every run, a
 * row for the cycles and one for each event; JSON, an object a row, as stat -I has its intervals,
 * or as lines.
 */
#include "record.h"
#include "text/warnings.h"

#include <inttypes.h>

/* --- CSV --- */

void record_csv_begin(struct record_sheet *s)
{
    fputs("trace,chip,row,kind,first_cycle,cycles,time,seconds,stops,domain,slot,name,value,state,"
          "expression",
          s->out);
    cli_csv_end(s->out);
}

static void csv_when(FILE *out, const struct stat_interval *when)
{
    char time[STAT_TIME_TEXT] = "";

    if (when->timed)
        stat_time_text(when, time);
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",%s,", when->first, when->cycles, time);
    if (when->timed && when->seconds > 0)
        fprintf(out, "%.15g", when->seconds);
}

/* What was interrupted is told of the last row. */
static const char *state_name(const struct record_sheet *s, const struct record_row *row,
                              enum stat_state state)
{
    return s->partial && row->kind == RECORD_REST ? "partial" : stat_state_name(state);
}

/* Up to "stops" */
static void csv_head(struct record_sheet *s, const struct record_row *row)
{
    cli_csv_field(s->out, s->of->path);
    fprintf(s->out, ",%s,%" PRIu64 ",%s,", s->o->decode && !s->o->program ? "" : s->of->chip->name,
            row->when.number, record_kind_name(row->kind));
    csv_when(s->out, &row->when);
    fprintf(s->out, ",%" PRIu64 ",", row->stops);
}

static void csv_cycles(struct record_sheet *s, const struct record_row *row)
{
    csv_head(s, row);
    if (s->o->packets && s->has_domains)
        fprintf(s->out, "%u", row->domain);
    fprintf(s->out, ",CYCLES,cycles,%" PRIu64 ",%s,1", row->when.cycles,
            state_name(s, row, row->stop_state));
    cli_csv_end(s->out);
}

void record_csv_row(struct record_sheet *s, const struct record_row *row)
{
    csv_cycles(s, row);
    for (size_t n = 0; n < s->of->events; n++) {
        const struct stat_event *e = &s->of->event[n];
        if (!record_in_row(s, row, n))
            continue;
        csv_head(s, row);
        if (s->has_domains)
            fprintf(s->out, "%u", e->domain);
        fprintf(s->out, ",%s,", record_slot(n % RECORD_INPUTS).text);
        cli_csv_field(s->out, e->name);
        fprintf(s->out, ",%" PRIu64 ",%s,", row->count[n].value,
                state_name(s, row, row->count[n].state));
        cli_csv_field(s->out, e->text);
        cli_csv_end(s->out);
    }
}

void record_csv_end(struct record_sheet *s)
{
    char head[80];

    snprintf(head, sizeof head, ",%s,,warning,,,,,,,,",
             s->o->decode && !s->o->program ? "" : s->of->chip->name);
    cli_csv_warnings(s->out, s->of->path, head, ",,,");
}

/* enum pc_edge */
static const char *const edge_names[] = { "posedge", "negedge", "every", "period" };

static void put_json_head(FILE *out, const struct stat_options *o, const struct stat_plan *plan)
{
    fprintf(out, ",\n  \"tool\": \"pcounter %s\",\n  \"trace\": ", pc_version());
    cli_json_string(out, o->path);
    if (o->chip)
        fprintf(out, ",\n  \"chip\": \"%s\"", o->chip->name);
    fputs(",\n  \"clock\": ", out);
    cli_json_string(out, o->clock);
    fprintf(out, ",\n  \"edge\": \"%s\",\n  \"sample\": \"%s\",\n  \"x\": \"%s\"",
            edge_names[o->edge], stat_sampling(o), stat_x_name(o));
    if (o->chip)
        fprintf(out, ",\n  \"passes\": %zu", plan->passes);
}

/* --- JSON --- */

static void json_source(FILE *out, const struct record_sheet *s)
{
    if (!s->o->decode) {
        put_json_head(out, s->of, &record_pass);
        fputs(",\n  \"stop\": ", out);
        cli_json_string(out, s->o->stop.text);
        return;
    }
    fprintf(out, ",\n  \"tool\": \"pcounter %s\",\n  \"trace\": ", pc_version());
    cli_json_string(out, s->of->path);
    if (s->o->program) {
        fputs(",\n  \"program\": ", out);
        cli_json_string(out, s->o->program);
        fprintf(out, ",\n  \"chip\": \"%s\"", s->of->chip->name);
    }
}

static void json_event(FILE *out, const struct record_sheet *s, size_t n)
{
    const struct stat_event *e = &s->of->event[n];

    fprintf(out, "%s\n    { \"name\": ", n ? "," : "");
    cli_json_string(out, e->name);
    fputs(", \"expression\": ", out);
    if (e->text[0])
        cli_json_string(out, e->text);
    else
        fputs("null", out);
    if (s->has_domains)
        fprintf(out, ", \"domain\": %u", e->domain);
    fprintf(out, ", \"slot\": \"%s\", \"derived\": %s }", record_slot(n % RECORD_INPUTS).text,
            e->derived ? "true" : "false");
}

/* Behind "$schema", up to the rows. */
static void json_head(FILE *out, const struct record_sheet *s)
{
    json_source(out, s);
    fprintf(out, ",\n  \"packet_format\": \"%s\",\n  \"events\": [",
            s->o->is_short ? "SHORT" : "LONG");
    for (size_t n = 0; n < s->of->events; n++)
        json_event(out, s, n);
    fputs(s->of->events ? "\n  ]" : "]", out);
}

void record_json_begin(struct record_sheet *s)
{
    FILE *line =
        s->of->lines ? cli_line_begin(s->of->lines, s->out, "pcounter-record-lines-1") : NULL;

    if (line) {
        json_head(line, s);
        cli_line_close(s->of->lines);
    } else if (!s->of->lines) {
        fputs("{\n  \"$schema\": \"pcounter-record-1\"", s->out);
        json_head(s->out, s);
        fputs(",\n  \"rows\": [", s->out);
    }
}

static void json_when(FILE *out, const struct stat_interval *when)
{
    char time[STAT_TIME_TEXT] = "null", seconds[STAT_TIME_TEXT] = "null";

    if (when->timed)
        stat_time_text(when, time);
    if (when->timed && when->seconds > 0)
        snprintf(seconds, sizeof seconds, "%.15g", when->seconds);
    cli_json_count(out, "first_cycle", when->first);
    fputs(", ", out);
    cli_json_count(out, "cycles", when->cycles);
    fprintf(out, ", \"time\": %s, \"seconds\": %s", time, seconds);
}

static void json_row(FILE *out, const struct record_sheet *s, const struct record_row *row)
{
    const char *comma = "";

    fprintf(out, "{ \"row\": %" PRIu64 ", \"kind\": \"%s\", ", row->when.number,
            record_kind_name(row->kind));
    if (s->o->packets && s->has_domains)
        fprintf(out, "\"domain\": %u, ", row->domain);
    json_when(out, &row->when);
    fprintf(out, ", \"stops\": %" PRIu64 ", \"stop_state\": \"%s\", \"events\": [", row->stops,
            stat_state_name(row->stop_state));
    for (size_t n = 0; n < s->of->events; n++) {
        if (!record_in_row(s, row, n))
            continue;
        fprintf(out, "%s\n      { \"name\": ", comma);
        cli_json_string(out, s->of->event[n].name);
        fputs(", ", out);
        cli_json_count(out, "value", row->count[n].value);
        fprintf(out, ", \"state\": \"%s\" }", stat_state_name(row->count[n].state));
        comma = ",";
    }
    fputs("] }", out);
}

void record_json_row(struct record_sheet *s, const struct record_row *row)
{
    FILE *line = s->of->lines ? cli_line_item(s->of->lines, s->out, "row") : NULL;

    if (line) {
        json_row(line, s, row);
        cli_line_close(s->of->lines);
    } else if (!s->of->lines) {
        fputs(s->rows ? ",\n    " : "\n    ", s->out);
        json_row(s->out, s, row);
    }
}

static void json_totals(FILE *out, const struct record_sheet *s, const struct stat_result *r)
{
    fputs(",\n  ", out);
    cli_json_count(out, "packets", s->packets);
    fputs(",\n  ", out);
    cli_json_count(out, "bytes", s->bytes);
    fputs(",\n  ", out);
    cli_json_count(out, "first_cycle", r->first);
    fputs(",\n  ", out);
    cli_json_count(out, "cycles", r->cycles);
}

static void json_sum(FILE *out, const struct record_sheet *s, const struct stat_result *r, size_t n)
{
    const struct stat_event *e = &s->of->event[n];

    fputs("{ \"name\": ", out);
    cli_json_string(out, e->name);
    fputs(", ", out);
    cli_json_count(out, "value", e->value);
    fprintf(out, ", \"state\": \"%s\"", stat_state_name(e->state));
    if (s->o->clock_hz > 0 && r->cycles > 0)
        fprintf(out, ", \"per_second\": %.15g",
                (double)e->value * s->o->clock_hz / (double)r->cycles);
    fputs(" }", out);
}

static void end_lines(struct record_sheet *s, const struct stat_result *r)
{
    struct cli_lines *lines = s->of->lines;
    FILE *line;

    for (size_t n = 0; n < s->of->events; n++) {
        if (!(line = cli_line_item(lines, s->out, "sum")))
            continue;
        json_sum(line, s, r, n);
        cli_line_close(lines);
    }
    if (!(line = cli_line_end(lines, s->out, r->partial)))
        return;
    json_totals(line, s, r);
    fputs(", ", line);
    cli_json_warnings(line);
    cli_line_close(lines);
}

void record_json_end(struct record_sheet *s, const struct stat_result *r)
{
    FILE *const out = s->out;

    if (s->of->lines) {
        end_lines(s, r);
        return;
    }
    fprintf(out, "%s],\n  \"partial\": %s", s->rows ? "\n  " : "", r->partial ? "true" : "false");
    json_totals(out, s, r);
    fputs(",\n  \"sums\": [", out);
    for (size_t n = 0; n < s->of->events; n++) {
        fputs(n ? ",\n    " : "\n    ", out);
        json_sum(out, s, r, n);
    }
    fputs(s->of->events ? "\n  ],\n  " : "],\n  ", out);
    cli_json_warnings(out);
    fputs("\n}\n", out);
}
