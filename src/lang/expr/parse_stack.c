/* SPDX-License-Identifier: MIT */
/* The parser's own stack: what waits on it, nodes out of it, and errors that look at it. */
#include "lang/expr/parse.h"

#include <stdio.h>
#include <string.h>

int ex_strength(enum ex_op op)
{
    switch (op) {
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
        return 8;
    case EX_SHL:
    case EX_SHR:
        return 9;
    case EX_ADD:
    case EX_SUB:
        return 10;
    case EX_EQ:
    case EX_NE:
        return 7;
    case EX_AND:
        return 6;
    case EX_XOR:
        return 5;
    case EX_OR:
        return 4;
    case EX_LAND:
        return 3;
    case EX_LOR:
        return 2;
    case EX_MUX:
        return 1;
    default:
        return 11; /* unary */
    }
}

static unsigned operands(enum ex_op op)
{
    if (op == EX_NAME || op == EX_LITERAL)
        return 0;
    if (op == EX_MUX)
        return 3;
    return op < EX_LT ? 1 : 2;
}

enum pc_status ex_add_node(struct parser *p, const struct ex_node *n, struct pc_error *err)
{
    struct pc_expr *e = p->e;
    void *array = e->node;

    if (e->nodes == EX_MAX_NODES)
        return EX_FAIL(err, 304, n->begin, "the expression has more than %d operands and operators",
                       EX_MAX_NODES);
    if (!pc_grow(&e->alloc, &array, &e->nodes_capacity, e->nodes + 1, sizeof *e->node))
        return pc_fail(err, 100, "out of memory for an expression");
    e->node = array;
    e->node[e->nodes] = *n;
    p->value[p->values++] = (uint32_t)e->nodes++;
    return PC_OK;
}

enum pc_status ex_push(struct parser *p, enum pending_kind kind, const struct ex_token *t,
                       struct pc_error *err)
{
    if (p->pendings == EX_MAX_NEST)
        return EX_FAIL(err, 304, t->begin, "operators and parentheses are nested deeper than %d",
                       EX_MAX_NEST);
    p->pending[p->pendings++] = (struct pending){ .kind = kind, .op = t->op, .begin = t->begin };
    return PC_OK;
}

struct pending *ex_top(struct parser *p)
{
    return p->pendings ? &p->pending[p->pendings - 1] : NULL;
}

enum pc_status ex_reduce(struct parser *p, uint32_t end, struct pc_error *err)
{
    struct pending o = p->pending[--p->pendings];
    struct ex_node n = { .op = o.op, .child = { EX_NONE, EX_NONE, EX_NONE } };
    unsigned count = operands(o.op);

    p->values -= count;
    for (unsigned i = 0; i < count; i++)
        n.child[i] = p->value[p->values + i];
    const struct ex_node *last = &p->e->node[n.child[count - 1]];
    n.begin = count == 1 ? o.begin : p->e->node[n.child[0]].begin;
    n.end = end > last->end ? end : last->end;
    return ex_add_node(p, &n, err);
}

enum pc_status ex_reduce_to(struct parser *p, int limit, struct pc_error *err)
{
    for (struct pending *t = ex_top(p); t && t->kind == PENDING_OP && ex_strength(t->op) >= limit;
         t = ex_top(p)) {
        enum pc_status status = ex_reduce(p, 0, err);
        if (status)
            return status;
    }
    return PC_OK;
}

const char *ex_found(const struct parser *p, const struct ex_token *t, char out[EX_QUOTE_SIZE + 2])
{
    unsigned char first = (unsigned char)p->e->text[t->begin];
    char quote[EX_QUOTE_SIZE];

    if (t->kind == EX_T_END)
        return "the end";
    if (t->kind == EX_T_OTHER && (first < ' ' || first >= 0x7f))
        snprintf(out, EX_QUOTE_SIZE + 2, "the byte 0x%02x", (unsigned)first);
    else
        snprintf(out, EX_QUOTE_SIZE + 2, "\"%s\"", ex_quote(p->e, t->begin, t->end, quote));
    return out;
}

/* Does it belong to another language?  A brace does where no set is open. */
static bool has_hint(const struct parser *p, const struct ex_token *t)
{
    if (p->e->numbers)
        return t->kind == EX_T_OTHER;
    for (size_t i = 0; i < p->pendings; i++)
        if (p->pending[i].kind == PENDING_SET)
            return t->kind == EX_T_OTHER;
    return t->kind == EX_T_OTHER || t->kind == EX_T_OPEN_SET || t->kind == EX_T_CLOSE_SET;
}

enum pc_status ex_want_operand(const struct parser *p, const struct ex_token *t,
                               struct pc_error *err)
{
    char quote[EX_QUOTE_SIZE + 2];
    enum pc_status status = EX_FAIL(
        err, 301, t->begin, "expected a signal, a number, \"(\" or one of ! ~ - & | ^, found %s",
        ex_found(p, t, quote));

    if (has_hint(p, t))
        pc_hint(err, "%s", t->hint);
    return status;
}

enum pc_status ex_want_operator(struct parser *p, const struct ex_token *t, struct pc_error *err)
{
    char quote[EX_QUOTE_SIZE + 2];
    static const char *const ends[] = {
        [PENDING_OPEN] = "\")\"",  [PENDING_FUNCTION] = "\")\"", [PENDING_QUESTION] = "\":\"",
        [PENDING_SET] = "\"}\"",   [PENDING_LOW] = "\":\"",      [PENDING_HIGH] = "\"]\"",
        [PENDING_PARTS] = "\"}\"", [PENDING_INDEX] = "\"]\"",
    };
    const char *end = "the end";
    size_t i = p->pendings;

    while (i > 0 && p->pending[i - 1].kind == PENDING_OP)
        i--;
    if (i > 0)
        end = ends[p->pending[i - 1].kind];
    enum pc_status status = EX_FAIL(err, 301, t->begin, "expected an operator or %s, found %s", end,
                                    ex_found(p, t, quote));
    if (has_hint(p, t) || t->kind == EX_T_MINUS)
        pc_hint(err, "%s", t->hint);
    else if (t->kind == EX_T_NAME && ex_foreign_word(p->e->text, t->begin, err))
        return status;
    else if (t->kind == EX_T_LITERAL && p->e->text[t->begin] == '"')
        pc_hint(err, "bits are written 4'b0101, and numbers 5, 0x1f or 8'h1f");
    else if (t->kind == EX_T_NAME || t->kind == EX_T_LITERAL)
        pc_hint(err, "an operator joins two signals; a blank in a name is left out: Channel0 for "
                     "\"Channel 0\"");
    else if (t->kind == EX_T_NOT || t->kind == EX_T_LNOT)
        pc_hint(err, "! and ~ come before an operand; inequality is written !=");
    else if (i > 0 && t->kind == EX_T_END)
        pc_hint(err, "not closed: \"%s\"",
                ex_quote(p->e, p->pending[i - 1].begin, t->begin, quote));
    return status;
}
