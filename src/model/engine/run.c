/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run: between two writes a segment has a head and a tail that are stepped, and a
 * middle of whole words, through which the domains go component by component (component.c).  The
 * head lasts until every domain has forgotten what was written, and its last pulse, and a word
 * begins; the tail leaves all that the unit remembers of its last cycles (vector, synchronisers,
 * histories) to the reference.
 */
#include "model/engine/engine.h"

/* Edges of each domain in the tail; instants below which a segment is stepped */
enum { TAIL = 8, LEAST = 256 };

/* --- the middle of a segment --- */

/* Whole words, instants [from, to); false: all of it is to be stepped. */
static bool middle(struct eg_segment *s, uint64_t from, uint64_t to)
{
    eg_graph_make(&s->e->graph, s->u, s->mask);
    if (eg_why_stepped(s, &s->e->graph))
        return false;
    eg_components(s, s->mask, from, to);
    return true;
}

/* --- a segment --- */

/* The first word boundary by which a domain has had so many edges from `from` on; or `to`. */
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

/* The last one from which on it still has so many before `to`; or `from`. */
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
        if (tail > head && middle(&s, head, tail))
            head = tail;
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
