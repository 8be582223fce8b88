/* SPDX-License-Identifier: MIT */
/*
 * A quick cycle, for the file that includes this and defines
 *
 *   pick(f, raw, plain)   the selectors of raw signals that are 1; plain: sixteen of them
 *   STEPS                 the name of its functions
 *
 * Inputs first, for all domains, as the reference must have the cycle undisturbed where one of
 * them needs it; then counters and flops.
 */
#ifndef PC_ENGINE_LIVE_CORE_H
#define PC_ENGINE_LIVE_CORE_H

#include "model/engine/engine.h"
#include "model/engine/live.h"

#include <string.h>

#include "model/rules/counter.h"
#include "model/rules/flag.h"

#define INLINE inline __attribute__((always_inline))

/* Four bits as four numbers. */
#define BIT(i, place) ((uint64_t)((i) >> (place)&1) << 16 * (place))
#define SPREAD(i)     (BIT(i, 0) | BIT(i, 1) | BIT(i, 2) | BIT(i, 3))
#define SPREAD4(i)    SPREAD(i), SPREAD((i) + 1), SPREAD((i) + 2), SPREAD((i) + 3)
static const uint64_t four_fields[16] = { SPREAD4(0), SPREAD4(4), SPREAD4(8), SPREAD4(12) };

/* Returns FLAG and PERIODIC. PC.PERIODIC.1. */
static inline uint32_t driven(const struct live_domain *f, uint64_t cycle)
{
    uint32_t counter = f->d->periodic + (uint32_t)cycle;
    uint32_t on = f->flag_cur ? f->on_flag : 0;

    return on | ((counter & f->periodic_mask) == f->periodic_mask ? f->on_periodic : 0);
}

/* SETFLAG: START_SRC[2..3], PRE_SRC[0..1]; CLRFLAG: PRE_SRC[2..3], START_SRC[0..1].  PC.IN.13 */
static inline uint32_t with_flag_sources(uint32_t selected)
{
    uint32_t set = (selected >> 6 & 3) | (selected & 3) << 2, clear = selected >> 2 & 15;

    return selected | set << 16 | clear << 20;
}

static inline uint32_t input(const struct live_domain *f, enum pc_input n, uint32_t args)
{
    return f->table[n] >> (args >> 4 * n & 31) & 1; /* the table is there twice */
}

/* plain: the domain has neither FLAG nor PERIODIC nor SETFLAG, as most have. */
static INLINE struct live_inputs
inputs(const struct live_domain *f, const uint64_t raw[PC_SIG_WORDS], uint64_t cycle, bool plain)
{
    struct live_inputs in = { .wide = pick(f, raw, plain) | f->on_always };

    if (!plain && f->driven)
        in.wide |= driven(f, cycle);
    if (!plain && !f->own_sources)
        in.wide = with_flag_sources(in.wide);
    uint32_t args =
        (in.wide & f->now) | (f->seen & f->late) | (f->seen & f->late_high) << 2; /* D-19 */
    if (!plain && (f->flag_moves || f->needs_set)) {
        in.set = input(f, PC_IN_SETFLAG, args);
        in.clear = input(f, PC_IN_CLRFLAG, args);
        args |= in.set ? f->chained : 0;
    }
    in.pre = input(f, PC_IN_PRE, args);
    in.start = input(f, PC_IN_START, args);
    in.event = input(f, PC_IN_EVENT, args);
    in.stop = input(f, PC_IN_STOP, args);
    return in;
}

/* Returns true for a swap, or a packet. */
static INLINE bool extraordinary(const struct live_domain *f, const struct live_inputs *in,
                                 const uint64_t raw[PC_SIG_WORDS])
{
    if (raw[f->swap_word] & f->swap_mask)
        return true;
    if (f->mode == PC_MODE_RECORD)
        return in->stop || f->room == 0;
    return f->mode == PC_MODE_STREAM && in->stop;
}

static struct pc_increment special(const struct live_domain *f, struct live_inputs in)
{
    const struct pc_counted counted = { in.pre != 0, in.start != 0, in.event != 0, in.stop != 0,
                                        in.wide & 0xffff };

    return pc_increment((enum pc_ctr_mode)f->ctr_mode, &counted, f->gated);
}

static INLINE struct pc_increment increment(const struct live_domain *f,
                                            const struct live_inputs *in, bool plain)
{
    if (plain || f->ctr_mode == PC_CTR_SIMPLE)
        return (struct pc_increment){
            .event = in->event, .start = in->start, .pre = in->pre, .stop = in->stop
        };
    return special(f, *in);
}

static INLINE void count_all(struct live_domain *f, const struct live_inputs *in, bool plain)
{
    const struct pc_increment inc = increment(f, in, plain);

    f->cycles++;
    f->event += inc.event;
    f->start += inc.start;
    f->pre += inc.pre;
    f->stop += inc.stop;
}

static INLINE void record(struct live_domain *f, uint32_t wide)
{
    f->cycles++;
    f->room--;
    f->four[0] += four_fields[wide & 15];
    f->four[1] += four_fields[wide >> 4 & 15];
    f->four[2] += four_fields[wide >> 8 & 15];
}

/* Returns whether the flag listens. */
static INLINE bool single(const struct pc_unit *u, struct live_domain *f,
                          const struct live_inputs *in, bool plain)
{
    struct pc_domain *d = f->d;
    const enum pc_single_cycle cycle =
        pc_single_next(&d->single_state, &d->visible.pre, &d->visible.stop, in->pre != 0,
                       in->start != 0, in->stop != 0);

    if (cycle == PC_SINGLE_RESTS)
        return false;
    if (cycle == PC_SINGLE_BEGINS)
        pc_single_begins(u, d);
    if (cycle < PC_SINGLE_COUNTS)
        return true;
    const struct pc_increment inc = increment(f, in, plain);
    f->cycles++;
    f->event += inc.event;
    f->pre += inc.extra;
    if (cycle == PC_SINGLE_ENDS) {
        live_settle(u, f);
        pc_single_ends(u, d);
    }
    return true;
}

static INLINE bool count_quick(const struct pc_unit *u, struct live_domain *f,
                               const struct live_inputs *in, bool plain)
{
    switch ((enum pc_mode)f->mode) {
    case PC_MODE_SINGLE:
        return single(u, f, in, plain);
    case PC_MODE_RECORD:
        record(f, in->wide);
        return true;
    case PC_MODE_QUAD:
    case PC_MODE_STREAM:
        count_all(f, in, plain);
        return true;
    case PC_MODE_NONE:
        break;
    }
    return f->none_listens;
}

/* Makes step 7, and steps 8 and 9 as far as they cannot be made up for. */
static INLINE void commit(const struct pc_unit *u, struct live_domain *f,
                          const struct live_inputs *in, bool plain)
{
    f->listened = count_quick(u, f, in, plain);
    f->before = f->seen;
    f->seen = in->wide;
    f->events = f->events << 1 | in->event;
    if (!plain && f->flag_moves) { /* D-23 */
        f->flags = f->flags << 1 | f->flag_cur;
        f->flag_cur = f->flag_next;
        if (f->listened)
            f->flag_next = pc_flag_next(f->flag_next, in->set != 0, in->clear != 0);
    }
}

static INLINE void keep(struct pc_live *live, unsigned x, const uint64_t raw[PC_SIG_WORDS])
{
    memcpy(live->raw[x], raw, sizeof live->raw[x]);
}

/* Several domains: all of them look before one counts. */
static bool step_all(struct pc_live *live, const uint64_t (*raw)[PC_SIG_WORDS])
{
    struct live_inputs in[PC_MAX_DOMAINS];

    for (unsigned i = 0; i < live->domains; i++) {
        const unsigned x = live->number[i];
        in[i] = inputs(&live->domain[i], raw[x], live->cycles, false);
        if (extraordinary(&live->domain[i], &in[i], raw[x]))
            return false;
    }
    for (unsigned i = 0; i < live->domains; i++) {
        commit(live->unit, &live->domain[i], &in[i], false);
        keep(live, live->number[i], raw[live->number[i]]);
    }
    return true;
}

/* Steps several plain domains in quad mode, of which only a swap is extraordinary. */
static bool step_quads(struct pc_live *live, const uint64_t (*raw)[PC_SIG_WORDS])
{
    for (unsigned i = 0; i < live->domains; i++)
        if (raw[live->number[i]][live->domain[i].swap_word] & live->domain[i].swap_mask)
            return false;
    for (unsigned i = 0; i < live->domains; i++) {
        struct live_domain *f = &live->domain[i];
        const unsigned x = live->number[i];
        if (f->mode != PC_MODE_QUAD)
            __builtin_unreachable();
        const struct live_inputs in = inputs(f, raw[x], live->cycles, true);
        commit(live->unit, f, &in, true);
        keep(live, x, raw[x]);
    }
    return true;
}

/* Steps one domain. */
static INLINE bool step_one(struct pc_live *live, const uint64_t (*raw)[PC_SIG_WORDS], bool plain)
{
    struct live_domain *f = &live->domain[0];
    const unsigned x = live->number[0];
    const struct live_inputs in = inputs(f, raw[x], live->cycles, plain);

    if (extraordinary(f, &in, raw[x]))
        return false;
    commit(live->unit, f, &in, plain);
    keep(live, x, raw[x]);
    return true;
}

static INLINE void end(struct pc_live *live)
{
    if ((++live->cycles & 31) == 0)
        live_fold(live);
}

static void step_any(struct pc_live *live, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS])
{
    if (edges == live->edges && step_all(live, raw))
        end(live);
    else
        live_slow_step(live, edges, raw);
}

static void plain_quads(struct pc_live *live, uint32_t edges, const uint64_t (*raw)[PC_SIG_WORDS])
{
    if (edges == live->edges && step_quads(live, raw))
        end(live);
    else
        live_slow_step(live, edges, raw);
}

/* One domain in one mode: the compiler drops all that others would need. */
#define ONE(name, its_mode, plain)                                                                 \
    static void name(struct pc_live *live, uint32_t edges, const uint64_t(*raw)[PC_SIG_WORDS])     \
    {                                                                                              \
        if (live->domain[0].mode != (its_mode))                                                    \
            __builtin_unreachable();                                                               \
        if (edges == live->edges && step_one(live, raw, plain))                                    \
            end(live);                                                                             \
        else                                                                                       \
            live_slow_step(live, edges, raw);                                                      \
    }
ONE(step_single, PC_MODE_SINGLE, false)
ONE(step_quad, PC_MODE_QUAD, false)
ONE(step_record, PC_MODE_RECORD, false)
ONE(plain_single, PC_MODE_SINGLE, true)
ONE(plain_quad, PC_MODE_QUAD, true)
ONE(plain_record, PC_MODE_RECORD, true)

const struct live_steps STEPS = {
    .any = step_any,
    .quads = plain_quads,
    .one = { [PC_MODE_SINGLE] = { step_single, plain_single },
             [PC_MODE_QUAD] = { step_quad, plain_quad },
             [PC_MODE_RECORD] = { step_record, plain_record },
             [PC_MODE_STREAM] = { step_any, step_any },
             [PC_MODE_NONE] = { step_any, step_any } },
};

#endif
