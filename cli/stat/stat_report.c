/* SPDX-License-Identifier: MIT */
/*
 * What pcounter stat prints: text as `perf stat` has it, CSV (RFC 4180) with the same
 * columns in every run, JSON ("pcounter-stat-1") with 64-bit values as strings, and as
 * numbers where no reader of JSON can lose digits.
 */
#include "stat_interval.h"
#include "text/warnings.h"

#include <inttypes.h>
#include <string.h>

/* --- text --- */

static int digits(uint64_t value)
{
    return (int)strlen(cli_grouped(value));
}

static double percent(uint64_t value, uint64_t cycles)
{
    return cycles ? 100.0 * (double)value / (double)cycles : 0.0;
}

/* "   in turns 4,824 (-0.31 %)" */
static void text_estimate(FILE *out, const struct stat_options *o, const struct stat_event *e,
                          const struct stat_plan *plan, const struct stat_result *r)
{
    uint64_t value;
    double percent;

    if (!stat_estimate(o, e, plan, r, &value))
        fputs("  in turns: not measured", out);
    else if (stat_deviation((double)value, (double)e->popcount, &percent))
        fprintf(out, "  in turns %s (%+.2f %%)", cli_grouped(value), percent);
}

static void text_line(FILE *out, int width, int name_width, const struct stat_options *o,
                      const struct stat_plan *plan, const struct stat_event *e,
                      const struct stat_result *r)
{
    fprintf(out, "  %*s  ", width, cli_grouped(e->value));
    cli_print_padded(out, e->name, (size_t)name_width);
    fprintf(out, "  # %6.2f %% of cycles", percent(e->value, r->cycles));
    if (e->state == STAT_TAINTED)
        fprintf(out, "  tainted: unknown inputs matter in %s %s", cli_grouped(e->tainted),
                e->tainted == 1 ? "cycle" : "cycles");
    else if (e->state != STAT_EXACT)
        fprintf(out, "  %s", stat_state_name(e->state));
    if (o->multiplex)
        text_estimate(out, o, e, plan, r);
    fputc('\n', out);
}

void stat_metric_number(const struct pc_metric_value *v, const struct pc_metric *m,
                        char out[CLI_QUANTITY])
{
    if (v->state == PC_VALUE_UNMEASURED)
        snprintf(out, CLI_QUANTITY, "not measured");
    else
        cli_metric_quantity(m, v->value, out);
}

static void text_metric(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                        const struct stat_result *r, size_t i, const int width[2])
{
    const struct pc_metric *m = &o->metrics.metric[i].info;
    struct pc_metric_value v, turns;
    char number[CLI_QUANTITY];
    double percent;

    stat_metric_value(o, plan, r, i, false, &v);
    stat_metric_number(&v, m, number);
    fprintf(out, "  %*s  %-*s  = ", width[0], number, width[1], m->name);
    cli_print_name(out, m->formula);
    if (v.state != PC_VALUE_EXACT) {
        fprintf(out, "  %s: ", pc_value_state_name(v.state));
        cli_print_name(out, v.why);
    }
    if (o->multiplex) {
        stat_metric_value(o, plan, r, i, true, &turns);
        stat_metric_number(&turns, m, number);
        fprintf(out, "  in turns%s %s", turns.state == PC_VALUE_UNMEASURED ? ":" : "", number);
        if (turns.state != PC_VALUE_UNMEASURED && v.state != PC_VALUE_UNMEASURED &&
            stat_deviation(turns.value, v.value, &percent))
            fprintf(out, " (%+.2f %%)", percent);
    }
    fputc('\n', out);
}

static void text_metrics(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                         const struct stat_result *r)
{
    int width[2] = { 0, 0 };

    for (size_t i = 0; i < o->metrics.count; i++) {
        const struct pc_metric *m = &o->metrics.metric[i].info;
        struct pc_metric_value v;
        char number[CLI_QUANTITY];
        stat_metric_value(o, plan, r, i, false, &v);
        stat_metric_number(&v, m, number);
        int n = (int)strlen(number), k = (int)strlen(m->name);
        width[0] = n > width[0] ? n : width[0];
        width[1] = k > width[1] && k <= 40 ? k : width[1];
    }
    if (o->metrics.count)
        fputc('\n', out);
    for (size_t i = 0; i < o->metrics.count; i++)
        text_metric(out, o, plan, r, i, width);
}

/* "posedge " where the command line says "top.clk" alone. */
static const char *edge_prefix(const struct stat_options *o)
{
    size_t blanks = strspn(o->clock, " \t");

    if (o->edge != PC_EDGE_POS || strncmp(o->clock + blanks, "posedge", 7) == 0)
        return "";
    return "posedge ";
}

/* What --from and --to have left. */
static void text_window(FILE *out, const struct stat_options *o, const struct stat_result *r)
{
    const struct cli_window *w = &o->window;

    if (!cli_window_given(w))
        return;
    fputs("window", out);
    if (w->from.text)
        fprintf(out, " from %s", w->from.text);
    if (w->to.text)
        fprintf(out, " to %s", w->to.text);
    if (r->cycles > 0)
        fprintf(out, ": cycles %s to %s", cli_grouped(r->first),
                cli_grouped(r->first + r->cycles - 1));
    fputc('\n', out);
}

/* "Counts of dump.vcd at posedge top.clk", and what is not as usual. */
static void counts_title(FILE *out, const struct stat_options *o)
{
    fputs("Counts of ", out);
    cli_print_name(out, o->path);
    fprintf(out, " at %s", o->edge == PC_EDGE_EVERY ? "each " : edge_prefix(o));
    cli_print_name(out, o->clock);
    if (o->sample && o->post_edge)
        fputs(", sampled after the edge", out);
    if (o->x == OPT_X_ZERO || o->x == OPT_X_ONE)
        fprintf(out, ", unknown values taken as %d", o->x == OPT_X_ONE);
}

void stat_text_title(FILE *out, const struct stat_options *o, const struct stat_plan *plan)
{
    if (!o->chip) {
        counts_title(out, o);
        return;
    }
    fputs("Counters of ", out);
    cli_print_name(out, o->path);
    fprintf(out, ": %s, ", o->chip->name);
    if (plan->passes > 0)
        fprintf(out, "%s, ", cli_count(plan->passes, "pass"));
    fprintf(out, "%s %s, unknown values: %s\nclock %s", stat_sampling(o),
            o->edge == PC_EDGE_EVERY ? "sample" : "samples", stat_x_name(o), edge_prefix(o));
    cli_print_name(out, o->clock);
}

void stat_text_rest(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                    const struct stat_result *r)
{
    int width = digits(r->cycles), name_width = 6;

    fprintf(out, ": %s%s\n", cli_count(r->cycles, "cycle"), r->partial ? ", partial" : "");
    text_window(out, o, r);
    fputc('\n', out);
    for (size_t n = 0; n < o->events; n++) {
        int m = (int)cli_columns(o->event[n].name);
        name_width = m > name_width && m <= 40 ? m : name_width;
    }
    fprintf(out, "  %*s  cycles\n", width, cli_grouped(r->cycles));
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].origin == n)
            text_line(out, width, name_width, o, plan, &o->event[n], r);
    text_metrics(out, o, plan, r);
    if (o->multiplex && plan->passes > 0)
        fprintf(out,
                "\nin turns: %s, %s each before the next, scaled up; after it the true error\n",
                cli_count(plan->passes, "pass"), cli_count(o->slice, "cycle"));
    stat_expect_text(out, o, plan, r);
    if (o->explain)
        stat_explain_text(out, o, plan);
    if (r->partial)
        fputs("\npartial: interrupted before the end of the waveform\n", out);
    cli_text_warnings(out);
}

/* --- CSV --- */

void stat_csv_kind(FILE *out, const struct stat_options *o, enum stat_row kind,
                   const struct stat_event *e)
{
    static const char *const kinds[] = { "cycles",      "event",   "metric",
                                         "expectation", "warning", "error" };
    static const char *const slots[] = { "CYCLES", "", "METRIC", "EXPECT", "WARNING", "ERROR" };

    cli_csv_field(out, o->path);
    if (!o->chip)
        fprintf(out, ",%s,", kinds[kind]);
    else if (e)
        fprintf(out, ",%s,%u,%u,%s,", o->chip->name, e->pass + 1, e->domain,
                pc_input_name((enum pc_input_id)e->slot));
    else
        fprintf(out, ",%s,,,%s,", o->chip->name, slots[kind]);
}

/*
 * ",unit,multiplexed,error_percent,first_cycle", with -I ",interval,time,seconds", and the end of
 * the line; no numbers where there are none.  Without a chip no turns are taken.
 */
static void csv_rest(FILE *out, const struct stat_options *o, const struct stat_result *r,
                     const char *unit, bool has_packed_clock, double turns, bool has_error,
                     double percent)
{
    fprintf(out, ",%s,", unit);
    if (has_packed_clock)
        fprintf(out, "%.15g", turns);
    if (o->chip)
        fputc(',', out);
    if (has_packed_clock && has_error)
        fprintf(out, "%.6g", percent);
    fprintf(out, "%s%" PRIu64, o->chip ? "," : "", r->first);
    if (r->interval) {
        const struct stat_interval *i = r->interval;
        char time[STAT_TIME_TEXT] = "";
        if (i->timed)
            stat_time_text(i, time);
        fprintf(out, ",%" PRIu64 ",%s", i->number, time);
        fputc(',', out);
        if (i->timed && i->seconds > 0)
            fprintf(out, "%.15g", i->seconds);
    }
    cli_csv_end(out);
}

static void csv_event(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                      const struct stat_result *r, const struct stat_event *e)
{
    double percent = 0;
    uint64_t turns = 0;

    stat_csv_kind(out, o, STAT_ROW_EVENT, e);
    cli_csv_field(out, e->name);
    fprintf(out, ",%" PRIu64 ",%s,%" PRIu64 ",", e->value,
            r->partial ? "partial" : stat_state_name(e->state), r->cycles);
    cli_csv_field(out, e->text);
    bool has_packed_clock = o->multiplex && stat_estimate(o, e, plan, r, &turns);
    bool has_error = stat_deviation((double)turns, (double)e->popcount, &percent);
    csv_rest(out, o, r, "count", has_packed_clock, (double)turns, has_error, percent);
}

static void csv_metric(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                       const struct stat_result *r, size_t i)
{
    const struct pc_metric *m = &o->metrics.metric[i].info;
    struct pc_metric_value v, turns = { .state = PC_VALUE_UNMEASURED };
    double percent = 0;

    stat_metric_value(o, plan, r, i, false, &v);
    if (o->multiplex)
        stat_metric_value(o, plan, r, i, true, &turns);
    stat_csv_kind(out, o, STAT_ROW_METRIC, NULL);
    fprintf(out, "%s,", m->name);
    if (v.state != PC_VALUE_UNMEASURED)
        fprintf(out, "%.15g", cli_report_value(m, v.value));
    fprintf(out, ",%s,%" PRIu64 ",",
            r->partial && v.state != PC_VALUE_UNMEASURED ? "partial" : pc_value_state_name(v.state),
            r->cycles);
    cli_csv_field(out, m->formula);
    bool has_packed_clock = turns.state != PC_VALUE_UNMEASURED;
    bool has_error =
        v.state != PC_VALUE_UNMEASURED && stat_deviation(turns.value, v.value, &percent);
    csv_rest(out, o, r, cli_report_unit(m), has_packed_clock, cli_report_value(m, turns.value),
             has_error, percent);
}

void stat_csv_header(FILE *out, const struct stat_options *o)
{
    if (o->number > 0)
        return;
    fputs(o->chip ? "trace,chip,pass,domain,slot,name,value,state,cycles,expression,unit,"
                    "multiplexed,error_percent,first_cycle"
                  : "trace,kind,name,value,state,cycles,expression,unit,first_cycle",
          out);
    if (o->interval.text)
        fputs(",interval,time,seconds", out);
    cli_csv_end(out);
}

void stat_csv_text(FILE *out, const struct stat_options *o, enum stat_row kind, const char *text)
{
    stat_csv_kind(out, o, kind, NULL);
    cli_csv_field(out, text);
    fputs(o->chip ? ",,,,,,,," : ",,,,,,", out);
    if (o->interval.text)
        fputs(",,,", out);
    cli_csv_end(out);
}

void stat_csv_warnings(FILE *out, const struct stat_options *o)
{
    const char *text;

    for (size_t i = 0; (text = cli_warning_at(i)) != NULL; i++)
        stat_csv_text(out, o, STAT_ROW_WARNING, text);
}

void stat_csv_rows(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                   const struct stat_result *r)
{
    stat_csv_kind(out, o, STAT_ROW_CYCLES, NULL);
    fprintf(out, "cycles,%" PRIu64 ",%s,%" PRIu64 ",1", r->cycles, r->partial ? "partial" : "exact",
            r->cycles);
    csv_rest(out, o, r, "cycles", o->multiplex, (double)r->cycles, true, 0);
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].origin == n)
            csv_event(out, o, plan, r, &o->event[n]);
    for (size_t i = 0; i < o->metrics.count; i++)
        csv_metric(out, o, plan, r, i);
}

/* --- JSON --- */

void stat_json_rest(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                    const struct stat_result *r)
{
    fprintf(out, ",\n  \"partial\": %s", r->partial ? "true" : "false");
    stat_json_cycles(out, o, r);
    fputs(",\n  \"events\": [", out);
    for (size_t n = 0, shown = 0; n < o->events; n++) {
        if (o->event[n].origin != n)
            continue;
        fputs(shown++ ? ",\n" : "\n", out);
        stat_json_event(out, o, plan, r, &o->event[n]);
    }
    fputs(o->events ? "\n  ]" : "]", out);
    if (o->metrics.count)
        fputs(",\n  \"metrics\": [", out);
    for (size_t i = 0; i < o->metrics.count; i++) {
        fputs(i ? ",\n" : "\n", out);
        stat_json_metric(out, o, plan, r, i);
    }
    if (o->metrics.count)
        fputs("\n  ]", out);
    if (o->expect.texts)
        fputs(",\n  \"expectations\": [", out);
    for (size_t i = 0; i < o->expect.texts; i++) {
        fputs(i ? ",\n" : "\n", out);
        stat_expect_json(out, o, plan, r, i);
    }
    if (o->expect.texts)
        fputs("\n  ]", out);
    if (o->explain)
        stat_explain_json(out, o, plan);
    fputs(",\n  ", out);
    cli_json_warnings(out);
    fputs("\n}\n", out);
}

void stat_report(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                 const struct stat_result *r)
{
    switch (o->format) {
    case CLI_TEXT:
        stat_text_title(out, o, plan);
        stat_text_rest(out, o, plan, r);
        break;
    case CLI_CSV:
        stat_csv_header(out, o);
        stat_csv_rows(out, o, plan, r);
        stat_expect_csv(out, o, plan, r);
        stat_csv_warnings(out, o);
        break;
    case CLI_JSON:
        if (o->lines) {
            stat_lines_begin(out, o, plan);
            stat_lines_rest(out, o, plan, r);
            break;
        }
        stat_json_header(out, o, plan);
        stat_json_rest(out, o, plan, r);
        break;
    }
}
