/* SPDX-License-Identifier: MIT */
/*
 * SETFLAG as ARG[3] of EVENT and STOP (PC.IN.7): F(x) = G(A, S(B)), where the atoms A stay
 * and the atoms B go to SETFLAG; an atom may be in both.  For given A and B the values of S
 * are unknowns, one for each of the at most 16 states of B.  Where F, with A fixed, is not
 * constant, G passes S on as it is or inverted, so F tells which values of S are equal and
 * which differ.  Those are equations between two unknowns; EVENT, STOP and a SETFLAG that is wanted
 * for the flag's sake add theirs to the same unknowns.  No contradiction: there is an S, and what
 * it leaves open does not matter.  All A of up to three atoms and all B of up to four are tried.
 */
#include "lang/compile/compile.h"

#include <string.h>

#define A_ATOMS 3
#define B_ATOMS 4
#define B_ROWS  (1u << B_ATOMS)
#define ZERO    B_ROWS /* the unknown that is known to be 0 */

/* Which unknowns are equal or opposite: each points at another, at last at a root. */
struct equations {
    uint8_t link[B_ROWS + 1];
    bool opposite[B_ROWS + 1]; /* of link[] */
    bool contradiction;
};

static unsigned root_of(const struct equations *q, unsigned x, bool *opposite)
{
    *opposite = false;
    while (q->link[x] != x) {
        *opposite ^= q->opposite[x];
        x = q->link[x];
    }
    return x;
}

/* Notes that x and y are equal, or differ. */
static void relate(struct equations *q, unsigned x, unsigned y, bool differ)
{
    bool ox, oy;
    unsigned rx = root_of(q, x, &ox), ry = root_of(q, y, &oy);
    bool between = ox ^ oy ^ differ;

    if (rx == ry) {
        q->contradiction |= between;
    } else {
        if (rx == ZERO) { /* stays a root */
            rx = ry;
            ry = ZERO;
        }
        q->link[rx] = (uint8_t)ry;
        q->opposite[rx] = between;
    }
}

/* One of the functions that SETFLAG is to help. */
struct part {
    const struct cm_func *f;
    unsigned must;              /* atoms that are not in B */
    uint8_t row_of_b[B_ROWS];   /* what a state of B says of the others */
    unsigned stay;              /* A: mask of atoms */
    unsigned a[A_ATOMS], count; /* the same as a list */
    uint8_t row_of_a[1u << A_ATOMS];
};

struct chain {
    struct part part[2];
    bool used[2];
    struct cm_func set; /* B and S */
};

static void choose_a(struct part *p, unsigned stay)
{
    p->stay = stay;
    p->count = 0;
    for (unsigned i = 0; i < p->f->atoms; i++)
        if (stay >> i & 1)
            p->a[p->count++] = i;
    for (unsigned a = 0; a < 1u << p->count; a++) {
        unsigned row = 0;
        for (unsigned i = 0; i < p->count; i++)
            row |= (a >> i & 1) << p->a[i];
        p->row_of_a[a] = (uint8_t)row;
    }
}

/* Finds the row of F for state a of A and state b of B; false if the two disagree on an atom. */
static bool row_at(const struct part *p, unsigned a, unsigned b, bool *value)
{
    const unsigned from_a = p->row_of_a[a], from_b = p->row_of_b[b];

    if ((from_a ^ from_b) & p->stay & ~p->must)
        return false;
    *value = cm_row(p->f, from_a | from_b);
    return true;
}

static bool varies(const struct part *p, unsigned a, unsigned b_rows)
{
    bool some[2] = { false, false }, value;

    for (unsigned b = 0; b < b_rows; b++)
        if (row_at(p, a, b, &value))
            some[value] = true;
    return some[0] && some[1];
}

/* Adds the equations of one function for S. */
static void state(struct equations *q, const struct part *p, unsigned b_rows)
{
    for (unsigned a = 0; a < 1u << p->count; a++) {
        unsigned first = ZERO;
        bool first_value = false, value;
        if (!varies(p, a, b_rows))
            continue;
        for (unsigned b = 0; b < b_rows; b++) {
            if (!row_at(p, a, b, &value))
                continue;
            if (first == ZERO) {
                first = b;
                first_value = value;
            } else {
                relate(q, b, first, value != first_value);
            }
        }
    }
}

/* G: its atoms are A and then SETFLAG. */
static void make_rest(const struct chain *c, const struct part *p, struct cm_func *out)
{
    unsigned b_rows = 1u << c->set.atoms;

    *out = (struct cm_func){ .atoms = p->count + 1 };
    for (unsigned i = 0; i < p->count; i++)
        out->atom[i] = p->f->atom[p->a[i]];
    for (unsigned a = 0; a < 1u << p->count; a++) {
        bool same = !varies(p, a, b_rows), value;
        for (unsigned b = 0; b < b_rows; b++) {
            if (!row_at(p, a, b, &value))
                continue;
            unsigned s = cm_row(&c->set, b), low = a, high = a | 1u << p->count;
            if (value && (same || s == 0))
                out->row[0] |= UINT64_C(1) << low;
            if (value && (same || s == 1))
                out->row[0] |= UINT64_C(1) << high;
        }
    }
}

/* Shows S and what remains of each part, as the equations have it. */
static bool show(struct chain *c, const struct equations *q, cm_visit_fn *visit, void *ctx)
{
    struct cm_split split;

    c->set.row[0] = 0;
    for (unsigned b = 0; b < 1u << c->set.atoms; b++) {
        bool opposite;
        root_of(q, b, &opposite);
        c->set.row[0] |= (uint64_t)opposite << b;
    }
    memset(&split, 0, sizeof split);
    split.set = c->set;
    for (unsigned i = 0; i < 2; i++)
        if (c->used[i])
            make_rest(c, &c->part[i], &split.rest[i]);
    return visit(ctx, &split);
}

static unsigned ones(unsigned mask)
{
    unsigned n = 0;

    for (; mask != 0; mask &= mask - 1)
        n++;
    return n;
}

/* Returns the next larger number with as many ones; of not 0. */
static unsigned next_as_many(unsigned mask)
{
    unsigned low = mask & -mask, carried = mask + low;

    return carried | (mask ^ carried) / low >> 2;
}

/* The A that serve a part, ascending; one that is not used has one, the empty one. */
struct stays {
    unsigned count;
    uint8_t mask[1u << CM_ATOMS];
};

static void find_stays(const struct chain *c, unsigned i, struct stays *out)
{
    const struct part *p = &c->part[i];
    unsigned rows = c->used[i] ? 1u << p->f->atoms : 1;

    out->count = 0;
    for (unsigned stay = p->must; stay < rows; stay = (stay + 1) | p->must)
        if (ones(stay) <= A_ATOMS)
            out->mask[out->count++] = (uint8_t)stay;
}

/* Finds which atoms of a part are in B, and what B's states are of them; false: too many are
 * not. */
static bool find_b(struct chain *c, unsigned i)
{
    struct part *p = &c->part[i];

    p->must = 0;
    memset(p->row_of_b, 0, sizeof p->row_of_b);
    for (unsigned a = 0; c->used[i] && a < p->f->atoms; a++) {
        const int in_b = cm_find_atom(&c->set, p->f->atom[a]);
        p->must |= (unsigned)(in_b < 0) << a;
        for (unsigned b = 0; in_b >= 0 && b < 1u << c->set.atoms; b++)
            p->row_of_b[b] |= (uint8_t)((b >> in_b & 1) << a);
    }
    return ones(p->must) <= A_ATOMS;
}

/* Adds the equations of a part with these A to what is known; false: a contradiction. */
static bool say(struct chain *c, unsigned i, unsigned stay, struct equations *q)
{
    if (c->used[i]) {
        choose_a(&c->part[i], stay);
        state(q, &c->part[i], 1u << c->set.atoms);
    }
    return !q->contradiction;
}

/* Keeps those that do not contradict what is known by themselves. */
static void keep_possible(struct chain *c, unsigned i, const struct equations *known,
                          struct stays *stays)
{
    unsigned count = 0;

    for (unsigned n = 0; n < stays->count; n++) {
        struct equations q = *known;
        if (say(c, i, stays->mask[n], &q))
            stays->mask[count++] = stays->mask[n];
    }
    stays->count = count;
}

static void begin(struct equations *q, const struct cm_func *fixed)
{
    q->contradiction = false;
    for (unsigned i = 0; i <= ZERO; i++) {
        q->link[i] = (uint8_t)i;
        q->opposite[i] = false;
    }
    for (unsigned b = 0; fixed && b < 1u << fixed->atoms; b++)
        relate(q, b, ZERO, cm_row(fixed, b));
}

/* Tries all A for the B in c->set. */
static bool for_each_a(struct chain *c, const struct cm_func *fixed, cm_visit_fn *visit, void *ctx)
{
    struct stays stays[2];
    struct equations known;

    if (!find_b(c, 0) || !find_b(c, 1))
        return false;
    begin(&known, fixed);
    for (unsigned i = 0; i < 2; i++) {
        find_stays(c, i, &stays[i]);
        keep_possible(c, i, &known, &stays[i]);
    }
    for (unsigned first = 0; first < stays[0].count; first++) {
        struct equations with_first = known;
        say(c, 0, stays[0].mask[first], &with_first); /* is possible */
        for (unsigned second = 0; second < stays[1].count; second++) {
            struct equations both = with_first;
            if (say(c, 1, stays[1].mask[second], &both) && show(c, &both, visit, ctx))
                return true;
        }
    }
    return false;
}

bool cm_for_splits(const struct cm_func *event, const struct cm_func *stop,
                   const struct cm_func *fixed, cm_visit_fn *visit, void *ctx)
{
    struct chain c = { .part = { { .f = event }, { .f = stop } }, .used = { event, stop } };
    struct cm_atom all[2 * CM_ATOMS];
    unsigned count = 0;

    if (fixed) {
        c.set = *fixed;
        return fixed->atoms <= B_ATOMS && for_each_a(&c, fixed, visit, ctx);
    }
    for (unsigned i = 0; i < 2; i++)
        for (unsigned a = 0; c.used[i] && a < c.part[i].f->atoms; a++) {
            struct cm_atom atom = c.part[i].f->atom[a];
            if (i == 0 || !event || cm_find_atom(event, atom) < 0)
                all[count++] = atom;
        }
    for (unsigned size = 1; size <= B_ATOMS; size++)
        for (unsigned mask = (1u << size) - 1; mask < 1u << count; mask = next_as_many(mask)) {
            c.set.atoms = 0;
            for (unsigned a = 0; a < count; a++)
                if (mask >> a & 1)
                    c.set.atom[c.set.atoms++] = all[a];
            if (for_each_a(&c, NULL, visit, ctx))
                return true;
        }
    return false;
}
