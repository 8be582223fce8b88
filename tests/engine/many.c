/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run_many() leaves each unit as pc_unit_run() does: random units of one chip, of which
 * some take turns and some cannot, with writes in between and packets.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "equal_record.h"
#include "random_unit.h"

enum { MANY = 9, CYCLES = 120000, WORDS = CYCLES / 64 + 2, PLANES = 24, WRITES = 3 };

static uint64_t pool[PLANES][WORDS];

struct trial {
    struct pc_unit *many[MANY], *one[MANY];
    struct equal_sink many_sink[MANY], one_sink[MANY];
    const uint64_t *plane[PC_MAX_SIGNALS];
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    struct pc_run_write write[WRITES];
    struct pc_run run;
};

static void open_trial(struct test_rng *rng, struct trial *t)
{
    const struct pc_chip *chip = random_chip(rng);

    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < MANY; i++) {
        random_units(rng, chip, &t->many[i], &t->one[i]);
        equal_record(rng, t->many[i], t->one[i], &t->many_sink[i], &t->one_sink[i]);
    }
    for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
        t->plane[s] = test_rand_below(rng, 8) ? pool[test_rand_below(rng, PLANES)] : NULL;
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        t->domain[x] = (struct pc_run_domain){ .plane = t->plane,
                                               .still = x > 0 && test_rand_below(rng, 6) != 0 };
    t->run = (struct pc_run){ .domain = t->domain,
                              .cycles = test_rand_below(rng, 3) ? test_rand_below(rng, CYCLES)
                                                                : test_rand_below(rng, 2000),
                              .write = t->write,
                              .writes = test_rand_below(rng, 2) ? 0 : WRITES };
    for (unsigned i = 0; i < t->run.writes; i++)
        t->write[i] = (struct pc_run_write){ .cycle = i * (t->run.cycles / 2),
                                             .address = 0xa400 + 4 * test_rand_below(rng, 256),
                                             .value = (uint32_t)test_rand(rng) };
}

static bool compare(const struct trial *t)
{
    for (unsigned i = 0; i < MANY; i++)
        if (memcmp(&t->many[i]->state, &t->one[i]->state, sizeof t->one[i]->state) != 0 ||
            !equal_sinks(&t->many_sink[i], &t->one_sink[i]))
            return false;
    return true;
}

static void many_equal_one(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(17, &seed);
    struct pc_engine *engine;
    struct pc_error err;

    (void)state;
    for (unsigned p = 0; p < PLANES; p++)
        for (unsigned w = 0; w < WORDS; w++) {
            pool[p][w] = test_rand(&rng);
            for (unsigned i = 0; i < 2 * (p % 6); i++)
                pool[p][w] &= test_rand(&rng);
        }
    test_ok(pc_engine_create(NULL, &engine, &err), &err);
    for (unsigned n = 0; n < (test_long() ? 3000u : 40u); n++) {
        struct trial t;
        open_trial(&rng, &t);
        if (n % 8 == 0)
            pc_unit_run_many(t.many, MANY, engine, &t.run);
        else
            eg_run_many(t.many, MANY, engine, &t.run, 1 + test_rand_below(&rng, 600));
        for (unsigned i = 0; i < MANY; i++)
            pc_unit_run(t.one[i], engine, &t.run);
        if (!compare(&t))
            fail_msg("PC_SEED=%llu trial %u", (unsigned long long)seed, n);
        for (unsigned i = 0; i < MANY; i++) {
            pc_unit_destroy(t.many[i]);
            pc_unit_destroy(t.one[i]);
        }
    }
    pc_engine_destroy(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(many_equal_one) };

    return cmocka_run_group_tests_name("engine_many", tests, NULL, NULL);
}
