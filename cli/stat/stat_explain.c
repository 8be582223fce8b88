/* SPDX-License-Identifier: MIT */
/*
 * stat --explain: the plan, why it has so many passes, and how the engine ran each domain:
 * 64 cycles a word, or cycle by cycle.
 */
#include "stat_report.h"

static enum pc_run_how explain(const struct stat_job *j, const struct stat_pass *pass, unsigned d,
                               const char **why)
{
    if (!j->o->step)
        return pc_unit_explain(pass->unit, d, why);
    *why = "--engine step";
    return PC_RUN_STEP;
}

static void domain_text(FILE *out, const struct stat_job *j, const struct stat_pass *pass,
                        unsigned d)
{
    const char *why;
    enum pc_run_how how = explain(j, pass, d, &why);

    fprintf(out, "    domain %u, %s: %s\n", d, pc_run_how_name(how), why);
    for (unsigned s = 0; s < STAT_SLOTS; s++) {
        if (pass->domain[d].event[s] < 0)
            continue;
        const struct stat_event *e = &j->event[pass->domain[d].event[s]];
        fprintf(out, "      %-5s  ", pc_input_name((enum pc_input_id)s));
        cli_print_name(out, e->name);
        fputs(e->derived ? "   (computed before the counter)\n" : "\n", out);
    }
}

void stat_explain_text(FILE *out, const struct stat_job *j, const struct stat_plan *plan)
{
    size_t bound = pc_plan_bound(plan->plan);
    char why[400];

    if (plan->passes == 0)
        return;
    fprintf(out, "\nplan: %zu %s, ", plan->passes, plan->passes == 1 ? "pass" : "passes");
    if (plan->passes == bound)
        fputs("the minimum\n", out);
    else
        fprintf(out, "no plan has fewer than %zu\n", bound);
    if (bound > 1)
        fprintf(out, "  at least %zu: %s\n", bound, pc_plan_bound_reason(plan->plan));
    for (size_t p = 0; p < plan->passes; p++) {
        fprintf(out, "  pass %zu\n", p + 1);
        for (unsigned d = 0; d < j->chip->domains; d++)
            if (plan->pass[p].edges >> d & 1)
                domain_text(out, j, &plan->pass[p], d);
        pc_plan_why(plan->plan, 0, p, why, sizeof why);
        if (p > 0 && why[0])
            fprintf(out, "    not in pass 1: %s\n", why);
    }
}

static void put_domain(struct rep *rep, const struct stat_job *j, const struct stat_pass *pass,
                       size_t p, unsigned d)
{
    const char *why;
    enum pc_run_how how = explain(j, pass, d, &why);

    rep_row(
        rep, STAT_PLAN_DOMAINS,
        REP_CELLS(rep_count(p + 1), rep_count(d), rep_text(pc_run_how_name(how)), rep_text(why)));
}

void stat_explain_put(struct rep *rep, const struct stat_job *j, const struct stat_plan *plan)
{
    rep_begin(rep, STAT_PLAN,
              REP_CELLS(rep_count(pc_plan_bound(plan->plan)),
                        rep_text(pc_plan_bound_reason(plan->plan))));
    for (size_t p = 0; p < plan->passes; p++)
        for (unsigned d = 0; d < j->chip->domains; d++)
            if (plan->pass[p].edges >> d & 1)
                put_domain(rep, j, &plan->pass[p], p, d);
    rep_end(rep);
}
