/* SPDX-License-Identifier: MIT */
/*
 * Passes in turns, against a count cycle by cycle: random events, slices of all lengths, blocks
 * that end anywhere.  What a pass sees, and for how long, is the same.
 */
#include "test.h"

#include <string.h>

#include "../../cli/stat/stat.h"

enum { WORDS = 8 };

struct turns {
    uint64_t slice;
    size_t passes;
    uint64_t bits[WORDS];
    uint64_t seen[4], by_hand[4], active[4];
    uint64_t cycles, total;
};

/* A block of cycles, and the same by hand. */
static void add_block(struct turns *t, struct test_rng *rng, uint32_t cycles)
{
    memset(t->bits, 0, sizeof t->bits);
    for (uint32_t c = 0; c < cycles; c++) {
        size_t turn = (size_t)((t->cycles + c) / t->slice % t->passes);
        uint64_t bit = test_rand_below(rng, 3) == 0;
        t->active[turn]++;
        t->bits[c / 64] |= bit << c % 64;
        t->total += bit;
        t->by_hand[turn] += bit;
    }
    for (size_t p = 0; p < t->passes; p++)
        t->seen[p] += stat_seen(t->slice, t->passes, p, t->cycles, t->bits, (cycles + 63) / 64);
    t->cycles += cycles;
}

static void same_as_by_hand(void **state)
{
    static struct turns t;
    struct test_rng rng = test_rng_start(31, &(uint64_t){ 0 });

    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        memset(&t, 0, sizeof t);
        t.slice = 1 + test_rand_below(&rng, test_rand_below(&rng, 2) ? 5 : 300);
        t.passes = 1 + test_rand_below(&rng, 4);
        for (unsigned block = 0; block < 4; block++)
            add_block(&t, &rng, 1 + test_rand_below(&rng, 500));
        for (size_t p = 0; p < t.passes; p++) {
            const struct stat_options o = { .slice = t.slice };
            const struct stat_job j = { .o = &o };
            struct stat_plan plan = { .passes = t.passes };
            struct stat_event e = { .pass = (unsigned)p, .seen = t.seen[p] };
            struct stat_result r = { .cycles = t.cycles };
            uint64_t estimate = 0;
            assert_int_equal(t.seen[p], t.by_hand[p]);
            assert_int_equal(stat_turn_cycles(t.slice, t.passes, p, t.cycles), t.active[p]);
            assert_int_equal(stat_estimate(&j, &e, &plan, &r, &estimate), t.active[p] > 0);
            /* rounded to the nearest: seen * cycles / active */
            if (t.active[p] > 0)
                assert_int_equal(estimate,
                                 (2 * t.seen[p] * t.cycles + t.active[p]) / (2 * t.active[p]));
            if (t.passes == 1)
                assert_int_equal(estimate, t.total);
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
