/* SPDX-License-Identifier: MIT */
/* The rows of a part for people: a table, with --wide of all figures; of a run, or of a report. */
#include "activity/activity.h"

#include "report/report_dist.h"
#include "text/quantity.h"
#include "text/table.h"
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

static void add_column(struct cli_table *t, const char *head, int width)
{
    cli_table_column(t, &(struct cli_column){ .head = head, .width = width });
}

static void add_name(struct cli_table *t, const char *head)
{
    cli_table_column(t, &(struct cli_column){ .head = head, .gap = 2, .left = true });
}

static struct cli_table *open_table(FILE *page)
{
    return cli_table_open(page, &(struct cli_look){ .gap = 1, .streams = true });
}

static void put_duty(struct cli_table *t, uint64_t part, uint64_t all)
{
    char text[CELL];

    share_text(part, all, text);
    cli_cell(t, text);
}

/* A count; "-": there is none. */
static void put_count(struct cli_table *t, bool is, uint64_t value)
{
    cli_cell(t, is ? cli_grouped(value) : "-");
}

/* --- cycles and pulses --- */

const char *activity_signed(int64_t value, char out[ACTIVITY_SIGNED])
{
    snprintf(out, ACTIVITY_SIGNED, "%s%s", value < 0 ? "-" : "",
             cli_grouped(value < 0 ? -(uint64_t)value : (uint64_t)value));
    return out;
}

enum { SCOPES = 20 };

static void put_of_clock(struct cli_table *t, const struct activity_view *v,
                         const struct pc_activity_figures *f)
{
    const uint64_t toggles = f->rises + f->falls;
    const int64_t surplus = activity_surplus(toggles, f->settled);
    char text[ACTIVITY_SIGNED];

    cli_cell_print(t, v->cycles ? "%.4g" : "-", (double)toggles / (double)v->cycles);
    cli_cell_count(t, f->settled);
    cli_cell(t, activity_signed(surplus, text));
    put_count(t, !v->parts, f->outside);
}

static void put_of_pulse(struct cli_table *t, const struct pc_activity_figures *f)
{
    const struct pc_activity_pulses *p = f->pulses;

    put_count(t, p, p ? p->valid : 0);
    put_count(t, p, p ? p->other : 0);
    put_count(t, p, f->bounces);
}

static void put_more(struct cli_table *t, const struct activity_view *v,
                     const struct activity_told *told)
{
    if (v->clock)
        put_of_clock(t, v, &told->f);
    if (v->pulse)
        put_of_pulse(t, &told->f);
    cli_cell_print(t, "%s%s", told->name, told->range);
    cli_row_end(t);
}

static void add_of_clock(struct cli_table *t)
{
    static const struct cli_column column[] = { { .head = "per cycle", .width = 10 },
                                                { .head = "settled", .width = 13 },
                                                { .head = "surplus", .width = 13 },
                                                { .head = "outside", .width = 9 } };

    cli_table_columns(t, column, sizeof column / sizeof *column);
}

static void add_more(struct cli_table *t, const struct activity_view *v)
{
    if (v->clock)
        add_of_clock(t);
    if (v->pulse) {
        add_column(t, "valid", 9);
        add_column(t, "other", 9);
        add_column(t, "bounces", 9);
    }
    add_name(t, "net");
}

static int put_scopes(FILE *page, const struct activity_view *v)
{
    struct activity_scopes s;
    int code = activity_sum_scopes(v, &s);

    if (code || s.count == 0)
        return code;
    struct cli_table *t = open_table(page);
    add_column(t, "toggles", 13);
    add_of_clock(t);
    add_name(t, "scope");
    fputc('\n', page);
    cli_table_head(t);
    for (size_t i = 0; i < s.count && i < SCOPES; i++) {
        const struct activity_scope *at = &s.scope[i];
        cli_cell_count(t, at->toggles);
        put_of_clock(t, v,
                     &(struct pc_activity_figures){
                         .rises = at->toggles, .settled = at->settled, .outside = at->outside });
        cli_cell(t, at->name);
        cli_row_end(t);
    }
    if (s.count > SCOPES)
        fprintf(page, "  and %s more, which --format json has\n",
                cli_count(s.count - SCOPES, "scope"));
    activity_free_scopes(&s);
    return cli_table_close(t);
}

/* --- the table --- */

static void put_short(struct cli_table *t, const struct activity_view *v,
                      const struct activity_told *told)
{
    const struct pc_activity_figures *f = &told->f;
    char text[CELL];

    cli_cell_count(t, f->rises + f->falls);
    put_duty(t, f->t1, f->t0 + f->t1);
    put_duty(t, f->tx + f->tz, f->t0 + f->t1 + f->tx + f->tz);
    if (!v->clock) {
        frequency_text(told, text);
        cli_cell(t, text);
        middle_text(v, &told->period, text);
        cli_cell(t, text);
        middle_text(v, &told->high, text);
        cli_cell(t, text);
        middle_text(v, &told->low, text);
        cli_cell(t, text);
    }
    put_more(t, v, told);
}

static void add_short(struct cli_table *t, const struct activity_view *v)
{
    add_column(t, "toggles", 13);
    add_column(t, "duty", 9);
    add_column(t, "unknown", 9);
    if (!v->clock) {
        add_column(t, "frequency", 14);
        add_column(t, v->means ? "mean period" : "period", 12);
        add_column(t, v->means ? "mean high" : "high", 12);
        add_column(t, v->means ? "mean low" : "low", 12);
    }
    add_more(t, v);
}

/* --- --wide --- */

static void put_dist(struct cli_table *t, const struct pc_dist_figures *f)
{
    const bool any = f->count > 0;

    put_count(t, any, f->min.low);
    cli_cell_print(t, any ? "%.8g" : "-", f->mean);
    for (unsigned r = 0; r < PC_RANKS; r++)
        put_count(t, any && f->complete, f->rank[r].low);
    put_count(t, any, f->max.low);
}

static void put_wide(struct cli_table *t, const struct activity_view *v,
                     const struct activity_told *told)
{
    const struct pc_activity_figures *f = &told->f;
    char frequency[CELL];

    cli_cell_count(t, f->rises + f->falls);
    cli_cell_count(t, f->rises);
    cli_cell_count(t, f->falls);
    cli_cell_count(t, f->t0);
    cli_cell_count(t, f->t1);
    cli_cell_count(t, f->tx);
    cli_cell_count(t, f->tz);
    put_duty(t, f->t1, f->t0 + f->t1);
    frequency_text(told, frequency);
    cli_cell(t, frequency);
    put_dist(t, &told->period);
    put_dist(t, &told->high);
    put_dist(t, &told->low);
    put_more(t, v, told);
}

static void add_wide(struct cli_table *t, const struct activity_view *v)
{
    static const struct cli_column column[] = {
        { .head = "toggles", .width = 13 },  { .head = "rises", .width = 13 },
        { .head = "falls", .width = 13 },    { .head = "T0", .width = 15 },
        { .head = "T1", .width = 15 },       { .head = "TX", .width = 15 },
        { .head = "TZ", .width = 15 },       { .head = "duty", .width = 9 },
        { .head = "frequency", .width = 14 }
    };
    static const char *const dists[] = { "period", "high", "low" };
    char head[CELL];

    cli_table_columns(t, column, sizeof column / sizeof *column);
    for (size_t d = 0; d < 3; d++)
        for (unsigned c = REP_DIST_MIN; c < REP_DIST_CELLS; c++) {
            snprintf(head, sizeof head, "%s %s", dists[d], rep_dist_name(c));
            add_column(t, head, c == REP_DIST_MEAN ? 12 : 13);
        }
    add_more(t, v);
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

static int print_events(FILE *page, const struct activity_view *v)
{
    struct cli_table *t = open_table(page);
    uint64_t triggers;

    add_column(t, "triggers", 13);
    add_name(t, "event");
    fputc('\n', page);
    cli_table_head(t);
    for (size_t i = 0; i < v->events; i++) {
        const char *name = v->event(v->ctx, i, &triggers);
        cli_cell_count(t, triggers);
        cli_cell(t, name);
        cli_row_end(t);
    }
    return cli_table_close(t);
}

int activity_print_events(FILE *page, FILE *html, const struct activity_view *v)
{
    uint64_t triggers;

    if (v->events == 0)
        return CLI_OK;
    if (html)
        fputs("<h2>Triggers of events</h2>\n<ul>\n", html);
    for (size_t i = 0; html && i < v->events; i++) {
        const char *name = v->event(v->ctx, i, &triggers);
        fprintf(html, "<li>%s <bdi>", cli_grouped(triggers));
        timeline_put(html, name);
        fputs("</bdi></li>\n", html);
    }
    if (html)
        fputs("</ul>\n", html);
    return page ? print_events(page, v) : CLI_OK;
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
    struct cli_table *t = open_table(page);
    struct activity_told told;
    int code = CLI_OK;

    if (v->wide)
        add_wide(t, v);
    else
        add_short(t, v);
    put_title(page, v);
    cli_table_head(t);
    for (size_t i = 0; i < v->rows && code == CLI_OK; i++) {
        code = v->tell(v->ctx, i, &told);
        if (code == CLI_OK && v->wide)
            put_wide(t, v, &told);
        else if (code == CLI_OK)
            put_short(t, v, &told);
        activity_untell(&told);
    }
    const int closed = cli_table_close(t);
    code = code ? code : closed;
    return code == CLI_OK && v->clock ? put_scopes(page, v) : code;
}
