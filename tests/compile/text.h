/* SPDX-License-Identifier: MIT */
/*
 * Random expressions, for the compiler's tests: a tree that is written down in the language
 * of pcounter, in Verilog and in SMT-LIB, and that has a value of its own, which none of the
 * library's code computes.
 */
#ifndef PC_TEST_TEXT_H
#define PC_TEST_TEXT_H

#include "test.h"

#include "lang/compile/compile.h"

enum { TEXT_NODES = 64, TEXT_SIZE = 8192, TEXT_FIRST = 16, TEXT_PAST = 8 };

enum text_op {
    TEXT_SIGNAL,
    TEXT_CONSTANT,
    TEXT_NOT,
    TEXT_AND,
    TEXT_OR,
    TEXT_XOR,
    TEXT_EQUAL,
    TEXT_MUX,
    TEXT_PREV,
    TEXT_RISE,
    TEXT_FALL,
    TEXT_EDGE
};

struct text_node {
    enum text_op op;
    unsigned number; /* of a signal; a constant's value */
    unsigned child[3];
};

struct text {
    struct text_node node[TEXT_NODES];
    unsigned nodes;
    unsigned root;
};

/* An expression with `leaves` operands among `signals` signals from TEXT_FIRST on. */
void text_random(struct test_rng *rng, unsigned leaves, unsigned signals, struct text *out);

enum text_form { TEXT_PCOUNTER, TEXT_VERILOG, TEXT_SMT };
/* Verilog: bits of the vectors now and before; SMT-LIB: elements of the arrays of these names. */
void text_print(const struct text *t, enum text_form form, char out[TEXT_SIZE]);

/* Bit s of past[n]: signal s, n cycles ago. */
bool text_value(const struct text *t, const uint64_t past[TEXT_PAST]);

/*
 * Converts it to a function of the atoms that matter; false: it looks back further than one cycle,
 * or at more than CM_ATOMS of them.
 */
bool text_function(const struct text *t, unsigned signals, struct cm_func *out);

/* The expression of it, with signals called s10 and so on by position. */
struct pc_expr *text_parse(const struct text *t);

#endif
