/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run_many: one trace, many configurations.  Units whose domains all go wide by
 * themselves take turns, a tile of the planes each, so that only the first of them waits for
 * memory; a unit is then between two words of a stretch, which is where eg_solo() goes on.
 * Domains that do no more than count do not take turns but share their counts (share.c).
 * Those that cannot be cut there (domains that look at each other, clocks, what a write left
 * pending) run each stretch by themselves.
 */
#include "engine/engine.h"

#include <string.h>

/*
 * What a tile's planes take: a part of the last-level cache, so long that what it costs to go from
 * one unit to the next does not show.  HEAD, TAIL: cycles that are stepped.
 */
enum { TILE_BYTES = 4096 * 1024, LEAST_WORDS = 256, MOST_WORDS = 65536, HEAD = 24, TAIL = 8 };

struct many {
    struct pc_unit *const *unit;
    size_t units;
    struct pc_engine *e;
    const struct pc_run *run;
    size_t tile; /* words */
};

static uint32_t mask_of(const struct pc_unit *u, const struct pc_run *run)
{
    uint32_t mask = 0;

    for (unsigned x = 0; x < u->chip->domains; x++)
        mask |= (uint32_t)!run->domain[x].still << x;
    return mask;
}

static size_t tile_of(const struct pc_unit *u, const struct pc_run *run)
{
    size_t planes = 1;

    for (unsigned x = 0; x < u->chip->domains; x++)
        for (unsigned s = 0; s < PC_MAX_SIGNALS && run->domain[x].plane; s++)
            planes += !run->domain[x].still && run->domain[x].plane[s];
    size_t words = TILE_BYTES / sizeof(uint64_t) / planes;
    words = words < MOST_WORDS ? words : MOST_WORDS;
    return (words > LEAST_WORDS ? words : LEAST_WORDS) / 64 * 64;
}

static void alone(const struct many *m, struct pc_unit *u, uint64_t from, uint64_t to)
{
    eg_run_stretch(u, m->e, m->run, mask_of(u, m->run), from, to);
}

/* Steps the beginning; can the unit take turns from `head` on?  Else it is done up to `to`. */
static bool begins(const struct many *m, size_t i, uint64_t from, uint64_t head, uint64_t to)
{
    struct pc_unit *u = m->unit[i];
    struct eg_stretch s = { u, m->e, m->run, mask_of(u, m->run) };
    bool forgets = true;

    for (unsigned x = 0; x < u->chip->domains; x++)
        forgets = forgets && EG_SETTLE + eg_pulses_end(&u->state.domain[x]) <= head - from;
    alone(m, u, from, head);
    if (s.mask == 0 || eg_only_steps(u) || !forgets || !eg_all_solo(&s, head)) {
        alone(m, u, head, to);
        return false;
    }
    for (unsigned x = 0; x < u->chip->domains; x++)
        if (s.mask >> x & 1) {
            eg_solo_begin(&m->e->turn[i][x], u, m->e, m->run, x);
            m->e->shares[i][x] = eg_share_join(m->e, u, x, &m->e->turn[i][x]);
        }
    return true;
}

/* The machine left its state before the end of a tile: the rest of it is any middle's. */
static void leave(const struct many *m, size_t i, unsigned x, uint64_t from, uint64_t to)
{
    struct pc_unit *u = m->unit[i];
    struct eg_stretch one = { u, m->e, m->run, 1u << x };

    eg_lanes_begin(&one, from);
    eg_middle(&one, from, to);
    eg_graph_make(&m->e->graph, u, mask_of(u, m->run));
    eg_solo_begin(&m->e->turn[i][x], u, m->e, m->run, x);
}

static void turn(const struct many *m, size_t i, uint64_t from, uint64_t to)
{
    struct pc_unit *u = m->unit[i];
    const uint64_t first = from / 64, end = to / 64;

    for (unsigned x = 0; x < u->chip->domains; x++) {
        if (m->run->domain[x].still || m->e->shares[i][x])
            continue;
        uint64_t done = eg_solo(&m->e->turn[i][x], u, m->e, m->run, x, first, end);
        if (done != end)
            leave(m, i, x, done * 64, to);
    }
}

/* Those with their bit set take turns. */
static void tiles(const struct many *m, uint64_t set, uint64_t from, uint64_t to)
{
    const uint64_t step = (uint64_t)m->tile * 64;

    for (uint64_t t = from; t < to; t += step)
        for (size_t i = 0; i < m->units; i++)
            if (set >> i & 1)
                turn(m, i, t, to - t < step ? to : t + step);
}

static void stretch(const struct many *m, uint64_t from, uint64_t to)
{
    const uint64_t head = (from + HEAD + 63) / 64 * 64, end = to > TAIL ? (to - TAIL) / 64 * 64 : 0;
    uint64_t set = 0;

    eg_share_begin(&m->e->share);
    for (size_t i = 0; i < m->units; i++) {
        if (end <= head)
            alone(m, m->unit[i], from, to);
        else if (begins(m, i, from, head, to))
            set |= UINT64_C(1) << i;
    }
    if (set == 0)
        return;
    const bool counts = (size_t)(end / 64) == end / 64; /* the words, where size_t has 32 bits */
    if (!counts || !eg_share_pays(&m->e->share)) {
        eg_share_begin(&m->e->share);
        memset(m->e->shares, 0, sizeof m->e->shares);
    }
    tiles(m, set, head, end);
    eg_share_run(m->e, m->run, (size_t)(head / 64), (size_t)(end / 64), m->tile);
    for (size_t i = 0; i < m->units; i++)
        if (set >> i & 1)
            alone(m, m->unit[i], end, to);
}

static void write_all(const struct many *m, const struct pc_run_write *w)
{
    for (size_t i = 0; i < m->units; i++)
        pc_unit_write(m->unit[i], w->address, w->value);
}

static void run_some(const struct many *m)
{
    const struct pc_run *run = m->run;
    size_t next = 0;

    for (uint64_t t = 0; t < run->cycles;) {
        for (; next < run->writes && run->write[next].cycle <= t; next++)
            write_all(m, &run->write[next]);
        uint64_t end = run->cycles;
        if (next < run->writes && run->write[next].cycle < end)
            end = run->write[next].cycle;
        stretch(m, t, end);
        t = end;
    }
    for (; next < run->writes; next++)
        write_all(m, &run->write[next]);
}

void eg_run_many(struct pc_unit *const *unit, size_t units, struct pc_engine *e,
                 const struct pc_run *run, size_t tile)
{
    bool clocks = false;

    for (unsigned x = 0; units > 0 && x < unit[0]->chip->domains; x++)
        clocks = clocks || run->domain[x].edge;
    if (clocks) { /* an engine follows the clocks of one unit at a time */
        for (size_t i = 0; i < units; i++)
            pc_unit_run(unit[i], e, run);
        return;
    }
    for (size_t first = 0; first < units; first += EG_TURNS) {
        size_t n = units - first < EG_TURNS ? units - first : EG_TURNS;
        struct many m = { unit + first, n, e, run, tile };
        run_some(&m);
    }
}

void pc_unit_run_many(struct pc_unit *const *unit, size_t units, struct pc_engine *e,
                      const struct pc_run *run)
{
    if (units > 0)
        eg_run_many(unit, units, e, run, tile_of(unit[0], run));
}
