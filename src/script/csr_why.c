/* SPDX-License-Identifier: MIT */
/*
 * Why a CSR instruction of a core's script traps, and why a counter that it reads counts or stands
 * still: the rule is the model's, the words say which bit or selector it met.
 */
#include "script/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct subject {
    const struct pc_hpm *hpm;
    const struct pc_hpm_in *in;
    struct pc_hpm_state s;
    unsigned index; /* address[4:0] */
    char *reason;
    size_t size;
};

static const char *mode_name(struct pc_hpm_mode mode)
{
    static const char *const names[2][4] = { { "U", "S", "S", "M" }, { "VU", "VS", "VS", "M" } };

    return mode.debug ? "debug" : names[mode.virtualised][mode.privilege & 3];
}

static bool bit(uint32_t word, unsigned n)
{
    return word >> n & 1;
}

/* A gate: the first enable that refuses. */
static void say_gate(const struct subject *w)
{
    const char *which = "scounteren";

    if (!bit(w->s.mcounteren, w->index))
        which = "mcounteren";
    else if (w->in->mode.virtualised && !bit(w->s.hcounteren, w->index))
        which = "hcounteren";
    snprintf(w->reason, w->size, "bit %u of %s is 0, in mode %s", w->index, which,
             mode_name(w->in->mode));
}

static void say_trap(const struct subject *w, const struct pc_hpm_rule *rule)
{
    static const char *const levels[] = { "U", "S", "HS", "M" };

    if (strncmp(rule->clause, "HPM.GATE.", 9) == 0)
        say_gate(w);
    else if (strncmp(rule->clause, "HPM.PRIV.", 9) == 0 && rule->clause[9] < '3')
        snprintf(w->reason, w->size, "the CSR needs mode %s, and the mode is %s",
                 levels[w->in->csr.address >> 8 & 3], mode_name(w->in->mode));
    else
        snprintf(w->reason, w->size, "%s", rule->about);
}

/* An event counter. */
static void say_event(const struct subject *w, const struct pc_hpm_rule *rule)
{
    const struct pc_hpm_config *config = pc_hpm_get_config(w->hpm);
    const unsigned selector = w->s.selector[w->index];
    const struct pc_hpm_event *event = pc_hpm_event_at(selector);
    const char *never =
        event ? pc_hpm_event_never(config, pc_hpm_get_quirks(w->hpm), selector) : NULL;

    if (!config->perf_counter_en)
        snprintf(w->reason, w->size, "%s", rule->about);
    else if (bit(w->s.inhibit, w->index))
        snprintf(w->reason, w->size, "it does not count: bit %u of mcountinhibit is 1", w->index);
    else if (selector == 0 || !event)
        snprintf(w->reason, w->size, "it does not count: mhpmevent%u is %u, which selects nothing",
                 w->index, selector);
    else if (never)
        snprintf(w->reason, w->size, "it counts event %u, %s, which never happens here: %s",
                 selector, event->name, never);
    else
        snprintf(w->reason, w->size, "it counts event %u, %s", selector, event->name);
}

static void say_counter(const struct subject *w, const struct pc_hpm_rule *rule)
{
    if (strcmp(rule->clause, "HPM.DEBUG.1") == 0)
        snprintf(w->reason, w->size, "it does not count in debug mode");
    else if (w->index >= PC_HPM_FIRST)
        say_event(w, rule);
    else if (bit(w->s.inhibit, w->index))
        snprintf(w->reason, w->size, "it does not count: bit %u of mcountinhibit is 1", w->index);
    else
        snprintf(w->reason, w->size, "it counts %s", w->index ? "instructions" : "clocks");
}

/* Returns the cause of the trap that the access meets: the clock is tried, and taken back. */
static enum pc_hpm_cause try_it(struct pc_hpm *hpm, const struct pc_hpm_in *in,
                                const struct pc_hpm_state *before)
{
    struct pc_hpm_out out;

    pc_hpm_step(hpm, in, &out);
    /* a state that the model has had is one that it can have */
    return pc_hpm_set_state(hpm, before, NULL) == PC_OK ? (enum pc_hpm_cause)out.cause
                                                        : PC_HPM_ILLEGAL;
}

const struct pc_hpm_rule *sc_csr_why(struct pc_hpm *hpm, const struct pc_hpm_in *in, char *reason,
                                     size_t size)
{
    struct subject w = { hpm, in, { .inhibit = 0 }, in->csr.address & 31, reason, size };
    const unsigned group = in->csr.address & ~31u;
    const bool counter = group == 0xb00 || group == 0xb80 || group == 0xc00 || group == 0xc80;
    const struct pc_hpm_in nothing = { .mode = { .privilege = 3, .debug = in->mode.debug } };
    const struct pc_hpm_rule *rule = pc_hpm_why(hpm, in, NULL, PC_HPM_CAUSE);

    pc_hpm_get_state(hpm, &w.s);
    if (try_it(hpm, in, &w.s) != PC_HPM_NO_TRAP) {
        say_trap(&w, rule);
        return rule;
    }
    rule = pc_hpm_why(hpm, in, NULL, PC_HPM_RDATA);
    const bool reads_0 = strcmp(rule->clause, "HPM.SHADOW.1") == 0 &&
                         pc_hpm_get_quirks(hpm) & PC_HPM_Q_SHADOW3H_ZERO;
    if (!counter || w.index > PC_HPM_LAST || reads_0) {
        snprintf(reason, size, "%s", rule->about);
        return rule;
    }
    rule = pc_hpm_why(hpm, &nothing, NULL, PC_HPM_COUNTER + w.index);
    say_counter(&w, rule);
    return rule;
}
