/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run() equals pc_unit_step(), whatever the kernel: whole states are compared, byte by
 * byte, and the seed is printed.  A part of the test (`k/n` on the command line) has numbers of
 * its own and its share of the cycles: all parts and kernels together have 10^7, and 10^9 with
 * PC_TEST_LONG, of every chip, mode and state.  The other tests come to these on top.
 */
#include "equal.h"

#include <stdio.h>
#include <stdlib.h>

/* Shares are held to their bounds from so many cycles on: a small part can miss one by chance. */
enum { ALL_CYCLES = 10000000, ENOUGH_CYCLES = 2000000 };

static struct equal_part part;
static struct equal_pool pool;

static const char *const kernels[] = { "portable", "avx2" };
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

struct totals {
    uint64_t cycles, domains, wide, clocked, packets;
    unsigned trials;
};

/* Nothing goes faster than what is explained beforehand. */
static void check_explanation(const struct equal_trial *t, const bool said[2], bool wide)
{
    if (t->run.writes == 0)
        assert_true(!wide || said[PC_RUN_WIDE]);
}

static void one_trial(struct test_rng *rng, struct pc_engine *engine, uint64_t seed,
                      struct totals *sum)
{
    const uint64_t wide = engine->wide_cycles;
    bool said[2] = { false, false };
    struct equal_trial t;
    const char *why;

    equal_begin(rng, &pool, &t);
    equal_blocks(rng, engine);
    t.wide->options.import_register = t.step->options.import_register =
        test_rand_below(rng, 32) == 0;
    for (unsigned x = 0; x < t.wide->chip->domains; x++)
        said[pc_run_explain(t.wide, &t.run, x, &why)] = true;
    pc_unit_run(t.wide, engine, &t.run);
    equal_step(t.step, &t.run);
    equal_compare(&t, seed, sum->trials++);
    check_explanation(&t, said, engine->wide_cycles > wide);
    sum->cycles += t.run.cycles;
    sum->domains += equal_domain_cycles(&t);
    sum->wide += engine->wide_cycles - wide;
    sum->clocked += t.clocks ? engine->wide_cycles - wide : 0;
    sum->packets += t.wide_sink.packets;
    equal_end(&t);
}

static unsigned usable_kernels(void)
{
    const struct pc_kernel *k;
    unsigned n = 0;

    for (size_t i = 0; (k = pc_kernel_at(i)) != NULL; i++)
        n += k->usable();
    return n;
}

/* The trials meet everything. */
static void check_shares(const struct totals *sum)
{
    assert_true(sum->wide > sum->domains / 2);
    assert_true(sum->clocked > sum->domains / 20);
    assert_true(sum->packets > 0);
}

/* The kernels that this CPU has share the cycles. */
static void run_equals_step(void **state)
{
    unsigned kernel = (unsigned)(uintptr_t)*state;
    uint64_t limit = (uint64_t)ALL_CYCLES * (test_long() ? 100 : 1);
    uint64_t seed;
    struct test_rng rng = test_rng_start(5, &seed);
    struct pc_engine *engine = equal_engine(kernels[kernel]);
    struct totals sum = { 0 };

    if (!engine)
        skip();
    test_rng_stream(&rng, KERNELS * part.part + kernel);
    limit /= part.parts * usable_kernels();
    equal_fill(&rng, &pool);
    while (sum.cycles < limit)
        one_trial(&rng, engine, seed, &sum);
    printf("%s: %u trials, %llu cycles; of %llu cycles of domains %llu went wide, %llu of them "
           "with several clocks; %llu packets\n",
           kernels[kernel], sum.trials, (unsigned long long)sum.cycles,
           (unsigned long long)sum.domains, (unsigned long long)sum.wide,
           (unsigned long long)sum.clocked, (unsigned long long)sum.packets);
    if (sum.cycles >= ENOUGH_CYCLES)
        check_shares(&sum);
    pc_engine_destroy(engine);
}

static void kernels_by_name(void **state)
{
    struct pc_engine_desc desc = { .kernel = "mmx" };
    struct pc_engine *engine = equal_engine("portable");
    struct pc_error err;

    (void)state;
    assert_string_equal(engine->kernel->name, "portable");
    pc_engine_destroy(engine);
    assert_int_equal(pc_engine_create(&desc, &engine, &err), PC_EARG);
}

static void ones_of_planes(void **state)
{
    enum { WORDS = 1000 };
    static uint64_t plane[WORDS];
    uint64_t seed, expected = 0;
    struct test_rng rng = test_rng_start(11, &seed);

    (void)state;
    for (size_t i = 0; i < WORDS; i++)
        plane[i] = i % 7 == 0 ? UINT64_MAX : test_rand(&rng);
    for (size_t words = 0; words <= WORDS; words++) {
        assert_int_equal(pc_plane_ones(plane, words), expected);
        for (unsigned bit = 0; words < WORDS && bit < 64; bit++)
            expected += plane[words] >> bit & 1;
    }
}

int main(int argc, char **argv)
{
    static void *const number[KERNELS] = { (void *)0, (void *)1 };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_by_name),
        cmocka_unit_test(ones_of_planes),
        { "portable", run_equals_step, NULL, NULL, number[0] },
        { "avx2", run_equals_step, NULL, NULL, number[1] },
    };

    part = equal_part(argc, argv);
    return cmocka_run_group_tests_name("engine_equal", tests, NULL, NULL);
}
