/* SPDX-License-Identifier: MIT */
/* The shortest formula of a truth table of four variables; see formula.c. */
#ifndef PC_EXPR_FORMULA_H
#define PC_EXPR_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PC_FORMULA_VARIABLES = 4, PC_FORMULA_NODES = 20 };

/* A node, or its complement. */
struct pc_formula_edge {
    uint8_t node;
    bool inverted;
};

struct pc_formula_node {
    char op;                        /* 'v' a variable, '&', '^', '?' */
    uint8_t variable;               /* 'v' */
    struct pc_formula_edge x, y, s; /* x & y, x ^ y, s ? x : y */
    /* Operators for the node [0] and its complement [1]: spelled as it is, and at best. */
    uint8_t direct[2], cost[2];
    uint8_t first; /* of its variables */
};

struct pc_formula {
    struct pc_formula_node node[PC_FORMULA_NODES];
    unsigned count; /* 0: a constant, root.inverted */
    struct pc_formula_edge root;
};

/*
 * Bit i of `table` is the value where variable v is bit v of i.  A function of fewer
 * variables has each row as often as those that are not there ask for.
 */
void pc_formula_find(uint16_t table, struct pc_formula *out);

/* Returns how often a variable stands there. */
unsigned pc_formula_mentions(const struct pc_formula *f, unsigned variable);

/* Texts must be operands; late[v]: the variable that v is one cycle ago, or -1. */
struct pc_formula_names {
    const char *text[PC_FORMULA_VARIABLES];
    int late[PC_FORMULA_VARIABLES];
};
/* Prints the text of the language; false if it needs more than `size` bytes. */
bool pc_formula_print(const struct pc_formula *f, const struct pc_formula_names *names, char *out,
                      size_t size);

#endif
