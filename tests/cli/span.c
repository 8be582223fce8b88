/* SPDX-License-Identifier: MIT */
/* Spans in time units of a waveform, as exact fractions made them, whatever number of digits. */
#include "test.h"

#include "span.h"

static void ticks(void **state)
{
    static const struct {
        const char *text;
        uint64_t rate, factor; /* of samples, or of time units */
        int exponent;
        uint64_t ticks;
        bool exact;
    } cases[] = {
        { "1.5us", 0, 1, -9, 1500, true },
        { "5.5ns", 0, 10, -9, 0, false },
        { "1s", 0, 244, -12, 4098360655, false },
        { "0s", 0, 100, -15, 0, true },
        { "18446744s", 0, 1, -12, 18446744000000000000u, true },
        { "4500000000s", 0, 244, -12, 18442622950819672131u, false },
        { "18446744073709551615fs", 0, 1, -15, UINT64_MAX, true },
        { "0.00000000000000000001fs", 0, 1, -15, 0, false },
        { "1us", 3, 0, 0, 0, false },
        { "0.3s", 31250000, 0, 0, 9375000, true },
        { "0.30000000000000004s", 31250000, 0, 0, 9375000, false },
        { "0.12345678901234567s", 31250000, 0, 0, 3858024, false },
        { "0.0000001620000000000004s", 12345678, 0, 0, 1, false },
        { "12.345678901234s", 12345678, 0, 0, 152415776, false },
        { "0.12345678901234567890s", 1000000000000000, 0, 0, 123456789012345, false },
        { "0.00012345678901234567890s", 12345677, 0, 0, 1524, false },
        { "0.00000000000000000001fs", 1000000000000000, 0, 0, 0, false },
        { "18446.744073709551615s", 1000000000000000, 0, 0, UINT64_MAX, true },
        { "18446.744073709551615s", 999999999999999, 0, 0, 18446744073709533168u, false },
    };
    static const struct {
        const char *text;
        uint64_t rate;
        int exponent;
    } long_ones[] = { { "18446745s", 0, -12 },
                      { "18446744073709551615ps", 0, -15 },
                      { "1s", 0, -21 },
                      { "18447s", 1000000000000000, 0 },
                      { "1000000000000s", 999999999999989, 0 } };
    struct cli_span span;
    uint32_t column;
    uint64_t got;
    bool exact;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pc_wave_info info = { .sampled = cases[i].rate > 0,
                                           .sample_rate = cases[i].rate,
                                           .timescale_factor = cases[i].factor,
                                           .timescale_exponent = cases[i].exponent };
        assert_null(cli_span_parse(cases[i].text, &span, &column));
        if (!cli_span_ticks(&span, &info, &got, &exact) || got != cases[i].ticks ||
            exact != cases[i].exact)
            fail_msg("%s is %llu%s, not %llu", cases[i].text, (unsigned long long)got,
                     exact ? "" : " and a part", (unsigned long long)cases[i].ticks);
    }
    for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
        const struct pc_wave_info info = { .sampled = long_ones[i].rate > 0,
                                           .sample_rate = long_ones[i].rate,
                                           .timescale_factor = 1,
                                           .timescale_exponent = long_ones[i].exponent };
        assert_null(cli_span_parse(long_ones[i].text, &span, &column));
        assert_false(cli_span_ticks(&span, &info, &got, &exact));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(ticks) };

    return cmocka_run_group_tests_name("cli/span", tests, NULL, NULL);
}
