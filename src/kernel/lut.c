/* SPDX-License-Identifier: MIT */
/*
 * The circuit of each truth table (tools/gen_circuits.awk).  A table and its inverse have the
 * same one, so those whose bit 0 is 0 are listed.
 */
#include "kernel/lut.h"

#define CIRCUIT(number, uses, gates, result)
#define KIND(plan) plan,
static const uint32_t PLANS[0x8000] = {
#include "circuits.inc"
};

struct pc_lut_plan pc_lut_plan(const struct pc_lut_op *op)
{
    const bool inverted = op->table & 1;
    const uint32_t x = PLANS[(inverted ? ~(unsigned)op->table & 0xffff : op->table) >> 1];

    return (struct pc_lut_plan){ .circuit = (uint8_t)x,
                                 .order = (uint8_t)(x >> 12),
                                 .inverse = (uint8_t)(x >> 8 & 15),
                                 .inverted = (bool)(inverted ^ (x >> 20 & 1)) };
}
