/* SPDX-License-Identifier: MIT */
/* Enumerations of an FST: names of values, escapes, and tables that are malformed. */
#include "fst_make.h"
#include "fst_support.h"

#include <string.h>

static void add_attribute(struct mk *m, const char *text, uint64_t number)
{
    mk_u8(m, 252);
    mk_u8(m, 0);
    mk_u8(m, 7);
    mk_text(m, text);
    mk_number(m, number);
}

static struct pc_wave *open_entries(struct mk *entries, const uint32_t *length, size_t count)
{
    struct mk file = { 0 };
    struct pc_wave *wave = NULL;
    struct pc_error err;

    mk_upscope(entries);
    mk_header(&file, -9);
    mk_geometry(&file, false, length, count);
    mk_hierarchy(&file, 4, entries);
    const struct pc_wave_desc desc = { .path = fst_temp(&file, "") };
    test_ok(pc_wave_open(&desc, &wave, &err), &err);
    mk_free(&file);
    mk_free(entries);
    return wave;
}

static void check(const struct pc_wave *wave, const char *signal, const char *word,
                  enum pc_status want, unsigned number)
{
    uint8_t bits[8] = { 0 };
    bool is_signed = false;
    struct pc_error err;
    size_t count = 0;
    unsigned got = 0;

    const enum pc_status status =
        pc_wave_find_value(wave, signal, word, bits, 8, &count, &is_signed, &err);
    if (status != want)
        fail_msg("%s == %s: status %d, wanted %d", signal, word, (int)status, (int)want);
    for (size_t i = 0; i < count; i++)
        got |= (unsigned)bits[i] << i;
    assert_int_equal(got, number);
}

static void names(void **state)
{
    static const uint32_t length[] = { 3, 3, 2, 3, 1 };
    struct mk entries = { 0 };
    const char *name, *digits;

    (void)state;
    mk_scope(&entries, "top");
    add_attribute(&entries, "pkg::state_t 4 IDLE Run run a\\x20b 000 001 010 110", 1);
    add_attribute(&entries, " 2 Q\\t U 1x0 01", 2); /* a table without a name */
    add_attribute(&entries, "", 1);
    mk_var(&entries, 28, "s [2:0]", 3, 0);
    mk_var(&entries, 16, "plain [2:0]", 3, 0);
    add_attribute(&entries, "", 2);
    mk_var(&entries, 28, "other [1:0]", 2, 0);
    add_attribute(&entries, "", 1);
    mk_var(&entries, 28, "t [2:0]", 3, 0);
    add_attribute(&entries, "", 7); /* of no table */
    mk_var(&entries, 28, "u", 1, 0);
    struct pc_wave *wave = open_entries(&entries, length, 5);
    check(wave, "top.s", "IDLE", PC_OK, 0);
    check(wave, "top.s", "idle", PC_OK, 0);
    check(wave, "top.t", "run", PC_OK, 2);
    check(wave, "s", "Run", PC_OK, 1);
    check(wave, "s", "RUN", PC_ENOENT, 0); /* two are like it */
    check(wave, "s", "a b", PC_OK, 6);
    check(wave, "s[2:0]", "Run", PC_OK, 1);
    check(wave, "s[1:0]", "Run", PC_END, 0);
    check(wave, "plain", "Run", PC_END, 0);
    check(wave, "other", "U", PC_OK, 1);
    check(wave, "other", "Q\t", PC_ENOENT, 0); /* x: nothing equals it */
    check(wave, "u", "IDLE", PC_END, 0);
    assert_int_equal(pc_wave_get_value_name(wave, 2, 0, &name, &digits), PC_OK);
    assert_string_equal(name, "Q\t");
    assert_string_equal(digits, "1x0");
    assert_int_equal(pc_wave_get_value_name(wave, 2, 2, &name, &digits), PC_END);
    assert_int_equal(pc_wave_get_value_name(wave, 9, 0, &name, &digits), PC_END);
    assert_null(pc_wave_warning(wave, 0));
    pc_wave_close(wave);
    fst_temp_close();
}

/* Such a table is said to be malformed; variables of it are read as others. */
static void malformed(void **state)
{
    static const char *const texts[] = { "x",         "x ",          "x 0",
                                         "x 2 A B 0", "x 2 A B 0 9", "x 2 A B",
                                         "x -1 A",    "x 1 A 0q1",   "x 9999999999 A 0 1",
                                         "\\",        "x 1 A \\" };
    static const uint32_t length[] = { 1 };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct mk entries = { 0 };
        mk_scope(&entries, "top");
        add_attribute(&entries, texts[i], 1);
        add_attribute(&entries, "", 1);
        mk_var(&entries, 28, "s", 1, 0);
        struct pc_wave *wave = open_entries(&entries, length, 1);
        if (!pc_wave_warning(wave, 0))
            fail_msg("no warning of \"%s\"", texts[i]);
        check(wave, "top.s", "A", PC_END, 0);
        pc_wave_close(wave);
        fst_temp_close();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
