/* SPDX-License-Identifier: MIT */
/*
 * What pcounter stat --core prints.  Counts are those of the counters; what stands behind #
 * in text, and in columns and members called derived, is computed from them.
 */
#include "stat_core.h"
#include "text/json_lines.h"
#include "text/warnings.h"

#include <inttypes.h>
#include <string.h>

/* What --quirk switched, as " +name -name". */
static const char *switched(const struct stat_core_options *o, char out[400])
{
    core_switched(o->core.quirks_on, o->core.quirks_off, out, 400);
    return out;
}

/* a / b with six decimals, or what stands for it where b is 0: nothing can be said then. */
static void put_ratio(FILE *out, uint64_t a, uint64_t b, const char *none)
{
    if (b)
        fprintf(out, "%.6f", (double)a / (double)b);
    else
        fputs(none, out);
}

static const char *state_of(const struct stat_core_window *w)
{
    return w->unknown ? "tainted" : "exact";
}

static size_t passes(const struct stat_core_options *o)
{
    return (o->events + STAT_CORE_COUNTERS - 1) / STAT_CORE_COUNTERS;
}

/* ---- text ---- */

static void text_ratio(FILE *out, int width, double scale, uint64_t a, uint64_t b)
{
    if (b)
        fprintf(out, " %*.3f", width, scale * (double)a / (double)b);
    else
        fprintf(out, " %*s", width, "-");
}

static void text_event(FILE *out, int width, const struct pc_hpm_event *e, uint64_t value,
                       const struct stat_core_window *w, bool per_instruction)
{
    fprintf(out, "  %*s  %-35s  #", width, cli_grouped(value), e->name);
    const bool share = e->unit == PC_HPM_RETIREMENTS;
    if (per_instruction) {
        text_ratio(out, 9, share ? 100 : 1000, value, w->instructions);
        fputs(share ? " % of instructions,    " : " per 1000 instructions,", out);
    }
    text_ratio(out, 7, 100, value, w->cycles);
    fputs(" % of cycles\n", out);
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
    if (r->has_instructions) {
        fprintf(out, "  %*s  %-35s  #", width, cli_grouped(w->instructions), "instructions");
        text_ratio(out, 9, 1, w->instructions, w->cycles);
        fputs(" per cycle\n", out);
    }
    for (size_t i = 0; i < o->events; i++)
        text_event(out, width, o->event[i], w->value[i], w, r->has_instructions);
}

/* Behind the heading of a window. */
static void text_state(FILE *out, const struct stat_core_window *w)
{
    if (w->unknown)
        fprintf(out, ", tainted: unknown inputs in %s", cli_count(w->unknown, "clock"));
    fputs("\n\n", out);
}

static void report_text(FILE *out, const struct stat_core_options *o, const struct core *c,
                        const struct stat_core_result *r)
{
    char quirks[400];

    fputs("Counters of ", out);
    cli_print_name(out, o->core.path);
    fprintf(out, ": %s, profile %s%s, %s of six counters over one read\n", o->core.config->name,
            o->core.profile->name, switched(o, quirks), cli_count(passes(o), "pass"));
    if (c->scope[0]) {
        fputs("scope ", out);
        cli_print_name(out, c->scope);
        fputc('\n', out);
    }
    for (size_t i = 0; i < r->windows; i++) {
        const struct stat_core_window *w = &r->window[i];
        fprintf(out, "\nwindow %zu%s: %s, edges %s to %s", i + 1,
                o->while_enabled ? ", mcountinhibit is 0" : "", cli_count(w->edges, "clock"),
                cli_grouped(w->first), cli_grouped(w->end - 1));
        text_state(out, w);
        text_window(out, o, r, w);
    }
    if (r->windows > 1) {
        fprintf(out, "\nall %zu windows: %s", r->windows, cli_count(r->all.edges, "clock"));
        text_state(out, &r->all);
        text_window(out, o, r, &r->all);
    }
    fputs("\n# is derived from the counts\n", out);
    cli_text_warnings(out);
}

/* ---- csv ---- */

static void csv_row(FILE *out, const struct stat_core_options *o, const struct stat_core_result *r,
                    const char *window, const struct stat_core_window *w, const char *counter,
                    const char *name, uint64_t value)
{
    char quirks[400];
    const bool any = switched(o, quirks)[0] != '\0';

    cli_csv_field(out, o->core.path);
    fprintf(out, ",%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,%s,%" PRIu64 ",%" PRIu64 ",",
            o->core.config->name, o->core.profile->name, window, w->first, w->end, w->edges,
            counter, name, value, w->cycles);
    if (r->has_instructions)
        fprintf(out, "%" PRIu64, w->instructions);
    fputc(',', out);
    if (r->has_instructions)
        put_ratio(out, value, w->instructions, "");
    fputc(',', out);
    put_ratio(out, value, w->cycles, "");
    fprintf(out, ",%s,%s\r\n", state_of(w), quirks + any);
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
    char number[24], head[200];

    fputs("trace,core,profile,window,first_edge,end_edge,edges,counter,name,value,cycles,"
          "instructions,derived_per_instruction,derived_per_cycle,state,switched\r\n",
          out);
    for (size_t i = 0; i < r->windows; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        csv_window(out, o, r, number, &r->window[i]);
    }
    if (r->windows > 1)
        csv_window(out, o, r, "all", &r->all);
    snprintf(head, sizeof head, ",%s,%s,,,,,WARNING,", o->core.config->name, o->core.profile->name);
    cli_csv_warnings(out, o->core.path, head, ",,,,,,,");
}

/* ---- json ---- */

static void json_window(FILE *out, const struct stat_core_options *o,
                        const struct stat_core_result *r, const struct stat_core_window *w)
{
    fprintf(out,
            "{ \"first_edge\": %" PRIu64 ", \"end_edge\": %" PRIu64 ", \"edges\": %" PRIu64
            ", \"unknown_clocks\": %" PRIu64 ", \"state\": \"%s\", \"cycles\": \"%" PRIu64 "\"",
            w->first, w->end, w->edges, w->unknown, state_of(w), w->cycles);
    if (r->has_instructions) {
        fprintf(out,
                ", \"instructions\": \"%" PRIu64 "\", \"derived\": { \"instructions_per_cycle\": ",
                w->instructions);
        put_ratio(out, w->instructions, w->cycles, "null");
        fputs(" }", out);
    }
    fputs(",\n      \"events\": [", out);
    for (size_t i = 0; i < o->events; i++) {
        fprintf(out,
                "%s\n        { \"name\": \"%s\", \"id\": %u, \"pass\": %zu, \"counter\": "
                "\"mhpmcounter%zu\", \"value\": \"%" PRIu64
                "\", \"state\": \"%s\", \"derived\": { ",
                i ? "," : "", o->event[i]->name, o->event[i]->id, i / STAT_CORE_COUNTERS + 1,
                PC_HPM_FIRST + i % STAT_CORE_COUNTERS, w->value[i], state_of(w));
        if (r->has_instructions) {
            fputs("\"per_instruction\": ", out);
            put_ratio(out, w->value[i], w->instructions, "null");
            fputs(", ", out);
        }
        fputs("\"per_cycle\": ", out);
        put_ratio(out, w->value[i], w->cycles, "null");
        fputs(" } }", out);
    }
    fputs(" ] }", out);
}

/* Behind "$schema". */
static void json_head(FILE *out, const struct stat_core_options *o, const struct core *c)
{
    char quirks[400];
    const bool any = switched(o, quirks)[0] != '\0';

    fprintf(out, ",\n  \"tool\": \"pcounter %s\",\n  \"trace\": ", pc_version());
    cli_json_string(out, o->core.path);
    fprintf(
        out,
        ",\n  \"core\": \"%s\",\n  \"profile\": \"%s\",\n  \"switched\": \"%s\",\n  \"scope\": ",
        o->core.config->name, o->core.profile->name, quirks + any);
    cli_json_string(out, c->scope);
    fprintf(out, ",\n  \"passes\": %zu,\n  \"while_enabled\": %s", passes(o),
            o->while_enabled ? "true" : "false");
}

static void report_json(FILE *out, const struct stat_core_options *o, const struct core *c,
                        const struct stat_core_result *r)
{
    fputs("{\n  \"$schema\": \"pcounter-stat-core-1\"", out);
    json_head(out, o, c);
    fputs(",\n  \"windows\": [", out);
    for (size_t i = 0; i < r->windows; i++) {
        fputs(i ? ",\n    " : "\n    ", out);
        json_window(out, o, r, &r->window[i]);
    }
    fputs("\n  ],\n  \"all\": ", out);
    json_window(out, o, r, &r->all);
    fputs(",\n  ", out);
    cli_json_warnings(out);
    fputs("\n}\n", out);
}

static int report_lines(FILE *out, const struct stat_core_options *o, const struct core *c,
                        const struct stat_core_result *r)
{
    struct cli_lines l = { .out = out };
    FILE *f;

    if ((f = cli_line_begin(&l, out, "pcounter-stat-core-lines-1")) != NULL) {
        json_head(f, o, c);
        cli_line_close(&l);
    }
    for (size_t i = 0; i < r->windows; i++)
        if ((f = cli_line_item(&l, out, "window")) != NULL) {
            json_window(f, o, r, &r->window[i]);
            cli_line_close(&l);
        }
    if ((f = cli_line_end(&l, out, false)) != NULL) {
        fputs(", \"all\": ", f);
        json_window(f, o, r, &r->all);
        fputs(", ", f);
        cli_json_warnings(f);
        cli_line_close(&l);
    }
    return l.failed ? CLI_LIMIT : CLI_OK;
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
                     o->core.profile->name, cli_grouped(r->all.value[i]), r->other_profile->name,
                     cli_grouped(other));
    }
}

/* Ports without which more clocks are counted than the core counts, or none. */
static void note_missing(const struct stat_core_options *o, const struct core *c,
                         const struct stat_core_result *r)
{
    const struct core_source *p = c->port;
    const bool stops = c->options->config->debug && !(r->quirks & PC_HPM_Q_DEBUG_RUNS);
    const struct {
        enum core_port port;
        bool matters;
        const char *then;
    } rows[] = {
        { CORE_RESET, true, "clocks in reset are counted, too" },
        { CORE_DEBUG, stops, "clocks in debug mode are counted, too" },
        { CORE_ACK, true, "instructions are not counted" },
        { CORE_EXCEPTION, p[CORE_ACK].present,
          "instructions are counted in clocks of exceptions, too" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].matters && !p[rows[i].port].present)
            cli_note(1041, "%s is not in the waveform: %s; --map can name it",
                     core_port_name(rows[i].port), rows[i].then);
    for (size_t i = 0; i < o->events; i++)
        if (o->event[i]->id == 13)
            core_note_rs1(c, r->quirks);
}

/* A 0 that says nothing about the program. */
static void note_never(const struct stat_core_options *o, const struct stat_core_result *r)
{
    const struct pc_hpm_config *config = o->core.config;

    for (size_t i = 0; i < o->events; i++) {
        const char *never = pc_hpm_event_never(config, r->quirks, o->event[i]->id);
        if (never && r->all.value[i] == 0)
            cli_note(1049, "%s is always 0 on %s: %s", o->event[i]->name, config->name, never);
    }
}

int stat_core_report(FILE *out, const struct stat_core_options *o, const struct core *c,
                     const struct stat_core_result *r)
{
    note_missing(o, c, r);
    note_other(o, r);
    note_never(o, r);
    if (r->all.unknown)
        cli_note(1043, "unknown inputs in %s are taken as 0", cli_count(r->all.unknown, "clock"));
    if (o->jsonl)
        return report_lines(out, o, c, r);
    if (o->format == CLI_JSON)
        report_json(out, o, c, r);
    else if (o->format == CLI_CSV)
        report_csv(out, o, r);
    else
        report_text(out, o, c, r);
    return CLI_OK;
}
