/* SPDX-License-Identifier: MIT */
/* Hands the results of `pcounter stat` to the reports that are wanted.  See stat_report.h. */
#include "stat_machine.h"
#include "stat_figures.h"
#include "stat_report.h"

#include "stat_tracks.h"

#include <string.h>

#include "text/warnings.h"

/* enum pc_edge */
static const char *const edge_names[] = { "posedge", "negedge", "every", "period" };

/* --- cells --- */

static struct rep_cell percent_of(double value, double truth)
{
    double percent;

    return stat_deviation(value, truth, &percent) ? rep_number(percent, 6) : rep_absent();
}

/* A metric's value; otherwise: where it has none. */
static struct rep_cell value_of(const struct pc_metric_value *v, const struct pc_metric *m,
                                struct rep_cell otherwise)
{
    return v->state == PC_VALUE_UNMEASURED ? otherwise
                                           : rep_number(cli_report_value(m, v->value), 15);
}

static struct rep_cell turns_percent(const struct pc_metric_value *turns,
                                     const struct pc_metric_value *v)
{
    return turns->state == PC_VALUE_UNMEASURED || v->state == PC_VALUE_UNMEASURED
               ? rep_absent()
               : percent_of(turns->value, v->value);
}

static void put_head(const struct stat_report *r)
{
    const struct stat_job *j = r->j;
    const char *profile, *core = stat_described_core(j, &profile);

    rep_root(
        r->rep,
        REP_CELLS(rep_text(cli_input_label(j->path)),
                  j->chip ? rep_text(j->chip->name) : rep_absent(),
                  core ? rep_text(core) : rep_absent(), profile ? rep_text(profile) : rep_absent(),
                  rep_text(j->clock), rep_text(edge_names[j->edge]), rep_text(stat_sampling(j)),
                  rep_text(stat_x_name(j)), j->chip ? rep_count(r->plan->passes) : rep_absent(),
                  j->o->interval.text ? rep_text(j->o->interval.text) : rep_absent(),
                  j->window.from.text ? rep_text(j->window.from.text) : rep_absent(),
                  j->window.to.text ? rep_text(j->window.to.text) : rep_absent(),
                  [STAT_INTERVALS] = j->o->interval.text ? rep_empty() : rep_absent()));
}

/* --- rows of columns: cycles, events, metrics --- */

struct row {
    const char *kind, *slot;
    const struct stat_event *event; /* NULL: none */
    const char *name, *state, *expression, *unit;
    struct rep_cell value, turns, percent, share;
    unsigned clock;
};

static void put_row(const struct stat_report *r, const struct stat_result *result,
                    const struct row *row)
{
    const struct stat_interval *i = result->interval;
    char time[STAT_TIME_TEXT];

    if (i && i->timed)
        stat_time_text(i, time);
    rep_row(r->rep, i ? STAT_INTERVAL_ROWS : STAT_ROWS,
            REP_CELLS(rep_text(row->kind),
                      row->event ? rep_count(row->event->pass + 1) : rep_absent(),
                      row->event ? rep_count(row->event->domain) : rep_absent(),
                      rep_text(row->slot), rep_text(row->name), row->value, rep_text(row->state),
                      rep_count(stat_cycles_of(r->j, row->clock, result)),
                      rep_text(row->expression), rep_text(row->unit), row->turns, row->percent,
                      rep_count(r->j->parts ? r->j->part[row->clock].result.first : result->first),
                      i ? rep_count(i->number) : rep_absent(),
                      i && i->timed ? rep_digits(time) : rep_absent(),
                      i && i->timed && i->seconds > 0 ? rep_number(i->seconds, 15) : rep_absent(),
                      row->share,
                      r->j->parts ? rep_text(stat_clock_name(r->j, row->clock)) : rep_absent()));
}

static void put_cycles_row(const struct stat_report *r, const struct stat_result *result,
                           unsigned clock)
{
    put_row(r, result,
            &(struct row){ .kind = "cycles",
                           .slot = "CYCLES",
                           .name = "cycles",
                           .state = result->partial ? "partial" : "exact",
                           .expression = "1",
                           .unit = "cycles",
                           .clock = clock,
                           .value = rep_count(stat_cycles_of(r->j, clock, result)),
                           .turns = r->j->o->multiplex ? rep_count(result->cycles) : rep_absent(),
                           .percent = r->j->o->multiplex ? rep_count(0) : rep_absent() });
}

static void put_event_row(const struct stat_report *r, const struct stat_result *result,
                          const struct stat_event *e)
{
    struct row row = { .kind = "event",
                       .slot = pc_input_name((enum pc_input_id)e->slot),
                       .event = r->j->chip ? e : NULL,
                       .name = e->name,
                       .state = result->partial ? "partial" : stat_state_name(e->state),
                       .expression = e->text,
                       .unit = "count",
                       .clock = e->clock,
                       .value = rep_count(e->value) };
    uint64_t turns;

    if (r->j->o->multiplex && stat_estimate(r->j, e, r->plan, result, &turns)) {
        row.turns = rep_count(turns);
        row.percent = percent_of((double)turns, (double)e->popcount);
    }
    put_row(r, result, &row);
}

static void put_metric_row(const struct stat_report *r, const struct stat_result *result, size_t i)
{
    const struct pc_metric *m = &r->j->metrics.metric[i].info;
    struct pc_metric_value v, turns = { .state = PC_VALUE_UNMEASURED };

    stat_metric_value(r->j, r->plan, result, i, false, &v);
    if (r->j->o->multiplex)
        stat_metric_value(r->j, r->plan, result, i, true, &turns);
    const bool partial = result->partial && v.state != PC_VALUE_UNMEASURED;
    put_row(r, result,
            &(struct row){ .kind = "metric",
                           .slot = "METRIC",
                           .name = m->name,
                           .state = partial ? "partial" : pc_value_state_name(v.state),
                           .expression = m->formula,
                           .unit = cli_report_unit(m),
                           .value = value_of(&v, m, rep_absent()),
                           .turns = value_of(&turns, m, rep_absent()),
                           .percent = turns_percent(&turns, &v) });
}

/* A row a percentile of --percentile that has none anyway: "rd.p99.9". */
static void put_percentiles(const struct stat_report *r, const struct stat_result *result,
                            const struct stat_measure *m, const char *state)
{
    char name[2 * STAT_COLUMN], digits[PC_WIDE_TEXT];
    struct pc_wide value;

    for (size_t i = 0; m->kind != STAT_STATES && m->percentile && i < m->percentile->count; i++) {
        const bool known =
            rep_percentile_of(m->out.dist.dist, &m->out.dist.f, m->percentile->of[i].rank, &value);
        if (known)
            pc_wide_text(value, digits);
        snprintf(name, sizeof name, "%s.p%s", m->name, m->percentile->of[i].text);
        if (rep_is_rank(name + strlen(m->name) + 1))
            continue;
        put_row(r, result,
                &(struct row){ .kind = stat_measure_word(m),
                               .name = name,
                               .state = known ? state : "unmeasured",
                               .expression = m->text,
                               .unit = m->kind == STAT_LATENCY ? "cycles" : "",
                               .clock = m->clock,
                               .value = known ? rep_digits(digits) : rep_absent() });
    }
}

/* A row a figure: "rd.p99". */
static void put_figures(const struct stat_report *r, const struct stat_result *result,
                        const struct stat_measure *m)
{
    const char *sure = result->partial ? "partial" : "exact";
    const char *state = !result->partial && stat_measure_tainted(m) ? "tainted" : sure;
    struct stat_figure f;
    char name[2 * STAT_COLUMN];

    for (size_t i = 0; stat_figure_at(m, i, &f); i++) {
        snprintf(name, sizeof name, "%s.%s", m->name, f.name);
        put_row(r, result,
                &(struct row){ .kind = stat_measure_word(m),
                               .name = name,
                               .state = !f.known                      ? "unmeasured"
                                        : stat_counts_samples(f.name) ? sure
                                                                      : state,
                               .expression = m->text,
                               .unit = f.unit,
                               .clock = m->clock,
                               .value = f.known ? rep_digits(f.text) : rep_absent() });
    }
    put_percentiles(r, result, m, state);
}

struct buckets {
    const struct stat_report *r;
    const struct stat_result *result;
};

static void put_buckets(void *ctx, const struct stat_measure *m, const char *name,
                        const struct stat_bucket *bucket, size_t count)
{
    const struct buckets *b = ctx;

    for (size_t i = 0; i < count; i++)
        put_row(b->r, b->result,
                &(struct row){ .kind = "bucket",
                               .name = name,
                               .state = stat_measure_tainted(m) ? "tainted" : "exact",
                               .expression = bucket[i].text,
                               .clock = m->clock,
                               .unit = "count",
                               .value = rep_count(bucket[i].count),
                               .share = rep_number(bucket[i].share, 6) });
}

static void put_measures(const struct stat_report *r, const struct stat_result *result)
{
    struct buckets b = { r, result };

    for (size_t i = 0; i < r->j->measures.count; i++)
        put_figures(r, result, &r->j->measures.item[i]);
    stat_measure_buckets(r->j, put_buckets, &b);
}

static void put_rows(const struct stat_report *r, const struct stat_result *result)
{
    const struct stat_job *j = r->j;

    for (unsigned k = 0; k < (j->parts ? j->parts : 1); k++)
        put_cycles_row(r, result, k);
    for (size_t n = 0; n < j->events; n++)
        if (j->event[n].origin == n)
            put_event_row(r, result, &j->event[n]);
    for (size_t i = 0; i < j->metrics.count; i++)
        put_metric_row(r, result, i);
    put_measures(r, result);
}

/* --- an interval --- */

static void put_interval(const struct stat_report *r, const struct stat_result *result)
{
    const struct stat_job *j = r->j;
    const struct stat_interval *i = result->interval;
    char time[STAT_TIME_TEXT];

    if (i->timed)
        stat_time_text(i, time);
    rep_begin(r->rep, STAT_INTERVALS,
              REP_CELLS(rep_count(i->number), rep_count(i->span), rep_count(i->first),
                        rep_count(i->cycles), i->timed ? rep_digits(time) : rep_null(),
                        i->timed && i->seconds > 0 ? rep_number(i->seconds, 15) : rep_null(),
                        rep_bool(i->partial)));
    for (size_t n = 0; n < j->events; n++) {
        const struct stat_event *e = &j->event[n];
        if (e->origin == n)
            rep_row(r->rep, STAT_INTERVAL_EVENTS,
                    REP_CELLS(rep_text(e->name), rep_count(e->value),
                              rep_text(stat_state_name(e->state)), rep_count(e->tainted)));
    }
    for (size_t n = 0; n < j->metrics.count; n++) {
        const struct pc_metric *m = &j->metrics.metric[n].info;
        struct pc_metric_value v;
        stat_metric_value(j, r->plan, result, n, false, &v);
        rep_row(r->rep, STAT_INTERVAL_METRICS,
                REP_CELLS(rep_text(m->name), value_of(&v, m, rep_null()),
                          rep_text(pc_value_state_name(v.state))));
    }
    stat_measure_put_interval(r->rep, j);
    rep_end(r->rep);
}

/* --- all cycles --- */

static void put_event(const struct stat_report *r, const struct stat_result *result,
                      const struct stat_event *e)
{
    const struct stat_job *j = r->j;
    const bool chip = j->chip != NULL;
    uint64_t turns = 0, active = 0;
    const bool has_turns = j->o->multiplex && stat_estimate(j, e, r->plan, result, &turns);

    if (has_turns)
        active = stat_turn_cycles(j->o->slice, r->plan->passes, e->pass, result->cycles);
    rep_row(r->rep, STAT_EVENTS,
            REP_CELLS(rep_text(e->name), rep_text(e->text),
                      stat_clock_name(j, e->clock) ? rep_text(stat_clock_name(j, e->clock))
                                                   : rep_absent(),
                      rep_count(e->value), rep_text(stat_state_name(e->state)),
                      rep_count(e->tainted), e->wire ? rep_bool(true) : rep_absent(),
                      chip ? rep_count(e->pass + 1) : rep_absent(),
                      chip ? rep_count(e->domain) : rep_absent(),
                      chip ? rep_text(pc_input_name((enum pc_input_id)e->slot)) : rep_absent(),
                      chip ? rep_bool(e->derived) : rep_absent(),
                      has_turns         ? rep_count(turns)
                      : j->o->multiplex ? rep_null()
                                        : rep_absent(),
                      j->o->multiplex ? rep_count(active) : rep_absent(),
                      has_turns ? percent_of((double)turns, (double)e->popcount) : rep_absent()));
}

static void put_metric(const struct stat_report *r, const struct stat_result *result, size_t i)
{
    const struct pc_metric *m = &r->j->metrics.metric[i].info;
    struct pc_metric_value v, turns = { .state = PC_VALUE_UNMEASURED };

    stat_metric_value(r->j, r->plan, result, i, false, &v);
    if (r->j->o->multiplex)
        stat_metric_value(r->j, r->plan, result, i, true, &turns);
    rep_row(r->rep, STAT_METRICS,
            REP_CELLS(rep_text(m->name), rep_text(m->formula), rep_text(cli_report_unit(m)),
                      value_of(&v, m, rep_null()), rep_text(pc_value_state_name(v.state)),
                      strcmp(m->unit, cli_report_unit(m)) ? rep_text(m->unit) : rep_absent(),
                      rep_text(v.why),
                      r->j->o->multiplex ? value_of(&turns, m, rep_null()) : rep_absent(),
                      turns_percent(&turns, &v)));
}

static void put_clocks(const struct stat_report *r, const struct stat_result *result)
{
    const struct stat_job *j = r->j;

    for (unsigned k = 0; k < j->o->clocks && stat_clock_name(j, k); k++) {
        const struct stat_result *own = j->parts ? &j->part[k].result : result;
        rep_row(r->rep, STAT_CLOCK_LIST,
                REP_CELLS(rep_text(stat_clock_name(j, k)), rep_text(j->o->asked_clock[k].text),
                          rep_text(edge_names[j->parts ? j->part[k].job.edge : j->edge]),
                          rep_count(own->cycles), rep_count(own->first)));
    }
}

static void put_rest(const struct stat_report *r, const struct stat_result *result)
{
    const struct stat_job *j = r->j;

    rep_totals(r->rep, result->partial);
    rep_set(r->rep, STAT_PARTIAL, rep_bool(result->partial));
    rep_set(r->rep, STAT_CYCLES_MEMBER, j->parts ? rep_null() : rep_count(result->cycles));
    rep_set(r->rep, STAT_FIRST_CYCLE, j->parts ? rep_null() : rep_count(result->first));
    if (stat_wants_seconds(j))
        rep_set(r->rep, STAT_SECONDS,
                result->seconds > 0 ? rep_number(result->seconds, 15) : rep_null());
    if (j->o->multiplex)
        rep_set(r->rep, STAT_MULTIPLEX_CYCLES, rep_count(j->o->slice));
    if (!j->o->interval.text)
        put_rows(r, result);
    put_clocks(r, result);
    for (size_t n = 0; n < j->events; n++)
        if (j->event[n].origin == n)
            put_event(r, result, &j->event[n]);
    for (size_t i = 0; i < j->metrics.count; i++)
        put_metric(r, result, i);
    stat_measure_put(r->rep, j);
    stat_expect_put(r->rep, j, r->plan, result);
    if (j->o->explain)
        stat_explain_put(r->rep, j, r->plan);
    rep_draw(r->rep, stat_machine_draw, r->j);
    rep_warnings(r->rep, STAT_WARNINGS);
}

/* --- all outputs --- */

int stat_report_open(struct stat_report *r, const struct stat_job *j, const struct stat_plan *plan)
{
    *r = (struct stat_report){ .j = j, .plan = plan, .def = stat_def_for(&stat_report_def, j) };
    const int code = rep_open(&r->rep, &r->def, &j->report);
    if (code == CLI_OK)
        r->page = rep_page(r->rep);
    return code == CLI_OK && r->page ? rep_keep(r->rep, STAT_INTERVALS) : code;
}

int stat_report_intervals(struct stat_report *r, const struct stat_timeline *t)
{
    enum timeline_format view;
    FILE *out;

    r->t = t;
    if (r->page && !(r->table = stat_table_open(r->page, r->j, r->plan, t)))
        return cli_no_memory();
    for (size_t i = 0; (view = rep_view(r->rep, i, &out)) != TIMELINE_NONE; i++) {
        const int code = stat_tracks_check(r->j, t, view);
        if (code)
            return code;
        if (!(r->tracks[i] = stat_tracks_open(out, view, r->j, r->plan, t)))
            return cli_no_memory();
    }
    return CLI_OK;
}

static void begin(struct stat_report *r)
{
    if (r->begun)
        return;
    r->begun = true;
    put_head(r);
    if (r->table)
        stat_table_begin(r->table, rep_kept(r->rep));
}

void stat_report_interval(struct stat_report *r, const struct stat_interval *interval)
{
    const struct stat_result result = { .cycles = interval->cycles,
                                        .first = interval->first,
                                        .seconds = interval->seconds - interval->off,
                                        .partial = interval->partial,
                                        .interval = interval };

    if (!r->begun)
        r->first_cycle = interval->first;
    begin(r);
    for (size_t i = 0; i < REP_OUTPUTS && r->tracks[i]; i++)
        stat_tracks_add(r->tracks[i], &result);
    if (r->table)
        stat_table_add(r->table, &result);
    if (rep_has_rows(r->rep)) {
        put_rows(r, &result);
        put_interval(r, &result);
    }
    r->cycles += interval->cycles;
}

/* After rows of CSV there is nothing: one without a cycle says that there are no others. */
static void leave_mark(struct stat_report *r, const struct stat_result *result)
{
    const struct stat_interval none = { .span = 1, .first = result->first, .partial = true };
    const struct stat_result row = { .first = none.first, .partial = true, .interval = &none };

    if (rep_has_rows(r->rep))
        put_rows(r, &row);
}

/* The totals are there. */
static int print_rest(struct stat_report *r)
{
    const struct stat_view view = { .root = rep_kept(r->rep), .job = r->j, .plan = r->plan };

    if (!view.root)
        return cli_no_memory();
    if (r->table)
        stat_table_end(r->table);
    else
        stat_text_title(r->page, &view);
    const int code = stat_text_rest(r->page, &view);
    cli_text_warnings(r->page);
    return code;
}

void stat_report_end(struct stat_report *r, const struct stat_result *result)
{
    const bool had_rows = r->begun;

    begin(r);
    for (size_t i = 0; i < REP_OUTPUTS && r->tracks[i]; i++)
        stat_tracks_end(r->tracks[i], result);
    if (r->t && result->partial && !had_rows)
        leave_mark(r, result);
    if (rep_has_rows(r->rep) || r->page)
        put_rest(r, result);
    if (r->page)
        r->code = print_rest(r);
    if (r->t && r->t->merged)
        cli_note(303,
                 "%s: the clock stops for long: rows of more than %d intervals without a cycle "
                 "that follow each other are one",
                 cli_input_label(r->j->path), STAT_EMPTY_ROWS);
}

/* Standard output has the rows of CSV as they are; others have an end. */
void stat_report_cut(struct stat_report *r)
{
    const struct stat_result result = { .cycles = r->cycles,
                                        .first = r->first_cycle,
                                        .partial = true };
    bool rows = false;

    for (size_t i = 0; i < r->j->report.outputs; i++)
        rows |= rep_is(&r->j->report, i, "csv");
    if (r->begun && !rows && rep_has_rows(r->rep))
        put_rest(r, &result);
}

int stat_report_close(struct stat_report *r, int code)
{
    const int closed = stat_table_close(r->table);

    for (size_t i = 0; i < REP_OUTPUTS; i++)
        stat_tracks_close(r->tracks[i]);
    return rep_close(r->rep, code ? code : r->code ? r->code : closed);
}
