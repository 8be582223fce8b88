/* SPDX-License-Identifier: MIT */
/* The rows of a part for people: a table, with --wide of all figures. */
#include "activity/activity.h"

#include "text/quantity.h"

enum { CELL = CLI_QUANTITY };

/* "5 ns", or "5" where the time unit is not known. */
static void time_text(const struct pc_wave_info *info, double units, char out[CELL])
{
    const double unit = activity_seconds(info);

    if (unit > 0)
        cli_quantity_digits(units * unit, "s", 6, false, out);
    else
        snprintf(out, CELL, "%.6g", units);
}

static void median_text(const struct pc_wave_info *info, const struct pc_dist_figures *f,
                        char out[CELL])
{
    if (f->count == 0 || !f->complete)
        snprintf(out, CELL, "-");
    else
        time_text(info, (double)f->p50.low, out);
}

static void share_text(uint64_t part, uint64_t all, char out[CELL])
{
    if (all == 0)
        snprintf(out, CELL, "-");
    else
        snprintf(out, CELL, "%.2f %%", 100 * (double)part / (double)all);
}

static void frequency_text(const struct activity_run *run, const struct activity_told *t,
                           char out[CELL])
{
    const double hertz = activity_frequency(&run->info, &t->period);

    if (hertz > 0)
        cli_quantity_digits(hertz, "Hz", 6, false, out);
    else
        snprintf(out, CELL, "-");
}

static void put_name(FILE *page, const struct activity_told *t)
{
    fputs("  ", page);
    cli_print_name(page, t->name ? t->name : t->var.name);
    if (!t->one)
        cli_print_name(page, t->var.range);
    fputc('\n', page);
}

/* --- the table --- */

static void put_short(FILE *page, const struct activity_run *run, const struct activity_told *t)
{
    const struct pc_activity_figures *f = &t->f;
    char duty[CELL], unknown[CELL], frequency[CELL], period[CELL], high[CELL], low[CELL];

    share_text(f->t1, f->t0 + f->t1, duty);
    share_text(f->tx + f->tz, f->t0 + f->t1 + f->tx + f->tz, unknown);
    frequency_text(run, t, frequency);
    median_text(&run->info, &t->period, period);
    median_text(&run->info, &t->high, high);
    median_text(&run->info, &t->low, low);
    fprintf(page, "%13s %9s %9s %14s %12s %12s %12s", cli_grouped(f->rises + f->falls), duty,
            unknown, frequency, period, high, low);
    put_name(page, t);
}

/* --- --wide --- */

static void put_dist(FILE *page, const struct pc_dist_figures *f)
{
    const char *const none = f->count == 0 ? "-" : NULL;
    const char *const no_rank = f->count == 0 || !f->complete ? "-" : NULL;
    char mean[CELL];

    snprintf(mean, sizeof mean, "%.8g", f->mean);
    fprintf(page, " %13s %12s %13s", none ? none : cli_grouped(f->min.low), none ? none : mean,
            no_rank ? no_rank : cli_grouped(f->p50.low));
    fprintf(page, " %13s %13s", no_rank ? no_rank : cli_grouped(f->p99.low),
            none ? none : cli_grouped(f->max.low));
}

static void put_wide(FILE *page, const struct activity_run *run, const struct activity_told *t)
{
    const struct pc_activity_figures *f = &t->f;
    char duty[CELL], frequency[CELL];

    share_text(f->t1, f->t0 + f->t1, duty);
    frequency_text(run, t, frequency);
    fprintf(page, "%13s %13s %13s", cli_grouped(f->rises + f->falls), cli_grouped(f->rises),
            cli_grouped(f->falls));
    fprintf(page, " %15s %15s", cli_grouped(f->t0), cli_grouped(f->t1));
    fprintf(page, " %15s %15s %9s %14s", cli_grouped(f->tx), cli_grouped(f->tz), duty, frequency);
    put_dist(page, &t->period);
    put_dist(page, &t->high);
    put_dist(page, &t->low);
    put_name(page, t);
}

static void put_head(FILE *page, bool wide)
{
    static const char *const dists[] = { "period", "high", "low" };
    static const struct {
        const char *name;
        int width;
    } columns[] = { { "min", 13 }, { "mean", 12 }, { "p50", 13 }, { "p99", 13 }, { "max", 13 } };

    if (!wide) {
        fprintf(page, "%13s %9s %9s %14s %12s %12s %12s  net\n", "toggles", "duty", "unknown",
                "frequency", "period", "high", "low");
        return;
    }
    fprintf(page, "%13s %13s %13s %15s %15s %15s %15s %9s %14s", "toggles", "rises", "falls", "T0",
            "T1", "TX", "TZ", "duty", "frequency");
    for (size_t d = 0; d < 3; d++)
        for (size_t c = 0; c < 5; c++) {
            char head[CELL];
            snprintf(head, sizeof head, "%s %s", dists[d], columns[c].name);
            fprintf(page, " %*s", columns[c].width, head);
        }
    fputs("  net\n", page);
}

/* --- a part --- */

static void put_times(FILE *page, const struct activity_run *run)
{
    const struct activity_part *p = &run->part;
    char length[CELL];

    fprintf(page, "%s to %s", cli_grouped(p->start), cli_grouped(p->end));
    if (activity_seconds(&run->info) > 0) {
        time_text(&run->info, (double)(p->end - p->start), length);
        fprintf(page, " (%s)", length);
    }
}

static void put_title(FILE *page, const struct activity_run *run)
{
    const struct activity_options *o = run->o;

    if (run->part.number == 0) {
        fputs("Activity of ", page);
        cli_print_name(page, cli_input_name(o->file));
        fprintf(page, ": %s", cli_count(run->nets.rows, o->bits ? "bit" : "net"));
        if (run->scale[0])
            fprintf(page, ", time unit %s", run->scale);
        else if (run->info.sampled)
            fputs(", time unit 1 sample", page);
        fputc('\n', page);
    }
    fputc('\n', page);
    put_times(page, run);
    fputs("\n\n", page);
}

int activity_print(FILE *page, struct activity_run *run)
{
    struct activity_told t;
    int code = CLI_OK;

    put_title(page, run);
    put_head(page, run->o->wide);
    for (size_t i = 0; i < run->nets.rows && code == CLI_OK; i++) {
        code = activity_tell(run, i, &t);
        if (code == CLI_OK && run->o->wide)
            put_wide(page, run, &t);
        else if (code == CLI_OK)
            put_short(page, run, &t);
        activity_untell(&t);
    }
    return code;
}
