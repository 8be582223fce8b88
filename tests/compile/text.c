/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdio.h>
#include <string.h>

/* --- making --- */

static unsigned add(struct text *t, struct text_node n)
{
    assert_true(t->nodes < TEXT_NODES);
    t->node[t->nodes] = n;
    return t->nodes++;
}

static unsigned grow(struct test_rng *rng, unsigned leaves, unsigned signals, unsigned delays,
                     struct text *t)
{
    struct text_node n = { .op = TEXT_SIGNAL };

    if (delays > 0 && test_rand_below(rng, 4) == 0) {
        n.op = (enum text_op)(TEXT_PREV + test_rand_below(rng, 4));
        n.child[0] = grow(rng, leaves, signals, delays - 1, t);
        return add(t, n);
    }
    if (test_rand_below(rng, 5) == 0) {
        n.op = TEXT_NOT;
        n.child[0] = grow(rng, leaves, signals, delays, t);
        return add(t, n);
    }
    if (leaves <= 1) {
        if (test_rand_below(rng, 30) == 0)
            n = (struct text_node){ TEXT_CONSTANT, test_rand_below(rng, 2), { 0, 0, 0 } };
        else
            n.number = TEXT_FIRST + test_rand_below(rng, signals);
        return add(t, n);
    }
    n.op = leaves > 2 && test_rand_below(rng, 6) == 0
               ? TEXT_MUX
               : (enum text_op)(TEXT_AND + test_rand_below(rng, TEXT_EQUAL - TEXT_AND + 1));
    unsigned children = n.op == TEXT_MUX ? 3 : 2;
    for (unsigned i = 0; i < children; i++) {
        unsigned rest = children - 1 - i;
        unsigned share = rest ? 1 + test_rand_below(rng, leaves - rest) : leaves;
        leaves -= share;
        n.child[i] = grow(rng, share, signals, delays, t);
    }
    return add(t, n);
}

void text_random(struct test_rng *rng, unsigned leaves, unsigned signals, struct text *out)
{
    out->nodes = 0;
    /* one in eight may look back two cycles, which no input can */
    out->root = grow(rng, leaves, signals, test_rand_below(rng, 8) == 0 ? 2 : 1, out);
}

/* --- writing down --- */

struct writer {
    const struct text *t;
    enum text_form form;
    char *out;
    size_t used;
};

static void put(struct writer *w, const char *text)
{
    int n = snprintf(w->out + w->used, TEXT_SIZE - w->used, "%s", text);

    assert_true(n >= 0 && (size_t)n < TEXT_SIZE - w->used);
    w->used += (size_t)n;
}

static void put_leaf(struct writer *w, const struct text_node *n, unsigned delay)
{
    const char *vector = delay ? "before" : "now";
    char text[32];

    if (n->op == TEXT_CONSTANT && w->form == TEXT_SMT)
        snprintf(text, sizeof text, "%s", n->number ? "true" : "false");
    else if (n->op == TEXT_CONSTANT)
        snprintf(text, sizeof text, "1'b%u", n->number);
    else if (w->form == TEXT_PCOUNTER)
        snprintf(text, sizeof text, "s%02x", n->number);
    else if (w->form == TEXT_VERILOG)
        snprintf(text, sizeof text, "%s[%u]", vector, n->number);
    else
        snprintf(text, sizeof text, "(select %s #x%02x)", vector, n->number);
    put(w, text);
}

/* Between the operands; in front of them in SMT-LIB, where = and distinct take truth values. */
static const char *operator_text(enum text_op op, enum text_form form)
{
    static const char *const infix[] = {
        [TEXT_AND] = " & ", [TEXT_OR] = " | ", [TEXT_XOR] = " ^ ", [TEXT_EQUAL] = " == "
    };
    static const char *const prefix[] = {
        [TEXT_AND] = "(and ", [TEXT_OR] = "(or ", [TEXT_XOR] = "(xor ", [TEXT_EQUAL] = "(= "
    };

    return form == TEXT_SMT ? prefix[op] : infix[op];
}

static void write_node(struct writer *w, unsigned at, unsigned delay);

/* In the language of pcounter as a function, else by what it means (pcounter-expr(7)). */
static void write_delayed(struct writer *w, const struct text_node *n, unsigned delay)
{
    static const char *const names[] = { "prev(", "rise(", "fall(", "edge(" };
    bool smt = w->form == TEXT_SMT;

    if (w->form == TEXT_PCOUNTER) {
        put(w, names[n->op - TEXT_PREV]);
        write_node(w, n->child[0], delay);
    } else if (n->op == TEXT_PREV) {
        put(w, smt ? "(and " : "(");
        write_node(w, n->child[0], delay + 1);
    } else {
        enum text_op op = n->op == TEXT_EDGE ? TEXT_XOR : TEXT_AND;
        put(w, smt ? operator_text(op, TEXT_SMT) : "(");
        put(w, n->op != TEXT_FALL ? "" : smt ? "(not " : "~");
        write_node(w, n->child[0], delay);
        put(w, n->op == TEXT_FALL && smt ? ") " : smt ? " " : operator_text(op, w->form));
        put(w, n->op != TEXT_RISE ? "" : smt ? "(not " : "~");
        write_node(w, n->child[0], delay + 1);
        put(w, n->op == TEXT_RISE && smt ? ")" : "");
    }
    put(w, ")");
}

static void write_node(struct writer *w, unsigned at, unsigned delay)
{
    const struct text_node *n = &w->t->node[at];
    bool smt = w->form == TEXT_SMT;

    if (n->op <= TEXT_CONSTANT) {
        put_leaf(w, n, delay);
    } else if (n->op >= TEXT_PREV) {
        write_delayed(w, n, delay);
    } else if (n->op == TEXT_NOT) {
        put(w, smt ? "(not " : w->form == TEXT_VERILOG ? "(~" : "(!");
        write_node(w, n->child[0], delay);
        put(w, ")");
    } else if (n->op == TEXT_MUX) {
        put(w, smt ? "(ite " : "(");
        write_node(w, n->child[0], delay);
        put(w, smt ? " " : " ? ");
        write_node(w, n->child[1], delay);
        put(w, smt ? " " : " : ");
        write_node(w, n->child[2], delay);
        put(w, ")");
    } else {
        put(w, smt ? operator_text(n->op, TEXT_SMT) : "(");
        write_node(w, n->child[0], delay);
        put(w, smt ? " " : operator_text(n->op, w->form));
        write_node(w, n->child[1], delay);
        put(w, ")");
    }
}

void text_print(const struct text *t, enum text_form form, char out[TEXT_SIZE])
{
    struct writer w = { t, form, out, 0 };

    write_node(&w, t->root, 0);
}

/* --- its value --- */

static bool value(const struct text *t, unsigned at, const uint64_t past[TEXT_PAST], unsigned ago)
{
    const struct text_node *n = &t->node[at];
    bool a, b;

    switch (n->op) {
    case TEXT_SIGNAL:
        assert_true(ago < TEXT_PAST);
        return past[ago] >> n->number & 1;
    case TEXT_CONSTANT:
        return n->number;
    case TEXT_NOT:
        return !value(t, n->child[0], past, ago);
    case TEXT_MUX:
        return value(t, n->child[value(t, n->child[0], past, ago) ? 1 : 2], past, ago);
    case TEXT_PREV:
        return value(t, n->child[0], past, ago + 1);
    default:
        break;
    }
    a = value(t, n->child[0], past, ago);
    b = n->op >= TEXT_PREV ? value(t, n->child[0], past, ago + 1)
                           : value(t, n->child[1], past, ago);
    switch (n->op) {
    case TEXT_AND:
        return a && b;
    case TEXT_OR:
        return a || b;
    case TEXT_EQUAL:
        return a == b;
    case TEXT_RISE:
        return a && !b;
    case TEXT_FALL:
        return !a && b;
    default: /* TEXT_XOR, TEXT_EDGE */
        return a != b;
    }
}

bool text_value(const struct text *t, const uint64_t past[TEXT_PAST])
{
    return value(t, t->root, past, 0);
}

static bool looks_back(const struct text *t, unsigned at, unsigned ago)
{
    static const unsigned children[] = {
        [TEXT_NOT] = 1, [TEXT_AND] = 2,  [TEXT_OR] = 2,   [TEXT_XOR] = 2,  [TEXT_EQUAL] = 2,
        [TEXT_MUX] = 3, [TEXT_PREV] = 1, [TEXT_RISE] = 1, [TEXT_FALL] = 1, [TEXT_EDGE] = 1
    };
    const struct text_node *n = &t->node[at];

    if (n->op <= TEXT_CONSTANT)
        return false;
    ago += n->op >= TEXT_PREV;
    for (unsigned i = 0; i < children[n->op]; i++)
        if (looks_back(t, n->child[i], ago))
            return true;
    return ago > 1;
}

bool text_function(const struct text *t, unsigned signals, struct cm_func *out)
{
    uint64_t states = UINT64_C(1) << (2 * signals), low = (UINT64_C(1) << signals) - 1;
    unsigned bit[CM_ATOMS];

    assert_true(signals <= 6);
    memset(out, 0, sizeof *out);
    if (looks_back(t, t->root, 0))
        return false;
    for (unsigned a = 0; a < 2 * signals; a++)
        for (uint64_t s = 0; s < states; s++) {
            uint64_t other = s ^ UINT64_C(1) << a;
            uint64_t one[TEXT_PAST] = { (s & low) << TEXT_FIRST, s >> signals << TEXT_FIRST };
            uint64_t two[TEXT_PAST] = { (other & low) << TEXT_FIRST,
                                        other >> signals << TEXT_FIRST };
            if (text_value(t, one) == text_value(t, two))
                continue;
            if (out->atoms == CM_ATOMS)
                return false;
            bit[out->atoms] = a;
            out->atom[out->atoms++] =
                (struct cm_atom){ (uint8_t)(TEXT_FIRST + a % signals), a >= signals };
            break;
        }
    for (unsigned row = 0; row < 1u << out->atoms; row++) {
        uint64_t s = 0;
        for (unsigned a = 0; a < out->atoms; a++)
            s |= (uint64_t)(row >> a & 1) << bit[a];
        uint64_t past[TEXT_PAST] = { (s & low) << TEXT_FIRST, s >> signals << TEXT_FIRST };
        out->row[row / 64] |= (uint64_t)text_value(t, past) << (row % 64);
    }
    return true;
}

/* --- parsing --- */

struct pc_expr *text_parse(const struct text *t)
{
    char text[TEXT_SIZE];
    struct pc_expr *e;
    struct pc_error err;

    text_print(t, TEXT_PCOUNTER, text);
    test_ok(pc_expr_parse(NULL, text, &e, &err), &err);
    test_ok(pc_expr_resolve(e, test_signal, NULL, &err), &err);
    return e;
}
