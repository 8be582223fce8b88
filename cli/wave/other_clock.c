/* SPDX-License-Identifier: MIT */
/*
 * See other_clock.h.  A signal belongs to a clock if it changes in the timestamps in which that
 * has its edges of one kind, as registers do in a simulation without delays; and to the clock that
 * counts also if it nearly always changes as long after its edge.
 */
#include "wave/other_clock.h"
#include "pcounter/unstable/bus.h"
#include "wave/clock_evidence.h"
#include "wave/read_options.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum {
    CLOCKS = 64,    /* that are looked at */
    SIGNALS = 1024, /* bits of events, the same */
    STAMPS = 5000,
    CHANGES = 8 /* of a signal, before it says something */
};

/* A clock in the part that was read. */
struct other {
    size_t var;
    uint64_t last, period; /* of its rises; period 0: none is known */
    uint32_t rises;
    bool regular;
    uint8_t edge; /* in this timestamp: bit 0 a rise, bit 1 a fall */
};

struct signal {
    uint32_t changes;
    struct pc_delays delays;  /* after the counting clock's rises */
    uint32_t with[CLOCKS][2]; /* changes at rises and falls of another clock */
};

struct look {
    struct other clock[CLOCKS + 1]; /* the first one counts */
    size_t clocks;
    struct signal *signal;
    size_t signals;
    struct pc_wave_bit *bit; /* clocks, and then signals */
    uint8_t *was;            /* their levels: 0, 1, 2 */
};

/* Finds other value streams of one bit that are named as clocks are. */
static void find_clocks(struct look *l, const struct pc_wave *wave,
                        const struct pc_wave_clock *clock)
{
    struct pc_wave_var v, own;

    if (pc_wave_get_var(wave, clock->clock.var, &own) != PC_OK)
        return;
    l->clock[l->clocks++] = (struct other){ .var = clock->clock.var };
    for (size_t i = 0; l->clocks <= CLOCKS && pc_wave_get_var(wave, i, &v) == PC_OK; i++) {
        bool known = v.kind != PC_VAR_BITS || v.width != 1 || v.code == own.code ||
                     !pc_bus_is_clock_name(v.name);
        for (size_t c = 1; c < l->clocks && !known; c++) {
            struct pc_wave_var other = { .code = v.code };
            (void)!pc_wave_get_var(wave, l->clock[c].var, &other); /* it was there before */
            known = other.code == v.code;
        }
        if (!known)
            l->clock[l->clocks++] = (struct other){ .var = i, .regular = true };
    }
}

static unsigned level(const struct pc_wave_instant *now, size_t i)
{
    const bool unknown = now->unknown[0][i / 64] >> i % 64 & 1;

    return unknown ? 2 : (unsigned)(now->value[0][i / 64] >> i % 64 & 1);
}

static void look_at_clock(struct other *c, unsigned was, unsigned is, uint64_t time)
{
    c->edge = (uint8_t)((was == 0 && is == 1) | (was == 1 && is == 0) << 1);
    if (!(c->edge & 1))
        return;
    if (c->rises > 0) {
        const uint64_t period = time - c->last;
        c->regular = c->regular && (c->period == 0 || c->period == period);
        c->period = period;
    }
    c->rises++;
    c->last = time;
}

static void look_at_signal(const struct look *l, struct signal *s, uint64_t time)
{
    pc_delays_add(&s->delays, time - l->clock[0].last, 0);
    s->changes++;
    for (size_t c = 1; c < l->clocks; c++) {
        s->with[c - 1][0] += l->clock[c].edge & 1;
        s->with[c - 1][1] += l->clock[c].edge >> 1;
    }
}

/* Looks at one timestamp; a change from or to unknown does not count. */
static void look_at(void *ctx, const struct pc_wave_instant *now, bool first)
{
    struct look *l = ctx;

    for (size_t i = 0; i < l->clocks + l->signals; i++) {
        const unsigned is = level(now, i), was = first ? 2 : l->was[i];
        l->was[i] = (uint8_t)is;
        if (i < l->clocks)
            look_at_clock(&l->clock[i], was, is, now->time);
        else if (was != is && was < 2 && is < 2 && l->clock[0].rises > 0)
            look_at_signal(l, &l->signal[i - l->clocks], now->time);
    }
}

static bool is_most(uint64_t part, uint32_t whole)
{
    return 8 * part >= 7 * (uint64_t)whole;
}

/* Returns the clock that a signal belongs to, if that is another one. */
static size_t belongs_to(const struct look *l, const struct signal *s)
{
    const bool own = is_most(pc_delays_most(&s->delays, NULL), s->changes);
    const struct other *best = NULL;

    for (size_t c = 1; c < l->clocks && s->changes >= CHANGES; c++) {
        const struct other *o = &l->clock[c];
        const bool slower = o->regular && o->rises < l->clock[0].rises;
        const uint32_t *with = s->with[c - 1];
        if ((!own || slower) && o->rises >= CHANGES &&
            (is_most(with[0], s->changes) || is_most(with[1], s->changes)))
            best = best && best->rises <= o->rises ? best : o;
    }
    return best ? best->var : CLI_NO_CLOCK;
}

bool cli_other_clocks(const struct pc_wave *wave, const struct pc_wave_desc *desc,
                      const struct pc_wave_clock *clock, const struct pc_wave_bit *bit, size_t bits,
                      size_t *other)
{
    struct look *l = calloc(1, sizeof *l);
    bool ok = false;

    for (size_t i = 0; i < bits; i++)
        other[i] = CLI_NO_CLOCK;
    if (l && clock->edge != PC_EDGE_EVERY && !cli_read_once(desc->path))
        find_clocks(l, wave, clock);
    if (l && l->clocks > 1) {
        l->signals = bits < SIGNALS ? bits : SIGNALS;
        l->signal = calloc(l->signals + 1, sizeof *l->signal);
        l->bit = calloc(l->clocks + l->signals, sizeof *l->bit);
        l->was = calloc(l->clocks + l->signals, 1);
        if (l->signal && l->bit && l->was) {
            for (size_t c = 0; c < l->clocks; c++)
                l->bit[c] = c ? (struct pc_wave_bit){ l->clock[c].var, 0 } : clock->clock;
            memcpy(l->bit + l->clocks, bit, l->signals * sizeof *bit);
            ok = cli_read_stamps(desc, l->bit, l->clocks + l->signals, STAMPS, look_at, l);
        }
        for (size_t i = 0; ok && i < l->signals; i++)
            other[i] = belongs_to(l, &l->signal[i]);
    }
    if (l) {
        free(l->signal);
        free(l->bit);
        free(l->was);
    }
    free(l);
    return ok;
}
