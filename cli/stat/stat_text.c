/* SPDX-License-Identifier: MIT */
/* What pcounter stat prints for people, as `perf stat` has it. */
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
    stat_measure_text(out, o);
    stat_expect_text(out, o, plan, r);
    if (o->explain)
        stat_explain_text(out, o, plan);
    if (r->partial)
        fputs("\npartial: interrupted before the end of the waveform\n", out);
    cli_text_warnings(out);
}
