/* SPDX-License-Identifier: MIT */
/*
 * Several units of a device, each by itself, whose packets go to one ring in the order of time
 * (GF100+: hub, GPCs and partitions).  In a window of time packets are kept and answered by a
 * guess: what the ring says to the first of them, and because none is taken out meanwhile, to all
 * until it is full.  At the window's end they are delivered, ordered by instant and unit.  Where
 * not all fit, or there are too many to keep, all units go back to where the window began, and a
 * shorter one is tried; what a shortest one does not do goes instant by instant.
 */
#include "model/gpu/gpu.h"

#include <string.h>

#include "pcounter/run.h"

/* FIRST: cycles of a window at first.  LEAST: those that are worth one. */
enum { FIRST = 64 * 1024, LEAST_CYCLES = 1024 };

/* --- units --- */

bool pc_gpu_several_send(const struct pc_gpu *gpu)
{
    unsigned senders = 0;

    for (unsigned i = 0; i < gpu->units; i++)
        senders += pc_gpu_sends(gpu->unit[i]);
    return senders > 1;
}

/* Returns the next unit that sends, from a domain of the device on: its first domain, or
 * gpu->domains. */
static unsigned sender_from(const struct pc_gpu *gpu, unsigned x)
{
    while (x < gpu->domains && !pc_gpu_sends(gpu->domain[x].unit))
        x += gpu->domain[x].unit->chip->domains;
    return x;
}

static unsigned sender_behind(const struct pc_gpu *gpu, unsigned x)
{
    return sender_from(gpu, x + gpu->domain[x].unit->chip->domains);
}

/* --- packets --- */

/* Returns the instant of a cycle of a domain of the unit that runs; cycles come in their order. */
static uint64_t instant_of_cycle(struct pc_gpu_window *w, unsigned domain, uint64_t cycle)
{
    const uint64_t *edge = w->clock[domain].edge;

    if (!edge)
        return w->clock[domain].first + cycle * w->clock[domain].period;
    uint64_t word = w->clock[domain].word, before = w->clock[domain].before, edges = edge[word];
    unsigned n = (unsigned)__builtin_popcountll(edges);
    while (before + n <= cycle) {
        before += n;
        edges = edge[++word];
        n = (unsigned)__builtin_popcountll(edges);
    }
    w->clock[domain].word = word;
    w->clock[domain].before = before;
    for (; before < cycle; before++)
        edges &= edges - 1;
    return 64 * word + (unsigned)__builtin_ctzll(edges);
}

enum pc_mem_result pc_gpu_keep(struct pc_gpu *gpu, unsigned domain, const uint8_t *data,
                               size_t size)
{
    struct pc_gpu_window *w = &gpu->window;

    w->full = w->full || w->packets == PC_GPU_PACKETS;
    if (w->full)
        return w->guess;
    struct pc_gpu_packet *p = &w->packet[w->packets++];
    p->instant = instant_of_cycle(w, domain, pc_engine_packet_cycle(gpu->engine, domain));
    p->domain = (uint8_t)domain;
    p->size = (uint8_t)size;
    memcpy(p->data, data, size);
    return w->guess;
}

/* Packets of each unit that sends: from `at` on, up to `end`. */
struct sent {
    size_t at[PC_GPU_UNITS], end[PC_GPU_UNITS];
    unsigned units;
};

/* PC.SYNC: of one instant the units come in their order, as those of one unit do. */
static const struct pc_gpu_packet *next_packet(const struct pc_gpu_window *w, struct sent *s)
{
    const struct pc_gpu_packet *first = NULL;
    unsigned of = 0;

    for (unsigned i = 0; i < s->units; i++)
        if (s->at[i] < s->end[i] && (!first || w->packet[s->at[i]].instant < first->instant)) {
            first = &w->packet[s->at[i]];
            of = i;
        }
    if (first)
        s->at[of]++;
    return first;
}

/* Returns true if the ring says to each of them what was guessed. */
static bool guessed_right(const struct pc_gpu *gpu, struct sent s)
{
    const struct pc_gpu_packet *p;
    uint64_t bytes = 0;

    while ((p = next_packet(&gpu->window, &s)) != NULL) {
        if (pc_pma_answer(&gpu->pma, bytes, p->size) != gpu->window.guess)
            return false;
        bytes += gpu->window.guess == PC_MEM_OK ? p->size : 0;
    }
    return true;
}

static void deliver_packets(struct pc_gpu *gpu, struct sent s)
{
    const struct pc_gpu_packet *p;

    while ((p = next_packet(&gpu->window, &s)) != NULL)
        pc_pma_packet(gpu, p->domain, p->data, p->size);
}

/* --- windows --- */

/* Runs a unit in the window; `how`: with what */
typedef void run_fn(struct pc_gpu *gpu, unsigned first, const void *how);

/* False: nothing has happened, but for the edges' times. */
static bool run_window(struct pc_gpu *gpu, run_fn *run, const void *how)
{
    struct pc_gpu_window *w = &gpu->window;
    struct sent s = { .units = 0 };
    const unsigned from = sender_from(gpu, 0);

    w->guess = pc_pma_answer(&gpu->pma, 0, sizeof w->packet->data);
    w->packets = 0;
    w->full = false;
    w->keeps = true;
    for (unsigned x = from; x < gpu->domains; x = sender_behind(gpu, x)) {
        gpu->before[s.units] = gpu->domain[x].unit->state;
        s.at[s.units] = w->packets;
        run(gpu, x, how);
        s.end[s.units++] = w->packets;
    }
    w->keeps = false;
    if (!w->full && guessed_right(gpu, s)) {
        deliver_packets(gpu, s);
        return true;
    }
    s.units = 0;
    for (unsigned x = from; x < gpu->domains; x = sender_behind(gpu, x)) {
        gpu->domain[x].unit->state = gpu->before[s.units++];
        pc_awake(gpu->domain[x].unit);
    }
    return false;
}

/* --- the device's clocks --- */

static void until(struct pc_gpu *gpu, unsigned first, const void *to)
{
    pc_gpu_unit_until(gpu, first, *(const uint64_t *)to);
}

static bool run_until(struct pc_gpu *gpu, uint64_t to)
{
    uint64_t next[PC_GPU_DOMAINS];

    for (unsigned x = 0; x < gpu->domains; x++)
        next[x] = gpu->domain[x].next_edge;
    if (run_window(gpu, until, &to))
        return true;
    for (unsigned x = 0; x < gpu->domains; x++)
        gpu->domain[x].next_edge = next[x];
    return false;
}

/* Returns the next edge of a unit that sends, and of its domains' clocks the shortest period. */
static uint64_t next_edge(const struct pc_gpu *gpu, uint64_t *period)
{
    uint64_t next = UINT64_MAX;

    *period = UINT64_MAX;
    for (unsigned x = sender_from(gpu, 0); x < gpu->domains; x = sender_behind(gpu, x))
        for (unsigned i = 0; i < gpu->domain[x].unit->chip->domains; i++) {
            const struct pc_gpu_domain *d = &gpu->domain[x + i];
            next = d->next_edge < next ? d->next_edge : next;
            *period = d->period < *period ? d->period : *period;
        }
    return next;
}

static void instants_until(struct pc_gpu *gpu, uint64_t to)
{
    uint64_t period;

    for (uint64_t now = next_edge(gpu, &period); now <= to; now = next_edge(gpu, &period))
        pc_gpu_instant(gpu, now);
}

void pc_gpu_senders_until(struct pc_gpu *gpu, uint64_t to)
{
    uint64_t cycles = FIRST, period;

    for (uint64_t now; (now = next_edge(gpu, &period)) <= to;) {
        const uint64_t left = (to - now) / period;
        const uint64_t then = left < cycles ? to : now + cycles * period;
        if (run_until(gpu, then)) {
            if (gpu->window.packets < PC_GPU_PACKETS / 4 && cycles < left)
                cycles *= 2;
        } else if (cycles > LEAST_CYCLES && left > LEAST_CYCLES) {
            cycles = (left < cycles ? left : cycles) / 2;
        } else {
            instants_until(gpu, then);
        }
    }
}

/* --- instants from outside --- */

struct outside {
    uint64_t instants;
    const struct pc_run_domain *domain;
};

static void unit_edges(struct pc_gpu *gpu, unsigned first, const void *how)
{
    const struct outside *o = (const struct outside *)how;

    pc_gpu_unit_edges(gpu, first, o->instants, o->domain);
}

bool pc_gpu_senders_edges(struct pc_gpu *gpu, uint64_t instants, const struct pc_run_domain *domain)
{
    const struct outside all = { instants, domain };

    return run_window(gpu, unit_edges, &all);
}
