/* SPDX-License-Identifier: MIT */
/* Own digits of doubles (cli/text/fifteen.h) against "%.15g": they are the same text. */
#include "test.h"
#include "text/fifteen.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void same(double number)
{
    char own[CLI_FIFTEEN], printed[CLI_FIFTEEN];
    const int n = snprintf(printed, sizeof printed, "%.15g", number);

    assert_int_equal(cli_fifteen_digits(own, number), n);
    assert_string_equal(own, printed);
}

/* With the doubles next to it. */
static void around(double number)
{
    same(number);
    same(-number);
    same(nextafter(number, 0));
    same(nextafter(number, INFINITY));
}

/* Where the exponent grows, also by rounding, and where the text has another form. */
static void powers(void **state)
{
    (void)state;
    for (int e = -30; e <= 30; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        const double power = strtod(text, NULL);
        around(power);
        around(power * 0.99999999999999944);
        around(power * 0.9999999999999995);
        around(power / 3);
    }
    for (int e = -70; e <= 70; e++)
        around(ldexp(1, e));
    around(0);
    around(DBL_MAX);
    around(DBL_MIN);
    same(INFINITY);
}

/* A half is to the even digit: 15 digits and a 5 behind them. */
static void halves(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        same(100000000000000.5 + i);
        same(10000000000000.25 + i * 0.125);
        same(1000000000000.125 + i * 0.0625);
        same(3000000000.0009765625 + i * 0.0009765625);
    }
}

static void at_random(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(39, &seed);

    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 300000; i++) {
        const uint64_t mantissa = test_rand(&rng) >> 11;
        same(ldexp((double)mantissa, -(int)(test_rand(&rng) % 80)));
        same((double)(mantissa >> 20) / 1e9);
        same((double)(mantissa % 1000000) * 1e-6);
        same((double)(mantissa >> 24) * 1e-12);
        same((double)(mantissa % 100000) * 1e-15);
        same((double)(mantissa % 1000) * 5e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers),
        cmocka_unit_test(halves),
        cmocka_unit_test(at_random),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
