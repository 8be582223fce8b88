/* SPDX-License-Identifier: MIT */
/*
 * Parser of the expression language: operator precedence with a stack of its own, so
 * that no text, however nested, uses the program's stack.  Precedence and associativity
 * are Verilog's.  The result are nodes in postfix order.
 */
#include "lang/expr/parse.h"

#include <string.h>

/* --- x inside {a, [b:c]}: x == a || (x >= b && x <= c) --- */

static enum pc_status add_pair(struct parser *p, enum ex_op op, uint32_t a, uint32_t b,
                               uint32_t set, struct pc_error *err)
{
    const struct ex_node *x = &p->e->node[a], *y = &p->e->node[b];
    const struct ex_node n = { .op = op,
                               .child = { a, b, EX_NONE },
                               .begin = x->begin,
                               .end = x->end > y->end ? x->end : y->end,
                               .set = set };

    return ex_add_node(p, &n, err);
}

/* Joins the two nodes on top into one. */
static enum pc_status join(struct parser *p, enum ex_op op, struct pc_error *err)
{
    p->values -= 2;
    return add_pair(p, op, p->value[p->values], p->value[p->values + 1], 0, err);
}

/* --- of rules: {a, b} and x[i] --- */

/* A comma, or the "}". */
static enum pc_status end_part(struct parser *p, const struct ex_token *t, bool *have,
                               struct pc_error *err)
{
    struct pending *parts = ex_top(p);
    enum pc_status status = PC_OK;

    if (parts->has)
        status = join(p, EX_CAT, err);
    if (status)
        return status;
    parts->has = true;
    *have = t->kind == EX_T_CLOSE_SET;
    if (!*have)
        return PC_OK;
    struct ex_node *all = &p->e->node[p->value[p->values - 1]];
    if (all->op == EX_CAT) {
        all->begin = parts->begin;
        all->end = t->end;
    }
    p->pendings--;
    return PC_OK;
}

/* "[" after a name; what is in it is computed. */
static enum pc_status begin_index(struct parser *p, const struct ex_token *t, bool *have,
                                  struct pc_error *err)
{
    const struct ex_node *name = &p->e->node[p->value[p->values - 1]];

    if (!p->e->numbers || name->op != EX_NAME)
        return ex_want_operator(p, t, err);
    *have = false;
    return ex_push(p, PENDING_INDEX, t, err);
}

static enum pc_status end_index(struct parser *p, const struct ex_token *t, struct pc_error *err)
{
    p->pendings--;
    enum pc_status status = join(p, EX_INDEX, err);
    if (status == PC_OK)
        p->e->node[p->value[p->values - 1]].end = t->end;
    return status;
}

/* "]" */
static enum pc_status end_range(struct parser *p, const struct ex_token *t, struct pc_error *err)
{
    enum pc_status status = ex_reduce_to(p, 0, err);

    if (status)
        return status;
    if (ex_top(p) && ex_top(p)->kind == PENDING_INDEX)
        return end_index(p, t, err);
    if (!ex_top(p) || ex_top(p)->kind != PENDING_HIGH)
        return ex_want_operator(p, t, err);
    p->pendings--;
    struct pending *set = ex_top(p);
    const uint32_t x = set->subject, low = p->value[p->values - 2], high = p->value[p->values - 1];
    p->values -= 2;
    status = add_pair(p, EX_GE, x, low, x + 1, err);
    if (status == PC_OK)
        status = add_pair(p, EX_LE, x, high, x + 1, err);
    if (status == PC_OK)
        status = join(p, EX_LAND, err);
    set->done = true;
    return status;
}

/* A comma, or the "}": what stands before it belongs to the set. */
static enum pc_status end_item(struct parser *p, const struct ex_token *t, bool *have,
                               struct pc_error *err)
{
    enum pc_status status = ex_reduce_to(p, 0, err);
    struct pending *set = ex_top(p);

    if (status)
        return status;
    if (set && set->kind == PENDING_PARTS)
        return end_part(p, t, have, err);
    if (!set || set->kind != PENDING_SET)
        return ex_want_operator(p, t, err);
    if (!set->done) {
        const uint32_t item = p->value[--p->values];
        status = add_pair(p, EX_EQ, set->subject, item, set->subject + 1, err);
    }
    if (status == PC_OK && set->has)
        status = join(p, EX_LOR, err);
    if (status)
        return status;
    set->has = true;
    set->done = false;
    *have = t->kind == EX_T_CLOSE_SET;
    if (!*have)
        return PC_OK;
    p->pendings--;
    p->value[p->values - 2] = p->value[p->values - 1]; /* where the subject was */
    p->e->node[p->value[--p->values - 1]].end = t->end;
    return PC_OK;
}

/* Reads the begin of a set, or of a range in it. */
static enum pc_status open_set(struct parser *p, const struct ex_token *t, struct pc_error *err)
{
    struct pending *open = ex_top(p);

    if (t->kind == EX_T_OPEN_SET && open && open->kind == PENDING_INSIDE) {
        open->kind = PENDING_SET;
        return PC_OK;
    }
    if (t->kind == EX_T_OPEN_RANGE && open && open->kind == PENDING_SET)
        return ex_push(p, PENDING_LOW, t, err);
    if (t->kind == EX_T_OPEN_SET && p->e->numbers)
        return ex_push(p, PENDING_PARTS, t, err);
    return ex_want_operand(p, t, err);
}

static enum pc_status begin_set(struct parser *p, const struct ex_token *t, bool *have,
                                struct pc_error *err)
{
    enum pc_status status = ex_reduce_to(p, ex_strength(EX_LT), err);

    if (status == PC_OK)
        status = ex_push(p, PENDING_INSIDE, t, err);
    if (status)
        return status;
    ex_top(p)->subject = p->value[p->values - 1];
    *have = false;
    return PC_OK;
}

static bool is_inside(const struct parser *p, const struct ex_token *t)
{
    return t->kind == EX_T_NAME && t->end - t->begin == 6 &&
           memcmp(p->e->text + t->begin, "inside", 6) == 0;
}

/* Takes a token where an operand has to begin. */
static enum pc_status operand(struct parser *p, const struct ex_token *t, bool *have,
                              struct pc_error *err)
{
    struct ex_token unary = *t;
    char quote[EX_QUOTE_SIZE + 2];

    if (ex_top(p) && ex_top(p)->kind == PENDING_INSIDE && t->kind != EX_T_OPEN_SET)
        return EX_FAIL(err, 301, t->begin, "expected { after inside, found %s",
                       ex_found(p, t, quote));
    switch (t->kind) {
    case EX_T_NAME:
    case EX_T_LITERAL:
        *have = true;
        return ex_add_node(p,
                           &(struct ex_node){ .op = t->kind == EX_T_NAME ? EX_NAME : EX_LITERAL,
                                              .child = { EX_NONE, EX_NONE, EX_NONE },
                                              .begin = t->begin,
                                              .end = t->end,
                                              .width = t->width,
                                              .is_signed = t->is_signed,
                                              .unsized = t->unsized,
                                              .text = t->text,
                                              .number = t->number,
                                              .fraction = t->fraction,
                                              .data = t->data },
                           err);
    case EX_T_FUNCTION:
        return ex_push(p, PENDING_FUNCTION, t, err);
    case EX_T_OPEN:
        return ex_push(p, PENDING_OPEN, t, err);
    case EX_T_NOT:
    case EX_T_LNOT:
    case EX_T_MINUS:
        return ex_push(p, PENDING_OP, t, err);
    case EX_T_BINARY:
        if (t->op != EX_AND && t->op != EX_OR && t->op != EX_XOR)
            return ex_want_operand(p, t, err);
        unary.op = t->op == EX_AND ? EX_RED_AND : t->op == EX_OR ? EX_RED_OR : EX_RED_XOR;
        return ex_push(p, PENDING_OP, &unary, err);
    default:
        return open_set(p, t, err);
    }
}

/* ")": back to what it closes. */
static enum pc_status close_bracket(struct parser *p, const struct ex_token *t,
                                    struct pc_error *err)
{
    enum pc_status status = ex_reduce_to(p, 0, err);
    struct pending *open = ex_top(p);

    if (status)
        return status;
    if (!open || (open->kind != PENDING_OPEN && open->kind != PENDING_FUNCTION))
        return ex_want_operator(p, t, err);
    if (open->kind == PENDING_FUNCTION)
        return ex_reduce(p, t->end, err);
    struct ex_node *inside = &p->e->node[p->value[p->values - 1]];
    inside->begin = open->begin;
    inside->end = t->end;
    p->pendings--;
    return PC_OK;
}

/* Takes a token after an operand. */
static enum pc_status behind_operand(struct parser *p, const struct ex_token *t, bool *have,
                                     struct pc_error *err)
{
    enum pc_status status;
    struct pending *open = ex_top(p);
    struct ex_token unary = *t;

    if (open && open->kind == PENDING_SET && open->done && t->kind != EX_T_COMMA &&
        t->kind != EX_T_CLOSE_SET)
        return ex_want_operator(p, t, err);
    if (is_inside(p, t))
        return begin_set(p, t, have, err);
    switch (t->kind) {
    case EX_T_COMMA:
    case EX_T_CLOSE_SET:
        return end_item(p, t, have, err);
    case EX_T_OPEN_RANGE:
        return begin_index(p, t, have, err);
    case EX_T_CLOSE_RANGE:
        return end_range(p, t, err);
    case EX_T_MINUS:
        if (!p->e->numbers)
            return ex_want_operator(p, t, err);
        unary.op = EX_SUB;
        t = &unary;
        /* fallthrough */
    case EX_T_BINARY:
        status = ex_reduce_to(p, ex_strength(t->op), err);
        if (status)
            return status;
        *have = false;
        return ex_push(p, PENDING_OP, t, err);
    case EX_T_QUESTION:
        status = ex_reduce_to(p, ex_strength(EX_MUX) + 1, err);
        if (status)
            return status;
        *have = false;
        return ex_push(p, PENDING_QUESTION, t, err);
    case EX_T_COLON:
        status = ex_reduce_to(p, 0, err);
        open = ex_top(p);
        if (status)
            return status;
        if (!open || (open->kind != PENDING_QUESTION && open->kind != PENDING_LOW))
            return ex_want_operator(p, t, err);
        open->kind = open->kind == PENDING_LOW ? PENDING_HIGH : PENDING_OP;
        *have = false;
        return PC_OK;
    case EX_T_CLOSE:
        return close_bracket(p, t, err);
    default:
        return ex_want_operator(p, t, err);
    }
}

static enum pc_status parse(struct parser *p, struct pc_error *err)
{
    struct ex_token t;
    size_t at = 0;
    bool have = false; /* an operand stands before the token */

    for (;;) {
        enum pc_status status = ex_lex(p->e, &at, &t, err);
        if (status)
            return status;
        if (t.kind == EX_T_END && have)
            break;
        status = have ? behind_operand(p, &t, &have, err) : operand(p, &t, &have, err);
        if (status)
            return status;
    }
    enum pc_status status = ex_reduce_to(p, 0, err);
    p->e->literal_parsed = p->e->literal_used;
    if (status)
        return status;
    return p->pendings ? ex_want_operator(p, &t, err) : PC_OK;
}

/* Gives back room that the parsed expression does not need: a description has thousands. */
static enum pc_status trim(struct pc_expr *e, struct pc_error *err)
{
    void *node = e->node, *arena = e->arena;
    const bool ok = pc_trim(&e->alloc, &node, &e->nodes_capacity, e->nodes, sizeof *e->node) &&
                    pc_trim(&e->alloc, &arena, &e->arena_capacity, e->arena_used, 1);

    e->node = node;
    e->arena = arena;
    return ok ? PC_OK : pc_fail(err, 100, "out of memory for an expression");
}

static enum pc_status parse_text(const struct pc_alloc *alloc, const char *text, bool numbers,
                                 struct pc_expr **out, struct pc_error *err)
{
    struct pc_alloc a = pc_alloc_or_libc(alloc);
    size_t length = strlen(text);

    if (length >= EX_MAX_TEXT)
        return pc_fail(err, 304, "the expression has more than %d bytes", EX_MAX_TEXT);
    const size_t size = ex_size(numbers); /* the text comes after it */
    struct pc_expr *e = pc_calloc(&a, 1, size + length + 1);
    struct parser *p = pc_calloc(&a, 1, sizeof *p);
    enum pc_status status = PC_ENOMEM;
    if (e) {
        e->alloc = a;
        e->numbers = numbers;
        e->text_size = length + 1;
        e->text = (char *)e + size;
    }
    if (p && e) {
        memcpy(e->text, text, length);
        p->e = e;
        status = parse(p, err);
        if (status == PC_OK)
            status = trim(e, err);
    } else {
        status = pc_fail(err, 100, "out of memory for an expression");
    }
    pc_free(&a, p, sizeof *p);
    if (status)
        pc_expr_free(e);
    else
        *out = e;
    return status;
}

enum pc_status pc_expr_parse(const struct pc_alloc *alloc, const char *text, struct pc_expr **out,
                             struct pc_error *err)
{
    return parse_text(alloc, text, false, out, err);
}

enum pc_status ex_parse_rule(const struct pc_alloc *alloc, const char *text, struct pc_expr **out,
                             struct pc_error *err)
{
    return parse_text(alloc, text, true, out, err);
}

void pc_expr_free(struct pc_expr *e)
{
    if (!e)
        return;
    struct pc_alloc a = e->alloc;
    if (e->scratch)
        e->value = e->unknown = NULL; /* are not its own */
    pc_free(&a, e->node, e->nodes_capacity * sizeof *e->node);
    pc_free(&a, e->arena, e->arena_capacity);
    pc_free(&a, e->literal_bits, e->literal_capacity);
    pc_free(&a, e->wire, e->wires_capacity * sizeof *e->wire);
    pc_free(&a, e->value, e->planes * e->words * sizeof *e->value);
    pc_free(&a, e->unknown, e->planes * e->words * sizeof *e->unknown);
    pc_free(&a, e->history, e->histories);
    pc_free(&a, e, ex_size(e->numbers) + e->text_size);
}
