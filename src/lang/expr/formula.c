/* SPDX-License-Identifier: MIT */
/*
 * A truth table of four variables to its shortest formula of ! & ^ | and ?: with a
 * variable, or the difference of two, before the ?.  Shortest: fewest mentions of variables, then
 * fewest operators.
 *
 * The 65,536 functions are 222 classes if variables may be exchanged and complemented, and the
 * result too.  data/formulas.csv has for each class one shape or a few, in postfix: a variable
 * each `a` to `d`, `!` the complement, `&`, `^`, `?` of three.  What a class needs of
 * mentions is the same for all its functions; which shape has the fewest operators is found by
 * trying them.  tests/expr searches all formulas and finds none that is shorter.
 */
#include "lang/expr/formula.h"

enum { TRANSFORMS = 768, PERMUTATIONS = 24, MAX_TERMS = 8 };

struct shape {
    uint16_t table; /* of the class: the least one */
    const char *text;
};
static const struct shape shapes[] = {
#include "formulas.inc"
};
#define SHAPES (sizeof shapes / sizeof shapes[0])

/* Variable v of the class is variable to[v] of the function, complemented if bit to[v] of
 * `inverted` is set; and the result, if `result` is. */
struct transform {
    uint8_t to[PC_FORMULA_VARIABLES];
    uint8_t inverted;
    bool result;
};

/* --- the class of a function --- */

static unsigned permutations(uint8_t out[PERMUTATIONS][PC_FORMULA_VARIABLES])
{
    unsigned n = 0;

    for (unsigned code = 0; code < 256; code++) {
        unsigned taken = 0;
        for (unsigned v = 0; v < PC_FORMULA_VARIABLES; v++)
            taken |= 1u << (code >> (6 - 2 * v) & 3);
        for (unsigned v = 0; v < PC_FORMULA_VARIABLES && taken == 15; v++)
            out[n][v] = code >> (6 - 2 * v) & 3;
        n += taken == 15;
    }
    return n;
}

/* Tries all ways to see the function as the least table of its class; returns that table. */
static uint16_t classify(uint16_t table, struct transform out[TRANSFORMS], unsigned *count)
{
    uint8_t order[PERMUTATIONS][PC_FORMULA_VARIABLES];
    unsigned orders = permutations(order);
    uint32_t least = UINT32_MAX;

    for (unsigned p = 0; p < orders; p++) {
        unsigned row[16] = { 0 };
        for (unsigned i = 0; i < 16; i++)
            for (unsigned v = 0; v < PC_FORMULA_VARIABLES; v++)
                row[i] |= (i >> v & 1) << order[p][v];
        for (unsigned inverted = 0; inverted < 16; inverted++) {
            uint32_t seen = 0;
            for (unsigned i = 0; i < 16; i++)
                seen |= ((uint32_t)table >> (row[i] ^ inverted) & 1) << i;
            for (unsigned result = 0; result < 2; result++, seen ^= 0xffff) {
                if (seen > least)
                    continue;
                *count = seen < least ? 0 : *count;
                least = seen;
                struct transform *t = &out[(*count)++];
                *t = (struct transform){ .inverted = (uint8_t)inverted, .result = result };
                for (unsigned v = 0; v < PC_FORMULA_VARIABLES; v++)
                    t->to[v] = order[p][v];
            }
        }
    }
    return (uint16_t)least;
}

/* --- shapes --- */

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned cost(const struct pc_formula *f, struct pc_formula_edge e, bool inverted)
{
    return f->node[e.node].cost[e.inverted != inverted];
}

/* Operators of a node whose operands have theirs. */
static void count_operators(const struct pc_formula *f, struct pc_formula_node *n)
{
    unsigned same = cost(f, n->x, false) + cost(f, n->y, false) + 1;
    unsigned other = cost(f, n->x, true) + cost(f, n->y, true) + 1;

    n->direct[0] = (uint8_t)same; /* x & y; its complement is !x | !y */
    n->direct[1] = (uint8_t)other;
    if (n->op == '^') {
        n->direct[0] = (uint8_t)lesser(same, other);
        n->direct[1] = (uint8_t)(lesser(cost(f, n->x, false) + cost(f, n->y, true),
                                        cost(f, n->x, true) + cost(f, n->y, false)) +
                                 1);
    } else if (n->op == '?') {
        unsigned s = lesser(cost(f, n->s, false), cost(f, n->s, true));
        n->direct[0] = (uint8_t)(same + s);
        n->direct[1] = (uint8_t)(other + s);
    }
    n->cost[0] = (uint8_t)lesser(n->direct[0], n->direct[1] + 1u);
    n->cost[1] = (uint8_t)lesser(n->direct[1], n->direct[0] + 1u);
    n->first = (uint8_t)lesser(f->node[n->x.node].first, f->node[n->y.node].first);
    if (n->op == '?')
        n->first = f->node[n->s.node].first;
}

/* Builds the shape with the function's variables; shapes are well formed, which tests/expr
 * checks. */
static void build(const char *shape, const struct transform *t, struct pc_formula *out)
{
    struct pc_formula_edge stack[PC_FORMULA_NODES] = { 0 };
    unsigned depth = 0;

    out->count = 0;
    for (; *shape; shape++) {
        struct pc_formula_node *n = &out->node[out->count];
        struct pc_formula_edge e = { (uint8_t)out->count, false };
        if (*shape == '!') {
            stack[depth - 1].inverted ^= true;
            continue;
        }
        if (*shape >= 'a' && *shape <= 'd') {
            unsigned v = t->to[*shape - 'a'];
            *n = (struct pc_formula_node){ .op = 'v', .direct = { 0, 1 }, .cost = { 0, 1 } };
            n->variable = n->first = (uint8_t)v;
            e.inverted = t->inverted >> v & 1;
        } else {
            *n = (struct pc_formula_node){ .op = *shape };
            n->y = stack[--depth];
            n->x = stack[--depth];
            if (n->op == '?')
                n->s = stack[--depth];
            count_operators(out, n);
        }
        out->count++;
        stack[depth++] = e;
    }
    out->root = stack[0];
    out->root.inverted ^= t->result;
}

void pc_formula_find(uint16_t table, struct pc_formula *out)
{
    struct transform way[TRANSFORMS];
    unsigned ways = 0, best = UINT32_MAX;
    uint16_t class = classify(table, way, &ways);

    out->count = 0;
    out->root = (struct pc_formula_edge){ 0, table != 0 };
    for (unsigned i = 0; i < SHAPES; i++)
        for (unsigned k = 0; k < ways && shapes[i].table == class; k++) {
            struct pc_formula now;
            build(shapes[i].text, &way[k], &now);
            if (cost(&now, now.root, false) >= best)
                continue;
            best = cost(&now, now.root, false);
            *out = now;
        }
}

unsigned pc_formula_mentions(const struct pc_formula *f, unsigned variable)
{
    unsigned n = 0;

    for (unsigned i = 0; i < f->count; i++)
        n += f->node[i].op == 'v' && f->node[i].variable == variable;
    return n;
}

/* --- text --- */

enum kind { LEAF, NOT, AND, XOR, OR, MUX, BRANCH /* of a mux: only as an outside */ };

struct text {
    char *out;
    size_t size, used;
    const struct pc_formula *f;
    const struct pc_formula_names *names;
};

/* An operand of a chain: `a & b & c` is one chain of three. */
struct term {
    struct pc_formula_edge edge;
    const char *edge_word; /* "rise(" of variable edge.node, or NULL */
};
struct chain {
    struct term term[MAX_TERMS];
    unsigned count;
};

static void add(struct text *t, const char *s)
{
    for (; *s; s++, t->used++)
        if (t->used + 1 < t->size)
            t->out[t->used] = *s;
}

/* Returns how (the complement of) a node is spelled. */
static enum kind kind_of(const struct pc_formula *f, struct pc_formula_edge e)
{
    const struct pc_formula_node *n = &f->node[e.node];

    if (n->op == 'v')
        return e.inverted ? NOT : LEAF;
    if (n->direct[e.inverted] > n->cost[e.inverted] ||
        (n->op == '^' && n->direct[e.inverted] > n->direct[!e.inverted]))
        return NOT; /* !(a ^ b) reads better than a ^ !b */
    if (n->op == '&')
        return e.inverted ? OR : AND;
    return n->op == '^' ? XOR : MUX;
}

/* Writes the operands of one operator of that kind, where cost() has them. */
static void operands(const struct pc_formula *f, struct pc_formula_edge e,
                     struct pc_formula_edge out[2])
{
    const struct pc_formula_node *n = &f->node[e.node];
    bool first = e.inverted, second = e.inverted;

    if (n->op == '^') {
        unsigned plain = cost(f, n->x, false) + cost(f, n->y, e.inverted);
        unsigned turned = cost(f, n->x, true) + cost(f, n->y, !e.inverted);
        first = turned < plain;
        second = first != e.inverted;
    }
    out[0] = (struct pc_formula_edge){ n->x.node, n->x.inverted != first };
    out[1] = (struct pc_formula_edge){ n->y.node, n->y.inverted != second };
}

static void collect(const struct pc_formula *f, struct pc_formula_edge e, enum kind kind,
                    struct chain *c)
{
    struct pc_formula_edge part[2];

    if (kind_of(f, e) != kind) {
        unsigned at = c->count++;
        for (; at > 0 && f->node[c->term[at - 1].edge.node].first > f->node[e.node].first; at--)
            c->term[at] = c->term[at - 1];
        c->term[at] = (struct term){ e, NULL };
        return;
    }
    operands(f, e, part);
    collect(f, part[0], kind, c);
    collect(f, part[1], kind, c);
}

/* Returns the word of an edge: x & !prev(x) is rise(x), and so on: `now` and `late` are
 * complemented or not. */
static const char *edge_word(enum kind kind, bool now, bool late)
{
    if (kind == XOR)
        return now == late ? "edge(" : "!edge(";
    if (now == late)
        return NULL;
    if (kind == AND)
        return now ? "fall(" : "rise(";
    return now ? "!rise(" : "!fall(";
}

static void find_edges(const struct text *t, enum kind kind, struct chain *c)
{
    for (unsigned i = 0; i < c->count; i++)
        for (unsigned k = 0; k < c->count; k++) {
            struct term *now = &c->term[i], *late = &c->term[k];
            const struct pc_formula_node *a = &t->f->node[now->edge.node];
            const struct pc_formula_node *b = &t->f->node[late->edge.node];
            if (a->op != 'v' || b->op != 'v' || now->edge_word || late->edge_word ||
                t->names->late[b->variable] != a->variable)
                continue;
            now->edge_word = edge_word(kind, now->edge.inverted, late->edge.inverted);
            if (!now->edge_word)
                continue;
            c->count--;
            for (unsigned m = k; m < c->count; m++)
                c->term[m] = c->term[m + 1];
            i = k < i ? i - 1 : i;
            k = c->count;
        }
}

/*
 * Returns true if no brackets are needed by precedence, as in `a & b | c` and the branches of ?:,
 * except a ?: in them; other mixtures are hard to read.
 */
static bool bare(enum kind inside, enum kind outside)
{
    if (inside == MUX)
        return outside == LEAF;
    return outside == LEAF || outside == BRANCH || inside <= NOT || inside == outside ||
           (inside == AND && outside == OR);
}

static void add_edge(struct text *t, struct pc_formula_edge e, enum kind outside);

static void add_chain(struct text *t, struct pc_formula_edge e, enum kind kind, enum kind outside)
{
    static const char *const joint[] = { [AND] = " & ", [XOR] = " ^ ", [OR] = " | " };
    struct chain c = { .count = 0 };

    collect(t->f, e, kind, &c);
    find_edges(t, kind, &c);
    bool brackets = c.count > 1 && !bare(kind, outside);
    add(t, brackets ? "(" : "");
    for (unsigned i = 0; i < c.count; i++) {
        add(t, i ? joint[kind] : "");
        if (c.term[i].edge_word) {
            add(t, c.term[i].edge_word);
            add(t, t->names->text[t->f->node[c.term[i].edge.node].variable]);
            add(t, ")");
        } else {
            add_edge(t, c.term[i].edge, kind);
        }
    }
    add(t, brackets ? ")" : "");
}

static void add_mux(struct text *t, struct pc_formula_edge e, enum kind outside)
{
    const struct pc_formula_node *n = &t->f->node[e.node];
    bool swap = cost(t->f, n->s, true) < cost(t->f, n->s, false);
    struct pc_formula_edge part[2], s = { n->s.node, n->s.inverted != swap };

    operands(t->f, e, part);
    add(t, bare(MUX, outside) ? "" : "(");
    add_edge(t, s, MUX);
    add(t, " ? ");
    add_edge(t, part[swap], BRANCH);
    add(t, " : ");
    add_edge(t, part[!swap], BRANCH);
    add(t, bare(MUX, outside) ? "" : ")");
}

/* Recursion is as deep as a shape: at most eight variables stand in it. */
static void add_edge(struct text *t, struct pc_formula_edge e, enum kind outside)
{
    const struct pc_formula_node *n = &t->f->node[e.node];
    enum kind kind = kind_of(t->f, e);

    switch (kind) {
    case LEAF:
        add(t, t->names->text[n->variable]);
        break;
    case NOT:
        add(t, "!");
        add_edge(t, (struct pc_formula_edge){ e.node, !e.inverted }, NOT);
        break;
    case MUX:
        add_mux(t, e, outside);
        break;
    default:
        add_chain(t, e, kind, outside);
        break;
    }
}

bool pc_formula_print(const struct pc_formula *f, const struct pc_formula_names *names, char *out,
                      size_t size)
{
    struct text t = { out, size, 0, f, names };

    if (f->count > 0)
        add_edge(&t, f->root, LEAF);
    else
        add(&t, f->root.inverted ? "1" : "0");
    if (t.used < size)
        out[t.used] = '\0';
    return t.used < size;
}
