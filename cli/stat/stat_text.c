/* SPDX-License-Identifier: MIT */
/* Prints the report of `pcounter stat` for people, in the layout of `perf stat`. */
#include "stat_report.h"
#include "text/warnings.h"

#include <string.h>

static int digits(uint64_t value)
{
    return (int)strlen(cli_grouped(value));
}

static double percent(uint64_t value, uint64_t cycles)
{
    return cycles ? 100.0 * (double)value / (double)cycles : 0.0;
}

/* "   in turns 4,824 (-0.31 %)" */
static void text_estimate(FILE *out, const struct stat_job *j, const struct stat_event *e,
                          const struct stat_plan *plan, const struct stat_result *r)
{
    uint64_t value;
    double percent;

    if (!stat_estimate(j, e, plan, r, &value))
        fputs("  in turns: not measured", out);
    else if (stat_deviation((double)value, (double)e->popcount, &percent))
        fprintf(out, "  in turns %s (%+.2f %%)", cli_grouped(value), percent);
}

static void text_line(FILE *out, int width, int name_width, const struct stat_job *j,
                      const struct stat_plan *plan, const struct stat_event *e,
                      const struct stat_result *r)
{
    fprintf(out, "  %*s  ", width, cli_grouped(e->value));
    cli_print_padded(out, e->name, (size_t)name_width);
    const uint64_t cycles = stat_cycles_of(j, e->clock, r);
    if (e->wire)
        fprintf(out, "  # %6.2f per cycle", percent(e->value, cycles) / 100);
    else
        fprintf(out, "  # %6.2f %% of cycles", percent(e->value, cycles));
    if (e->state == STAT_TAINTED)
        fprintf(out, "  tainted: unknown inputs matter in %s %s", cli_grouped(e->tainted),
                e->tainted == 1 ? "cycle" : "cycles");
    else if (e->state != STAT_EXACT)
        fprintf(out, "  %s", stat_state_name(e->state));
    if (j->o->multiplex)
        text_estimate(out, j, e, plan, r);
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

static void text_metric(FILE *out, const struct stat_job *j, const struct stat_plan *plan,
                        const struct stat_result *r, size_t i, const int width[2])
{
    const struct pc_metric *m = &j->metrics.metric[i].info;
    struct pc_metric_value v, turns;
    char number[CLI_QUANTITY];
    double percent;

    stat_metric_value(j, plan, r, i, false, &v);
    stat_metric_number(&v, m, number);
    fprintf(out, "  %*s  %-*s  = ", width[0], number, width[1], m->name);
    cli_print_name(out, m->formula);
    if (v.state != PC_VALUE_EXACT) {
        fprintf(out, "  %s: ", pc_value_state_name(v.state));
        cli_print_name(out, v.why);
    }
    if (j->o->multiplex) {
        stat_metric_value(j, plan, r, i, true, &turns);
        stat_metric_number(&turns, m, number);
        fprintf(out, "  in turns%s %s", turns.state == PC_VALUE_UNMEASURED ? ":" : "", number);
        if (turns.state != PC_VALUE_UNMEASURED && v.state != PC_VALUE_UNMEASURED &&
            stat_deviation(turns.value, v.value, &percent))
            fprintf(out, " (%+.2f %%)", percent);
    }
    fputc('\n', out);
}

static void text_metrics(FILE *out, const struct stat_job *j, const struct stat_plan *plan,
                         const struct stat_result *r)
{
    int width[2] = { 0, 0 };

    for (size_t i = 0; i < j->metrics.count; i++) {
        const struct pc_metric *m = &j->metrics.metric[i].info;
        struct pc_metric_value v;
        char number[CLI_QUANTITY];
        stat_metric_value(j, plan, r, i, false, &v);
        stat_metric_number(&v, m, number);
        int n = (int)strlen(number), k = (int)strlen(m->name);
        width[0] = n > width[0] ? n : width[0];
        width[1] = k > width[1] && k <= 40 ? k : width[1];
    }
    if (j->metrics.count)
        fputc('\n', out);
    for (size_t i = 0; i < j->metrics.count; i++)
        text_metric(out, j, plan, r, i, width);
}

/* "posedge " where the command line says "top.clk" alone. */
static const char *edge_prefix(const struct stat_job *j)
{
    size_t blanks = strspn(j->clock, " \t");

    if (j->edge != PC_EDGE_POS || strncmp(j->clock + blanks, "posedge", 7) == 0)
        return "";
    return "posedge ";
}

/* Prints the window that --from and --to leave. */
static void text_window(FILE *out, const struct stat_job *j, const struct stat_result *r)
{
    const struct cli_window *w = &j->window;

    if (!cli_window_given(w))
        return;
    fputs("window", out);
    if (w->from.text)
        fprintf(out, " from %s", w->from.text);
    if (w->to.text)
        fprintf(out, " to %s", w->to.text);
    if (r->cycles > 0 && !j->parts)
        fprintf(out, ": cycles %s to %s", cli_grouped(r->first),
                cli_grouped(r->first + r->cycles - 1));
    fputc('\n', out);
}

/* "Counts of dump.vcd at posedge top.clk", and what is not as usual. */
static void counts_title(FILE *out, const struct stat_job *j)
{
    fputs("Counts of ", out);
    cli_print_name(out, cli_input_label(j->path));
    if (j->parts) {
        fprintf(out, " at %zu clocks", j->parts);
    } else {
        fprintf(out, " at %s", j->edge == PC_EDGE_EVERY ? "each " : edge_prefix(j));
        cli_print_name(out, j->clock);
    }
    const char *profile, *core = stat_described_core(j, &profile);
    if (core)
        cli_print_between(out, ", core ", core, "");
    if (profile)
        cli_print_between(out, ", profile ", profile, "");
    if (j->o->sample && j->o->post_edge)
        fputs(", sampled after the edge", out);
    if (j->o->x == OPT_X_ZERO || j->o->x == OPT_X_ONE)
        fprintf(out, ", unknown values taken as %d", j->o->x == OPT_X_ONE);
}

void stat_text_title(FILE *out, const struct stat_job *j, const struct stat_plan *plan)
{
    if (!j->chip) {
        counts_title(out, j);
        return;
    }
    fputs("Counters of ", out);
    cli_print_name(out, cli_input_label(j->path));
    fprintf(out, ": %s, ", j->chip->name);
    if (plan->passes > 0)
        fprintf(out, "%s, ", cli_count(plan->passes, "pass"));
    fprintf(out, "%s %s, unknown values: %s\nclock %s", stat_sampling(j),
            j->edge == PC_EDGE_EVERY ? "sample" : "samples", stat_x_name(j), edge_prefix(j));
    cli_print_name(out, j->clock);
}

/* The events of a clock below its cycles. */
static void text_clock(FILE *out, int width, int name_width, const struct stat_job *j,
                       const struct stat_plan *plan, unsigned clock, const struct stat_result *r)
{
    fprintf(out, "  %*s  ", width, cli_grouped(stat_cycles_of(j, clock, r)));
    if (j->parts) {
        fputs("cycles of ", out);
        cli_print_name(out, stat_clock_name(j, clock));
        if (j->o->asked_clock[clock].named) {
            fputs(" = ", out);
            cli_print_name(out, j->o->asked_clock[clock].text);
        }
        fputc('\n', out);
    } else {
        fputs("cycles\n", out);
    }
    for (size_t n = 0; n < j->events; n++)
        if (j->event[n].origin == n && j->event[n].clock == clock)
            text_line(out, width, name_width, j, plan, &j->event[n], r);
}

void stat_text_rest(FILE *out, const struct stat_job *j, const struct stat_plan *plan,
                    const struct stat_result *r)
{
    int width = digits(r->cycles), name_width = 6;

    if (j->parts)
        fprintf(out, "%s\n", r->partial ? ": partial" : "");
    else
        fprintf(out, ": %s%s\n", cli_count(r->cycles, "cycle"), r->partial ? ", partial" : "");
    for (unsigned k = 0; k < j->parts; k++) {
        const int n = digits(stat_cycles_of(j, k, r));
        width = n > width ? n : width;
    }
    text_window(out, j, r);
    fputc('\n', out);
    for (size_t n = 0; n < j->events; n++) {
        int m = (int)cli_columns(j->event[n].name);
        name_width = m > name_width && m <= 40 ? m : name_width;
    }
    for (unsigned k = 0; k < (j->parts ? j->parts : 1); k++)
        text_clock(out, width, name_width, j, plan, k, r);
    text_metrics(out, j, plan, r);
    if (j->o->multiplex && plan->passes > 0)
        fprintf(out,
                "\nin turns: %s, %s each before the next, scaled up; after it the true error\n",
                cli_count(plan->passes, "pass"), cli_count(j->o->slice, "cycle"));
    stat_measure_text(out, j);
    stat_expect_text(out, j, plan, r);
    if (j->o->explain)
        stat_explain_text(out, j, plan);
    if (r->partial)
        fputs("\npartial: interrupted before the end of the waveform\n", out);
    cli_text_warnings(out);
}
