/* SPDX-License-Identifier: MIT */
/* --expect of pcounter stat: what the counts of all cycles have to come to, and what they did. */
#include "process/ranks.h"
#include "stat.h"

#include <inttypes.h>
#include <string.h>

/* One of them, judged. */
struct verdict {
    const struct cli_expectation *e;
    const struct pc_metric *unit; /* NULL: none */
    struct pc_metric_value side[2];
    enum cli_verdict is;
    const char *why; /* it is not known; "" */
};

static void judge(const struct stat_options *o, const struct stat_plan *plan,
                  const struct stat_result *r, size_t i, struct verdict *v)
{
    v->e = &o->expect.item[i];
    v->unit = cli_expectation_unit(&o->expect, i);
    for (unsigned k = 0; k < 2; k++)
        stat_formula_value(o, plan, r, &o->expect.sides.metric[2 * i + k], false, &v->side[k]);
    v->is = cli_verdict_of(v->e, v->side);
    v->why = v->side[0].why[0] ? v->side[0].why : v->side[1].why;
    if (r->partial) { /* the rest of the waveform may decide otherwise */
        v->is = CLI_NOT_KNOWN;
        v->why = "not all of the waveform was read";
    }
}

/* All digits: "not met: 70 %" of 70.004 % would tell nothing. */
static void put_number(FILE *out, const struct pc_metric_value *value, const struct pc_metric *unit)
{
    if (value->state == PC_VALUE_UNMEASURED)
        fputs("not measured", out);
    else if (!unit)
        fprintf(out, "%.15g", value->value);
    else
        fprintf(out, "%.15g %s", value->value / unit->size, unit->unit);
}

/* In the unit of reports for machines. */
static double report_value(const struct verdict *v, unsigned side)
{
    return v->unit ? cli_report_value(v->unit, v->side[side].value) : v->side[side].value;
}

static const char *report_unit(const struct verdict *v)
{
    return v->unit ? cli_report_unit(v->unit) : "";
}

static void put_side(FILE *out, const char *key, const struct verdict *v, unsigned side)
{
    if (v->side[side].state == PC_VALUE_UNMEASURED)
        fprintf(out, "\"%s\": null, ", key);
    else
        fprintf(out, "\"%s\": %.15g, ", key, report_value(v, side));
}

/* "misses < 2 * evictions: 1813, not 592" */
static void put_verdict(FILE *out, const struct verdict *v)
{
    cli_print_name(out, v->e->text);
    fputs(": ", out);
    put_number(out, &v->side[0], v->unit);
    if (!v->e->number) {
        fputs(" and ", out);
        put_number(out, &v->side[1], v->unit);
    }
    if (v->is == CLI_NOT_KNOWN) {
        fputs(": ", out);
        cli_print_name(out, v->why);
    }
    fputc('\n', out);
}

void stat_expect_text(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                      const struct stat_result *r)
{
    struct verdict v;

    if (o->expect.texts > 0)
        fputs("\nexpected\n", out);
    for (size_t i = 0; i < o->expect.texts; i++) {
        judge(o, plan, r, i, &v);
        fprintf(out, "  %-7s  ", cli_verdict_name(v.is));
        put_verdict(out, &v);
    }
}

void stat_expect_csv(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                     const struct stat_result *r)
{
    struct verdict v;

    for (size_t i = 0; i < o->expect.texts; i++) {
        judge(o, plan, r, i, &v);
        stat_csv_kind(out, o, STAT_ROW_EXPECTATION, NULL);
        cli_csv_field(out, v.e->left);
        fputc(',', out);
        if (v.side[0].state != PC_VALUE_UNMEASURED)
            fprintf(out, "%.15g", report_value(&v, 0));
        fprintf(out, ",%s,%" PRIu64 ",", cli_verdict_name(v.is), r->cycles);
        cli_csv_field(out, v.e->text);
        fprintf(out, ",%s,%s%" PRIu64 "%s", report_unit(&v), o->chip ? ",," : "", r->first,
                o->interval.text ? ",,," : "");
        cli_csv_end(out);
    }
}

void stat_expect_json(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                      const struct stat_result *r, size_t i)
{
    struct verdict v;

    judge(o, plan, r, i, &v);
    fputs("    { \"expectation\": ", out);
    cli_json_string(out, v.e->text);
    fprintf(out, ", \"verdict\": \"%s\", ", cli_verdict_name(v.is));
    put_side(out, "left", &v, 0);
    put_side(out, "right", &v, 1);
    fprintf(out, "\"unit\": \"%s\", \"why\": ", report_unit(&v));
    cli_json_string(out, v.is == CLI_NOT_KNOWN ? v.why : "");
    fputs(" }", out);
}

void stat_expect_tell(struct stat_options *o, const struct stat_plan *plan,
                      const struct stat_result *r)
{
    const bool seen = o->format == CLI_TEXT && !o->output;
    struct verdict v;

    for (size_t i = 0; i < o->expect.texts && cli_ranks_first(); i++) {
        judge(o, plan, r, i, &v);
        if (v.is == CLI_MET)
            continue;
        o->unmet = true;
        if (seen)
            continue;
        FILE *const out = cli_stderr();
        fputs("pcounter: ", out);
        cli_print_name(out, cli_input_name(o->path));
        fprintf(out, ": %s: ", v.is == CLI_NOT_MET ? "not as expected" : "not known");
        put_verdict(out, &v);
    }
}
