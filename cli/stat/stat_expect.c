/* SPDX-License-Identifier: MIT */
/* --expect of pcounter stat: what the counts of all cycles have to come to, and what they did. */
#include "process/ranks.h"
#include "stat_report.h"

#include <string.h>

/* One of them, judged. */
struct verdict {
    const struct cli_expectation *e;
    const struct pc_metric *unit; /* NULL: none */
    struct pc_metric_value side[2];
    enum cli_verdict is;
    const char *why; /* it is not known, or is a bound; "" */
};

/* Are the bounds of its figures those of unknown values, and not of what is open? */
static bool is_of_states(const struct stat_job *j, size_t i)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct cli_metric *side = &j->expect.sides.metric[2 * i + k];
        for (size_t n = 0; n < side->info.events; n++)
            if (stat_figure_is_of_states(&j->measures, side->event[n]))
                return true;
    }
    return false;
}

static void judge(const struct stat_job *j, const struct stat_plan *plan,
                  const struct stat_result *r, size_t i, struct verdict *v)
{
    struct pc_metric_value side[STAT_WHICH][2];
    const char *note = "";
    bool bounded = false;

    v->e = &j->expect.item[i];
    v->unit = cli_expectation_unit(&j->expect, i);
    for (unsigned w = 0; w < STAT_WHICH; w++)
        for (unsigned k = 0; k < 2; k++)
            stat_formula_value(j, plan, r, &j->expect.sides.metric[2 * i + k], false,
                               (enum stat_which)w, &bounded, &side[w][k]);
    memcpy(v->side, side[STAT_AS_IT_IS], sizeof v->side);
    v->is = cli_verdict_of(v->e, v->side);
    if (bounded)
        note = cli_verdict_bounded(v->e, side[STAT_AT_LEAST], side[STAT_AT_MOST], v->side, &v->is);
    if (note[0] && is_of_states(j, i)) {
        note = "whatever the unknown samples were";
        memcpy(v->side, side[STAT_AS_IT_IS], sizeof v->side);
    }
    v->why = v->is != CLI_NOT_KNOWN ? note : v->side[0].why[0] ? v->side[0].why : v->side[1].why;
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

static struct rep_cell side_of(const struct verdict *v, unsigned side, struct rep_cell otherwise)
{
    return v->side[side].state == PC_VALUE_UNMEASURED ? otherwise
                                                      : rep_number(report_value(v, side), 15);
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
    } else if (v->why[0]) {
        fprintf(out, " (%s)", v->why);
    }
    fputc('\n', out);
}

void stat_expect_put(struct rep *rep, const struct stat_job *j, const struct stat_plan *plan,
                     const struct stat_result *r)
{
    struct verdict v;

    for (size_t i = 0; i < j->expect.texts; i++) {
        judge(j, plan, r, i, &v);
        const struct rep_cell text = rep_text(v.e->text),
                              verdict = rep_text(cli_verdict_name(v.is)),
                              unit = rep_text(report_unit(&v)), why = rep_text(v.why);
        rep_row(rep, STAT_EXPECTATIONS,
                REP_CELLS(text, verdict, side_of(&v, 0, rep_null()), side_of(&v, 1, rep_null()),
                          unit, why, rep_text(v.e->left), rep_count(r->cycles),
                          rep_count(r->first)));
    }
}

void stat_expect_tell(struct stat_job *j, const struct stat_plan *plan, const struct stat_result *r)
{
    struct verdict v;

    for (size_t i = 0; i < j->expect.texts && cli_ranks_first(); i++) {
        judge(j, plan, r, i, &v);
        if (v.is == CLI_MET)
            continue;
        j->unmet = true;
        if (j->o->page_is_seen)
            continue;
        FILE *const out = cli_stderr();
        fputs("pcounter: ", out);
        cli_print_name(out, cli_input_name(j->path));
        fprintf(out, ": %s: ", v.is == CLI_NOT_MET ? "not as expected" : "not known");
        put_verdict(out, &v);
    }
}
