/* SPDX-License-Identifier: MIT */
/*
 * What a domain sees of another one with a different clock, from planes that are known: held
 * between the edges of the one, sampled at those of the other.  Compiled for any CPU and for
 * x86-64-v3, whose instructions edge_bits.h uses.
 */
#include "model/engine/engine.h"
#include "model/engine/edge_bits.h"

/* Instants of word w that are in [from, to) */
static uint64_t in_range(uint64_t w, uint64_t from, uint64_t to)
{
    uint64_t bits = w == from / 64 ? UINT64_MAX << (from % 64) : UINT64_MAX;

    return to - w * 64 < 64 ? bits & ((UINT64_C(1) << (to % 64)) - 1) : bits;
}

/* Nodes of x, of which y sees at least one */
static void sample_domain(struct eg_segment *s, unsigned y, unsigned x, uint32_t nodes,
                          uint64_t from, uint64_t to)
{
    const struct eg_lane *other = &s->e->lane[x], *own = &s->e->lane[y];
    /* Places in windows, which begin with the word before the base */
    uint64_t in_at = other->start + 64 - 64 * other->base,
             out_at = own->start + 64 - 64 * own->base;

    for (uint64_t w = from / 64; w * 64 < to; w++) {
        struct eg_edge_bits theirs =
            eg_edge_bits_make(eg_edge_word(s, x, w) & in_range(w, from, to));
        struct eg_edge_bits mine = eg_edge_bits_make(eg_edge_word(s, y, w) & in_range(w, from, to));
        for (unsigned n = x; n < EG_NODES; n += PC_MAX_DOMAINS) {
            bool pulsed = eg_pulsed(s->u, y, n), completed = n < PC_MAX_DOMAINS && !pulsed;
            const uint64_t *in = other->shown[eg_shown_as(n, pulsed)].word;
            uint64_t first = completed ? in_at : in_at + 1;
            bool before = eg_cut(in, first - 1, 1) & 1;
            if (!(nodes >> n & 1))
                continue;
            uint64_t held = eg_held(&theirs, eg_cut(in, first, theirs.cycles), before);
            held = completed ? held : eg_just_before(held, before);
            eg_paste(s->e->lane[y].sampled[n].word, out_at, mine.cycles,
                     eg_edge_bits_of(&mine, held));
        }
        in_at += theirs.cycles;
        out_at += mine.cycles;
    }
}

const struct eg_clocks CLOCKS = { sample_domain };
