/* SPDX-License-Identifier: MIT */
/*
 * Between different clocks: what a domain sees of another one, and what domains show that look at
 * each other's EVENT and FLAG (docs/adr/020).  The latter is found first, window by window of
 * time, by relaxation as in relax.c; then each clock's domains can go through the window as
 * if the others had come before them (team.c).  Compiled for any CPU and for x86-64-v3, whose
 * instructions squeeze.h uses.
 *
 * Time is cut in slices of 64 instants at which one of the domains has an edge.  In a slice each
 * domain has a word of its own cycles, as many as it has edges.  Between clocks a guess goes by
 * way of the instants: held between the edges of the one, sampled at those of the other.  A
 * sample is seen two cycles later, so what stands still is right here, too.
 *
 * It is assumed that no flag stops or begins to listen within the window; ahead.c sees to it.
 */
#include "engine/poly.h"
#include "engine/squeeze.h"

/* --- samples of known planes --- */

/* Instants of word w that are in [from, to) */
static uint64_t in_range(uint64_t w, uint64_t from, uint64_t to)
{
    uint64_t bits = w == from / 64 ? UINT64_MAX << (from % 64) : UINT64_MAX;

    return to - w * 64 < 64 ? bits & ((UINT64_C(1) << (to % 64)) - 1) : bits;
}

/* Nodes of x, of which y sees at least one */
static void sample_domain(struct eg_stretch *s, unsigned y, unsigned x, uint32_t nodes,
                          uint64_t from, uint64_t to)
{
    const struct eg_lane *other = &s->e->lane[x], *own = &s->e->lane[y];
    /* Places in windows, which begin with the word before the base */
    uint64_t in_at = other->start + 64 - 64 * other->base,
             out_at = own->start + 64 - 64 * own->base;

    for (uint64_t w = from / 64; w * 64 < to; w++) {
        struct eg_squeeze theirs = eg_squeeze_make(eg_edge_word(s, x, w) & in_range(w, from, to));
        struct eg_squeeze mine = eg_squeeze_make(eg_edge_word(s, y, w) & in_range(w, from, to));
        for (unsigned n = x; n < EG_NODES; n += PC_MAX_DOMAINS) {
            bool pulsed = eg_pulsed(s->u, y, n), completed = n < PC_MAX_DOMAINS && !pulsed;
            const uint64_t *in = other->shown[eg_shown_as(n, pulsed)].word;
            uint64_t first = completed ? in_at : in_at + 1;
            bool before = eg_cut(in, first - 1, 1) & 1;
            if (!(nodes >> n & 1))
                continue;
            uint64_t held = eg_held(&theirs, eg_cut(in, first, theirs.cycles), before);
            held = completed ? held : eg_just_before(held, before);
            eg_paste(s->e->lane[y].sampled[n].word, out_at, mine.cycles, eg_squeezed(&mine, held));
        }
        in_at += theirs.cycles;
        out_at += mine.cycles;
    }
}

/* --- domains that look at each other --- */

/* Slices of a block: with what is left of a word at both ends a domain has EG_RELAX_WORDS. */
enum { SLICES = EG_RELAX_WORDS - 2 };

/* A node as a domain with another clock samples it. */
struct sample {
    uint8_t node, by;  /* domain */
    uint8_t base;      /* of its words: samples, or where the samples of a toggle change */
    bool pulsed, last; /* the last sample of a toggle */
};

/* A domain of the team */
struct party {
    unsigned domain, clock;
    uint64_t at;                    /* its next cycle */
    bool event_toggle, flag_toggle; /* before it */
    uint64_t position;              /* of the slice in the block */
    struct pc_domain note;          /* as the block begins */
    struct eg_block block;
    struct eg_member member;
    uint32_t feeds, looks; /* nodes in its sums: of the block; of the slice, if they matter in it */
};

struct clocks {
    struct eg_stretch *s;
    uint32_t team;
    struct eg_solved solved;
    unsigned parties, clocks, samples;
    struct party party[PC_MAX_DOMAINS];
    struct party *of[PC_MAX_DOMAINS]; /* of a domain */
    struct sample sample[PC_MAX_DOMAINS * EG_NODES];
    const uint64_t *plane[PC_MAX_DOMAINS]; /* of a clock; NULL: an edge at each instant */
    struct eg_squeeze squeeze[PC_MAX_DOMAINS];
    /* The window's edges of each clock, without instants at which there are none. */
    uint64_t edge[PC_MAX_DOMAINS][EG_WINDOW + 1];
    struct eg_words words;
};

/* --- edges --- */

static uint64_t edges_in(const struct clocks *c, unsigned clock, uint64_t word)
{
    return c->plane[clock] ? c->plane[clock][word] : UINT64_MAX;
}

/* Returns at how many instants of the window there are edges. */
static uint64_t collect_edges(struct clocks *c, uint64_t from, uint64_t to)
{
    uint64_t n = 0;

    for (uint64_t w = from / 64; w * 64 < to; w++) {
        uint64_t any = 0;
        for (unsigned k = 0; k < c->clocks; k++)
            any |= edges_in(c, k, w);
        struct eg_squeeze s = eg_squeeze_make(any & in_range(w, from, to));
        for (unsigned k = 0; k < c->clocks; k++)
            eg_paste(c->edge[k], n, s.cycles, eg_squeezed(&s, edges_in(c, k, w)));
        n += s.cycles;
    }
    return n;
}

/* --- who sees what --- */

/*
 * Where the window begins: the domain is there, or has less than a word to go, and what it will
 * be was found together with the window before.
 */
static void find_state(const struct eg_stretch *s, struct party *p)
{
    const struct pc_domain *d = &s->u->state.domain[p->domain];
    const struct eg_lane *lane = &s->e->lane[p->domain];
    uint64_t at = lane->start + 64 - 64 * lane->base;
    bool there = lane->start == lane->at;
    uint64_t flag = eg_cut(lane->shown[EG_SHOWN_FLAG].word, at, 2);

    p->at = lane->start;
    p->member.cur = there ? d->flag_cur : flag & 1;
    p->member.reg = there ? d->flag_next : flag >> 1 & 1;
    p->event_toggle =
        there ? d->event_toggle : eg_cut(lane->shown[EG_SHOWN_EVENT_TOGGLE].word, at, 1) & 1;
    p->flag_toggle =
        there ? d->flag_toggle : eg_cut(lane->shown[EG_SHOWN_FLAG_TOGGLE].word, at, 1) & 1;
}

static void find_parties(struct clocks *c)
{
    const struct eg_stretch *s = c->s;

    for (unsigned x = 0; x < s->u->chip->domains; x++) {
        const uint64_t *plane = s->run->domain[x].edge;
        struct party *p = &c->party[c->parties];
        if (!(c->team >> x & 1))
            continue;
        c->of[x] = p;
        c->parties++;
        p->domain = x;
        find_state(s, p);
        for (p->clock = 0; p->clock < c->clocks && c->plane[p->clock] != plane; p->clock++)
            continue;
        c->plane[p->clock] = plane;
        c->clocks += p->clock == c->clocks;
    }
}

/* Nodes that another domain looks at, and those that these depend on. */
static uint32_t nodes_needed(const struct clocks *c)
{
    const struct eg_graph *g = &c->s->e->graph;
    uint32_t nodes = 0, all;

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        nodes |= g->looks[x];
    nodes &= eg_nodes_of(c->team);
    all = nodes;
    for (unsigned n = 0; n < EG_NODES; n++)
        if (nodes >> n & 1)
            all |= g->needs[n];
    return all & eg_nodes_of(c->team);
}

static void add_sample(struct clocks *c, unsigned y, unsigned node)
{
    struct sample *s = &c->sample[c->samples];
    const struct eg_lane *lane = &c->s->e->lane[y];
    uint64_t last = eg_cut(lane->sampled[node].word, lane->start - 64 * lane->base, 64);

    *s = (struct sample){ .node = (uint8_t)node,
                          .by = (uint8_t)y,
                          .base = (uint8_t)(EG_SAMPLED + c->samples),
                          .pulsed = eg_pulsed(c->s->u, y, node),
                          .last = last >> 63 };
    c->words.before[s->base] = s->pulsed ? last ^ last << 1 : last;
    c->solved.sampled[y][node] = s->base;
    c->samples++;
}

static void find_samples(struct clocks *c)
{
    for (unsigned i = 0; i < c->parties; i++) {
        unsigned y = c->party[i].domain;
        for (unsigned n = 0; n < EG_NODES; n++)
            if (c->solved.nodes & c->s->e->graph.looks[y] & 1u << n &&
                !eg_lockstep(c->s, n % PC_MAX_DOMAINS, y))
                add_sample(c, y, n);
    }
}

/* The last cycles before the window */
static void find_history(struct clocks *c)
{
    for (unsigned i = 0; i < c->parties; i++) {
        unsigned x = c->party[i].domain;
        const struct eg_lane *lane = &c->s->e->lane[x];
        uint64_t at = lane->start - 64 * lane->base; /* 64 cycles before it, in a window */
        c->words.before[EG_EVENT(x)] = eg_cut(lane->shown[EG_SHOWN_EVENT].word, at, 64);
        c->words.before[EG_FLAG(x)] = eg_cut(lane->shown[EG_SHOWN_FLAG].word, at, 64);
    }
}

/* --- a block --- */

/* Nodes in the sums of a member, sampled or not */
static uint32_t feeds_of(const struct clocks *c, const struct eg_member *m)
{
    uint32_t nodes = 0;

    for (unsigned k = 0; k < EG_POLYS; k++)
        for (unsigned i = 0; eg_member_has(m, k) && i < m->poly[k].feeds; i++) {
            unsigned base = m->poly[k].feed[i].base;
            if (base >= EG_SAMPLED)
                nodes |= 1u << c->sample[base - EG_SAMPLED].node;
            else if (base < EG_NODES)
                nodes |= 1u << base;
        }
    return nodes;
}

/* Slices [first, end): coefficients as planes. */
static void open_block(struct clocks *c, struct party *p, size_t first, size_t end)
{
    struct eg_stretch *s = c->s;
    struct eg_lane *lane = &s->e->lane[p->domain];
    uint64_t word = p->at / 64, cycles = 0;

    if (p->at % 64 == 0 && p->at != lane->at) /* its flops are those of another time */
        word--;
    for (size_t i = first; i < end; i++)
        cycles += (unsigned)__builtin_popcountll(c->edge[p->clock][i]);
    p->note = s->u->state.domain[p->domain];
    p->note.periodic = (uint16_t)(p->note.periodic + (word * 64 - lane->at));
    p->position = p->at - 64 * word;
    p->block = (struct eg_block){ .e = s->e,
                                  .k = s->e->kernel,
                                  .u = s->u,
                                  .d = &p->note,
                                  .domain = p->domain,
                                  .all = s->run,
                                  .run = &s->run->domain[p->domain],
                                  .lane = lane,
                                  .first = word,
                                  .words = (size_t)((p->position + cycles + 63) / 64) };
    eg_block_open(&p->block, ~eg_nodes_of(c->team));
    bool reg = p->member.reg, cur = p->member.cur;
    eg_member_make(&c->solved, &p->member, &p->block);
    p->member.reg = reg;
    p->member.cur = cur;
    p->feeds = feeds_of(c, &p->member);
}

/* --- a slice --- */

static unsigned cycles_of(const struct clocks *c, const struct party *p)
{
    return c->squeeze[p->clock].cycles;
}

static void load(struct party *p, unsigned cycles)
{
    struct eg_member *m = &p->member;

    for (unsigned k = 0; k < EG_POLYS; k++)
        for (unsigned i = 0; eg_member_has(m, k) && i < 1u << m->poly[k].feeds; i++)
            m->coefficient[k][i] =
                eg_cut(m->poly[k].plane[i], p->position, cycles) ^ m->poly[k].flip[i];
}

/* Where a node rises */
static uint64_t rises(const struct clocks *c, unsigned node)
{
    return c->words.now[node] & ~eg_delayed(&c->words, node, 1);
}

/* What is sampled, at each instant of the slice: D-26, D-27, docs/adr/004 */
static uint64_t levels(const struct clocks *c, const struct sample *s)
{
    const struct party *p = c->of[s->node % PC_MAX_DOMAINS];
    const struct eg_squeeze *theirs = &c->squeeze[p->clock];
    bool event = s->node < PC_MAX_DOMAINS, toggle = event ? p->event_toggle : p->flag_toggle;

    if (s->pulsed)
        return eg_parity(eg_spread(theirs, rises(c, s->node))) << 1 ^ (toggle ? UINT64_MAX : 0);
    if (event)
        return eg_held(theirs, c->words.now[s->node], c->words.before[s->node] >> 63);
    return eg_just_before(eg_held(theirs, p->member.reg_word, p->member.cur), p->member.cur);
}

/* The samples, a bit a cycle of who takes them */
static uint64_t take(const struct clocks *c, const struct sample *s)
{
    return eg_squeezed(&c->squeeze[c->of[s->by]->clock], levels(c, s));
}

static void take_samples(struct clocks *c, uint32_t changed)
{
    for (unsigned i = 0; i < c->samples; i++) {
        const struct sample *s = &c->sample[i];
        if (!(changed >> s->node & 1))
            continue;
        uint64_t samples = take(c, s);
        c->words.now[s->base] = s->pulsed ? samples ^ (samples << 1 | s->last) : samples;
    }
}

/* It stays as it is: the nodes. */
static void guess(struct clocks *c)
{
    for (unsigned i = 0; i < c->parties; i++) {
        struct party *p = &c->party[i];
        unsigned x = p->domain;
        c->words.now[EG_EVENT(x)] = c->words.before[EG_EVENT(x)] >> 63 ? UINT64_MAX : 0;
        p->member.reg_word = p->member.reg ? UINT64_MAX : 0;
        c->words.now[EG_FLAG(x)] = p->member.reg_word << 1 | p->member.cur;
    }
}

static uint64_t first_bits(unsigned n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* The nodes of a party that changed */
static uint32_t relax_party(struct clocks *c, struct party *p)
{
    unsigned which = eg_member_round(&p->member, &c->words, first_bits(cycles_of(c, p)));

    return (which & 1 ? 1u << EG_EVENT(p->domain) : 0) | (which & 2 ? 1u << EG_FLAG(p->domain) : 0);
}

/*
 * Each party in turn sees what those before it have just become, which takes fewer rounds than if
 * all looked at the last round; one of whose feeds nothing changed since is left alone.
 */
static void solve(struct clocks *c)
{
    uint32_t stale[PC_MAX_DOMAINS], any; /* what each looks at and has changed since its turn */

    for (unsigned i = 0; i < c->parties; i++) {
        struct party *p = &c->party[i];
        unsigned n = cycles_of(c, p);
        load(p, n);
        stale[i] = n > 0 ? UINT32_MAX : 0;
        p->looks = n > 0 && eg_member_feeds_back(&p->member) ? p->feeds : 0;
    }
    guess(c);
    take_samples(c, UINT32_MAX);
    do {
        any = 0;
        for (unsigned i = 0; i < c->parties; i++) {
            if (!stale[i])
                continue;
            stale[i] = 0;
            uint32_t changed = relax_party(c, &c->party[i]);
            if (!changed)
                continue;
            take_samples(c, changed);
            for (unsigned k = 0; k < c->parties; k++)
                stale[k] |= changed & c->party[k].looks;
            any |= changed;
        }
    } while (any);
}

/* A toggle before each cycle, from where its signal rises; what it is behind them */
static bool show_toggle(struct eg_lane *lane, enum eg_shown which, uint64_t at, unsigned n,
                        uint64_t where, bool before)
{
    uint64_t after = eg_parity(where) ^ (before ? UINT64_MAX : 0);

    eg_paste(lane->shown[which].word, at, n, after << 1 | before);
    return after >> (n - 1) & 1;
}

static void show(struct clocks *c, struct party *p, unsigned n)
{
    unsigned x = p->domain;
    struct eg_lane *lane = &c->s->e->lane[x];
    uint64_t at = p->at + 64 - 64 * lane->base;
    uint16_t pulsed = c->s->e->graph.pulsed;

    if (p->member.event)
        eg_paste(lane->shown[EG_SHOWN_EVENT].word, at, n, c->words.now[EG_EVENT(x)]);
    if (p->member.flag)
        eg_paste(lane->shown[EG_SHOWN_FLAG].word, at, n, c->words.now[EG_FLAG(x)]);
    if (p->member.event && pulsed >> EG_EVENT(x) & 1)
        p->event_toggle =
            show_toggle(lane, EG_SHOWN_EVENT_TOGGLE, at, n, rises(c, EG_EVENT(x)), p->event_toggle);
    if (p->member.flag && pulsed >> EG_FLAG(x) & 1)
        p->flag_toggle =
            show_toggle(lane, EG_SHOWN_FLAG_TOGGLE, at, n, rises(c, EG_FLAG(x)), p->flag_toggle);
}

static void shift_in(struct eg_words *w, unsigned base, unsigned n)
{
    w->before[base] = n == 64 ? w->now[base] : w->before[base] >> n | w->now[base] << (64 - n);
}

static void finish_samples(struct clocks *c)
{
    for (unsigned i = 0; i < c->samples; i++) {
        struct sample *s = &c->sample[i];
        unsigned n = cycles_of(c, c->of[s->by]);
        if (n == 0)
            continue;
        if (s->pulsed)
            s->last = take(c, s) >> (n - 1) & 1;
        shift_in(&c->words, s->base, n);
    }
}

static void finish(struct clocks *c)
{
    for (unsigned i = 0; i < c->parties; i++) {
        struct party *p = &c->party[i];
        if (p->member.flag && cycles_of(c, p) > 0)
            eg_member_end(&p->member, &c->words, cycles_of(c, p));
    }
    finish_samples(c);
    for (unsigned i = 0; i < c->parties; i++) {
        struct party *p = &c->party[i];
        unsigned n = cycles_of(c, p);
        if (n == 0)
            continue;
        show(c, p, n);
        shift_in(&c->words, EG_EVENT(p->domain), n);
        shift_in(&c->words, EG_FLAG(p->domain), n);
        p->at += n;
        p->position += n;
    }
}

/*
 * What is shown before the first cycle behind the window, which others may sample, and the flag of
 * the next: its register.
 */
static void show_end(struct clocks *c, const struct party *p)
{
    struct eg_lane *lane = &c->s->e->lane[p->domain];
    uint64_t at = p->at + 64 - 64 * lane->base;

    eg_paste(lane->shown[EG_SHOWN_FLAG].word, at, 2, (uint64_t)p->member.reg << 1 | p->member.cur);
    eg_paste(lane->shown[EG_SHOWN_EVENT_TOGGLE].word, at, 1, p->event_toggle);
    eg_paste(lane->shown[EG_SHOWN_FLAG_TOGGLE].word, at, 1, p->flag_toggle);
}

static void show_all(struct eg_stretch *s, uint32_t team, uint64_t from, uint64_t to)
{
    struct clocks c = { .s = s, .team = team };

    find_parties(&c);
    c.solved.nodes = nodes_needed(&c);
    find_samples(&c);
    find_history(&c);
    size_t slices = (size_t)((collect_edges(&c, from, to) + 63) / 64);
    for (size_t i = 0; i < slices; i++) {
        size_t end = i + SLICES < slices ? i + SLICES : slices;
        for (unsigned k = 0; k < c.parties && i % SLICES == 0; k++)
            open_block(&c, &c.party[k], i, end);
        for (unsigned k = 0; k < c.clocks; k++)
            c.squeeze[k] = eg_squeeze_make(c.edge[k][i]);
        solve(&c);
        finish(&c);
    }
    for (unsigned k = 0; k < c.parties; k++)
        show_end(&c, &c.party[k]);
}

const struct eg_clocks CLOCKS = { sample_domain, show_all };
