/* SPDX-License-Identifier: MIT */
/*
 * Passes in turns, against a count cycle by cycle: random events, slices of all lengths, blocks
 * that end anywhere.  What a pass sees, and for how long, is the same.
 */
#include "test.h"

#include <stdlib.h>

#include "../../cli/stat.h"

enum { EVENTS = 5, WORDS = PC_BLOCK_WORDS };

struct turns {
    struct stat_options o;
    struct stat_plan plan;
    struct stat_event event[EVENTS];
    struct stat_pass pass[4];
    uint64_t bits[EVENTS * WORDS];
    uint64_t seen[EVENTS], active[4], total[EVENTS];
};

static void begin(struct turns *t, struct test_rng *rng)
{
    *t = (struct turns){ .o = { .multiplex = true, .events = EVENTS } };
    t->o.event = t->event;
    t->o.slice = 1 + test_rand_below(rng, test_rand_below(rng, 2) ? 5 : 300);
    t->plan.pass = t->pass;
    t->plan.passes = 1 + test_rand_below(rng, 4);
    for (unsigned n = 0; n < EVENTS; n++)
        t->event[n].pass = test_rand_below(rng, (uint32_t)t->plan.passes);
}

/* A block of cycles from `first` on, and the same by hand. */
static void add_block(struct turns *t, struct test_rng *rng, uint64_t first, uint32_t cycles)
{
    for (size_t i = 0; i < EVENTS * WORDS; i++)
        t->bits[i] = 0;
    for (uint32_t c = 0; c < cycles; c++) {
        size_t turn = (size_t)((first + c) / t->o.slice % t->plan.passes);
        t->active[turn]++;
        for (unsigned n = 0; n < EVENTS; n++) {
            uint64_t bit = test_rand_below(rng, 3) == 0;
            t->bits[n * WORDS + c / 64] |= bit << c % 64;
            t->total[n] += bit;
            t->seen[n] += t->event[n].pass == turn ? bit : 0;
        }
    }
    stat_multiplex_block(&t->o, &t->plan, first, cycles, t->bits);
}

static void same_as_by_hand(void **state)
{
    static struct turns t;
    struct test_rng rng = test_rng_start(31, &(uint64_t){ 0 });

    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        struct stat_result r = { 0 };
        begin(&t, &rng);
        for (unsigned block = 0; block < 4; block++) {
            uint32_t cycles = 1 + test_rand_below(&rng, 500);
            add_block(&t, &rng, r.cycles, cycles);
            r.cycles += cycles;
        }
        for (unsigned p = 0; p < t.plan.passes; p++)
            assert_int_equal(t.pass[p].active, t.active[p]);
        for (unsigned n = 0; n < EVENTS; n++) {
            uint64_t estimate = 0, active = t.active[t.event[n].pass];
            assert_int_equal(t.event[n].seen, t.seen[n]);
            assert_int_equal(stat_estimate(&t.event[n], &t.plan, &r, &estimate), active > 0);
            /* rounded to the nearest: seen * cycles / active */
            if (active > 0)
                assert_int_equal(estimate, (2 * t.seen[n] * r.cycles + active) / (2 * active));
            if (t.plan.passes == 1)
                assert_int_equal(estimate, t.total[n]);
        }
    }
}

static void deviation(void **state)
{
    double percent;

    (void)state;
    assert_true(stat_deviation(110, 100, &percent) && percent > 9.999 && percent < 10.001);
    assert_true(stat_deviation(0, 0, &percent) && percent > -1e-9 && percent < 1e-9);
    assert_true(stat_deviation(-1, -2, &percent) && percent > 49.9 && percent < 50.1);
    assert_false(stat_deviation(1, 0, &percent));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_by_hand),
        cmocka_unit_test(deviation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
