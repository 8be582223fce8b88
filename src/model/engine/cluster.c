/* SPDX-License-Identifier: MIT */
/*
 * Domains that look at each other form a cluster and advance together, in blocks of words; what is
 * left of a word at either end of a window of time, and the word in which a single mode process
 * ends, is stepped.  They have one clock.
 */
#include "model/engine/engine.h"

static void load_all(struct eg_segment *s, uint32_t cluster)
{
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (cluster >> x & 1)
            eg_sync_load(s, x, UINT32_MAX);
}

/* --- a block --- */

static void open_blocks(const struct eg_segment *s, uint32_t cluster, size_t words,
                        struct eg_block *blocks, struct eg_program *programs)
{
    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        struct eg_lane *lane = &s->e->lane[x];
        if (!(cluster >> x & 1))
            continue;
        blocks[x] = (struct eg_block){ .e = s->e,
                                       .k = s->e->kernel,
                                       .u = s->u,
                                       .d = &s->u->state.domain[x],
                                       .domain = x,
                                       .all = s->run,
                                       .run = &s->run->domain[x],
                                       .lane = lane,
                                       .program = &programs[x],
                                       .first = lane->at / 64,
                                       .words = words,
                                       .all_words = s->run->cycles / 64 };
        eg_program_compile(&programs[x], &blocks[x]);
        eg_block_open(&blocks[x], ~eg_nodes_of(cluster));
    }
}

/* EVENT and FLAG of each domain, group by group. */
static void solve(const struct eg_segment *s, uint32_t cluster, struct eg_block *blocks)
{
    const struct eg_graph *g = &s->e->graph;

    for (unsigned i = 0; i < g->groups; i++) {
        uint32_t nodes = g->group[i] & eg_nodes_of(cluster);
        if (nodes == 0)
            continue;
        if (eg_cyclic(g, i))
            eg_relax(blocks, nodes);
        else
            eg_block_node(&blocks[__builtin_ctz(nodes) % PC_MAX_DOMAINS],
                          (unsigned)__builtin_ctz(nodes));
        for (unsigned n = 0; n < EG_NODES; n++)
            for (unsigned x = 0; nodes >> n & 1 && x < s->u->chip->domains; x++)
                if (cluster >> x & 1)
                    eg_block_known(&blocks[x], n);
    }
}

/* All planes of the block; how many of its words can be counted. */
static size_t calculate_cluster(const struct eg_segment *s, uint32_t cluster, size_t words,
                                struct eg_block *blocks, struct eg_program *programs)
{
    open_blocks(s, cluster, words, blocks, programs);
    solve(s, cluster, blocks);
    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        if (!(cluster >> x & 1))
            continue;
        eg_block_inputs(&blocks[x]);
        if (blocks[x].d->control.mode == PC_MODE_SINGLE && !pc_hangs(s->u, blocks[x].d)) {
            size_t can = eg_single_words(&blocks[x]);
            words = can < words ? can : words;
        }
    }
    return words;
}

/* Words that the cluster has advanced, of those left; 0: the next one must be stepped. */
static size_t advance_words(struct eg_segment *s, uint32_t cluster, uint64_t left)
{
    struct eg_block blocks[PC_MAX_DOMAINS];
    struct eg_program programs[PC_MAX_DOMAINS];
    bool relaxed = eg_is_relaxed(&s->e->graph, cluster);
    size_t words = relaxed ? EG_RELAX_WORDS : EG_WINDOW, can;

    words = left < words ? (size_t)left : words;
    while ((can = calculate_cluster(s, cluster, words, blocks, programs)) < words) {
        if (can == 0)
            return 0;
        words = can;
    }
    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        if (!(cluster >> x & 1))
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
static void advance_lockstep(struct eg_segment *s, uint32_t cluster, uint64_t cycles)
{
    const struct eg_lane *lane = &s->e->lane[__builtin_ctz(cluster)];
    uint64_t end = lane->at + cycles;

    while (lane->at < end) {
        uint64_t left = end - lane->at, steps = 64 - lane->at % 64;
        if (steps == 64 && left >= 64 && advance_words(s, cluster, left / 64) > 0)
            continue;
        load_all(s, cluster);
        for (uint64_t i = 0; i < steps && i < left; i++)
            eg_step_edges(s, cluster, cluster);
    }
    load_all(s, cluster);
}

void eg_cluster(struct eg_segment *s, uint32_t cluster, uint64_t from, uint64_t to)
{
    struct eg_lane *first = &s->e->lane[__builtin_ctz(cluster)];
    uint64_t cycles = eg_edges_between(s, (unsigned)__builtin_ctz(cluster), from, to);
    uint64_t end = first->start + cycles;

    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (cluster >> x & 1)
            eg_sample(s, x, ~eg_nodes_of(cluster), from, to);
    if (end > first->at)
        advance_lockstep(s, cluster, end - first->at);
    for (unsigned x = 0; x < s->u->chip->domains; x++)
        if (cluster >> x & 1) {
            s->e->lane[x].end = s->e->lane[x].start + cycles;
            eg_lane_end(s, x);
        }
}
