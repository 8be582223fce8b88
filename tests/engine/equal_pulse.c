/* SPDX-License-Identifier: MIT */
/*
 * Pulses that come late: what a pulse leaves in a delayed argument must be forgotten before words
 * of cycles are taken at once, in whatever cycle it came, by any clock.
 */
#include <string.h>

#include "equal.h"

enum { CYCLES = 1200, LONG_CYCLES = 6000 };

static const char *const chips[] = { "NV20", "NV30", "NV40", "G84", "GF100" };
static struct equal_pool pool;

/* Every input is its first source delayed, which is PM_TRIGGER, or a USER signal where there is
 * one. */
static void look_back(struct equal_trial *t, bool user)
{
    for (unsigned x = 0; x < t->wide->chip->domains; x++) {
        const struct pc_slots *slots = &t->wide->slots[x];
        struct pc_domain *d = &t->wide->state.domain[x];
        int slot = user && slots->user[0] >= 0 ? slots->user[0] : slots->pm_trigger;
        for (unsigned i = 0; i < PC_INPUTS && slot >= 0; i++) {
            d->src[i] = (d->src[i] & UINT32_C(0xffffff00)) | (uint32_t)slot;
            if (i != PC_IN_CLRFLAG)
                d->op[i] = UINT32_C(1) << 16 | 0xaaaa;
        }
        d->user[0] = d->user_pulse[0] = user && slots->user[0] >= 0;
        d->control.mode = t->chip->features & PC_F_QUAD ? PC_MODE_QUAD : PC_MODE_SINGLE;
        d->control.ctr_mode = PC_CTR_SIMPLE;
        d->spec_src = 0;
        t->domain[x].edge = NULL;
        t->domain[x].still = false;
    }
    t->run.cycles = CYCLES;
    t->run.writes = 0;
}

static void run_and_compare(struct equal_trial *t, struct pc_engine *engine, uint64_t seed,
                            unsigned number)
{
    equal_connect(t);
    pc_unit_run(t->wide, engine, &t->run);
    equal_step(t->step, &t->run);
    equal_compare(t, seed, number);
    equal_end(t);
}

static void in_any_cycle(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(63, &seed);
    struct pc_engine *engine = equal_engine(NULL);

    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++)
        for (unsigned delay = 0; delay < 64; delay++) {
            struct equal_trial t;
            equal_begin_on(&rng, &pool, chips[c], &t);
            look_back(&t, false);
            pc_unit_pulse(t.wide, PC_PULSE_PM_TRIGGER, delay);
            run_and_compare(&t, engine, seed, delay);
        }
    assert_true(engine->wide_cycles > 0);
    pc_engine_destroy(engine);
}

/* The first domain's clock is slow; a delay of n cycles is n times as long there. */
static void by_any_clock(void **state)
{
    static uint64_t edge[LONG_CYCLES / 64 + 2];
    uint64_t seed;
    struct test_rng rng = test_rng_start(64, &seed);
    struct pc_engine *engine = equal_engine(NULL);

    (void)state;
    for (unsigned period = 2; period < 80; period++) {
        struct equal_trial t;
        memset(edge, 0, sizeof edge);
        for (unsigned i = test_rand_below(&rng, period); i < LONG_CYCLES; i += period)
            edge[i / 64] |= UINT64_C(1) << (i % 64);
        equal_begin_on(&rng, &pool, chips[1 + test_rand_below(&rng, 4)], &t);
        look_back(&t, period & 1);
        t.domain[0].edge = edge;
        t.run.cycles = LONG_CYCLES;
        pc_unit_pulse(t.wide, PC_PULSE_PM_TRIGGER, test_rand_below(&rng, 64));
        run_and_compare(&t, engine, seed, period);
    }
    pc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_any_cycle),
        cmocka_unit_test(by_any_clock),
    };
    uint64_t seed;
    struct test_rng rng = test_rng_start(66, &seed);

    equal_fill(&rng, &pool);
    return cmocka_run_group_tests_name("engine_pulse", tests, NULL, NULL);
}
