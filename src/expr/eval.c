/* SPDX-License-Identifier: MIT */
/*
 * Evaluation, 64 cycles a word.  Every bit is a pair: `v` the value with unknown inputs
 * taken as the planes have them, `u` the cycles in which Kleene's logic does not know
 * it.  Where u is 0, v is the value whatever the unknown inputs are.
 *
 * Before the first cycle every signal was 0, as the flops of the hardware are at reset
 * (D-20); so prev(!a) is 1 in the first cycle, and rise(!a) equals fall(a) in all.
 */
#include "expr/expr.h"

#include <string.h>

struct tri {
    uint64_t v, u;
};

static const struct tri ZERO = { 0, 0 };
static const struct tri ONE = { UINT64_MAX, 0 };

static struct tri not3(struct tri a)
{
    return (struct tri){ ~a.v, a.u };
}

/* Unknown unless one side is known to be 0. */
static struct tri and3(struct tri a, struct tri b)
{
    return (struct tri){ a.v & b.v, (a.u | b.u) & (a.u | a.v) & (b.u | b.v) };
}

static struct tri or3(struct tri a, struct tri b)
{
    return not3(and3(not3(a), not3(b)));
}

static struct tri xor3(struct tri a, struct tri b)
{
    return (struct tri){ a.v ^ b.v, a.u | b.u };
}

/* The third term knows what is the same in both arms. */
static struct tri mux3(struct tri c, struct tri a, struct tri b)
{
    return or3(or3(and3(c, a), and3(not3(c), b)), and3(a, b));
}

static struct tri get(const struct pc_expr *e, const struct ex_node *n, uint32_t bit)
{
    if (bit >= n->width)
        return ZERO;
    return (struct tri){ e->value[n->plane + bit], e->unknown[n->plane + bit] };
}

static void put(struct pc_expr *e, const struct ex_node *n, uint32_t bit, struct tri t)
{
    e->value[n->plane + bit] = t.v;
    e->unknown[n->plane + bit] = t.u;
}

/* The operand's bit one cycle earlier; keeps its last cycle for the next word. */
static struct tri delayed(struct pc_expr *e, const struct ex_node *n, const struct ex_node *a,
                          uint32_t bit, unsigned last)
{
    struct tri now = get(e, a, bit);
    uint8_t *h = &e->history[n->history + bit];
    struct tri out = { now.v << 1 | (*h & 1), now.u << 1 | (*h >> 1) };

    *h = (uint8_t)((now.v >> last & 1) | (now.u >> last & 1) << 1);
    return out;
}

static struct tri reduction(const struct pc_expr *e, enum ex_op op, const struct ex_node *a)
{
    struct tri t = op == EX_RED_AND ? ONE : ZERO;

    for (uint32_t i = 0; i < a->width; i++) {
        struct tri x = get(e, a, i);
        t = op == EX_RED_AND ? and3(t, x) : op == EX_RED_OR ? or3(t, x) : xor3(t, x);
    }
    return t;
}

static struct tri equal(const struct pc_expr *e, const struct ex_node *a, const struct ex_node *b)
{
    struct tri t = ONE;
    uint32_t width = a->width > b->width ? a->width : b->width;

    for (uint32_t i = 0; i < width; i++)
        t = and3(t, not3(xor3(get(e, a, i), get(e, b, i))));
    return t;
}

/*
 * a < b: from the lowest bit up, less = majority(!a, b, less).  Each input has one
 * polarity in it, so Kleene's logic loses nothing.
 */
static struct tri less(const struct pc_expr *e, const struct ex_node *a, const struct ex_node *b)
{
    struct tri t = ZERO;
    uint32_t width = a->width > b->width ? a->width : b->width;

    for (uint32_t i = 0; i < width; i++) {
        struct tri x = not3(get(e, a, i)), y = get(e, b, i);
        t = or3(and3(x, y), and3(or3(x, y), t));
    }
    return t;
}

static struct tri one_bit(struct pc_expr *e, const struct ex_node *n, const struct ex_node *a,
                          const struct ex_node *b, unsigned last)
{
    struct tri x, y;

    switch (n->op) {
    case EX_LNOT:
        return not3(get(e, a, 0));
    case EX_RED_AND:
    case EX_RED_OR:
    case EX_RED_XOR:
        return reduction(e, n->op, a);
    case EX_LAND:
        return and3(get(e, a, 0), get(e, b, 0));
    case EX_LOR:
        return or3(get(e, a, 0), get(e, b, 0));
    case EX_LT:
        return less(e, a, b);
    case EX_GE:
        return not3(less(e, a, b));
    case EX_GT:
        return less(e, b, a);
    case EX_LE:
        return not3(less(e, b, a));
    case EX_EQ:
        return equal(e, a, b);
    case EX_NE:
        return not3(equal(e, a, b));
    default:
        break;
    }
    x = get(e, a, 0);
    y = delayed(e, n, a, 0, last);
    if (n->op == EX_RISE)
        return and3(x, not3(y));
    if (n->op == EX_FALL)
        return and3(not3(x), y);
    return xor3(x, y); /* EX_EDGE */
}

static struct tri bit_of(struct pc_expr *e, const struct ex_node *n, uint32_t bit, unsigned last)
{
    const struct ex_node *a = &e->node[n->child[0]];

    switch (n->op) {
    case EX_NOT:
        return not3(get(e, a, bit));
    case EX_AND:
        return and3(get(e, a, bit), get(e, &e->node[n->child[1]], bit));
    case EX_OR:
        return or3(get(e, a, bit), get(e, &e->node[n->child[1]], bit));
    case EX_XOR:
        return xor3(get(e, a, bit), get(e, &e->node[n->child[1]], bit));
    case EX_MUX:
        return mux3(get(e, a, 0), get(e, &e->node[n->child[1]], bit),
                    get(e, &e->node[n->child[2]], bit));
    case EX_PREV:
        return delayed(e, n, a, bit, last);
    default:
        return one_bit(e, n, a, n->child[1] == EX_NONE ? NULL : &e->node[n->child[1]], last);
    }
}

void ex_word(struct pc_expr *e, unsigned last)
{
    for (size_t i = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        if (n->op == EX_NAME || n->op == EX_LITERAL)
            continue;
        for (uint32_t bit = 0; bit < n->width; bit++)
            put(e, n, bit, bit_of(e, n, bit, last));
    }
}

/* Fills in the names of one word. */
static void load(struct pc_expr *e, const uint64_t *const *value, const uint64_t *const *unknown,
                 size_t w)
{
    for (size_t i = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        for (uint32_t b = 0; n->op == EX_NAME && b < n->width; b++) {
            uint32_t wire = e->wire[n->first_wire + b];
            e->value[n->plane + b] = value ? value[wire][w] : 0;
            e->unknown[n->plane + b] = unknown ? unknown[wire][w] : 0;
        }
    }
}

/*
 * With every signal 0 for ever, each delay holds what its operand is.  Operands stand
 * before their delays, so one pass settles them; a delay's own result needs the history
 * that the pass just found, hence node by node and not by ex_word().
 */
void ex_settle(struct pc_expr *e)
{
    load(e, NULL, NULL, 0);
    for (size_t i = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        if (n->op == EX_NAME || n->op == EX_LITERAL)
            continue;
        for (uint32_t bit = 0; bit < n->width; bit++) {
            if (ex_delaying(n->op))
                (void)delayed(e, n, &e->node[n->child[0]], bit, 0);
            put(e, n, bit, bit_of(e, n, bit, 0));
        }
    }
}

void pc_expr_restart(struct pc_expr *e)
{
    if (e->resolved)
        ex_settle(e);
}

/* An expression that is one signal: its planes as they are. */
static void copy_signal(const struct pc_expr *e, const uint64_t *const *value,
                        const uint64_t *const *unknown, size_t words, uint32_t cycles,
                        uint64_t *out, uint64_t *tainted)
{
    const uint32_t wire = e->wire[e->node[0].first_wire];
    const size_t whole = cycles / 64 < words ? cycles / 64 : words, rest = words - whole;
    const uint64_t last = (UINT64_C(1) << cycles % 64) - 1;

    memcpy(out, value[wire], whole * sizeof *out);
    memset(out + whole, 0, rest * sizeof *out);
    if (tainted) {
        memset(tainted, 0, words * sizeof *tainted);
        if (unknown)
            memcpy(tainted, unknown[wire], whole * sizeof *tainted);
    }
    if (rest == 0 || last == 0)
        return;
    out[whole] = value[wire][whole] & last;
    if (tainted && unknown)
        tainted[whole] = unknown[wire][whole] & last;
}

void pc_expr_eval(struct pc_expr *e, const uint64_t *const *value, const uint64_t *const *unknown,
                  size_t words, uint32_t cycles, uint64_t *out, uint64_t *tainted)
{
    if (value && e->resolved && e->nodes == 1 && e->node[0].op == EX_NAME) {
        copy_signal(e, value, unknown, words, cycles, out, tainted);
        return;
    }
    for (size_t w = 0; w < words; w++) {
        size_t left = cycles > 64 * w ? cycles - 64 * w : 0;
        out[w] = 0;
        if (tainted)
            tainted[w] = 0;
        if (left == 0 || !e->resolved)
            continue;
        uint64_t mask = left < 64 ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        struct tri t;
        load(e, value, unknown, w);
        ex_word(e, left < 64 ? (unsigned)left - 1 : 63);
        t = get(e, &e->node[e->nodes - 1], 0);
        out[w] = t.v & mask;
        if (tainted)
            tainted[w] = t.u & mask;
    }
}
