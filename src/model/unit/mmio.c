/* SPDX-License-Identifier: MIT */
/*
 * Register access of a PCOUNTER unit (clauses PC.REG.*, PC.CTRL.*; D-17a, D-18, D-44, D-45, D-60).
 * Storage is changed at once under the masks of src/regs; effects are collected in pc_pending in
 * the order of the writes, and happen in the domain's next cycle (effects.c).
 */
#include "model/unit/state.h"

#include "model/regs/regs.h"
#include "model/rules/counter.h"

#define LOW32(x) ((uint32_t)(x))
#define HIGH8(x) ((uint32_t)((x) >> 32) & 0xff)

/* ---- CTRL ---- */

/* Values that are not defined are reported (PC.DIAG.2). */
static uint8_t mode_of(const struct pc_unit *u, struct pc_domain *d, unsigned field)
{
    switch (field) {
    case 0:
        return PC_MODE_SINGLE;
    case 1:
        return PC_MODE_QUAD;
    case 2:
        if (pc_has(u, PC_F_RECORD))
            return PC_MODE_RECORD;
        break;
    default:
        break;
    }
    d->diagnostics |= PC_DIAG_MODE; /* D-41 */
    return u->options.reserved_mode_quad && (field & 1) ? PC_MODE_QUAD : PC_MODE_NONE;
}

/* A CTRL for each domain (PC.CTRL.4), whose CTR_MODE 5 to 7 count as SIMPLE (PC.MODE.7). */
static void control_nv40(const struct pc_unit *u, struct pc_domain *d)
{
    struct pc_control *c = &d->control;
    unsigned ctr_mode = PC_GET(d->ctrl, CTRL_NV40, CTR_MODE);

    c->mode = mode_of(u, d, PC_GET(d->ctrl, CTRL_NV40, MODE));
    if (ctr_mode > PC_CTR_EXTRA_B6_EVENT_B2) { /* D-40 */
        d->diagnostics |= PC_DIAG_CTR_MODE;
        ctr_mode = u->options.reserved_ctr_none ? PC_CTR_NONE : PC_CTR_SIMPLE;
    }
    c->ctr_mode = (uint8_t)ctr_mode;
    c->period_all = PC_GET(d->ctrl, CTRL_NV40, EVENT_CTR_PERIOD);
    c->event_pulse = PC_GET(d->ctrl, CTRL_NV40, EVENT_IMPORT_MODE);
    c->flag_pulse = PC_GET(d->ctrl, CTRL_NV40, FLAG_IMPORT_MODE);
    c->record_short = PC_GET(d->ctrl, CTRL_NV40, RECORD_FORMAT);
    c->periodic = (uint8_t)PC_GET(d->ctrl, CTRL_NV40, PERIODIC_PERIOD);
}

/* One register for both domains (PC.CTRL.2); bits that the chip lacks are never stored. */
static void control_nv10(const struct pc_unit *u, unsigned domain, struct pc_domain *d)
{
    struct pc_control *c = &d->control;
    uint32_t ctrl = u->state.ctrl_nv10;

    c->ctr_mode = (uint8_t)PC_GET(ctrl, CTRL_NV10, CTR_MODE); /* affects both domains */
    c->period_all = domain == 0 ? PC_GET(ctrl, CTRL_NV10, DOM0_EVENT_CTR_PERIOD)
                                : PC_GET(ctrl, CTRL_NV10, DOM1_EVENT_CTR_PERIOD);
    c->mode = domain == 0 ? PC_GET(ctrl, CTRL_NV10, DOM0_MODE) : PC_GET(ctrl, CTRL_NV10, DOM1_MODE);
}

/* Decodes CTRL and notes which modes were entered and left. */
static void control_written(struct pc_unit *u, unsigned domain)
{
    struct pc_domain *d = &u->state.domain[domain];
    uint8_t before = d->control.mode;

    if (u->chip->layout == PC_LAYOUT_NV10)
        control_nv10(u, domain, d);
    else if (u->chip->layout == PC_LAYOUT_NV40)
        control_nv40(u, d);
    else
        pc_gf100_control(u, d);
    if (d->control.mode == before)
        return;
    if (d->control.mode == PC_MODE_RECORD)
        d->pending.record_entry = true;
    if (d->control.mode == PC_MODE_QUAD)
        d->pending.quad_entry = true;
    if (before == PC_MODE_QUAD)
        d->pending.quad_exit = true;
}

void pc_control_update(struct pc_unit *u)
{
    for (unsigned x = 0; x < u->chip->domains; x++)
        control_written(u, x);
}

/* ---- effects of writes ---- */

/*
 * PRE_OP starts only what is INACTIVE (PC.SINGLE.14, D-44); in quad mode it swaps, once a gap, on
 * G84:GF100 (PC.QUAD.5, PC.QUAD.6, PC.QUAD.7, D-54); in record mode it does nothing (PC.REC.24).
 * On GF100+ SINGLE_BEGIN_TRIGGER starts (PC.GF.23, PC.GF.28), and PRE_OP does nothing.
 * The mode is the one in which it is written; that of the next cycle decides its effect
 * (U-008, U-019).
 */
static void pre_op_written(const struct pc_unit *u, struct pc_domain *d)
{
    bool inactive = d->single_state == PC_INACTIVE || d->pending.abort;

    if (d->control.mode == PC_MODE_SINGLE && inactive)
        d->pending.start = true;
    if (d->control.mode == PC_MODE_QUAD && pc_has(u, PC_F_PREOP_SWAP))
        d->pending.swap = true;
}

/* Two acks in one gap count twice (PC.QUAD.11). */
static void acked(struct pc_unit *u, unsigned domain)
{
    struct pc_domain *d = &u->state.domain[domain];

    if (domain < u->chip->domains && d->pending.acks < 2)
        d->pending.acks++;
}

/* USER_0 and USER_1 from the next cycle on (PC.USER.1). */
static void user_trigger_written(struct pc_domain *d, uint32_t value)
{
    d->user[0] = PC_GET(value, USER_TRIGGER, USER_0);
    d->user[1] = PC_GET(value, USER_TRIGGER, USER_1);
    d->user_pulse[0] = PC_GET(value, USER_TRIGGER, USER_0_PULSE);
    d->user_pulse[1] = PC_GET(value, USER_TRIGGER, USER_1_PULSE);
}

/* The buffer is valid from its begin on (PC.REC.10); in record mode the counters are cleared
 * (PC.REC.11). */
static void record_start_written(struct pc_domain *d)
{
    d->pending.record_start = true;
    d->pending.record_start_clear |= d->control.mode == PC_MODE_RECORD;
}

/* ---- writes ---- */

static void ctrl_gf100_written(struct pc_unit *u, unsigned domain, uint32_t value, uint32_t mask)
{
    struct pc_domain *d = &u->state.domain[domain];

    d->ctrl = value & mask;
    d->pending.periodic_restart = true;
    control_written(u, domain);
}

static void ctrl_nv40_written(struct pc_unit *u, unsigned domain, uint32_t value, uint32_t mask)
{
    struct pc_domain *d = &u->state.domain[domain];

    d->ctrl = value & mask;
    d->pending.periodic_restart = true;
    if (pc_has(u, PC_F_RECORD) && PC_GET(value, CTRL_NV40, FAULT_CLEAR))
        d->pending.fault_clear = true;
    control_written(u, domain);
}

/*
 * Registers that belong to no domain: CTRL of nv10 (PC.SINGLE.17), the shared ack (PC.QUAD.10), and
 * what binds the buffers of all domains (PC.REC.9, PC.REC.26).
 */
static void write_shared(struct pc_unit *u, const struct pc_reg_hit *hit, uint32_t value)
{
    struct pc_state *s = &u->state;

    switch (hit->id) {
    case PC_R_CTRL_NV10:
        s->ctrl_nv10 = value & hit->rw_mask;
        for (unsigned x = 0; x < u->chip->domains; x++)
            pc_config_written(&s->domain[x]);
        pc_control_update(u);
        break;
    case PC_R_QUAD_ACK_TRIGGER_NV30: /* D-02 */
        if (PC_GET(value, QUAD_ACK_TRIGGER_NV30, DOM0))
            acked(u, 0);
        if (PC_GET(value, QUAD_ACK_TRIGGER_NV30, DOM1))
            acked(u, 1);
        break;
    case PC_R_RECORD_CHAN: /* D-71 */
        s->record_chan = value & hit->rw_mask;
        if (PC_GET(value, RECORD_CHAN, VALID))
            s->bound = s->has_dma; /* there is nothing to bind before it was written */
        break;
    case PC_R_RECORD_DMA:
        s->record_dma = value & hit->rw_mask;
        s->has_dma = true;
        break;
    case PC_R_GCTRL:
    case PC_R_DSET_CTRL: /* RECORD_RESET and PERIODIC_RESET are the same bits: PC.GF.16 */
        s->gctrl = value & hit->rw_mask;
        break;
    case PC_R_DSET_VSTATUS_0:
        s->dset_vstatus = value & hit->rw_mask;
        break;
    case PC_R_DSET_SLCG:
        s->dset_slcg = value & hit->rw_mask;
        break;
    default:
        break;
    }
}

static bool is_shared(enum pc_reg_id id)
{
    return id == PC_R_CTRL_NV10 || id == PC_R_QUAD_ACK_TRIGGER_NV30 || id == PC_R_RECORD_CHAN ||
           id == PC_R_RECORD_DMA || id == PC_R_GCTRL || id == PC_R_DSET_CTRL ||
           id == PC_R_DSET_VSTATUS_0 || id == PC_R_DSET_VSTATUS_1 || id == PC_R_DSET_SLCG;
}

enum pc_input pc_register_input(enum pc_reg_id id, bool *is_op)
{
    static const struct {
        enum pc_reg_id src, op, op_gf100;
    } row[PC_INPUTS] = {
        [PC_IN_PRE] = { PC_R_PRE_SRC, PC_R_PRE_OP, PC_R_PRE_OP_GF100 },
        [PC_IN_START] = { PC_R_START_SRC, PC_R_START_OP, PC_R_START_OP_GF100 },
        [PC_IN_EVENT] = { PC_R_EVENT_SRC, PC_R_EVENT_OP, PC_R_EVENT_OP },
        [PC_IN_STOP] = { PC_R_STOP_SRC, PC_R_STOP_OP, PC_R_STOP_OP },
        [PC_IN_SETFLAG] = { PC_R_SETFLAG_SRC, PC_R_SETFLAG_OP, PC_R_SETFLAG_OP_GF100 },
        [PC_IN_CLRFLAG] = { PC_R_CLRFLAG_SRC, PC_R_CLRFLAG_OP, PC_R_CLRFLAG_OP_GF100 },
    };

    for (unsigned n = 0; n < PC_INPUTS; n++) {
        if (row[n].src == id || row[n].op == id || row[n].op_gf100 == id) {
            *is_op = row[n].src != id;
            return (enum pc_input)n;
        }
    }
    return PC_INPUTS;
}

/* D-30: what is not there reads 0.  The first such signal is kept for those who ask (PC.DIAG.6). */
void pc_selected(struct pc_unit *u, unsigned domain, uint32_t numbers, unsigned count)
{
    struct pc_domain *d = &u->state.domain[domain];
    const uint64_t *none = u->slots[domain].none;

    for (unsigned i = 0; i < count; i++) {
        unsigned signal = numbers >> (8 * i) & 0xff;
        if (!(none[signal / 64] >> (signal % 64) & 1))
            continue;
        if (!(d->diagnostics & PC_DIAG_NO_SIGNAL))
            d->no_signal = (uint8_t)signal;
        d->diagnostics |= PC_DIAG_NO_SIGNAL;
    }
}

/* CTR_PRE and CTR_STOP write their initial values (PC.CTR.6).  Which writes end single mode is in
 * the register's row (PC.SINGLE.16); none restarts PERIODIC (PC.PERIODIC.5). */
static void write_domain(struct pc_unit *u, const struct pc_reg_hit *hit, uint32_t value)
{
    struct pc_domain *d = &u->state.domain[hit->domain];
    uint32_t kept = value & hit->rw_mask;
    bool is_op = false;
    enum pc_input input = pc_register_input(hit->id, &is_op);

    if (input != PC_INPUTS) {
        *(is_op ? &d->op[input] : &d->src[input]) = kept;
        if (!is_op)
            pc_selected(u, hit->domain, kept, 4);
        return;
    }
    switch (hit->id) {
    case PC_R_SPEC_SRC:
        d->spec_src = kept;
        pc_selected(u, hit->domain, kept, 2);
        break;
    case PC_R_CTR_PRE: /* the hidden initial value; the current one stays (D-46, D-57) */
        d->pre_init = value;
        break;
    case PC_R_CTR_STOP:
        d->stop_init = value;
        break;
    case PC_R_THRESHOLD:
        d->threshold = (d->threshold & ~PC_CTR32_MAX) | kept;
        break;
    case PC_R_THRESHOLD_HI:
        d->threshold = (d->threshold & PC_CTR32_MAX) | (uint64_t)kept << 32;
        break;
    case PC_R_RECORD_ADDRESS_HIGH:
        d->record_high = kept;
        break;
    case PC_R_RECORD_LIMIT:
        d->record_limit = kept;
        break;
    case PC_R_RECORD_START:
        d->record_start = kept;
        record_start_written(d);
        break;
    case PC_R_USER_TRIGGER:
        user_trigger_written(d, value);
        break;
    case PC_R_QUAD_ACK_TRIGGER_NV40:
        if (PC_GET(value, QUAD_ACK_TRIGGER_NV40, ACK))
            acked(u, hit->domain);
        break;
    case PC_R_CTRL_NV40:
        ctrl_nv40_written(u, hit->domain, value, hit->rw_mask);
        break;
    case PC_R_CTRL_GF100:
        ctrl_gf100_written(u, hit->domain, value, hit->rw_mask);
        break;
    default:
        pc_gf100_write(u, hit->id, d, kept);
        break;
    }
}

/* Returns true for a register of this unit; on GF100+ other units and MAIN answer elsewhere. */
static bool hits(const struct pc_unit *u, uint32_t address, struct pc_reg_hit *hit)
{
    return pc_regs_hit(u->chip, address, hit) && hit->set == (uint8_t)u->set &&
           hit->unit == u->index;
}

/* Returns true if a write of it ends a single mode process. D-45, D-45a, D-62. */
static bool aborts(const struct pc_unit *u, enum pc_effect effect)
{
    switch (effect) {
    case PC_FX_ABORTS:
    case PC_FX_CTRL:
        return true;
    case PC_FX_CTR_ABORTS:
        return !u->options.ctr_write_writable;
    case PC_FX_SINGLE_ABORT:
        return true;
    default:
        return false;
    }
}

/*
 * Stored at once (PC.REG.8); a register that is not there, or only shows something, keeps nothing
 * (PC.REG.5, PC.REG.12), and the former is reported (PC.DIAG.4, PC.DIAG.7).  What a write does on
 * GF100+ is in the rows of its registers (PC.GF.24, PC.GF.25, PC.GF.26, PC.GF.27).
 */
void pc_unit_write(struct pc_unit *u, uint32_t address, uint32_t value)
{
    struct pc_reg_hit hit;

    if (!hits(u, address, &hit)) {
        u->state.domain[0].diagnostics |= PC_DIAG_UNDECODED;
        return;
    }
    if (!hit.writable && hit.effect != PC_FX_CTR_ABORTS)
        return;
    if (is_shared(hit.id)) {
        pc_awake(u);
        write_shared(u, &hit, value);
        return;
    }
    if (hit.domain >= u->chip->domains) { /* D-60 */
        u->state.domain[0].diagnostics |= value ? PC_DIAG_NO_DOMAIN : 0;
        return;
    }

    struct pc_domain *d = &u->state.domain[hit.domain];
    u->dormant &= ~(UINT32_C(1) << hit.domain);
    if (aborts(u, hit.effect))
        pc_config_written(d);
    if (!hit.writable)
        return;
    write_domain(u, &hit, value);
    if (hit.effect == PC_FX_PRE_OP || hit.effect == PC_FX_SINGLE_BEGIN)
        pre_op_written(u, d);
}

/* ---- reads ---- */

/* With the states of both machines: PC.CTRL.5, PC.CTRL.6. */
static uint32_t read_ctrl_nv10(const struct pc_unit *u)
{
    const struct pc_domain *d = u->state.domain;
    uint32_t v = u->state.ctrl_nv10;

    v = PC_PUT(v, CTRL_NV10, DOM0_SINGLE_STATE, d[0].single_state);
    v = PC_PUT(v, CTRL_NV10, DOM0_QUAD_STATE, d[0].quad_state);
    if (u->chip->domains > 1) {
        v = PC_PUT(v, CTRL_NV10, DOM1_SINGLE_STATE, d[1].single_state);
        v = PC_PUT(v, CTRL_NV10, DOM1_QUAD_STATE, d[1].quad_state);
    }
    return v;
}

static uint32_t read_shared(const struct pc_unit *u, enum pc_reg_id id)
{
    switch (id) {
    case PC_R_CTRL_NV10:
        return read_ctrl_nv10(u);
    case PC_R_RECORD_CHAN:
        return u->state.record_chan;
    case PC_R_RECORD_DMA:
        return u->state.record_dma;
    case PC_R_GCTRL:
    case PC_R_DSET_CTRL:
        return u->state.gctrl;
    case PC_R_DSET_VSTATUS_0:
    case PC_R_DSET_VSTATUS_1:
    case PC_R_DSET_SLCG:
        return pc_gf100_read_set(u, id);
    default:
        return 0;
    }
}

/* CTR_CYCLES_ALT is CTR_CYCLES (PC.CTR.1). */
static uint32_t read_counter(const struct pc_domain *d, enum pc_reg_id id)
{
    const struct pc_counters *c = &d->visible;

    switch (id) {
    case PC_R_CTR_CYCLES:
    case PC_R_CTR_CYCLES_ALT: /* an exact copy: D-42, U-003 */
        return LOW32(c->cycles);
    case PC_R_CTR_CYCLES_HI:
    case PC_R_CTR_CYCLES_ALT_HI:
        return HIGH8(c->cycles);
    case PC_R_CTR_EVENT:
        return LOW32(c->event);
    case PC_R_CTR_EVENT_HI:
        return HIGH8(c->event);
    case PC_R_CTR_START:
        return LOW32(c->start);
    case PC_R_CTR_START_HI:
        return HIGH8(c->start);
    case PC_R_CTR_PRE:
        return LOW32(c->pre);
    case PC_R_CTR_STOP:
        return LOW32(c->stop);
    default:
        return 0;
    }
}

/* SIG_STATUS shows the last cycle's signals (PC.SIG.2, PC.SIG.4), RECORD_STATUS the next packet's
 * address (PC.REC.17). */
static uint32_t read_domain(const struct pc_unit *u, const struct pc_domain *d,
                            const struct pc_reg_hit *hit)
{
    uint32_t value;
    bool is_op = false;
    enum pc_input input = pc_register_input(hit->id, &is_op);

    if (input != PC_INPUTS)
        return is_op ? d->op[input] : d->src[input];
    switch (hit->id) {
    case PC_R_SRC_STATUS:
        return pc_has(u, PC_F_GF100) ? pc_gf100_src_status(d) : d->in.src;
    case PC_R_SIG_STATUS: /* the vector of the last completed cycle: D-61 */
        return LOW32(d->vector[hit->index / 2] >> (hit->index % 2 * 32));
    case PC_R_SPEC_SRC:
        return d->spec_src;
    case PC_R_THRESHOLD:
        return LOW32(d->threshold);
    case PC_R_THRESHOLD_HI:
        return HIGH8(d->threshold);
    case PC_R_RECORD_ADDRESS_HIGH:
        return d->record_high;
    case PC_R_RECORD_LIMIT:
        return d->record_limit;
    case PC_R_RECORD_START:
        return d->record_start;
    case PC_R_RECORD_STATUS:
        return PC_PUT(d->record.position, RECORD_STATUS, FAULT, d->record.fault);
    case PC_R_CTRL_NV40:
        return PC_PUT(PC_PUT(d->ctrl, CTRL_NV40, QUAD_STATE, d->quad_state), CTRL_NV40,
                      SINGLE_STATE, d->single_state);
    default:
        return pc_gf100_read(u, hit->id, d, &value) ? value : read_counter(d, hit->id);
    }
}

/* A read has no effect (PC.REG.10); of what is write-only it is 0 (PC.USER.3). */
uint32_t pc_unit_read(const struct pc_unit *u, uint32_t address)
{
    struct pc_reg_hit hit;

    if (!hits(u, address, &hit) || !hit.readable)
        return 0; /* D-51 */
    if (is_shared(hit.id))
        return read_shared(u, hit.id);
    if (hit.domain >= u->chip->domains)
        return 0; /* D-60 */
    return read_domain(u, &u->state.domain[hit.domain], &hit);
}
