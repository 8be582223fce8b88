/* SPDX-License-Identifier: MIT */
/*
 * The device's time: N cycles at once are N times one cycle, whatever the clocks, what plays,
 * pulses and accesses in between.  One cycle goes instant by instant.  PC_TEST_LONG: forty times as
 * many trials.
 */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "model/gpu.h"
#include "pcounter/pcounter.h"

enum { TRIALS = 10, LONG_TRIALS = 1000, COMMANDS = 20, MOST = 4000 };

static const char *const chips[] = { "NV10", "NV40", "G80", "G84", "GT215", "GF100", "GK104" };

struct pair {
    struct pc_gpu *fast, *slow;
    const struct pc_chip *chip;
    unsigned domains;
};

static void begin(struct test_rng *rng, struct pair *p)
{
    p->chip = pc_chip_find(chips[test_rand_below(rng, sizeof chips / sizeof chips[0])]);
    struct pc_gpu_desc desc = { .chip = p->chip };
    struct pc_error err;

    test_ok(pc_gpu_create(&desc, &p->fast, &err), &err);
    test_ok(pc_gpu_create(&desc, &p->slow, &err), &err);
    p->domains = pc_gpu_domain_count(p->fast);
}

static void end(struct pair *p)
{
    pc_gpu_destroy(p->fast);
    pc_gpu_destroy(p->slow);
}

static void both(struct pair *p, enum pc_status (*change)(struct pc_gpu *, const uint32_t *),
                 const uint32_t *with)
{
    assert_int_equal(change(p->fast, with), change(p->slow, with));
}

static enum pc_status set_clock(struct pc_gpu *gpu, const uint32_t *with)
{
    return pc_gpu_clock(gpu, with[0], with[1], with[2], NULL);
}

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

static void random_clocks(struct test_rng *rng, struct pair *p)
{
    for (unsigned x = 0; x < p->domains; x++) {
        const uint32_t with[] = { x, 1 + test_rand_below(rng, 5), test_rand_below(rng, 4) };
        if (test_rand_below(rng, 2))
            both(p, set_clock, with);
    }
}

/* Quad or another mode, sources that move, tables of any kind. */
static void program(struct test_rng *rng, struct pair *p)
{
    struct pc_reg_info reg;

    for (size_t i = 0; pc_reg_enum(p->chip, i, &reg) == PC_OK; i++) {
        uint32_t value = (uint32_t)test_rand(rng);
        if (strstr(reg.name, "SRC"))
            value &= 0x07070707;
        else if (strstr(reg.name, "OP"))
            value &= 0xffff;
        else if (strcmp(reg.name, "CTRL") == 0)
            value = test_rand_below(rng, 4);
        else if (test_rand_below(rng, 8))
            continue;
        pc_gpu_write32(p->fast, reg.address, value);
        pc_gpu_write32(p->slow, reg.address, value);
    }
}

static void stimulate(struct test_rng *rng, struct pair *p)
{
    for (unsigned i = 0; i < 12; i++) {
        const uint32_t with[] = { test_rand_below(rng, p->domains), test_rand_below(rng, 8),
                                  (uint32_t)test_rand(rng), (uint32_t)test_rand(rng) };
        both(p, test_rand_below(rng, 3) ? play : set_level, with);
    }
}

static void let_run(struct test_rng *rng, struct pair *p)
{
    unsigned domain = test_rand_below(rng, p->domains);
    uint32_t cycles = test_rand_below(rng, MOST);
    struct pc_error err;

    test_ok(pc_gpu_run(p->fast, domain, cycles, &err), &err);
    for (uint32_t i = 0; i < cycles; i++)
        test_ok(pc_gpu_run(p->slow, domain, 1, &err), &err);
}

static void access_both(struct test_rng *rng, struct pair *p)
{
    struct pc_reg_info reg;

    if (pc_reg_enum(p->chip, test_rand_below(rng, 200), &reg) != PC_OK)
        return;
    if (test_rand_below(rng, 2)) {
        uint32_t value = (uint32_t)test_rand(rng);
        pc_gpu_write32(p->fast, reg.address, value);
        pc_gpu_write32(p->slow, reg.address, value);
        return;
    }
    uint32_t read = pc_gpu_read32(p->fast, reg.address);
    assert_int_equal(read, pc_gpu_read32(p->slow, reg.address));
}

static void compare(const struct pair *p, uint64_t seed, unsigned trial)
{
    for (unsigned i = 0; i < p->fast->units; i++)
        if (memcmp(&p->fast->unit[i]->state, &p->slow->unit[i]->state,
                   sizeof p->fast->unit[i]->state) != 0)
            fail_msg("PC_SEED=%llu trial %u: unit %u of %s differs", (unsigned long long)seed,
                     trial, i, p->chip->name);
    assert_int_equal(p->fast->plays, p->slow->plays);
    assert_int_equal(p->fast->idle_cycles, p->slow->idle_cycles);
    for (unsigned x = 0; x < p->domains; x++) {
        assert_int_equal(p->fast->domain[x].next_edge, p->slow->domain[x].next_edge);
        assert_memory_equal(p->fast->domain[x].level, p->slow->domain[x].level,
                            sizeof p->fast->domain[x].level);
    }
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
            random_clocks(&rng, &p);
        program(&rng, &p);
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
                access_both(&rng, &p);
                break;
            default:
                let_run(&rng, &p);
                break;
            }
            compare(&p, seed, i);
        }
        wide += p.fast->engine->wide_cycles;
        end(&p);
    }
    assert_true(wide > (uint64_t)trials * MOST / 2);
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
        cmocka_unit_test(a_long_time),
    };

    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
