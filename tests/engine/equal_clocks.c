/* SPDX-License-Identifier: MIT */
/*
 * Domains with different clocks that look at each other's EVENT and FLAG are stepped, as long as
 * their registers say so: pc_unit_run() equals pc_unit_step().  PC_TEST_LONG: twenty times as many
 * cycles.
 */
#include "equal.h"

#include <stdio.h>

enum { CYCLES = 500000 };

static struct equal_pool pool;

/* Domains of the trial that look at one with another clock, as its registers are at first */
static uint32_t mixed(const struct equal_trial *t)
{
    struct eg_picks picks;
    uint32_t mask = 0, found = 0;

    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        mask |= (uint32_t)!t->domain[x].still << x;
    eg_picks_make(&picks, t->wide, mask);
    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        for (unsigned y = 0; y < t->wide->chip->domains; y++)
            if (picks.looks[x] >> y & 1 && t->domain[x].edge != t->domain[y].edge)
                found |= 1u << x;
    return found;
}

static void begin(struct test_rng *rng, struct equal_trial *t)
{
    equal_begin(rng, &pool, t);
    while (mixed(t) == 0) {
        equal_end(t);
        equal_begin(rng, &pool, t);
    }
}

static void explained(const struct equal_trial *t)
{
    uint32_t domains = mixed(t);
    const char *why;

    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        if (domains >> x & 1)
            assert_int_equal(pc_run_explain(t->wide, &t->run, x, &why), PC_RUN_STEP);
}

static void clocks_equal_step(void **state)
{
    uint64_t limit = (uint64_t)CYCLES * (test_long() ? 20 : 1), seed;
    struct test_rng rng = test_rng_start(92, &seed);
    struct pc_engine *engine = equal_engine(NULL);
    uint64_t cycles = 0, domains = 0, packets = 0;
    unsigned trials = 0;
    struct equal_trial t;

    (void)state;
    equal_fill(&rng, &pool);
    while (cycles < limit) {
        begin(&rng, &t);
        explained(&t);
        pc_unit_run(t.wide, engine, &t.run);
        equal_step(t.step, &t.run);
        equal_compare(&t, seed, trials++);
        cycles += t.run.cycles;
        domains += equal_domain_cycles(&t);
        packets += t.wide_sink.packets;
        equal_end(&t);
    }
    printf("%u trials, %llu cycles; %llu cycles of domains, %llu packets\n", trials,
           (unsigned long long)cycles, (unsigned long long)domains, (unsigned long long)packets);
    assert_true(packets > 0);
    pc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(clocks_equal_step) };

    return cmocka_run_group_tests_name("engine_clocks", tests, NULL, NULL);
}
