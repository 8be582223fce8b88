/* SPDX-License-Identifier: MIT */
/*
 * Several domains that send packets to one memory, and domains that a fault hangs: pc_unit_run()
 * equals pc_unit_step(), packets in their order included, whatever the memory answers.  Most of it
 * must go wide all the same.  PC_TEST_LONG: twenty times as many cycles.
 */
#include "equal.h"

#include <stdio.h>

enum { CYCLES = 1500000 };

static struct equal_pool pool;

/* Is there an order of packets to be kept, or a domain that may hang? */
static bool is_wanted(const struct equal_trial *t)
{
    unsigned senders = 0;
    bool hangs = t->wide->options.record_fault == PC_FAULT_HANG;

    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        senders += !t->domain[x].still && pc_sends(&t->wide->state.domain[x]);
    return senders > 0 && (hangs || (senders > 1 && t->wide->mem_write));
}

static void begin(struct test_rng *rng, struct equal_trial *t)
{
    equal_begin(rng, &pool, t);
    while (!is_wanted(t)) {
        equal_end(t);
        equal_begin(rng, &pool, t);
    }
}

static void packets_equal_step(void **state)
{
    uint64_t limit = (uint64_t)CYCLES * (test_long() ? 20 : 1), seed;
    struct test_rng rng = test_rng_start(91, &seed);
    struct pc_engine *engine = equal_engine(NULL);
    uint64_t cycles = 0, domains = 0, packets = 0, wide = engine->wide_cycles;
    unsigned trials = 0, hung = 0;
    struct equal_trial t;

    (void)state;
    equal_fill(&rng, &pool);
    while (cycles < limit) {
        begin(&rng, &t);
        pc_unit_run(t.wide, engine, &t.run);
        equal_step(t.step, &t.run);
        equal_compare(&t, seed, trials++);
        cycles += t.run.cycles;
        domains += equal_domain_cycles(&t);
        packets += t.wide_sink.packets;
        for (unsigned x = 0; x < t.wide->chip->domains; x++)
            hung += pc_hangs(t.wide, &t.wide->state.domain[x]);
        equal_end(&t);
    }
    wide = engine->wide_cycles - wide;
    printf("%u trials, %llu cycles; of %llu cycles of domains %llu went wide; %llu packets; %u "
           "domains hung\n",
           trials, (unsigned long long)cycles, (unsigned long long)domains,
           (unsigned long long)wide, (unsigned long long)packets, hung);
    assert_true(wide > domains * 3 / 4);
    assert_true(packets > 10000);
    assert_true(hung > 0);
    pc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(packets_equal_step) };

    return cmocka_run_group_tests_name("engine_packets", tests, NULL, NULL);
}
