/* SPDX-License-Identifier: MIT */
/* A plan as JSON, "pcounter-plan-1": everything, registers and all conflicts included. */
#include "plan.h"

#include <inttypes.h>

static void print_mux(FILE *out, const struct plan_job *j, size_t pass)
{
    struct pc_plan_mux m;
    struct pc_source s;
    const char *comma = "";

    fputs("      \"set_first\": [", out);
    for (size_t i = 0; pc_plan_mux_at(j->plan, pass, i, &m); i++, comma = ",") {
        fprintf(out, "%s\n        { \"register\": ", comma);
        cli_json_string(out, m.reg);
        fprintf(out, ", \"mask\": \"0x%08" PRIx32 "\", \"value\": ", m.mask);
        if (m.unknown)
            fputs("null }", out);
        else
            fprintf(out, "\"0x%08" PRIx32 "\" }", m.value);
    }
    for (size_t i = 0; plan_unset_at(j, pass, i, &s); i++, comma = ",")
        fprintf(out,
                "%s\n        { \"register\": \"0x%06" PRIx32 "\", \"mask\": \"0x%08" PRIx32
                "\", \"value\": null }",
                comma, s.address, plan_source_mask(&s));
    fputs(" ],\n", out);
}

static void print_inputs(FILE *out, const struct pc_plan_domain *d)
{
    fputs("          \"inputs\": {", out);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        fprintf(out, "%s\n            \"%s\": { \"op\": \"0x%08" PRIx32 "\", \"sources\": [",
                i ? "," : "", pc_input_name((enum pc_input_id)i), d->op[i]);
        for (unsigned k = 0; k < 4; k++) {
            if (d->source[i][k] == PC_NO_WIRE)
                fprintf(out, "%snull", k ? ", " : "");
            else
                fprintf(out, "%s%" PRIu32, k ? ", " : "", d->source[i][k]);
        }
        fputs("] }", out);
    }
    fputs(" },\n", out);
}

static void print_write(FILE *out, const struct pc_program_write *w)
{
    fprintf(out,
            "{ \"register\": \"%s\", \"address\": \"0x%06" PRIx32 "\", \"value\": \"0x%08" PRIx32
            "\" }",
            w->name, w->address, w->value);
}

static void print_writes(FILE *out, const struct plan_job *j, size_t pass, unsigned domain)
{
    struct pc_program program = { .writes = 0 };
    struct pc_error err;

    fputs("          \"writes\": [", out);
    if (pc_plan_compile(j->plan, pass, domain, &program, &err) != PC_OK)
        program = (struct pc_program){ .writes = 0 };
    for (size_t i = 0; i < program.writes; i++) {
        fputs(i ? ",\n            " : "\n            ", out);
        print_write(out, &program.write[i]);
    }
    fputs(" ],\n          \"swap\": ", out);
    if (program.swap.mask)
        print_write(out, &program.swap);
    else
        fputs("null", out);
    fputs(" }", out);
}

static void print_domain(FILE *out, const struct plan_job *j, size_t pass, unsigned domain,
                         const struct pc_plan_domain *d)
{
    struct pc_chip_domain place;
    const char *comma = "";

    (void)pc_chip_domain(j->chip, domain, &place);
    fprintf(out, "        { \"domain\": \"%s\", \"ctr_mode\": \"%s\",\n          \"counters\": [",
            place.name, d->ctr_mode);
    for (unsigned s = 0; s < PLAN_SLOTS; s++) {
        if (d->event[s] < 0)
            continue;
        const struct plan_event *e = &j->event[d->event[s]];
        fprintf(out, "%s\n            { \"counter\": \"%s\", \"event\": ", comma,
                pc_input_name((enum pc_input_id)s));
        cli_json_string(out, e->name);
        fputs(", \"expression\": ", out);
        cli_json_string(out, e->text);
        fprintf(out, ", \"group\": %u }", j->planned[d->event[s]].group);
        comma = ",";
    }
    fputs(" ],\n", out);
    print_inputs(out, d);
    print_writes(out, j, pass, domain);
}

static void print_reasons(FILE *out, const struct plan_job *j, size_t pass)
{
    char why[400];

    fputs("      \"not_in\": [", out);
    for (size_t p = 0; p < pass; p++) {
        pc_plan_why(j->plan, p, pass, why, sizeof why);
        fprintf(out, "%s\n        { \"pass\": %zu, \"why\": ", p ? "," : "", p + 1);
        cli_json_string(out, why);
        fputs(" }", out);
    }
    fputs(" ],\n", out);
}

static void print_pass(FILE *out, const struct plan_job *j, size_t pass)
{
    struct pc_chip_domain place;
    struct pc_plan_domain d;
    const char *comma = "";

    fprintf(out, "    { \"pass\": %zu,\n", pass + 1);
    print_reasons(out, j, pass);
    print_mux(out, j, pass);
    fputs("      \"domains\": [", out);
    for (unsigned k = 0; pc_chip_domain(j->chip, k, &place); k++) {
        if (!pc_plan_domain_at(j->plan, pass, k, &d))
            continue;
        fprintf(out, "%s\n", comma);
        print_domain(out, j, pass, k, &d);
        comma = ",";
    }
    fputs(" ] }", out);
}

static void print_metrics(FILE *out, const struct plan_job *j)
{
    fputs("  \"metrics\": [", out);
    for (size_t i = 0; i < j->metrics.count; i++) {
        const struct cli_metric *m = &j->metrics.metric[i];
        fprintf(out, "%s\n    { \"name\": \"%s\", \"formula\": ", i ? "," : "", m->info.name);
        cli_json_string(out, m->info.formula);
        fprintf(out, ", \"unit\": \"%s\", \"events\": [", m->info.unit);
        for (size_t k = 0; k < m->info.events; k++) {
            fputs(k ? ", " : "", out);
            cli_json_string(out, m->info.event[k]);
        }
        fputs("], \"pass\": ", out);
        if (m->info.events)
            fprintf(out, "%u }", pc_plan_place_of(j->plan, m->event[0]).pass + 1);
        else
            fputs("null }", out);
    }
    fputs(" ],\n", out);
}

static void print_conflicts(FILE *out, const struct plan_job *j)
{
    const char *comma = "";
    char why[400];

    fputs("  \"conflicts\": [", out);
    for (size_t a = 0; a < j->events; a++)
        for (size_t b = a + 1; b < j->events; b++) {
            if (!pc_plan_conflict(j->plan, a, b, why, sizeof why))
                continue;
            fprintf(out, "%s\n    { \"events\": [", comma);
            cli_json_string(out, j->event[a].name);
            fputs(", ", out);
            cli_json_string(out, j->event[b].name);
            fputs("], \"why\": ", out);
            cli_json_string(out, why);
            fputs(" }", out);
            comma = ",";
        }
    fputs(" ]\n", out);
}

void plan_report_json(FILE *out, const struct plan_job *j)
{
    size_t passes = pc_plan_passes(j->plan), bound = pc_plan_bound(j->plan);

    fprintf(out,
            "{\n  \"$schema\": \"pcounter-plan-1\",\n  \"tool\": \"pcounter %s\",\n  \"chip\": "
            "\"%s\",\n"
            "  \"events\": %zu,\n  \"bound\": %zu,\n  \"bound_reason\": ",
            pc_version(), j->chip->name, j->events, bound);
    cli_json_string(out, pc_plan_bound_reason(j->plan));
    fprintf(out, ",\n  \"minimal\": %s,\n  \"passes\": [", passes == bound ? "true" : "false");
    for (size_t p = 0; p < passes; p++) {
        fputs(p ? ",\n" : "\n", out);
        print_pass(out, j, p);
    }
    fputs("\n  ],\n", out);
    print_metrics(out, j);
    print_conflicts(out, j);
    fputs("}\n", out);
}
