/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run: between two writes a stretch has a head and a tail that are stepped, and a
 * middle of whole words (team.c).  The head lasts until nothing that a write or pulse left is
 * pending in any domain and a word begins; the tail leaves all that the unit remembers of its
 * last cycles (vector, synchronisers, histories) to the reference.
 */
#include "engine/engine.h"

#include <stddef.h>
#include <string.h>

/* Edges of each domain in head and tail; instants below which a stretch is stepped */
enum { TAIL = 8, SETTLE = 8, LEAST = 256 };

/* --- the handle --- */

enum pc_status pc_engine_create(const struct pc_engine_desc *desc, struct pc_engine **out,
                                struct pc_error *err)
{
    const struct pc_kernel *kernel = pc_kernel_best(), *k;
    struct pc_alloc alloc = pc_alloc_or_libc(desc ? desc->alloc : NULL);

    if (desc && desc->kernel) {
        kernel = NULL;
        for (size_t i = 0; (k = pc_kernel_at(i)) != NULL; i++)
            if (strcmp(k->name, desc->kernel) == 0)
                kernel = k;
        if (!kernel || !kernel->usable())
            return pc_fail(err, 414, "the kernel \"%s\" %s", desc->kernel,
                           kernel ? "needs another CPU" : "does not exist");
    }
    struct pc_engine *e = alloc.resize(alloc.ctx, NULL, 0, sizeof *e);
    if (!e)
        return pc_fail(err, 100, "no memory for the engine (%zu bytes)", sizeof *e);
    memset(e, 0, offsetof(struct pc_engine, scratch));
    e->alloc = alloc;
    e->kernel = kernel;
    e->clocks = &eg_clocks_any;
    e->block = EG_WORDS;
    e->part = EG_RECORD_WORDS;
#if defined(__x86_64__)
    if (strcmp(kernel->name, "portable") != 0 && eg_clocks_usable_v3())
        e->clocks = &eg_clocks_v3;
#endif
    memset(e->ones, 0xff, sizeof e->ones);
    *out = e;
    return PC_OK;
}

void pc_engine_destroy(struct pc_engine *e)
{
    if (!e)
        return;
    struct pc_alloc alloc = e->alloc;
    pc_free(&alloc, e, sizeof *e);
}

const char *pc_engine_kernel(const struct pc_engine *e)
{
    return e->kernel->name;
}

uint64_t pc_engine_packet_cycle(const struct pc_engine *e, unsigned domain)
{
    return domain < PC_MAX_DOMAINS ? e->packet_cycle[domain] : 0;
}

/* --- a stretch --- */

bool eg_unsettled(const struct pc_unit *u, uint32_t mask)
{
    for (unsigned x = 0; x < u->chip->domains; x++) {
        const struct pc_domain *d = &u->state.domain[x];
        if (!(mask >> x & 1))
            continue;
        if (d->pulse[0] || d->pulse[1])
            return true;
        for (unsigned i = 0; i < 4; i++)
            if (d->user_pulse[i] && d->user[i])
                return true;
    }
    return false;
}

/* The first word boundary by which a domain has had so many edges from `from` on; or `to`. */
static uint64_t had(const struct eg_stretch *s, unsigned x, uint64_t edges, uint64_t from,
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
static uint64_t still_has(const struct eg_stretch *s, unsigned x, uint64_t edges, uint64_t from,
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

/* Steps until every domain has forgotten what was written; where the middle begins. */
static uint64_t settle(struct eg_stretch *s, uint64_t from, uint64_t to)
{
    uint64_t head = (from / 64 + 1) * 64;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (s->mask >> x & 1) {
            uint64_t t = had(s, x, SETTLE, from, to);
            head = t > head ? t : head;
        }
    head = head < to ? head : to;
    eg_walk(s, s->mask, from, head);
    while (head < to && eg_unsettled(s->u, s->mask)) {
        uint64_t next = head + 64 < to ? head + 64 : to;
        eg_walk(s, s->mask, head, next);
        head = next;
    }
    return head;
}

void eg_stretch(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run, uint32_t mask,
                uint64_t from, uint64_t to)
{
    struct eg_stretch s = { u, e, run, mask };
    uint64_t head = from, tail = to / 64 * 64;

    if (mask == 0)
        return;
    eg_lanes_begin(&s, from);
    if (to - from >= LEAST) {
        head = settle(&s, from, to);
        for (unsigned x = 0; x < u->chip->domains; x++)
            if (mask >> x & 1) {
                uint64_t t = still_has(&s, x, TAIL, head, to);
                tail = t < tail ? t : tail;
            }
        if (tail > head) {
            eg_middle(&s, head, tail);
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
        eg_stretch(u, e, run, mask, t, end);
        t = end;
    }
    for (; next < run->writes; next++)
        pc_unit_write(u, run->write[next].address, run->write[next].value);
}
