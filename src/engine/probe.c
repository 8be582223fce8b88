/* SPDX-License-Identifier: MIT */
/*
 * The effect of cycles on a domain, by running them from counters of 0.  Where the head of
 * an open period ends, the cycle is looked for by halving: what is asked for never becomes
 * untrue again.
 */
#include "engine/effect.h"

#include <string.h>

/* Each piece is four times the one before: its ends are stepped, and what is looked for is mostly
 * near. */
enum { FIRST_PIECE = 4096, LAST_PIECE = 1 << 24 };

struct probe {
    struct pc_unit *u;
    struct pc_engine *e;
    const struct pc_run *run;
    unsigned domain;
    uint64_t at, end;
};

typedef bool happened(const struct pc_domain *d);

static struct pc_domain *domain_of(const struct probe *p)
{
    return &p->u->state.domain[p->domain];
}

static void run_to(struct probe *p, uint64_t to)
{
    eg_run_stretch(p->u, p->e, p->run, 1u << p->domain, p->at, to);
    p->at = to;
}

/* From a state in which it has not happened to right behind the cycle in which it does. */
static void halve(struct probe *p, struct pc_domain before, uint64_t to, happened *what)
{
    while (to - p->at > 1) {
        uint64_t from = p->at;
        *domain_of(p) = before;
        run_to(p, from + (to - from) / 2);
        if (what(domain_of(p))) {
            to = p->at;
            p->at = from;
        } else {
            before = *domain_of(p);
        }
    }
    *domain_of(p) = before;
    run_to(p, to);
}

/* Runs until right behind the cycle in which it happens; false: it does not. */
static bool run_until(struct probe *p, happened *what)
{
    uint64_t piece = FIRST_PIECE;

    while (p->at < p->end) {
        struct pc_domain before = *domain_of(p);
        uint64_t from = p->at, to = p->end - from < piece ? p->end : from + piece;
        run_to(p, to);
        if (what(domain_of(p))) {
            p->at = from;
            halve(p, before, to, what);
            return true;
        }
        piece = piece < LAST_PIECE ? piece * 4 : piece;
    }
    return false;
}

/* --- quad mode --- */

/* Without a signal for it a swap is asked for by writes and pulses, of which a chunk has none. */
static bool may_swap(const struct probe *p)
{
    return pc_has(p->u, PC_F_SWAP_SRC) || domain_of(p)->pulse[PC_PULSE_PM_TRIGGER];
}

static bool swapped(const struct pc_domain *d)
{
    return d->quad_state != PC_EMPTY;
}

static void probe_quad(struct probe *p, struct eg_effect *out)
{
    struct pc_domain *d = domain_of(p);

    if (!may_swap(p)) {
        run_to(p, p->end);
    } else if (run_until(p, swapped)) {
        out->head = d->visible;
        run_to(p, p->end);
        out->swaps = d->quad_state == PC_VALID ? 1 : 2;
        if (out->swaps == 2)
            out->complete = d->visible;
    }
    out->tail = d->shadow;
}

/* --- single mode --- */

static bool stopped(const struct pc_domain *d)
{
    return d->visible.stop != PC_CTR32_MAX;
}

static bool started(const struct pc_domain *d)
{
    return d->single_state == PC_COUNTING || stopped(d);
}

/*
 * COUNTING: the head up to the first STOP, of which only the counts are wanted: whether it
 * reaches the threshold is not known here.  Then WAIT_START up to the first START, which
 * clears the counters by itself.
 */
static void probe_periods(struct probe *p, struct eg_effect *out)
{
    struct pc_domain *d = domain_of(p);
    bool one = !pc_has(p->u, PC_F_PERIOD_ALL) || !d->control.period_all;

    d->visible.stop = PC_CTR32_MAX;
    if (d->single_state == PC_COUNTING && run_until(p, stopped)) {
        out->head = d->visible;
        out->uses = 1;
        d->visible.stop = PC_CTR32_MAX;
        d->visible.start = 0;
        d->visible.cycles = 0;
        if (one)
            d->visible.event = 0;
    }
    if (d->single_state == PC_WAIT_START && p->at < p->end && run_until(p, started)) {
        out->started = true;
        run_to(p, p->end);
    }
    out->uses += PC_CTR32_MAX - d->visible.stop;
    out->tail = d->visible;
    out->tail.stop = 0;
    if (!one)
        out->tail.start = 0;
}

static void probe_single(struct probe *p, struct eg_effect *out)
{
    struct pc_domain *d = domain_of(p);

    switch ((enum pc_single_state)d->single_state) {
    case PC_WAIT_PRE:
        d->visible.pre = PC_CTR32_MAX;
        run_to(p, p->end);
        out->uses = PC_CTR32_MAX - d->visible.pre;
        break;
    case PC_WAIT_START:
    case PC_COUNTING:
        probe_periods(p, out);
        break;
    default:
        run_to(p, p->end);
        break;
    }
}

struct eg_effect eg_probe(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run,
                          unsigned domain, const struct eg_key *key, uint64_t from, uint64_t to)
{
    struct probe p = { u, e, run, domain, from, to };
    struct pc_domain *d = domain_of(&p);
    struct eg_effect out = eg_effect_none(key);

    memset(&d->visible, 0, sizeof d->visible);
    memset(&d->shadow, 0, sizeof d->shadow);
    d->quad_state = PC_EMPTY;
    d->diagnostics = 0;
    d->event_toggle = d->flag_toggle = false;
    d->record.dirty = false;
    eg_key_enter(d, key);
    if (d->control.mode == PC_MODE_QUAD)
        probe_quad(&p, &out);
    else if (d->control.mode == PC_MODE_SINGLE)
        probe_single(&p, &out);
    else
        run_to(&p, to);
    out.leaves = eg_key_of(d);
    out.event_toggle = d->event_toggle;
    out.flag_toggle = d->flag_toggle;
    out.diagnostics = d->diagnostics;
    out.dirty = d->record.dirty;
    out.cycles = to - from;
    return out;
}
