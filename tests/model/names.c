/* SPDX-License-Identifier: MIT */
/* Options, chips and signals by name and by number: what is found, and what is refused. */
#include "test.h"

#include <string.h>

#include "model/chips/domains.h"
#include "model/unit/option.h"
#include "model/unit/state.h"

static void options_of_the_device(void **state)
{
    static const struct {
        const char *name, *value;
        enum pc_status status;
    } rows[] = {
        { "pm-trigger-latency", "1", PC_OK },
        { "pm-trigger-latency", "63", PC_OK },
        { "pm-trigger-latency", "0", PC_EARG },
        { "pm-trigger-latency", "64", PC_EARG },
        { "pm-trigger-latency", "4x", PC_EARG },
        { "pm-trigger-latency", "", PC_EARG },
        { "pm-trigger-latency", "+4", PC_EARG },
        { "pm-trigger-latency", ":", PC_EARG },
        { "pm-trigger-latency", "1..63", PC_EARG },
        { "host-bus", "always", PC_OK },
        { "host-bus", "off", PC_OK },
        { "host-bus", "of", PC_EARG },
        { "host-bus", "", PC_EARG },
        { "host-bus", "auto|always", PC_EARG },
        { "host-buss", "off", PC_ENOENT },
        { "zzzzzzzzzzzz", "off", PC_ENOENT },
        { "quad-entry", "clear", PC_OK },
        { "quad-entry", "clears", PC_EARG },
    };
    struct pc_device_options out = { 0 };
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(pc_device_option(rows[i].name, rows[i].value, &out, NULL, &err),
                         rows[i].status);
    assert_int_equal(out.pm_latency, 63);
    assert_int_equal(out.host_bus, 2);
    assert_null(pc_option_at(100));
}

/* An option of the unit goes through the device's to the unit, if there is one. */
static void options_go_on_to_the_unit(void **state)
{
    const struct pc_unit_desc desc = { .chip = pc_chip_find("G84") };
    struct pc_device_options out = { 0 };
    struct pc_unit *u = NULL;
    struct pc_error err;

    (void)state;
    test_ok(pc_unit_create(&desc, &u, &err), &err);
    test_ok(pc_device_option("quad-entry", "clear", &out, u, &err), &err);
    assert_true(u->options.quad_entry_clears);
    test_ok(pc_device_option("record-latency", "4294967295", &out, u, &err), &err);
    assert_int_equal(u->options.record_latency, 4294967295);
    assert_int_equal(pc_device_option("idle-overflow", "wrap", &out, u, &err), PC_EARG);
    assert_int_equal(err.code, 405);
    pc_unit_destroy(u);
}

static void chips_by_name(void **state)
{
    (void)state;
    assert_null(pc_chip_find(NULL));
    assert_null(pc_chip_find(""));
    assert_null(pc_chip_find("G8"));
    assert_null(pc_chip_at(pc_chip_count()));
    assert_ptr_equal(pc_chip_find("nva0"), pc_chip_find("GT200"));
    assert_ptr_equal(pc_chip_find("NVA0"), pc_chip_find("G200"));
    assert_non_null(pc_chip_find("NVA0"));
    assert_string_not_equal(pc_version(), "");
}

/* "0 to 7" of a card with so many domains; nothing of one without counters. */
static void domains_in_words(void **state)
{
    char text[200];

    (void)state;
    pc_domain_names(pc_chip_find("G92"), text, sizeof text);
    assert_string_equal(text, "0 to 7");
    pc_domain_names(pc_chip_find("NV10"), text, sizeof text);
    assert_string_equal(text, "0");
    pc_domain_names(pc_chip_find("C51"), text, sizeof text);
    assert_string_equal(text, "");
}

/* Each signal that has a meaning is found where it stands, and nothing beyond the chip is. */
static void signals_by_place(void **state)
{
    const struct pc_chip *chip = pc_chip_find("GT215");

    (void)state;
    assert_int_equal(pc_chip_signal(chip, chip->domains, 0).kind, PC_SIG_ABSENT);
    assert_int_equal(pc_chip_signal(chip, 0, chip->domain[0].size).kind, PC_SIG_ABSENT);
    assert_int_equal(pc_chip_signal_position(chip, chip->domains, PC_SIG_USER, 0), -1);
    assert_int_equal(pc_chip_signal_position(chip, 0, PC_SIG_USER, 2), -1);
    for (unsigned d = 0; d < chip->domains; d++)
        for (unsigned s = 0; s < chip->domain[d].size; s++) {
            const struct pc_signal_info info = pc_chip_signal(chip, d, s);
            if (info.kind != PC_SIG_RAW && info.kind != PC_SIG_ABSENT)
                assert_int_equal(pc_chip_signal_position(chip, d, info.kind, info.index), s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_the_device), cmocka_unit_test(options_go_on_to_the_unit),
        cmocka_unit_test(chips_by_name),         cmocka_unit_test(signals_by_place),
        cmocka_unit_test(domains_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
