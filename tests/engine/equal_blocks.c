/* SPDX-License-Identifier: MIT */
/*
 * Blocks of the usual length leave a unit as short ones do, which equal.c holds to the step: random
 * units through runs of several such blocks, in which both ways to ask memory are tried (pace.c).
 * PC_TEST_LONG: ten times as many.
 */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "model/engine/engine.h"
#include "equal_record.h"
#include "random_unit.h"

/* After the first blocks, which are timed, comes one that is not, and a part of one. */
enum { TRIALS = 8, PLANES = 16, WORDS = 7 * EG_WORDS + 100 };

static uint64_t pool[PLANES][WORDS];

struct trial {
    struct pc_unit *usual, *shorter;
    struct equal_sink usual_sink, shorter_sink;
    const uint64_t *plane[PC_MAX_SIGNALS];
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    struct pc_run run;
};

/* One half, and rarer and rarer ones. */
static void fill_pool(struct test_rng *rng)
{
    for (unsigned p = 0; p < PLANES; p++)
        for (size_t w = 0; w < WORDS; w++) {
            pool[p][w] = test_rand(rng);
            for (unsigned i = 0; i < p % 4; i++)
                pool[p][w] &= test_rand(rng) & test_rand(rng);
        }
}

static void open_trial(struct test_rng *rng, struct trial *t)
{
    static const uint8_t modes[] = { PC_MODE_SINGLE, PC_MODE_QUAD, PC_MODE_SINGLE };
    const struct pc_chip *chip = pc_chip_find("G84");
    unsigned mode = test_rand_below(rng, 4);

    memset(t, 0, sizeof *t);
    random_units(rng, chip, &t->usual, &t->shorter);
    if (mode < 3) {
        struct pc_domain *d = &t->usual->state.domain[0];
        d->control.mode = modes[mode];
        d->visible.stop = d->visible.pre = UINT32_MAX;
        t->shorter->state = t->usual->state;
    }
    equal_record(rng, t->usual, t->shorter, &t->usual_sink, &t->shorter_sink);
    for (unsigned s = 0; s < PC_MAX_SIGNALS; s++)
        t->plane[s] = pool[test_rand_below(rng, PLANES)];
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        t->domain[x] = (struct pc_run_domain){ .plane = t->plane, .still = x > 0 };
    t->run = (struct pc_run){ .domain = t->domain, .cycles = (uint64_t)WORDS * 64 };
}

static void close_trial(struct trial *t)
{
    pc_unit_destroy(t->usual);
    pc_unit_destroy(t->shorter);
}

static void blocks_of_any_length(void **state)
{
    struct pc_engine *usual, *shorter;
    struct test_rng rng = { 1 };
    unsigned timed = 0, trials = TRIALS * (test_long() ? 20 : 1);
    struct pc_error err;

    (void)state;
    fill_pool(&rng);
    test_ok(pc_engine_create(NULL, &shorter, &err), &err);
    for (unsigned seed = 1; seed <= trials; seed++) {
        struct trial t;
        rng = (struct test_rng){ seed };
        test_ok(pc_engine_create(NULL, &usual, &err), &err);
        open_trial(&rng, &t);
        shorter->block = 1 + test_rand_below(&rng, 3000);
        shorter->part = 1 + test_rand_below(&rng, EG_RECORD_WORDS);
        pc_unit_run(t.usual, usual, &t.run);
        pc_unit_run(t.shorter, shorter, &t.run);
        if (memcmp(&t.usual->state, &t.shorter->state, sizeof t.usual->state) != 0 ||
            !equal_sinks(&t.usual_sink, &t.shorter_sink))
            fail_msg("seed %u: blocks of %zu words leave something else", seed, shorter->block);
        timed += usual->prefetch.least[0] > 0 && usual->prefetch.least[1] > 0 &&
                 usual->prefetch.least[0] != UINT64_MAX && usual->prefetch.least[1] != UINT64_MAX;
        close_trial(&t);
        pc_engine_destroy(usual);
    }
    pc_engine_destroy(shorter);
    printf("%u of %u runs timed their blocks\n", timed, trials);
    assert_true(timed >= trials / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(blocks_of_any_length) };

    return cmocka_run_group_tests_name("equal_blocks", tests, NULL, NULL);
}
