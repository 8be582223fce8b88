/* SPDX-License-Identifier: MIT */
/* The rows of a part for people: a table, with --wide of all figures; of a run, or of a report. */
#include "activity/activity.h"

#include "report/report_dist.h"
#include "text/quantity.h"
#include "timeline/timeline_plot.h"

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
        time_text(v, v->means ? f->mean : (double)f->rank[PC_P50].low, out);
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

/* --- cycles and pulses --- */

const char *activity_signed(int64_t value, char out[ACTIVITY_SIGNED])
{
    snprintf(out, ACTIVITY_SIGNED, "%s%s", value < 0 ? "-" : "",
             cli_grouped(value < 0 ? -(uint64_t)value : (uint64_t)value));
    return out;
}

enum { SCOPES = 20 };

static void put_of_clock(FILE *page, const struct activity_view *v,
                         const struct pc_activity_figures *f)
{
    const uint64_t toggles = f->rises + f->falls;
    const int64_t surplus = activity_surplus(toggles, f->settled);
    char rate[CELL], text[ACTIVITY_SIGNED];

    snprintf(rate, sizeof rate, v->cycles ? "%.4g" : "-", (double)toggles / (double)v->cycles);
    fprintf(page, " %10s %13s", rate, cli_grouped(f->settled));
    fprintf(page, " %13s %9s", activity_signed(surplus, text),
            v->parts ? "-" : cli_grouped(f->outside));
}

static void put_of_pulse(FILE *page, const struct pc_activity_figures *f)
{
    const struct pc_activity_pulses *p = f->pulses;

    fprintf(page, " %9s %9s %9s", p ? cli_grouped(p->valid) : "-", p ? cli_grouped(p->other) : "-",
            p ? cli_grouped(f->bounces) : "-");
}

static void put_more(FILE *page, const struct activity_view *v, const struct activity_told *t)
{
    if (v->clock)
        put_of_clock(page, v, &t->f);
    if (v->pulse)
        put_of_pulse(page, &t->f);
}

static void put_more_head(FILE *page, const struct activity_view *v)
{
    if (v->clock)
        fprintf(page, " %10s %13s %13s %9s", "per cycle", "settled", "surplus", "outside");
    if (v->pulse)
        fprintf(page, " %9s %9s %9s", "valid", "other", "bounces");
}

static int put_scopes(FILE *page, const struct activity_view *v)
{
    struct activity_scopes s;
    int code = activity_sum_scopes(v, &s);

    if (code == CLI_OK && s.count > 0) {
        fprintf(page, "\n%13s", "toggles");
        fprintf(page, " %10s %13s %13s %9s  scope\n", "per cycle", "settled", "surplus", "outside");
    }
    for (size_t i = 0; i < s.count && i < SCOPES && code == CLI_OK; i++) {
        const struct activity_scope *at = &s.scope[i];
        fprintf(page, "%13s", cli_grouped(at->toggles));
        put_of_clock(page, v,
                     &(struct pc_activity_figures){
                         .rises = at->toggles, .settled = at->settled, .outside = at->outside });
        fputs("  ", page);
        cli_print_name(page, at->name);
        fputc('\n', page);
    }
    if (s.count > SCOPES)
        fprintf(page, "  and %s more, which --format json has\n",
                cli_count(s.count - SCOPES, "scope"));
    activity_free_scopes(&s);
    return code;
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
    fprintf(page, "%13s %9s %9s", cli_grouped(f->rises + f->falls), duty, unknown);
    if (!v->clock)
        fprintf(page, " %14s %12s %12s %12s", frequency, period, high, low);
    put_more(page, v, t);
    put_name(page, t);
}

/* --- --wide --- */

static void put_dist(FILE *page, const struct pc_dist_figures *f)
{
    const char *const none = f->count == 0 ? "-" : NULL;
    const char *const no_rank = f->count == 0 || !f->complete ? "-" : NULL;
    char mean[CELL];

    snprintf(mean, sizeof mean, "%.8g", f->mean);
    fprintf(page, " %13s %12s", none ? none : cli_grouped(f->min.low), none ? none : mean);
    for (unsigned r = 0; r < PC_RANKS; r++)
        fprintf(page, " %13s", no_rank ? no_rank : cli_grouped(f->rank[r].low));
    fprintf(page, " %13s", none ? none : cli_grouped(f->max.low));
}

static void put_wide(FILE *page, const struct activity_view *v, const struct activity_told *t)
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
    put_more(page, v, t);
    put_name(page, t);
}

static void put_head(FILE *page, const struct activity_view *v)
{
    static const char *const dists[] = { "period", "high", "low" };
    if (!v->wide) {
        fprintf(page, "%13s %9s %9s", "toggles", "duty", "unknown");
        if (!v->clock)
            fprintf(page, " %14s %12s %12s %12s", "frequency", v->means ? "mean period" : "period",
                    v->means ? "mean high" : "high", v->means ? "mean low" : "low");
        put_more_head(page, v);
        fputs("  net\n", page);
        return;
    }
    fprintf(page, "%13s %13s %13s %15s %15s %15s %15s %9s %14s", "toggles", "rises", "falls", "T0",
            "T1", "TX", "TZ", "duty", "frequency");
    for (size_t d = 0; d < 3; d++)
        for (unsigned c = REP_DIST_MIN; c < REP_DIST_CELLS; c++) {
            char head[CELL];
            snprintf(head, sizeof head, "%s %s", dists[d], rep_dist_name(c));
            fprintf(page, " %*s", c == REP_DIST_MEAN ? 12 : 13, head);
        }
    put_more_head(page, v);
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

/* A line: what was asked for, between two texts. */
static void put_fact(FILE *page, FILE *html, const char *before, const char *asked,
                     const char *after)
{
    if (page) {
        fputs(before, page);
        cli_print_name(page, asked);
        fprintf(page, "%s\n", after);
    }
    if (html) {
        fprintf(html, "<p>%s", before);
        timeline_put(html, asked);
        fprintf(html, "%s</p>\n", after);
    }
}

void activity_print_facts(FILE *page, FILE *html, const struct activity_view *v)
{
    char time[CELL], share[CELL], unknown[CELL] = "", text[4 * CELL];

    if (v->when) {
        time_text(v, (double)v->time, time);
        share_text(v->time, v->end - v->start, share);
        if (v->unknown > 0)
            time_text(v, (double)v->unknown, unknown);
        snprintf(text, sizeof text, ": %s, %s%s%s", time, share,
                 unknown[0] ? "; not known for " : "", unknown);
        put_fact(page, html, "while ", v->when, text);
    }
    if (v->clock) {
        snprintf(text, sizeof text, ": %s", cli_grouped(v->cycles));
        put_fact(page, html, "cycles of ", v->clock, text);
    }
    if (v->pulse) {
        snprintf(text, sizeof text, "%s%.60s", v->debounce ? ", debounced by " : "",
                 v->debounce ? v->debounce : "");
        put_fact(page, html, "valid pulses: ", v->pulse, text);
    }
}

void activity_print_events(FILE *page, FILE *html, const struct activity_view *v)
{
    if (v->events == 0)
        return;
    if (page)
        fprintf(page, "\n%13s  event\n", "triggers");
    if (html)
        fputs("<h2>Triggers of events</h2>\n<ul>\n", html);
    for (size_t i = 0; i < v->events; i++) {
        uint64_t triggers;
        const char *name = v->event(v->ctx, i, &triggers);
        if (page) {
            fprintf(page, "%13s  ", cli_grouped(triggers));
            cli_print_name(page, name);
            fputc('\n', page);
        }
        if (html) {
            fprintf(html, "<li>%s <bdi>", cli_grouped(triggers));
            timeline_put(html, name);
            fputs("</bdi></li>\n", html);
        }
    }
    if (html)
        fputs("</ul>\n", html);
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
    fputc('\n', page);
    activity_print_facts(page, NULL, v);
    fputc('\n', page);
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
            put_wide(page, v, &t);
        else if (code == CLI_OK)
            put_short(page, v, &t);
        activity_untell(&t);
    }
    return code == CLI_OK && v->clock ? put_scopes(page, v) : code;
}
