/* SPDX-License-Identifier: MIT */
/* Distributions and values against plain arrays: every sample is kept, sorted and looked at. */
#include "heap.h"
#include "test.h"

#include "lang/measure/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4000, BLOCKS = 12, WORDS = 40 };

/* ---- wide numbers ---- */

static void texts(void **state)
{
    static const struct {
        struct pc_wide value;
        const char *text;
    } rows[] = {
        { { 0, 0 }, "0" },
        { { 7, 0 }, "7" },
        { { UINT64_MAX, 0 }, "18446744073709551615" },
        { { UINT64_MAX, -1 }, "-1" },
        { { 0, 1 }, "18446744073709551616" },
        { { UINT64_MAX, INT64_MAX }, "170141183460469231731687303715884105727" },
        { { 0, INT64_MIN }, "-170141183460469231731687303715884105728" },
    };
    char text[PC_WIDE_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pc_wide_text(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
        assert_true(fabs(pc_wide_double(rows[i].value) - strtod(rows[i].text, NULL)) <=
                    fabs(strtod(rows[i].text, NULL)) * 1e-15);
    }
}

/* ---- a plain model ---- */

static bool order_signed;

static int by_order(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    if (order_signed)
        return (int64_t)x < (int64_t)y ? -1 : (int64_t)x > (int64_t)y;
    return x < y ? -1 : x > y;
}

static void expect_wide(struct pc_wide is, uint64_t value, bool is_signed)
{
    const struct pc_wide want = pc_wide_of(value, is_signed);

    assert_int_equal(is.low, want.low);
    assert_int_equal(is.high, want.high);
}

/* Sorts what was added. */
static void expect_figures(struct pc_dist *dist, uint64_t *sample, size_t n, bool is_signed)
{
    struct pc_wide sum = { 0, 0 }, value;
    struct pc_dist_figures f;
    struct pc_error err;
    uint64_t times;
    size_t at = 0;

    test_ok(pc_dist_get_figures(dist, &f, &err), &err);
    assert_int_equal(f.count, n);
    assert_true(f.complete);
    for (size_t i = 0; i < n; i++)
        sum = pc_wide_sub(sum,
                          pc_wide_sub((struct pc_wide){ 0, 0 }, pc_wide_of(sample[i], is_signed)));
    assert_int_equal(f.sum.low, sum.low);
    assert_int_equal(f.sum.high, sum.high);
    if (n == 0)
        return;
    order_signed = is_signed;
    qsort(sample, n, sizeof *sample, by_order);
    expect_wide(f.min, sample[0], is_signed);
    expect_wide(f.max, sample[n - 1], is_signed);
    for (unsigned r = 0; r < PC_RANKS; r++) {
        assert_int_equal(strtoul(pc_rank_name(r) + 1, NULL, 10), pc_rank_percent(r));
        expect_wide(f.rank[r], sample[(pc_rank_percent(r) * n + 99) / 100 - 1], is_signed);
    }
    assert_null(pc_rank_name(PC_RANKS));
    assert_true(fabs(f.mean - pc_wide_double(sum) / (double)n) <= fabs(f.mean) * 1e-12);
    for (size_t i = 0; pc_dist_value(dist, i, &value, &times); i++) {
        expect_wide(value, sample[at], is_signed);
        for (uint64_t k = 0; k < times; k++, at++) {
            assert_true(at < n);
            assert_int_equal(sample[at], value.low);
        }
        assert_true(at == n || sample[at] != value.low);
        assert_int_equal(i < f.distinct, 1);
    }
    assert_int_equal(at, n);
}

static uint64_t some_value(struct test_rng *rng, unsigned kind)
{
    const uint64_t x = test_rand(rng);

    switch (kind % 4) {
    case 0:
        return x % 300; /* about where small values end */
    case 1:
        return x % 8 ? x % 5000 : x;
    case 2:
        return x; /* sums beyond 64 bits */
    default:
        return (uint64_t)0 - x % 500;
    }
}

static void distributions(void **state)
{
    static uint64_t sample[MOST];
    struct test_rng rng = test_rng_start(71, NULL);

    (void)state;
    for (unsigned k = 0; k < 200; k++) {
        const bool is_signed = k / 4 % 2;
        struct pc_dist *dist;
        size_t n = 0;
        test_ok(pc_dist_create(NULL, is_signed, &dist, NULL), NULL);
        const size_t most = k % 3 ? test_rand_below(&rng, MOST) : test_rand_below(&rng, 5);
        while (n < most) {
            const uint64_t value = some_value(&rng, k), times = test_rand_below(&rng, 5);
            pc_dist_add(dist, value, times);
            for (uint64_t i = 0; i < times && n < MOST; i++)
                sample[n++] = value;
            if (n == MOST)
                break;
        }
        if (n == MOST) { /* a sample may have been left out of the array */
            pc_dist_destroy(dist);
            continue;
        }
        expect_figures(dist, sample, n, is_signed);
        pc_dist_add(dist, 5, 1);
        sample[n] = 5;
        expect_figures(dist, sample, n + 1, is_signed);
        pc_dist_destroy(dist);
    }
}

/* Dealt to two of them, one of which is used again, and put together. */
static void sums_of_distributions(void **state)
{
    static uint64_t sample[MOST];
    struct test_rng rng = test_rng_start(72, NULL);
    struct pc_dist *part, *sum;

    (void)state;
    test_ok(pc_dist_create(NULL, true, &part, NULL), NULL);
    for (unsigned k = 0; k < 100; k++) {
        size_t n = 0;
        test_ok(pc_dist_create(NULL, true, &sum, NULL), NULL);
        for (unsigned i = 0; i < 3; i++) {
            const size_t begin = n, most = n + test_rand_below(&rng, k % 2 ? MOST / 4 : 9);
            pc_dist_clear(part);
            while (n < most) {
                sample[n] = some_value(&rng, k + i);
                pc_dist_add(part, sample[n++], 1);
            }
            pc_dist_add_all(sum, part);
            expect_figures(part, sample + begin, n - begin, true);
        }
        expect_figures(sum, sample, n, true);
        pc_dist_destroy(sum);
    }
    pc_dist_destroy(part);
}

/* More values than are kept: what needs none of them stays exact. */
static void too_many_values(void **state)
{
    struct pc_dist *dist;
    struct pc_dist_figures f;
    struct pc_wide value;
    uint64_t times;

    (void)state;
    test_ok(pc_dist_create(NULL, false, &dist, NULL), NULL);
    for (uint64_t i = 0; i < PC_DIST_DISTINCT; i++)
        pc_dist_add(dist, i, 2);
    test_ok(pc_dist_get_figures(dist, &f, NULL), NULL);
    assert_true(f.complete);
    assert_int_equal(f.distinct, PC_DIST_DISTINCT);
    assert_int_equal(f.rank[PC_P50].low, PC_DIST_DISTINCT / 2 - 1);
    pc_dist_add(dist, PC_DIST_DISTINCT, 1);
    test_ok(pc_dist_get_figures(dist, &f, NULL), NULL);
    assert_false(f.complete);
    assert_int_equal(f.count, 2 * PC_DIST_DISTINCT + 1);
    assert_int_equal(f.max.low, PC_DIST_DISTINCT);
    assert_int_equal(f.min.low, 0);
    assert_int_equal(f.sum.low, PC_DIST_DISTINCT * (PC_DIST_DISTINCT - 1) + PC_DIST_DISTINCT);
    assert_false(pc_dist_value(dist, 0, &value, &times));
    struct pc_dist *few;
    test_ok(pc_dist_create(NULL, false, &few, NULL), NULL);
    pc_dist_add(few, UINT64_MAX, 3);
    pc_dist_add_all(few, dist);
    test_ok(pc_dist_get_figures(few, &f, NULL), NULL);
    assert_false(f.complete);
    assert_int_equal(f.count, 2 * PC_DIST_DISTINCT + 4);
    assert_int_equal(f.max.low, UINT64_MAX);
    assert_int_equal(f.min.low, 0);
    assert_int_equal(f.sum.high, 3);
    assert_int_equal(f.sum.low, PC_DIST_DISTINCT * (PC_DIST_DISTINCT - 1) + PC_DIST_DISTINCT - 3);
    pc_dist_clear(dist);
    pc_dist_add_all(dist, few);
    pc_dist_clear(few);
    pc_dist_add(few, 7, 1);
    pc_dist_add_all(dist, few);
    test_ok(pc_dist_get_figures(dist, &f, NULL), NULL);
    assert_int_equal(f.count, 2 * PC_DIST_DISTINCT + 5);
    test_ok(pc_dist_get_figures(few, &f, NULL), NULL);
    assert_true(f.complete);
    assert_int_equal(f.rank[PC_P50].low, 7);
    pc_dist_destroy(few);
    pc_dist_destroy(dist);
}

/* ---- values ---- */

struct planes {
    uint64_t value[PC_VALUES_WIDTH][WORDS], unknown[PC_VALUES_WIDTH][WORDS], when[WORDS];
    const uint64_t *values[PC_VALUES_WIDTH], *unknowns[PC_VALUES_WIDTH];
};

/* Stays for a while, then is another one. */
static void fill(struct planes *p, struct test_rng *rng, unsigned width, unsigned stay)
{
    uint64_t value = test_rand(rng), unknown = 0;

    memset(p, 0, sizeof *p);
    for (unsigned c = 0; c < 64 * WORDS; c++) {
        if (test_rand_below(rng, stay) == 0) {
            value = test_rand_below(rng, 3) ? test_rand(rng) : value ^ 1;
            unknown = test_rand_below(rng, 4) ? 0 : test_rand(rng);
        }
        for (unsigned k = 0; k < width; k++) {
            p->value[k][c / 64] |= (value >> k & 1) << c % 64;
            p->unknown[k][c / 64] |= (unknown >> k & 1) << c % 64;
        }
        p->when[c / 64] |= (uint64_t)(test_rand_below(rng, 4) > 0) << c % 64;
    }
    for (unsigned k = 0; k < width; k++) {
        p->values[k] = p->value[k];
        p->unknowns[k] = p->unknown[k];
    }
}

static void values(void **state)
{
    static uint64_t sample[BLOCKS * 64 * WORDS];
    static struct planes p;
    struct test_rng rng = test_rng_start(72, NULL);

    (void)state;
    for (unsigned k = 0; k < 60; k++) {
        const unsigned width = k % 5 == 0 ? 64 : 1 + test_rand_below(&rng, 64);
        const bool is_signed = k % 2, always = k % 3 == 0;
        uint64_t unknown = 0;
        size_t n = 0;
        struct pc_values *v;
        test_ok(pc_values_create(NULL, width, is_signed, &v, NULL), NULL);
        for (unsigned b = 0; b < BLOCKS; b++) {
            const uint64_t cycles = test_rand_below(&rng, 64 * WORDS + 1);
            fill(&p, &rng, width, 1 + test_rand_below(&rng, 200));
            pc_values_add(v, p.values, p.unknowns, always ? NULL : p.when, cycles);
            for (uint64_t c = 0; c < cycles; c++) {
                uint64_t value = 0;
                bool x = false;
                if (!always && !(p.when[c / 64] >> c % 64 & 1))
                    continue;
                for (unsigned i = 0; i < width; i++) {
                    value |= (p.value[i][c / 64] >> c % 64 & 1) << i;
                    x = x || (p.unknown[i][c / 64] >> c % 64 & 1);
                }
                if (is_signed && width < 64 && value >> (width - 1) & 1)
                    value -= UINT64_C(1) << width;
                unknown += x;
                if (x)
                    continue;
                sample[n++] = value;
            }
        }
        assert_int_equal(pc_values_unknown(v), unknown);
        expect_figures(pc_values_dist(v), sample, n, is_signed);
        pc_values_destroy(v);
    }
}

/* ---- memory ---- */

static enum pc_status all_of_it(void *ctx, const struct pc_alloc *alloc, struct pc_error *err)
{
    const uint64_t plane = 0x12345, *planes[1] = { &plane };
    struct pc_dist_figures f;
    struct pc_values *v = NULL;
    enum pc_status status = pc_values_create(alloc, 1, false, &v, err);

    (void)ctx;
    if (status)
        return status;
    pc_values_add(v, planes, planes, NULL, 64);
    for (uint64_t i = 0; i < 1000; i++)
        pc_dist_add(pc_values_dist(v), i * i, 1);
    status = pc_dist_get_figures(pc_values_dist(v), &f, err);
    pc_values_destroy(v);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    test_refuse_each(all_of_it, NULL, 4);
}

static void wrong_widths(void **state)
{
    struct pc_values *v = NULL;
    struct pc_error err = { 0 };

    (void)state;
    assert_int_equal(pc_values_create(NULL, 65, false, &v, &err), PC_EINPUT);
    assert_int_equal(err.code, 1800);
    assert_int_equal(pc_values_create(NULL, 0, false, &v, &err), PC_EINPUT);
    assert_null(v);
    pc_values_destroy(NULL);
    pc_dist_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(distributions),
        cmocka_unit_test(sums_of_distributions),
        cmocka_unit_test(too_many_values),
        cmocka_unit_test(values),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(wrong_widths),
    };

    return cmocka_run_group_tests_name("measure", tests, NULL, NULL);
}
