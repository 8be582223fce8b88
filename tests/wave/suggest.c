/* SPDX-License-Identifier: MIT */
/* The guesses of `pcounter info`: which signals are clocks, and which are listed first. */
#include "texts.h"
#include "wave/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[20000];

/* Eleven cycles of a regular clock, one with a late rise, a slow one, and some events. */
static void write_text(void)
{
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "$timescale 1ns $end $scope module t $end $var wire 1 a clk $end $var wire 1 a u.clk $end "
        "$var wire 1 b gated $end $var wire 1 c slow $end $var wire 1 d busy_bee $end "
        "$var wire 1 e other $end $var wire 1 f O_VALID $end $var wire 1 g constant $end "
        "$var wire 2 h ready $end $var real 64 i miss $end $upscope $end $enddefinitions $end\n");

    for (int t = 0; t < 22; t++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "#%d %da %dc %de 0g b1 h r1 i\n", t * 5,
                              t & 1, t / 4 & 1, t / 2 & 1);
        n += (size_t)snprintf(text + n, sizeof text - n, "#%d %db\n", t * 5 + (t == 7 ? 2 : 1),
                              t & 1);
        if (t % 6 == 0)
            n += (size_t)snprintf(text + n, sizeof text - n, "0d 1d 0f\n");
    }
    snprintf(text + n, sizeof text - n, "#1000 1f");
}

static void clocks_and_events(void **state)
{
    struct cli_suggestions s;
    struct pc_var_activity activity[16];
    struct pc_wave_totals totals;
    struct pc_error err;
    static const char *const events[] = { "t.busy_bee", "t.O_VALID", "t.gated", "t.other",
                                          "t.slow" };
    struct pc_wave_var v;

    (void)state;
    write_text();
    struct pc_wave *wave = text_open(text);
    test_ok(pc_wave_scan(wave, &totals, activity, &err), &err);
    assert_true(cli_suggest(wave, activity, &s));
    assert_int_equal(s.clocks, 1); /* one of two names; gated is irregular, slow too short */
    assert_int_equal(pc_wave_get_var(wave, s.clock[0].var, &v), PC_OK);
    assert_string_equal(v.name, "t.clk");
    assert_int_equal(activity[s.clock[0].code].min_period, 10);
    assert_int_equal(s.events, 5);
    for (size_t i = 0; i < s.events; i++) {
        assert_int_equal(pc_wave_get_var(wave, s.event[i].var, &v), PC_OK);
        assert_string_equal(v.name, events[i]);
        assert_int_equal(s.event[i].telling, i < 2);
    }
    cli_suggest_free(&s);
    pc_wave_close(wave);
}

/* Bits of a vector are no events and no clocks, declared whole or one by one. */
static void bits_of_vectors(void **state)
{
    struct cli_suggestions s;
    struct pc_var_activity activity[8];
    struct pc_wave_totals totals;
    struct pc_error err;
    struct pc_wave_var v;
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "$timescale 1ns $end $scope module t $end $var wire 1 a count_valid [1] $end "
        "$var wire 1 b count_valid [0] $end $var wire 1 c lone_valid[4] $end "
        "$scope module u $end $var wire 1 a carry $end $upscope $end "
        "$upscope $end $enddefinitions $end\n");

    (void)state;
    for (int t = 0; t < 80; t++)
        n += (size_t)snprintf(text + n, sizeof text - n, "#%d %da %db %dc\n", t, t / 2 & 1, t & 1,
                              t * t % 11 == 1);
    struct pc_wave *wave = text_open(text);
    test_ok(pc_wave_scan(wave, &totals, activity, &err), &err);
    assert_true(cli_suggest(wave, activity, &s));
    assert_int_equal(s.clocks, 1); /* by its name outside of the vector */
    assert_int_equal(pc_wave_get_var(wave, s.clock[0].var, &v), PC_OK);
    assert_string_equal(v.name, "t.u.carry");
    assert_int_equal(s.events + s.clocks, 2);
    for (size_t i = 0; i < s.events; i++) {
        assert_int_equal(pc_wave_get_var(wave, s.event[i].var, &v), PC_OK);
        assert_string_equal(v.name, "t.lone_valid[4]");
    }
    cli_suggest_free(&s);
    pc_wave_close(wave);
}

static void nothing_to_suggest(void **state)
{
    struct cli_suggestions s;
    struct pc_var_activity activity[1] = { { 0 } };
    struct pc_wave *wave =
        text_open("$timescale 1ns $end $var wire 1 a a $end $enddefinitions $end");

    (void)state;
    assert_true(cli_suggest(wave, activity, &s));
    assert_int_equal(s.clocks + s.events, 0);
    cli_suggest_free(&s);
    pc_wave_close(wave);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_and_events),
        cmocka_unit_test(bits_of_vectors),
        cmocka_unit_test(nothing_to_suggest),
    };

    return cmocka_run_group_tests_name("wave/suggest", tests, NULL, NULL);
}
