/* SPDX-License-Identifier: MIT */
/*
 * Operators of rules of described cores beside logic: + and - as wide as their result needs,
 * shifts, {a, b} and x[i] with a computed i.  A value that can be below 0 has its sign in its
 * highest bit, which whoever uses it takes for all above.
 */
#include "lang/expr/expr.h"
#include "lang/expr/tri.h"

#include <string.h>

static uint32_t max(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Returns the bits of a sum of both, without the carry. */
static uint32_t sum_width(const struct ex_node *a, const struct ex_node *b)
{
    const bool negative = a->negative || b->negative;

    return max(a->width + (negative && !a->negative), b->width + (negative && !b->negative));
}

/* Returns the largest number that the node can be, but no more than `most`. */
static uint32_t largest(const struct pc_expr *e, const struct ex_node *n, uint32_t most)
{
    uint64_t value = 0;

    for (uint32_t bit = n->width; bit-- > 0 && value <= most;)
        value = 2 * value + (n->op != EX_LITERAL || e->literal_bits[n->data + bit]);
    return value > most ? most : (uint32_t)value;
}

static enum pc_status cat_width(const struct pc_expr *e, struct ex_node *n, struct pc_error *err)
{
    n->width = 0;
    for (unsigned i = 0; i < 2; i++) {
        const struct ex_node *part = &e->node[n->child[i]];
        char quote[EX_QUOTE_SIZE];
        if (part->unsized)
            return EX_FAIL(err, 302, part->begin,
                           "a number in {} needs a size, as in 4'd5: \"%s\" has none",
                           ex_quote(e, part->begin, part->end, quote));
        n->width += part->width;
    }
    return PC_OK;
}

enum pc_status ex_number_width(const struct pc_expr *e, struct ex_node *n, struct pc_error *err)
{
    const struct ex_node *a = &e->node[n->child[0]];
    const struct ex_node *b = n->child[1] == EX_NONE ? a : &e->node[n->child[1]];
    enum pc_status status = PC_OK;

    switch (n->op) {
    case EX_NEG:
        n->width = a->width + 1;
        n->negative = true;
        break;
    case EX_ADD:
    case EX_SUB:
        n->width = sum_width(a, b) + 1;
        n->negative = a->negative || b->negative || n->op == EX_SUB;
        break;
    case EX_SHL:
        n->width = a->width + largest(e, b, EX_MAX_WIDTH - a->width);
        n->negative = a->negative;
        break;
    case EX_SHR:
        n->width = a->width;
        n->negative = a->negative;
        break;
    case EX_CAT:
        status = cat_width(e, n, err);
        break;
    default: /* EX_INDEX has it from its name */
        break;
    }
    if (status)
        return status;
    if (n->width > EX_MAX_WIDTH)
        return EX_FAIL(err, 304, n->begin, "the result has %u bits; at most %d can be used at once",
                       n->width, EX_MAX_WIDTH);
    n->room = n->width;
    n->is_signed = false;
    n->below_zero = n->fill = n->negative;
    return PC_OK;
}

static struct tri load(struct ex_row r, size_t i)
{
    return (struct tri){ r.v[i], r.u[i] };
}

static void store(struct ex_row r, size_t i, struct tri t)
{
    r.v[i] = t.v;
    r.u[i] = t.u;
}

/* Adds: a + b, or a - b as a + ~b + 1. */
static void add(const struct pc_expr *e, const struct ex_node *n, const struct ex_node *a,
                const struct ex_node *b, bool minus, size_t words)
{
    struct tri carry[EX_WORDS];

    for (size_t i = 0; i < words; i++)
        carry[i] = (struct tri){ minus ? UINT64_MAX : 0, 0 };
    for (uint32_t bit = 0; bit < n->width; bit++) {
        const struct ex_row out = ex_row(e, n, bit), p = ex_row(e, a, bit), q = ex_row(e, b, bit);
        for (size_t i = 0; i < words; i++) {
            const struct tri x = load(p, i), c = carry[i];
            const struct tri y = minus ? not3(load(q, i)) : load(q, i);
            store(out, i, xor3(xor3(x, y), c));
            carry[i] = or3(or3(and3(x, y), and3(x, c)), and3(y, c));
        }
    }
}

static void negate(const struct pc_expr *e, const struct ex_node *n, size_t words)
{
    const struct ex_node zero = { .plane = (uint32_t)(e->planes - 1), .width = 1 };

    add(e, n, &zero, &e->node[n->child[0]], true, words);
}

/* Makes one step of a shift: where `by` holds, bits come from `distance` further down, or up. */
static void shift_step(const struct pc_expr *e, const struct ex_node *n, struct ex_row by,
                       uint32_t distance, bool left, size_t words)
{
    const struct ex_row zero = { ex_plane(e, e->value, e->planes - 1),
                                 ex_plane(e, e->unknown, e->planes - 1) };

    for (uint32_t k = 0; k < n->width; k++) {
        const uint32_t bit = left ? n->width - 1 - k : k;
        const struct ex_row out = ex_row(e, n, bit);
        const struct ex_row from = !left            ? ex_row(e, n, bit + distance)
                                   : bit < distance ? zero
                                                    : ex_row(e, n, bit - distance);
        for (size_t i = 0; i < words; i++)
            store(out, i, mux3(load(by, i), load(from, i), load(out, i)));
    }
}

static void shift(const struct pc_expr *e, const struct ex_node *n, bool left, size_t words)
{
    const struct ex_node *a = &e->node[n->child[0]], *by = &e->node[n->child[1]];

    for (uint32_t bit = 0; bit < n->width; bit++) {
        const struct ex_row out = ex_row(e, n, bit), in = ex_row(e, a, bit);
        memcpy(out.v, in.v, words * sizeof *out.v);
        memcpy(out.u, in.u, words * sizeof *out.u);
    }
    for (uint32_t k = 0; k < by->width; k++)
        if (by->op != EX_LITERAL || e->literal_bits[by->data + k])
            shift_step(e, n, ex_row(e, by, k), k < 31 && n->width >> k ? 1u << k : n->width, left,
                       words);
}

static void concatenate(const struct pc_expr *e, const struct ex_node *n, size_t words)
{
    const struct ex_node *high = &e->node[n->child[0]], *low = &e->node[n->child[1]];

    for (uint32_t bit = 0; bit < n->width; bit++) {
        const struct ex_row out = ex_row(e, n, bit);
        const struct ex_row in =
            bit < low->width ? ex_row(e, low, bit) : ex_row(e, high, bit - low->width);
        memcpy(out.v, in.v, words * sizeof *out.v);
        memcpy(out.u, in.u, words * sizeof *out.u);
    }
}

/* Sets where the index is `number`, in the words. */
static void is_at(const struct pc_expr *e, const struct ex_node *index, uint64_t number,
                  struct tri *out, size_t words)
{
    const uint32_t width = index->width > 32 ? index->width : 32;

    for (size_t i = 0; i < words; i++)
        out[i] = (struct tri){ UINT64_MAX, 0 };
    for (uint32_t bit = 0; bit < width; bit++) {
        const struct ex_row in = ex_row(e, index, bit);
        const bool one = bit < 64 && number >> bit & 1;
        if (bit >= index->width && !one && !index->negative)
            break; /* and all above */
        for (size_t i = 0; i < words; i++)
            out[i] = and3(out[i], one ? load(in, i) : not3(load(in, i)));
    }
}

/* Is the row the same in all words, and known? */
static bool is_constant(struct ex_row r, size_t words, bool *one)
{
    uint64_t differs = r.v[0] ^ (0 - (r.v[0] & 1));

    for (size_t i = 0; i < words; i++)
        differs |= (r.v[i] ^ r.v[0]) | r.u[i];
    *one = r.v[0] & 1;
    return differs == 0;
}

/* An index that stands still, as selectors mostly do; false: it does not. */
static bool is_still(const struct pc_expr *e, const struct ex_node *index, uint64_t *number,
                     size_t words)
{
    bool one;

    *number = 0;
    for (uint32_t bit = 0; bit < index->width; bit++) {
        if (index->negative || bit >= 32 || !is_constant(ex_row(e, index, bit), words, &one))
            return false;
        *number |= (uint64_t)one << bit;
    }
    return true;
}

static void copy_element(const struct pc_expr *e, const struct ex_node *n, uint64_t k, size_t words)
{
    const struct ex_node *name = &e->node[n->child[0]];

    for (uint32_t bit = 0; bit < n->width && k < name->width / n->width; bit++) {
        const struct ex_row out = ex_row(e, n, bit),
                            in = ex_row(e, name, (uint32_t)k * n->width + bit);
        memcpy(out.v, in.v, words * sizeof *out.v);
        memcpy(out.u, in.u, words * sizeof *out.u);
    }
}

/* x[i]: what is out of range is 0. */
static void pick(const struct pc_expr *e, const struct ex_node *n, size_t words)
{
    const struct ex_node *name = &e->node[n->child[0]], *index = &e->node[n->child[1]];
    struct tri here[EX_WORDS];
    uint64_t number;

    for (uint32_t bit = 0; bit < n->width; bit++) {
        const struct ex_row out = ex_row(e, n, bit);
        memset(out.v, 0, words * sizeof *out.v);
        memset(out.u, 0, words * sizeof *out.u);
    }
    if (name->width % n->width == 0 && is_still(e, index, &number, words)) {
        copy_element(e, n, number - (uint64_t)(int64_t)n->low, words);
        return;
    }
    for (uint32_t k = 0; k * n->width < name->width; k++) {
        is_at(e, index, (uint64_t)((int64_t)n->low + k), here, words);
        for (uint32_t bit = 0; bit < n->width; bit++) {
            const struct ex_row out = ex_row(e, n, bit), in = ex_row(e, name, k * n->width + bit);
            for (size_t i = 0; i < words; i++)
                store(out, i, or3(load(out, i), and3(here[i], load(in, i))));
        }
    }
}

bool ex_number_operate(struct pc_expr *e, const struct ex_node *n, size_t words)
{
    const struct ex_node *a = &e->node[n->child[0]];
    const struct ex_node *b = n->child[1] == EX_NONE ? NULL : &e->node[n->child[1]];

    switch (n->op) {
    case EX_NEG:
        negate(e, n, words);
        return true;
    case EX_ADD:
    case EX_SUB:
        add(e, n, a, b, n->op == EX_SUB, words);
        return true;
    case EX_SHL:
    case EX_SHR:
        shift(e, n, n->op == EX_SHL, words);
        return true;
    case EX_CAT:
        concatenate(e, n, words);
        return true;
    case EX_INDEX:
        pick(e, n, words);
        return true;
    default:
        return false;
    }
}
