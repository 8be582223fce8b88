/* SPDX-License-Identifier: MIT */
/*
 * The JSON of `pcounter check` of a waveform: what its schema says of values.  (That it has each
 * member, and no others, is for tests/schema.)
 */
#include "wave_make.h"
#include "wave_run.h"

#include "test.h"

#include <stdio.h>
#include <string.h>

#define CORE "cv64a6_imafdc_sv39"

static struct wave_ran ran;

/* Verifies what the schema says in words. */
static void values_are_as_described(void **state)
{
    const struct wave_plan sound = { .clocks = 300, .reset = 5, .seed = 5 };
    const struct wave_plan unknown = {
        .clocks = 900, .reset = 5, .seed = 4, .defect = WAVE_UNKNOWN, .at = 500
    };
    struct wave_made m;

    (void)state;
    wave_make(&sound, &m);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--format", "json", m.path, NULL);
    const json_t *regs = json_object_get(ran.json, "registers");
    assert_true(json_is_true(json_object_get(ran.json, "complete")));
    assert_int_equal(wave_number(ran.json, "edges"), 300);
    assert_int_equal(wave_number(ran.json, "in_reset"), 5);
    for (size_t i = 0; i < json_array_size(regs); i++) {
        const json_t *row = json_array_get(regs, i), *last = json_object_get(row, "last");
        if (strcmp(wave_text(row, "name"), "data_o") == 0)
            assert_null(last);
        else
            assert_true(json_is_number(last));
    }
    assert_int_equal(json_array_size(json_object_get(ran.json, "groups")), 0);
    assert_int_equal(json_array_size(json_object_get(ran.json, "shown")), 0);
    wave_done(&ran);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--quirk", "or_ports=off",
             "--quirk", "evict_ff=on", "-k", "--format", "json", m.path, NULL);
    assert_string_equal(wave_text(ran.json, "switched"), "-or_ports +evict_ff");
    wave_done(&ran);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--quirk", "or_ports=off",
             "--quirk", "evict_ff=on", "-k", "--format", "csv", m.path, NULL);
    assert_non_null(strstr(ran.out, ",like,switched,not_compared,as_if\r\n"));
    assert_non_null(strstr(ran.out, ",-or_ports +evict_ff,,\r\n"));
    assert_non_null(strstr(ran.out, ",0,,,,,,,-or_ports +evict_ff,,\r\n"));
    wave_done(&ran);
    wave_remove(&m);

    wave_make(&unknown, &m);
    wave_run(&ran, "check", "--core", CORE, "--profile", "rtl", "--format", "json", m.path, NULL);
    assert_true(json_is_false(json_object_get(ran.json, "complete")));
    assert_int_equal(wave_number(ran.json, "differences"), 1);
    const json_t *diff = json_array_get(json_object_get(ran.json, "shown"), 0);
    assert_true(json_is_null(json_object_get(diff, "design")));
    assert_memory_equal(wave_text(diff, "model"), "0x", 2);
    assert_null(json_object_get(diff, "like"));
    assert_int_equal(wave_number(diff, "time"), 10 * wave_number(diff, "edge") + 5);
    const json_t *group = json_array_get(json_object_get(ran.json, "groups"), 0);
    assert_int_equal(wave_number(group, "first_edge"), wave_number(diff, "edge"));
    assert_string_equal(wave_text(group, "clause"), wave_text(diff, "clause"));
    assert_true(json_is_string(json_object_get(group, "like")));
    wave_done(&ran);
    wave_remove(&m);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_as_described),
    };

    return wave_given(argc, argv) ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
