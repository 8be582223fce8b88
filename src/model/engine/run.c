/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run: between two writes a segment has a head and a tail that are stepped, and a
 * middle, through which domains that have nothing to do with others go wide, and the rest is
 * stepped. The head lasts until every domain has forgotten what was written, and its last pulse;
 * the tail leaves all that the unit remembers of its last cycles (vector, synchronisers, histories)
 * to the reference.
 */
#include "model/engine/engine.h"

/* Edges of each domain in the tail; instants below which a segment is stepped */
enum { TAIL = 8, LEAST = 256 };

/* --- the middle of a segment --- */

/* Delivers a packet of the block to the memory, unless it has been there. */
static enum pc_mem_result deliver_once(void *ctx, unsigned domain, uint64_t address,
                                       const uint8_t *data, size_t size)
{
    struct eg_delivery *d = &((struct pc_engine *)ctx)->delivery;

    if (++d->sent <= d->known)
        return d->sent < d->known ? PC_MEM_OK : PC_MEM_FAULT;
    return d->memory(d->ctx, domain, address, data, size);
}

static void deliver_begin(struct eg_segment *s)
{
    s->e->delivery = (struct eg_delivery){ .memory = s->u->mem_write, .ctx = s->u->mem_ctx };
    if (s->u->mem_write) {
        s->u->mem_write = deliver_once;
        s->u->mem_ctx = s->e;
    }
}

static void deliver_end(struct eg_segment *s)
{
    s->u->mem_write = s->e->delivery.memory;
    s->u->mem_ctx = s->e->delivery.ctx;
}

/* Steps `cycles` cycles of a domain, but none from `end` on. */
static void step_alone(struct eg_segment *s, unsigned x, uint64_t cycles, uint64_t end)
{
    for (; cycles > 0 && s->e->lane[x].at < end; cycles--)
        eg_step_edges(s, 1u << x);
}

/* Runs whole words of a domain by itself, wide; what is left of a word at either end is stepped. */
static void run_alone(struct eg_segment *s, unsigned x, uint64_t from, uint64_t to)
{
    struct eg_lane *lane = &s->e->lane[x];
    const uint64_t end = lane->at + eg_edges_between(s, x, from, to);
    struct eg_program program;
    uint64_t stepped;

    deliver_begin(s);
    step_alone(s, x, (64 - lane->at % 64) % 64, end);
    while (end - lane->at >= 64) {
        const uint64_t first = lane->at / 64;
        eg_lone_begin(&program, s->u, s->e, s->run, x);
        lane->at = 64 * eg_lone(&program, s->u, s->e, s->run, x, first, end / 64, &stepped);
        if (lane->at < end / 64 * 64)
            step_alone(s, x, 64 * stepped, end);
        s->e->delivery.known = 0;
    }
    step_alone(s, x, 64, end);
    deliver_end(s);
}

static void middle(struct eg_segment *s, uint64_t from, uint64_t to)
{
    eg_picks_make(&s->e->picks, s->u, s->mask);
    const uint32_t alone = eg_alone(&s->e->picks, s->u, s->mask);

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (alone >> x & 1)
            run_alone(s, x, from, to);
    if (alone)
        pc_awake(s->u); /* words leave a domain's last signals as they were before */
    if (s->mask & ~alone)
        eg_walk(s, s->mask & ~alone, from, to);
}

/* --- a segment --- */

/* Returns the first word boundary by which a domain has had that many edges from `from` on; or
 * `to`. */
static uint64_t had(const struct eg_segment *s, unsigned x, uint64_t edges, uint64_t from,
                    uint64_t to)
{
    while (from < to && edges > 0) {
        uint64_t word = (from / 64 + 1) * 64, next = word < to ? word : to;
        uint64_t n = eg_edges_between(s, x, from, next);
        edges -= n < edges ? n : edges;
        from = next;
    }
    return from;
}

/* Returns the last one from which on it still has that many before `to`; or `from`. */
static uint64_t still_has(const struct eg_segment *s, unsigned x, uint64_t edges, uint64_t from,
                          uint64_t to)
{
    while (from < to && edges > 0) {
        uint64_t word = (to - 1) / 64 * 64, next = word > from ? word : from;
        uint64_t n = eg_edges_between(s, x, next, to);
        edges -= n < edges ? n : edges;
        to = next;
    }
    return to;
}

/* Steps until every domain has forgotten what was written and pulsed; where the middle begins. */
static uint64_t settle(struct eg_segment *s, uint64_t from, uint64_t to)
{
    uint64_t head = (from / 64 + 1) * 64;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (s->mask >> x & 1) {
            uint64_t edges = EG_SETTLE + eg_pulses_end(&s->u->state.domain[x]);
            uint64_t t = had(s, x, edges, from, to);
            head = t > head ? t : head;
        }
    head = head < to ? head : to;
    eg_walk(s, s->mask, from, head);
    return head;
}

void eg_run_segment(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run, uint32_t mask,
                    uint64_t from, uint64_t to)
{
    struct eg_segment s = { u, e, run, mask };
    uint64_t head = from, tail = to / 64 * 64;

    if (mask == 0)
        return;
    eg_lanes_begin(&s, from);
    if (to - from >= LEAST && !eg_only_steps(u)) {
        head = settle(&s, from, to);
        for (unsigned x = 0; x < u->chip->domains; x++)
            if (mask >> x & 1) {
                uint64_t t = still_has(&s, x, TAIL, head, to);
                tail = t < tail ? t : tail;
            }
        if (tail > head) {
            middle(&s, head, tail);
            head = tail;
        }
    }
    eg_walk(&s, mask, head, to);
    e->instant = to;
}

void pc_unit_run(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run)
{
    uint32_t mask = 0;
    uint64_t t = 0;
    size_t next = 0;

    e->instant = 0;
    for (unsigned x = 0; x < u->chip->domains; x++) {
        mask |= (uint32_t)!run->domain[x].still << x;
        e->lane[x].at = 0;
    }
    while (t < run->cycles) {
        while (next < run->writes && run->write[next].cycle <= t) {
            pc_unit_write(u, run->write[next].address, run->write[next].value);
            next++;
        }
        uint64_t end = run->cycles;
        if (next < run->writes && run->write[next].cycle < end)
            end = run->write[next].cycle;
        eg_run_segment(u, e, run, mask, t, end);
        t = end;
    }
    pc_awake(u);
    for (; next < run->writes; next++)
        pc_unit_write(u, run->write[next].address, run->write[next].value);
}
