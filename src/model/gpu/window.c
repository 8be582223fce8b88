/* SPDX-License-Identifier: MIT */
/*
 * Time of a unit in windows: edges of its clocks, and what plays, become planes for pc_unit_run().
 * How a run's cycles lie in time is kept for its packets (packets.c).
 */
#include "model/gpu/gpu.h"

#include <string.h>

#include "pcounter/run.h"

enum { WINDOW = PC_PLAY_WORDS * 64 };

struct window {
    const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    uint64_t edge[PC_MAX_DOMAINS][PC_PLAY_WORDS];
    uint64_t edges[PC_MAX_DOMAINS]; /* of each domain in the window */
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    uint64_t cycles;
};

/* --- time --- */

bool pc_gpu_same_clock(const struct pc_gpu_domain *a, const struct pc_gpu_domain *b)
{
    return a->period == b->period && a->next_edge == b->next_edge;
}

bool pc_gpu_one_clock(const struct pc_gpu_domain *d, uint32_t mask)
{
    const struct pc_gpu_domain *like = &d[__builtin_ctz(mask)];

    for (uint32_t left = mask; left; left &= left - 1)
        if (!pc_gpu_same_clock(like, &d[__builtin_ctz(left)]))
            return false;
    return true;
}

uint64_t pc_gpu_next_edge(const struct pc_gpu_domain *d, uint32_t mask)
{
    uint64_t now = UINT64_MAX;

    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t next = d[__builtin_ctz(left)].next_edge;
        now = next < now ? next : now;
    }
    return now;
}

static void one_clock_window(struct window *w, struct pc_gpu_domain *d, unsigned n, uint64_t to)
{
    w->cycles = d[0].next_edge > to ? 0 : (to - d[0].next_edge) / d[0].period + 1;
    if (w->cycles > WINDOW)
        w->cycles = WINDOW;
    for (unsigned x = 0; x < n; x++) {
        w->edges[x] = w->cycles;
        d[x].next_edge += w->cycles * d[x].period;
    }
}

static void many_clocks_window(struct window *w, struct pc_gpu_domain *d, uint32_t mask,
                               uint64_t to)
{
    memset(w->edge, 0, sizeof w->edge);
    memset(w->edges, 0, sizeof w->edges);
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned x = (unsigned)__builtin_ctz(left), like = 0;
        while (!(mask >> like & 1) || !pc_gpu_same_clock(&d[like], &d[x]))
            like++;
        w->domain[x].edge = w->edge[like]; /* domains with one clock have one plane */
    }
    for (w->cycles = 0; w->cycles < WINDOW; w->cycles++) {
        uint64_t now = pc_gpu_next_edge(d, mask);
        if (now > to)
            return;
        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned x = (unsigned)__builtin_ctz(left);
            if (d[x].next_edge != now)
                continue;
            w->edge[x][w->cycles / 64] |= UINT64_C(1) << (w->cycles % 64);
            w->edges[x]++;
            d[x].next_edge += d[x].period;
        }
    }
}

/* --- what plays --- */

static bool plays_in(const struct pc_gpu *gpu, unsigned first, unsigned n)
{
    for (size_t i = 0; i < gpu->plays; i++)
        if (gpu->play[i].domain >= first && gpu->play[i].domain < first + n)
            return true;
    return false;
}

/* Plays its plane; after its end it keeps the last level. */
static void play_plane(struct pc_play *p, uint64_t cycles)
{
    bool level = false;

    memset(p->window, 0, PC_PLAY_WORDS * sizeof *p->window);
    for (uint64_t t = 0; t < cycles; t++) {
        if (p->at < p->count)
            level = p->levels[p->at++] != 0;
        p->window[t / 64] |= (uint64_t)level << (t % 64);
    }
}

static void play_window(struct pc_gpu *gpu, struct window *w, unsigned first, unsigned n)
{
    for (size_t i = 0; i < gpu->plays; i++) {
        struct pc_play *p = &gpu->play[i];
        unsigned x = p->domain - first;
        if (p->domain < first || x >= n)
            continue;
        play_plane(p, w->edges[x]);
        w->plane[x][p->signal] = p->window;
    }
}

/* Holds the last level of signals that have played to their end. */
static void end_plays(struct pc_gpu *gpu)
{
    size_t kept = 0;

    for (size_t i = 0; i < gpu->plays; i++) {
        struct pc_play *p = &gpu->play[i];
        if (p->at > 0)
            pc_gpu_level(gpu, p->domain, p->signal, p->levels[p->at - 1] != 0);
        if (p->at == p->count)
            pc_play_free(&gpu->alloc, p);
        else
            gpu->play[kept++] = *p;
    }
    gpu->plays = kept;
}

/* --- windows --- */

void pc_gpu_clock_of_run(struct pc_gpu *gpu, unsigned domain, uint64_t first, uint64_t period,
                         const uint64_t *edge)
{
    gpu->window.clock[domain].first = first;
    gpu->window.clock[domain].period = period;
    gpu->window.clock[domain].edge = edge;
    gpu->window.clock[domain].word = 0;
    gpu->window.clock[domain].before = 0;
}

/* Runs one window of the domains; `plays`: whether something does, in any of all of them. */
static uint64_t window_until(struct pc_gpu *gpu, unsigned first, uint32_t mask, bool plays,
                             uint64_t to)
{
    struct pc_gpu_domain *d = &gpu->domain[first];
    const unsigned n = d->unit->chip->domains;
    struct window w;

    if (plays)
        memset(w.plane, 0, sizeof w.plane);
    for (unsigned x = 0; x < n; x++) {
        w.domain[x] = (struct pc_run_domain){ .plane = plays ? w.plane[x] : NULL,
                                              .level = d[x].level,
                                              .still = !(mask >> x & 1) };
        pc_gpu_clock_of_run(gpu, x, d[x].next_edge, d[x].period, NULL);
    }
    if (plays && pc_gpu_one_clock(d, mask))
        one_clock_window(&w, d, n, to);
    else
        many_clocks_window(&w, d, mask, to);
    if (plays)
        play_window(gpu, &w, first, n);
    const struct pc_run all = { .cycles = w.cycles, .domain = w.domain };
    pc_unit_run(d->unit, gpu->engine, &all);
    return w.cycles;
}

void pc_gpu_windows_until(struct pc_gpu *gpu, unsigned first, uint32_t mask, uint64_t to)
{
    while (window_until(gpu, first, mask, false, to) > 0) {
    }
}

bool pc_gpu_plays_until(struct pc_gpu *gpu, unsigned first, uint64_t to)
{
    const unsigned n = gpu->domain[first].unit->chip->domains;

    while (plays_in(gpu, first, n)) {
        if (window_until(gpu, first, (1u << n) - 1, true, to) == 0)
            return false;
        end_plays(gpu);
    }
    return true;
}
