/* SPDX-License-Identifier: MIT */
/*
 * Several domains that send packets to one memory, and domains that a fault hangs: pc_unit_run()
 * equals pc_unit_step(), packets in their order included, whatever the memory answers.  In every
 * other trial one domain alone sends, which goes wide by itself if it can: a block in which it
 * hangs is taken back.  PC_TEST_LONG: twenty times as many cycles.
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

/* Only the first domain that sends is left in a mode that does. */
static void leave_one_sender(struct equal_trial *t)
{
    bool first = true;

    for (unsigned x = 0; x < t->wide->chip->domains; x++) {
        struct pc_domain *d = &t->wide->state.domain[x];
        if (!t->domain[x].still && pc_sends(d) && !first)
            d->control.mode = t->step->state.domain[x].control.mode = PC_MODE_QUAD;
        first = first && (t->domain[x].still || !pc_sends(d));
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
        if (trials % 2)
            leave_one_sender(&t);
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
    assert_true(wide > domains / 4);
    assert_true(packets > 10000);
    assert_true(hung > 0);
    pc_engine_destroy(engine);
}

/* All domains look at signals alone; the first one sends packets, one each few cycles. */
static void send_by_one(struct test_rng *rng, struct equal_trial *t)
{
    for (unsigned x = 0; x < t->wide->chip->domains; x++) {
        struct pc_domain *d = &t->wide->state.domain[x];
        t->domain[x].edge = NULL;
        t->domain[x].still = false;
        for (unsigned i = 0; i < PC_INPUTS; i++) {
            d->src[i] = test_rand_below(rng, 2) ? 0x03020100 : 0x05040706;
            d->op[i] = (uint32_t)test_rand(rng) & 0xffff;
        }
        d->spec_src = 0;
        d->control.mode = x == 0 ? PC_MODE_RECORD : PC_MODE_QUAD;
        d->record_limit = UINT32_MAX;
        d->record = (struct pc_record){ .valid = x == 0 };
    }
    t->wide->state.bound = true;
    t->wide->state.gctrl = 0;
    t->wide->options.record_fault = t->step->options.record_fault = PC_FAULT_HANG;
    t->run.cycles = 40000;
    t->run.writes = 0;
}

/* D-70a: the domain hangs at a packet in the middle of a block, which is taken back. */
static void a_fault_in_a_block(void **state)
{
    uint64_t seed, wide = 0, cycles = 0, hung = 0;
    struct test_rng rng = test_rng_start(94, &seed);
    struct pc_engine *engine = equal_engine(NULL);

    (void)state;
    for (unsigned number = 0; number < 16; number++) {
        struct equal_trial t;
        equal_begin_on(&rng, &pool, "G92", &t);
        send_by_one(&rng, &t);
        equal_connect(&t);
        t.wide_sink.bad = t.step_sink.bad = 1 + test_rand_below(&rng, 1u << number % 12);
        t.wide_sink.answer = t.step_sink.answer = PC_MEM_FAULT;
        wide -= engine->wide_cycles;
        pc_unit_run(t.wide, engine, &t.run);
        wide += engine->wide_cycles;
        equal_step(t.step, &t.run);
        equal_compare(&t, seed, number);
        hung += pc_hangs(t.wide, &t.wide->state.domain[0]);
        cycles += equal_domain_cycles(&t);
        equal_end(&t);
    }
    assert_true(wide > cycles * 3 / 4);
    assert_true(hung > 8);
    pc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(packets_equal_step),
                                        cmocka_unit_test(a_fault_in_a_block) };

    return cmocka_run_group_tests_name("engine_packets", tests, NULL, NULL);
}
