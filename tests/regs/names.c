/* SPDX-License-Identifier: MIT */
/* What pc_reg_find, pc_reg_at and pc_reg_set_field say about wrong names and values. */
#include "test.h"

#include <string.h>

static void expect_find(const char *chip, const char *name, enum pc_status status, unsigned code,
                        const char *hint)
{
    struct pc_reg_info reg, before;
    struct pc_error err;

    memset(&before, 0x5a, sizeof before);
    reg = before;
    assert_int_equal(pc_reg_find(pc_chip_find(chip), name, &reg, &err), status);
    assert_int_equal(err.status, status);
    assert_int_equal(err.code, code);
    assert_memory_equal(&reg, &before, sizeof reg); /* untouched on failure */
    if (!strstr(err.hint, hint))
        fail_msg("%s on %s: hint \"%s\" lacks \"%s\"", name, chip, err.hint, hint);
    assert_int_equal(pc_reg_find(pc_chip_find(chip), name, &reg, NULL), status);
}

static void wrong_names(void **state)
{
    (void)state;
    expect_find("G92", "CTRLL[0]", PC_ENOENT, 203, "CTRL");
    expect_find("G92", "NONSENSE_AT_ALL", PC_ENOENT, 203, "pcounter list registers -a G92");
    expect_find("NV40", "SPEC_SRC[0]", PC_ENOENT, 203, "G84:GF100");
    expect_find("G92", "SETFLAG_SRC[0]", PC_ENOENT, 203, "nv10 layout");
    expect_find("NV20", "GCTRL", PC_ENOENT, 203, "nv40 layout");
    expect_find("NV34", "SETFLAG_SRC[0]", PC_ENOENT, 203, "NV10:NV30");
    expect_find("G92", "", PC_EINPUT, 206, "CTRL[1]");
    expect_find("G92", "PCOUNTER.", PC_EINPUT, 206, "");
    expect_find("G92", "CTRL[1", PC_EINPUT, 206, "");
    expect_find("G92", "CTRL[]", PC_EINPUT, 206, "");
    expect_find("G92", "CTRL[-1]", PC_EINPUT, 206, "");
    expect_find("G92", "CTRL[1]x", PC_EINPUT, 206, "");
    expect_find("G92", "CTRL[4294967297]", PC_EINPUT, 206, "");
    expect_find("G92", "SIG_STATUS[0][0][0]", PC_EINPUT, 206, "");
    expect_find("G92", "A_NAME_LONGER_THAN_ANY_REGISTER_HAS", PC_EINPUT, 206, "");
}

static void wrong_indices(void **state)
{
    (void)state;
    expect_find("G92", "CTRL", PC_EAMBIG, 204, "0 to 7");
    expect_find("NV10", "SIG_STATUS", PC_EAMBIG, 204, "domains of NV10: 0 to 0; words: 0 to 7");
    expect_find("MCP73", "SIG_STATUS[0]", PC_EAMBIG, 204, "words: 0 to 7");
    expect_find("G92", "CTRL[8]", PC_ENOENT, 205, "0 to 7");
    expect_find("G92", "CTRL[0][0]", PC_ENOENT, 205, "");
    expect_find("G92", "GCTRL[0]", PC_ENOENT, 205, "");
    expect_find("NV34", "CTRL[0]", PC_ENOENT, 205, "");
    expect_find("NV34", "SIG_STATUS[1][6]", PC_ENOENT, 205, "0 to 5"); /* D-04 */
    expect_find("G92", "SIG_STATUS[0][8]", PC_ENOENT, 205, "0 to 7");
}

static void chips_without_registers(void **state)
{
    struct pc_reg_info reg;
    struct pc_error err;

    (void)state;
    expect_find("C51", "CTRL[0]", PC_ENOUNIT, 200, "");
    expect_find("GK210", "hub0.CTRL", PC_EUNSUP, 201, "");
    assert_int_equal(pc_reg_at(pc_chip_find("NV11"), 0xa400, &reg, &err), PC_ENOUNIT);
    assert_int_equal(pc_reg_at(pc_chip_find("GM206"), 0x1b0000, &reg, &err), PC_EUNSUP);
    assert_int_equal(pc_reg_enum(pc_chip_find("C51"), 0, &reg), PC_END);
    assert_int_equal(pc_reg_enum(pc_chip_find("GM206"), 0, &reg), PC_END);
}

static void one_domain_needs_no_index(void **state)
{
    struct pc_reg_info reg;
    struct pc_error err;

    (void)state;
    test_ok(pc_reg_find(pc_chip_find("NV10"), "event_op", &reg, &err), &err);
    assert_int_equal(reg.address, 0xa414);
    assert_int_equal(reg.index[0], 0);
}

/* D-60 */
static void absent_domains_are_found_but_not_listed(void **state)
{
    const struct pc_chip *chip = pc_chip_find("MCP73");
    struct pc_reg_info reg;
    struct pc_error err;

    (void)state;
    test_ok(pc_reg_find(chip, "CTRL[5]", &reg, &err), &err);
    assert_int_equal(reg.address, 0xa7d4);
    for (size_t i = 0; pc_reg_enum(chip, i, &reg) == PC_OK; i++)
        assert_true(reg.index[0] < 4);
}

static void wrong_addresses(void **state)
{
    struct pc_reg_info reg;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_reg_at(pc_chip_find("G92"), 0xa7c6, &reg, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "0x00a7c4"));
    assert_int_equal(pc_reg_at(pc_chip_find("NV40"), 0xa560, &reg, &err), PC_ENOENT);
    assert_non_null(strstr(err.hint, "SPEC_SRC is there on G84:GF100"));
    assert_int_equal(pc_reg_at(pc_chip_find("NV40"), 0x400084, &reg, &err), PC_ENOENT);
    assert_int_equal(err.code, 202);
}

static void expect_set(const char *reg_name, const char *field, const char *value,
                       enum pc_status status, unsigned code, const char *hint)
{
    struct pc_reg_info reg;
    struct pc_error err;
    uint32_t word = 0xcafe;

    test_ok(pc_reg_find(pc_chip_find("G92"), reg_name, &reg, &err), &err);
    assert_int_equal(pc_reg_set_field(&reg, field, value, &word, &err), status);
    assert_int_equal(err.code, code);
    assert_int_equal(word, 0xcafe);
    if (!strstr(err.hint, hint))
        fail_msg("%s=%s: hint \"%s\" lacks \"%s\"", field, value, err.hint, hint);
}

static void wrong_values(void **state)
{
    (void)state;
    expect_set("CTRL[0]", "MOED", "1", PC_ENOENT, 210, "MODE");
    expect_set("GCTRL", "XYZ", "1", PC_ENOENT, 210, "RECORD_RESET, PERIODIC_RESET");
    expect_set("CTRL[0]", "MODE", "4294967296", PC_EINPUT, 212, "0x3");
    expect_set("CTRL[0]", "MODE", "REC", PC_ENOENT, 211, "SINGLE, QUAD, RECORD");
    expect_set("CTRL[0]", "MODE", "", PC_ENOENT, 211, "");
    expect_set("CTRL[0]", "MODE", "0x", PC_ENOENT, 211, "");
    expect_set("CTRL[0]", "MODE", "-1", PC_ENOENT, 211, "");
    expect_set("CTRL[0]", "MODE", "4", PC_EINPUT, 212, "0x3");
    expect_set("PRE_SRC[0]", "SRC0", "256", PC_EINPUT, 212, "0xff");
    expect_set("THRESHOLD[0]", "VALUE", "0x100000000", PC_ENOENT, 211, "");
    expect_set("CTRL[0]", "QUAD_STATE", "VALID", PC_EINPUT, 213, "");
    expect_set("PRE_SRC[0]", "SRC0", "010", PC_ENOENT, 211, "write 31 or 0x1f, no leading zeros");
    expect_set("PRE_SRC[0]", "SRC0", "00", PC_ENOENT, 211, "no leading zeros");
    expect_set("PRE_SRC[0]", "SRC0", "0x1g", PC_ENOENT, 211, "it takes a number of 8 bits");
    expect_set("PRE_SRC[0]", "SRC0", "0b1", PC_ENOENT, 211, "it takes a number of 8 bits");
    expect_set("GCTRL", "RECORD_RESET", "yes", PC_ENOENT, 211, "it takes a number of 1 bit");
}

static void numbers_in_both_bases(void **state)
{
    static const struct {
        const char *text;
        uint32_t value;
    } rows[] = { { "0", 0 }, { "31", 31 }, { "0x1f", 31 }, { "0X1F", 31 }, { "0x00ff", 255 } };
    struct pc_reg_info reg;
    struct pc_error err;

    (void)state;
    test_ok(pc_reg_find(pc_chip_find("G92"), "PRE_SRC[0]", &reg, &err), &err);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t word = 0xffffff00;
        test_ok(pc_reg_set_field(&reg, "SRC0", rows[i].text, &word, &err), &err);
        assert_int_equal(word, 0xffffff00 | rows[i].value);
    }
}

/* The chip's variant decides which names a value has: RECORD came with G84. */
static void values_follow_the_variant(void **state)
{
    struct pc_reg_info reg;
    struct pc_error err;
    uint32_t word = 0;

    (void)state;
    test_ok(pc_reg_find(pc_chip_find("G84"), "CTRL[0]", &reg, &err), &err);
    test_ok(pc_reg_set_field(&reg, "mode", "record", &word, &err), &err);
    assert_int_equal(word, 2);
    test_ok(pc_reg_find(pc_chip_find("G80"), "CTRL[0]", &reg, &err), &err);
    assert_int_equal(pc_reg_set_field(&reg, "MODE", "RECORD", &word, &err), PC_ENOENT);
    assert_int_equal(pc_reg_set_field(&reg, "RECORD_FORMAT", "LONG", &word, &err), PC_ENOENT);
    test_ok(pc_reg_set_field(&reg, "MODE", "2", &word, &err), &err); /* a number may be anything */
}

static void periodic_period_takes_clocks(void **state)
{
    static const struct {
        const char *text;
        uint32_t word;
    } rows[] = {
        { "0x10000", 7u << 21 }, { "65536", 7u << 21 }, { "0x400", 1u << 21 },
        { "1024", 1u << 21 },    { "7", 7u << 21 },     { "off", 0 },
    };
    struct pc_reg_info reg;
    struct pc_error err;

    (void)state;
    test_ok(pc_reg_find(pc_chip_find("G92"), "CTRL[1]", &reg, &err), &err);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t word = 0;
        test_ok(pc_reg_set_field(&reg, "PERIODIC_PERIOD", rows[i].text, &word, &err), &err);
        assert_int_equal(word, rows[i].word);
    }
    uint32_t word = 0;
    assert_int_equal(pc_reg_set_field(&reg, "PERIODIC_PERIOD", "0x401", &word, &err), PC_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_names),
        cmocka_unit_test(wrong_indices),
        cmocka_unit_test(chips_without_registers),
        cmocka_unit_test(one_domain_needs_no_index),
        cmocka_unit_test(absent_domains_are_found_but_not_listed),
        cmocka_unit_test(wrong_addresses),
        cmocka_unit_test(wrong_values),
        cmocka_unit_test(numbers_in_both_bases),
        cmocka_unit_test(values_follow_the_variant),
        cmocka_unit_test(periodic_period_takes_clocks),
    };
    return cmocka_run_group_tests_name("regs_names", tests, NULL, NULL);
}
