/* SPDX-License-Identifier: MIT */
/*
 * Registers that the design does not show, or whose value after a reset is not known: cycle by
 * cycle, as their value is that of the rules alone.  So are the lets that look at them.
 */
#include "lang/core/core.h"

#include <string.h>

static void put_bit(struct core_planes p, size_t words, uint32_t plane, size_t cycle, uint64_t v,
                    uint64_t u)
{
    const uint64_t bit = UINT64_C(1) << cycle % 64;
    uint64_t *value = &p.v[plane * words + cycle / 64], *unknown = &p.u[plane * words + cycle / 64];

    *value = (v & 1) ? *value | bit : *value & ~bit;
    *unknown = (u & 1) ? *unknown | bit : *unknown & ~bit;
}

/* After a reset: its value, or nothing until rules have set all bits. */
static void reset(struct core_register *r)
{
    for (uint32_t b = 0; b < r->width; b++) {
        r->carry_v[b] = core_reset_bit(r, b);
        r->carry_u[b] = !r->reset;
        r->unset[b] = !r->reset;
    }
}

/* A register that the design shows has the design's value, unless no rule has set it yet. */
static void take_design(const struct pc_core *c, struct core_register *r, size_t cycle)
{
    bool set = true;

    for (uint32_t b = 0; b < r->width; b++)
        set &= !r->unset[b];
    if (!r->design || !set)
        return;
    for (uint32_t b = 0; b < r->width; b++) {
        r->carry_v[b] = core_bit(c->value[r->design[b]], cycle);
        r->carry_u[b] = core_bit(c->unknown[r->design[b]], cycle);
    }
}

static void begin_cycle(struct pc_core *c, struct core_register *r, size_t cycle)
{
    if (core_bit(c->between, cycle))
        reset(r);
    for (uint32_t b = 0; b < r->width; b++)
        put_bit(r->next, c->words, b, cycle, r->carry_v[b], r->carry_u[b]);
    take_design(c, r, cycle);
    for (uint32_t b = 0; b < r->width; b++)
        put_bit(c->plane, c->words, r->state + b, cycle, r->carry_v[b], r->carry_u[b]);
}

static void calculate_let(struct pc_core *c, struct core_let *let, size_t cycle)
{
    const uint64_t restart = core_bit(c->restart, cycle);

    ex_evaluate(let->value, c->value, c->unknown, cycle / 64, cycle % 64,
                (struct ex_part){ 1, 0, &restart });
    const uint64_t runs = core_bit(c->running, cycle);
    if (let->value->watch && c->watching)
        core_look(c, let->value, &runs, &runs, 1);
    for (uint32_t b = 0; b < let->width; b++) {
        const struct ex_row row = ex_row(let->value, ex_root(let->value), b);
        put_bit(c->plane, c->words, let->plane + b, cycle, *row.v, *row.u);
    }
}

/* The rules act on the register's carry, as planes of one cycle. */
static void end_cycle(struct pc_core *c, struct core_register *r, size_t cycle)
{
    static const uint64_t one = 1;

    if (core_bit(c->in_reset, cycle)) {
        reset(r);
        return;
    }
    for (uint32_t b = 0; b < r->width; b++) {
        c->step.v[b * c->words] = r->carry_v[b] & 1;
        c->step.u[b * c->words] = r->carry_u[b] & 1;
    }
    core_apply(c, r, 1, (uint32_t)cycle, c->step, &one);
    for (uint32_t b = 0; b < r->width; b++) {
        r->carry_v[b] = c->step.v[b * c->words] & 1;
        r->carry_u[b] = c->step.u[b * c->words] & 1;
    }
}

void core_step(struct pc_core *c)
{
    for (size_t i = 0; i < c->regs; i++)
        for (size_t k = 0; core_is_stepped(&c->reg[i]) && k < c->reg[i].rules; k++)
            memset(c->reg[i].rule[k].acts, 0, c->words * sizeof(uint64_t));
    for (size_t cycle = 0; cycle < c->cycles; cycle++) {
        for (size_t i = 0; i < c->regs; i++)
            if (core_is_stepped(&c->reg[i]))
                begin_cycle(c, &c->reg[i], cycle);
        for (size_t i = 0; i < c->lets; i++)
            if (c->let[c->order[i]].stepped)
                calculate_let(c, &c->let[c->order[i]], cycle);
        for (size_t i = 0; i < c->regs; i++)
            if (core_is_stepped(&c->reg[i]))
                end_cycle(c, &c->reg[i], cycle);
    }
}
