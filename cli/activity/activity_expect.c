/* SPDX-License-Identifier: MIT */
/* --expect 'tb.irq.toggles < 10': figures after the names of nets; and --expect-clock. */
#include "activity/activity.h"

#include <stdlib.h>
#include <string.h>

#include "report/report_dist.h"
#include "stat/stat.h"
#include "text/chars.h"
#include "text/quantity.h"
#include "timeline/timeline_plot.h"

/* ---- figures by their names ---- */

static const char *const dists[] = { "period", "high", "low", NULL };
static const char *const figures[] = { "toggles",   "rises",     "falls", "T0",      "T1",
                                       "TX",        "TZ",        "duty",  "settled", "surplus",
                                       "outside",   "per_cycle", "valid", "other",   "bounces",
                                       "frequency", "triggers",  NULL };

static size_t word_of(const char *const *words, const char *text)
{
    size_t i = 0;

    while (words[i] && strcmp(words[i], text) != 0)
        i++;
    return i;
}

/* The figure at the end of a name, and the bytes before the dot in front of it; NULL: none. */
static const char *figure_of(const char *name, size_t *net)
{
    const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
    char head[16];

    *net = dot ? (size_t)(dot - name) : 0;
    if (figures[word_of(figures, last)])
        return last;
    if (!dot || rep_dist_find(last) == REP_DIST_CELLS)
        return NULL;
    while (dot > name && dot[-1] != '.')
        dot--;
    snprintf(head, sizeof head, "%.*s", (int)strcspn(dot, "."), dot);
    *net = dot > name ? (size_t)(dot - name) - 1 : 0;
    return dists[word_of(dists, head)] ? dot : NULL;
}

static double of_dist(const struct pc_dist_figures *f, unsigned member, bool *known)
{
    const bool rank = member >= REP_DIST_RANK && member < REP_DIST_MAX;

    *known = member <= REP_DIST_SUM || (f->count > 0 && (f->complete || !rank));
    return member == REP_DIST_COUNT  ? (double)f->count
           : member == REP_DIST_MEAN ? f->mean
           : member == REP_DIST_SUM  ? (double)f->sum.low
           : member == REP_DIST_MIN  ? (double)f->min.low
           : member == REP_DIST_MAX  ? (double)f->max.low
                                     : (double)f->rank[member - REP_DIST_RANK].low;
}

/* Returns the value of a figure, and if it is known. */
static double value_of(const struct activity_run *run, const struct activity_told *t,
                       const char *figure, bool *known)
{
    const struct pc_activity_figures *f = &t->f;
    const struct pc_dist_figures *const dist[] = { &t->period, &t->high, &t->low };
    const double toggles = (double)(f->rises + f->falls), cycles = (double)run->part.cycles.begun;
    const bool clock = run->o->clock != NULL, pulse = f->pulses != NULL;
    const struct {
        double value;
        bool known;
    } value[] = { { toggles, true },
                  { (double)f->rises, true },
                  { (double)f->falls, true },
                  { (double)f->t0, true },
                  { (double)f->t1, true },
                  { (double)f->tx, true },
                  { (double)f->tz, true },
                  { (double)f->t1 / (double)(f->t0 + f->t1), f->t0 + f->t1 > 0 },
                  { (double)f->settled, clock },
                  { toggles - (double)f->settled, clock },
                  { (double)f->outside, clock },
                  { toggles / cycles, clock && cycles > 0 },
                  { pulse ? (double)f->pulses->valid : 0, pulse },
                  { pulse ? (double)f->pulses->other : 0, pulse },
                  { (double)f->bounces, pulse },
                  { t->frequency, t->frequency > 0 },
                  { 0, false } };
    const char *dot = strchr(figure, '.');
    const size_t at = word_of(figures, figure);

    if (dot)
        for (size_t i = 0; i < 3; i++)
            if (strncmp(figure, dists[i], (size_t)(dot - figure)) == 0)
                return of_dist(dist[i], rep_dist_find(dot + 1), known);
    *known = value[at].known;
    return value[at].value;
}

/* ---- nets by their names ---- */

static bool is_named(const char *own, const char *name, size_t size)
{
    const size_t n = strlen(own);

    return n >= size && memcmp(own + n - size, name, size) == 0 &&
           (n == size || own[n - size - 1] == '.');
}

/* Which row, or event variable, has the figure. */
struct place {
    size_t row, found;
    bool event;
};

static int find_net(struct activity_run *run, const char *name, size_t size, bool event,
                    struct place *out)
{
    const struct activity_nets *n = &run->nets;
    struct pc_wave_var v;

    *out = (struct place){ .event = event };
    for (size_t i = 0; i < (event ? n->events : n->rows); i++) {
        const size_t var = event ? n->event[i].var : n->net[n->row[i].net].var;
        if (pc_wave_get_var(n->wave, var, &v) != PC_OK)
            continue;
        char *own = run->o->bits && !event ? activity_bit_name(&v, n->row[i].bit) : NULL;
        if (run->o->bits && !event && !own)
            return cli_no_memory();
        if (size == 0 || is_named(own ? own : v.name, name, size)) {
            out->row = i;
            out->found++;
        }
        free(own);
    }
    return CLI_OK;
}

static int check_name(struct activity_run *run, const char *name)
{
    struct pc_error err;
    struct place place = { .found = 0 };
    size_t net;
    const char *figure = figure_of(name, &net);
    int code = CLI_OK;

    if (figure)
        code = find_net(run, name, net, strcmp(figure, "triggers") == 0, &place);
    if (code || place.found == 1)
        return code;
    if (place.found > 1)
        cli_fail(&err, 915, "%.200s is a figure of %zu nets: give more of the name", name,
                 place.found);
    else
        cli_fail(&err, 915, "no net has a figure %.200s", name);
    return cli_error(&err, "--expect", NULL);
}

/* ---- --expect-clock ---- */

static int wrong_clock(const struct cli_place *place, size_t at, const char *what)
{
    return cli_error_at(914, place, (uint32_t)at + 1, "Write it like 'clk = 2.5ns'.", "%s", what);
}

static int find_period(struct activity_run *run, const char *text, struct activity_period *out)
{
    struct cli_place place = { "--expect-clock", text, 0 };
    const size_t equal = strcspn(text, "="), time = equal + strspn(text + equal, "= \t");
    size_t end = equal, count;
    struct pc_wave_bit bit;
    struct pc_wave_var v;
    struct cli_span span;
    struct pc_error err;
    uint32_t column = 1;

    while (end > 0 && cli_is_blank(text[end - 1]))
        end--;
    if (end == 0 || text[equal] == '\0')
        return wrong_clock(&place, equal, "expected a clock, = and its period");
    const char *what = cli_span_parse(text + time, CLI_SPAN_UNITS, &span, &column);
    if (what || span.in_cycles)
        return wrong_clock(&place, time + column - 1,
                           what ? what : "expected a time with its unit");
    if (run->info.timescale_factor == 0 || !cli_span_ticks(&span, &run->info, &out->period))
        return wrong_clock(&place, time, "the waveform has no time unit in which this fits");
    *out = (struct activity_period){ .text = text,
                                     .name = cli_copy(text, end),
                                     .period = out->period };
    if (!out->name)
        return cli_no_memory();
    if (stat_find_bits(run->wave, out->name, &bit, 1, &count, &err)) {
        cli_near_clock(out->name, &err);
        err.line = err.column = 1;
        return cli_library_error_at(&err, &place);
    }
    if (count != 1 || pc_wave_get_var(run->wave, bit.var, &v) != PC_OK || v.kind != PC_VAR_BITS)
        return wrong_clock(&place, 0, "the clock is not a signal of one bit");
    out->code = v.code;
    out->bit = bit.bit;
    run->clock_width[v.code] = v.width;
    return CLI_OK;
}

static int find_periods(struct activity_run *run)
{
    const struct opt_texts *asked = &run->o->expect_clock;
    int code = CLI_OK;

    if (asked->count == 0)
        return CLI_OK;
    run->period = calloc(asked->count, sizeof *run->period);
    run->clock_width = calloc(run->info.codes + 1, sizeof *run->clock_width);
    if (!run->period || !run->clock_width)
        return cli_no_memory();
    for (size_t i = 0; i < asked->count && code == CLI_OK; i++) {
        run->periods = i + 1;
        code = find_period(run, asked->text[i], &run->period[i]);
    }
    return code;
}

int activity_find_expected(struct activity_run *run)
{
    const struct cli_expectations *e = &run->o->expect;
    int code = find_periods(run);

    for (size_t i = 0; i < e->sides.count; i++)
        for (size_t k = 0; k < e->sides.metric[i].info.events && code == CLI_OK; k++)
            code = check_name(run, e->sides.metric[i].info.event[k]);
    return code;
}

void activity_free_expected(struct activity_run *run)
{
    for (size_t i = 0; i < run->periods; i++)
        free(run->period[i].name);
    free(run->period);
    free(run->clock_width);
}

/* ---- verdicts ---- */

struct verdict {
    const char *text;
    struct pc_metric_value side[2];
    enum cli_verdict is;
    bool number; /* the right side needs no telling */
    char why[200];
};

static struct pc_metric_input input_of(struct activity_run *run, const char *name)
{
    struct pc_metric_input in = { .state = PC_VALUE_UNMEASURED };
    struct pc_activity_figures f;
    struct activity_told t;
    struct place place;
    bool known = false;
    size_t net;
    const char *figure = figure_of(name, &net);
    const bool event = figure && strcmp(figure, "triggers") == 0;

    if (!figure || find_net(run, name, net, event, &place) || place.found != 1)
        return in;
    if (event) {
        pc_activity_get(run->activity, run->nets.event[place.row].code, 0, &f);
        return (struct pc_metric_input){ (double)f.triggers, PC_VALUE_EXACT };
    }
    if (activity_tell(run, place.row, &t) == CLI_OK)
        in.value = value_of(run, &t, figure, &known);
    activity_untell(&t);
    in.state = known ? PC_VALUE_EXACT : PC_VALUE_UNMEASURED;
    return in;
}

static int judge_figure(struct activity_run *run, size_t i, struct verdict *v)
{
    const struct cli_expectations *e = &run->o->expect;

    *v = (struct verdict){ .text = e->item[i].text, .number = e->item[i].number };
    for (unsigned k = 0; k < 2; k++) {
        const struct cli_metric *m = &e->sides.metric[2 * i + k];
        struct pc_metric_input *in = calloc(m->info.events + 1, sizeof *in);
        if (!in)
            return cli_no_memory();
        for (size_t n = 0; n < m->info.events; n++)
            in[n] = input_of(run, m->info.event[n]);
        pc_metrics_eval(m->set, m->index, in, 0, 0, &v->side[k]);
        free(in);
    }
    v->is = cli_verdict_of(&e->item[i], v->side);
    if (v->is == CLI_NOT_KNOWN)
        snprintf(v->why, sizeof v->why, "%s", v->side[0].why[0] ? v->side[0].why : v->side[1].why);
    return CLI_OK;
}

/* All periods are the one that is expected, as far as time units can be. */
static bool is_period(const struct activity_period *p)
{
    const struct pc_dist_figures *f = &p->is;
    const double want = (double)p->period.whole +
                        (p->period.part ? (double)p->period.part / (double)p->period.per : 0);
    const double off = f->mean * (double)f->count - want * (double)f->count;

    return f->count > 0 && f->min.low >= p->period.whole &&
           f->max.low <= p->period.whole + (p->period.part > 0) && off > -1 && off < 1;
}

/* Writes what the period is. */
static int judge_period(struct activity_run *run, struct activity_period *p, char *out, size_t size)
{
    const double unit = activity_seconds(&run->info);
    char mean[CLI_QUANTITY], least[CLI_QUANTITY], most[CLI_QUANTITY];
    struct pc_activity_figures f;
    struct pc_error err;

    if (pc_activity_end(run->of_clocks, run->totals.time_last, &err))
        return cli_error(&err, cli_input_name(run->o->file), NULL);
    pc_activity_get(run->of_clocks, p->code, p->bit, &f);
    if (!f.period) {
        snprintf(out, size, "the clock has no period in the time that is measured");
        return CLI_OK;
    }
    if (pc_dist_get_figures(f.period, &p->is, &err))
        return cli_error(&err, NULL, NULL);
    p->met = is_period(p);
    cli_quantity_digits(p->is.mean * unit, "s", 6, false, mean);
    cli_quantity_digits((double)p->is.min.low * unit, "s", 6, false, least);
    cli_quantity_digits((double)p->is.max.low * unit, "s", 6, false, most);
    snprintf(out, size, "%s (%s from %s to %s)", mean, cli_count(p->is.count, "period"), least,
             most);
    return CLI_OK;
}

/* ---- what is printed ---- */

void activity_print_verdict(FILE *page, FILE *html, bool first, const char *verdict,
                            const char *text, const char *is)
{
    if (page) {
        fprintf(page, first ? "\nexpected\n  %-7s  " : "  %-7s  ", verdict);
        cli_print_name(page, text);
        fputs(": ", page);
        cli_print_name(page, is);
        fputc('\n', page);
    }
    if (html) {
        fputs(first ? "<h2>Expected</h2>\n<p>" : "<p>", html);
        timeline_put(html, text);
        fprintf(html, ": <b>%s</b>: ", verdict);
        timeline_put(html, is);
        fputs("</p>\n", html);
    }
}

/* "54", "not measured (...)", "3 and 4" */
static void describe(const struct verdict *v, char *out, size_t size)
{
    size_t at = 0;

    for (unsigned k = 0; k < (v->number ? 1u : 2u) && at < size; k++) {
        at += (size_t)snprintf(out + at, size - at, "%s", k ? " and " : "");
        if (at < size && v->side[k].state == PC_VALUE_UNMEASURED)
            at += (size_t)snprintf(out + at, size - at, "not measured");
        else if (at < size)
            at += (size_t)snprintf(out + at, size - at, "%.15g", v->side[k].value);
    }
    if (v->why[0] && at < size)
        snprintf(out + at, size - at, " (%s)", v->why);
}

static void tell(struct activity_run *run, bool *first, enum cli_verdict verdict, const char *text,
                 const char *is)
{
    FILE *const page = rep_page(run->report);

    run->unmet |= verdict != CLI_MET;
    activity_print_verdict(page, run->html, *first, cli_verdict_name(verdict), text, is);
    *first = false;
    if (page || verdict == CLI_MET)
        return;
    FILE *const out = cli_stderr();
    fputs("pcounter: ", out);
    cli_print_name(out, cli_input_name(run->o->file));
    fprintf(out, ": %s: ", verdict == CLI_NOT_MET ? "not as expected" : "not known");
    cli_print_name(out, text);
    fputs(": ", out);
    cli_print_name(out, is);
    fputc('\n', out);
}

static struct rep_cell side_cell(const struct pc_metric_value *side)
{
    return side->state == PC_VALUE_UNMEASURED ? rep_null() : rep_exact(side->value);
}

static int judge_periods(struct activity_run *run, unsigned field, bool *first)
{
    int code = CLI_OK;

    for (size_t i = 0; i < run->periods && code == CLI_OK; i++) {
        struct activity_period *p = &run->period[i];
        const struct pc_dist_figures *f = &p->is;
        char is[300];
        code = judge_period(run, p, is, sizeof is);
        if (code)
            break;
        const enum cli_verdict verdict = f->count == 0 ? CLI_NOT_KNOWN
                                         : p->met      ? CLI_MET
                                                       : CLI_NOT_MET;
        tell(run, first, verdict, p->text, is);
        if (rep_has_rows(run->report))
            rep_row(run->report, field,
                    REP_CELLS(rep_text(p->text), rep_bool(p->met), rep_count(f->count),
                              f->count ? rep_count(f->min.low) : rep_null(),
                              f->count ? rep_count(f->max.low) : rep_null(),
                              rep_text(cli_verdict_name(verdict)), rep_text(is)));
    }
    return code;
}

int activity_judge(struct activity_run *run, unsigned periods, unsigned figures_)
{
    bool first = true;
    struct verdict v;
    char is[300];
    int code = judge_periods(run, periods, &first);

    for (size_t i = 0; i < run->o->expect.texts && code == CLI_OK; i++) {
        code = judge_figure(run, i, &v);
        if (code)
            break;
        describe(&v, is, sizeof is);
        tell(run, &first, v.is, v.text, is);
        if (rep_has_rows(run->report))
            rep_row(run->report, figures_,
                    REP_CELLS(rep_text(v.text), rep_text(cli_verdict_name(v.is)),
                              side_cell(&v.side[0]), side_cell(&v.side[1]), rep_text(v.why)));
    }
    return code;
}
