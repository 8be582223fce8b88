/* SPDX-License-Identifier: MIT */
/*
 * Steps 2 to 6 of a domain cycle: the signal vector, the selected sources, and the six
 * inputs with SWAP and UNK8.  Clauses PC.SIG.*, PC.TRAIL.*, PC.SYNC.*, PC.IN.1 to 8.
 */
#include "model/unit/state.h"

#include <string.h>

#include "model/regs/regs.h"
#include "model/rules/lut.h"
#include "model/rules/period.h"
#include "model/rules/sources.h"

static bool vector_bit(const uint64_t *vector, unsigned signal)
{
    return vector[signal / 64] >> (signal % 64) & 1;
}

/* Raises a signal that the unit drives; the vector starts with all of them at 0. */
static void raise_signal(uint64_t *vector, int signal, bool level)
{
    if (level && signal >= 0)
        vector[signal / 64] |= UINT64_C(1) << (signal % 64);
}

static void raise_each(uint64_t *vector, const int16_t *signal, uint8_t levels)
{
    for (unsigned x = 0; levels != 0; x++, levels >>= 1)
        raise_signal(vector, signal[x], levels & 1);
}

/*
 * The EVENT and FLAG slots: the domain's own directly (PC.SYNC.3, D-28), others through
 * synchronisers, with a switch each (PC.SYNC.10); those of domains that the chip lacks are 0
 * (PC.TRAIL.10).  Its own EVENT is not known yet: last cycle's stands in (D-21).
 */
static void raise_domains(const struct pc_unit *u, unsigned self, struct pc_domain *d)
{
    const struct pc_slots *slots = &u->slots[self];
    bool pulse = pc_has(u, PC_F_PULSE_IMPORT);
    bool event_pulse = pulse && d->control.event_pulse;
    bool flag_pulse = pulse && d->control.flag_pulse;
    uint8_t event =
        event_pulse ? pc_sync_pulse(&d->event_sync) : pc_sync_continuous(&d->event_sync);
    uint8_t flag = flag_pulse ? pc_sync_pulse(&d->flag_sync) : pc_sync_continuous(&d->flag_sync);
    uint8_t own = (uint8_t)(1u << self);

    event = (uint8_t)((event & ~own) | (d->last_event ? own : 0));
    flag = (uint8_t)((flag & ~own) | (d->flag_cur ? own : 0));
    raise_each(d->vector, slots->event, event);
    raise_each(d->vector, slots->flag, flag);
}

/* PC.TRAIL.11 PC.USER.4 PC.PERIODIC.3 PC.PERIODIC.4 PC.GF.10 PC.GF.11 PC.GF.14: PAUSED stays 0 */
static void form_vector(const struct pc_unit *u, unsigned self, struct pc_domain *d,
                        const uint64_t *raw)
{
    const struct pc_slots *slots = &u->slots[self];
    bool reset = PC_GET(u->state.gctrl, GCTRL, PERIODIC_RESET);

    for (unsigned w = 0; w < PC_SIG_WORDS; w++)
        d->vector[w] = raw[w] & slots->raw[w]; /* absent signals read 0: D-30, D-86 */
    raise_signal(d->vector, slots->pm_trigger, d->pulse[PC_PULSE_PM_TRIGGER] & 1);
    raise_signal(d->vector, slots->wrcache_flush, d->pulse[PC_PULSE_WRCACHE_FLUSH] & 1);
    raise_signal(d->vector, slots->periodic,
                 pc_period_signal(d->periodic, d->control.periodic, reset));
    for (unsigned i = 0; i < 4; i++)
        raise_signal(d->vector, slots->user[i], d->user[i]);
    raise_domains(u, self, d);
}

/* PC.IN.1: the four signals of each SRC register (PC.IN.11), as a word of selected bits. */
static uint32_t select_sources(const struct pc_unit *u, const struct pc_domain *d)
{
    unsigned inputs = pc_has(u, PC_F_OWN_FLAG_SRC) ? PC_INPUTS : PC_IN_SETFLAG;
    uint32_t selected = 0;

    for (unsigned n = 0; n < inputs; n++)
        for (unsigned i = 0; i < 4; i++)
            selected |= (uint32_t)vector_bit(d->vector, d->src[n] >> (8 * i) & 0xff)
                        << PC_SEL(n, i);
    return selected;
}

/* PC.IN.1 to 8 for one input. */
static bool input_is_on(const struct pc_unit *u, const struct pc_domain *d, enum pc_input input,
                        uint32_t selected, bool setflag)
{
    bool arg[4];

    for (unsigned i = 0; i < 4; i++) {
        const struct pc_argument a = pc_argument(d->op[input], input, u->chip->features, i);
        arg[i] =
            a.setflag ? setflag : (a.late ? d->late : selected) >> a.selector & 1; /* PC.IN.2 */
    }
    return pc_lut4(d->op[input], arg[0], arg[1], arg[2], arg[3]);
}

/* Returns the selected bits that an input looks at without delay, not counting a chained
 * SETFLAG. */
static uint32_t undelayed(const struct pc_unit *u, const struct pc_domain *d, enum pc_input input)
{
    const struct pc_arguments args = pc_arguments(d->op[input], input, u->chip->features);
    uint32_t mask = 0;

    for (unsigned i = 0; i < 4; i++)
        if (!args.of[i].late && !args.of[i].setflag)
            mask |= UINT32_C(1) << args.of[i].selector;
    return mask;
}

/* Returns the selected bits that EVENT depends on in the same cycle: its cone. */
static uint32_t event_cone(const struct pc_unit *u, const struct pc_domain *d)
{
    uint32_t cone = undelayed(u, d, PC_IN_EVENT);

    if (pc_event_takes_setflag(d->op[PC_IN_EVENT], u->chip->features))
        cone |= undelayed(u, d, PC_IN_SETFLAG);
    return cone;
}

/* Returns the selected bits whose source is the given signal; for NV40+, where SETFLAG and CLRFLAG
 * have no sources of their own. */
static uint32_t selecting(const struct pc_domain *d, int signal)
{
    uint32_t mask = 0;

    for (unsigned n = 0; n < PC_IN_SETFLAG; n++)
        for (unsigned i = 0; i < 4; i++)
            if ((int)(d->src[n] >> (8 * i) & 0xff) == signal)
                mask |= UINT32_C(1) << PC_SEL(n, i);
    return mask;
}

/*
 * Calculates EVENT, and then the domain's own EVENT slot. D-21: where EVENT itself (or a chained
 * SETFLAG inside it) selects that slot, this one occurrence takes last cycle's EVENT, which is
 * reported (PC.DIAG.1); everybody else sees the value just calculated (PC.SYNC.12). SETFLAG by
 * itself can look at EVENT no other way (D-22).
 */
static bool calculate_event(const struct pc_unit *u, unsigned self, struct pc_domain *d,
                            bool setflag)
{
    int slot = u->slots[self].event[self];
    bool event = input_is_on(u, d, PC_IN_EVENT, d->selected, setflag);

    if (slot >= 0) {
        uint32_t own = selecting(d, slot);
        if (own != 0 && (own & event_cone(u, d)) != 0)
            d->diagnostics |= PC_DIAG_COMB_LOOP;
        d->vector[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
        raise_signal(d->vector, slot, event);
        if (event)
            d->selected |= own;
        else
            d->selected &= ~own;
    }
    return event;
}

void pc_inputs_cycle(const struct pc_unit *u, unsigned domain, struct pc_domain *d,
                     const uint64_t *raw)
{
    struct pc_unit_inputs *in = &d->in;

    form_vector(u, domain, d, raw);
    d->selected = select_sources(u, d);
    in->flag = d->flag_cur;
    in->setflag = input_is_on(u, d, PC_IN_SETFLAG, d->selected, false);
    in->event = calculate_event(u, domain, d, in->setflag);
    /* D-21a: EVENT has taken SETFLAG, so that is its value in this cycle, for all; PC.SYNC.13 */
    if (!pc_event_takes_setflag(d->op[PC_IN_EVENT], u->chip->features))
        in->setflag = input_is_on(u, d, PC_IN_SETFLAG, d->selected, false);
    in->clrflag = input_is_on(u, d, PC_IN_CLRFLAG, d->selected, false);
    in->pre = input_is_on(u, d, PC_IN_PRE, d->selected, false);
    in->start = input_is_on(u, d, PC_IN_START, d->selected, false);
    in->stop = input_is_on(u, d, PC_IN_STOP, d->selected, in->setflag);
    in->src = (uint16_t)d->selected; /* PC.IN.12: SRC_STATUS shows them before delays (D-61) */

    /*
     * SWAP: selectable on G84+ (PC.IN.15, and UNK8 beside it PC.IN.16; PC.GF.21), wired to
     * PM_TRIGGER on NV30:G84 (PC.IN.14), and there is none before; a PRE_OP write asserts it too.
     */
    if (pc_has(u, PC_F_SWAP_SRC))
        in->swap = vector_bit(d->vector, PC_GET(d->spec_src, SPEC_SRC, SWAP));
    else
        in->swap = pc_has(u, PC_F_QUAD) && d->pulse[PC_PULSE_PM_TRIGGER] & 1;
    in->swap |= d->pending.swap;
    /* Nothing looks at it: U-001, D-35. */
    in->unk8 = pc_has(u, PC_F_SWAP_SRC) && !pc_has(u, PC_F_GF100) &&
               vector_bit(d->vector, PC_GET(d->spec_src, SPEC_SRC, UNK8));
}

/* Returns the other domains whose FLAG or EVENT this signal is: one at most. */
static uint32_t shows(const struct pc_unit *u, unsigned self, unsigned signal)
{
    const struct pc_slots *slots = &u->slots[self];

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (x != self && (slots->event[x] == (int)signal || slots->flag[x] == (int)signal))
            return 1u << x;
    return 0;
}

uint32_t pc_selects(const struct pc_unit *u, unsigned self)
{
    const unsigned inputs = pc_has(u, PC_F_OWN_FLAG_SRC) ? PC_INPUTS : PC_IN_SETFLAG;
    const struct pc_domain *d = &u->state.domain[self];
    uint32_t others = 0;

    for (unsigned s = 0; s < 4 * inputs; s++)
        others |= shows(u, self, d->src[s / 4] >> (8 * (s % 4)) & 0xff);
    if (pc_has(u, PC_F_SWAP_SRC)) {
        others |= shows(u, self, PC_GET(d->spec_src, SPEC_SRC, SWAP));
        others |= shows(u, self, PC_GET(d->spec_src, SPEC_SRC, UNK8));
    }
    return others;
}

void pc_unit_get_inputs(const struct pc_unit *u, unsigned domain, struct pc_unit_inputs *out)
{
    if (domain < u->chip->domains)
        *out = u->state.domain[domain].in;
    else
        memset(out, 0, sizeof *out);
}
