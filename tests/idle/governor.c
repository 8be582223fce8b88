/* SPDX-License-Identifier: MIT */
/*
 * The gk20a governor's arithmetic.  The tables were worked out by hand from the rule: a
 * load cut to whole percent, an average of it and the last average cut again, steps of
 * (average - target) * 10 / target / 2 cut towards zero, a third of the levels above 90.
 */
#include "test.h"

static struct pc_governor gk20a(void)
{
    const struct pc_governor *g = pc_governor_find("GK20A");

    assert_non_null(g);
    return *g;
}

/* Verifies the table of levels and the numbers of the driver. */
static void numbers_of_the_driver(void **state)
{
    struct pc_governor g = gk20a();

    (void)state;
    assert_string_equal(g.name, "gk20a");
    assert_int_equal(g.target, 70);
    assert_int_equal(g.ceiling, 90);
    assert_int_equal(g.smooth, 1);
    assert_int_equal(g.levels, 15);
    assert_int_equal(g.khz[0], 72000);
    assert_int_equal(g.khz[9], 648000);
    assert_int_equal(g.khz[14], 852000);
    for (uint32_t i = 1; i < g.levels; i++)
        assert_true(g.khz[i] > g.khz[i - 1]);
    assert_ptr_equal(pc_governor_at(0), pc_governor_find("gk20a"));
    assert_null(pc_governor_at(1));
    assert_null(pc_governor_find("gk20"));
    assert_null(pc_governor_find("gk20ab"));
    assert_null(pc_governor_find(""));
}

/* Verifies the step for each average, from the middle level 7 of 15, without smoothing. */
static void steps(void **state)
{
    static const struct {
        uint32_t load;
        int step;
    } rows[] = {
        { 0, -5 },  { 13, -4 }, { 14, -4 }, { 15, -3 }, { 27, -3 }, { 28, -3 }, { 29, -2 },
        { 42, -2 }, { 43, -1 }, { 56, -1 }, { 57, 0 },  { 69, 0 },  { 70, 0 },  { 71, 0 },
        { 83, 0 },  { 84, 1 },  { 90, 1 },  { 91, 5 },  { 92, 5 },  { 100, 5 },
    };
    struct pc_governor g = gk20a();
    struct pc_error err;

    (void)state;
    g.smooth = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pc_governor_state s = { .average = 55, .level = 7 };
        uint32_t load = 999;
        test_ok(pc_governor_step(&g, rows[i].load, 100, &s, &load, &err), &err);
        assert_int_equal(load, rows[i].load);
        assert_int_equal(s.average, rows[i].load);
        assert_int_equal((int)s.level - 7, rows[i].step);
    }
}

/* Verifies the four polls of a run that was worked out by hand: level 6 -> 4, 4, 4, 3. */
static void smoothing(void **state)
{
    static const struct {
        uint32_t busy, load, average, level;
    } rows[] = {
        { 17712000, 82, 41, 4 },
        { 20520000, 95, 68, 4 },
        { 20952000, 97, 82, 4 },
        { 2592000, 12, 47, 3 },
    };
    struct pc_governor g = gk20a();
    struct pc_governor_state s = { .average = 0, .level = 6 };
    struct pc_error err;
    uint32_t load;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_ok(pc_governor_step(&g, rows[i].busy, 21600000, &s, &load, &err), &err);
        assert_int_equal(load, rows[i].load);
        assert_int_equal(s.average, rows[i].average);
        assert_int_equal(s.level, rows[i].level);
    }
    /* (3 * 47 + 100) / 4 = 60 */
    g.smooth = 3;
    test_ok(pc_governor_step(&g, 7, 7, &s, &load, &err), &err);
    assert_int_equal(load, 100);
    assert_int_equal(s.average, 60);
    assert_int_equal(s.level, 3);
}

/* Verifies both ends of the levels, and a table of one. */
static void ends(void **state)
{
    struct pc_governor g = gk20a();
    struct pc_error err;
    uint32_t load;

    (void)state;
    g.smooth = 0;
    for (uint32_t from = 0; from < 15; from++) {
        struct pc_governor_state s = { .level = from };
        test_ok(pc_governor_step(&g, 0, 100, &s, &load, &err), &err);
        assert_int_equal(s.level, from < 5 ? 0 : from - 5);
        s.level = from;
        test_ok(pc_governor_step(&g, 100, 100, &s, &load, &err), &err);
        assert_int_equal(s.level, from > 9 ? 14 : from + 5);
    }
    g.levels = 1;
    struct pc_governor_state s = { .level = 0 };
    test_ok(pc_governor_step(&g, 100, 100, &s, &load, &err), &err);
    assert_int_equal(s.level, 0);
    g.levels = 2; /* a third of 2 is 0: it never leaves by the ceiling */
    test_ok(pc_governor_step(&g, 100, 100, &s, &load, &err), &err);
    assert_int_equal(s.level, 0);
    test_ok(pc_governor_step(&g, 88, 100, &s, &load, &err), &err);
    assert_int_equal(s.level, 1);
}

/* Verifies that no clock is no load, and that large counts neither wrap nor lose digits. */
static void counts(void **state)
{
    struct pc_governor g = gk20a();
    struct pc_governor_state s = { .average = 81, .level = 7 };
    struct pc_error err;
    uint32_t load;

    (void)state;
    test_ok(pc_governor_step(&g, 5, 0, &s, &load, &err), &err);
    assert_int_equal(load, 0);
    assert_int_equal(s.average, 40);
    s = (struct pc_governor_state){ .average = 0, .level = 7 };
    test_ok(pc_governor_step(&g, 0x7ffffffe, 0x7fffffff, &s, &load, &err), &err);
    assert_int_equal(load, 99);
    /* a time base that was cleared alone: 214748364700 cut to 32 bits is 4294967196 */
    s = (struct pc_governor_state){ .average = 0, .level = 7 };
    test_ok(pc_governor_step(&g, 0x7fffffff, 1, &s, &load, &err), &err);
    assert_int_equal(load, 4294967196u);
    assert_int_equal(s.average, 2147483598u);
    assert_int_equal(s.level, 12);
}

/* Verifies that numbers out of range are refused and change nothing. */
static void refused(void **state)
{
    const struct pc_governor good = gk20a();
    struct pc_governor bad[7];
    struct pc_governor_state s = { .average = 33, .level = 2 };
    struct pc_error err;
    uint32_t load = 77;

    (void)state;
    for (size_t i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].target = 0;
    bad[1].target = 10001;
    bad[2].ceiling = 1000001;
    bad[3].smooth = 1001;
    bad[4].levels = 0;
    bad[5].levels = PC_GOVERNOR_LEVELS + 1;
    bad[6].levels = 2; /* level 2 is not there */
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(pc_governor_step(&bad[i], 1, 1, &s, &load, &err), PC_EARG);
        assert_int_equal(err.code, 1120);
    }
    assert_int_equal(pc_governor_step(NULL, 1, 1, &s, &load, &err), PC_EARG);
    assert_int_equal(pc_governor_step(&good, 1, 1, NULL, &load, &err), PC_EARG);
    assert_int_equal(pc_governor_step(&good, 1, 1, &s, NULL, NULL), PC_EARG);
    assert_int_equal(s.average, 33);
    assert_int_equal(s.level, 2);
    assert_int_equal(load, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_the_driver),
        cmocka_unit_test(steps),
        cmocka_unit_test(smoothing),
        cmocka_unit_test(ends),
        cmocka_unit_test(counts),
        cmocka_unit_test(refused),
    };

    return cmocka_run_group_tests_name("governor", tests, NULL, NULL);
}
