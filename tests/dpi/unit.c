/* SPDX-License-Identifier: MIT */
/* Verifies the entry points of a PCOUNTER unit beside a design: each reaches the model. */
#include "test.h"

#include "pcounter/pcounter_dpi.h"
#include "pcounter/unit.h"

enum { DOMAIN = 1, SETFLAG = 1u << 4, FLAG = 1u << 7 };

/* Domain 1 of an NV40 in quad mode, whose EVENT is signal 40. */
static void *begin(void)
{
    void *unit = pcounter_dpi_unit_open("NV40");

    assert_non_null(unit);
    pcounter_dpi_unit_write(unit, 0xa7c4, 1);
    pcounter_dpi_unit_write(unit, 0xa484, 40);
    pcounter_dpi_unit_write(unit, 0xa4a4, 0xaaaa);
    return unit;
}

static void clock_with(void *unit, bool signal_40)
{
    const uint32_t signals[8] = { 0, (uint32_t)signal_40 << 8 };

    pcounter_dpi_unit_signals(unit, DOMAIN, signals);
    pcounter_dpi_unit_step(unit, 1u << DOMAIN);
}

static void chips_without_a_unit_give_none(void **state)
{
    (void)state;
    assert_null(pcounter_dpi_unit_open("NV11")); /* has no PCOUNTER */
    assert_null(pcounter_dpi_unit_open("NV99"));
}

static void a_unit_that_is_not_open_does_nothing(void **state)
{
    const uint32_t signals[8] = { 0 };

    (void)state;
    pcounter_dpi_unit_close(NULL);
    pcounter_dpi_unit_reset(NULL);
    pcounter_dpi_unit_write(NULL, 0xa7c4, 1);
    pcounter_dpi_unit_pulse(NULL, 0);
    pcounter_dpi_unit_signals(NULL, DOMAIN, signals);
    pcounter_dpi_unit_step(NULL, 1u << DOMAIN);
    assert_int_equal(pcounter_dpi_unit_read(NULL, 0xa7c4), 0);
    assert_int_equal(pcounter_dpi_unit_inputs(NULL, DOMAIN), 0);
}

/* PC.QUAD.2 PC.QUAD.3: what comes in the cycle of a swap belongs to the next period. */
static void signals_are_counted_and_swapped(void **state)
{
    void *unit = begin();

    (void)state;
    for (unsigned i = 0; i < 5; i++)
        clock_with(unit, true);
    assert_int_equal(pcounter_dpi_unit_inputs(unit, DOMAIN) & 0xff, 1u << 2);
    clock_with(unit, false);
    assert_int_equal(pcounter_dpi_unit_inputs(unit, DOMAIN) & 0xff, 0);
    pcounter_dpi_unit_pulse(unit, PC_PULSE_PM_TRIGGER);
    clock_with(unit, true);
    assert_int_equal(pcounter_dpi_unit_read(unit, 0xa684), 5);
    assert_int_equal(pcounter_dpi_unit_read(unit, 0xa604), 6);
    assert_int_equal(pcounter_dpi_unit_read(unit, 0xa7c4), 0x01000001);
    pcounter_dpi_unit_close(unit);
}

static void signals_stay_until_they_are_handed_over_again(void **state)
{
    void *unit = begin();

    (void)state;
    clock_with(unit, true);
    for (unsigned i = 0; i < 3; i++)
        pcounter_dpi_unit_step(unit, 1u << DOMAIN);
    pcounter_dpi_unit_pulse(unit, PC_PULSE_PM_TRIGGER);
    pcounter_dpi_unit_step(unit, 1u << DOMAIN);
    assert_int_equal(pcounter_dpi_unit_read(unit, 0xa684), 4);
    pcounter_dpi_unit_close(unit);
}

static void reset_is_power_up(void **state)
{
    void *unit = begin();

    (void)state;
    clock_with(unit, true);
    pcounter_dpi_unit_reset(unit);
    assert_int_equal(pcounter_dpi_unit_read(unit, 0xa4a4), 0);
    assert_int_equal(pcounter_dpi_unit_read(unit, 0xa7c4), 0);
    pcounter_dpi_unit_write(unit, 0xa4a4, 0xaaaa);
    pcounter_dpi_unit_write(unit, 0xa484, 40);
    pcounter_dpi_unit_step(unit, 1u << DOMAIN);
    assert_int_equal(pcounter_dpi_unit_inputs(unit, DOMAIN), 0); /* signals are 0 as well */
    pcounter_dpi_unit_close(unit);
}

/* PC.FLAG.1 and D-16: SETFLAG is seen in its cycle, FLAG two cycles later. */
static void flags_and_sources_are_told(void **state)
{
    void *unit = begin();

    (void)state;
    pcounter_dpi_unit_write(unit, 0xa504, 0xffff); /* SETFLAG_OP: always */
    clock_with(unit, true);
    assert_int_equal(pcounter_dpi_unit_inputs(unit, DOMAIN) & (SETFLAG | FLAG), SETFLAG);
    clock_with(unit, true);
    clock_with(unit, true);
    assert_int_equal(pcounter_dpi_unit_inputs(unit, DOMAIN) & (SETFLAG | FLAG), SETFLAG | FLAG);
    assert_int_equal(pcounter_dpi_unit_inputs(unit, DOMAIN) >> 16,
                     pcounter_dpi_unit_read(unit, 0xa544));
    pcounter_dpi_unit_close(unit);
}

/* What is no domain and no pulse changes nothing. */
static void others_are_ignored(void **state)
{
    const uint32_t signals[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    void *unit = begin();

    (void)state;
    pcounter_dpi_unit_signals(unit, 99, signals);
    pcounter_dpi_unit_pulse(unit, 2);
    clock_with(unit, false);
    assert_int_equal(pcounter_dpi_unit_inputs(unit, 99), 0);
    assert_int_equal(pcounter_dpi_unit_read(unit, 0xa7c4), 1); /* nothing was swapped */
    pcounter_dpi_unit_close(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_without_a_unit_give_none),
        cmocka_unit_test(a_unit_that_is_not_open_does_nothing),
        cmocka_unit_test(signals_are_counted_and_swapped),
        cmocka_unit_test(signals_stay_until_they_are_handed_over_again),
        cmocka_unit_test(reset_is_power_up),
        cmocka_unit_test(flags_and_sources_are_told),
        cmocka_unit_test(others_are_ignored),
    };

    return cmocka_run_group_tests_name("dpi/unit", tests, NULL, NULL);
}
