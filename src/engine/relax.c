/* SPDX-License-Identifier: MIT */
/*
 * Relaxation: EVENTs and FLAGs that depend on themselves (docs/adr/013).  A word of each is
 * guessed, and calculated from the guesses until it is what was guessed.  As every loop has a
 * delay of a cycle at least, each round makes at least one more cycle right, from the front:
 * what stands still is right.
 *
 * What the operations are of is known but for a few arguments, the feeds: nodes that are being
 * solved, some cycles late.  An operation is a sum modulo 2 of products of its feeds (its
 * algebraic normal form in these), and the coefficients, which depend on the rest, are planes
 * that are made once a block.  Where all coefficients of products are 0 in a word, nothing
 * feeds back in it, and the first round is the last.
 *
 * An EVENT that looks at itself in the same cycle takes last cycle's value there (D-21).
 */
#include "engine/engine.h"

#include "rules/lut.h"
#include "rules/sources.h"

/* SETFLAG as a chained EVENT has it, which may differ from what the flag has (D-21) */
#define CHAINED(x) (EG_NODES + (x))
#define BASES      (EG_NODES + PC_MAX_DOMAINS)

struct feed {
    uint8_t base; /* node, or CHAINED() */
    uint8_t late; /* cycles */
    bool pulse;   /* where it rises */
};

struct poly {
    unsigned feeds;
    struct feed feed[4];
    /* Of the product of the feeds in set i: a plane, XOR a constant */
    const uint64_t *plane[16];
    uint64_t flip[16];
};

struct member {
    struct eg_block *b;
    bool chained, event, flag;  /* what is calculated in each round */
    struct poly poly[EG_POLYS]; /* chained SETFLAG, EVENT, SETFLAG, CLRFLAG */
    uint64_t *event_out, *flag_out;
    bool reg, cur; /* the flag's register before the word, its signal in the word's first cycle */
    uint64_t reg_word;
};
enum { CHAIN, EVENT, SET, CLEAR };

struct relax {
    uint32_t nodes;
    unsigned members;
    struct member member[PC_MAX_DOMAINS];
    uint64_t now[BASES], before[BASES]; /* this word and the one before */
};

/* --- operations --- */

struct argument {
    bool is_feed;
    struct feed feed;
    struct eg_signal known;
    bool copied; /* `known` is in a buffer that the next operation needs */
};

static struct argument known(struct eg_signal s)
{
    return (struct argument){ .known = s };
}

/* A selector that looks at a node which is being solved, or at something known. */
static struct argument selected(const struct relax *r, struct eg_block *b, unsigned selector,
                                bool late, bool in_event)
{
    struct eg_pick pick = b->e->graph.pick[b->domain][selector];
    bool own = pick.number % PC_MAX_DOMAINS == b->domain;

    if (pick.kind != EG_NODE || !(r->nodes >> pick.number & 1)) {
        struct argument a = known(late ? eg_late(b, selector) : b->source[selector]);
        a.copied = late;
        return a;
    }
    struct argument a = { .is_feed = true, .feed = { pick.number, late, false } };
    if (own && in_event && pick.number == EG_EVENT(b->domain))
        a.feed.late = 1; /* D-21 */
    if (!own) {
        a.feed.pulse = eg_pulsed(b->u, b->domain, pick.number);
        a.feed.late = (uint8_t)(late + (a.feed.pulse ? 3 : 2)); /* D-26, D-27 */
    }
    return a;
}

static void put_plane(struct poly *p, unsigned i, const struct eg_block *b, struct eg_signal s,
                      bool inverted)
{
    p->plane[i] = s.plane ? s.plane : b->e->zeros;
    p->flip[i] = inverted != (!s.plane && s.level) ? UINT64_MAX : 0;
}

/* Coefficient i, a table of the arguments that are known. */
static void coefficient(struct poly *p, unsigned i, struct eg_block *b, uint16_t table,
                        const struct argument a[4], uint64_t (*out)[EG_RELAX_WORDS])
{
    static const uint16_t HIGH[4] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };
    struct pc_lut_op op = { .table = table };
    bool three = p->feeds == 3;

    for (unsigned k = 0; k < 4; k++) {
        if (a[k].is_feed)
            continue;
        if (!a[k].known.plane)
            op.table = eg_fix(op.table, k, a[k].known.level);
        op.arg[k] = a[k].known.plane;
    }
    if (op.table == 0 || op.table == 0xffff) {
        put_plane(p, i, b, (struct eg_signal){ NULL, op.table != 0 }, false);
        return;
    }
    for (unsigned k = 0; k < 4; k++)
        if (!a[k].is_feed && (!a[k].copied || three) &&
            (op.table == HIGH[k] || op.table + HIGH[k] == 0xffff)) {
            put_plane(p, i, b, a[k].known, op.table != HIGH[k]);
            if (a[k].copied) { /* one plane for all eight coefficients */
                op.table = HIGH[k];
                b->k->lut(out[0], &op, b->words);
                p->plane[i] = out[0];
            }
            return;
        }
    b->k->lut(out[i], &op, b->words);
    put_plane(p, i, b, (struct eg_signal){ out[i], false }, false);
}

/* From a table to coefficients: of a product with argument k, the XOR of both its halves. */
static uint16_t difference(uint16_t table, unsigned k)
{
    return eg_fix(table, k, false) ^ eg_fix(table, k, true);
}

static void make_poly(struct poly *p, struct eg_block *b, uint16_t table,
                      const struct argument a[4], uint64_t (*out)[EG_RELAX_WORDS])
{
    unsigned at[4] = { 0 };

    p->feeds = 0;
    for (unsigned k = 0; k < 4; k++)
        if (a[k].is_feed) {
            at[p->feeds] = k;
            p->feed[p->feeds++] = a[k].feed;
        }
    for (unsigned i = 0; i < 1u << p->feeds; i++) {
        uint16_t part = table;
        for (unsigned f = 0; f < p->feeds; f++)
            part = i >> f & 1 ? difference(part, at[f]) : eg_fix(part, at[f], false);
        coefficient(p, i, b, part, a, out);
    }
}

/* Which operation of a member is which input's. */
static void make_input(struct relax *r, struct member *m, unsigned which, enum pc_input input)
{
    struct eg_block *b = m->b;
    uint32_t features = b->u->chip->features;
    bool in_event = which == CHAIN || which == EVENT;
    struct pc_args args = pc_op_args(b->d->op[input], input == PC_IN_EVENT, features);
    uint16_t table = (uint16_t)b->d->op[input];
    struct argument a[4];

    for (unsigned k = 0; k < 4; k++) {
        if (difference(table, k) == 0) {
            a[k] = known((struct eg_signal){ NULL, false });
        } else if (args.from[k] == PC_ARG_SETFLAG) {
            a[k] = (struct argument){ .is_feed = true,
                                      .feed = { (uint8_t)CHAINED(b->domain), 0, false } };
        } else {
            bool late = args.from[k] != PC_ARG_SRC;
            unsigned i = !late ? k : args.from[k] == PC_ARG_SRC1_LATE;
            a[k] = selected(r, b, pc_source_selector(features, input, i), late, in_event);
        }
    }
    make_poly(&m->poly[which], b, table, a, b->e->coefficient[b->domain][which]);
}

static void make_constant(struct member *m, unsigned which)
{
    m->poly[which].feeds = 0;
    put_plane(&m->poly[which], 0, m->b, (struct eg_signal){ NULL, false }, false);
}

static void make_member(struct relax *r, struct eg_block *b)
{
    struct member *m = &r->member[r->members++];
    uint32_t features = b->u->chip->features;
    struct pc_args args = pc_op_args(b->d->op[PC_IN_EVENT], true, features);

    m->b = b;
    m->event = r->nodes >> EG_EVENT(b->domain) & 1;
    m->flag = r->nodes >> EG_FLAG(b->domain) & 1;
    m->chained = m->event && args.from[3] == PC_ARG_SETFLAG &&
                 difference((uint16_t)b->d->op[PC_IN_EVENT], 3) != 0;
    m->event_out = eg_words_of(b, &b->lane->shown[EG_SHOWN_EVENT]);
    m->flag_out = eg_words_of(b, &b->lane->shown[EG_SHOWN_FLAG]);
    m->reg = b->d->flag_next;
    m->cur = b->d->flag_cur;
    if (m->chained)
        make_input(r, m, CHAIN, PC_IN_SETFLAG);
    if (m->event)
        make_input(r, m, EVENT, PC_IN_EVENT);
    if (m->flag && eg_listens(b->u, b->d)) {
        make_input(r, m, SET, PC_IN_SETFLAG);
        make_input(r, m, CLEAR, PC_IN_CLRFLAG);
    } else if (m->flag) {
        make_constant(m, SET);
        make_constant(m, CLEAR);
    }
}

/* --- a word --- */

static uint64_t delayed(const struct relax *r, unsigned base, unsigned late)
{
    return late == 0 ? r->now[base] : r->now[base] << late | r->before[base] >> (64 - late);
}

static uint64_t value(const struct relax *r, const struct feed *f)
{
    uint64_t word = delayed(r, f->base, f->late);

    return f->pulse ? word & ~delayed(r, f->base, f->late + 1u) : word;
}

static uint64_t evaluate(const struct relax *r, const struct poly *p, size_t w)
{
    uint64_t sum[16];

    if (p->feeds == 1)
        return p->plane[0][w] ^ p->flip[0] ^
               ((p->plane[1][w] ^ p->flip[1]) & value(r, &p->feed[0]));
    for (unsigned i = 0; i < 1u << p->feeds; i++)
        sum[i] = p->plane[i][w] ^ p->flip[i];
    for (unsigned f = p->feeds; f-- > 0;) {
        uint64_t x = value(r, &p->feed[f]);
        for (unsigned i = 0; i < 1u << f; i++)
            sum[i] ^= sum[i + (1u << f)] & x;
    }
    return sum[0];
}

/* Cycles in which a feed matters. */
static uint64_t feeds_back(const struct poly *p, size_t w)
{
    uint64_t any = 0;

    for (unsigned i = 1; i < 1u << p->feeds; i++)
        any |= p->plane[i][w] ^ p->flip[i];
    return any;
}

static bool word_feeds_back(const struct relax *r, size_t w)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < r->members; i++) {
        const struct member *m = &r->member[i];
        if (m->chained)
            any |= feeds_back(&m->poly[CHAIN], w);
        if (m->event)
            any |= feeds_back(&m->poly[EVENT], w);
        if (m->flag)
            any |= feeds_back(&m->poly[SET], w) | feeds_back(&m->poly[CLEAR], w);
    }
    return any != 0;
}

/* The flag's word from SETFLAG's and CLRFLAG's: a carry chain, as the kernels have it. */
static uint64_t flag_word(struct member *m, uint64_t set, uint64_t clear)
{
    uint64_t keep = ~clear;

    set &= keep;
    m->reg_word = (keep + set + m->reg) ^ keep ^ set;
    return m->reg_word << 1 | m->cur;
}

/* The register behind the word */
static bool register_after(const struct relax *r, const struct member *m, size_t w)
{
    uint64_t set = evaluate(r, &m->poly[SET], w), clear = evaluate(r, &m->poly[CLEAR], w);

    return (~clear & (set | m->reg_word)) >> 63;
}

static uint64_t replace(uint64_t *word, uint64_t by)
{
    uint64_t changed = *word ^ by;

    *word = by;
    return changed;
}

/* One round; did a word change? */
static bool relax_round(struct relax *r, size_t w)
{
    uint64_t changed = 0;

    for (unsigned i = 0; i < r->members; i++) {
        struct member *m = &r->member[i];
        unsigned x = m->b->domain;
        if (m->chained)
            r->now[CHAINED(x)] = evaluate(r, &m->poly[CHAIN], w);
        if (m->event)
            changed |= replace(&r->now[EG_EVENT(x)], evaluate(r, &m->poly[EVENT], w));
        if (m->flag) {
            uint64_t set = evaluate(r, &m->poly[SET], w), clear = evaluate(r, &m->poly[CLEAR], w);
            changed |= replace(&r->now[EG_FLAG(x)], flag_word(m, set, clear));
        }
    }
    return changed != 0;
}

/* --- a block --- */

static void relax_word(struct relax *r, size_t w)
{
    bool again = word_feeds_back(r, w);

    for (unsigned n = 0; n < EG_NODES; n++)
        if (r->nodes >> n & 1) /* a guess: it stays as it is */
            r->now[n] = r->before[n] >> 63 ? UINT64_MAX : 0;
    while (relax_round(r, w) && again)
        continue;
    for (unsigned i = 0; i < r->members; i++) {
        struct member *m = &r->member[i];
        unsigned x = m->b->domain;
        if (m->event)
            m->event_out[w] = r->now[EG_EVENT(x)];
        if (m->flag) {
            m->flag_out[w] = r->now[EG_FLAG(x)];
            m->b->lane->reg[w] = m->reg_word;
            m->cur = m->reg_word >> 63;
            m->reg = register_after(r, m, w);
        }
    }
    for (unsigned n = 0; n < EG_NODES; n++)
        if (r->nodes >> n & 1)
            r->before[n] = r->now[n];
}

static void finish_member(const struct member *m)
{
    struct eg_block *b = m->b;
    unsigned x = b->domain;

    if (m->event) {
        b->input[PC_IN_EVENT] = (struct eg_signal){ m->event_out, false };
        b->known |= 1u << PC_IN_EVENT;
    }
    if (m->flag) {
        b->flag = (struct eg_signal){ m->flag_out, false };
        b->flag_register = m->reg;
    }
    if (m->event && b->e->graph.pulsed >> EG_EVENT(x) & 1)
        eg_show_toggle(b, EG_EVENT(x));
    if (m->flag && b->e->graph.pulsed >> EG_FLAG(x) & 1)
        eg_show_toggle(b, EG_FLAG(x));
}

void eg_relax(struct eg_block *blocks, uint32_t nodes)
{
    struct relax r;
    size_t words = 0;

    r.nodes = nodes;
    r.members = 0;
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        if (nodes & eg_nodes_of(1u << x)) {
            make_member(&r, &blocks[x]);
            struct member *m = &r.member[r.members - 1];
            r.before[EG_EVENT(x)] = m->event_out[-1];
            r.before[EG_FLAG(x)] = m->flag_out[-1];
            words = blocks[x].words;
        }
    for (size_t w = 0; w < words; w++)
        relax_word(&r, w);
    for (unsigned i = 0; i < r.members; i++)
        finish_member(&r.member[i]);
}
