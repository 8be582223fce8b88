/* SPDX-License-Identifier: MIT */
/*
 * Widths and signs follow SystemVerilog: operands of & | ^ ~ - and of the
 * arms of ?: are widened to the widest of them and of what they are compared with, by their sign if
 * all of these are signed, else with zeros.  Unlike there, a literal without a size is only as wide
 * as its value where nothing is signed.  Where one bit is needed a vector is an error, never
 * quietly its lowest bit or a test for zero.
 */
#include "lang/expr/expr.h"

#include <string.h>

static uint32_t max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Returns the name or number that makes a node as wide as it is. */
static const struct ex_node *widest_leaf(const struct pc_expr *e, const struct ex_node *n)
{
    while (ex_bitwise(n->op) && n->op != EX_NEG) {
        unsigned first = n->op == EX_MUX;
        const struct ex_node *widest = &e->node[n->child[first]];
        for (unsigned i = first + 1; i < 3 && n->child[i] != EX_NONE; i++)
            if (e->node[n->child[i]].width > widest->width)
                widest = &e->node[n->child[i]];
        n = widest;
    }
    return n;
}

static enum pc_status want_bit(const struct pc_expr *e, const struct ex_node *n,
                               struct pc_error *err)
{
    char quote[EX_QUOTE_SIZE];

    if (n->width == 1)
        return PC_OK;
    n = widest_leaf(e, n);
    ex_quote(e, n->begin, n->end, quote);
    enum pc_status status =
        EX_FAIL(err, 306, n->begin, "\"%s\" has %u bits where one is needed", quote, n->width);
    if (n->op == EX_LITERAL || (n->op == EX_NEG && e->node[n->child[0]].op == EX_LITERAL))
        pc_hint(err, "compare a signal with it: count == %s", quote);
    else if (n->op == EX_NAME && strchr(quote, '[') == NULL)
        pc_hint(err, "name a bit (%s[0]) or a slice, or compare it (%s != 0)", quote, quote);
    else
        pc_hint(err, "name one bit, or compare it (%s != 0)", quote);
    return status;
}

/* Its operand keeps a type of its own; as a number it is as wide as that is in Verilog. */
static bool is_typed(enum ex_op op)
{
    return op == EX_PREV || op == EX_SIGNED || op == EX_UNSIGNED;
}

static bool is_comparison(enum ex_op op)
{
    return op >= EX_LT && op <= EX_NE;
}

/* Gives the result the type that two operands have in common (IEEE 1800-2017, 11.8.1). */
static void take_type(struct ex_node *n, const struct ex_node *a, const struct ex_node *b)
{
    n->negative = a->negative || b->negative;
    n->width =
        max(a->width + (n->negative && !a->negative), b->width + (n->negative && !b->negative));
    n->room = max(max(a->room, b->room), n->width);
    n->is_signed = (a->is_signed && b->is_signed) || n->op == EX_SIGNED;
    if (n->op == EX_UNSIGNED)
        n->is_signed = false;
    if (n->op == EX_PREV && !n->is_signed)
        n->room = n->width;
    if (n->op == EX_NEG || (is_typed(n->op) && n->width > 1)) /* one bit can still be a bit */
        n->width = n->room;
    n->below_zero = n->is_signed && (a->below_zero || b->below_zero || n->op == EX_NEG ||
                                     n->op == EX_NOT || n->op == EX_SIGNED);
}

static void begin_bit(struct ex_node *n)
{
    n->width = n->room = 1;
    n->is_signed = n->below_zero = false;
}

/* Makes a number from 0 to the bits of `a`, an int (IEEE 1800-2017, 20.9): its highest bit is 0. */
static void begin_count(struct ex_node *n, const struct ex_node *a)
{
    n->width = 1;
    while (max(a->width, a->is_signed ? a->room : 0) >> (n->width - 1))
        n->width++;
    n->room = EX_PLAIN_WIDTH;
    n->is_signed = true;
    n->below_zero = false;
}

/* Sets the type of names and literals, which depends on no operand. */
static void begin_type(const struct pc_expr *e, struct ex_node *n)
{
    n->room = n->width;
    if (n->unsized)
        n->room = max(n->width + n->is_signed, EX_PLAIN_WIDTH);
    n->below_zero = n->is_signed && !n->unsized &&
                    (n->op == EX_NAME || e->literal_bits[n->data + n->width - 1]);
}

/* Checks a text that is compared: a signal with fewer bits is never equal to it. */
static enum pc_status check_text(const struct pc_expr *e, const struct ex_node *a,
                                 const struct ex_node *b, struct pc_error *err)
{
    char quote[EX_QUOTE_SIZE];
    const struct ex_node *text = a->text && !a->word ? a : b, *other = text == a ? b : a;

    if (!text->text || text->word || other->op == EX_LITERAL || other->width >= text->width)
        return PC_OK;
    enum pc_status status =
        EX_FAIL(err, 308, text->begin,
                "%s has %u bits, eight a character; what it is compared with "
                "has %u",
                ex_quote(e, text->begin, text->end, quote), text->width, other->width);
    if (other->width < 8)
        pc_hint(err, "the file does not name the values of the signal: compare it with a number");
    return status;
}

/* Finds the node's width from those of its operands, which stand before it. */
static enum pc_status find_width(struct pc_expr *e, struct ex_node *n, struct pc_error *err)
{
    const struct ex_node *a = n->child[0] == EX_NONE ? NULL : &e->node[n->child[0]];
    const struct ex_node *b = n->child[1] == EX_NONE ? NULL : &e->node[n->child[1]];
    enum pc_status status = PC_OK;

    n->fill = n->negative = false;
    if (e->numbers && ex_is_number(n->op))
        return ex_number_width(e, n, err);
    switch (n->op) {
    case EX_NAME:
    case EX_LITERAL:
        begin_type(e, n);
        break;
    case EX_NOT:
    case EX_NEG:
    case EX_PREV:
    case EX_SIGNED:
    case EX_UNSIGNED:
        take_type(n, a, a);
        break;
    case EX_AND:
    case EX_XOR:
    case EX_OR:
        take_type(n, a, b);
        break;
    case EX_MUX:
        status = want_bit(e, a, err);
        take_type(n, b, &e->node[n->child[2]]);
        break;
    case EX_COUNTONES:
        begin_count(n, a);
        break;
    case EX_RISE:
    case EX_FALL:
    case EX_EDGE:
        status = want_bit(e, a, err);
        begin_bit(n);
        break;
    default:
        if (is_comparison(n->op))
            status = check_text(e, a, b, err);
        begin_bit(n);
        break;
    }
    n->negative = n->negative || (e->numbers && n->op == EX_SIGNED);
    n->fill = n->negative;
    return status;
}

/* Finds the width and type that the operands of a node have in common; false: none. */
static bool find_common(const struct pc_expr *e, const struct ex_node *n, struct ex_node *common)
{
    const struct ex_node *a = &e->node[n->child[0]];

    if (is_comparison(n->op)) {
        const struct ex_node *b = &e->node[n->child[1]];
        common->is_signed = a->is_signed && b->is_signed && !n->plain;
        common->width = common->is_signed ? max(a->room, b->room) : max(a->width, b->width);
    } else if (ex_bitwise(n->op)) {
        common->is_signed = n->is_signed;
        common->width = n->width;
    } else if (is_typed(n->op) || ex_reducing(n->op)) {
        common->is_signed = a->is_signed;
        common->width = is_typed(n->op) ? n->width : a->is_signed ? a->room : a->width;
    } else {
        return false;
    }
    return true;
}

/* A vector whose value alone counts, as of !v and v && w: it has its own width. */
static void widen_alone(struct ex_node *n)
{
    if (n->width == 1)
        return;
    if (n->is_signed)
        n->width = max(n->width, n->room);
    n->fill = (n->is_signed && !n->unsized) || n->negative;
}

/* Widens the operands of a node to what the node and its other operand have, by their sign if both
 * are signed. */
static void widen_operands(struct pc_expr *e, const struct ex_node *n)
{
    const unsigned first = n->op == EX_MUX;
    struct ex_node common;

    if (n->child[0] == EX_NONE)
        return;
    for (unsigned i = 0; ex_logical(n->op) && i < 2 && n->child[i] != EX_NONE; i++)
        if (ex_bitwise(e->node[n->child[i]].op) || is_typed(e->node[n->child[i]].op))
            widen_alone(&e->node[n->child[i]]);
    for (unsigned i = first; i < 3; i++) {
        struct ex_node *child = n->child[i] == EX_NONE ? NULL : &e->node[n->child[i]];
        if (child && is_typed(child->op) && find_common(e, n, &common))
            child->width = child->room;
    }
    if (!find_common(e, n, &common))
        return;
    for (unsigned i = first; i < 3; i++) {
        struct ex_node *child = n->child[i] == EX_NONE ? NULL : &e->node[n->child[i]];
        if (!child)
            continue;
        child->fill = (common.is_signed && !child->unsized) || child->negative;
        if (ex_bitwise(child->op)) {
            child->width = max(child->width, common.width);
            child->is_signed = common.is_signed;
        }
    }
}

/* A set is compared by signs if all of it has one (IEEE 1800-2017, 11.4.13). */
static void find_plain(struct pc_expr *e)
{
    for (size_t i = 0; i < e->nodes; i++) {
        struct ex_node *n = &e->node[i];
        n->plain = n->set && !(e->node[n->child[0]].is_signed && e->node[n->child[1]].is_signed);
    }
    for (size_t i = 0, first = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        if (!n->plain)
            continue;
        for (first = n->set; first < e->nodes; first++)
            if (e->node[first].set == n->set)
                e->node[first].plain = true;
    }
}

static enum pc_status find_widths(struct pc_expr *e, struct pc_error *err)
{
    for (size_t i = 0; i < e->nodes; i++) {
        enum pc_status status = find_width(e, &e->node[i], err);
        if (status)
            return status;
    }
    enum pc_status status = e->numbers ? PC_OK : want_bit(e, &e->node[e->nodes - 1], err);
    if (status)
        return status;
    find_plain(e);
    for (size_t i = e->nodes; i-- > 0;)
        widen_operands(e, &e->node[i]);
    return PC_OK;
}

static void free_planes(struct pc_expr *e)
{
    if (e->scratch)
        e->value = e->unknown = NULL;
    pc_free(&e->alloc, e->value, e->planes * e->words * sizeof *e->value);
    pc_free(&e->alloc, e->unknown, e->planes * e->words * sizeof *e->unknown);
    pc_free(&e->alloc, e->history, e->histories);
    e->value = e->unknown = NULL;
    e->history = NULL;
    e->planes = e->words = e->histories = 0;
}

static void fill_literals(struct pc_expr *e)
{
    for (size_t i = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        for (uint32_t b = 0; n->op == EX_LITERAL && b < n->width; b++)
            for (size_t w = 0; w < e->words && e->literal_bits[n->data + b]; w++)
                ex_plane(e, e->value, n->plane + b)[w] = UINT64_MAX;
    }
}

/* Makes room for that many planes, which all nodes that have any share. */
static enum pc_status share_planes(struct pc_expr *e, size_t planes, struct pc_error *err)
{
    struct ex_scratch *s = e->scratch;
    size_t room = s->planes, same = s->planes;
    void *value = s->value, *unknown = s->unknown;
    const bool ok = pc_grow(&e->alloc, &value, &room, planes, sizeof *s->value) &&
                    pc_grow(&e->alloc, &unknown, &same, planes, sizeof *s->unknown);

    s->value = value;
    s->unknown = unknown;
    s->planes = same;
    if (!ok)
        return pc_fail(err, 100, "out of memory for an expression");
    e->planes = planes;
    e->words = 1;
    ex_take_scratch(e);
    return PC_OK;
}

/* Gives each node its planes, each delay its history, and fills in the literals. */
static enum pc_status make_planes(struct pc_expr *e, struct pc_error *err)
{
    size_t planes = 0, histories = 0;

    for (size_t i = 0; i < e->nodes; i++) {
        struct ex_node *n = &e->node[i];
        if (n->width > EX_MAX_BITS - planes)
            return EX_FAIL(err, 304, n->begin,
                           "the expression needs more than %d bits of intermediate results",
                           EX_MAX_BITS);
        n->plane = (uint32_t)planes;
        planes += n->width;
        if (ex_delaying(n->op)) {
            n->history = (uint32_t)histories;
            histories += n->width;
        }
    }
    planes += 2; /* negate()'s, and one of 0 */
    const size_t words = planes > EX_WIDE ? 1 : EX_WORDS;
    uint8_t *history = histories ? pc_calloc(&e->alloc, histories, 1) : NULL;
    if (e->scratch && (history || histories == 0)) {
        e->history = history;
        e->histories = histories;
        return share_planes(e, planes, err);
    }
    uint64_t *value = pc_calloc(&e->alloc, planes * words, sizeof *value);
    uint64_t *unknown = pc_calloc(&e->alloc, planes * words, sizeof *unknown);
    if (!value || !unknown || (histories > 0 && !history)) {
        pc_free(&e->alloc, value, planes * words * sizeof *value);
        pc_free(&e->alloc, unknown, planes * words * sizeof *unknown);
        pc_free(&e->alloc, history, histories);
        return pc_fail(err, 100, "out of memory for an expression");
    }
    e->value = value;
    e->unknown = unknown;
    e->history = history;
    e->planes = planes;
    e->words = words;
    e->histories = histories;
    fill_literals(e);
    return PC_OK;
}

/* Finds the elements of x[i] beside the bits of x, counted from the index of the first. */
static enum pc_status find_elements(struct pc_expr *e, struct ex_node *n,
                                    const struct ex_names *names, struct pc_error *err)
{
    const struct ex_node *name = &e->node[n->child[0]];
    enum pc_status status =
        names->elements(names->ctx, e->arena + name->data, &n->width, &n->low, err);

    if (status && err) {
        err->line = 1;
        err->column = name->begin + 1;
    }
    return status;
}

enum pc_status ex_resolve(struct pc_expr *e, const struct ex_names *names, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    e->resolved = false;
    e->wires = 0;
    free_planes(e);
    ex_take_back_offers(e);
    ex_take_back_values(e);
    status = ex_spell_values(e, names, err);
    e->wires = 0;
    if (status == PC_OK)
        status = ex_offer(e, err);
    for (size_t i = 0; i < e->nodes && status == PC_OK; i++)
        if (e->node[i].op == EX_NAME && !e->node[i].given && !e->node[i].gone)
            status = ex_look_up(e, &e->node[i], names, err);
        else if (e->node[i].op == EX_INDEX)
            status = find_elements(e, &e->node[i], names, err);
    if (status == PC_OK)
        status = find_widths(e, err);
    void *wire = e->wire;
    if (status == PC_OK &&
        !pc_trim(&e->alloc, &wire, &e->wires_capacity, e->wires, sizeof *e->wire))
        status = pc_fail(err, 100, "out of memory for an expression");
    e->wire = wire;
    if (status == PC_OK)
        status = make_planes(e, err);
    if (status)
        return status;
    e->resolved = true;
    if (!e->numbers)
        ex_find_function(e);
    ex_settle(e);
    return PC_OK;
}

enum pc_status pc_expr_resolve(struct pc_expr *e, pc_expr_lookup_fn *lookup, void *ctx,
                               struct pc_error *err)
{
    const struct ex_names names = { .lookup = lookup, .ctx = ctx };

    return ex_resolve(e, &names, err);
}
