/* SPDX-License-Identifier: MIT */
/*
 * From registers to sums of products (poly.h): the algebraic normal form of a truth table in those
 * of its arguments that are being solved; each coefficient is a truth table of the others, which
 * the kernels make a plane of.
 *
 * An EVENT that looks at itself in the same cycle takes last cycle's value there (D-21), and so
 * does SETFLAG where it is an argument of EVENT (D-21a).
 */
#include "model/engine/poly.h"

#include "model/rules/lut.h"
#include "model/rules/sources.h"
#include "model/rules/table.h"

struct argument {
    bool is_feed;
    struct eg_feed feed;
    struct eg_signal known;
    bool copied; /* `known` is in a buffer that the next operation needs */
};

static struct argument known(struct eg_signal s)
{
    return (struct argument){ .known = s };
}

/* A selector that looks at a node which is being solved, or at something known. */
static struct argument selected(uint32_t nodes, struct eg_block *b, unsigned selector, bool late,
                                bool in_event)
{
    struct eg_pick pick = b->e->graph.pick[b->domain][selector];
    bool own = pick.number % PC_MAX_DOMAINS == b->domain;

    if (pick.kind == EG_NODE && in_event && pick.number == EG_EVENT(b->domain))
        late = true; /* D-21 */
    if (pick.kind != EG_NODE || !(nodes >> pick.number & 1)) {
        struct argument a = known(late ? eg_late(b, selector) : b->source[selector]);
        a.copied = late;
        return a;
    }
    struct argument a = { .is_feed = true, .feed = { pick.number, late, false } };
    if (!own) {
        a.feed.pulse = eg_pulsed(b->u, b->domain, pick.number);
        a.feed.late = (uint8_t)(late + (a.feed.pulse ? 3 : 2)); /* D-26, D-27 */
    }
    return a;
}

static void put_plane(struct eg_poly *p, unsigned i, const struct eg_block *b, struct eg_signal s,
                      bool inverted)
{
    p->plane[i] = eg_plane(b, s.plane ? s : eg_constant(false));
    p->flip[i] = inverted != (!s.plane && s.level) ? UINT64_MAX : 0;
}

/* Coefficient i, a table of the arguments that are known. */
static void coefficient(struct eg_poly *p, unsigned i, struct eg_block *b, uint16_t table,
                        const struct argument a[4], uint64_t (*out)[EG_RELAX_WORDS])
{
    struct pc_lut_op op = { .table = table };
    bool three = p->feeds == 3;

    for (unsigned k = 0; k < 4; k++) {
        if (a[k].is_feed)
            continue;
        if (!a[k].known.plane)
            op.table = pc_table_fix(op.table, k, a[k].known.level);
        op.arg[k] = a[k].known.plane;
    }
    if (op.table == 0 || op.table == 0xffff) {
        put_plane(p, i, b, (struct eg_signal){ NULL, op.table != 0 }, false);
        return;
    }
    for (unsigned k = 0; k < 4; k++)
        if (!a[k].is_feed && (!a[k].copied || three) &&
            (op.table == pc_table_of(k) || op.table + pc_table_of(k) == 0xffff)) {
            put_plane(p, i, b, a[k].known, op.table != pc_table_of(k));
            if (a[k].copied) { /* one plane for all eight coefficients */
                op.table = pc_table_of(k);
                b->k->lut(out[0], &op, b->words, PC_AHEAD_FAR);
                p->plane[i] = out[0];
            }
            return;
        }
    b->k->lut(out[i], &op, b->words, PC_AHEAD_FAR);
    put_plane(p, i, b, (struct eg_signal){ out[i], false }, false);
}

/* From a table to coefficients: of a product with argument k, the XOR of both its halves. */
static uint16_t difference(uint16_t table, unsigned k)
{
    return pc_table_fix(table, k, false) ^ pc_table_fix(table, k, true);
}

static void make_poly(struct eg_poly *p, struct eg_block *b, uint16_t table,
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
            part = i >> f & 1 ? difference(part, at[f]) : pc_table_fix(part, at[f], false);
        coefficient(p, i, b, part, a, out);
    }
}

/* Which operation of a member is which input's. */
static void make_input(uint32_t nodes, struct eg_member *m, unsigned which, enum pc_input input)
{
    struct eg_block *b = m->b;
    uint32_t features = b->u->chip->features;
    bool chained = pc_event_takes_setflag(b->d->op[PC_IN_EVENT], features);
    bool in_event = which == EG_POLY_EVENT || (input == PC_IN_SETFLAG && chained);
    const struct pc_arguments args = pc_arguments(b->d->op[input], input, features);
    uint16_t table = (uint16_t)b->d->op[input];
    struct argument a[4];

    for (unsigned k = 0; k < 4; k++) {
        if (difference(table, k) == 0) {
            a[k] = known((struct eg_signal){ NULL, false });
        } else if (args.of[k].setflag) {
            a[k] = (struct argument){ .is_feed = true,
                                      .feed = { (uint8_t)EG_CHAINED(b->domain), 0, false } };
        } else {
            a[k] = selected(nodes, b, args.of[k].selector, args.of[k].late, in_event);
        }
    }
    make_poly(&m->poly[which], b, table, a, b->e->coefficient[b->domain][which]);
}

static void make_constant(struct eg_member *m, unsigned which)
{
    m->poly[which].feeds = 0;
    put_plane(&m->poly[which], 0, m->b, (struct eg_signal){ NULL, false }, false);
}

void eg_member_make(uint32_t nodes, struct eg_member *m, struct eg_block *b)
{
    m->b = b;
    m->event = nodes >> EG_EVENT(b->domain) & 1;
    m->flag = nodes >> EG_FLAG(b->domain) & 1;
    m->chained = m->event && pc_event_takes_setflag(b->d->op[PC_IN_EVENT], b->u->chip->features) &&
                 difference((uint16_t)b->d->op[PC_IN_EVENT], 3) != 0;
    if (m->chained)
        make_input(nodes, m, EG_POLY_CHAIN, PC_IN_SETFLAG);
    if (m->event)
        make_input(nodes, m, EG_POLY_EVENT, PC_IN_EVENT);
    if (m->flag && eg_listens(b->u, b->d)) {
        make_input(nodes, m, EG_POLY_SET, PC_IN_SETFLAG);
        make_input(nodes, m, EG_POLY_CLEAR, PC_IN_CLRFLAG);
    } else if (m->flag) {
        make_constant(m, EG_POLY_SET);
        make_constant(m, EG_POLY_CLEAR);
    }
}
