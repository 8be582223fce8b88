/* SPDX-License-Identifier: MIT */
/*
 * A second, slow form of the expression language for the tests: random trees that print
 * themselves as text and evaluate themselves one bit of one cycle at a time.  Nothing of
 * src/lang/expr is used.
 */
#ifndef PC_TEST_TREE_H
#define PC_TEST_TREE_H

#include "test.h"

enum { TREE_WIRES = 24, TREE_TEXT = 4096, TREE_CYCLES = 400 };

enum tree_op {
    T_NAME,
    T_NUMBER,
    T_NOT,
    T_NEG,
    T_LNOT,
    T_RED_AND,
    T_RED_OR,
    T_RED_XOR,
    T_ONEHOT,
    T_ONEHOT0,
    T_ISUNKNOWN,
    T_SIGNED,
    T_UNSIGNED,
    T_PREV,
    T_RISE,
    T_FALL,
    T_EDGE,
    T_LT,
    T_LE,
    T_GT,
    T_GE,
    T_EQ,
    T_NE,
    T_AND,
    T_XOR,
    T_OR,
    T_LAND,
    T_LOR,
    T_MUX
};

/* How a number is written: 5, 0x5, 'h5, 'o5, 'sh5, 6'sd5. */
enum { PLAIN, SIGNED_BASE = 4, SIZED, FORMS };

struct tree {
    enum tree_op op;
    struct tree *kid[3];
    unsigned first, width; /* T_NAME: wires; T_NUMBER: its size, 0 if it has none */
    bool is_signed;        /* T_NAME */
    unsigned number, form; /* T_NUMBER */
};

/* Values of all wires: 0, 1, or 2 for unknown. */
struct tree_input {
    uint8_t bit[TREE_CYCLES][TREE_WIRES];
};

/* A random tree in pool[0..size); one bit wide.  With `scalars`, names of one bit and bitwise logic
 * only. */
struct tree *tree_random(struct test_rng *rng, struct tree *pool, size_t size, unsigned depth,
                         bool scalars);
/* Text with as few parentheses as Verilog's precedence allows, and a few more by chance. */
void tree_print(const struct tree *t, struct test_rng *rng, char out[TREE_TEXT]);
/* Kleene's value (0, 1, 2) in cycle `cycle`; before cycle 0 every wire is 0. */
unsigned tree_value(const struct tree *t, const struct tree_input *in, int cycle);
/* Cycles that the tree looks back at most. */
unsigned tree_depth(const struct tree *t);

/* Lookup for pc_expr_resolve(): "a".."e" are wires 0..4, "v" is 8 wide, "w" 4, and signed
 * are "k", 5 wide, and "j", 2; bits and slices too. */
enum pc_status tree_lookup(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                           size_t *count, bool *is_signed, struct pc_error *err);
/* Wire of the tree -> the number that tree_lookup() gives it: not the same, on purpose. */
uint32_t tree_wire_number(unsigned wire);

#endif
