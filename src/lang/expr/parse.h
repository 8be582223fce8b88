/* SPDX-License-Identifier: MIT */
/* The state of the parser, of its two files. */
#ifndef PC_LANG_EXPR_PARSE_H
#define PC_LANG_EXPR_PARSE_H

#include "lang/expr/expr.h"

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
    bool has;         /* ... which is also a node */
    bool done;        /* a range stands there: its result waits for a comma */
};

struct parser {
    struct pc_expr *e;
    struct pending pending[EX_MAX_NEST];
    size_t pendings;
    uint32_t value[2 * EX_MAX_NEST + 2]; /* nodes without a parent; an operator holds at most two */
    size_t values;
};

/* --- parse_stack.c --- */

/* Binding strength: more binds first. */
int ex_strength(enum ex_op op);
/* Adds a node, which takes its children from the values and is one. */
enum pc_status ex_add_node(struct parser *p, const struct ex_node *n, struct pc_error *err);
/* Waits for what comes. */
enum pc_status ex_push(struct parser *p, enum pending_kind kind, const struct ex_token *t,
                       struct pc_error *err);
/* NULL: nothing waits. */
struct pending *ex_top(struct parser *p);
/* Makes a node of the operator on top and its operands. */
enum pc_status ex_reduce(struct parser *p, uint32_t end, struct pc_error *err);
/* Makes nodes of what binds at least as strongly as `limit`, down to an open bracket (more
 * strongly, for the right-associative ?:). */
enum pc_status ex_reduce_to(struct parser *p, int limit, struct pc_error *err);
/* Returns what was found instead, for the end of a message; `out` is room for it. */
const char *ex_found(const struct parser *p, const struct ex_token *t, char out[EX_QUOTE_SIZE + 2]);
/* Errors: what was expected, and what stands there. */
enum pc_status ex_want_operand(const struct parser *p, const struct ex_token *t,
                               struct pc_error *err);
enum pc_status ex_want_operator(struct parser *p, const struct ex_token *t, struct pc_error *err);

#endif
