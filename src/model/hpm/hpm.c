/* SPDX-License-Identifier: MIT */
/*
 * CVA6's CSR counters, one clock at a time (HPM.CYCLE.*, .INSTRET.*, .COUNT.*, .STROBE.*).
 * Everything in a clock sees the state at its start: reads, inhibits, selectors, enables; a
 * write replaces the result of the clock.  How the core arrives at its wires (caches, TLBs,
 * pipeline) is not modelled: they are inputs.
 */
#include "model/hpm/hpm.h"

#include <string.h>

#include "base/error.h"
#include "model/rules/hpm_events.h"

/* Does one clock's counting, before a write. */
struct tick {
    uint32_t port[PC_HPM_MAX_PORTS]; /* events of each port */
    uint32_t others;                 /* events of no port */
    unsigned retired;
};

static enum pc_status check_config(const struct pc_hpm_config *c, struct pc_error *err)
{
    const char *name = c && c->name ? c->name : "(unnamed)";

    if (!c)
        return pc_fail(err, 1001, "no configuration was given");
    if (c->xlen != 32 && c->xlen != 64)
        return pc_fail(err, 1001, "%s: XLEN is %u, not 32 or 64", name, (unsigned)c->xlen);
    if (c->commit_ports < 1 || c->commit_ports > PC_HPM_MAX_PORTS)
        return pc_fail(err, 1001, "%s: %u commit ports; there can be 1 or 2", name,
                       (unsigned)c->commit_ports);
    if (c->dcache_ways < 1 || c->dcache_ways > 32)
        return pc_fail(err, 1001, "%s: %u D-cache ways; there can be 1 to 32", name,
                       (unsigned)c->dcache_ways);
    if (c->rvs && !c->rvu)
        return pc_fail(err, 1001, "%s: S-mode without U-mode", name);
    if (c->rvh && !c->rvs)
        return pc_fail(err, 1001, "%s: H without S-mode", name);
    return PC_OK;
}

/* Quirks that mean something in this configuration. */
static uint32_t meaningful(const struct pc_hpm_config *c)
{
    uint32_t mask = UINT32_MAX;

    if (!c->rvh)
        mask &= ~(uint32_t)(PC_HPM_Q_H_GATE_AND | PC_HPM_Q_H_TRAP_WRITES | PC_HPM_Q_H_HIGH_VIRTUAL);
    if (c->xlen == 32)
        mask &= ~(uint32_t)(PC_HPM_Q_TRAP_FREEZES | PC_HPM_Q_H_HIGH_VIRTUAL);
    return mask;
}

static enum pc_status check_quirks(uint32_t on, struct pc_error *err)
{
    const struct pc_hpm_quirk_info *q;

    for (size_t i = 0; (q = pc_hpm_quirk_at(i)) != NULL; i++)
        on &= ~q->bit;
    return on ? pc_fail(err, 1002, "there are no quirks 0x%x", (unsigned)on) : PC_OK;
}

enum pc_status pc_hpm_create(const struct pc_hpm_desc *desc, struct pc_hpm **out,
                             struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    const struct pc_hpm_profile *profile = desc->profile ? desc->profile : pc_hpm_profile_at(0);
    enum pc_status status = check_config(desc->config, err);

    if (status == PC_OK)
        status = check_quirks(profile->quirks | desc->quirks_on, err);
    if (status != PC_OK)
        return status;
    struct pc_hpm *hpm = (struct pc_hpm *)pc_calloc(&alloc, 1, sizeof *hpm);
    if (!hpm)
        return pc_fail(err, 100, "no memory for the state of the counters");
    hpm->config = *desc->config;
    hpm->quirks = (profile->quirks | desc->quirks_on) & ~desc->quirks_off;
    hpm->active = hpm->quirks & meaningful(&hpm->config);
    hpm->alloc = alloc;
    *out = hpm;
    return PC_OK;
}

void pc_hpm_destroy(struct pc_hpm *hpm)
{
    if (hpm) {
        struct pc_alloc alloc = hpm->alloc;
        pc_free(&alloc, hpm, sizeof *hpm);
    }
}

void pc_hpm_reset(struct pc_hpm *hpm)
{
    memset(&hpm->s, 0, sizeof hpm->s); /* HPM.RESET.1 */
}

const struct pc_hpm_config *pc_hpm_get_config(const struct pc_hpm *hpm)
{
    return &hpm->config;
}

uint32_t pc_hpm_get_quirks(const struct pc_hpm *hpm)
{
    return hpm->quirks;
}

static struct tick look(const struct pc_hpm *hpm, const struct pc_hpm_in *in, bool trapped)
{
    struct tick t = { .retired = 0 };
    uint32_t lines = in->lines | (trapped ? 1u << PC_HPM_EXCEPTION : 0);
    bool full = false;

    for (unsigned p = 0; p < hpm->config.commit_ports; p++) {
        if (p == 0 && trapped)
            continue; /* an access that traps is not acknowledged */
        t.port[p] = pc_hpm_port_events(&in->port[p], hpm->active);
        t.retired += in->port[p].ack;
    }
    for (unsigned i = 0; i < 3; i++)
        full |= pc_hpm_set_is_full(in->way_valid[i], hpm->config.dcache_ways, hpm->active);
    t.others = pc_hpm_line_events(lines, full);
    if (t.others >> 7 & 1)
        t.retired = 0; /* HPM.INSTRET.2 */
    return t;
}

/* Counts in the six event counters (HPM.COUNT.1); `written` is the counter that a strobe
 * addresses. */
static void count_events(struct pc_hpm *hpm, const struct tick *t, uint32_t inhibit, bool strobe,
                         unsigned written, uint64_t times)
{
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++) {
        unsigned n =
            pc_hpm_increment(t->port[0], t->port[1], t->others, hpm->s.selector[c], hpm->active);
        if (!(inhibit >> c & 1) && !pc_hpm_held(strobe, written, c, hpm->active))
            hpm->s.counter[c] += n * times;
    }
}

/* Counts mcycle (HPM.CYCLE.1) and minstret (HPM.INSTRET.1), unless they are inhibited. */
static void count_fixed(struct pc_hpm *hpm, const struct tick *t, uint64_t times)
{
    if (!(hpm->s.inhibit & 1))
        hpm->s.counter[0] += times;
    if (!(hpm->s.inhibit >> 2 & 1))
        hpm->s.counter[2] += t->retired * times;
}

/* Step 3 of a clock: the write; `old` is the state at its start. */
static void write_csr(struct pc_hpm *hpm, const struct pc_hpm_state *old,
                      const struct pc_hpm_place *p, uint64_t value)
{
    const unsigned xlen = hpm->config.xlen;
    const bool high = p->kind == PC_HPM_REG_COUNTER_HIGH;
    uint64_t *counter;

    switch (p->kind) {
    case PC_HPM_REG_COUNTER:
    case PC_HPM_REG_COUNTER_HIGH:
        counter = &hpm->s.counter[p->index];
        if (p->index < PC_HPM_FIRST)
            *counter =
                pc_hpm_written(old->counter[p->index], *counter, value, xlen, high, hpm->active);
        else /* HPM.COUNT.2 */
            *counter = pc_hpm_replace(old->counter[p->index], value, xlen, high);
        break;
    case PC_HPM_REG_SELECTOR: /* HPM.MAP.9 */
        hpm->s.selector[p->index] = value & PC_HPM_SELECTOR_MASK;
        break;
    case PC_HPM_REG_INHIBIT:
        hpm->s.inhibit = value & PC_HPM_INHIBIT_MASK;
        break;
    case PC_HPM_REG_ENABLE:
        *(p->index == 3   ? &hpm->s.mcounteren
          : p->index == 1 ? &hpm->s.scounteren
                          : &hpm->s.hcounteren) = (uint32_t)value;
        break;
    default:
        break;
    }
}

static uint16_t changes(const struct pc_hpm_state *a, const struct pc_hpm_state *b)
{
    unsigned changed = 0;

    for (unsigned i = 0; i <= PC_HPM_LAST; i++)
        changed |= (unsigned)(a->counter[i] != b->counter[i]) << i;
    return (uint16_t)changed;
}

void pc_hpm_step(struct pc_hpm *hpm, const struct pc_hpm_in *in, struct pc_hpm_out *out)
{
    const struct pc_hpm_state old = hpm->s;
    struct pc_hpm_decision d = { .cause = PC_HPM_NO_TRAP };
    uint64_t rdata = 0, before = 0;

    if (in->csr.op != PC_HPM_CSR_NONE) {
        d = pc_hpm_decide(hpm, in->mode, &in->csr);
        if (d.place.exists)
            before = pc_hpm_read(hpm, &d.place);
        if (d.cause == PC_HPM_NO_TRAP)
            rdata = before;
    }
    const struct tick t = look(hpm, in, d.cause != PC_HPM_NO_TRAP);
    if (!pc_hpm_stopped(hpm, in->mode.debug)) {
        count_fixed(hpm, &t, 1);
        if (hpm->config.perf_counter_en)
            count_events(hpm, &t, old.inhibit, d.strobe, pc_hpm_addressed(&d.place), 1);
    }
    if (d.write && d.place.live) {
        uint64_t xmask = hpm->config.xlen == 64 ? UINT64_MAX : UINT32_MAX;
        write_csr(hpm, &old, &d.place,
                  pc_hpm_operate(in->csr.op, before, in->csr.operand & xmask) & xmask);
    }
    out->rdata = rdata;
    out->cause = (uint8_t)d.cause;
    out->changed = changes(&old, &hpm->s);
    out->events = t.port[0] | t.port[1] | t.others;
}

/* The registers of perf_counters alone: event counters, their selectors and shadows. */
static bool in_module(const struct pc_hpm_place *p)
{
    return p->exists && p->live && p->index >= PC_HPM_FIRST && p->kind != PC_HPM_REG_ENABLE;
}

/* HPM.STROBE.3: on XLEN 64 a strobe of b83..b9f comes from an instruction that traps. */
static bool held_by(const struct pc_hpm *hpm, const struct pc_hpm_strobe *strobe,
                    const struct pc_hpm_place *p)
{
    return strobe->write && (!pc_hpm_strobe_traps(p) || (hpm->active & PC_HPM_Q_TRAP_FREEZES) != 0);
}

void pc_hpm_step_module(struct pc_hpm *hpm, const struct pc_hpm_in *in,
                        const struct pc_hpm_strobe *strobe, struct pc_hpm_out *out)
{
    const struct pc_hpm_state old = hpm->s;
    const struct pc_hpm_place p = pc_hpm_place_at(&hpm->config, strobe->address);
    const struct tick t = look(hpm, in, false);

    out->rdata = in_module(&p) ? pc_hpm_read(hpm, &p) : 0;
    out->cause = PC_HPM_NO_TRAP;
    if (!pc_hpm_stopped(hpm, in->mode.debug) && hpm->config.perf_counter_en)
        count_events(hpm, &t, strobe->inhibit, held_by(hpm, strobe, &p), pc_hpm_addressed(&p), 1);
    if (strobe->write && in_module(&p) && !p.user)
        write_csr(hpm, &old, &p, strobe->wdata);
    out->changed = changes(&old, &hpm->s);
    out->events = t.port[0] | t.port[1] | t.others;
}

enum pc_hpm_cause pc_hpm_csr(struct pc_hpm *hpm, struct pc_hpm_mode mode,
                             const struct pc_hpm_access *access, uint64_t *rdata)
{
    struct pc_hpm_in in = { .mode = mode, .csr = *access };
    struct pc_hpm_out out;

    in.port[0] = (struct pc_hpm_port){ .ack = true, .fu = PC_HPM_FU_CSR, .op = PC_HPM_OP_OTHER };
    pc_hpm_step(hpm, &in, &out);
    if (rdata)
        *rdata = out.rdata;
    return (enum pc_hpm_cause)out.cause;
}

enum pc_hpm_cause pc_hpm_read_at(const struct pc_hpm *hpm, struct pc_hpm_mode mode,
                                 unsigned address, uint64_t *rdata)
{
    const struct pc_hpm_access access = { .op = PC_HPM_CSR_READ,
                                          .address = (uint16_t)(address & 0xfff) };
    const struct pc_hpm_decision d = pc_hpm_decide(hpm, mode, &access);

    if (rdata)
        *rdata = d.cause == PC_HPM_NO_TRAP ? pc_hpm_read(hpm, &d.place) : 0;
    return d.cause;
}

enum pc_status pc_hpm_retire(struct pc_hpm *hpm, struct pc_hpm_mode mode, const uint32_t *insn,
                             unsigned count, uint32_t lines, struct pc_error *err)
{
    struct pc_hpm_in in = { .mode = mode, .lines = lines };
    struct pc_hpm_out out;

    if (count > hpm->config.commit_ports)
        return pc_fail(err, 1006, "%u instructions in one clock; %s retires at most %u", count,
                       hpm->config.name ? hpm->config.name : "the core",
                       (unsigned)hpm->config.commit_ports);
    for (unsigned i = 0; i < count; i++)
        pc_hpm_classify(&hpm->config, insn[i], &in.port[i]);
    for (unsigned i = 0; i < count; i++)
        in.port[i].ack = true; /* what retires retires, known or not */
    pc_hpm_step(hpm, &in, &out);
    return PC_OK;
}

void pc_hpm_advance(struct pc_hpm *hpm, const struct pc_hpm_in *in, uint64_t cycles)
{
    static const struct pc_hpm_in nothing = { .lines = 0 };
    const struct tick t = look(hpm, in ? in : &nothing, false);

    if (pc_hpm_stopped(hpm, in && in->mode.debug))
        return;
    count_fixed(hpm, &t, cycles);
    if (hpm->config.perf_counter_en)
        count_events(hpm, &t, hpm->s.inhibit, false, 0, cycles);
}
