/* SPDX-License-Identifier: MIT */
/*
 * Comparisons that say less than they seem to: those whose result no value of their signal changes,
 * as the number is beyond all of these, and those of signed values that are taken as unsigned.
 */
#include "lang/expr/expr.h"

/* Where a number lies among the values of a signal. */
struct place {
    bool below, above; /* all of them */
    bool least, most;  /* it is the first of them, the last */
};

/* A number, perhaps with a minus before it. */
struct number {
    const struct ex_node *literal; /* NULL: it is none */
    bool negated;
};

static struct number number_of(const struct pc_expr *e, const struct ex_node *n)
{
    const bool negated = n->op == EX_NEG;

    if (negated)
        n = &e->node[n->child[0]];
    return (struct number){ n->op == EX_LITERAL ? n : NULL, negated };
}

/* Returns bit i of a literal in a comparison. */
static bool digit(const struct pc_expr *e, const struct ex_node *literal, bool is_signed,
                  uint32_t i)
{
    if (i >= literal->width && (!is_signed || literal->unsized))
        return false;
    return e->literal_bits[literal->data + (i < literal->width ? i : literal->width - 1)];
}

/* Returns the place of a bit in a comparison with a signal of `width` bits. */
static struct place place_of(const struct pc_expr *e, struct number number, uint32_t width,
                             bool is_signed)
{
    const uint32_t room = number.literal->room, bits = room > width ? room : width;
    const uint32_t low = width - is_signed; /* bits from there on are equal inside of the signal */
    bool carry = number.negated, top = false, zeros = true, ones = true, same = true, any = false;

    for (uint32_t i = 0; i < bits; i++) {
        bool b = digit(e, number.literal, is_signed, i) != number.negated;
        const bool sum = b != carry;
        carry = b && carry;
        b = sum;
        if (i < low) {
            zeros = zeros && !b;
            ones = ones && b;
        } else {
            same = same && (i == low || b == top);
            any = any || b;
        }
        top = b;
    }
    if (!is_signed)
        return (struct place){ .above = any, .least = !any && zeros, .most = !any && ones };
    return (struct place){ .below = !same && top,
                           .above = !same && !top,
                           .least = same && top && zeros,
                           .most = same && !top && ones };
}

/* Returns the operator of b > a for a < b. */
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

/* Signal against number; *value is the result if there is but one. */
static bool is_decided(enum ex_op op, struct place at, bool *value)
{
    const bool less = op == EX_LT || op == EX_LE, more = op == EX_GT || op == EX_GE;

    *value = op == EX_NE || (at.above && less) || (at.below && more);
    if (at.above || at.below)
        return true;
    *value = op == EX_LE || op == EX_GE;
    return (at.most && (op == EX_LE || op == EX_GT)) || (at.least && (op == EX_GE || op == EX_LT));
}

static bool is_comparison(const struct ex_node *n)
{
    return n->op >= EX_LT && n->op <= EX_NE;
}

bool pc_expr_decided(const struct pc_expr *expr, struct pc_expr_comparison *out)
{
    for (size_t i = 0; expr && out && expr->resolved && i < expr->nodes; i++) {
        const struct ex_node *n = &expr->node[i];
        if (!is_comparison(n))
            continue;
        const struct ex_node *a = &expr->node[n->child[0]], *b = &expr->node[n->child[1]];
        const bool swap = a->op != EX_NAME, both = a->is_signed && b->is_signed && !n->plain;
        const struct ex_node *signal = swap ? b : a;
        const struct number number = number_of(expr, swap ? a : b);
        if (signal->op != EX_NAME || !number.literal ||
            !is_decided(swap ? turned(n->op) : n->op, place_of(expr, number, signal->width, both),
                        &out->value))
            continue;
        out->begin = a->begin;
        out->end = b->end;
        out->width = signal->width;
        out->is_signed = both;
        return true;
    }
    return false;
}

bool pc_expr_mixed(const struct pc_expr *expr, struct pc_expr_comparison *out)
{
    for (size_t i = 0; expr && out && expr->resolved && i < expr->nodes; i++) {
        const struct ex_node *n = &expr->node[i];
        if (!is_comparison(n))
            continue;
        const struct ex_node *a = &expr->node[n->child[0]], *b = &expr->node[n->child[1]];
        const struct ex_node *below = a->below_zero ? a : b, *other = a->below_zero ? b : a;
        if (!below->below_zero || (a->is_signed && b->is_signed) ||
            (n->op >= EX_EQ && below->width >= other->width))
            continue;
        *out =
            (struct pc_expr_comparison){ .begin = a->begin, .end = b->end, .width = below->width };
        return true;
    }
    return false;
}
