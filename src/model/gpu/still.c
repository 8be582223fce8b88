/* SPDX-License-Identifier: MIT */
/*
 * A unit in which nothing plays, up to an instant.  With one clock it goes by pc_unit_advance().
 * Else its domains fall apart into islands that look at each other, or whose packets have to be in
 * the order of time; each goes by itself, at a leap if it has one clock.  What a domain remembers
 * of others is only that of its last edges, so these are gone through in the order of time, with
 * all islands brought up to each of them.
 */
#include "model/gpu/gpu.h"

#include <string.h>

#include "pcounter/run.h"

/*
 * WHILE: cycles in which an event counter that counts at all becomes full more than once.
 * LAST: edges after which a domain has forgotten what it sampled of others (PC.SYNC: three flops;
 * the signal, its selection and the flop after that).  FEW: cycles of the shortest period that
 * are not worth the islands.  APART: how much longer other periods are, where an island goes from
 * edge to edge of its slow domains.
 */
enum { WHILE = 1 << 18, LAST = 8, FEW_CYCLES = 64, APART = 32 };

/* A unit that stands still, and its islands */
struct still {
    struct pc_gpu *gpu;
    unsigned first; /* domain of the device */
    struct pc_gpu_domain *d;
    uint32_t island[PC_MAX_DOMAINS];
    unsigned islands;
};

static unsigned lowest(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static uint64_t cycles_until(const struct pc_gpu_domain *d, uint64_t to)
{
    return d->next_edge > to ? 0 : (to - d->next_edge) / d->period + 1;
}

/* --- domains --- */

static bool any_sends(const struct still *s, uint32_t mask)
{
    for (; mask; mask &= mask - 1)
        if (pc_sends(&s->d->unit->state.domain[lowest(mask)]))
            return true;
    return false;
}

/* Runs that many cycles of domains with edges at the same instants. */
static void run(const struct still *s, uint32_t mask, uint64_t cycles)
{
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    const struct pc_run all = { .cycles = cycles, .domain = domain };

    for (unsigned x = 0; x < s->d->unit->chip->domains; x++) {
        struct pc_gpu_domain *d = &s->d[x];
        domain[x] = (struct pc_run_domain){ .level = d->level, .still = !(mask >> x & 1) };
        pc_gpu_clock_of_run(s->gpu, x, d->next_edge, d->period, NULL);
        if (mask >> x & 1)
            d->next_edge += cycles * d->period;
    }
    pc_unit_run(s->d->unit, s->gpu->engine, &all);
}

static void leap_still(const struct still *s, uint32_t mask, uint64_t cycles)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];

    for (uint32_t left = mask; left; left &= left - 1) {
        struct pc_gpu_domain *d = &s->d[lowest(left)];
        memcpy(raw[lowest(left)], d->level, sizeof *raw);
        d->next_edge += cycles * d->period;
    }
    pc_unit_advance(s->d->unit, cycles, mask, (const uint64_t(*)[PC_SIG_WORDS])raw);
}

/*
 * Domains with one clock.  Those that send packets run, so that these can ask the engine for their
 * cycle, and as that is faster for many; but where a while brought none there is nothing to count.
 */
static void one_clock_until(const struct still *s, uint32_t mask, uint64_t to)
{
    uint64_t cycles = cycles_until(&s->d[lowest(mask)], to), some = WHILE;

    while (cycles > 0 && any_sends(s, mask)) {
        const uint64_t packets = s->gpu->packets;
        const uint64_t now = s->gpu->window.keeps || cycles < some ? cycles : some;
        run(s, mask, now);
        cycles -= now;
        some *= 2;
        if (s->gpu->packets == packets)
            break;
    }
    if (cycles > 0)
        leap_still(s, mask, cycles);
}

/* Makes the edges of these domains at this instant; there is one. */
static void take_edges(const struct still *s, uint32_t mask, uint64_t now)
{
    for (uint32_t left = mask; left; left &= left - 1)
        if (s->d[lowest(left)].next_edge != now)
            mask &= ~(left & (0 - left));
    run(s, mask, 1);
}

/* --- an island --- */

/* Returns the domains with the shortest period, if they have one clock, and all others are far
 * slower. */
static uint32_t far_faster(const struct still *s, uint32_t island)
{
    uint64_t period = UINT64_MAX, next = UINT64_MAX;
    uint32_t fast = 0;

    for (uint32_t left = island; left; left &= left - 1)
        if (s->d[lowest(left)].period < period)
            period = s->d[lowest(left)].period;
    for (uint32_t left = island; left; left &= left - 1)
        if (s->d[lowest(left)].period == period)
            fast |= left & (0 - left);
    for (uint32_t left = island & ~fast; left; left &= left - 1)
        if (s->d[lowest(left)].period < next)
            next = s->d[lowest(left)].period;
    return next / period >= APART && pc_gpu_one_clock(s->d, fast) ? fast : 0;
}

static void island_until(const struct still *s, uint32_t island, uint64_t to)
{
    uint32_t fast;
    uint64_t now;

    if (pc_gpu_one_clock(s->d, island)) {
        one_clock_until(s, island, to);
        return;
    }
    fast = far_faster(s, island);
    if (!fast) {
        pc_gpu_windows_until(s->gpu, s->first, island, to);
        return;
    }
    while ((now = pc_gpu_next_edge(s->d, island & ~fast)) <= to) {
        if (now > 0)
            one_clock_until(s, fast, now - 1);
        take_edges(s, island, now);
    }
    one_clock_until(s, fast, to);
}

/* A domain that is read, or that sends, also belongs to it. */
static uint32_t island_of(const struct still *s, unsigned domain)
{
    const struct pc_unit *u = s->d->unit;
    uint32_t island = 0, more = 1u << domain;

    while (more != island) {
        island = more;
        for (unsigned x = 0; x < u->chip->domains; x++) {
            uint32_t both = 1u << x | pc_selects(u, x);
            if (both & island || (any_sends(s, island) && any_sends(s, 1u << x)))
                more |= both;
        }
    }
    return island;
}

static void find_islands(struct still *s, uint32_t all)
{
    for (s->islands = 0; all; s->islands++) {
        s->island[s->islands] = island_of(s, lowest(all));
        all &= ~s->island[s->islands];
    }
}

/* --- the unit --- */

static void islands_until(const struct still *s, uint64_t to)
{
    for (unsigned i = 0; i < s->islands; i++)
        island_until(s, s->island[i], to);
}

/* Returns the next edge that is one of its domain's last ones: from last[] on. */
static uint64_t next_last(const struct still *s, const uint64_t *last)
{
    uint64_t now = UINT64_MAX;

    for (unsigned x = 0; x < s->d->unit->chip->domains; x++) {
        uint64_t next = s->d[x].next_edge > last[x] ? s->d[x].next_edge : last[x];
        now = next < now ? next : now;
    }
    return now;
}

static void apart_until(const struct still *s, uint32_t all, uint64_t to)
{
    uint64_t last[PC_MAX_DOMAINS], now;

    for (unsigned x = 0; x < s->d->unit->chip->domains; x++) {
        uint64_t cycles = cycles_until(&s->d[x], to);
        last[x] = s->d[x].next_edge + (cycles > LAST ? cycles - LAST : 0) * s->d[x].period;
    }
    while ((now = next_last(s, last)) <= to) {
        if (now > 0)
            islands_until(s, now - 1);
        take_edges(s, all, now);
    }
}

static bool few(const struct still *s, uint64_t to)
{
    for (unsigned x = 0; x < s->d->unit->chip->domains; x++)
        if (cycles_until(&s->d[x], to) > FEW_CYCLES)
            return false;
    return true;
}

void pc_gpu_still_until(struct pc_gpu *gpu, unsigned first, uint64_t to)
{
    struct still s = { .gpu = gpu, .first = first, .d = &gpu->domain[first] };
    const uint32_t all = (1u << s.d->unit->chip->domains) - 1;

    if (pc_gpu_one_clock(s.d, all)) {
        one_clock_until(&s, all, to);
        return;
    }
    if (few(&s, to)) {
        pc_gpu_windows_until(gpu, first, all, to);
        return;
    }
    find_islands(&s, all);
    if (s.islands > 1)
        apart_until(&s, all, to);
    else
        island_until(&s, all, to);
}
