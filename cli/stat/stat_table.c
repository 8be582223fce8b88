/* SPDX-License-Identifier: MIT */
/*
 * Prints each interval of `pcounter stat -I` for people, as soon as it ends: a row with a column
 * for each event, or a line for each event where the row is too wide.
 */
#include "stat_report.h"
#include "text/cells.h"
#include "text/table.h"
#include "text/ten.h"

#include <stdlib.h>
#include <string.h>

enum { NO_TERMINAL = 132, METRIC = 12 }; /* columns */

struct stat_table {
    FILE *out;
    const struct stat_job *j;
    const struct stat_plan *plan;
    const struct stat_timeline *t;
    bool lines;                     /* a line for each event instead of a column */
    int cycle, time, length, count; /* widths; time: 0 if there is none */
    const char *unit;               /* of the column of times */
    int exponent;                   /* it is 10^this seconds */
    double per_second;              /* of that unit */
    int decimals;
    struct cli_table *table;
    bool begun;
    bool seen[STAT_LOST + 1]; /* states that have one */
};

/* --- columns of text --- */

/*
 * Times are told in the unit of -I, or in that of the waveform; all of their digits if they end.
 * An interval of less than one of its unit, of which six decimals do not tell all digits, has a
 * smaller unit: of -I 0.0000001s most rows would be at 0.000000.
 */
static void choose_unit(struct stat_table *w)
{
    const struct cli_span *span = &w->j->o->interval;
    const double tick = w->t->unit;
    int e = 0;

    if (!span->in_cycles)
        while (e > PC_TIME_UNIT_LEAST &&
               (span->exponent + span->decimals < e ||
                (tick < 0.999e-6 * cli_times_ten_to(1, e) &&
                 cli_times_ten_to((double)span->number, span->exponent - e) < 1)))
            e -= 3;
    else
        while (e > PC_TIME_UNIT_LEAST && tick < 0.999 * cli_times_ten_to(1, e))
            e -= 3;
    w->unit = pc_time_unit(e);
    w->exponent = e;
    w->per_second = 1 / cli_times_ten_to(1, e);
    w->decimals = 0;
    for (double left = tick * w->per_second; left < 0.999 && w->decimals < 6; left *= 10)
        w->decimals++;
}

static int width_of_event(const struct stat_table *w, size_t n)
{
    return cli_larger((int)cli_columns(w->j->event[n].name), w->count);
}

static int width_of_metric(const struct stat_table *w, size_t i)
{
    return cli_larger((int)cli_columns(w->j->metrics.metric[i].info.name), METRIC);
}

static int width_of_figure(const struct stat_table *w, const struct stat_column *c)
{
    return cli_larger((int)cli_columns(c->name), w->count);
}

static void find_widths(struct stat_table *w)
{
    const struct stat_job *j = w->j;
    const uint64_t longest = j->o->interval.in_cycles ? j->o->interval.number : 0;
    const uint64_t end = j->window.end;
    struct stat_column c;
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
    for (size_t n = 0; n < j->events; n++)
        if (j->event[n].origin == n)
            all += 2 + width_of_event(w, n);
    for (size_t i = 0; i < j->metrics.count; i++)
        all += 2 + width_of_metric(w, i);
    for (size_t i = 0; stat_measure_column(&j->measures, i, &c); i++)
        all += 2 + width_of_figure(w, &c);
    w->lines = all > cli_terminal_width(w->out, NO_TERMINAL);
    if (w->lines && j->metrics.count)
        w->count = cli_larger(w->count, METRIC);
}

static void add_column(struct stat_table *w, const char *head, int width)
{
    cli_table_column(w->table, &(struct cli_column){ .head = head, .width = width });
}

static void add_columns(struct stat_table *w)
{
    static const struct cli_column event = { .head = "event", .gap = 3, .left = true };
    const struct stat_job *j = w->j;
    struct stat_column c;
    char time[24];

    w->begun = true;
    w->table = cli_table_open(w->out, &(struct cli_look){ .indent = 2, .gap = 2, .streams = true });
    snprintf(time, sizeof time, "time, %s", w->time ? w->unit : "");
    if (w->time)
        cli_table_column(w->table,
                         &(struct cli_column){ .head = w->unit, .named = time, .width = w->time });
    add_column(w, "first cycle", w->cycle);
    add_column(w, "cycles", w->length);
    if (w->lines) {
        add_column(w, "count", w->count);
        cli_table_column(w->table, &event);
        return;
    }
    for (size_t n = 0; n < j->events; n++)
        if (j->event[n].origin == n)
            add_column(w, j->event[n].name, width_of_event(w, n));
    for (size_t i = 0; i < j->metrics.count; i++)
        add_column(w, j->metrics.metric[i].info.name, width_of_metric(w, i));
    for (size_t i = 0; stat_measure_column(&j->measures, i, &c); i++)
        add_column(w, c.name, width_of_figure(w, &c));
}

void stat_table_begin(struct stat_table *w, const struct rep_tree *root)
{
    const struct stat_view view = { .root = root };
    const struct stat_job *j = w->j;

    find_widths(w);
    if (root) /* else there was no memory, which the end says */
        stat_text_title(w->out, &view);
    fprintf(w->out, ", intervals of %s\n\n",
            j->o->interval.in_cycles ? cli_count(j->o->interval.number, "cycle")
                                     : j->o->interval.text);
    add_columns(w);
    cli_table_head(w->table);
}

/* --- rows of text --- */

static void place(struct stat_table *w, const struct stat_interval *i)
{
    char text[STAT_TIME_TEXT];

    if (w->time && i->at.tick.whole == 0) {
        cli_cell_print(w->table, "%.*f", w->decimals, i->time * w->per_second);
    } else if (w->time) {
        stat_time_in(i, w->exponent, w->decimals, text);
        cli_cell(w->table, text);
    }
    cli_cell_count(w->table, i->first);
    cli_cell_count(w->table, i->cycles);
}

static void cell(struct stat_table *w, const char *text, enum stat_state state)
{
    cli_cell_marked(w->table, text, stat_mark(state));
    w->seen[state] = true;
}

/* "95.62 %"; "-" where there is no number. */
static void metric_cell(struct stat_table *w, size_t i, const struct stat_result *r)
{
    struct pc_metric_value v;
    char text[CLI_QUANTITY] = "-";

    stat_metric_value(w->j, w->plan, r, i, false, &v);
    if (v.state != PC_VALUE_UNMEASURED)
        stat_metric_number(&v, &w->j->metrics.metric[i].info, text);
    cell(w, text,
         v.state == PC_VALUE_TAINTED     ? STAT_TAINTED
         : v.state == PC_VALUE_SATURATED ? STAT_SATURATED
         : v.state == PC_VALUE_LOST      ? STAT_LOST
                                         : STAT_EXACT);
}

static void figure_cell(struct stat_table *w, const struct stat_column *c)
{
    char text[CLI_QUANTITY];

    stat_figure_text(&c->f, text);
    cell(w, text, c->f.known && stat_measure_tainted(c->of) ? STAT_TAINTED : STAT_EXACT);
}

static void add_cells(struct stat_table *w, const struct stat_result *r)
{
    const struct stat_job *j = w->j;
    struct stat_column c;

    place(w, r->interval);
    for (size_t n = 0; n < j->events; n++)
        if (j->event[n].origin == n)
            cell(w, cli_grouped(j->event[n].value), j->event[n].state);
    for (size_t i = 0; i < j->metrics.count; i++)
        metric_cell(w, i, r);
    for (size_t i = 0; stat_measure_column(&j->measures, i, &c); i++)
        figure_cell(w, &c);
    cli_row_end(w->table);
}

static void name_line(struct stat_table *w, const char *name)
{
    cli_cell(w->table, name);
    cli_row_end(w->table);
}

static void add_lines(struct stat_table *w, const struct stat_result *r)
{
    const struct stat_job *j = w->j;
    struct stat_column c;

    for (size_t n = 0; n < j->events; n++) {
        if (j->event[n].origin != n)
            continue;
        place(w, r->interval);
        cell(w, cli_grouped(j->event[n].value), j->event[n].state);
        name_line(w, j->event[n].name);
    }
    for (size_t i = 0; i < j->metrics.count; i++) {
        place(w, r->interval);
        metric_cell(w, i, r);
        name_line(w, j->metrics.metric[i].info.name);
    }
    for (size_t i = 0; stat_measure_column(&j->measures, i, &c); i++) {
        place(w, r->interval);
        figure_cell(w, &c);
        name_line(w, c.name);
    }
}

void stat_table_add(struct stat_table *w, const struct stat_result *r)
{
    if (r->interval->span > 1) {
        place(w, r->interval);
        cli_cell_rest(w->table, "%s without a cycle", cli_count(r->interval->span, "interval"));
        cli_row_end(w->table);
    } else if (w->lines) {
        add_lines(w, r);
    } else {
        add_cells(w, r);
    }
}

/* --- all of it --- */

struct stat_table *stat_table_open(FILE *out, const struct stat_job *j,
                                   const struct stat_plan *plan, const struct stat_timeline *t)
{
    struct stat_table *w = calloc(1, sizeof *w);

    if (w)
        *w = (struct stat_table){ .out = out, .j = j, .plan = plan, .t = t };
    return w;
}

int stat_table_close(struct stat_table *w)
{
    const int code = w && w->begun ? cli_table_close(w->table) : CLI_OK;

    free(w);
    return code;
}

void stat_table_end(struct stat_table *w)
{
    if (w->seen[STAT_TAINTED])
        fputs("\n* tainted: unknown inputs matter in some of these cycles", w->out);
    if (w->seen[STAT_SATURATED])
        fputs("\n+ saturated", w->out);
    if (w->seen[STAT_LOST])
        fputs("\n! lost", w->out);
    fprintf(w->out, "%s\nall %s", w->seen[STAT_TAINTED] ? "\n" : "",
            cli_count(w->t->number + 1, "interval"));
}
