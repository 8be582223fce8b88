/* SPDX-License-Identifier: MIT */
/*
 * The middle of a stretch.  Domains that look at each other form a team and advance together;
 * teams that look at others come behind these.  Teams that have nothing to do with each other
 * are islands, and go from the beginning to the end on their own; the teams of an island take
 * turns, window by window, as what one shows must not be forgotten before the others have seen
 * it.
 *
 * A team advances in blocks of words; what is left of a word at either end of its window, and the
 * word in which a single mode process ends, is stepped.  Where the domains of a team have different
 * clocks, what they show each other is found first (clocks_core.h); then each clock's have their
 * turn.
 */
#include "engine/engine.h"

/* Instants of a window with several clocks: what is left of a word may come in front of it. */
enum { WINDOW = EG_WINDOW * 64, SHORT_WINDOW = (EG_WINDOW - 1) * 64 };

static void load_all(struct eg_stretch *s, uint32_t team)
{
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (team >> x & 1)
            eg_sync_load(s, x, UINT32_MAX);
}

/* --- a block --- */

static void open_blocks(const struct eg_stretch *s, uint32_t team, size_t words,
                        struct eg_block *blocks)
{
    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        struct eg_lane *lane = &s->e->lane[x];
        if (!(team >> x & 1))
            continue;
        blocks[x] = (struct eg_block){ .e = s->e,
                                       .k = s->e->kernel,
                                       .u = s->u,
                                       .d = &s->u->state.domain[x],
                                       .domain = x,
                                       .all = s->run,
                                       .run = &s->run->domain[x],
                                       .lane = lane,
                                       .first = (size_t)(lane->at / 64),
                                       .words = words };
        eg_block_open(&blocks[x], ~eg_nodes_of(team));
    }
}

/* EVENT and FLAG of each domain, group by group. */
static void solve(const struct eg_stretch *s, uint32_t team, struct eg_block *blocks)
{
    const struct eg_graph *g = &s->e->graph;

    for (unsigned i = 0; i < g->groups; i++) {
        uint32_t nodes = g->group[i] & eg_nodes_of(team);
        if (nodes == 0)
            continue;
        if (eg_cyclic(g, i))
            eg_relax(blocks, nodes);
        else
            eg_block_node(&blocks[__builtin_ctz(nodes) % PC_MAX_DOMAINS],
                          (unsigned)__builtin_ctz(nodes));
        for (unsigned n = 0; n < EG_NODES; n++)
            for (unsigned x = 0; nodes >> n & 1 && x < s->u->chip->domains; x++)
                if (team >> x & 1)
                    eg_block_known(&blocks[x], n);
    }
}

void eg_count_block(struct eg_block *b)
{
    if (eg_hangs(b->u, b->d))
        return;
    switch ((enum pc_mode)b->d->control.mode) {
    case PC_MODE_QUAD:
        eg_quad(b);
        break;
    case PC_MODE_SINGLE:
        eg_single(b);
        break;
    case PC_MODE_RECORD:
        eg_record(b);
        break;
    case PC_MODE_STREAM:
        eg_stream(b);
        break;
    default:
        break;
    }
}

/* All planes of the block; how many of its words can be counted. */
static size_t calculate(const struct eg_stretch *s, uint32_t team, size_t words,
                        struct eg_block *blocks)
{
    open_blocks(s, team, words, blocks);
    solve(s, team, blocks);
    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        if (!(team >> x & 1))
            continue;
        eg_block_inputs(&blocks[x]);
        if (blocks[x].d->control.mode == PC_MODE_SINGLE && !eg_hangs(s->u, blocks[x].d)) {
            size_t can = eg_single_words(&blocks[x]);
            words = can < words ? can : words;
        }
    }
    return words;
}

/* Words that the team has advanced; 0: the next one must be stepped. */
static size_t advance_words(struct eg_stretch *s, uint32_t team, size_t words)
{
    struct eg_block blocks[PC_MAX_DOMAINS];
    bool relaxed = eg_is_relaxed(s, team);
    size_t most = relaxed ? EG_RELAX_WORDS : EG_WINDOW, can;

    words = words < most ? words : most;
    while ((can = calculate(s, team, words, blocks)) < words) {
        if (can == 0)
            return 0;
        words = can;
    }
    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        if (!(team >> x & 1))
            continue;
        eg_count_block(&blocks[x]);
        eg_block_remember(&blocks[x]);
        s->e->lane[x].at += (uint64_t)words * 64;
        s->e->wide_cycles += (uint64_t)words * 64;
        s->e->relaxed_cycles += relaxed ? (uint64_t)words * 64 : 0;
    }
    return words;
}

/* --- a window --- */

/* `cycles` of domains with one clock. */
static void advance_lockstep(struct eg_stretch *s, uint32_t team, uint64_t cycles)
{
    const struct eg_lane *lane = &s->e->lane[__builtin_ctz(team)];
    uint64_t end = lane->at + cycles;

    while (lane->at < end) {
        uint64_t left = end - lane->at, steps = 64 - lane->at % 64;
        if (steps == 64 && left >= 64 && advance_words(s, team, (size_t)(left / 64)) > 0)
            continue;
        load_all(s, team);
        for (uint64_t i = 0; i < steps && i < left; i++)
            eg_tick(s, team, team);
    }
    load_all(s, team);
}

static void sample_all(struct eg_stretch *s, uint32_t team, uint32_t nodes, uint64_t from,
                       uint64_t to)
{
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (team >> x & 1)
            eg_sample(s, x, nodes, from, to);
}

/* Those of the team that have the clock of the first of them */
static uint32_t same_clock(const struct eg_stretch *s, uint32_t team)
{
    uint32_t same = 0;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (team >> x & 1 && eg_lockstep(s, (unsigned)__builtin_ctz(team), x))
            same |= 1u << x;
    return same;
}

/* Domains with one clock; if they may, they stay behind what is left of a word. */
static void advance_clock(struct eg_stretch *s, uint32_t some, bool all, uint64_t from, uint64_t to)
{
    struct eg_lane *first = &s->e->lane[__builtin_ctz(some)];
    uint64_t cycles = eg_edges_between(s, (unsigned)__builtin_ctz(some), from, to);
    uint64_t end = first->start + cycles;

    end = all ? end : end / 64 * 64;
    if (end > first->at)
        advance_lockstep(s, some, end - first->at);
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (some >> x & 1) {
            s->e->lane[x].end = s->e->lane[x].start + cycles;
            eg_lane_end(s, x);
        }
}

static void advance(struct eg_stretch *s, uint32_t team, bool last, uint64_t from, uint64_t to)
{
    bool one_clock = same_clock(s, team) == team;

    sample_all(s, team, ~eg_nodes_of(team), from, to);
    if (!one_clock) {
        s->e->clocks->show(s, team, from, to);
        sample_all(s, team, eg_nodes_of(team), from, to);
    }
    for (uint32_t left = team; left; left &= ~same_clock(s, left))
        advance_clock(s, same_clock(s, left), one_clock || last, from, to);
}

/* last: of the island's */
static void window(struct eg_stretch *s, uint32_t island, bool last, uint64_t from, uint64_t to)
{
    const struct eg_graph *g = &s->e->graph;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (island >> x & 1)
            eg_lane_slide(&s->e->lane[x]);
    for (unsigned i = 0; i < g->teams; i++)
        if (g->team[i] & island)
            advance(s, g->team[i], last, from, to);
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (island >> x & 1)
            s->e->lane[x].start = s->e->lane[x].end;
}

/* --- islands --- */

/* The teams that look at `island`, or at which it looks, are part of it. */
static uint32_t island_of(const struct eg_graph *g, uint32_t island)
{
    for (unsigned again = 0; again < PC_MAX_DOMAINS; again++)
        for (unsigned i = 0; i < g->teams; i++)
            for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
                uint32_t looks = (g->looks[x] | g->looks[x] >> PC_MAX_DOMAINS) & 0xff;
                uint32_t both = g->team[i] & (1u << x) ? g->team[i] | looks : 0;
                if (both & island)
                    island |= both;
            }
    return island;
}

/* A domain by itself, which nobody looks at: solo.c knows its own FLAG, but not its EVENT. */
static bool is_solo(const struct eg_stretch *s, uint32_t island, uint64_t from)
{
    unsigned x = (unsigned)__builtin_ctz(island);

    for (unsigned i = 0; i <= EG_SWAP; i++) {
        struct eg_pick p = s->e->graph.pick[x][i];
        if (p.kind == EG_NODE && p.number == EG_EVENT(x))
            return false;
    }
    return island == 1u << x && !s->run->domain[x].edge && from % 64 == 0 &&
           !eg_is_relaxed(s, island) && !eg_flag_sees_itself(&s->e->graph, s->u, x);
}

static void run_solo(struct eg_stretch *s, unsigned x, uint64_t to)
{
    struct eg_lane *lane = &s->e->lane[x];
    size_t end = (size_t)(to / 64);
    struct eg_program program;

    while (lane->at < to) {
        size_t first = (size_t)(lane->at / 64);
        eg_solo_begin(&program, s->u, s->e, s->run, x);
        lane->at = 64 * (uint64_t)eg_solo(&program, s->u, s->e, s->run, x, first, end);
        lane->base = lane->at / 64; /* nobody looks at the window */
        for (unsigned i = 0; i < 64 && lane->at < to; i++)
            eg_tick(s, 1u << x, 1u << x);
    }
}

static void run_island(struct eg_stretch *s, uint32_t island, uint64_t from, uint64_t to)
{
    unsigned first = (unsigned)__builtin_ctz(island);
    bool whole = same_clock(s, island) == island && from % 64 == 0;

    if (is_solo(s, island, from)) {
        run_solo(s, first, to);
        return;
    }
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (island >> x & 1) {
            whole = whole && !s->run->domain[x].edge;
            eg_lane_slide(&s->e->lane[x]);
            s->e->lane[x].start = s->e->lane[x].at;
            eg_sync_unload(s, x);
        }
    for (uint64_t t = from; t < to;) {
        uint64_t end = t + (whole ? WINDOW : SHORT_WINDOW);
        end = end < to ? end : to;
        window(s, island, end == to, t, end);
        t = end;
    }
}

bool eg_all_solo(struct eg_stretch *s, uint64_t from)
{
    uint32_t left = s->mask;

    eg_graph_make(&s->e->graph, s->u, s->mask);
    if (eg_runs_ahead(s, &s->e->graph))
        return false;
    while (left) {
        uint32_t island = island_of(&s->e->graph, left & (0 - left));
        if (!is_solo(s, island, from))
            return false;
        left &= ~island;
    }
    return true;
}

void eg_islands(struct eg_stretch *s, uint32_t domains, uint64_t from, uint64_t to)
{
    while (domains) {
        uint32_t island = island_of(&s->e->graph, domains & (0 - domains));
        run_island(s, island, from, to);
        domains &= ~island;
    }
}

void eg_middle(struct eg_stretch *s, uint64_t from, uint64_t to)
{
    eg_graph_make(&s->e->graph, s->u, s->mask);
    uint32_t ahead = eg_runs_ahead(s, &s->e->graph);
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (ahead >> x & 1)
            ahead |= island_of(&s->e->graph, 1u << x);
    eg_islands(s, s->mask & ~ahead, from, to);
    if (ahead)
        eg_ahead(s, ahead, from, to);
}
