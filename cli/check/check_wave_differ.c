/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE: a difference, the rule that decided, and what would explain the design. */
#include "check_wave.h"

#include <string.h>

static const struct pc_hpm_rule *rule_named(const char *clause)
{
    const struct pc_hpm_rule *rule = NULL;

    for (size_t i = 0; (rule = pc_hpm_rule_at(i)) != NULL && strcmp(rule->clause, clause) != 0; i++)
        ;
    return rule;
}

uint64_t wave_replay(struct pc_hpm *hpm, const struct wave_clock *c, unsigned reg,
                     uint64_t fallback)
{
    const bool fixed = wave_is_fixed(reg);
    struct pc_hpm_state s;
    struct pc_hpm_out out;

    if (pc_hpm_set_state(hpm, fixed ? &c->fixed : &c->module, NULL) != PC_OK)
        return fallback;
    if (fixed)
        pc_hpm_step(hpm, &c->in, &out);
    else
        pc_hpm_step_module(hpm, &c->in, &c->strobe, &out);
    pc_hpm_get_state(hpm, &s);
    if (reg == WAVE_CSR_TRAP)
        return out.cause;
    return reg == WAVE_RDATA || reg == WAVE_CSR_RDATA ? out.rdata : wave_value_in(&s, &s, reg);
}

/* The rule that decided, and the quirk whose other setting gives the design's value. */
static void explain(struct wave_check *k, const struct wave_clock *c, struct wave_diff *d)
{
    const bool fixed = wave_is_fixed(d->reg);
    struct pc_hpm *hpm = k->other[0]; /* rules do not depend on a quirk being on or off */

    if (d->reg >= WAVE_SELECTORS && d->reg < WAVE_RDATA)
        d->rule = rule_named("HPM.MAP.9");
    else if (d->reg >= WAVE_INHIBIT && d->reg <= WAVE_HCOUNTEREN)
        d->rule = rule_named(d->reg == WAVE_INHIBIT ? "HPM.MAP.5" : "HPM.MAP.6");
    else if (hpm && pc_hpm_set_state(hpm, fixed ? &c->fixed : &c->module, NULL) == PC_OK)
        d->rule = pc_hpm_why(hpm, &c->in, fixed ? NULL : &c->strobe,
                             d->reg == WAVE_CSR_TRAP ? PC_HPM_CAUSE
                             : d->reg == WAVE_RDATA || d->reg == WAVE_CSR_RDATA
                                 ? PC_HPM_RDATA
                                 : PC_HPM_COUNTER + d->reg);
    for (unsigned i = 0; i < WAVE_QUIRKS && k->other[i] && !d->like && !d->unknown; i++)
        if (wave_replay(k->other[i], c, d->reg, d->model) == d->design)
            d->like = k->quirk[i];
}

static void add_to_group(struct wave_result *r, const struct wave_diff *d)
{
    struct wave_group *g = r->group;

    for (; g < r->group + r->groups; g++)
        if (g->rule == d->rule && g->like == d->like)
            break;
    if (g == r->group + WAVE_GROUPS)
        return;
    if (g == r->group + r->groups) {
        r->groups++;
        *g = (struct wave_group){ .rule = d->rule, .like = d->like, .first = d->cycle };
    }
    g->count++;
    g->regs |= 1u << d->reg;
}

/*
 * Finds what else the design could do, if no quirk explains it: the events of which every
 * difference of the counter is what one of them would have given, and mcountinhibit's bit the other
 * way.
 */
static void guess(struct wave_check *k, const struct wave_clock *c, const struct wave_diff *d)
{
    const uint32_t visible = k->core.events & ((1u << PC_HPM_EVENTS) - 2);
    struct wave_guess *g = &k->result.guess[d->reg];

    if (d->reg < PC_HPM_FIRST || d->reg >= WAVE_SELECTORS || d->like || d->unknown)
        return;
    const uint64_t added = d->design - c->module.counter[d->reg];
    const bool inhibited = d->inhibit >> d->reg & 1, moves = added == 1 || added == 2;
    const uint32_t lines = moves ? c->events : added == 0 ? ~c->events : 0;
    if (g->differences++ == 0)
        *g = (struct wave_guess){ 1, visible, true, true };
    g->events &= inhibited || c->strobe.write ? 0 : lines & ~(1u << d->selector);
    g->as_inhibited &= !inhibited && added == 0;
    g->as_counting &= inhibited && moves;
}

void wave_guess_text(const struct wave_result *r, unsigned reg, char *out, size_t size)
{
    enum { FEW = 3 };
    const struct wave_guess *g = &r->guess[reg];
    char names[200], one[80];
    struct core_list l = { .out = names, .size = sizeof names, .before = "" };

    out[0] = '\0';
    if (g->differences < 2)
        return;
    if (g->as_inhibited || g->as_counting) {
        snprintf(out, size, "bit %u of mcountinhibit were %u", reg, g->as_inhibited ? 1 : 0);
        return;
    }
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++)
        if (g->events >> e & 1) {
            snprintf(one, sizeof one, "%u %s", e, pc_hpm_event_at(e)->name);
            core_list_add(&l, one);
        }
    core_list_end(&l);
    if (l.count > 0 && l.count <= FEW)
        snprintf(out, size, "%s%s were selected", l.count > 1 ? "one of the events " : "event ",
                 names);
}

void wave_differ(struct wave_check *k, unsigned reg, uint64_t design, uint64_t model, bool unknown,
                 const struct wave_clock *c)
{
    struct wave_result *r = &k->result;
    struct wave_diff d = { .reg = reg, .design = design, .model = model, .unknown = unknown };

    d.cycle = r->edges;
    if (c) {
        d.inhibit = c->strobe.inhibit;
        d.events = c->events;
        d.address = c->strobe.address;
        d.csr = c->in.csr;
        d.mode = c->in.mode;
        d.gates = c->fixed;
        if (reg >= PC_HPM_FIRST && reg < WAVE_SELECTORS)
            d.selector = c->module.selector[reg];
        explain(k, c, &d);
    }
    d.written = k->written[reg];
    if (reg >= PC_HPM_FIRST && reg < WAVE_SELECTORS)
        d.selected = k->written[WAVE_SELECTORS + reg - PC_HPM_FIRST];
    if (c)
        guess(k, c, &d);
    r->differences[reg]++;
    r->total_differences++;
    add_to_group(r, &d);
    if (r->shown_count < WAVE_SHOWN)
        r->shown[r->shown_count++] = d;
    r->stopped = !k->o->keep_going;
}
