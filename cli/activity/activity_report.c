/* SPDX-License-Identifier: MIT */
/* The rows for programs: a tree, of which CSV has each distribution as columns. */
#include "activity/activity.h"
#include "report/report_dist.h"

#include <stdlib.h>
#include <string.h>

#include "text/warnings.h"

static const struct rep_field dist_fields[] = { REP_DIST_FIELDS(REP_COUNT, REP_MAYBE),
                                                { .name = NULL } };

enum { COLUMNS = REP_DIST_CELLS - 1 }; /* without the sum */

enum {
    NAME,
    RANGE,
    WIDTH,
    START,
    END,
    T0,
    T1,
    TX,
    TZ,
    TC,
    RISES,
    FALLS,
    X_TO_1,
    X_TO_0,
    KNOWN_TO_X,
    DUTY,
    FREQUENCY,
    CYCLES,
    PER_CYCLE,
    SETTLED,
    SURPLUS,
    OUTSIDE,
    VALID,
    OTHER,
    BOUNCES,
    FLAT,
    PERIOD = FLAT + 3 * COLUMNS,
    HIGH,
    LOW,
    NET_FIELDS
};
static const struct rep_field net_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "its path; of a bit with its index" },
    { "range", REP_TEXT, .adds = REP_SAME,
      .about = "of a net of several bits, like [7:0]; empty: none, or a bit" },
    { "width", REP_COUNT, .adds = REP_SAME, .about = "bits" },
    { "start", REP_COUNT, .adds = REP_LEAST, .compares = REP_NOT,
      .about = "where the figures begin, in time units" },
    { "end", REP_COUNT, .adds = REP_GREATEST, .compares = REP_NOT, .about = "where they end" },
    { "T0", REP_COUNT, .adds = REP_SUM,
      .about = "time units at 0; all four add up to (end - start) * width" },
    { "T1", REP_COUNT, .adds = REP_SUM, .about = "at 1" },
    { "TX", REP_COUNT, .adds = REP_SUM, .about = "unknown" },
    { "TZ", REP_COUNT, .adds = REP_SUM, .about = "not driven" },
    { "TC", REP_COUNT, .adds = REP_SUM, .about = "rising and falling edges" },
    { "rises", REP_COUNT, .adds = REP_SUM, .about = "from 0 to 1" },
    { "falls", REP_COUNT, .adds = REP_SUM, .about = "from 1 to 0" },
    { "x_to_1", REP_COUNT, .adds = REP_SUM, .about = "from x or z to 1" },
    { "x_to_0", REP_COUNT, .adds = REP_SUM, .about = "from x or z to 0" },
    { "known_to_x", REP_COUNT, .adds = REP_SUM, .about = "from 0 or 1 to x or z" },
    { "duty", REP_NUMBER, .adds = REP_FOLLOWS, .about = "T1 / (T0 + T1); null: it is never known",
      .flags = REP_NULL },
    { "frequency", REP_NUMBER, .adds = REP_FOLLOWS,
      .about = "1 / mean period, in Hz; null: no period, or the time unit is unknown",
      .flags = REP_NULL },
    { "cycles", REP_COUNT, .adds = REP_SUM, .compares = REP_NOT,
      .about = "with --clock: edges, at each of which a cycle begins, in time that counts",
      .flags = REP_MAYBE },
    { "per_cycle", REP_NUMBER, .adds = REP_FOLLOWS, .about = "TC / cycles; null: there are none",
      .flags = REP_MAYBE | REP_NULL },
    { "settled", REP_COUNT, .adds = REP_SUM,
      .about = "edges at which a bit is 1 and was 0 at the edge before, or the other way round; "
               "summed over bits; of cycles all of which counts",
      .flags = REP_MAYBE },
    { "surplus", REP_INT, .adds = REP_SUM,
      .about = "TC - settled; below 0 where a bit was unknown between two edges",
      .flags = REP_MAYBE },
    { "outside", REP_COUNT, .adds = REP_SUM,
      .about = "those of TC in no whole cycle: before the first edge, after the last one, and in "
               "cycles only a part of which counts; absent with -I",
      .flags = REP_MAYBE },
    { "valid", REP_COUNT, .adds = REP_SUM,
      .about = "with --pulse: pulses that fit it; absent: of several bits", .flags = REP_MAYBE },
    { "other", REP_COUNT, .adds = REP_SUM, .about = "pulses that do not", .flags = REP_MAYBE },
    { "bounces", REP_COUNT, .adds = REP_SUM,
      .about = "levels shorter than --debounce, which begin no pulse", .flags = REP_MAYBE },
    REP_DIST_COLUMNS("period", REP_COUNT),
    REP_DIST_COLUMNS("high", REP_COUNT),
    REP_DIST_COLUMNS("low", REP_COUNT),
    { "period", REP_OBJECT,
      .about = "from a rising edge to the next, without x or z between; absent: several bits",
      .flags = REP_MAYBE, .field = dist_fields },
    { "high", REP_OBJECT, .about = "from a rising edge to the next falling edge",
      .flags = REP_MAYBE, .field = dist_fields },
    { "low", REP_OBJECT, .about = "from a falling edge to the next rising edge", .flags = REP_MAYBE,
      .field = dist_fields },
    { .name = NULL },
};

static const struct rep_field warning = { "warning", REP_TEXT, .csv = "name" };

static const struct rep_field event_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "its path" },
    { "start", REP_COUNT, .adds = REP_LEAST, .compares = REP_NOT,
      .about = "where the count begins, in time units" },
    { "end", REP_COUNT, .adds = REP_GREATEST, .compares = REP_NOT, .about = "where it ends" },
    { "triggers", REP_COUNT, .adds = REP_SUM, .about = "how often it was triggered" },
    { .name = NULL },
};
static const struct rep_field scope_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "its path" },
    { "nets", REP_COUNT, .adds = REP_SAME, .about = "in it, and in the scopes in it" },
    { "TC", REP_COUNT, .adds = REP_SUM, .about = "of these" },
    { "per_cycle", REP_NUMBER, .adds = REP_FOLLOWS, .about = "TC / cycles", .flags = REP_NULL },
    { "settled", REP_COUNT, .adds = REP_SUM, .about = "of these" },
    { "surplus", REP_INT, .adds = REP_SUM, .about = "TC - settled" },
    { "outside", REP_COUNT, .adds = REP_SUM, .about = "of these" },
    { .name = NULL },
};
static const char *const verdicts[] = { "met", "not met", "unknown", NULL };
static const struct rep_field expectation_fields[] = {
    { "expectation", REP_TEXT, .adds = REP_KEY, .about = "as it was given", .csv = "name" },
    { "verdict", REP_WORD, .adds = REP_FOLLOWS, .about = "what became of it", .words = verdicts },
    { "left", REP_NUMBER, .adds = REP_FOLLOWS, .about = "the left side; null: not measured",
      .flags = REP_NULL },
    { "right", REP_NUMBER, .adds = REP_FOLLOWS, .about = "the right side", .flags = REP_NULL },
    { "why", REP_TEXT, .adds = REP_FOLLOWS, .about = "what else there is to know; empty: nothing" },
    { .name = NULL },
};

static const struct rep_field period_fields[] = {
    { "name", REP_TEXT, .adds = REP_KEY, .about = "--expect-clock, as it was given" },
    { "met", REP_BOOL, .adds = REP_BOTH, .about = "all periods are that one, and there are some" },
    { "count", REP_COUNT, .adds = REP_SUM, .about = "periods" },
    { "min", REP_COUNT, .adds = REP_LEAST,
      .about = "the shortest, in time units; null: there is none", .flags = REP_NULL },
    { "max", REP_COUNT, .adds = REP_GREATEST, .about = "the longest", .flags = REP_NULL },
    { "verdict", REP_WORD, .flags = REP_NO_JSON, .words = verdicts },
    { "why", REP_TEXT, .flags = REP_NO_JSON },
    { .name = NULL },
};

enum {
    WAVEFORM,
    TIMESCALE,
    SAMPLE_RATE,
    BITS,
    FIRST,
    WHEN,
    CLOCK,
    PULSE,
    DEBOUNCE,
    NETS,
    EVENTS,
    SCOPES,
    PERIODS,
    EXPECTATIONS,
    LAST,
    DURATION,
    WHEN_TIME,
    WHEN_UNKNOWN,
    OF_CLOCK,
    PARTS,
    WARNINGS
};
static const struct rep_field fields[] = {
    { "waveform", REP_TEXT, .adds = REP_NAMES, .about = "the file", .flags = REP_NO_CSV },
    { "timescale", REP_TEXT, .adds = REP_SAME,
      .about = "the unit of all times, like 1ps; null: a sample, or unknown", .flags = REP_NULL },
    { "sample_rate", REP_COUNT, .adds = REP_SAME,
      .about = "samples a second; absent: it is not sampled; null: the rate is unknown",
      .flags = REP_MAYBE | REP_NULL },
    { "bits", REP_BOOL, .adds = REP_SAME, .about = "--bits: a row of each bit" },
    { "first_time", REP_COUNT, .adds = REP_LEAST,
      .about = "the first time that counts; null: no timestamp", .flags = REP_NULL },
    { "when", REP_TEXT, .adds = REP_SAME, .about = "--when: only time in which it holds counts",
      .flags = REP_MAYBE },
    { "clock", REP_TEXT, .adds = REP_SAME, .about = "--clock", .flags = REP_MAYBE },
    { "pulse", REP_TEXT, .adds = REP_SAME, .about = "--pulse", .flags = REP_MAYBE },
    { "debounce", REP_TEXT, .adds = REP_SAME, .about = "--debounce", .flags = REP_MAYBE },
    { "nets", REP_LIST, .adds = REP_EACH,
      .about = "those that toggle most first; with -I of each interval, one after the other",
      .flags = REP_ROW | REP_STREAM, .field = net_fields, .item = "a net, or a bit of it",
      .one = "net" },
    { "events", REP_LIST, .adds = REP_EACH,
      .about = "event variables, of all time also with -I; absent: there are none",
      .flags = REP_MAYBE | REP_ROW, .field = event_fields, .item = "an event variable" },
    { "scopes", REP_LIST, .adds = REP_EACH,
      .about = "with --clock: scopes with all that is in them, most surplus first; absent with -I",
      .flags = REP_MAYBE | REP_NO_CSV, .field = scope_fields, .item = "a scope" },
    { "periods", REP_LIST, .adds = REP_EACH, .about = "of --expect-clock",
      .flags = REP_MAYBE | REP_ROW, .field = period_fields, .item = "a clock" },
    { "expectations", REP_LIST, .adds = REP_EACH, .about = "of --expect",
      .flags = REP_MAYBE | REP_ROW, .field = expectation_fields, .item = "one of them" },
    { "last_time", REP_COUNT, .adds = REP_GREATEST, .about = "the last one", .flags = REP_NULL },
    { "duration", REP_COUNT, .adds = REP_SUM, .about = "time units between them" },
    { "when_time", REP_COUNT, .adds = REP_SUM, .about = "those in which --when holds",
      .flags = REP_MAYBE },
    { "when_unknown", REP_COUNT, .adds = REP_SUM,
      .about = "those in which it is not known, and does not count", .flags = REP_MAYBE },
    { "cycles", REP_COUNT, .adds = REP_SUM, .about = "with --clock: edges in time that counts",
      .flags = REP_MAYBE | REP_NO_CSV },
    [PARTS] = REP_PARTS(rep_parts_of_activity),
    { "warnings", REP_LIST, .adds = REP_ONCE,
      .about = "what was odd, dropped or assumed: code, place and text as on standard error; "
               "empty: nothing",
      .value = &warning },
    { .name = NULL },
};

const struct rep_def activity_report = {
    .schema = "pcounter-activity-1",
    .lines = "pcounter-activity-lines-1",
    .call = "pcounter activity",
    .about = "What nets of a waveform do over time.",
    .field = fields,
    .columns =
        "name,range,width,start,end,T0,T1,TX,TZ,TC,rises,falls,x_to_1,x_to_0,known_to_x,"
        "duty,frequency," REP_DIST_HEAD("period") "," REP_DIST_HEAD("high") "," REP_DIST_HEAD(
            "low") ",cycles,per_cycle,settled,surplus,outside,"
                   "valid,other,bounces,triggers,when,clock,pulse,debounce,verdict",
    .own = REP_SAIF,
    .page = true,
    .test = "name",
    .verdict = "verdict",
    .test_columns = "name,verdict,left,right,why",
    .passed = "met",
};

static void put_columns(const struct pc_dist_figures *f, struct rep_cell *cell)
{
    struct rep_dist d; /* of 64 bits: no cell has its text */

    rep_dist_cells(f, rep_absent(), true, &d);
    cell[0] = d.cell[REP_DIST_COUNT];
    memcpy(cell + 1, d.cell + REP_DIST_MIN, (REP_DIST_CELLS - REP_DIST_MIN) * sizeof *cell);
}

static void put_dist(struct rep *r, unsigned field, const struct pc_dist_figures *f)
{
    struct rep_dist d;

    rep_dist_cells(f, rep_absent(), true, &d);
    rep_row(r, field, (struct rep_cells){ d.cell, REP_DIST_CELLS });
}

static struct rep_cell rate(uint64_t toggles, uint64_t cycles)
{
    return cycles > 0 ? rep_exact((double)toggles / (double)cycles) : rep_null();
}

static void put_cycles(const struct activity_run *run, const struct pc_activity_figures *f,
                       struct rep_cell *cell)
{
    const uint64_t toggles = f->rises + f->falls;

    if (!run->o->clock)
        return;
    cell[CYCLES] = rep_count(run->part.cycles.begun);
    cell[PER_CYCLE] = rate(toggles, run->part.cycles.begun);
    cell[SETTLED] = rep_count(f->settled);
    cell[SURPLUS] = rep_int(activity_surplus(toggles, f->settled));
    if (!run->interval)
        cell[OUTSIDE] = rep_count(f->outside);
}

static void put_row(const struct activity_run *run, const struct activity_told *t)
{
    const struct pc_activity_figures *f = &t->f;
    const uint64_t counts[] = { f->t0,    f->t1,    f->tx,     f->tz,     f->rises + f->falls,
                                f->rises, f->falls, f->x_to_1, f->x_to_0, f->known_to_x };
    const struct pc_dist_figures *const dist[] = { &t->period, &t->high, &t->low };
    struct rep_cell cell[NET_FIELDS] = { [NAME] = rep_text(t->name),
                                         [RANGE] = rep_text(t->range),
                                         [WIDTH] = rep_count(t->width),
                                         [START] = rep_count(run->part.start),
                                         [END] = rep_count(run->part.end) };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        cell[T0 + i] = rep_count(counts[i]);
    cell[DUTY] =
        f->t0 + f->t1 > 0 ? rep_exact((double)f->t1 / (double)(f->t0 + f->t1)) : rep_null();
    cell[FREQUENCY] = t->frequency > 0 ? rep_exact(t->frequency) : rep_null();
    put_cycles(run, f, cell);
    if (f->pulses) {
        cell[VALID] = rep_count(f->pulses->valid);
        cell[OTHER] = rep_count(f->pulses->other);
        cell[BOUNCES] = rep_count(f->bounces);
    }
    for (size_t i = 0; t->one && i < 3; i++)
        put_columns(dist[i], &cell[FLAT + COLUMNS * i]);
    rep_begin(run->report, NETS, (struct rep_cells){ cell, NET_FIELDS });
    for (unsigned i = 0; t->one && i < 3; i++)
        put_dist(run->report, PERIOD + i, dist[i]);
    rep_end(run->report);
}

static int put_rows(struct activity_run *run)
{
    struct activity_told t;
    int code = CLI_OK;

    for (size_t i = 0; i < run->nets.rows && code == CLI_OK; i++) {
        code = activity_tell(run, i, &t);
        if (code == CLI_OK)
            put_row(run, &t);
        activity_untell(&t);
    }
    return code;
}

static struct rep_cell said(const char *text)
{
    return text ? rep_text(text) : rep_absent();
}

static void put_begin(struct activity_run *run)
{
    const struct pc_wave_info *info = &run->info;

    if (!rep_has_rows(run->report))
        return;
    rep_root(run->report,
             REP_CELLS(rep_text(cli_input_name(run->o->file)),
                       rep_text(run->scale[0] ? run->scale : NULL),
                       !info->sampled      ? rep_absent()
                       : info->sample_rate ? rep_count(info->sample_rate)
                                           : rep_null(),
                       rep_bool(run->o->bits), run->begun ? rep_count(run->first) : rep_null(),
                       said(run->o->when), said(run->o->clock), said(run->o->pulse),
                       said(run->o->debounce.text)));
}

static int tell_row(void *ctx, size_t row, struct activity_told *out)
{
    return activity_tell(ctx, row, out);
}

static const char *tell_event(void *ctx, size_t i, uint64_t *triggers)
{
    const struct activity_run *run = ctx;
    const struct activity_event *event = &run->nets.event[i];
    struct pc_wave_var v;

    *triggers = event->triggers;
    return pc_wave_get_var(run->wave, event->var, &v) == PC_OK ? v.name : "";
}

static struct activity_view view_of(struct activity_run *run)
{
    const struct activity_options *o = run->o;
    struct activity_view view = { .input = cli_input_name(o->file),
                                  .rows = run->nets.rows,
                                  .bits = o->bits,
                                  .wide = o->wide,
                                  .sampled = run->info.sampled,
                                  .unit = activity_seconds(&run->info),
                                  .start = run->part.start,
                                  .end = run->part.end,
                                  .when = o->when,
                                  .clock = o->clock,
                                  .pulse = o->pulse,
                                  .debounce = o->debounce.text,
                                  .time = run->part.cycles.time,
                                  .unknown = run->part.unknown,
                                  .cycles = run->part.cycles.begun,
                                  .number = run->part.number,
                                  .parts = run->interval > 0,
                                  .tell = tell_row,
                                  .events = run->nets.events,
                                  .event = tell_event,
                                  .ctx = run };

    memcpy(view.scale, run->scale, sizeof view.scale);
    return view;
}

int activity_put(struct activity_run *run)
{
    FILE *page = rep_page(run->report);

    if (run->part.number == 0)
        put_begin(run);
    for (size_t i = 0; i < run->nets.events; i++) {
        struct pc_activity_figures f;
        pc_activity_get(run->activity, run->nets.event[i].code, 0, &f);
        run->nets.event[i].triggers += f.triggers;
    }
    activity_sort(&run->nets, run->activity);
    const struct activity_view view = view_of(run);
    int code = page ? activity_print(page, &view) : CLI_OK;
    if (code == CLI_OK && run->html)
        code = activity_page(run->html, &view);
    return code || !rep_has_rows(run->report) ? code : put_rows(run);
}

static int put_events(struct activity_run *run)
{
    const struct activity_view view = view_of(run);
    uint64_t triggers;

    const int code = activity_print_events(rep_page(run->report), run->html, &view);
    for (size_t i = 0; rep_has_rows(run->report) && i < view.events; i++) {
        const char *name = tell_event(run, i, &triggers);
        rep_row(run->report, EVENTS,
                REP_CELLS(rep_text(name), rep_count(run->first), rep_count(run->totals.time_last),
                          rep_count(triggers)));
    }
    return code;
}

static int put_scopes(struct activity_run *run)
{
    const struct activity_view view = view_of(run);
    struct activity_scopes s;
    int code;

    if (!run->o->clock || run->interval || !run->begun || !rep_has_rows(run->report))
        return CLI_OK;
    code = activity_sum_scopes(&view, &s);
    for (size_t i = 0; code == CLI_OK && i < s.count; i++) {
        const struct activity_scope *at = &s.scope[i];
        rep_row(run->report, SCOPES,
                REP_CELLS(rep_text(at->name), rep_count(at->nets), rep_count(at->toggles),
                          rate(at->toggles, view.cycles), rep_count(at->settled),
                          rep_int(activity_surplus(at->toggles, at->settled)),
                          rep_count(at->outside)));
    }
    activity_free_scopes(&s);
    return code;
}

int activity_put_end(struct activity_run *run)
{
    const struct activity_options *o = run->o;

    int code = put_events(run);
    if (code == CLI_OK)
        code = put_scopes(run);
    if (code == CLI_OK)
        code = activity_judge(run, PERIODS, EXPECTATIONS);
    if (rep_page(run->report) && code == CLI_OK)
        cli_text_warnings(rep_page(run->report));
    if (run->html)
        activity_page_end(run->html);
    if (code || !rep_has_rows(run->report))
        return code;
    rep_set(run->report, LAST, run->begun ? rep_count(run->totals.time_last) : rep_null());
    rep_set(run->report, DURATION, rep_count(run->begun ? run->totals.time_last - run->first : 0));
    if (o->when) {
        rep_set(run->report, WHEN_TIME, rep_count(run->cycles.time));
        rep_set(run->report, WHEN_UNKNOWN, rep_count(run->unknown));
    }
    if (o->clock)
        rep_set(run->report, OF_CLOCK, rep_count(run->cycles.begun));
    rep_warnings(run->report, WARNINGS);
    rep_end(run->report);
    return CLI_OK;
}
