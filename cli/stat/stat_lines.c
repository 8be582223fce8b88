/* SPDX-License-Identifier: MIT */
/*
 * pcounter stat --format jsonl: "begin", with -I a line an interval (stat_rows.c), a line an event,
 * a metric and an expectation of all cycles, "end".  Members are those of the JSON.
 */
#include "stat.h"
#include "text/warnings.h"

void stat_lines_begin(FILE *out, const struct stat_options *o, const struct stat_plan *plan)
{
    FILE *f = cli_line_begin(o->lines, out, "pcounter-stat-lines-1");

    if (!f)
        return;
    stat_json_head(f, o, plan);
    if (o->interval.text) {
        fputs(", \"interval\": ", f);
        cli_json_string(f, o->interval.text);
    }
    cli_line_close(o->lines);
}

static void put_event(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                      const struct stat_result *r, const struct stat_event *e)
{
    FILE *f = cli_line_item(o->lines, out, "event");

    if (!f)
        return;
    stat_json_event(f, o, plan, r, e);
    cli_line_close(o->lines);
}

static void put_metric(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                       const struct stat_result *r, size_t i)
{
    FILE *f = cli_line_item(o->lines, out, "metric");

    if (!f)
        return;
    stat_json_metric(f, o, plan, r, i);
    cli_line_close(o->lines);
}

static void put_expectation(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                            const struct stat_result *r, size_t i)
{
    FILE *f = cli_line_item(o->lines, out, "expectation");

    if (!f)
        return;
    stat_expect_json(f, o, plan, r, i);
    cli_line_close(o->lines);
}

void stat_lines_rest(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                     const struct stat_result *r)
{
    for (size_t n = 0; n < o->events; n++)
        if (o->event[n].origin == n)
            put_event(out, o, plan, r, &o->event[n]);
    for (size_t i = 0; i < o->metrics.count; i++)
        put_metric(out, o, plan, r, i);
    for (size_t i = 0; i < o->expect.texts; i++)
        put_expectation(out, o, plan, r, i);
    FILE *f = cli_line_end(o->lines, out, r->partial);
    if (!f)
        return;
    stat_json_cycles(f, o, r);
    if (o->explain)
        stat_explain_json(f, o, plan);
    fputs(", ", f);
    cli_json_warnings(f);
    cli_line_close(o->lines);
}
