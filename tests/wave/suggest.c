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
    snprintf(text + n, sizeof text - n, "#120 1f");
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
    assert_true(cli_suggest(wave, &totals, activity, &s));
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
    assert_true(cli_suggest(wave, &totals, activity, &s));
    assert_int_equal(s.clocks, 0); /* the carry is regular, but nobody keeps step with it */
    assert_int_equal(s.events, 2);
    assert_int_equal(pc_wave_get_var(wave, s.event[0].var, &v), PC_OK);
    assert_string_equal(v.name, "t.lone_valid[4]");
    assert_int_equal(pc_wave_get_var(wave, s.event[1].var, &v), PC_OK);
    assert_string_equal(v.name, "t.u.carry"); /* by its name outside of the vector */
    cli_suggest_free(&s);
    pc_wave_close(wave);
}

/* Names, with blanks between them. */
struct told {
    char clocks[200], pairs[200], events[200];
};

static void add_name(const struct pc_wave *wave, size_t var, const char *between, char *to)
{
    struct pc_wave_var v;

    assert_int_equal(pc_wave_get_var(wave, var, &v), PC_OK);
    snprintf(to + strlen(to), 200 - strlen(to), "%s%s", to[0] ? between : "", v.name);
}

static void suggest(const char *file, struct told *out)
{
    struct cli_suggestions s;
    struct pc_var_activity activity[32];
    struct pc_wave_totals totals;
    struct pc_error err;
    struct pc_wave *wave = text_open(file);

    *out = (struct told){ .clocks = "" };
    test_ok(pc_wave_scan(wave, &totals, activity, &err), &err);
    assert_true(cli_suggest(wave, &totals, activity, &s));
    for (size_t i = 0; i < s.clocks; i++)
        add_name(wave, s.clock[i].var, " ", out->clocks);
    for (size_t i = 0; i < s.pairs; i++) {
        add_name(wave, s.pair[i].offers, " ", out->pairs);
        add_name(wave, s.pair[i].takes, "&", out->pairs);
    }
    for (size_t i = 0; i < s.events; i++)
        add_name(wave, s.event[i].var, " ", out->events);
    cli_suggest_free(&s);
    pc_wave_close(wave);
}

/* Letters are variables of one bit, `names` what they are called; f(t, i) is the i-th at time t. */
static void write_file(const char *const *names, size_t count, int times, int (*f)(int t, size_t i))
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "$var wire 1 %c %s $end ", (int)('a' + i),
                              names[i]);
    n += (size_t)snprintf(text + n, sizeof text - n, "$enddefinitions $end\n");
    for (int t = 0; t < times; t++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "#%d\n", t);
        for (size_t i = 0; i < count; i++)
            if (t == 0 || f(t, i) != f(t - 1, i))
                n += (size_t)snprintf(text + n, sizeof text - n, "%d%c\n", f(t, i), (int)('a' + i));
    }
}

static int clocks_at(int t, size_t i)
{
    switch (i) {
    case 0: /* the clock, and its copy */
    case 1:
        return t & 1;
    case 2: /* data, every fourth cycle */
        return t / 2 % 4 == 1;
    case 3: /* a divided clock, by its name */
        return t / 2 & 1;
    case 4: /* the inverted clock */
        return !(t & 1);
    case 5: /* a clock that pauses at the end */
        return t < 150 && (t & 1);
    case 6: /* an enable of a clock */
        return t / 2 % 2 == 1;
    case 7: /* as data, a bit later */
        return t / 2 % 4 == 2;
    default:
        return t % 7 % 3 == 1;
    }
}

/* Data that looks regular is no clock, nor is what is the clock in other words. */
static void regular_data(void **state)
{
    static const char *const names[] = { "u.beat", "top.clk", "rd", "clk_div2", "nclk",
                                         "gclk",   "clk_en",  "wr", "odd_busy" };
    static const char *const unnamed[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
    struct told told;

    (void)state;
    write_file(names, 9, 200, clocks_at);
    suggest(text, &told);
    assert_string_equal(told.clocks, "top.clk clk_div2");
    assert_string_equal(told.events, "odd_busy rd wr");
    write_file(unnamed, 9, 200, clocks_at);
    suggest(text, &told);
    assert_string_equal(told.clocks, "a"); /* of the same waveform the first */
    assert_string_equal(told.pairs, "");
    assert_string_equal(told.events, "i d c h");
}

static int two_at(int t, size_t i)
{
    return i == 0 ? t & 1 : i == 1 ? t / 3 % 2 : i == 2 ? t / 2 % 5 == 1 && t % 3 : t / 6 % 3 == 1;
}

/* Suggests both of two clocks that are not multiples of each other, and no clock that is not
 * used. */
static void clocks_and_users(void **state)
{
    static const char *const names[] = { "clk", "mclk", "x", "y" };
    struct told told;

    (void)state;
    write_file(names, 4, 200, two_at);
    suggest(text, &told);
    assert_string_equal(told.clocks, "clk mclk");
    write_file(names + 1, 1, 200, two_at);
    suggest(text, &told);
    assert_string_equal(told.clocks, "");
    assert_string_equal(told.events, "mclk");
}

static int pairs_at(int t, size_t i)
{
    return t / 3 % (int)(i % 6 + 2) == 1;
}

static void pairs(void **state)
{
    static const char *const names[] = { "b.in_valid_i", "b.in_ready_o", "AWVALID",    "AWREADY",
                                         "x.Psel_Valid", "x.Psel_Ready", "u.in_valid", "u.in_ready",
                                         "lone_valid",   "c.req",        "c.gnt" };
    struct told told;

    (void)state;
    write_file(names, 11, 400, pairs_at); /* u's waveforms are b's */
    suggest(text, &told);
    assert_string_equal(told.pairs, "b.in_valid_i&b.in_ready_o AWVALID&AWREADY "
                                    "x.Psel_Valid&x.Psel_Ready c.req&c.gnt");
}

static void nothing_to_suggest(void **state)
{
    struct cli_suggestions s;
    struct pc_var_activity activity[1] = { { 0 } };
    struct pc_wave_totals totals = { 0 };
    struct pc_wave *wave =
        text_open("$timescale 1ns $end $var wire 1 a a $end $enddefinitions $end");

    (void)state;
    assert_true(cli_suggest(wave, &totals, activity, &s));
    assert_int_equal(s.clocks + s.events, 0);
    cli_suggest_free(&s);
    pc_wave_close(wave);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_and_events),
        cmocka_unit_test(bits_of_vectors),
        cmocka_unit_test(regular_data),
        cmocka_unit_test(clocks_and_users),
        cmocka_unit_test(pairs),
        cmocka_unit_test(nothing_to_suggest),
    };

    return cmocka_run_group_tests_name("wave/suggest", tests, NULL, NULL);
}
