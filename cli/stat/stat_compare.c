/* SPDX-License-Identifier: MIT */
/*
 * Comparisons of vectors as wires: the reader compares the words of values when one changes, which
 * is much less than a plane of each bit.  What it has no such way for is compared bit by bit.
 */
#include "stat.h"

#include <stdlib.h>

/* Bits of a vector for which this is worth it. */
enum { LEAST = 9 };

/* A whole vector, unsigned. */
static bool find_vector(const struct pc_wave *wave, const char *name, size_t *var, uint32_t *width)
{
    struct pc_wave_bit bit = { .var = 0 };
    struct pc_wave_var v;
    size_t count;

    if (pc_wave_find_bits(wave, name, &bit, 1, &count, NULL) != PC_OK ||
        pc_wave_get_var(wave, bit.var, &v) != PC_OK)
        return false;
    *var = bit.var;
    *width = v.width;
    return v.kind == PC_VAR_BITS && v.width >= LEAST && bit.bit == 0 && count == v.width &&
           !pc_wave_is_signed(wave, name);
}

/*
 * The number as wide as the vector, a byte a bit; NULL: it is wider, or no value of the vector is
 * less, which is said of the expression (stat_signals.c), or memory runs out.
 */
static uint8_t *widen(const struct pc_expr_whole *c, uint32_t width)
{
    uint8_t *number = calloc(width, 1);
    uint32_t ones = 0;

    for (uint32_t i = 0; number && i < width; i++) {
        number[i] = c->ones || (i < c->digits && c->number[i]);
        ones += number[i];
    }
    const bool decided = c->less && (ones == 0 || ones == width);
    if (c->digits <= width && !decided)
        return number;
    free(number);
    return NULL;
}

static bool give(void *ctx, const struct pc_expr_whole *c, uint32_t *wire)
{
    struct stat_wires *w = ctx;
    struct pc_wave_comparison is = { .less = c->less,
                                     .negated = c->negated,
                                     .swapped = c->swapped };
    struct pc_wave_bit bit;
    uint8_t *number = NULL;
    uint32_t left, right;

    if (!find_vector(w->wave, c->left, &is.left, &left))
        return false;
    if (c->right && (!find_vector(w->wave, c->right, &is.right, &right) || left != right))
        return false;
    if (!c->right && (number = widen(c, left)) == NULL)
        return false;
    is.number = number;
    const bool ok =
        pc_wave_compare(w->wave, &is, &bit, NULL) == PC_OK && stat_add_wire(w, bit, wire);
    free(number);
    w->given += ok;
    return ok;
}

enum pc_status stat_resolve(struct pc_expr *e, pc_expr_lookup_fn *lookup, void *ctx,
                            struct stat_wires *wires, struct pc_error *err)
{
    pc_expr_values(e, pc_wave_find_value, wires->wave);
    pc_expr_offer(e, wires->compares ? give : NULL, wires);
    return pc_expr_resolve(e, lookup, ctx, err);
}
