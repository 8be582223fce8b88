/* SPDX-License-Identifier: MIT */
/*
 * Which circuit of data/circuits.csv computes a truth table: there is one for each of the 222 kinds
 * of functions that differ by more than where their arguments stand and what is inverted.
 */
#ifndef PC_KERNEL_LUT_H
#define PC_KERNEL_LUT_H

#include "kernel/kernel.h"

enum { PC_CIRCUITS = 222 };

/* The circuit of inputs arg[order[k]] XOR inverse[k], XOR inverted. */
struct pc_lut_plan pc_lut_plan(const struct pc_lut_op *op);

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
