/* SPDX-License-Identifier: MIT */
#include "tree.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned first, width;
    bool is_signed;
} names[] = { { "a", 0, 1, false },  { "b", 1, 1, false }, { "c", 2, 1, false },
              { "d", 3, 1, false },  { "e", 4, 1, false }, { "v", 5, 8, false },
              { "w", 13, 4, false }, { "k", 17, 5, true }, { "j", 22, 2, true } };

uint32_t tree_wire_number(unsigned wire)
{
    return (wire * 5 + 3) % TREE_WIRES;
}

enum pc_status tree_lookup(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                           size_t *count, bool *is_signed, struct pc_error *err)
{
    (void)ctx;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsigned hi = names[i].width - 1, lo = 0;
        size_t n = strlen(names[i].name);
        if (strncmp(name, names[i].name, n) != 0 || (name[n] != '\0' && name[n] != '['))
            continue;
        if (name[n] == '[' && sscanf(name + n, "[%u:%u]", &hi, &lo) == 1)
            lo = hi;
        for (unsigned b = lo; b <= hi; b++)
            if (b - lo < capacity)
                wires[b - lo] = tree_wire_number(names[i].first + b);
        *count = hi - lo + 1;
        *is_signed = names[i].is_signed && name[n] == '\0';
        return PC_OK;
    }
    if (err) {
        memset(err, 0, sizeof *err);
        err->status = PC_ENOENT;
        snprintf(err->text, sizeof err->text, "no %s", name);
    }
    return PC_ENOENT;
}

/* --- random trees --- */

struct maker {
    struct test_rng *rng;
    struct tree *pool;
    size_t used, size;
    bool scalars;
};

static struct tree *take(struct maker *m, enum tree_op op)
{
    struct tree *t = &m->pool[m->used++];

    memset(t, 0, sizeof *t);
    t->op = op;
    return t;
}

static struct tree *make(struct maker *m, unsigned depth, bool vector);

static struct tree *leaf(struct maker *m, bool vector)
{
    struct tree *t;
    unsigned pick = test_rand_below(m->rng, 10);

    if (pick == 0) {
        t = take(m, T_NUMBER);
        t->number = test_rand_below(m->rng, vector ? 300 : 2);
        t->form = test_rand_below(m->rng, vector ? FORMS : FORMS - 1);
        if (t->form == SIZED) {
            t->number &= 0x3f;
            t->width = 6 + test_rand_below(m->rng, 3);
        }
        return t;
    }
    t = take(m, T_NAME);
    if (vector && pick < 8) {
        unsigned which = 5 + test_rand_below(m->rng, 4);
        unsigned lo = test_rand_below(m->rng, names[which].width);
        t->first = names[which].first + lo;
        t->width = 1 + test_rand_below(m->rng, names[which].width - lo);
        if (names[which].is_signed && pick < 6) {
            t->first = names[which].first;
            t->width = names[which].width;
            t->is_signed = true;
        }
    } else {
        t->first = test_rand_below(m->rng, m->scalars || pick > 3 ? 5 : TREE_WIRES);
        t->width = 1;
    }
    return t;
}

static struct tree *make_vector(struct maker *m, unsigned depth)
{
    static const enum tree_op ops[] = { T_NOT,  T_NEG,    T_AND,      T_OR, T_XOR,
                                        T_PREV, T_SIGNED, T_UNSIGNED, T_MUX };
    struct tree *t = take(m, ops[test_rand_below(m->rng, 9)]);

    if (t->op == T_MUX) {
        t->kid[0] = make(m, depth - 1, false);
        t->kid[1] = make(m, depth - 1, true);
        t->kid[2] = make(m, depth - 1, true);
    } else {
        t->kid[0] = make(m, depth - 1, true);
        if (t->op >= T_LT)
            t->kid[1] = make(m, depth - 1, true);
    }
    return t;
}

static struct tree *make(struct maker *m, unsigned depth, bool vector)
{
    if (depth == 0 || m->used + 4 * depth >= m->size || test_rand_below(m->rng, 8) == 0)
        return leaf(m, vector);
    if (vector)
        return make_vector(m, depth);

    enum tree_op op;
    do
        op = (enum tree_op)(T_NOT + test_rand_below(m->rng, T_MUX - T_NOT + 1));
    while ((m->scalars && ((op >= T_LT && op <= T_GE) || op == T_ISUNKNOWN)) || op == T_NEG ||
           op == T_SIGNED || op == T_UNSIGNED);
    struct tree *t = take(m, op);
    bool wide = !m->scalars && ((op >= T_LNOT && op <= T_ISUNKNOWN) || (op >= T_LT && op <= T_NE) ||
                                op == T_LAND || op == T_LOR);
    t->kid[0] = make(m, depth - 1, wide);
    if (op >= T_LT)
        t->kid[1] = make(m, depth - 1, wide);
    if (op == T_MUX)
        t->kid[2] = make(m, depth - 1, false);
    return t;
}

struct tree *tree_random(struct test_rng *rng, struct tree *pool, size_t size, unsigned depth,
                         bool scalars)
{
    struct maker m = { .rng = rng, .pool = pool, .size = size, .scalars = scalars };

    return make(&m, depth, false);
}

/* --- text --- */

/* IEEE 1364-2005, table 5-4; unary binds most. */
static int level(enum tree_op op)
{
    switch (op) {
    case T_MUX:
        return 0;
    case T_LOR:
        return 1;
    case T_LAND:
        return 2;
    case T_OR:
        return 3;
    case T_XOR:
        return 4;
    case T_AND:
        return 5;
    case T_EQ:
    case T_NE:
        return 6;
    case T_LT:
    case T_LE:
    case T_GT:
    case T_GE:
        return 7;
    case T_NOT:
    case T_NEG:
    case T_LNOT:
    case T_RED_AND:
    case T_RED_OR:
    case T_RED_XOR:
        return 8;
    default:
        return 9;
    }
}

struct printer {
    struct test_rng *rng;
    char *out;
    size_t used;
};

static void add(struct printer *p, const char *text)
{
    size_t n = strlen(text);

    assert_true(p->used + n + 2 < TREE_TEXT);
    memcpy(p->out + p->used, text, n + 1);
    p->used += n;
    if (test_rand_below(p->rng, 4) == 0)
        strcpy(p->out + p->used++, " ");
}

static void print_name(struct printer *p, const struct tree *t)
{
    char text[32];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (t->first < names[i].first || t->first >= names[i].first + names[i].width)
            continue;
        unsigned lo = t->first - names[i].first, hi = lo + t->width - 1;
        if (t->width == names[i].width && t->is_signed == names[i].is_signed)
            snprintf(text, sizeof text, "%s", names[i].name);
        else if (t->width == 1)
            snprintf(text, sizeof text, "%s[%u]", names[i].name, lo);
        else
            snprintf(text, sizeof text, "%s[%u:%u]", names[i].name, hi, lo);
        add(p, text);
    }
}

static void print(struct printer *p, const struct tree *t, int least)
{
    static const char *const infix[] = {
        [T_LT] = "<",  [T_LE] = "<=", [T_GT] = ">", [T_GE] = ">=",   [T_EQ] = "==", [T_NE] = "!=",
        [T_AND] = "&", [T_XOR] = "^", [T_OR] = "|", [T_LAND] = "&&", [T_LOR] = "||"
    };
    static const char *const prefix[] = { [T_NOT] = "~",
                                          [T_NEG] = "-",
                                          [T_LNOT] = "!",
                                          [T_RED_AND] = "&",
                                          [T_RED_OR] = "|",
                                          [T_RED_XOR] = "^",
                                          [T_PREV] = "prev(",
                                          [T_RISE] = "rise(",
                                          [T_ONEHOT] = "$onehot(",
                                          [T_ONEHOT0] = "$onehot0(",
                                          [T_ISUNKNOWN] = "$isunknown(",
                                          [T_FALL] = "fall(",
                                          [T_EDGE] = "edge(",
                                          [T_SIGNED] = "$signed(",
                                          [T_UNSIGNED] = "$unsigned(" };
    int own = level(t->op);
    bool brackets = own < least || test_rand_below(p->rng, 10) == 0;
    char text[32];

    if (brackets)
        add(p, "(");
    if (t->op == T_NAME) {
        print_name(p, t);
    } else if (t->op == T_NUMBER) {
        static const char *const forms[FORMS] = { "%u", "0x%x", "'h%X", "'o%o", "'sh%x", "6'sd%u" };
        snprintf(text, sizeof text, forms[t->form], t->number);
        if (t->form == SIZED)
            text[0] = (char)('0' + t->width);
        add(p, text);
    } else if (t->op == T_MUX) {
        print(p, t->kid[0], 1);
        add(p, "?");
        print(p, t->kid[1], 0);
        add(p, ":");
        print(p, t->kid[2], 0);
    } else if (t->op < T_LT) {
        add(p, prefix[t->op]);
        /* "& &a" must not become "&&a". */
        if (t->op <= T_RED_XOR)
            strcpy(p->out + p->used++, " ");
        print(p, t->kid[0], t->op <= T_RED_XOR ? 8 : 0);
        if (t->op > T_RED_XOR)
            add(p, ")");
    } else {
        print(p, t->kid[0], own);
        add(p, infix[t->op]);
        strcpy(p->out + p->used++, " ");
        print(p, t->kid[1], own + 1);
    }
    if (brackets)
        add(p, ")");
}

void tree_print(const struct tree *t, struct test_rng *rng, char out[TREE_TEXT])
{
    struct printer p = { rng, out, 0 };

    out[0] = '\0';
    print(&p, t, 0);
}

/* --- evaluation --- */

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static bool is_number_op(enum tree_op op)
{
    return op == T_NOT || op == T_NEG || op == T_AND || op == T_OR || op == T_XOR || op == T_MUX;
}

static bool is_typed_op(enum tree_op op)
{
    return op == T_PREV || op == T_SIGNED || op == T_UNSIGNED;
}

static const struct tree *first_of(const struct tree *t)
{
    return t->kid[t->op == T_MUX];
}

static const struct tree *last_of(const struct tree *t)
{
    return t->kid[2] ? t->kid[2] : t->kid[1] ? t->kid[1] : t->kid[0];
}

/* IEEE 1800: signed if all of the operands are. */
static bool is_signed(const struct tree *t)
{
    if (t->op == T_NAME)
        return t->is_signed;
    if (t->op == T_NUMBER)
        return t->form == PLAIN || t->form >= SIGNED_BASE;
    if (is_number_op(t->op))
        return is_signed(first_of(t)) && is_signed(last_of(t));
    return t->op == T_SIGNED || (t->op == T_PREV && is_signed(t->kid[0]));
}

static unsigned bits_of(unsigned number)
{
    unsigned n = 1;

    while (number >> n)
        n++;
    return n;
}

/* Bits as IEEE 1800 has them. */
static unsigned law_width(const struct tree *t);

/* Bits, a number without a size being as narrow as it can. */
static unsigned self_width(const struct tree *t)
{
    if (t->op == T_NAME)
        return t->width;
    if (t->op == T_NUMBER)
        return t->width ? t->width : bits_of(t->number);
    if (t->op == T_NEG)
        return law_width(t->kid[0]);
    if (is_number_op(t->op))
        return larger(self_width(first_of(t)), self_width(last_of(t)));
    if (is_typed_op(t->op))
        return self_width(t->kid[0]) > 1 ? law_width(t) : 1;
    return 1;
}

static unsigned law_width(const struct tree *t)
{
    if (t->op == T_NUMBER && !t->width)
        return 32;
    if (is_number_op(t->op))
        return larger(law_width(first_of(t)), law_width(last_of(t)));
    if (t->op == T_PREV && !is_signed(t))
        return self_width(t->kid[0]);
    return is_typed_op(t->op) ? law_width(t->kid[0]) : self_width(t);
}

/* Makes an operand of an operator that takes numbers. */
static unsigned number_width(const struct tree *t)
{
    return is_typed_op(t->op) ? law_width(t) : self_width(t);
}

static unsigned and3(unsigned a, unsigned b)
{
    return a == 0 || b == 0 ? 0 : a == 2 || b == 2 ? 2 : 1;
}

static unsigned not3(unsigned a)
{
    return a == 2 ? 2 : !a;
}

static unsigned or3(unsigned a, unsigned b)
{
    return not3(and3(not3(a), not3(b)));
}

static unsigned xor3(unsigned a, unsigned b)
{
    return a == 2 || b == 2 ? 2 : a != b;
}

/* Bit i of t as part of something signed or not. */
static unsigned bit(const struct tree *t, unsigned i, bool sign, const struct tree_input *in,
                    int cycle);

/* How many bits of a side are bits of their own, and not above the number. */
static unsigned compared_width(const struct tree *t, bool sign, unsigned width)
{
    if (is_number_op(t->op))
        return width;
    return number_width(t) + (sign && t->op == T_NUMBER && !t->width);
}

/* Comparison by trying both values of every unknown bit is too slow; by bounds it is exact. */
static unsigned compare(const struct tree *t, const struct tree_input *in, int cycle)
{
    const struct tree *x = t->kid[0], *y = t->kid[1];
    bool sign = is_signed(x) && is_signed(y), differ = false, unknown = false;
    unsigned width =
        sign ? larger(law_width(x), law_width(y)) : larger(number_width(x), number_width(y));
    uint64_t amin = 0, amax = 0, bmin = 0, bmax = 0;

    width = larger(compared_width(x, sign, width), compared_width(y, sign, width));
    for (unsigned i = 0; i < width; i++) {
        unsigned a = bit(x, i, sign, in, cycle), b = bit(y, i, sign, in, cycle);
        differ |= a != 2 && b != 2 && a != b;
        unknown |= a == 2 || b == 2;
        if (sign && i + 1 == width) { /* from -128 .. 127 to 0 .. 255 */
            a = not3(a);
            b = not3(b);
        }
        amin |= (uint64_t)(a == 1) << i;
        amax |= (uint64_t)(a != 0) << i;
        bmin |= (uint64_t)(b == 1) << i;
        bmax |= (uint64_t)(b != 0) << i;
    }
    switch (t->op) {
    case T_EQ:
        return differ ? 0 : unknown ? 2 : 1;
    case T_NE:
        return differ ? 1 : unknown ? 2 : 0;
    case T_LT:
        return amax < bmin ? 1 : amin >= bmax ? 0 : 2;
    case T_GE:
        return amax < bmin ? 0 : amin >= bmax ? 1 : 2;
    case T_GT:
        return amin > bmax ? 1 : amax <= bmin ? 0 : 2;
    default:
        return amin > bmax ? 0 : amax <= bmin ? 1 : 2;
    }
}

static unsigned reduce(const struct tree *t, const struct tree_input *in, int cycle)
{
    const struct tree *kid = t->kid[0];
    unsigned out = t->op == T_RED_AND, width = number_width(kid);

    if (is_signed(kid) && is_number_op(kid->op))
        width = larger(width, law_width(kid));
    for (unsigned i = 0; i < width; i++) {
        unsigned x = bit(kid, i, is_signed(kid), in, cycle);
        out = t->op == T_RED_AND ? and3(out, x) : t->op == T_RED_OR ? or3(out, x) : xor3(out, x);
    }
    return out;
}

/* A bit that is 2 is unknown, and no one. */
static unsigned look_at_all(const struct tree *t, const struct tree_input *in, int cycle)
{
    const struct tree *kid = t->kid[0];
    unsigned ones = 0, unknown = 0, width = number_width(kid);

    if (is_signed(kid) && is_number_op(kid->op))
        width = larger(width, law_width(kid));
    for (unsigned i = 0; i < width; i++) {
        const unsigned x = bit(kid, i, is_signed(kid), in, cycle);
        ones += x == 1;
        unknown += x == 2;
    }
    return t->op == T_ISUNKNOWN ? unknown > 0 : t->op == T_ONEHOT ? ones == 1 : ones < 2;
}

/* Returns whether a vector is not 0. */
static unsigned is_true(const struct tree *t, const struct tree_input *in, int cycle)
{
    const struct tree any = { .op = T_RED_OR, .kid = { (struct tree *)(uintptr_t)t } };

    return reduce(&any, in, cycle);
}

static unsigned two_cycles(const struct tree *t, const struct tree_input *in, int cycle)
{
    unsigned now = bit(t->kid[0], 0, false, in, cycle);
    unsigned before = bit(t->kid[0], 0, false, in, cycle - 1);

    if (t->op == T_RISE)
        return and3(now, not3(before));
    if (t->op == T_FALL)
        return and3(not3(now), before);
    return xor3(now, before);
}

static unsigned choose(unsigned c, unsigned x, unsigned y)
{
    if (c != 2)
        return c ? x : y;
    return x == y ? x : 2;
}

/* ~x + 1 */
static unsigned negated(const struct tree *x, unsigned i, bool sign, const struct tree_input *in,
                        int cycle)
{
    unsigned carry = 1;

    for (unsigned n = 0; n < i; n++)
        carry = and3(carry, not3(bit(x, n, sign, in, cycle)));
    return xor3(not3(bit(x, i, sign, in, cycle)), carry);
}

static unsigned leaf_bit(const struct tree *t, unsigned i, bool sign, const struct tree_input *in,
                         int cycle)
{
    if (t->width && i >= t->width) {
        if (!sign)
            return 0;
        i = t->width - 1;
    }
    if (t->op == T_NUMBER)
        return i < 32 ? t->number >> i & 1 : 0;
    return cycle >= 0 ? in->bit[cycle][t->first + i] : 0;
}

/* What has a type of its own. */
static unsigned typed_bit(const struct tree *t, unsigned i, bool sign, const struct tree_input *in,
                          int cycle)
{
    if (i >= law_width(t)) {
        if (!sign)
            return 0;
        i = law_width(t) - 1;
    }
    return bit(t->kid[0], i, is_signed(t->kid[0]), in, cycle - (t->op == T_PREV));
}

static unsigned truth(const struct tree *t, const struct tree_input *in, int cycle)
{
    struct tree *const *k = t->kid;

    switch (t->op) {
    case T_LNOT:
        return not3(is_true(k[0], in, cycle));
    case T_LAND:
        return and3(is_true(k[0], in, cycle), is_true(k[1], in, cycle));
    case T_LOR:
        return or3(is_true(k[0], in, cycle), is_true(k[1], in, cycle));
    case T_ONEHOT:
    case T_ONEHOT0:
    case T_ISUNKNOWN:
        return look_at_all(t, in, cycle);
    case T_RED_AND:
    case T_RED_OR:
    case T_RED_XOR:
        return reduce(t, in, cycle);
    case T_RISE:
    case T_FALL:
    case T_EDGE:
        return two_cycles(t, in, cycle);
    default:
        return compare(t, in, cycle);
    }
}

/* Bit i, counted from the right; bits above the own width are those of the wider context. */
static unsigned bit(const struct tree *t, unsigned i, bool sign, const struct tree_input *in,
                    int cycle)
{
    struct tree *const *k = t->kid;

    switch (t->op) {
    case T_NAME:
    case T_NUMBER:
        return leaf_bit(t, i, sign, in, cycle);
    case T_PREV:
    case T_SIGNED:
    case T_UNSIGNED:
        return typed_bit(t, i, sign, in, cycle);
    case T_NOT:
        return not3(bit(k[0], i, sign, in, cycle));
    case T_NEG:
        return negated(k[0], i, sign, in, cycle);
    case T_AND:
        return and3(bit(k[0], i, sign, in, cycle), bit(k[1], i, sign, in, cycle));
    case T_OR:
        return or3(bit(k[0], i, sign, in, cycle), bit(k[1], i, sign, in, cycle));
    case T_XOR:
        return xor3(bit(k[0], i, sign, in, cycle), bit(k[1], i, sign, in, cycle));
    case T_MUX:
        return choose(bit(k[0], 0, false, in, cycle), bit(k[1], i, sign, in, cycle),
                      bit(k[2], i, sign, in, cycle));
    default:
        return i > 0 ? 0 : truth(t, in, cycle);
    }
}

unsigned tree_value(const struct tree *t, const struct tree_input *in, int cycle)
{
    return bit(t, 0, false, in, cycle);
}

unsigned tree_depth(const struct tree *t)
{
    unsigned most = 0;

    for (unsigned i = 0; i < 3; i++) {
        unsigned d = t->kid[i] ? tree_depth(t->kid[i]) : 0;
        most = d > most ? d : most;
    }
    return most + (t->op >= T_PREV && t->op <= T_EDGE);
}
