/* SPDX-License-Identifier: MIT */
/*
 * Where no signal moves: a run equals the steps; and one so long that nobody could count to its
 * end equals itself in three pieces, and ends.
 */
#include "equal.h"

enum { TRIALS = 150, LONG_TRIALS = 300 };

static struct equal_part part;
static struct equal_pool pool;

static void no_planes(struct equal_trial *t)
{
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++) {
        t->domain[x].edge = NULL;
        for (unsigned s = 0; s < EQUAL_PLANES; s++)
            t->plane[x][s] = NULL;
    }
}

static void still_equals_steps(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(31, &seed);
    struct pc_engine *engine = equal_engine(NULL);

    (void)state;
    test_rng_stream(&rng, part.part);
    equal_fill(&rng, &pool);
    for (unsigned i = 0; i < TRIALS; i++) {
        struct equal_trial t;
        equal_begin(&rng, &pool, &t);
        no_planes(&t);
        pc_unit_run(t.wide, engine, &t.run);
        equal_step(t.step, &t.run);
        equal_compare(&t, seed, i);
        equal_end(&t);
    }
    pc_engine_destroy(engine);
}

/* Raw signals only, no packets, and no period after the other. */
static void make_steady(struct test_rng *rng, struct equal_trial *t)
{
    for (unsigned x = 0; x < t->wide->chip->domains; x++) {
        struct pc_domain *d = &t->wide->state.domain[x];
        for (unsigned i = 0; i < PC_INPUTS; i++)
            d->src[i] = (uint32_t)test_rand(rng) & 0x07070707;
        d->spec_src = test_rand_below(rng, 8);
        d->record.wedged = false; /* may hang the domain, cycle by cycle */
        if (d->control.mode == PC_MODE_RECORD || d->control.mode == PC_MODE_STREAM)
            d->control.mode = PC_MODE_SINGLE;
        if (d->control.mode == PC_MODE_SINGLE)
            d->op[PC_IN_STOP] = 0;
    }
    t->run.writes = 0;
    t->step->state = t->wide->state;
}

static void long_equals_its_pieces(void **state)
{
    uint64_t seed, all = UINT64_C(1) << 50;
    struct test_rng rng = test_rng_start(32, &seed);
    struct pc_engine *engine = equal_engine(NULL);

    (void)state;
    test_rng_stream(&rng, part.part);
    for (unsigned i = 0; i < LONG_TRIALS; i++) {
        struct equal_trial t;
        equal_begin(&rng, &pool, &t);
        no_planes(&t);
        make_steady(&rng, &t);
        t.run.cycles = all;
        pc_unit_run(t.wide, engine, &t.run);
        uint64_t first = test_rand_below(&rng, 100000), second = test_rand(&rng) >> 15;
        const uint64_t piece[] = { first, second, all - first - second };
        for (unsigned k = 0; k < 3; k++) {
            t.run.cycles = piece[k];
            pc_unit_run(t.step, engine, &t.run);
        }
        equal_compare(&t, seed, i);
        equal_end(&t);
    }
    pc_engine_destroy(engine);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(still_equals_steps),
        cmocka_unit_test(long_equals_its_pieces),
    };

    part = equal_part(argc, argv);
    return cmocka_run_group_tests_name("engine_still", tests, NULL, NULL);
}
