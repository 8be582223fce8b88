/* SPDX-License-Identifier: MIT */
/*
 * A truth table as a sum modulo 2 of products of its arguments (its algebraic normal form):
 * coefficient i, with i = ARG3 ARG2 ARG1 ARG0 as a set of arguments, says whether their product
 * is in the sum.  Evaluating it needs an AND and an XOR a coefficient, and an argument that
 * is in no product is not needed at all.
 */
#ifndef PC_ENGINE_KERNEL_LUT_H
#define PC_ENGINE_KERNEL_LUT_H

#include "engine/kernel.h"

/* The arguments that matter, in front, and the coefficients of what remains. */
struct pc_lut_sum {
    unsigned n;
    unsigned coefficients; /* 1 << n of them */
    const uint64_t *arg[4];
};

static inline unsigned pc_lut_coefficients(unsigned table)
{
    table ^= (table & 0x5555) << 1;
    table ^= (table & 0x3333) << 2;
    table ^= (table & 0x0f0f) << 4;
    return table ^ (table & 0x00ff) << 8;
}

/* Coefficients without argument k, of which none of them speaks. */
static inline unsigned pc_lut_drop(unsigned coefficients, unsigned k)
{
    unsigned out = 0, at = 0;

    for (unsigned i = 0; i < 16; i++)
        if (!(i >> k & 1))
            out |= (coefficients >> i & 1) << at++;
    return out;
}

static inline struct pc_lut_sum pc_lut_reduce(const struct pc_lut_op *op)
{
    static const unsigned WITH[4] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };
    struct pc_lut_sum sum = { 0, pc_lut_coefficients(op->table), { NULL, NULL, NULL, NULL } };

    for (unsigned k = 0; k < 4 && sum.coefficients >> (1u << sum.n) != 0; k++) {
        if (sum.coefficients & WITH[sum.n])
            sum.arg[sum.n++] = op->arg[k];
        else
            sum.coefficients = pc_lut_drop(sum.coefficients, sum.n);
    }
    return sum;
}

/* The same operation `words` further on. */
static inline struct pc_lut_op pc_lut_at(const struct pc_lut_op *op, size_t words)
{
    struct pc_lut_op moved = *op;

    for (unsigned k = 0; k < 4; k++)
        if (moved.arg[k])
            moved.arg[k] += words;
    return moved;
}

#endif
