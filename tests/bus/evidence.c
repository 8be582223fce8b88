/* SPDX-License-Identifier: MIT */
/* Evidence for clocks and resets: delays after an edge, and names. */
#include "test.h"
#include "pcounter/unstable/bus.h"

static void delays(void **state)
{
    struct pc_delays d = { .all = 0 };
    uint64_t delay = 99;

    (void)state;
    assert_int_equal(pc_delays_most(&d, &delay), 0);
    assert_int_equal(delay, 99); /* none is there */
    for (unsigned i = 0; i < 3; i++)
        pc_delays_add(&d, 4, 0);
    pc_delays_add(&d, 5, 0);
    assert_int_equal(pc_delays_most(&d, &delay), 3);
    assert_int_equal(delay, 4);
    assert_int_equal(d.different, 2);
    assert_int_equal(d.all, 4);
    pc_delays_add(&d, 6, 2); /* as long after the edge as 4, in a capture */
    assert_int_equal(pc_delays_most(&d, NULL), 4);
    assert_int_equal(d.different, 2);
}

/* Verifies that more delays than there is room for count in the sum alone. */
static void many_delays(void **state)
{
    struct pc_delays d = { .all = 0 };

    (void)state;
    for (uint64_t i = 0; i < 2 * PC_DELAYS; i++)
        pc_delays_add(&d, 10 * i, 0);
    assert_int_equal(d.different, PC_DELAYS);
    assert_int_equal(d.all, 2 * PC_DELAYS);
    pc_delays_add(&d, 10, 0);
    assert_int_equal(pc_delays_most(&d, NULL), 2);
}

static void reset_names(void **state)
{
    static const struct {
        const char *path;
        bool is, low;
    } names[] = {
        { "rst", true, false },      { "tb.rst_n", true, true }, { "tb.dut.aresetn", true, true },
        { "tb.reset", true, false }, { "burst", false, false },  { "tb.rst_done", false, false },
        { "clk", false, false },     { "por_b", true, true },    { "rst_n.count", false, false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool low = !names[i].low;
        if (pc_bus_is_reset_name(names[i].path, &low) != names[i].is || low != names[i].low)
            fail_msg("%s", names[i].path);
        assert_false(names[i].is && pc_bus_is_clock_name(names[i].path));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delays),
        cmocka_unit_test(many_delays),
        cmocka_unit_test(reset_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
