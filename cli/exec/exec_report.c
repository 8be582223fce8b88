/* SPDX-License-Identifier: MIT */
/* Reports a run of `pcounter exec`.  A count that is not measured has no number, not 0. */
#include "exec.h"
#include "core/core_fields.h"

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

static const char *const states[] = { "exact", "partial", "unmeasured", NULL };

static const struct rep_field row_fields[] = {
    { "name", REP_TEXT, .about = "the counter, or the number of the event" },
    { "event", REP_TEXT, .about = "the event that it counts; empty of mcycle and minstret" },
    { "value", REP_COUNT, .about = "what was counted; null: not measured", .flags = REP_NULL },
    { "state", REP_WORD, .about = "how far the value holds", .words = states },
    { .name = NULL },
};

enum { COUNTERS = 6, EVENTS };
static const struct rep_field fields[] = {
    { "program", REP_TEXT, .about = "the ELF, as it was given" },
    { "core", REP_TEXT, .about = "the configuration of CVA6" },
    CORE_PROFILE_FIELD,
    { "instructions", REP_COUNT, .about = "instructions that were retired or trapped" },
    { "complete", REP_BOOL,
      .about = "false: the run was cut off, all counts are those up to there" },
    { "exit_code", REP_COUNT, .about = "the program's exit code; null: it was cut off",
      .flags = REP_NULL },
    { "counters", REP_LIST, .about = "counters as the program left them, or where it was cut off",
      .flags = REP_ROW, .field = row_fields, .item = "a counter", .fixed = "kind=counter" },
    { "events", REP_LIST, .about = "events of the whole run, or up to where it was cut off",
      .flags = REP_ROW, .field = row_fields, .item = "an event", .fixed = "kind=event" },
    { .name = NULL },
};

const struct rep_def exec_report_def = {
    .schema = "pcounter-exec-2",
    .call = "pcounter exec",
    .about = "A bare-metal program with the counters of a CVA6.",
    .field = fields,
    .columns = "kind,name,event,value,state",
    .bare = true,
};

static void put_rows(struct rep *r, unsigned list, const struct exec_counts *c,
                     const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rep_row(r, list,
                REP_CELLS(rep_text(rows[i].name), rep_text(rows[i].event),
                          rows[i].measured ? rep_count(rows[i].value) : rep_null(),
                          rep_text(state_of(&rows[i], c))));
}

void exec_report(const struct exec_request *r, const struct exec_counts *c, struct rep *rep)
{
    struct row counters[8], events[PC_HPM_EVENTS];
    const size_t n = counter_rows(r, c, counters), k = event_rows(c, events);
    FILE *const file = rep_page(rep);

    rep_root(rep,
             REP_CELLS(rep_text(r->path), rep_text(r->config->name), rep_text(r->profile->name),
                       rep_count(c->instructions), rep_bool(!c->partial),
                       c->partial ? rep_null() : rep_count(c->exit_code)));
    put_rows(rep, COUNTERS, c, counters, n);
    put_rows(rep, EVENTS, c, events, k);
    if (!file)
        return;
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
