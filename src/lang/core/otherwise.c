/* SPDX-License-Identifier: MIT */
/*
 * What another description would have made of it: its lets, rules and checks in the part that a
 * difference is in, from the wires and registers of the core that tells it.  A difference at the
 * first edge of a part comes of the cycle before, of which one value of each wire is kept.
 */
#include "lang/core/core.h"

#include <string.h>

/* Histories are those of a run, and the other description has none. */
static bool is_alike(const struct pc_core *c, const struct pc_core *other)
{
    bool alike = other->regs == c->regs && other->wires <= c->wires && other->histories == 0 &&
                 other->words == c->words;

    for (size_t i = 0; alike && i < c->regs; i++)
        alike =
            c->reg[i].width == other->reg[i].width && c->reg[i].stepped == other->reg[i].stepped;
    return alike;
}

/* A wire of the other core has these planes. */
static void point(struct pc_core *other, size_t wire, const uint64_t *v, const uint64_t *u)
{
    other->value[wire] = v;
    other->unknown[wire] = u;
}

static void calculate_lets(struct pc_core *other, size_t words)
{
    for (size_t i = 0; i < other->lets; i++) {
        const struct core_let *let = &other->let[other->order[i]];
        core_evaluate(other, let->value, let->width, words,
                      (struct core_planes){ other->plane.v + let->plane * other->words,
                                            other->plane.u + let->plane * other->words });
    }
}

/* ---- the whole part ---- */

static void take_part(const struct pc_core *c, struct pc_core *other)
{
    if (other->taken_of == c->first + 1)
        return;
    other->taken_of = c->first + 1;
    other->cycles = c->cycles;
    other->watching = false;
    memcpy(other->running, c->running, sizeof other->running);
    memcpy(other->restart, c->restart, sizeof other->restart);
    for (size_t i = 0; i < other->wires; i++)
        point(other, i, c->value[i], c->unknown[i]);
    for (size_t i = 0; i < c->regs; i++)
        for (uint32_t b = 0; c->reg[i].stepped && b < c->reg[i].width; b++) {
            const uint32_t from = core_wire(c, &c->reg[i], b);
            point(other, core_wire(other, &other->reg[i], b), c->value[from], c->unknown[from]);
        }
    calculate_lets(other, (c->cycles + 63) / 64);
}

static void apply(struct pc_core *other, struct core_register *r, size_t words,
                  const uint64_t *running)
{
    for (uint32_t b = 0; b < r->width; b++) {
        const uint32_t wire = core_wire(other, r, b);
        r->own[b] = 1;
        memcpy(r->next.v + b * other->words, other->value[wire], words * sizeof *r->next.v);
        memcpy(r->next.u + b * other->words, other->unknown[wire], words * sizeof *r->next.u);
    }
    core_apply(other, r, words, CORE_ALL, r->next, running);
}

/* ---- one cycle, of which bits are kept ---- */

static void take_kept(const struct pc_core *c, size_t from, struct pc_core *other, size_t to)
{
    point(other, to, &other->one[c->before[from] & 1], &other->one[c->before[from] >> 1 & 1]);
}

static void take_cycle_before(const struct pc_core *c, struct pc_core *other)
{
    other->taken_of = 0;
    other->cycles = 1;
    other->watching = false;
    other->restart[0] = 1;
    other->one[0] = 0;
    other->one[1] = 1;
    for (size_t i = 0; i < other->wires; i++)
        take_kept(c, i, other, i);
    for (size_t i = 0; i < c->regs; i++)
        for (uint32_t b = 0; c->reg[i].stepped && b < c->reg[i].width; b++)
            take_kept(c, core_wire(c, &c->reg[i], b), other, core_wire(other, &other->reg[i], b));
    calculate_lets(other, 1);
}

/* ---- registers and checks ---- */

static bool take_result(struct pc_core *other, const struct core_register *r, size_t t,
                        struct pc_core_value *out)
{
    bool known = true;

    memset(other->text[0], 0, sizeof other->text[0]);
    for (uint32_t b = 0; b < r->width; b++) {
        const uint64_t *v = r->next.v + b * other->words, *u = r->next.u + b * other->words;
        other->text[0][0][b / 64] |= core_bit(v, t) << b % 64;
        known &= !core_bit(u, t);
    }
    *out = (struct pc_core_value){ r->width, other->text[0][0], other->text[0][1] };
    return known;
}

bool pc_core_otherwise(struct pc_core *c, struct pc_core *other, size_t reg,
                       struct pc_core_value *out)
{
    static const uint64_t one = 1;
    const size_t t = c->told_edge;
    const bool was_reset = core_bit(c->between, t) || (t > 0 ? core_bit(c->in_reset, t - 1)
                                                             : c->reset_before || c->first == 0);

    if (was_reset || !is_alike(c, other))
        return false;
    struct core_register *r = &other->reg[reg];
    if (t == 0) {
        take_cycle_before(c, other);
        apply(other, r, 1, &one);
        r->asked = 0;
        return take_result(other, r, 0, out);
    }
    take_part(c, other);
    if (r->asked != c->first + 1)
        apply(other, r, (c->cycles + 63) / 64, other->running);
    r->asked = c->first + 1;
    return take_result(other, r, t - 1, out);
}

enum pc_core_verdict pc_core_check_otherwise(struct pc_core *c, struct pc_core *other, size_t check)
{
    struct core_check *k = &other->check[check];
    const size_t t = c->told_edge;

    if (!is_alike(c, other))
        return PC_CORE_NOT_LOOKED;
    take_part(c, other);
    if (k->asked != c->first + 1)
        core_look_at_check(other, k, (c->cycles + 63) / 64);
    k->asked = c->first + 1;
    return core_bit(k->fails, t)    ? PC_CORE_FAILS
           : core_bit(k->looked, t) ? PC_CORE_HOLDS
                                    : PC_CORE_NOT_LOOKED;
}
