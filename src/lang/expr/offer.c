/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of whole names, which the caller may know as one wire each.  Such a node becomes a
 * name with that wire, and the names below it have no wires.
 */
#include "lang/expr/expr.h"

void pc_expr_offer(struct pc_expr *e, pc_expr_offer_fn *offer, void *ctx)
{
    e->offer = offer;
    e->offer_ctx = ctx;
}

void ex_take_back_offers(struct pc_expr *e)
{
    for (size_t i = 0; i < e->nodes; i++) {
        struct ex_node *n = &e->node[i];
        if (n->given)
            n->op = n->was;
        n->given = n->gone = false;
    }
}

/* Returns true if it is a name, and nothing else can be known of it. */
static bool is_name(const struct pc_expr *e, const struct ex_node *n, const char **name)
{
    *name = n->op == EX_NAME ? e->arena + n->data : NULL;
    return *name;
}

/* Returns true for a number that has no sign, or not yet. */
static bool is_number(const struct pc_expr *e, const struct ex_node *n, struct pc_expr_whole *out)
{
    if (n->op != EX_LITERAL || (n->is_signed && !n->unsized))
        return false;
    out->number = e->literal_bits + n->data;
    out->digits = n->width;
    return true;
}

/* !x, |x, &x */
static bool of_one(const struct pc_expr *e, const struct ex_node *n, struct pc_expr_whole *out)
{
    out->ones = n->op == EX_RED_AND;
    out->negated = n->op == EX_RED_OR;
    return is_name(e, &e->node[n->child[0]], &out->left);
}

/* A comparison of two; a number comes second. */
static bool of_two(const struct pc_expr *e, const struct ex_node *n, struct pc_expr_whole *out)
{
    const struct ex_node *a = &e->node[n->child[0]], *b = &e->node[n->child[1]];

    out->less = n->op < EX_EQ;
    out->swapped = n->op == EX_GT || n->op == EX_LE;
    out->negated = n->op == EX_LE || n->op == EX_GE || n->op == EX_NE;
    if (a->op == EX_LITERAL) {
        const struct ex_node *c = a;
        a = b;
        b = c;
        out->swapped = !out->swapped;
    }
    return is_name(e, a, &out->left) && (is_name(e, b, &out->right) || is_number(e, b, out));
}

static bool is_whole(const struct pc_expr *e, const struct ex_node *n, struct pc_expr_whole *out)
{
    if (n->set) /* what is compared also belongs to others */
        return false;
    if (n->op == EX_LNOT || n->op == EX_RED_OR || n->op == EX_RED_AND)
        return of_one(e, n, out);
    return n->op >= EX_LT && n->op <= EX_NE && of_two(e, n, out);
}

static enum pc_status take(struct pc_expr *e, struct ex_node *n, uint32_t wire,
                           struct pc_error *err)
{
    void *array = e->wire;

    if (!pc_grow(&e->alloc, &array, &e->wires_capacity, e->wires + 1, sizeof *e->wire))
        return pc_fail(err, 100, "out of memory for an expression");
    e->wire = array;
    n->was = n->op;
    n->op = EX_NAME;
    n->given = true;
    n->is_signed = n->unsized = false;
    n->width = 1;
    n->first_wire = (uint32_t)e->wires;
    e->wire[e->wires++] = wire;
    for (unsigned i = 0; i < 2 && n->child[i] != EX_NONE; i++) {
        struct ex_node *child = &e->node[n->child[i]];
        if (child->op != EX_NAME)
            continue;
        child->gone = true;
        child->is_signed = false;
        child->width = 0;
    }
    return PC_OK;
}

enum pc_status ex_offer(struct pc_expr *e, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    for (size_t i = 0; !e->numbers && e->offer && i < e->nodes && status == PC_OK; i++) {
        struct pc_expr_whole whole = { .number = NULL };
        uint32_t wire;
        if (is_whole(e, &e->node[i], &whole) && e->offer(e->offer_ctx, &whole, &wire))
            status = take(e, &e->node[i], wire, err);
    }
    return status;
}
