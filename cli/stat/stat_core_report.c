/* SPDX-License-Identifier: MIT */
/*
 * What pcounter stat --core prints.  Counts are those of the counters; what stands behind #
 * in text, and in columns and members called derived, is computed from them.
 */
#include "stat_core.h"

#include <inttypes.h>
#include <string.h>

static const char *profile_name(const struct stat_core_options *o)
{
    return o->core.profile ? o->core.profile->name : pc_hpm_profile_at(0)->name;
}

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0.0;
}

static size_t passes(const struct stat_core_options *o)
{
    return (o->events + STAT_CORE_COUNTERS - 1) / STAT_CORE_COUNTERS;
}

/* ---- text ---- */

static void text_event(FILE *out, int width, const struct pc_hpm_event *e, uint64_t value,
                       const struct stat_core_window *w, bool per_instruction)
{
    fprintf(out, "  %*s  %-35s  #", width, cli_grouped(value), e->name);
    if (per_instruction && e->unit != PC_HPM_RETIREMENTS)
        fprintf(out, " %9.3f per 1000 instructions,", 1000 * ratio(value, w->instructions));
    else if (per_instruction)
        fprintf(out, " %9.3f %% of instructions,    ", 100 * ratio(value, w->instructions));
    fprintf(out, " %7.3f %% of cycles\n", 100 * ratio(value, w->cycles));
}

static void text_window(FILE *out, const struct stat_core_options *o,
                        const struct stat_core_result *r, const struct stat_core_window *w)
{
    int width = (int)strlen(cli_grouped(w->cycles));

    for (size_t i = 0; i < o->events; i++) { /* retirements of two ports can exceed the cycles */
        int n = (int)strlen(cli_grouped(w->value[i]));
        width = n > width ? n : width;
    }
    fprintf(out, "  %*s  cycles\n", width, cli_grouped(w->cycles));
    if (r->has_instructions)
        fprintf(out, "  %*s  %-35s  # %9.3f per cycle\n", width, cli_grouped(w->instructions),
                "instructions", ratio(w->instructions, w->cycles));
    for (size_t i = 0; i < o->events; i++)
        text_event(out, width, o->event[i], w->value[i], w, r->has_instructions);
}

static void report_text(FILE *out, const struct stat_core_options *o, const struct core *c,
                        const struct stat_core_result *r)
{
    fputs("Counters of ", out);
    cli_print_name(out, o->core.path);
    fprintf(out, ": %s, profile %s, %s of six counters over one read\n", o->core.config->name,
            profile_name(o), cli_count(passes(o), "pass"));
    if (c->scope[0]) {
        fputs("scope ", out);
        cli_print_name(out, c->scope);
        fputc('\n', out);
    }
    for (size_t i = 0; i < r->windows; i++) {
        const struct stat_core_window *w = &r->window[i];
        fprintf(out, "\nwindow %zu%s: %s, edges %s to %s\n\n", i + 1,
                o->while_enabled ? ", mcountinhibit is 0" : "", cli_count(w->edges, "clock"),
                cli_grouped(w->first), cli_grouped(w->end - 1));
        text_window(out, o, r, w);
    }
    if (r->windows > 1) {
        fprintf(out, "\nall %zu windows: %s\n\n", r->windows, cli_count(r->all.edges, "clock"));
        text_window(out, o, r, &r->all);
    }
    fputs("\n# is derived from the counts\n", out);
}

/* ---- csv ---- */

static void csv_row(FILE *out, const struct stat_core_options *o, const struct stat_core_result *r,
                    const char *window, const struct stat_core_window *w, const char *counter,
                    const char *name, uint64_t value)
{
    cli_csv_field(out, o->core.path);
    fprintf(out, ",%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%s,%" PRIu64 ",%" PRIu64 ",",
            o->core.config->name, profile_name(o), window, w->first, w->end, w->edges, counter,
            name, value, w->cycles);
    if (r->has_instructions)
        fprintf(out, "%" PRIu64 ",%.6f", w->instructions, ratio(value, w->instructions));
    else
        fputc(',', out);
    fprintf(out, ",%.6f\r\n", ratio(value, w->cycles));
}

static void csv_window(FILE *out, const struct stat_core_options *o,
                       const struct stat_core_result *r, const char *window,
                       const struct stat_core_window *w)
{
    char counter[40];

    csv_row(out, o, r, window, w, "mcycle", "cycles", w->cycles);
    if (r->has_instructions)
        csv_row(out, o, r, window, w, "minstret", "instructions", w->instructions);
    for (size_t i = 0; i < o->events; i++) {
        snprintf(counter, sizeof counter, "%zu:mhpmcounter%zu", i / STAT_CORE_COUNTERS + 1,
                 PC_HPM_FIRST + i % STAT_CORE_COUNTERS);
        csv_row(out, o, r, window, w, counter, o->event[i]->name, w->value[i]);
    }
}

static void report_csv(FILE *out, const struct stat_core_options *o,
                       const struct stat_core_result *r)
{
    char number[24];

    fputs("trace,core,profile,window,first_edge,end_edge,edges,counter,name,value,cycles,"
          "instructions,derived_per_instruction,derived_per_cycle\r\n",
          out);
    for (size_t i = 0; i < r->windows; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        csv_window(out, o, r, number, &r->window[i]);
    }
    if (r->windows > 1)
        csv_window(out, o, r, "all", &r->all);
}

/* ---- json ---- */

static void json_window(FILE *out, const struct stat_core_options *o,
                        const struct stat_core_result *r, const struct stat_core_window *w)
{
    fprintf(out,
            "{ \"first_edge\": %" PRIu64 ", \"end_edge\": %" PRIu64 ", \"edges\": %" PRIu64
            ", \"cycles\": \"%" PRIu64 "\"",
            w->first, w->end, w->edges, w->cycles);
    if (r->has_instructions)
        fprintf(out,
                ", \"instructions\": \"%" PRIu64
                "\", \"derived\": { \"instructions_per_cycle\": %.6f }",
                w->instructions, ratio(w->instructions, w->cycles));
    fputs(",\n      \"events\": [", out);
    for (size_t i = 0; i < o->events; i++) {
        fprintf(out,
                "%s\n        { \"name\": \"%s\", \"id\": %u, \"pass\": %zu, \"counter\": "
                "\"mhpmcounter%zu\", \"value\": \"%" PRIu64 "\", \"derived\": { ",
                i ? "," : "", o->event[i]->name, o->event[i]->id, i / STAT_CORE_COUNTERS + 1,
                PC_HPM_FIRST + i % STAT_CORE_COUNTERS, w->value[i]);
        if (r->has_instructions)
            fprintf(out, "\"per_instruction\": %.6f, ", ratio(w->value[i], w->instructions));
        fprintf(out, "\"per_cycle\": %.6f } }", ratio(w->value[i], w->cycles));
    }
    fputs(" ] }", out);
}

static void report_json(FILE *out, const struct stat_core_options *o, const struct core *c,
                        const struct stat_core_result *r)
{
    fprintf(out,
            "{\n  \"$schema\": \"pcounter-stat-core-1\",\n  \"tool\": \"pcounter %s\",\n  "
            "\"trace\": ",
            pc_version());
    cli_json_string(out, o->core.path);
    fprintf(out,
            ",\n  \"core\": \"%s\",\n  \"profile\": \"%s\",\n  \"scope\": ", o->core.config->name,
            profile_name(o));
    cli_json_string(out, c->scope);
    fprintf(out, ",\n  \"passes\": %zu,\n  \"while_enabled\": %s,\n  \"windows\": [", passes(o),
            o->while_enabled ? "true" : "false");
    for (size_t i = 0; i < r->windows; i++) {
        fputs(i ? ",\n    " : "\n    ", out);
        json_window(out, o, r, &r->window[i]);
    }
    fputs("\n  ],\n  \"all\": ", out);
    json_window(out, o, r, &r->all);
    fputs("\n}\n", out);
}

/* ---- notes ---- */

/* Where the two profiles do not agree, so that nobody takes one for the other unaware. */
static void note_other(const struct stat_core_options *o, const struct stat_core_result *r)
{
    if (o->core.quirks_on | o->core.quirks_off)
        return;
    for (size_t i = 0; i < o->events; i++) {
        const uint64_t other = r->other.event[o->event[i]->id];
        if (other != r->all.value[i])
            cli_note(1045, "%s: profile %s counts %s, profile %s %s", o->event[i]->name,
                     profile_name(o), cli_grouped(r->all.value[i]), r->other_profile->name,
                     cli_grouped(other));
    }
}

void stat_core_report(FILE *out, const struct stat_core_options *o, const struct core *c,
                      const struct stat_core_result *r)
{
    note_other(o, r);
    if (r->unknown)
        cli_note(1043, "unknown inputs in %s are taken as 0", cli_count(r->unknown, "clock"));
    if (o->format == CLI_JSON)
        report_json(out, o, c, r);
    else if (o->format == CLI_CSV)
        report_csv(out, o, r);
    else
        report_text(out, o, c, r);
}
