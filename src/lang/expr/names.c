/* SPDX-License-Identifier: MIT */
/*
 * Resolves names: the wires of a signal, or a value of the enumeration that a signal is of.  A real
 * has bits that compare as it does, and its lookup is asked for them by a name that begins with =.
 */
#include "lang/expr/expr.h"

#include <stdio.h>
#include <string.h>

enum pc_status ex_look_up(struct pc_expr *e, struct ex_node *n, const struct ex_names *names,
                          struct pc_error *err)
{
    char quote[EX_QUOTE_SIZE];
    void *array = e->wire;
    char real[EX_MAX_NAME];
    size_t count = 0;

    if (!pc_grow(&e->alloc, &array, &e->wires_capacity, e->wires + EX_MAX_WIDTH, sizeof *e->wire))
        return pc_fail(err, 100, "out of memory for an expression");
    e->wire = array;
    n->is_signed = false;
    const char *name = e->arena + n->data;
    if (n->real && (size_t)snprintf(real, sizeof real, "=%s", name) < sizeof real)
        name = real;
    enum pc_status status = names->lookup(names->ctx, name, e->wire + e->wires, EX_MAX_WIDTH,
                                          &count, &n->is_signed, err);
    if (status) {
        if (err) {
            err->line = 1;
            err->column = n->begin + 1;
        }
        return status;
    }
    if (count > EX_MAX_WIDTH)
        return EX_FAIL(err, 304, n->begin, "\"%s\" has %zu bits; at most %d can be used at once",
                       ex_quote(e, n->begin, n->end, quote), count, EX_MAX_WIDTH);
    if (count == 0)
        return EX_FAIL(err, 303, n->begin, "\"%s\" has no bits",
                       ex_quote(e, n->begin, n->end, quote));
    n->first_wire = (uint32_t)e->wires;
    n->width = (uint32_t)count;
    e->wires += count;
    return PC_OK;
}

void pc_expr_values(struct pc_expr *e, pc_expr_value_fn *value, const void *ctx)
{
    e->value_of = value;
    e->value_ctx = ctx;
}

void ex_take_back_values(struct pc_expr *e)
{
    for (size_t i = 0; i < e->nodes; i++) {
        struct ex_node *n = &e->node[i];
        n->real = false;
        if (n->word == 0)
            continue;
        const struct ex_parsed parsed = n->parsed;
        n->op = parsed.op;
        n->child[0] = parsed.child;
        n->data = parsed.data;
        n->width = parsed.width;
        n->is_signed = n->parsed_signed;
        n->unsized = n->parsed_unsized;
        n->word = 0;
    }
    e->literal_used = e->literal_parsed;
}

/* Returns the signal that is compared: its name, now or a cycle ago, or with another sign. */
static const char *signal_of(const struct pc_expr *e, const struct ex_node *n)
{
    while (n->op == EX_PREV || n->op == EX_SIGNED || n->op == EX_UNSIGNED)
        n = &e->node[n->child[0]];
    return n->op == EX_NAME ? e->arena + n->data : NULL;
}

/* Asks for the value of `signal` that is called `word`; one of VHDL's characters has quotes. */
static enum pc_status ask(struct pc_expr *e, const char *signal, const char *word, bool text,
                          size_t *count, bool *is_signed, struct pc_error *err)
{
    uint8_t *bits = e->literal_bits + e->literal_used;
    const char quoted[] = { '\'', word[0], '\'', '\0' };
    const enum pc_status status =
        e->value_of(e->value_ctx, signal, word, bits, EX_MAX_WIDTH, count, is_signed, err);

    if (status != PC_ENOENT || !text)
        return status;
    if (word[1] == '\0' && e->value_of(e->value_ctx, signal, quoted, bits, EX_MAX_WIDTH, count,
                                       is_signed, &(struct pc_error){ 0 }) == PC_OK)
        return PC_OK;
    char *rest = err ? strstr(err->text, ", and no signal") : NULL;
    if (rest)
        *rest = '\0'; /* a text never is one */
    return PC_EINPUT;
}

/* Makes the node a literal of the bits that were put after those of the others. */
static void become_literal(struct pc_expr *e, struct ex_node *n, uint32_t word, size_t count,
                           bool is_signed)
{
    n->parsed_signed = n->is_signed;
    n->parsed_unsized = n->unsized;
    n->parsed = (struct ex_parsed){ n->op, n->child[0], n->data, n->width };
    n->op = EX_LITERAL;
    n->child[0] = EX_NONE;
    n->word = word + 1;
    n->data = (uint32_t)e->literal_used;
    n->width = (uint32_t)count;
    n->is_signed = is_signed;
    n->unsized = false;
    e->literal_used += count;
}

/* Makes the name or text `n` the value of `signal` that is called so.  PC_END: it has no such
 * values. */
static enum pc_status spell(struct pc_expr *e, const char *signal, struct ex_node *n,
                            struct pc_error *err)
{
    const uint32_t word = n->text ? n->text - 1 : n->data;
    size_t count = 0;
    bool is_signed = false;
    enum pc_status status = ex_reserve_bits(e, EX_MAX_WIDTH, err);

    if (status == PC_OK)
        status = ask(e, signal, e->arena + word, n->text > 0, &count, &is_signed, err);
    if (status == PC_OK)
        become_literal(e, n, word, count, is_signed);
    return status;
}

/* A signal and a name or text: what is no value, and no signal either, is the error of `lookup`. */
static enum pc_status spell_pair(struct pc_expr *e, const struct ex_node *a, struct ex_node *b,
                                 const struct ex_names *names, struct pc_error *err)
{
    const char *signal = signal_of(e, a);
    struct pc_error wrong;

    if (!signal || (b->op != EX_NAME && (b->text == 0 || b->word)))
        return PC_END;
    enum pc_status status = spell(e, signal, b, &wrong);
    if (status == PC_OK || status == PC_END)
        return status;
    if (status == PC_ENOENT && ex_look_up(e, b, names, NULL) == PC_OK)
        return PC_END;
    if (err) {
        *err = wrong;
        err->line = 1;
        err->column = b->begin + 1;
    }
    return status;
}

/* --- reals --- */

/* Returns true if the number is below a minus that became a literal. */
static bool is_spelled_below(const struct pc_expr *e, size_t i)
{
    return i + 1 < e->nodes && e->node[i + 1].word && e->node[i + 1].parsed.op == EX_NEG &&
           e->node[i + 1].parsed.child == i;
}

/* Returns the name that is compared. */
static struct ex_node *name_of(const struct pc_expr *e, uint32_t node)
{
    return e->node[node].op == EX_NAME ? &e->node[node] : NULL;
}

/* Puts the bits of a number as the signal has them after the other literals; false: no real. */
static bool ask_number(struct pc_expr *e, const char *signal, const char *number, bool minus,
                       size_t *count)
{
    char word[128] = "=-";
    const size_t length = strlen(number);
    bool is_signed;

    if (length + 2 > sizeof word)
        return false;
    memcpy(word + 1 + minus, number + 1, length); /* with the NUL */
    return e->value_of(e->value_ctx, signal, word, e->literal_bits + e->literal_used, EX_MAX_WIDTH,
                       count, &is_signed, &(struct pc_error){ 0 }) == PC_OK;
}

/* A signal and a number: where the signal is a real, the number becomes one. */
static enum pc_status spell_number(struct pc_expr *e, uint32_t signal, uint32_t number,
                                   struct pc_error *err)
{
    struct ex_node *name = name_of(e, signal), *n = &e->node[number];
    const bool minus = n->op == EX_NEG;
    const struct ex_node *digits = minus ? &e->node[n->child[0]] : n;
    size_t count = 0;
    enum pc_status status = PC_OK;

    if (!name || digits->op != EX_LITERAL || digits->number == 0 || n->word)
        return PC_OK;
    status = ex_reserve_bits(e, EX_MAX_WIDTH, err);
    if (status == PC_OK &&
        ask_number(e, e->arena + name->data, e->arena + digits->number - 1, minus, &count)) {
        become_literal(e, n, digits->number - 1, count, false);
        name->real = true;
    }
    return status;
}

/* Two names: are both reals? */
static enum pc_status find_reals(struct pc_expr *e, const struct ex_node *n, struct pc_error *err)
{
    struct ex_node *a = name_of(e, n->child[0]), *b = name_of(e, n->child[1]);
    size_t count;

    if (!a || !b)
        return PC_OK;
    const enum pc_status status = ex_reserve_bits(e, EX_MAX_WIDTH, err);
    if (status == PC_OK && ask_number(e, e->arena + a->data, "=0", false, &count) &&
        ask_number(e, e->arena + b->data, "=0", false, &count))
        a->real = b->real = true;
    return status;
}

/* Checks that a real is compared with a number, or with another real. */
static enum pc_status check_reals(const struct pc_expr *e, const struct ex_node *n,
                                  struct pc_error *err)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct ex_node *name = name_of(e, n->child[i]), *other = &e->node[n->child[1 - i]];
        const struct ex_node *real = name_of(e, n->child[1 - i]);
        if (name && name->real && !(other->op == EX_LITERAL && other->word) &&
            !(real && real->real))
            return EX_FAIL(err, 309, other->begin, "%s is a real, and this is none",
                           e->arena + name->data);
    }
    return PC_OK;
}

static enum pc_status spell_reals(struct pc_expr *e, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    for (size_t i = 0; e->value_of && i < e->nodes && status == PC_OK; i++) {
        const struct ex_node *n = &e->node[i];
        if (n->op < EX_LT || n->op > EX_NE)
            continue;
        status = spell_number(e, n->child[0], n->child[1], err);
        if (status == PC_OK && n->set == 0)
            status = spell_number(e, n->child[1], n->child[0], err);
        if (status == PC_OK)
            status = find_reals(e, n, err);
    }
    for (size_t i = 0; i < e->nodes && status == PC_OK; i++) {
        const struct ex_node *n = &e->node[i];
        if (n->op >= EX_LT && n->op <= EX_NE)
            status = check_reals(e, n, err);
        if (status == PC_OK && n->op == EX_LITERAL && n->fraction && n->word == 0 &&
            !is_spelled_below(e, i))
            status = EX_FAIL(err, 309, n->begin,
                             "a number with a fraction, and nothing that is a "
                             "real is compared with it");
    }
    return status;
}

enum pc_status ex_spell_values(struct pc_expr *e, const struct ex_names *names,
                               struct pc_error *err)
{
    for (size_t i = 0; e->value_of && i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        if (n->op < EX_LT || n->op > EX_NE)
            continue;
        struct ex_node *a = &e->node[n->child[0]], *b = &e->node[n->child[1]];
        enum pc_status status = spell_pair(e, a, b, names, err);
        if (status == PC_END && n->set == 0)
            status = spell_pair(e, b, a, names, err);
        if (status != PC_OK && status != PC_END)
            return status;
    }
    return spell_reals(e, err);
}
