/* SPDX-License-Identifier: MIT */
/* Characters and words (base/text.h): ASCII, whatever the locale is. */
#include "test.h"
#include "base/text.h"
#include "wave/reader.h"

#include <ctype.h>
#include <string.h>

/* In the C locale ctype.h says the same of ASCII; bytes beyond are no letters and stay as they are.
 */
static void characters(void **state)
{
    (void)state;
    for (int c = 0; c < 256; c++) {
        const bool ascii = c < 128;
        const char ch = (char)c;
        assert_int_equal((unsigned char)pc_lower(ch), ascii ? tolower(c) : c);
        assert_int_equal(pc_is_digit(ch), ascii && isdigit(c) != 0);
        assert_int_equal(pc_is_hex(ch), ascii && isxdigit(c) != 0);
        assert_int_equal(pc_is_word(ch), ascii && (isalnum(c) != 0 || c == '_'));
    }
    assert_int_equal(pc_hex_digit('0'), 0);
    assert_int_equal(pc_hex_digit('a'), 10);
    assert_int_equal(pc_hex_digit('F'), 15);
    assert_int_equal(pc_hex_digit('g'), -1);
}

static void words(void **state)
{
    static const struct {
        size_t length; /* of "G92; NV92" */
        const char *word;
        bool same;
    } starts[] = {
        { 3, "g92", true }, { 3, "g9", false }, { 3, "g92;", false },
        { 0, "", true },    { 0, "g", false },
    };

    (void)state;
    assert_true(pc_same_text("", ""));
    assert_true(pc_same_text("Ctrl", "cTRL"));
    assert_false(pc_same_text("ctrl", "ctr"));
    assert_false(pc_same_text("ctr", "ctrl"));
    assert_false(pc_same_text("@", "`")); /* 0x20 apart, and no letters */
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        assert_int_equal(pc_same_start("G92; NV92", starts[i].length, starts[i].word),
                         starts[i].same);
    assert_true(pc_is_one_of('x', "xX"));
    assert_false(pc_is_one_of('y', "xX"));
}

/* Decimal or 0x: what C's base 0 would read otherwise is refused, and nothing is left behind. */
static void numbers(void **state)
{
    static const struct {
        const char *text;
        bool good;
        uint32_t value;
    } cases[] = {
        { "0", true, 0 },
        { "31", true, 31 },
        { "0x1f", true, 31 },
        { "0X1F", true, 31 },
        { "0x010", true, 16 },
        { "4294967295", true, UINT32_MAX },
        { "0xffffffff", true, UINT32_MAX },
        { "4294967296", false, 0 },
        { "0x100000000", false, 0 },
        { "99999999999999999999999999", false, 0 },
        { "", false, 0 },
        { "010", false, 0 },
        { "00000010", false, 0 },
        { "0x", false, 0 },
        { "0x0x1", false, 0 },
        { "1f", false, 0 },
        { "+1", false, 0 },
        { "-1", false, 0 },
        { " 1", false, 0 },
        { "1 ", false, 0 },
        { "1u", false, 0 },
    };
    uint32_t value = 7;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t got = 7;
        if (pc_read_u32(cases[i].text, strlen(cases[i].text), &got) != cases[i].good ||
            got != (cases[i].good ? cases[i].value : 7))
            fail_msg("\"%s\": %u", cases[i].text, (unsigned)got);
    }
    assert_true(pc_read_u32("123", 2, &value));
    assert_int_equal(value, 12);
    assert_false(pc_read_u32("1\0", 2, &value));
}

/* strchr() finds NUL in every set: a NUL in a text with a length was a prefix of 10^15. */
static void nul_is_no_member(void **state)
{
    uint64_t rate = 7;

    (void)state;
    assert_false(pc_is_one_of('\0', "xX"));
    assert_false(wv_parse_rate("1\0", 2, &rate));
    assert_false(wv_parse_rate("1\0Hz", 4, &rate));
    assert_int_equal(rate, 7);
    assert_true(wv_parse_rate("1 m", 3, &rate));
    assert_int_equal(rate, 1000000);
    assert_false(wv_parse_rate(".", 1, &rate));
    assert_true(wv_parse_rate("1.khz", 5, &rate));
    assert_int_equal(rate, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters),
        cmocka_unit_test(words),
        cmocka_unit_test(numbers),
        cmocka_unit_test(nul_is_no_member),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
