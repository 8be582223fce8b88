/* SPDX-License-Identifier: MIT */
/*
 * The ends of stretches by the live step: runs of few cycles, one after the other, each with
 * planes of its own, of signals in all words, with writes and pulses before and in it; the whole
 * state is held to the step's after each of them, and when packets were sent to when they are due.
 * Domains have one clock, and in half of the trials they do not look at each other, so that they
 * can go by the live step.  PC_TEST_LONG: fifty times as many.
 */
#include "equal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 300, RUNS = 24, MOST = 700, MOST_WORDS = MOST / 64 + 2, HIGH = 12 };

static struct equal_pool pool;

static const char *const kernels[] = { "portable", "avx2" };
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* --- packets: in which cycle, by the engine and by the law --- */

struct clock {
    struct pc_engine *engine; /* NULL: `cycle` */
    uint64_t cycle[PC_MAX_DOMAINS], digest, packets;
};

static enum pc_mem_result note(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                               size_t size)
{
    struct clock *c = ctx;
    uint64_t cycle = c->engine ? pc_engine_packet_cycle(c->engine, domain) : c->cycle[domain];

    c->digest = (c->digest ^ cycle ^ address << 20) * UINT64_C(0x100000001b3) + domain;
    for (size_t i = 0; i < size; i++)
        c->digest = (c->digest ^ data[i]) * UINT64_C(0x100000001b3);
    c->packets++;
    return c->packets % 29 == 0 ? PC_MEM_FAULT : PC_MEM_OK;
}

/* --- a trial --- */

/* Some selectors look at signals of all words. */
static void look_up(struct test_rng *rng, struct equal_trial *t)
{
    for (unsigned x = 0; x < t->wide->chip->domains; x++)
        for (unsigned i = 0; i < HIGH; i++) {
            unsigned signal = test_rand_below(rng, PC_MAX_SIGNALS), k = test_rand_below(rng, 16);
            struct pc_domain *d = &t->wide->state.domain[x];
            t->plane[x][signal] = pool.plane[test_rand_below(rng, EQUAL_PLANES)];
            if (t->wide->slots[x].raw[signal / 64] >> (signal % 64) & 1 && test_rand_below(rng, 2))
                d->src[k / 4] =
                    (d->src[k / 4] & ~(UINT32_C(0xff) << 8 * (k % 4))) | signal << 8 * (k % 4);
        }
}

static void begin(struct test_rng *rng, struct equal_trial *t)
{
    equal_begin(rng, &pool, t);
    look_up(rng, t);
    t->step->state = t->wide->state;
    t->clocks = test_rand_below(rng, 4) == 0;
    const uint64_t *edge = t->clocks ? pool.clock[test_rand_below(rng, EQUAL_CLOCKS)] : NULL;
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        t->domain[x].edge = edge;
}

/* The run's signals and clock begin somewhere in the pool. */
static void some_where(struct test_rng *rng, const struct equal_trial *t, struct pc_run_domain *out,
                       const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS])
{
    const size_t at = test_rand_below(rng, EQUAL_WORDS - MOST_WORDS);

    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        out[x] = t->domain[x];
        out[x].edge = t->domain[x].edge ? t->domain[x].edge + at : NULL;
        out[x].plane = plane[x];
        for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
            plane[x][s] = t->plane[x][s] ? t->plane[x][s] + at : NULL;
    }
}

static void some_writes(struct test_rng *rng, const struct equal_trial *t, struct pc_run *run,
                        struct pc_run_write *write)
{
    uint64_t cycle = 0;

    run->write = write;
    run->writes = test_rand_below(rng, 3) ? 0 : test_rand_below(rng, EQUAL_WRITES + 1);
    for (size_t i = 0; i < run->writes; i++) {
        struct pc_reg_info reg;
        cycle += test_rand_below(rng, (uint32_t)(run->cycles / 3 + 2));
        write[i].cycle = cycle;
        if (pc_reg_enum(t->chip, test_rand_below(rng, 60), &reg) != PC_OK)
            reg.address = 0xa400;
        write[i].address = reg.address;
        write[i].value = (uint32_t)test_rand(rng) & (test_rand_below(rng, 2) ? 0xffff : UINT32_MAX);
    }
}

/* --- many short runs --- */

static void one_run(struct test_rng *rng, struct equal_trial *t, struct pc_engine *engine,
                    struct clock *law)
{
    static const uint64_t *plane[PC_MAX_DOMAINS][PC_MAX_SIGNALS];
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    struct pc_run_write write[EQUAL_WRITES];

    t->run.domain = domain;
    t->run.cycles = test_rand_below(rng, test_rand_below(rng, 2) ? 150 : MOST);
    some_where(rng, t, domain, plane);
    some_writes(rng, t, &t->run, write);
    if (test_rand_below(rng, 8) == 0) {
        uint32_t delay = test_rand_below(rng, 64);
        pc_unit_pulse(t->wide, PC_PULSE_PM_TRIGGER, delay);
        pc_unit_pulse(t->step, PC_PULSE_PM_TRIGGER, delay);
    }
    pc_unit_run(t->wide, engine, &t->run);
    equal_step_telling(t->step, &t->run, law->cycle);
}

static void one_trial(struct test_rng *rng, struct pc_engine *engine, uint64_t seed,
                      unsigned number, uint64_t *cycles, uint64_t *packets)
{
    struct clock fast = { .engine = engine }, law = { .engine = NULL };
    struct equal_trial t;

    begin(rng, &t);
    t.wide->mem_write = t.step->mem_write = note;
    t.wide->mem_ctx = &fast;
    t.step->mem_ctx = &law;
    for (unsigned i = 0; i < RUNS; i++) {
        one_run(rng, &t, engine, &law);
        equal_compare(&t, seed, number);
        assert_int_equal(fast.packets, law.packets);
        assert_int_equal(fast.digest, law.digest);
        *cycles += t.run.cycles;
    }
    *packets += law.packets;
    equal_end(&t);
}

static void short_runs(void **state)
{
    const char *kernel = kernels[(uintptr_t)*state];
    uint64_t seed, cycles = 0, packets = 0;
    struct test_rng rng = test_rng_start(38, &seed);
    struct pc_engine *engine = equal_engine(kernel);

    if (!engine)
        skip();
    test_rng_stream(&rng, (unsigned)(uintptr_t)*state);
    equal_fill(&rng, &pool);
    for (unsigned i = 0; i < TRIALS * (test_long() ? 50u : 1u); i++)
        one_trial(&rng, engine, seed, i, &cycles, &packets);
    printf("%s: %llu cycles, %llu of them quick; %llu packets\n", kernel,
           (unsigned long long)cycles, (unsigned long long)engine->quick_cycles,
           (unsigned long long)packets);
    assert_true(engine->quick_cycles > cycles / 8);
    assert_true(packets > 100);
    pc_engine_destroy(engine);
}

int main(void)
{
    static void *const number[KERNELS] = { (void *)0, (void *)1 };
    const struct CMUnitTest tests[] = {
        { "portable", short_runs, NULL, NULL, number[0] },
        { "avx2", short_runs, NULL, NULL, number[1] },
    };

    return cmocka_run_group_tests_name("engine_quick", tests, NULL, NULL);
}
