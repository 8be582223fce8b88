/* SPDX-License-Identifier: MIT */
/*
 * Domains whose packets go to one memory must send them in the order of time, as the memory's
 * answer may depend on it; but wide domains are at different times.  So a window of time is run
 * ahead: packets are kept and answered by a guess, which is what the domain was told last.  At
 * the window's end they are delivered, in order.  Was every guess right, then all is as it must
 * be.  If not, everything goes back to where the window began; halves of windows that go right
 * bring it near the packet, whose word is stepped.  The memory sees no packet twice: those
 * that it has had are counted, and only the last of them had an unexpected answer.  Those of a
 * single domain are in order as they come, and need not be kept.
 *
 * The same finds where a domain that is watched stops to listen for good: one that a fault
 * hangs (D-70a), or one in single mode which ends while others depend on its FLAG through
 * different clocks (clocks_core.h).
 */
#include "engine/engine.h"

#include <string.h>

enum { SPAN = 64 * 1024, LONGEST = 16 * SPAN };

struct window {
    struct eg_stretch *s;
    uint32_t domains, watched;
    uint64_t from, to;
};

static uint32_t senders(const struct eg_stretch *s)
{
    uint32_t found = 0;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (s->mask >> x & 1 && pc_sends(&s->u->state.domain[x]))
            found |= 1u << x;
    return found;
}

/* --- packets of a window --- */

static enum pc_mem_result keep(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                               size_t size)
{
    struct pc_engine *e = ctx;
    struct eg_ahead *a = &e->ahead;

    if (a->packets == EG_PACKETS) {
        a->full = true;
        return a->guess[domain];
    }
    struct eg_packet *p = &a->packet[a->packets++];
    p->cycle = e->packet_cycle[domain];
    p->address = address;
    p->domain = (uint8_t)domain;
    p->size = (uint8_t)size;
    p->next = 0;
    memcpy(p->data, data, size);
    *(a->last[domain] ? &a->packet[a->last[domain] - 1].next : &a->first[domain]) = a->packets;
    a->last[domain] = a->packets;
    return a->guess[domain];
}

static enum pc_mem_result deliver(struct pc_engine *e, const struct eg_packet *p)
{
    const struct eg_ahead *a = &e->ahead;

    e->packet_cycle[p->domain] = p->cycle;
    return a->memory(a->ctx, p->domain, p->address, p->data, p->size);
}

/* The next packet of a domain, and when it is due. */
struct due {
    const struct eg_packet *packet; /* NULL: none is left */
    uint64_t instant;
    uint64_t word, before; /* of the domain's edges: where it was looked for, cycles before */
};

static uint64_t edge_word(const struct window *w, unsigned x, uint64_t word)
{
    return w->s->run->domain[x].edge[word];
}

/* The instant of the packet's cycle */
static void find_instant(const struct window *w, unsigned x, struct due *d)
{
    if (!w->s->run->domain[x].edge) {
        d->instant = d->packet->cycle;
        return;
    }
    uint64_t edges = edge_word(w, x, d->word);
    unsigned n = (unsigned)__builtin_popcountll(edges);
    while (d->before + n <= d->packet->cycle) {
        d->before += n;
        edges = edge_word(w, x, ++d->word);
        n = (unsigned)__builtin_popcountll(edges);
    }
    for (uint64_t i = d->before; i < d->packet->cycle; i++)
        edges &= edges - 1;
    d->instant = 64 * d->word + (unsigned)__builtin_ctzll(edges);
}

static void take_next(const struct window *w, unsigned x, struct due *d, uint32_t number)
{
    d->packet = number ? &w->s->e->ahead.packet[number - 1] : NULL;
    if (d->packet)
        find_instant(w, x, d);
}

/* PC.SYNC: of one instant the domains come in their order. */
static unsigned earliest(const struct due *due)
{
    unsigned first = PC_MAX_DOMAINS;

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        if (due[x].packet && (first == PC_MAX_DOMAINS || due[x].instant < due[first].instant))
            first = x;
    return first;
}

/* False: an answer was not what was guessed. */
static bool deliver_all(const struct window *w)
{
    struct eg_ahead *a = &w->s->e->ahead;
    struct due due[PC_MAX_DOMAINS] = { { .packet = NULL } };
    uint64_t n = 0;
    unsigned x;

    for (x = 0; x < PC_MAX_DOMAINS; x++) {
        due[x].word = w->from / 64; /* the window begins with a word */
        due[x].before = a->mark[x].at;
        take_next(w, x, &due[x], a->first[x]);
    }
    for (; (x = earliest(due)) < PC_MAX_DOMAINS; take_next(w, x, &due[x], due[x].packet->next)) {
        enum pc_mem_result result = a->guess[x];
        if (++n == a->delivered)
            result = a->answer;
        else if (n > a->delivered)
            result = deliver(w->s->e, due[x].packet);
        if (result != a->guess[x]) {
            a->delivered = n;
            a->answer = result;
            return false;
        }
    }
    a->delivered -= n < a->delivered ? n : a->delivered;
    return true;
}

/* Of one domain: a packet goes out unless it has, or an answer before it was not the guess. */
static enum pc_mem_result in_order(void *ctx, unsigned domain, uint64_t address,
                                   const uint8_t *data, size_t size)
{
    struct pc_engine *e = ctx;
    struct eg_ahead *a = &e->ahead;
    enum pc_mem_result result = a->guess[domain];

    if (a->wrong)
        return result;
    if (++a->sent == a->delivered)
        result = a->answer;
    else if (a->sent > a->delivered)
        result = a->memory(a->ctx, domain, address, data, size);
    if (result != a->guess[domain]) {
        a->delivered = a->sent;
        a->answer = result;
        a->wrong = true;
    }
    return a->guess[domain];
}

/* False: an answer was not what was guessed, or the window does not hold for another reason. */
static bool all_in_order(struct eg_ahead *a, bool holds, unsigned domain)
{
    if (a->wrong)
        return false;
    if (holds) {
        a->delivered -= a->sent < a->delivered ? a->sent : a->delivered;
    } else if (a->sent > a->delivered) {
        a->delivered = a->sent;
        a->answer = a->guess[domain];
    }
    return holds;
}

/* Where all are at the same time: a packet goes out at once, unless it has. */
static enum pc_mem_result at_once(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                                  size_t size)
{
    struct pc_engine *e = ctx;
    struct eg_ahead *a = &e->ahead;
    enum pc_mem_result result = a->answer;

    if (a->delivered == 0)
        result = a->memory(a->ctx, domain, address, data, size);
    else if (--a->delivered > 0)
        result = a->guess[domain];
    a->guess[domain] = result == PC_MEM_FAULT ? PC_MEM_FAULT : PC_MEM_OK;
    return result;
}

/* --- back and forth --- */

static void mark(const struct window *w)
{
    struct pc_engine *e = w->s->e;
    struct eg_ahead *a = &e->ahead;

    a->state = w->s->u->state;
    a->wide_cycles = e->wide_cycles;
    a->relaxed_cycles = e->relaxed_cycles;
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        struct eg_lane *lane = &e->lane[x];
        struct eg_mark *m = &a->mark[x];
        if (!(w->domains >> x & 1))
            continue;
        eg_lane_slide(lane);
        m->at = lane->at;
        m->base = lane->base;
        for (unsigned i = 0; i < 4; i++)
            memcpy(m->shown[i], lane->shown[i].word, sizeof m->shown[i]);
    }
    a->packets = 0;
    a->sent = 0;
    a->full = a->wrong = false;
    memset(a->first, 0, sizeof a->first);
    memset(a->last, 0, sizeof a->last);
}

static void go_back(const struct window *w)
{
    struct pc_engine *e = w->s->e;
    const struct eg_ahead *a = &e->ahead;
    struct pc_state *state = &w->s->u->state;

    e->wide_cycles = a->wide_cycles;
    e->relaxed_cycles = a->relaxed_cycles;
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        struct eg_lane *lane = &e->lane[x];
        const struct eg_mark *m = &a->mark[x];
        if (!(w->domains >> x & 1))
            continue;
        state->domain[x] = a->state.domain[x];
        lane->at = m->at;
        lane->base = m->base;
        for (unsigned i = 0; i < 4; i++)
            memcpy(lane->shown[i].word, m->shown[i], sizeof m->shown[i]);
    }
}

/* Does a domain that is watched still do with its flag what it did? */
static bool still_listen(const struct window *w)
{
    const struct pc_unit *u = w->s->u;

    for (unsigned x = 0; x < u->chip->domains; x++)
        if (w->watched >> x & 1 &&
            eg_listens(u, &u->state.domain[x]) != eg_listens(u, &w->s->e->ahead.state.domain[x]))
            return false;
    return true;
}

static void answer_by(const struct window *w, pc_mem_write_fn *fn)
{
    if (w->s->e->ahead.memory)
        w->s->u->mem_write = fn;
}

/* False: nothing has happened. */
static bool run_ahead(const struct window *w)
{
    struct eg_ahead *a = &w->s->e->ahead;
    const uint32_t sending = senders(w->s);
    const bool alone = (sending & (sending - 1)) == 0;
    bool right;

    mark(w);
    answer_by(w, alone ? in_order : keep);
    eg_islands(w->s, w->domains, w->from, w->to);
    right = !a->full && still_listen(w);
    right = alone ? all_in_order(a, right, sending ? (unsigned)__builtin_ctz(sending) : 0)
                  : right && deliver_all(w);
    if (!right)
        go_back(w);
    return right;
}

static void walk(const struct window *w)
{
    answer_by(w, at_once);
    eg_walk(w->s, w->domains, w->from, w->to);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The middle of both, where a word begins. */
static uint64_t between(uint64_t from, uint64_t to)
{
    return from + (to - from) / 128 * 64;
}

/* All instants from w.from to `to`. */
static void run_all(struct window w, uint64_t to)
{
    const struct eg_ahead *a = &w.s->e->ahead;
    uint64_t span = SPAN, wrong = UINT64_MAX; /* it goes wrong before this */

    for (; w.from < to; w.from = w.to) {
        w.to = least(w.from + span, to);
        if (wrong != UINT64_MAX)
            w.to = wrong - w.from > 64 ? between(w.from, wrong) : wrong;
        while (w.to != wrong && !run_ahead(&w)) {
            bool full = a->full;
            span = full && span > 128 ? span / 2 : span;
            wrong = full ? wrong : w.to;
            w.to = w.to - w.from > 64 ? between(w.from, w.to) : w.to;
        }
        if (w.to == wrong) {
            walk(&w);
            wrong = UINT64_MAX;
        } else if (a->packets < EG_PACKETS / 4 && span < LONGEST) {
            span *= 2;
        }
    }
}

/* In single mode, and not at its end */
static uint32_t may_end(const struct eg_stretch *s)
{
    uint32_t found = 0;

    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        const struct pc_domain *d = &s->u->state.domain[x];
        if (d->control.mode == PC_MODE_SINGLE && d->single_state != PC_INACTIVE)
            found |= 1u << x;
    }
    return found;
}

uint32_t eg_runs_ahead(const struct eg_stretch *s, const struct eg_graph *g)
{
    uint32_t sending = senders(s);
    bool several = sending & (sending - 1) && s->u->mem_write;
    bool ordered = several || s->u->options.record_fault == PC_FAULT_HANG;

    return (ordered ? sending : 0) | (eg_mixed(s, g) & may_end(s));
}

void eg_ahead(struct eg_stretch *s, uint32_t domains, uint64_t from, uint64_t to)
{
    struct pc_engine *e = s->e;
    struct eg_ahead *a = &e->ahead;
    struct window w = { .s = s, .domains = domains, .from = from };

    w.watched = eg_mixed(s, &e->graph);
    if (s->u->options.record_fault == PC_FAULT_HANG)
        w.watched |= senders(s);
    a->memory = s->u->mem_write;
    a->ctx = s->u->mem_ctx;
    a->delivered = 0;
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        a->guess[x] = PC_MEM_OK;
    if (a->memory)
        s->u->mem_ctx = e;
    run_all(w, to);
    s->u->mem_write = a->memory;
    s->u->mem_ctx = a->ctx;
}
