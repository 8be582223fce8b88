/* SPDX-License-Identifier: MIT */
/* What names are: the wires of a signal, or a value of the enumeration that a signal is of. */
#include "lang/expr/expr.h"

#include <string.h>

enum pc_status ex_look_up(struct pc_expr *e, struct ex_node *n, const struct ex_names *names,
                          struct pc_error *err)
{
    char quote[EX_QUOTE_SIZE];
    void *array = e->wire;
    size_t count = 0;

    if (!pc_grow(&e->alloc, &array, &e->wires_capacity, e->wires + EX_MAX_WIDTH, sizeof *e->wire))
        return pc_fail(err, 100, "out of memory for an expression");
    e->wire = array;
    n->is_signed = false;
    enum pc_status status = names->lookup(names->ctx, e->arena + n->data, e->wire + e->wires,
                                          EX_MAX_WIDTH, &count, &n->is_signed, err);
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
        if (n->word == 0)
            continue;
        n->op = n->text ? EX_LITERAL : EX_NAME;
        n->data = n->text ? n->text_bits : n->word - 1;
        n->width = n->text ? 8 * (uint32_t)strlen(e->arena + n->text - 1) : 0;
        n->word = 0;
        n->is_signed = false;
    }
    e->literal_used = e->literal_parsed;
}

/* The signal that is compared: its name, now or a cycle ago, or with another sign. */
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
    if (status)
        return status;
    n->op = EX_LITERAL;
    n->word = word + 1;
    n->data = (uint32_t)e->literal_used;
    n->width = (uint32_t)count;
    n->is_signed = is_signed;
    n->unsized = false;
    e->literal_used += count;
    return PC_OK;
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
    return PC_OK;
}
