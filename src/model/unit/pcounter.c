/* SPDX-License-Identifier: MIT */
/*
 * A PCOUNTER unit of any chip: creation, one instant of time (pc_unit_step), and what a
 * caller may look at.  The step is the document's "on every cycle", in the order of D-16;
 * it is the reference that everything faster must equal.  What GF100+ has otherwise is in gf100.c
 * and stream.c.
 *
 * Not modelled: interrupts (the unit has none: D-89), the purpose of UNK8 (D-35), what the
 * TV-out bits route (D-59, U-027).
 */
#include "model/chips/order.h"
#include "model/unit/state.h"

#include <string.h>

#include "model/regs/regs.h"
#include "model/rules/counter.h"
#include "model/rules/flag.h"
#include "model/rules/period.h"

/* ---- creation ---- */

static void find_slots(const struct pc_chip *chip, unsigned domain, struct pc_slots *slots)
{
    memset(slots->raw, 0, sizeof slots->raw);
    memset(slots->none, 0, sizeof slots->none);
    for (unsigned s = 0; s < PC_MAX_SIGNALS; s++) {
        const struct pc_signal_info info = pc_chip_signal(chip, domain, s);
        const bool others = info.kind == PC_SIG_DOM_EVENT || info.kind == PC_SIG_DOM_FLAG;
        if (info.kind == PC_SIG_RAW)
            slots->raw[s / 64] |= UINT64_C(1) << (s % 64);
        if (info.kind == PC_SIG_ABSENT || (others && info.index >= chip->domains))
            slots->none[s / 64] |= UINT64_C(1) << (s % 64);
    }
    slots->periodic = (int16_t)pc_chip_signal_position(chip, domain, PC_SIG_PERIODIC, 0);
    slots->pm_trigger = (int16_t)pc_chip_signal_position(chip, domain, PC_SIG_PM_TRIGGER, 0);
    slots->wrcache_flush = (int16_t)pc_chip_signal_position(chip, domain, PC_SIG_WRCACHE_FLUSH, 0);
    for (unsigned i = 0; i < 4; i++)
        slots->user[i] = (int16_t)pc_chip_signal_position(chip, domain, PC_SIG_USER, i);
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        slots->event[x] = (int16_t)pc_chip_signal_position(chip, domain, PC_SIG_DOM_EVENT, x);
        slots->flag[x] = (int16_t)pc_chip_signal_position(chip, domain, PC_SIG_DOM_FLAG, x);
    }
}

/* Returns how many units a domain set of the chip has: GPCs, partitions; 1 where there is but
 * one. */
static unsigned units_of(const struct pc_chip *chip, enum pc_set set)
{
    const struct pc_set_info *info;

    for (size_t i = 0; (info = pc_chip_set(chip, i)) != NULL; i++)
        if (info->set == set)
            return info->units;
    return 1;
}

/* PC.CHIP.1 PC.CHIP.2 PC.CHIP.5: which chips have a unit; it is always enabled and raises no
 * interrupt */
enum pc_status pc_unit_create(const struct pc_unit_desc *desc, struct pc_unit **out,
                              struct pc_error *err)
{
    if (!desc || !desc->chip || !out)
        return pc_fail(err, 400, "no chip was given");
    if (desc->chip->layout == PC_LAYOUT_NONE)
        return pc_fail(err, 401, "%s has no PCOUNTER", desc->chip->name);

    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_unit *u = (struct pc_unit *)pc_calloc(&alloc, 1, sizeof *u);
    if (!u)
        return pc_fail(err, 100, "no memory for the counter unit (%zu bytes)", sizeof *u);
    enum pc_status status = pc_chip_of_set(desc->chip, desc->set, &u->of_set, err);
    if (status == PC_OK && desc->index >= units_of(desc->chip, desc->set))
        status = pc_fail(err, 413, "%s has %u units in this domain set, there is no number %u",
                         desc->chip->name, units_of(desc->chip, desc->set), desc->index);
    if (status != PC_OK) {
        pc_free(&alloc, u, sizeof *u);
        return status;
    }
    u->chip = desc->set == PC_SET_ALL ? desc->chip : &u->of_set;
    u->set = desc->set;
    u->index = desc->index;
    u->alloc = alloc;
    u->mem_write = desc->mem_write;
    u->mem_ctx = desc->mem_ctx;
    u->traced_modes = desc->chip->order >= PC_ORDER_GK104;
    u->options.record_latency = desc->record_latency;
    for (unsigned x = 0; x < u->chip->domains; x++)
        find_slots(u->chip, x, &u->slots[x]);
    pc_unit_reset(u);
    *out = u;
    return PC_OK;
}

void pc_unit_destroy(struct pc_unit *u)
{
    if (!u)
        return;
    struct pc_alloc alloc = u->alloc;
    pc_free(&alloc, u, sizeof *u);
}

/*
 * All is 0, INACTIVE, EMPTY (PC.REG.6, D-50), the delay flops too (PC.IN.9); SWAP powers up as
 * PM_TRIGGER (D-33).  No source says so: U-013.
 */
void pc_unit_reset(struct pc_unit *u)
{
    memset(&u->state, 0, sizeof u->state);
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (pc_has(u, PC_F_SWAP_SRC) && !pc_has(u, PC_F_GF100))
            u->state.domain[x].spec_src = (uint32_t)u->slots[x].pm_trigger & 0xff;
    pc_awake(u);
    pc_control_update(u);
    memset(&u->state.domain[0].pending, 0, sizeof u->state.domain[0].pending);
}

const struct pc_chip *pc_unit_chip(const struct pc_unit *u)
{
    return u->chip;
}

/* ---- one instant ---- */

/*
 * Step 9, first half: every destination samples before any source moves on (D-26), be its clock the
 * same or not (PC.SYNC.11).  What is sampled is EVENT and FLAG (PC.SYNC.1, PC.SYNC.2, PC.SYNC.4),
 * as levels (PC.SYNC.5, PC.SYNC.6, PC.SYNC.7) or as pulses (PC.SYNC.8, PC.SYNC.9).
 */
struct pc_shown pc_shown_by(const struct pc_unit *u)
{
    struct pc_shown all = { .event = 0 };

    for (unsigned x = 0; x < u->chip->domains; x++) {
        const struct pc_domain *source = &u->state.domain[x];
        all.event |= (uint8_t)(source->in.event << x);
        all.event_toggle |= (uint8_t)(source->event_toggle << x);
        all.flag |= (uint8_t)(pc_shown_flag(u, source) << x);
        all.flag_toggle |= (uint8_t)(source->flag_toggle << x);
    }
    return all;
}

void pc_domain_sample(struct pc_domain *d, const struct pc_shown *others)
{
    pc_sync_edge(&d->event_sync, others->event, others->event_toggle);
    pc_sync_edge(&d->flag_sync, others->flag, others->flag_toggle);
}

static void sample_others(struct pc_unit *u, uint32_t edges)
{
    const struct pc_shown others = pc_shown_by(u);

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (edges >> x & 1)
            pc_domain_sample(&u->state.domain[x], &others);
}

/* Step 7; a mode that the chip lacks counts nothing (PC.CTRL.7). */
static enum pc_flag_action run_mode(struct pc_unit *u, unsigned self)
{
    struct pc_domain *d = &u->state.domain[self];

    if (pc_hangs(u, d))
        return PC_FLAG_FROZEN;
    if (d->control.mode != PC_MODE_RECORD) /* which has its own look at it */
        pc_slot_pass(d, 1);
    switch ((enum pc_mode)d->control.mode) {
    case PC_MODE_SINGLE:
        return pc_single_cycle(u, d);
    case PC_MODE_QUAD:
        return pc_quad_cycle(u, d);
    case PC_MODE_RECORD:
        return pc_record_cycle(u, self, d);
    case PC_MODE_STREAM:
        return pc_stream_cycle(u, self, d);
    case PC_MODE_NONE:
        break;
    }
    return pc_none_listens(u) ? PC_FLAG_LISTENS : PC_FLAG_FROZEN;
}

/*
 * Step 8: the signal takes the register as it stood in this cycle, so whatever happens to the
 * register now is on the signal two cycles from here (PC.FLAG.4, D-23).  INACTIVE freezes it
 * (PC.FLAG.5, D-24), a start clears it (PC.FLAG.6), other changes of mode do not (PC.FLAG.7, D-25).
 */
static void flag_edge(const struct pc_unit *u, struct pc_domain *d, enum pc_flag_action action)
{
    bool cleared = action == PC_FLAG_CLEARED || d->pending.init;
    bool before = d->flag_next, shown = pc_shown_flag(u, d);

    d->flag_toggle ^= shown && !d->last_flag;
    d->last_flag = shown;
    d->flag_cur = before;
    if (cleared)
        d->flag_next = false;
    if (action == PC_FLAG_LISTENS)
        d->flag_next = pc_flag_next(d->flag_next, d->in.setflag, d->in.clrflag);
}

/* Step 9: delay flops (PC.IN.10), user signals of one cycle (PC.USER.2), PERIODIC (PC.PERIODIC.6).
 */
static void history_edge(const struct pc_unit *u, struct pc_domain *d)
{
    d->event_toggle ^= d->in.event && !d->last_event;
    d->last_event = d->in.event;
    d->late = d->selected; /* D-19: the flop is after the selector */
    d->periodic = pc_period_next(d->periodic, PC_GET(u->state.gctrl, GCTRL, PERIODIC_RESET));
    for (unsigned i = 0; i < 2; i++)
        d->pulse[i] >>= 1;
    for (unsigned i = 0; i < 4; i++)
        if (d->user_pulse[i]) /* D-32 */
            d->user[i] = false;
    memset(&d->pending, 0, sizeof d->pending);
    d->cycle++;
}

void pc_domain_end(struct pc_unit *u, unsigned x)
{
    flag_edge(u, &u->state.domain[x], run_mode(u, x));
    history_edge(u, &u->state.domain[x]);
}

/* Signals are sampled at every clock of their domain (PC.SIG.1). */
void pc_unit_step(struct pc_unit *u, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS])
{
    unsigned domains = u->chip->domains;

    for (unsigned x = 0; x < domains; x++) {
        if (!(edges >> x & 1))
            continue;
        pc_effects_cycle(u, &u->state.domain[x]);
        pc_inputs_cycle(u, x, &u->state.domain[x], raw[x]);
    }
    sample_others(u, edges);
    for (unsigned x = 0; x < domains; x++)
        if (edges >> x & 1)
            pc_domain_end(u, x);
    pc_awake(u);
}

void pc_unit_remember(struct pc_unit *u, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS],
                      const enum pc_flag_action *action)
{
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (edges >> x & 1)
            pc_inputs_cycle(u, x, &u->state.domain[x], raw[x]);
    sample_others(u, edges);
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (edges >> x & 1) {
            flag_edge(u, &u->state.domain[x], action[x]);
            history_edge(u, &u->state.domain[x]);
        }
    pc_awake(u);
}

/* Exactly one cycle in each domain (PC.TRIGGER.1), that many of its own cycles late (PC.TRIGGER.2).
 */
void pc_unit_pulse(struct pc_unit *u, enum pc_pulse pulse, uint32_t delay)
{
    for (unsigned x = 0; x < u->chip->domains; x++)
        u->state.domain[x].pulse[pulse] |= UINT64_C(1) << (delay < 63 ? delay : 63);
    pc_awake(u);
}

/* ---- looking ---- */

uint32_t pc_unit_diagnostics(const struct pc_unit *u, unsigned domain)
{
    return domain < u->chip->domains ? u->state.domain[domain].diagnostics : 0;
}

int pc_unit_no_signal(const struct pc_unit *u, unsigned domain)
{
    const bool any = pc_unit_diagnostics(u, domain) & PC_DIAG_NO_SIGNAL;

    return any ? u->state.domain[domain].no_signal : -1;
}

/* The port is PCOUNTER's, and TVOUT_DEBUG_SEL chooses (PC.CTRL.9). */
int pc_unit_tvout(const struct pc_unit *u)
{
    const uint32_t ctrl = u->state.ctrl_nv10; /* 0 in the other layouts, which have no such bits */

    return PC_GET(ctrl, CTRL_NV10, TVOUT_DEBUG_ENABLE)
               ? (int)PC_GET(ctrl, CTRL_NV10, TVOUT_DEBUG_SEL)
               : -1;
}

uint64_t pc_unit_cycle(const struct pc_unit *u, unsigned domain)
{
    return domain < u->chip->domains ? u->state.domain[domain].cycle : 0;
}
