/* SPDX-License-Identifier: MIT */
/* Activity of a scan: x or z in any place of a value of any width is seen, and nothing else is. */
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

static int remove_file(void **state)
{
    (void)state;
    fst_temp_close();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(unknown_anywhere) };

    return cmocka_run_group_tests_name("wave/activity", tests, NULL, remove_file);
}
