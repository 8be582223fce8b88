/* SPDX-License-Identifier: MIT */
/*
 * Differences of a unit of GF100+ to earlier ones (layout gf100 of
 * docs/generated/registers.md): CTRL, the running counters as registers (*_NEXT), STATE, VSTATUS,
 * four readable USER signals, and registers that are only stored (D-12, D-50, D-51, D-52, D-62,
 * D-63, D-64, D-75).
 *
 * Not modelled: what FILTER filters, when a domain is PAUSED (the signal is 0), MODE 3 and
 * 4 (stored).  VSTATUS is our reading (U-014), and so is what single mode does while MODE is
 * another (U-017).
 */
#include "model/unit/state.h"

/* VSTATUS.STATUS */
enum { IDLE = 0, BUSY = 1, WAITING = 3, FAULTED = 6, HALTED = 7 };

/* HALTED (PC.GF.22), and modes that are stored and count nothing (PC.GF.36); single mode waits in
 * its state meanwhile (PC.GF.47). */
static uint8_t mode_of_gf100(const struct pc_unit *u, struct pc_domain *d, unsigned field)
{
    switch (field) {
    case 0: /* HALTED */
    case 7:
        return PC_MODE_NONE;
    case 1:
        return PC_MODE_SINGLE;
    case 2:
        return PC_MODE_QUAD;
    case 5: /* as documented for GK20A, unverified on Fermi (D-75) */
        if (!u->options.stream_stored)
            return PC_MODE_STREAM;
        break;
    default:
        break;
    }
    d->diagnostics |= PC_DIAG_MODE;
    return PC_MODE_NONE;
}

/* Before GK104, 5 to 7 count as SIMPLE (PC.GF.35). */
static uint8_t ctr_mode_of(const struct pc_unit *u, struct pc_domain *d, unsigned field)
{
    bool on =
        u->options.ctr_modes_5_to_7 == 1 || (u->options.ctr_modes_5_to_7 == 0 && u->traced_modes);

    if (field <= PC_CTR_EXTRA_B6_EVENT_B2)
        return (uint8_t)field;
    if (on) /* D-64 */
        return (uint8_t)(PC_CTR_KEPLER_5 + (field - 5));
    d->diagnostics |= PC_DIAG_CTR_MODE;
    return u->options.reserved_ctr_none ? PC_CTR_NONE : PC_CTR_SIMPLE;
}

/* Where the fields of CTRL are: import modes PC.GF.15, those of quad mode PC.GF.29. */
void pc_gf100_control(const struct pc_unit *u, struct pc_domain *d)
{
    struct pc_control *c = &d->control;

    c->mode = mode_of_gf100(u, d, PC_GET(d->ctrl, CTRL_GF100, MODE));
    c->ctr_mode = ctr_mode_of(u, d, PC_GET(d->ctrl, CTRL_GF100, CTR_MODE));
    c->period_all = PC_GET(d->ctrl, CTRL_GF100, EVENT_CTR_PERIOD);
    c->event_pulse = PC_GET(d->ctrl, CTRL_GF100, EVENT_IMPORT_MODE);
    c->flag_pulse = PC_GET(d->ctrl, CTRL_GF100, FLAG_IMPORT_MODE);
    c->periodic = (uint8_t)PC_GET(d->ctrl, CTRL_GF100, PERIODIC_PERIOD);
}

/* Returns the index in pc_domain.stored, or -1. PC.GF.7. */
static int stored_index(enum pc_reg_id id)
{
    switch (id) {
    case PC_R_FILTER:
        return PC_STORED_FILTER;
    case PC_R_VSTATUS:
        return PC_STORED_VSTATUS;
    case PC_R_UNK74:
        return PC_STORED_74;
    case PC_R_UNKCC:
        return PC_STORED_CC;
    case PC_R_UNKD0:
        return PC_STORED_D0;
    case PC_R_UNKD4:
        return PC_STORED_D4;
    case PC_R_UNKD8:
        return PC_STORED_D8;
    case PC_R_UNKDC:
        return PC_STORED_DC;
    default:
        return -1;
    }
}

/* Returns the running counter of a *_NEXT register, or NULL. PC.GF.30. */
static uint64_t *running_counter(struct pc_domain *d, enum pc_reg_id id)
{
    switch (id) {
    case PC_R_CTR_EVENT_NEXT:
        return &d->shadow.event;
    case PC_R_CTR_PRE_NEXT:
        return &d->shadow.pre;
    case PC_R_CTR_START_NEXT:
        return &d->shadow.start;
    case PC_R_CTR_STOP_NEXT:
        return &d->shadow.stop;
    case PC_R_CTR_CYCLES_NEXT:
        return &d->shadow.cycles;
    default:
        return NULL;
    }
}

/* In quad mode a pulse is meant to swap: not where SWAP_SRC is on an input of the card,
 * or on a signal that does not exist (PC.DIAG.8). */
static bool swaps_nothing(const struct pc_unit *u, const struct pc_domain *d)
{
    const struct pc_slots *slots = &u->slots[d - u->state.domain];
    const unsigned s = PC_GET(d->spec_src, SPEC_SRC, SWAP);

    return d->control.mode == PC_MODE_QUAD &&
           ((slots->raw[s / 64] | slots->none[s / 64]) >> (s % 64) & 1);
}

/* `kept`: of the bits that were found writable (PC.GF.6).  USER_TRIGGER has four signals
 * (PC.GF.12).
 */
bool pc_gf100_write(struct pc_unit *u, enum pc_reg_id id, struct pc_domain *d, uint32_t kept)
{
    uint64_t *counter = running_counter(d, id);
    int stored = stored_index(id);

    if (counter) {
        *counter = kept;
    } else if (stored >= 0) {
        d->stored[stored] = kept;
    } else if (id == PC_R_SWAP_SRC) {
        d->spec_src = kept;
    } else if (id == PC_R_CTR_CYCLES_NEXT_HIGH) {
        d->record.cycles = (uint64_t)kept << 32 | (uint32_t)d->record.cycles;
    } else if (id == PC_R_CTR_RECORD_STOP_NEXT) {
        d->record.stop = (uint16_t)kept;
    } else if (id == PC_R_USER_TRIGGER_GF100) {
        for (unsigned i = 0; i < 4; i++) {
            d->user[i] = kept >> i & 1;
            d->user_pulse[i] = kept >> (4 + i) & 1;
        }
        if (kept >> 4 & 0xf && swaps_nothing(u, d))
            d->diagnostics |= PC_DIAG_NO_SWAP;
    } else {
        return false;
    }
    return true;
}

/* Bits 0-3 are the signals as they are now, bits 4-7 as written.  PC.GF.13 */
static uint32_t read_user(const struct pc_domain *d)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 4; i++)
        value |= (uint32_t)d->user[i] << i | (uint32_t)d->user_pulse[i] << (4 + i);
    return value;
}

/* PC.GF.37: both machines, the flops, sources and inputs of the last cycle. */
static uint32_t read_state(const struct pc_domain *d)
{
    uint32_t v = 0, src = d->in.src;

    v = PC_PUT(v, STATE, SINGLE_STATE, d->single_state);
    v = PC_PUT(v, STATE, QUAD_STATE, d->quad_state);
    v = PC_PUT(v, STATE, FLAG_NEXT, d->flag_next);
    v = PC_PUT(v, STATE, FLAG_CUR, d->flag_cur);
    v = PC_PUT(v, STATE, EVENT_TOGGLE, d->event_toggle);
    v = PC_PUT(v, STATE, EVENT_SRC, src >> 8);
    v = PC_PUT(v, STATE, SWAP, d->in.swap);
    v = PC_PUT(v, STATE, STOP_SRC, src >> 12);
    v = PC_PUT(v, STATE, PRE_SRC2, src >> 2);
    v = PC_PUT(v, STATE, PRE_SRC3, src >> 3);
    v = PC_PUT(v, STATE, START_SRC2, src >> 6);
    v = PC_PUT(v, STATE, START_SRC3, src >> 7);
    v = PC_PUT(v, STATE, EVENT, d->in.event);
    v = PC_PUT(v, STATE, PRE, d->in.pre);
    v = PC_PUT(v, STATE, START, d->in.start);
    return PC_PUT(v, STATE, STOP, d->in.stop);
}

/* PC.GF.38: what the mode does; which number says which is our reading (U-014). */
static uint32_t status_of(const struct pc_domain *d)
{
    if (d->record.fault)
        return FAULTED;
    switch ((enum pc_mode)d->control.mode) {
    case PC_MODE_SINGLE:
        return d->single_state == PC_INACTIVE   ? IDLE
               : d->single_state == PC_COUNTING ? BUSY
                                                : WAITING;
    case PC_MODE_NONE:
        return HALTED;
    default:
        return BUSY;
    }
}

/* The flag inputs' sources follow the sixteen others.  PC.GF.20 */
uint32_t pc_gf100_src_status(const struct pc_domain *d)
{
    uint32_t pre = d->in.src & 15, start = d->in.src >> 4 & 15;
    uint32_t set = start >> 2 | (pre & 3) << 2, clear = pre >> 2 | (start & 3) << 2;

    return d->in.src | set << 16 | clear << 20;
}

bool pc_gf100_read(const struct pc_unit *u, enum pc_reg_id id, const struct pc_domain *d,
                   uint32_t *value)
{
    struct pc_domain copy = { .shadow = d->shadow };
    const uint64_t *counter = running_counter(&copy, id);
    int stored = stored_index(id);

    (void)u;
    if (counter)
        *value = (uint32_t)*counter;
    else if (id == PC_R_VSTATUS)
        *value = d->stored[stored] | status_of(d);
    else if (stored >= 0)
        *value = d->stored[stored];
    else if (id == PC_R_SWAP_SRC)
        *value = d->spec_src;
    else if (id == PC_R_USER_TRIGGER_GF100)
        *value = read_user(d);
    else if (id == PC_R_STATE)
        *value = read_state(d);
    else if (id == PC_R_CTR_CYCLES_NEXT_RO)
        *value = (uint32_t)d->shadow.cycles;
    else if (id == PC_R_CTR_CYCLES_NEXT_HIGH)
        *value = (uint32_t)(d->record.cycles >> 32) & 0xff;
    else if (id == PC_R_CTR_RECORD_STOP_NEXT)
        *value = d->record.stop;
    else if (id == PC_R_CTRL_GF100)
        *value = PC_PUT(PC_PUT(d->ctrl, CTRL_GF100, QUAD_STATE, d->quad_state), CTRL_GF100,
                        SINGLE_STATE, d->single_state);
    else
        return false;
    return true;
}

/* Registers of the domain set. */
uint32_t pc_gf100_read_set(const struct pc_unit *u, enum pc_reg_id id)
{
    uint32_t each = 0, any = IDLE;

    for (unsigned x = 0; x < u->chip->domains; x++) {
        uint32_t status = status_of(&u->state.domain[x]);
        each |= status << (4 * x);
        if (status == BUSY || status == WAITING)
            any = BUSY;
    }
    switch (id) {
    case PC_R_DSET_VSTATUS_0:
        return u->state.dset_vstatus | any;
    case PC_R_DSET_VSTATUS_1:
        return each;
    case PC_R_DSET_SLCG:
        return u->state.dset_slcg;
    default:
        return 0;
    }
}
