/* SPDX-License-Identifier: MIT */
/*
 * A truth table of up to three variables to its shortest formula of ! & ^ | and ?: with a
 * variable, or the difference of two, before the ?.  Shortest: fewest mentions of variables, then
 * fewest operators.
 *
 * All 256 functions get their cost by relaxation: a formula of two cheaper ones is tried
 * until none improves.  Ties are broken by order, so the result is always the same.
 * Four variables are not handled: 65,536 functions are too many to relax for one text.
 */
#include "expr/formula.h"

#include <string.h>

enum { FUNCTIONS = 256, MENTION = 16, NO_COST = 10000 };
enum kind { LEAF, NOT, AND, XOR, OR, MUX };

/* How a function is made: of a and b; a mux has s ? a : b. */
struct node {
    uint16_t cost;
    uint8_t kind, a, b, s;
};

static const uint8_t variable[PC_FORMULA_VARIABLES] = { 0xaa, 0xcc, 0xf0 };

/* What may stand before the ? of a mux: a variable or the difference of two. */
static const uint8_t selector[] = { 0xaa, 0xcc, 0xf0, 0x66, 0x5a, 0x3c };

/* Of equal formulas the one that begins with the first variable reads best. */
static unsigned rank(uint8_t f)
{
    unsigned v = 0;

    while (v < PC_FORMULA_VARIABLES && variable[v] != f)
        v++;
    return v;
}

static bool improve(struct node *all, unsigned f, struct node n)
{
    if (n.cost > all[f].cost || (n.cost == all[f].cost && rank(n.a) >= rank(all[f].a)))
        return false;
    all[f] = n;
    return true;
}

static bool try_pair(struct node *all, uint8_t a, uint8_t b)
{
    uint16_t cost = (uint16_t)(all[a].cost + all[b].cost + 1);
    bool better = improve(all, a & b, (struct node){ cost, AND, a, b, 0 });

    better |= improve(all, a ^ b, (struct node){ cost, XOR, a, b, 0 });
    better |= improve(all, a | b, (struct node){ cost, OR, a, b, 0 });
    for (unsigned i = 0; i < sizeof selector; i++) {
        uint8_t s = selector[i];
        unsigned f = (s & a) | (~(unsigned)s & b & 0xff);
        uint16_t with = (uint16_t)(cost + all[s].cost + 1);
        better |= improve(all, f, (struct node){ with, MUX, a, b, s });
    }
    return better;
}

static bool relax(struct node *all, unsigned target)
{
    bool better = false;

    for (unsigned a = 0; a < FUNCTIONS; a++) {
        if (all[a].cost >= all[target].cost)
            continue;
        struct node inverse = { (uint16_t)(all[a].cost + 1), NOT, (uint8_t)a, 0, 0 };
        better |= improve(all, ~a & 0xff, inverse);
        for (unsigned b = 0; b < FUNCTIONS; b++)
            if (all[a].cost + all[b].cost < all[target].cost)
                better |= try_pair(all, (uint8_t)a, (uint8_t)b);
    }
    return better;
}

static void find_all(struct node *all, unsigned target)
{
    for (unsigned f = 0; f < FUNCTIONS; f++)
        all[f] = (struct node){ NO_COST, LEAF, 0, 0, 0 };
    all[0].cost = all[0xff].cost = 1;
    for (unsigned v = 0; v < PC_FORMULA_VARIABLES; v++)
        all[variable[v]].cost = MENTION;
    while (relax(all, target))
        continue;
}

/* ---- text ---- */

struct text {
    char *out;
    size_t size, used;
    const struct node *all;
    const char *const *name;
};

static void add(struct text *t, const char *s)
{
    size_t n = strlen(s);

    if (t->used + n < t->size)
        memcpy(t->out + t->used, s, n + 1);
    t->used += n;
}

static const char *leaf(const struct text *t, uint8_t f)
{
    for (unsigned v = 0; v < PC_FORMULA_VARIABLES; v++)
        if (variable[v] == f)
            return t->name[v];
    return f ? "1" : "0";
}

/* Only `a & b | c` goes without brackets by precedence; other mixtures are hard to read. */
static bool bare(enum kind inside, enum kind outside)
{
    return inside <= NOT || (inside == outside && inside != MUX) ||
           (inside == AND && outside == OR);
}

/* The recursion ends: what a formula is made of costs less than the formula. */
static void add_formula(struct text *t, uint8_t f, enum kind outside)
{
    static const char *const joint[] = { [AND] = " & ", [XOR] = " ^ ", [OR] = " | " };
    struct node n = t->all[f];
    bool brackets = outside != LEAF && !bare(n.kind, outside);

    add(t, brackets ? "(" : "");
    if (n.kind == LEAF) {
        add(t, leaf(t, f));
    } else if (n.kind == NOT) {
        add(t, "!");
        add_formula(t, n.a, NOT);
    } else if (n.kind == MUX) {
        add_formula(t, n.s, MUX);
        add(t, " ? ");
        add_formula(t, n.a, MUX);
        add(t, " : ");
        add_formula(t, n.b, MUX);
    } else {
        add_formula(t, n.a, n.kind);
        add(t, joint[n.kind]);
        add_formula(t, n.b, n.kind);
    }
    add(t, brackets ? ")" : "");
}

bool pc_formula_shortest(uint8_t table, const char *const name[PC_FORMULA_VARIABLES], char *out,
                         size_t size)
{
    struct node all[FUNCTIONS];
    struct text t = { out, size, 0, all, name };

    find_all(all, table);
    add_formula(&t, table, LEAF);
    return t.used < t.size;
}
