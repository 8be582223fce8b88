/* SPDX-License-Identifier: MIT */
/*
 * Prints the report of `pcounter record` for people: a row of columns like `stat -I`, or a line for
 * each event where the row is too wide.
 */
#include "record.h"
#include "stat/stat_report.h"

#include <string.h>

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

void record_text_begin(struct record_sheet *s)
{
    int all = 2 + CYCLE + 2 + LENGTH + 2 + STOPS;

    choose_unit(s);
    s->cells = (struct cli_cells){ s->page, ' ' };
    all += s->has_time ? TIME + 2 : 0;
    for (size_t n = 0; n < s->of->events; n++)
        all += 2 + width_of(s, n);
    /* packets of several domains have other events each */
    s->lines = all > cli_terminal_width(s->page, NO_TERMINAL) || (s->o->packets && has_several(s));
    title(s);
    if (s->has_time)
        fprintf(s->page, "  %*s", TIME, s->unit);
    fprintf(s->page, "  %*s  %*s", CYCLE, "first cycle", LENGTH, "cycles");
    if (s->o->packets && has_several(s))
        fprintf(s->page, "  %*s", DOMAIN, "domain");
    fprintf(s->page, "  %*s", STOPS, "STOP");
    if (s->lines)
        fprintf(s->page, "  %*s   event", COUNT, "count");
    for (size_t n = 0; n < s->of->events && !s->lines; n++)
        cli_print_right(s->page, s->of->event[n].name, 2 + width_of(s, n));
    fputc('\n', s->page);
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
        fprintf(s->page, "  %*s", TIME, when.timed ? time : "-");
    fprintf(s->page, "  %*s  %*s", CYCLE, cli_grouped(when.first), LENGTH,
            cli_grouped(when.cycles));
    if (s->o->packets && has_several(s))
        fprintf(s->page, "  %*u", DOMAIN, row->domain);
    fprintf(s->page, "  %*s", STOPS, row->kind == RECORD_REST ? "none" : cli_grouped(row->stops));
    s->cells.mark = stat_mark(row->stop_state);
    s->seen[row->stop_state] = true;
}

/* A cell with room for its mark. */
static void cell(struct record_sheet *s, const struct record_row *row, size_t n, int width)
{
    const enum stat_state state = row->count[n].state;

    cli_cell(&s->cells, width, cli_grouped(row->count[n].value), stat_mark(state));
    s->seen[state] = true;
}

void record_text_row(struct record_sheet *s, const struct record_row *row)
{
    if (!s->lines || s->of->events == 0) {
        place(s, row);
        for (size_t n = 0; n < s->of->events; n++)
            cell(s, row, n, width_of(s, n));
        cli_cells_end(&s->cells);
        return;
    }
    for (size_t n = 0; n < s->of->events; n++) {
        if (!record_in_row(s, row, n))
            continue;
        place(s, row);
        cell(s, row, n, COUNT);
        cli_cell_name(&s->cells, s->of->event[n].name);
        cli_cells_end(&s->cells);
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

/* How often in a second, of all rows. */
static void rates(struct record_sheet *s, const struct stat_result *r)
{
    const double seconds = (double)r->cycles / s->o->clock_hz;

    fprintf(s->page, "\nin a second of %.15g cycles\n\n", s->o->clock_hz);
    for (size_t n = 0; n < s->of->events; n++) {
        fprintf(s->page, "  %15.1f  ", (double)s->of->event[n].value / seconds);
        cli_print_name(s->page, s->of->event[n].name);
        fputc('\n', s->page);
    }
}

void record_text_end(struct record_sheet *s, const struct stat_result *result)
{
    const struct stat_view view = { .root = rep_kept(s->rep), .reports = s->reports, .counts = "sums" };

    explain_marks(s);
    fprintf(s->page, "\n%s, ", cli_count(s->packets, "packet"));
    fprintf(s->page, "%s, all", cli_count(s->bytes, "byte"));
    const int code = view.root ? stat_text_rest(s->page, &view) : cli_no_memory();
    s->code = s->code ? s->code : code;
    if (s->o->clock_hz > 0 && result->cycles > 0)
        rates(s, result);
    record_spread_print(s);
    if (s->o->spark)
        record_spark_print(s);
}
