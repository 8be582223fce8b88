/* SPDX-License-Identifier: MIT */
/*
 * Finds the signals of selectors.  Arguments on which a truth table does not depend do not count
 * where a FLAG looks at itself.
 */
#include "model/engine/picks.h"

#include <string.h>

#include "model/rules/lut.h"
#include "model/rules/sources.h"
#include "model/rules/table.h"

/* --- selectors --- */

static unsigned selected_signal(const struct pc_domain *d, unsigned selector)
{
    if (selector == EG_SWAP)
        return PC_GET(d->spec_src, SPEC_SRC, SWAP);
    return d->src[selector / 4] >> (8 * (selector % 4)) & 0xff;
}

static struct eg_pick level(bool value)
{
    return (struct eg_pick){ EG_LEVEL, value };
}

/* Returns whether a domain imports EVENTs, or FLAGs, as pulses. */
static bool is_pulsed(const struct pc_unit *u, unsigned domain, bool event)
{
    const struct pc_control *c = &u->state.domain[domain].control;

    return pc_has(u, PC_F_PULSE_IMPORT) && (event ? c->event_pulse : c->flag_pulse);
}

/* Adds a signal that shows a domain, which may stand still. */
static struct eg_pick node(const struct pc_unit *u, unsigned self, uint32_t mask, unsigned x,
                           bool event)
{
    const struct pc_domain *d = &u->state.domain[x];
    const unsigned number = event ? EG_EVENT(x) : EG_FLAG(x);

    if (mask >> x & 1)
        return (struct eg_pick){ EG_NODE, (uint8_t)number };
    return level(!is_pulsed(u, self, event) && (event ? d->in.event : d->flag_cur));
}

/* Absent signals, and pulses, of which there are none in the middle of a segment, are 0. */
static struct eg_pick pick_signal(const struct pc_unit *u, unsigned self, uint32_t mask,
                                  unsigned signal)
{
    const struct pc_slots *slots = &u->slots[self];

    if (slots->raw[signal / 64] >> (signal % 64) & 1)
        return (struct eg_pick){ EG_RAW, (uint8_t)signal };
    if ((int)signal == slots->periodic)
        return (struct eg_pick){ EG_PERIODIC, 0 };
    for (unsigned i = 0; i < 4; i++)
        if ((int)signal == slots->user[i])
            return level(u->state.domain[self].user[i]);
    for (unsigned x = 0; x < u->chip->domains; x++) {
        if ((int)signal == slots->event[x])
            return node(u, self, mask, x, true);
        if ((int)signal == slots->flag[x])
            return node(u, self, mask, x, false);
    }
    return level(false);
}

void eg_picks_make(struct eg_picks *p, const struct pc_unit *u, uint32_t mask)
{
    memset(p, 0, sizeof *p);
    for (unsigned x = 0; x < u->chip->domains; x++) {
        if (!(mask >> x & 1))
            continue;
        for (unsigned s = 0; s <= EG_SWAP; s++) {
            if (s >= eg_selectors(u) && (s != EG_SWAP || !pc_has(u, PC_F_SWAP_SRC)))
                continue;
            struct eg_pick *pick = &p->of[x][s];
            *pick = pick_signal(u, x, mask, selected_signal(&u->state.domain[x], s));
            if (pick->kind == EG_NODE && pick->number % PC_MAX_DOMAINS != x)
                p->looks[x] |= (uint8_t)(1u << pick->number % PC_MAX_DOMAINS);
        }
    }
}

/* --- alone --- */

static bool looks_at_own_event(const struct eg_picks *p, unsigned x)
{
    for (unsigned s = 0; s <= EG_SWAP; s++)
        if (p->of[x][s].kind == EG_NODE && p->of[x][s].number == EG_EVENT(x))
            return true;
    return false;
}

/* Returns whether SETFLAG or CLRFLAG depends on the own FLAG. */
static bool flag_sees_itself(const struct eg_picks *p, const struct pc_unit *u, unsigned x)
{
    for (unsigned input = PC_IN_SETFLAG; input <= PC_IN_CLRFLAG; input++) {
        const uint32_t op = u->state.domain[x].op[input];
        const struct pc_arguments args = pc_arguments(op, (enum pc_input)input, u->chip->features);
        for (unsigned i = 0; i < 4; i++) {
            const struct eg_pick pick = p->of[x][args.of[i].selector];
            if (!args.of[i].setflag && pick.kind == EG_NODE && pick.number == EG_FLAG(x) &&
                pc_table_depends((uint16_t)op, i))
                return true;
        }
    }
    return false;
}

const char *eg_why_not_alone(const struct eg_picks *p, const struct pc_unit *u, uint32_t mask,
                             unsigned x)
{
    if (p->looks[x])
        return "it reads another domain's EVENT or FLAG";
    for (unsigned y = 0; y < u->chip->domains; y++)
        if (mask >> y & 1 && p->looks[y] >> x & 1)
            return "another domain reads its EVENT or FLAG";
    if (looks_at_own_event(p, x))
        return "it reads its own EVENT";
    return flag_sees_itself(p, u, x) ? "its FLAG depends on itself" : NULL;
}

bool eg_listens(const struct pc_unit *u, const struct pc_domain *d)
{
    if (pc_hangs(u, d))
        return false;
    if (d->control.mode == PC_MODE_SINGLE)
        return d->single_state != PC_INACTIVE;
    return d->control.mode != PC_MODE_NONE || pc_none_listens(u);
}
