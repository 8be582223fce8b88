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
                                 .inverse = x >> 8 & 15,
                                 .inverted = inverted ^ (x >> 20 & 1) };
}

struct pc_lut_op pc_lut_least(const struct pc_lut_op *op)
{
    static const uint16_t ONE[4] = { 0xaaaa, 0xcccc, 0xf0f0, 0xff00 };
    struct pc_lut_op least = { .table = op->table };
    unsigned at[4] = { 0 }, n = 0;
    bool moved = false;

    for (unsigned k = 0; k < 4; k++)
        if ((op->table & ONE[k]) >> (1u << k) != (op->table & ONE[k] >> (1u << k))) {
            moved = moved || k != n;
            at[n] = 1u << k;
            least.arg[n++] = op->arg[k];
        }
    for (unsigned i = 0; i < 16 && moved; i++) {
        unsigned from = 0;
        for (unsigned k = 0; k < n; k++)
            from |= i >> k & 1 ? at[k] : 0;
        least.table = (uint16_t)((least.table & ~(1u << i)) | (op->table >> from & 1u) << i);
    }
    return least;
}

struct pc_lut_job pc_lut_job(const struct pc_lut_op *op, bool edges)
{
    struct pc_lut_job job = { .op = pc_lut_least(op), .edges = edges };

    job.inputs = (uint8_t)pc_lut_inputs(&job.op);
    job.plan = pc_lut_plan(&job.op);
    return job;
}
