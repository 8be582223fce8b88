/* SPDX-License-Identifier: MIT */
/*
 * What pcounter stat -I prints of each interval, as soon as it is over: a row of text with a column
 * for each event, or where that is too wide a line for each; rows of CSV; an object of JSON;
 * or rows of a timeline, for viewers.
 */
#include "stat_interval.h"
#include "stat_tracks.h"
#include "text/cells.h"
#include "text/ten.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NO_TERMINAL = 132, METRIC = 12 }; /* columns */

struct stat_rows {
    FILE *out;
    const struct stat_options *o;
    const struct stat_plan *plan;
    const struct stat_timeline *t;
    bool begun, lines;              /* a line for each event instead of a column */
    int cycle, time, length, count; /* widths; time: 0 if there is none */
    const char *unit;               /* of the column of times */
    int exponent;                   /* it is 10^this seconds */
    double per_second;              /* of that unit */
    int decimals;
    uint64_t first_cycle, cycles; /* of the rows */
    struct cli_cells cells;
    bool seen[STAT_LOST + 1];   /* states that have one */
    struct stat_tracks *tracks; /* for a viewer instead */
};

/* --- columns of text --- */

/*
 * Times are told in the unit of -I, or in that of the waveform; all of their digits if they end.
 * An interval of less than one of its unit, of which six decimals do not tell all digits, has a
 * smaller unit: of -I 0.0000001s most rows would be at 0.000000.
 */
static void choose_unit(struct stat_rows *w)
{
    static const struct {
        const char *name;
        int exponent;
    } units[] = {
        { "s", 0 }, { "ms", -3 }, { "us", -6 }, { "ns", -9 }, { "ps", -12 }, { "fs", -15 }
    };
    const struct cli_span *span = &w->o->interval;
    const double tick = w->t->unit;
    size_t u = 0;

    if (!span->in_cycles)
        while (u < 5 &&
               (span->exponent + span->decimals < units[u].exponent ||
                (tick < 0.999e-6 * cli_times_ten_to(1, units[u].exponent) &&
                 cli_times_ten_to((double)span->number, span->exponent - units[u].exponent) < 1)))
            u++;
    else
        while (u < 5 && tick < 0.999 * cli_times_ten_to(1, units[u].exponent))
            u++;
    w->unit = units[u].name;
    w->exponent = units[u].exponent;
    w->per_second = 1 / cli_times_ten_to(1, units[u].exponent);
    w->decimals = 0;
    for (double left = tick * w->per_second; left < 0.999 && w->decimals < 6; left *= 10)
        w->decimals++;
}

static int width_of_event(const struct stat_rows *w, size_t n)
{
    return cli_larger((int)cli_columns(w->o->event[n].name), w->count);
}

static int width_of_metric(const struct stat_rows *w, size_t i)
{
    return cli_larger((int)cli_columns(w->o->metrics.metric[i].info.name), METRIC);
}

static void find_widths(struct stat_rows *w)
{
    const struct stat_options *o = w->o;
    const uint64_t longest = o->interval.in_cycles ? o->interval.number : 0;
    const uint64_t end = o->window.end;
    int all;

    w->count = cli_larger(
        5, longest > 0 && longest < 1000000000000 ? (int)strlen(cli_grouped(longest)) : 9);
    w->length = cli_larger(6, w->count);
    w->cycle = cli_larger(11, end < UINT64_MAX ? (int)strlen(cli_grouped(end)) : 0);
    if (w->t->unit > 0) {
        choose_unit(w);
        w->time = 11;
    }
    all = 2 + w->cycle + 2 + w->length + (w->time ? w->time + 2 : 0);
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].origin == n)
            all += 2 + width_of_event(w, n);
    for (size_t i = 0; i < o->metrics.count; i++)
        all += 2 + width_of_metric(w, i);
    w->lines = all > cli_terminal_width(w->out, NO_TERMINAL);
    if (w->lines && o->metrics.count)
        w->count = cli_larger(w->count, METRIC);
}

static void begin_text(struct stat_rows *w)
{
    const struct stat_options *o = w->o;

    find_widths(w);
    stat_text_title(w->out, o, w->plan);
    fprintf(w->out, ", intervals of %s\n\n",
            o->interval.in_cycles ? cli_count(o->interval.number, "cycle") : o->interval.text);
    if (w->time)
        fprintf(w->out, "  %*s", w->time, w->unit);
    fprintf(w->out, "  %*s  %*s", w->cycle, "first cycle", w->length, "cycles");
    if (w->lines)
        fprintf(w->out, "  %*s   event", w->count, "count");
    for (size_t n = 0; n < o->events && !w->lines; n++)
        if (o->event[n].origin == n)
            cli_print_right(w->out, o->event[n].name, 2 + width_of_event(w, n));
    for (size_t i = 0; i < o->metrics.count && !w->lines; i++)
        cli_print_right(w->out, o->metrics.metric[i].info.name, 2 + width_of_metric(w, i));
    fputc('\n', w->out);
}

/* --- rows of text --- */

static void place(struct stat_rows *w, const struct stat_interval *i)
{
    char text[STAT_TIME_TEXT];

    if (w->time && i->at.tick.whole == 0) {
        fprintf(w->out, "  %*.*f", w->time, w->decimals, i->time * w->per_second);
    } else if (w->time) {
        stat_time_in(i, w->exponent, w->decimals, text);
        fprintf(w->out, "  %*s", w->time, text);
    }
    fprintf(w->out, "  %*s  %*s", w->cycle, cli_grouped(i->first), w->length,
            cli_grouped(i->cycles));
}

/* A cell with room for its mark. */
static void cell(struct stat_rows *w, int width, const char *text, enum stat_state state)
{
    cli_cell(&w->cells, width, text, stat_mark(state));
    w->seen[state] = true;
}

/* "95.62 %"; "-" where there is no number. */
static void metric_cell(struct stat_rows *w, int width, size_t i, const struct stat_result *r)
{
    struct pc_metric_value v;
    char text[CLI_QUANTITY] = "-";

    stat_metric_value(w->o, w->plan, r, i, false, &v);
    if (v.state != PC_VALUE_UNMEASURED)
        stat_metric_number(&v, &w->o->metrics.metric[i].info, text);
    cell(w, width, text,
         v.state == PC_VALUE_TAINTED     ? STAT_TAINTED
         : v.state == PC_VALUE_SATURATED ? STAT_SATURATED
         : v.state == PC_VALUE_LOST      ? STAT_LOST
                                         : STAT_EXACT);
}

static void add_columns(struct stat_rows *w, const struct stat_result *r)
{
    const struct stat_options *o = w->o;

    place(w, r->interval);
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].origin == n)
            cell(w, width_of_event(w, n), cli_grouped(o->event[n].value), o->event[n].state);
    for (size_t i = 0; i < o->metrics.count; i++)
        metric_cell(w, width_of_metric(w, i), i, r);
    cli_cells_end(&w->cells);
}

static void name_line(struct stat_rows *w, const char *name)
{
    cli_cell_name(&w->cells, name);
    cli_cells_end(&w->cells);
}

static void add_lines(struct stat_rows *w, const struct stat_result *r)
{
    const struct stat_options *o = w->o;

    for (size_t n = 0; n < o->events; n++) {
        if (o->event[n].origin != n)
            continue;
        place(w, r->interval);
        cell(w, w->count, cli_grouped(o->event[n].value), o->event[n].state);
        name_line(w, o->event[n].name);
    }
    for (size_t i = 0; i < o->metrics.count; i++) {
        place(w, r->interval);
        metric_cell(w, w->count, i, r);
        name_line(w, o->metrics.metric[i].info.name);
    }
}

static void add_text(struct stat_rows *w, const struct stat_result *r)
{
    if (r->interval->span > 1) {
        place(w, r->interval);
        fprintf(w->out, "  %s without a cycle\n", cli_count(r->interval->span, "interval"));
    } else if (w->lines) {
        add_lines(w, r);
    } else {
        add_columns(w, r);
    }
}

/* --- JSON --- */

static void json_events(FILE *out, const struct stat_options *o)
{
    const char *comma = "";

    fputs(", \"events\": [", out);
    for (size_t n = 0; n < o->events; n++) {
        const struct stat_event *e = &o->event[n];
        if (e->origin != n)
            continue;
        fprintf(out, "%s\n      { \"name\": ", comma);
        cli_json_string(out, e->name);
        fputs(", ", out);
        cli_json_count(out, "value", e->value);
        fprintf(out, ", \"state\": \"%s\", ", stat_state_name(e->state));
        cli_json_count(out, "tainted_cycles", e->tainted);
        fputs(" }", out);
        comma = ",";
    }
    fputc(']', out);
}

static void json_metrics(FILE *out, const struct stat_rows *w, const struct stat_result *r)
{
    struct pc_metric_value v;

    if (w->o->metrics.count == 0)
        return;
    fputs(", \"metrics\": [", out);
    for (size_t i = 0; i < w->o->metrics.count; i++) {
        stat_metric_value(w->o, w->plan, r, i, false, &v);
        fprintf(out, "%s\n      { \"name\": \"%s\", ", i ? "," : "",
                w->o->metrics.metric[i].info.name);
        stat_json_number(out, "value", &v, &w->o->metrics.metric[i].info);
        fprintf(out, ", \"state\": \"%s\" }", pc_value_state_name(v.state));
    }
    fputc(']', out);
}

static void json_interval(FILE *out, const struct stat_rows *w, const struct stat_result *r)
{
    const struct stat_interval *i = r->interval;
    char time[STAT_TIME_TEXT] = "null", seconds[STAT_TIME_TEXT] = "null";

    if (i->timed)
        stat_time_text(i, time);
    if (i->timed && i->seconds > 0)
        snprintf(seconds, sizeof seconds, "%.15g", i->seconds);
    fprintf(out, "{ \"interval\": %" PRIu64 ", \"intervals\": %" PRIu64 ", ", i->number, i->span);
    cli_json_count(out, "first_cycle", i->first);
    fputs(", ", out);
    cli_json_count(out, "cycles", i->cycles);
    fprintf(out, ", \"time\": %s, \"seconds\": %s, \"partial\": %s", time, seconds,
            i->partial ? "true" : "false");
    json_events(out, w->o);
    json_metrics(out, w, r);
    fputs(" }", out);
}

static void add_json(struct stat_rows *w, const struct stat_result *r)
{
    FILE *line = w->o->lines ? cli_line_item(w->o->lines, w->out, "interval") : NULL;

    if (line) {
        json_interval(line, w, r);
        cli_line_close(w->o->lines);
    } else if (!w->o->lines) {
        fputs(w->begun ? ",\n    " : "\n    ", w->out);
        json_interval(w->out, w, r);
    }
}

static void begin_json(struct stat_rows *w)
{
    if (w->o->lines) {
        stat_lines_begin(w->out, w->o, w->plan);
        return;
    }
    stat_json_header(w->out, w->o, w->plan);
    fputs(",\n  \"interval\": ", w->out);
    cli_json_string(w->out, w->o->interval.text);
    fputs(",\n  \"intervals\": [", w->out);
}

/* --- all formats --- */

struct stat_rows *stat_rows_open(FILE *out, const struct stat_options *o,
                                 const struct stat_plan *plan, const struct stat_timeline *t)
{
    struct stat_rows *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    *w = (struct stat_rows){ .out = out, .o = o, .plan = plan, .t = t, .cells = { out, ' ' } };
    if (o->timeline)
        w->tracks = stat_tracks_open(out, o, plan, t);
    if (o->timeline && !w->tracks) {
        free(w);
        return NULL;
    }
    return w;
}

static void begin(struct stat_rows *w)
{
    if (w->begun || w->tracks)
        return;
    if (w->o->format == CLI_TEXT)
        begin_text(w);
    else if (w->o->format == CLI_CSV)
        stat_csv_header(w->out, w->o);
    else
        begin_json(w);
}

void stat_rows_add(struct stat_rows *w, const struct stat_interval *interval)
{
    const struct stat_result r = { .cycles = interval->cycles,
                                   .first = interval->first,
                                   .seconds = interval->seconds - interval->off,
                                   .partial = interval->partial,
                                   .interval = interval };

    begin(w);
    if (w->tracks)
        stat_tracks_add(w->tracks, &r);
    else if (w->o->format == CLI_TEXT)
        add_text(w, &r);
    else if (w->o->format == CLI_CSV)
        stat_csv_rows(w->out, w->o, w->plan, &r);
    else
        add_json(w, &r);
    if (!w->begun)
        w->first_cycle = interval->first;
    w->cycles += interval->cycles;
    w->begun = true;
}

static void end_text(struct stat_rows *w, const struct stat_result *r)
{
    if (w->seen[STAT_TAINTED])
        fputs("\n* tainted: unknown inputs matter in some of these cycles", w->out);
    if (w->seen[STAT_SATURATED])
        fputs("\n+ saturated", w->out);
    if (w->seen[STAT_LOST])
        fputs("\n! lost", w->out);
    fprintf(w->out, "%s\nall %s", w->seen[STAT_TAINTED] ? "\n" : "",
            cli_count(w->t->number + 1, "interval"));
    stat_text_rest(w->out, w->o, w->plan, r);
}

/* Behind rows of CSV stands nothing: one without a cycle says that there are no others. */
static void leave_mark(struct stat_rows *w, const struct stat_result *r)
{
    const struct stat_interval none = { .span = 1, .first = r->first, .partial = true };

    stat_rows_add(w, &none);
}

void stat_rows_end(struct stat_rows *w, const struct stat_result *r)
{
    begin(w);
    if (w->tracks) {
        stat_tracks_end(w->tracks, r);
    } else if (w->o->format == CLI_TEXT) {
        end_text(w, r);
    } else if (w->o->format == CLI_CSV) {
        if (r->partial && !w->begun)
            leave_mark(w, r);
        stat_expect_csv(w->out, w->o, w->plan, r);
        stat_csv_warnings(w->out, w->o);
    } else if (w->o->lines) {
        stat_lines_rest(w->out, w->o, w->plan, r);
    } else {
        fputs(w->begun ? "\n  ]" : "]", w->out);
        stat_json_rest(w->out, w->o, w->plan, r);
    }
    if (w->t->merged)
        cli_note(303,
                 "%s: the clock stops for long: rows of more than %d intervals without a cycle "
                 "that follow each other are one",
                 w->o->path, STAT_EMPTY_ROWS);
}

void stat_rows_cut(struct stat_rows *w)
{
    const struct stat_result r = { .cycles = w->cycles, .first = w->first_cycle, .partial = true };

    if (w->begun && w->o->format == CLI_JSON)
        stat_rows_end(w, &r);
}

void stat_rows_close(struct stat_rows *w)
{
    if (w)
        stat_tracks_close(w->tracks);
    free(w);
}
