/* SPDX-License-Identifier: MIT */
/*
 * Packets of several units of a GF100+ device into one ring, which fills up, is emptied, bound and
 * unbound: many cycles at once are as many single ones, to the last byte (PC.SYNC, D-75).
 * PC_TEST_LONG: twenty times as many trials.
 */
#include "device_pair.h"

#include <string.h>

#include "model/engine/engine.h"
#include "model/gpu/gpu.h"

enum { TRIALS = 8, LONG_TRIALS = 160, COMMANDS = 12, MOST = 6000 };
enum { CHAN = 0x1b4070, START = 0x1b4074, LIMIT = 0x1b407c, BUMP = 0x1b4088 };
enum { STREAM = 5, ARG0 = 0xaaaa, PERIODIC_SHIFT = 21 };

/* From one packet to thousands */
static uint32_t some_bytes(struct test_rng *rng)
{
    return 32u << test_rand_below(rng, 15);
}

static void random_ring(struct test_rng *rng, struct pair *p)
{
    pair_write(p, START, test_rand_below(rng, 1000) * 32);
    pair_write(p, LIMIT, some_bytes(rng) + 32 * test_rand_below(rng, 2));
    pair_write(p, CHAN, test_rand_below(rng, 8) ? UINT32_C(1) << 31 : 0);
}

/* Where a register's domain has PERIODIC, if it has. */
static bool periodic_of(const struct pair *p, const struct pc_reg_info *reg, uint32_t *signal)
{
    struct pc_gpu_domain_info info;
    unsigned x = 0;

    do
        pc_gpu_get_domain_info(p->fast, x++, &info);
    while (info.set != reg->set || (int)info.domain != reg->domain);
    const struct pc_chip *chip = info.unit->chip;
    for (*signal = 0; *signal < chip->domain[info.domain].size; ++*signal)
        if (pc_chip_signal(chip, info.domain, *signal).kind == PC_SIG_PERIODIC)
            return true;
    return false;
}

/* Most domains stream; most of those send a packet whenever PERIODIC, or a signal, is high. */
static void random_streams(struct test_rng *rng, struct pair *p)
{
    struct pc_reg_info reg;
    uint32_t signal;

    for (size_t i = 0; pc_reg_enum(p->chip, i, &reg) == PC_OK; i++) {
        if (reg.domain < 0)
            continue;
        if (strcmp(reg.name, "CTRL") == 0 && test_rand_below(rng, 4))
            pair_write(p, reg.address, STREAM | test_rand_below(rng, 8) << PERIODIC_SHIFT);
        else if (strcmp(reg.name, "STOP_OP") == 0 && test_rand_below(rng, 16))
            pair_write(p, reg.address, ARG0);
        else if (strcmp(reg.name, "STOP_SRC") == 0 && test_rand_below(rng, 4) &&
                 periodic_of(p, &reg, &signal))
            pair_write(p, reg.address, signal);
    }
}

/* Every unit sends what its clock brings; software takes some of it away, or changes the ring. */
static void time_of_the_device(void **state)
{
    uint64_t seed, wide = 0, packets = 0;
    struct test_rng rng = test_rng_start(97, &seed);

    (void)state;
    for (unsigned i = 0; i < (test_long() ? LONG_TRIALS : TRIALS); i++) {
        struct pair p;
        pair_begin(&p, i % 2 ? "GF100" : "GK104");
        if (test_rand_below(&rng, 2))
            pair_random_clocks(&rng, &p);
        pair_random_program(&rng, &p);
        random_streams(&rng, &p);
        random_ring(&rng, &p);
        for (unsigned k = 0; k < COMMANDS; k++) {
            uint32_t what = test_rand_below(&rng, 8);
            if (what == 0)
                random_ring(&rng, &p);
            else if (what < 4)
                pair_write(&p, BUMP, some_bytes(&rng));
            pair_run(&rng, &p, MOST);
            pair_compare(&p, seed, i);
            packets += p.fast->window.packets;
        }
        wide += p.fast->engine->wide_cycles;
        pair_end(&p);
    }
    print_message("%llu packets, %llu wide cycles\n", (unsigned long long)packets,
                  (unsigned long long)wide);
    assert_true(packets > 0 && wide > 0);
}

/* A packet of every domain in every cycle: more in a window than are kept, so windows shrink until
 * they are not; the ring takes all of them, or a part. */
static void more_than_are_kept(void **state)
{
    struct test_rng rng = test_rng_start(99, NULL);

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct pair p;
        struct pc_reg_info reg;
        uint64_t packets = 0;
        pair_begin(&p, "GF100");
        for (size_t r = 0; pc_reg_enum(p.chip, r, &reg) == PC_OK; r++)
            if (reg.domain >= 0 && strcmp(reg.name, "CTRL") == 0)
                pair_write(&p, reg.address, STREAM);
            else if (reg.domain >= 0 && strcmp(reg.name, "STOP_OP") == 0)
                pair_write(&p, reg.address, 0xffff);
        pair_write(&p, START, 0);
        pair_write(&p, LIMIT, i == 0 ? 32u << 14 : i == 1 ? 32u << 12 : 320);
        pair_write(&p, CHAN, UINT32_C(1) << 31);
        for (unsigned k = 0; k < 2; k++) {
            pair_run(&rng, &p, MOST);
            pair_compare(&p, 99, i);
            packets += pc_gpu_cycle(p.fast, 0) * p.domains;
        }
        assert_true(packets > PC_GPU_PACKETS);
        assert_true(p.fast->pma.bytes > 0);
        pair_end(&p);
    }
}

static void time_from_outside(void **state)
{
    static struct outside o;
    uint64_t seed, wide = 0;
    struct test_rng rng = test_rng_start(98, &seed);

    (void)state;
    for (unsigned i = 0; i < (test_long() ? LONG_TRIALS : TRIALS); i++) {
        struct pair p;
        pair_begin(&p, i % 2 ? "GF100" : "GK104");
        pair_random_program(&rng, &p);
        random_streams(&rng, &p);
        random_ring(&rng, &p);
        for (unsigned k = 0; k < COMMANDS; k++) {
            if (test_rand_below(&rng, 2))
                pair_write(&p, BUMP, some_bytes(&rng));
            outside_random(&rng, &p, test_rand_below(&rng, 9), &o);
            outside_run(&p, &o);
            pair_compare(&p, seed, i);
        }
        wide += p.fast->engine->wide_cycles;
        pair_end(&p);
    }
    print_message("%llu wide cycles\n", (unsigned long long)wide);
    assert_true(wide > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_of_the_device),
        cmocka_unit_test(more_than_are_kept),
        cmocka_unit_test(time_from_outside),
    };

    return cmocka_run_group_tests_name("device_packets", tests, NULL, NULL);
}
