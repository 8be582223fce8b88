/* SPDX-License-Identifier: MIT */
/*
 * Evaluation, 64 cycles a word and some words at a time.  Every bit is a pair: `v` the value with
 * unknown inputs taken as the planes have them, `u` the cycles in which Kleene's logic does not
 * know it.  Where u is 0, v is the value whatever the unknown inputs are; but for $countones,
 * $onehot and $isunknown, to which an unknown bit is no 1, whatever the planes have.
 *
 * Before the first cycle every signal was 0, as the flops of the hardware are at reset
 * (D-20); so prev(!a) is 1 in the first cycle, and rise(!a) equals fall(a) in all.
 */
#include "lang/expr/expr.h"
#include "lang/expr/tri.h"

#include <string.h>

static const struct tri ZERO = { 0, 0 };
static const struct tri ONE = { UINT64_MAX, 0 };

/*
 * Functions of some words of x, of y and of what there was in `out`, which is a row of its own:
 * loops without a branch, as that is where the time goes.
 */
#define FUNCTION(name, result)                                                                     \
    static void name(struct ex_row out, struct ex_row a, struct ex_row b, size_t words)            \
    {                                                                                              \
        uint64_t *restrict v = out.v, *restrict u = out.u;                                         \
                                                                                                   \
        for (size_t i = 0; i < words; i++) {                                                       \
            const struct tri o = { v[i], u[i] }, x = { a.v[i], a.u[i] }, y = { b.v[i], b.u[i] };   \
            const struct tri r = result;                                                           \
            (void)o, (void)x, (void)y;                                                             \
            v[i] = r.v;                                                                            \
            u[i] = r.u;                                                                            \
        }                                                                                          \
    }

FUNCTION(copy, x)
FUNCTION(not_x, not3(x))
FUNCTION(and_xy, and3(x, y))
FUNCTION(or_xy, or3(x, y))
FUNCTION(xor_xy, xor3(x, y))
FUNCTION(and_too, and3(o, x))
FUNCTION(or_too, or3(o, x))
FUNCTION(xor_too, xor3(o, x))
FUNCTION(equal_too, and3(o, not3(xor3(x, y))))
/*
 * x < y: from the lowest bit up, less = majority(!x, y, less).  Each input has one
 * polarity in it, so Kleene's logic loses nothing.
 */
FUNCTION(less_too, or3(and3(not3(x), y), and3(or3(not3(x), y), o)))
FUNCTION(rises, and3(x, not3(o)))
FUNCTION(falls, and3(not3(x), o))
FUNCTION(select, mux3(o, x, y))

static void invert(struct ex_row out, size_t words)
{
    for (size_t i = 0; i < words; i++)
        out.v[i] = ~out.v[i];
}

static void fill(struct ex_row out, struct tri value, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        out.v[i] = value.v;
        out.u[i] = value.u;
    }
}

/* Computes the operand's bit one cycle earlier; keeps its last cycle for the next words. */
static void delayed(struct pc_expr *e, const struct ex_node *n, uint32_t bit, struct ex_part part)
{
    const struct ex_row a = ex_row(e, &e->node[n->child[0]], bit), out = ex_row(e, n, bit);
    uint8_t *h = &e->history[n->history + bit];
    uint64_t v = *h & 1, u = *h >> 1 & 1;

    *h = (uint8_t)((*h & 12) | (a.v[part.words - 1] >> part.last & 1) |
                   (a.u[part.words - 1] >> part.last & 1) << 1);
    for (size_t i = 0; i < part.words; i++) {
        const uint64_t again = part.restart ? part.restart[i] : 0;
        out.v[i] = ((a.v[i] << 1 | v) & ~again) | (*h & 4 ? again : 0);
        out.u[i] = ((a.u[i] << 1 | u) & ~again) | (*h & 8 ? again : 0);
        v = a.v[i] >> 63;
        u = a.u[i] >> 63;
    }
}

typedef void function_fn(struct ex_row out, struct ex_row a, struct ex_row b, size_t words);

/* Unknown bits are no ones (IEEE 1800-2017, 20.9): what is counted is known; not so in rules. */
static void count_ones(const struct pc_expr *e, const struct ex_node *n, size_t words)
{
    const struct ex_node *a = &e->node[n->child[0]];

    for (uint32_t k = 0; k < n->width; k++)
        fill(ex_row(e, n, k), ZERO, words);
    for (uint32_t bit = 0; bit < a->width; bit++) {
        const struct ex_row x = ex_row(e, a, bit);
        for (size_t i = 0; i < words; i++) {
            uint64_t carry = x.v[i] & ~x.u[i];
            for (uint32_t k = 0; e->numbers && x.u[i] && k < n->width; k++)
                ex_row(e, n, k).u[i] |= x.u[i];
            for (uint32_t k = 0; carry && k < n->width; k++) {
                uint64_t *const sum = ex_row(e, n, k).v + i;
                const uint64_t next = *sum & carry;
                *sum ^= carry;
                carry = next;
            }
        }
    }
}

/* The bits together: $onehot, $onehot0, $isunknown. */
static void look_at_all(const struct pc_expr *e, const struct ex_node *n, struct ex_row out,
                        size_t words)
{
    const struct ex_node *a = &e->node[n->child[0]];

    for (size_t i = 0; i < words; i++) {
        uint64_t one = 0, more = 0, unknown = 0;
        for (uint32_t bit = 0; bit < a->width; bit++) {
            const struct ex_row x = ex_row(e, a, bit);
            const uint64_t v = x.v[i] & ~x.u[i];
            more |= one & v;
            one |= v;
            unknown |= x.u[i];
        }
        out.v[i] = n->op == EX_ISUNKNOWN ? unknown : n->op == EX_ONEHOT ? one & ~more : ~more;
        out.u[i] = 0;
    }
}

static void any(const struct pc_expr *e, const struct ex_node *a, struct ex_row out, size_t words)
{
    fill(out, ZERO, words);
    for (uint32_t i = 0; i < a->width; i++)
        or_too(out, ex_row(e, a, i), ex_row(e, a, i), words);
}

/* ! && || of vectors, which are true where they are not 0; the row before the last is for that. */
static void logic(const struct pc_expr *e, const struct ex_node *n, struct ex_row out, size_t words)
{
    const struct ex_row other = { ex_plane(e, e->value, e->planes - 2),
                                  ex_plane(e, e->unknown, e->planes - 2) };

    any(e, &e->node[n->child[0]], out, words);
    if (n->op == EX_LNOT) {
        invert(out, words);
        return;
    }
    any(e, &e->node[n->child[1]], other, words);
    if (n->op == EX_LAND)
        and_too(out, other, other, words);
    else
        or_too(out, other, other, words);
}

static bool has_vector(const struct pc_expr *e, const struct ex_node *n)
{
    return e->node[n->child[0]].width > 1 ||
           (n->child[1] != EX_NONE && e->node[n->child[1]].width > 1);
}

static void reduce(const struct pc_expr *e, const struct ex_node *n, struct ex_row out,
                   size_t words)
{
    const struct ex_node *a = &e->node[n->child[0]];

    fill(out, n->op == EX_RED_AND ? ONE : ZERO, words);
    function_fn *const function = n->op == EX_RED_AND  ? and_too
                                  : n->op == EX_RED_OR ? or_too
                                                       : xor_too;
    for (uint32_t i = 0; i < a->width; i++)
        function(out, ex_row(e, a, i), ex_row(e, a, i), words);
}

/* x < y by their signs: bits that have to be looked at, the last of them the sign. */
static uint32_t signed_width(const struct ex_node *a, const struct ex_node *b)
{
    const uint32_t x = a->width + a->unsized, y = b->width + b->unsized;

    return x > y ? x : y;
}

static void compare(const struct pc_expr *e, const struct ex_node *n, struct ex_row out,
                    size_t words)
{
    const bool equality = n->op == EX_EQ || n->op == EX_NE;
    const bool swapped = n->op == EX_GT || n->op == EX_LE;
    const struct ex_node *a = &e->node[n->child[swapped]], *b = &e->node[n->child[!swapped]];
    const bool by_sign = (a->is_signed && b->is_signed && !n->plain) || a->negative || b->negative;
    uint32_t width = a->width > b->width ? a->width : b->width;

    if (by_sign)
        width = a->negative || b->negative ? width + 1 : signed_width(a, b);
    fill(out, equality ? ONE : ZERO, words);
    for (uint32_t i = 0; i < width; i++) {
        const struct ex_row x = ex_row(e, a, i), y = ex_row(e, b, i);
        if (equality)
            equal_too(out, x, y, words);
        else if (by_sign && i + 1 == width) /* a sign of 1 is less than one of 0 */
            less_too(out, y, x, words);
        else
            less_too(out, x, y, words);
    }
    if (n->op == EX_NE || n->op == EX_LE || n->op == EX_GE)
        invert(out, words);
}

/* -x is every bit of x inverted from after the lowest 1 on: the row before the last holds "there
 * was a 1". */
static void negate(const struct pc_expr *e, const struct ex_node *n, size_t words)
{
    const struct ex_row one = { ex_plane(e, e->value, e->planes - 2),
                                ex_plane(e, e->unknown, e->planes - 2) };

    fill(one, ZERO, words);
    for (uint32_t bit = 0; bit < n->width; bit++) {
        const struct ex_row x = ex_row(e, &e->node[n->child[0]], bit);
        xor_xy(ex_row(e, n, bit), x, one, words);
        or_too(one, x, x, words);
    }
}

/* Computes a bit of operators that work bit by bit. */
static void one_bit(const struct pc_expr *e, const struct ex_node *n, uint32_t bit, size_t words)
{
    const struct ex_row out = ex_row(e, n, bit), a = ex_row(e, &e->node[n->child[0]], bit);
    const struct ex_row b = n->child[1] == EX_NONE ? a : ex_row(e, &e->node[n->child[1]], bit);

    switch (n->op) {
    case EX_NOT:
    case EX_LNOT:
        not_x(out, a, a, words);
        return;
    case EX_SIGNED:
    case EX_UNSIGNED:
        copy(out, a, a, words);
        return;
    case EX_AND:
    case EX_LAND:
        and_xy(out, a, b, words);
        return;
    case EX_OR:
    case EX_LOR:
        or_xy(out, a, b, words);
        return;
    case EX_XOR:
        xor_xy(out, a, b, words);
        return;
    default: /* EX_MUX */
        copy(out, ex_row(e, &e->node[n->child[0]], 0), a, words);
        select(out, b, ex_row(e, &e->node[n->child[2]], bit), words);
    }
}

static void delays(struct pc_expr *e, const struct ex_node *n, struct ex_part part)
{
    const struct ex_row out = ex_row(e, n, 0), a = ex_row(e, &e->node[n->child[0]], 0);

    for (uint32_t bit = 0; bit < n->width; bit++)
        delayed(e, n, bit, part);
    if (n->op == EX_RISE)
        rises(out, a, a, part.words);
    else if (n->op == EX_FALL)
        falls(out, a, a, part.words);
    else if (n->op == EX_EDGE)
        xor_too(out, a, a, part.words);
}

static void operate(struct pc_expr *e, const struct ex_node *n, struct ex_part part)
{
    if (ex_delaying(n->op))
        delays(e, n, part);
    else if (n->op >= EX_LT && n->op <= EX_NE)
        compare(e, n, ex_row(e, n, 0), part.words);
    else if (n->op >= EX_RED_AND && n->op <= EX_RED_XOR)
        reduce(e, n, ex_row(e, n, 0), part.words);
    else if (n->op == EX_COUNTONES)
        count_ones(e, n, part.words);
    else if (ex_reducing(n->op))
        look_at_all(e, n, ex_row(e, n, 0), part.words);
    else if (ex_logical(n->op) && has_vector(e, n))
        logic(e, n, ex_row(e, n, 0), part.words);
    else if (n->op == EX_NEG && !e->numbers)
        negate(e, n, part.words);
    else if (!ex_number_operate(e, n, part.words))
        for (uint32_t bit = 0; bit < n->width; bit++)
            one_bit(e, n, bit, part.words);
}

void ex_operate(struct pc_expr *e, struct ex_part part)
{
    for (size_t i = 0; i < e->nodes; i++)
        if (e->node[i].op != EX_NAME && e->node[i].op != EX_LITERAL)
            operate(e, &e->node[i], part);
}

/* Fills in the names, from word `first` of the planes on; of one word, from cycle `shift` on. */
static void load(struct pc_expr *e, const uint64_t *const *value, const uint64_t *const *unknown,
                 size_t first, size_t words, unsigned shift)
{
    for (size_t i = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        for (uint32_t b = 0; n->op == EX_NAME && b < n->width; b++) {
            const uint32_t wire = e->wire[n->first_wire + b];
            const struct ex_row r = ex_row(e, n, b);
            if (!value || !unknown)
                fill(r, ZERO, words);
            if (value)
                memcpy(r.v, value[wire] + first, words * sizeof *r.v);
            if (unknown)
                memcpy(r.u, unknown[wire] + first, words * sizeof *r.u);
            r.v[0] >>= shift;
            r.u[0] >>= shift;
        }
    }
}

/*
 * With every signal 0 for ever, each delay holds what its operand is.  Operands stand
 * before their delays, so one pass settles them; a delay's own result needs the history
 * that the pass just found, hence each twice.
 */
void ex_settle(struct pc_expr *e)
{
    const struct ex_part first = { 1, 0, NULL };

    load(e, NULL, NULL, 0, 1, 0);
    for (size_t i = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        if (ex_delaying(n->op))
            operate(e, n, first);
        if (n->op != EX_NAME && n->op != EX_LITERAL)
            operate(e, n, first);
    }
    for (size_t i = 0; i < e->histories; i++)
        e->history[i] = (uint8_t)((e->history[i] & 3) | (e->history[i] & 3) << 2);
}

void ex_take_scratch(struct pc_expr *e)
{
    e->value = e->scratch->value;
    e->unknown = e->scratch->unknown;
    for (size_t i = 0; i < e->nodes; i++) {
        const struct ex_node *n = &e->node[i];
        for (uint32_t b = 0; n->op == EX_LITERAL && b < n->width; b++) {
            e->value[n->plane + b] = e->literal_bits[n->data + b] ? UINT64_MAX : 0;
            e->unknown[n->plane + b] = 0;
        }
    }
    e->value[e->planes - 1] = e->unknown[e->planes - 1] = 0;
}

void ex_evaluate(struct pc_expr *e, const uint64_t *const *value, const uint64_t *const *unknown,
                 size_t first, unsigned shift, struct ex_part part)
{
    if (e->scratch)
        ex_take_scratch(e);
    load(e, value, unknown, first, part.words, shift);
    ex_operate(e, part);
}

void pc_expr_restart(struct pc_expr *e)
{
    if (e->resolved)
        ex_settle(e);
}

uint32_t pc_expr_signal(const struct pc_expr *e)
{
    const bool is_signal = e && e->resolved && e->nodes == 1 && e->node[0].op == EX_NAME;

    return is_signal ? e->wire[e->node[0].first_wire] : PC_NO_WIRE;
}

bool pc_expr_looks_back(const struct pc_expr *e)
{
    for (size_t i = 0; e && i < e->nodes; i++)
        if (ex_delaying(e->node[i].op))
            return true;
    return false;
}

/* An expression that is one signal: its planes as they are. */
static void copy_signal(uint32_t wire, const uint64_t *const *value, const uint64_t *const *unknown,
                        size_t words, uint32_t cycles, uint64_t *out, uint64_t *tainted)
{
    const size_t whole = cycles / 64 < words ? cycles / 64 : words, rest = words - whole;
    const uint64_t last = (UINT64_C(1) << cycles % 64) - 1;

    memcpy(out, value[wire], whole * sizeof *out);
    memset(out + whole, 0, rest * sizeof *out);
    if (tainted) {
        memset(tainted, 0, words * sizeof *tainted);
        if (unknown)
            memcpy(tainted, unknown[wire], whole * sizeof *tainted);
    }
    if (rest == 0 || last == 0)
        return;
    out[whole] = value[wire][whole] & last;
    if (tainted && unknown)
        tainted[whole] = unknown[wire][whole] & last;
}

/* Stores words from `first` on; what is after `cycles` is 0. */
static void store(const struct pc_expr *e, struct ex_part part, size_t first, uint64_t *out,
                  uint64_t *tainted)
{
    const struct ex_row root = ex_row(e, &e->node[e->nodes - 1], 0);
    const size_t end = first + part.words - 1;
    const uint64_t mask = UINT64_MAX >> (63 - part.last);

    memcpy(out + first, root.v, part.words * sizeof *out);
    out[end] &= mask;
    if (!tainted)
        return;
    memcpy(tainted + first, root.u, part.words * sizeof *tainted);
    tainted[end] &= mask;
}

void pc_expr_eval(struct pc_expr *e, const uint64_t *const *value, const uint64_t *const *unknown,
                  size_t words, uint32_t cycles, uint64_t *out, uint64_t *tainted)
{
    const size_t most = ((size_t)cycles + 63) / 64;
    const size_t used = !e->resolved ? 0 : most < words ? most : words;

    const uint32_t wire = pc_expr_signal(e);

    if (value && wire != PC_NO_WIRE) {
        copy_signal(wire, value, unknown, words, cycles, out, tainted);
        return;
    }
    for (size_t w = 0; w < used; w += e->words) {
        struct ex_part part = { used - w < e->words ? used - w : e->words, 63, NULL };
        if (w + part.words == most)
            part.last = (cycles - 1) % 64;
        load(e, value, unknown, w, part.words, 0);
        ex_operate(e, part);
        store(e, part, w, out, tainted);
    }
    memset(out + used, 0, (words - used) * sizeof *out);
    if (tainted)
        memset(tainted + used, 0, (words - used) * sizeof *tainted);
}
