/* SPDX-License-Identifier: MIT */
/*
 * pcounter emit core: a description of CVA6's counters in the language of pcounter-core(5), by the
 * same table of events and quirks as the model; and for any other design a beginning of one.
 */
#include "core/core.h"
#include "emit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t quirks_of(const struct emit_request *r)
{
    return r->ports ? r->ports->quirks : r->profile->quirks;
}

bool emit_core_has(const struct emit_request *r, enum pc_hpm_quirk quirk)
{
    return (quirks_of(r) & quirk) != 0;
}

bool emit_core_sees(const struct emit_request *r, const char *name)
{
    const char *leaf = strchr(name, '.');
    const struct core_source *port;
    size_t var;
    uint32_t hi, lo;
    bool bit;

    if (!r->ports)
        return !r->wave || pc_wave_find(r->wave, name, &var, &hi, &lo, NULL) != PC_ENOENT;
    port = leaf ? core_find_named(r->ports->core, leaf + 1, &bit) : NULL;
    return port && port->present;
}

/* Is all there that the expression looks at? */
static bool is_visible(const struct emit_request *r, const char *expression)
{
    char name[CORE_NAME], path[1200];
    size_t var;
    uint32_t hi, lo;

    while (r->events_only && core_next_name(&expression, 0, name)) {
        snprintf(path, sizeof path, "%s.%s", r->scope, name);
        if (pc_wave_find(r->wave, path, &var, &hi, &lo, NULL) != PC_OK)
            return false;
    }
    return true;
}

/* Returns the expression of the event, or NULL: this core does not have it; free() it. */
static char *text_of(const struct emit_request *r, unsigned e)
{
    const struct pc_hpm_event *event = pc_hpm_event_at(e);
    char *text = NULL;
    size_t size;
    FILE *file = event && (r->ports || emit_event_exists(r->config, e))
                     ? open_memstream(&text, &size)
                     : NULL;

    if (!file)
        return NULL;
    if (r->ports)
        core_put_seen_event(file, r->ports->core, quirks_of(r), event);
    else
        core_put_event(file, r->config, quirks_of(r), event, is_visible(r, event->strict));
    if (cli_collected(file, &text) && is_visible(r, text))
        return text;
    free(text);
    return NULL;
}

static void put_events(const struct emit_request *r, FILE *file)
{
    fputs("vectors:\n  event:                           # element = value of the selector\n"
          "    - 0\n",
          file);
    for (unsigned e = 1; e < 32; e++) {
        char *text = text_of(r, e);
        if (text)
            fprintf(file, "    - {%s: \"%s\"}\n", pc_hpm_event_at(e)->name, text);
        else
            fputs("    - 0\n", file);
        free(text);
    }
}

/* Is there an event of that name, of one bit? */
static bool has_event(const struct emit_request *r, const char *name)
{
    const struct pc_hpm_event *event = NULL;
    const bool or_ports = emit_core_has(r, PC_HPM_Q_OR_PORTS) || r->config->commit_ports == 1;
    char *text = pc_hpm_event_find(name, &event, NULL) == PC_OK ? text_of(r, event->id) : NULL;
    const bool is_there = text && (or_ports || event->unit != PC_HPM_RETIREMENTS);

    free(text);
    return is_there || strcmp(name, "cycles") == 0;
}

static void put_metrics(const struct emit_request *r, FILE *file)
{
    const char *before = "metrics:\n";
    struct emit_metric m;

    for (size_t i = 0; emit_metric_at(r, &i, &m);) {
        if (!has_event(r, m.of) || !has_event(r, m.by))
            continue;
        fprintf(file, "%s  %s: \"%s / %s %%\"\n", before, m.name, m.of, m.by);
        before = "";
    }
}

void emit_core_said(const struct emit_request *r, FILE *file, const char *clause, uint32_t quirks)
{
    const char *before = ", known: \"";
    const struct pc_hpm_quirk_info *q;

    fprintf(file, ", clause: %s", clause);
    /* with ports a difference is told with the quirk that explains it */
    for (size_t i = 0; !r->ports && (q = pc_hpm_quirk_at(i)) != NULL; i++) {
        if (!(q->bit & quirks & quirks_of(r)))
            continue;
        fprintf(file, "%s%s%s%s%s", before, q->name, q->reference[0] ? " (" : "", q->reference,
                q->reference[0] ? ")" : "");
        before = "; ";
    }
    if (before[0] == ';')
        fputc('"', file);
    fputs("}\n", file);
}

/* A write to any of them holds all six; or but the one that is written. */
static void put_freezes(const struct emit_request *r, FILE *file)
{
    const bool wide = r->config->xlen == 64, traps = emit_core_has(r, PC_HPM_Q_TRAP_FREEZES),
               all = emit_core_has(r, PC_HPM_Q_WRITE_FREEZES_ALL);

    if (wide && traps) {
        fprintf(file, "      - {when: \"we_i & addr_i %s\", keep: true",
                all ? "inside {[12'hb83:12'hb9f]}" : "== 12'hb80 + n");
        emit_core_said(r, file, "HPM.STROBE.3", PC_HPM_Q_TRAP_FREEZES);
    }
    if (!all)
        return;
    if (wide && !traps)
        fputs("      - {when: \"we_i & !(addr_i inside {[12'hb83:12'hb9f]})\", keep: true", file);
    else
        fputs("      - {when: we_i, keep: true", file);
    emit_core_said(r, file, "HPM.STROBE.1", PC_HPM_Q_WRITE_FREEZES_ALL);
}

static void put_counters(const struct emit_request *r, FILE *file)
{
    const bool wide = r->config->xlen == 64;
    const char *debug = emit_core_stops(r) ? " & !debug_mode_i" : "";

    if (!r->ports)
        put_metrics(r, file);
    fputs("\nregisters:\n  - name: mhpmcounter{n}\n    for: n = 3..8\n    width: 64\n"
          "    is: generic_counter_q[{n - 2}]\n    rules:\n",
          file);
    if (wide) {
        fputs("      - {when: \"we_i & addr_i == 12'hb00 + n\", set: data_i", file);
        emit_core_said(r, file, "HPM.COUNT.2", 0);
    } else {
        fputs("      - {when: \"we_i & addr_i == 12'hb00 + n\", \"set[31:0]\": data_i", file);
        emit_core_said(r, file, "HPM.COUNT.2", 0);
        fputs("      - {when: \"we_i & addr_i == 12'hb80 + n\", \"set[63:32]\": data_i", file);
        emit_core_said(r, file, "HPM.COUNT.2", 0);
    }
    put_freezes(r, file);
    fprintf(file, "      - {when: \"!mcountinhibit_i[n]%s\", add: \"event[mhpmevent{n}]\"", debug);
    emit_core_said(r, file, "HPM.COUNT.1",
                   PC_HPM_Q_OR_PORTS | PC_HPM_Q_RET_ANY_RS1 | PC_HPM_Q_EVICT_FF);
    fputs("  - name: mhpmevent{n}\n    for: n = 3..8\n    width: 5\n    is: mhpmevent_q[{n - 2}]\n"
          "    rules:\n      - {when: \"we_i & addr_i == 12'h320 + n\", set: data_i",
          file);
    emit_core_said(r, file, "HPM.MAP.9", 0);
}

/* ---- what perf_counters answers ---- */

static bool has_answers(const struct emit_request *r)
{
    if (r->ports)
        return r->ports->data_o && r->config->perf_counter_en;
    return r->config->perf_counter_en && emit_core_sees(r, "perf_counters_i.data_o");
}

static void put_answer_lets(const struct emit_request *r, FILE *file)
{
    const bool wide = r->config->xlen == 64, shadows = r->config->zihpm;

    fprintf(file, "  asks_low: \"(addr_i & 12'hfe0) inside {12'hb00%s}\"\n",
            shadows ? ", 12'hc00" : "");
    if (!wide)
        fprintf(file, "  asks_high: \"(addr_i & 12'hfe0) inside {12'hb80%s}\"\n",
                shadows ? ", 12'hc80" : "");
    fprintf(
        file,
        "  asks: \"(asks_low%s | (addr_i & 12'hfe0) == 12'h320) & addr_i[4:0] inside {[3:8]}\"\n",
        wide ? "" : " | asks_high");
}

/* Writes a check: the value of data_o where a register is read. */
static void put_answer(const struct emit_request *r, FILE *file, const char *what, const char *when,
                       const char *value, const char *clause, uint32_t quirks)
{
    fprintf(file, "  - {name: \"data_o: %s\", when: \"%s\", that: \"data_o == %s\"", what, when,
            value);
    emit_core_said(r, file, clause, quirks);
}

static void put_answers(const struct emit_request *r, FILE *file)
{
    const bool wide = r->config->xlen == 64, zero = emit_core_has(r, PC_HPM_Q_SHADOW3H_ZERO);
    char what[40], when[80], value[40];

    for (unsigned n = PC_HPM_FIRST; n <= PC_HPM_LAST; n++) {
        snprintf(what, sizeof what, "mhpmcounter%u", n);
        snprintf(when, sizeof when, "asks_low & addr_i[4:0] == %u", n);
        snprintf(value, sizeof value, "mhpmcounter%u%s", n, wide ? "" : "[31:0]");
        put_answer(r, file, what, when, value, "HPM.READ.1", 0);
    }
    for (unsigned n = PC_HPM_FIRST; n <= PC_HPM_LAST && !wide; n++) {
        snprintf(what, sizeof what, "high mhpmcounter%u", n);
        snprintf(when, sizeof when, "asks_high & addr_i[4:0] == %u%s", n,
                 n == 3 ? " & addr_i != 12'hc83" : "");
        snprintf(value, sizeof value, "mhpmcounter%u[63:32]", n);
        put_answer(r, file, what, when, value, "HPM.HALF.1", 0);
    }
    if (!wide && r->config->zihpm)
        put_answer(r, file, "hpmcounter3h", "addr_i == 12'hc83", zero ? "0" : "mhpmcounter3[63:32]",
                   "HPM.SHADOW.1", PC_HPM_Q_SHADOW3H_ZERO);
    for (unsigned n = PC_HPM_FIRST; n <= PC_HPM_LAST; n++) {
        snprintf(what, sizeof what, "mhpmevent%u", n);
        snprintf(when, sizeof when, "addr_i == 12'h%x", 0x320 + n);
        snprintf(value, sizeof value, "mhpmevent%u", n);
        put_answer(r, file, what, when, value, "HPM.MAP.9", 0);
    }
    put_answer(r, file, "elsewhere", "!asks", "0", "HPM.MAP.3", 0);
}

void emit_core_begin_checks(FILE *file, bool *begun)
{
    if (!*begun)
        fputs("\nchecks:                            # of the traps the first that holds decides\n",
              file);
    *begun = true;
}

bool emit_core_stops(const struct emit_request *r)
{
    return r->config->debug && !emit_core_has(r, PC_HPM_Q_DEBUG_RUNS);
}

void emit_core_events(const struct emit_request *r, FILE *file)
{
    fprintf(file, "pcounter-core: 1\nname: %s\nprofile: %s\nscope: ", r->config->name,
            r->profile->name);
    cli_json_string(file, r->scope);
    fputs("\nclock: clk_i\n", file);
    if (is_visible(r, "rst_ni"))
        fputs("reset: \"!rst_ni\"\n", file);
    if (emit_core_stops(r) && is_visible(r, "debug_mode_i"))
        fputs("stopped: debug_mode_i\n", file);
    put_events(r, file);
    put_metrics(r, file);
    fputs("registers:\n  - {name: none_is_compared, width: 1, is: none, rules: [{set: 0}]}\n",
          file);
}

static void put_head(const struct emit_request *r, FILE *file, bool csr)
{
    const struct pc_hpm_config *c = r->config;

    fprintf(file, "pcounter-core: 1\nname: %s\nabout: OpenHW CVA6, perf_counters%s\nprofile: %s\n",
            c->name, csr ? " and the counters of csr_regfile" : "", r->profile->name);
    if (!c->perf_counter_en)
        fputs("# this configuration has no event counters\n", file);
    fprintf(file, "scope: %s\nclock: clk_i\nreset: \"%s\"\n",
            c->perf_counter_en ? "perf_counters_i" : "csr_regfile_i",
            !r->ports || emit_core_sees(r, ".rst_ni") ? "!rst_ni" : "1'b0");
    if (emit_core_stops(r) && (c->perf_counter_en || csr))
        fprintf(file, "stopped: %s            # debug mode: nothing counts\n",
                c->perf_counter_en ? "debug_mode_i" : "debug_mode_q");
    fputc('\n', file);
}

void emit_core_description(const struct emit_request *r, FILE *file)
{
    const struct pc_hpm_config *c = r->config;
    const bool csr = emit_has_csr(r), answers = has_answers(r);
    bool begun = false;

    put_head(r, file, csr);
    if (csr || answers || r->ports)
        fputs("let:\n", file);
    if (r->ports)
        fputs("  nothing: " EMIT_UNSEEN "\n", file);
    if (csr)
        emit_core_lets(r, file);
    if (answers)
        put_answer_lets(r, file);
    if (c->perf_counter_en) {
        put_events(r, file);
        put_counters(r, file);
    } else {
        fputs("registers:\n", file);
    }
    if (csr || r->ports)
        emit_core_registers(r, file, csr);
    if (csr)
        emit_core_checks(r, file, &begun);
    if (answers) {
        emit_core_begin_checks(file, &begun);
        put_answers(r, file);
    }
}
