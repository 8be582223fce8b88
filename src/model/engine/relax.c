/* SPDX-License-Identifier: MIT */
/*
 * Relaxation: EVENTs and FLAGs that depend on themselves (docs/adr/010).  A word of each is
 * guessed, and calculated from the guesses until it is what was guessed.  As every loop has a
 * delay of a cycle at least, each round makes at least one more cycle right, from the front:
 * what stands still is right.
 *
 * What the operations are of is known but for a few arguments, the feeds: nodes that are being
 * solved, some cycles late (poly.h).  Where all coefficients of products are 0 in a word, nothing
 * feeds back in it, and the first round is the last.
 */
#include "model/engine/poly.h"

#include <string.h>

struct relax {
    uint32_t nodes; /* that are being solved */
    unsigned members;
    struct eg_member member[PC_MAX_DOMAINS];
    uint64_t *event_out[PC_MAX_DOMAINS], *flag_out[PC_MAX_DOMAINS]; /* of a member */
    struct eg_words words;
};

static void make_member(struct relax *r, struct eg_block *b)
{
    struct eg_member *m = &r->member[r->members];
    unsigned x = b->domain;

    eg_member_make(r->nodes, m, b);
    m->reg = b->d->flag_next;
    m->cur = b->d->flag_cur;
    uint64_t *event = eg_words_of(b, &b->lane->shown[EG_SHOWN_EVENT]);
    uint64_t *flag = eg_words_of(b, &b->lane->shown[EG_SHOWN_FLAG]);
    r->words.before[EG_EVENT(x)] = event[-1];
    r->words.before[EG_FLAG(x)] = flag[-1];
    r->event_out[r->members] = event;
    r->flag_out[r->members] = flag;
    r->members++;
}

static void load(struct eg_member *m, size_t w)
{
    for (unsigned p = 0; p < EG_POLYS; p++)
        for (unsigned i = 0; eg_member_has(m, p) && i < 1u << m->poly[p].feeds; i++)
            m->coefficient[p][i] = m->poly[p].plane[i][w] ^ m->poly[p].flip[i];
}

static void relax_word(struct relax *r, size_t w)
{
    bool again = false;
    unsigned changed = 1;

    for (unsigned i = 0; i < r->members; i++) {
        load(&r->member[i], w);
        r->member[i].reg_word = 0;
        again = again || eg_member_feeds_back(&r->member[i]);
    }
    for (unsigned n = 0; n < EG_NODES; n++)
        if (r->nodes >> n & 1) /* a guess: it stays as it is */
            r->words.now[n] = r->words.before[n] >> 63 ? UINT64_MAX : 0;
    while (changed) {
        changed = 0;
        for (unsigned i = 0; i < r->members; i++)
            changed |= eg_member_round(&r->member[i], &r->words, UINT64_MAX);
        changed = again ? changed : 0;
    }
    for (unsigned i = 0; i < r->members; i++) {
        struct eg_member *m = &r->member[i];
        unsigned x = m->b->domain;
        if (m->event)
            r->event_out[i][w] = r->words.now[EG_EVENT(x)];
        if (m->flag) {
            r->flag_out[i][w] = r->words.now[EG_FLAG(x)];
            m->b->flag_after.cur = m->reg_word >> 63;
            eg_member_end(m, &r->words, 64);
        }
    }
    for (unsigned n = 0; n < EG_NODES; n++)
        if (r->nodes >> n & 1)
            r->words.before[n] = r->words.now[n];
}

static void finish_member(const struct eg_member *m, uint64_t *event, uint64_t *flag)
{
    struct eg_block *b = m->b;
    unsigned x = b->domain;

    if (m->event) {
        b->input[PC_IN_EVENT] = (struct eg_signal){ event, false };
        b->known |= 1u << PC_IN_EVENT;
    }
    if (m->flag) {
        b->flag = (struct eg_signal){ flag, false };
        b->flag_after.next = m->reg;
        b->flag_after.shown = (struct pc_rise){ eg_last_level(b, b->flag),
                                                eg_odd_rises(b, b->flag, b->d->last_flag) };
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
            words = blocks[x].words;
        }
    for (size_t w = 0; w < words; w++)
        relax_word(&r, w);
    for (unsigned i = 0; i < r.members; i++)
        finish_member(&r.member[i], r.event_out[i], r.flag_out[i]);
}
