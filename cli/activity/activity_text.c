/* SPDX-License-Identifier: MIT */
/* The rows of a part for people: a table, with --wide of all figures; of a run, or of a report. */
#include "activity/activity.h"

#include "text/quantity.h"

enum { CELL = CLI_QUANTITY };

/* "5 ns", or "5" where the time unit is not known. */
static void time_text(const struct activity_view *v, double units, char out[CELL])
{
    if (v->unit > 0)
        cli_quantity_digits(units * v->unit, "s", 6, false, out);
    else
        snprintf(out, CELL, "%.6g", units);
}

/* The median, or the mean where medians are not known. */
static void middle_text(const struct activity_view *v, const struct pc_dist_figures *f,
                        char out[CELL])
{
    if (f->count == 0 || (!f->complete && !v->means))
        snprintf(out, CELL, "-");
    else
        time_text(v, v->means ? f->mean : (double)f->p50.low, out);
}

static void share_text(uint64_t part, uint64_t all, char out[CELL])
{
    if (all == 0)
        snprintf(out, CELL, "-");
    else
        snprintf(out, CELL, "%.2f %%", 100 * (double)part / (double)all);
}

static void frequency_text(const struct activity_told *t, char out[CELL])
{
    if (t->frequency > 0)
        cli_quantity_digits(t->frequency, "Hz", 6, false, out);
    else
        snprintf(out, CELL, "-");
}

static void put_name(FILE *page, const struct activity_told *t)
{
    fputs("  ", page);
    cli_print_name(page, t->name);
    cli_print_name(page, t->range);
    fputc('\n', page);
}

/* --- the table --- */

static void put_short(FILE *page, const struct activity_view *v, const struct activity_told *t)
{
    const struct pc_activity_figures *f = &t->f;
    char duty[CELL], unknown[CELL], frequency[CELL], period[CELL], high[CELL], low[CELL];

    share_text(f->t1, f->t0 + f->t1, duty);
    share_text(f->tx + f->tz, f->t0 + f->t1 + f->tx + f->tz, unknown);
    frequency_text(t, frequency);
    middle_text(v, &t->period, period);
    middle_text(v, &t->high, high);
    middle_text(v, &t->low, low);
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

static void put_wide(FILE *page, const struct activity_told *t)
{
    const struct pc_activity_figures *f = &t->f;
    char duty[CELL], frequency[CELL];

    share_text(f->t1, f->t0 + f->t1, duty);
    frequency_text(t, frequency);
    fprintf(page, "%13s %13s %13s", cli_grouped(f->rises + f->falls), cli_grouped(f->rises),
            cli_grouped(f->falls));
    fprintf(page, " %15s %15s", cli_grouped(f->t0), cli_grouped(f->t1));
    fprintf(page, " %15s %15s %9s %14s", cli_grouped(f->tx), cli_grouped(f->tz), duty, frequency);
    put_dist(page, &t->period);
    put_dist(page, &t->high);
    put_dist(page, &t->low);
    put_name(page, t);
}

static void put_head(FILE *page, const struct activity_view *v)
{
    static const char *const dists[] = { "period", "high", "low" };
    static const struct {
        const char *name;
        int width;
    } columns[] = { { "min", 13 }, { "mean", 12 }, { "p50", 13 }, { "p99", 13 }, { "max", 13 } };

    if (!v->wide) {
        fprintf(page, "%13s %9s %9s %14s %12s %12s %12s  net\n", "toggles", "duty", "unknown",
                "frequency", v->means ? "mean period" : "period", v->means ? "mean high" : "high",
                v->means ? "mean low" : "low");
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

static void put_times(FILE *page, const struct activity_view *v)
{
    char length[CELL];

    fprintf(page, "%s to %s", cli_grouped(v->start), cli_grouped(v->end));
    if (v->unit > 0) {
        time_text(v, (double)(v->end - v->start), length);
        fprintf(page, " (%s)", length);
    }
}

static void put_title(FILE *page, const struct activity_view *v)
{
    if (v->number == 0) {
        fputs("Activity of ", page);
        cli_print_name(page, v->input);
        fprintf(page, ": %s", cli_count(v->rows, v->bits ? "bit" : "net"));
        if (v->reports > 1)
            fprintf(page, ", %s", cli_count(v->reports, "report"));
        if (v->scale[0])
            fprintf(page, ", time unit %s", v->scale);
        else if (v->sampled)
            fputs(", time unit 1 sample", page);
        fputc('\n', page);
    }
    fputc('\n', page);
    put_times(page, v);
    fputs("\n\n", page);
}

int activity_print(FILE *page, const struct activity_view *v)
{
    struct activity_told t;
    int code = CLI_OK;

    put_title(page, v);
    put_head(page, v);
    for (size_t i = 0; i < v->rows && code == CLI_OK; i++) {
        code = v->tell(v->ctx, i, &t);
        if (code == CLI_OK && v->wide)
            put_wide(page, &t);
        else if (code == CLI_OK)
            put_short(page, v, &t);
        activity_untell(&t);
    }
    return code;
}
