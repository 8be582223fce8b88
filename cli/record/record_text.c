/* SPDX-License-Identifier: MIT */
/*
 * Prints the report of `pcounter record` for people: a row of columns like `stat -I`, or a line for
 * each event where the row is too wide.
 */
#include "record.h"
#include "stat/stat_report.h"

#include <string.h>

#include "text/warnings.h"

enum { NO_TERMINAL = 160, TIME = 13, CYCLE = 11, LENGTH = 7, STOPS = 5, COUNT = 6, DOMAIN = 6 };

/* Times are whole numbers of the waveform's units, so they are told with all their digits. */
static void choose_unit(struct record_sheet *s)
{
    int e = 0;

    s->has_time = s->times ? s->times->known : s->o->clock_hz > 0;
    s->unit = "s";
    s->exponent = 0;
    s->decimals = 9;
    if (!s->has_time || !s->times || !s->times->unit.decimal)
        return;
    while (e > PC_TIME_UNIT_LEAST && e > s->times->unit.exponent)
        e -= 3;
    s->unit = pc_time_unit(e);
    s->exponent = e;
    s->decimals = cli_larger(0, s->exponent - s->times->unit.exponent);
}

static int width_of(const struct record_sheet *s, size_t n)
{
    return cli_larger((int)cli_columns(s->of->event[n].name), COUNT);
}

static bool has_several(const struct record_sheet *s)
{
    return (s->domains & (s->domains - 1)) != 0;
}

static void title(struct record_sheet *s)
{
    if (s->o->decode) {
        fputs("Packets of ", s->page);
        cli_print_name(s->page, cli_input_label(s->of->path));
        fprintf(s->page, ": %s", s->o->is_short ? "SHORT" : "LONG");
        if (s->o->program) {
            fputs(", inputs of ", s->page);
            cli_print_name(s->page, s->o->program);
        }
    } else {
        const struct stat_view view = { .root = rep_kept(s->rep) };
        if (view.root) /* else there was no memory, which the end says */
            stat_text_title(s->page, &view);
        fputs(", periods end with ", s->page);
        cli_print_name(s->page, s->o->stop.text);
    }
    fputs("\n\n", s->page);
}

static int width_of_place(const struct record_sheet *s)
{
    return 2 + CYCLE + 2 + LENGTH + 2 + STOPS + (s->has_time ? TIME + 2 : 0);
}

static bool has_domain(const struct record_sheet *s)
{
    return s->o->packets && has_several(s);
}

static void add_column(struct record_sheet *s, const char *head, int width)
{
    cli_table_column(s->table, &(struct cli_column){ .head = head, .width = width });
}

static void add_place(struct record_sheet *s)
{
    char time[24];

    snprintf(time, sizeof time, "time, %s", s->unit);
    if (s->has_time)
        cli_table_column(s->table,
                         &(struct cli_column){ .head = s->unit, .named = time, .width = TIME });
    add_column(s, "first cycle", CYCLE);
    add_column(s, "cycles", LENGTH);
    if (has_domain(s))
        add_column(s, "domain", DOMAIN);
    add_column(s, "STOP", STOPS);
}

void record_text_begin(struct record_sheet *s)
{
    static const struct cli_column event = { .head = "event", .gap = 3, .left = true };
    int all = 0;

    choose_unit(s);
    all = width_of_place(s);
    for (size_t n = 0; n < s->of->events; n++)
        all += 2 + width_of(s, n);
    /* packets of several domains have other events each */
    s->lines = all > cli_terminal_width(s->page, NO_TERMINAL) || has_domain(s);
    title(s);
    s->table =
        cli_table_open(s->page, &(struct cli_look){ .indent = 2, .gap = 2, .streams = true });
    add_place(s);
    for (size_t n = 0; n < s->of->events && !s->lines; n++)
        add_column(s, s->of->event[n].name, width_of(s, n));
    if (s->lines) {
        add_column(s, "count", COUNT);
        cli_table_column(s->table, &event);
    }
    cli_table_head(s->table);
}

/* --- rows --- */

static void place(struct record_sheet *s, const struct record_row *row)
{
    struct stat_interval when = row->when;
    char time[STAT_TIME_TEXT] = "";

    if (s->has_time && s->times && s->times->unit.decimal) {
        when.at = (struct stat_long_time){ { row->ticks, 0 }, s->times->unit.exponent, 0 };
        stat_time_in(&when, s->exponent, s->decimals, time);
    } else if (s->has_time) {
        snprintf(time, sizeof time, "%.*f", s->decimals, when.time);
    }
    if (s->has_time)
        cli_cell(s->table, when.timed ? time : "-");
    cli_cell_count(s->table, when.first);
    cli_cell_count(s->table, when.cycles);
    if (has_domain(s))
        cli_cell_count(s->table, row->domain);
    cli_cell_marked(s->table, row->kind == RECORD_REST ? "none" : cli_grouped(row->stops),
                    stat_mark(row->stop_state));
    s->seen[row->stop_state] = true;
}

static void cell(struct record_sheet *s, const struct record_row *row, size_t n)
{
    const enum stat_state state = row->count[n].state;

    cli_cell_marked(s->table, cli_grouped(row->count[n].value), stat_mark(state));
    s->seen[state] = true;
}

void record_text_row(struct record_sheet *s, const struct record_row *row)
{
    if (!s->lines || s->of->events == 0) {
        place(s, row);
        for (size_t n = 0; n < s->of->events; n++)
            cell(s, row, n);
        cli_row_end(s->table);
        return;
    }
    for (size_t n = 0; n < s->of->events; n++) {
        if (!record_in_row(s, row, n))
            continue;
        place(s, row);
        cell(s, row, n);
        cli_cell(s->table, s->of->event[n].name);
        cli_row_end(s->table);
    }
}

static void explain_marks(struct record_sheet *s)
{
    if (s->has_rest)
        fprintf(s->page, "\nnone: after the last STOP, %s\n",
                s->o->decode ? "in packets that counters at 0xf000 sent" : "in no packet with one");
    if (s->seen[STAT_TAINTED])
        fputs("\n* tainted: unknown inputs matter in some of these cycles, or to STOP\n", s->page);
    if (s->seen[STAT_SATURATED])
        fputs("\n+ saturated: the counter was at its end\n", s->page);
}

/* Prints how often each event was in a second, of all rows. */
static int rates(struct record_sheet *s, const struct stat_result *r)
{
    static const struct cli_column column[] = { { .named = "in a second", .width = 15 },
                                                { .named = "event", .left = true } };
    const double seconds = (double)r->cycles / s->o->clock_hz;
    struct cli_table *t = cli_table_open(
        s->page, &(struct cli_look){ .indent = 2, .gap = 2, .streams = true, .bare = true });

    fprintf(s->page, "\nin a second of %.15g cycles\n\n", s->o->clock_hz);
    cli_table_columns(t, column, 2);
    cli_table_head(t);
    for (size_t n = 0; n < s->of->events; n++) {
        cli_cell_print(t, "%.1f", (double)s->of->event[n].value / seconds);
        cli_cell(t, s->of->event[n].name);
        cli_row_end(t);
    }
    return cli_table_close(t);
}

void record_text_end(struct record_sheet *s, const struct stat_result *result)
{
    const struct stat_view view = { .root = rep_kept(s->rep),
                                    .reports = s->reports,
                                    .counts = "sums" };

    const int ended = cli_table_close(s->table);

    s->table = NULL;
    explain_marks(s);
    fprintf(s->page, "\n%s, ", cli_count(s->packets, "packet"));
    fprintf(s->page, "%s, all", cli_count(s->bytes, "byte"));
    int code = view.root ? stat_text_rest(s->page, &view) : cli_no_memory();
    code = code ? code : ended;
    if (code == CLI_OK && s->o->clock_hz > 0 && result->cycles > 0)
        code = rates(s, result);
    if (code == CLI_OK)
        code = record_spread_print(s);
    if (code == CLI_OK && s->o->spark)
        code = record_spark_print(s);
    cli_text_warnings(s->page);
    s->code = s->code ? s->code : code;
}
