/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_advance: many cycles in which no input changes.  The unit is then an automaton that
 * must come back to where it was.  Its state is split in two: what decides (machines, flops,
 * and of each counter only what is asked about it), and what is only added to.  Cycles are
 * stepped until the former recurs; if the latter grew by the same amounts in two such periods,
 * any number of further periods is a multiplication, as long as no counter comes to a value
 * at which something is decided (advance_state.c).
 *
 * Twice over: small periods between the ticks of PERIODIC and the packets of record mode, and
 * large ones made of these.  Packets that somebody receives are never skipped: the time grows
 * with their number.
 */
#include "model/engine/advance.h"

#include <string.h>

#include "model/rules/period.h"

/* PC.PERIODIC.1: cycles before the one with the next tick; UINT64_MAX: none that matters. */
static uint64_t to_tick(const struct advance *a)
{
    uint64_t first = UINT64_MAX;

    for (unsigned x = 0; x < a->u->chip->domains; x++)
        if (a->ticks[x] != 0) {
            uint32_t mask = a->ticks[x] - 1;
            uint64_t cycles = mask - (a->u->state.domain[x].periodic & mask);
            first = cycles < first ? cycles : first;
        }
    return first;
}

static void step(struct advance *a)
{
    pc_unit_pass(a->u, a->edges, a->raw);
    a->idle &= a->u->dormant;
}

/* --- periods --- */

/* A domain that was dormant since then is not looked at; where there are stages, all are. */
static void anchor(struct advance *a, struct advance_watch *w)
{
    a->idle = a->u->dormant;
    w->looks = w->exact ? a->edges : a->edges & ~a->idle;
    advance_anchor(a, w);
    w->packets = a->packets;
    w->cycles = w->steps = 0;
}

static void begin_watch(struct advance *a, struct advance_watch *w)
{
    w->power = 1;
    w->length = 0;
    anchor(a, w);
}

/*
 * Checks for recurrence after a step (of the watch's own size) that took that many cycles. True:
 * two periods in a row were alike, and w->length cycles add w->delta. The anchor moves on by powers
 * of two, so that it passes any beginning that does not recur.
 */
static bool recurs(struct advance *a, struct advance_watch *w, uint64_t cycles)
{
    struct advance_delta delta[PC_MAX_DOMAINS];
    bool all = w->exact || (a->edges & ~(w->looks | a->idle)) == 0;
    bool same = all && advance_same(a, w), sent = a->receives && a->packets != w->packets;

    w->cycles += cycles;
    w->steps++;
    if (!same && w->steps < w->power)
        return false;
    if (!same || sent) {
        w->power *= same ? 1 : 2;
        w->length = 0;
        anchor(a, w);
        return false;
    }
    memset(delta, 0, sizeof delta);
    advance_difference(a, w, delta);
    bool alike = w->length == w->cycles && memcmp(delta, w->delta, sizeof delta) == 0;
    w->length = w->cycles;
    memcpy(w->delta, delta, sizeof delta);
    anchor(a, w);
    return alike;
}

/* Leaps as many periods at once as `left` and the counters allow; one cycle always remains. */
static uint64_t leap_periods(struct advance *a, struct advance_watch *w, uint64_t left)
{
    uint64_t times = left > 0 ? (left - 1) / w->length : 0;

    if (times > ADVANCE_MOST / w->length)
        times = ADVANCE_MOST / w->length;
    times = advance_limit(a, w, times);
    if (times > 0)
        advance_apply(a, w, times);
    return times * w->length;
}

/* Runs cycles without a tick. */
static void quiet(struct advance *a, uint64_t cycles)
{
    struct advance_watch *w = &a->small;

    begin_watch(a, w);
    while (cycles > 0) {
        step(a);
        cycles--;
        if (recurs(a, w, 1)) {
            cycles -= leap_periods(a, w, cycles);
            begin_watch(a, w);
        }
    }
}

/* Goes to the next tick and through it, or to where record mode may have sent a packet. */
static uint64_t large_step(struct advance *a, uint64_t left)
{
    uint64_t tick = to_tick(a), cycles = left < ADVANCE_PACKET ? left : ADVANCE_PACKET;

    if (tick >= cycles) {
        quiet(a, cycles);
        return cycles;
    }
    quiet(a, tick);
    step(a);
    return tick + 1;
}

static void large(struct advance *a, uint64_t cycles)
{
    struct advance_watch *w = &a->large;

    begin_watch(a, w);
    while (cycles > 0) {
        uint64_t done = large_step(a, cycles);
        cycles -= done;
        if (recurs(a, w, done)) {
            cycles -= leap_periods(a, w, cycles);
            begin_watch(a, w);
        }
    }
}

/* --- the call --- */

static enum pc_mem_result receive(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                                  size_t size)
{
    struct advance *a = (struct advance *)ctx;

    a->packets++;
    return a->receives(a->receiver, domain, address, data, size);
}

/* Clocks of PERIODIC if something in the domain looks at it; else 0. */
static uint32_t ticks_of(const struct pc_unit *u, unsigned x)
{
    const struct pc_domain *d = &u->state.domain[x];
    const int slot = u->slots[x].periodic;
    unsigned inputs = pc_has(u, PC_F_OWN_FLAG_SRC) ? PC_INPUTS : PC_IN_SETFLAG;
    bool looks = pc_has(u, PC_F_SWAP_SRC) && (int)PC_GET(d->spec_src, SPEC_SRC, SWAP) == slot;

    if (slot < 0 || PC_GET(u->state.gctrl, GCTRL, PERIODIC_RESET))
        return 0;
    for (unsigned s = 0; s < inputs * 4; s++)
        looks |= (int)(d->src[s / 4] >> (8 * (s % 4)) & 0xff) == slot;
    return looks ? pc_period_clocks(d->control.periodic) : 0;
}

void pc_unit_advance(struct pc_unit *u, uint64_t cycles, uint32_t edges,
                     const uint64_t (*raw)[PC_SIG_WORDS])
{
    struct advance a; /* large: what is not used is not touched */
    bool stages = false;

    a.u = u;
    a.edges = edges;
    a.raw = raw;
    a.receives = NULL;
    a.packets = 0;
    a.small.exact = false;
    a.large.exact = true;
    memset(a.ticks, 0, sizeof a.ticks);

    if (u->mem_write) {
        a.receives = u->mem_write;
        a.receiver = u->mem_ctx;
        u->mem_write = receive;
        /* Until the end of this function only. */
        // cppcheck-suppress autoVariables
        u->mem_ctx = &a;
    }
    a.idle = 0;
    for (unsigned i = 0; i < 2 && cycles > 0; i++, cycles--) /* what writes left is done */
        step(&a);
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (edges >> x & 1) {
            a.ticks[x] = ticks_of(u, x);
            stages = stages || a.ticks[x] != 0 || u->state.domain[x].control.mode == PC_MODE_RECORD;
        }
    if (stages)
        large(&a, cycles);
    else
        quiet(&a, cycles);
    if (a.receives) {
        u->mem_write = a.receives;
        u->mem_ctx = a.receiver;
    }
}
