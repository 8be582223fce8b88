/* SPDX-License-Identifier: MIT */
/*
 * A plan as a tree, for programs: everything, registers and all conflicts included.  Its rows are
 * the counters that have an event.
 */
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const counters[] = { "PRE", "START", "EVENT", "STOP", NULL };
static const char *const inputs[] = { "PRE", "START", "EVENT", "STOP", "SETFLAG", "CLRFLAG", NULL };

#define PASS_ABOUT "the pass of the plan, from 1"

static const struct rep_field reason_fields[] = {
    { "pass", REP_COUNT, .about = PASS_ABOUT, .least = 1 },
    { "why", REP_TEXT, .about = "what keeps the two apart" },
    { .name = NULL },
};
static const struct rep_field mux_fields[] = {
    { "register", REP_TEXT, .about = "its name, or its address" },
    { "mask", REP_HEX, .about = "the bits that matter", .digits = 8 },
    { "value", REP_HEX, .about = "the word; null: not known", .flags = REP_NULL, .digits = 8 },
    { .name = NULL },
};
static const struct rep_field counter_fields[] = {
    { "counter", REP_WORD, .about = "the counter", .words = counters },
    { "event", REP_TEXT, .about = "the name of the event" },
    { "expression", REP_TEXT, .about = "what it counts" },
    { "group", REP_COUNT, .about = "events of one group are counted together" },
    { "mux", REP_TEXT, .flags = REP_NO_JSON },
    { .name = NULL },
};
static const struct rep_field source = { .name = "source", .kind = REP_COUNT, .flags = REP_NULL };
enum { SOURCES = 2 };
static const struct rep_field input_fields[] = {
    { "input", REP_WORD, .about = "the input", .words = inputs },
    { "op", REP_HEX, .about = "the OP register", .digits = 8 },
    { "sources", REP_LIST, .about = "signals that it selects, of SRC0 to SRC3; null: none",
      .value = &source },
    { .name = NULL },
};
static const struct rep_field write_fields[] = {
    { "register", REP_TEXT, .about = "its name" },
    { "address", REP_TEXT, .about = "where in MMIO", .pattern = "^0x[0-9a-f]{6,8}$" },
    { "value", REP_HEX, .about = "the word", .digits = 8 },
    { .name = NULL },
};
enum { COUNTERS = 2, INPUTS, WRITES, SWAP };
static const struct rep_field domain_fields[] = {
    { "domain", REP_TEXT, .about = "the domain" },
    { "ctr_mode", REP_TEXT, .about = "the counting mode" },
    { "counters", REP_LIST, .about = "the counters in use", .flags = REP_ROW,
      .field = counter_fields, .item = "a counter and its event" },
    { "inputs", REP_LIST, .about = "all six inputs", .field = input_fields, .item = "an input" },
    { "writes", REP_LIST, .about = "the writes that set it up, in order", .field = write_fields,
      .item = "a write" },
    { "swap", REP_OBJECT,
      .about = "the write that swaps the counters to be read; null: nothing is needed",
      .flags = REP_NULL, .field = write_fields },
    { .name = NULL },
};
enum { NOT_IN = 1, SET_FIRST, DOMAINS };
static const struct rep_field pass_fields[] = {
    { "pass", REP_COUNT, .about = PASS_ABOUT, .least = 1 },
    { "not_in", REP_LIST, .about = "why this is not one with the passes before it",
      .field = reason_fields, .item = "a pass before" },
    { "set_first", REP_LIST, .about = "what selects the signals", .field = mux_fields,
      .item = "a register outside of the counters" },
    { "domains", REP_LIST, .about = "the domains that count", .field = domain_fields,
      .item = "a domain in this pass" },
    { .name = NULL },
};
static const struct rep_field name = { .name = "name", .kind = REP_TEXT };
enum { METRIC_EVENTS = 3 };
static const struct rep_field metric_fields[] = {
    { "name", REP_TEXT, .about = "the name of the metric" },
    { "formula", REP_TEXT, .about = "how it is computed from events" },
    { "unit", REP_TEXT,
      .about = "its unit as written: %, ratio, count, cycles, B, s, Hz, a multiple (MB, ns), or "
               "one with /s" },
    { "events", REP_LIST, .about = "names of its events", .value = &name },
    { "pass", REP_COUNT, .about = "the pass that has them, from 1; null: it has no events",
      .flags = REP_NULL, .least = 1 },
    { .name = NULL },
};
enum { CONFLICT_EVENTS };
static const struct rep_field conflict_fields[] = {
    { "events", REP_LIST, .about = "names of the two", .value = &name },
    { "why", REP_TEXT, .about = "what keeps them apart" },
    { .name = NULL },
};
enum { PASSES = 5, METRICS, CONFLICTS };
static const struct rep_field report_fields[] = {
    { "chip", REP_TEXT, .about = "the chip whose counters are modelled" },
    { "events", REP_COUNT, .about = "events that were placed" },
    { "bound", REP_COUNT, .about = "no plan has fewer passes than this" },
    { "bound_reason", REP_TEXT, .about = "why not" },
    { "minimal", REP_BOOL, .about = "true: it has no more than that" },
    { "passes", REP_LIST, .about = "the passes, in order", .field = pass_fields, .item = "a pass" },
    { "metrics", REP_LIST, .about = "every metric of -M", .field = metric_fields,
      .item = "a metric" },
    { "conflicts", REP_LIST, .about = "all that are known", .field = conflict_fields,
      .item = "two events that cannot share a pass" },
    { .name = NULL },
};

const struct rep_def plan_report = {
    .schema = "pcounter-plan-2",
    .call = "pcounter plan",
    .about = "Events placed on counters and passes.",
    .field = report_fields,
    .columns = "pass,domain,counter,ctr_mode,event,expression,group,mux",
};

/* --- a pass --- */

static void put_mux(struct rep *r, const struct plan_job *j, size_t pass)
{
    struct pc_plan_mux m;
    struct pc_source s;
    char address[16];

    for (size_t i = 0; pc_plan_mux_at(j->plan, pass, i, &m); i++)
        rep_row(r, SET_FIRST,
                REP_CELLS(rep_text(m.reg), rep_hex(m.mask, 8),
                          m.unknown ? rep_null() : rep_hex(m.value, 8)));
    for (size_t i = 0; plan_unset_at(j, pass, i, &s); i++) {
        snprintf(address, sizeof address, "0x%06" PRIx32, s.address);
        rep_row(r, SET_FIRST,
                REP_CELLS(rep_text(address), rep_hex(plan_source_mask(&s), 8), rep_null()));
    }
}

/* "0x400c0c=0x1 0x402ca4=0x2/0x7", of which the caller has to free() the memory; NULL: none. */
static char *mux_text(const struct plan_event *e)
{
    size_t size = 1, used = 0;

    for (size_t i = 0; i < e->muxes; i++)
        size += strlen(e->mux[i].reg) + sizeof " =0x00000000/0x00000000";
    char *text = malloc(size);
    if (!text)
        return NULL;
    text[0] = '\0';
    for (size_t i = 0; i < e->muxes; i++) {
        const struct pc_plan_mux *m = &e->mux[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s=", i ? " " : "", m->reg);
        if (m->unknown)
            used += (size_t)snprintf(text + used, size - used, "?");
        else
            used += (size_t)snprintf(text + used, size - used, "0x%" PRIx32, m->value);
        if (!m->unknown && m->mask != UINT32_MAX)
            used += (size_t)snprintf(text + used, size - used, "/0x%" PRIx32, m->mask);
    }
    return text;
}

static int put_counters(struct rep *r, const struct plan_job *j, const struct pc_plan_domain *d)
{
    for (unsigned s = 0; s < PLAN_SLOTS; s++) {
        if (d->event[s] < 0)
            continue;
        const struct plan_event *e = &j->event[d->event[s]];
        char *mux = mux_text(e);
        if (!mux)
            return cli_no_memory();
        rep_row(r, COUNTERS,
                REP_CELLS(rep_text(counters[s]), rep_text(e->name), rep_text(e->text),
                          rep_count(j->planned[d->event[s]].group), rep_text(mux)));
        free(mux);
    }
    return CLI_OK;
}

static void put_inputs(struct rep *r, const struct pc_plan_domain *d)
{
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        rep_begin(r, INPUTS, REP_CELLS(rep_text(inputs[i]), rep_hex(d->op[i], 8)));
        for (unsigned k = 0; k < 4; k++)
            rep_item(r, SOURCES,
                     d->source[i][k] == PC_NO_WIRE ? rep_null() : rep_count(d->source[i][k]));
        rep_end(r);
    }
}

static void put_write(struct rep *r, unsigned field, const struct pc_program_write *w)
{
    char address[16];

    snprintf(address, sizeof address, "0x%06" PRIx32, w->address);
    rep_row(r, field, REP_CELLS(rep_text(w->name), rep_text(address), rep_hex(w->value, 8)));
}

static void put_writes(struct rep *r, const struct plan_job *j, size_t pass, unsigned domain)
{
    struct pc_program program = { .writes = 0 };
    struct pc_error err;

    if (pc_plan_compile(j->plan, pass, domain, &program, &err) != PC_OK)
        program = (struct pc_program){ .writes = 0 };
    for (size_t i = 0; i < program.writes; i++)
        put_write(r, WRITES, &program.write[i]);
    if (program.swap.mask)
        put_write(r, SWAP, &program.swap);
    else
        rep_set(r, SWAP, rep_null());
}

static int put_pass(struct rep *r, const struct plan_job *j, size_t pass)
{
    struct pc_chip_domain place;
    struct pc_plan_domain d;
    int code = CLI_OK;
    char why[400];

    rep_begin(r, PASSES, REP_CELLS(rep_count(pass + 1)));
    for (size_t p = 0; p < pass; p++) {
        pc_plan_why(j->plan, p, pass, why, sizeof why);
        rep_row(r, NOT_IN, REP_CELLS(rep_count(p + 1), rep_text(why)));
    }
    put_mux(r, j, pass);
    for (unsigned k = 0; code == CLI_OK && pc_chip_get_domain(j->chip, k, &place); k++) {
        if (!pc_plan_domain_at(j->plan, pass, k, &d))
            continue;
        rep_begin(r, DOMAINS, REP_CELLS(rep_text(place.name), rep_text(d.ctr_mode)));
        code = put_counters(r, j, &d);
        put_inputs(r, &d);
        put_writes(r, j, pass, k);
        rep_end(r);
    }
    rep_end(r);
    return code;
}

/* --- all of it --- */

static void put_metrics(struct rep *r, const struct plan_job *j)
{
    for (size_t i = 0; i < j->metrics.count; i++) {
        const struct cli_metric *m = &j->metrics.metric[i];
        rep_begin(r, METRICS,
                  REP_CELLS(rep_text(m->info.name), rep_text(m->info.formula),
                            rep_text(m->info.unit), rep_absent(),
                            m->info.events
                                ? rep_count(pc_plan_place_of(j->plan, m->event[0]).pass + 1)
                                : rep_null()));
        for (size_t k = 0; k < m->info.events; k++)
            rep_item(r, METRIC_EVENTS, rep_text(m->info.event[k]));
        rep_end(r);
    }
}

static void put_conflicts(struct rep *r, const struct plan_job *j)
{
    char why[400];

    for (size_t a = 0; a < j->events; a++)
        for (size_t b = a + 1; b < j->events; b++) {
            if (!pc_plan_conflict(j->plan, a, b, why, sizeof why))
                continue;
            rep_begin(r, CONFLICTS, REP_CELLS(rep_absent(), rep_text(why)));
            rep_item(r, CONFLICT_EVENTS, rep_text(j->event[a].name));
            rep_item(r, CONFLICT_EVENTS, rep_text(j->event[b].name));
            rep_end(r);
        }
}

int plan_put(struct rep *r, const struct plan_job *j)
{
    size_t passes = pc_plan_passes(j->plan), bound = pc_plan_bound(j->plan);
    int code = CLI_OK;

    rep_root(r, REP_CELLS(rep_text(j->chip->name), rep_count(j->events), rep_count(bound),
                          rep_text(pc_plan_bound_reason(j->plan)), rep_bool(passes == bound)));
    for (size_t p = 0; p < passes && code == CLI_OK; p++)
        code = put_pass(r, j, p);
    put_metrics(r, j);
    put_conflicts(r, j);
    return code;
}
