/* SPDX-License-Identifier: MIT */
/* What `pcounter exec` says about a run.  What is not measured has no number, not 0. */
#include "exec.h"

#include <inttypes.h>
#include <string.h>

struct row {
    char name[16];     /* "mhpmcounter3", or the number of an event */
    const char *event; /* its name; "" for mcycle and minstret */
    uint64_t value;
    bool measured;
};

/* mcycle is the count of instructions: one a clock. */
static size_t counter_rows(const struct exec_request *r, const struct exec_counts *c,
                           struct row *rows)
{
    size_t n = 0;

    rows[n++] = (struct row){ "mcycle", "", 0, false };
    rows[n++] = (struct row){ "minstret", "", c->state.counter[2], true };
    for (unsigned i = PC_HPM_FIRST; r->config->perf_counter_en && i <= PC_HPM_LAST; i++) {
        const struct pc_hpm_event *event = pc_hpm_event_at(c->state.selector[i]);
        rows[n] = (struct row){ "", event ? event->name : "(reserved)", c->state.counter[i],
                                !((c->tainted | c->tainted >> 32) >> i & 1) };
        snprintf(rows[n].name, sizeof rows[n].name, "mhpmcounter%u", i);
        n++;
    }
    return n;
}

static size_t event_rows(const struct exec_counts *c, struct row *rows)
{
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++) {
        rows[e - 1] = (struct row){ "", pc_hpm_event_at(e)->name, c->event[e], exec_measures(e) };
        snprintf(rows[e - 1].name, sizeof rows[e - 1].name, "%u", e);
    }
    return PC_HPM_EVENTS - 1;
}

static const char *state_of(const struct row *row, const struct exec_counts *c)
{
    return !row->measured ? "unmeasured" : c->partial ? "partial" : "exact";
}

static void text_rows(const struct row *rows, size_t count, FILE *file)
{
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%16s  %-12s%s%s\n",
                rows[i].measured ? cli_grouped(rows[i].value) : "unmeasured", rows[i].name,
                rows[i].event[0] ? "  " : "", rows[i].event);
}

static void csv_rows(const char *kind, const struct exec_counts *c, const struct row *rows,
                     size_t count, FILE *file)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "%s,%s,%s,", kind, rows[i].name, rows[i].event);
        if (rows[i].measured)
            fprintf(file, "%" PRIu64, rows[i].value);
        fprintf(file, ",%s\r\n", state_of(&rows[i], c));
    }
}

static void json_rows(const char *kind, const struct exec_counts *c, const struct row *rows,
                      size_t count, FILE *file)
{
    fprintf(file, "  \"%s\": [", kind);
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "%s\n    { \"name\": \"%s\", \"event\": \"%s\", ", i ? "," : "", rows[i].name,
                rows[i].event);
        if (rows[i].measured)
            fprintf(file, "\"value\": \"%" PRIu64 "\", ", rows[i].value);
        else
            fputs("\"value\": null, ", file);
        fprintf(file, "\"state\": \"%s\" }", state_of(&rows[i], c));
    }
    fputs("\n  ]", file);
}

void exec_report(const struct exec_request *r, const struct exec_counts *c, FILE *file)
{
    struct row counters[8], events[PC_HPM_EVENTS];
    const size_t n = counter_rows(r, c, counters), k = event_rows(c, events);

    if (r->report.format == CLI_CSV) {
        fputs("kind,name,event,value,state\r\n", file);
        csv_rows("counter", c, counters, n, file);
        csv_rows("event", c, events, k, file);
        return;
    }
    if (r->report.format == CLI_JSON) {
        fputs("{\n  \"$schema\": \"pcounter-exec-1\",\n  \"program\": ", file);
        cli_json_string(file, r->path);
        fprintf(file, ",\n  \"core\": \"%s\",\n  \"profile\": \"%s\",\n", r->config->name,
                r->profile->name);
        fprintf(file, "  \"instructions\": \"%" PRIu64 "\",\n  \"complete\": %s,\n",
                c->instructions, c->partial ? "false" : "true");
        if (c->partial)
            fputs("  \"exit_code\": null,\n", file);
        else
            fprintf(file, "  \"exit_code\": \"%" PRIu64 "\",\n", c->exit_code);
        json_rows("counters", c, counters, n, file);
        fputs(",\n", file);
        json_rows("events", c, events, k, file);
        fputs("\n}\n", file);
        return;
    }
    cli_print_name(file, r->path);
    fprintf(file, " on %s, profile %s: %s, ", r->config->name, r->profile->name,
            cli_count(c->instructions, "instruction"));
    if (c->partial)
        fputs("cut off: all counts are partial\n\nCounters, where the program was cut off:\n",
              file);
    else
        fprintf(file, "exit code %" PRIu64 "\n\nCounters, as the program left them:\n",
                c->exit_code);
    text_rows(counters, n, file);
    fputs(c->partial ? "\nEvents up to there:\n" : "\nEvents of the whole run:\n", file);
    text_rows(events, k, file);
}
