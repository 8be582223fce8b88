/* SPDX-License-Identifier: MIT */
/*
 * Parser of the expression language: operator precedence with a stack of its own, so
 * that no text, however nested, uses the program's stack.  Precedence and associativity
 * are Verilog's.  The result are nodes in postfix order.
 */
#include "lang/expr/expr.h"

#include <stdio.h>
#include <string.h>

enum pending_kind {
    PENDING_OP,
    PENDING_OPEN,
    PENDING_FUNCTION,
    PENDING_QUESTION,
    PENDING_INSIDE, /* before its { */
    PENDING_SET,
    PENDING_LOW, /* [ of a range, and after its colon */
    PENDING_HIGH,
    PENDING_PARTS, /* of rules: { of a concatenation, */
    PENDING_INDEX  /* [ after a name */
};

/* An operator that waits for its right operand, or an open bracket. */
struct pending {
    enum pending_kind kind;
    enum ex_op op;
    uint32_t begin;
    uint32_t subject; /* of a set: the node that is compared, below what the set has so far */
    bool has;         /* ... which is a node, too */
    bool done;        /* a range stands there: its result waits for a comma */
};

struct parser {
    struct pc_expr *e;
    struct pending pending[EX_MAX_NEST];
    size_t pendings;
    uint32_t value[2 * EX_MAX_NEST + 2]; /* nodes without a parent; an operator holds at most two */
    size_t values;
};

/* Binding strength: more binds first. */
static int strength(enum ex_op op)
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

static enum pc_status add_node(struct parser *p, const struct ex_node *n, struct pc_error *err)
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

static enum pc_status push(struct parser *p, enum pending_kind kind, const struct ex_token *t,
                           struct pc_error *err)
{
    if (p->pendings == EX_MAX_NEST)
        return EX_FAIL(err, 304, t->begin, "operators and parentheses are nested deeper than %d",
                       EX_MAX_NEST);
    p->pending[p->pendings++] = (struct pending){ .kind = kind, .op = t->op, .begin = t->begin };
    return PC_OK;
}

static struct pending *top(struct parser *p)
{
    return p->pendings ? &p->pending[p->pendings - 1] : NULL;
}

/* Makes a node of the operator on top and its operands. */
static enum pc_status reduce(struct parser *p, uint32_t end, struct pc_error *err)
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
    return add_node(p, &n, err);
}

/* Reduces what binds at least as strongly as `limit` (more strongly, for the right-associative ?:).
 */
static enum pc_status reduce_to(struct parser *p, int limit, struct pc_error *err)
{
    for (struct pending *t = top(p); t && t->kind == PENDING_OP && strength(t->op) >= limit;
         t = top(p)) {
        enum pc_status status = reduce(p, 0, err);
        if (status)
            return status;
    }
    return PC_OK;
}

/* What stands there instead, for the end of a message. */
static const char *found(const struct parser *p, const struct ex_token *t,
                         char out[EX_QUOTE_SIZE + 2])
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

static enum pc_status want_operand(const struct parser *p, const struct ex_token *t,
                                   struct pc_error *err)
{
    char quote[EX_QUOTE_SIZE + 2];
    enum pc_status status = EX_FAIL(
        err, 301, t->begin, "expected a signal, a number, \"(\" or one of ! ~ - & | ^, found %s",
        found(p, t, quote));

    if (has_hint(p, t))
        pc_hint(err, "%s", t->hint);
    return status;
}

static enum pc_status want_operator(struct parser *p, const struct ex_token *t,
                                    struct pc_error *err)
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
                                    found(p, t, quote));
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
        pc_hint(err, "! and ~ stand before an operand; \"differs from\" is written !=");
    else if (i > 0 && t->kind == EX_T_END)
        pc_hint(err, "not closed: \"%s\"",
                ex_quote(p->e, p->pending[i - 1].begin, t->begin, quote));
    return status;
}

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

    return add_node(p, &n, err);
}

/* Two nodes on top become one. */
static enum pc_status join(struct parser *p, enum ex_op op, struct pc_error *err)
{
    p->values -= 2;
    return add_pair(p, op, p->value[p->values], p->value[p->values + 1], 0, err);
}

static enum pc_status begin_set(struct parser *p, const struct ex_token *t, bool *have,
                                struct pc_error *err)
{
    enum pc_status status = reduce_to(p, strength(EX_LT), err);

    if (status == PC_OK)
        status = push(p, PENDING_INSIDE, t, err);
    if (status)
        return status;
    top(p)->subject = p->value[p->values - 1];
    *have = false;
    return PC_OK;
}

/* --- of rules: {a, b} and x[i] --- */

/* A comma, or the "}". */
static enum pc_status end_part(struct parser *p, const struct ex_token *t, bool *have,
                               struct pc_error *err)
{
    struct pending *parts = top(p);
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
        return want_operator(p, t, err);
    *have = false;
    return push(p, PENDING_INDEX, t, err);
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
    enum pc_status status = reduce_to(p, 0, err);

    if (status)
        return status;
    if (top(p) && top(p)->kind == PENDING_INDEX)
        return end_index(p, t, err);
    if (!top(p) || top(p)->kind != PENDING_HIGH)
        return want_operator(p, t, err);
    p->pendings--;
    struct pending *set = top(p);
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
    enum pc_status status = reduce_to(p, 0, err);
    struct pending *set = top(p);

    if (status)
        return status;
    if (set && set->kind == PENDING_PARTS)
        return end_part(p, t, have, err);
    if (!set || set->kind != PENDING_SET)
        return want_operator(p, t, err);
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

static bool is_inside(const struct parser *p, const struct ex_token *t)
{
    return t->kind == EX_T_NAME && t->end - t->begin == 6 &&
           memcmp(p->e->text + t->begin, "inside", 6) == 0;
}

/* What begins a set or a range in it. */
static enum pc_status open_set(struct parser *p, const struct ex_token *t, struct pc_error *err)
{
    struct pending *open = top(p);

    if (t->kind == EX_T_OPEN_SET && open && open->kind == PENDING_INSIDE) {
        open->kind = PENDING_SET;
        return PC_OK;
    }
    if (t->kind == EX_T_OPEN_RANGE && open && open->kind == PENDING_SET)
        return push(p, PENDING_LOW, t, err);
    if (t->kind == EX_T_OPEN_SET && p->e->numbers)
        return push(p, PENDING_PARTS, t, err);
    return want_operand(p, t, err);
}

/* A token where an operand has to begin. */
static enum pc_status operand(struct parser *p, const struct ex_token *t, bool *have,
                              struct pc_error *err)
{
    struct ex_token unary = *t;
    char quote[EX_QUOTE_SIZE + 2];

    if (top(p) && top(p)->kind == PENDING_INSIDE && t->kind != EX_T_OPEN_SET)
        return EX_FAIL(err, 301, t->begin, "expected { after inside, found %s", found(p, t, quote));
    switch (t->kind) {
    case EX_T_NAME:
    case EX_T_LITERAL:
        *have = true;
        return add_node(p,
                        &(struct ex_node){ .op = t->kind == EX_T_NAME ? EX_NAME : EX_LITERAL,
                                           .child = { EX_NONE, EX_NONE, EX_NONE },
                                           .begin = t->begin,
                                           .end = t->end,
                                           .width = t->width,
                                           .is_signed = t->is_signed,
                                           .unsized = t->unsized,
                                           .data = t->data },
                        err);
    case EX_T_FUNCTION:
        return push(p, PENDING_FUNCTION, t, err);
    case EX_T_OPEN:
        return push(p, PENDING_OPEN, t, err);
    case EX_T_NOT:
    case EX_T_LNOT:
    case EX_T_MINUS:
        return push(p, PENDING_OP, t, err);
    case EX_T_BINARY:
        if (t->op != EX_AND && t->op != EX_OR && t->op != EX_XOR)
            return want_operand(p, t, err);
        unary.op = t->op == EX_AND ? EX_RED_AND : t->op == EX_OR ? EX_RED_OR : EX_RED_XOR;
        return push(p, PENDING_OP, &unary, err);
    default:
        return open_set(p, t, err);
    }
}

/* ")": back to what it closes. */
static enum pc_status close_bracket(struct parser *p, const struct ex_token *t,
                                    struct pc_error *err)
{
    enum pc_status status = reduce_to(p, 0, err);
    struct pending *open = top(p);

    if (status)
        return status;
    if (!open || (open->kind != PENDING_OPEN && open->kind != PENDING_FUNCTION))
        return want_operator(p, t, err);
    if (open->kind == PENDING_FUNCTION)
        return reduce(p, t->end, err);
    struct ex_node *inside = &p->e->node[p->value[p->values - 1]];
    inside->begin = open->begin;
    inside->end = t->end;
    p->pendings--;
    return PC_OK;
}

/* A token after an operand. */
static enum pc_status behind_operand(struct parser *p, const struct ex_token *t, bool *have,
                                     struct pc_error *err)
{
    enum pc_status status;
    struct pending *open = top(p);
    struct ex_token unary = *t;

    if (open && open->kind == PENDING_SET && open->done && t->kind != EX_T_COMMA &&
        t->kind != EX_T_CLOSE_SET)
        return want_operator(p, t, err);
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
            return want_operator(p, t, err);
        unary.op = EX_SUB;
        t = &unary;
        /* fallthrough */
    case EX_T_BINARY:
        status = reduce_to(p, strength(t->op), err);
        if (status)
            return status;
        *have = false;
        return push(p, PENDING_OP, t, err);
    case EX_T_QUESTION:
        status = reduce_to(p, strength(EX_MUX) + 1, err);
        if (status)
            return status;
        *have = false;
        return push(p, PENDING_QUESTION, t, err);
    case EX_T_COLON:
        status = reduce_to(p, 0, err);
        open = top(p);
        if (status)
            return status;
        if (!open || (open->kind != PENDING_QUESTION && open->kind != PENDING_LOW))
            return want_operator(p, t, err);
        open->kind = open->kind == PENDING_LOW ? PENDING_HIGH : PENDING_OP;
        *have = false;
        return PC_OK;
    case EX_T_CLOSE:
        return close_bracket(p, t, err);
    default:
        return want_operator(p, t, err);
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
    enum pc_status status = reduce_to(p, 0, err);
    p->e->literal_parsed = p->e->literal_used;
    if (status)
        return status;
    return p->pendings ? want_operator(p, &t, err) : PC_OK;
}

static enum pc_status parse_text(const struct pc_alloc *alloc, const char *text, bool numbers,
                                 struct pc_expr **out, struct pc_error *err)
{
    struct pc_alloc a = pc_alloc_or_libc(alloc);
    size_t length = strlen(text);

    if (length >= EX_MAX_TEXT)
        return pc_fail(err, 304, "the expression has more than %d bytes", EX_MAX_TEXT);
    struct pc_expr *e = pc_calloc(&a, 1, sizeof *e);
    struct parser *p = pc_calloc(&a, 1, sizeof *p);
    enum pc_status status = PC_ENOMEM;
    if (e) {
        e->alloc = a;
        e->numbers = numbers;
        e->text_size = length + 1;
        e->text = pc_calloc(&a, e->text_size, 1);
    }
    if (p && e && e->text) {
        memcpy(e->text, text, length);
        p->e = e;
        status = parse(p, err);
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
    pc_free(&a, e->text, e->text_size);
    pc_free(&a, e->node, e->nodes_capacity * sizeof *e->node);
    pc_free(&a, e->arena, e->arena_capacity);
    pc_free(&a, e->literal_bits, e->literal_capacity);
    pc_free(&a, e->wire, e->wires_capacity * sizeof *e->wire);
    pc_free(&a, e->value, e->planes * e->words * sizeof *e->value);
    pc_free(&a, e->unknown, e->planes * e->words * sizeof *e->unknown);
    pc_free(&a, e->history, e->histories);
    pc_free(&a, e, sizeof *e);
}
