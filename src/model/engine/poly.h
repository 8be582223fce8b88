/* SPDX-License-Identifier: MIT */
/*
 * What EVENT, SETFLAG and CLRFLAG are of the nodes that are being solved (relax.c): a sum modulo 2
 * of products of a few feeds, nodes some cycles late.  The coefficients depend on what is known,
 * and are planes.
 */
#ifndef PC_ENGINE_POLY_H
#define PC_ENGINE_POLY_H

#include "model/engine/engine.h"

/* SETFLAG, where it is an argument of EVENT */
#define EG_CHAINED(x) (EG_NODES + (x))
#define EG_BASES      (EG_NODES + PC_MAX_DOMAINS)

struct eg_feed {
    uint8_t base; /* node, or EG_CHAINED() */
    uint8_t late; /* cycles */
    bool pulse;   /* where it rises */
};

struct eg_poly {
    unsigned feeds;
    struct eg_feed feed[4];
    /* Of the product of the feeds in set i: a plane, XOR a constant */
    const uint64_t *plane[16];
    uint64_t flip[16];
};

enum eg_poly_of { EG_POLY_CHAIN, EG_POLY_EVENT, EG_POLY_SET, EG_POLY_CLEAR };

/* A domain of which nodes are being solved. */
struct eg_member {
    struct eg_block *b;
    bool chained, event, flag;          /* what is calculated in each round */
    struct eg_poly poly[EG_POLYS];      /* enum eg_poly_of */
    uint64_t coefficient[EG_POLYS][16]; /* of the word */
    bool reg, cur; /* the flag's register before the word, its signal in the word's first cycle */
    uint64_t reg_word;
};

/* Of a block whose other sources are known; nodes: those that are being solved. */
void eg_member_make(uint32_t nodes, struct eg_member *m, struct eg_block *b);

/* The words of all bases: this one, and the last 64 cycles before it */
struct eg_words {
    uint64_t now[EG_BASES], before[EG_BASES];
};

static inline uint64_t eg_delayed(const struct eg_words *w, unsigned base, unsigned late)
{
    return late == 0 ? w->now[base] : w->now[base] << late | w->before[base] >> (64 - late);
}

static inline uint64_t eg_feed_value(const struct eg_words *w, const struct eg_feed *f)
{
    uint64_t word = eg_delayed(w, f->base, f->late);

    return f->pulse ? word & ~eg_delayed(w, f->base, f->late + 1u) : word;
}

static inline uint64_t eg_evaluate(const struct eg_words *w, const struct eg_member *m,
                                   enum eg_poly_of which)
{
    const struct eg_poly *p = &m->poly[which];
    const uint64_t *coefficient = m->coefficient[which];
    uint64_t sum[16];

    if (p->feeds == 0)
        return coefficient[0];
    if (p->feeds == 1)
        return coefficient[0] ^ (coefficient[1] & eg_feed_value(w, &p->feed[0]));
    for (unsigned i = 0; i < 1u << p->feeds; i++)
        sum[i] = coefficient[i];
    for (unsigned f = p->feeds; f-- > 0;) {
        uint64_t x = eg_feed_value(w, &p->feed[f]);
        for (unsigned i = 0; i < 1u << f; i++)
            sum[i] ^= sum[i + (1u << f)] & x;
    }
    return sum[0];
}

/* Cycles in which a feed matters. */
static inline uint64_t eg_feeds_back(const struct eg_member *m, enum eg_poly_of which)
{
    uint64_t any = 0;

    for (unsigned i = 1; i < 1u << m->poly[which].feeds; i++)
        any |= m->coefficient[which][i];
    return any;
}

/* Which of the four a member has. */
static inline bool eg_member_has(const struct eg_member *m, unsigned which)
{
    return which == EG_POLY_CHAIN ? m->chained : which == EG_POLY_EVENT ? m->event : m->flag;
}

static inline bool eg_member_feeds_back(const struct eg_member *m)
{
    uint64_t any = 0;

    for (unsigned i = 0; i < EG_POLYS; i++)
        if (eg_member_has(m, i))
            any |= eg_feeds_back(m, (enum eg_poly_of)i);
    return any != 0;
}

/* The flag's word from SETFLAG's and CLRFLAG's: a carry chain, as the kernels have it. */
static inline uint64_t eg_flag_word(struct eg_member *m, uint64_t set, uint64_t clear)
{
    uint64_t keep = ~clear;

    set &= keep;
    m->reg_word = (keep + set + m->reg) ^ keep ^ set;
    return m->reg_word << 1 | m->cur;
}

/*
 * One round of a member; which of its words changed, in these cycles: bit 0 EVENT, bit 1 FLAG or
 * its register, which others may sample before the flag's next cycle.
 */
static inline unsigned eg_member_round(struct eg_member *m, struct eg_words *w, uint64_t cycles)
{
    unsigned x = m->b->domain, changed = 0;

    if (m->chained)
        w->now[EG_CHAINED(x)] = eg_evaluate(w, m, EG_POLY_CHAIN);
    if (m->event) {
        uint64_t event = eg_evaluate(w, m, EG_POLY_EVENT);
        changed |= ((event ^ w->now[EG_EVENT(x)]) & cycles) != 0;
        w->now[EG_EVENT(x)] = event;
    }
    if (m->flag) {
        uint64_t set = eg_evaluate(w, m, EG_POLY_SET), clear = eg_evaluate(w, m, EG_POLY_CLEAR);
        uint64_t before = m->reg_word, flag = eg_flag_word(m, set, clear);
        uint64_t other = (flag ^ w->now[EG_FLAG(x)]) | (m->reg_word ^ before);
        changed |= (unsigned)((other & cycles) != 0) << 1;
        w->now[EG_FLAG(x)] = flag;
    }
    return changed;
}

/* The flag's register and signal after so many cycles of the word */
static inline void eg_member_end(struct eg_member *m, const struct eg_words *w, unsigned cycles)
{
    uint64_t set = eg_evaluate(w, m, EG_POLY_SET), clear = eg_evaluate(w, m, EG_POLY_CLEAR);

    m->cur = m->reg_word >> (cycles - 1) & 1;
    m->reg = (~clear & (set | m->reg_word)) >> (cycles - 1) & 1;
}

#endif
