/* SPDX-License-Identifier: MIT */
/*
 * `pcounter check` on waveforms that the tests make: resets between two edges of the clock, and
 * registers that stay unknown.
 */
#include "wave_make.h"
#include "wave_run.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

static struct wave_ran ran;

static void check_as(const struct wave_made *m, const char *profile, const char *format)
{
    wave_run(&ran, "check", "--core", "cv64a6_imafdc_sv39", "--profile", profile, "-k", "--format",
             format, m->path, NULL);
}

static int64_t register_number(const char *name, const char *key)
{
    const json_t *row = wave_find(json_object_get(ran.json, "registers"), "name", name);

    assert_non_null(row);
    return wave_number(row, key);
}

/* Verifies that a reset that no edge sees, as of a gated clock, is none of the core's mistakes. */
static void a_reset_between_two_edges_is_seen(void **state)
{
    (void)state;
    for (uint64_t seed = 81; seed <= 84; seed++) {
        /* also as the first clock of a word, of a block, and of the trace's second part */
        static const unsigned at[] = { 700, 704, 16384 + 5, 9 };
        const struct wave_plan plan = {
            .clocks = 17000, .reset = 5, .seed = seed, .calm = 300, .pulse = at[seed - 81]
        };
        struct wave_made m;
        wave_make(&plan, &m);
        check_as(&m, "rtl", "json");
        if (ran.code != 0)
            fail_msg("seed %u: %s%s", (unsigned)seed, ran.out, ran.errors);
        assert_int_equal(wave_number(ran.json, "compared"), 15 * (plan.clocks - plan.reset));
        assert_int_equal(wave_number(ran.json, "in_reset"), plan.reset);
        assert_int_equal(wave_number(ran.json, "resets_between"), 1);
        assert_int_equal(register_number("mcycle", "differences"), 0);
        wave_done(&ran);
        check_as(&m, "rtl", "text");
        assert_non_null(strstr(ran.out, ", 5 in reset, 1 reset between two edges\n"));
        wave_done(&ran);
        wave_remove(&m);
    }
}

/* Verifies that a reset by way of an unknown value is one, too, and one that is no more than that.
 */
static void a_reset_by_an_unknown_is_seen(void **state)
{
    static const char *const ways[] = { "x0", "x", "0x", "z" };

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const struct wave_plan plan = {
            .clocks = 2000, .reset = 5, .seed = 88, .calm = 300, .pulse = 900, .pulse_by = ways[i]
        };
        struct wave_made m;
        wave_make(&plan, &m);
        check_as(&m, "rtl", "json");
        if (ran.code != 0)
            fail_msg("%s: %s%s", ways[i], ran.out, ran.errors);
        assert_int_equal(wave_number(ran.json, "compared"), 15 * (plan.clocks - plan.reset));
        assert_int_equal(wave_number(ran.json, "resets_between"), 1);
        wave_done(&ran);
        wave_remove(&m);
    }
}

/*
 * Verifies that registers which go on after a reset are looked at as before, and that without
 * rst_ni all registers becoming 0 at once are taken as one.
 */
static void zeros_are_told_from_a_reset(void **state)
{
    static const char *const ways[] = { "0", "x" };
    const struct wave_plan no_port = {
        .clocks = 2000, .seed = 86, .pulse = 900, .omit = { "rst_ni" }
    };
    struct wave_made m;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct wave_plan ignored = { .clocks = 2000,
                                           .reset = 5,
                                           .seed = 85,
                                           .pulse = 900,
                                           .pulse_by = ways[i],
                                           .pulse_ignored = true };
        wave_make(&ignored, &m);
        check_as(&m, "rtl", "json");
        assert_int_equal(ran.code, 0);
        assert_int_equal(wave_number(ran.json, "resets_between"), 0);
        wave_done(&ran);
        wave_remove(&m);
    }
    wave_make(&no_port, &m);
    check_as(&m, "rtl", "json");
    assert_int_equal(ran.code, 0);
    assert_int_equal(wave_number(ran.json, "resets_between"), 0);
    assert_int_equal(wave_number(ran.json, "taken_as_reset"), 1);
    assert_int_equal(register_number("mcycle", "compared"), no_port.clocks - 2);
    assert_non_null(strstr(ran.errors, "note[PC-N1052]: rst_ni is not in the waveform: 1 clock in "
                                       "which every register that is seen is 0"));
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that a reset at the beginning is one without rst_ni, too, and then is as with it. */
static void a_reset_at_the_beginning_needs_no_port(void **state)
{
    const struct wave_plan plan = {
        .clocks = 2000, .reset = 50, .seed = 87, .calm = 300, .omit = { "rst_ni" }
    };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    check_as(&m, "rtl", "json");
    assert_int_equal(ran.code, 0);
    assert_int_equal(wave_number(ran.json, "taken_as_reset"), 49);
    assert_true(register_number("mhpmcounter3", "compared") >= 1949);
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that one register alone becoming 0 is a difference, with rst_ni and without. */
static void one_register_of_zeros_is_a_difference(void **state)
{
    struct wave_plan plan = {
        .clocks = 2000, .reset = 5, .seed = 89, .defect = WAVE_MCYCLE, .at = 6, .omit = { "rst_ni" }
    };
    struct wave_made m;

    (void)state;
    wave_make(&plan, &m);
    check_as(&m, "rtl", "json");
    assert_int_equal(ran.code, 1);
    assert_int_equal(register_number("mcycle", "differences"), 1);
    wave_done(&ran);
    wave_remove(&m);
}

/* Verifies that an unknown register is told once, and compared again when it has a value. */
static void an_unknown_register_is_told_once(void **state)
{
    const struct wave_plan plan = {
        .clocks = 2000, .reset = 5, .seed = 87, .calm = 300, .defect = WAVE_LONG_UNKNOWN, .at = 1001
    };
    struct wave_made m;
    char name[32];

    (void)state;
    wave_make(&plan, &m);
    assert_true(m.hit != UINT64_MAX);
    snprintf(name, sizeof name, "mhpmcounter%u", m.hit_counter);
    check_as(&m, "rtl", "json");
    assert_int_equal(ran.code, 1);
    assert_int_equal(wave_number(ran.json, "differences"), 1);
    assert_int_equal(register_number(name, "differences"), 1);
    /* 99 clocks after the first unknown one, and the one whose value the model takes over */
    assert_int_equal(register_number(name, "compared"), plan.clocks - plan.reset - 100);
    wave_done(&ran);
    wave_remove(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_between_two_edges_is_seen),
        cmocka_unit_test(a_reset_by_an_unknown_is_seen),
        cmocka_unit_test(zeros_are_told_from_a_reset),
        cmocka_unit_test(a_reset_at_the_beginning_needs_no_port),
        cmocka_unit_test(one_register_of_zeros_is_a_difference),
        cmocka_unit_test(an_unknown_register_is_told_once),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
