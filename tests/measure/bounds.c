/* SPDX-License-Identifier: MIT */
/*
 * Bounds of figures while values are open, against their definition: each open value may be
 * anything from its own on, so a rank lies between that of all as they are and that with the open
 * ones beyond any number.  And sums of a distribution that tells no values any more.
 */
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 250 };

static int order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The smallest number of values that is at least so many percent of all (the nearest rank). */
static size_t rank_of(size_t all, unsigned percent)
{
    size_t n = 0;

    while (n * 100 < all * percent)
        n++;
    return n;
}

static double at(const uint64_t *sorted, size_t count, size_t rank)
{
    return rank > count ? INFINITY : (double)sorted[rank - 1];
}

static void expect_bound(struct pc_bound is, double least, double most)
{
    if (is.least != least || is.most != most) /* both INFINITY are equal */
        fail_msg("%g to %g, not %g to %g", is.least, is.most, least, most);
}

static void check(struct test_rng *rng, size_t done, size_t open)
{
    struct pc_dist *d = NULL, *o = NULL;
    struct pc_dist_bounds b;
    uint64_t known[MOST], all[2 * MOST];
    double sum = 0;

    test_ok(pc_dist_create(NULL, false, &d, NULL), NULL);
    test_ok(pc_dist_create(NULL, false, &o, NULL), NULL);
    for (size_t i = 0; i < done + open; i++) {
        const uint64_t value = test_rand_below(rng, 60);
        pc_dist_add(i < done ? d : o, value, 1);
        if (i < done)
            known[i] = value;
        all[i] = value;
        sum += (double)value;
    }
    qsort(known, done, sizeof known[0], order);
    qsort(all, done + open, sizeof all[0], order);
    const bool found = pc_dist_get_bounds(d, o, &b);
    assert_int_equal(found, done + open > 0);
    if (found) {
        const size_t count = done + open;
        assert_int_equal(b.open, open);
        expect_bound(b.min, at(all, count, 1), done ? at(known, done, 1) : INFINITY);
        expect_bound(b.max, at(all, count, count), open ? INFINITY : at(all, count, count));
        expect_bound(b.mean, sum / (double)count, open ? INFINITY : sum / (double)count);
        for (unsigned r = 0; r < PC_RANKS; r++) {
            const size_t rank = rank_of(count, pc_rank_percent((enum pc_rank)r));
            expect_bound(b.rank[r], at(all, count, rank), at(known, done, rank));
        }
    }
    pc_dist_destroy(d);
    pc_dist_destroy(o);
}

static void bounds(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(57, &seed);

    (void)state;
    for (size_t done = 0; done < 12; done++)
        for (size_t open = 0; open < 4; open++)
            check(&rng, done, open);
    check(&rng, 100, 0);
    check(&rng, 200, 0);
    check(&rng, 199, 1);
    check(&rng, 60, 40);
    check(&rng, 0, 100);
}

/* More than PC_DIST_DISTINCT different values: count, sum, least and most stay exact. */
static void sums_without_values(void **state)
{
    const uint64_t n = PC_DIST_DISTINCT + 1000;
    struct pc_dist_figures f;
    struct pc_dist *d = NULL;

    (void)state;
    test_ok(pc_dist_create(NULL, false, &d, NULL), NULL);
    for (uint64_t i = 1; i <= n; i++)
        pc_dist_add(d, i + 4, 3);
    pc_dist_add(d, 2, 5);
    pc_dist_add(d, n + 90, 1);
    pc_dist_add(d, n + 70, 0); /* none of it */
    test_ok(pc_dist_get_figures(d, &f, NULL), NULL);
    assert_false(f.complete);
    assert_int_equal(f.count, 3 * n + 6);
    assert_int_equal(f.sum.low, 3 * (n * (n + 1) / 2 + 4 * n) + 10 + n + 90);
    assert_int_equal(f.sum.high, 0);
    assert_int_equal(f.min.low, 2);
    assert_int_equal(f.max.low, n + 90);
    pc_dist_destroy(d);
}

/* The same with signs: -n/2 to n/2, and beyond on both sides. */
static void signed_sums_without_values(void **state)
{
    const int64_t half = PC_DIST_DISTINCT / 2 + 500;
    struct pc_dist_figures f;
    struct pc_dist *d = NULL;

    (void)state;
    test_ok(pc_dist_create(NULL, true, &d, NULL), NULL);
    for (int64_t i = -half; i <= half; i++)
        pc_dist_add(d, (uint64_t)i, 2);
    pc_dist_add(d, (uint64_t)(-half - 7), 1);
    pc_dist_add(d, (uint64_t)(half + 3), 1);
    test_ok(pc_dist_get_figures(d, &f, NULL), NULL);
    assert_false(f.complete);
    assert_int_equal(f.count, 4 * half + 4);
    assert_int_equal((int64_t)f.sum.low, -4);
    assert_int_equal(f.sum.high, -1);
    assert_int_equal((int64_t)f.min.low, -half - 7);
    assert_int_equal(f.min.high, -1);
    assert_int_equal(f.max.low, half + 3);
    assert_int_equal(f.max.high, 0);
    pc_dist_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(bounds),
                                        cmocka_unit_test(sums_without_values),
                                        cmocka_unit_test(signed_sums_without_values) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
