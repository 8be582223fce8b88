/* SPDX-License-Identifier: MIT */
/*
 * pc_unit_run_many() leaves each unit as pc_unit_run() does, whatever the kernel: random units of
 * one chip, of which some take turns, some share counts and some can do neither, with writes in
 * between and packets.  PC_TEST_LONG: fifteen times as many.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "equal_record.h"
#include "random_unit.h"

enum { MANY = 12, CYCLES = 120000, WORDS = CYCLES / 64 + 2, PLANES = 24, WRITES = 3 };

/* Whole lines each, and some words by which a plane may begin later. */
enum { APART = 8, ROOM = (WORDS + 2 * APART) / APART * APART };

static uint64_t pool[PLANES][ROOM];

struct trial {
    struct pc_unit *many[MANY], *one[MANY];
    struct equal_sink many_sink[MANY], one_sink[MANY];
    const uint64_t *plane[PC_MAX_SIGNALS];
    struct pc_run_domain domain[PC_MAX_DOMAINS];
    struct pc_run_write write[WRITES];
    struct pc_run run;
};

/* Counts, of whichever of a few sources: what other units can have in common with it.  Of one
 * only, all domains do.  Signal ff does not move, so that it does not swap. */
static void make_similar(struct test_rng *rng, struct pc_unit *u, unsigned few)
{
    static const uint32_t sources[3] = { 0x05040302, 0x02030507, 0x05050303 };

    for (unsigned x = 0; x < u->chip->domains; x++) {
        struct pc_domain *d = &u->state.domain[x];
        if (few > 1 && test_rand_below(rng, 8) == 0)
            continue;
        d->control.mode = PC_MODE_QUAD;
        d->control.ctr_mode = PC_CTR_SIMPLE;
        d->spec_src = 0xff;
        for (unsigned i = 0; i < PC_INPUTS; i++) {
            bool count = i <= PC_IN_STOP;
            d->src[i] = sources[test_rand_below(rng, few)];
            d->op[i] &= 0xffff;
            if (!count && test_rand_below(rng, 8))
                d->op[i] = 0;
            if (test_rand_below(rng, 4) == 0) /* as others may have it, too */
                d->op[i] = 0x8888u >> test_rand_below(rng, 4) & 0xffff;
        }
    }
}

/* sweep: many tables over the same signals */
static void open_trial(struct test_rng *rng, struct trial *t, bool sweep)
{
    const struct pc_chip *chip =
        sweep ? pc_chip_find(test_rand_below(rng, 2) ? "NV40" : "G80") : random_chip(rng);
    bool similar = sweep || (chip->features & PC_F_QUAD && test_rand_below(rng, 2));

    bool alike = test_rand_below(rng, 2);

    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < MANY; i++) {
        random_units(rng, chip, &t->many[i], &t->one[i]);
        if (similar)
            make_similar(rng, t->many[i], sweep ? 1 : 3);
        t->one[i]->state = t->many[i]->state;
        if (!sweep)
            equal_record(rng, t->many[i], t->one[i], &t->many_sink[i], &t->one_sink[i]);
    }
    for (unsigned s = 0; s < PC_MAX_SIGNALS; s++) {
        const unsigned p = sweep ? s % PLANES : test_rand_below(rng, PLANES);
        t->plane[s] = (sweep || test_rand_below(rng, 8)) && !(similar && s == 0xff)
                          ? pool[p] + (alike ? 3 : p % APART)
                          : NULL;
    }
    for (unsigned x = 0; x < PC_MAX_DOMAINS; x++)
        t->domain[x] =
            (struct pc_run_domain){ .plane = t->plane,
                                    .still = x > 0 && !sweep && test_rand_below(rng, 6) != 0 };
    uint64_t most = sweep || test_rand_below(rng, 3) ? CYCLES : 2000;
    uint64_t least = similar ? most / 2 : 0;
    t->run = (struct pc_run){ .domain = t->domain,
                              .cycles = least + test_rand_below(rng, (uint32_t)(most - least)),
                              .write = t->write,
                              .writes = test_rand_below(rng, similar ? 4 : 2) ? 0 : WRITES };
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

struct totals {
    unsigned trials, shared, derived, paired, staged, lying;
};

/* What the last stretch of the engine shared. */
static void look(const struct pc_engine *e, struct totals *sum)
{
    const struct eg_share *s = &e->share;
    bool derived = false;

    for (unsigned i = 1; s->sharers > 0 && i < s->ops; i++)
        derived = derived || s->op[i].derived;
    sum->shared += s->sharers > 0;
    sum->derived += derived;
    sum->staged += s->sharers > 0 && s->asks && s->stages;
    sum->lying += s->sharers > 0 && s->asks && !s->stages;
    sum->paired += s->sharers > 0 && s->pairs > 1;
    sum->trials++;
}

static void one_trial(struct test_rng *rng, struct pc_engine *engine, uint64_t seed,
                      struct totals *sum)
{
    struct trial t;

    open_trial(rng, &t, sum->trials % 4 == 1);
    if (sum->trials % 8 == 0)
        pc_unit_run_many(t.many, MANY, engine, &t.run);
    else
        eg_run_many(t.many, MANY, engine, &t.run, 1 + test_rand_below(rng, 600));
    look(engine, sum);
    for (unsigned i = 0; i < MANY; i++)
        pc_unit_run(t.one[i], engine, &t.run);
    if (!compare(&t))
        fail_msg("PC_SEED=%llu trial %u", (unsigned long long)seed, sum->trials - 1);
    for (unsigned i = 0; i < MANY; i++) {
        pc_unit_destroy(t.many[i]);
        pc_unit_destroy(t.one[i]);
    }
}

static void many_equal_one(void **state)
{
    struct pc_engine_desc desc = { .kernel = *state };
    struct totals sum = { 0 };
    uint64_t seed;
    struct test_rng rng = test_rng_start(17, &seed);
    struct pc_engine *engine;
    struct pc_error err;

    for (unsigned p = 0; p < PLANES; p++)
        for (unsigned w = 0; w < ROOM; w++) {
            pool[p][w] = test_rand(&rng);
            for (unsigned i = 0; i < 2 * (p % 6); i++)
                pool[p][w] &= test_rand(&rng);
        }
    if (pc_engine_create(&desc, &engine, &err) != PC_OK) {
        test_say_skip(desc.kernel, err.text);
        skip();
    }
    while (sum.trials < (test_long() ? 600u : 40u))
        one_trial(&rng, engine, seed, &sum);
    printf("%s: %u trials, %u shared counts, %u derived some, %u rises; %u tiles put together, %u "
           "as they lay\n",
           desc.kernel, sum.trials, sum.shared, sum.derived, sum.paired, sum.staged, sum.lying);
    assert_true(sum.shared > sum.trials / 5);
    assert_true(sum.derived > 0);
    assert_true(sum.paired > 0);
    assert_true(sum.staged > 0);
    assert_true(sum.lying > 0);
    pc_engine_destroy(engine);
}

int main(void)
{
    static const char *const kernel[] = { "portable", "avx2", "avx512" };
    const struct CMUnitTest tests[] = {
        { "portable", many_equal_one, NULL, NULL, (void *)(uintptr_t)kernel[0] },
        { "avx2", many_equal_one, NULL, NULL, (void *)(uintptr_t)kernel[1] },
        { "avx512", many_equal_one, NULL, NULL, (void *)(uintptr_t)kernel[2] },
    };

    return cmocka_run_group_tests_name("engine_many", tests, NULL, NULL);
}
