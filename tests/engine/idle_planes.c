/* SPDX-License-Identifier: MIT */
/*
 * The idle counters over planes are the idle counters clock by clock: random masks, modes,
 * options, wires from always idle to never, cut at random clocks, with clears in between.
 */
#include "test.h"

#include <string.h>

enum { WORDS = 150, COUNTERS = 8 };

static const char *const OPTIONS[][2] = {
    { "idle-not-all", "cleared" },
    { "idle-overflow", "saturate" },
    { "idle-absent", "idle" },
};

static struct pc_idle *make(const char *chip, unsigned options)
{
    struct pc_idle_desc desc = { .chip = pc_chip_find(chip) };
    struct pc_idle *idle = NULL;
    struct pc_error err;

    test_ok(pc_idle_create(&desc, &idle, &err), &err);
    for (unsigned i = 0; i < 3; i++)
        if (options >> i & 1)
            test_ok(pc_idle_option(idle, OPTIONS[i][0], OPTIONS[i][1], &err), &err);
    return idle;
}

static void write_both(struct pc_idle *const idle[2], uint32_t address, uint32_t value)
{
    for (unsigned i = 0; i < 2; i++)
        assert_true(pc_idle_write(idle[i], PC_IDLE_HOST, address, value));
}

static void must_agree(struct pc_idle *const idle[2], uint64_t seed)
{
    for (uint32_t address = 0x10a500; address < 0x10a600; address += 4) {
        uint32_t a, b;
        const bool there = pc_idle_read(idle[0], PC_IDLE_HOST, address, &a);
        assert_int_equal(pc_idle_read(idle[1], PC_IDLE_HOST, address, &b), there);
        if (a != b)
            fail_msg("%x: %x by planes, %x by clocks (PC_SEED=%llu)", address, a, b,
                     (unsigned long long)seed);
    }
    assert_int_equal(pc_idle_overflowed(idle[0]), pc_idle_overflowed(idle[1]));
}

static uint64_t random_word(struct test_rng *rng, unsigned kind)
{
    const uint64_t a = test_rand(rng), b = test_rand(rng), c = test_rand(rng);

    switch (kind) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return a & b & c;
    case 3:
        return a | b | c;
    default:
        return a;
    }
}

static void one_unit(struct test_rng *rng, const char *chip, uint64_t seed)
{
    static uint64_t memory[32][WORDS];
    const unsigned options = test_rand_below(rng, 8);
    struct pc_idle *const idle[2] = { make(chip, options), make(chip, options) };
    const uint64_t *plane[32];

    for (unsigned b = 0; b < 32; b++) {
        const unsigned kind = test_rand_below(rng, 6);
        for (unsigned w = 0; w < WORDS; w++)
            memory[b][w] = random_word(rng, kind);
        plane[b] = test_rand_below(rng, 5) ? memory[b] : NULL;
    }
    for (unsigned i = 0; i < COUNTERS; i++) /* some come near their end */
        write_both(idle, 0x10a50c + 0x10 * i, test_rand_below(rng, 2) ? PC_IDLE_ALWAYS : 0);
    pc_idle_run(idle[0], 0, 0x7fffff00);
    pc_idle_run(idle[1], 0, 0x7fffff00);
    for (uint64_t at = test_rand_below(rng, 70); at < WORDS * 64;) {
        const unsigned i = test_rand_below(rng, COUNTERS);
        const uint64_t left = WORDS * 64 - at, n = test_rand_below(rng, 2)
                                                       ? test_rand_below(rng, 130)
                                                       : test_rand_below(rng, (uint32_t)left + 1);
        const uint64_t cycles = n < left ? n : left;
        write_both(idle, 0x10a504 + 0x10 * i,
                   (uint32_t)(test_rand(rng) & test_rand(rng) & test_rand(rng) & test_rand(rng)));
        write_both(idle, 0x10a50c + 0x10 * i, test_rand_below(rng, 4));
        write_both(idle, 0x10a508 + 0x10 * i, test_rand_below(rng, 2) ? 0x80000000 : 0);
        pc_idle_run_planes(idle[0], plane, at, cycles);
        for (uint64_t t = at; t < at + cycles; t++) {
            uint32_t wires = 0;
            for (unsigned b = 0; b < 32; b++)
                if (plane[b])
                    wires |= (uint32_t)(plane[b][t / 64] >> t % 64 & 1) << b;
            pc_idle_run(idle[1], wires, 1);
        }
        must_agree(idle, seed);
        at += cycles ? cycles : 1;
    }
    pc_idle_destroy(idle[0]);
    pc_idle_destroy(idle[1]);
}

static void planes_are_clocks(void **state)
{
    static const char *const CHIPS[] = { "GF100", "GF119", "GK104", "GK20A" };
    uint64_t seed;
    struct test_rng rng = test_rng_start(3, &seed);

    (void)state;
    for (unsigned i = 0; i < 400; i++)
        one_unit(&rng, CHIPS[i % 4], seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(planes_are_clocks) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
