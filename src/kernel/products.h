/* SPDX-License-Identifier: MIT */
/*
 * A truth table as a sum modulo 2 of products of its arguments (its algebraic normal form).  Bit i
 * of `set`, with i = ARG3 ARG2 ARG1 ARG0 as a set of arguments, says whether their product is in
 * the sum.  Arguments on which the table does not depend are left out.
 */
#ifndef PC_KERNEL_PRODUCTS_H
#define PC_KERNEL_PRODUCTS_H

#include "kernel/kernel.h"
#include "model/rules/table.h"

struct pc_products {
    unsigned n;   /* arguments that matter */
    unsigned set; /* 1 << n bits */
    const uint64_t *arg[4];
};

static inline struct pc_products pc_products_of(const struct pc_lut_op *op)
{
    struct pc_products p = { 0, 0, { NULL, NULL, NULL, NULL } };
    uint16_t table = op->table;

    for (unsigned k = 0; k < 4; k++) {
        if (pc_table_depends(table, p.n))
            p.arg[p.n++] = op->arg[k];
        else
            table = pc_table_without(table, p.n);
    }
    p.set = table;
    p.set ^= (p.set & 0x5555) << 1;
    p.set ^= (p.set & 0x3333) << 2;
    p.set ^= (p.set & 0x0f0f) << 4;
    p.set ^= (p.set & 0x00ff) << 8;
    p.set &= (1u << (1u << p.n)) - 1;
    return p;
}

/* Returns the same operation `words` further on. */
static inline struct pc_lut_op pc_lut_at(const struct pc_lut_op *op, size_t words)
{
    struct pc_lut_op moved = *op;

    for (unsigned k = 0; k < 4; k++)
        if (moved.arg[k])
            moved.arg[k] += words;
    return moved;
}

#endif
