/* SPDX-License-Identifier: MIT */
/*
 * The live step's view of registers, and its way in and out.  On the way out the last cycle is
 * done once more by the reference, all but its counting: so the vector, the inputs and the
 * flops are the reference's own.  What the synchronisers hold of the cycles before is run
 * through them again.  After a write some cycles are left to the reference before the registers
 * are looked at again: a driver that writes between all cycles pays little for nothing.
 */
#include <string.h>

#include "model/engine/engine.h"
#include "model/engine/live.h"
#include "model/rules/sources.h"
#include "model/rules/lut.h"
#include "model/rules/period.h"

enum { NO_BYTE = 0x80 };

/* --- registers --- */

/* Returns true for another domain's EVENT or FLAG, or the own EVENT. */
static bool foreign(const struct pc_slots *slots, unsigned self, unsigned signal)
{
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        if (slots->event[x] == (int)signal || (slots->flag[x] == (int)signal && x != self))
            return true;
    return false;
}

static bool user_level(const struct pc_slots *slots, const struct pc_domain *d, unsigned signal)
{
    for (unsigned i = 0; i < 4; i++)
        if (slots->user[i] == (int)signal)
            return d->user[i];
    return false;
}

static void aim(struct live_domain *f, unsigned s, const struct pc_slots *slots, unsigned self)
{
    const unsigned signal = f->d->src[s / 4] >> (8 * (s % 4)) & 0xff, byte = signal / 8;
    const uint32_t one = UINT32_C(1) << s;

    f->signal[s] = (uint8_t)signal;
    f->low[s / 16][s % 16] = f->high[s / 16][s % 16] = NO_BYTE;
    f->bit[s / 16][s % 16] = (uint8_t)(1u << signal % 8);
    if (slots->raw[signal / 64] >> (signal % 64) & 1) {
        f->raw |= one;
        if (byte < 16)
            f->low[s / 16][s % 16] = (uint8_t)byte;
        else
            f->high[s / 16][s % 16] = (uint8_t)(byte - 16);
    } else if (slots->flag[self] == (int)signal) {
        f->on_flag |= one;
    } else if (slots->periodic == (int)signal) {
        f->on_periodic |= one;
    } else if (user_level(slots, f->d, signal)) {
        f->on_always |= one;
    }
}

static void load_operation(struct live_domain *f, unsigned n, uint32_t features)
{
    const struct pc_arguments args = pc_arguments(f->d->op[n], n, features);

    f->table[n] = (f->d->op[n] & 0xffff) * UINT32_C(0x10001);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t bit = UINT32_C(1) << (4 * n + i);
        if (args.of[i].setflag)
            f->chained |= bit;
        else if (!args.of[i].late)
            f->now |= bit;
        else if (i < 2)
            f->late |= bit;
        else
            f->late_high |= bit >> 2; /* SRC0 or SRC1 in the place of argument 2 or 3 */
    }
}

/* Finds where SWAP is looked at; false: it is driven by the unit itself. */
static bool aim_swap(const struct pc_unit *u, struct live_domain *f, unsigned self)
{
    const struct pc_slots *slots = &u->slots[self];
    const unsigned signal = PC_GET(f->d->spec_src, SPEC_SRC, SWAP);

    if (f->mode != PC_MODE_QUAD || !pc_has(u, PC_F_SWAP_SRC))
        return true;
    if (slots->raw[signal / 64] >> (signal % 64) & 1) {
        f->swap_word = signal / 64;
        f->swap_mask = UINT64_C(1) << (signal % 64);
    }
    return !foreign(slots, self, signal) && slots->flag[self] != (int)signal &&
           slots->periodic != (int)signal && !user_level(slots, f->d, signal);
}

static bool compile(const struct pc_unit *u, struct pc_domain *d, struct live_domain *f,
                    unsigned self)
{
    const struct pc_slots *slots = &u->slots[self];
    const uint32_t clocks =
        PC_GET(u->state.gctrl, GCTRL, PERIODIC_RESET) ? 0 : pc_period_clocks(d->control.periodic);

    memset(f, 0, sizeof *f);
    f->d = d;
    f->own_sources = pc_has(u, PC_F_OWN_FLAG_SRC);
    f->gated = pc_has(u, PC_F_GF100);
    f->none_listens = pc_none_listens(u);
    f->mode = d->control.mode;
    f->ctr_mode = d->control.ctr_mode;
    memset(f->low, NO_BYTE, sizeof f->low);
    memset(f->high, NO_BYTE, sizeof f->high);
    memset(f->bit, 1, sizeof f->bit);
    for (unsigned s = 0; s < (f->own_sources ? 24u : 16u); s++) {
        aim(f, s, slots, self);
        if (foreign(slots, self, f->signal[s]))
            return false;
    }
    for (unsigned n = 0; n < PC_INPUTS; n++)
        load_operation(f, n, u->chip->features);
    f->needs_set = f->chained != 0;
    f->periodic_mask = clocks - 1;
    if (clocks == 0)
        f->on_periodic = f->periodic_mask = 0;
    f->driven = (f->on_flag | f->on_periodic) != 0;
    return aim_swap(u, f, self);
}

/* Looks at the registers of the domains in live->edges; can they be quick? */
static bool compile_all(struct pc_live *live)
{
    struct pc_unit *u = live->unit;

    if (eg_only_steps(u))
        return false;
    live->domains = 0;
    memset(live->of, 0, sizeof live->of);
    for (unsigned x = 0; x < u->chip->domains; x++) {
        if (!(live->edges >> x & 1))
            continue;
        live->of[x] = &live->domain[live->domains];
        live->number[live->domains++] = (uint8_t)x;
        if (!compile(u, &u->state.domain[x], live->of[x], x))
            return false;
    }
    return true;
}

/* --- in --- */

static bool record_ready(const struct pc_unit *u, const struct pc_domain *d)
{
    const struct pc_record *r = &d->record;

    if (PC_GET(u->state.gctrl, GCTRL, RECORD_RESET) || r->stop != 0)
        return false;
    if (d->control.mode == PC_MODE_STREAM)
        return true;
    for (unsigned i = 0; i < 12; i++)
        if (r->event[i] >= PC_RECORD_EVENT_FLUSH)
            return false;
    return r->busy == 0 && !r->wedged && !r->pending && !r->dirty &&
           (r->valid || !u->options.record_invalid_holds);
}

/* Returns true if nothing is on its way that a quick cycle does not know. */
static bool ready(const struct pc_unit *u, const struct pc_domain *d)
{
    if (d->pulse[0] || d->pulse[1])
        return false;
    if (pc_has(u, PC_F_RECORD) && PC_GET(u->state.gctrl, GCTRL, RECORD_RESET))
        return false; /* step 1 clears in every cycle */
    for (unsigned i = 0; i < 4; i++)
        if (d->user_pulse[i] && d->user[i])
            return false;
    if (pc_hangs(u, d))
        return false;
    if (d->control.mode == PC_MODE_RECORD || d->control.mode == PC_MODE_STREAM)
        return record_ready(u, d);
    return true;
}

/* Returns false if neither SETFLAG nor CLRFLAG moves it, and its flops agree. */
static bool flag_moves(const struct live_domain *f)
{
    const struct pc_domain *d = f->d;

    if (d->flag_next != d->flag_cur || d->flag_cur != d->last_flag)
        return true;
    return f->table[d->flag_next ? PC_IN_CLRFLAG : PC_IN_SETFLAG] != 0;
}

static void take_record(struct live_domain *f)
{
    const struct pc_record *r = &f->d->record;
    unsigned most = 0;

    for (unsigned i = 0; i < 12; i++)
        most = r->event[i] > most ? r->event[i] : most;
    for (unsigned g = 0; g < 3; g++)
        f->four[g] = r->event[4 * g] | (uint64_t)r->event[4 * g + 1] << 16 |
                     (uint64_t)r->event[4 * g + 2] << 32 | (uint64_t)r->event[4 * g + 3] << 48;
    f->room = PC_RECORD_EVENT_FLUSH - 1 - most;
}

static void take_state(struct live_domain *f)
{
    const struct pc_domain *d = f->d;
    const uint32_t late = f->own_sources ? d->late : d->late & 0xffff;
    const uint32_t set = (late >> 6 & 3) | (late & 3) << 2, clear = late >> 2 & 15;

    f->seen = f->own_sources ? late : late | set << 16 | clear << 20;
    f->flag_moves = flag_moves(f);
    f->flag_next = d->flag_next;
    f->flag_cur = d->flag_cur;
    f->events = d->last_event;
    f->flags = d->last_flag ? UINT64_MAX : 0;
    f->event_odd = f->flag_odd = false;
    f->cycles = f->event = f->start = f->pre = f->stop = 0;
    if (f->mode == PC_MODE_RECORD)
        take_record(f);
}

/* Returns true if a cycle can do without FLAG, PERIODIC and SETFLAG, and all counters are
 * simple. */
static bool is_plain(const struct live_domain *f)
{
    return !f->driven && !f->needs_set && !f->flag_moves && !f->own_sources &&
           f->ctr_mode == PC_CTR_SIMPLE;
}

/* Returns the cycle for what is to be stepped. */
static live_step_fn *step_of(const struct pc_live *live)
{
    bool quads = true;

    if (live->domains == 1)
        return live->steps->one[live->domain[0].mode][is_plain(&live->domain[0])];
    for (unsigned i = 0; i < live->domains; i++)
        quads = quads && live->domain[i].mode == PC_MODE_QUAD && is_plain(&live->domain[i]);
    return quads ? live->steps->quads : live->steps->any;
}

bool live_enter(struct pc_live *live)
{
    for (unsigned i = 0; i < live->domains; i++)
        if (!ready(live->unit, live->domain[i].d))
            return false;
    for (unsigned i = 0; i < live->domains; i++)
        take_state(&live->domain[i]);
    live->moving = false;
    for (unsigned i = 0; i < live->domains; i++)
        live->moving |= live->domain[i].mode == PC_MODE_SINGLE;
    live->step = step_of(live);
    live->cycles = 0;
    live->quick = true;
    return true;
}

bool live_begin(struct pc_live *live, struct pc_unit *u, uint32_t edges)
{
    live->unit = u;
    live->step = live_slow_step;
    live->quick = live->moving = false;
    live->aborted = 0;
    live->edges = edges;
    live->calm = LIVE_CALM;
    live->possible = compile_all(live);
    if (live->possible)
        (void)live_enter(live);
    return live->possible;
}

/* --- out --- */

static void settle_record(struct live_domain *f)
{
    struct pc_record *r = &f->d->record;

    r->cycles = (r->cycles + f->cycles) & PC_RECORD_CYCLES_MASK;
    for (unsigned i = 0; i < 12; i++)
        r->event[i] = (uint16_t)(f->four[i / 4] >> 16 * (i % 4));
}

void live_settle(const struct pc_unit *u, struct live_domain *f)
{
    struct pc_domain *d = f->d;
    struct pc_counters *c = f->mode == PC_MODE_SINGLE ? &d->visible : &d->shadow;

    if (f->cycles == 0) /* nothing counts in other cycles */
        return;
    if (f->mode == PC_MODE_RECORD) {
        settle_record(f);
        f->cycles = 0;
        return;
    }
    if (f->mode == PC_MODE_STREAM) {
        pc_stream_tick(d, f->cycles);
    } else {
        eg_add(u, d, &c->cycles, f->cycles, true);
        pc_record_soil(u, d);
    }
    eg_add(u, d, &c->event, f->event, true);
    eg_add(u, d, &c->start, f->start, true);
    eg_add(u, d, &c->pre, f->pre, false);
    eg_add(u, d, &c->stop, f->stop, false);
    f->cycles = f->event = f->start = f->pre = f->stop = 0;
}

/* Returns the cycles of the last n in which the signal rose. */
static uint64_t rises(uint64_t history, unsigned n)
{
    return history & ~(history >> 1) & ((UINT64_C(1) << n) - 1);
}

static bool odd(uint64_t word)
{
    return __builtin_parityll(word);
}

void live_fold(struct pc_live *live)
{
    for (unsigned i = 0; i < live->domains; i++) {
        struct live_domain *f = &live->domain[i];
        f->event_odd ^= odd(rises(f->events, 32));
        f->flag_odd ^= odd(rises(f->flags, 32));
    }
}

/* EVENTs and FLAGs that synchronisers see of all domains at the edge of the cycle `ago` cycles
 * before the last */
struct seen {
    uint8_t event, event_toggle, flag, flag_toggle;
};

static struct seen seen_of(const struct pc_live *live, unsigned ago)
{
    const struct pc_unit *u = live->unit;
    struct seen s = { 0, 0, 0, 0 };

    for (unsigned x = 0; x < u->chip->domains; x++) { /* also those that do not run */
        const struct pc_domain *d = &u->state.domain[x];
        s.event |= (uint8_t)(d->in.event << x);
        s.event_toggle |= (uint8_t)(d->event_toggle << x);
        s.flag |= (uint8_t)(d->flag_cur << x);
        s.flag_toggle |= (uint8_t)(d->flag_toggle << x);
    }
    for (unsigned i = 0; i < live->domains; i++) { /* toggles here are after the last cycle */
        const struct live_domain *f = &live->domain[i];
        const unsigned x = live->number[i];
        const uint8_t keep = (uint8_t) ~(1u << x);
        s.event = (uint8_t)((s.event & keep) | (f->events >> ago & 1) << x);
        s.event_toggle ^= (uint8_t)(odd(rises(f->events, ago + 1)) << x);
        s.flag = (uint8_t)((s.flag & keep) | (f->flags >> ago & 1) << x);
        s.flag_toggle ^= (uint8_t)(odd(rises(f->flags, ago + 1)) << x);
    }
    return s;
}

static void run_synchronisers(struct pc_live *live)
{
    for (unsigned ago = live->cycles < 4 ? (unsigned)live->cycles - 1 : 3; ago > 0; ago--) {
        const struct seen s = seen_of(live, ago);
        for (unsigned i = 0; i < live->domains; i++) {
            struct pc_domain *d = live->domain[i].d;
            pc_sync_edge(&d->event_sync, s.event, s.event_toggle);
            pc_sync_edge(&d->flag_sync, s.flag, s.flag_toggle);
        }
    }
}

/* Restores the domain as it was before the last cycle, but for what counts. */
static void rewind_domain(struct live_domain *f, uint64_t cycles, bool reset)
{
    struct pc_domain *d = f->d;

    d->cycle += cycles - 1;
    if (d->control.mode != PC_MODE_RECORD) /* there it is 0, or this was the last cycle */
        pc_slot_pass(d, cycles);
    if (!reset)
        d->periodic = (uint16_t)(d->periodic + cycles - 1);
    d->late = f->own_sources ? f->before : f->before & 0xffff;
    d->last_event = f->events >> 1 & 1;
    d->event_toggle ^= odd(rises(f->events, 1));
    if (f->flag_moves) {
        d->flag_next = f->flag_cur;
        d->flag_cur = f->flags & 1;
        d->last_flag = f->flags >> 1 & 1;
        d->flag_toggle ^= odd(rises(f->flags, 1));
    }
}

void live_leave(struct pc_live *live)
{
    struct pc_unit *u = live->unit;
    const bool reset = PC_GET(u->state.gctrl, GCTRL, PERIODIC_RESET);
    const unsigned rest = (unsigned)(live->cycles % 32);
    enum pc_flag_action action[PC_MAX_DOMAINS] = { PC_FLAG_FROZEN };

    if (!live->quick)
        return;
    live->quick = live->moving = false;
    live->step = live_slow_step;
    if (live->cycles == 0)
        return;
    for (unsigned i = 0; i < live->domains; i++) {
        struct live_domain *f = &live->domain[i];
        live_settle(u, f);
        f->d->event_toggle ^= f->event_odd ^ odd(rises(f->events, rest));
        f->d->flag_toggle ^= f->flag_odd ^ odd(rises(f->flags, rest));
        action[live->number[i]] = f->listened ? PC_FLAG_LISTENS : PC_FLAG_FROZEN;
    }
    run_synchronisers(live);
    for (unsigned i = 0; i < live->domains; i++)
        rewind_domain(&live->domain[i], live->cycles, reset);
    pc_unit_remember(u, live->edges, (const uint64_t(*)[PC_SIG_WORDS])live->raw, action);
}

void live_slow_step(struct pc_live *live, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS])
{
    live_leave(live);
    live->aborted = 0;
    if (edges != live->edges) {
        live->edges = edges;
        live->calm = 0;
    }
    pc_unit_step(live->unit, edges, raw);
    if (live->calm < LIVE_CALM && ++live->calm == LIVE_CALM)
        live->possible = compile_all(live);
    if (live->calm == LIVE_CALM && live->possible)
        (void)live_enter(live);
}
