/* SPDX-License-Identifier: MIT */
/* The error catalogue: codes, texts, and what pc_fail makes of them. */
#include "test.h"
#include "base/error.h"

#include <string.h>

static void codes_ascend_and_are_found(void **state)
{
    size_t count;
    const struct pc_error_info *all = pc_explain_all(&count);

    (void)state;
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && all[i].code <= all[i - 1].code)
            fail_msg("code %u follows %u", all[i].code, all[i - 1].code);
        assert_in_range(all[i].code, 100, 9999);
        assert_ptr_equal(pc_explain(all[i].code), &all[i]);
    }
    assert_null(pc_explain(0));
    assert_null(pc_explain(99));
    assert_null(pc_explain(2300));
}

static bool ends_sentence(const char *text)
{
    size_t n = strlen(text);

    return n > 1 && (text[n - 1] == '.' || text[n - 1] == '?');
}

static void every_row_says_something(void **state)
{
    size_t count;
    const struct pc_error_info *all = pc_explain_all(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct pc_error_info *e = &all[i];
        assert_true(e->status > PC_END && e->status < PC_STATUS_COUNT);
        assert_true(strlen(e->title) >= 6 && strlen(e->title) <= 80);
        if (!ends_sentence(e->why) || !ends_sentence(e->what_to_do))
            fail_msg("PC-E%04u: \"%s\" / \"%s\" are not sentences", e->code, e->why, e->what_to_do);
        assert_null(strchr(e->title, '\n'));
        assert_null(strchr(e->why, '\n'));
        assert_null(strchr(e->what_to_do, '\n'));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(e->why, all[j].why);
    }
}

static void statuses_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < PC_STATUS_COUNT; i++) {
        assert_memory_equal(pc_status_name((enum pc_status)i), "PC_", 3);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(pc_status_name((enum pc_status)i),
                                    pc_status_name((enum pc_status)j));
    }
    assert_string_equal(pc_status_name(PC_STATUS_COUNT), "PC_?");
}

static void places_and_hints(void **state)
{
    struct pc_error err;

    (void)state;
    memset(&err, 0x5a, sizeof err);
    assert_int_equal(pc_fail(&err, 203, "no %s", "X"), PC_ENOENT);
    assert_int_equal(err.status, PC_ENOENT);
    assert_int_equal(err.code, 203);
    assert_string_equal(err.text, "no X");
    assert_string_equal(err.hint, "");
    assert_int_equal(err.line, 0);
    assert_false(err.has_byte);
    pc_hint(&err, "try %d", 7);
    assert_string_equal(err.hint, "try 7");
    assert_int_equal(pc_fail_at(&err, 203, 3, 9, "there"), PC_ENOENT);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.column, 9);
    assert_string_equal(err.hint, "");
    assert_int_equal(pc_fail_byte(&err, 203, 1ull << 40, "there"), PC_ENOENT);
    assert_true(err.has_byte);
    assert_int_equal(err.byte, 1ull << 40);
    assert_int_equal(pc_fail(NULL, 203, "nobody listens"), PC_ENOENT);
    pc_hint(NULL, "nobody listens");
}

static void long_texts_are_cut_not_spilled(void **state)
{
    struct pc_error err;
    char text[1000];

    (void)state;
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(pc_fail(&err, 203, "%s", text), PC_ENOENT);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    pc_hint(&err, "%s", text);
    assert_int_equal(strlen(err.hint), sizeof err.hint - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_ascend_and_are_found),
        cmocka_unit_test(every_row_says_something),
        cmocka_unit_test(statuses_have_names),
        cmocka_unit_test(places_and_hints),
        cmocka_unit_test(long_texts_are_cut_not_spilled),
    };
    return cmocka_run_group_tests_name("errors", tests, NULL, NULL);
}
