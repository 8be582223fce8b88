/* SPDX-License-Identifier: MIT */
/*
 * The device's time: N cycles at once are N times one cycle, whatever the clocks, what plays,
 * pulses and accesses in between.  One cycle goes instant by instant.  PC_TEST_LONG: forty times as
 * many trials.
 */
#include "device_pair.h"

#include "model/engine/engine.h"
#include "model/gpu/gpu.h"

static const char *const chips[] = { "NV10", "NV40", "G80", "G84", "GT215", "GF100", "GK104" };

enum { TRIALS = 10, LONG_TRIALS = 400, COMMANDS = 20, MOST = 4000 };

static enum pc_status set_level(struct pc_gpu *gpu, const uint32_t *with)
{
    return pc_gpu_set(gpu, with[0], with[1], with[2] & 1, NULL);
}

static enum pc_status play(struct pc_gpu *gpu, const uint32_t *with)
{
    static uint8_t levels[8000];
    uint32_t state = with[3];

    for (unsigned i = 0; i < sizeof levels; i++, state = state * 1664525 + 1013904223)
        levels[i] = state >> 29 == 0 || (with[2] & 1 && state >> 31);
    return pc_gpu_play(gpu, with[0], with[1], levels, 1 + with[2] % sizeof levels, NULL);
}

static void stimulate(struct test_rng *rng, struct pair *p)
{
    for (unsigned i = 0; i < 12; i++) {
        const uint32_t with[] = { test_rand_below(rng, p->domains), test_rand_below(rng, 8),
                                  (uint32_t)test_rand(rng), (uint32_t)test_rand(rng) };
        pair_both(p, test_rand_below(rng, 3) ? play : set_level, with);
    }
}

static void begin(struct test_rng *rng, struct pair *p)
{
    pair_begin(p, chips[test_rand_below(rng, sizeof chips / sizeof chips[0])]);
}

static void much_time_is_many_cycles(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(90, &seed);
    uint64_t wide = 0;

    (void)state;
    unsigned trials = test_long() ? LONG_TRIALS : TRIALS;
    for (unsigned i = 0; i < trials; i++) {
        struct pair p;
        begin(&rng, &p);
        if (test_rand_below(&rng, 2))
            pair_random_clocks(&rng, &p);
        pair_random_program(&rng, &p);
        for (unsigned k = 0; k < COMMANDS; k++) {
            switch (test_rand_below(&rng, 6)) {
            case 0:
                stimulate(&rng, &p);
                break;
            case 1:
                pc_gpu_pulse(p.fast, PC_PULSE_PM_TRIGGER);
                pc_gpu_pulse(p.slow, PC_PULSE_PM_TRIGGER);
                break;
            case 2:
                pair_random_access(&rng, &p);
                break;
            default:
                pair_run(&rng, &p, MOST);
                break;
            }
            pair_compare(&p, seed, i);
        }
        wide += p.fast->engine->wide_cycles;
        pair_end(&p);
    }
    assert_true(wide > (uint64_t)trials * MOST / 2);
}

/* --- time from outside --- */

/* pc_gpu_edges() is pc_gpu_edge() of each instant. */
static void many_instants_are_each(void **state)
{
    static struct outside o;
    uint64_t seed, wide = 0, instants = 0;
    struct test_rng rng = test_rng_start(96, &seed);

    (void)state;
    for (unsigned i = 0; i < (test_long() ? LONG_TRIALS : TRIALS); i++) {
        struct pair p;
        begin(&rng, &p);
        pair_random_program(&rng, &p);
        for (unsigned k = 0; k < COMMANDS; k++) {
            if (test_rand_below(&rng, 8) == 0)
                stimulate(&rng, &p);
            if (test_rand_below(&rng, 4) == 0)
                pair_random_access(&rng, &p);
            outside_random(&rng, &p, 2, &o);
            outside_run(&p, &o);
            pair_compare(&p, seed, i);
            instants += o.instants;
        }
        wide += p.fast->engine->wide_cycles;
        pair_end(&p);
    }
    assert_true(wide > instants / 4);
}

/* A day of a 1 GHz clock */
static void a_long_time(void **state)
{
    struct pc_gpu_desc desc = { .chip = pc_chip_find("G84") };
    struct pc_gpu *gpu;
    struct pc_error err;

    (void)state;
    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    pc_gpu_write32(gpu, 0xa7c4, 1);      /* CTRL[1]: quad */
    pc_gpu_write32(gpu, 0xa4a4, 0xffff); /* EVENT_OP[1]: always */
    test_ok(pc_gpu_run(gpu, 1, UINT64_C(86400) * 1000 * 1000 * 1000, &err), &err);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 1), UINT64_C(86400) * 1000 * 1000 * 1000 + 2);
    pc_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(much_time_is_many_cycles),
        cmocka_unit_test(many_instants_are_each),
        cmocka_unit_test(a_long_time),
    };

    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
