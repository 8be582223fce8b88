/* SPDX-License-Identifier: MIT */
/*
 * Registers of a live unit.  An address is decoded once and kept; what is stored, and counters,
 * are then a few operations away.  All else is the model's (src/model/unit/mmio.c), with the state
 * brought back first where it shows.
 */
#include "model/engine/live.h"
#include "model/regs/regs.h"

/* Registers are words. */
#define NO_ADDRESS UINT32_MAX

/* Finds what a read of a counter's register shows. */
static enum live_read find_read(struct live_register *r, struct pc_domain *d, enum pc_reg_id id)
{
    struct pc_counters *c = &d->visible;

    switch (id) {
    case PC_R_CTR_CYCLES_HI:
    case PC_R_CTR_CYCLES_ALT_HI:
        r->counter = &c->cycles;
        return LIVE_READ_HIGH;
    case PC_R_CTR_EVENT_HI:
        r->counter = &c->event;
        return LIVE_READ_HIGH;
    case PC_R_CTR_START_HI:
        r->counter = &c->start;
        return LIVE_READ_HIGH;
    case PC_R_CTR_CYCLES:
    case PC_R_CTR_CYCLES_ALT:
        r->counter = &c->cycles;
        break;
    case PC_R_CTR_EVENT:
        r->counter = &c->event;
        break;
    case PC_R_CTR_START:
        r->counter = &c->start;
        break;
    case PC_R_CTR_PRE:
        r->counter = &c->pre;
        r->stored = &d->pre_init; /* the hidden initial value (D-46) */
        break;
    case PC_R_CTR_STOP:
        r->counter = &c->stop;
        r->stored = &d->stop_init;
        break;
    default:
        return LIVE_READ_SLOW;
    }
    return LIVE_READ_COUNTER;
}

/* Registers that say nothing of the last cycle: the model may read them at any time. */
static bool timeless(enum pc_reg_id id)
{
    return id == PC_R_CTRL_NV10 || id == PC_R_CTRL_NV40 || id == PC_R_CTRL_GF100 ||
           id == PC_R_SPEC_SRC || id == PC_R_THRESHOLD || id == PC_R_THRESHOLD_HI ||
           id == PC_R_RECORD_STATUS || id == PC_R_RECORD_START || id == PC_R_RECORD_LIMIT;
}

static void decode_read(struct live_register *r, struct pc_domain *d, const struct pc_reg_hit *hit,
                        enum pc_input input)
{
    enum live_read read = LIVE_READ_STORED;

    if (input == PC_INPUTS)
        read = find_read(r, d, hit->id);
    if (hit->readable && read != LIVE_READ_SLOW)
        r->read = (uint8_t)read;
    else if (timeless(hit->id))
        r->read = LIVE_READ_NOW;
    if (r->read == LIVE_READ_COUNTER)
        r->often_read = r->address;
}

/* Returns true if the register selects signals. Each write of it is looked at for some that are not
 * there. */
static bool selects(const struct pc_unit *u, const struct live_register *r)
{
    const uint32_t *src = u->state.domain[r->domain].src;

    return r->stored >= src && r->stored < src + PC_INPUTS;
}

static void decode_register(const struct pc_live *live, uint32_t address, struct live_register *r)
{
    struct pc_unit *u = live->unit;
    struct pc_reg_hit hit;
    bool is_op;

    *r = (struct live_register){ .address = address, .often_read = NO_ADDRESS };
    if (!pc_regs_hit(u->chip, address, &hit) || hit.set != (uint8_t)u->set ||
        hit.unit != u->index || hit.domain >= u->chip->domains)
        return;
    struct pc_domain *d = &u->state.domain[hit.domain];
    enum pc_input input = pc_register_input(hit.id, &is_op);
    r->domain = hit.domain;
    if (input != PC_INPUTS)
        r->stored = is_op ? &d->op[input] : &d->src[input];
    decode_read(r, d, &hit, input);
    if (!hit.writable || !r->stored || (hit.effect != PC_FX_NONE && hit.effect != PC_FX_ABORTS))
        return;
    r->write = hit.effect == PC_FX_ABORTS ? LIVE_WRITE_ABORTS
               : input != PC_INPUTS       ? LIVE_WRITE_CONFIG
                                          : LIVE_WRITE_STORED;
    r->mask = r->counter ? UINT32_MAX : hit.rw_mask;
    if (r->write == LIVE_WRITE_ABORTS && !selects(u, r))
        r->aborts = (uint8_t)(1u << hit.domain);
}

static inline struct live_register *slot_of(struct pc_live *live, uint32_t address)
{
    return &live->reg[address / 4 % LIVE_REGISTERS];
}

static struct live_register *decoded(struct pc_live *live, uint32_t address)
{
    struct live_register *r = slot_of(live, address);

    if (r->address != address)
        decode_register(live, address, r);
    return r;
}

/* Apart, so that the other way needs no registers saved. */
static __attribute__((noinline)) void write_slow(struct pc_live *live, uint32_t address,
                                                 uint32_t value)
{
    const struct live_register *r = decoded(live, address);

    if (r->write == LIVE_WRITE_SLOW) {
        live_disturb(live);
        pc_unit_write(live->unit, address, value);
        return;
    }
    if (r->write != LIVE_WRITE_STORED && (live->quick || live->calm > 0))
        live_disturb(live);
    if (r->write == LIVE_WRITE_ABORTS) {
        pc_config_written(&live->unit->state.domain[r->domain]);
        live->aborted |= r->aborts;
    }
    *r->stored = value & r->mask;
    if (selects(live->unit, r))
        pc_selected(live->unit, r->domain, *r->stored, 4);
}

void pc_live_write(struct pc_live *live, uint32_t address, uint32_t value)
{
    const struct live_register *r = slot_of(live, address);

    if (r->address != address || !(r->aborts & live->aborted)) {
        write_slow(live, address, value);
        return;
    }
    *r->stored = value & r->mask;
}

/* Reads with the state of the last cycle; quick again after it. */
static uint32_t read_model(struct pc_live *live, uint32_t address)
{
    bool quick = live->quick;

    live_leave(live);
    uint32_t value = pc_unit_read(live->unit, address);
    if (quick)
        (void)live_enter(live);
    return value;
}

static __attribute__((noinline)) uint32_t read_slow(struct pc_live *live, uint32_t address)
{
    const struct live_register *r = decoded(live, address);

    if (live->moving && live->of[r->domain] && live->of[r->domain]->mode == PC_MODE_SINGLE)
        live_settle(live->unit, live->of[r->domain]);
    switch ((enum live_read)r->read) {
    case LIVE_READ_STORED:
        return *r->stored;
    case LIVE_READ_COUNTER:
        return (uint32_t)*r->counter;
    case LIVE_READ_HIGH:
        return (uint32_t)(*r->counter >> 32) & 0xff;
    case LIVE_READ_NOW:
        return pc_unit_read(live->unit, address);
    case LIVE_READ_SLOW:
        break;
    }
    return read_model(live, address);
}

uint32_t pc_live_read(struct pc_live *live, uint32_t address)
{
    const struct live_register *r = slot_of(live, address);

    if (r->often_read != address || live->moving)
        return read_slow(live, address);
    return (uint32_t)*r->counter;
}
