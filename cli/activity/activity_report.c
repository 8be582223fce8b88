/* SPDX-License-Identifier: MIT */
/* The rows for programs: a tree, of which CSV has each distribution as columns. */
#include "activity/activity.h"

#include <stdlib.h>
#include <string.h>

#include "text/warnings.h"

static const struct rep_field dist_fields[] = {
    { "count", REP_COUNT, .about = "how many there were; the others are there if it is not 0" },
    { "sum", REP_COUNT, .about = "of all of them" },
    { "min", REP_COUNT, .about = "the shortest", .flags = REP_MAYBE },
    { "mean", REP_NUMBER, .about = "sum / count", .flags = REP_MAYBE },
    { "p50", REP_COUNT, .about = "nearest rank; null: of too many different ones",
      .flags = REP_MAYBE | REP_NULL },
    { "p90", REP_COUNT, .flags = REP_MAYBE | REP_NULL, .about = "the same" },
    { "p99", REP_COUNT, .flags = REP_MAYBE | REP_NULL, .about = "the same" },
    { "max", REP_COUNT, .about = "the longest", .flags = REP_MAYBE },
    { .name = NULL },
};

#define COLUMNS_OF(name)                                                                           \
    { name "_count", REP_COUNT, .flags = REP_NO_JSON },                                            \
        { name "_min", REP_COUNT, .flags = REP_NO_JSON },                                          \
        { name "_mean", REP_NUMBER, .flags = REP_NO_JSON },                                        \
        { name "_p50", REP_COUNT, .flags = REP_NO_JSON },                                          \
        { name "_p99", REP_COUNT, .flags = REP_NO_JSON },                                          \
    {                                                                                              \
        name "_max", REP_COUNT, .flags = REP_NO_JSON                                               \
    }
enum { COLUMNS = 6 };

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
    FLAT,
    PERIOD = FLAT + 3 * COLUMNS,
    HIGH,
    LOW,
    NET_FIELDS
};
static const struct rep_field net_fields[] = {
    { "name", REP_TEXT, .about = "its path; of a bit with its index" },
    { "range", REP_TEXT, .about = "of a net of several bits, like [7:0]; empty: none, or a bit" },
    { "width", REP_COUNT, .about = "bits" },
    { "start", REP_COUNT, .about = "where the figures begin, in time units" },
    { "end", REP_COUNT, .about = "where they end" },
    { "T0", REP_COUNT, .about = "time units at 0; all four add up to (end - start) * width" },
    { "T1", REP_COUNT, .about = "at 1" },
    { "TX", REP_COUNT, .about = "unknown" },
    { "TZ", REP_COUNT, .about = "not driven" },
    { "TC", REP_COUNT, .about = "rises and falls" },
    { "rises", REP_COUNT, .about = "from 0 to 1" },
    { "falls", REP_COUNT, .about = "from 1 to 0" },
    { "x_to_1", REP_COUNT, .about = "from x or z to 1" },
    { "x_to_0", REP_COUNT, .about = "from x or z to 0" },
    { "known_to_x", REP_COUNT, .about = "from 0 or 1 to x or z" },
    { "duty", REP_NUMBER, .about = "T1 / (T0 + T1); null: it is never known", .flags = REP_NULL },
    { "frequency", REP_NUMBER,
      .about = "1 / mean period, in Hz; null: there is no period, or the time unit is unknown",
      .flags = REP_NULL },
    COLUMNS_OF("period"),
    COLUMNS_OF("high"),
    COLUMNS_OF("low"),
    { "period", REP_OBJECT,
      .about = "from a rise to the next, without x or z between; absent: of several bits",
      .flags = REP_MAYBE, .field = dist_fields },
    { "high", REP_OBJECT, .about = "from a rise to the next fall", .flags = REP_MAYBE,
      .field = dist_fields },
    { "low", REP_OBJECT, .about = "from a fall to the next rise", .flags = REP_MAYBE,
      .field = dist_fields },
    { .name = NULL },
};

static const struct rep_field warning = { "warning", REP_TEXT, .csv = "name" };

enum { WAVEFORM, TIMESCALE, SAMPLE_RATE, BITS, FIRST, NETS, LAST, DURATION, PARTS, WARNINGS };
static const struct rep_field fields[] = {
    { "waveform", REP_TEXT, .about = "the file", .flags = REP_NO_CSV },
    { "timescale", REP_TEXT, .about = "the unit of all times, like 1ps; null: a sample, or unknown",
      .flags = REP_NULL },
    { "sample_rate", REP_COUNT,
      .about = "samples a second; absent: it is not sampled; null: the rate is unknown",
      .flags = REP_MAYBE | REP_NULL },
    { "bits", REP_BOOL, .about = "--bits: a row of each bit" },
    { "first_time", REP_COUNT, .about = "the first time that counts; null: there is no time stamp",
      .flags = REP_NULL },
    { "nets", REP_LIST,
      .about = "those that toggle most first; with -I of each interval, one after the other",
      .flags = REP_ROW | REP_STREAM, .field = net_fields, .item = "a net, or a bit of it",
      .one = "net" },
    { "last_time", REP_COUNT, .about = "the last one", .flags = REP_NULL },
    { "duration", REP_COUNT, .about = "time units between them" },
    [PARTS] = REP_PARTS(rep_parts_of_activity),
    { "warnings", REP_LIST,
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
    .columns = "name,range,width,start,end,T0,T1,TX,TZ,TC,rises,falls,x_to_1,x_to_0,known_to_x,"
               "duty,frequency,period_count,period_min,period_mean,period_p50,period_p99,"
               "period_max,high_count,high_min,high_mean,high_p50,high_p99,high_max,low_count,"
               "low_min,low_mean,low_p50,low_p99,low_max",
    .own = REP_SAIF,
    .page = true,
};

static struct rep_cell percentile(const struct pc_dist_figures *f, struct pc_wide value)
{
    return f->complete ? rep_count(value.low) : rep_null();
}

static void put_columns(const struct pc_dist_figures *f, struct rep_cell *cell)
{
    cell[0] = rep_count(f->count);
    if (f->count == 0)
        return;
    cell[1] = rep_count(f->min.low);
    cell[2] = rep_exact(f->mean);
    cell[3] = percentile(f, f->p50);
    cell[4] = percentile(f, f->p99);
    cell[5] = rep_count(f->max.low);
}

static void put_dist(struct rep *r, unsigned field, const struct pc_dist_figures *f)
{
    if (f->count == 0)
        rep_row(r, field, REP_CELLS(rep_count(0), rep_count(0)));
    else
        rep_row(r, field,
                REP_CELLS(rep_count(f->count), rep_count(f->sum.low), rep_count(f->min.low),
                          rep_exact(f->mean), percentile(f, f->p50), percentile(f, f->p90),
                          percentile(f, f->p99), rep_count(f->max.low)));
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
                       rep_bool(run->o->bits), run->begun ? rep_count(run->first) : rep_null()));
}

static int tell_row(void *ctx, size_t row, struct activity_told *out)
{
    return activity_tell(ctx, row, out);
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
                                  .number = run->part.number,
                                  .tell = tell_row,
                                  .ctx = run };

    memcpy(view.scale, run->scale, sizeof view.scale);
    return view;
}

int activity_put(struct activity_run *run)
{
    FILE *page = rep_page(run->report);

    if (run->part.number == 0)
        put_begin(run);
    activity_sort(&run->nets, run->activity);
    const struct activity_view view = view_of(run);
    int code = page ? activity_print(page, &view) : CLI_OK;
    if (code == CLI_OK && run->html)
        code = activity_page(run->html, &view);
    return code || !rep_has_rows(run->report) ? code : put_rows(run);
}

void activity_put_end(struct activity_run *run)
{
    if (run->html)
        activity_page_end(run->html);
    if (!rep_has_rows(run->report))
        return;
    rep_set(run->report, LAST, run->begun ? rep_count(run->totals.time_last) : rep_null());
    rep_set(run->report, DURATION, rep_count(run->begun ? run->totals.time_last - run->first : 0));
    rep_warnings(run->report, WARNINGS);
    rep_end(run->report);
}
