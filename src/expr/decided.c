/* SPDX-License-Identifier: MIT */
/*
 * Comparisons whose result no value of their signal changes: a number that the signal is too narrow
 * for, and x < 0, as comparisons are unsigned.
 */
#include "expr/expr.h"

struct number {
    uint32_t bits; /* up to its highest 1; 0: it is 0 */
    bool ones;     /* nothing but, below that */
};

static struct number number_of(const struct pc_expr *e, const struct ex_node *n)
{
    struct number out = { 0, true };

    for (uint32_t b = 0; b < n->width; b++)
        if (e->literal_bits[n->data + b])
            out.bits = b + 1;
    for (uint32_t b = 0; b < out.bits; b++)
        out.ones = out.ones && e->literal_bits[n->data + b];
    return out;
}

/* a < b as b > a. */
static enum ex_op turned(enum ex_op op)
{
    switch (op) {
    case EX_LT:
        return EX_GT;
    case EX_LE:
        return EX_GE;
    case EX_GT:
        return EX_LT;
    case EX_GE:
        return EX_LE;
    default:
        return op;
    }
}

/* A signal of `width` bits, compared with a number; *value is the result if there is but one. */
static bool is_decided(enum ex_op op, uint32_t width, struct number number, bool *value)
{
    const bool beyond = number.bits > width, most = number.bits == width && number.ones;

    *value = op == EX_LT || op == EX_LE || op == EX_NE;
    if (beyond || (most && (op == EX_LE || op == EX_GT)))
        return true;
    *value = op == EX_GE;
    return number.bits == 0 && (op == EX_LT || op == EX_GE);
}

bool pc_expr_decided(const struct pc_expr *expr, struct pc_expr_comparison *out)
{
    for (size_t i = 0; expr && out && expr->resolved && i < expr->nodes; i++) {
        const struct ex_node *n = &expr->node[i];
        if (n->op < EX_LT || n->op > EX_NE)
            continue;
        const struct ex_node *a = &expr->node[n->child[0]], *b = &expr->node[n->child[1]];
        const bool swap = a->op == EX_LITERAL;
        const struct ex_node *signal = swap ? b : a, *literal = swap ? a : b;
        if (signal->op != EX_NAME || literal->op != EX_LITERAL ||
            !is_decided(swap ? turned(n->op) : n->op, signal->width, number_of(expr, literal),
                        &out->value))
            continue;
        out->begin = a->begin;
        out->end = b->end;
        out->width = signal->width;
        return true;
    }
    return false;
}
