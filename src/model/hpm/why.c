/* SPDX-License-Identifier: MIT */
/*
 * Which rule decides what a clock does: for a difference between the model and what it is
 * compared with.  Decisions about an access come with their rule (csr.c); here are those
 * about counters.
 */
#include "model/hpm/hpm.h"
#include "model/rules/hpm_events.h"

struct view {
    const struct pc_hpm *hpm;
    const struct pc_hpm_in *in;
    struct pc_hpm_decision d;
    bool write; /* a strobe, or an access that writes and may */
    uint32_t inhibit;
};

static enum pc_hpm_rule_id why_value(const struct view *v)
{
    const struct pc_hpm_place *p = &v->d.place;

    if (v->d.cause != PC_HPM_NO_TRAP)
        return (enum pc_hpm_rule_id)v->d.rule;
    if (p->kind == PC_HPM_REG_SHADOW_HIGH && p->index == 3)
        return HPM_SHADOW3H;
    if ((p->kind == PC_HPM_REG_COUNTER_HIGH || p->kind == PC_HPM_REG_SHADOW_HIGH) && p->live)
        return HPM_HALF;
    if ((p->kind == PC_HPM_REG_COUNTER || p->kind == PC_HPM_REG_SHADOW) && p->live)
        return HPM_READ;
    return (enum pc_hpm_rule_id)p->rule;
}

static bool excepts(const struct view *v)
{
    return v->d.cause != PC_HPM_NO_TRAP || (v->in->lines >> PC_HPM_EXCEPTION & 1);
}

static enum pc_hpm_rule_id why_fixed(const struct view *v, unsigned counter)
{
    if (v->d.write && pc_hpm_addressed(&v->d.place) == counter &&
        v->d.place.kind <= PC_HPM_REG_COUNTER_HIGH)
        return v->hpm->config.xlen == 32 ? HPM_HALF_OTHER
               : counter == 2            ? HPM_INSTRET_WRITE
                                         : HPM_OP_WRITE;
    if (pc_hpm_stopped(v->hpm, v->in->mode.debug))
        return HPM_DEBUG;
    if (v->inhibit >> counter & 1)
        return HPM_INHIBIT;
    if (counter == 0)
        return HPM_CYCLE;
    return excepts(v) ? HPM_INSTRET_EXCEPTION : HPM_INSTRET;
}

static enum pc_hpm_rule_id why_event(const struct view *v, unsigned counter)
{
    const unsigned e = v->hpm->s.selector[counter];

    if (!v->hpm->config.perf_counter_en)
        return HPM_MAP_EVENT;
    if (v->d.write && pc_hpm_addressed(&v->d.place) == counter)
        return HPM_COUNT_WRITE;
    if (pc_hpm_stopped(v->hpm, v->in->mode.debug))
        return HPM_DEBUG;
    if (v->write && pc_hpm_strobe_traps(&v->d.place))
        return HPM_STROBE_TRAP;
    if (v->d.strobe)
        return HPM_STROBE;
    if (v->inhibit >> counter & 1)
        return HPM_INHIBIT;
    if (e == 0 || e >= PC_HPM_EVENTS)
        return HPM_COUNT_NONE;
    if (PC_HPM_PORT_EVENTS >> e & 1 &&
        pc_hpm_port_events(&v->in->port[0], v->hpm->active) >> e & 1 &&
        pc_hpm_port_events(&v->in->port[1], v->hpm->active) >> e & 1)
        return HPM_PORTS;
    if (e == 13)
        return HPM_RETURN;
    if (e == 18)
        return HPM_EVICT;
    return HPM_COUNT;
}

const struct pc_hpm_rule *pc_hpm_why(const struct pc_hpm *hpm, const struct pc_hpm_in *in,
                                     const struct pc_hpm_strobe *strobe, unsigned what)
{
    struct view v = { .hpm = hpm, .in = in, .inhibit = hpm->s.inhibit };
    enum pc_hpm_rule_id rule = HPM_NOTHING;
    const bool access = strobe || in->csr.op != PC_HPM_CSR_NONE;

    if (strobe) {
        v.d.place = pc_hpm_place_at(&hpm->config, strobe->address);
        v.write = v.d.strobe = strobe->write;
        v.d.write = strobe->write && v.d.place.exists;
        v.inhibit = strobe->inhibit;
    } else if (access) {
        v.d = pc_hpm_decide(hpm, in->mode, &in->csr);
        v.write = in->csr.op != PC_HPM_CSR_READ && v.d.rule == v.d.place.rule;
    }
    if (what == PC_HPM_RDATA && access)
        rule = why_value(&v);
    else if (what == PC_HPM_CAUSE && access)
        rule = (enum pc_hpm_rule_id)v.d.rule;
    else if (what == PC_HPM_COUNTER || what == PC_HPM_COUNTER + 2)
        rule = why_fixed(&v, what - PC_HPM_COUNTER);
    else if (what >= PC_HPM_COUNTER + PC_HPM_FIRST && what <= PC_HPM_COUNTER + PC_HPM_LAST)
        rule = why_event(&v, what - PC_HPM_COUNTER);
    return pc_hpm_rule_at(rule);
}
