/* SPDX-License-Identifier: MIT */
/* Decimal numbers: pc_decimal_parse(), which all texts with a point go through, and its digits. */
#include "test.h"
#include "base/decimal.h"
#include "pcounter/pcounter.h"

#include <string.h>

static void numbers(void **state)
{
    static const struct {
        const char *text;
        enum pc_status status;
        size_t used;
        uint64_t number;
        int exponent;
    } cases[] = {
        { "15", PC_OK, 2, 15, 0 },
        { "15.2us", PC_OK, 4, 152, -1 },
        { "15.20", PC_OK, 5, 152, -1 },
        { "100", PC_OK, 3, 100, 0 },
        { "1.000", PC_OK, 5, 1, 0 },
        { "0", PC_OK, 1, 0, 0 },
        { "0.00", PC_OK, 4, 0, 0 },
        { "007.5", PC_OK, 5, 75, -1 },
        { "0.001 ", PC_OK, 5, 1, -3 },
        { "1.2.3", PC_OK, 3, 12, -1 },
        { "1e3", PC_OK, 1, 1, 0 },
        { "18446744073709551615", PC_OK, 20, UINT64_MAX, 0 },
        { "1844674407370955161.50", PC_OK, 22, UINT64_MAX, -1 },
        { "18446744073709551616", PC_ELIMIT, 20, 0, 0 },
        { "1.00000000000000000000000000000000000000000000000001", PC_ELIMIT, 52, 0, 0 },
        { "1.00000000000000000000000000000000000000000000000000", PC_OK, 52, 1, 0 },
        { "", PC_EINPUT, 0, 0, 0 },
        { ".5", PC_EINPUT, 0, 0, 0 },
        { "-1", PC_EINPUT, 0, 0, 0 },
        { "5.", PC_EINPUT, 2, 0, 0 },
        { "5.x", PC_EINPUT, 2, 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_decimal d = { 0, 0 };
        size_t used = 99;
        const enum pc_status status =
            pc_decimal_parse(cases[i].text, strlen(cases[i].text), &d, &used);
        if (status != cases[i].status || used != cases[i].used || d.number != cases[i].number ||
            d.exponent != cases[i].exponent)
            fail_msg("\"%s\": %s, %zu characters", cases[i].text, pc_status_name(status), used);
    }
}

/* Nothing is read beyond the length. */
static void lengths(void **state)
{
    struct pc_decimal d;
    size_t used;

    (void)state;
    assert_int_equal(pc_decimal_parse("12.34", 4, &d, &used), PC_OK);
    assert_int_equal(used, 4);
    assert_int_equal(d.number, 123);
    assert_int_equal(pc_decimal_parse("12.34", 3, &d, &used), PC_EINPUT);
    assert_int_equal(pc_decimal_parse("1", 0, &d, &used), PC_EINPUT);
    assert_int_equal(pc_decimal_parse(NULL, 1, &d, &used), PC_EARG);
    assert_int_equal(pc_decimal_parse("1", 1, NULL, &used), PC_EARG);
    assert_int_equal(pc_decimal_parse("1", 1, &d, NULL), PC_EARG);
}

static void digits(void **state)
{
    const char twice[] = "1.2.3", comma[] = "3,25e-2V",
               many[] = "12345678901234567890123456789012345678901234567";
    struct pc_digits d;

    (void)state;
    const char *p = pc_digits_read(comma, comma + 8, true, &d);
    assert_ptr_equal(p, comma + 4);
    assert_int_equal(d.exponent, -2);
    assert_ptr_equal(pc_exponent_read(p, comma + 8, &d.exponent), comma + 7);
    assert_int_equal(d.exponent, -4);
    assert_null(pc_exponent_read(p, comma + 6, &d.exponent)); /* "e-" */
    assert_ptr_equal(pc_digits_read(comma, comma + 8, false, &d), comma + 1);
    assert_null(pc_digits_read(twice, twice + 5, false, &d));
    assert_ptr_equal(pc_digits_read(many, many + 47, false, &d), many + 47);
    assert_int_equal(d.digits, 40);
    assert_int_equal(d.exponent, 7);
    assert_true(d.cut);
}

/* An exponent adds zeros, as far as they fit. */
static void exponents(void **state)
{
    struct pc_digits d = { .digit = { '1', '8' }, .digits = 2, .exponent = 18 };
    uint64_t number = 0;
    int exponent = 9;

    (void)state;
    assert_true(pc_digits_number(&d, &number, &exponent));
    assert_int_equal(number, UINT64_C(18000000000000000000));
    assert_int_equal(exponent, 0);
    d.exponent = 19;
    assert_false(pc_digits_number(&d, &number, &exponent));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(lengths),
        cmocka_unit_test(digits),
        cmocka_unit_test(exponents),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
