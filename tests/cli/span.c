/* SPDX-License-Identifier: MIT */
/* Times of the command line in time units of a waveform: exact for any unit, rate and digits. */
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "wave/span.h"

static struct pc_wave_info at_rate(uint64_t rate)
{
    return (struct pc_wave_info){ .sampled = true, .sample_rate = rate };
}

static struct pc_wave_info in_units(uint64_t factor, int exponent)
{
    return (struct pc_wave_info){ .timescale_factor = factor, .timescale_exponent = exponent };
}

static struct cli_span parse(const char *text)
{
    struct cli_span span;
    uint32_t column;
    const char *wrong = cli_span_parse(text, CLI_SPAN_CYCLES, &span, &column);

    if (wrong)
        fail_msg("%s: %s", text, wrong);
    return span;
}

static void expect(const char *text, struct pc_wave_info info, uint64_t whole, uint64_t part,
                   uint64_t per)
{
    const struct cli_span span = parse(text);
    struct cli_ticks ticks;

    if (!cli_span_ticks(&span, &info, &ticks))
        fail_msg("%s does not fit", text);
    if (ticks.whole != whole || ticks.part != part || ticks.per != per)
        fail_msg("%s is %" PRIu64 " and %" PRIu64 " of %" PRIu64, text, ticks.whole, ticks.part,
                 ticks.per);
}

static void known_times(void **state)
{
    (void)state;
    expect("0s", in_units(1, -9), 0, 0, 1);
    expect("15.2us", in_units(1, -9), 15200, 0, 1);
    expect("15.2us", in_units(10, -9), 1520, 0, 1);
    expect("155ns", in_units(100, -9), 1, 55, 100);
    expect("1s", in_units(1, -15), UINT64_C(1000000000000000), 0, 1);
    expect("1s", in_units(100, 0), 0, 1, 100);
    expect("18446744073709551615fs", in_units(1, -15), UINT64_MAX, 0, 1);
    expect("1ms", at_rate(44100), 44, 1, 10);
    /* digits of the time by those of the rate are more than 64 bits */
    expect("1.2345678901234s", at_rate(12345678), 15241577, UINT64_C(6406028766652),
           UINT64_C(10000000000000));
}

/* Whole units alone: times of many digits, at rates of many. */
static void many_digits(void **state)
{
    static const struct {
        const char *text;
        uint64_t rate, factor; /* of samples, or of time units */
        int exponent;
        uint64_t whole;
        bool exact;
    } cases[] = {
        { "1s", 0, 244, -12, 4098360655, false },
        { "18446744s", 0, 1, -12, UINT64_C(18446744000000000000), true },
        { "4500000000s", 0, 244, -12, UINT64_C(18442622950819672131), false },
        { "0.3s", 31250000, 0, 0, 9375000, true },
        { "0.30000000000000004s", 31250000, 0, 0, 9375000, false },
        { "0.12345678901234567s", 31250000, 0, 0, 3858024, false },
        { "0.0000001620000000000004s", 12345678, 0, 0, 1, false },
        { "0.12345678901234567890s", UINT64_C(1000000000000000), 0, 0, 123456789012345, false },
        { "0.00012345678901234567890s", 12345677, 0, 0, 1524, false },
        { "18446.744073709551615s", UINT64_C(1000000000000000), 0, 0, UINT64_MAX, true },
        { "18446.744073709551615s", 999999999999999, 0, 0, UINT64_C(18446744073709533168), false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct pc_wave_info info =
            cases[i].rate ? at_rate(cases[i].rate) : in_units(cases[i].factor, cases[i].exponent);
        const struct cli_span span = parse(cases[i].text);
        struct cli_ticks ticks;
        if (!cli_span_ticks(&span, &info, &ticks) || ticks.whole != cases[i].whole ||
            (ticks.part == 0) != cases[i].exact)
            fail_msg("%s is %" PRIu64 "%s", cases[i].text, ticks.whole,
                     ticks.part ? " and a part" : "");
    }
}

/* More than any waveform has is told, and what is too fine to be told is not nothing. */
static void ends(void **state)
{
    const struct pc_wave_info fs = in_units(1, -15), fast = at_rate(UINT64_MAX);
    const struct cli_span long_one = parse("18447s"), longer = parse("2s");
    const struct cli_span fine = parse("0.0000000001fs");
    struct cli_ticks ticks;

    (void)state;
    assert_false(cli_span_ticks(&long_one, &fs, &ticks));
    assert_false(cli_span_ticks(&longer, &fast, &ticks));
    expect("1s", fast, UINT64_MAX, 0, 1);
    assert_true(cli_span_ticks(&fine, &fs, &ticks));
    assert_true(ticks.whole == 0 && ticks.part > 0);
    assert_true(
        cli_span_ticks(&fine, &(struct pc_wave_info){ .sampled = true, .sample_rate = 3 }, &ticks));
    assert_true(ticks.whole == 0 && ticks.part > 0);
}

/* ---- any time at any rate, by numbers as long as they have to be ---- */

enum { LIMBS = 10 };

struct big {
    uint32_t limb[LIMBS]; /* the low one first */
};

static struct big times_32(struct big a, uint32_t b)
{
    uint64_t carry = 0;

    for (unsigned i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a.limb[i] * b;
        a.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
    return a;
}

static struct big plus(struct big a, struct big b)
{
    uint64_t carry = 0;

    for (unsigned i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a.limb[i] + b.limb[i];
        a.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    assert_int_equal(carry, 0);
    return a;
}

static struct big times(struct big a, uint64_t b)
{
    struct big high = times_32(a, (uint32_t)(b >> 32));

    memmove(high.limb + 1, high.limb, (LIMBS - 1) * sizeof high.limb[0]);
    high.limb[0] = 0;
    return plus(high, times_32(a, (uint32_t)b));
}

static struct big of(uint64_t n)
{
    return (struct big){ { (uint32_t)n, (uint32_t)(n >> 32) } };
}

static int compare(struct big a, struct big b)
{
    for (unsigned i = LIMBS; i-- > 0;)
        if (a.limb[i] != b.limb[i])
            return a.limb[i] < b.limb[i] ? -1 : 1;
    return 0;
}

/* Some bits, few or many alike. */
static uint64_t number(struct test_rng *rng)
{
    return test_rand(rng) >> test_rand_below(rng, 64);
}

static void any_rate(void **state)
{
    struct test_rng rng = test_rng_start(128, NULL);
    unsigned fits = 0, wide = 0;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        const uint64_t rate = number(&rng) | 1;
        const unsigned digits = test_rand_below(&rng, 35);
        const struct cli_span span = { .number = number(&rng), .exponent = -(int)digits };
        const struct pc_wave_info info = at_rate(rate);
        const struct big all = times(of(span.number), rate);
        struct big scale = of(1);
        struct cli_ticks t;
        for (unsigned k = 0; k < digits; k++)
            scale = times(scale, 10);
        if (!cli_span_ticks(&span, &info, &t)) { /* 2^64 and more */
            assert_true(compare(times(times(scale, UINT64_C(1) << 32), UINT64_C(1) << 32), all) <=
                        0);
            continue;
        }
        fits++;
        wide += all.limb[2] > 0;
        assert_true(t.part < t.per);
        assert_true(compare(times(scale, t.whole), all) <= 0);
        assert_true(compare(plus(times(scale, t.whole), scale), all) > 0);
        assert_true((t.part == 0) == (compare(times(scale, t.whole), all) == 0));
        if (digits <= 19) /* nothing of the fraction is lost */
            assert_int_equal(
                compare(plus(times(times(scale, t.whole), t.per), times(scale, t.part)),
                        times(all, t.per)),
                0);
    }
    assert_true(fits > 5000 && wide > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_times),
        cmocka_unit_test(many_digits),
        cmocka_unit_test(ends),
        cmocka_unit_test(any_rate),
    };

    return cmocka_run_group_tests_name("cli_span", tests, NULL, NULL);
}
