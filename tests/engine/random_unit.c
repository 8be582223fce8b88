/* SPDX-License-Identifier: MIT */
/*
 * Random units: registers by their decoded form, machines and flops in any state, counters near
 * their ends.
 */
#include "random_unit.h"

#include "model/engine/engine.h"
#include "make_unit.h"
#include "model/regs/regs.h"

static const char *const chips[] = { "NV10", "NV20", "NV30",  "NV40",  "G80",
                                     "G84",  "G92",  "GT215", "GF100", "GK104" };

const struct pc_chip *random_chip(struct test_rng *rng)
{
    return pc_chip_find(chips[test_rand_below(rng, sizeof chips / sizeof chips[0])]);
}

static uint32_t signal_number(struct test_rng *rng, const struct pc_unit *u, unsigned x,
                              bool imports)
{
    const struct pc_slots *slots = &u->slots[x];
    unsigned kind = test_rand_below(rng, 24);

    if (kind == 0 && slots->flag[x] >= 0)
        return (uint32_t)slots->flag[x];
    if (kind == 1 && slots->periodic >= 0)
        return (uint32_t)slots->periodic;
    if (kind == 2 && slots->user[0] >= 0)
        return (uint32_t)slots->user[0];
    if (kind == 3 && imports)
        return test_rand_below(rng, 256);
    do
        kind = test_rand_below(rng, 256);
    while (!imports && !(slots->raw[kind / 64] >> (kind % 64) & 1));
    return kind;
}

static uint64_t near_end(struct test_rng *rng, uint64_t end)
{
    return test_rand_below(rng, 3) ? test_rand_below(rng, 200) : end - test_rand_below(rng, 300);
}

static void random_counters(struct test_rng *rng, const struct pc_unit *u, struct pc_counters *c)
{
    uint64_t wide = u->chip->features & PC_F_CTR40 ? (UINT64_C(1) << 40) - 1 : UINT32_MAX;

    *c = (struct pc_counters){ .cycles = near_end(rng, wide),
                               .event = near_end(rng, wide),
                               .start = near_end(rng, wide),
                               .pre = near_end(rng, UINT32_MAX),
                               .stop = near_end(rng, UINT32_MAX) };
}

static void random_flops(struct test_rng *rng, const struct pc_unit *u, struct pc_domain *d,
                         unsigned x)
{
    d->single_state = (uint8_t)test_rand_below(rng, 4);
    d->quad_state = (uint8_t)(test_rand_below(rng, 3) * 3 / 2);
    d->flag_next = test_rand_below(rng, 2);
    d->flag_cur = test_rand_below(rng, 2);
    d->last_flag = test_rand_below(rng, 2);
    d->last_event = test_rand_below(rng, 2);
    d->late =
        (uint32_t)test_rand(rng) & (u->chip->features & PC_F_OWN_FLAG_SRC ? 0xffffff : 0xffff);
    d->periodic = (uint16_t)test_rand(rng);
    d->event_toggle = test_rand_below(rng, 2);
    d->flag_toggle = test_rand_below(rng, 2);
    for (unsigned i = 0; i < 4; i++)
        d->user[i] = u->slots[x].user[i] >= 0 && test_rand_below(rng, 2);
}

static void random_domain(struct test_rng *rng, struct pc_unit *u, unsigned x)
{
    struct pc_domain *d = &u->state.domain[x];
    bool quad = u->chip->features & PC_F_QUAD, imports = test_rand_below(rng, 10) == 0;

    for (unsigned i = 0; i < PC_INPUTS; i++) {
        d->src[i] = 0;
        for (unsigned k = 0; k < 4; k++)
            d->src[i] |= signal_number(rng, u, x, imports) << (8 * k);
        d->op[i] = (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : 0x1fffff);
        if (test_rand_below(rng, 5) == 0)
            d->op[i] = test_rand_below(rng, 2) ? 0x8000 : 0;
    }
    d->control.mode = test_rand_below(rng, 12) == 0     ? PC_MODE_NONE
                      : quad && test_rand_below(rng, 2) ? PC_MODE_QUAD
                                                        : PC_MODE_SINGLE;
    d->control.ctr_mode =
        (uint8_t)(test_rand_below(rng, 2) ? PC_CTR_SIMPLE : test_rand_below(rng, PC_CTR_NONE + 1));
    d->control.period_all = test_rand_below(rng, 2);
    d->control.periodic = (uint8_t)(u->slots[x].periodic >= 0 ? test_rand_below(rng, 8) : 0);
    d->spec_src = test_rand_below(rng, 3) ? 0xff : signal_number(rng, u, x, imports);
    d->threshold = test_rand_below(rng, 40);
    random_counters(rng, u, &d->visible);
    random_counters(rng, u, &d->shadow);
    random_flops(rng, u, d, x);
}

void random_units(struct test_rng *rng, const struct pc_chip *chip, struct pc_unit **a,
                  struct pc_unit **b)
{
    *a = make_unit(chip);
    *b = make_unit(chip);
    for (unsigned x = 0; x < (*a)->chip->domains; x++)
        random_domain(rng, *a, x);
    (*a)->options.halted_flag_follows = test_rand_below(rng, 4) == 0;
    (*a)->options.import_register = test_rand_below(rng, 16) == 0;
    (*b)->options = (*a)->options;
    (*b)->state = (*a)->state;
}
