/* SPDX-License-Identifier: MIT */
/*
 * What pcounter stat prints as JSON, whole or a line at a time: 64-bit values as strings, and as
 * numbers where no reader of JSON can lose digits.
 */
#include "stat_interval.h"

#include <inttypes.h>

/* enum pc_edge */
static const char *const edge_names[] = { "posedge", "negedge", "every", "period" };

void stat_json_event(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                     const struct stat_result *r, const struct stat_event *e)
{
    double percent;
    uint64_t turns;

    fputs("    { \"name\": ", out);
    cli_json_string(out, e->name);
    fputs(", \"expression\": ", out);
    cli_json_string(out, e->text);
    fputs(", ", out);
    cli_json_count(out, "value", e->value);
    fprintf(out, ", \"state\": \"%s\", ", stat_state_name(e->state));
    cli_json_count(out, "tainted_cycles", e->tainted);
    if (o->chip)
        fprintf(out, ", \"pass\": %u, \"domain\": %u, \"slot\": \"%s\", \"derived\": %s",
                e->pass + 1, e->domain, pc_input_name((enum pc_input_id)e->slot),
                e->derived ? "true" : "false");
    if (o->multiplex && stat_estimate(o, e, plan, r, &turns)) {
        fputs(", ", out);
        cli_json_count(out, "multiplexed", turns);
        fprintf(out, ", \"active_cycles\": %" PRIu64,
                stat_turn_cycles(o->slice, plan->passes, e->pass, r->cycles));
        if (stat_deviation((double)turns, (double)e->popcount, &percent))
            fprintf(out, ", \"error_percent\": %.6g", percent);
    } else if (o->multiplex) {
        fputs(", \"multiplexed\": null, \"active_cycles\": 0", out);
    }
    fputs(" }", out);
}

void stat_json_number(FILE *out, const char *key, const struct pc_metric_value *v,
                      const struct pc_metric *m)
{
    if (v->state == PC_VALUE_UNMEASURED)
        fprintf(out, "\"%s\": null", key);
    else
        fprintf(out, "\"%s\": %.15g", key, cli_report_value(m, v->value));
}

void stat_json_metric(FILE *out, const struct stat_options *o, const struct stat_plan *plan,
                      const struct stat_result *r, size_t i)
{
    const struct pc_metric *m = &o->metrics.metric[i].info;
    struct pc_metric_value v, turns;
    double percent;

    stat_metric_value(o, plan, r, i, false, &v);
    fprintf(out, "    { \"name\": \"%s\", \"formula\": ", m->name);
    cli_json_string(out, m->formula);
    fprintf(out, ", \"unit\": \"%s\", ", cli_report_unit(m));
    stat_json_number(out, "value", &v, m);
    fprintf(out, ", \"state\": \"%s\", \"why\": ", pc_value_state_name(v.state));
    cli_json_string(out, v.why);
    if (o->multiplex) {
        stat_metric_value(o, plan, r, i, true, &turns);
        fputs(", ", out);
        stat_json_number(out, "multiplexed", &turns, m);
        if (turns.state != PC_VALUE_UNMEASURED && v.state != PC_VALUE_UNMEASURED &&
            stat_deviation(turns.value, v.value, &percent))
            fprintf(out, ", \"error_percent\": %.6g", percent);
    }
    fputs(" }", out);
}

void stat_json_head(FILE *out, const struct stat_options *o, const struct stat_plan *plan)
{
    fprintf(out, ",\n  \"tool\": \"pcounter %s\",\n  \"trace\": ", pc_version());
    cli_json_string(out, o->path);
    if (o->chip)
        fprintf(out, ",\n  \"chip\": \"%s\"", o->chip->name);
    fputs(",\n  \"clock\": ", out);
    cli_json_string(out, o->clock);
    fprintf(out, ",\n  \"edge\": \"%s\",\n  \"sample\": \"%s\",\n  \"x\": \"%s\"",
            edge_names[o->edge], stat_sampling(o), stat_x_name(o));
    if (o->chip)
        fprintf(out, ",\n  \"passes\": %zu", plan->passes);
}

void stat_json_header(FILE *out, const struct stat_options *o, const struct stat_plan *plan)
{
    fputs("{\n  \"$schema\": \"pcounter-stat-1\"", out);
    stat_json_head(out, o, plan);
}

void stat_json_cycles(FILE *out, const struct stat_options *o, const struct stat_result *r)
{
    fputs(",\n  ", out);
    cli_json_count(out, "cycles", r->cycles);
    fputs(",\n  ", out);
    cli_json_count(out, "first_cycle", r->first);
    if (o->multiplex)
        fprintf(out, ",\n  \"multiplex_cycles\": %" PRIu64, o->slice);
}
