/* SPDX-License-Identifier: MIT */
/*
 * Addresses and accesses of CVA6's counter CSRs: what stands where (HPM.MAP.*), who may do
 * what (HPM.PRIV.*, HPM.GATE.*), and which writes the event counters notice (HPM.STROBE.*).
 * CSRs outside the counter group are none of this file's business.
 */
#include "model/hpm/hpm.h"

/* A group of 32 addresses with a number in address[4:0]. */
enum group {
    GROUP_COUNTER = 0xb00,
    GROUP_COUNTER_HIGH = 0xb80,
    GROUP_SELECTOR = 0x320,
    GROUP_SHADOW = 0xc00,
    GROUP_SHADOW_HIGH = 0xc80,
    GROUP_MCOUNTEREN = 0x300,
    GROUP_SCOUNTEREN = 0x100,
    GROUP_HCOUNTEREN = 0x600,
    INDEX_COUNTEREN = 6 /* of 106, 306, 606 */
};

static bool implemented(unsigned index)
{
    return index >= PC_HPM_FIRST && index <= PC_HPM_LAST;
}

static uint8_t counter_rule(unsigned index)
{
    return index == 0 || index == 2 ? HPM_MAP_FIXED
           : implemented(index)     ? HPM_MAP_EVENT
                                    : HPM_MAP_ZERO;
}

/* HPM.MAP.1 to .3, .7: counter or shadow number `index`; there is no number 1 (time). */
static void place_counter(const struct pc_hpm_config *c, unsigned index, bool shadow, bool high,
                          struct pc_hpm_place *p)
{
    p->user = shadow;
    p->kind = shadow ? (high ? PC_HPM_REG_SHADOW_HIGH : PC_HPM_REG_SHADOW)
                     : (high ? PC_HPM_REG_COUNTER_HIGH : PC_HPM_REG_COUNTER);
    if (index == 1) {
        p->rule = HPM_MAP_ABSENT;
    } else if (high && c->xlen == 64) {
        p->rule = HPM_MAP_HIGH;
    } else if (shadow && !(index < PC_HPM_FIRST ? c->zicntr : c->zihpm)) {
        p->rule = HPM_MAP_SHADOW;
    } else {
        p->exists = true;
        p->rule = counter_rule(index);
        p->live = index < PC_HPM_FIRST || (implemented(index) && c->perf_counter_en);
    }
}

static void place_enable(bool exists, struct pc_hpm_place *p)
{
    p->kind = PC_HPM_REG_ENABLE;
    p->exists = p->live = exists;
    p->rule = HPM_MAP_ENABLE;
}

static void place_selector(const struct pc_hpm_config *c, unsigned index, struct pc_hpm_place *p)
{
    if (index == 0) {
        p->kind = PC_HPM_REG_INHIBIT;
        p->exists = true;
        p->live = c->perf_counter_en;
        p->rule = HPM_MAP_INHIBIT;
    } else if (index >= PC_HPM_FIRST) {
        p->kind = PC_HPM_REG_SELECTOR;
        p->exists = true;
        p->live = implemented(index) && c->perf_counter_en;
        p->rule = p->live ? HPM_MAP_SELECTOR : implemented(index) ? HPM_MAP_EVENT : HPM_MAP_ZERO;
    }
}

struct pc_hpm_place pc_hpm_place_at(const struct pc_hpm_config *c, unsigned address)
{
    struct pc_hpm_place p = { .index = (uint8_t)(address & 31), .rule = HPM_MAP_ABSENT };

    switch (address & ~31u) {
    case GROUP_COUNTER:
    case GROUP_COUNTER_HIGH:
        place_counter(c, p.index, false, address & 0x80, &p);
        break;
    case GROUP_SHADOW:
    case GROUP_SHADOW_HIGH:
        place_counter(c, p.index, true, address & 0x80, &p);
        break;
    case GROUP_SELECTOR:
        place_selector(c, p.index, &p);
        break;
    case GROUP_MCOUNTEREN:
        if (p.index == INDEX_COUNTEREN)
            place_enable(c->rvu, &p);
        p.index = 3;
        break;
    case GROUP_SCOUNTEREN:
        if (p.index == INDEX_COUNTEREN)
            place_enable(c->rvs, &p);
        p.index = 1;
        break;
    case GROUP_HCOUNTEREN:
        if (p.index == INDEX_COUNTEREN)
            place_enable(c->rvh, &p);
        p.index = 2;
        break;
    default:
        break;
    }
    return p;
}

/* A mode that the core lacks is taken as the next one above it. */
static enum pc_hpm_who who_is(const struct pc_hpm_config *c, struct pc_hpm_mode mode)
{
    const bool v = mode.virtualised && c->rvh;

    if ((mode.debug && c->debug) || mode.privilege >= 3 || !c->rvu)
        return PC_HPM_M; /* HPM.DEBUG.2: debug mode has M's rights */
    if (mode.privilege == 0)
        return v ? PC_HPM_VU : PC_HPM_U;
    return !c->rvs ? PC_HPM_M : v ? PC_HPM_VS : PC_HPM_S;
}

static struct pc_hpm_enables enables(const struct pc_hpm *hpm, unsigned index)
{
    return (struct pc_hpm_enables){ .m = (hpm->s.mcounteren >> index & 1) != 0,
                                    .s = (hpm->s.scounteren >> index & 1) != 0,
                                    .h = (hpm->s.hcounteren >> index & 1) != 0 };
}

/* HPM.GATE.1 to .5 */
static void gate(const struct pc_hpm *hpm, enum pc_hpm_who who, struct pc_hpm_decision *d)
{
    static const uint8_t rule[] = {
        [PC_HPM_M] = HPM_GATE_M,   [PC_HPM_S] = HPM_GATE_S,   [PC_HPM_U] = HPM_GATE_U,
        [PC_HPM_VS] = HPM_GATE_VS, [PC_HPM_VU] = HPM_GATE_VU,
    };

    d->cause = pc_hpm_gate(who, enables(hpm, d->place.index), hpm->config.rvs, hpm->active);
    if (who != PC_HPM_M)
        d->rule = rule[who];
}

/* HPM.STROBE.1: which writes the event counters notice, of those that pass the privilege check. */
static bool strobes(const struct pc_hpm *hpm, const struct pc_hpm_place *p)
{
    if (p->index < PC_HPM_FIRST)
        return false;
    switch (p->kind) {
    case PC_HPM_REG_COUNTER:
        return p->exists;
    case PC_HPM_REG_SELECTOR:
        return p->exists;
    case PC_HPM_REG_COUNTER_HIGH: /* HPM.STROBE.3: and those that trap on RV64 */
        return p->exists || (hpm->active & PC_HPM_Q_TRAP_FREEZES);
    default:
        return false;
    }
}

static bool is_virtual(enum pc_hpm_who who)
{
    return who == PC_HPM_VS || who == PC_HPM_VU;
}

/* In VS or VU, and of the two enables above only hcounteren refuses. */
static bool hypervisor_refuses(const struct pc_hpm *hpm, enum pc_hpm_who who,
                               const struct pc_hpm_place *p)
{
    struct pc_hpm_enables e = enables(hpm, p->index);

    return p->user && is_virtual(who) && e.m && !e.h;
}

/* HPM.GATE.7: time exists nowhere, but where the hypervisor is to emulate it 22 tells it so. */
static enum pc_hpm_cause absent(const struct pc_hpm *hpm, enum pc_hpm_who who, bool write,
                                const struct pc_hpm_place *p)
{
    bool time = p->kind == PC_HPM_REG_SHADOW && p->index == 1;

    return time && !write && hypervisor_refuses(hpm, who, p) ? PC_HPM_VIRTUAL : PC_HPM_ILLEGAL;
}

/* HPM.PRIV.1, .2; and .4: the RTL makes a write of an enable although it raises 22. */
static void refuse(const struct pc_hpm *hpm, enum pc_hpm_who who, unsigned needed, bool write,
                   struct pc_hpm_decision *d)
{
    bool guest = is_virtual(who) && needed < 3u;

    d->cause = guest ? PC_HPM_VIRTUAL : PC_HPM_ILLEGAL;
    d->rule = is_virtual(who) ? HPM_PRIV_VIRTUAL : HPM_PRIV;
    if (guest && write && (hpm->active & PC_HPM_Q_H_TRAP_WRITES) && d->place.exists)
        d->write = true;
}

struct pc_hpm_decision pc_hpm_decide(const struct pc_hpm *hpm, struct pc_hpm_mode mode,
                                     const struct pc_hpm_access *access)
{
    const enum pc_hpm_who who = who_is(&hpm->config, mode);
    const unsigned needed = access->address >> 8 & 3;
    const bool write = access->op != PC_HPM_CSR_READ;
    struct pc_hpm_decision d = { .place = pc_hpm_place_at(&hpm->config, access->address) };

    d.rule = d.place.rule;
    if ((hpm->active & PC_HPM_Q_H_HIGH_VIRTUAL) && hypervisor_refuses(hpm, who, &d.place)) {
        d.cause = PC_HPM_VIRTUAL; /* HPM.GATE.6: the RTL looks at hcounteren before all else */
        d.rule = HPM_GATE_HIGH;
    } else if (needed > pc_hpm_level(who, hpm->config.rvh)) {
        refuse(hpm, who, needed, write, &d);
    } else if (!d.place.exists) {
        d.cause = absent(hpm, who, write, &d.place);
        d.strobe = write && strobes(hpm, &d.place);
    } else if (d.place.user && write) {
        d.cause = PC_HPM_ILLEGAL;
        d.rule = HPM_READ_ONLY;
    } else {
        if (d.place.user)
            gate(hpm, who, &d);
        d.write = write;
        d.strobe = write && strobes(hpm, &d.place);
    }
    return d;
}

/* Returns the value of a counter, 0 if it is not implemented. */
static uint64_t counter_of(const struct pc_hpm *hpm, unsigned index)
{
    return index <= PC_HPM_LAST ? hpm->s.counter[index] : 0;
}

uint64_t pc_hpm_read(const struct pc_hpm *hpm, const struct pc_hpm_place *p)
{
    const unsigned xlen = hpm->config.xlen;

    switch (p->kind) {
    case PC_HPM_REG_COUNTER:
    case PC_HPM_REG_SHADOW:
        return pc_hpm_half(counter_of(hpm, p->index), xlen, false);
    case PC_HPM_REG_SHADOW_HIGH:
        if (p->index == 3 && (hpm->active & PC_HPM_Q_SHADOW3H_ZERO))
            return 0; /* HPM.SHADOW.1 */
        return pc_hpm_half(counter_of(hpm, p->index), xlen, true);
    case PC_HPM_REG_COUNTER_HIGH:
        return pc_hpm_half(counter_of(hpm, p->index), xlen, true);
    case PC_HPM_REG_SELECTOR:
        return p->index <= PC_HPM_LAST ? hpm->s.selector[p->index] : 0;
    case PC_HPM_REG_INHIBIT:
        return hpm->s.inhibit;
    case PC_HPM_REG_ENABLE:
        return p->index == 3   ? hpm->s.mcounteren
               : p->index == 1 ? hpm->s.scounteren
                               : hpm->s.hcounteren;
    }
    return 0;
}
