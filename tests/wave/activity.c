/* SPDX-License-Identifier: MIT */
/*
 * Activity of a scan: x or z in any place of a value of any width is seen, and nothing else is;
 * rises, falls and periods of single bits, as a plain look at their values has them.
 */
#include <stdio.h>

#include "fst_support.h"

enum { WIDEST = 35 };

static bool ever_unknown(unsigned width, const char *bits)
{
    struct pc_var_activity activity = { 0 };
    struct pc_wave_totals totals;
    struct pc_wave *wave = NULL;
    struct mk text = { 0 };
    struct pc_error err;
    char line[200];

    const int n = snprintf(line, sizeof line,
                           "$var wire %u ! v $end\n$enddefinitions $end\n#1\nb%s !\n", width, bits);
    mk_bytes(&text, line, (size_t)n);
    const struct pc_wave_desc desc = { .path = fst_temp(&text, "") };
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_scan(wave, &totals, &activity, &err), &err);
    assert_int_equal(activity.changes, 1);
    pc_wave_close(wave);
    mk_free(&text);
    return activity.ever_unknown;
}

static void unknown_anywhere(void **state)
{
    char bits[WIDEST + 1];

    (void)state;
    for (unsigned width = 1; width <= WIDEST; width++) {
        for (unsigned i = 0; i < width; i++)
            bits[i] = i % 3 == 1 ? '0' : '1';
        bits[width] = '\0';
        assert_false(ever_unknown(width, bits));
        for (unsigned at = 0; at < width; at++) {
            const char before = bits[at];
            bits[at] = at % 2 == 0 ? 'x' : 'z';
            assert_true(ever_unknown(width, bits));
            bits[at] = before;
        }
    }
}

enum { BITS = 3, STAMPS = 400 };

/* What of it <pcounter/wave.h> does not show. */
struct since {
    bool rose; /* since it was unknown */
    bool period;
};

/* What a bit that takes `value` at `time` does, clause by clause of <pcounter/wave.h>. */
static void look(struct pc_var_activity *a, struct since *s, char before, char value, uint64_t time)
{
    a->changes++;
    if (value != '0' && value != '1') {
        a->ever_unknown = true;
        s->rose = false;
    }
    if (before == '1' && value == '0')
        a->falls++;
    if (before != '0' || value != '1')
        return;
    const uint64_t period = time - a->last_rise;
    if (a->rises == 0)
        a->first_rise = time;
    if (s->rose && (!s->period || period < a->min_period))
        a->min_period = period;
    if (s->rose && (!s->period || period > a->max_period))
        a->max_period = period;
    s->period = s->period || s->rose;
    s->rose = true;
    a->last_rise = time;
    a->rises++;
}

/* Values of three bits at random, written twice here and there; the first one begins at time 0. */
static void bits_at_random(void **state)
{
    struct pc_var_activity expected[BITS] = { 0 }, seen[BITS];
    struct since since[BITS] = { 0 };
    uint64_t seed;
    struct test_rng rng = test_rng_start(74, &seed);
    struct pc_wave_totals totals;
    struct pc_wave *wave = NULL;
    struct mk text = { 0 };
    struct pc_error err;
    char line[200], value[BITS] = "xxx";
    uint64_t time = 0;

    (void)state;
    printf("seed %llu\n", (unsigned long long)seed);
    int n = snprintf(line, sizeof line,
                     "$var wire 1 ! a $end\n$var wire 1 \" b $end\n$var wire 1 # c $end\n"
                     "$enddefinitions $end\n");
    mk_bytes(&text, line, (size_t)n);
    for (unsigned i = 0; i < STAMPS; i++, time += 1 + test_rand_below(&rng, 9)) {
        mk_bytes(&text, line, (size_t)snprintf(line, sizeof line, "#%u\n", (unsigned)time));
        for (unsigned b = 0; b < BITS; b++) {
            if (test_rand_below(&rng, 3) == 0)
                continue;
            const char now = "01010101xz"[test_rand_below(&rng, 10)];
            look(&expected[b], &since[b], value[b], now, time);
            value[b] = now;
            mk_bytes(&text, line,
                     (size_t)snprintf(line, sizeof line, "%c%c\n", now, (int)("!\"#"[b])));
        }
    }
    const struct pc_wave_desc desc = { .path = fst_temp(&text, "") };
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_scan(wave, &totals, seen, &err), &err);
    for (unsigned b = 0; b < BITS; b++) {
        assert_true(expected[b].rises > 20);
        assert_int_equal(seen[b].changes, expected[b].changes);
        assert_int_equal(seen[b].rises, expected[b].rises);
        assert_int_equal(seen[b].falls, expected[b].falls);
        assert_int_equal(seen[b].first_rise, expected[b].first_rise);
        assert_int_equal(seen[b].last_rise, expected[b].last_rise);
        assert_int_equal(seen[b].min_period, expected[b].min_period);
        assert_int_equal(seen[b].max_period, expected[b].max_period);
        assert_int_equal(seen[b].ever_unknown, expected[b].ever_unknown);
    }
    pc_wave_close(wave);
    mk_free(&text);
}

/* A clock in a file whose dumping was switched off, with whatever time in between. */
static void periods_end_where_dumping_does(void **state)
{
    static const char text[] =
        "$var wire 1 ! a $end $enddefinitions $end #0 0! #5 1! #10 0! #15 1! "
        "#17 $dumpoff x! $end #42 $dumpon 1! $end #50 0! #55 1! #60 0! #65 1! "
        "#66 x! #70 0! #77 1!\n";
    struct pc_var_activity a;
    struct pc_wave_totals totals;
    struct pc_wave *wave = NULL;
    struct mk file = { 0 };
    struct pc_error err;

    (void)state;
    mk_bytes(&file, text, sizeof text - 1);
    const struct pc_wave_desc desc = { .path = fst_temp(&file, "") };
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_scan(wave, &totals, &a, &err), &err);
    assert_int_equal(a.rises, 5);
    assert_int_equal(a.first_rise, 5);
    assert_int_equal(a.last_rise, 77);
    assert_int_equal(a.min_period, 10);
    assert_int_equal(a.max_period, 10);
    pc_wave_close(wave);
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_scan_until(wave, 55, &totals, &a, &err), &err);
    assert_int_equal(a.rises, 2);
    assert_int_equal(a.last_rise, 15);
    assert_int_equal(totals.time_last, 50);
    pc_wave_close(wave);
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    test_ok(pc_wave_scan_until(wave, 0, &totals, &a, &err), &err);
    assert_false(totals.has_time);
    pc_wave_close(wave);
    mk_free(&file);
}

static int remove_file(void **state)
{
    (void)state;
    fst_temp_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(unknown_anywhere),
                                        cmocka_unit_test(bits_at_random),
                                        cmocka_unit_test(periods_end_where_dumping_does) };

    return cmocka_run_group_tests_name("wave/activity", tests, NULL, remove_file);
}
