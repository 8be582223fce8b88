/* SPDX-License-Identifier: MIT */
/*
 * The report of `pcounter stat --core`.  Counts are those of the counters; figures after # in text,
 * and in columns and members called derived, are computed from them.
 */
#include "stat_core.h"
#include "core/core_fields.h"
#include "text/page.h"
#include "text/table.h"
#include "text/warnings.h"

#include <string.h>

/* ---- the tree ---- */

static const char *const states[] = { "exact", "tainted", NULL };

static const struct rep_field row_fields[] = {
    { "window", REP_TEXT, .flags = REP_NO_JSON },
    { "first_edge", REP_COUNT, .flags = REP_NO_JSON },
    { "end_edge", REP_COUNT, .flags = REP_NO_JSON },
    { "edges", REP_COUNT, .flags = REP_NO_JSON },
    { "counter", REP_TEXT, .flags = REP_NO_JSON },
    { "name", REP_TEXT, .flags = REP_NO_JSON },
    { "value", REP_COUNT, .flags = REP_NO_JSON },
    { "cycles", REP_COUNT, .flags = REP_NO_JSON },
    { "instructions", REP_COUNT, .flags = REP_NO_JSON },
    { "derived_per_instruction", REP_NUMBER, .flags = REP_NO_JSON },
    { "derived_per_cycle", REP_NUMBER, .flags = REP_NO_JSON },
    { "state", REP_TEXT, .flags = REP_NO_JSON },
    { .name = NULL },
};

static const struct rep_field derived_fields[] = {
    { "per_instruction", REP_NUMBER, .about = "of it a retired instruction; null without one",
      .flags = REP_MAYBE | REP_NULL },
    { "per_cycle", REP_NUMBER, .about = "of it a cycle; null without one", .flags = REP_NULL },
    { .name = NULL },
};

enum { EVENT_DERIVED = 6 };
static const struct rep_field event_fields[] = {
    { "name", REP_TEXT, .about = "the event, as the manual of the core calls it" },
    { "id", REP_COUNT, .about = "its selector", .least = 1, .most = 31 },
    { "pass", REP_COUNT, .about = "the pass of the plan, from 1", .least = 1 },
    { "counter", REP_TEXT, .about = "the counter that has it in its pass",
      .pattern = "^mhpmcounter[3-8]$" },
    { "value", REP_COUNT, .about = "how often it was counted" },
    { "state", REP_WORD, .about = "that of the window", .words = states },
    { "derived", REP_OBJECT, .about = "figure computed from the value", .field = derived_fields },
    { .name = NULL },
};

static const struct rep_field window_derived_fields[] = {
    { "instructions_per_cycle", REP_NUMBER, .about = "instructions a cycle; null without a cycle",
      .flags = REP_NULL },
    { .name = NULL },
};

enum { WINDOW_DERIVED = 7, WINDOW_EVENTS };
static const struct rep_field window_fields[] = {
    { "first_edge", REP_COUNT, .about = "its first edge of the clock, counted from 0" },
    { "end_edge", REP_COUNT, .about = "the first edge that is not in it" },
    { "edges", REP_COUNT, .about = "edges of the clock in it" },
    { "unknown_clocks", REP_COUNT, .about = "clocks with an unknown input, which is taken as 0" },
    { "state", REP_WORD, .about = "tainted: there are unknown clocks", .words = states },
    { "cycles", REP_COUNT, .about = "mcycle of the window" },
    { "instructions", REP_COUNT, .about = "minstret of the window; absent if it cannot be counted",
      .flags = REP_MAYBE },
    { "derived", REP_OBJECT, .about = "figures computed from these counts", .flags = REP_MAYBE,
      .field = window_derived_fields },
    { "events", REP_LIST, .about = "every event of -e", .field = event_fields,
      .item = "an event of the core" },
    { .name = NULL },
};

static const struct rep_field warning = { "warning", REP_TEXT, .csv = "name",
                                          .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )" };

enum { ROWS = 7, WINDOWS, ALL, WARNINGS };
static const struct rep_field fields[] = {
    { "trace", REP_TEXT, .about = "the waveform, as it was given" },
    { "core", REP_TEXT, .about = "the configuration of CVA6" },
    CORE_PROFILE_FIELD,
    CORE_SWITCHED_FIELD,
    CORE_SCOPE_FIELD,
    { "passes", REP_COUNT,
      .about = "runs of the six counters that the events take; all are over one read" },
    { "while_enabled", REP_BOOL,
      .about = "--while-enabled: the windows are those in which mcountinhibit is 0" },
    { "rows", REP_LIST, .flags = REP_NO_JSON | REP_ROW, .field = row_fields },
    { "windows", REP_LIST, .about = "the windows, in order", .flags = REP_STREAM,
      .field = window_fields, .item = "a window of the waveform", .one = "window" },
    { "all", REP_OBJECT, .about = "all of them", .field = window_fields },
    { "warnings", REP_LIST,
      .about = "what was odd, dropped or assumed, with its code and place, as on standard error",
      .flags = REP_ROW, .value = &warning, .fixed = "counter=WARNING" },
    { .name = NULL },
};

const struct rep_def stat_core_def = {
    .tables = true,
    .schema = "pcounter-stat-core-2",
    .lines = "pcounter-stat-core-lines-2",
    .call = "pcounter stat --core",
    .about = "Counts of events of a CVA6 core in a waveform.",
    .field = fields,
    .columns = "trace,core,profile,window,first_edge,end_edge,edges,counter,name,value,cycles,"
               "instructions,derived_per_instruction,derived_per_cycle,state,switched",
};

static const struct rep_field listed_fields[] = {
    { "selector", REP_HEX, .about = "the value of mhpmevent", .digits = 2 },
    { "name", REP_TEXT, .about = "the short name that -e takes" },
    { "event", REP_TEXT, .about = "the name that reports have" },
    { "manual", REP_TEXT, .about = "what the manual of the core calls it" },
    { .name = NULL },
};

static const struct rep_field list_fields[] = {
    { "data", REP_LIST, .about = "every event, by selector", .flags = REP_ROW,
      .field = listed_fields, .item = "an event" },
    { .name = NULL },
};

const struct rep_def stat_core_events_def = {
    .tables = true,
    .schema = "pcounter-stat-core-events-1",
    .call = "pcounter stat --core -e help",
    .about = "The events that pcounter stat --core counts.",
    .field = list_fields,
    .bare = true,
};

/* Returns what --quirk switched, as " +name -name". */
static const char *switched(const struct stat_core_options *o, char out[400])
{
    core_switched(o->core.quirks_on, o->core.quirks_off, out, 400);
    return out;
}

/* a / b with six decimals; where b is 0 nothing can be said. */
static struct rep_cell ratio(uint64_t a, uint64_t b, char out[32])
{
    if (!b)
        return rep_null();
    snprintf(out, 32, "%.6f", (double)a / (double)b);
    return rep_digits(out);
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

/* "70.123"; "-" where nothing can be said. */
static const char *ratio_text(double scale, uint64_t a, uint64_t b, char out[32])
{
    if (b)
        snprintf(out, 32, "%.3f", scale * (double)a / (double)b);
    else
        snprintf(out, 32, "-");
    return out;
}

static void text_event(struct cli_table *t, const struct pc_hpm_event *e, uint64_t value,
                       const struct stat_core_window *w, bool per_instruction)
{
    const bool share = e->unit == PC_HPM_RETIREMENTS;
    char of_instructions[32], of_cycles[32];

    cli_cell_count(t, value);
    cli_cell(t, e->name);
    ratio_text(share ? 100 : 1000, value, w->instructions, of_instructions);
    ratio_text(100, value, w->cycles, of_cycles);
    if (per_instruction)
        cli_cell_print(t, "%9s %s %7s %% of cycles", of_instructions,
                       share ? "% of instructions,    " : "per 1000 instructions,", of_cycles);
    else
        cli_cell_print(t, "%7s %% of cycles", of_cycles);
    cli_row_end(t);
}

static int text_window(FILE *out, const struct stat_core_options *o,
                       const struct stat_core_result *r, const struct stat_core_window *w)
{
    static const struct cli_column column[] = {
        { .named = "count" },
        { .named = "event", .width = 35, .left = true },
        { .named = "derived", .before = "# ", .left = true }
    };
    struct cli_table *t =
        cli_table_open(out, &(struct cli_look){ .indent = 2, .gap = 2, .bare = true });
    char ratio[32];

    cli_table_columns(t, column, 3);
    cli_cell_count(t, w->cycles);
    cli_cell_rest(t, "cycles");
    cli_row_end(t);
    if (r->has_instructions) {
        cli_cell_count(t, w->instructions);
        cli_cell(t, "instructions");
        cli_cell_print(t, "%9s per cycle", ratio_text(1, w->instructions, w->cycles, ratio));
        cli_row_end(t);
    }
    for (size_t i = 0; i < o->events; i++)
        text_event(t, o->event[i], w->value[i], w, r->has_instructions);
    return cli_table_close(t);
}

/* After the heading of a window. */
static void text_state(FILE *out, const struct stat_core_window *w)
{
    if (w->unknown)
        fprintf(out, ", tainted: unknown inputs in %s", cli_count(w->unknown, "clock"));
    fputs("\n\n", out);
}

static int print(FILE *out, const struct stat_core_options *o, const struct core *c,
                 const struct stat_core_result *r)
{
    char quirks[400];
    int code = CLI_OK;

    fputs("Counters of ", out);
    cli_print_name(out, o->core.path);
    fprintf(out, ": %s, profile %s%s, %s of six counters over one read\n", o->core.config->name,
            o->core.profile->name, switched(o, quirks), cli_count(passes(o), "pass"));
    if (c->scope[0]) {
        fputs("scope ", out);
        cli_print_name(out, c->scope);
        fputc('\n', out);
    }
    for (size_t i = 0; i < r->windows && code == CLI_OK; i++) {
        const struct stat_core_window *w = &r->window[i];
        fprintf(out, "\nwindow %zu%s: %s, edges %s to %s", i + 1,
                o->while_enabled ? ", mcountinhibit is 0" : "", cli_count(w->edges, "clock"),
                cli_grouped(w->first), cli_grouped(w->end - 1));
        text_state(out, w);
        code = text_window(out, o, r, w);
    }
    if (r->windows > 1 && code == CLI_OK) {
        fprintf(out, "\nall %zu windows: %s", r->windows, cli_count(r->all.edges, "clock"));
        text_state(out, &r->all);
        code = text_window(out, o, r, &r->all);
    }
    cli_page_text_alone(out);
    fputs("\n# is derived from the counts\n", out);
    cli_page_text_alone(out);
    cli_text_warnings(out);
    return code;
}

/* ---- rows ---- */

static void put_row(struct rep *rep, const struct stat_core_result *r, const char *window,
                    const struct stat_core_window *w, const char *counter, const char *name,
                    uint64_t value)
{
    char per_instruction[32], per_cycle[32];
    const bool has = r->has_instructions;

    rep_row(rep, ROWS,
            REP_CELLS(rep_text(window), rep_count(w->first), rep_count(w->end), rep_count(w->edges),
                      rep_text(counter), rep_text(name), rep_count(value), rep_count(w->cycles),
                      has ? rep_count(w->instructions) : rep_absent(),
                      has ? ratio(value, w->instructions, per_instruction) : rep_absent(),
                      ratio(value, w->cycles, per_cycle), rep_text(state_of(w))));
}

static void put_rows(struct rep *rep, const struct stat_core_options *o,
                     const struct stat_core_result *r, const char *window,
                     const struct stat_core_window *w)
{
    char counter[40];

    put_row(rep, r, window, w, "mcycle", "cycles", w->cycles);
    if (r->has_instructions)
        put_row(rep, r, window, w, "minstret", "instructions", w->instructions);
    for (size_t i = 0; i < o->events; i++) {
        snprintf(counter, sizeof counter, "%zu:mhpmcounter%zu", i / STAT_CORE_COUNTERS + 1,
                 PC_HPM_FIRST + i % STAT_CORE_COUNTERS);
        put_row(rep, r, window, w, counter, o->event[i]->name, w->value[i]);
    }
}

/* ---- windows ---- */

static void put_event(struct rep *rep, const struct stat_core_options *o,
                      const struct stat_core_result *r, const struct stat_core_window *w, size_t i)
{
    char counter[40], per_instruction[32], per_cycle[32];

    snprintf(counter, sizeof counter, "mhpmcounter%zu", PC_HPM_FIRST + i % STAT_CORE_COUNTERS);
    rep_begin(rep, WINDOW_EVENTS,
              REP_CELLS(rep_text(o->event[i]->name), rep_count(o->event[i]->id),
                        rep_count(i / STAT_CORE_COUNTERS + 1), rep_text(counter),
                        rep_count(w->value[i]), rep_text(state_of(w))));
    rep_row(rep, EVENT_DERIVED,
            REP_CELLS(r->has_instructions ? ratio(w->value[i], w->instructions, per_instruction)
                                          : rep_absent(),
                      ratio(w->value[i], w->cycles, per_cycle)));
    rep_end(rep);
}

static void put_window(struct rep *rep, unsigned field, const struct stat_core_options *o,
                       const struct stat_core_result *r, const struct stat_core_window *w)
{
    char per_cycle[32];

    rep_begin(rep, field,
              REP_CELLS(rep_count(w->first), rep_count(w->end), rep_count(w->edges),
                        rep_count(w->unknown), rep_text(state_of(w)), rep_count(w->cycles),
                        r->has_instructions ? rep_count(w->instructions) : rep_absent()));
    if (r->has_instructions)
        rep_row(rep, WINDOW_DERIVED, REP_CELLS(ratio(w->instructions, w->cycles, per_cycle)));
    for (size_t i = 0; i < o->events; i++)
        put_event(rep, o, r, w, i);
    rep_end(rep);
}

static void put(struct rep *rep, const struct stat_core_options *o, const struct core *c,
                const struct stat_core_result *r)
{
    char quirks[400], number[24];
    const bool any = switched(o, quirks)[0] != '\0';

    rep_root(rep, REP_CELLS(rep_text(o->core.path), rep_text(o->core.config->name),
                            rep_text(o->core.profile->name), rep_text(quirks + any),
                            rep_text(c->scope), rep_count(passes(o)), rep_bool(o->while_enabled)));
    for (size_t i = 0; i < r->windows; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        put_rows(rep, o, r, number, &r->window[i]);
    }
    if (r->windows > 1)
        put_rows(rep, o, r, "all", &r->all);
    for (size_t i = 0; i < r->windows; i++)
        put_window(rep, WINDOWS, o, r, &r->window[i]);
    put_window(rep, ALL, o, r, &r->all);
    rep_warnings(rep, WARNINGS);
}

/* ---- notes ---- */

/* Where the two profiles do not agree, so that they are not confused. */
static void note_other(const struct stat_core_options *o, const struct stat_core_result *r)
{
    if (o->core.quirks_on | o->core.quirks_off)
        return;
    for (size_t i = 0; i < o->events; i++) {
        const uint64_t other = r->other[i];
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
        { CORE_RESET, true, "clocks in reset are also counted" },
        { CORE_DEBUG, stops, "clocks in debug mode are also counted" },
        { CORE_ACK, true, "instructions are not counted" },
        { CORE_EXCEPTION, p[CORE_ACK].present,
          "instructions are also counted in clocks with exceptions" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].matters && !p[rows[i].port].present)
            cli_note(1041, "%s is not in the waveform: %s; --map can name it",
                     core_port_name(rows[i].port), rows[i].then);
    for (size_t i = 0; i < o->events; i++)
        if (o->event[i]->strict[0])
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

int stat_core_report(struct rep *rep, const struct stat_core_options *o, const struct core *c,
                     const struct stat_core_result *r)
{
    note_missing(o, c, r);
    note_other(o, r);
    note_never(o, r);
    if (r->all.unknown)
        cli_note(1043, "unknown inputs in %s are taken as 0", cli_count(r->all.unknown, "clock"));
    const int code = rep_page(rep) ? print(rep_page(rep), o, c, r) : CLI_OK;
    if (rep_has_rows(rep))
        put(rep, o, c, r);
    return code;
}

/* ---- -e help ---- */

static struct cli_table *open_events(FILE *page)
{
    static const struct cli_column column[] = {
        { .named = "number", .left = true },
        { .named = "short name", .gap = 2, .width = 18, .left = true },
        { .named = "event", .width = 33, .left = true },
        { .named = "in the document", .left = true },
    };
    struct cli_table *t =
        cli_table_open(page, &(struct cli_look){ .gap = 1, .streams = true, .bare = true });

    cli_table_columns(t, column, sizeof column / sizeof *column);
    cli_table_head(t);
    return t;
}

int stat_core_list(const struct stat_core_options *o)
{
    struct rep *rep;
    const int code = rep_open(&rep, &stat_core_events_def, &o->report);

    if (code)
        return code;
    rep_root(rep, REP_NO_CELLS);
    struct cli_table *t = rep_page(rep) ? open_events(rep_page(rep)) : NULL;
    for (size_t i = 1; i < PC_HPM_EVENTS; i++) {
        const struct pc_hpm_event *e = pc_hpm_event_at(i);
        cli_cell_print(t, "0x%02zx", i);
        cli_cell(t, e->short_name);
        cli_cell(t, e->name);
        cli_cell(t, e->seed_name);
        cli_row_end(t);
        rep_row(rep, 0,
                REP_CELLS(rep_hex(i, 2), rep_text(e->short_name), rep_text(e->name),
                          rep_text(e->seed_name)));
    }
    return rep_close(rep, rep_page(rep) ? cli_table_close(t) : CLI_OK);
}
