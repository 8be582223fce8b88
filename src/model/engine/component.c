/* SPDX-License-Identifier: MIT */
/*
 * A cluster that looks at others comes after them (cluster.c).  Those that have nothing to do with
 * each other are components, and go from the beginning to the end on their own; the clusters of a
 * component take turns, window by window, as what one shows must not be forgotten before the others
 * have seen it.
 */
#include "model/engine/engine.h"

/* Instants of a window with several clocks: what is left of a word may come in front of it. */
enum { LONG_WINDOW = EG_WINDOW * 64, SHORT_WINDOW = (EG_WINDOW - 1) * 64 };

static void window(struct eg_segment *s, uint32_t component, uint64_t from, uint64_t to)
{
    const struct eg_graph *g = &s->e->graph;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (component >> x & 1)
            eg_lane_slide(&s->e->lane[x]);
    for (unsigned i = 0; i < g->clusters; i++)
        if (g->cluster[i] & component)
            eg_cluster(s, g->cluster[i], from, to);
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (component >> x & 1)
            s->e->lane[x].start = s->e->lane[x].end;
}

uint32_t eg_component_of(const struct eg_graph *g, uint32_t component)
{
    for (unsigned again = 0; again < PC_MAX_DOMAINS; again++)
        for (unsigned i = 0; i < g->clusters; i++)
            for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
                uint32_t looks = (g->looks[x] | g->looks[x] >> PC_MAX_DOMAINS) & 0xff;
                uint32_t both = g->cluster[i] & (1u << x) ? g->cluster[i] | looks : 0;
                if (both & component)
                    component |= both;
            }
    return component;
}

/* lone_domain.c knows its own FLAG, but not its EVENT. */
bool eg_is_lone(const struct eg_segment *s, const struct eg_graph *g, uint32_t component,
                uint64_t from)
{
    unsigned x = (unsigned)__builtin_ctz(component);

    for (unsigned i = 0; i <= EG_SWAP; i++) {
        struct eg_pick p = g->pick[x][i];
        if (p.kind == EG_NODE && p.number == EG_EVENT(x))
            return false;
    }
    return component == 1u << x && !s->run->domain[x].edge && from % 64 == 0 &&
           !eg_is_relaxed(g, component) && !eg_flag_sees_itself(g, s->u, x);
}

/* A packet of the block goes to the memory, unless it has been there. */
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

static void run_lone(struct eg_segment *s, unsigned x, uint64_t to)
{
    struct eg_lane *lane = &s->e->lane[x];
    uint64_t end = to / 64, stepped;
    struct eg_program program;

    deliver_begin(s);
    while (lane->at < to) {
        uint64_t first = lane->at / 64;
        eg_lone_begin(&program, s->u, s->e, s->run, x);
        lane->at = 64 * eg_lone(&program, s->u, s->e, s->run, x, first, end, &stepped);
        lane->base = lane->at / 64; /* no other domain looks at the window */
        for (uint64_t i = 0; i < 64 * stepped && lane->at < to; i++) {
            eg_step_edges(s, 1u << x, 1u << x);
            eg_lane_slide(lane);
        }
        s->e->delivery.known = 0;
    }
    deliver_end(s);
}

static void run_component(struct eg_segment *s, uint32_t component, uint64_t from, uint64_t to)
{
    unsigned first = (unsigned)__builtin_ctz(component);
    bool whole = from % 64 == 0;

    if (eg_is_lone(s, &s->e->graph, component, from)) {
        run_lone(s, first, to);
        return;
    }
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (component >> x & 1) {
            whole = whole && !s->run->domain[x].edge && eg_lockstep(s, first, x);
            eg_lane_slide(&s->e->lane[x]);
            s->e->lane[x].start = s->e->lane[x].at;
            eg_sync_unload(s, x);
        }
    for (uint64_t t = from; t < to;) {
        uint64_t end = t + (whole ? LONG_WINDOW : SHORT_WINDOW);
        end = end < to ? end : to;
        window(s, component, t, end);
        t = end;
    }
}

void eg_components(struct eg_segment *s, uint32_t domains, uint64_t from, uint64_t to)
{
    while (domains) {
        uint32_t component = eg_component_of(&s->e->graph, domains & (0 - domains));
        run_component(s, component, from, to);
        domains &= ~component;
    }
}
